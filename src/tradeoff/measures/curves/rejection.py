"""Accuracy-rejection and risk-coverage curves: reject the least certain rows."""

from __future__ import annotations

from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.curve import Axis, Curve
from tradeoff.measures.curves.interpolation import Mixed, hyperbolas, ratio_area
from tradeoff.measures.curves.registry import register_curve
from tradeoff.measures.registry import METRICS
from tradeoff.threads import Span, cache_blocks, map_in_threads, thread_spans

Floats = NDArray[np.float64]


# Distinct scores by their distance to a threshold, on both sides of it.
#
# Two scores, one on each side, are equally far if they mirror each other: 0.7 and 0.3 around 0.5.
# As floats they do so only nearly (0.7 - 0.5 < 0.5 - 0.3), as do 2/3 and 1/3, or 0.41 and 1 -
# 0.41. So two scores tie when they mirror each other up to one unit in the last place of each,
# which is what rounding a score and its complement can do. Of several such partners only the
# closest is taken: a score has one mirror image. All other order is exact, however close scores
# are.


LARGE, SMALLER = 2.0**1020, 2.0**-4
"""Beyond this, twice a threshold may leave the range of floats; it is exact to scale by a power."""


class Certainty(NamedTuple):
    """Distinct scores ordered by distance to the threshold, nearest first.

    `is_tied` says of all but the last whether it is as far as the next.
    """

    is_above: NDArray[np.bool_]
    distance: Floats
    is_tied: NDArray[np.bool_]


