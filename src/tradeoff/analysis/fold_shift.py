"""Whether scores mean the same in every fold: only then may folds be pooled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.measures.curves.average import pooled
from tradeoff.measures.registry import SUMMARIES
from tradeoff.text import number, plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

RARE = 1e-3
"""So improbable must differences between folds be by chance."""
NOTABLE = 0.01
"""And so much of the variance of ranks must they explain: in large data all is improbable."""


def fold_shift(folds: Mapping[str, Ranking]) -> str | None:
    """A warning when a class's scores lie higher in some folds than in others.

    The test is that of Kruskal and Wallis on the ranks of each class.
    """
    if len(folds) < 2:
        return None
    counted = _evened(folds)
    together = pooled(counted)
    if not (together.positives and together.negatives):
        return None
    names = list(folds)
    for kind in ("negatives", "positives"):
        chance, explained, ranks = _kruskal_wallis(counted, together, kind)
        if chance < RARE and explained > NOTABLE:
            if together.lower_is_positive:  # the most positive rank has the lowest score
                ranks = -ranks
            high, low = names[int(np.nanargmax(ranks))], names[int(np.nanargmin(ranks))]
            mean = np.mean([float(SUMMARIES["auc"](fold)) for fold in folds.values()])
            return (
                f"scores are shifted between folds (those of {getattr(together, kind[:-1])} lie "
                f"highest in fold {plain(high)}, lowest in {plain(low)}): pooled, the AUC is "
                f"{number(float(SUMMARIES['auc'](together)))}, averaged over folds "
                f"{number(float(mean))}; pool only if one threshold will serve all"
            )
    return None


def _evened(folds: Mapping[str, Ranking]) -> Mapping[str, Ranking]:
    """Importances scaled so that they add up to what the rows of each class are worth.

    Their sums are no numbers of rows, and a test would take them for such (Kish 1965).
    """
    squared = [fold.squares for fold in folds.values() if fold.squares is not None]
    if len(squared) < len(folds) or not folds:
        return folds
    sums = [
        (sum(float(p.positives) for p in some), sum(float(p.negatives) for p in some))
        for some in (folds.values(), squared)
    ]
    up, down = (own / square if square else 1.0 for own, square in zip(*sums, strict=True))
    return {name: replace(fold.weighed(up, down), squares=None) for name, fold in folds.items()}


def _kruskal_wallis(
    folds: Mapping[str, Ranking], together: Ranking, kind: str
) -> tuple[float, float, NDArray[np.float64]]:
    """The chance of such differences, the variance they explain, and the folds' mean ranks."""
    from scipy.special import chdtrc

    column = "true_positives" if kind == "positives" else "false_positives"
    sizes = np.diff(getattr(together, column)).astype(np.float64)
    total = sizes.sum()
    # From low to high: the highest score has the highest rank.
    middle = total - np.cumsum(sizes) + (sizes + 1) / 2
    rows, means = [], []
    for fold in folds.values():
        counts = np.diff(getattr(fold, column)).astype(np.float64)
        ranks = middle[together.places(fold.thresholds[1:]) - 1]
        rows.append(counts.sum())
        means.append((counts * ranks).sum() / counts.sum() if counts.sum() else np.nan)
    size, mean = np.array(rows), np.array(means)
    ties = 1 - (sizes**3 - sizes).sum() / max(total**3 - total, 1.0)
    between = np.nansum(size * (mean - (total + 1) / 2) ** 2)
    groups = int((size > 0).sum())
    if ties <= 0 or groups < 2 or total <= groups:
        return 1.0, 0.0, mean
    h = 12 / (total * (total + 1)) * between / ties
    return float(chdtrc(groups - 1, h)), float((h - groups + 1) / (total - groups)), mean
