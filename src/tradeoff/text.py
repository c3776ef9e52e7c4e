"""How numbers and tables are written for people. Knows nothing of metrics or rankings."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

PROSE = 1000
"""The longest sentence that is written; names from data can be endless."""
JOINERS = "\u200c\u200d"
LARGE, HUGE = 1e5, 1e15
"""Between these, sums of weights are written like counts."""


def number(value: float | None, digits: int = 4) -> str:
    """A measured number: rounded, without noise, `undefined` when there is none.

    Example:
        >>> [number(x) for x in (26 / 45, 1.0, float("inf"), float("nan"), 1234567.891, 2e-9)]
        ['0.5778', '1.0000', 'inf', 'undefined', '1,234,568', '2e-09']
    """
    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value and abs(value) < 10.0**-digits:
        return f"{value:.2g}"
    value += 0.0  # no negative zero
    whole = len(str(int(abs(value))))
    return f"{value:,.{max(digits + 1 - whole, 0)}f}"


def amount(value: float) -> str:
    """A quantity that may be whole or not: 67 is not 67.000.

    Example:
        >>> [amount(x) for x in (67.0, 0.0, 67.25, 1 / 3, float("nan"))]
        ['67', '0', '67.250', '0.3333', 'undefined']
    """
    return count(value) if float(value).is_integer() else number(float(value))


def count(value: float) -> str:
    """A count or a sum of weights: whole numbers without a point.

    Example:
        >>> [count(x) for x in (12345, 7.0, 0.25, 2728100.3)]
        ['12,345', '7', '0.25', '2,728,100']
    """
    if float(value).is_integer():
        return f"{int(value):,}"
    return f"{float(value):,.0f}" if LARGE < abs(value) < HUGE else f"{float(value):,.6g}"


def threshold(value: float) -> str:
    """A threshold, rounded for reading; tables for machines have all digits.

    Example:
        >>> [threshold(x) for x in (0.5, 0.9264480613897305, float("inf"))]
        ['0.5', '0.926448', 'inf']
    """
    return f"{value:.6g}"


def typed(value: float) -> str:
    """A threshold that will be typed somewhere, and must then decide the same.

    Example:
        >>> [typed(x) for x in (0.5, 20.0, 0.9264480613897305)]
        ['0.5', '20', '0.9264480613897305']
    """
    short = threshold(value)
    return short if float(short) == value else repr(float(value)).removesuffix(".0")


def told_apart(low: float, high: float) -> tuple[str, str]:
    """Two thresholds with as many digits as tell them apart.

    Example:
        >>> told_apart(0.25, 0.31234567), told_apart(0.31234561, 0.31234567)
        (('0.25', '0.312346'), ('0.3123456', '0.3123457'))
    """
    shown = (threshold(low), threshold(high))
    for digits in range(7, 18):
        if low == high or shown[0] != shown[1]:
            break
        shown = (f"{low:.{digits}g}", f"{high:.{digits}g}")
    return shown


def share(value: float) -> str:
    """A proportion in percent.

    Example:
        >>> [share(x) for x in (7 / 9, 1.0, 0.00042)]
        ['77.8 %', '100 %', '0.042 %']
    """
    percent = 100 * value
    if percent in (0.0, 100.0):
        return f"{percent:.0f} %"
    return f"{percent:.1f} %" if abs(percent) >= 0.1 else f"{percent:.2g} %"


def rows(size: int) -> str:
    """A number of rows, with the right word.

    Example:
        >>> rows(1), rows(1000)
        ('1 row', '1,000 rows')
    """
    return f"{size:,} row{'' if size == 1 else 's'}"


def aligned(cells: Sequence[Sequence[str]], *, left: int = 1, gap: str = "  ") -> str:
    """Cells in columns: the first `left` columns flush left, the others flush right.

    Example:
        >>> print(aligned([["metric", "value"], ["accuracy", "0.5714"]]))
        metric     value
        accuracy  0.5714
    """
    widths = [max(map(width_of, column)) for column in zip(*cells, strict=True)]
    lines = (
        gap.join(
            padded(cell, width, flush_left=at < left)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)


def table_lines(
    table: Sequence[Sequence[str]], *, left: int = 1, prose_last: bool = False, width: int = 100
) -> list[str]:
    """A table for a terminal; with `prose_last`, its last column holds sentences, wrapped.

    Example:
        >>> table_lines([("", "value", ""), ("accuracy", "0.5714", "of all rows")], prose_last=True)
        ['           value', 'accuracy  0.5714  of all rows']
    """
    rows = [list(row) for row in table if any(row)]
    sentences = [row.pop() if prose_last else "" for row in rows]
    cells = [[plain(cell) for cell in row] for row in rows]
    columns = aligned(cells, left=left).splitlines()
    reach = max(map(width_of, columns)) + 2
    lines = []
    for line, sentence in zip(columns, sentences, strict=True):
        first, *more = _wrapped(sentence, max(width - reach, 40))
        lines.append(f"{padded(line, reach)}{first}".rstrip())
        lines += [" " * reach + part for part in more]
    return lines


def wrapped(sentences: Iterable[str], width: int = 100) -> list[str]:
    """The lines of several sentences, each beginning a new line."""
    return [line for sentence in sentences for line in _wrapped(sentence, width)]


def _wrapped(sentence: str, width: int) -> list[str]:
    """Lines of a sentence; a number and its % stay together."""
    held = re.sub(r"(?<=\d) %", "\u00a0%", plain(sentence, PROSE))
    return [line.replace("\u00a0%", " %") for line in wrap(held, width)] or [""]


def plain(value: Any, longest: int = 60) -> str:
    r"""A name from data as one line of visible text: no escape codes, no line breaks, not endless.

    Example:
        >>> plain("yes\x1b[31m\nno")
        'yes?[31m?no'
    """
    text = str(value)
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join("?" if _controls(c) else c for c in text)


def _controls(character: str) -> bool:
    """Whether a character acts instead of being seen; joiners of letters and emoji may stay."""
    return unicodedata.category(character).startswith("C") and character not in JOINERS


def width_of(cell: str) -> int:
    """Columns of a terminal: wide East Asian characters take two, combining marks none."""
    return sum(
        0
        if c in JOINERS or unicodedata.combining(c)
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in cell
    )


def padded(cell: str, width: int, *, flush_left: bool = True) -> str:
    """A cell filled up with blanks to a width on a terminal."""
    space = " " * (width - width_of(cell))
    return cell + space if flush_left else space + cell