def nearest_first(ranking: Ranking, cut: int, threshold: float) -> Certainty:
    """Order the scores of a ranking by distance to a threshold; `cut` scores lie before it.

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
    """Order of scores around an infinite threshold: all are infinitely far but itself."""
    is_above = np.arange(len(scores)) < cut
    is_far = scores != line
    order = np.argsort(is_far, kind="stable")
    distance = np.where(is_far, np.inf, 0.0)[order]
    return Certainty(is_above[order], distance, distance[1:] == distance[:-1])


def _mirrored(below: Floats, line: float) -> tuple[Floats, Floats]:
    """Scores mirrored at the threshold, with their rounding errors (Knuth's two-sum)."""
    twice = 2 * line
    images = twice - below
    with np.errstate(invalid="ignore"):  # infinite scores
        back = images - twice
        errors = (twice - (images - back)) - (below + back)
    return images, np.where(np.isnan(errors), 0.0, errors)


def _gaps(images: Floats, errors: Floats) -> Floats:
    """Distances between neighbours; 0 between equal infinities."""
    with np.errstate(invalid="ignore"):
        gaps = np.diff(images) + np.diff(errors)
    return np.where(np.isnan(gaps), 0.0, gaps)


def _rounding_of(line: float) -> float:
    """Rounding error of twice the threshold against the decimal number it stands for."""
    is_exact = Decimal(repr(line)) == Decimal(line)
    return 0.0 if is_exact else float(np.spacing(abs(line)))


def _closest(may_tie: NDArray[np.bool_], gaps: Floats) -> NDArray[np.bool_]:
    """The closest of neighbouring ties, so that no score has two mirror images."""
    tie_gaps = np.where(may_tie, gaps, np.inf)
    before, after = np.append([np.inf], tie_gaps[:-1]), np.append(tie_gaps[1:], [np.inf])
    return np.asarray(may_tie & (tie_gaps < before) & (tie_gaps <= after))


DEFAULT_THRESHOLD = 0.5


@register_curve(
    "accuracy of the decided rows as the least certain rows are rejected",
    title="Accuracy–rejection curve",
    chance="random rejection",
    ideal="errors rejected first",
    has_thresholds=False,
    no_band="rejected rows lie between two thresholds, which vary together",
    rank=12,
    aliases=("arc",),
)
def accuracy_rejection(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Accuracy-rejection curve: accuracy of decided rows over the rejected share."""
    bands = _by_certainty(ranking, threshold)
    start = 1 - _risk_of_all(ranking, threshold)
    shares, rates = _shares(bands, risk=False)
    return Curve(
        "accuracy_rejection",
        ranking,
        Axis("rejection_rate", shares, "lower"),
        Axis("accepted_accuracy", rates, "higher"),
        bands.mixed("rejection_rate", "accepted_accuracy", shares, rates),
        chance=((0.0, start), (1.0, start)),
        ideal=((0.0, start), (1 - start, 1.0), (1.0, 1.0)),
        table=bands.table,
    )


@register_curve(
    "error rate of the decided rows as more rows are decided, most certain first",
    title="Risk–coverage curve",
    area="area",
    chance="random rejection",
    ideal="errors rejected first",
    has_thresholds=False,
    no_band="rejected rows lie between two thresholds, which vary together",
    rank=13,
    aliases=("rc",),
)
def risk_coverage(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Risk-coverage curve: error rate of decided rows over their share; its area is the AURC."""
    nearest_first = _by_certainty(ranking, threshold)
    bands = nearest_first.turned()
    risk = _risk_of_all(ranking, threshold)
    shares, rates = (values[::-1] for values in _shares(nearest_first, risk=True))
    # The ideal order decides all wrong rows last.
    corners = ((x, (x - 1 + risk) / x) for x in np.linspace(1 - risk, 1.0, 50).tolist() if x > 0)
    return Curve(
        "risk_coverage",
        ranking,
        Axis("coverage", shares, "higher"),
        Axis("accepted_error_rate", rates, "lower"),
        bands.mixed("coverage", "accepted_error_rate", shares, rates),
        chance=((0.0, risk), (1.0, risk)),
        ideal=((0.0, 0.0), *corners),
        table=bands.table,
        integral=hyperbolas(lambda m: m.false_positives + m.false_negatives, lambda m: m.decided),
    )


def risk_area(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> float:
    """Area under the risk-coverage curve (AURC), without building the curve."""
    bands = _by_certainty(ranking, threshold).turned()
    matrices = bands.matrices(slice(None)).as_floats()
    decided = matrices.decided
    wrong = matrices.false_positives + matrices.false_negatives
    return ratio_area(wrong, decided, decided / float(ranking.total))


@dataclass(frozen=True)
class _Bands:
    """Reject bands of a ranking: indices of their two ends, and their half-widths."""

    ranking: Ranking
    upper: NDArray[Any]
    lower: NDArray[Any]
    distance: NDArray[np.float64]

    def matrices(self, places: Any) -> ConfusionMatrix:
        return self.ranking.banded(self.upper[places], self.lower[places])

    @property
    def shape(self) -> tuple[int, ...]:
        return self.upper.shape

    def turned(self) -> _Bands:
        return _Bands(self.ranking, self.upper[::-1], self.lower[::-1], self.distance[::-1])

    def mixed(self, x: str, y: str, xs: NDArray[np.float64], ys: NDArray[np.float64]) -> Mixed:
        return Mixed(self, METRICS[x], METRICS[y], xs, ys)

    def table(self) -> dict[str, NDArray[Any]]:
        every = self.matrices(slice(None))
        counts = {f.name: getattr(every, f.name) for f in fields(every)[:6]}
        return {"distance": self.distance, **counts}


def _risk_of_all(ranking: Ranking, threshold: float) -> float:
    return float(METRICS["accepted_error_rate"](ranking.at(threshold)))


def _shares(path: _Bands, *, risk: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coverage and risk, or rejection rate and accuracy, of reject bands."""
    tp, fp = path.ranking.tally[1:]
    total = float(path.ranking.total)
    shares, rates = np.empty(len(path.upper)), np.empty(len(path.upper))

    def fill(span: Span) -> None:
        for block in cache_blocks(span):
            part = slice(*block)
            upper, lower = path.upper[part], path.lower[part]
            fn, wrong = tp[-1] - tp.take(lower), fp.take(upper)
            decided = wrong + tp.take(upper) + fn + (fp[-1] - fp.take(lower))
            with np.errstate(invalid="ignore"):
                np.divide(wrong + fn, decided, out=rates[part])
            np.divide(decided, total, out=shares[part])
            if not risk:
                for values in (shares[part], rates[part]):
                    np.subtract(1, values, out=values)

    map_in_threads(fill, thread_spans(len(shares)))
    return shares, rates


def _by_certainty(ranking: Ranking, threshold: float) -> _Bands:
    """Reject bands around the threshold, narrowest first."""
    if not ranking.distinct:
        raise InputError("Without scored rows there is nothing to reject.")
    cut = ranking.index(threshold)
    certainty = nearest_first(ranking, cut, float(threshold))
    upper = cut - np.append([0], np.cumsum(certainty.is_above))  # less the nearer rows above
    lower = upper + np.arange(len(upper))  # and all nearer rows
    distance = np.append(certainty.distance, np.inf)
    if certainty.is_tied.any():  # equal distances are decided together
        first = np.concatenate([[True], ~certainty.is_tied, [True]])
        upper, lower, distance = upper[first], lower[first], distance[first]
    return _Bands(ranking, upper, lower, distance)
