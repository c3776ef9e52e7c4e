"""A classifier with a chosen threshold, given or learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable
from sklearn.utils.validation import column_or_1d

from tradeoff.errors import InputError, as_number
from tradeoff.estimators.wrapping import Wrapper, called_classes, demand_high, fitted, named_class
from tradeoff.reading import evaluate
from tradeoff.scoring import RESPONSES, positive_class, response_name, response_of, two_classes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.costs import Costs
    from tradeoff.thresholds.decision import Decision


class ThresholdedClassifier(Wrapper):
    """A classifier that calls rows positive from a chosen threshold on.

    The threshold is given as a number or a decision made earlier, or it is learned in `fit`, from
    scores of rows that the scoring model was not fitted on. With none of these it is the
    estimator's own: 0.5 for probabilities, 0 for decision values. A saved classifier keeps its
    threshold but not the scores behind the decision: `decision_` is gone after loading.

    Args:
        estimator: A classifier of two classes. One that is fitted already goes into
            scikit-learn's FrozenEstimator.
        threshold: Rows that score at least this are called positive.
        decision: What `Evaluation.best` decided, in place of a threshold.
        by: How to choose the threshold in `fit`: the ways of `Evaluation.best`, such as "cost",
            "youden", "precision" (with a target) or "f_measure(beta=2)".
        target: What the metric must reach.
        costs: What outcomes cost, for by="cost" (which may then be left out).
        prevalence: The share of positives where the classifier will be used.
        cv: How to split rows for choosing: a number of folds, or a splitter that tests each row
            once.
        pos_label: The positive class. It must be given unless a decision names it, classes are
            0/1, -1/1 or booleans, or the estimator's own threshold is kept.
        response_method: "predict_proba", "decision_function" or "auto": the first that there is.

    After `fit` there are `estimator_`, `threshold_`, `decision_` (None where a threshold was
    given), `pos_label_` and `classes_`.

    Example:
        >>> from sklearn.linear_model import LogisticRegression
        >>> from tradeoff import Costs
        >>> rows, y = [[float(x)] for x in range(8)], [0, 0, 1, 0, 1, 0, 1, 1]
        >>> ThresholdedClassifier(LogisticRegression(), threshold=0.3).fit(rows, y).predict(rows)
        array([0, 0, 1, 1, 1, 1, 1, 1])
        >>> learned = ThresholdedClassifier(LogisticRegression(), costs=Costs(false_negative=2))
        >>> learned.set_params(cv=4).fit(rows, y).decision_.value
        0.375
    """

    def __init__(  # noqa: PLR0913 - scikit-learn wants each choice to be a parameter
        self,
        estimator: Any,
        *,
        threshold: float | None = None,
        decision: Decision | None = None,
        by: str | None = None,
        target: float | None = None,
        costs: Costs | None = None,
        prevalence: float | None = None,
        cv: Any = 5,
        pos_label: Any = None,
        response_method: str = "auto",
    ) -> None:
        self.estimator = estimator
        self.threshold = threshold
        self.decision = decision
        self.by = by
        self.target = target
        self.costs = costs
        self.prevalence = prevalence
        self.cv = cv
        self.pos_label = pos_label
        self.response_method = response_method

    @classmethod
    def from_decision(
        cls, estimator: Any, decision: Decision, **choices: Any
    ) -> ThresholdedClassifier:
        """The classifier that applies a decision of `Evaluation.best` to an estimator's scores."""
        return cls(estimator, decision=decision, **choices)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ThresholdedClassifier:  # noqa: N803
        """Fit the estimator, and choose the threshold if it is to be learned."""
        learned = self._demand_one_way()
        self._fit(X, y, sample_weight)
        self.pos_label_ = self._positive(learned=learned)
        self.decision_ = self._chosen(X, y, sample_weight) if learned else self.decision
        if self.decision_ is not None:
            self.threshold_ = self.decision_.threshold
        elif self.threshold is not None:
            self.threshold_ = as_number(self.threshold, "A threshold")
        else:
            self.threshold_ = RESPONSES[response_name(self.estimator_, self.response_method)]
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The class of each row: the positive one where its score reaches the threshold."""
        called = self._scores(X) >= self.threshold_
        return called_classes(self.classes_, self.pos_label_, called)

    def _demand_one_way(self) -> bool:
        """Whether the threshold is to be learned; one way to have it is enough."""
        learned = self.by is not None or self.costs is not None
        if learned + (self.threshold is not None) + (self.decision is not None) > 1:
            raise InputError(
                "Give a threshold, or a decision, or how to choose one (`by`, `costs`): one of "
                "the three."
            )
        if not learned and (self.target is not None or self.prevalence is not None):
            raise InputError(
                "A target or prevalence is for choosing a threshold: say `by` what to choose it."
            )
        named = [] if self.costs is None else list(self.costs.columns.values())
        if any(isinstance(values, str) for values in named):
            raise InputError("Costs of each row are given as values here, not by a column's name.")
        if self.decision is not None:
            demand_high(self.decision.ranking)
        return learned

    def _positive(self, *, learned: bool) -> Any:
        if self.pos_label is None and self.decision is not None:
            return named_class(self.estimator_, self.decision.ranking.positive)
        if self.pos_label is None and self.threshold is None and not learned:
            return two_classes(self.estimator_)[1]  # its own decision is the same for either
        return positive_class(self.estimator_, self.pos_label)

    def _chosen(self, X: Any, y: Any, sample_weight: Any) -> Decision:  # noqa: N803
        evaluation = evaluate(
            actual=column_or_1d(y),
            score=self._out_of_fold(X, y, sample_weight),
            positive=self.pos_label_,
            weight=sample_weight,
            costs=self.costs,
        )
        ranking = evaluation.ranking
        if not (ranking.positives and ranking.negatives):
            only = ranking.positive if ranking.positives else ranking.negative
            raise InputError(
                f"To choose a threshold, rows of both classes are needed: every row with a weight "
                f"is {only!r}."
            )
        return evaluation.best(self.by, target=self.target, prevalence=self.prevalence)

    def _out_of_fold(self, X: Any, y: Any, weight: Any) -> NDArray[np.float64]:  # noqa: N803
        """Each row's score from a model that did not see it."""
        X, y, weight = indexable(X, y, weight)  # noqa: N806
        scores, tested = np.zeros(len(y)), np.zeros(len(y), np.int64)
        for train, test in check_cv(self.cv, column_or_1d(y), classifier=True).split(X, y):
            weights = None if weight is None else _safe_indexing(weight, train)
            own = fitted(
                self.estimator, _safe_indexing(X, train), _safe_indexing(y, train), weights
            )
            rows = _safe_indexing(X, test)
            scores[test] = response_of(own, rows, self.pos_label_, self.response_method).scores
            tested[test] += 1
        if (tested != 1).any():
            raise InputError(
                "To choose a threshold, `cv` must test each row once, as KFold and its kin do."
            )
        return scores

    def __getstate__(self) -> dict[str, Any]:
        """What is saved: the threshold, not the ranked scores that a decision holds."""
        state = dict(super().__getstate__())
        state.pop("decision_", None)
        if self.decision is not None:
            demand_high(self.decision.ranking)  # a bare threshold could not tell
            state |= {"decision": None, "threshold": self.decision.threshold}
            if self.pos_label is None:
                state["pos_label"] = self.decision.ranking.positive
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A loaded classifier knows its threshold, no longer why."""
        super().__setstate__(state)
        if "threshold_" in state:
            self.decision_ = None
