"""Curves of what is gained by leaving the least certain rows undecided."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.curves.areas import hyperbolas, ratio_area
from tradeoff.analysis.curves.between import Mixed
from tradeoff.analysis.curves.certainty import nearest_first
from tradeoff.analysis.curves.curve import Axis, Curve
from tradeoff.analysis.curves.kinds import named
from tradeoff.analysis.registry import METRICS
from tradeoff.errors import InputError
from tradeoff.threads import Span, blocks, each, spans

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.core.ranking import Ranking

DEFAULT_THRESHOLD = 0.5


@named("how much more often decided rows are right, the more of the least certain are rejected")
def accuracy_rejection(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Accuracy of decided rows over the share rejected; certainty is the distance to the line."""
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


@named("how often decided rows are wrong, the more rows are decided, most certain first")
def risk_coverage(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Error rate of decided rows over the share decided; its area is the AURC."""
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
    """The area under `risk_coverage`, without making the curve."""
    bands = _by_certainty(ranking, threshold).turned()
    matrices = bands.matrices(slice(None)).as_floats()
    decided = matrices.decided
    wrong = matrices.false_positives + matrices.false_negatives
    return ratio_area(wrong, decided, decided / float(ranking.total))


@dataclass(frozen=True)
class _Bands:
    """Bands of a ranking: the places of their two ends, and how far they reach from the line."""

    ranking: Ranking
    upper: NDArray[Any]
    lower: NDArray[Any]
    distance: NDArray[np.float64]

    def matrices(self, places: Any) -> ConfusionMatrix:
        return self.ranking.banded(self.upper[places], self.lower[places])

    def __len__(self) -> int:
        return len(self.upper)

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
    total = float(path.ranking.total)
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
    """Bands that decide only rows at least so far from the line, nearest first, then none."""
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
