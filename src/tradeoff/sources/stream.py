"""Stream large files and queries: rows are read, checked and counted in batches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.cells import is_too_coarse
from tradeoff.core.external_sort import SCORE_BYTES, ExternalSort
from tradeoff.core.merge import merge_rankings
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.core.streaming import BYTES_PER_THRESHOLD, GrowingRanking
from tradeoff.errors import InputError
from tradeoff.files.temporary_files import temporary_folder
from tradeoff.sources import groups
from tradeoff.sources.batches import prefetch_batches, relation_batches, split_batches
from tradeoff.sources.classes import (
    ColumnIsText,
    Labels,
    NumericClasses,
    NumericTextClasses,
    TextClasses,
)
from tradeoff.sources.columns import Columns
from tradeoff.sources.csv_errors import explain_csv_errors, require_file_columns, skipped_lines_note
from tradeoff.sources.duckdb_relations import (
    duckdb_connection,
    duckdb_relation,
    translate_duckdb_errors,
)
from tradeoff.sources.duckdb_types import (
    DECIMAL,
    FLOATS,
    INTEGERS,
    NUMBERS,
    WIDE_INTEGERS,
    column_types,
    count_column_ties,
    lossless_types,
    type_name,
    value_string_sql,
)
from tradeoff.sources.files import SAMPLE_ROWS, Query, Source, is_text
from tradeoff.sources.missing_values import missing_rows, missing_rows_or_none
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.parquet import is_plain_parquet, parquet_ranking, parquet_row_count
from tradeoff.sources.row_messages import (
    MAX_EXAMPLE_ROWS,
    Fault,
    non_numeric_score_message,
    non_numeric_weight_message,
    require_decimal_points,
    require_exact_scores,
    ties_note,
)
from tradeoff.sources.row_policy import EXACT_WITHOUT_WEIGHTS, RowPolicy
from tradeoff.sources.row_rules import CheckedBatch, RowCheck
from tradeoff.sources.sql_quoting import quote_name
from tradeoff.sources.text_values import (
    MAX_EXACT_INTEGER,
    cell_kinds,
    cell_string_sql,
    columns_with_excess_digits,
    loses_digits_sql,
)

# Builders of rankings: one for each model, and for each of its folds and segments.


BYTES_PER_BUFFERED_ROW = 64
MIN_THRESHOLDS = 1000
"""Number of thresholds that every ranking may keep, however little memory there is."""


class RankingKey(NamedTuple):
    """Key of a ranking: its model, and its fold or segment unless it ranks all the model's rows."""

    model: str
    role: str = ""
    value: str = ""


@dataclass(eq=False)
class RankingBuilder:
    """Builder of a ranking from batches of rows; rejected rows are only counted."""

    growing_ranking: GrowingRanking
    rejected_rows: int = 0
    rejected_sums: NDArray[Any] = field(default_factory=lambda: np.zeros((2, 2)))
    """Sums of weights and of their squares, for rejected positives and negatives."""

    def add(self, batch: CheckedBatch) -> None:
        """Add the rows of a batch: rejected rows are counted, all others ranked."""
        rejected, rows = batch.rejected, batch.scored
        if rejected is not None:
            self.rejected_rows += rejected.row_count
            self.rejected_sums += [rejected.counts(power) for power in (1, 2)]
        self.growing_ranking.add(
            rows.scores, rows.labels.positive_rows, rows.weights, importance=rows.importance
        )

    def ranking(self, *, whole_weights: bool, **description: Any) -> Ranking:
        """Ranking of the rows so far; `whole_weights` if weights are whole or absent."""
        ranking = self.growing_ranking.ranking(**description)
        number_type: Any = int if whole_weights else float
        counts, rejected_squares = (
            {"rejected_positives": number_type(p), "rejected_negatives": number_type(n)}
            for p, n in self.rejected_sums
        )
        rows = ranking.rows + self.rejected_rows
        squares = ranking.squares and replace(
            ranking.squares, rows=rows, **description, **rejected_squares
        )
        return replace(ranking, rows=rows, squares=squares, **counts)


