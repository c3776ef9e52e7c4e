"""Evaluation and comparison of models of which only the predicted classes are known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.comparison import Comparison
from tradeoff.comparison.difference import Difference, difference_columns
from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.paired import PairedRanking
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking, require_prevalence
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, suggest_arguments
from tradeoff.formatting import format_rows
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.results import Result, find_view, renderer
from tradeoff.sources.confusion_matrices import ranking_of_matrix
from tradeoff.sources.predicted_labels import UNDECIDED, LabelRows
from tradeoff.stats.paired_labels import mcnemar_test, paired_difference_interval
from tradeoff.stats.significance import holm_adjusted
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.estimates import matrix_estimates

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart
    from tradeoff.render.sections import Section
    from tradeoff.report.guidelines import GuidelineName

LABEL_THRESHOLD = 0.5
"""Threshold between the scores 0 and 1 that represent labels in a ranking."""
COMPARED_METRICS = ("accuracy", "true_positive_rate", "true_negative_rate")
"""Metrics by which labels of two classes are compared by default."""
METHOD = "Newcombe, paired; McNemar, mid-p"
POINT_NOTE = (
    "predicted classes, not scores: the ROC curve is a single point joined to the corners, and the "
    "AUC is that of this point"
)


@dataclass(frozen=True, eq=False, repr=False)
class LabelEvaluation(Result, views="tradeoff.evaluation.label_views"):
    """Evaluation of one or more models of which the predicted classes are known, but no scores.

    Example:
        >>> from tradeoff import evaluate_labels
        >>> e = evaluate_labels(["yes", "no", "yes"], ["yes", "yes", "no"], positive="yes")
        >>> e.matrix
                       predicted yes   predicted no
          actual yes               1              1
          actual no                1              0
        >>> e.metric("recall").value
        0.5
    """

    rows: LabelRows
    confidence: Confidence | None = DEFAULT_CONFIDENCE
    prevalence: float | None = None

    def __post_init__(self) -> None:
        """Check that the prevalence applies."""
        if self.prevalence is not None:
            require_prevalence(self.prevalence)
            if not self.is_binary:
                raise InputError("A prevalence applies to two classes: name the positive one.")

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes, or one class against the rest."""
        return self.rows.is_binary

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes; of two, the positive one comes first."""
        return self.rows.classes

    @cached_property
    def matrices(self) -> dict[str, ConfusionMatrix | ClassMatrix]:
        """Confusion matrix of each model, not adjusted to a prevalence."""
        return {name: self.rows.matrix(name) for name in self.rows.predictions}

    @property
    def binary_matrices(self) -> dict[str, ConfusionMatrix]:
        """Confusion matrix of each model, for two classes."""
        return {n: m for n, m in self.matrices.items() if isinstance(m, ConfusionMatrix)}

    @property
    def matrix(self) -> ConfusionMatrix | ClassMatrix:
        """Confusion matrix of the only model."""
        return self.matrices[self._only_model]

    @suggest_arguments
    def metric(self, name: str) -> Estimate:
        """A metric of the only model, by any of its names, with its confidence interval."""
        measure = METRICS.find(name)
        return self.estimates([measure])[self._only_model][measure.name]

    def estimates(self, measures: Sequence[Measure]) -> dict[str, dict[str, Estimate]]:
        """Estimates of metrics, by model and by the name of the metric."""
        return {
            name: matrix_estimates(measures, matrix, self.confidence)
            for name, matrix in self.reweighted_matrices.items()
        }

    @property
    def reweighted_matrices(self) -> dict[str, ConfusionMatrix | ClassMatrix]:
        """Confusion matrix of each model at the prevalence of the evaluation."""
        if self.prevalence is None:
            return self.matrices
        return {
            name: ranking.at_prevalence(self.prevalence).at(LABEL_THRESHOLD)
            for name, ranking in self.rankings.items()
        }

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Ranking of each model with the scores 1 and 0, for two classes."""
        return {name: self._ranking(name) for name in self}

    @suggest_arguments
    def compare(
        self, metric: str | Sequence[str] = (), *, vocabulary: Vocabulary = "general"
    ) -> LabelComparison:
        """Differences between all pairs of models on the rows that they share.

        Args:
            metric: Metrics to compare, under the names given here; by default accuracy,
                sensitivity and specificity.
            vocabulary: Which names to use for metrics.
        """
        if len(self) < 2:
            raise InputError("A comparison needs the predictions of two or more models.")
        names = [metric] if isinstance(metric, str) else list(metric)
        default = COMPARED_METRICS if self.is_binary else ("accuracy",)
        measures = [METRICS.find(name) for name in names] or [
            METRICS[name].in_vocabulary(vocabulary) for name in default
        ]
        confidence = self.confidence or DEFAULT_CONFIDENCE
        rows = self.rows.shared()
        differences = tuple(
            difference
            for measure in measures
            for difference in _holm_adjusted(
                [
                    _difference(rows, first, second, measure, confidence)
                    for first, second in combinations(rows.predictions, 2)
                ]
            )
        )
        return LabelComparison(rows, tuple(measures), differences, confidence)

    @suggest_arguments
    def chart(self, name: Literal["roc", "matrix"] = "roc") -> Chart:
        """Chart of the models: their points in the ROC plane, or a confusion matrix."""
        chart: Chart = find_view(self, "chart")(self, name)
        return chart

    @suggest_arguments
    def report(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
        checklist: GuidelineName | None = None,
    ) -> None:
        """Write an offline HTML report of models with two classes: matrices and ROC points.

        Args:
            path: File to write.
            title: Title of the page.
            metric: Metrics to show first, under the names given here.
            vocabulary: Which metrics to show first otherwise, and which names to use.
            checklist: Reporting guideline whose items are filled in where the data answer them:
                "stard-ai" or "tripod-ai".
        """
        from tradeoff.report.document import report_document
        from tradeoff.report.page import write_page

        rankings = {n: replace(r, notes=self.rows.notes) for n, r in self.rankings.items()}
        document = report_document(
            RankedModels(rankings),
            confidence=self.confidence,
            prevalence=self.prevalence,
            threshold=LABEL_THRESHOLD,
            title=title,
            metric=[metric] if isinstance(metric, str) else metric,
            vocabulary=vocabulary,
            label_chart=self.chart("roc"),
            checklist=checklist,
        )
        write_page(document, path)

    def sections(
        self,
        *,
        everything: bool = False,
        metric: Sequence[str] = (),
        vocabulary: Vocabulary = "general",
    ) -> list[Section]:
        """Text sections of the evaluation; arguments as for `Evaluation.sections`."""
        sections: list[Section] = find_view(self, "sections")(
            self, everything=everything, metric=metric, vocabulary=vocabulary
        )
        return sections

    def columns(
        self, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general"
    ) -> dict[str, list[Any]]:
        """All metrics as a tidy table, one row per model and metric."""
        columns: dict[str, list[Any]] = find_view(self, "columns")(
            self, metric=metric, vocabulary=vocabulary
        )
        return columns

    def to_csv(self, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general") -> str:
        """The table of `columns` as CSV."""
        columns = self.columns(metric=metric, vocabulary=vocabulary)
        return str(renderer("csv")(list(columns), zip(*columns.values(), strict=True)))

    def measures(
        self, names: Sequence[str], vocabulary: Vocabulary, *, everything: bool = True
    ) -> list[Measure]:
        """Metrics to show: those named, all, or those of a vocabulary."""
        if names:
            return [METRICS.find(name) for name in names]
        measures = vocabulary_metrics(vocabulary)
        if everything:
            measures = [measure.in_vocabulary(vocabulary) for measure in METRICS.values()]
        return [measure for measure in measures if self.is_binary or measure.any_classes]

    def __getitem__(self, name: str) -> LabelEvaluation:
        """The evaluation of one model."""
        if name not in self.rows.predictions:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(name, self.rows.predictions)} "
                f"Available models: {format_list(self.rows.predictions)}."
            )
        return replace(self, rows=self.rows.select(name))

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the models."""
        return iter(self.rows.predictions)

    def __len__(self) -> int:
        """Number of models."""
        return len(self.rows.predictions)

    def __repr__(self) -> str:
        """Models and their accuracies on one line."""
        accuracy = METRICS["accuracy"]
        models = (
            f"{name}: accuracy {values[accuracy.name]!r}"
            for name, values in self.estimates([accuracy]).items()
        )
        return f"LabelEvaluation({'; '.join(models)})"

    @property
    def _only_model(self) -> str:
        names = list(self.rows.predictions)
        if len(names) != 1:
            raise InputError(
                f"This evaluation holds {len(names)} models, {format_list(names)}: choose one, for "
                f"example e[{names[0]!r}]."
            )
        return names[0]

    def _ranking(self, name: str) -> Ranking:
        matrix = self.matrices[name]
        if not isinstance(matrix, ConfusionMatrix):
            raise InputError(
                f"A ROC point needs two classes, not {len(self.classes)}: name the positive one."
            )
        ranking = ranking_of_matrix(matrix, name)
        squares = None if matrix.squares is None else ranking_of_matrix(matrix.squares, name)
        return replace(ranking, squares=squares, notes=(f"{name}: {POINT_NOTE}",))


@dataclass(frozen=True, eq=False, repr=False)
class LabelComparison(Result, views="tradeoff.evaluation.label_views"):
    """Differences between models of which the predicted classes are known, on the same rows.

    Differences in proportions of rows have Newcombe's interval for paired proportions and McNemar's
    mid-p value; those in other metrics are bootstrapped.

    Example:
        >>> from tradeoff import evaluate_labels
        >>> labels = {"a": [1, 1, 0, 0, 0, 1], "b": [0, 1, 0, 1, 0, 1]}
        >>> c = evaluate_labels([1, 1, 0, 0, 0, 1], labels).compare()
        >>> c
        LabelComparison(a and b: 6 rows)
        >>> c.differences[0]
        Difference(a - b: accuracy 0.3333, 95% CI -0.1231 to 0.7000, p = 0.25)
    """

    rows: LabelRows
    measures: tuple[Measure, ...]
    differences: tuple[Difference, ...]
    confidence: Confidence

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per difference."""
        return difference_columns(self.differences)

    def __repr__(self) -> str:
        """One line: the models and the number of rows."""
        models = " and ".join(self.rows.predictions)
        return f"LabelComparison({models}: {format_rows(self.rows.rows)})"


