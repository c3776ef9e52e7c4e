"""Main entry points: evaluate, compare, evaluate_classes, evaluate_labels and auc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.comparison.comparison import Comparison
from tradeoff.core import sort
from tradeoff.core.concordance import twice_concordant_pairs
from tradeoff.core.costs import Costs
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.registry import SUMMARIES
from tradeoff.sources.class_scores import MissingScores
from tradeoff.sources.columns import Columns
from tradeoff.sources.evaluate_arguments import (
    resolve_class_columns,
    resolve_columns,
    resolve_predicted_columns,
)
from tradeoff.sources.options import BadRows, ReadOptions
from tradeoff.sources.read import read
from tradeoff.sources.row_policy import Missing, RowPolicy, WeightMeans
from tradeoff.sources.row_rules import check_rows
from tradeoff.thresholds.operating_threshold import Thresholds, goal_of
from tradeoff.uncertainty.confidence import Confidence, Sampling
from tradeoff.wording import Wording

if TYPE_CHECKING:
    from tradeoff.evaluation.labels import LabelEvaluation
    from tradeoff.multiclass.multiclass import MultiClass
    from tradeoff.sources.predicted_labels import MissingLabels


@suggest_arguments
def evaluate(  # noqa: PLR0913 - options that only the caller can choose
    data: Any = None,
    score: Any = None,
    *,
    actual: Any = None,
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
    threshold: Thresholds | None = None,
    by: str | None = None,
    target: float | None = None,
    prevalence: float | None = None,
    level: float | None = 0.95,
    method: str | None = None,
    replicates: int = 1000,
    seed: int = 0,
    sampling: Sampling = "random",
    unit: str = "rows",
    currency: str = "",
) -> Evaluation:
    """Evaluate the scores of one or more models.

    Args:
        data: The actual class of each row, as in `evaluate(y, score)`. Or a table: a dataframe of
            any library, the path of a CSV, Parquet or JSON file (or of several:
            "scores/*.parquet", a folder), of a DuckDB database, or a `Query`; then `actual`,
            `score`, `weight`, `fold`, `segment` and `cluster` name its columns. Large files are
            read in batches; lazy frames, databases and Spark count rows where they are. `File`
            says how a file is written where that is not recognized. Of a table, columns that are
            not named are inferred where only one choice is possible, as `look` shows.
        score: The score of each row: the higher, the more likely positive. Several columns (a list
            of names, or a mapping from names to values) are several models; "p_*" stands for
            all columns of a table whose names begin with p_.
        actual: The actual class of each row.
        positive: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        weight: The weight of each row; rows of weight 0 are left out.
        weight_means: "frequency": how often a row was observed; intervals count it that many times.
            "importance": how much it matters; unequal weights make intervals wider.
            By default, integers are frequencies and real numbers importances.
        fold: The fold or run in which each row was tested.
        segment: The part of the population that each row belongs to.
        cluster: The patient, user or machine that each row comes from, if several rows come
            from one: intervals then treat clusters, not rows, as independent.
        costs: Costs of outcomes, which may be names of columns.
        missing: What to do with rows without a score: "error", "drop", "reject" (undecided) or
            "negative" (ranked last).
        lower_is_positive: Whether lower scores indicate the positive class.
        digits: Round scores to this many decimals first, so that nearly equal scores are tied.
        memory: Memory limit where rows are read in batches, such as "2GB" (default: 1 GB). Files
            over 64 MB are read in batches, and smaller ones if this is given.
        bins: Keep at most this many thresholds; counts stay exact at each of them, and the output
            says what else is approximate. Default: all, or a million if rows are read in batches.
        exact: Read the rows twice, so that the AUC and its interval are exact despite bins.
        bad_rows: "stop" at a line of a CSV file that cannot be parsed, or "skip" it with a note.
        threshold: Threshold of the confusion matrix and metrics unless another one is named: a
            number, or a mapping from models to numbers. By default the best one by `by` or for the
            costs; without these 0.5 for probabilities, else that of Youden's J (provisional).
        by: Criterion by which the default threshold is chosen on these rows, as for
            `Evaluation.best`: a metric to optimize, "youden", or a metric that must reach `target`.
        target: Value that the metric of `by` must reach, or a number or proportion of rows.
        prevalence: Proportion of positives where the models will be used; defaults to the
            prevalence in the rows.
        level: Confidence level of all intervals; None omits them.
        method: Interval method; by default, each metric uses the one that suits it.
        replicates: Number of bootstrap resamples, where intervals need them.
        seed: Seed of the bootstrap.
        sampling: How rows were sampled: at "random", or a fixed number "by class" (case–control).
        unit: Plural noun for what the rows represent in text, such as "customers".
        currency: Currency of costs and profits in text, such as "EUR" or "$".

    Example:
        >>> e = evaluate(["yes", "no", "yes"], [0.9, 0.4, 0.3], positive="yes")
        >>> e.auc.value
        0.5
        >>> e.at(0.5)
                       predicted yes   predicted no
          actual yes               1              1
          actual no                0              1
    """
    data, actual, score, roles = resolve_columns(data, actual, score, positive)
    options = ReadOptions(memory, bins, exact, bad_rows)
    columns = Columns(actual, score, weight, fold, segment, cluster)
    policy = RowPolicy(
        positive, weight_means, missing, lower_is_positive, digits, Wording(unit, currency)
    )
    confidence = None
    if level is not None:
        confidence = Confidence(level, method, replicates, seed, sampling)
    models = read(data, columns, policy, options, costs).models
    if roles is not None:
        models = models.with_note(f"columns were inferred: {roles.sentence}")
    return Evaluation(models, confidence, prevalence, threshold, goal_of(by, target))


@suggest_arguments
def compare(  # noqa: PLR0913 - options that only the caller can choose
    data: Any = None,
    score: Any = None,
    *,
    actual: Any = None,
    positive: Any = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    cluster: Any = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    level: float = 0.95,
    seed: int = 0,
    unit: str = "rows",
    currency: str = "",
) -> Comparison:
    """Compare two or more models that scored the same rows.

    Args:
        data: The actual class of each row, or a table, as for `evaluate`.
        score: The models: a mapping from names to values, or a list of a table's columns.
        actual: The actual class of each row.
        positive: The positive class, as for `evaluate`.
        weight: The weight of each row.
        weight_means: Whether weights are frequencies or importances, as for `evaluate`.
        cluster: The patient, user or machine that each row comes from.
        missing: As for `evaluate`; with "drop", only rows that every model scored are kept.
        lower_is_positive: Whether lower scores indicate the positive class.
        digits: Round scores to this many decimals first.
        level: Confidence level of the intervals.
        seed: Seed of the bootstrap and of permutation tests.
        unit: Plural noun for what the rows represent in text, such as "customers".
        currency: Currency of costs in text, such as "EUR" or "$".

    Example:
        >>> c = compare([0, 0, 1, 0, 1, 1], {"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]})
        >>> c.difference("a", "b")
        Difference(a - b: auc 0.1111, 95% CI -0.3758 to 0.5981, p = 0.65)
    """
    data, actual, score, _ = resolve_columns(data, actual, score, positive)
    has_names = isinstance(score, Mapping) or (data is not None and isinstance(score, list | tuple))
    if not has_names or len(score) < 2:
        raise InputError("A comparison needs the scores of two or more models.")
    columns = Columns(actual, score, weight, cluster=cluster)
    policy = RowPolicy(
        positive, weight_means, missing, lower_is_positive, digits, Wording(unit, currency)
    )
    paired = read(data, columns, policy).paired
    return Comparison(paired, Confidence(level=level, seed=seed))


@suggest_arguments
def evaluate_classes(  # noqa: PLR0913 - options that only the caller can choose
    data: Any = None,
    score: Any = None,
    *,
    actual: Any = None,
    classes: Sequence[Any] | None = None,
    weight: Any = None,
    missing: MissingScores = "error",
    level: float = 0.95,
    seed: int = 0,
    unit: str = "rows",
) -> MultiClass:
    """Evaluate a multiclass classifier from one score per class and row.

    Args:
        data: The actual class of each row, or a table, as for `evaluate`. Of a table, columns
            that are not named are inferred if those of scores are named after the classes.
        score: A mapping from classes to their scores (or columns), or a table with one column for
            each of `classes`.
        actual: The actual class of each row.
        classes: The classes of the columns of such a table, in the same order.
        weight: The weight of each row.
        missing: What to do with rows without a class or without a score: "error" or "drop".
        level: Confidence level of the intervals.
        seed: Seed of the bootstrap.
        unit: Plural noun for what the rows represent in text, such as "patients".

    Example:
        >>> m = evaluate_classes(
        ...     ["a", "b", "c", "a"],
        ...     {"a": [0.7, 0.2, 0.1, 0.5], "b": [0.2, 0.5, 0.3, 0.3], "c": [0, 0.3, 1, 0]},
        ... )
        >>> m.area("hand_till").value
        1.0
    """
    from tradeoff.multiclass.multiclass import MultiClass
    from tradeoff.sources.class_scores import read_class_scores

    data, actual, score, roles = resolve_class_columns(data, actual, score, classes)
    rows = read_class_scores(
        data,
        actual=actual,
        score=score,
        classes=classes,
        weight=weight,
        missing=missing,
        wording=Wording(unit),
    )
    if roles is not None:
        rows = replace(rows, notes=(*rows.notes, f"columns were inferred: {roles.sentence}"))
    return MultiClass(rows, Confidence(level, seed=seed))


@suggest_arguments
def auc(  # noqa: PLR0913 - options that only the caller can choose
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
    """Compute the AUC of scores, ties counting half; NaN if there is only one class.

    Example:
        >>> auc([0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9])
        0.5555555555555556
    """
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits)
    batch = check_rows(actual, score, policy, weight=weight)
    rows = batch.scored
    positive_rows = rows.labels.positive_rows
    if weight is not None or len(positive_rows) > sort.MIN_KEYED_ROWS:
        return float(SUMMARIES["auc"](batch.ranking()))
    positive_count = int(np.count_nonzero(positive_rows))
    twice_pair_count = 2 * positive_count * (len(positive_rows) - positive_count)
    if not twice_pair_count:
        return nan
    scores = -rows.scores if rows.lower_is_positive else rows.scores
    return twice_concordant_pairs(scores, positive_rows) / twice_pair_count


@suggest_arguments
def evaluate_labels(  # noqa: PLR0913 - options that only the caller can choose
    data: Any = None,
    predicted: Any = None,
    *,
    actual: Any = None,
    positive: Any = None,
    weight: Any = None,
    missing: MissingLabels = "error",
    rejected: Any = None,
    prevalence: float | None = None,
    level: float | None = 0.95,
    method: str | None = None,
    replicates: int = 1000,
    seed: int = 0,
    sampling: Sampling = "random",
    unit: str = "rows",
) -> LabelEvaluation:
    """Evaluate models from their predicted classes, without scores.

    Args:
        data: The actual class of each row, or a table, as for `evaluate`. Of a table, the column of
            the actual class is inferred if only one has the values of the predictions.
        predicted: The predicted class of each row. Several columns (a list of names, or a mapping
            from names to values) are several models.
        actual: The actual class of each row.
        positive: The positive class; with more than two classes, it is set against the rest.
            Without it, more than two classes give confusion matrices of all classes.
        weight: The weight of each row.
        missing: What to do with rows without a prediction: "error", "drop" or "reject"
            (undecided).
        rejected: The value of a prediction that stands for "undecided".
        prevalence: Proportion of positives where the models will be used; by default that of the
            rows.
        level: Confidence level of all intervals; None leaves them out.
        method: Interval method; by default each metric has the one that suits it.
        replicates: Number of bootstrap resamples, where intervals need them.
        seed: Seed of the bootstrap.
        sampling: How rows were sampled: at "random", or a fixed number "by class" (case–control).
        unit: Plural noun for what the rows represent in text, such as "patients".

    Example:
        >>> e = evaluate_labels(["a", "b", "c", "a"], {"m": ["a", "b", "a", "a"]})
        >>> e.matrix
        ClassMatrix(3 classes, 3 of 4 rows correct)
    """
    from tradeoff.evaluation.labels import LabelEvaluation
    from tradeoff.sources.predicted_labels import read_predicted_labels

    data, actual, roles = resolve_predicted_columns(data, actual, predicted, positive, rejected)
    rows = read_predicted_labels(
        data,
        actual=actual,
        predicted=predicted,
        positive=positive,
        weight=weight,
        missing=missing,
        rejected=rejected,
        wording=Wording(unit),
    )
    if roles is not None:
        rows = replace(rows, notes=(*rows.notes, f"columns were inferred: {roles.sentence}"))
    confidence = None
    if level is not None:
        confidence = Confidence(level, method, replicates, seed, sampling)
    return LabelEvaluation(rows, confidence, prevalence)
