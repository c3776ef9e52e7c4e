"""Whether two ROC curves are the same everywhere: areas may be equal where curves cross.

Both tests look at the error rate when as many rows are called positive by either model, at every
number of rows, and compare the sum of all differences with what chance makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.intervals.drawing import in_blocks
from tradeoff.analysis.testing import Test
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.ranking.paired import PairedRanking
    from tradeoff.ranking.ranking import Ranking


def paired_curves(paired: PairedRanking, confidence: Confidence) -> Test:
    """The same rows: ranks change places between the models (Venkatraman & Begg 1996).

    Equal scores are ranked in the order of the rows for the statistic, and at random in every
    exchange. doi:10.1093/biomet/83.4.835
    """
    first, second = paired.models
    positive = paired.positive_rows
    ranks = [_ranks(paired.falling(name)) for name in (first, second)]
    seen = _apart(ranks[0], ranks[1], positive)

    def block(random: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for at in range(size):
            jittered = [own + random.random(len(own)) - 0.5 for own in ranks]
            swap = random.random(paired.rows) < 0.5
            one, two = np.where(swap, jittered[::-1], jittered)
            values[at] = _apart(_ranks(one), _ranks(two), positive)
        return values

    exchanged = in_blocks(block, confidence)
    p_value = float((exchanged >= seen).mean())
    method = f"Venkatraman, {len(exchanged):,} exchanges, seed {confidence.seed}"
    return Test(f"the ROC curves of {first} and {second} are the same", seen, p_value, method)


def _ranks(scores: NDArray[Any]) -> NDArray[np.intp]:
    """Places from the lowest, from 1; equal scores in the order of the rows."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(order), np.intp)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


def _apart(one: NDArray[Any], two: NDArray[Any], positive: NDArray[np.bool_]) -> float:
    return float(np.abs(_errors(one, positive) - _errors(two, positive)).sum())


def _errors(ranks: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[Any]:
    """Wrong decisions when the rows up to each rank are called negative."""
    step = np.zeros(len(ranks) + 1, np.int64)
    step[ranks] = np.where(positive, 1, -1)
    return np.cumsum(step)[1:]


def unpaired_curves(first: Ranking, second: Ranking, confidence: Confidence) -> Test:
    """Different rows (Venkatraman 2000, doi:10.1111/j.0006-341X.2000.01134.x).

    The curves are compared where the same share of rows is called negative, classes being mixed
    as in both sets together; chance is what sets of rows dealt anew from both together make.
    """
    sets = [_both_classes(ranking) for ranking in (first, second)]
    rows = [[len(own) for own in classes] for classes in sets]
    share = sum(row[0] for row in rows) / sum(map(sum, rows))
    seen = _between(sets, share)
    # Scores of different models have no common scale, their shares of rows below do.
    placed = [_on_common_scale(classes, share) for classes in sets]
    together = [np.concatenate([one, two]) for one, two in zip(*placed, strict=True)]

    def block(random: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for at in range(size):
            dealt = [random.permutation(own) for own in together]
            cuts = [np.split(own, [rows[0][i]]) for i, own in enumerate(dealt)]
            values[at] = _between(list(zip(*cuts, strict=True)), share)
        return values

    dealt = in_blocks(block, confidence)
    p_value = float((dealt >= seen).mean())
    method = f"Venkatraman, unpaired, {len(dealt):,} deals, seed {confidence.seed}"
    return Test(
        f"the ROC curves of {first.name} and {second.name} are the same", seen, p_value, method
    )


def _both_classes(ranking: Ranking) -> list[NDArray[np.float64]]:
    """The scores of positive and of negative rows, higher meaning more positive."""
    if not ranking.is_counted or not (ranking.positives and ranking.negatives):
        raise InputError(
            f"ROC curves are compared on rows of both classes that count once: {ranking.name} has "
            "real weights or lacks a class."
        )
    scores = -ranking.thresholds[1:] if ranking.lower_is_positive else ranking.thresholds[1:]
    sides = (ranking.true_positives, ranking.false_positives)
    return [np.repeat(scores, np.diff(side)) for side in sides]


def _on_common_scale(classes: Any, share: float) -> list[NDArray[np.float64]]:
    """For each score the share of rows below it, classes being mixed alike."""
    return [_below(own, classes, share) for own in classes]


def _below(scores: NDArray[Any], classes: Any, share: float) -> NDArray[np.float64]:
    parts = [_placed(scores, own) for own in classes]
    return share * parts[0] + (1 - share) * parts[1]


def _placed(scores: NDArray[Any], own: NDArray[Any]) -> NDArray[np.float64]:
    ordered = np.sort(own)
    sides = (np.searchsorted(ordered, scores, side) for side in ("left", "right"))
    return np.asarray(sum(sides) / (2 * len(own)))


def _between(sets: Any, share: float) -> float:
    """The area between the curves of error rates over the share of rows called negative."""
    curves = [_error_curve(classes, share) for classes in sets]
    grid = np.unique(np.concatenate([x for x, _ in curves]))
    heights = [np.interp(grid, x, y) for x, y in curves]
    return float(np.trapezoid(np.abs(heights[0] - heights[1]), grid))


def _error_curve(classes: Any, share: float) -> tuple[NDArray[Any], NDArray[Any]]:
    scores = np.unique(np.concatenate(classes))
    missed, passed = (
        np.concatenate([[0.0], np.searchsorted(np.sort(own), scores, "right") / len(own)])
        for own in classes
    )
    called = share * missed + (1 - share) * passed
    return called, share * missed + (1 - share) * (1 - passed)
