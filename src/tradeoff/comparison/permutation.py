"""Tests by exchanging scores between models: of any number, and of whole ROC curves.

On each row the two models' scores change places or not, by the toss of a coin; the difference
seen is compared with those that chance alone then makes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.difference import Difference
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError
from tradeoff.stats.significance import Test
from tradeoff.uncertainty.bootstrap import GROUPS, in_blocks

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


def permuted(paired: PairedRanking, question: Question, confidence: Confidence) -> Difference:
    """The difference of two models and the share of exchanges that make one as large."""
    first, second = paired.models
    if paired.weights is not None and not paired.importance:
        raise InputError(
            "Scores are exchanged row by row: rows that count several times cannot be."
        )
    one, two = (question.estimate(ranking) for ranking in paired.rankings.values())
    codes, pattern = _common_codes(paired, question)
    found = Difference(
        first,
        second,
        question.name,
        one.value,
        two.value,
        level=confidence.level,
        better=question.better,
        reason=one.reason or two.reason,
    )
    if not found.is_defined:
        return found
    seen = _apart(codes[0], codes[1], paired, pattern, question)

    def block(random: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for at in range(size):
            swap = _coins(paired, random)
            left, right = np.where(swap, codes[::-1], codes)
            values[at] = _apart(left, right, paired, pattern, question)
        return values

    drawn = in_blocks(block, confidence)
    known = drawn[~np.isnan(drawn)]
    # The rows as they are belong to the exchanges: p is never 0.
    as_large = np.count_nonzero(np.abs(known) >= abs(seen) * (1 - 1e-12))
    p_value = (1 + as_large) / (1 + len(known))
    failed = len(drawn) - len(known)
    note = f"{failed:,} of {len(drawn):,} exchanges had no value" if failed else None
    method = f"permutation, {len(drawn):,} exchanges, seed {confidence.seed}"
    return replace(found, statistic=seen, p_value=float(p_value), method=method, note=note)


def _coins(paired: PairedRanking, random: np.random.Generator) -> NDArray[np.bool_]:
    """Whether scores change places on each row; in clusters on all rows of one or on none."""
    if paired.clusters is None:
        return random.random(paired.rows) < 0.5
    coins = random.random(int(paired.clusters.max()) + 1) < 0.5
    return np.asarray(coins[paired.clusters])


def _common_codes(paired: PairedRanking, question: Question) -> tuple[NDArray[np.int32], Ranking]:
    """Places of both models' rows on one scale, and a ranking that has these places."""
    scores = np.array([paired.falling(name) for name in paired.models], np.float64)
    if question.threshold is not None:
        sign = -1 if paired.lower_is_positive else 1
        thresholds = np.array([sign * question.threshold, -np.inf])
        codes = np.where(scores >= thresholds[0], 1, 2)
    elif question.measure is not None and question.measure.family == "probabilities":
        thresholds = np.unique(scores)[::-1]
        codes = 1 + np.searchsorted(-thresholds, -scores)
    else:
        # Models have scales of their own: their ranks are exchanged, equal scores ranking alike.
        ranks = np.array([_middle_ranks(own) for own in scores])
        codes = 1 + (ranks * min(GROUPS, paired.rows) / paired.rows).astype(np.int32)
        thresholds = -np.arange(1.0, codes.max() + 1)
    first = next(iter(paired.rankings.values()))
    thresholds = np.concatenate([[np.inf], thresholds])
    if paired.lower_is_positive:
        thresholds = -thresholds
    empty = np.zeros(len(thresholds), np.int64)
    pattern = replace(first, tally=Tally(thresholds, empty, empty.copy()), squares=None)
    return codes.astype(np.int32), pattern


def _middle_ranks(scores: NDArray[Any]) -> NDArray[np.float64]:
    """How many rows stand higher, halfway among equals."""
    _, group, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - sizes / 2 - 0.5)[group])


def _apart(
    one: NDArray[np.int32],
    two: NDArray[np.int32],
    paired: PairedRanking,
    pattern: Ranking,
    question: Question,
) -> float:
    values = [question.estimate(_ranked(own, paired, pattern)).value for own in (one, two)]
    return values[0] - values[1]


def _ranked(codes: NDArray[np.int32], paired: PairedRanking, pattern: Ranking) -> Ranking:
    size = len(pattern)
    sides = []
    for own in (paired.positive_rows, ~paired.positive_rows):
        weights = None if paired.weights is None else paired.weights[own]
        sides.append(np.cumsum(np.bincount(codes[own], weights, minlength=size)))
    return replace(pattern, tally=Tally(pattern.tally.thresholds, *sides))


# Whether two ROC curves are the same everywhere: areas may be equal where curves cross.
#
# The test looks at the error rate when as many rows are called positive by either model, at every
# number of rows, and compares the sum of all differences with what chance makes of it.


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
    ranks = [-_middle_ranks(paired.falling(name)) for name in (first, second)]
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
