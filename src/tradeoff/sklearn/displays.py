"""Displays like scikit-learn's, drawn from predictions, an estimator or a cross-validation.

Parameters have scikit-learn's names (`y_true`, `pos_label`, `sample_weight`), so that only the
import has to be changed. scikit-learn is not required: an estimator is any object with
`predict_proba`, `decision_function` or `predict`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix, Rows
from tradeoff.core.costs import Costs
from tradeoff.core.ranked_models import RankedModels
from tradeoff.entry_points import evaluate
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.evaluation.charts import Thresholds, evaluation_chart
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.curves import CURVES
from tradeoff.render.chart import Chart
from tradeoff.render.matplotlib.figures import draw_chart
from tradeoff.sklearn.estimators import positive_class, score_rows, two_classes
from tradeoff.sources.confusion_matrices import confusion_matrix
from tradeoff.views.matrices import matrix_chart

DEFAULT_NAME = "Classifier"


@dataclass(frozen=True, eq=False, repr=False)
class Display:
    """A chart on matplotlib axes, with the interface of scikit-learn's displays.

    `evaluation` gives all metrics of the model; `plot` draws the chart on other axes.
    """

    kind: ClassVar[str] = ""

    chart: Chart
    ax_: Any
    evaluation: Evaluation | None = None
    confusion_matrix: ConfusionMatrix | ClassMatrix | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def figure_(self) -> Any:
        """The matplotlib figure."""
        return self.ax_.figure

    @property
    def lines_(self) -> list[Any]:
        """Lines of the models on the axes, in drawing order."""
        prefixes = ("tradeoff:model", "tradeoff:average")
        return [line for line in self.ax_.lines if (line.get_gid() or "").startswith(prefixes)]

    @property
    def line_(self) -> Any:
        """Line of the model drawn last."""
        if not self.lines_:
            raise AttributeError(f"A display of {self.kind} has no line for the model.")
        return self.lines_[-1]

    def plot(self, ax: Any = None, *, name: str | None = None) -> Self:
        """Draw the chart on other axes or on new ones, with `name` in the legend if it is given."""
        if name is None or self.evaluation is None:
            return replace(self, ax_=draw_chart(self.chart, ax))
        return self._draw(_renamed(self.evaluation, name), ax, self.options)

    @classmethod
    def _draw(cls, evaluation: Evaluation, ax: Any, options: Mapping[str, Any]) -> Self:
        chart = evaluation_chart(evaluation, cls.kind, **options)
        return cls(chart, draw_chart(chart, ax), evaluation, options=options)

    def __repr__(self) -> str:
        """Class and title of the chart."""
        return f"{type(self).__name__}({self.chart.title})"


class ScoreDisplay(Display):
    """A chart of scores, drawn from predictions, an estimator or a cross-validation."""

    @classmethod
    @suggest_arguments
    def from_predictions(  # noqa: PLR0913 - scikit-learn's parameters, and the chart's
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        threshold: Thresholds = None,
        by: str | None = None,
        target: float | None = None,
        costs: Costs | None = None,
        hull: bool | None = None,
        band: str | None = None,
        average: str | None = None,
        bins: int | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
    ) -> Self:
        """Draw from actual classes and scores.

        Args:
            y_true: The actual class of each row.
            y_score: The score of each row.
            sample_weight: The weight of each row.
            pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans.
            name: Name of the model in the legend.
            ax: Axes to draw on; by default a new figure.
            threshold: Threshold or thresholds to mark.
            by: Criterion for choosing a threshold to mark, as for `Evaluation.best`.
            target: Value that the criterion must reach.
            costs: Costs of the outcomes.
            hull: Whether to draw the convex hull of the ROC curve.
            band: Confidence band: "pointwise", "simultaneous" or "bootstrap"; over folds "t", "sd"
                or "se".
            average: Averaging method over folds: "vertical", "horizontal", "threshold" or "pooled".
            bins: Number of bins, for charts with bins.
            level: Confidence level.
            replicates: Number of bootstrap resamples for a band.
            seed: Seed of the bootstrap.
        """
        evaluation = _evaluate(
            actual=y_true,
            score={name or DEFAULT_NAME: y_score},
            positive=pos_label,
            weight=sample_weight,
        )
        options = _without_none(
            threshold=threshold,
            by=by,
            target=target,
            costs=costs,
            hull=hull,
            band=band,
            average=average,
            bins=bins,
            level=level,
            replicates=replicates,
            seed=seed,
        )
        return cls._draw(evaluation, ax, options)

    @classmethod
    @suggest_arguments
    def from_estimator(  # noqa: PLR0913 - scikit-learn's parameters, and the chart's
        cls,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        threshold: Thresholds = None,
        by: str | None = None,
        target: float | None = None,
        costs: Costs | None = None,
        hull: bool | None = None,
        band: str | None = None,
        average: str | None = None,
        bins: int | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
    ) -> Self:
        """Draw from a fitted classifier of two classes and test rows.

        Args:
            estimator: The fitted classifier.
            X: The features of the test rows.
            y: The actual class of each row.
            sample_weight: The weight of each row.
            response_method: "predict_proba", "decision_function" or "auto": the first available.
            pos_label: The positive class; by default the second class of the classifier.
            name: Name of the model in the legend.
            ax: Axes to draw on; by default a new figure.
            threshold: Threshold or thresholds to mark.
            by: Criterion for choosing a threshold to mark, as for `Evaluation.best`.
            target: Value that the criterion must reach.
            costs: Costs of the outcomes.
            hull: Whether to draw the convex hull of the ROC curve.
            band: Confidence band: "pointwise", "simultaneous" or "bootstrap"; over folds "t", "sd"
                or "se".
            average: Averaging method over folds: "vertical", "horizontal", "threshold" or "pooled".
            bins: Number of bins, for charts with bins.
            level: Confidence level.
            replicates: Number of bootstrap resamples for a band.
            seed: Seed of the bootstrap.
        """
        response = score_rows(estimator, X, _positive_class(estimator, pos_label), response_method)
        return cls.from_predictions(
            y,
            response.scores,
            sample_weight=sample_weight,
            pos_label=response.positive,
            name=name or type(estimator).__name__,
            ax=ax,
            threshold=threshold,
            by=by,
            target=target,
            costs=costs,
            hull=hull,
            band=band,
            average=average,
            bins=bins,
            level=level,
            replicates=replicates,
            seed=seed,
        )

    @classmethod
    @suggest_arguments
    def from_cv_results(  # noqa: PLR0913 - scikit-learn's parameters, and the chart's
        cls,
        cv_results: Mapping[str, Any],
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        threshold: Thresholds = None,
        by: str | None = None,
        target: float | None = None,
        costs: Costs | None = None,
        hull: bool | None = None,
        band: str | None = None,
        average: str | None = None,
        bins: int | None = None,
        level: float | None = None,
        replicates: int | None = None,
        seed: int | None = None,
    ) -> Self:
        """Draw from scikit-learn's `cross_validate(…, return_estimator=True, return_indices=True)`.

        The test rows of each fold are scored by the estimator that was not fitted on them. The
        chart shows thin curves for the folds, their average and a band; a chart that cannot be
        averaged pools all test rows.

        Args:
            cv_results: The result of `cross_validate`.
            X: The features of all rows.
            y: The actual class of each row.
            sample_weight: The weight of each row.
            response_method: "predict_proba", "decision_function" or "auto": the first available.
            pos_label: The positive class; by default the second class of the classifier.
            name: Name of the model in the legend.
            ax: Axes to draw on; by default a new figure.
            threshold: Threshold or thresholds to mark.
            by: Criterion for choosing a threshold to mark, as for `Evaluation.best`.
            target: Value that the criterion must reach.
            costs: Costs of the outcomes.
            hull: Whether to draw the convex hull of the ROC curve.
            band: Confidence band: "pointwise", "simultaneous" or "bootstrap"; over folds "t", "sd"
                or "se".
            average: Averaging method over folds: "vertical", "horizontal", "threshold" or "pooled".
            bins: Number of bins, for charts with bins.
            level: Confidence level.
            replicates: Number of bootstrap resamples for a band.
            seed: Seed of the bootstrap.
        """
        for key, argument in (("estimator", "return_estimator"), ("indices", "return_indices")):
            if key not in cv_results:
                raise InputError(
                    f"cv_results has no {key!r}: call cross_validate with {argument}=True."
                )
        estimators, test_indices = cv_results["estimator"], cv_results["indices"]["test"]
        positive = _positive_class(estimators[0], pos_label)
        scores = [
            score_rows(estimator, _select_rows(X, test), positive, response_method).scores
            for estimator, test in zip(estimators, test_indices, strict=True)
        ]
        rows = np.concatenate([np.asarray(test) for test in test_indices])
        model = name or type(estimators[0]).__name__
        evaluation = _evaluate(
            actual=_select_rows(y, rows),
            score={model: np.concatenate(scores)},
            positive=positive,
            weight=None if sample_weight is None else _select_rows(sample_weight, rows),
            fold=np.repeat(np.arange(len(test_indices)), [len(test) for test in test_indices]),
        )
        if average is None and cls.kind in CURVES and CURVES[cls.kind].averaged:
            average = "vertical"
        options = _without_none(
            threshold=threshold,
            by=by,
            target=target,
            costs=costs,
            hull=hull,
            band=band,
            average=average,
            bins=bins,
            level=level,
            replicates=replicates,
            seed=seed,
        )
        return cls._draw(evaluation, ax, options)


class RocCurveDisplay(ScoreDisplay):
    """ROC curve."""

    kind = "roc"


class PrecisionRecallDisplay(ScoreDisplay):
    """Precision–recall curve."""

    kind = "precision_recall"


class PrecisionRecallGainDisplay(ScoreDisplay):
    """Precision–recall–gain curve."""

    kind = "precision_recall_gain"


class GainsDisplay(ScoreDisplay):
    """Cumulative gains chart."""

    kind = "gains"


class LiftDisplay(ScoreDisplay):
    """Lift chart."""

    kind = "lift"


class BinLiftDisplay(ScoreDisplay):
    """Lift by decile or other bins."""

    kind = "bin_lift"


class DetCurveDisplay(ScoreDisplay):
    """Detection error trade-off curve."""

    kind = "det"


class KsDisplay(ScoreDisplay):
    """Kolmogorov–Smirnov chart."""

    kind = "ks"


class CalibrationDisplay(ScoreDisplay):
    """Reliability diagram."""

    kind = "calibration"


class CostCurveDisplay(ScoreDisplay):
    """Cost curve (Drummond and Holte)."""

    kind = "cost"


class BrierCurveDisplay(ScoreDisplay):
    """Brier curve."""

    kind = "brier"


class ExpectedCostDisplay(ScoreDisplay):
    """Expected cost by threshold."""

    kind = "expected_cost"


class ProfitDisplay(ScoreDisplay):
    """Profit by proportion of rows contacted."""

    kind = "profit"


class NetBenefitDisplay(ScoreDisplay):
    """Decision curve: net benefit by threshold probability."""

    kind = "net_benefit"


class PredictiveValuesDisplay(ScoreDisplay):
    """PPV and NPV by prevalence."""

    kind = "predictive_values"


class AccuracyRejectionDisplay(ScoreDisplay):
    """Accuracy–rejection curve."""

    kind = "accuracy_rejection"


class RiskCoverageDisplay(ScoreDisplay):
    """Risk–coverage curve."""

    kind = "risk_coverage"


class ScoresDisplay(ScoreDisplay):
    """Distribution of the scores of both classes."""

    kind = "scores"


class ConfusionMatrixDisplay(Display):
    """Confusion matrix, from predicted classes."""

    kind = "matrix"

    @classmethod
    @suggest_arguments
    def from_predictions(  # noqa: PLR0913 - scikit-learn's parameters
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        rows: Rows = "actual",
        ax: Any = None,
    ) -> Self:
        """Draw from actual and predicted classes; `rows` says which of them form the rows."""
        classes = np.unique(np.asarray(y_true).astype(str))
        if pos_label is None and len(classes) == 2 and not set(classes) <= NUMERIC_CLASS_NAMES:
            # scikit-learn treats both classes alike and needs no positive class.
            pos_label = np.unique(np.asarray(y_true))[-1]
        matrix = confusion_matrix(y_true, y_pred, positive=pos_label, weight=sample_weight)
        chart = matrix_chart(matrix, rows=rows)
        return cls(chart, draw_chart(chart, ax), confusion_matrix=matrix)

    @classmethod
    @suggest_arguments
    def from_estimator(  # noqa: PLR0913 - scikit-learn's parameters
        cls,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        rows: Rows = "actual",
        ax: Any = None,
    ) -> Self:
        """Draw from a fitted classifier and test rows."""
        return cls.from_predictions(
            y,
            estimator.predict(X),
            sample_weight=sample_weight,
            pos_label=pos_label,
            rows=rows,
            ax=ax,
        )


NUMERIC_CLASS_NAMES = {"0", "1", "-1", "0.0", "1.0", "-1.0", "False", "True"}


def _positive_class(estimator: Any, pos_label: Any) -> Any:
    """The positive class; by default the second one, as in scikit-learn's own displays."""
    return two_classes(estimator)[1] if pos_label is None else positive_class(estimator, pos_label)


def _evaluate(**arguments: Any) -> Evaluation:
    """Evaluate predictions; error messages use the parameter names of this module."""
    try:
        return evaluate(**arguments)
    except InputError as problem:
        raise type(problem)(str(problem).replace("positive=", "pos_label=")) from None


def _renamed(evaluation: Evaluation, name: str) -> Evaluation:
    ranking = evaluation.ranking
    old_name = ranking.name
    folds = {name: evaluation.folds[old_name]} if old_name in evaluation.folds else {}
    return replace(evaluation, models=RankedModels({name: ranking}, folds))


def _select_rows(values: Any, indices: Any) -> Any:
    """Select rows of an array, a dataframe, a sparse matrix or a list."""
    if hasattr(values, "iloc"):
        return values.iloc[indices]
    if hasattr(values, "shape"):
        return values[indices]
    return [values[index] for index in indices]


def _without_none(**options: Any) -> dict[str, Any]:
    """The options that are not None."""
    return {name: value for name, value in options.items() if value is not None}
