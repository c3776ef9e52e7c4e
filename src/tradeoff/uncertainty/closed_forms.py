"""Summaries of a ranking whose intervals have a closed form.

Brier score, log loss and what follows from them are means over rows; average precision and partial
areas are means over rows to first order; the equal error rate and the break-even point are read
off a curve; the Kolmogorov–Smirnov distance is bounded by that of two empirical distributions.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradeoff.core.sort import Tally
from tradeoff.measures.probabilities import probabilities
from tradeoff.stats.normal import quantile
from tradeoff.stats.proportions import wilson
from tradeoff.stats.special import kolmogorov_quantile
from tradeoff.uncertainty import mover
from tradeoff.uncertainty.auc import area_interval
from tradeoff.uncertainty.confidence import Spread
from tradeoff.uncertainty.influence import Moments, hall_interval, moments
from tradeoff.uncertainty.readings import reading_interval

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.registry import Measure
    from tradeoff.uncertainty.confidence import Confidence

    Numbers = NDArray[np.float64]

MEAN = "mean over rows, Hall"
LOGIT = "influence function, logit"
SMALLEST = np.finfo(np.float64).eps


class Subject(NamedTuple):
    """What an interval is of: a summary and its value for the rows of a ranking."""

    measure: Measure
    value: float
    ranking: Ranking
    confidence: Confidence

    @property
    def level(self) -> float:
        """The level of the interval."""
        return self.confidence.level

    @property
    def by_class(self) -> bool:
        """Whether class totals are given, or the prevalence is known."""
        return self.confidence.by_class or self.ranking.prevalence_known

    def moments(self, of_positives: Numbers, of_negatives: Numbers) -> Moments:
        """Moments of a mean over rows."""
        return moments(self.ranking, of_positives, of_negatives, by_class=self.by_class)

    @property
    def prevalence(self) -> float:
        """The share of positives among the ranked rows."""
        positives, negatives = float(self.ranking.positives), float(self.ranking.negatives)
        return positives / (positives + negatives)


def _squared_errors(ranking: Ranking) -> tuple[Numbers, Numbers]:
    p = probabilities(ranking).values
    return (1 - p) ** 2, p**2


def _log_losses(ranking: Ranking) -> tuple[Numbers, Numbers]:
    p = np.clip(probabilities(ranking).values, SMALLEST, 1 - SMALLEST)
    return -np.log(p), -np.log1p(-p)


def _mean(losses: Callable[[Ranking], tuple[Numbers, Numbers]]) -> Callable[[Subject], Spread]:
    """A mean over rows."""

    def interval(subject: Subject) -> Spread:
        about = subject.moments(*losses(subject.ranking))
        return Spread(*hall_interval(subject.value, about, subject.level), MEAN)

    return interval


def _root_of_mean(subject: Subject) -> Spread:
    squared = subject._replace(value=subject.value**2)
    low, high, method, _ = _mean(_squared_errors)(squared)
    return Spread(math.sqrt(max(low, 0.0)), math.sqrt(max(high, 0.0)), method)


def _skill(
    losses: Callable[[Ranking], tuple[Numbers, Numbers]],
    uninformed: Callable[[float], tuple[float, float]],
) -> Callable[[Subject], Spread]:
    """1 - loss / loss of always predicting the prevalence, on the log scale of that ratio.

    `uninformed` gives that loss and its slope by the prevalence.
    """

    def interval(subject: Subject) -> Spread:
        share = subject.prevalence
        reference, slope = uninformed(share)
        ratio = 1 - subject.value
        if not ratio > 0:
            return Spread(math.nan, math.nan, "", "no interval: the loss is 0")
        of_positives, of_negatives = losses(subject.ranking)
        loss = ratio * reference
        about = subject.moments(
            of_positives / loss - slope / reference * (1 - share),
            of_negatives / loss + slope / reference * share,
        )
        low, high = hall_interval(math.log(ratio), about, subject.level)
        return Spread(1 - math.exp(high), 1 - math.exp(low), "ratio of means over rows, log, Hall")

    return interval


def _variance_of_class(share: float) -> tuple[float, float]:
    return share * (1 - share), 1 - 2 * share


def _entropy_of_class(share: float) -> tuple[float, float]:
    entropy = -share * math.log(share) - (1 - share) * math.log1p(-share)
    return entropy, math.log((1 - share) / share)


def _average_precision(subject: Subject) -> Spread:
    """On the logit scale, with the variance of influences.

    A positive row is counted among those at or above its own score, which makes average precision
    too large; the mean over the other rows alone is not. The interval reaches from the lower end
    by the one to the upper end by the other.
    """
    ranking, value = subject.ranking, subject.value
    if not 0 < value < 1:
        return Spread(math.nan, math.nan, "", f"no interval: the value is {value:g}")
    tp, fp = (side.astype(np.float64) for side in ranking.tally[1:])
    own, total, seen = np.diff(tp), tp[-1], (tp + fp)[1:]
    there = seen > 0
    precision = np.divide(tp[1:], seen, out=np.zeros(len(seen)), where=there)
    average = float(own @ precision) / total
    square = np.where(there, seen, 1.0) ** 2
    of_positives = precision - average + _from_here(own * fp[1:] / square)
    of_negatives = -_from_here(own * tp[1:] / square)
    rows = tp[-1] + fp[-1]
    about = subject.moments(of_positives * rows / total, of_negatives * rows / total)
    unbiased = value - average + _leaving_out(ranking, tp, seen, own)
    half = quantile(subject.level) * math.sqrt(about.variance)
    ends = [_logit_ends(middle, half) for middle in (value, unbiased)]
    return Spread(min(low for low, _ in ends), max(high for _, high in ends), LOGIT)


def _from_here(values: Numbers) -> Numbers:
    """The sum of this value and of all below it in the ranking."""
    return np.cumsum(values[::-1])[::-1]


def _leaving_out(ranking: Ranking, tp: Numbers, seen: Numbers, own: Numbers) -> float:
    """Average precision where no positive row counts itself."""
    weight = np.ones(len(own))
    if ranking.squares is not None:
        squares = np.diff(ranking.squares.tally.true_positives.astype(np.float64))
        weight = np.divide(squares, own, out=weight, where=own > 0)
    others, among = tp[1:] - weight, seen - weight
    share = float(ranking.positives / (ranking.positives + ranking.negatives))
    alone = among <= weight * 1e-9
    kept = np.where(alone, share, np.clip(others, 0, None) / np.where(alone, 1.0, among))
    return float(own @ np.clip(kept, 0, 1)) / float(tp[-1])


def _logit_ends(middle: float, half: float) -> tuple[float, float]:
    middle = min(max(middle, 1e-9), 1 - 1e-9)
    centre, reach = math.log(middle / (1 - middle)), half / (middle * (1 - middle))
    return _expit(centre - reach), _expit(centre + reach)


def _expit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def _partial_area(subject: Subject) -> Spread:
    """Wilson's interval of the share of its box, as many rows as the variance of placements says.

    Placements are those of DeLong, looked at between the two rates alone (He & Escobar 2008,
    doi:10.1002/sim.3460).
    """
    parameters, bare = subject.measure.parameters, subject.measure.name.partition("(")[0]
    low, high, along = (parameters[key] for key in ("low", "high", "along"))
    ranking = subject.ranking
    tpr, fpr = (
        side.astype(np.float64) / float(total)
        for side, total in zip(
            ranking.tally[1:], (ranking.positives, ranking.negatives), strict=True
        )
    )
    width = high - low
    if along == "fpr":
        heights = np.interp([low, high], fpr, tpr)
        of_positives = high - _between(fpr, low, high)
        of_negatives = _between(tpr, *heights)
    else:
        heights = np.interp([low, high], tpr, 1 - fpr)
        of_negatives = _between(tpr, low, high)
        of_positives = _between(1 - fpr, heights[1], heights[0])
    variance = _class_variance(ranking, of_positives, of_negatives) / width**2
    scale, least = _on_box(bare, low, high, along)
    share = min(max((subject.value - least) / scale, 0.0), 1.0)
    rows = min(ranking.effective_rows)
    inside = min(max(share, 0.5 / rows), 1 - 0.5 / rows)
    trials = inside * (1 - inside) / variance if variance > 0 else rows
    ends = [float(end) for end in wilson(share * trials, trials, subject.level)]
    return Spread(least + scale * ends[0], least + scale * ends[1], "placements, Wilson")


def _between(rates: Numbers, low: float, high: float) -> Numbers:
    """Each row's rate, kept between two limits: the middle of its tie."""
    kept = np.clip(rates, low, high)
    return np.asarray((kept[1:] + kept[:-1]) / 2)


