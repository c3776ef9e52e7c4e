"""Read rows or columns from any source: in memory, in batches, or counted by an engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import concordant_pairs
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.paired import PairedRanking
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.sources import groups
from tradeoff.sources.columns import (
    Columns,
    column_array,
)
from tradeoff.sources.cost_columns import costs_from_columns
from tradeoff.sources.files import (
    File,
    Query,
    is_database,
    is_file_or_query,
    source_files,
    whole_file_reader,
)
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.read_columns import read_column_values, require_rows_in_memory
from tradeoff.sources.row_policy import DEFAULT_POLICY, EXACT_WITHOUT_WEIGHTS, RowPolicy
from tradeoff.sources.row_rules import CheckedBatch, check_rows
from tradeoff.sources.shared_rows import rank_shared_rows
from tradeoff.wording import ROWS, Wording

MIN_CLUSTERS = 10
"""Number of clusters below which a note warns of unreliable intervals."""
MAX_FILE_SIZE_IN_MEMORY = 64 << 20
"""Size in bytes above which files are read in batches."""
DEFAULT_OPTIONS = ReadOptions()


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Scored rows of one or more models, and their rankings; computed on demand."""

    check: Callable[[], Mapping[str, CheckedBatch]]
    rank: Callable[[], RankedModels]
    clusters: NDArray[np.intp] | None = None
    in_memory: bool = True
    """Whether the rows are in memory; if not, accessing `rows` reads them all."""
    wording: Wording = ROWS

    @cached_property
    def rows(self) -> Mapping[str, CheckedBatch]:
        """Checked rows of each model; empty for a saved ranking, which has only counts."""
        return self.check()

    @cached_property
    def models(self) -> RankedModels:
        """Rankings of all models."""
        return self.rank().with_wording(self.wording)

    @cached_property
    def paired(self) -> PairedRanking:
        """Paired ranking of all models on the rows that they share."""
        if not self.rows:
            raise InputError(
                "A saved ranking has counts but no rows, and comparisons need rows: use the data."
            )
        return rank_shared_rows(self.rows, self.clusters, self.wording)

    @property
    def row_counts(self) -> dict[str, int]:
        """Number of rows of each model, including rejected ones."""
        return {name: rows.row_count for name, rows in self.rows.items()}


def read(
    data: Any,
    columns: Columns,
    policy: RowPolicy = DEFAULT_POLICY,
    options: ReadOptions = DEFAULT_OPTIONS,
    costs: Costs | None = None,
) -> ScoredRows:
    """Read, check and rank the rows of a source.

    Args:
        data: A dataframe, path, query or lazy frame; None if `columns` holds the values themselves.
        columns: The column of each role.
        policy: The row policy.
        options: Options for reading rows.
        costs: Costs of outcomes, which may name columns.
    """
    data = as_source(data)
    needs_all_rows = columns.cluster is not None or bool(costs and costs.columns)
    _require_files(data, options, needs_all_rows=needs_all_rows)
    if data is not None and not needs_all_rows and not options.in_memory and columns.are_named:
        rank = _counting_function(data, columns, policy, options)
        if rank is not None:
            in_memory = replace(options, in_memory=True)
            return ScoredRows(
                lambda: read(data, columns, policy, in_memory).rows,
                lambda: _with_costs(rank(), costs),
                in_memory=False,
                wording=policy.wording,
            )
    require_rows_in_memory(data)
    return _rows_in_memory(data, columns, policy, options, costs)


def read_ranking(
    path: str | os.PathLike[str], costs: Costs | None = None, wording: Wording = ROWS
) -> ScoredRows:
    """Read a saved ranking, which has counts but no rows."""
    if costs is not None and costs.columns:
        raise InputError(
            "A saved ranking has counts but no rows, and costs by row need rows: use the data."
        )
    ranking = Ranking.load(path)
    models = _with_costs(RankedModels({ranking.name: ranking}), costs)
    return ScoredRows(dict, lambda: models, in_memory=False, wording=wording)


def _with_costs(models: RankedModels, costs: Costs | None) -> RankedModels:
    """Ranked models, all with the same costs."""
    return models if costs is None else replace(models, costs=dict.fromkeys(models.rankings, costs))


