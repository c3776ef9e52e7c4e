"""Classifiers for scikit-learn that decide as was decided here: by a threshold, a band or a hull.

They wrap other classifiers of two classes. At this border scikit-learn's own names and rules hold
(`X`, `y`, `pos_label`, `sample_weight`, attributes with a final underscore); it must be installed.
"""

from tradeoff.estimators.mixing import HullClassifier
from tradeoff.estimators.rejecting import RejectingClassifier
from tradeoff.estimators.thresholded import ThresholdedClassifier

__all__ = ["HullClassifier", "RejectingClassifier", "ThresholdedClassifier"]
