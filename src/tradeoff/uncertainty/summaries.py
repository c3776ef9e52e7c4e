"""Intervals of summaries of a ranking.

Areas have formulas (`auc`), and a summary may name one of its own; what is left has the standard
error of bootstrap resamples. A user may ask for
the bootstrap by name. Some summaries are so biased that no interval can be trusted: they have none,
and say why.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.resamples import Resamples, occupied
from tradeoff.core.sort import Tally
from tradeoff.measures import mover
from tradeoff.measures.curves.bounds import cases
from tradeoff.measures.estimate import Estimate, Spread, no_spread
from tradeoff.measures.registry import Measure
from tradeoff.stats.special import t_quantile
from tradeoff.uncertainty.auc import area_interval
from tradeoff.uncertainty.bootstrap import (
    RankedRows,
    acceleration,
    bootstrap,
    percentile_interval,
    standard_error_interval,
    thinned,
)
from tradeoff.uncertainty.question import Question

if TYPE_CHECKING:
    from tradeoff.uncertainty.confidence import Confidence

    Floats = NDArray[np.float64]


class Asked(Protocol):
    """A summary, or any other question that a ranking answers with one number."""

    @property
    def name(self) -> str:
        """What it is called."""

    def estimate(self, ranking: Ranking, /) -> Estimate:
        """The answer for one ranking."""


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
            sure[name] = with_spread(estimate, no_spread(reason), confidence.level)
        elif (line := of_area(measure)) and not confidence.draws:
            area = _area(ranking, confidence, *line)
            sure[name] = with_spread(estimate, area, confidence.level)
        elif (fit := _fit(measure)) and not confidence.draws and ranking.exact:
            sure[name] = fit(ranking, confidence.level)
        else:
            open_questions.append(measure)
    spread_of = _spreads if ranking.exact else _spreads_in_bins
    spreads = spread_of(open_questions, ranking, confidence) if open_questions else {}
    for measure in open_questions:
        estimate = plain[measure.name][1]
        ends = cautioned(spreads[measure.name], _summary_of(measure))
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


def _summary_of(measure: Asked) -> Measure | None:
    """The summary that is asked for; None where it is a metric at some point, or a cost."""
    asked = measure.measure if isinstance(measure, Question) else measure
    return asked if getattr(asked, "kind", None) == "summary" else None  # type: ignore[return-value]


def _no_interval(measure: Asked, confidence: Confidence) -> str | None:
    summary = _summary_of(measure)
    if summary is None or not summary.no_interval or confidence.draws:
        return None
    return f"no interval: {summary.no_interval}"


def cautioned(ends: Spread, measure: Measure | None) -> Spread:
    """Where a user asked for an interval that cannot be trusted, a note that says why."""
    if measure is None or not measure.no_interval or math.isnan(ends.low):
        return ends
    caution = f"the interval holds the true value less often than it says: {measure.no_interval}"
    return ends._replace(note="; ".join(filter(None, [ends.note, caution])))


def of_area(measure: Asked) -> tuple[float, float] | None:
    """The factor and the constant that make the measure of the area under the ROC curve."""
    summary = _summary_of(measure)
    return None if summary is None else summary.of_area


def _fit(measure: Asked) -> Callable[..., Estimate] | None:
    """The function of a summary that is fitted, and comes with its standard error."""
    summary = _summary_of(measure)
    return summary.function if summary is not None and summary.fitted else None


def _area(
    ranking: Ranking, confidence: Confidence, factor: float = 1.0, constant: float = 0.0
) -> Spread:
    interval = area_interval(ranking, confidence.level, confidence.method_for("areas").name)
    note = f"no interval: {interval.reason}" if interval.reason else interval.note
    low, high = (factor * end + constant for end in (interval.low, interval.high))
    return Spread(low, high, interval.method, note)


@dataclass(frozen=True)
class _Subject:
    """A summary's value for the rows of a ranking: see `measures.estimate.Subject`."""

    measure: Measure
    value: float
    ranking: Ranking
    confidence: Confidence

    @property
    def parameters(self) -> Mapping[str, Any]:
        return self.measure.parameters

    @property
    def level(self) -> float:
        return self.confidence.level

    @property
    def by_class(self) -> bool:
        """Whether class totals are given, or the prevalence is known."""
        return self.confidence.by_class or self.ranking.prevalence_known

    @property
    def prevalence(self) -> float:
        positives, negatives = float(self.ranking.positives), float(self.ranking.negatives)
        return positives / (positives + negatives)

    def mean_ends(
        self, value: float, of_positives: Floats, of_negatives: Floats
    ) -> tuple[float, float]:
        about = moments(self.ranking, of_positives, of_negatives, by_class=self.by_class)
        return hall_interval(value, about, self.level)

    def mean_variance(self, of_positives: Floats, of_negatives: Floats) -> float:
        return moments(self.ranking, of_positives, of_negatives, by_class=self.by_class).variance

    def area(self, ranking: Ranking) -> Spread:
        return _area(ranking, self.confidence)

    def reading(self) -> Spread:
        low, high = mover.reading_interval(
            self.measure, self.ranking, self.level, fixed_classes=self.by_class
        )
        return Spread(low, high, mover.METHOD)

    def jackknife(self, *, log: bool) -> Spread:
        return _by_jackknife(self, log=log)