def _difference(
    rows: LabelRows, first: str, second: str, measure: Measure, confidence: Confidence
) -> Difference:
    """Difference between two models in one metric."""
    if _is_proportion_of_rows(measure):
        if not rows.is_counted:
            raise InputError(
                "McNemar's test needs weights that are counts, or no weights: leave out the "
                "weights, or name a metric that is bootstrapped, such as precision."
            )
        return _proportion_difference(rows, first, second, measure, confidence.level)
    return _bootstrap_difference(rows, first, second, measure, confidence)


def _is_proportion_of_rows(measure: Measure) -> bool:
    """Whether a metric is a proportion of rows whose choice does not depend on the predictions."""
    return measure.trials in {"rows", "positives", "negatives"}


def _proportion_difference(
    rows: LabelRows, first: str, second: str, measure: Measure, level: float
) -> Difference:
    """Difference between proportions of the same rows, by Newcombe's method and McNemar's test."""
    (denominator, first_numerator), (_, second_numerator) = (
        _denominator_and_numerator(rows, measure, name) for name in (first, second)
    )
    weights = np.ones(rows.rows, np.int64) if rows.weights is None else rows.weights

    def count(mask: NDArray[np.bool_]) -> float:
        return float(weights[mask & denominator].sum())

    both = count(first_numerator & second_numerator)
    only_first = count(first_numerator & ~second_numerator)
    only_second = count(~first_numerator & second_numerator)
    neither = count(~first_numerator & ~second_numerator)
    total = both + only_first + only_second + neither
    difference = Difference(
        first,
        second,
        measure.name,
        (both + only_first) / total if total else np.nan,
        (both + only_second) / total if total else np.nan,
        level=level,
        method=METHOD,
        better=measure.better or "higher",
        label=measure.label,
    )
    if not total:
        return replace(difference, reason=measure.undefined or "there are no such rows")
    low, high = paired_difference_interval(both, only_first, only_second, neither, level)
    test = mcnemar_test(only_first, only_second)
    note = None
    if test.note is not None:
        note = "both are right on the same rows" if measure.better == "higher" else None
    return replace(difference, low=low, high=high, p_value=test.p_value, note=note)


