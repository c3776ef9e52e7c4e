"""Scores that DuckDB hands over as numbers of cells: half the bytes, and all that is left to do.

This is for large Parquet files whose own statistics say that there are no gaps, that classes are 0
and 1, and that scores are above 0. Where a row turns out to be different, nothing has been counted,
and rows are read as all others are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.ranking.linear import LinearCells
from tradeoff.ranking.ranking import Ranking
from tradeoff.sources.batches import batches
from tradeoff.sources.relations import Query, files_of, is_parquet, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.sources.ranked import Choices, Columns, Effort
    from tradeoff.sources.relations import Source

WHOLE = {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT"}
REALS = {"FLOAT", "DOUBLE"}
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


def bounds_of(connection: Any, source: Source, names: list[str]) -> dict[str, Bounds] | None:
    """What the statistics in Parquet files say of columns; None where they do not say all."""
    if isinstance(source, Query):
        return None
    files = [str(file) for file in files_of(source)]
    found = connection.cursor().sql(STATISTICS, params={"files": files, "names": names})
    bounds = {name: Bounds(*known) for name, *known in found.fetchall()}
    return bounds if len(bounds) == len(set(names)) else None


class CodedRows:
    """The rows of Parquet files, of which only classes and scores are wanted.

    Args:
        table: The files, as a DuckDB relation.
        columns: Which column plays which part.
        bounds: Between which numbers they lie.
        most: How many thresholds each ranking may have.
    """

    def __init__(
        self, table: Any, columns: Columns, bounds: Mapping[str, Bounds], most: int
    ) -> None:
        self.table, self.columns, self.bounds, self.most = table, columns, bounds, most
        self.rows = bounds[columns.actual].rows

    @property
    def first(self) -> int:
        """How many rows are looked at first: if scores are too many to be kept, they show it."""
        return self.most + self.most // 8

    def cells(self) -> list[LinearCells] | None:
        """Cells for each model, or None where its scores can be kept or cells would be coarse."""
        scores = [f"{quoted(name)}::DOUBLE AS s{i}" for i, name in enumerate(self.columns.scores)]
        actual = f"{quoted(self.columns.actual)}::INT AS actual"
        few = list(batches(self.table.limit(self.first).project(", ".join([actual, *scores]))))
        positive = np.concatenate([batch["actual"] for batch in few]) == 1
        found = []
        for place, name in enumerate(self.columns.scores):
            known = Ranking.of(np.concatenate([batch[f"s{place}"] for batch in few]), positive)
            if known.distinct <= self.most:
                return None
            found.append(LinearCells.fitting(known, self.most, *self.bounds[name][:2]))
        return None if None in found else [own for own in found if own is not None]

    def count(self, cells: list[LinearCells], effort: Effort) -> bool:
        """Count all rows, and tell whether that could be done."""
        actual = f"{quoted(self.columns.actual)}::INT"
        codes = [
            # What is no number of a cell becomes NULL, and is noticed.
            f"TRY_CAST(trunc({quoted(name)} * {2.0**own.bits!r}::DOUBLE) AS INT) * 2 + {actual} "
            f"AS c{place}"
            for place, (name, own) in enumerate(zip(self.columns.scores, cells, strict=True))
        ]
        seen = 0
        for batch in batches(self.table.project(", ".join(codes))):
            for own, values in zip(cells, batch.values(), strict=True):
                if values.dtype != np.int32 or not own.count(values):
                    return False
            seen += len(batch["c0"])
            if effort.progress is not None:
                effort.progress(seen, self.rows)
        return True


def are_plain(source: Source, columns: Columns, choices: Choices, kinds: Mapping[str, str]) -> bool:
    """Whether rows are those of Parquet files: a class and scores, of which nothing is asked."""
    others = (columns.weight, columns.fold, columns.segment, choices.digits)
    return (
        is_parquet(source)
        and all(other is None for other in others)
        and not choices.lower_is_positive
        and kinds[columns.actual] in WHOLE
        and all(kinds[name] in REALS for name in columns.scores)
    )


def coded_rankings(
    connection: Any, source: Source, table: Any, columns: Columns, effort: Effort
) -> dict[str, Ranking] | None:
    """The ranking of each model by its name; None where rows must be looked at one by one."""
    bounds = bounds_of(connection, source, columns.names)
    if bounds is None or bounds[columns.actual][:2] != (0, 1):
        return None
    rows = CodedRows(table, columns, bounds, effort.most)
    cells = rows.cells() if rows.rows >= WORTH_IT * rows.first else None
    if cells is None or not rows.count(cells, effort):
        return None
    return {name: own.ranking() for name, own in zip(columns.scores, cells, strict=True)}