def _class_variance(ranking: Ranking, of_positives: Numbers, of_negatives: Numbers) -> float:
    """The variance of a mean over positives plus one over negatives."""
    variance = 0.0
    for side, values in ((1, of_positives), (2, of_negatives)):
        weights = np.diff(ranking.tally[side]).astype(np.float64)
        squares = weights
        if ranking.squares is not None:
            squares = np.diff(ranking.squares.tally[side]).astype(np.float64)
        total = float(weights.sum())
        rows = total**2 / float(squares.sum())
        mean = float(weights @ values) / total
        variance += float(squares @ (values - mean) ** 2) / total**2 * rows / max(rows - 1, 1)
    return variance


def _on_box(bare: str, low: float, high: float, along: str) -> tuple[float, float]:
    """How a partial area follows from its share of the box: a factor, and what it is at 0."""
    width = high - low
    if bare == "partial_auc_share":
        return 1.0, 0.0
    if bare == "partial_auc":
        return width, 0.0
    under = (high**2 - low**2) / 2
    chance = under if along == "fpr" else width - under
    return width / (2 * (width - chance)), (1 - chance / (width - chance)) / 2


def _kolmogorov_smirnov(subject: Subject) -> Spread:
    """As far as two empirical distributions can be from the true ones, wherever they are compared.

    The largest difference is chosen on the same rows, so it is too large; this holds all the same
    (Smirnov 1939), and is wider than it need be.
    """
    positives, negatives = subject.ranking.effective_rows
    reach = kolmogorov_quantile(1 - subject.level) * math.sqrt(1 / positives + 1 / negatives)
    method = "Kolmogorov–Smirnov bound, conservative"
    return Spread(max(subject.value - reach, 0.0), min(subject.value + reach, 1.0), method)


