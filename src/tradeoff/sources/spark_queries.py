"""What Spark is asked, in its SQL: rows of one model become groups of equal or neighbouring scores.

Nothing here runs a query, and nothing needs Spark to be installed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tradeoff.errors import ColumnError, InputError
from tradeoff.sources.columns import Columns
from tradeoff.sources.policy import no_numbers
from tradeoff.sources.text_cells import SURE_DIGITS

if TYPE_CHECKING:
    from tradeoff.core.regions import Region


NAN = "CAST('NaN' AS DOUBLE)"
NUMBER = r"^\\s*[+-]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?|(?i:inf(inity)?|nan))\\s*$"
"""How a number is written in a text; Java would also take 1d and 0x1p3 for numbers."""
WHOLE = {"tinyint", "smallint", "int", "bigint"}
REAL = {"float", "double"}
LONG_INTEGER, LONG_DECIMAL = "long integer", "long decimal"
"""Decimals of more digits than a float keeps, without a fraction and with one."""
LARGEST, SMALLEST = "1e100D", "1e-100D"
"""The weights between which `sources.policy` can count."""


def keys_of(columns: Columns) -> dict[str, str]:
    """The columns that rows are told apart by, besides their scores, by their roles."""
    named = {"actual": columns.actual, "fold": columns.fold, "segment": columns.segment}
    return {role: name for role, name in named.items() if name is not None}


def _quoted(name: str) -> str:
    """A column's name as SQL writes it, whatever characters it holds.

    Example:
        >>> _quoted("a`b.c")
        '`a``b.c`'
    """
    return f"`{name.replace('`', '``')}`"


def kinds_of(columns: Columns, types: Sequence[tuple[str, str]]) -> dict[str, str]:
    """The kind of each column that is needed: Spark's name of its type, without what follows it."""
    names = [name for name, _ in types]
    for name in columns.names:
        if name not in names:
            raise ColumnError.missing(name, names)
        if names.count(name) > 1:
            raise InputError(f"{names.count(name)} columns are called {name!r}: rename them.")
    declared = dict(types)
    return {name: _kind(declared[name]) for name in columns.names}


def _kind(declared: str) -> str:
    """The name of a type; long decimals are kinds of their own.

    Example:
        >>> [_kind(one) for one in ("decimal(10,2)", "decimal(38,0)", "decimal(20,9)", "map<a,b>")]
        ['decimal', 'long integer', 'long decimal', 'map']
    """
    kind = re.split(r"[(<]", declared)[0]
    if kind != "decimal":
        return kind
    digits, fraction = map(int, re.findall(r"\d+", declared))
    if digits <= SURE_DIGITS:
        return kind
    return LONG_DECIMAL if fraction else LONG_INTEGER


def prepared(columns: Columns, kinds: Mapping[str, str], digits: int | None) -> list[str]:
    """The columns under plain names: actual, fold, segment, weight, score_0 and so on.

    Of scores that may lose digits, or may be no numbers, what they were is kept beside them.
    """
    keys = [f"{_key(name, kinds[name])} AS {role}" for role, name in keys_of(columns).items()]
    scores = [
        f"{_score(name, kinds[name], digits)} AS score_{place}"
        for place, name in enumerate(columns.models)
    ]
    large = [
        f"{_exact(name, kinds[name])} AS exact_{place}"
        for place, name in enumerate(columns.models)
        if kinds[name] in {"bigint", "string", LONG_INTEGER, LONG_DECIMAL}
    ]
    weight = [] if columns.weight is None else [_weight(columns.weight, kinds[columns.weight])]
    return [*keys, *weight, *scores, *large]


def _key(name: str, kind: str) -> str:
    """Classes, folds and segments: numbers, truths and texts as they are, NaN as missing."""
    if kind in {"array", "map", "struct"}:
        raise InputError(f"Column {name!r} holds {kind}, not one value a row.")
    if kind == "binary":  # which is mostly text; what is none keeps its bytes apart
        text = f"decode({_quoted(name)}, 'UTF-8')"
        numbers = rf"regexp_replace(hex({_quoted(name)}), '(..)', '\\\\x$1')"
        return f"IF(encode({text}, 'UTF-8') = {_quoted(name)}, {text}, {numbers})"
    if kind == "float":  # as it is written: 0.1, and no digits of the nearest double
        return f"nanvl(CAST(CAST({_quoted(name)} AS STRING) AS DOUBLE), NULL)"
    if kind in {*REAL, "decimal", LONG_DECIMAL}:
        return f"nanvl(CAST({_quoted(name)} AS DOUBLE), NULL)"
    if kind in WHOLE:
        return f"CAST({_quoted(name)} AS BIGINT)"
    return _quoted(name) if kind == "boolean" else f"CAST({_quoted(name)} AS STRING)"


def _score(name: str, kind: str, digits: int | None) -> str:
    _demand_number(name, kind, {"string"})
    score = f"CAST({_quoted(name)} AS DOUBLE)"
    if kind == "string":
        score = f"IF({_is_number(name)}, CAST(trim({_quoted(name)}) AS DOUBLE), NULL)"
    if digits is not None:
        score = f"rint({score} * 1e{digits}D) / 1e{digits}D"
    return f"coalesce({score}, {NAN})"


def _weight(name: str, kind: str) -> str:
    _demand_number(name, kind)
    wanted = "BIGINT" if kind in {*WHOLE, "boolean"} else "DOUBLE"
    return f"CAST({_quoted(name)} AS {wanted}) AS weight"


