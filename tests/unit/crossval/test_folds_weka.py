"""Weka's random numbers and stratified folds."""

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.crossval.folds import JavaRandom, weka_splits
from tradeoff.errors import InputError
from tradeoff.sources.arff import read_arff


def weka_order(codes, folds=10, seed=1):
    return np.concatenate([test for _, test in weka_splits(codes, folds, seed)])


def weka_folds(codes, folds=10, seed=1):
    fold_numbers = np.empty(len(codes), int)
    for fold, (_, test) in enumerate(weka_splits(codes, folds, seed)):
        fold_numbers[test] = fold
    return fold_numbers


@pytest.fixture(scope="module")
def weather():
    return read_arff(files("tradeoff.data") / "weather.arff")


@pytest.fixture(scope="module")
def rows(weather):
    return np.column_stack([weather.columns[a.name] for a in weather.attributes[:-1]])


# The first numbers of java.util.Random, as Java prints them.
@pytest.mark.parametrize(
    ("seed", "bound", "expected"),
    [
        (0, 100, [60, 48, 29, 47, 15]),
        (1, 10, [5, 8, 7, 3, 4]),
        (42, 10, [0, 3, 8, 4, 0]),
    ],
)
def test_random_numbers_equal_javas(seed, bound, expected):
    random = JavaRandom.seeded(seed)

    assert [random.below(bound) for _ in expected] == expected


def test_a_bound_that_is_a_power_of_two_uses_the_high_bits():
    # Java's documentation: bound · next(31) >> 31; next(31) is the state's top 31 of 48 bits.
    state = ((42 ^ 0x5DEECE66D) * 0x5DEECE66D + 0xB) % 2**48

    assert JavaRandom.seeded(42).below(16) == state >> 44


def test_random_numbers_in_the_incomplete_last_range_are_rejected():
    bound = 2**30 + 1  # nearly every second draw of 31 bits falls into the incomplete range
    random, raw = JavaRandom.seeded(3), JavaRandom.seeded(3)
    numbers = [random.below(bound) for _ in range(50)]
    bits = [raw._random_bits() for _ in range(200)]

    assert numbers == [b for b in bits if b < bound][:50]


@pytest.mark.parametrize("bound", [0, -1, 2**31])
def test_bounds_that_java_does_not_allow_are_refused(bound):
    with pytest.raises(InputError, match="bound of a Java random integer"):
        JavaRandom.seeded(1).below(bound)


@given(
    st.lists(st.integers(-1, 3), min_size=2, max_size=60),
    st.integers(2, 12),
    st.integers(-(2**63), 2**63 - 1),
)
def test_folds_are_balanced_overall_and_in_each_class(codes, folds, seed):
    folds = min(folds, len(codes))
    fold_numbers = weka_folds(codes, folds=folds, seed=seed)
    sizes = np.bincount(fold_numbers, minlength=folds)

    assert sizes.max() - sizes.min() <= 1
    for code in set(codes):
        rows_per_fold = np.bincount(fold_numbers[np.array(codes) == code], minlength=folds)
        assert rows_per_fold.max() - rows_per_fold.min() <= 1
    assert sorted(weka_order(codes, folds, seed).tolist()) == list(range(len(codes)))


@given(st.lists(st.integers(0, 2), min_size=4, max_size=30), st.integers(0, 99))
def test_each_fold_is_trained_on_all_other_rows(codes, seed):
    for train, test in weka_splits(codes, folds=3, seed=seed):
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(len(codes)))


def test_folds_do_not_depend_on_the_class_codes():
    codes = np.array([0, 1, 1, 2, 0, 1, 2, 2, 0, 1, 0, 1])
    recoded = np.array([7, -1, 3])[codes]

    assert weka_folds(codes, 4, 5).tolist() == weka_folds(recoded, 4, 5).tolist()


@pytest.mark.parametrize(
    ("codes", "folds", "message"),
    [
        ([0, 1, 0], 1, "at least 2 folds"),
        ([0, 1, 0], 4, "4 folds need at least 4 rows"),
        ([], 2, "2 folds need at least 2 rows"),
        (["a", "b"], 2, "class of each row as an integer"),
        ([0.5, 1.0], 2, "class of each row as an integer"),
        ([[0, 1]], 2, "class of each row as an integer"),
    ],
)
def test_invalid_folds_are_refused(codes, folds, message):
    with pytest.raises(InputError, match=message):
        weka_folds(codes, folds=folds)
