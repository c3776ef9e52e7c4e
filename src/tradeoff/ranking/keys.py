"""Scores as integers: a falling score becomes a rising code, one bit shorter than the score.

The bit that is saved holds the row's class, so that one plain integer sort (the fastest that
NumPy has) orders the rows and carries their classes along. No score is rounded: where the codes
of all scores would need every bit, `coding_of` says so with None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_INFINITY = int(np.float64(np.inf).view(np.uint64))


@dataclass(frozen=True)
class Coding:
    """A falling map from scores to integers below half the range of their width.

    A float's magnitude bits order positive floats as integers. Codes count down from the highest
    score: `top` minus the magnitude for positive scores, `top` plus the magnitude for negative
    ones, `bottom` for the lowest. Scores of both signs need two such stretches, so the stretch
    between zero and the smallest magnitude that occurs (`floor`) is left out.
    """

    unsigned: type[np.unsignedinteger[Any]]
    floor: int
    top: int
    bottom: int

    @property
    def has_negative(self) -> bool:
        """Whether codes go on below zero."""
        return self.bottom > self.top

    @property
    def sorts_as_float(self) -> bool:
        """Whether codes with a class bit are bits of finite floats too, which sort faster."""
        return self.unsigned is np.uint64 and 2 * self.bottom + 1 < _INFINITY

    def encode(self, scores: NDArray[Any], out: NDArray[Any], spare: NDArray[Any]) -> None:
        """Write the code of each score into `out`; `spare` is overwritten."""
        u = self.unsigned
        bits = scores.view(u)
        np.bitwise_and(bits, u(_magnitudes(u)), out=out)
        if not self.has_negative:
            np.subtract(u(self.top), out, out=out)
            return
        np.maximum(out, u(self.floor), out=out)
        np.subtract(out, u(self.floor), out=out)
        # All ones for a positive score, all zeros for a negative one: x ^ flip - flip negates.
        flip = np.right_shift(bits, u(_width(u) - 1), out=spare)
        np.subtract(flip, u(1), out=flip)
        np.bitwise_xor(out, flip, out=out)
        np.subtract(out, flip, out=out)
        np.add(out, u(self.top), out=out)

    def decode(self, codes: NDArray[Any]) -> None:
        """Turn sorted, distinct codes, in place, into the bits of their scores."""
        u = self.unsigned
        zero = int(np.searchsorted(codes, u(self.top)))
        above, below = codes[:zero], codes[zero:]
        np.subtract(u(self.top + self.floor), above, out=above)
        if len(below) and below[0] == self.top:
            below[0], below = 0, below[1:]
        # Wraps round where the sum passes the width, as it should.
        np.add(below, u((_magnitudes(u) + 1 + self.floor - self.top) % (1 << _width(u))), out=below)


def coding_of(
    low: np.floating[Any], high: np.floating[Any], smallest: int | None = None
) -> Coding | None:
    """The coding for scores from `low` to `high`, or None when their codes do not fit.

    Args:
        low: The lowest score.
        high: The highest score.
        smallest: The bits of the smallest magnitude above zero (see `smallest_magnitude`); only
            needed for scores of both signs.
    """
    unsigned = np.uint64 if low.dtype.itemsize == 8 else np.uint32
    above = _bits(high, unsigned) if high > 0 else 0
    below = _bits(low, unsigned) if low < 0 else 0
    floor = max(smallest - 1, 0) if smallest is not None and above and below else 0
    top = above - floor if above else 0
    bottom = top + (below - floor if below else 0)
    return Coding(unsigned, floor, top, bottom) if bottom <= _magnitudes(unsigned) else None


def smallest_magnitude(scores: NDArray[Any]) -> int:
    """The bits of the smallest magnitude above zero (all bits set when every score is zero)."""
    unsigned = np.uint64 if scores.dtype.itemsize == 8 else np.uint32
    magnitudes = np.bitwise_and(scores.view(unsigned), unsigned(_magnitudes(unsigned)))
    # Zero minus one wraps round to the largest integer, so zeros never win.
    np.subtract(magnitudes, unsigned(1), out=magnitudes)
    return int(magnitudes.min()) + 1


def _bits(score: np.floating[Any], unsigned: type[np.unsignedinteger[Any]]) -> int:
    return int(abs(score).view(unsigned))


def _width(unsigned: type[np.unsignedinteger[Any]]) -> int:
    return 8 * np.dtype(unsigned).itemsize


def _magnitudes(unsigned: type[np.unsignedinteger[Any]]) -> int:
    """All bits but the sign: the largest code, and the mask that takes a float's sign away."""
    return int((1 << (_width(unsigned) - 1)) - 1)
