"""Rankings of integer and boolean scores, and rejection of input that is not numeric."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.sort import MIN_KEYED_ROWS
from tradeoff.errors import InputError

POSITIVE = np.array([True, False, True, False])


@pytest.mark.parametrize("dtype", [np.int64, np.uint64, np.int32, np.uint8, np.float16, np.float32])
@pytest.mark.parametrize("lower", [False, True])
def test_integers_rank_like_floats(dtype, lower):
    scores = np.array([3, 1, 1, 0])
    plain = to.Ranking.of(scores.astype(np.float64), POSITIVE, lower_is_positive=lower)
    ranking = to.Ranking.of(scores.astype(dtype), POSITIVE, lower_is_positive=lower)

    assert ranking == plain
    # In descending order 3 | 1 1 | 0: 3 and one of the two 1s are positive, 0 is negative.
    if not lower:
        assert ranking.true_positives.tolist() == [0, 1, 2, 2]
        assert ranking.false_positives.tolist() == [0, 0, 1, 2]


@pytest.mark.parametrize("lower", [False, True])
def test_booleans_rank_as_1_and_0(lower):
    ranking = to.Ranking.of(np.array([True, True, False, False]), POSITIVE, lower_is_positive=lower)

    assert ranking.thresholds[1:].tolist() == ([0, 1] if lower else [1, 0])
    assert ranking.true_positives.tolist() == [0, 1, 2]


def test_many_integers_rank_like_floats():
    random = np.random.default_rng(0)
    scores, positive = (
        random.integers(-50, 50, 4 * MIN_KEYED_ROWS),
        random.random(4 * MIN_KEYED_ROWS) < 0.5,
    )

    assert to.Ranking.of(scores, positive) == to.Ranking.of(scores.astype(float), positive)
    growing = to.GrowingRanking()
    growing.add(scores, positive)
    assert growing.ranking() == to.Ranking.of(scores.astype(float), positive)


def test_small_integer_weights_do_not_overflow():
    weights = np.full(4, 100, np.int8)

    assert to.Ranking.of(np.array([4, 3, 2, 1]), POSITIVE, weights).total == 400


@pytest.mark.parametrize(
    ("scores", "positive", "weights", "message"),
    [
        (np.ones(4, complex), POSITIVE, None, "Scores to rank must be numbers .* not complex128"),
        (np.array(list("abcd")), POSITIVE, None, "Scores to rank must be numbers"),
        (np.array([2**60, 2**60 + 1, 0, 1]), POSITIVE, None, r"integers above 2\*\*53"),
        (
            np.ones(4),
            np.array([1, 0, 1, 0]),
            None,
            "marked by booleans, not by int64: write actual",
        ),
        (np.ones(4), POSITIVE, np.ones(4, complex), "Weights must be numbers, not complex128"),
        (np.ones(4), POSITIVE, np.array(list("1234")), "Weights must be numbers, not <U1"),
    ],
)
def test_input_that_cannot_be_ranked_is_refused(scores, positive, weights, message):
    with pytest.raises(InputError, match=message):
        to.Ranking.of(scores, positive, weights)
    with pytest.raises(InputError, match=message):
        to.GrowingRanking().add(scores, positive, weights)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (np.array([1 + 2j, 1, 1, 1]), "Weights must be numbers, not complex128."),
        (np.array([1 + 0j, 1, 1, 1]), "Weights must be numbers, not complex128."),
        ([1j, 1, 1, 1], "Weights must be numbers, not complex128."),
        (
            np.array([1j, 1, 1, 1], object),
            "Weights must be numbers, but '1j' in row 1 is not a number.",
        ),
        (
            np.array([np.complex64(1j), 1, 1, 1], object),
            "Weights must be numbers, but '1j' in row 1 is not a number.",
        ),
    ],
)
def test_complex_weights_are_refused(weight, message):
    with pytest.raises(InputError) as problem:
        to.auc([1, 0, 1, 0], [0.4, 0.3, 0.2, 0.1], weight=weight)

    assert str(problem.value) == message
