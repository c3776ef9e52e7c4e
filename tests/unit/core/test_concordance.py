"""Concordant pairs and sums of placements, checked by hand."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.concordance import (
    Pairs,
    concordant_pairs,
    twice_concordant_pairs,
    twice_pairs_from_counts,
)

SCORES = np.array([4, 3, 3, 2, 1, 1])
POSITIVE = np.array([True, True, False, True, False, True])


def test_concordant_pairs_by_hand():
    # Positives 4, 3, 2 and 1 outrank 2, 1½, 1 and ½ of the negatives (3 and 1): 5 pairs of 8.
    ranking = to.Ranking.of(SCORES, POSITIVE)
    pairs = concordant_pairs(ranking)

    assert twice_concordant_pairs(SCORES, POSITIVE) == 10
    assert isinstance(pairs, Pairs)
    assert pairs.twice_won == 10
    # Placements of the positives: 1, ¾, ½ and ¼; of the negatives: 3/8 and 7/8.
    assert pairs.positive_squares == pytest.approx(2 * (0.375**2 + 0.125**2))
    assert pairs.negative_squares == pytest.approx(2 * 0.25**2)


@pytest.mark.parametrize(("ties", "expected"), [("half", 10), ("won", 12), ("lost", 8)])
def test_ties_count_as_requested(ties, expected):
    tally = to.Ranking.of(SCORES, POSITIVE).tally

    counts = tally.true_positives, tally.false_positives
    assert twice_pairs_from_counts(*counts, ties=ties) == expected


def test_products_that_exceed_64_bits_are_exact():
    size = 2**40
    counts = np.array([0, size, 2 * size]), np.array([0, 1, size])

    assert twice_pairs_from_counts(*counts) == size + (size - 1) * 3 * size
