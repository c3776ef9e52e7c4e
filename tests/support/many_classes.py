"""Rows of several classes for tests: small random ones with ties, and ninety that never change."""

import numpy as np
from hypothesis import strategies as st

from tradeoff.core.class_scores import ClassScores
from tradeoff.multiclass.areas import RowsByClass, one_vs_rest_areas, pair_areas

NAMES = ("a", "b", "c", "d")


def rows_of(scores, codes, classes=NAMES, weights=None):
    scores = np.asarray(scores, np.float64)
    return ClassScores(tuple(scores), np.asarray(codes, np.intp), classes[: len(scores)], weights)


def ninety():
    """90 rows of 4 classes with probabilities and ties, the same on every machine."""
    i = np.arange(90)
    codes = np.array([0, 1, 2, 3, 0, 1, 2, 0, 1, 0])[i * 7 % 10]
    raw = np.array(
        [
            (37 * i + 11 * c + i * i * (c + 1)) % 23
            + 1
            + 9 * (codes == c)
            + 4 * (codes == (c + 1) % 4)
            for c in range(4)
        ],
        np.float64,
    )
    return raw / raw.sum(axis=0), codes


PROBABILITIES, CODES = ninety()
NINETY = rows_of(PROBABILITIES, CODES)


@st.composite
def many_classes(draw):
    """Few rows of three classes with many ties, each class there twice or more; some weights."""
    codes = [0, 0, 1, 1, 2, 2, *draw(st.lists(st.integers(0, 2), max_size=10))]
    column = st.lists(st.integers(-3, 3), min_size=len(codes), max_size=len(codes))
    scores = np.array([draw(column) for _ in range(3)], np.float64)
    weights = draw(st.lists(st.integers(1, 3), min_size=len(codes), max_size=len(codes)))
    return scores, np.array(codes), np.array(weights)


def all_areas(rows):
    groups = RowsByClass.of(rows)
    rest, (pairs, hand_till) = one_vs_rest_areas(groups), pair_areas(groups)
    both = [area for pair in pairs for area in (pair.mean, pair.first_above, pair.second_above)]
    return [*rest.by_class, rest.macro, rest.weighted, hand_till, *both]
