"""Spark SQL expressions that group the rows of a model by score or by cell.

No query is run here, and Spark need not be installed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import Columns
from tradeoff.sources.row_messages import non_numeric_column_message
from tradeoff.sources.text_values import EXACT_DIGITS

if TYPE_CHECKING:
    from tradeoff.core.regions import Region


NAN = "CAST('NaN' AS DOUBLE)"
NUMBER_PATTERN = (
    r"^\\s*[+-]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf(inity)?|nan))\\s*$"
)
"""Pattern of a string that is a number; Java would also accept 1d and 0x1p3."""
INTEGER_KINDS = {"tinyint", "smallint", "int", "bigint"}
FLOAT_KINDS = {"float", "double"}
LONG_INTEGER, LONG_DECIMAL = "long integer", "long decimal"
"""Decimals with more digits than float64 preserves, without and with a fraction."""
MAX_WEIGHT_SQL, MIN_WEIGHT_SQL = "1e100D", "1e-100D"
"""Bounds of valid weights other than 0, as in `sources.row_rules`."""


def key_columns(columns: Columns) -> dict[str, str]:
    """Columns other than scores by which Spark groups rows, by role."""
    columns_by_role = {"actual": columns.actual, "fold": columns.fold, "segment": columns.segment}
    return {role: name for role, name in columns_by_role.items() if name is not None}


def _quote_name(name: str) -> str:
    """Quote the name of a column in Spark SQL.

    Example:
        >>> _quote_name("a`b.c")
        '`a``b.c`'
    """
    return f"`{name.replace('`', '``')}`"


def column_kinds(columns: Columns, types: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Kind of each Spark column: the name of its type, without parameters."""
    names = [name for name, _ in types]
    for name in columns.names:
        if name not in names:
            raise ColumnError.missing(name, names)
        if names.count(name) > 1:
            raise InputError(f"{names.count(name)} columns are named {name!r}: rename them.")
    declared_types = dict(types)
    return {name: _type_kind(declared_types[name]) for name in columns.names}


def _type_kind(declared_type: str) -> str:
    """Name of a Spark type without parameters; long decimals are kinds of their own.

    Example:
        >>> types = ("decimal(10,2)", "decimal(38,0)", "decimal(20,9)", "map<a,b>")
        >>> [_type_kind(name) for name in types]
        ['decimal', 'long integer', 'long decimal', 'map']
    """
    kind = re.split(r"[(<]", declared_type)[0]
    if kind != "decimal":
        return kind
    digits, fraction = map(int, re.findall(r"\d+", declared_type))
    if digits <= EXACT_DIGITS:
        return kind
    return LONG_DECIMAL if fraction else LONG_INTEGER


def prepared_columns_sql(
    columns: Columns, kinds: Mapping[str, str], digits: int | None
) -> list[str]:
    """Spark SQL that selects actual, fold, segment, weight, score_0, score_1 and so on.

    Scores that may lose digits, or may not be numbers, are also selected unchanged.
    """
    keys = [
        f"{_key_sql(name, kinds[name])} AS {role}" for role, name in key_columns(columns).items()
    ]
    scores = [
        f"{_score_sql(name, kinds[name], digits)} AS score_{index}"
        for index, name in enumerate(columns.models)
    ]
    exact_scores = [
        f"{_exact_score_sql(name, kinds[name])} AS exact_{index}"
        for index, name in enumerate(columns.models)
        if kinds[name] in {"bigint", "string", LONG_INTEGER, LONG_DECIMAL}
    ]
    weight = [] if columns.weight is None else [_weight_sql(columns.weight, kinds[columns.weight])]
    return [*keys, *weight, *scores, *exact_scores]


def _key_sql(name: str, kind: str) -> str:
    """Spark SQL for classes, folds and segments, with NaN as missing."""
    if kind in {"array", "map", "struct"}:
        raise InputError(f"Column {name!r} holds {kind}, not one value per row.")
    if kind == "binary":  # mostly UTF-8; other bytes are written in hexadecimal
        text = f"decode({_quote_name(name)}, 'UTF-8')"
        hex_bytes = rf"regexp_replace(hex({_quote_name(name)}), '(..)', '\\\\x$1')"
        return f"IF(encode({text}, 'UTF-8') = {_quote_name(name)}, {text}, {hex_bytes})"
    if kind == "float":  # as written: 0.1, without the further digits of the nearest double
        return f"nanvl(CAST(CAST({_quote_name(name)} AS STRING) AS DOUBLE), NULL)"
    if kind in {*FLOAT_KINDS, "decimal", LONG_DECIMAL}:
        return f"nanvl(CAST({_quote_name(name)} AS DOUBLE), NULL)"
    if kind in INTEGER_KINDS:
        return f"CAST({_quote_name(name)} AS BIGINT)"
    return _quote_name(name) if kind == "boolean" else f"CAST({_quote_name(name)} AS STRING)"


def _score_sql(name: str, kind: str, digits: int | None) -> str:
    _require_numeric_type(name, kind, {"string"})
    score = f"CAST({_quote_name(name)} AS DOUBLE)"
    if kind == "string":
        score = f"IF({_is_number_sql(name)}, CAST(trim({_quote_name(name)}) AS DOUBLE), NULL)"
    if digits is not None:
        score = f"rint({score} * 1e{digits}D) / 1e{digits}D"
    return f"coalesce({score}, {NAN})"


def _weight_sql(name: str, kind: str) -> str:
    _require_numeric_type(name, kind)
    sql_type = "BIGINT" if kind in {*INTEGER_KINDS, "boolean"} else "DOUBLE"
    return f"CAST({_quote_name(name)} AS {sql_type}) AS weight"


