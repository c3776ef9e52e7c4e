"""Read rows or columns from any source: in memory, in batches, or counted by an engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
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
from tradeoff.errors import ColumnError, InputError
from tradeoff.sources import groups
from tradeoff.sources.columns import (
    Columns,
    column_array,
    first_frame_rows,
    frame_categories,
    frame_column_names,
    frame_columns,
    require_same_index,
)
from tradeoff.sources.cost_columns import costs_from_columns
from tradeoff.sources.csv_errors import explain_csv_errors, require_file_columns
from tradeoff.sources.duckdb_types import lossless_types, typed_columns_sql
from tradeoff.sources.files import (
    File,
    Query,
    Source,
    duckdb_connection,
    duckdb_relation,
    is_database,
    is_file_or_query,
    is_text,
    source_files,
    translate_duckdb_errors,
    typed_relation,
    whole_file_reader,
)
from tradeoff.sources.options import ReadOptions
from tradeoff.sources.row_rules import (
    DEFAULT_POLICY,
    EXACT_WITHOUT_WEIGHTS,
    CheckedBatch,
    RowPolicy,
    check_rows,
)
from tradeoff.sources.shared_rows import rank_shared_rows
from tradeoff.sources.sql_quoting import quote_name

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

    @cached_property
    def rows(self) -> Mapping[str, CheckedBatch]:
        """Checked rows of each model; empty for a saved ranking, which has only counts."""
        return self.check()

    @cached_property
    def models(self) -> RankedModels:
        """Rankings of all models."""
        return self.rank()

    @cached_property
    def paired(self) -> PairedRanking:
        """Paired ranking of all models on the rows that they share."""
        if not self.rows:
            raise InputError(
                "A saved ranking has counts but no rows, and comparisons need rows: use the data."
            )
        return rank_shared_rows(self.rows, self.clusters)

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
            )
    _require_rows(data)
    return _rows_in_memory(data, columns, policy, options, costs)


def resolve_source_and_actual(data: Any, actual: Any, score: Any) -> tuple[Any, Any]:
    """Resolve the arguments of `evaluate` to the source, if any, and the actual classes.

    Both evaluate(y, score) and evaluate(table, actual=…) are accepted.
    """
    if score is None:
        raise InputError(
            'There are no scores: use evaluate(y, score), or evaluate(table, actual="column", '
            'score="column").'
        )
    if actual is not None:
        return data, actual
    names = score if isinstance(score, list | tuple) and score else [score]
    are_column_names = all(isinstance(name, str) for name in names)
    if data is None or are_column_names or isinstance(data, str | os.PathLike | Query):
        raise InputError("There are no actual classes: name their column, actual=….")
    return None, data


def read_ranking(path: str | os.PathLike[str], costs: Costs | None = None) -> ScoredRows:
    """Read a saved ranking, which has counts but no rows."""
    if costs is not None and costs.columns:
        raise InputError(
            "A saved ranking has counts but no rows, and costs by row need rows: use the data."
        )
    ranking = Ranking.load(path)
    models = _with_costs(RankedModels({ranking.name: ranking}), costs)
    return ScoredRows(dict, lambda: models, in_memory=False)


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


def _require_rows(data: Any) -> None:
    """Require a source whose rows fit into memory, unlike a Spark table."""
    from tradeoff.sources.spark import is_spark

    if is_spark(data):
        raise InputError(
            "This needs the rows themselves, and a Spark table may have too many of them: collect "
            "the rows needed first, for example with toPandas()."
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
            name: _limit_thresholds(_with_cluster_note(model.ranking(), clusters, model), options)
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

    return ScoredRows(lambda: rows, rank, clusters)


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
    ranking: Ranking, clusters: NDArray[np.intp] | None, rows: CheckedBatch
) -> Ranking:
    """Ranking with a note on its number of clusters."""
    if clusters is None:
        return ranking
    count = len(np.unique(clusters[rows.row_indices]))
    warning = ", too few for reliable intervals" if count < MIN_CLUSTERS else ""
    note = f"intervals account for clusters: {ranking.rows:,} rows in {count:,} clusters{warning}"
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


def read_column_values(data: Any, columns: Columns) -> Columns:
    """Read the values of the column of each role; without data, `columns` already holds values.

    The actual class is required; other roles may be None.

    Example:
        >>> read_column_values(None, Columns([1, 0], [0.9, 0.1])).scores
        {'score': [0.9, 0.1]}
    """
    if columns.actual is None:
        raise InputError("There are no actual classes: actual=… is missing.")
    roles, scores = columns.roles, columns.scores
    if data is None:
        models = scores if isinstance(scores, Mapping) else {_series_name(scores): scores}
        values = {str(name): column for name, column in models.items()}
        require_same_index(*roles.items(), *values.items())
        return replace(columns, scores=values)
    if isinstance(scores, list | tuple) and not scores:
        raise InputError("Name at least one column of scores.")
    names = {role: name for role, name in roles.items() if name is not None}
    table = read_table_columns(data, [*names.values(), *columns.models])
    values = {role: table[name] for role, name in names.items()}
    others = {role: values.pop(role, None) for role in columns.others}
    return Columns(
        scores={name: table[name] for name in columns.models},
        others=others,
        titles={role: str(name) for role, name in names.items()},
        **values,
    )


def _series_name(values: Any) -> str:
    """Name of a pandas or polars series; for other values "score"."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else "score"


