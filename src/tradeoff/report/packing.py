"""Long arrays of the report's document, compressed: packing.js decodes them when the page opens.

An array becomes `{"packed": text, "kind": kind}`. The text is Base64 of raw deflate (RFC 1951) of
bytes: integers of variable length with seven bits a byte (LEB128), zigzag-coded if they may be
negative, or floats of eight bytes.

Thresholds are rounded to six or more significant digits, if the rounded number still decides the
same, so that every number of up to six digits that a reader types decides as it does in Python.
"""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

MIN_PACKED_VALUES = 400
"""Shorter arrays stay as they are: they are small, and can be read."""
DIGITS = range(6, 10)
"""Significant digits of rounded thresholds: as few as suffice for nearly all."""
MAX_EXACT_FRACTION = 0.03
"""Fraction of thresholds above which more digits take less space than exact scores do."""
SMALLEST_EXPONENT = -324
"""Decimal exponent of the smallest float."""


def pack_integers(values: NDArray[Any]) -> Any:
    """Integers, packed if there are many.

    Example:
        >>> pack_integers(np.array([3, -1])), sorted(pack_integers(np.arange(1000)))
        ([3, -1], ['kind', 'packed'])
    """
    if len(values) < MIN_PACKED_VALUES:
        return values.tolist()
    return _packed("integers", _varints(_zigzag(values.astype(np.int64))))


def pack_floats(values: Floats) -> Any:
    """Floats, exactly, packed if there are many; bytes of the same order are kept together."""
    if len(values) < MIN_PACKED_VALUES:
        return values.tolist()
    return _packed("floats", _float_bytes(values))


def pack_json(value: Any) -> dict[str, Any]:
    """Any JSON value, packed."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _packed("json", text.encode())


def pack_text(text: str) -> dict[str, Any]:
    """Text, packed."""
    return _packed("text", text.encode())


def pack_thresholds(scores: Floats, limits: Floats, *, sign: int) -> dict[str, Any]:
    """Thresholds in the order of a ranking, each rounded to a number that decides the same.

    A threshold decides as any number above its limit (the next score, for `sign` 1), up to its
    score. Where no number of `digits` does, the score itself is kept, as is the one after it. With
    `sign` -1, low scores are positive and all of this is mirrored.
    """
    ordered = sign * scores
    for digits in DIGITS:
        keys, rounded = _floor_to_digits(ordered, digits)
        is_exact = ~((rounded > sign * limits) & np.isfinite(ordered))
        is_exact[1:] |= is_exact[:-1] & (rounded[1:] != ordered[1:])
        if is_exact.mean() <= MAX_EXACT_FRACTION:
            break
    exact_indices = np.flatnonzero(is_exact)
    # Keys fall; that of an exact score is not needed, so it repeats its neighbour's.
    rounded_indices = np.flatnonzero(~is_exact)
    if len(rounded_indices):
        before = np.searchsorted(rounded_indices, np.arange(len(keys)), "right") - 1
        keys = keys[rounded_indices[np.maximum(before, 0)]]
    else:
        keys = np.zeros(len(keys), np.int64)
    content = b"".join(
        [
            _varints(np.array([len(keys), len(exact_indices), int(keys[0] < 0)])),
            _varints(np.diff(exact_indices, prepend=0)),
            _varints(np.abs(np.diff(keys, prepend=0))),
            _float_bytes(ordered[exact_indices]),
        ]
    )
    return {**_packed("thresholds", content), "sign": sign, "digits": digits}


def are_round(scores: Floats) -> bool:
    """Whether all finite scores have at most six significant digits.

    Example:
        >>> are_round(np.array([np.inf, 0.25, -7.0])), are_round(np.array([1 / 3]))
        (True, False)
    """
    finite = scores[np.isfinite(scores)]
    return bool((_floor_to_digits(finite, DIGITS[0])[1] == finite).all())


def _floor_to_digits(values: Floats, digits: int) -> tuple[NDArray[np.int64], Floats]:
    """Numbers rounded down to some digits, with their positions among all numbers of these."""
    keys = np.zeros(len(values), np.int64)
    rounded = values.copy()
    for index, value in enumerate(values.tolist()):
        if not math.isfinite(value) or value == 0:
            continue
        text = f"{value:.{digits - 1}e}"
        number = float(text)
        mantissa, _, exponent = text.lstrip("-").partition("e")
        key = _key(int(mantissa.replace(".", "")), int(exponent), digits)
        key = -key if value < 0 else key
        if number > value:
            key -= 1
            number = _number(key, digits)
        keys[index], rounded[index] = key, number
    return keys, rounded


def _key(mantissa: int, exponent: int, digits: int) -> int:
    """Rank of a positive number among all numbers with this many digits, from 1 on."""
    lowest: int = 10 ** (digits - 1)
    return (exponent - SMALLEST_EXPONENT) * 9 * lowest + mantissa - lowest + 1


def _number(key: int, digits: int) -> float:
    """The number at a position; 0 at position 0."""
    if key == 0:
        return 0.0
    lowest: int = 10 ** (digits - 1)
    exponent, mantissa = divmod(abs(key) - 1, 9 * lowest)
    number = float(f"{mantissa + lowest}e{exponent + SMALLEST_EXPONENT - digits + 1}")
    return -number if key < 0 else number


def _zigzag(values: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray((values << 1) ^ (values >> 63))


def _varints(values: Iterable[int] | NDArray[Any]) -> bytes:
    """Integers of at least 0 as bytes of seven bits each, the lowest first."""
    remaining = np.asarray(values, np.int64)
    size = len(remaining)
    parts = np.zeros((size, 10), np.uint8)
    lengths = np.ones(size, np.intp)
    for column in range(10):
        parts[:, column] = remaining & 0x7F
        remaining = remaining >> 7
        has_more = remaining > 0
        if not has_more.any():
            break
        parts[has_more, column] |= 0x80
        lengths[has_more] = column + 2
    return parts[np.arange(10) < lengths[:, np.newaxis]].tobytes()


def _float_bytes(values: Floats) -> bytes:
    return np.asarray(values, "<f8").view(np.uint8).reshape(-1, 8).T.tobytes()


def _packed(kind: str, content: bytes) -> dict[str, Any]:
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = compressor.compress(content) + compressor.flush()
    return {"packed": base64.b64encode(data).decode(), "kind": kind}
