"""Long arrays of the report, packed: they are decoded to what they were, or decide the same."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_documents import unpacked

from tradeoff.core.ranking import Ranking
from tradeoff.report.packing import (
    MIN_PACKED_VALUES,
    are_round,
    pack_floats,
    pack_integers,
    pack_json,
    pack_thresholds,
)
from tradeoff.thresholds.identical import identical_limits, identical_thresholds

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.integers(-(2**50), 2**50), min_size=1, max_size=5))
@settings(max_examples=30)
def test_integers_are_decoded_to_what_they_were(values):
    values *= MIN_PACKED_VALUES
    packed = pack_integers(np.array(values, np.int64))

    assert packed["kind"] == "integers"
    assert unpacked(packed) == values


@given(st.lists(finite, min_size=1, max_size=5))
@settings(max_examples=30)
def test_floats_are_decoded_to_what_they_were(values):
    values *= MIN_PACKED_VALUES

    assert unpacked(pack_floats(np.array(values))) == values


def test_short_arrays_can_be_read():
    assert pack_integers(np.array([3, 0, -2])) == [3, 0, -2]
    assert pack_floats(np.array([0.5])) == [0.5]


def test_a_packed_document_holds_the_document():
    document = {"name": "</script>", "found": {"packed": "", "kind": "integers"}}
    packed = pack_json({"a": [1, None, "é"]})

    assert unpacked(packed) == {"a": [1, None, "é"]}
    assert "<" not in json.dumps(pack_json(document))


scores = st.lists(
    st.one_of(
        st.floats(0, 1),
        st.floats(-1e-4, 1e-4),
        st.sampled_from([0.1, 0.12345, 1.0, -3.0, 1e300, -1e300, 5e-324, np.inf, -np.inf]),
        finite,
    ),
    min_size=1,
    max_size=40,
)


@given(scores=scores, lower=st.booleans())
@settings(max_examples=200)
def test_a_packed_threshold_decides_as_the_score_does(scores, lower):
    scores = np.array(scores)
    ranking = Ranking.of(scores, np.arange(len(scores)) % 2 == 0, lower_is_positive=lower)
    decoded = _decoded(ranking)

    indices = [ranking.index(threshold) for threshold in decoded]
    assert indices == [ranking.index(threshold) for threshold in ranking.thresholds]
    assert not any(str(threshold) == "-0.0" for threshold in decoded[1:] if not lower)


def _decoded(ranking):
    sign = -1 if ranking.lower_is_positive else 1
    return unpacked(pack_thresholds(ranking.thresholds, identical_limits(ranking), sign=sign))


def test_thresholds_of_six_digits_are_kept():
    ranking = Ranking.of((np.arange(2000) / 1000 - 0.7).round(3), np.arange(2000) % 3 == 0)

    assert are_round(ranking.thresholds)
    assert _decoded(ranking) == ranking.thresholds.tolist()
    assert not are_round(np.array([0.1, 2 / 3]))


def test_of_scores_that_agree_in_six_digits_all_digits_are_kept():
    close = [0.1234567, 0.12345671, 0.12345672, 0.12345673]
    rest = np.linspace(0.2, 0.9, 300).tolist()
    ranking = Ranking.of(np.array([*close, *rest]), np.arange(304) % 2 == 0)

    assert _decoded(ranking)[-4:] == close[::-1]


def test_many_scores_take_two_bytes_each():
    random = np.random.default_rng(0)
    score = random.random(20_000)
    ranking = Ranking.of(score, random.random(20_000) < score)

    assert len(pack_thresholds(ranking.thresholds, identical_limits(ranking), sign=1)["packed"]) < (
        35_000
    )


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("most", [None, 12])
def test_limits_of_identical_thresholds_are_those_of_each(lower, most):
    random = np.random.default_rng(1)
    ranking = Ranking.of(random.normal(size=99), random.random(99) < 0.4, lower_is_positive=lower)
    ranking = ranking if most is None else ranking.within(most)

    assert identical_limits(ranking).tolist() == [
        identical_thresholds(ranking, index).low for index in range(len(ranking))
    ]
