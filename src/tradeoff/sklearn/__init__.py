"""Classifiers for scikit-learn that apply a chosen threshold, reject band or ROC convex hull.

They wrap other classifiers of two classes. At this boundary scikit-learn's conventions hold (`X`,
`y`, `pos_label`, `sample_weight`, fitted attributes with a trailing underscore). Classifiers need
scikit-learn; scorers and displays do not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tradeoff.sklearn.classifiers import (
        HullClassifier,
        RejectingClassifier,
        ThresholdedClassifier,
    )

__all__ = ["HullClassifier", "RejectingClassifier", "ThresholdedClassifier"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'tradeoff.sklearn' has no attribute {name!r}")
    return getattr(import_module("tradeoff.sklearn.classifiers"), name)
