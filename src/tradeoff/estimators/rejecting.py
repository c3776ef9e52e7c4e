"""A classifier that leaves a band of scores undecided."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError, as_number
from tradeoff.estimators.wrapping import Wrapper, called_classes, demand_high
from tradeoff.scoring import RESPONSES, positive_class, response_name, two_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.thresholds.reject_band import BandDecision


class RejectingClassifier(Wrapper):
    """A classifier that leaves a band of scores undecided: it predicts a third label there.

    Args:
        estimator: A classifier of two classes. One that is fitted already goes into
            scikit-learn's FrozenEstimator.
        lower: Rows that score below this are called negative.
        upper: Rows that score at least this are called positive; between the two ends rows are
            rejected.
        rejected: The label of rejected rows; a number suits classes that are numbers.
        pos_label: The positive class. It must be given unless classes are 0/1, -1/1 or booleans,
            or the band lies around the estimator's own threshold.
        response_method: "predict_proba", "decision_function" or "auto": the first that there is.

    `classes_` are the estimator's two; `score` counts a rejected row as wrong.

    Example:
        >>> from sklearn.linear_model import LogisticRegression
        >>> rows, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"]
        >>> careful = RejectingClassifier(LogisticRegression(), 0.4, 0.6)
        >>> [str(label) for label in careful.fit(rows, y).predict(rows)]
        ['no', 'rejected', 'rejected', 'yes']
    """

    def __init__(  # noqa: PLR0913 - scikit-learn wants each choice to be a parameter
        self,
        estimator: Any,
        lower: float,
        upper: float,
        *,
        rejected: Any = "rejected",
        pos_label: Any = None,
        response_method: str = "auto",
    ) -> None:
        self.estimator = estimator
        self.lower = lower
        self.upper = upper
        self.rejected = rejected
        self.pos_label = pos_label
        self.response_method = response_method

    @classmethod
    def from_decision(
        cls, estimator: Any, decision: BandDecision, **choices: Any
    ) -> RejectingClassifier:
        """The classifier that applies a band of `Evaluation.best_band` to an estimator's scores."""
        demand_high(decision.ranking)
        named = {"pos_label": decision.ranking.positive} | choices
        return cls(estimator, decision.band.lower, decision.band.upper, **named)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RejectingClassifier:  # noqa: N803
        """Fit the estimator."""
        lower, upper = (as_number(end, "An end of a band") for end in (self.lower, self.upper))
        if not lower <= upper:
            raise InputError(f"The band's lower end, {lower:g}, is above its upper end, {upper:g}.")
        self._fit(X, y, sample_weight)
        self.pos_label_ = self._positive(lower, upper)
        if self.rejected in list(self.classes_):
            raise InputError(f"rejected={self.rejected!r} is a class already: name another label.")
        self.lower_, self.upper_ = lower, upper
        return self

    def _positive(self, lower: float, upper: float) -> Any:
        """The positive class; a band around the estimator's own threshold is one for either."""
        middle = RESPONSES[response_name(self.estimator_, self.response_method)]
        if self.pos_label is None and math.isclose(lower + upper, 2 * middle, abs_tol=1e-15):
            return two_classes(self.estimator_)[1]
        return positive_class(self.estimator_, self.pos_label)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The class of each row, or the label of rejected ones."""
        scores = self._scores(X)
        called = called_classes(self.classes_, self.pos_label_, scores >= self.upper_)
        if self.lower_ == self.upper_:  # nothing can be rejected: the classes keep their type
            return called
        label = np.asarray(self.rejected)
        alike = {label.dtype.kind, called.dtype.kind} in ({"U"}, {"i"}, {"f"}, {"i", "f"})
        wide = called.astype(np.result_type(label, called) if alike else object)
        wide[(scores >= self.lower_) & (scores < self.upper_)] = self.rejected
        return wide
