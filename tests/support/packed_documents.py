"""Packed arrays of the report's document, decoded independently of packing.js."""

import base64
import json
import zlib

import numpy as np


def unpacked(value):
    """A document with all its packed arrays decoded; infinite thresholds are floats."""
    if isinstance(value, list):
        return [unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "packed" in value:
        data = zlib.decompress(base64.b64decode(value["packed"]), -zlib.MAX_WBITS)
        decoded = DECODERS[value["kind"]](data, value)
        return unpacked(decoded) if value["kind"] == "json" else decoded
    return {key: unpacked(item) for key, item in value.items()}


def _varint(data, position):
    value = shift = 0
    while True:
        byte = data[position]
        position += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, position


def _varints(data, position, count):
    values = []
    for _ in range(count):
        value, position = _varint(data, position)
        values.append(value)
    return values, position


def _integers(data, _):
    values, position = [], 0
    while position < len(data):
        code, position = _varint(data, position)
        values.append(-(code + 1) // 2 if code % 2 else code // 2)
    return values


def _floats(data, _=None):
    planes = np.frombuffer(data, np.uint8).reshape(8, -1)
    return planes.T.copy().view("<f8").ravel().tolist()


def _thresholds(data, value):
    (count, exact_count, starts_below_zero), position = _varints(data, 0, 3)
    gaps, position = _varints(data, position, exact_count)
    steps, position = _varints(data, position, count)
    keys = -np.cumsum(np.array(steps, np.int64))
    if not starts_below_zero:
        keys += 2 * steps[0]
    numbers = [_number(int(key), value["digits"]) for key in keys]
    for index, score in zip(np.cumsum(gaps).tolist(), _floats(data[position:]), strict=True):
        numbers[index] = score
    return [value["sign"] * number for number in numbers]


def _number(key, digits):
    if key == 0:
        return 0.0
    lowest = 10 ** (digits - 1)
    exponent, mantissa = divmod(abs(key) - 1, 9 * lowest)
    size = float(f"{mantissa + lowest}e{exponent - 323 - digits}")
    return size if key > 0 else -size


DECODERS = {
    "integers": _integers,
    "floats": _floats,
    "thresholds": _thresholds,
    "json": lambda data, _: json.loads(data),
    "text": lambda data, _: data.decode(),
}
