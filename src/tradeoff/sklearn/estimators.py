"""Fitted estimators of scikit-learn: their two classes, positive class, scores and threshold.

At this boundary scikit-learn's names are used on purpose (`X`, `pos_label`, `response_method`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, format_list
from tradeoff.sources.classes import class_name

DEFAULT_THRESHOLDS = {"predict_proba": 0.5, "decision_function": 0.0}
"""Default threshold of each method by which estimators return scores."""
NUMERIC_CLASSES = ({0, 1}, {-1, 1})
"""Pairs of classes in which 1 is positive by default; True and False equal 1 and 0."""


class Response(NamedTuple):
    """Scores of an estimator, the positive class that they are for, and its default threshold."""

    scores: NDArray[np.float64]
    positive: Any
    threshold: float


def score_rows(
    estimator: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    pos_label: Any = None,
    response_method: str = "auto",
) -> Response:
    """Scores of a fitted estimator for its positive class.

    Args:
        estimator: A fitted classifier of two classes.
        X: The features of the rows.
        pos_label: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        response_method: "predict_proba", "decision_function" or "auto": the first available.

    Example:
        >>> from sklearn.dummy import DummyClassifier
        >>> dummy = DummyClassifier().fit([[0], [0], [0], [0]], ["no", "no", "no", "yes"])
        >>> score_rows(dummy, [[0]], "no")
        Response(scores=array([0.75]), positive='no', threshold=0.5)
    """
    positive = positive_class(estimator, pos_label)
    method = find_response_method(estimator, response_method)
    values = np.asarray(getattr(estimator, method)(X), np.float64)
    is_second = positive == estimator.classes_[1]
    if method == "predict_proba":
        return Response(values[:, int(is_second)], positive, DEFAULT_THRESHOLDS[method])
    return Response(values if is_second else -values, positive, DEFAULT_THRESHOLDS[method])


def find_response_method(estimator: Any, response_method: str = "auto") -> str:
    """Find the name of the method by which an estimator returns scores.

    Example:
        >>> from sklearn.svm import LinearSVC
        >>> find_response_method(LinearSVC())
        'decision_function'
    """
    require_response_method(response_method)
    methods = list(DEFAULT_THRESHOLDS) if response_method == "auto" else [response_method]
    method = next((name for name in methods if hasattr(estimator, name)), None)
    if method is None:
        raise InputError(f"{type(estimator).__name__} has no {' and no '.join(methods)}.")
    return method


def positive_class(estimator: Any, pos_label: Any = None) -> Any:
    """Positive class of a fitted estimator of two classes.

    Without `pos_label`, it is known only for the classes 0/1, -1/1 and booleans: that "good" comes
    after "bad" in the alphabet does not make it positive.

    Example:
        >>> from sklearn.dummy import DummyClassifier
        >>> dummy = DummyClassifier().fit([[0], [0]], ["bad", "good"])
        >>> str(positive_class(dummy, "bad"))
        'bad'
        >>> positive_class(DummyClassifier().fit([[0], [0]], [-1, 1]))
        1
    """
    classes = two_classes(estimator)
    if pos_label is None:
        if set(classes) in NUMERIC_CLASSES:
            return classes[1]
        names = [class_name(label) for label in classes]
        raise InputError(
            f"The classes of {type(estimator).__name__} are {format_list(names)}: say which one is "
            f"positive, for example pos_label={classes[0]!r}."
        )
    # A decision identifies the class by its name only: the class 1 is then called "1".
    for is_same in (lambda c: c == pos_label, lambda c: class_name(c) == class_name(pos_label)):
        for label in classes:
            if is_same(label):
                return label
    raise InputError(
        f"pos_label={pos_label!r} is not one of the classes "
        f"{format_list(map(class_name, classes))}."
    )


def two_classes(estimator: Any) -> list[Any]:
    """The two classes of a fitted estimator, as Python values.

    Example:
        >>> from sklearn.dummy import DummyClassifier
        >>> two_classes(DummyClassifier().fit([[0], [0]], ["no", "yes"]))
        ['no', 'yes']
    """
    classes = getattr(estimator, "classes_", None)
    if classes is None:
        raise InputError(
            f"{type(estimator).__name__} is not a fitted classifier: it has no `classes_`."
        )
    if len(classes) == 1:
        raise InputError(
            f"{type(estimator).__name__} was fitted on rows of only one class, "
            f"{class_name(classes[0])!r}: rows of two classes are needed."
        )
    if len(classes) != 2:
        raise InputError(
            f"{type(estimator).__name__} has {len(classes)} classes, but two are needed: evaluate "
            "each class against the rest with evaluate_classes."
        )
    return [_python_value(label) for label in classes]


def _python_value(value: Any) -> Any:
    """Convert a NumPy scalar to a Python value, which is easier to read in messages."""
    return value.item() if isinstance(value, np.generic) else value


def require_response_method(response_method: str) -> None:
    """Raise an error for a `response_method` that estimators do not have."""
    if response_method not in {"auto", *DEFAULT_THRESHOLDS}:
        raise InputError(
            f"response_method must be one of {format_list(['auto', *DEFAULT_THRESHOLDS])}, not "
            f"{response_method!r}."
        )
