"""Order of rows by certainty: distances to a threshold tie as real numbers, not as floats."""

import math
from fractions import Fraction

import numpy as np
import pytest
from brute_force import risk_coverage_area
from hypothesis import given
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.measures.curves.rejection import scores_by_certainty


def ranked(scores, positive, dtype=np.float64, **options):
    return to.Ranking.of(np.array(scores, dtype), np.array(positive, bool), **options)


def aurc(scores, positive, threshold=0.5, **options):
    measure = to.SUMMARIES["aurc"].with_parameters(threshold=threshold)
    return measure(ranked(scores, positive, **options))


def test_scores_equidistant_from_the_threshold_are_accepted_together():
    # 0.9 is right; 0.7 (wrong) and 0.3 (right) are equally far from 0.5, so the errors rise from 0
    # to 1 as the accepted rows d rise from 1 to 3: (1/3) ∫ (d - 1) / (2 d) dd = (1 - ln(3)/2) / 3.
    by_hand = (1 - math.log(3) / 2) / 3

    assert 0.7 - 0.5 < 0.5 - 0.3  # as floats they differ
    assert aurc([0.9, 0.7, 0.3], [1, 0, 0]) == pytest.approx(by_hand, abs=1e-15)
    assert aurc([0.1, 0.3, 0.7], [0, 1, 1]) == pytest.approx(by_hand, abs=1e-15)
    assert aurc([-0.9, -0.7, -0.3], [1, 0, 0], -0.5, lower_is_positive=True) == pytest.approx(
        by_hand, abs=1e-15
    )


def test_rejection_curves_have_one_point_for_equidistant_scores():
    e = to.evaluate(actual=[1, 0, 0], score=[0.9, 0.7, 0.3])

    assert e.curve("risk_coverage").x.tolist() == [0, 1 / 3, 1]
    assert e.curve("accuracy_rejection").x.tolist() == [0, 1 - 1 / 3, 1]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (2 / 3, 1 / 3),
        (0.59, 0.41),
        (0.59, 1 - 0.59),
        (1 - 0.41, 1 - 0.59),
        (1.0, 0.0),
        (1 - 2**-53, 2**-53),
        (0.97, 1 - 0.97),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_scores_that_represent_mirrored_numbers_tie(above, below, dtype):
    certainty = scores_by_certainty(ranked([above, below], [1, 0], dtype), 1, 0.5)

    assert certainty.is_tied.tolist() == [True]


@pytest.mark.parametrize(
    ("above", "below", "nearer"),
    [
        (0.7, 0.3 + 1e-9, "below"),
        (0.7, 0.3 - 1e-9, "above"),
        (1.0, 1e-15, "below"),
        (1.0, -1e-15, "above"),
    ],
)
def test_other_scores_do_not_tie(above, below, nearer):
    certainty = scores_by_certainty(ranked([above, below], [1, 0]), 1, 0.5)

    assert certainty.is_tied.tolist() == [False]
    assert certainty.is_above[0] == (nearer == "above")


def test_scores_on_one_side_never_tie():
    # All are 0.5 away from 0.5 as floats.
    scores = [0.0, 1e-20, 1e-300, -1e-18]

    certainty = scores_by_certainty(ranked(scores, [0, 1, 0, 1]), 0, 0.5)

    assert set(certainty.distance.tolist()) == {0.5}
    assert not certainty.is_tied.any()


def test_only_the_closest_mirror_image_ties():
    # 1 - 0.7 is 0.30000000000000004; 0.3 is farther away by one unit in the last place.
    certainty = scores_by_certainty(ranked([0.7, 1 - 0.7, 0.3], [1, 0, 0]), 1, 0.5)

    assert certainty.is_above.sum() == 1
    assert certainty.is_tied.tolist() == [True, False]


def test_a_chain_of_neighbouring_floats_does_not_tie_as_a_whole():
    above = 0.75 + 2.0**-53 * np.arange(50)
    below = 0.25 - 2.0**-54 * np.arange(100)

    certainty = scores_by_certainty(ranked([*above, *below], [1] * 150), 50, 0.5)

    assert certainty.is_tied.sum() == 50
    assert not (certainty.is_tied[1:] & certainty.is_tied[:-1]).any()


def test_a_threshold_may_be_a_rounded_decimal_too():
    # 0.3 and -0.1 are both 0.2 away from 0.1.
    certainty = scores_by_certainty(ranked([0.3, -0.1], [1, 0]), 1, 0.1)

    assert certainty.is_tied.tolist() == [True]


@pytest.mark.parametrize("threshold", [np.inf, -np.inf])
def test_all_scores_are_equally_far_from_an_infinite_threshold(threshold):
    ranking = ranked([threshold, 1.0, 0.0], [1, 0, 1])

    certainty = scores_by_certainty(ranking, ranking.index(threshold), threshold)

    assert certainty.distance.tolist() == [0, np.inf, np.inf]
    assert certainty.is_tied.tolist() == [False, True]


def test_infinite_scores_on_both_sides_are_equally_far():
    certainty = scores_by_certainty(ranked([np.inf, 0.7, -np.inf], [1, 0, 1]), 2, 0.5)

    assert certainty.is_tied.tolist() == [False, True]


@pytest.mark.parametrize("scale", [2.0**1023, 2.0**-1000])
def test_very_large_and_very_small_scores_do_not_overflow(scale):
    scores = np.array([1.5, 1.25, 0.75, -1.5]) * scale

    certainty = scores_by_certainty(ranked(scores, [1, 0, 1, 0]), 2, 1.0 * scale)

    assert certainty.is_above.tolist() == [True, False, True, False]
    assert certainty.is_tied.tolist() == [True, False, False]


FRACTIONS = st.integers(2, 1000).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.lists(st.tuples(st.integers(0, size), st.booleans()), min_size=1, max_size=30),
    )
)


@given(FRACTIONS)
def test_ratios_of_integers_are_ordered_like_exact_fractions(fractions):
    denominator, rows = fractions
    exact = [(Fraction(numerator, denominator), positive) for numerator, positive in rows]

    area = aurc(
        [numerator / denominator for numerator, _ in rows], [positive for _, positive in rows]
    )

    assert area == pytest.approx(risk_coverage_area(exact), abs=1e-12)


@given(FRACTIONS)
def test_mirrored_rows_have_the_same_area(fractions):
    denominator, rows = fractions
    scores = np.array(
        [numerator / denominator for numerator, _ in rows if 2 * numerator != denominator]
    )
    positive = np.array(
        [positive for numerator, positive in rows if 2 * numerator != denominator], bool
    )
    if not len(scores):
        return

    assert aurc(1 - scores, ~positive) == pytest.approx(aurc(scores, positive), abs=1e-12)
