"""Pairs of classes: names and order."""

import math
from itertools import combinations

import numpy as np
import pytest
from many_classes import NAMES, NINETY, rows_of

from tradeoff.multiclass import MultiClass


def test_pairs_have_their_confusions_and_are_ordered_by_separability():
    pairs = MultiClass(NINETY).pair_areas()
    separabilities = [pair.separability.value for pair in pairs]
    pair = next(pair for pair in pairs if (pair.first, pair.second) == ("a", "b"))

    assert separabilities == sorted(separabilities)
    assert len(pairs) == len(list(combinations(NAMES, 2)))
    assert (pair.first_called_second, pair.second_called_first) == (1, 6)
    assert pair.confused.value == 7 / 63
    # Wilson for 7 of 63, by the formula with z² = 3.8414588.
    z2 = 3.8414588206941254
    half_width = math.sqrt(z2 * (7 * 56 / 63 + z2 / 4)) / (63 + z2)
    middle = (7 + z2 / 2) / (63 + z2)
    assert (pair.confused.low, pair.confused.high) == pytest.approx(
        (middle - half_width, middle + half_width)
    )
    assert repr(pair) == (
        f"Pair('a' and 'b': separability {pair.separability.value:.4f}, 7 confused)"
    )


def test_equally_separable_pairs_are_ordered_by_their_confusion_rate():
    # All three scores separate perfectly, but b's are so high that it is predicted for all.
    codes = np.repeat([0, 1, 2], [3, 3, 6])
    scores = np.eye(3)[:, codes] + np.array([[0], [5], [0]])
    pairs = MultiClass(rows_of(scores, codes)).pair_areas()

    assert [(pair.first, pair.second) for pair in pairs] == [("b", "c"), ("a", "b"), ("a", "c")]
    assert [pair.confused.value for pair in pairs] == [6 / 9, 3 / 6, 0]
