"""Parquet files: row counts from metadata, and rankings of large files from integer cell codes.

DuckDB computes each row's code, which identifies its cell (a narrow range of scores) and its class.
Codes are used only if the statistics of the files say that nothing is missing, classes are 0 and 1,
and scores are positive. If a row contradicts them, the files are read like any others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.core.linear_cells import LinearCells
from tradeoff.core.ranking import Ranking
from tradeoff.core.streaming import probe_size
from tradeoff.sources.batches import relation_batches
from tradeoff.sources.files import Query, Source, is_parquet, source_files
from tradeoff.sources.sql_quoting import quote_name

if TYPE_CHECKING:
    from tradeoff.sources.columns import Columns
    from tradeoff.sources.options import ReadOptions
    from tradeoff.sources.row_policy import RowPolicy

INTEGER_TYPES = {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT"}
MIN_ROWS_PER_PROBE_ROW = 4
"""Cell codes are used only if there are at least this many times as many rows as in the probe."""
STATISTICS_SQL = """
    WITH chunks AS (
        SELECT path_in_schema AS name, num_values AS rows, stats_null_count AS nulls,
            coalesce(TRY_CAST(stats_min_value AS DOUBLE), (stats_min_value = 'true')::INT) AS low,
            coalesce(TRY_CAST(stats_max_value AS DOUBLE), (stats_max_value = 'true')::INT) AS high
        FROM parquet_metadata($files) WHERE list_contains($names, path_in_schema)
    )
    SELECT name, min(low), max(high), sum(rows)::BIGINT FROM chunks GROUP BY name
    HAVING count(*) = count(CASE WHEN nulls = 0 AND low <= high THEN 1 END)
"""


class Bounds(NamedTuple):
    """Minimum, maximum and number of values of a Parquet column."""

    low: float
    high: float
    rows: int


def _column_bounds(connection: Any, source: Source, names: list[str]) -> dict[str, Bounds] | None:
    """Bounds of columns from Parquet statistics; None if one of them is unknown."""
    if isinstance(source, Query):
        return None
    files = [str(file) for file in source_files(source)]
    result = connection.cursor().sql(STATISTICS_SQL, params={"files": files, "names": names})
    bounds = {name: Bounds(*values) for name, *values in result.fetchall()}
    return bounds if len(bounds) == len(set(names)) else None


class ParquetRows:
    """Classes and scores of one model in Parquet files, counted by cell codes.

    Args:
        table: The files, as a DuckDB relation.
        columns: The column of each role.
        bounds: Bounds of the columns.
        max_thresholds: Maximum number of thresholds in the ranking.
    """

    def __init__(
        self, table: Any, columns: Columns, bounds: Mapping[str, Bounds], max_thresholds: int
    ) -> None:
        (score,) = columns.models
        self.table, self.max_thresholds = table, max_thresholds
        self.actual, self.score = quote_name(columns.actual), quote_name(score)
        self.low, self.high, self.rows = bounds[score]

    @property
    def probe_rows(self) -> int:
        """Number of rows in the probe."""
        return probe_size(self.max_thresholds)

    def cells(self) -> LinearCells | None:
        """Cells that fit the scores; None if there are few scores or cells would be too coarse."""
        selection = f"{self.actual}::INT AS actual, {self.score}::DOUBLE AS score"
        batches = list(relation_batches(self.table.limit(self.probe_rows).project(selection)))
        scores = np.concatenate([batch["score"] for batch in batches])
        if not (scores > 0).all():  # statistics ignore NaN
            return None
        probe = Ranking.of(scores, np.concatenate([batch["actual"] for batch in batches]) == 1)
        if probe.distinct <= self.max_thresholds:
            return None
        return LinearCells.fitting(probe, self.max_thresholds, self.low, self.high)

    def count(self, cells: LinearCells, options: ReadOptions) -> bool:
        """Count all rows by cell; return False if a row does not fit."""
        scale_sql = f"{2.0**cells.bits!r}::DOUBLE"
        # A score outside the cells becomes NULL, which is detected.
        code_sql = (
            f"TRY_CAST(trunc({self.score} * {scale_sql}) AS INT) * 2 + {self.actual}::INT AS code"
        )
        rows_read = 0
        for batch in relation_batches(self.table.project(code_sql)):
            if batch["code"].dtype != np.int32 or not cells.count(batch["code"]):
                return False
            rows_read += len(batch["code"])
            if options.progress is not None:
                options.progress(rows_read, self.rows)
        return True


def parquet_row_count(connection: Any, source: Source) -> int | None:
    """Number of rows of Parquet files, from their metadata; None for other sources."""
    if isinstance(source, Query) or not is_parquet(source):
        return None
    files = [str(file) for file in source_files(source)]
    result = connection.cursor().sql(
        "SELECT sum(num_rows) FROM parquet_file_metadata($files)", params={"files": files}
    )
    return int(result.fetchall()[0][0])


def is_plain_parquet(
    source: Source, columns: Columns, policy: RowPolicy, types: Mapping[str, str]
) -> bool:
    """Whether the source is Parquet, and only a class and a score column are used, unchanged."""
    optional_columns = (columns.weight, columns.fold, columns.segment, policy.digits)
    return (
        is_parquet(source)
        and len(columns.models) == 1
        and all(column is None for column in optional_columns)
        and not policy.lower_is_positive
        and types[columns.actual] in INTEGER_TYPES
        and types[columns.models[0]] in {"FLOAT", "DOUBLE"}
    )


def parquet_ranking(
    connection: Any, source: Source, table: Any, columns: Columns, options: ReadOptions
) -> Ranking | None:
    """Ranking of Parquet files from cell codes; None if rows must be read in batches."""
    bounds = _column_bounds(connection, source, columns.names)
    if bounds is None or bounds[columns.actual][:2] != (0, 1):
        return None
    parquet_rows = ParquetRows(table, columns, bounds, options.max_thresholds)
    cells = (
        parquet_rows.cells()
        if parquet_rows.rows >= MIN_ROWS_PER_PROBE_ROW * parquet_rows.probe_rows
        else None
    )
    return cells.ranking() if cells is not None and parquet_rows.count(cells, options) else None