def _as_frequencies(ranking: Ranking) -> Ranking:
    """Ranking with integer counts, if all weights turned out to be whole numbers."""
    thresholds, *counts = ranking.tally
    tally = Tally(thresholds, *(np.round(column).astype(np.int64) for column in counts))
    counted_ranking = replace(
        ranking,
        tally=tally,
        rejected_positives=int(ranking.rejected_positives),
        rejected_negatives=int(ranking.rejected_negatives),
        squares=None,
    )
    return counted_ranking.with_pairs(ranking.pairs)


class RankingBuilders:
    """Builders of all rankings of a scan, which share one memory budget."""

    def __init__(
        self, options: ReadOptions, *, lower_is_positive: bool, may_use_cells: bool = True
    ) -> None:
        self.options, self.lower_is_positive, self.may_use_cells = (
            options,
            lower_is_positive,
            may_use_cells,
        )
        self.builders: dict[RankingKey, RankingBuilder] = {}
        self.memory = options.memory_budget
        self._count_at_redistribution = 0
        self._group_values: dict[str, set[str]] = {}

    def add(self, batch: CheckedBatch, rows_by_group: Mapping[tuple[str, str], Any]) -> None:
        """Add the rows of a batch to the rankings of the model, its folds and segments."""
        self._builder(RankingKey(batch.name)).add(batch)
        for (role, value), indices in rows_by_group.items():
            self._builder(RankingKey(batch.name, role, value)).add(batch.select(indices))
        self._limit_memory()

    def merge(self, model: str, ranking: Ranking) -> None:
        """Merge a ranking into that of a model."""
        self._builder(RankingKey(model)).growing_ranking += ranking
        self._limit_memory()

    def ranking(self, key: RankingKey, *, whole_weights: bool, **description: Any) -> Ranking:
        """Ranking with a given key; empty if it has no rows."""
        return self._builder(key).ranking(whole_weights=whole_weights, **description)

    def record_values(self, role: str, values: Iterable[str]) -> None:
        """Record folds or segments, which are listed even if none of their rows count."""
        self._group_values.setdefault(role, set()).update(values)

    def values(self, role: str) -> set[str]:
        """Folds or segments recorded so far."""
        return self._group_values.get(role, set())

    def _builder(self, key: RankingKey) -> RankingBuilder:
        if key not in self.builders:
            max_thresholds = min(
                self.options.max_thresholds, max(self.memory // BYTES_PER_THRESHOLD, MIN_THRESHOLDS)
            )
            growing = GrowingRanking(max_thresholds, lower_is_positive=self.lower_is_positive)
            self.builders[key] = RankingBuilder(growing)
            # Memory is redistributed only after the number of rankings has grown by half.
            if len(self.builders) > 1.5 * self._count_at_redistribution:
                self._redistribute_memory()
            else:
                self._allot_memory(key)
        return self.builders[key]

    def max_thresholds(self, model: str) -> int:
        """Current maximum number of thresholds of a model's ranking."""
        return self._builder(RankingKey(model)).growing_ranking.most

    def _redistribute_memory(self) -> None:
        """Redistribute the memory: the more rankings there are, the fewer rows each may buffer."""
        self._count_at_redistribution = len(self.builders)
        for key in self.builders:
            self._allot_memory(key)

    def _allot_memory(self, key: RankingKey) -> None:
        rows = max(
            self.memory // int(1.5 * self._count_at_redistribution) // BYTES_PER_BUFFERED_ROW,
            MIN_THRESHOLDS,
        )
        ranking = self.builders[key].growing_ranking
        ranking.waiting = min(rows, self.options.max_buffered_rows)
        # A grid of cells takes several megabytes, but rankings of all rows of a model are few.
        is_worthwhile = not key.role or rows >= self.options.min_rows_for_cells
        ranking.may_use_cells = self.may_use_cells and is_worthwhile
        ranking.first_batch_rows = min(rows, ranking.most)

    def _limit_memory(self) -> None:
        """Reduce the number of thresholds in each ranking if together they exceed the memory."""
        if sum(builder.growing_ranking.bytes for builder in self.builders.values()) < self.memory:
            return
        limit = self.memory // BYTES_PER_THRESHOLD // len(self.builders) // 2
        for builder in self.builders.values():
            builder.growing_ranking.shrink(max(limit, MIN_THRESHOLDS))


class GroupCodes(NamedTuple):
    """Folds or segments of a batch: their names, and for each row the index of its name."""

    names: list[str]
    codes: NDArray[np.intp]


class Scan:
    """Scan of a source in batches, for all models, folds and segments at once."""

    def __init__(
        self,
        columns: Columns,
        policy: RowPolicy,
        options: ReadOptions,
        *,
        may_use_cells: bool = True,
        classes_as_strings: bool = False,
    ) -> None:
        self.columns, self.policy, self.options = columns, policy, options
        self.may_use_cells, self.classes_as_strings = may_use_cells, classes_as_strings
        self.check = RowCheck(policy, columns.actual, str(columns.fold))
        self.is_text_file = False
        self.types: dict[str, str] = {}
        self.declared_types: dict[str, str] = {}
        self.labels: Labels | None = None
        self.skipped_note = ""
        self.large_scores: set[str] = set()
        self.ties: dict[str, int] = {}

    def run(self, source: Source, builders: Any = None) -> None:
        """Read every row once, in order, into ranking builders (new ones by default)."""
        import duckdb

        columns = self.columns
        number_types = dict.fromkeys(columns.models, "DOUBLE")
        with (
            duckdb_connection(source, self.options.memory_budget) as connection,
            translate_duckdb_errors(source),
            explain_csv_errors(source, columns.names, number_types),
        ):
            table = self._table(connection, source)
            classes = self._classes(table)
            selection = table.project(", ".join(self._expressions(classes.expression)))
            lower = self.policy.lower_is_positive
            self.builders = builders or RankingBuilders(
                self.options, lower_is_positive=lower, may_use_cells=self.may_use_cells
            )
            total = parquet_row_count(connection, source)
            may_use_codes = builders is None and self.may_use_cells
            if may_use_codes and self._count_by_codes(connection, source, table, classes):
                self.labels = classes.labels()
                return
            stream = relation_batches(selection)
            if isinstance(source, Query):  # its first row may take long
                stream = prefetch_batches(stream, connection.interrupt)
            if self.options.max_batch_rows is not None:
                stream = split_batches(stream, self.options.max_batch_rows)
            try:
                with closing(stream):  # before the connection closes
                    for batch in stream:
                        self._add_batch(batch, classes)
                        if self.options.progress is not None:
                            self.options.progress(self.check.rows, total)
            except duckdb.Error:
                self._require_numbers()
                raise
            if self.options.skips_bad_rows:
                self.skipped_note = skipped_lines_note(connection, source)
                if not self.check.rows and self.skipped_note:
                    raise InputError(f"{source} has no readable line: {self.skipped_note}.")
            self.check.require_weights_and_classes()
            self.labels = classes.labels()
            self.ties = count_column_ties(self.source_table, self._models_with_possible_ties())
            self._require_exact_integers()
            self.check.require_valid()

    def _count_by_codes(self, connection: Any, source: Source, table: Any, classes: Any) -> bool:
        """Count Parquet rows by cell codes; return False if rows must be read in batches."""
        if not (
            classes.one_is_positive
            and is_plain_parquet(source, self.columns, self.policy, self.types)
        ):
            return False
        ranking = parquet_ranking(connection, source, table, self.columns, self.options)
        if ranking is None:
            return False
        self.builders.merge(self.columns.models[0], ranking)
        classes.values_seen |= {1} if ranking.positives else set()
        classes.values_seen |= {0} if ranking.negatives else set()
        return True

    def _table(self, connection: Any, source: Source) -> Any:
        names, skip = self.columns.names, self.options.skips_bad_rows
        self.is_text_file = is_text(source)
        self.source_table = table = duckdb_relation(connection, source, names=names, skip=skip)
        require_file_columns(connection, source, names, table.columns)
        self.declared_types = declared_types = column_types(table)
        self.types = {name: type_name(declared_types[name]) for name in names}
        number_columns = [*self.columns.models, self.columns.weight]
        if self.is_text_file:
            text_columns = [name for name in names if declared_types[name] in {"VARCHAR", "JSON"}]
            self.types |= cell_kinds(table.limit(SAMPLE_ROWS), text_columns)
            # Enforce types: those inferred from the first lines might not fit later lines.
            enforced_types = {name: "DOUBLE" for name in text_columns if name in number_columns}
            table = duckdb_relation(
                connection, source, names=names, types=enforced_types, skip=skip
            )
            self.types |= {name: "DOUBLE" for name in enforced_types if name in self.columns.models}
        else:
            self.types |= lossless_types(table, [self.columns.actual])
        return table

    def _classes(self, table: Any) -> Any:
        """Classes of the actual column, by its type."""
        name, positive = self.columns.actual, self.policy.positive
        column_type = self.types[name]
        if (
            self.is_text_file
            and not self.classes_as_strings
            and column_type in {"BIGINT", "DOUBLE"}
        ):
            return NumericTextClasses(table, name, positive)
        if not (self.is_text_file or self.classes_as_strings) and column_type in {
            *NUMBERS,
            "BOOLEAN",
        }:
            casts = {"BOOLEAN": "::TINYINT", "DOUBLE": "::DOUBLE", "BIGINT": "::BIGINT"}
            return NumericClasses(
                table,
                name,
                positive,
                casts.get(column_type, ""),
                is_boolean=column_type == "BOOLEAN",
            )
        return TextClasses(
            table,
            name,
            positive,
            self._string_sql(name),
            may_be_boolean=not self.classes_as_strings,
        )

    def _string_sql(self, name: str) -> str:
        """SQL for the values of a column as strings."""
        if self.is_text_file:
            return cell_string_sql(name, json=self.declared_types[name] == "JSON")
        return value_string_sql(name, self.types[name])

    def _expressions(self, class_sql: str) -> list[str]:
        columns = self.columns
        scores = (
            f"{self._number_sql(name)} AS s{index}" for index, name in enumerate(columns.models)
        )
        expressions = [f"{class_sql} AS actual", *scores]
        if columns.weight is not None:
            is_integer = self.types[columns.weight] in INTEGERS and not self.is_text_file
            cast = "BIGINT" if is_integer else "DOUBLE"
            expressions.append(f"{quote_name(columns.weight)}::{cast} AS weight")
        for role in ("fold", "segment"):
            name = getattr(columns, role)
            if name is not None:
                column = self._string_sql(name)
                if self.types[name] in FLOATS and not self.is_text_file:
                    column = f"CASE WHEN isnan({quote_name(name)}) THEN NULL ELSE {column} END"
                expressions.append(f"{column} AS {role}")
        return expressions

    def _number_sql(self, name: str) -> str:
        """SQL for a score column as numbers, which may be given as strings."""
        if self.types[name] in {*NUMBERS, "BOOLEAN"}:
            cast = "BIGINT" if self.types[name] in INTEGERS else "DOUBLE"
            return f"{quote_name(name)}::{cast}"
        return f"{self._string_sql(name)}::DOUBLE"

    @property
    def _has_whole_weights(self) -> bool:
        weight = self.columns.weight
        return weight is None or self.types[weight] in {*INTEGERS, *WIDE_INTEGERS, "BOOLEAN"}

    @property
    def importance(self) -> bool:
        """Whether weights are importance weights."""
        if self.columns.weight is None:
            return False
        return self.policy.are_importances(whole_weights=self._has_whole_weights)

    @property
    def has_inferred_frequencies(self) -> bool:
        """Whether all weights are whole numbers, although their type allows fractions."""
        is_inferred = self.importance and self.policy.weight_means is None
        return (
            is_inferred
            and not self.check.has_fractional_weights
            and self.check.total_weight < 2**53
        )

    def _add_batch(self, batch: Mapping[str, NDArray[Any]], classes: Any) -> None:
        """Check and count the rows of a batch; once a row breaks a rule, no more are counted."""
        check, batch = self.check, dict(batch)
        start, size = check.rows, len(batch["actual"])
        weights = self._weights(batch.pop("weight", None))
        keep = check.kept_rows(missing_rows_or_none(batch["actual"]), weights, size=size)
        codes: dict[str, GroupCodes] = {
            role: self._group_codes(batch.pop(role), role, start)
            for role in ("fold", "segment")
            if role in batch
        }
        indices = np.arange(size) if codes else None
        if keep is not None:
            batch = {role: values[keep] for role, values in batch.items()}
            weights = None if weights is None else weights[keep]
            indices = np.flatnonzero(keep)
        check.has_non_unit_weights = check.has_non_unit_weights or (
            weights is not None and bool((weights != 1).any())
        )
        labels = Labels(classes.positive_mask(batch["actual"]), "", "")
        rows_by_group = self._rows_by_group(codes, indices)
        for index, name in enumerate(self.columns.models):
            rows = CheckedBatch(
                self._scores(batch[f"s{index}"], name),
                labels,
                weights,
                indices,
                name=name,
                importance=self.importance,
            )
            rows = check.resolve_missing_scores(rows, start)
            if check.is_valid:
                has_left_out_rows = rows.indices is not indices
                self.builders.add(
                    rows,
                    self._rows_by_group(codes, rows.indices)
                    if has_left_out_rows
                    else rows_by_group,
                )

    def _weights(self, values: NDArray[Any] | None) -> NDArray[Any] | None:
        if values is None:
            return None
        check = self.check
        check.check_weights(values)
        if not self._has_whole_weights or not check.is_valid:
            return values.astype(np.float64)
        is_fractional = values != np.floor(values)
        if is_fractional.any() and self.policy.weight_means is None:
            raise InputError(
                f"Row {check.rows + int(np.argmax(is_fractional)) + 1} has a fractional weight, "
                "unlike the rows before it: say what the weights mean, with "
                "weight_means='importance' or weight_means='frequency'."
            )
        # Sums of integers must not overflow.
        are_whole = check.total_weight < 2**62 and not is_fractional.any()
        return values.astype(np.int64 if are_whole else np.float64)

    def _scores(self, values: NDArray[Any], name: str) -> NDArray[Any]:
        column_type = self.types[name]
        values = values.astype(np.float64) if column_type in INTEGERS else values
        # Floats and decimals lose no digits here; numbers in text files may.
        may_lose_digits = self.is_text_file or column_type not in {*FLOATS, DECIMAL, "BOOLEAN"}
        if (
            may_lose_digits
            and np.abs(values).max(initial=0, where=np.isfinite(values)) >= MAX_EXACT_INTEGER
        ):
            self.large_scores.add(name)
        return self.policy.round_scores(values)

    def _models_with_possible_ties(self) -> list[str]:
        """Models whose scores may have too many digits for float64.

        In text files the first rows decide, as a note alone does not justify another scan.
        """
        if not self.is_text_file:
            return self.columns.models
        text_columns = [
            name for name in self.columns.models if self.declared_types[name] == "VARCHAR"
        ]
        return columns_with_excess_digits(self.source_table.limit(SAMPLE_ROWS), text_columns)

    def _require_exact_integers(self) -> None:
        """Require that float64 represents integer scores exactly, which small ones always are."""
        for name in self.columns.models:
            if name in self.large_scores or self.ties.get(name):
                condition = loses_digits_sql(f"{quote_name(name)}::VARCHAR")
                examples = self._first_rows(condition)
                require_exact_scores(Fault(len(examples), [row for row, _ in examples]), name)

    def _require_numbers(self) -> None:
        """Require that scores and weights given as strings are all numbers."""
        for name in (*self.columns.models, self.columns.weight):
            if name is None or self.types[name] in {*NUMBERS, "BOOLEAN"}:
                continue
            cell = self._string_sql(name)
            is_invalid = f"{cell} IS NOT NULL AND TRY_CAST({cell} AS DOUBLE) IS NULL"
            for row, text in self._first_rows(is_invalid, cell)[:1]:
                example = f"{text!r} in row {row}"
                if name == self.columns.weight:
                    raise InputError(non_numeric_weight_message(example))
                require_decimal_points(text, name)
                raise InputError(
                    f"{non_numeric_score_message(name, example)}. (Where rows are read in batches, "
                    "predicted classes must be written as 1 and 0.)"
                )

    def _first_rows(self, condition: str, cell: str = "NULL") -> list[tuple[int, Any]]:
        """Row numbers and cells of the first rows that meet an SQL condition."""
        numbered_rows = self.source_table.project(
            f"row_number() OVER () AS row, {cell} AS cell, {condition} AS holds"
        )
        rows: list[tuple[int, Any]]
        rows = (
            numbered_rows.filter("holds")
            .order("row")
            .limit(MAX_EXAMPLE_ROWS)
            .project("row, cell")
            .fetchall()
        )
        return rows

    def _group_codes(self, values: NDArray[Any], role: str, start: int) -> GroupCodes:
        """Fold or segment of each row of a batch, including rows that do not count."""
        missing = missing_rows(values)
        if missing.any() and role == "fold":
            self.check.record_missing_folds(missing, start)
        values = np.where(missing, groups.NO_VALUE, values) if missing.any() else values
        names: dict[str, int] = {}
        codes = np.array([names.setdefault(value, len(names)) for value in values], np.intp)
        self.builders.record_values(role, names)
        return GroupCodes(list(names), codes)

    def _rows_by_group(
        self, codes: Mapping[str, GroupCodes], indices: NDArray[np.intp] | None
    ) -> dict[tuple[str, str], NDArray[np.intp]]:
        """Rows of each fold or segment, as indices into the selected rows of a batch."""
        rows_by_group: dict[tuple[str, str], NDArray[np.intp]] = {}
        for role, (names, all_codes) in codes.items():
            row_codes = all_codes[indices]
            group_ends = np.cumsum(np.bincount(row_codes, minlength=len(names)))
            group_rows = np.split(np.argsort(row_codes, kind="stable"), group_ends[:-1])
            rows_by_group |= {
                (role, name): rows for name, rows in zip(names, group_rows, strict=True)
            }
        return rows_by_group

    def rankings(self) -> RankedModels:
        """Rankings of all models, folds and segments."""
        rankings = {name: self._ranking(name) for name in self.columns.models}
        folds = self._rankings_by_role("fold") if self.columns.fold is not None else {}
        segments = self._rankings_by_role("segment") if self.columns.segment is not None else {}
        return RankedModels(rankings, folds, segments)

    def is_coarse(self, models: RankedModels) -> bool:
        """Whether cells chosen from the first rows are too coarse for the others."""
        if self.columns.weight is not None:  # weighted rows are not counted in cells
            return False
        rankings = models.rankings.items()
        return any(
            is_too_coarse(ranking, self.builders.max_thresholds(name)) for name, ranking in rankings
        )

    def _ranking(self, name: str, role: str = "", value: str = "") -> Ranking:
        labels = self.labels
        assert labels is not None  # noqa: S101 - set by `run`
        ranking = self.builders.ranking(
            RankingKey(name, role, value),
            whole_weights=self._has_whole_weights,
            positive=labels.positive,
            negative=labels.negative,
            name=name,
            notes=self._notes(name),
        )
        return _as_frequencies(ranking) if self.has_inferred_frequencies else ranking

    def _rankings_by_role(self, role: str) -> dict[str, dict[str, Ranking]]:
        column = getattr(self.columns, role)
        numbers = self.is_text_file or self.types[column] in NUMBERS
        names = groups.ordered_group_names(self.builders.values(role), are_numbers=numbers)
        values_by_group: dict[str, list[str]] = {}
        for value, group in names.items():
            values_by_group.setdefault(group, []).append(value)
        return {
            name: {
                group: merge_rankings([self._ranking(name, role, value) for value in values])
                for group, values in values_by_group.items()
            }
            for name in self.columns.models
        }

    def _notes(self, name: str) -> tuple[str, ...]:
        """Notes on the treatment of a model's rows."""
        ties = [ties_note(name, self.ties[name])] if self.ties.get(name) else []
        importance = self.importance and not self.has_inferred_frequencies
        notes = self.check.notes(name, ties, importance=importance)
        return (self.skipped_note, *notes) if self.skipped_note else notes


def streamed_rankings(
    source: Source, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> RankedModels:
    """Rankings of all models of a file or query, read in batches."""
    policy.require_weight_meaning(weighted=columns.weight is not None)
    if options.exact and columns.weight is not None:
        raise InputError(EXACT_WITHOUT_WEIGHTS)
    scan = _scan_source(source, columns, policy, options)
    models = scan.rankings()
    if scan.is_coarse(models):
        # Rank every batch, with bins that adapt to all rows so far, which is slower.
        scan = _scan_source(source, columns, policy, options, may_use_cells=False)
        models = scan.rankings()
    if not options.exact:
        return models
    return _with_exact_pairs(
        models, source, columns, policy, options, classes_as_strings=scan.classes_as_strings
    )


def _scan_source(
    source: Source,
    columns: Columns,
    policy: RowPolicy,
    options: ReadOptions,
    *,
    may_use_cells: bool = True,
) -> Scan:
    """Scan a source, and again if a late row shows that classes are strings."""
    scan = Scan(columns, policy, options, may_use_cells=may_use_cells)
    try:
        scan.run(source)
    except ColumnIsText:
        scan = Scan(columns, policy, options, may_use_cells=may_use_cells, classes_as_strings=True)
        scan.run(source)
    return scan


# A second scan, for exact AUCs although rankings are binned.


BYTES_PER_SORTED_ROW = 40
"""Memory for sorting, in bytes per row."""


class ExactPairCounters:
    """Counts of concordant pairs by external sorting, for exact AUCs of binned rankings."""

    def __init__(self, sorts: Mapping[str, ExternalSort]) -> None:
        self.sorts = sorts

    def add(self, batch: CheckedBatch, rows_by_group: Mapping[tuple[str, str], Any]) -> None:  # noqa: ARG002 - the interface of builders
        """Add the scored rows of a batch."""
        rows = batch.scored
        self.sorts[rows.name].add(rows.scores, rows.labels.positive_rows)


def _with_exact_pairs(  # noqa: PLR0913 - options of a scan, and the results of the first one
    models: RankedModels,
    source: Source,
    columns: Columns,
    policy: RowPolicy,
    options: ReadOptions,
    *,
    classes_as_strings: bool = False,
) -> RankedModels:
    """Rankings whose pair counts are all exact, even where scores were binned."""
    binned_rankings = models.with_lost_pairs
    if not binned_rankings:
        return models
    with ExitStack() as stack:
        sorts = {
            name: _external_sort(ranking, options, len(binned_rankings), stack)
            for name, ranking in binned_rankings.items()
        }
        columns = replace(columns, scores=list(binned_rankings), fold=None, segment=None)
        scan = Scan(columns, policy, options, classes_as_strings=classes_as_strings)
        scan.run(source, ExactPairCounters(sorts))
        exact_rankings = {
            name: binned_rankings[name].with_pairs(sort.pairs()) for name, sort in sorts.items()
        }
    return replace(models, rankings={**models.rankings, **exact_rankings})


def _external_sort(
    ranking: Any, options: ReadOptions, sort_count: int, stack: ExitStack
) -> ExternalSort:
    """External sort, in memory or, if there are too many rows, on disk."""
    memory = options.memory_budget // 2 // sort_count
    rows = int(ranking.total)
    folder = None
    if 2 * SCORE_BYTES * rows > memory:
        folder = stack.enter_context(temporary_folder())
    return ExternalSort(ranking, max(memory // BYTES_PER_SORTED_ROW, 1000), folder)
