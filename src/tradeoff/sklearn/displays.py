"""Displays as scikit-learn has them: draw from predictions, an estimator, or a cross-validation.

At this border scikit-learn's own names are used on purpose (`y_true`, `pos_label`,
`sample_weight`), so that a user can change the import and nothing else. scikit-learn is not needed:
an estimator is whatever has `predict_proba`, `decision_function` or `predict`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tradeoff.api import evaluate
from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.models import RankedModels
from tradeoff.errors import InputError
from tradeoff.evaluation.charts import chart_names, chart_of
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.curves import CURVES
from tradeoff.render.chart import Chart
from tradeoff.render.matplotlib.figures import drawn
from tradeoff.sklearn.scorers import positive_class, response_of, two_classes
from tradeoff.sources.matrices import confusion_matrix
from tradeoff.views.matrices import matrix_chart

UNNAMED = "Classifier"


@dataclass(frozen=True, eq=False, repr=False)
class Display:
    """A chart on its axes. `evaluation` holds every number; `plot` draws the chart again."""

    kind: str
    chart: Chart
    ax_: Any
    evaluation: Evaluation | None = None
    confusion_matrix: ConfusionMatrix | ClassMatrix | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)

    @property
    def figure_(self) -> Any:
        """The figure that was drawn on."""
        return self.ax_.figure

    @property
    def lines_(self) -> list[Any]:
        """The lines of models on the axes, in the order in which they were drawn."""
        ours = ("tradeoff:model", "tradeoff:average")
        return [line for line in self.ax_.lines if (line.get_gid() or "").startswith(ours)]

    @property
    def line_(self) -> Any:
        """The model's line."""
        if not self.lines_:
            raise AttributeError(f"A display of {self.kind} has no line of a model.")
        return self.lines_[-1]

    def plot(self, ax: Any = None, *, name: str | None = None) -> Display:
        """Draw the chart on other axes, or on new ones; what is returned has them as `ax_`."""
        if name is None or self.evaluation is None:
            return replace(self, ax_=drawn(self.chart, ax))
        return _shown(self.kind, _renamed(self.evaluation, name), ax, self.choices)

    def __repr__(self) -> str:
        """One line."""
        return f"Display({self.kind}: {self.chart.title})"


@dataclass(frozen=True)
class DisplayKind:
    """A kind of display, such as `RocCurveDisplay`: three ways to make one.

    Example:
        >>> DisplayKind("roc")
        DisplayKind(kind='roc')
    """

    kind: str

    def from_predictions(  # noqa: PLR0913 - scikit-learn's own parameters
        self,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **choices: Any,
    ) -> Display:
        """Draw from actual classes and scores.

        Args:
            y_true: The actual class of each row.
            y_score: The score of each row.
            sample_weight: What each row counts.
            pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans.
            name: What the legend calls the model.
            ax: Where to draw; a new figure if not given.
            choices: What the chart can be asked, such as threshold=0.5, hull=True or
                band="pointwise".
        """
        evaluation = _evaluated(
            actual=y_true,
            score={name or UNNAMED: y_score},
            positive=pos_label,
            weight=sample_weight,
        )
        return _shown(self.kind, evaluation, ax, choices)

    def from_estimator(  # noqa: PLR0913 - scikit-learn's own parameters
        self,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **choices: Any,
    ) -> Display:
        """Draw from a fitted classifier of two classes and the rows to judge it on."""
        found = response_of(estimator, X, _positive(estimator, pos_label), response_method)
        return self.from_predictions(
            y,
            found.scores,
            sample_weight=sample_weight,
            pos_label=found.positive,
            name=name or type(estimator).__name__,
            ax=ax,
            **choices,
        )

    def from_cv_results(  # noqa: PLR0913 - scikit-learn's own parameters
        self,
        cv_results: Mapping[str, Any],
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **choices: Any,
    ) -> Display:
        """Draw from `cross_validate(…, return_estimator=True, return_indices=True)`.

        Each fold's test rows are scored by the estimator that did not see them: thin curves, their
        average and a band. Where a curve cannot be averaged, all test rows are judged together.
        """
        for key, choice in (("estimator", "return_estimator"), ("indices", "return_indices")):
            if key not in cv_results:
                raise InputError(
                    f"cv_results lack {key!r}: call cross_validate with {choice}=True."
                )
        estimators, tests = cv_results["estimator"], cv_results["indices"]["test"]
        positive = _positive(estimators[0], pos_label)
        scores = [
            response_of(one, _rows(X, test), positive, response_method).scores
            for one, test in zip(estimators, tests, strict=True)
        ]
        rows = np.concatenate([np.asarray(test) for test in tests])
        model = name or type(estimators[0]).__name__
        evaluation = _evaluated(
            actual=_rows(y, rows),
            score={model: np.concatenate(scores)},
            positive=positive,
            weight=None if sample_weight is None else _rows(sample_weight, rows),
            fold=np.repeat(np.arange(len(tests)), [len(test) for test in tests]),
        )
        if self.kind in CURVES and CURVES[self.kind].averaged:
            choices = {"average": "vertical", **choices}
        return _shown(self.kind, evaluation, ax, choices)


