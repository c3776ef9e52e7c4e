"""Rows of any source: held, read in batches, or counted where they lie; and their columns."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.external_sort import pairs_of
from tradeoff.core.models import RankedModels
from tradeoff.core.paired import PairedRanking
from tradeoff.core.ranking import Ranking
from tradeoff.errors import ColumnError, InputError
from tradeoff.sources import groups
from tradeoff.sources.columns import (
    Columns,
    as_column,
    declared_in_frame,
    frame_columns,
    require_same_index,
)
from tradeoff.sources.cost_columns import row_costs
from tradeoff.sources.csv_errors import demand_columns, demand_whole
from tradeoff.sources.duckdb_types import exact_kinds, named
from tradeoff.sources.files import (
    Files,
    Query,
    Source,
    connected,
    files_of,
    is_database,
    is_text,
    relation,
    told,
    typed,
    whole_reader,
)
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.policy import PLAIN, CheckedBatch, RowPolicy, checked_rows, require_counted
from tradeoff.sources.quoting import quoted

FEW_CLUSTERS = 10
LARGE = 64 << 20
"""Files of more bytes are read in batches."""
DEFAULTS = ReadOptions()


@dataclass(frozen=True, eq=False)
class Scored:
    """Rows that models have scored, and what can be made of them: nothing is done unasked."""

    check: Callable[[], Mapping[str, CheckedBatch]]
    rank: Callable[[], RankedModels]
    clusters: NDArray[np.intp] | None = None
    holds: bool = True
    """Whether rows are in memory; else asking for them reads them all."""

    @cached_property
    def rows(self) -> Mapping[str, CheckedBatch]:
        """The rows of each model; none where only counts were kept."""
        return self.check()

    @cached_property
    def models(self) -> RankedModels:
        """Each model by itself."""
        return self.rank()

    @cached_property
    def paired(self) -> PairedRanking:
        """All models on the rows that they share."""
        if not self.rows:
            raise InputError(
                "A saved ranking has counts and no rows, which comparing models needs."
            )
        return groups.paired_ranking(self.rows, self.clusters)

    @property
    def row_counts(self) -> dict[str, int]:
        """How many rows each model has, those included that it rejects."""
        return {name: rows.row_count for name, rows in self.rows.items()}


def read(
    data: Any,
    columns: Columns,
    policy: RowPolicy = PLAIN,
    options: ReadOptions = DEFAULTS,
    costs: Costs | None = None,
) -> Scored:
    """Read, check and rank the rows of a source.

    Args:
        data: A dataframe, a path, a query or a lazy frame; None: columns are values themselves.
        columns: What is where.
        policy: What rows mean.
        options: How rows are read.
        costs: What outcomes cost; they may name columns.
    """
    data = _source_of(data)
    whole = columns.cluster is not None or bool(costs and costs.columns)
    _require_files(data, options, whole=whole)
    if data is not None and not whole and not options.hold and columns.are_named:
        rank = _counting(data, columns, policy, options)
        if rank is not None:
            hold = replace(options, hold=True)
            return Scored(
                lambda: read(data, columns, policy, hold).rows,
                lambda: _with_costs(rank(), costs),
                holds=False,
            )
    _require_rows(data)
    return _in_memory(data, columns, policy, options, costs)


def read_ranking(path: str | os.PathLike[str], costs: Costs | None = None) -> Scored:
    """A saved ranking: it has counts, and no rows."""
    if costs is not None and costs.columns:
        raise InputError("A saved ranking has counts and no rows, which costs by row need.")
    ranking = Ranking.load(path)
    models = _with_costs(RankedModels({ranking.name: ranking}), costs)
    return Scored(dict, lambda: models, holds=False)


def _with_costs(models: RankedModels, costs: Costs | None) -> RankedModels:
    """The models, each with the same costs."""
    return models if costs is None else replace(models, costs=dict.fromkeys(models.rankings, costs))


def _counting(
    data: Any, columns: Columns, policy: RowPolicy, options: ReadOptions
) -> Callable[[], RankedModels] | None:
    """How the rankings of a source are made without holding its rows; None: read it instead."""
    columns = replace(columns, scores=columns.models)
    if is_path(data):
        if not _is_streamed(data, options):
            return None
        from tradeoff.sources.stream import streamed_models

        return lambda: streamed_models(data, columns, policy, options)
    from tradeoff.sources.pushdown import is_lazy, lazy_models
    from tradeoff.sources.spark import is_spark, spark_models

    if is_spark(data):
        return lambda: spark_models(data, columns, policy, options)
    if is_lazy(data):
        return lambda: lazy_models(data, columns, policy, options)
    return None


def _is_streamed(data: Any, options: ReadOptions) -> bool:
    """Whether a file or query is read in batches; a query may be anything."""
    if whole_reader(data):
        if options.is_asked_for:
            kind = Path(data).name.removesuffix(".gz").rpartition(".")[2].upper()
            raise InputError(f"{data} is read as a whole: {kind} files know no batches.")
        return False
    if options.is_asked_for or isinstance(data, Query) or is_database(data):
        return True
    return sum(file.stat().st_size for file in files_of(data)) > LARGE


def _require_files(data: Any, options: ReadOptions, *, whole: bool) -> None:
    """Some choices are about files alone."""
    for name, is_set in (("memory", options.memory is not None), ("bad_rows", options.skips)):
        if is_set and not options.hold and not is_path(data):
            raise InputError(f"`{name}` is about files, and these rows are in none.")
        if is_set and not options.hold and whole:
            raise InputError(
                f"`{name}` is about rows that are read in batches: clusters and costs by row need "
                "all rows at once."
            )


def _require_rows(data: Any) -> None:
    """Rows themselves can be had: a Spark table may have any number of them."""
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        raise InputError(
            "This looks at rows themselves, of which a Spark table may have any number: collect "
            "those that it needs first, for example with toPandas()."
        )


def _in_memory(
    data: Any, columns: Columns, policy: RowPolicy, options: ReadOptions, costs: Costs | None
) -> Scored:
    """Rows in memory, checked at once and ranked when asked for."""
    outcomes = dict(costs.columns) if costs else {}
    columns = column_values(data, replace(columns, others=outcomes))
    rows = checked_models(columns, policy)
    actual, clusters = columns.actual, None
    if columns.cluster is not None:
        clusters = groups.cluster_codes(columns.cluster, actual, columns.title("cluster"))

    def rank() -> RankedModels:
        rankings = {
            name: _within(_with_clusters(model.ranking(), clusters, model), options)
            for name, model in rows.items()
        }
        return RankedModels(
            rankings,
            groups.folds(rows, columns.fold, actual, columns.title("fold")),
            groups.segments(rows, columns.segment, actual, columns.title("segment")),
            _costs_by_model(costs, columns, rows, rankings),
            {}
            if clusters is None
            else {
                name: groups.paired_ranking({name: model}, clusters) for name, model in rows.items()
            },
        )

    return Scored(lambda: rows, rank, clusters)


def checked_models(columns: Columns, policy: RowPolicy) -> dict[str, CheckedBatch]:
    """The rows of each model, of columns that are values."""
    return {
        name: checked_rows(
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


def _with_clusters(
    ranking: Ranking, clusters: NDArray[np.intp] | None, rows: CheckedBatch
) -> Ranking:
    """The ranking with a note on how many clusters its rows come in."""
    if clusters is None:
        return ranking
    size = len(np.unique(clusters[rows.own_places]))
    few = ", which are too few for intervals to be trusted" if size < FEW_CLUSTERS else ""
    note = f"intervals go by cluster: {ranking.rows:,} rows in {size:,} clusters{few}"
    return replace(ranking, notes=(*ranking.notes, note))


def _within(ranking: Ranking, options: ReadOptions) -> Ranking:
    binned = ranking if options.bins is None else ranking.within(options.bins)
    if binned.exact or not options.exact or not (ranking.positives and ranking.negatives):
        return binned
    require_counted(ranking)
    return binned.with_pairs(pairs_of(ranking))


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
    length = len(as_column(columns.actual, columns.title("actual")))
    return {
        name: row_costs(model, rankings[name], costs, columns.others, length)
        for name, model in rows.items()
    }


def column_values(data: Any, columns: Columns) -> Columns:
    """The values of each role and of each model's score, of the table where these are names.

    Every row needs an actual class; other roles may be None.

    Example:
        >>> column_values(None, Columns([1, 0], [0.9, 0.1])).scores
        {'score': [0.9, 0.1]}
    """
    if columns.actual is None:
        raise InputError("Say what the actual classes are: actual=… is missing.")
    roles, scores = columns.roles, columns.scores
    if data is None:
        models = scores if isinstance(scores, Mapping) else {_name_of(scores): scores}
        values = {str(name): column for name, column in models.items()}
        require_same_index(*roles.items(), *values.items())
        return replace(columns, scores=values)
    if isinstance(scores, list | tuple) and not scores:
        raise InputError("Name at least one column of scores.")
    names = {role: name for role, name in roles.items() if name is not None}
    table = table_columns(data, [*names.values(), *columns.models])
    values = {role: table[name] for role, name in names.items()}
    others = {role: values.pop(role, None) for role in columns.others}
    return Columns(
        scores={name: table[name] for name in columns.models},
        others=others,
        titles={role: str(name) for role, name in names.items()},
        **values,
    )


def _name_of(values: Any) -> str:
    """A pandas or polars series brings its own name."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else "score"


