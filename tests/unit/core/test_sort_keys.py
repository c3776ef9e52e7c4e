"""Scores as integer codes: in reverse order, and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tradeoff.core.sort_keys import choose_encoding, exact_encoding


def codes_of(scores, encoding):
    codes = np.empty(len(scores), encoding.integer_type)
    encoding.encode(scores, codes, np.empty_like(codes))
    return codes


def decoded(codes, encoding, dtype):
    encoding.decode(codes)
    return codes.view(dtype)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_higher_score_has_a_lower_code(dtype):
    scores = np.array([1e30, 1.5, 1.0, 0.0, -2.0, -1e30], dtype)
    codes = codes_of(scores, choose_encoding(scores[-1], scores[0]))

    assert (np.diff(codes.astype(np.int64)) > 0).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_codes_leave_room_for_the_class_bit(dtype):
    lowest, highest = np.array([-np.inf, np.inf], dtype)
    encoding = choose_encoding(lowest, highest)

    assert 2 * encoding.max_code + 1 <= np.iinfo(encoding.integer_type).max


@given(arrays(np.float64, st.integers(1, 20), elements=st.floats(0, 1e300, width=64)))
def test_scores_of_one_sign_are_encoded_without_loss(scores):
    scores = np.unique(scores)[::-1]
    encoding = exact_encoding(scores[-1], scores[0])

    assert decoded(codes_of(scores, encoding), encoding, np.float64).tolist() == scores.tolist()


def test_scores_of_both_signs_are_decoded_unless_they_underflow():
    scores = np.array([3.0, 0.25, 0.0, -0.25, -7.0])
    encoding = choose_encoding(scores[-1], scores[0])

    assert decoded(codes_of(scores, encoding), encoding, np.float64).tolist() == scores.tolist()
    assert encoding.underflow_limit < np.float64(1e-140).view(np.uint64)
