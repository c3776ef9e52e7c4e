"""Sort keys: unsigned integers in the order of the scores, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.uint64]

SIGN_BIT = np.uint64(1 << 63)


def sortable_integers(scores: NDArray[Any]) -> Integers:
    """Map scores to unsigned integers in the same order, with -0 and 0 equal.

    A bin is a range of these integers that share their leading bits.

    Example:
        >>> order = sortable_integers(np.array([-np.inf, -1.0, -0.0, 0.0, 1e-300, np.inf]))
        >>> np.diff(order.astype(object)).tolist() == sorted(np.diff(order.astype(object)).tolist())
        False
        >>> bool((order[1:] >= order[:-1]).all()), bool(order[2] == order[3])
        (True, True)
    """
    bits = (scores.astype(np.float64) + 0.0).view(np.uint64)
    negative = (bits >> np.uint64(63)).astype(np.bool_)
    return np.where(negative, ~bits, bits | SIGN_BIT)


def scores_of_integers(integers: Integers) -> NDArray[np.float64]:
    """Map sortable integers back to scores: the inverse of `sortable_integers`.

    Example:
        >>> scores_of_integers(sortable_integers(np.array([-1.5, 0.0, 2.0]))).tolist()
        [-1.5, 0.0, 2.0]
    """
    return np.where(integers & SIGN_BIT, integers ^ SIGN_BIT, ~integers).view(np.float64)


# Integer sort keys: a lower score has a higher code, which is at least one bit shorter.
#
# The bit saved holds the row's class, so a key is a code followed by a class bit, and one plain
# sort (the fastest in NumPy) orders the rows together with their classes.


IntegerType = type[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class ScoreEncoding:
    """Order-reversing map from scores to sortable integer codes from 0 to `max_code`.

    As integers, the magnitude bits of positive floats have the order of the floats. The code of a
    score is `zero_code` minus its magnitude if it is positive, or plus its magnitude if negative.
    Magnitudes are measured from `underflow_limit`; up to it, they are treated as zero, which makes
    room for both signs. Callers must then verify that only zeros were given the code `zero_code`.
    """

    integer_type: IntegerType
    underflow_limit: int
    zero_code: int
    max_code: int

    @property
    def keys_sort_as_floats(self) -> bool:
        """Whether sort keys are also the bits of finite floats, which are faster to sort."""
        return self.integer_type is np.uint64 and self.max_code <= _code_limit(
            self.integer_type, as_float=True
        )

    def encode(self, scores: NDArray[Any], out: NDArray[Any], scratch: NDArray[Any]) -> None:
        """Write the code of each score to `out`; `scratch` is overwritten."""
        u = self.integer_type
        bits = scores.view(u)
        np.bitwise_and(bits, u(_sign_bit(u) - 1), out=out)
        if self.underflow_limit:
            np.maximum(out, u(self.underflow_limit), out=out)
        if self.max_code == self.zero_code:  # no negative scores
            np.subtract(u(self.zero_code + self.underflow_limit), out, out=out)
            return
        np.subtract(out, u(self.underflow_limit), out=out)
        # All ones for a positive score, all zeros for a negative one: x ^ flip - flip negates.
        flip = np.right_shift(bits, u(_width(u) - 1), out=scratch)
        np.subtract(flip, u(1), out=flip)
        np.bitwise_xor(out, flip, out=out)
        np.subtract(out, flip, out=out)
        np.add(out, u(self.zero_code), out=out)

    def decode(self, codes: NDArray[Any]) -> None:
        """Turn sorted, distinct codes into the bits of their scores, in place."""
        u = self.integer_type
        index = int(np.searchsorted(codes, u(self.zero_code)))
        positive_codes, other_codes = codes[:index], codes[index:]
        np.subtract(u(self.zero_code + self.underflow_limit), positive_codes, out=positive_codes)
        if len(other_codes) and other_codes[0] == self.zero_code:
            other_codes[0], other_codes = 0, other_codes[1:]
        # Wraps around, as intended, if the sum exceeds the width.
        offset = (_sign_bit(u) + self.underflow_limit - self.zero_code) % (2 * _sign_bit(u))
        np.add(other_codes, u(offset), out=other_codes)


def choose_encoding(low: np.floating[Any], high: np.floating[Any]) -> ScoreEncoding:
    """Encoding for a range of scores, with the lowest underflow limit that permits a fast sort.

    For scores below a million, the limit is near 1e-150: in practice, only 0 is treated as 0.
    """
    integer_type = _integer_type(low)
    highest, lowest = _magnitude(high, integer_type, 1), _magnitude(low, integer_type, -1)
    sign_count = (highest > 0) + (lowest > 0)
    excess = highest + lowest - _code_limit(integer_type, as_float=True)
    underflow_limit = max(0, -(-excess // sign_count)) if sign_count else 0
    return _build_encoding(integer_type, highest, lowest, underflow_limit)


def exact_encoding(low: np.floating[Any], high: np.floating[Any]) -> ScoreEncoding:
    """Encoding without underflow, for scores of one sign."""
    integer_type = _integer_type(low)
    return _build_encoding(
        integer_type, _magnitude(high, integer_type, 1), _magnitude(low, integer_type, -1), 0
    )


def _build_encoding(
    integer_type: IntegerType, highest: int, lowest: int, underflow_limit: int
) -> ScoreEncoding:
    """Encoding for the magnitudes of the highest positive and the lowest negative score."""
    zero_code = max(highest - underflow_limit, 0)
    max_code = zero_code + max(lowest - underflow_limit, 0)
    return ScoreEncoding(integer_type, underflow_limit, zero_code, max_code)


def _integer_type(score: np.floating[Any]) -> IntegerType:
    return np.uint64 if score.dtype.itemsize == 8 else np.uint32


def _magnitude(score: np.floating[Any], integer_type: IntegerType, sign: int) -> int:
    """Magnitude bits of a score of the given sign; 0 for one of the other sign."""
    return int(abs(score).view(integer_type)) if sign * score > 0 else 0


def _code_limit(integer_type: IntegerType, *, as_float: bool) -> int:
    """Largest code that leaves room for the class bit."""
    if as_float and integer_type is np.uint64:
        return (int(np.float64(np.inf).view(np.uint64)) - 2) // 2
    return _sign_bit(integer_type) - 1


def _width(integer_type: IntegerType) -> int:
    return 8 * np.dtype(integer_type).itemsize


def _sign_bit(integer_type: IntegerType) -> int:
    """Sign bit of a float as wide as `integer_type`."""
    return int(1 << (_width(integer_type) - 1))
