"""Whether two ROC curves are the same everywhere: areas may be equal where curves cross.

Both tests look at the error rate when as many rows are called positive by either model, at every
number of rows, and compare the sum of all differences with what chance makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.comparing.swapping import middle_ranks
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

    Rows of equal rank share their errors, so the order of rows does not matter.
    doi:10.1093/biomet/83.4.835
    """
    first, second = paired.models
    if paired.weights is not None:
        raise InputError("ROC curves are compared on rows that count once, not on weights.")
    positive = paired.positive_rows
    if positive.all() or not positive.any():
        raise InputError("ROC curves are compared on rows of both classes: there is one alone.")
    ranks = [-middle_ranks(paired.falling(name)) for name in (first, second)]
    seen = _between_errors([_errors(own, positive) for own in ranks])

    def block(random: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for at in range(size):
            swap = random.random(paired.rows) < 0.5
            sides = np.where(swap, ranks[::-1], ranks)
            values[at] = _between_errors([_errors(own, positive) for own in sides])
        return values

    exchanged = in_blocks(block, confidence)
    p_value = float((exchanged >= seen).mean())
    method = f"Venkatraman, {len(exchanged):,} exchanges, seed {confidence.seed}"
    return Test(f"the ROC curves of {first} and {second} are the same", seen, p_value, method)


def _between_errors(sides: list[NDArray[Any]]) -> float:
    return float(np.abs(sides[0] - sides[1]).sum())


def _errors(scores: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Wrong decisions, beyond those of calling all positive, when so many rows are not called so.

    From the lowest score up; equal scores share theirs: straight from group to group.
    """
    order = np.argsort(scores)
    ordered = scores[order]
    errors = np.cumsum(np.where(positive[order], 1, -1))
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(scores) - 1)
    known, places = np.concatenate([[0.0], errors[ends]]), np.concatenate([[0], ends + 1])
    return np.asarray(np.interp(np.arange(1, len(scores) + 1), places, known))


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
    counted = ranking.is_counted and ranking.squares is None
    if not counted or not (ranking.positives and ranking.negatives):
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
