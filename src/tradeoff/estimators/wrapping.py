"""What all wrappers of classifiers share: fitting what they wrap, passing on its scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from tradeoff.errors import InputError, listed
from tradeoff.scoring import positive_class, response_name, response_of, two_classes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking


def _passed_on(method: str) -> Callable[[Any], bool]:
    """Whether the wrapped estimator has a method; if not, its own error tells."""

    def has(wrapper: Any) -> bool:
        getattr(getattr(wrapper, "estimator_", wrapper.estimator), method)
        return True

    return has


class Wrapper(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """What the wrappers of one estimator share: its scores are passed on, decisions are ours."""

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:  # noqa: N803
        demand_two_classes(y)
        self.estimator_ = fitted(self.estimator, X, y, sample_weight)
        two_classes(self.estimator_)  # tells now if there are not
        self.classes_ = self.estimator_.classes_
        response_name(self.estimator_, self.response_method)  # tells now if there are no scores
        describe(self, self.estimator_)

    def _scores(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        check_is_fitted(self)
        return response_of(self.estimator_, X, self.pos_label_, self.response_method).scores

    @available_if(_passed_on("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """The wrapped estimator's probabilities, untouched."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    @available_if(_passed_on("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Any:  # noqa: N803
        """The logarithms of the wrapped estimator's probabilities, untouched."""
        check_is_fitted(self)
        return self.estimator_.predict_log_proba(X)

    @available_if(_passed_on("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:  # noqa: N803
        """The wrapped estimator's decision values, untouched."""
        check_is_fitted(self)
        return self.estimator_.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn may expect: two classes, and the estimator's own input."""
        return tagged(super().__sklearn_tags__(), [self.estimator])


LOW = (
    "This decision calls low scores positive, and an estimator's scores are high for the positive "
    "class: decide on scores for that class instead."
)


def demand_high(ranking: Ranking) -> None:
    """An estimator's scores are high for the positive class, and so must a decision's be."""
    if ranking.lower_is_positive:
        raise InputError(LOW)


def demand_two_classes(y: Any) -> None:
    """Classes of rows must be two; the words are those that scikit-learn's checks look for."""
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        raise InputError(
            f"Only binary classification is supported. Unknown label type: {kind}. Decide for one "
            "class against the rest."
        )


def fitted(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:  # noqa: N803
    """A fitted copy of an estimator; a frozen one stays as it is."""
    own = clone(estimator)
    if sample_weight is None or isinstance(own, FrozenEstimator):
        return own.fit(X, y)
    if not has_fit_parameter(own, "sample_weight"):
        raise InputError(
            f"{type(own).__name__}.fit takes no sample_weight. In a Pipeline, wrap its last step, "
            "not the Pipeline."
        )
    return own.fit(X, y, sample_weight=sample_weight)


def called_classes(classes: NDArray[Any], positive: Any, called: Any) -> NDArray[Any]:
    """The class of each row, from which rows are called positive.

    Example:
        >>> called_classes(np.array([3, 7]), 3, np.array([True, False])).tolist()
        [3, 7]
    """
    second = bool(positive == classes[1])
    return np.asarray(classes[(np.asarray(called) == second).astype(np.intp)])


def named_class(estimator: Any, name: str) -> Any:
    """The class that a decision calls positive."""
    two_classes(estimator)  # tells first if there are not
    try:
        return positive_class(estimator, name)
    except InputError:
        raise InputError(
            f"The decision's positive class, {name!r}, is none of the estimator's, "
            f"{listed(map(str, estimator.classes_))}: say which one is meant with pos_label."
        ) from None


def describe(wrapper: Any, inner: Any) -> None:
    """Tell the features that the wrapped estimator was fitted on."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(inner, name):
            setattr(wrapper, name, getattr(inner, name))


def tagged(tags: Any, estimators: Iterable[Any]) -> Any:
    """Two classes only; input is what every wrapped estimator takes."""
    inner = [get_tags(own).input_tags for own in estimators]
    tags.classifier_tags.multi_class = False
    tags.input_tags.sparse = all(own.sparse for own in inner)
    tags.input_tags.allow_nan = all(own.allow_nan for own in inner)
    return tags
