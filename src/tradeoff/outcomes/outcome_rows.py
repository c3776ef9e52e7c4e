"""Rows of an outcome (a cell of the confusion matrix), nearest to the threshold first."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import REJECTED
from tradeoff.errors import (
    ColumnError,
    InputError,
    did_you_mean,
    require_number,
    suggest_arguments,
)
from tradeoff.files.table_files import TableWriter, require_table_path, table_writer, write_table
from tradeoff.formatting import format_exact_threshold, printable
from tradeoff.measures.probabilities import are_probabilities
from tradeoff.results import Result
from tradeoff.sources.columns import Columns
from tradeoff.sources.evaluate_arguments import resolve_source_and_actual
from tradeoff.sources.options import BadRows, ReadOptions
from tradeoff.sources.row_numbers import as_integers
from tradeoff.sources.row_policy import Missing, RowPolicy, WeightMeans
from tradeoff.sources.row_scan import ClassNames, IdentifiedRows, RowConsumer, scan_rows
from tradeoff.sources.sql_quoting import quote_name, quote_string
from tradeoff.thresholds.operating_threshold import CONVENTIONAL_THRESHOLD, missing_threshold_error
from tradeoff.wording import ROWS, Wording

DEFAULT_NEAREST = 20
"""Default number of rows that are listed."""
OUTCOMES = {
    "true positive": ("tp", "hit"),
    "false negative": ("fn", "miss"),
    "false positive": ("fp", "false alarm"),
    "true negative": ("tn", "correct rejection"),
    "rejected": ("undecided", "reject"),
    "predicted positive": ("flagged", "contacted"),
    "predicted negative": ("not flagged",),
    "error": ("wrong", "misclassified"),
}
"""Outcomes of rows, with their other names."""
OWN_COLUMNS = ("row", "score", "actual", "predicted", "distance", "margin")
"""Columns of every table of rows, besides those that identify a row."""
MIN_BUFFERED_ROWS = 10_000
"""Rows that are kept while a file is read, besides twice the number of listed ones."""
Order = Literal["nearest", "score"]


def find_outcome(name: str) -> str:
    """Outcome by any of its names.

    Example:
        >>> [find_outcome(name) for name in ("fn", "False-Positives", "miss", "flagged")]
        ['false negative', 'false positive', 'false negative', 'predicted positive']
    """
    key = " ".join(name.casefold().replace("_", " ").replace("-", " ").split())
    names = {alias: outcome for outcome, aliases in OUTCOMES.items() for alias in aliases}
    names |= {outcome: outcome for outcome in OUTCOMES}
    for candidate in (key, key.removesuffix("s"), key.removesuffix("es")):
        if candidate in names:
            return names[candidate]
    short_names = [aliases[0] if len(aliases[0]) == 2 else n for n, aliases in OUTCOMES.items()]
    raise InputError(
        f"No outcome is called {name!r}.{did_you_mean(name, names)} Outcomes: "
        f"{', '.join(short_names)}."
    )


@dataclass(frozen=True, eq=False, repr=False)
class OutcomeRows(Result, views="tradeoff.outcomes.views"):
    """Rows of an outcome, nearest to the threshold first; `size` is their total number.

    `table` has the columns row (number in the source, from 1), those that identify a row, score,
    actual, predicted and, if there is a threshold, distance: how far the score is from it.
    `path` is the file that contains all rows of the outcome, if one was written.
    """

    outcome: str
    model: str
    rule: str
    total: int
    size: int
    table: Mapping[str, Any]
    threshold: float | None = None
    classes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    path: str | None = None
    wording: Wording = field(default=ROWS, compare=False)

    def columns(self) -> dict[str, Any]:
        """The listed rows as a table."""
        return dict(self.table)

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the listed rows to a .csv or .parquet file."""
        write_table(columns_as_arrays(self.table), path)

    def __len__(self) -> int:
        """Number of listed rows."""
        return len(self.table["row"])

    def __repr__(self) -> str:
        """One line: the outcome and the number of rows."""
        return f"OutcomeRows({self.outcome}: {len(self):,} of {self.size:,} rows)"


