"""From rows to an evaluation: the one place where sources and analysis meet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.comparison.comparison import Comparison
from tradeoff.core import sort
from tradeoff.core.concordance import twice_pairs_won
from tradeoff.core.external_sort import pairs_of
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.registry import SUMMARIES
from tradeoff.sources import groups
from tradeoff.sources.columns import as_column
from tradeoff.sources.cost_columns import row_costs
from tradeoff.sources.groups import cluster_codes, paired_ranking
from tradeoff.sources.options import Choices, Columns, Effort, demand_counted
from tradeoff.sources.policy import Missing, ScoredRows, WeightMeans, scored_rows
from tradeoff.sources.read import counting, demand_rows, is_path, source_of
from tradeoff.sources.roles import roles_of
from tradeoff.uncertainty.confidence import Confidence

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.core.costs import AnyCosts, Costs
    from tradeoff.core.paired import PairedRanking
    from tradeoff.multiclass.multiclass import MultiClass
    from tradeoff.sources.options import BadRows


FEW_CLUSTERS = 10
PLAIN = Effort()


def evaluate(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    data: Any = None,
    *,
    actual: Any,
    score: Any,
    positive: Any = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    fold: Any = None,
    segment: Any = None,
    cluster: Any = None,
    costs: Costs | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    memory: int | str | None = None,
    bins: int | None = None,
    exact: bool = False,
    bad_rows: BadRows = "stop",
) -> Evaluation:
    """Evaluate the scores of one or more models.

    Args:
        data: A dataframe of any library, the path of a CSV, Parquet or JSON file (or of several:
            "scores/*.parquet", a folder), of a DuckDB database, or a `Query`; then `actual`,
            `score`, `weight`, `fold`, `segment` and `cluster` name its columns. Without it they
            are the values themselves. Large files are gone through in batches; lazy frames,
            databases and Spark count where the rows are.
        actual: The class of each row.
        score: How strongly the model holds each row to be positive. Several columns (a list of
            names, or a mapping from names to values) are several models.
        positive: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        weight: What each row counts; 0 leaves it out.
        weight_means: "frequency": how often a row was seen, so that intervals count it so often.
            "importance": how much it matters, so that unequal weights make intervals wider.
            If not said, whole numbers are frequencies and real ones importances.
        fold: The fold or run in which each row was tested.
        segment: The part of the population that each row belongs to.
        cluster: The patient, user or machine that each row comes from, where several rows come
            from one: intervals then go by cluster.
        costs: What outcomes cost; here costs may name columns.
        missing: What to do with rows without a score: "error", "drop", "reject" (undecided) or
            "negative" (ranked last).
        lower_is_positive: Lower scores mean positive.
        digits: Round scores to so many decimals first, which ties nearly equal ones.
        memory: How much of it may be used where rows are gone through in batches, such as "2GB".
            Files of more than 64 MB are, and smaller ones if this is given.  [a gigabyte]
        bins: Keep at most so many thresholds; counts stay exact at each of them, and what else is
            lost is told.  [all; a million where rows are not held]
        exact: Go through the rows twice, so that the area and its interval are exact all the same.
        bad_rows: "stop" at a line of a CSV file that cannot be read, or "skip" and tell it.

    Example:
        >>> e = evaluate(actual=["yes", "no", "yes"], score=[0.9, 0.4, 0.3], positive="yes")
        >>> e.auc.value
        0.5
        >>> e.at(0.5)
        ConfusionMatrix(1 of 2 'yes' found, 0 of 1 'no' called 'yes')
    """
    return read(
        data,
        actual=actual,
        score=score,
        weight=weight,
        fold=fold,
        segment=segment,
        cluster=cluster,
        costs=costs,
        positive=positive,
        weight_means=weight_means,
        missing=missing,
        lower_is_positive=lower_is_positive,
        digits=digits,
        effort=Effort(memory, bins, exact, bad_rows),
    ).evaluation


@dataclass(frozen=True, eq=False)
class Reading:
    """The checked rows of each model, and what can be made of them: nothing is done unasked."""

    checked: Callable[[], Mapping[str, ScoredRows]]
    ranked: Callable[[], Evaluation]
    clusters: NDArray[np.intp] | None = None
    holds: bool = True
    """Whether rows are in memory; else asking for them reads them all."""

    @cached_property
    def rows(self) -> Mapping[str, ScoredRows]:
        """The rows of each model; none where only counts were kept."""
        return self.checked()

    @property
    def row_counts(self) -> dict[str, int]:
        """How many rows each model has, those included that it rejects."""
        return {name: model.row_count for name, model in self.rows.items()}

    @cached_property
    def evaluation(self) -> Evaluation:
        """Each model by itself."""
        return self.ranked()

    def comparison(self, confidence: Confidence | None = None) -> Comparison:
        """The comparison of all models on the rows that they share."""
        if not self.rows:
            raise InputError(
                "A saved ranking has counts and no rows, which comparing models needs."
            )
        return Comparison(paired_ranking(self.rows, self.clusters), confidence or Confidence())


def read(  # noqa: PLR0913 - as many as there are kinds of columns
    data: Any = None,
    *,
    actual: Any,
    score: Any,
    weight: Any = None,
    fold: Any = None,
    segment: Any = None,
    cluster: Any = None,
    costs: Costs | None = None,
    effort: Effort = PLAIN,
    **options: Any,
) -> Reading:
    """Read, check and rank rows; the choices are those of `evaluate`."""
    cost_columns = dict(costs.columns) if costs else {}
    given = {"actual": actual, "weight": weight, "fold": fold, "segment": segment}
    whole = cluster is not None or bool(cost_columns)
    data = source_of(data)
    _demand_files(data, effort, whole=whole)
    models = list(dict.fromkeys(score)) if isinstance(score, list | tuple) else [score]
    columns = Columns(actual, models, weight, fold, segment)
    if data is not None and not whole and columns.are_named:
        counted = counting(data, columns, Choices(**options), effort)
        if counted is not None:
            held = replace(effort, hold=True)

            def checked() -> Mapping[str, ScoredRows]:
                return read(data, score=score, effort=held, **given, **options).rows

            return _counted(counted, costs, checked)
    demand_rows(data)
    roles = roles_of(data, score, {**given, "cluster": cluster, **cost_columns})
    values, names = roles.values, roles.names
    actual, codes = values["actual"], None
    rows = {
        name: scored_rows(
            actual,
            own,
            weight=values["weight"],
            name=name,
            actual_name=names["actual"],
            weight_name=names["weight"],
            **options,
        )
        for name, own in roles.scores.items()
    }
    if values["cluster"] is not None:
        codes = cluster_codes(values["cluster"], actual, names["cluster"])

    def ranked() -> Evaluation:
        length = len(as_column(actual, names["actual"]))
        rankings = {
            name: _within(_told(model.ranking(), codes, model), effort)
            for name, model in rows.items()
        }
        return Evaluation(
            RankedModels(
                rankings,
                groups.folds(rows, values["fold"], actual, names["fold"]),
                groups.segments(rows, values["segment"], actual, names["segment"]),
                _costs_by_model(
                    costs,
                    {outcome: values[outcome] for outcome in cost_columns},
                    rows,
                    rankings,
                    length,
                ),
                _by_cluster(rows, codes),
            )
        )

    return Reading(lambda: rows, ranked, codes)


def _demand_files(data: Any, effort: Effort, *, whole: bool) -> None:
    """Some choices are about files alone."""
    for name, said in (("memory", effort.memory is not None), ("bad_rows", effort.skips)):
        if said and not effort.hold and not is_path(data):
            raise InputError(f"`{name}` is about files, and these rows are in none.")
        if said and not effort.hold and whole:
            raise InputError(
                f"`{name}` is about rows that are read in batches: clusters and costs by row need "
                "all rows at once."
            )


def _within(ranking: Ranking, effort: Effort) -> Ranking:
    kept = ranking if effort.bins is None else ranking.within(effort.bins)
    if kept.exact or not effort.exact or not (ranking.positives and ranking.negatives):
        return kept
    demand_counted(ranking)
    return kept.with_pairs(pairs_of(ranking))


def _counted(
    counted: Callable[[], RankedModels],
    costs: Costs | None,
    checked: Callable[[], Mapping[str, ScoredRows]],
) -> Reading:
    """Rankings of rows that are not held, unless something asks for them."""

    def ranked() -> Evaluation:
        found = counted()
        fixed = dict.fromkeys(found.rankings, costs) if costs else {}
        return Evaluation(RankedModels(found.rankings, found.folds, found.segments, fixed))

    return Reading(checked, ranked, holds=False)


def read_ranking(path: str | os.PathLike[str], costs: Costs | None = None) -> Reading:
    """A saved ranking: it has counts, and no rows."""
    if costs is not None and costs.columns:
        raise InputError("A saved ranking has counts and no rows, which costs by row need.")
    ranking = Ranking.load(path)
    fixed = {ranking.name: costs} if costs else {}
    evaluation = Evaluation(RankedModels({ranking.name: ranking}, costs=fixed))
    return Reading(dict, lambda: evaluation, holds=False)


def _told(ranking: Ranking, codes: NDArray[np.intp] | None, rows: ScoredRows) -> Ranking:
    """The ranking with a note on how many clusters its rows come in."""
    if codes is None:
        return ranking
    size = len(np.unique(codes[rows.own_places]))
    few = ", which are too few for intervals to be trusted" if size < FEW_CLUSTERS else ""
    note = f"intervals go by cluster: {ranking.rows:,} rows in {size:,} clusters{few}"
    return replace(ranking, notes=(*ranking.notes, note))


def _by_cluster(
    rows: Mapping[str, ScoredRows], codes: NDArray[np.intp] | None
) -> dict[str, PairedRanking]:
    if codes is None:
        return {}
    return {name: paired_ranking({name: model}, codes) for name, model in rows.items()}


def compare(
    data: Any = None, *, actual: Any, score: Any, level: float = 0.95, seed: int = 0, **options: Any
) -> Comparison:
    """Compare two or more models that scored the same rows.

    Args:
        data: As for `evaluate`.
        actual: The class of each row.
        score: Several columns (a list of names, or a mapping from names to values): the models.
        level: How sure intervals shall be.
        seed: Same seed, same answer, where rows are drawn again.
        options: `positive`, `weight`, `cluster`, `missing` and the like, as for `evaluate`; with
            missing="drop" a row must have a score of every model.

    Example:
        >>> c = compare(
        ...     actual=[0, 0, 1, 0, 1, 1], score={"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}
        ... )
        >>> c.difference("a", "b")
        Difference(a - b: auc 0.1111, 95 % from -0.3758 to 0.5981, p = 0.65)
    """
    names = isinstance(score, Mapping) or (data is not None and isinstance(score, list | tuple))
    if not names or len(score) < 2:
        raise InputError("A comparison needs the scores of two models or more.")
    reading = read(data, actual=actual, score=score, **options)
    return reading.comparison(Confidence(level=level, seed=seed))


def evaluate_classes(
    data: Any = None,
    *,
    actual: Any,
    scores: Any,
    level: float = 0.95,
    seed: int = 0,
    **options: Any,
) -> MultiClass:
    """Evaluate a classifier of several classes from one score per class and row.

    Args:
        data: As for `evaluate`.
        actual: The class of each row.
        scores: A mapping from classes to their scores (or columns), or a table with `classes`.
        level: Confidence level of the intervals.
        seed: Same seed, same bootstrap resamples.
        options: `classes`, `weight` and `missing`.

    Example:
        >>> m = evaluate_classes(
        ...     actual=["a", "b", "c", "a"],
        ...     scores={"a": [0.7, 0.2, 0.1, 0.5], "b": [0.2, 0.5, 0.3, 0.3], "c": [0, 0.3, 1, 0]},
        ... )
        >>> m.area("hand_till").value
        1.0
    """
    from tradeoff.multiclass.multiclass import MultiClass
    from tradeoff.sources.class_scores import class_rows

    rows = class_rows(data, actual=actual, scores=scores, **options)
    return MultiClass(rows, Confidence(level, seed=seed))


def _costs_by_model(
    costs: Costs | None,
    columns: Mapping[str, Any],
    rows: Mapping[str, ScoredRows],
    rankings: Mapping[str, Ranking],
    length: int,
) -> dict[str, AnyCosts]:
    if costs is None:
        return {}
    if not columns:
        return dict.fromkeys(rows, costs)
    return {name: row_costs(rows[name], rankings[name], costs, columns, length) for name in rows}


def auc(
    actual: Any, score: Any, *, positive: Any = None, weight: Any = None, **options: Any
) -> float:
    """The area under the ROC curve, ties counting half; NaN when only one class is there.

    Example:
        >>> auc([0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9])
        0.5555555555555556
    """
    rows = scored_rows(actual, score, positive=positive, weight=weight, **options)
    positives = rows.labels.positive_rows
    if weight is not None or len(positives) > sort.FEW:
        return float(SUMMARIES["auc"](rows.ranking()))
    found = int(np.count_nonzero(positives))
    pairs = 2 * found * (len(positives) - found)
    if not pairs:
        return nan
    scores = -rows.scores if rows.lower_is_positive else rows.scores
    return twice_pairs_won(scores, positives) / pairs
