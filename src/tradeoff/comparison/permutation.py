"""Permutation tests of two models: of a difference in any metric, and of whole ROC curves.

On each row the scores of the two models are swapped with probability ½; the observed difference is
compared with those after swapping.
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
from tradeoff.uncertainty.bootstrap import GROUPS, run_seeded_blocks

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


def permutation_difference(
    paired: PairedRanking, question: Question, confidence: Confidence
) -> Difference:
    """Difference of two models with its p-value by a permutation test."""
    first, second = paired.models
    if paired.weights is not None and not paired.importance:
        raise InputError(
            "The permutation test swaps scores row by row: it cannot use weights that are counts."
        )
    estimates = [question.estimate(ranking) for ranking in paired.rankings.values()]
    codes, pattern = _common_codes(paired, question)
    difference = Difference(
        first,
        second,
        question.name,
        estimates[0].value,
        estimates[1].value,
        level=confidence.level,
        better=question.better,
        reason=estimates[0].reason or estimates[1].reason,
    )
    if not difference.is_defined:
        return difference
    observed = _code_difference(codes[0], codes[1], paired, pattern, question)

    def block(random: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for index in range(size):
            swap = _random_swaps(paired, random)
            left, right = np.where(swap, codes[::-1], codes)
            values[index] = _code_difference(left, right, paired, pattern, question)
        return values

    permuted = run_seeded_blocks(block, confidence)
    defined = permuted[~np.isnan(permuted)]
    # The observed rows count as one permutation: p is never 0.
    extreme = np.count_nonzero(np.abs(defined) >= abs(observed) * (1 - 1e-12))
    p_value = (1 + extreme) / (1 + len(defined))
    failed = len(permuted) - len(defined)
    note = f"undefined in {failed:,} of {len(permuted):,} permutations" if failed else None
    method = f"permutation test, {len(permuted):,} permutations, seed {confidence.seed}"
    return replace(difference, statistic=observed, p_value=float(p_value), method=method, note=note)


def _random_swaps(paired: PairedRanking, random: np.random.Generator) -> NDArray[np.bool_]:
    """Random mask of rows whose scores are swapped; rows of a cluster are swapped together."""
    if paired.clusters is None:
        return random.random(paired.rows) < 0.5
    coins = random.random(int(paired.clusters.max()) + 1) < 0.5
    return np.asarray(coins[paired.clusters])


def _common_codes(paired: PairedRanking, question: Question) -> tuple[NDArray[np.int32], Ranking]:
    """Codes of both models' scores on a common scale, and an empty ranking with that scale."""
    scores = np.array([paired.oriented_scores(name) for name in paired.models], np.float64)
    if question.threshold is not None:
        sign = -1 if paired.lower_is_positive else 1
        thresholds = np.array([sign * question.threshold, -np.inf])
        codes = np.where(scores >= thresholds[0], 1, 2)
    elif question.measure is not None and question.measure.family == "probabilities":
        thresholds = np.unique(scores)[::-1]
        codes = 1 + np.searchsorted(-thresholds, -scores)
    else:
        # Models may have different scales: their midranks are swapped.
        ranks = np.array([_midranks(model_scores) for model_scores in scores])
        codes = 1 + (ranks * min(GROUPS, paired.rows) / paired.rows).astype(np.int32)
        thresholds = -np.arange(1.0, codes.max() + 1)
    first = next(iter(paired.rankings.values()))
    thresholds = np.concatenate([[np.inf], thresholds])
    if paired.lower_is_positive:
        thresholds = -thresholds
    empty = np.zeros(len(thresholds), np.int64)
    pattern = replace(first, tally=Tally(thresholds, empty, empty.copy()), squares=None)
    return codes.astype(np.int32), pattern


def _midranks(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Midranks of scores, from the highest."""
    _, group, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - sizes / 2 - 0.5)[group])


def _code_difference(
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    paired: PairedRanking,
    pattern: Ranking,
    question: Question,
) -> float:
    """Difference of a metric between two arrays of score codes."""
    values = [
        question.estimate(_ranking_of_codes(codes, paired, pattern)).value
        for codes in (first, second)
    ]
    return values[0] - values[1]


def _ranking_of_codes(codes: NDArray[np.int32], paired: PairedRanking, pattern: Ranking) -> Ranking:
    """Ranking of rows by the codes of their scores."""
    size = len(pattern)
    sides = []
    for mask in (paired.positive_rows, ~paired.positive_rows):
        weights = None if paired.weights is None else paired.weights[mask]
        sides.append(np.cumsum(np.bincount(codes[mask], weights, minlength=size)))
    return replace(pattern, tally=Tally(pattern.tally.thresholds, *sides))


def paired_curves(paired: PairedRanking, confidence: Confidence) -> Test:
    """Venkatraman's permutation test that two ROC curves on the same rows are equal.

    AUCs may be equal although the curves cross. The statistic is the sum over all numbers of
    predicted positives of the absolute difference of the models' error counts. Tied rows share
    their errors, so the order of rows does not matter.
    Venkatraman & Begg 1996, doi:10.1093/biomet/83.4.835.
    """
    first, second = paired.models
    if paired.weights is not None:
        raise InputError("The test of ROC curves cannot use weights.")
    positive = paired.positive_rows
    if positive.all() or not positive.any():
        raise InputError("The test of ROC curves needs rows of both classes: there is only one.")
    ranks = [-_midranks(paired.oriented_scores(name)) for name in (first, second)]
    observed = _absolute_difference([_errors(model_ranks, positive) for model_ranks in ranks])

    def block(random: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for index in range(size):
            swap = random.random(paired.rows) < 0.5
            sides = np.where(swap, ranks[::-1], ranks)
            values[index] = _absolute_difference(
                [_errors(model_ranks, positive) for model_ranks in sides]
            )
        return values

    permuted = run_seeded_blocks(block, confidence)
    p_value = float((permuted >= observed).mean())
    method = f"Venkatraman, {len(permuted):,} permutations, seed {confidence.seed}"
    return Test(f"the ROC curves of {first} and {second} are equal", observed, p_value, method)


def _absolute_difference(sides: list[NDArray[Any]]) -> float:
    return float(np.abs(sides[0] - sides[1]).sum())


def _errors(scores: NDArray[Any], positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Error count by number of predicted negatives, minus that of predicting all rows positive.

    From the lowest score up; linear between groups of tied scores.
    """
    order = np.argsort(scores)
    ordered = scores[order]
    errors = np.cumsum(np.where(positive[order], 1, -1))
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), len(scores) - 1)
    group_errors = np.concatenate([[0.0], errors[ends]])
    group_ends = np.concatenate([[0], ends + 1])
    return np.asarray(np.interp(np.arange(1, len(scores) + 1), group_ends, group_errors))
