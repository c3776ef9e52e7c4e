"""A pointwise band by drawing rows again: percentiles, as other programs give them.

Where no draw can leave the curve seen, as at the top of a ROC curve once all positives are found,
it has no width; it holds the truth less often than it says there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.comparing.drawing import PairedDraws
from tradeoff.analysis.intervals.drawing import judged, thinned
from tradeoff.analysis.intervals.percentiles import describe
from tradeoff.measures.curves import any_curve
from tradeoff.measures.registry import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.analysis.intervals.drawing import Drawn
    from tradeoff.core.paired import PairedRanking
    from tradeoff.measures.curves.curve import Curve

    Floats = NDArray[np.float64]


def drawn_percentiles(
    curve: Curve,
    asked: Mapping[str, Any],
    x: Floats,
    confidence: Confidence,
    paired: PairedRanking | None,
) -> tuple[Floats, Floats, Floats, str]:
    """The lower end, the middle and the upper end of replicates' heights, and what was done."""
    ranking = curve.ranking
    draws = None if paired is None else PairedDraws.of(paired)
    coarse = thinned(ranking) if draws is None else draws.patterns[0]
    exact, rough = height(curve, x), height(any_curve(coarse, **asked), x)
    undecided = ranking.rejected_positives or ranking.rejected_negatives
    is_roc = curve.name == "roc" and not undecided

    def judge(drawn: Drawn) -> NDArray[Any]:
        if is_roc:
            return _roc_heights(x, drawn)
        return np.array([height(any_curve(own, **asked), x) for own in drawn])

    if draws is None:
        heights = judged(coarse, judge, confidence, together=is_roc)
        how = describe(replace(confidence, method="bootstrap"))
    else:
        heights = draws.judged(lambda drawn: judge(drawn[0]), confidence)
        how = "cluster bootstrap"
    heights = _inside(heights + np.nan_to_num(exact - rough), curve.up.name)
    tail = (1 - confidence.level) / 2
    ends = np.full((3, len(x)), np.nan)
    known = ~np.isnan(heights).all(axis=0)
    ends[:, known] = np.nanquantile(heights[:, known], [tail, 0.5, 1 - tail], axis=0)
    return ends[0], ends[1], ends[2], f"{how}, {len(heights):,} draws, seed {confidence.seed}"


def height(curve: Curve, x: Floats) -> Floats:
    """The heights at many x; on a vertical step the better end."""
    arriving, leaving = curve.limits(x)
    pick = np.fmin if curve.up.better == "lower" else np.fmax
    return np.asarray(pick(arriving, leaving))


def _roc_heights(x: Floats, drawn: Drawn) -> NDArray[Any]:
    """The same for ROC curves, without making curves."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ups, overs = (side / side[:, -1:] for side in (drawn.found, drawn.alarms))
    # Of several heights at one x, interp gives the last: the highest.
    return np.array([np.interp(x, over, up) for over, up in zip(overs, ups, strict=True)])


def _inside(heights: Floats, name: str) -> Floats:
    """No height beyond what the metric can be."""
    if not METRICS.knows(name):
        return heights
    return np.clip(heights, METRICS[name].low, METRICS[name].high)