@dataclass(frozen=True)
class DecisionRule:
    """Decision rule for outcomes: positive from `upper`, negative below `lower`, else rejected."""

    lower: float
    upper: float
    lower_is_positive: bool = False

    def predicted(self, rows: IdentifiedRows) -> NDArray[np.int8]:
        """Decision of the rule on each row: 1 for positive, 0 for negative, -1 for rejected."""
        sign = -1.0 if self.lower_is_positive else 1.0
        scores = sign * rows.scores
        limits = sorted((sign * self.lower, sign * self.upper))
        decisions = np.where(scores >= limits[1], 1, np.where(scores < limits[0], 0, -1))
        decisions[rows.undecided] = -1
        return decisions.astype(np.int8)

    def distances(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """Distance of each score to the nearer threshold; NaN without a score."""
        with np.errstate(invalid="ignore"):
            distances = np.minimum(np.abs(scores - self.lower), np.abs(scores - self.upper))
        # Infinite scores that equal the threshold would have the distance NaN.
        distances[(scores == self.lower) | (scores == self.upper)] = 0.0
        return np.asarray(distances)


@suggest_arguments
def outcome_rows(  # noqa: PLR0913 - options that only the caller can choose
    data: Any = None,
    score: Any = None,
    *,
    outcome: str,
    actual: Any = None,
    positive: Any = None,
    threshold: float | None = None,
    band: tuple[float, float] | None = None,
    ids: str | Sequence[str] | Mapping[str, Any] = (),
    nearest: int | None = DEFAULT_NEAREST,
    order: Order = "nearest",
    path: str | os.PathLike[str] | None = None,
    file_columns: Sequence[str] | None = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    memory: int | str | None = None,
    bad_rows: BadRows = "stop",
    unit: str = "rows",
) -> OutcomeRows:
    """The rows of an outcome, such as false negatives, nearest to the threshold first.

    Args:
        data: The actual class of each row, or a table, as for `evaluate`. Large files are read in
            batches, of which only the nearest rows are kept.
        score: The score of each row, or its column.
        outcome: "fn", "fp", "tp", "tn", "rejected", "predicted positive", "predicted negative" or
            "error" (both kinds).
        actual: The actual class of each row, or its column.
        positive: The positive class, as for `evaluate`.
        threshold: Rows with at least this score are predicted positive. By default 0.5 for
            probabilities; other scores need one.
        band: Reject band instead of a threshold: scores from the first to below the second value
            are rejected.
        ids: Columns that identify a row, or a mapping from names to values.
        nearest: Number of rows to list; None for all.
        order: "nearest" to the threshold first, or highest "score" first.
        path: Also write all rows of the outcome to this .csv or .parquet file, in the same order.
        file_columns: Columns of that file; by default all.
        weight: The weight of each row; rows of weight 0 are left out.
        weight_means: Whether weights are frequencies or importances, as for `evaluate`.
        missing: What to do with rows without a score, as for `evaluate`.
        lower_is_positive: Whether lower scores indicate the positive class.
        digits: Round scores to this many decimals first.
        memory: Memory limit where rows are read in batches, such as "2GB".
        bad_rows: "stop" at a line of a CSV file that cannot be parsed, or "skip" it.
        unit: Plural noun for what the rows represent, such as "customers".

    Example:
        >>> rows = outcome_rows([1, 1, 0, 1], [0.9, 0.4, 0.3, 0.1], outcome="fn")
        >>> rows
        OutcomeRows(false negative: 2 of 2 rows)
        >>> rows.columns()["row"].tolist(), rows.columns()["score"].tolist()
        ([2, 4], [0.4, 0.1])
    """
    outcome = find_outcome(outcome)
    data, actual = resolve_source_and_actual(data, actual, score)
    require_count(nearest)
    if order not in {"nearest", "score"}:
        raise InputError(f'`order` must be "nearest" or "score", not {order!r}.')
    is_default = threshold is None and band is None
    cutoff = CONVENTIONAL_THRESHOLD if threshold is None else threshold
    rule = _decision_rule(cutoff, band, lower_is_positive=lower_is_positive)
    columns = Columns(actual, [score] if isinstance(score, str) else score, weight)
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits, Wording(unit))
    options = ReadOptions(memory, bad_rows=bad_rows)
    if path is not None:
        require_table_path(path)
    named_ids = [ids] if isinstance(ids, str) else ids
    with ExitStack() as stack:
        writer = None if path is None else stack.enter_context(table_writer(path))
        selection = _Selection(outcome, rule, order, nearest, writer)
        classes = scan_rows(data, columns, policy, options, named_ids, selection)
        if is_default:
            _require_probabilities(columns, selection)
        if writer is not None:
            _write_rows(writer, list(named_ids), classes, order, file_columns)
    model = str(columns.models[0]) if columns.are_named else "score"
    return OutcomeRows(
        outcome,
        model,
        _rule_sentence(model, rule, classes),
        selection.total,
        selection.size,
        _named_table(selection.listed_rows(), rule, classes),
        rule.upper if band is None else None,
        (classes.positive, classes.negative),
        classes.notes,
        None if path is None else str(path),
        policy.wording,
    )


