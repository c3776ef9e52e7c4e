"""Distinct scores by their distance to a threshold, on both sides of it.

Two scores, one on each side, are equally far if they mirror each other: 0.7 and 0.3 around 0.5. As
floats they do so only nearly (0.7 - 0.5 < 0.5 - 0.3), as do 2/3 and 1/3, or 0.41 and 1 - 0.41. So
two scores tie when they mirror each other up to one unit in the last place of each, which is what
rounding a score and its complement can do. Of several such partners only the closest is taken: a
score has one mirror image. All other order is exact, however close scores are.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

    Floats = NDArray[np.float64]

LARGE, SMALLER = 2.0**1020, 2.0**-4
"""Beyond this, twice a threshold may leave the range of floats; it is exact to scale by a power."""


class Certainty(NamedTuple):
    """Distinct scores, nearest to the threshold first.

    `is_tied` says of all but the last whether it is as far as the next.
    """

    is_above: NDArray[np.bool_]
    distance: Floats
    is_tied: NDArray[np.bool_]


def nearest_first(ranking: Ranking, cut: int, threshold: float) -> Certainty:
    """The scores of a ranking by their distance to a threshold, before which `cut` of them lie.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.7, 0.3]), np.array([True, False, True]))
        >>> nearest_first(ranking, 2, 0.5).is_tied.tolist()
        [True, False]
    """
    sign = -1.0 if ranking.lower_is_positive else 1.0
    scores, line = sign * ranking.thresholds[1:], sign * threshold
    if np.isinf(line):
        return _around_infinity(scores, cut, line)
    finite = np.isfinite(scores)
    sizes = np.where(finite, np.abs(ranking.tally.thresholds[1:]), 0)
    units = np.spacing(sizes).astype(np.float64)  # of float32 scores those of float32
    if max(abs(line), float(sizes.max())) > LARGE:
        scores, line, units = scores * SMALLER, line * SMALLER, units * SMALLER
    nearest = slice(None, None, -1)
    images, errors = _mirrored(scores[cut:], line)
    # Where an image falls on a score, the side of its error decides the order.
    before = errors < 0
    parts = [images[before], scores[:cut][nearest], images[~before]]
    order = np.argsort(np.concatenate(parts), kind="stable")

    def in_order(below: NDArray[Any], above: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([below[before], above, below[~before]])[order]

    is_above = in_order(np.zeros(len(images), np.bool_), np.ones(cut, np.bool_))
    distance = in_order(line - scores[cut:], scores[:cut][nearest] - line)
    gaps = _gaps(np.concatenate(parts)[order], in_order(errors, np.zeros(cut)))
    units = in_order(units[cut:], units[:cut][nearest])
    slack = units[1:] + units[:-1] + _rounding_of(line)
    is_tied = _closest((is_above[1:] != is_above[:-1]) & (gaps <= slack), gaps)
    return Certainty(is_above, distance + 0.0, is_tied)  # no negative zero


def _around_infinity(scores: Floats, cut: int, line: float) -> Certainty:
    """All scores are infinitely far from an infinite threshold, but for itself."""
    is_above = np.arange(len(scores)) < cut
    is_far = scores != line
    order = np.argsort(is_far, kind="stable")
    distance = np.where(is_far, np.inf, 0.0)[order]
    return Certainty(is_above[order], distance, distance[1:] == distance[:-1])


def _mirrored(below: Floats, line: float) -> tuple[Floats, Floats]:
    """The mirror images of scores as floats, and what is missing to them (Knuth's two-sum)."""
    twice = 2 * line
    images = twice - below
    with np.errstate(invalid="ignore"):  # infinite scores
        back = images - twice
        errors = (twice - (images - back)) - (below + back)
    return images, np.where(np.isnan(errors), 0.0, errors)


def _gaps(images: Floats, errors: Floats) -> Floats:
    """How far neighbours are apart; two infinite ones are not."""
    with np.errstate(invalid="ignore"):
        gaps = np.diff(images) + np.diff(errors)
    return np.where(np.isnan(gaps), 0.0, gaps)


def _rounding_of(line: float) -> float:
    """How much twice the threshold may differ from twice the decimal number that was meant."""
    is_exact = Decimal(repr(line)) == Decimal(line)
    return 0.0 if is_exact else float(np.spacing(abs(line)))


def _closest(may_tie: NDArray[np.bool_], gaps: Floats) -> NDArray[np.bool_]:
    """Of neighbouring ties the closest, so that no score has two images."""
    apart = np.where(may_tie, gaps, np.inf)
    before, after = np.append([np.inf], apart[:-1]), np.append(apart[1:], [np.inf])
    return np.asarray(may_tie & (apart < before) & (apart <= after))
