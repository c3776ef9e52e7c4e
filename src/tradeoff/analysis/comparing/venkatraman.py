"""Whether two ROC curves are the same everywhere: areas may be equal where curves cross.

The test looks at the error rate when as many rows are called positive by either model, at every
number of rows, and compares the sum of all differences with what chance makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.comparing.swapping import middle_ranks
from tradeoff.errors import InputError
from tradeoff.stats.significance import Test
from tradeoff.uncertainty.bootstrap import in_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence


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
