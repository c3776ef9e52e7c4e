"""Classifiers for scikit-learn that decide as was decided here: by a threshold, a band or a hull.

They wrap other classifiers of two classes. At this border scikit-learn's own names and rules hold
(`X`, `y`, `pos_label`, `sample_weight`, attributes with a final underscore); it must be installed.
"""

from tradeoff.sklearn.classifiers import HullClassifier, RejectingClassifier, ThresholdedClassifier

__all__ = ["HullClassifier", "RejectingClassifier", "ThresholdedClassifier"]
