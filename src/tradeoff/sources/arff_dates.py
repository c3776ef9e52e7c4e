"""Dates of ARFF files, read by their declared patterns, those of Java's SimpleDateFormat."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from tradeoff.errors import InputError

DEFAULT_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"
MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
NUMBERS = "yMdHhkKmsS"
OTHERS = {
    "a": r"(?P<a>[AaPp][Mm])",
    "E": r"[^\W\d_]+\.?",  # the name of the day says nothing that the date does not say
    # Java takes a name for an offset and the other way round.
    "z": r"(?P<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC|Z)",
    "Z": r"(?P<zone>(?:GMT|UTC)?[+-]\d{2}:?\d{2}|GMT|UTC|Z)",
    "X": r"(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)",
}
PIECES = re.compile(r"'((?:[^']|'')*)'|(([A-Za-z])\3*)|([^A-Za-z']+)|(.)", re.DOTALL)


@dataclass(frozen=True)
class DateReader:
    """Reads dates of one pattern; times without a zone stay as written, others become UTC."""

    pattern: str
    expression: re.Pattern[str]

    @classmethod
    def of(cls, pattern: str = DEFAULT_PATTERN) -> DateReader:
        """The reader of a pattern of SimpleDateFormat.

        Example:
            >>> str(DateReader.of("d MMM yyyy").read("5 Nov 2003"))
            '2003-11-05T00:00:00.000'
        """
        pieces = list(PIECES.finditer(pattern))
        parts: list[str] = []
        for place, piece in enumerate(pieces):
            quoted, run, letter, plain, stray = piece.groups()
            if stray is not None:
                raise InputError(f"the date pattern {pattern!r} has a quote that does not end")
            if letter is None:
                text = plain if quoted is None else (quoted.replace("''", "'") or "'")
                parts.append(re.escape(text))
            else:
                after = pieces[place + 1] if place + 1 < len(pieces) else None
                parts.append(_field(pattern, letter, len(run), _is_number(after)))
        try:
            return cls(pattern, re.compile("".join(parts)))
        except re.error:  # two groups of one name
            raise InputError(
                f"the date pattern {pattern!r} asks for the same thing twice"
            ) from None

    def read(self, text: str) -> np.datetime64:
        """The moment that a text names.

        Example:
            >>> str(DateReader.of().read("2001-04-03T12:12:12"))
            '2001-04-03T12:12:12.000'
        """
        match = self.expression.fullmatch(text.strip())
        if match is None:
            raise InputError(f"{text!r} is no date of the form {self.pattern}")
        found = {name: value for name, value in match.groupdict().items() if value is not None}
        try:
            return np.datetime64(_moment(found), "ms")
        except (ValueError, OverflowError):
            raise InputError(f"there is no such date as {text!r}") from None


def _field(pattern: str, letter: str, length: int, number_follows: bool) -> str:
    if letter == "M" and length > 2:
        return r"(?P<name>[A-Za-z]+)\.?"
    if letter in NUMBERS:
        # Numbers without a gap can be told apart by their lengths alone.
        digits = f"{{{length}}}" if number_follows else "+"
        name = "short" if letter == "y" and length == 2 else letter
        return rf"(?P<{name}>[0-9]{digits})"
    if letter in OTHERS:
        return OTHERS[letter]
    raise InputError(
        f"the date pattern {pattern!r} uses {letter!r}, which is not supported; "
        f"{', '.join((*NUMBERS, *OTHERS))} are"
    )


def _is_number(piece: re.Match[str] | None) -> bool:
    return (
        piece is not None
        and piece[3] is not None
        and piece[3] in NUMBERS
        and not (piece[3] == "M" and len(piece[2]) > 2)
    )


def _moment(found: dict[str, str]) -> datetime:
    milliseconds = int(found.get("S", 0))
    if milliseconds > 999:
        raise ValueError
    written = datetime(  # noqa: DTZ001 - numpy's times have no zone
        _year(found),
        _month(found),
        int(found.get("d", 1)),
        _hour(found),
        int(found.get("m", 0)),
        int(found.get("s", 0)),
        milliseconds * 1000,
    )
    return written - _offset(found.get("zone", "Z"))


def _year(found: dict[str, str]) -> int:
    if "short" not in found:
        return int(found.get("y", 1970))
    year = int(found["short"])
    if len(found["short"]) != 2:
        return year
    # Java looks at today's date; a file must mean the same in every year, so POSIX's rule is used.
    return year + (1900 if year >= 69 else 2000)


def _month(found: dict[str, str]) -> int:
    if "name" not in found:
        return int(found.get("M", 1))
    name = found["name"].lower()
    # Not by strptime, whose names of months depend on where a program runs.
    return [name in {month, month[:3]} for month in MONTHS].index(True) + 1


def _hour(found: dict[str, str]) -> int:
    """Hours run from 0 to 23 (H), 1 to 24 (k), or twice a day from 1 to 12 (h) or 0 to 11 (K)."""
    for letter, low, high in (("k", 1, 24), ("h", 1, 12), ("K", 0, 11)):
        if letter in found:
            hour = int(found[letter])
            if not low <= hour <= high:
                raise ValueError
            afternoon = letter != "k" and found.get("a", "am").lower() == "pm"
            return hour % (24 if letter == "k" else 12) + 12 * afternoon
    return int(found.get("H", 0))


def _offset(zone: str) -> timedelta:
    ahead = zone.lstrip("GMTUCZ")
    if not ahead:
        return timedelta(0)
    digits = ahead[1:].replace(":", "").ljust(4, "0")
    distance = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return -distance if ahead[0] == "-" else distance
