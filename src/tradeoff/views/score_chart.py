"""Chart of the score distributions of both classes, with thresholds or a reject band."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_count, printable
from tradeoff.render.chart import Bars, Chart, Layer, Line, Ribbon, Scale
from tradeoff.views.chart_labels import chart_class_labels, rows_caption, threshold_label
from tradeoff.views.scales import score_scale

if TYPE_CHECKING:
    from tradeoff.views.curve_chart import Mark

MIN_DEFAULT_BINS, MAX_DEFAULT_BINS = 12, 40
MAX_DISCRETE_SCORES = 20
"""Up to this many distinct scores get a bar each, unless two of them are too close."""
MAX_GAPS_PER_SCALE = 60
"""Two scores are too close for a bar each if they differ by less than 1 / 60 of the scale."""


class ScoreHistogram(NamedTuple):
    """Histogram of scores: proportions of each class by bin, and the rows outside the edges."""

    edges: NDArray[np.float64]
    positive_proportions: NDArray[np.float64]
    negative_proportions: NDArray[np.float64]
    outside_rows: float
    is_discrete: bool = False

    def threshold_position(self, ranking: Ranking, threshold: float) -> float:
        """Position of a threshold in the histogram: at the edge of a bar if scores are discrete."""
        if not self.is_discrete:
            return float(threshold)
        index = ranking.index(threshold)
        edge = index if ranking.lower_is_positive else ranking.distinct - index
        return float(self.edges[min(edge, len(self.edges) - 1)])


def scores_chart(
    ranking: Ranking,
    *,
    marks: Sequence[Mark] = (),
    band: tuple[float, float] | None = None,
    bins: int | None = None,
) -> Chart:
    """Chart of score histograms of both classes, each normalized separately.

    Args:
        ranking: The ranking of a model.
        marks: Thresholds to mark.
        band: Limits of the reject band to mark.
        bins: Number of bins; by default it depends on the number of rows.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = scores_chart(e.ranking, bins=2)
        >>> [layer.heights.tolist() for layer in chart.layers]
        [[1.0, 0.0], [0.5, 0.5]]
    """
    x_scale = score_scale([ranking], f"Score ({printable(ranking.name, 32)})")
    histogram = score_histogram(ranking, x_scale, bins)
    x_scale = Scale(
        x_scale.label, float(histogram.edges[0]), float(histogram.edges[-1]), x_scale.kind
    )
    names = chart_class_labels(ranking)
    layers: list[Layer] = []
    if ranking.negatives:
        layers.append(
            Bars(histogram.edges, histogram.negative_proportions, "negative", names[1], 1)
        )
    if ranking.positives:
        layers.append(
            Bars(histogram.edges, histogram.positive_proportions, "positive", names[0], 0)
        )
    max_height = max(
        [float(bars.heights.max()) for bars in layers if isinstance(bars, Bars)] or [1.0]
    )
    max_height *= 1.08
    if band is not None and band[0] != band[1]:
        limits = np.clip(np.sort([*band]), x_scale.low, x_scale.high)
        layers.insert(0, Ribbon(limits, np.zeros(2), np.full(2, max_height), "mark", "undecided"))
    for order, mark in enumerate(marks):
        x = np.full(
            2,
            np.clip(
                histogram.threshold_position(ranking, mark.threshold), x_scale.low, x_scale.high
            ),
        )
        label = threshold_label(ranking, mark.threshold, mark.criterion)
        layers.append(Line(x, np.array([0.0, max_height]), "mark", label, order))
    label = f"Share of the {ranking.wording.units} of each class"
    y_scale = Scale(label, 0.0, max_height, "share")
    return Chart("Scores by class", x_scale, y_scale, tuple(layers), _caption(ranking, histogram))


def score_histogram(ranking: Ranking, x_scale: Scale, bins: int | None = None) -> ScoreHistogram:
    """Score histogram of both classes; rows outside the scale are in the outermost bins.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.1, 0.2, np.inf]), np.array([False, True, True]))
        >>> histogram = score_histogram(ranking, Scale("score", 0.0, 1.0), bins=2)
        >>> histogram.positive_proportions.tolist(), histogram.outside_rows
        ([0.5, 0.5], 1.0)
    """
    if bins is not None and bins < 1:
        raise InputError(f"bins must be at least 1, not {bins}.")
    scores = ranking.thresholds[1:]
    edges, is_discrete = _edges(scores, x_scale, ranking.rows, bins)
    bin_index = np.clip(np.searchsorted(edges, scores, "right") - 1, 0, len(edges) - 2)
    class_rows = [np.diff(column) for column in (ranking.true_positives, ranking.false_positives)]
    bin_rows = [np.bincount(bin_index, rows, minlength=len(edges) - 1) for rows in class_rows]
    proportions = [rows / (float(rows.sum()) or np.nan) for rows in bin_rows]
    is_outside = (scores < edges[0]) | (scores > edges[-1])
    outside_rows = float(sum(rows[is_outside].sum() for rows in class_rows))
    return ScoreHistogram(edges, proportions[0], proportions[1], outside_rows, is_discrete)


def _edges(
    scores: NDArray[np.float64], x_scale: Scale, rows: int, bins: int | None
) -> tuple[NDArray[np.float64], bool]:
    """Edges of the bins, and whether each bin holds a single score."""
    distinct = np.unique(scores[np.isfinite(scores) & (scores >= x_scale.low)])
    distinct = distinct[distinct <= x_scale.high]
    width = x_scale.high - x_scale.low
    is_unit_scale = (x_scale.low, x_scale.high) == (0, 1)
    has_few_scores = (
        bins is None and x_scale.kind == "plain" and 1 < len(distinct) <= MAX_DISCRETE_SCORES
    )
    if (
        has_few_scores
        and not is_unit_scale
        and np.diff(distinct).min() * MAX_GAPS_PER_SCALE > width
    ):
        midpoints = (distinct[1:] + distinct[:-1]) / 2
        first, last = (
            distinct[0] - (midpoints[0] - distinct[0]),
            distinct[-1] + (distinct[-1] - midpoints[-1]),
        )
        return np.concatenate([[first], midpoints, [last]]), True
    bin_count = bins or int(np.clip(3 * np.cbrt(rows), MIN_DEFAULT_BINS, MAX_DEFAULT_BINS))
    if x_scale.kind == "log":
        return np.geomspace(x_scale.low, x_scale.high, bin_count + 1), False
    return np.linspace(x_scale.low, x_scale.high, bin_count + 1), False


def _caption(ranking: Ranking, histogram: ScoreHistogram) -> str:
    sentences = ["The bars of each class add up to 100%.", rows_caption(ranking)]
    if histogram.outside_rows:
        sentences.append(
            f"{format_count(histogram.outside_rows)} lie outside the scale and are counted in the "
            "outermost bars."
        )
    undecided = ranking.rejected_positives + ranking.rejected_negatives
    if undecided:
        sentences.append(f"{format_count(undecided)} have no score.")
    return " ".join(sentences)
