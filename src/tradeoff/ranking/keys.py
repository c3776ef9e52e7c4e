"""Scores as integers: a falling score becomes a rising code, at least one bit shorter.

The bit that is saved holds the row's class, so that one plain sort (the fastest that NumPy has)
orders the rows and carries their classes along.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Unsigned = type[np.unsignedinteger[Any]]


@dataclass(frozen=True)
class Coding:
    """A falling map from scores to integers from 0 to `bottom`.

    A float's magnitude bits order positive floats as integers. Codes count down from the highest
    score: `zero` minus the magnitude for positive scores, `zero` plus the magnitude for negative
    ones. Magnitudes up to `floor` are taken for zero, which makes room for both signs; whoever
    uses a coding with a floor must see to it that nothing but zeros got the code `zero`.
    """

    unsigned: Unsigned
    floor: int
    zero: int
    bottom: int

    @property
    def sorts_as_float(self) -> bool:
        """Whether codes with a class bit are bits of finite floats too, which sort faster."""
        return self.unsigned is np.uint64 and self.bottom <= _largest(self.unsigned, as_float=True)

    def encode(self, scores: NDArray[Any], out: NDArray[Any], spare: NDArray[Any]) -> None:
        """Write the code of each score into `out`; `spare` is overwritten."""
        u = self.unsigned
        bits = scores.view(u)
        np.bitwise_and(bits, u(_sign(u) - 1), out=out)
        if self.floor:
            np.maximum(out, u(self.floor), out=out)
        if self.bottom == self.zero:  # no negative scores
            np.subtract(u(self.zero + self.floor), out, out=out)
            return
        np.subtract(out, u(self.floor), out=out)
        # All ones for a positive score, all zeros for a negative one: x ^ flip - flip negates.
        flip = np.right_shift(bits, u(_width(u) - 1), out=spare)
        np.subtract(flip, u(1), out=flip)
        np.bitwise_xor(out, flip, out=out)
        np.subtract(out, flip, out=out)
        np.add(out, u(self.zero), out=out)

    def decode(self, codes: NDArray[Any]) -> None:
        """Turn sorted, distinct codes, in place, into the bits of their scores."""
        u = self.unsigned
        place = int(np.searchsorted(codes, u(self.zero)))
        above, below = codes[:place], codes[place:]
        np.subtract(u(self.zero + self.floor), above, out=above)
        if len(below) and below[0] == self.zero:
            below[0], below = 0, below[1:]
        # Wraps round where the sum passes the width, as it should.
        back = (_sign(u) + self.floor - self.zero) % (2 * _sign(u))
        np.add(below, u(back), out=below)


def coding_of(low: np.floating[Any], high: np.floating[Any]) -> Coding:
    """The coding for scores from `low` to `high`, its floor as low as a fast sort allows.

    For scores below a million, the floor lies near 1e-150: in practice, nothing but zero is zero.
    """
    unsigned = _unsigned(low)
    above, below = _magnitude(high, unsigned, 1), _magnitude(low, unsigned, -1)
    stretches = (above > 0) + (below > 0)
    surplus = above + below - _largest(unsigned, as_float=True)
    floor = max(0, -(-surplus // stretches)) if stretches else 0
    return _coding(unsigned, above, below, floor)


def exact_coding(low: np.floating[Any], high: np.floating[Any]) -> Coding:
    """The coding without a floor, for scores of one sign."""
    unsigned = _unsigned(low)
    return _coding(unsigned, _magnitude(high, unsigned, 1), _magnitude(low, unsigned, -1), 0)


def _coding(unsigned: Unsigned, above: int, below: int, floor: int) -> Coding:
    zero = max(above - floor, 0)
    return Coding(unsigned, floor, zero, zero + max(below - floor, 0))


def _unsigned(score: np.floating[Any]) -> Unsigned:
    return np.uint64 if score.dtype.itemsize == 8 else np.uint32


def _magnitude(score: np.floating[Any], unsigned: Unsigned, sign: int) -> int:
    """The magnitude bits of a score of that sign; 0 for one of the other sign."""
    return int(abs(score).view(unsigned)) if sign * score > 0 else 0


def _largest(unsigned: Unsigned, *, as_float: bool) -> int:
    """The largest code that leaves room for the class bit."""
    if as_float and unsigned is np.uint64:
        return (int(np.float64(np.inf).view(np.uint64)) - 2) // 2
    return _sign(unsigned) - 1


def _width(unsigned: Unsigned) -> int:
    return 8 * np.dtype(unsigned).itemsize


def _sign(unsigned: Unsigned) -> int:
    """The sign bit of a float of that width."""
    return int(1 << (_width(unsigned) - 1))