def _counting_function(
    data: Any, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> Callable[[], RankedModels] | None:
    """Function that ranks a source without keeping its rows; None if it must be in memory."""
    columns = replace(columns, scores=columns.models)
    if is_file_or_query(data):
        if not is_streamed(data, options):
            return None
        from tradeoff.sources.stream import streamed_rankings

        return lambda: streamed_rankings(data, columns, policy, options)
    from tradeoff.sources.pushdown import is_lazy_frame, lazy_frame_rankings
    from tradeoff.sources.spark import is_spark, spark_rankings

    if is_spark(data):
        return lambda: spark_rankings(data, columns, policy, options)
    if is_lazy_frame(data):
        return lambda: lazy_frame_rankings(data, columns, policy, options)
    return None


def is_streamed(data: Any, options: ReadOptions) -> bool:
    """Whether a file or query is read in batches; queries always are, as their size is unknown."""
    if whole_file_reader(data):
        if options.needs_batches:
            kind = str(data).removesuffix(".gz").rpartition(".")[2].upper()
            raise InputError(f"{data} is read as a whole: {kind} files cannot be read in batches.")
        return False
    if options.needs_batches or isinstance(data, Query) or is_database(data):
        return True
    return sum(file.stat().st_size for file in source_files(data)) > MAX_FILE_SIZE_IN_MEMORY


def _require_files(data: Any, options: ReadOptions, *, needs_all_rows: bool) -> None:
    """Require a file for options that concern only files."""
    for name, is_set in (
        ("memory", options.memory is not None),
        ("bad_rows", options.skips_bad_rows),
    ):
        if is_set and not options.in_memory and not is_file_or_query(data):
            raise InputError(f"`{name}` concerns only files, but these rows are not from a file.")
        if is_set and not options.in_memory and needs_all_rows:
            raise InputError(
                f"`{name}` concerns only rows that are read in batches, but clusters and costs by "
                "row need all rows at once."
            )


def _rows_in_memory(
    data: Any, columns: Columns, policy: RowPolicy, options: ReadOptions, costs: Costs | None
) -> ScoredRows:
    """Rows in memory, checked now and ranked on demand."""
    cost_columns = dict(costs.columns) if costs else {}
    columns = read_column_values(data, replace(columns, others=cost_columns))
    rows = check_model_columns(columns, policy)
    actual, clusters = columns.actual, None
    if columns.cluster is not None:
        clusters = groups.cluster_codes(columns.cluster, actual, columns.title("cluster"))

    def rank() -> RankedModels:
        rankings = {
            name: _limit_thresholds(
                _with_cluster_note(model.ranking(), clusters, model, policy.wording), options
            )
            for name, model in rows.items()
        }
        return RankedModels(
            rankings,
            groups.rankings_by_fold(rows, columns.fold, actual, columns.title("fold")),
            groups.rankings_by_segment(rows, columns.segment, actual, columns.title("segment")),
            _costs_by_model(costs, columns, rows, rankings),
            {}
            if clusters is None
            else {name: rank_shared_rows({name: model}, clusters) for name, model in rows.items()},
            rows if len(rows) > 1 else {},
        )

    return ScoredRows(lambda: rows, rank, clusters, wording=policy.wording)


def check_model_columns(columns: Columns, policy: RowPolicy) -> dict[str, CheckedBatch]:
    """Check the rows of each model, whose columns have been read."""
    return {
        name: check_rows(
            columns.actual,
            score,
            policy,
            weight=columns.weight,
            name=name,
            actual_name=columns.title("actual"),
            weight_name=columns.title("weight"),
        )
        for name, score in columns.scores.items()
    }


def _with_cluster_note(
    ranking: Ranking, clusters: NDArray[np.intp] | None, rows: CheckedBatch, wording: Wording
) -> Ranking:
    """Ranking with a note on its number of clusters."""
    if clusters is None:
        return ranking
    count = len(np.unique(clusters[rows.row_indices]))
    warning = ", too few for reliable intervals" if count < MIN_CLUSTERS else ""
    rows_text = wording.count(ranking.rows)
    note = f"intervals account for clusters: {rows_text} in {count:,} clusters{warning}"
    return replace(ranking, notes=(*ranking.notes, note))


def _limit_thresholds(ranking: Ranking, options: ReadOptions) -> Ranking:
    binned_ranking = ranking if options.bins is None else ranking.within(options.bins)
    if binned_ranking.exact or not options.exact or not (ranking.positives and ranking.negatives):
        return binned_ranking
    _require_unweighted(ranking)
    return binned_ranking.with_pairs(concordant_pairs(ranking))


def _require_unweighted(ranking: Ranking) -> None:
    """Require a ranking of unweighted rows, whose pairs can be counted."""
    if not ranking.is_counted:
        raise InputError(EXACT_WITHOUT_WEIGHTS)


def _costs_by_model(
    costs: Costs | None,
    columns: Columns,
    rows: Mapping[str, CheckedBatch],
    rankings: Mapping[str, Ranking],
) -> dict[str, AnyCosts]:
    if costs is None:
        return {}
    if not columns.others:
        return dict.fromkeys(rows, costs)
    length = len(column_array(columns.actual, columns.title("actual")))
    return {
        name: costs_from_columns(model, rankings[name], costs, columns.others, length)
        for name, model in rows.items()
    }


# Columns of files, and of dataframes from any library.


def as_source(data: Any) -> Any:
    """Source to read, from data: a list of paths becomes a `File`."""
    if isinstance(data, list | tuple) and data and all(map(is_file_or_query, data)):
        return File(tuple(map(str, data)))
    return data
