"""Scored rows with their identifiers, in batches: from memory, or streamed from a large file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.sources.classes import ColumnIsText
from tradeoff.sources.columns import Columns, column_array
from tradeoff.sources.csv_errors import explain_csv_errors, require_file_columns
from tradeoff.sources.duckdb_relations import (
    duckdb_connection,
    duckdb_relation,
    translate_duckdb_errors,
)
from tradeoff.sources.files import Source, is_file_or_query, is_text, whole_file_reader
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.read import is_streamed, read
from tradeoff.sources.read_columns import read_table_columns
from tradeoff.sources.row_numbers import as_integers
from tradeoff.sources.row_policy import RowPolicy
from tradeoff.sources.row_rules import CheckedBatch
from tradeoff.sources.sql_quoting import quote_name
from tradeoff.sources.stream import Scan
from tradeoff.sources.text_values import cell_string_sql

ONE_MODEL = "Rows are listed for one model: give one column of scores."


@dataclass(frozen=True, eq=False)
class IdentifiedRows:
    """Checked rows of a scan for one model, with row numbers (from 1) and identifiers.

    `undecided` is a mask of the rows without a score that count as rejected.
    """

    row_numbers: NDArray[np.int64]
    ids: Mapping[str, NDArray[Any]]
    scores: NDArray[np.float64]
    positive_rows: NDArray[np.bool_]
    undecided: NDArray[np.bool_]

    def select(self, selection: Any) -> IdentifiedRows:
        """Rows selected by indices or a mask."""
        return IdentifiedRows(
            self.row_numbers[selection],
            {name: values[selection] for name, values in self.ids.items()},
            self.scores[selection],
            self.positive_rows[selection],
            self.undecided[selection],
        )


class RowConsumer:
    """Consumer of the rows of a scan; subclasses keep or write some of them."""

    def start(self) -> None:
        """Discard all rows: a column turned out to hold text, and the source is read again."""
        raise NotImplementedError

    def add(self, rows: IdentifiedRows) -> None:
        """Take the next rows, in the order of the source."""
        raise NotImplementedError


@dataclass(frozen=True)
class ClassNames:
    """Result of a row scan: the names of both classes, and notes on the treatment of the rows."""

    positive: str
    negative: str
    notes: tuple[str, ...] = ()


def scan_rows(  # noqa: PLR0913, PLR0917 - what to read, and how
    data: Any,
    columns: Columns,
    policy: RowPolicy,
    options: ReadOptions,
    ids: Mapping[str, Any] | Sequence[str],
    consumer: RowConsumer,
) -> ClassNames:
    """Pass the checked rows of one model to a consumer; large files are read in batches.

    Args:
        data: A dataframe, path or query; None if `columns` and `ids` hold the values themselves.
        columns: The columns of the actual class, the score and the weight.
        policy: The row policy.
        options: Options for reading rows.
        ids: Columns that identify a row.
        consumer: Takes the rows.

    Returns:
        The names of both classes.
    """
    if data is not None and len(columns.models) != 1:
        raise InputError(ONE_MODEL)
    if is_file_or_query(data) and columns.are_named and is_streamed(data, options):
        names = list(ids)
        try:
            return _stream_rows(data, columns, policy, options, names, consumer)
        except ColumnIsText:
            return _stream_rows(
                data, columns, policy, options, names, consumer, classes_as_strings=True
            )
    consumer.start()
    scored = read(data, columns, policy, ReadOptions(in_memory=True))
    if len(scored.rows) != 1:
        raise InputError(ONE_MODEL)
    (batch,) = scored.rows.values()
    identifiers = id_columns(data, ids)
    consumer.add(_identified_rows(batch, batch.row_indices, 0, identifiers))
    return ClassNames(batch.labels.positive, batch.labels.negative, batch.notes)


def _identified_rows(
    batch: CheckedBatch,
    indices: NDArray[np.intp],
    start: int,
    ids: Mapping[str, NDArray[Any]],
) -> IdentifiedRows:
    """Rows of a batch; `indices` are those in the source batch, which begins at row `start`."""
    rejected_mask = batch.rejected_mask
    return IdentifiedRows(
        indices.astype(np.int64) + start + 1,
        {name: values[indices] for name, values in ids.items()},
        batch.scores.astype(np.float64),
        batch.labels.positive_rows,
        np.zeros(len(indices), np.bool_) if rejected_mask is None else rejected_mask,
    )


def id_columns(data: Any, ids: Mapping[str, Any] | Sequence[str]) -> dict[str, NDArray[Any]]:
    """Values of the columns that identify the rows of a scan; those of text files as written."""
    if isinstance(ids, Mapping):
        return {name: column_array(values, name) for name, values in ids.items()}
    names = list(ids)
    if not names:
        return {}
    if data is None:
        raise InputError("Without a table, `ids` maps names to values: ids={'customer': [...]}.")
    if is_file_or_query(data) and whole_file_reader(data) is None and is_text(data):
        return {name: as_integers(values) for name, values in _text_cells(data, names).items()}
    return read_table_columns(data, names)


def _text_cells(source: Source, names: list[str]) -> dict[str, NDArray[Any]]:
    """Cells of columns of a text file, as strings."""
    with (
        duckdb_connection(source) as connection,
        translate_duckdb_errors(source),
        explain_csv_errors(source, names),
    ):
        table = duckdb_relation(connection, source, names=names)
        require_file_columns(connection, source, names, table.columns)
        cells = [f"{sql} AS {quote_name(name)}" for name, sql in _cells_sql(table, names).items()]
        columns = table.project(", ".join(cells)).fetchnumpy()
    return {name: column_array(columns[name], name) for name in names}


def _cells_sql(table: Any, names: Sequence[str]) -> dict[str, str]:
    """SQL for each column as strings, as written in a text file."""
    types = dict(zip(table.columns, map(str, table.types), strict=True))
    return {
        name: cell_string_sql(name, json=types[name] == "JSON")
        if types[name] in {"JSON", "VARCHAR"}
        else f"{quote_name(name)}::VARCHAR"
        for name in names
    }


def _stream_rows(  # noqa: PLR0913, PLR0917 - as for scan_rows
    source: Source,
    columns: Columns,
    policy: RowPolicy,
    options: ReadOptions,
    ids: Sequence[str],
    consumer: RowConsumer,
    *,
    classes_as_strings: bool = False,
) -> ClassNames:
    """Read the rows of a file or query in batches."""
    consumer.start()
    scan = _RowScan(columns, policy, options, classes_as_strings=classes_as_strings)
    scan.ids, scan.consumer = tuple(ids), consumer
    scan.run(source, scan)
    labels = scan.labels
    assert labels is not None  # noqa: S101 - set by `run`
    return ClassNames(labels.positive, labels.negative, scan.notes)


class _RowScan(Scan):
    """Scan that passes its rows on, with their identifiers, instead of ranking them."""

    ids: tuple[str, ...] = ()
    consumer: RowConsumer

    def add(self, batch: CheckedBatch, groups_of_rows: Mapping[tuple[str, str], Any]) -> None:  # noqa: ARG002 - the interface of builders
        """Pass on the checked rows of the current batch."""
        indices = batch.row_indices
        self.consumer.add(_identified_rows(batch, indices, self._start, self._batch_ids))

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the treatment of the rows."""
        return self._notes(self.columns.models[0])

    def _table(self, connection: Any, source: Source) -> Any:
        table = super()._table(connection, source)
        require_file_columns(connection, source, list(self.ids), table.columns)
        self._id_cells = _cells_sql(table, self.ids)
        return table

    def _expressions(self, class_sql: str) -> list[str]:
        cells = self._id_cells.values()
        id_columns = [f"{sql} AS id{index}" for index, sql in enumerate(cells)]
        return [*super()._expressions(class_sql), *id_columns]

    def _add_batch(self, batch: Mapping[str, NDArray[Any]], classes: Any) -> None:
        columns = dict(batch)
        self._start = self.check.rows
        self._batch_ids = {name: columns.pop(f"id{i}") for i, name in enumerate(self.ids)}
        super()._add_batch(columns, classes)