def _spreads(measures: list[Asked], ranking: Ranking, confidence: Confidence) -> dict[str, Spread]:
    if min(ranking.effective_rows) < FEWEST:
        return {measure.name: no_spread(TOO_FEW) for measure in measures}
    known = {} if confidence.draws else _closed(measures, ranking, confidence)
    resampled = [measure for measure in measures if measure.name not in known]
    if resampled:
        known |= _by_bootstrap(resampled, ranking, confidence)
    return {measure.name: inside(known[measure.name], measure) for measure in measures}


def _closed(measures: list[Asked], ranking: Ranking, confidence: Confidence) -> dict[str, Spread]:
    """The intervals that need no resamples."""
    known = {}
    for measure in measures:
        summary = _summary_of(measure)
        if summary is not None and summary.interval is not None:
            seen = ranking.at_prevalence(getattr(measure, "prevalence", None))
            ends = summary.interval(_Subject(summary, summary(seen), seen, confidence))
            if ends is not None:
                known[measure.name] = ends
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
    low, high = mover.reading_interval(
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


def _by_jackknife(subject: _Subject, *, log: bool) -> Spread:
    """The t interval of a number that is nearly a mean over rows, corrected for skewness.

    On the log scale it is an interval of ln(1 - value), by the delta method.
    """
    distance = 1 - subject.value
    if log and not distance > 0:
        return no_spread(f"no interval: the value is {subject.value:g}")
    deviations, rows = _left_out(
        [subject.measure], subject.ranking, by_class=subject.by_class, groups=GROUPS
    )
    total = float(rows.sum())
    influences = (total - 1) * deviations[:, 0]
    second = float(rows @ influences**2) / total
    if not second > 0:
        return no_spread("no interval: no row changes it")
    third = float(rows @ influences**3) / total
    about = Moments(second / (total - 1), third / second**1.5 / math.sqrt(total), total)
    if not log:
        return Spread(*hall_interval(subject.value, about, subject.level), "jackknife, Hall")
    ends = hall_interval(math.log(distance), about.scaled(-1 / distance), subject.level)
    if ends[1] > LARGEST_LOG:
        return no_spread("no interval: single rows change it too much")
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


def _replicates(measures: list[Asked], ranking: Ranking, confidence: Confidence) -> Floats:
    """The measures of each resample: areas of all resamples at once, others one by one."""
    linear = [of_area(measure) for measure in measures]

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


def _skews(measures: list[Asked], ranking: Ranking) -> Floats:
    """The acceleration of BCa."""
    return acceleration(*_left_out(measures, ranking, by_class=True, groups=JACKKNIFE))


def _left_out(
    measures: list[Any], ranking: Ranking, *, by_class: bool, groups: int
) -> tuple[Floats, Floats]:
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


# Intervals of numbers that are a mean over rows, or nearly one.
#
# To first order such a number moves by the mean of its rows' *influences*: how far one more row of
# this score and class would move it (Hampel 1974, doi:10.1080/01621459.1974.10482962). Their
# variance is its variance. Where few rows are positive, influences are skewed, and so is the
# estimate; Hall's transformation (1992, doi:10.1111/j.2517-6161.1992.tb01872.x) corrects the t
# interval for that.


NO_SKEW = 1e-9


@dataclass(frozen=True)
class Moments:
    """The variance of an estimate, its skewness, and the number of rows behind it."""

    variance: float
    skewness: float
    rows: float

    def scaled(self, factor: float) -> Moments:
        """The moments of a multiple of the estimate."""
        sign = math.copysign(1.0, factor)
        return Moments(self.variance * factor**2, self.skewness * sign, self.rows)


def moments(
    ranking: Ranking, of_positives: Floats, of_negatives: Floats, *, by_class: bool
) -> Moments:
    """The moments of a mean over rows, from its values by score for either class.

    Args:
        ranking: The rows by score and class.
        of_positives: The value of a positive row of each score, highest first.
        of_negatives: The value of a negative row.
        by_class: Whether class totals are given, so that only rows within a class vary.
    """
    weights = [np.diff(side).astype(np.float64) for side in ranking.tally[1:]]
    squares = weights
    if ranking.squares is not None:
        squares = [np.diff(side).astype(np.float64) for side in ranking.squares.tally[1:]]
    # Rows of one score and class count as equally heavy.
    cubes = [
        np.divide(s**2, w, out=np.zeros(len(w)), where=w > 0)
        for w, s in zip(weights, squares, strict=True)
    ]
    values = [of_positives, of_negatives]
    total = sum(float(side.sum()) for side in weights)
    means = [_mean([v], [w]) for v, w in zip(values, weights, strict=True)]
    if not by_class:
        means = [_mean(values, weights)] * 2
    deviations = [value - mean for value, mean in zip(values, means, strict=True)]
    rows = total**2 / sum(float(side.sum()) for side in squares)
    second = sum(float(s @ d**2) for s, d in zip(squares, deviations, strict=True)) / total**2
    third = sum(float(c @ d**3) for c, d in zip(cubes, deviations, strict=True)) / total**3
    if not second > 0:
        return Moments(0.0, 0.0, rows)
    return Moments(second * rows / max(rows - 1, 1.0), third / second**1.5, rows)


def _mean(values: list[Floats], weights: list[Floats]) -> float:
    total = sum(float(side.sum()) for side in weights)
    weighted = sum(float(v @ w) for v, w in zip(values, weights, strict=True))
    return weighted / total if total else 0.0


def hall_interval(value: float, about: Moments, level: float = 0.95) -> tuple[float, float]:
    """The t interval of a mean, corrected for its skewness.

    Example:
        >>> ends = hall_interval(0.1, Moments(0.0004, 0.0, 101))  # 0.1 ± 1.984 * 0.02
        >>> [round(end, 4) for end in ends]
        [0.0603, 0.1397]
        >>> ends = hall_interval(0.1, Moments(0.0004, 0.3, 101))
        >>> [round(end, 4) for end in ends]
        [0.067, 0.1539]
    """
    error = math.sqrt(about.variance)
    reach = t_quantile(max(about.rows - 1, 1.0), (1 + level) / 2)
    low, high = (value - error * _unskewed(end, about.skewness) for end in (reach, -reach))
    return low, high


def _unskewed(quantile: float, skewness: float) -> float:
    """Hall's monotone transformation, turned around."""
    if abs(skewness) < NO_SKEW:
        return quantile
    inner = 1 + skewness * (quantile - skewness / 6)
    return 3 * (math.copysign(abs(inner) ** (1 / 3), inner) - 1) / skewness
