"""How sure summaries of a ranking are: areas by formula, everything else by drawing rows again."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tradeoff.analysis.calibration import judged
from tradeoff.analysis.in_bins import cases
from tradeoff.analysis.intervals import drawing
from tradeoff.analysis.intervals.areas import area_interval
from tradeoff.analysis.intervals.percentiles import Spread, skew_of, spread
from tradeoff.analysis.questions import Question
from tradeoff.ranking.kernel import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from tradeoff.analysis.estimate import Estimate
    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.analysis.intervals.drawing import Drawn
    from tradeoff.ranking.ranking import Ranking


class Asked(Protocol):
    """A summary, or any other question that a ranking answers with one number."""

    @property
    def name(self) -> str:
        """What it is called."""

    def estimate(self, ranking: Ranking, /) -> Estimate:
        """The answer for one ranking."""


OF_THE_AREA = {"auc": (1.0, 0.0), "gini": (2.0, -1.0)}
"""Summaries that are a factor times the area under the ROC curve plus a constant."""

BY_REGRESSION: dict[str, Callable[..., Estimate]] = {
    "calibration_in_the_large": judged.calibration_in_the_large,
    "calibration_slope": judged.calibration_slope,
    "observed_expected_ratio": judged.observed_expected_ratio,
}
"""Summaries that are fitted, and come with standard errors."""

FEWEST = 2
"""Of fewer rows in a class, drawing them again says nothing."""

JACKKNIFE = 400
"""For BCa, rows are left out in at most so many groups of scores."""


def sure_summaries(
    measures: Iterable[Asked], ranking: Ranking, confidence: Confidence
) -> dict[str, Estimate]:
    """Summaries with their intervals; those that need it share the same draws."""
    plain = {measure.name: (measure, measure.estimate(ranking)) for measure in measures}
    found = {
        name: _area(measure, estimate, ranking, confidence)
        for name, (measure, estimate) in plain.items()
        if name in OF_THE_AREA and not confidence.draws
    }
    found |= {
        name: BY_REGRESSION[name](ranking, level=confidence.level)
        for name in plain
        if name in BY_REGRESSION and not confidence.draws and ranking.exact
    }
    drawn = [
        measure
        for name, (measure, estimate) in plain.items()
        if name not in found and estimate.is_defined
    ]
    spread_of = _spreads if ranking.exact else _spreads_in_bins
    spreads = spread_of(drawn, ranking, confidence) if drawn else {}
    for measure in drawn:
        estimate = plain[measure.name][1]
        found[measure.name] = with_spread(estimate, spreads[measure.name], confidence.level)
    return {name: found.get(name, estimate) for name, (_, estimate) in plain.items()}


def sure_summary(measure: Asked, ranking: Ranking, confidence: Confidence) -> Estimate:
    """A summary with its interval."""
    return sure_summaries([measure], ranking, confidence)[measure.name]


def with_spread(estimate: Estimate, ends: Spread, level: float) -> Estimate:
    """The estimate with its interval, and with what must be known about it."""
    notes = [note for note in (estimate.note, ends.note) if note]
    note = "; ".join(notes) or None
    if math.isnan(ends.low) or math.isnan(ends.high):
        return replace(estimate, note=note)
    return replace(
        estimate, low=ends.low, high=ends.high, level=level, method=ends.method, note=note
    )


def _area(measure: Asked, estimate: Estimate, ranking: Ranking, confidence: Confidence) -> Estimate:
    if not estimate.is_defined:
        return estimate
    factor, constant = OF_THE_AREA[measure.name]
    low, high, method, reason = area_interval(ranking, confidence.level, confidence.for_areas)
    note = f"no interval: {reason}" if reason else None
    ends = Spread(factor * low + constant, factor * high + constant, method, note)
    return with_spread(estimate, ends, confidence.level)


def _spreads(measures: list[Asked], ranking: Ranking, confidence: Confidence) -> dict[str, Spread]:
    if min(ranking.effective_rows) < FEWEST:
        why = Spread(math.nan, math.nan, "", "no interval: it needs two rows of each class")
        return {measure.name: why for measure in measures}
    kept = [own.places(ranking) for own in measures if isinstance(own, Question)]
    coarse = drawing.thinned(ranking, keep=kept)

    values = _replicates(measures, coarse, confidence)
    exact, rough = _values(measures, ranking), _values(measures, coarse)
    corrected = confidence.method == "bca"
    skews = _skews(measures, ranking) if corrected else np.zeros(len(measures))
    found = {}
    for at, measure in enumerate(measures):
        shift = exact[at] - rough[at]
        ends = spread(values[:, at], rough[at], confidence, skew=float(skews[at]), shift=shift)
        found[measure.name] = inside(ends, measure)
    return found


def _spreads_in_bins(
    measures: list[Asked], ranking: Ranking, confidence: Confidence
) -> dict[str, Spread]:
    """Intervals that hold those of the worst and of the best order inside bins.

    The same rows drawn again rank no worse than in the worst case and no better than in the best.
    """
    first, second = (_spreads(measures, case, confidence) for case in cases(ranking))
    found = {}
    for measure in measures:
        one, other = first[measure.name], second[measure.name]
        low, high = min(one.low, other.low), max(one.high, other.high)
        known = measure.estimate(ranking)
        ends = [measure.estimate(case).value for case in (ranking.worst_case, ranking.best_case)]
        # Some summaries may be lower than for the worst case: by as much the interval may be.
        low += min(known.value - known.within - min(ends), 0.0)
        high += max(known.value + known.within - max(ends), 0.0)
        found[measure.name] = one._replace(low=low, high=high, note=one.note or other.note)
    return found


def inside(ends: Spread, measure: Any) -> Spread:
    """No end beyond what the measure can be."""
    least, most = getattr(measure, "low", -math.inf), getattr(measure, "high", math.inf)
    low, high = max(ends.low, least), min(ends.high, most)
    if low >= high:
        return Spread(math.nan, math.nan, ends.method, "no interval: draws are too biased to tell")
    return ends._replace(low=low, high=high)


def _replicates(
    measures: list[Asked], ranking: Ranking, confidence: Confidence
) -> NDArray[np.float64]:
    """The measures of each replicate: areas of all replicates at once, others one by one."""
    linear = [OF_THE_AREA.get(measure.name) for measure in measures]

    def areas(drawn: Drawn) -> NDArray[Any]:
        found = drawn.areas()
        return np.column_stack([f * found + c for f, c in filter(None, linear)])

    def one_by_one(drawn: Drawn) -> NDArray[Any]:
        return np.array([_values(measures, replicate) for replicate in drawn])

    at_once = all(linear)
    return drawing.judged(ranking, areas if at_once else one_by_one, confidence, together=at_once)


def _values(measures: list[Asked], ranking: Ranking) -> list[float]:
    return [measure.estimate(ranking).value for measure in measures]


def _skews(measures: list[Asked], ranking: Ranking) -> NDArray[np.float64]:
    """How each number reacts to leaving out one row, for BCa."""
    coarse = drawing.thinned(ranking, JACKKNIFE)
    away, rows = [], []
    for side in (1, 2):
        counts = np.diff(coarse.tally[side])
        squares = counts if coarse.squares is None else np.diff(coarse.squares.tally[side])
        places = np.flatnonzero(counts)
        own = np.array(
            [_values(measures, _without(coarse, side, place)) for place in places.tolist()]
        )
        share = counts[places] / counts.sum()
        away.append(share @ own - own)
        rows.append(counts[places] ** 2 / squares[places])
    return skew_of(np.concatenate(away), np.concatenate(rows))


def _without(ranking: Ranking, side: int, place: int) -> Ranking:
    """The ranking without one row of a class (1: positive, 2: negative) and score."""
    columns = list(ranking.tally)
    one = 1.0
    if ranking.squares is not None:  # what a row of this group weighs, on average
        squared = ranking.squares.tally[side]
        weight = columns[side][place + 1] - columns[side][place]
        one = float((squared[place + 1] - squared[place]) / weight)
    columns[side] = columns[side] - one * (np.arange(len(ranking)) > place)
    return replace(ranking, tally=drawing.occupied(Tally(*columns)), squares=None, levels=None)
