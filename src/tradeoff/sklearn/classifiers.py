"""Classifiers for scikit-learn that apply a chosen threshold, reject band or hull point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.entry_points import evaluate
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    extra_required,
    format_list,
    require_number,
)
from tradeoff.hulls.classifier import CombinedClassifier
from tradeoff.sklearn.estimators import (
    DEFAULT_THRESHOLDS,
    find_response_method,
    positive_class,
    score_rows,
    two_classes,
)
from tradeoff.thresholds.decision import Decision
from tradeoff.thresholds.reject_band import BandDecision

with extra_required("This classifier"):
    from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
    from sklearn.frozen import FrozenEstimator
    from sklearn.model_selection import check_cv
    from sklearn.utils import _safe_indexing, check_random_state, get_tags, indexable
    from sklearn.utils.metaestimators import available_if
    from sklearn.utils.multiclass import type_of_target
    from sklearn.utils.validation import check_is_fitted, column_or_1d, has_fit_parameter


def _has_method(method: str) -> Callable[[Any], bool]:
    """Check that the wrapped estimator has a method; otherwise its own error is raised."""

    def has_method(wrapper: Any) -> bool:
        getattr(getattr(wrapper, "estimator_", wrapper.estimator), method)
        return True

    return has_method


class Wrapper(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of classifiers that apply another decision rule to an estimator's scores."""

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> None:  # noqa: N803
        _require_two_classes(y)
        self.estimator_ = _fit_clone(self.estimator, X, y, sample_weight)
        two_classes(self.estimator_)  # raises now unless there are two
        self.classes_ = self.estimator_.classes_
        find_response_method(
            self.estimator_, self.response_method
        )  # raises now if there are no scores
        _copy_feature_names(self, self.estimator_)

    def _scores(self, X: Any) -> NDArray[np.float64]:  # noqa: N803
        check_is_fitted(self)
        return score_rows(self.estimator_, X, self.pos_label_, self.response_method).scores

    @available_if(_has_method("predict_proba"))  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """Probabilities of the wrapped estimator."""
        check_is_fitted(self)
        return self.estimator_.predict_proba(X)

    @available_if(_has_method("predict_log_proba"))  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Any:  # noqa: N803
        """Logarithms of the probabilities of the wrapped estimator."""
        check_is_fitted(self)
        return self.estimator_.predict_log_proba(X)

    @available_if(_has_method("decision_function"))  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:  # noqa: N803
        """Decision values of the wrapped estimator."""
        check_is_fitted(self)
        return self.estimator_.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        """scikit-learn tags: two classes, and the input that the estimator accepts."""
        return _set_tags(super().__sklearn_tags__(), [self.estimator])


LOW_SCORES_MESSAGE = (
    "In this decision low scores are positive, but an estimator's scores are high for the positive "
    "class: choose it on scores for that class instead."
)


def _require_higher_is_positive(ranking: Ranking) -> None:
    """Require a decision in which higher scores are positive, as for an estimator."""
    if ranking.lower_is_positive:
        raise InputError(LOW_SCORES_MESSAGE)


def _require_two_classes(y: Any) -> None:
    """Require two classes; scikit-learn's estimator checks look for this wording."""
    kind = type_of_target(y, input_name="y")
    if kind != "binary":
        raise InputError(
            f"Only binary classification is supported. Unknown label type: {kind}. Classify one "
            "class against the rest."
        )


