"""Curves of what is gained by leaving the least certain rows undecided."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.curves.areas import hyperbolas
from tradeoff.analysis.curves.between import Mixed
from tradeoff.analysis.curves.curve import Axis, Curve
from tradeoff.analysis.curves.kinds import named
from tradeoff.analysis.registry import METRICS
from tradeoff.errors import InputError
from tradeoff.ranking.cores import Span, blocks, each, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.confusion import ConfusionMatrix
    from tradeoff.ranking.ranking import Ranking

DEFAULT_THRESHOLD = 0.5


@named("how much more often decided rows are right, the more of the least certain are rejected")
def accuracy_rejection(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Accuracy of decided rows over the share rejected; certainty is the distance to the line."""
    bands = _by_certainty(ranking, threshold).turned()
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


@named("how often decided rows are wrong, the more rows are decided, most certain first")
def risk_coverage(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Error rate of decided rows over the share decided; its area is the AURC."""
    bands = _by_certainty(ranking, threshold)
    risk = _risk_of_all(ranking, threshold)
    shares, rates = _shares(bands, risk=True)
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


@dataclass(frozen=True)
class _Bands:
    """Bands of a ranking: the places of their two ends, and how far they reach from the line."""

    ranking: Ranking
    upper: NDArray[Any]
    lower: NDArray[Any]
    distance: NDArray[np.float64]

    def matrices(self, places: Any) -> ConfusionMatrix:
        return self.ranking.banded(self.upper[places], self.lower[places])

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
    """Coverage and risk, or rejection rate and accuracy: what the metrics say, in fewer steps."""
    found, alarms = path.ranking.tally[1:]
    total = float(path.ranking.at_place(0).rows)
    shares, rates = np.empty(len(path.upper)), np.empty(len(path.upper))

    def fill(span: Span) -> None:
        for block in blocks(span):
            own = slice(*block)
            upper, lower = path.upper[own], path.lower[own]
            misses, wrong = found[-1] - found.take(lower), alarms.take(upper)
            decided = wrong + found.take(upper) + misses + (alarms[-1] - alarms.take(lower))
            with np.errstate(invalid="ignore"):
                np.divide(wrong + misses, decided, out=rates[own])
            np.divide(decided, total, out=shares[own])
            if not risk:
                for values in (shares[own], rates[own]):
                    np.subtract(1, values, out=values)

    each(fill, spans(len(shares)))
    return shares, rates


def _by_certainty(ranking: Ranking, threshold: float) -> _Bands:
    """Bands that decide only rows at least so far from the line, farthest first."""
    if not ranking.distinct:
        raise InputError("Without scored rows there is nothing to reject.")
    cut = ranking.index(threshold)
    distance, above = _falling_distances(ranking.thresholds[1:], cut, threshold)
    upper, taken = np.empty((2, len(distance) + 1), np.int32)
    upper[0] = 0
    np.cumsum(above, out=upper[1:])
    taken[:] = np.arange(len(taken))
    if (ties := distance[1:] == distance[:-1]).any():  # equal distances are decided together
        last = np.concatenate([[True], ~ties, [True]])
        upper, taken, distance = upper[last], taken[last], distance[last[1:]]
    lower = ranking.distinct - taken + upper
    return _Bands(ranking, upper, lower, np.concatenate([[np.inf], distance]))


def _falling_distances(
    scores: NDArray[np.float64], cut: int, threshold: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Distances to the line, farthest first, and which of them lie above it."""
    with np.errstate(invalid="ignore"):
        distance = np.abs(scores - threshold)
    distance[np.isnan(distance)] = 0.0  # an infinite score at an infinite line
    # Both runs turned to fall: a stable sort of two ordered runs is one merge. The bits of floats
    # from 0 on sort as integers do, so inverted they fall, and the side rides along in the last.
    distance[cut:] = distance[cut:][::-1].copy()
    keys = distance.view(np.uint64)
    np.invert(keys, out=keys)
    keys <<= np.uint64(1)
    keys[:cut] |= np.uint64(1)
    keys.sort(kind="stable")
    above = (keys & np.uint64(1)).astype(np.bool_)
    keys >>= np.uint64(1)
    np.bitwise_xor(keys, np.uint64(2**63 - 1), out=keys)
    return distance, above
