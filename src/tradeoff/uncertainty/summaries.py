"""Intervals of summaries of a ranking.

Areas have formulas (`auc`), so do means over rows, readings of curves and a few more
(`closed_forms`); what is left has the standard error of bootstrap resamples. A user may ask for
the bootstrap by name. Some summaries are so biased that no interval can be trusted: they have none,
and say why.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tradeoff.core.resamples import occupied
from tradeoff.core.sort import Tally
from tradeoff.measures.curves.bounds import cases
from tradeoff.measures.summaries import calibration_fits
from tradeoff.uncertainty import mover
from tradeoff.uncertainty.auc import area_interval
from tradeoff.uncertainty.bootstrap import (
    RankedRows,
    acceleration,
    bootstrap,
    percentile_interval,
    standard_error_interval,
    thinned,
)
from tradeoff.uncertainty.closed_forms import CLOSED_FORMS, Subject
from tradeoff.uncertainty.confidence import Spread
from tradeoff.uncertainty.influence import Moments, hall_interval
from tradeoff.uncertainty.question import Question
from tradeoff.uncertainty.readings import reading_interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.core.resamples import Resamples
    from tradeoff.measures.estimate import Estimate
    from tradeoff.measures.registry import Measure
    from tradeoff.uncertainty.confidence import Confidence


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
    "calibration_in_the_large": calibration_fits.calibration_in_the_large,
    "calibration_slope": calibration_fits.calibration_slope,
    "observed_expected_ratio": calibration_fits.observed_expected_ratio,
}
"""Summaries that are fitted, and come with standard errors."""

BY_JACKKNIFE = {"aurc": False, "pr_gain_area": True}
"""Summaries that are nearly a mean over rows, by the jackknife; whether on the scale of
ln(1 - value), on which a skewed estimate is more nearly normal."""

LARGEST_LOG = 20.0
"""Limits beyond e to this power say nothing."""

FEWEST = 2
"""Of fewer rows in a class, resamples say nothing."""

JACKKNIFE = 400
"""For BCa, rows are left out in at most so many groups of scores."""

GROUPS = 120
"""For a variance, fewer groups are enough."""

FOR_AN_ERROR = 200
"""So many resamples tell a standard error (Efron & Tibshirani 1993, section 6.4)."""

READ_ALL = 20_000
"""Of more scores than these, a curve is read off groups of neighbours."""

TOO_FEW = "no interval: it needs two rows of each class"


def sure_summaries(
    measures: Iterable[Asked], ranking: Ranking, confidence: Confidence
) -> dict[str, Estimate]:
    """Summaries with their intervals; those that need it share the same resamples."""
    plain = {measure.name: (measure, measure.estimate(ranking)) for measure in measures}
    sure: dict[str, Estimate] = {}
    open_questions = []
    for name, (measure, estimate) in plain.items():
        if not estimate.is_defined:
            sure[name] = estimate
        elif reason := _no_interval(measure, confidence):
            sure[name] = with_spread(estimate, _none(reason), confidence.level)
        elif name in OF_THE_AREA and not confidence.draws:
            sure[name] = _area(measure, estimate, ranking, confidence)
        elif name in BY_REGRESSION and not confidence.draws and ranking.exact:
            sure[name] = BY_REGRESSION[name](ranking, level=confidence.level)
        else:
            open_questions.append(measure)
    spread_of = _spreads if ranking.exact else _spreads_in_bins
    spreads = spread_of(open_questions, ranking, confidence) if open_questions else {}
    for measure in open_questions:
        estimate = plain[measure.name][1]
        ends = cautioned(spreads[measure.name], summary_of(measure))
        sure[measure.name] = with_spread(estimate, ends, confidence.level)
    return {name: sure[name] for name in plain}


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


def inside(ends: Spread, measure: Any) -> Spread:
    """No end beyond what the measure can be."""
    least, most = getattr(measure, "low", -math.inf), getattr(measure, "high", math.inf)
    low, high = max(ends.low, least), min(ends.high, most)
    if low >= high:
        return Spread(math.nan, math.nan, ends.method, "no interval: resamples are too biased")
    return ends._replace(low=low, high=high)


def _none(note: str) -> Spread:
    return Spread(math.nan, math.nan, "", note)


def summary_of(measure: Asked) -> Measure | None:
    """The summary that is asked for; None where it is a metric at some point, or a cost."""
    asked = measure.measure if isinstance(measure, Question) else measure
    return asked if getattr(asked, "kind", None) == "summary" else None  # type: ignore[return-value]


def _no_interval(measure: Asked, confidence: Confidence) -> str | None:
    summary = summary_of(measure)
    if summary is None or not summary.no_interval or confidence.draws:
        return None
    return f"no interval: {summary.no_interval}"


def cautioned(ends: Spread, measure: Measure | None) -> Spread:
    """Where a user asked for an interval that cannot be trusted, a note that says why."""
    if measure is None or not measure.no_interval or math.isnan(ends.low):
        return ends
    caution = f"the interval holds the true value less often than it says: {measure.no_interval}"
    return ends._replace(note="; ".join(filter(None, [ends.note, caution])))


def _area(measure: Asked, estimate: Estimate, ranking: Ranking, confidence: Confidence) -> Estimate:
    factor, constant = OF_THE_AREA[measure.name]
    interval = area_interval(ranking, confidence.level, confidence.for_areas)
    note = f"no interval: {interval.reason}" if interval.reason else interval.note
    low, high = (factor * end + constant for end in (interval.low, interval.high))
    ends = Spread(low, high, interval.method, note)
    return with_spread(estimate, ends, confidence.level)


def _spreads(measures: list[Asked], ranking: Ranking, confidence: Confidence) -> dict[str, Spread]:
    if min(ranking.effective_rows) < FEWEST:
        return {measure.name: _none(TOO_FEW) for measure in measures}
    known = {} if confidence.draws else _closed(measures, ranking, confidence)
    resampled = [measure for measure in measures if measure.name not in known]
    if resampled:
        known |= _by_bootstrap(resampled, ranking, confidence)
    return {measure.name: inside(known[measure.name], measure) for measure in measures}


def _closed(measures: list[Asked], ranking: Ranking, confidence: Confidence) -> dict[str, Spread]:
    """The intervals that need no resamples."""
    known = {}
    for measure in measures:
        summary = summary_of(measure)
        bare = measure.name.partition("(")[0]
        if summary is not None:
            seen = ranking.at_prevalence(getattr(measure, "prevalence", None))
            subject = Subject(summary, summary(seen), seen, confidence)
            if bare in CLOSED_FORMS:
                known[measure.name] = CLOSED_FORMS[bare](subject)
            elif bare in BY_JACKKNIFE:
                known[measure.name] = _by_jackknife(subject, log=BY_JACKKNIFE[bare])
        elif isinstance(measure, Question) and measure.point is not None:
            known[measure.name] = _read(measure, ranking, confidence)
    return known


def _read(question: Question, ranking: Ranking, confidence: Confidence) -> Spread:
    """The interval of a metric where another one has a value."""
    coarse = ranking
    if ranking.distinct > READ_ALL:
        coarse = thinned(ranking, keep=[question.places(ranking)])
    shift = question.estimate(ranking).value - question.estimate(coarse).value
    fixed = confidence.by_class or question.prevalence is not None
    low, high = reading_interval(
        lambda moved: question.estimate(moved).value, coarse, confidence.level, fixed_classes=fixed
    )
    return Spread(low + shift, high + shift, mover.METHOD)


def _by_bootstrap(
    measures: list[Asked], ranking: Ranking, confidence: Confidence
) -> dict[str, Spread]:
    kept = [own.places(ranking) for own in measures if isinstance(own, Question)]
    coarse = thinned(ranking, keep=kept)
    if not confidence.draws:
        enough = min(confidence.replicates, FOR_AN_ERROR)
        confidence = replace(confidence, replicates=enough)
    values = _replicates(measures, coarse, confidence)
    exact, rough = _values(measures, ranking), _values(measures, coarse)
    if not confidence.draws:
        return {
            measure.name: standard_error_interval(values[:, at], exact[at], confidence)
            for at, measure in enumerate(measures)
        }
    corrected = confidence.method == "bca"
    skews = _skews(measures, ranking) if corrected else np.zeros(len(measures))
    return {
        measure.name: percentile_interval(
            values[:, at],
            rough[at],
            confidence,
            skew=float(skews[at]),
            shift=exact[at] - rough[at],
        )
        for at, measure in enumerate(measures)
    }


def _by_jackknife(subject: Subject, *, log: bool) -> Spread:
    """The t interval of a number that is nearly a mean over rows, corrected for skewness.

    On the log scale it is an interval of ln(1 - value), by the delta method.
    """
    distance = 1 - subject.value
    if log and not distance > 0:
        return _none(f"no interval: the value is {subject.value:g}")
    deviations, rows = _left_out(
        [subject.measure], subject.ranking, by_class=subject.by_class, groups=GROUPS
    )
    total = float(rows.sum())
    influences = (total - 1) * deviations[:, 0]
    second = float(rows @ influences**2) / total
    if not second > 0:
        return _none("no interval: no row changes it")
    third = float(rows @ influences**3) / total
    about = Moments(second / (total - 1), third / second**1.5 / math.sqrt(total), total)
    if not log:
        return Spread(*hall_interval(subject.value, about, subject.level), "jackknife, Hall")
    ends = hall_interval(math.log(distance), about.scaled(-1 / distance), subject.level)
    if ends[1] > LARGEST_LOG:
        return _none("no interval: single rows change it too much")
    low, high = (1 - math.exp(end) for end in reversed(ends))
    return Spread(low, high, "jackknife, log, Hall")


def _spreads_in_bins(
    measures: list[Asked], ranking: Ranking, confidence: Confidence
) -> dict[str, Spread]:
    """Intervals that hold those of the worst and of the best order inside bins.

    The same rows rank no worse than in the worst case and no better than in the best.
    """
    first, second = (_spreads(measures, case, confidence) for case in cases(ranking))
    hulls = {}
    for measure in measures:
        worst, best = first[measure.name], second[measure.name]
        low, high = min(worst.low, best.low), max(worst.high, best.high)
        estimate = measure.estimate(ranking)
        ends = [measure.estimate(case).value for case in (ranking.worst_case, ranking.best_case)]
        # Some summaries may be lower than for the worst case: by as much the interval may be.
        low += min(estimate.value - estimate.within - min(ends), 0.0)
        high += max(estimate.value + estimate.within - max(ends), 0.0)
        hulls[measure.name] = worst._replace(low=low, high=high, note=worst.note or best.note)
    return hulls


def _replicates(
    measures: list[Asked], ranking: Ranking, confidence: Confidence
) -> NDArray[np.float64]:
    """The measures of each resample: areas of all resamples at once, others one by one."""
    linear = [OF_THE_AREA.get(measure.name) for measure in measures]

    def areas(resamples: Resamples) -> NDArray[Any]:
        values = resamples.areas()
        return np.column_stack([f * values + c for f, c in filter(None, linear)])

    def one_by_one(resamples: Resamples) -> NDArray[Any]:
        return np.array([_values(measures, resample) for resample in resamples])

    at_once = all(linear)
    statistic = areas if at_once else one_by_one
    return bootstrap(RankedRows(ranking), statistic, confidence, parallel=at_once)


def _values(measures: list[Asked], ranking: Ranking) -> list[float]:
    return [measure.estimate(ranking).value for measure in measures]


def _skews(measures: list[Asked], ranking: Ranking) -> NDArray[np.float64]:
    """The acceleration of BCa."""
    return acceleration(*_left_out(measures, ranking, by_class=True, groups=JACKKNIFE))


def _left_out(
    measures: list[Any], ranking: Ranking, *, by_class: bool, groups: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far each number moves when one row is left out, and how many such rows there are.

    From the mean of all rows, or of those of its class.
    """
    coarse = thinned(ranking, groups)
    values, counts, rows = [], [], []
    for side in (1, 2):
        weights = np.diff(coarse.tally[side])
        squares = weights if coarse.squares is None else np.diff(coarse.squares.tally[side])
        places = np.flatnonzero(weights)
        values.append(
            np.array(
                [_values(measures, _without(coarse, side, place)) for place in places.tolist()]
            )
        )
        counts.append(weights[places].astype(np.float64))
        rows.append(weights[places] ** 2 / squares[places])
    if not by_class:
        values, counts = [np.concatenate(values)], [np.concatenate(counts)]
    deviations = [
        weight @ value / weight.sum() - value for value, weight in zip(values, counts, strict=True)
    ]
    return np.concatenate(deviations), np.concatenate(rows)


def _without(ranking: Ranking, side: int, place: int) -> Ranking:
    """The ranking without one row of a class (1: positive, 2: negative) and score."""
    columns = list(ranking.tally)
    row = 1.0
    if ranking.squares is not None:  # what a row of this group weighs, on average
        squared = ranking.squares.tally[side]
        weight = columns[side][place + 1] - columns[side][place]
        row = float((squared[place + 1] - squared[place]) / weight)
    columns[side] = columns[side] - row * (np.arange(len(ranking)) > place)
    return replace(ranking, tally=occupied(Tally(*columns)), squares=None, levels=None)
