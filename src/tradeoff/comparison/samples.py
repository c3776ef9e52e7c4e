"""Comparison of models between independent samples, such as the rows of two months."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from tradeoff.comparison.difference import Difference, difference_columns
from tradeoff.comparison.noninferiority import (
    Verdict,
    equivalence_verdict,
    noninferiority_verdict,
)
from tradeoff.comparison.unpaired import unpaired_difference
from tradeoff.core.costs import AnyCosts
from tradeoff.core.paired import PairedRanking
from tradeoff.core.ranking import Ranking
from tradeoff.errors import ColumnError, InputError, format_list, suggest_arguments
from tradeoff.formatting import printable
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import Measure, is_summary
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_measures
from tradeoff.results import Result
from tradeoff.sources.columns import Columns
from tradeoff.sources.files import Query, is_file_or_query
from tradeoff.sources.read import read
from tradeoff.sources.row_policy import Missing, RowPolicy, WeightMeans
from tradeoff.stats.significance import holm_adjusted
from tradeoff.thresholds.operating_threshold import require_thresholds
from tradeoff.uncertainty.confidence import Confidence, Sampling
from tradeoff.uncertainty.estimates import question_estimate
from tradeoff.uncertainty.question import (
    THRESHOLD,
    Question,
    build_question,
    question_options,
)
from tradeoff.wording import Wording

MAX_PATH_LENGTH = 200
"""Maximum length of the path of a file in messages."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One model on one sample: its ranking, and its estimates by metric as requested."""

    sample: str
    model: str
    ranking: Ranking
    estimates: Mapping[str, Estimate]
    file: str | None = None
    clusters: PairedRanking | None = None


