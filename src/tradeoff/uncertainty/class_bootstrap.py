"""Bootstrap resamples of rows with scores of many classes, for numbers without a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from tradeoff.core.class_scores import ClassScores

REPLICATES = 500
FEWEST = 50
SCORES_DRAWN = 200_000_000
"""Of large data fewer replicates are drawn: they vary less."""
MOST_UNITS = 10_000_000
"""Rows that were seen more often than this are drawn by their shares, not one by one."""


def draw_again(
    rows: ClassScores,
    judge: Callable[[NDArray[Any]], float],
    *,
    replicates: int | None = None,
    seed: int = 0,
) -> NDArray[np.float64]:
    """What `judge` says when it is told how much each row counts, once for each replicate.

    Rows are drawn at random, so the class totals are random too.

    Args:
        rows: Scores of all classes.
        judge: Takes the weight of each row in a replicate and returns a number.
        replicates: How often rows are drawn: 500 times unless told or the data are large.
        seed: A whole number from 0 on; the same one draws the same rows.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> score = np.arange(4.0)
        >>> rows = ClassScores((score, -score), np.array([0, 1, 1, 1]), ("a", "b"))
        >>> draw_again(rows, lambda weights: weights.sum(), replicates=3).tolist()
        [4.0, 4.0, 4.0]
    """
    if replicates is None:
        scores = max(rows.rows * len(rows.classes), 1)
        replicates = max(FEWEST, min(REPLICATES, SCORES_DRAWN // scores))
    if replicates < 2:
        raise InputError(f"replicates must be at least 2, not {replicates}.")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"A seed is a whole number from 0 on, not {seed!r}.")
    return np.array([judge(weights) for weights in _drawn(rows, replicates, int(seed))], np.float64)


def _drawn(rows: ClassScores, replicates: int, seed: int) -> Iterator[NDArray[Any]]:
    random = np.random.default_rng(seed)
    for _ in range(replicates):
        yield _times(rows.weights, rows.rows, random).astype(np.float64)


def _times(weights: NDArray[Any] | None, rows: int, random: np.random.Generator) -> NDArray[Any]:
    """How much each row counts once as many were drawn as there are."""
    if weights is None or weights.dtype.kind == "f":
        times = np.bincount(random.integers(0, rows, rows), minlength=rows)
        return times if weights is None else times * weights
    # A row that was seen three times is three rows.
    total = int(weights.sum())
    if total > MOST_UNITS:
        return random.multinomial(total, weights / float(total))
    owner = np.searchsorted(np.cumsum(weights), random.integers(0, total, total), "right")
    return np.bincount(owner, minlength=rows)
