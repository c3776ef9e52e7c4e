"""Accuracy-rejection and risk-coverage curves: reject the least certain rows first."""

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
from tradeoff.measures.curves.interpolation import (
    CountInterpolation,
    count_interpolation_area,
    interpolated_ratio_area,
)
from tradeoff.measures.curves.registry import register_curve
from tradeoff.measures.registry import METRICS
from tradeoff.threads import Span, cache_blocks, map_in_threads, thread_spans

Floats = NDArray[np.float64]


# Distinct scores by their distance to a threshold, on both sides of it.
#
# Two scores on opposite sides are equally far away if they are mirror images: 0.7 and 0.3 for 0.5.
# For floats this holds only approximately (0.7 - 0.5 < 0.5 - 0.3), as for 2/3 and 1/3, or 0.41 and
# 1 - 0.41. So two scores tie if they are mirror images up to one unit in the last place of each,
# which is the rounding error of a score and its complement. A score has only one mirror image: if
# there are several candidates, the closest. All other comparisons are exact, however close scores
# are.


MAX_UNSCALED_VALUE, SCALE_FACTOR = 2.0**1020, 2.0**-4
"""Values above this limit are scaled, as twice a threshold may overflow; powers of 2 are exact."""


class Certainty(NamedTuple):
    """Distinct scores in order of rejection: by distance to the threshold, nearest first.

    `is_tied` marks each score, except the last, that is exactly as far away as the next.
    """

    is_above: NDArray[np.bool_]
    distance: Floats
    is_tied: NDArray[np.bool_]


