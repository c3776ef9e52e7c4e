"""Permutation tests for two models: of a difference in any metric, and of whole ROC curves.

On each row, the scores of the two models are swapped with probability ½; the observed difference is
compared with the differences after swapping.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.difference import Difference
from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError
from tradeoff.stats.significance import Test
from tradeoff.uncertainty.bootstrap import MAX_GROUPS, compute_bootstrap_replicates

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question


def permutation_difference(
    paired: PairedRanking, questions: Sequence[Question], confidence: Confidence
) -> Difference:
    """Difference between two models, with its p-value from a permutation test.

    `questions` are those of the models; with different thresholds, predictions are swapped.
    """
    first, second = paired.models
    question = questions[0]
    if paired.weights is not None and not paired.importance:
        raise InputError(
            "The permutation test swaps scores row by row and cannot use weights that are counts."
        )
    rankings = paired.rankings.values()
    estimates = [q.estimate(ranking) for q, ranking in zip(questions, rankings, strict=True)]
    codes, empty_ranking = _common_codes(paired, questions)
    difference = Difference(
        first,
        second,
        question.name,
        estimates[0].value,
        estimates[1].value,
        level=confidence.level,
        better=question.better,
        label=question.label,
        reason=estimates[0].reason or estimates[1].reason,
    )
    if not difference.is_defined:
        return difference
    observed = _metric_difference(codes[0], codes[1], paired, empty_ranking, question)

    def permuted_differences(rng: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for index in range(size):
            is_swapped = _random_swaps(paired, rng)
            first_codes, second_codes = np.where(is_swapped, codes[::-1], codes)
            values[index] = _metric_difference(
                first_codes, second_codes, paired, empty_ranking, question
            )
        return values

    differences = compute_bootstrap_replicates(permuted_differences, confidence)
    defined_values = differences[~np.isnan(differences)]
    # The observed rows count as one permutation, so p is never 0.
    extreme_count = np.count_nonzero(np.abs(defined_values) >= abs(observed) * (1 - 1e-12))
    p_value = (1 + extreme_count) / (1 + len(defined_values))
    size, undefined_count = len(differences), len(differences) - len(defined_values)
    note = f"undefined in {undefined_count:,} of {size:,} permutations" if undefined_count else None
    method = f"permutation test, {size:,} permutations, seed {confidence.seed}"
    return replace(difference, statistic=observed, p_value=float(p_value), method=method, note=note)


def _random_swaps(paired: PairedRanking, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Random mask of rows whose scores are swapped; rows of a cluster are swapped together."""
    if paired.clusters is None:
        return rng.random(paired.rows) < 0.5
    is_cluster_swapped = rng.random(int(paired.clusters.max()) + 1) < 0.5
    return np.asarray(is_cluster_swapped[paired.clusters])


def _common_codes(
    paired: PairedRanking, questions: Sequence[Question]
) -> tuple[NDArray[np.int32], Ranking]:
    """Scores of both models as integer codes on a common scale, and an empty ranking on it."""
    question = questions[0]
    scores = np.array([paired.oriented_scores(name) for name in paired.models], np.float64)
    if question.threshold is not None:
        sign = -1 if paired.lower_is_positive else 1
        thresholds = np.array([sign * question.threshold, -np.inf])
        cutoffs = np.array([[sign * float(q.threshold or 0)] for q in questions])
        codes = np.where(scores >= cutoffs, 1, 2)
    elif question.measure is not None and question.measure.family == "probabilities":
        thresholds = np.unique(scores)[::-1]
        codes = 1 + np.searchsorted(-thresholds, -scores)
    else:
        # Models may have different scales, so midranks are swapped.
        ranks = np.array([_midranks(model_scores) for model_scores in scores])
        codes = 1 + (ranks * min(MAX_GROUPS, paired.rows) / paired.rows).astype(np.int32)
        thresholds = -np.arange(1.0, codes.max() + 1)
    first = next(iter(paired.rankings.values()))
    thresholds = np.concatenate([[np.inf], thresholds])
    if paired.lower_is_positive:
        thresholds = -thresholds
    zeros = np.zeros(len(thresholds), np.int64)
    empty_ranking = replace(first, tally=Tally(thresholds, zeros, zeros.copy()), squares=None)
    return codes.astype(np.int32), empty_ranking