# Columns of files, and of dataframes from any library.


def as_source(data: Any) -> Any:
    """Source to read, from data: a list of paths becomes a `File`."""
    if isinstance(data, list | tuple) and data and all(map(is_file_or_query, data)):
        return File(tuple(map(str, data)))
    return data


def read_table_columns(data: Any, names: list[Any] | None) -> dict[str, NDArray[Any]]:
    """Read the named columns of a dataframe or file; all of them if `names` is None."""
    if is_file_or_query(data):
        _require_string_names(names, "file")
        return read_file_columns(data, names)
    _require_string_names(names, "dataframe")
    return frame_columns(data, names)


@dataclass(frozen=True, eq=False)
class FirstRows:
    """First rows read from a table, and the number of rows that it has."""

    columns: Mapping[str, NDArray[Any]]
    rows: int
    total: int


def read_first_rows(data: Any, limit: int) -> FirstRows:
    """Read all columns of the first rows of a dataframe, file or query, and count its rows."""
    _require_rows(data)
    if is_file_or_query(data):
        return _first_file_rows(data, limit)
    columns, total = first_frame_rows(data, limit)
    return FirstRows(columns, min(limit, total), total)


def _first_file_rows(source: Source, limit: int) -> FirstRows:
    if whole_file_reader(source):
        columns = read_file_columns(source, None)
        total = len(next(iter(columns.values()), ()))
        return FirstRows({name: c[:limit] for name, c in columns.items()}, min(limit, total), total)
    columns = read_file_columns(source, None, limit=limit)
    total = rows = len(next(iter(columns.values()), ()))
    if rows == limit:
        with duckdb_connection(source) as connection, translate_duckdb_errors(source):
            table = duckdb_relation(connection, source)
            ((total,),) = table.aggregate("count(*)").fetchall()
    return FirstRows(columns, rows, total)


def read_column_names(data: Any) -> list[str]:
    """Read the names of the columns of a dataframe, file or query."""
    if not is_file_or_query(data):
        return frame_column_names(data)
    if read_whole := whole_file_reader(data):
        return list(read_whole())
    with duckdb_connection(data) as connection, translate_duckdb_errors(data):
        names: list[str] = duckdb_relation(connection, data).columns
    return names


def read_declared_categories(data: Any) -> dict[str, tuple[str, ...]]:
    """Read the categories that a table declares for its columns, whether they occur or not.

    ARFF files and categorical columns of dataframes declare categories.
    """
    if is_file_or_query(data):
        return _file_categories(data)
    return frame_categories(data)


def _require_string_names(names: list[Any] | None, kind: str) -> None:
    """Require that columns are named by strings."""
    for name in names or ():
        if not isinstance(name, str):
            raise InputError(
                f"With a {kind}, columns must be named by strings, not by {type(name).__name__!r}. "
                "Name them, or pass the values themselves as actual= and score= without the "
                f"{kind}."
            )


def read_file_columns(
    source: Source, names: Sequence[str] | None, *, limit: int | None = None
) -> dict[str, NDArray[Any]]:
    """Read the named columns of a file or query, all if `names` is None, up to a number of rows."""
    if read_whole := whole_file_reader(source):
        columns = read_whole()
        for name in names or ():
            if name not in columns:
                raise ColumnError.missing(name, columns)
        return {name: columns[name] for name in (columns if names is None else names)}
    with (
        duckdb_connection(source) as connection,
        translate_duckdb_errors(source),
        explain_csv_errors(source, names or ()),
    ):
        table = duckdb_relation(connection, source, names=names)
        names = list(dict.fromkeys(table.columns if names is None else names))
        require_file_columns(connection, source, names, table.columns)
        if limit is not None:
            table = table.limit(limit)
        if is_text(source):  # parsed once, scanned twice
            connection.execute(
                f"CREATE TEMP TABLE cells AS {_select_columns(table, names).sql_query()}"
            )
            table = connection.table("cells")
        table = typed_relation(table, source, names)
        columns = table.project(typed_columns_sql(names, lossless_types(table, names))).fetchnumpy()
    return {name: _parse_booleans(column_array(columns[name], name)) for name in columns}


def _select_columns(table: Any, names: Sequence[str]) -> Any:
    return table.project(", ".join(map(quote_name, names)))


def _file_categories(path: Source) -> dict[str, tuple[str, ...]]:
    """Categories declared by an ARFF file; other files declare none."""
    if not str(path).lower().endswith((".arff", ".arff.gz")):
        return {}
    from tradeoff.sources.arff import read_arff

    attributes = read_arff(str(path), header_only=True).attributes
    return {
        attribute.name: attribute.values for attribute in attributes if attribute.kind == "nominal"
    }


def _parse_booleans(column: NDArray[Any]) -> NDArray[Any]:
    """Parse a string column as booleans if its only values are true and false."""
    if column.dtype.kind != "O":
        return column
    present_values = (value for value in column if value is not None)
    if not all(str(value).casefold() in {"true", "false"} for value in present_values):
        return column
    if all(value is None for value in column):
        return column
    booleans = [None if value is None else str(value).casefold() == "true" for value in column]
    return np.array(booleans)