def _is_number_sql(name: str) -> str:
    return f"{_quote_name(name)} RLIKE '{NUMBER_PATTERN}'"


def _exact_score_sql(name: str, kind: str) -> str:
    """Spark SQL for the original score; for a string, 1 if it is not an exact number, else 0."""
    if kind == "string":
        text = _quote_name(name)
        as_integer, as_float = (
            f"CAST({value} AS DECIMAL(38, 0))" for value in (text, f"CAST({text} AS DOUBLE)")
        )
        is_rounded = f"{text} RLIKE '^[+-]?[0-9]{{16,30}}$' AND {as_integer} <> {as_float}"
        return f"IF({text} IS NOT NULL AND (NOT {_is_number_sql(name)} OR {is_rounded}), 1, 0)"
    return _quote_name(name)


def _require_numeric_type(name: str, kind: str, other_kinds: Collection[str] = ()) -> None:
    if kind not in {
        *INTEGER_KINDS,
        *FLOAT_KINDS,
        "decimal",
        LONG_DECIMAL,
        LONG_INTEGER,
        "boolean",
        *other_kinds,
    }:
        raise InputError(non_numeric_column_message(name, kind))


def lost_scores_sql(index: int, kind: str) -> str:
    """Spark SQL that counts the scores that float64 rounds or turns into ties."""
    exact, score = f"exact_{index}", f"score_{index}"
    if kind == "string":
        return f"sum({exact})"
    if kind in {LONG_DECIMAL, LONG_INTEGER}:
        return f"count(DISTINCT {exact}) - count(DISTINCT CAST({exact} AS DOUBLE))"
    # As a bigint, 2**63 would come back as 2**63 - 1 and look unchanged.
    return f"count_if(CAST({score} AS DECIMAL(38, 0)) <> CAST({exact} AS DECIMAL(38, 0)))"


FRACTIONAL_WEIGHTS_SQL = "count_if(CAST(weight AS DOUBLE) <> floor(CAST(weight AS DOUBLE)))"
"""Spark SQL that counts fractional weights."""


def weight_faults_sql() -> list[str]:
    """Spark SQL that counts each of `row_rules.WEIGHT_FAULTS`, in that order."""
    weight = f"coalesce(CAST(weight AS DOUBLE), {NAN})"
    infinity = "CAST('Infinity' AS DOUBLE)"
    return [
        f"count_if(isnan({weight}) OR abs({weight}) = {infinity})",
        f"count_if({weight} < 0)",
        f"count_if({weight} > {MAX_WEIGHT_SQL})",
        f"count_if({weight} > 0 AND {weight} < {MIN_WEIGHT_SQL})",
    ]


def scale_sql(regions: Sequence[Region]) -> str:
    """Spark SQL for the scale of `score`, by bisection.

    Example:
        >>> from tradeoff.core.regions import Region
        >>> scale_sql([Region(-math.inf, 4.0), Region(0.5, 8.0)])
        'CASE WHEN score >= 0.5D THEN 8.0D ELSE 4.0D END'
    """
    scale_changes = [
        region
        for index, region in enumerate(regions)
        if not index or region.scale != regions[index - 1].scale
    ]
    return _bisection_sql(
        [region.low for region in scale_changes],
        [double_literal(region.scale) for region in scale_changes],
    )


def block_sql(regions: Sequence[Region]) -> str:
    """Spark SQL for the index of the region that contains `score`.

    Example:
        >>> from tradeoff.core.regions import Region
        >>> block_sql([Region(-math.inf, 4.0), Region(0.5, 4.0)])
        'CASE WHEN score >= 0.5D THEN 1 ELSE 0 END'
    """
    return _bisection_sql([region.low for region in regions], list(map(str, range(len(regions)))))


def _bisection_sql(lower_bounds: Sequence[float], values: Sequence[str]) -> str:
    middle = len(lower_bounds) // 2
    if not middle:
        return values[0]
    upper, lower = (
        _bisection_sql(lower_bounds[part], values[part])
        for part in (slice(middle, None), slice(middle))
    )
    return (
        f"CASE WHEN score >= {double_literal(lower_bounds[middle])} THEN {upper} ELSE {lower} END"
    )


# A cell is identified by its bound farther from 0. Its number would require the scale as a second
# grouping column, which is slower. 0 is a cell of its own.
CELL_SQL = f"""CASE WHEN isnan(score) THEN {NAN}
    WHEN score < 0 THEN (-1D - floor(-score * scale)) / scale
    WHEN score > 0 THEN (1D + floor(score * scale)) / scale
    ELSE 0D END"""


def double_literal(value: float) -> str:
    """Spark SQL literal of a float, with all digits.

    Example:
        >>> double_literal(0.1), double_literal(1e-300), double_literal(math.inf)
        ('0.1D', '1e-300D', "CAST('Infinity' AS DOUBLE)")
    """
    if math.isinf(value):
        return f"CAST('{'-' * (value < 0)}Infinity' AS DOUBLE)"
    return f"{float(value)!r}D"


def group_sums_sql(*, weighted: bool) -> dict[str, str]:
    """Spark SQL for the sums of each group; `first` marks rows of the most frequent class."""
    counts = {
        "low": "min(score)",
        "high": "max(score)",
        "rows": "count(1)",
        "first_rows": "count(CASE WHEN first THEN 1 END)",
    }
    if not weighted:
        return counts
    square = "CAST(weight AS DOUBLE) * CAST(weight AS DOUBLE)"
    weights = {
        f"{name}_{side}": f"sum(CASE WHEN {condition} THEN {value} ELSE {zero} END)"
        for name, value, zero in (("weight", "weight", "0"), ("squares", square, "0D"))
        for side, condition in (("first", "first"), ("rest", "NOT first"))
    }
    return counts | weights
