"""A classifier at a point of several models' common hull."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.estimators.wrapping import (
    LOW,
    called_classes,
    demand_two_classes,
    describe,
    fitted,
    named_class,
    tagged,
)
from tradeoff.scoring import positive_class, response_name, response_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.hulls.classifier import CombinedClassifier


class HullClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier at a point of several models' common hull: one model's threshold or a mix.

    Where two rules are mixed, chance says which one decides a row: same `random_state` and rows,
    same answer. There are no probabilities to pass on, as two models may take part.

    Args:
        estimators: Pairs of a name and a classifier, the names being those of the hull's models.
        classifier: What `Hull.classifier` made.
        random_state: A seed; None or a RandomState decide anew at each call.
        pos_label: The positive class; the one that the hull names if not given.
        response_method: "predict_proba", "decision_function" or "auto": the first that there is.

    After `fit`, `estimators_` holds by name the models that are needed, the only ones fitted.

    Example:
        >>> from sklearn.linear_model import LogisticRegression
        >>> from tradeoff.hulls.classifier import CombinedClassifier, Rule
        >>> rule = CombinedClassifier(Rule("a", 0.4), Rule("b", 0.9), 0.0, 0.1, 0.8, "1", "0")
        >>> both = [("a", LogisticRegression()), ("b", LogisticRegression(C=0.1))]
        >>> rows, y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]
        >>> HullClassifier(both, rule).fit(rows, y).predict(rows).tolist()
        [0, 1, 1, 1]
    """

    def __init__(
        self,
        estimators: list[tuple[str, Any]],
        classifier: CombinedClassifier,
        *,
        random_state: Any = 0,
        pos_label: Any = None,
        response_method: str = "auto",
    ) -> None:
        self.estimators = estimators
        self.classifier = classifier
        self.random_state = random_state
        self.pos_label = pos_label
        self.response_method = response_method

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> HullClassifier:  # noqa: N803
        """Fit the models that the classifier needs."""
        demand_two_classes(y)
        named = dict(self._pairs())
        if not named:
            raise InputError('`estimators` are pairs, as in [("tree", DecisionTreeClassifier())].')
        for rule in self.classifier.rules:
            if rule.lower_is_positive and rule.model is not None:
                raise InputError(LOW)
        # A hull's ends need no model, but rows must still be counted and classes known.
        needed = self.classifier.models or tuple(named)[:1]
        for name in needed:
            if name not in named:
                raise UnknownName(
                    f"The hull needs a model called {name!r}.{did_you_mean(name, named)} The "
                    f"estimators are {listed(named)}."
                )
        self.estimators_ = {n: fitted(named[n], X, y, sample_weight) for n in needed}
        for own in self.estimators_.values():
            response_name(own, self.response_method)  # tells now if there are no scores
        first = self.estimators_[needed[0]]
        self.classes_ = first.classes_
        wanted = self.pos_label
        self.pos_label_ = (
            named_class(first, self.classifier.positive)
            if wanted is None
            else positive_class(first, wanted)
        )
        describe(self, first)
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """The class of each row, by the rule that decides it."""
        check_is_fitted(self)
        scores = {
            name: response_of(own, X, self.pos_label_, self.response_method).scores
            for name, own in self.estimators_.items()
        }
        called = self.classifier.positive_rows(scores, seed=self._seed())
        return called_classes(self.classes_, self.pos_label_, called)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters; with `deep` also those of each estimator, as in `tree__max_depth`."""
        found: dict[str, Any] = super().get_params(deep=deep)
        for name, own in self._pairs() if deep else ():
            found[name] = own
            found |= {f"{name}__{key}": value for key, value in own.get_params().items()}
        return found

    def set_params(self, **given: Any) -> HullClassifier:
        """Set parameters, an estimator by its name, or an estimator's own: `tree__max_depth=3`."""
        if "estimators" in given:
            self.estimators = given.pop("estimators")
        pairs = self._pairs()
        if swapped := {name: given.pop(name) for name, _ in pairs if name in given}:
            self.estimators = [(name, swapped.get(name, own)) for name, own in pairs]
        super().set_params(**given)
        return self

    def _pairs(self) -> list[tuple[str, Any]]:
        """Names and estimators; none where something else was given, of which `fit` will tell."""
        try:
            pairs = [(name, own) for name, own in self.estimators]
        except (TypeError, ValueError):
            return []
        return [(name, own) for name, own in pairs if hasattr(own, "get_params")]

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect: two classes, and input that all estimators take."""
        return tagged(super().__sklearn_tags__(), [own for _, own in self._pairs()])