def _is_number(name: str) -> str:
    return f"{_quoted(name)} RLIKE '{NUMBER}'"


def _exact(name: str, kind: str) -> str:
    """What a score was; of texts, 1 where it is no number, or an integer that would change."""
    if kind == "string":
        text = _quoted(name)
        whole, real = (
            f"CAST({one} AS DECIMAL(38, 0))" for one in (text, f"CAST({text} AS DOUBLE)")
        )
        changes = f"{text} RLIKE '^[+-]?[0-9]{{16,30}}$' AND {whole} <> {real}"
        return f"IF({text} IS NOT NULL AND (NOT {_is_number(name)} OR {changes}), 1, 0)"
    return _quoted(name)


def _demand_number(name: str, kind: str, more: Collection[str] = ()) -> None:
    if kind not in {*WHOLE, *REAL, "decimal", LONG_DECIMAL, LONG_INTEGER, "boolean", *more}:
        raise InputError(no_numbers(name, kind))


def lost(place: int, kind: str) -> str:
    """How many scores of a model are lost as floating-point numbers, by what they were."""
    exact, score = f"exact_{place}", f"score_{place}"
    if kind == "string":
        return f"sum({exact})"
    if kind in {LONG_DECIMAL, LONG_INTEGER}:
        return f"count(DISTINCT {exact}) - count(DISTINCT CAST({exact} AS DOUBLE))"
    # As a bigint, 2**63 would come back as 2**63 - 1 and look unchanged.
    return f"count_if(CAST({score} AS DECIMAL(38, 0)) <> CAST({exact} AS DECIMAL(38, 0)))"


FRACTIONAL = "count_if(CAST(weight AS DOUBLE) <> floor(CAST(weight AS DOUBLE)))"
"""How many weights are no whole numbers."""


def weight_faults() -> list[str]:
    """How many weights have each of `policy.WEIGHT_FAULTS`, in that order."""
    weight = f"coalesce(CAST(weight AS DOUBLE), {NAN})"
    infinite = "CAST('Infinity' AS DOUBLE)"
    return [
        f"count_if(isnan({weight}) OR abs({weight}) = {infinite})",
        f"count_if({weight} < 0)",
        f"count_if({weight} > {LARGEST})",
        f"count_if({weight} > 0 AND {weight} < {SMALLEST})",
    ]


def scale_of(regions: Sequence[Region]) -> str:
    """The scale of `score` as nested choices, so that few of them are made for a row.

    Example:
        >>> from tradeoff.core.regions import Region
        >>> scale_of([Region(-math.inf, 4.0), Region(0.5, 8.0)])
        'CASE WHEN score >= 0.5D THEN 8.0D ELSE 4.0D END'
    """
    apart = [
        region
        for place, region in enumerate(regions)
        if not place or region.scale != regions[place - 1].scale
    ]
    return _nested([region.low for region in apart], [literal(region.scale) for region in apart])


def block_of(regions: Sequence[Region]) -> str:
    """Which of the regions `score` lies in, counted from 0.

    Example:
        >>> from tradeoff.core.regions import Region
        >>> block_of([Region(-math.inf, 4.0), Region(0.5, 4.0)])
        'CASE WHEN score >= 0.5D THEN 1 ELSE 0 END'
    """
    return _nested([region.low for region in regions], list(map(str, range(len(regions)))))


def _nested(lows: Sequence[float], values: Sequence[str]) -> str:
    middle = len(lows) // 2
    if not middle:
        return values[0]
    upper, lower = (
        _nested(lows[part], values[part]) for part in (slice(middle, None), slice(middle))
    )
    return f"CASE WHEN score >= {literal(lows[middle])} THEN {upper} ELSE {lower} END"


# One double names the cell: where it ends, away from 0. Not its number, which is not enough
# without the scale, and two columns to group by are slower than one. 0 is a cell of its own.
CELL = f"""CASE WHEN isnan(score) THEN {NAN}
    WHEN score < 0 THEN (-1D - floor(-score * scale)) / scale
    WHEN score > 0 THEN (1D + floor(score * scale)) / scale
    ELSE 0D END"""


def literal(value: float) -> str:
    """A number as SQL writes it, to the last digit.

    Example:
        >>> literal(0.1), literal(1e-300), literal(math.inf)
        ('0.1D', '1e-300D', "CAST('Infinity' AS DOUBLE)")
    """
    if math.isinf(value):
        return f"CAST('{'-' * (value < 0)}Infinity' AS DOUBLE)"
    return f"{float(value)!r}D"


def sums(*, weighted: bool) -> dict[str, str]:
    """What is known of each group; `first` says whether a row is of the commonest class."""
    counts = {
        "low": "min(score)",
        "high": "max(score)",
        "rows": "count(1)",
        "firsts": "count(CASE WHEN first THEN 1 END)",
    }
    if not weighted:
        return counts
    square = "CAST(weight AS DOUBLE) * CAST(weight AS DOUBLE)"
    weights = {
        f"{name}_{whose}": f"sum(CASE WHEN {which} THEN {what} ELSE {zero} END)"
        for name, what, zero in (("weight", "weight", "0"), ("squares", square, "0D"))
        for whose, which in (("first", "first"), ("rest", "NOT first"))
    }
    return counts | weights
