"""What each row says about an area, and how far a mean over rows may be off.

An area is a mean over pairs of rows. The *placement* of a positive row is the share of negatives
that score below it (ties half), that of a negative row the share of positives above it. Where one
row takes part in several areas, its placements are added up to the row's *component* before their
variance is taken; so the areas may depend on each other in any way (DeLong, DeLong &
Clarke-Pearson 1988, doi:10.2307/2531595).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.class_scores import ClassScores

NOISE = 1e-12
"""Components that differ by less are the same: one lost pair of 10^16 still shows as 1e-8."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows ordered by their class, so that each class is one slice of every column.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> score = np.array([0.9, 0.4, 0.2])
        >>> groups = Groups.of(ClassScores((score, -score), np.array([1, 0, 1]), ("a", "b")))
        >>> groups.columns[0].tolist(), groups.span(1)
        ([0.4, 0.9, 0.2], slice(1, 3, None))
    """

    classes: tuple[str, ...]
    columns: tuple[NDArray[Any], ...]
    weights: NDArray[Any] | None
    starts: tuple[int, ...]
    totals: NDArray[np.float64]

    @classmethod
    def of(cls, rows: ClassScores) -> Groups:
        """The rows, ordered by class; within a class they keep their order."""
        order = np.argsort(rows.codes, kind="stable")
        sizes = np.bincount(rows.codes, minlength=len(rows.classes))
        return cls(
            rows.classes,
            tuple(column[order] for column in rows.scores),
            None if rows.weights is None else rows.weights[order],
            (0, *np.cumsum(sizes).tolist()),
            rows.counts.astype(np.float64),
        )

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return self.starts[-1]

    def span(self, at: int) -> slice:
        """Where the rows of a class are."""
        return slice(self.starts[at], self.starts[at + 1])

    def own_weights(self, at: int) -> NDArray[Any] | None:
        """The weights of the rows of a class."""
        return None if self.weights is None else self.weights[self.span(at)]

    def without(self, column: NDArray[Any], at: int) -> NDArray[Any]:
        """A column of all rows but those of a class."""
        return np.concatenate([column[: self.starts[at]], column[self.starts[at + 1] :]])

    def sizes(self) -> list[float]:
        """The effective number of rows of each class."""
        return [
            effective_rows(self.own_weights(at), stop - start)
            for at, (start, stop) in enumerate(zip(self.starts, self.starts[1:], strict=False))
        ]

    def variance(self, components: NDArray[np.float64]) -> float:
        """The variance of a sum of class means; classes without rows add nothing to it."""
        present = [at for at in range(len(self.classes)) if self.totals[at]]
        return math.fsum(
            variance_of_mean(components[self.span(at)], self.own_weights(at)) for at in present
        )


def placements(
    positives: NDArray[Any],
    negatives: NDArray[Any],
    weights: tuple[NDArray[Any] | None, NDArray[Any] | None] = (None, None),
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of negatives below each positive row, and of positives above each negative row.

    Example:
        >>> above, below = placements(np.array([3.0, 1.0]), np.array([2.0, 1.0, 0.0]))
        >>> above.round(4).tolist(), below.tolist()
        ([1.0, 0.5], [0.5, 0.75, 1.0])
    """
    return (
        _share_below(positives, negatives, weights[1]),
        1 - _share_below(negatives, positives, weights[0]),
    )


def _share_below(
    scores: NDArray[Any], others: NDArray[Any], weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    """The share of the others that are lower than each score, ties half."""
    if weights is None:
        rising = np.sort(others)
        lower = rising.searchsorted(scores, "left") + rising.searchsorted(scores, "right")
        return lower / (2 * len(rising))
    order = np.argsort(others, kind="stable")
    rising = others[order]
    sums = np.concatenate([[0.0], np.cumsum(weights[order], dtype=np.float64)])
    lower = sums[rising.searchsorted(scores, "left")] + sums[rising.searchsorted(scores, "right")]
    return np.asarray(lower / (2 * sums[-1]))


def mean(values: NDArray[np.float64], weights: NDArray[Any] | None = None) -> float:
    """The mean over rows; exactly 1 where every value is 1."""
    if weights is None:
        return float(values.mean())
    return float((weights * values).sum() / weights.sum(dtype=np.float64))


def effective_rows(weights: NDArray[Any] | None, rows: int) -> float:
    """How many rows speak: as often as they were seen, or as many equal ones as would say as much.

    Rows that differ in importance say less than equal ones: (Σw)² / Σw² (Kish 1965).

    Example:
        >>> effective_rows(np.array([2, 1]), 2), effective_rows(np.array([3.0, 1.0]), 2)
        (3.0, 1.6)
    """
    if weights is None or not rows:
        return float(rows)
    total = weights.sum(dtype=np.float64)
    if weights.dtype.kind == "i":
        return float(total)
    parts = weights / total  # squares of tiny or huge weights would leave the range of floats
    return float(1 / (parts @ parts))


def variance_of_mean(values: NDArray[np.float64], weights: NDArray[Any] | None = None) -> float:
    """The unbiased variance of a mean over rows; NaN for fewer than two rows.

    Example:
        >>> variance_of_mean(np.array([1.0, 2.0, 3.0]))
        0.3333333333333333
        >>> variance_of_mean(np.array([1.0, 2.0]), np.array([2, 1])) * 9
        1.0
    """
    rows = effective_rows(weights, len(values))
    if rows - 1 <= NOISE:
        return math.nan
    if np.ptp(values) <= NOISE:
        return 0.0
    if weights is None:
        return float(values.var(ddof=1) / rows)
    shares = weights / weights.sum(dtype=np.float64)
    squares = (values - shares @ values) ** 2
    if weights.dtype.kind == "i":
        return float(shares @ squares / (rows - 1))
    return float(shares**2 @ squares * rows / (rows - 1))
