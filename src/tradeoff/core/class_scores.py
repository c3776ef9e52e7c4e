"""Scores of every class for the same rows: the input of multiclass evaluation.

One-vs-rest rankings are derived from them. Rows are not validated here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, did_you_mean, format_list
from tradeoff.formatting import format_rows
from tradeoff.wording import ROWS, Wording


@dataclass(frozen=True, eq=False, repr=False)
class ClassScores:
    """Scores of every class for the same rows, and the actual class of each row.

    `scores` contains one array per class, and `codes` the index of each row's class in `classes`.
    Integer weights are frequencies; real-valued weights are importances. `indices` are those of the
    rows in the source, if known. `wording` is what the user calls rows in text.

    Example:
        >>> cat, dog = np.array([0.9, 0.4, 0.2]), np.array([0.1, 0.6, 0.8])
        >>> rows = ClassScores((cat, dog), np.array([0, 0, 1]), ("cat", "dog"))
        >>> rows
        ClassScores(3 rows of 'cat' and 'dog')
        >>> rows.counts.tolist()
        [2, 1]
        >>> rows.ranking("cat")
        Ranking(score of cat: 3 rows, 2 'cat' and 1 'dog', 3 distinct scores)
    """

    scores: tuple[NDArray[Any], ...]
    codes: NDArray[np.intp]
    classes: tuple[str, ...]
    weights: NDArray[Any] | None = None
    notes: tuple[str, ...] = ()
    indices: NDArray[np.intp] | None = None
    wording: Wording = ROWS

    @property
    def rows(self) -> int:
        """Number of rows, regardless of weights."""
        return len(self.codes)

    @property
    def is_counted(self) -> bool:
        """Whether counts are whole numbers of rows, not sums of real-valued weights."""
        return self.weights is None or self.weights.dtype.kind == "i"

    @property
    def counts(self) -> NDArray[Any]:
        """Number of rows of each class, or the sum of their weights."""
        return self.sum_weights(self.codes, len(self.classes))

    def sum_weights(self, cells: NDArray[np.intp], size: int) -> NDArray[Any]:
        """Number of rows in each of `size` cells, or the sum of their weights."""
        if self.weights is None or self.weights.dtype.kind == "f":
            return np.bincount(cells, self.weights, minlength=size)
        sums = np.zeros(size, np.int64)
        np.add.at(sums, cells, self.weights)  # bincount would turn integer weights into floats
        return sums

    def ranking(self, name: str) -> Ranking:
        """One-vs-rest ranking of a class by its score."""
        if name not in self.classes:
            raise InputError(
                f"There is no class {name!r}.{did_you_mean(name, self.classes)} "
                f"The classes are {format_list(self.classes)}."
            )
        ranking = replace(self._one_vs_rest_ranking(name, self.weights), wording=self.wording)
        if self.weights is None or self.is_counted:
            return ranking
        return replace(ranking, squares=self._one_vs_rest_ranking(name, self.weights**2))

    def _one_vs_rest_ranking(self, name: str, weights: NDArray[Any] | None) -> Ranking:
        index = self.classes.index(name)
        others = [other for other in self.classes if other != name]
        return Ranking.of(
            self.scores[index],
            self.codes == index,
            weights,
            positive=name,
            negative=others[0] if len(others) == 1 else f"not {name}",
            name=f"score of {name}",
            notes=self.notes,
        )

    def __repr__(self) -> str:
        """One line: number of rows, and names of the classes."""
        return f"ClassScores({format_rows(self.rows)} of {format_list(self.classes, 6)})"
