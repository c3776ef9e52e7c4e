"""Scores that DuckDB hands over as numbers of cells: half the bytes, and all that is left to do.

This is for large Parquet files whose own statistics say that there are no gaps, that classes are 0
and 1, and that scores are above 0. Where a row turns out to be different, nothing has been counted,
and rows are read as all others are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.core.linear_cells import LinearCells
from tradeoff.core.ranking import Ranking
from tradeoff.core.streaming import first_rows
from tradeoff.sources.batches import batches
from tradeoff.sources.files import Query, Source, files_of, is_parquet
from tradeoff.sources.quoting import quoted

if TYPE_CHECKING:
    from tradeoff.sources.columns import Columns
    from tradeoff.sources.options import ReadOptions
    from tradeoff.sources.policy import RowPolicy

WHOLE = {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT"}
WORTH_IT = 4
"""There must be so many times the rows that are looked at first."""
STATISTICS = """
    WITH chunks AS (
        SELECT path_in_schema AS name, num_values AS rows, stats_null_count AS gaps,
            coalesce(TRY_CAST(stats_min_value AS DOUBLE), (stats_min_value = 'true')::INT) AS low,
            coalesce(TRY_CAST(stats_max_value AS DOUBLE), (stats_max_value = 'true')::INT) AS high
        FROM parquet_metadata($files) WHERE list_contains($names, path_in_schema)
    )
    SELECT name, min(low), max(high), sum(rows)::BIGINT FROM chunks GROUP BY name
    HAVING count(*) = count(CASE WHEN gaps = 0 AND low <= high THEN 1 END)
"""


class Bounds(NamedTuple):
    """Between which numbers a column's values lie, and how many there are."""

    low: float
    high: float
    rows: int


def _bounds_of(connection: Any, source: Source, names: list[str]) -> dict[str, Bounds] | None:
    """What the statistics in Parquet files say of columns; None where they do not say all."""
    if isinstance(source, Query):
        return None
    files = [str(file) for file in files_of(source)]
    found = connection.cursor().sql(STATISTICS, params={"files": files, "names": names})
    bounds = {name: Bounds(*known) for name, *known in found.fetchall()}
    return bounds if len(bounds) == len(set(names)) else None


class CodedRows:
    """The rows of Parquet files, of which only classes and the scores of one model are wanted.

    Args:
        table: The files, as a DuckDB relation.
        columns: Which column plays which part.
        bounds: Between which numbers they lie.
        most: How many thresholds the ranking may have.
    """

    def __init__(
        self, table: Any, columns: Columns, bounds: Mapping[str, Bounds], most: int
    ) -> None:
        (score,) = columns.models
        self.table, self.most = table, most
        self.actual, self.score = quoted(columns.actual), quoted(score)
        self.low, self.high, self.rows = bounds[score]

    @property
    def first(self) -> int:
        """How many rows are looked at first."""
        return first_rows(self.most)

    def cells(self) -> LinearCells | None:
        """Cells for the rows, or None where scores can be kept or cells would be coarse."""
        columns = f"{self.actual}::INT AS actual, {self.score}::DOUBLE AS score"
        few = list(batches(self.table.limit(self.first).project(columns)))
        scores = np.concatenate([batch["score"] for batch in few])
        if not (scores > 0).all():  # statistics are silent about NaN
            return None
        known = Ranking.of(scores, np.concatenate([batch["actual"] for batch in few]) == 1)
        if known.distinct <= self.most:
            return None
        return LinearCells.fitting(known, self.most, self.low, self.high)

    def count(self, cells: LinearCells, options: ReadOptions) -> bool:
        """Count all rows, and tell whether that could be done."""
        scale = f"{2.0**cells.bits!r}::DOUBLE"
        # What is no number of a cell becomes NULL, and is noticed.
        code = f"TRY_CAST(trunc({self.score} * {scale}) AS INT) * 2 + {self.actual}::INT AS code"
        seen = 0
        for batch in batches(self.table.project(code)):
            if batch["code"].dtype != np.int32 or not cells.count(batch["code"]):
                return False
            seen += len(batch["code"])
            if options.progress is not None:
                options.progress(seen, self.rows)
        return True


def are_plain(
    source: Source, columns: Columns, policy: RowPolicy, kinds: Mapping[str, str]
) -> bool:
    """Whether rows are those of Parquet files: a class and a score, of which nothing is asked."""
    others = (columns.weight, columns.fold, columns.segment, policy.digits)
    return (
        is_parquet(source)
        and len(columns.models) == 1
        and all(other is None for other in others)
        and not policy.lower_is_positive
        and kinds[columns.actual] in WHOLE
        and kinds[columns.models[0]] in {"FLOAT", "DOUBLE"}
    )


def coded_ranking(
    connection: Any, source: Source, table: Any, columns: Columns, options: ReadOptions
) -> Ranking | None:
    """The ranking of all rows; None where they must be looked at one by one."""
    bounds = _bounds_of(connection, source, columns.names)
    if bounds is None or bounds[columns.actual][:2] != (0, 1):
        return None
    rows = CodedRows(table, columns, bounds, options.most)
    cells = rows.cells() if rows.rows >= WORTH_IT * rows.first else None
    return cells.ranking() if cells is not None and rows.count(cells, options) else None
