"""ARFF files as arrays, for the learners that repeat Weka's."""

from typing import Any, NamedTuple

import numpy as np

from tradeoff.sources.arff import read_arff


class Table(NamedTuple):
    """A file whose last attribute is the class; `classes` are in the order of the header."""

    rows: np.ndarray
    values: dict[int, tuple[str, ...]]
    actual: np.ndarray
    classes: tuple[str, ...]
    weights: np.ndarray

    @property
    def codes(self):
        return np.array([self.classes.index(label) for label in self.actual])

    def in_order_of_header(self, probabilities, model: Any):
        """Columns of `predict_proba` as Weka has them."""
        return probabilities[:, [model.classes_.tolist().index(label) for label in self.classes]]


def read_table(path):
    relation = read_arff(path)
    *attributes, target = relation.attributes
    rows = np.column_stack([relation.columns[a.name].astype(object) for a in attributes])
    values = {at: a.values for at, a in enumerate(attributes) if a.kind == "nominal"}
    weights = np.ones(len(rows)) if relation.weights is None else relation.weights
    return Table(rows, values, relation.columns[target.name], target.values, weights)
