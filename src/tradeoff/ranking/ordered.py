"""The tally by sorting row numbers: for few rows, and for weights, which must follow their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.ranking.cores import each, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray


def ordered_columns(
    scores: NDArray[Any], positive: NDArray[np.bool_], weights: NDArray[Any] | None
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Distinct scores from high to low and the counts at or above each, behind a row "none"."""
    order = falling_order(scores)
    thresholds = _behind_none(scores, order, np.inf)
    positive = positive[order]
    if weights is None:
        found = _behind_none(positive, None, kind=np.int64)
        np.cumsum(found, out=found)
        alarms = np.arange(len(found)) - found
    else:
        # Each class by itself: with real weights, total minus positives could fall.
        alarms = _behind_none(weights, order)
        del order
        found = np.empty_like(alarms)
        found[0] = 0
        np.multiply(alarms[1:], positive, out=found[1:])
        alarms[1:][positive] = 0
        for own in (found, alarms):
            np.cumsum(own, out=own)
    # Of equal scores keep the last: only there have all of them been counted. "None" stays.
    last = np.ones(len(thresholds), np.bool_)
    np.not_equal(thresholds[2:], thresholds[1:-1], out=last[1:-1])
    thresholds += 0.0  # no negative zero
    if last.all():
        return thresholds, found, alarms
    return thresholds[last], found[last], alarms[last]


def _behind_none(
    values: NDArray[Any], order: NDArray[Any] | None, first: float = 0, *, kind: Any = None
) -> NDArray[Any]:
    """The values in order, behind one for the row "none", without a copy in between."""
    column = np.empty(len(values) + 1, kind or values.dtype)
    column[0] = first
    if order is None:
        column[1:] = values
    else:
        np.take(values, order, out=column[1:], mode="clip")
    return column


def falling_order(scores: NDArray[Any]) -> NDArray[Any]:
    """Row numbers from the highest score to the lowest, sorted in as many parts as cores."""
    parts = len(spans(len(scores)))
    if parts == 1:
        return np.argsort(scores)[::-1]
    few = np.sort(scores[:: len(scores) // 4096 + 1])
    part = np.zeros(len(scores), np.int8)
    for i in range(1, parts):
        part += scores >= few[len(few) * i // parts]
    sizes = np.bincount(part, minlength=parts)[::-1]
    stops = np.cumsum(sizes)
    order = np.empty(len(scores), np.intp)

    def sort(i: int) -> None:
        own = part == parts - 1 - i
        falling = np.argsort(-scores[own])  # negated: a reversed result would be copied
        place = slice(stops[i] - sizes[i], stops[i])
        np.take(np.flatnonzero(own), falling, out=order[place], mode="clip")

    each(sort, range(parts))
    return order