def _midranks(scores: NDArray[Any]) -> NDArray[np.float64]:
    """Midranks of scores, counted from the highest."""
    _, groups, sizes = np.unique(-scores, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(sizes) - sizes / 2 - 0.5)[groups])


def _metric_difference(
    first: NDArray[np.int32],
    second: NDArray[np.int32],
    paired: PairedRanking,
    empty_ranking: Ranking,
    question: Question,
) -> float:
    """Difference in a metric between two arrays of score codes."""
    values = [
        question.estimate(_ranking_of_codes(codes, paired, empty_ranking)).value
        for codes in (first, second)
    ]
    return values[0] - values[1]


def _ranking_of_codes(
    codes: NDArray[np.int32], paired: PairedRanking, empty_ranking: Ranking
) -> Ranking:
    """Ranking of the rows by their score codes."""
    size = len(empty_ranking)
    cumulative_counts = []
    for mask in (paired.positive_rows, ~paired.positive_rows):
        weights = None if paired.weights is None else paired.weights[mask]
        cumulative_counts.append(np.cumsum(np.bincount(codes[mask], weights, minlength=size)))
    return replace(empty_ranking, tally=Tally(empty_ranking.tally.thresholds, *cumulative_counts))


def venkatraman_test(paired: PairedRanking, confidence: Confidence) -> Test:
    """Venkatraman's permutation test that two ROC curves on the same rows are equal.

    AUCs may be equal although the curves cross. The statistic is the absolute difference between
    the models' error counts, summed over all numbers of predicted positives. Tied rows share their
    errors, so the order of rows does not matter.
    Venkatraman & Begg 1996, doi:10.1093/biomet/83.4.835.
    """
    first, second = paired.models
    if paired.weights is not None:
        raise InputError("The test of ROC curves cannot use weights.")
    positive_rows = paired.positive_rows
    if positive_rows.all() or not positive_rows.any():
        raise InputError("The test of ROC curves needs rows of both classes: there is only one.")
    ranks = [-_midranks(paired.oriented_scores(name)) for name in (first, second)]
    observed = _curve_distance(ranks[0], ranks[1], positive_rows)

    def permuted_distances(rng: np.random.Generator, size: int) -> NDArray[Any]:
        values = np.empty(size)
        for index in range(size):
            is_swapped = rng.random(paired.rows) < 0.5
            first_ranks, second_ranks = np.where(is_swapped, ranks[::-1], ranks)
            values[index] = _curve_distance(first_ranks, second_ranks, positive_rows)
        return values

    distances = compute_bootstrap_replicates(permuted_distances, confidence)
    p_value = float((distances >= observed).mean())
    method = f"Venkatraman, {len(distances):,} permutations, seed {confidence.seed}"
    return Test(f"the ROC curves of {first} and {second} are equal", observed, p_value, method)


def _curve_distance(
    first: NDArray[Any], second: NDArray[Any], positive_rows: NDArray[np.bool_]
) -> float:
    """Venkatraman's statistic: the sum of absolute differences between error counts."""
    differences = _error_counts(first, positive_rows) - _error_counts(second, positive_rows)
    return float(np.abs(differences).sum())


def _error_counts(scores: NDArray[Any], positive_rows: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Error count at each number of predicted negatives, less that of predicting all rows positive.

    Rows are predicted negative from the lowest score up; within ties, the count is interpolated.
    """
    order = np.argsort(scores)
    sorted_scores = scores[order]
    errors = np.cumsum(np.where(positive_rows[order], 1, -1))
    ends = np.append(np.flatnonzero(sorted_scores[1:] != sorted_scores[:-1]), len(scores) - 1)
    group_errors = np.concatenate([[0.0], errors[ends]])
    group_ends = np.concatenate([[0], ends + 1])
    return np.asarray(np.interp(np.arange(1, len(scores) + 1), group_ends, group_errors))
