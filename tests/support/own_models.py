"""Estimators of a user's own, named by their import path."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Memory(ClassifierMixin, BaseEstimator):
    """Gives 1 to rows that it has seen: out of fold there are none."""

    def fit(self, rows, y):
        self.classes_ = np.unique(y)
        self.seen_ = {row.tobytes() for row in np.ascontiguousarray(rows)}
        return self

    def predict_proba(self, rows):
        scores = np.array(
            [row.tobytes() in self.seen_ for row in np.ascontiguousarray(rows)], float
        )
        return np.column_stack([1 - scores, scores])


class Grumpy(ClassifierMixin, BaseEstimator):
    """Refuses to learn from an odd number of rows."""

    def fit(self, rows, y):
        self.classes_ = np.unique(y)
        if len(rows) % 2:
            raise RuntimeError("odd <rows>")
        return self

    def decision_function(self, rows):
        return rows[:, 0]


class Mute(ClassifierMixin, BaseEstimator):
    """Predicts classes and nothing more."""

    def fit(self, rows, y):  # noqa: ARG002 - it learns nothing
        self.classes_ = np.unique(y)
        return self

    def predict(self, rows):
        return (rows[:, 0] > 0).astype(int)


class Demanding(Mute):
    """Cannot be made without being told something."""

    def __init__(self, something):
        self.something = something


class Homemade:
    """Has all it takes but scikit-learn's base."""

    def fit(self, _rows, _y):
        return self


class Short(Mute):
    """Scores too few rows."""

    def decision_function(self, rows):
        return rows[:2, 0]


class Empty(Mute):
    """Scores nothing."""

    def decision_function(self, rows):
        return np.full(len(rows), np.nan)


class Leaver(Mute):
    """Ends the program."""

    def fit(self, _rows, _y):
        raise SystemExit(4)