@dataclass(frozen=True, eq=False, repr=False)
class SampleComparison(Result, views="tradeoff.comparison.sample_views"):
    """Comparison of models between independent samples, each with rows of its own.

    Differences are later minus earlier, in the order in which the samples were named.
    """

    samples: tuple[Sample, ...]
    differences: tuple[Difference, ...]
    verdicts: tuple[Verdict, ...] = ()
    level: float = 0.95

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per difference."""
        return difference_columns(self.differences)

    def __repr__(self) -> str:
        """One line: the samples and models."""
        samples = ", ".join(dict.fromkeys(sample.sample for sample in self.samples))
        models = ", ".join(dict.fromkeys(sample.model for sample in self.samples))
        return f"SampleComparison({samples}: {models})"


@suggest_arguments
def compare_samples(  # noqa: PLR0913 - samples, columns, metrics and confidence
    samples: Mapping[str, Any],
    score: Any,
    *,
    actual: str,
    metric: str | Sequence[str] = "auc",
    at: tuple[str, float] | None = None,
    margin: float | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    positive: Any = None,
    weight: str | None = None,
    weight_means: WeightMeans | None = None,
    cluster: str | None = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
    level: float = 0.95,
    method: str | None = None,
    replicates: int = 1000,
    seed: int = 0,
    sampling: Sampling = "random",
    vocabulary: Vocabulary = "general",
    unit: str = "rows",
    currency: str = "",
    progress: Any = None,
) -> SampleComparison:
    """Compare models between independent samples, such as the rows of two months.

    The samples must not share rows, nor patients or customers: for models on the same rows use
    `compare`, which is more precise. AUCs are compared by DeLong's variances with Welch's degrees
    of freedom, other metrics by a bootstrap of each sample.

    Args:
        samples: Tables by name, in order: data frames, or paths of files.
        score: The score column, or a list of several.
        actual: The column of the actual class.
        metric: Any summary or metric, or "cost" with `costs`; or several.
        at: Operating point at which a metric is evaluated: ("threshold", 0.5), or the value of
            another metric, ("fpr", 0.1).
        margin: Also test non-inferiority and equivalence with this margin.
        costs: Costs of the outcomes, for "cost".
        prevalence: Prevalence for which metrics of all samples are computed, so that a change of
            the prevalence alone does not change them.
        positive: The positive class; this and all further parameters are as for `evaluate`.
        weight: Column of row weights.
        weight_means: Meaning of the weights.
        cluster: Column of the patient, user or machine that each row comes from.
        missing: How rows without a score are handled.
        lower_is_positive: Whether lower scores indicate the positive class.
        digits: Number of decimals to which scores are rounded first.
        level: Confidence level of the intervals.
        method: "bootstrap" also for the AUC.
        replicates: Number of bootstrap resamples.
        seed: Random seed; the same seed gives the same resamples.
        sampling: How rows were sampled: at "random", or a fixed number "by class" (case–control).
        vocabulary: Which names to use for metrics.
        unit: Plural noun for what the rows represent in text, such as "customers".
        currency: Currency of costs in text, such as "EUR" or "$".
        progress: Called with the number of finished resamples and their total.

    Example:
        >>> import pandas as pd
        >>> then = pd.DataFrame({"y": [0, 0, 1, 0, 1, 1], "p": [1, 2, 3, 4, 5, 6]})
        >>> now = pd.DataFrame({"y": [0, 1, 0, 0, 1, 1], "p": [1, 2, 3, 4, 5, 6]})
        >>> compare_samples({"then": then, "now": now}, "p", actual="y").differences[0]
        Difference(now - then: auc -0.1111, 95% CI -0.7828 to 0.5606, p = 0.71)
    """
    if len(samples) < 2:
        raise InputError("A comparison needs two or more samples, as in {'then': …, 'now': …}.")
    if method not in {None, "delong", "bootstrap"}:
        raise InputError(
            f"Independent samples are compared by 'delong' or 'bootstrap', not {method!r}."
        )
    policy = RowPolicy(
        positive, weight_means, missing, lower_is_positive, digits, Wording(unit, currency)
    )
    columns = Columns(actual, score, weight, cluster=cluster)
    interval_method = None if method == "delong" else method
    confidence = Confidence(level, interval_method, replicates, seed, sampling, progress=progress)
    options = {"at": at, "prevalence": prevalence, "costs": costs}
    metrics = vocabulary_measures([metric] if isinstance(metric, str) else metric, vocabulary)
    all_samples = _read_samples(samples, columns, policy)
    questions = [_question(measure, all_samples, options) for measure in metrics]
    if method == "delong" and any(question.name != "auc" for question in questions):
        raise InputError("DeLong's test compares AUCs: leave out `method` for other metrics.")
    all_samples = [
        replace(sample, estimates=_estimates(sample, questions, confidence))
        for sample in all_samples
    ]
    differences = [
        difference
        for question in questions
        for difference in _differences(all_samples, question, confidence)
    ]
    verdicts = [
        test(difference, margin)
        for difference in differences
        if margin is not None
        for test in (noninferiority_verdict, equivalence_verdict)
    ]
    return SampleComparison(tuple(all_samples), tuple(differences), tuple(verdicts), level)


def _question(
    measure: str | Measure, samples: Sequence[Sample], options: Mapping[str, Any]
) -> Question:
    """The question that a comparison in one measure asks of every sample.

    A metric is evaluated at the point that was given, else at 0.5 if all scores are probabilities.
    """
    name = measure if isinstance(measure, str) else measure.name
    if options["at"] is None and not is_summary(name):
        rankings = {f"{s.model} ({s.sample})": s.ranking for s in samples}
        (value, *_) = require_thresholds(
            rankings, None, name, argument='at=("threshold", …)'
        ).values()
        options = {**options, "at": (THRESHOLD, value)}
    question = build_question(measure, **question_options(measure, options))
    return question.with_wording(samples[0].ranking.wording)


def _read_samples(samples: Mapping[str, Any], columns: Columns, policy: RowPolicy) -> list[Sample]:
    """Rankings of all models on all samples; errors name the sample."""
    _require_different_files(samples)
    rankings: list[Sample] = []
    problems: dict[str, ColumnError] = {}
    for name, data in samples.items():
        try:
            models = read(data, columns, policy).models
        except ColumnError as problem:
            problems[name] = problem
            continue
        except InputError as problem:
            raise InputError(f"In {_title(name, data)}: {problem}") from problem
        file = str(data) if is_file_or_query(data) else None
        rankings += [
            Sample(name, model, ranking, {}, file, models.clusters.get(model))
            for model, ranking in models.rankings.items()
        ]
    if problems:
        name, reason = next(iter(problems.items()))
        complete = [_title(n, data) for n, data in samples.items() if n not in problems]
        advice = f" {complete[0]} has it: both need the same columns." if complete else ""
        raise ColumnError(f"In {_title(name, samples[name])}: {reason}{advice}") from reason
    _require_same_classes(rankings)
    return rankings


def _title(name: str, data: Any) -> str:
    """Name of a sample, with its file, for messages."""
    return (
        f"{name} ({printable(str(data), MAX_PATH_LENGTH)})" if is_file_or_query(data) else str(name)
    )


def _require_different_files(samples: Mapping[str, Any]) -> None:
    """Require that no file is given twice: the samples would not be independent."""
    paths = [
        os.path.realpath(path)
        for data in samples.values()
        if is_file_or_query(data) and not isinstance(data, Query)
        for path in getattr(data, "paths", [data])
    ]
    for path in paths:
        if paths.count(path) > 1:
            raise InputError(
                f"{printable(path, MAX_PATH_LENGTH)} is given twice: samples must be different "
                "rows. To compare models on the same rows, name one file and several scores."
            )


def _require_same_classes(samples: Sequence[Sample]) -> None:
    first = samples[0].ranking
    for sample in samples[1:]:
        if sample.ranking.positive != first.positive:
            raise InputError(
                f"The positive class is {first.positive!r} in {samples[0].sample} but "
                f"{sample.ranking.positive!r} in {sample.sample}: name it, as in "
                f"positive={first.positive!r}."
            )
    empty = [s.sample for s in samples if not (s.ranking.positives and s.ranking.negatives)]
    if empty and len(set(empty)) == len({s.sample for s in samples}):
        raise InputError(f"Only one class occurs in {format_list(dict.fromkeys(empty))}.")


def _estimates(
    sample: Sample, questions: Sequence[Question], confidence: Confidence
) -> dict[str, Estimate]:
    """Estimate and interval for each question, by name."""
    return {
        question.name: question_estimate(question, sample.ranking, confidence, sample.clusters)
        for question in questions
    }


def _differences(
    samples: Sequence[Sample], question: Question, confidence: Confidence
) -> list[Difference]:
    """Differences of each model between all pairs of samples, later minus earlier."""
    models = list(dict.fromkeys(sample.model for sample in samples))
    differences = []
    for model in models:
        for earlier, later in combinations([s for s in samples if s.model == model], 2):
            first, second = (
                sample.ranking.named(
                    sample.sample if len(models) == 1 else f"{model} {sample.sample}"
                )
                for sample in (later, earlier)
            )
            clusters = (later.clusters, earlier.clusters)
            difference = unpaired_difference(first, second, question, confidence, clusters)
            differences.append(replace(difference, better=question.better))
    p_values = holm_adjusted([difference.p_value for difference in differences])
    return [
        replace(difference, adjusted=float(p))
        for difference, p in zip(differences, p_values, strict=True)
    ]