def _reading(subject: Subject) -> Spread:
    low, high = reading_interval(
        subject.measure, subject.ranking, subject.level, fixed_classes=subject.by_class
    )
    return Spread(low, high, mover.METHOD)


def _area_with_ties(*, won: bool) -> Callable[[Subject], Spread]:
    """The area of the ranking in which one class of every tie comes first."""

    def interval(subject: Subject) -> Spread:
        confidence = subject.confidence
        opened = without_ties(subject.ranking, positives_first=won)
        area = area_interval(opened, confidence.level, confidence.for_areas)
        note = f"no interval: {area.reason}" if area.reason else area.note
        return Spread(area.low, area.high, area.method, note)

    return interval


def without_ties(ranking: Ranking, *, positives_first: bool) -> Ranking:
    """The ranking where the rows of one class come first in every tie."""
    _, tp, fp = ranking.tally
    squares = ranking.squares
    tied = (np.diff(tp) > 0) & (np.diff(fp) > 0)
    if not tied.any():
        return ranking
    order = np.sort(np.concatenate([np.arange(len(tp)), np.flatnonzero(tied) + 0.5]))
    above, here = np.floor(order).astype(np.intp), np.ceil(order).astype(np.intp)

    def opened(source: Ranking) -> Ranking:
        first = (here, above) if positives_first else (above, here)
        tally = Tally(
            np.asarray(source.tally.thresholds[here]),
            source.tally.true_positives[first[0]],
            source.tally.false_positives[first[1]],
        )
        return replace(source, tally=tally, squares=None, levels=None, known_pairs=None)

    return replace(opened(ranking), squares=None if squares is None else opened(squares))


CLOSED_FORMS: dict[str, Callable[[Subject], Spread]] = {
    "auc_optimistic": _area_with_ties(won=True),
    "auc_pessimistic": _area_with_ties(won=False),
    "brier": _mean(_squared_errors),
    "root_mean_squared_error": _root_of_mean,
    "brier_skill_score": _skill(_squared_errors, _variance_of_class),
    "log_loss": _mean(_log_losses),
    "log_loss_skill_score": _skill(_log_losses, _entropy_of_class),
    "average_precision": _average_precision,
    "pr_area": _average_precision,
    "pr_trapezoid": _average_precision,
    "partial_auc": _partial_area,
    "partial_auc_share": _partial_area,
    "partial_auc_mcclish": _partial_area,
    "ks": _kolmogorov_smirnov,
    "equal_error_rate": _reading,
    "break_even": _reading,
}
"""Summaries by name."""