# Columns of whatever holds some: a dataframe of any library, or a file.


def is_path(data: Any) -> bool:
    """Whether a table is named by where its file lies, or asked for by a query."""
    return isinstance(data, str | Files | Query) or hasattr(data, "__fspath__")


def _source_of(data: Any) -> Any:
    """A table as it is; a list of paths as one source of many files."""
    if isinstance(data, list | tuple) and data and all(map(is_path, data)):
        return Files(tuple(map(str, data)))
    return data


def table_columns(data: Any, names: list[Any] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a dataframe, or of the file at a path; all of them without names."""
    if is_path(data):
        _require_texts(names, "file")
        return file_columns(data, names)
    _require_texts(names, "dataframe")
    return frame_columns(data, names)


def declared_values(data: Any) -> dict[str, tuple[str, ...]]:
    """The values that a table declares for its columns of categories, seen or not.

    ARFF files and categorical columns of dataframes do so.
    """
    if is_path(data):
        return _declared_in_file(data)
    return declared_in_frame(data)


def _require_texts(names: list[Any] | None, kind: str) -> None:
    """Columns are named; values themselves need no source."""
    for name in names or ():
        if not isinstance(name, str):
            raise InputError(
                f"With a {kind}, columns are named by text, not by {type(name).__name__!r}. Name "
                f"them, or pass the values themselves as actual= and score= without the {kind}."
            )


def file_columns(source: Source, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """The named columns of a file or query (all, without names); a file is read by its ending."""
    if read_whole := whole_reader(source):
        columns = read_whole(source)
        for name in names or ():
            if name not in columns:
                raise ColumnError.missing(name, columns)
        return {name: columns[name] for name in (columns if names is None else names)}
    with connected(source) as connection, told(source), demand_whole(source, names or ()):
        table = relation(connection, source, names=names)
        names = list(dict.fromkeys(table.columns if names is None else names))
        demand_columns(connection, source, names, table.columns)
        if is_text(source):  # read once, and looked at twice
            connection.execute(f"CREATE TEMP TABLE cells AS {_chosen(table, names).sql_query()}")
            table = connection.table("cells")
        table = typed(table, source, names)
        columns = table.project(named(names, exact_kinds(table, names))).fetchnumpy()
    return {name: _as_booleans(as_column(columns[name], name)) for name in columns}


def _chosen(table: Any, names: Sequence[str]) -> Any:
    return table.project(", ".join(map(quoted, names)))


def _declared_in_file(path: str | os.PathLike[str]) -> dict[str, tuple[str, ...]]:
    """The values that an ARFF file declares for its nominal columns; other files declare none."""
    if not str(path).lower().endswith((".arff", ".arff.gz")):
        return {}
    from tradeoff.sources.arff import read_arff

    attributes = read_arff(path, header_alone=True).attributes
    return {
        attribute.name: attribute.values for attribute in attributes if attribute.kind == "nominal"
    }


def _as_booleans(column: NDArray[Any]) -> NDArray[Any]:
    """A text column of true and false alone explains itself, as a column of booleans would."""
    if column.dtype.kind != "O":
        return column
    present = (value for value in column if value is not None)
    if not all(str(value).casefold() in {"true", "false"} for value in present):
        return column
    if all(value is None for value in column):
        return column
    truth = [None if value is None else str(value).casefold() == "true" for value in column]
    return np.array(truth)