def scores_by_certainty(ranking: Ranking, cut: int, threshold: float) -> Certainty:
    """Order scores for rejection: nearest to a threshold first; `cut` scores are above it.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.7, 0.3]), np.array([True, False, True]))
        >>> scores_by_certainty(ranking, 2, 0.5).is_tied.tolist()
        [True, False]
    """
    sign = -1.0 if ranking.lower_is_positive else 1.0
    scores, threshold = sign * ranking.thresholds[1:], sign * threshold
    if np.isinf(threshold):
        return _certainty_at_infinity(scores, cut, threshold)
    is_finite = np.isfinite(scores)
    magnitudes = np.where(is_finite, np.abs(ranking.tally.thresholds[1:]), 0)
    # Spacing in the precision of the scores; NumPy's overflows at the largest float.
    below_largest = np.nextafter(np.finfo(magnitudes.dtype).max, 0)
    units = np.spacing(np.minimum(magnitudes, below_largest)).astype(np.float64)
    if max(abs(threshold), float(magnitudes.max())) > MAX_UNSCALED_VALUE:
        scores, threshold, units = (
            scores * SCALE_FACTOR,
            threshold * SCALE_FACTOR,
            units * SCALE_FACTOR,
        )
    reverse = slice(None, None, -1)
    mirrored_scores, errors = _mirror_scores(scores[cut:], threshold)
    # If a mirrored score equals a score, the sign of its error determines the order.
    comes_first = errors < 0
    parts = [mirrored_scores[comes_first], scores[:cut][reverse], mirrored_scores[~comes_first]]
    order = np.argsort(np.concatenate(parts), kind="stable")

    def in_order(below: NDArray[Any], above: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([below[comes_first], above, below[~comes_first]])[order]

    is_above = in_order(np.zeros(len(mirrored_scores), np.bool_), np.ones(cut, np.bool_))
    distance = in_order(threshold - scores[cut:], scores[:cut][reverse] - threshold)
    gaps = _gaps(np.concatenate(parts)[order], in_order(errors, np.zeros(cut)))
    units = in_order(units[cut:], units[:cut][reverse])
    tolerance = units[1:] + units[:-1] + _rounding_error(threshold)
    is_tied = _closest_ties((is_above[1:] != is_above[:-1]) & (gaps <= tolerance), gaps)
    return Certainty(is_above, distance + 0.0, is_tied)  # no negative zero


def _certainty_at_infinity(scores: Floats, cut: int, threshold: float) -> Certainty:
    """Scores ordered by distance to an infinite threshold: all others are infinitely far away."""
    is_above = np.arange(len(scores)) < cut
    is_far = scores != threshold
    order = np.argsort(is_far, kind="stable")
    distance = np.where(is_far, np.inf, 0.0)[order]
    return Certainty(is_above[order], distance, distance[1:] == distance[:-1])


def _mirror_scores(below: Floats, threshold: float) -> tuple[Floats, Floats]:
    """Scores mirrored at the threshold, with their rounding errors (Knuth's TwoSum)."""
    twice = 2 * threshold
    mirrored_scores = twice - below
    with np.errstate(invalid="ignore"):  # infinite scores
        difference = mirrored_scores - twice
        errors = (twice - (mirrored_scores - difference)) - (below + difference)
    return mirrored_scores, np.where(np.isnan(errors), 0.0, errors)


def _gaps(mirrored_scores: Floats, errors: Floats) -> Floats:
    """Differences between neighboring scores; 0 between equal infinities."""
    with np.errstate(invalid="ignore"):
        gaps = np.diff(mirrored_scores) + np.diff(errors)
    return np.where(np.isnan(gaps), 0.0, gaps)


def _rounding_error(threshold: float) -> float:
    """Rounding error of twice the threshold relative to the decimal number that it represents."""
    is_exact = Decimal(repr(threshold)) == Decimal(threshold)
    return 0.0 if is_exact else float(np.spacing(abs(threshold)))


def _closest_ties(may_be_tied: NDArray[np.bool_], gaps: Floats) -> NDArray[np.bool_]:
    """Keep the closest of neighboring ties, so that no score has two mirror images."""
    tie_gaps = np.where(may_be_tied, gaps, np.inf)
    gaps_before, gaps_after = np.append([np.inf], tie_gaps[:-1]), np.append(tie_gaps[1:], [np.inf])
    return np.asarray(may_be_tied & (tie_gaps < gaps_before) & (tie_gaps <= gaps_after))


DEFAULT_THRESHOLD = 0.5


@register_curve(
    "accuracy of the decided rows as the least certain rows are rejected",
    title="Accuracy–rejection curve",
    chance="random rejection",
    ideal="errors rejected first",
    has_thresholds=False,
    no_band="rejected rows lie between two thresholds that vary together",
    rank=12,
    aliases=("arc",),
)
def accuracy_rejection(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Accuracy-rejection curve: accuracy of the accepted rows against the rejection rate."""
    bands = _reject_bands(ranking, threshold)
    accuracy = 1 - _risk_without_rejection(ranking, threshold)
    shares, rates = _proportions_and_rates(bands, risk=False)
    return Curve(
        "accuracy_rejection",
        ranking,
        Axis("rejection_rate", shares, "lower"),
        Axis("accepted_accuracy", rates, "higher"),
        bands.interpolation("rejection_rate", "accepted_accuracy", shares, rates),
        chance=((0.0, accuracy), (1.0, accuracy)),
        ideal=((0.0, accuracy), (1 - accuracy, 1.0), (1.0, 1.0)),
        table=bands.table,
    )


@register_curve(
    "error rate of the decided rows as more rows are decided, most certain first",
    title="Risk–coverage curve",
    area="area",
    summary="aurc",
    chance="random rejection",
    ideal="errors rejected first",
    has_thresholds=False,
    no_band="rejected rows lie between two thresholds that vary together",
    rank=13,
    aliases=("rc",),
)
def risk_coverage(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> Curve:
    """Risk-coverage curve: error rate of the accepted rows against coverage; area: AURC."""
    narrowest_first = _reject_bands(ranking, threshold)
    bands = narrowest_first.reversed()
    risk = _risk_without_rejection(ranking, threshold)
    shares, rates = (values[::-1] for values in _proportions_and_rates(narrowest_first, risk=True))
    # The ideal order accepts all misclassified rows last.
    corners = ((x, (x - 1 + risk) / x) for x in np.linspace(1 - risk, 1.0, 50).tolist() if x > 0)
    return Curve(
        "risk_coverage",
        ranking,
        Axis("coverage", shares, "higher"),
        Axis("accepted_error_rate", rates, "lower"),
        bands.interpolation("coverage", "accepted_error_rate", shares, rates),
        chance=((0.0, risk), (1.0, risk)),
        ideal=((0.0, 0.0), *corners),
        table=bands.table,
        integral=count_interpolation_area(
            lambda m: m.false_positives + m.false_negatives, lambda m: m.decided
        ),
    )


def risk_area(ranking: Ranking, threshold: float = DEFAULT_THRESHOLD) -> float:
    """Area under the risk-coverage curve (AURC), without building the curve."""
    bands = _reject_bands(ranking, threshold).reversed()
    matrices = bands.matrices(slice(None)).as_floats()
    decided = matrices.decided
    errors = matrices.false_positives + matrices.false_negatives
    return interpolated_ratio_area(errors, decided, decided / float(ranking.total))


@dataclass(frozen=True)
class _RejectBands:
    """Reject bands of a ranking: indices of their upper and lower limits, and half-widths."""

    ranking: Ranking
    upper: NDArray[Any]
    lower: NDArray[Any]
    distance: NDArray[np.float64]

    def matrices(self, indices: Any) -> ConfusionMatrix:
        return self.ranking.banded(self.upper[indices], self.lower[indices])

    @property
    def shape(self) -> tuple[int, ...]:
        return self.upper.shape

    def reversed(self) -> _RejectBands:
        return _RejectBands(self.ranking, self.upper[::-1], self.lower[::-1], self.distance[::-1])

    def interpolation(
        self, x: str, y: str, xs: NDArray[np.float64], ys: NDArray[np.float64]
    ) -> CountInterpolation:
        return CountInterpolation(self, METRICS[x], METRICS[y], xs, ys)

    def table(self) -> dict[str, NDArray[Any]]:
        matrices = self.matrices(slice(None))
        counts = {f.name: getattr(matrices, f.name) for f in fields(matrices)[:6]}
        return {"distance": self.distance, **counts}


def _risk_without_rejection(ranking: Ranking, threshold: float) -> float:
    return float(METRICS["accepted_error_rate"](ranking.at(threshold)))


def _proportions_and_rates(
    bands: _RejectBands, *, risk: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coverage and risk, or rejection rate and accuracy, of reject bands."""
    tp, fp = bands.ranking.tally[1:]
    total = float(bands.ranking.total)
    shares, rates = np.empty(len(bands.upper)), np.empty(len(bands.upper))

    def fill(span: Span) -> None:
        for block in cache_blocks(span):
            part = slice(*block)
            upper, lower = bands.upper[part], bands.lower[part]
            false_negatives, false_positives = tp[-1] - tp.take(lower), fp.take(upper)
            true_negatives = fp[-1] - fp.take(lower)
            decided = false_positives + tp.take(upper) + false_negatives + true_negatives
            with np.errstate(invalid="ignore"):
                np.divide(false_positives + false_negatives, decided, out=rates[part])
            np.divide(decided, total, out=shares[part])
            if not risk:
                for values in (shares[part], rates[part]):
                    np.subtract(1, values, out=values)

    map_in_threads(fill, thread_spans(len(shares)))
    return shares, rates


def _reject_bands(ranking: Ranking, threshold: float) -> _RejectBands:
    """Reject bands around the threshold, narrowest first."""
    if not ranking.distinct:
        raise InputError("There are no scored rows to reject.")
    cut = ranking.index(threshold)
    certainty = scores_by_certainty(ranking, cut, float(threshold))
    upper = cut - np.append([0], np.cumsum(certainty.is_above))  # minus the nearer scores above
    lower = upper + np.arange(len(upper))  # plus all nearer scores
    distance = np.append(certainty.distance, np.inf)
    if certainty.is_tied.any():  # equal distances are accepted together
        is_first = np.concatenate([[True], ~certainty.is_tied, [True]])
        upper, lower, distance = upper[is_first], lower[is_first], distance[is_first]
    return _RejectBands(ranking, upper, lower, distance)