def _decision_rule(
    threshold: float, band: tuple[float, float] | None, *, lower_is_positive: bool
) -> DecisionRule:
    """The rule of a threshold, or of a reject band."""
    lower, upper = (threshold, threshold) if band is None else band
    lower, upper = (require_number(limit, "A threshold") for limit in (lower, upper))
    if math.isnan(lower) or math.isnan(upper):
        raise InputError("A threshold must be a number, not NaN.")
    if lower > upper:
        raise InputError(f"The band from {lower:g} to {upper:g} is empty: give the lower first.")
    if lower_is_positive:  # positive up to the lower limit
        lower, upper = upper, lower
    return DecisionRule(lower, upper, lower_is_positive)


def _require_probabilities(columns: Columns, selection: _Selection) -> None:
    """Require a threshold for scores that are not probabilities."""
    limits = selection.lowest, selection.highest
    if selection.lowest <= selection.highest and not are_probabilities(*limits):
        model = str(columns.models[0]) if columns.are_named else "score"
        raise missing_threshold_error({model: limits}, "An outcome", ["threshold=…"])


class _Selection(RowConsumer):
    """Rows of an outcome: the first ones in an order, and all of them in a file."""

    def __init__(
        self,
        outcome: str,
        rule: DecisionRule,
        order: Order,
        nearest: int | None,
        writer: TableWriter | None,
    ) -> None:
        self.outcome, self.rule, self.order = outcome, rule, order
        self.nearest, self.writer = nearest, writer
        self.start()

    def start(self) -> None:
        """Discard all rows."""
        self.total = self.size = 0
        self.lowest, self.highest = math.inf, -math.inf
        self.batches: list[IdentifiedRows] = []
        self.buffered_rows = 0
        if self.writer is not None:
            self.writer.clear()

    def add(self, rows: IdentifiedRows) -> None:
        """Add the rows of a batch that have the outcome."""
        self.total += len(rows.scores)
        scores = rows.scores[~np.isnan(rows.scores)]
        self.lowest = min(self.lowest, float(scores.min(initial=math.inf)))
        self.highest = max(self.highest, float(scores.max(initial=-math.inf)))
        rows = rows.select(
            _has_outcome(self.outcome, self.rule.predicted(rows), rows.positive_rows)
        )
        if not len(rows.scores) and self.batches:
            return
        self.size += len(rows.scores)
        self.batches.append(rows)
        self.buffered_rows += len(rows.scores)
        if self.writer is not None:
            self.writer.add(_stored_columns(rows, self.rule))
        if self.nearest is not None and self.buffered_rows > 2 * self.nearest + MIN_BUFFERED_ROWS:
            self.batches = [self.listed_rows()]
            self.buffered_rows = len(self.batches[0].scores)

    def listed_rows(self) -> IdentifiedRows:
        """The first rows in the chosen order, at most `nearest`."""
        rows = _concatenated(self.batches)
        return rows.select(_sorted_indices(rows, self.rule, self.order)[: self.nearest])