def _fit_clone(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:  # noqa: N803
    """Fitted clone of an estimator; a frozen one is not fitted again."""
    copy = clone(estimator)
    if sample_weight is None or isinstance(copy, FrozenEstimator):
        return copy.fit(X, y)
    if not has_fit_parameter(copy, "sample_weight"):
        raise InputError(
            f"{type(copy).__name__}.fit takes no sample_weight. In a Pipeline, wrap its last step, "
            "not the Pipeline."
        )
    return copy.fit(X, y, sample_weight=sample_weight)


def _predicted_classes(classes: NDArray[Any], positive: Any, is_positive: Any) -> NDArray[Any]:
    """Predicted class of each row, given a mask of the rows that are predicted positive.

    Example:
        >>> _predicted_classes(np.array([3, 7]), 3, np.array([True, False])).tolist()
        [3, 7]
    """
    is_second = bool(positive == classes[1])
    return np.asarray(classes[(np.asarray(is_positive) == is_second).astype(np.intp)])


def _decision_class(estimator: Any, name: str) -> Any:
    """Find the estimator's class that is the positive class of a decision."""
    two_classes(estimator)  # raises first unless there are two
    try:
        return positive_class(estimator, name)
    except InputError:
        raise InputError(
            f"The decision's positive class, {name!r}, is not one of the estimator's classes, "
            f"{format_list(map(str, estimator.classes_))}: say which one is meant with pos_label."
        ) from None


def _copy_feature_names(wrapper: Any, estimator: Any) -> None:
    """Copy the number and names of features from the wrapped estimator."""
    for name in ("n_features_in_", "feature_names_in_"):
        if hasattr(estimator, name):
            setattr(wrapper, name, getattr(estimator, name))


def _set_tags(tags: Any, estimators: Iterable[Any]) -> Any:
    """scikit-learn tags of a wrapper: two classes, and the input that every estimator accepts."""
    all_input_tags = [get_tags(estimator).input_tags for estimator in estimators]
    tags.classifier_tags.multi_class = False
    tags.input_tags.sparse = all(input_tags.sparse for input_tags in all_input_tags)
    tags.input_tags.allow_nan = all(input_tags.allow_nan for input_tags in all_input_tags)
    return tags


class HullClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Classifier at a point on the ROC convex hull of several models, for scikit-learn.

    It applies a threshold to one model, or a random mixture of two rules; with the same
    `random_state` and rows, predictions are the same. It has no probabilities, as two models may
    be combined.

    Args:
        estimators: Pairs of a name and a classifier, with the names of the models of the hull.
        classifier: The result of `Hull.classifier`.
        random_state: A seed; with None or a RandomState, each call uses new random numbers.
        pos_label: The positive class; by default that of the hull.
        response_method: "predict_proba", "decision_function" or "auto": the first available.

    After `fit`, `estimators_` maps names to the fitted models; only those needed are fitted.

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
        _require_two_classes(y)
        estimators = dict(self._named_estimators())
        if not estimators:
            raise InputError(
                '`estimators` must be pairs of a name and a classifier, as in [("tree", '
                "DecisionTreeClassifier())]."
            )
        for rule in self.classifier.rules:
            if rule.lower_is_positive and rule.model is not None:
                raise InputError(LOW_SCORES_MESSAGE)
        # The ends of a hull need no model, but rows must be counted and classes known.
        needed_models = self.classifier.models or tuple(estimators)[:1]
        for name in needed_models:
            if name not in estimators:
                raise UnknownName(
                    f"The hull needs a model called {name!r}.{did_you_mean(name, estimators)} The "
                    f"estimators are {format_list(estimators)}."
                )
        self.estimators_ = {
            n: _fit_clone(estimators[n], X, y, sample_weight) for n in needed_models
        }
        for estimator in self.estimators_.values():
            find_response_method(
                estimator, self.response_method
            )  # raises now if there are no scores
        first = self.estimators_[needed_models[0]]
        self.classes_ = first.classes_
        self.pos_label_ = (
            _decision_class(first, self.classifier.positive)
            if self.pos_label is None
            else positive_class(first, self.pos_label)
        )
        _copy_feature_names(self, first)
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Predicted class of each row."""
        check_is_fitted(self)
        scores = {
            name: score_rows(estimator, X, self.pos_label_, self.response_method).scores
            for name, estimator in self.estimators_.items()
        }
        is_positive = self.classifier.positive_rows(scores, seed=self._seed())
        return _predicted_classes(self.classes_, self.pos_label_, is_positive)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters; with `deep`, also those of each estimator, such as `tree__max_depth`."""
        params: dict[str, Any] = super().get_params(deep=deep)
        for name, estimator in self._named_estimators() if deep else ():
            params[name] = estimator
            params |= {f"{name}__{key}": value for key, value in estimator.get_params().items()}
        return params

    def set_params(self, **params: Any) -> HullClassifier:
        """Set parameters, estimators by name, or parameters of one, as in `tree__max_depth=3`."""
        if "estimators" in params:
            self.estimators = params.pop("estimators")
        pairs = self._named_estimators()
        if replacements := {name: params.pop(name) for name, _ in pairs if name in params}:
            self.estimators = [
                (name, replacements.get(name, estimator)) for name, estimator in pairs
            ]
        super().set_params(**params)
        return self

    def _named_estimators(self) -> list[tuple[str, Any]]:
        """Names and estimators; an empty list if the argument is invalid, which `fit` reports."""
        try:
            pairs = [(name, estimator) for name, estimator in self.estimators]
        except (TypeError, ValueError):
            return []
        return [(name, estimator) for name, estimator in pairs if hasattr(estimator, "get_params")]

    def _seed(self) -> int:
        if isinstance(self.random_state, int | np.integer):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def __sklearn_tags__(self) -> Any:
        """scikit-learn tags: two classes, and the input that all estimators accept."""
        return _set_tags(
            super().__sklearn_tags__(), [estimator for _, estimator in self._named_estimators()]
        )


class RejectingClassifier(Wrapper):
    """Classifier that predicts a third label in a reject band of scores, for scikit-learn.

    Args:
        estimator: A classifier of two classes. Wrap a fitted one in scikit-learn's
            FrozenEstimator.
        lower: Rows that score below this are predicted negative.
        upper: Rows that score at least this are predicted positive; those in between are
            rejected.
        rejected: The label of rejected rows; use a number if the classes are numbers.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans, or the band
            is centred on the estimator's own threshold.
        response_method: "predict_proba", "decision_function" or "auto": the first available.

    `classes_` holds the two classes of the estimator; `score` counts a rejected row as an error.

    Example:
        >>> from sklearn.linear_model import LogisticRegression
        >>> rows, y = [[0.0], [1.0], [2.0], [3.0]], ["no", "yes", "no", "yes"]
        >>> careful = RejectingClassifier(LogisticRegression(), 0.4, 0.6)
        >>> [str(label) for label in careful.fit(rows, y).predict(rows)]
        ['no', 'rejected', 'rejected', 'yes']
    """

    def __init__(  # noqa: PLR0913 - scikit-learn requires each choice to be a parameter
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
        cls,
        estimator: Any,
        decision: BandDecision,
        *,
        rejected: Any = "rejected",
        pos_label: Any = None,
        response_method: str = "auto",
    ) -> RejectingClassifier:
        """Create a classifier that applies a reject band chosen by `Evaluation.best_band`."""
        _require_higher_is_positive(decision.ranking)
        return cls(
            estimator,
            decision.band.lower,
            decision.band.upper,
            rejected=rejected,
            pos_label=decision.ranking.positive if pos_label is None else pos_label,
            response_method=response_method,
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RejectingClassifier:  # noqa: N803
        """Fit the estimator."""
        lower, upper = (
            require_number(limit, "A limit of a reject band") for limit in (self.lower, self.upper)
        )
        if not lower <= upper:
            raise InputError(
                f"The reject band's lower limit, {lower:g}, is above its upper limit, {upper:g}."
            )
        self._fit(X, y, sample_weight)
        self.pos_label_ = self._positive_class(lower, upper)
        if self.rejected in list(self.classes_):
            raise InputError(
                f"rejected={self.rejected!r} is already a class: choose another label."
            )
        self.lower_, self.upper_ = lower, upper
        return self

    def _positive_class(self, lower: float, upper: float) -> Any:
        """The positive class; a band centred on the estimator's threshold suits either class."""
        middle = DEFAULT_THRESHOLDS[find_response_method(self.estimator_, self.response_method)]
        if self.pos_label is None and math.isclose(lower + upper, 2 * middle, abs_tol=1e-15):
            return two_classes(self.estimator_)[1]
        return positive_class(self.estimator_, self.pos_label)

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Predicted class of each row, or the label of rejected rows."""
        scores = self._scores(X)
        predictions = _predicted_classes(self.classes_, self.pos_label_, scores >= self.upper_)
        if self.lower_ == self.upper_:  # nothing can be rejected: the classes keep their type
            return predictions
        label = np.asarray(self.rejected)
        is_same_kind = {label.dtype.kind, predictions.dtype.kind} in (
            {"U"},
            {"i"},
            {"f"},
            {"i", "f"},
        )
        labels = predictions.astype(np.result_type(label, predictions) if is_same_kind else object)
        labels[(scores >= self.lower_) & (scores < self.upper_)] = self.rejected
        return labels


class ThresholdedClassifier(Wrapper):
    """Classifier that predicts positive at or above a threshold, for scikit-learn.

    The threshold is a number, an earlier decision, or chosen in `fit` on out-of-fold scores. By
    default it is the estimator's own: 0.5 for probabilities, 0 for decision values. A saved
    classifier keeps its threshold but not `decision_`, which holds the scores.

    Args:
        estimator: A classifier of two classes. Wrap a fitted one in scikit-learn's
            FrozenEstimator.
        threshold: Rows that score at least this are predicted positive.
        decision: A decision returned by `Evaluation.best`, instead of a threshold.
        by: The criterion by which `fit` chooses the threshold, as for `Evaluation.best`: "cost",
            "youden", "precision" (with a target) or "f_measure(beta=2)".
        target: Value that the metric must reach.
        costs: Costs of the outcomes, for by="cost" (which may then be left out).
        prevalence: The proportion of positives where the classifier will be used.
        cv: Cross-validation for choosing the threshold: a number of folds, or a splitter that
            tests each row once.
        pos_label: The positive class; needed unless a decision names it, classes are 0/1, -1/1 or
            booleans, or the estimator's own threshold is kept.
        response_method: "predict_proba", "decision_function" or "auto": the first available.

    After `fit`, the attributes are `estimator_`, `threshold_`, `decision_` (None if a threshold
    was given), `pos_label_` and `classes_`.

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

    def __init__(  # noqa: PLR0913 - scikit-learn requires each choice to be a parameter
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
        cls,
        estimator: Any,
        decision: Decision,
        *,
        pos_label: Any = None,
        response_method: str = "auto",
    ) -> ThresholdedClassifier:
        """Create a classifier that applies a threshold chosen by `Evaluation.best`."""
        return cls(
            estimator, decision=decision, pos_label=pos_label, response_method=response_method
        )

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ThresholdedClassifier:  # noqa: N803
        """Fit the estimator, and choose the threshold if a criterion or costs are given."""
        chooses_threshold = self._require_one_rule()
        self._fit(X, y, sample_weight)
        self.pos_label_ = self._positive_class(chooses_threshold=chooses_threshold)
        self.decision_ = (
            self._choose_decision(X, y, sample_weight) if chooses_threshold else self.decision
        )
        if self.decision_ is not None:
            self.threshold_ = self.decision_.threshold
        elif self.threshold is not None:
            self.threshold_ = require_number(self.threshold, "A threshold")
        else:
            self.threshold_ = DEFAULT_THRESHOLDS[
                find_response_method(self.estimator_, self.response_method)
            ]
        return self

    def predict(self, X: Any) -> NDArray[Any]:  # noqa: N803
        """Predicted class of each row: positive if its score reaches the threshold."""
        is_positive = self._scores(X) >= self.threshold_
        return _predicted_classes(self.classes_, self.pos_label_, is_positive)

    def _require_one_rule(self) -> bool:
        """Whether `fit` chooses the threshold; raises if several rules are given."""
        chooses_threshold = self.by is not None or self.costs is not None
        if chooses_threshold + (self.threshold is not None) + (self.decision is not None) > 1:
            raise InputError(
                "Give only one of a threshold, a decision, and a rule for choosing a threshold "
                "(`by` or `costs`)."
            )
        if not chooses_threshold and (self.target is not None or self.prevalence is not None):
            raise InputError(
                "A target or prevalence is for choosing a threshold: give the criterion `by`."
            )
        row_costs = [] if self.costs is None else list(self.costs.columns.values())
        if any(isinstance(values, str) for values in row_costs):
            raise InputError(
                "Costs per row must be given as values here, not as the name of a column."
            )
        if self.decision is not None:
            _require_higher_is_positive(self.decision.ranking)
        return chooses_threshold

    def _positive_class(self, *, chooses_threshold: bool) -> Any:
        if self.pos_label is None and self.decision is not None:
            return _decision_class(self.estimator_, self.decision.ranking.positive)
        if self.pos_label is None and self.threshold is None and not chooses_threshold:
            return two_classes(self.estimator_)[1]  # its own predictions do not depend on it
        return positive_class(self.estimator_, self.pos_label)

    def _choose_decision(self, X: Any, y: Any, sample_weight: Any) -> Decision:  # noqa: N803
        evaluation = evaluate(
            actual=column_or_1d(y),
            score=self._out_of_fold_scores(X, y, sample_weight),
            positive=self.pos_label_,
            weight=sample_weight,
            costs=self.costs,
        )
        ranking = evaluation.ranking
        if not (ranking.positives and ranking.negatives):
            only_class = ranking.positive if ranking.positives else ranking.negative
            raise InputError(
                f"To choose a threshold, rows of both classes are needed, but every row with a "
                f"weight above 0 belongs to class {only_class!r}."
            )
        return evaluation.best(self.by, target=self.target, prevalence=self.prevalence)

    def _out_of_fold_scores(self, X: Any, y: Any, weight: Any) -> NDArray[np.float64]:  # noqa: N803
        """Out-of-fold score of each row."""
        X, y, weight = indexable(X, y, weight)  # noqa: N806
        scores, test_counts = np.zeros(len(y)), np.zeros(len(y), np.int64)
        for train, test in check_cv(self.cv, column_or_1d(y), classifier=True).split(X, y):
            weights = None if weight is None else _safe_indexing(weight, train)
            model = _fit_clone(
                self.estimator, _safe_indexing(X, train), _safe_indexing(y, train), weights
            )
            rows = _safe_indexing(X, test)
            scores[test] = score_rows(model, rows, self.pos_label_, self.response_method).scores
            test_counts[test] += 1
        if (test_counts != 1).any():
            raise InputError(
                "To choose a threshold, `cv` must test each row exactly once, as KFold does."
            )
        return scores

    def __getstate__(self) -> dict[str, Any]:
        """State to pickle: the threshold, without the ranked scores that a decision holds."""
        state = dict(super().__getstate__())
        state.pop("decision_", None)
        if self.decision is not None:
            _require_higher_is_positive(self.decision.ranking)  # a threshold alone has no direction
            state |= {"decision": None, "threshold": self.decision.threshold}
            if self.pos_label is None:
                state["pos_label"] = self.decision.ranking.positive
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a saved classifier: its threshold, without the decision."""
        super().__setstate__(state)
        if "threshold_" in state:
            self.decision_ = None
