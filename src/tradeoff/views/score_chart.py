"""How the scores of the two classes are distributed, and where a line or a band parts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.render.chart import Bars, Chart, Layer, Line, Ribbon, Scale
from tradeoff.text import count, plain
from tradeoff.views.scales import about_rows, classes, rule, score_scale

if TYPE_CHECKING:
    from tradeoff.views.curve_chart import Mark

FEWEST_BINS, MOST_BINS = 12, 40
FEW_SCORES = 20
"""So few different scores have a bar each."""
NARROW = 60
"""… unless two of them lie closer together than this part of the scale."""


class Distribution(NamedTuple):
    """Bars between edges: the share of each class's rows in each, and rows beyond the edges."""

    edges: NDArray[np.float64]
    positives: NDArray[np.float64]
    negatives: NDArray[np.float64]
    beyond: float
    discrete: bool = False

    def line(self, ranking: Ranking, threshold: float) -> float:
        """Where a threshold is drawn: beside the bar of a single score, never through it."""
        if not self.discrete:
            return float(threshold)
        called = ranking.index(threshold)
        place = called if ranking.lower_is_positive else ranking.distinct - called
        return float(self.edges[min(place, len(self.edges) - 1)])


def scores_chart(
    ranking: Ranking,
    *,
    marks: Sequence[Mark] = (),
    band: tuple[float, float] | None = None,
    bins: int | None = None,
) -> Chart:
    """The scores of both classes as histograms, each normalised by itself.

    Args:
        ranking: The scored rows; weights count, and rows of one score are never parted.
        marks: Thresholds to show.
        band: Scores left undecided.
        bins: How many bars; by the number of rows if not given.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = scores_chart(e.ranking, bins=2)
        >>> [layer.heights.tolist() for layer in chart.layers]
        [[1.0, 0.0], [0.5, 0.5]]
    """
    across = score_scale([ranking], f"score ({plain(ranking.name, 32)})")
    found = distribution(ranking, across, bins)
    across = Scale(across.label, float(found.edges[0]), float(found.edges[-1]), across.kind)
    names = classes(ranking)
    layers: list[Layer] = []
    if ranking.negatives:
        layers.append(Bars(found.edges, found.negatives, "negative", names[1], 1))
    if ranking.positives:
        layers.append(Bars(found.edges, found.positives, "positive", names[0], 0))
    top = max([float(bars.heights.max()) for bars in layers if isinstance(bars, Bars)] or [1.0])
    top *= 1.08
    if band is not None and band[0] != band[1]:
        ends = np.clip(np.sort([*band]), across.low, across.high)
        layers.insert(0, Ribbon(ends, np.zeros(2), np.full(2, top), "mark", "undecided"))
    for order, mark in enumerate(marks):
        at = np.full(2, np.clip(found.line(ranking, mark.threshold), across.low, across.high))
        label = rule(ranking, mark.threshold, mark.way)
        layers.append(Line(at, np.array([0.0, top]), "mark", label, order))
    up = Scale("share of the rows of each class", 0.0, top, "share")
    return Chart("Scores by class", across, up, tuple(layers), _caption(ranking, found))


def distribution(ranking: Ranking, across: Scale, bins: int | None = None) -> Distribution:
    """The share of each class's rows in each bar; rows beyond the scale are in the outermost.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.1, 0.2, np.inf]), np.array([False, True, True]))
        >>> found = distribution(ranking, Scale("score", 0.0, 1.0), bins=2)
        >>> found.positives.tolist(), found.beyond
        ([0.5, 0.5], 1.0)
    """
    if bins is not None and bins < 1:
        raise InputError(f"A histogram has 1 bar or more, not {bins}.")
    scores = ranking.thresholds[1:]
    edges, discrete = _edges(scores, across, ranking.rows, bins)
    place = np.clip(np.searchsorted(edges, scores, "right") - 1, 0, len(edges) - 2)
    sides = [np.diff(column) for column in (ranking.true_positives, ranking.false_positives)]
    counted = [np.bincount(place, rows, minlength=len(edges) - 1) for rows in sides]
    shares = [rows / (float(rows.sum()) or np.nan) for rows in counted]
    outside = (scores < edges[0]) | (scores > edges[-1])
    beyond = float(sum(r[outside].sum() for r in sides))
    return Distribution(edges, shares[0], shares[1], beyond, discrete)


def _edges(
    scores: NDArray[np.float64], across: Scale, rows: int, bins: int | None
) -> tuple[NDArray[np.float64], bool]:
    """The edges of the bars, and whether each bar is of one score."""
    rising = np.unique(scores[np.isfinite(scores) & (scores >= across.low)])
    rising = rising[rising <= across.high]
    width = across.high - across.low
    probabilities = (across.low, across.high) == (0, 1)
    few = bins is None and across.kind == "plain" and 1 < len(rising) <= FEW_SCORES
    if few and not probabilities and np.diff(rising).min() * NARROW > width:
        middle = (rising[1:] + rising[:-1]) / 2
        first, last = rising[0] - (middle[0] - rising[0]), rising[-1] + (rising[-1] - middle[-1])
        return np.concatenate([[first], middle, [last]]), True
    size = bins or int(np.clip(3 * np.cbrt(rows), FEWEST_BINS, MOST_BINS))
    if across.kind == "log":
        return np.geomspace(across.low, across.high, size + 1), False
    return np.linspace(across.low, across.high, size + 1), False


def _caption(ranking: Ranking, found: Distribution) -> str:
    told = ["Each class's bars add up to 100 %.", about_rows(ranking)]
    if found.beyond:
        told.append(f"{count(found.beyond)} lie beyond the scale and are in the outermost bars.")
    undecided = ranking.rejected_positives + ranking.rejected_negatives
    if undecided:
        told.append(f"{count(undecided)} have no score.")
    return " ".join(told)