def _denominator_and_numerator(
    rows: LabelRows, measure: Measure, name: str
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Masks of the rows in the denominator of a proportion, and of those in its numerator.

    Each kind of row (by actual and predicted class) is in the numerator if a matrix of such rows
    alone has the proportion 1: for an error rate, the misclassified rows.
    """
    predicted = rows.predictions[name]
    if not rows.is_binary:
        is_correct = predicted == rows.codes
        numerator = is_correct if measure.better == "higher" else ~is_correct
        return np.ones(rows.rows, np.bool_), numerator
    is_positive, is_undecided = rows.codes == 0, predicted == UNDECIDED
    is_predicted = (predicted == 0) & ~is_undecided
    # Indices of the cells of a confusion matrix: TP, FN, FP, TN and rejected rows of either class.
    decided_cells = np.where(
        is_positive, np.where(is_predicted, 0, 1), np.where(is_predicted, 2, 3)
    )
    cells = np.where(is_undecided, np.where(is_positive, 4, 5), decided_cells)
    values = np.asarray(measure(ConfusionMatrix(*np.eye(6))), np.float64)
    return ~np.isnan(values[cells]), values[cells] == 1


def _bootstrap_difference(
    rows: LabelRows, first: str, second: str, measure: Measure, confidence: Confidence
) -> Difference:
    """Difference in any other metric of two classes, by paired bootstrap."""
    if not rows.is_binary:
        raise InputError(
            f"With more than two classes, models are compared by accuracy, not by {measure.label}."
        )
    if any((rows.predictions[name] == UNDECIDED).any() for name in (first, second)):
        raise InputError(
            f"Undecided rows: models are compared by proportions of rows, not by {measure.label}."
        )
    scores = {name: (rows.predictions[name] == 0).astype(np.float64) for name in (first, second)}
    paired = PairedRanking(
        scores,
        rows.codes == 0,
        rows.weights,
        positive=rows.classes[0],
        negative=rows.classes[1],
        importance=not rows.is_counted,
    )
    (difference,) = Comparison(paired, confidence).differences(
        measure, at=("threshold", LABEL_THRESHOLD)
    )
    return replace(difference, metric=measure.name, label=measure.label)


def _holm_adjusted(differences: list[Difference]) -> list[Difference]:
    """Differences with p-values adjusted for all pairs of models."""
    adjusted = holm_adjusted([difference.p_value for difference in differences])
    return [
        replace(difference, adjusted=float(p))
        for difference, p in zip(differences, adjusted, strict=True)
    ]