@dataclass(frozen=True)
class MatrixDisplayKind:
    """The display of a confusion matrix, from predicted classes instead of scores."""

    kind: str = "matrix"

    def from_predictions(  # noqa: PLR0913 - scikit-learn's own parameters
        self,
        y_true: Any,
        y_pred: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        rows: Any = "actual",
        ax: Any = None,
    ) -> Display:
        """Draw from actual and predicted classes; `rows` says which of them are on the left."""
        classes = np.unique(np.asarray(y_true).astype(str))
        if pos_label is None and len(classes) == 2 and not set(classes) <= NUMBERED:
            # scikit-learn draws both classes alike and asks for no positive one.
            pos_label = np.unique(np.asarray(y_true))[-1]
        matrix = confusion_matrix(y_true, y_pred, positive=pos_label, weight=sample_weight)
        chart = matrix_chart(matrix, rows=rows)
        return Display(self.kind, chart, drawn(chart, ax), confusion_matrix=matrix)

    def from_estimator(
        self,
        estimator: Any,
        X: Any,  # noqa: N803 - scikit-learn's name
        y: Any,
        **choices: Any,
    ) -> Display:
        """Draw from a fitted classifier and the rows to judge it on."""
        return self.from_predictions(y, estimator.predict(X), **choices)


NUMBERED = {"0", "1", "-1", "0.0", "1.0", "-1.0", "False", "True"}
ConfusionMatrixDisplay = MatrixDisplayKind()


def __getattr__(name: str) -> DisplayKind:
    """The display of any chart by its name: `KsDisplay`, or `RocCurveDisplay` as scikit-learn says.

    Example:
        >>> __getattr__("NetBenefitDisplay"), __getattr__("DetCurveDisplay")
        (DisplayKind(kind='net_benefit'), DisplayKind(kind='det'))
    """
    words = re.findall("[A-Z][a-z]*", name.removesuffix("Display").removesuffix("Curve"))
    kind = "_".join(words).lower()
    if not name.endswith("Display") or kind not in chart_names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    display: DisplayKind = globals().setdefault(name, DisplayKind(kind))
    return display


def _shown(kind: str, evaluation: Evaluation, ax: Any, choices: Mapping[str, Any]) -> Display:
    chart = chart_of(evaluation, kind, **choices)
    return Display(kind, chart, drawn(chart, ax), evaluation, choices=choices)


def _positive(estimator: Any, pos_label: Any) -> Any:
    """The class to draw; an unnamed one is the second, as in scikit-learn's own displays."""
    return two_classes(estimator)[1] if pos_label is None else positive_class(estimator, pos_label)


def _evaluated(**given: Any) -> Evaluation:
    """The evaluation; what is wrong is told in this module's words."""
    try:
        return evaluate(**given)
    except InputError as problem:
        raise type(problem)(str(problem).replace("positive=", "pos_label=")) from None


def _renamed(evaluation: Evaluation, name: str) -> Evaluation:
    old = evaluation.ranking.name
    ranking = evaluation.ranking
    folds = {name: evaluation.folds[old]} if old in evaluation.folds else {}
    return replace(evaluation, models=RankedModels({name: ranking}, folds))


def _rows(values: Any, places: Any) -> Any:
    """Some rows of an array, a dataframe, a sparse matrix or a list."""
    if hasattr(values, "iloc"):
        return values.iloc[places]
    if hasattr(values, "shape"):
        return values[places]
    return [values[place] for place in places]
