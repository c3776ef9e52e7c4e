"""From rows to an evaluation: the one place where sources and analysis meet."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.comparison.comparison import Comparison
from tradeoff.core import sort
from tradeoff.core.concordance import twice_pairs_won
from tradeoff.core.costs import Costs
from tradeoff.errors import InputError
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.registry import SUMMARIES
from tradeoff.sources.columns import Columns
from tradeoff.sources.options import BadRows, ReadOptions
from tradeoff.sources.policy import Missing, RowPolicy, WeightMeans, checked_rows
from tradeoff.sources.read import read
from tradeoff.uncertainty.confidence import Confidence, Sampling

if TYPE_CHECKING:
    from tradeoff.multiclass.multiclass import MultiClass


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
    threshold: float = 0.5,
    prevalence: float | None = None,
    level: float | None = 0.95,
    method: str | None = None,
    replicates: int = 1000,
    seed: int = 0,
    sampling: Sampling = "random",
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
        threshold: The one that matrix and metrics are of unless another one is named.
        prevalence: The share of positives where the models will be used; the rows' own if None.
        level: Confidence level of all intervals; None leaves them out.
        method: How intervals are found; each number has the one that suits it if None.
        replicates: Number of bootstrap resamples, where intervals need them.
        seed: Same seed, same resamples.
        sampling: How rows were sampled: "random", or so many "by class" (case–control).

    Example:
        >>> e = evaluate(actual=["yes", "no", "yes"], score=[0.9, 0.4, 0.3], positive="yes")
        >>> e.auc.value
        0.5
        >>> e.at(0.5)
        ConfusionMatrix(1 of 2 'yes' found, 0 of 1 'no' called 'yes')
    """
    options = ReadOptions(memory, bins, exact, bad_rows)
    columns = Columns(actual, score, weight, fold, segment, cluster)
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits)
    confidence = None
    if level is not None:
        confidence = Confidence(level, method, replicates, seed, sampling)
    models = read(data, columns, policy, options, costs).models
    return Evaluation(models, confidence, prevalence, threshold)


def compare(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    data: Any = None,
    *,
    actual: Any,
    score: Any,
    positive: Any = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    cluster: Any = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Compare two or more models that scored the same rows.

    Args:
        data: As for `evaluate`.
        actual: The class of each row.
        score: Several columns (a list of names, or a mapping from names to values): the models.
        positive: The positive class, as for `evaluate`.
        weight: What each row counts.
        weight_means: What weights mean, as for `evaluate`.
        cluster: The patient, user or machine that each row comes from.
        missing: As for `evaluate`; with "drop" a row must have a score of every model.
        lower_is_positive: Lower scores mean positive.
        digits: Round scores to so many decimals first.
        level: How sure intervals shall be.
        seed: Same seed, same answer, where rows are drawn again.

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
    columns = Columns(actual, score, weight, cluster=cluster)
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits)
    paired = read(data, columns, policy).paired
    return Comparison(paired, Confidence(level=level, seed=seed))


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


def auc(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    actual: Any,
    score: Any,
    *,
    positive: Any = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
) -> float:
    """The area under the ROC curve, ties counting half; NaN when only one class is there.

    Example:
        >>> auc([0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9])
        0.5555555555555556
    """
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits)
    batch = checked_rows(actual, score, policy, weight=weight)
    rows = batch.decided
    positives = rows.labels.positive_rows
    if weight is not None or len(positives) > sort.FEW:
        return float(SUMMARIES["auc"](batch.ranking()))
    size = int(np.count_nonzero(positives))
    pairs = 2 * size * (len(positives) - size)
    if not pairs:
        return nan
    scores = -rows.scores if rows.lower_is_positive else rows.scores
    return twice_pairs_won(scores, positives) / pairs