def _has_outcome(
    outcome: str, decisions: NDArray[np.int8], positive_rows: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mask of the rows of an outcome."""
    if outcome == "rejected":
        return np.asarray(decisions == -1)
    if outcome == "error":
        return np.asarray((decisions == 1 - positive_rows) & (decisions >= 0))
    decision = 1 if outcome.endswith("positive") else 0
    mask = np.asarray(decisions == decision)
    if outcome.startswith("predicted"):
        return mask
    is_correct = outcome.startswith("true")
    return np.asarray(mask & (positive_rows == (is_correct == (decision == 1))))


def _sorted_indices(rows: IdentifiedRows, rule: DecisionRule, order: Order) -> NDArray[np.intp]:
    """Indices that sort rows: those without a score last, ties in the order of the source."""
    if order == "score":
        keys = rows.scores if rule.lower_is_positive else -rows.scores
    else:
        keys = rule.distances(rows.scores)
    return np.argsort(keys, kind="stable")  # NaN comes last


def _concatenated(batches: Sequence[IdentifiedRows]) -> IdentifiedRows:
    if len(batches) == 1:
        return batches[0]
    ids = {name: np.concatenate([b.ids[name] for b in batches]) for name in batches[0].ids}
    return IdentifiedRows(
        np.concatenate([b.row_numbers for b in batches]),
        ids,
        np.concatenate([b.scores for b in batches]),
        np.concatenate([b.positive_rows for b in batches]),
        np.concatenate([b.undecided for b in batches]),
    )


def _named_table(rows: IdentifiedRows, rule: DecisionRule, classes: ClassNames) -> dict[str, Any]:
    """Columns of rows, with the names of the classes."""
    decisions = rule.predicted(rows).tolist()
    names = {1: classes.positive, 0: classes.negative, -1: REJECTED}
    return {
        **{id_title(name): as_integers(values) for name, values in rows.ids.items()},
        "row": rows.row_numbers,
        "score": rows.scores,
        "actual": [names[int(is_positive)] for is_positive in rows.positive_rows],
        "predicted": [names[decision] for decision in decisions],
        "distance": rule.distances(rows.scores),
    }


def id_title(name: str) -> str:
    """Name of a column that identifies a row, which must differ from the other columns."""
    return f"id_{name}" if name.casefold() in OWN_COLUMNS else name


# All rows of an outcome in a file: collected in a temporary database, which sorts them.


def _stored_columns(rows: IdentifiedRows, rule: DecisionRule) -> dict[str, NDArray[Any]]:
    """Columns of a batch as they are collected."""
    ids = {f"id{index}": values for index, values in enumerate(rows.ids.values())}
    return {
        **ids,
        "row": rows.row_numbers,
        "score": rows.scores,
        "positive": rows.positive_rows,
        "decision": rule.predicted(rows),
        "distance": rule.distances(rows.scores),
        "place": rows.scores if rule.lower_is_positive else -rows.scores,
    }


def _write_rows(
    writer: TableWriter,
    ids: Sequence[str],
    classes: ClassNames,
    order: Order,
    file_columns: Sequence[str] | None,
) -> None:
    """Write the collected rows in order, with the names of classes and columns."""
    positive, negative, rejected = map(quote_string, (classes.positive, classes.negative, REJECTED))
    sql_by_column = {
        id_title(name): _id_sql(writer, f"id{index}") for index, name in enumerate(ids)
    }
    sql_by_column |= {
        "row": "row",
        "score": _without_nan_sql("score"),
        "actual": f"CASE WHEN positive THEN {positive} ELSE {negative} END",
        "predicted": f"CASE decision WHEN 1 THEN {positive} WHEN 0 THEN {negative} "
        f"ELSE {rejected} END",
        "distance": _without_nan_sql("distance"),
    }
    names = list(sql_by_column if file_columns is None else file_columns)
    for name in names:
        if name not in sql_by_column:
            raise ColumnError.missing(name, sql_by_column)
    selection = ", ".join(f"{sql_by_column[name]} AS {quote_name(name)}" for name in names)
    key = _without_nan_sql("distance" if order == "nearest" else "place")
    query = f"SELECT {selection} FROM collected_rows ORDER BY {key} NULLS LAST, row"  # noqa: S608 - names and values are quoted
    writer.write(query)


def _id_sql(writer: TableWriter, column: str) -> str:
    """SQL for identifiers: integers if all of them are integers, else unchanged."""
    is_integer = f"regexp_full_match({column}::VARCHAR, '0|-?[1-9][0-9]{{0,17}}')"
    return f"{column}::BIGINT" if writer.value(f"bool_and({is_integer})") else column


def _without_nan_sql(column: str) -> str:
    return f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"


def _rule_sentence(model: str, rule: DecisionRule, classes: ClassNames) -> str:
    """The decision rule as a clause."""
    sign = "≤" if rule.lower_is_positive else "≥"
    clause = f"predicted {printable(classes.positive)} if {printable(model)} {sign} "
    clause += format_exact_threshold(rule.upper)
    if rule.lower == rule.upper:
        return clause
    opposite = ">" if rule.lower_is_positive else "<"
    negative = printable(classes.negative)
    return f"{clause}, {negative} if {opposite} {format_exact_threshold(rule.lower)}"


def require_count(nearest: int | None) -> None:
    """Require a number of outcome rows to list, or None."""
    if nearest is not None and (nearest < 0 or nearest != int(nearest)):
        raise InputError(f"`nearest` must be a whole number of rows, not {nearest!r}.")


def columns_as_arrays(table: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    """Columns of outcome rows as arrays; lists become arrays of objects."""
    return {
        name: values if isinstance(values, np.ndarray) else np.array(values, object)
        for name, values in table.items()
    }
