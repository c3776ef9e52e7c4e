"""Formatting of numbers, tables and sentences as text, independent of metrics and rankings."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Any

MAX_SENTENCE_LENGTH = 1000
"""Length to which sentences are truncated, as names from data can be of any length."""
CI_BLANK = re.compile(r"(?<=%) (?=CI\b)")
JOINERS = "\u200c\u200d"
"""Invisible characters that join letters and emoji, or keep them apart."""
ROUNDING_ERROR = 1e-13
"""Relative difference to 1 of proportions that are equal to 1 but for rounding errors."""
MIN_ROUNDED_SUM, MAX_ROUNDED_SUM = 1e5, 1e15
"""Between these values, sums of weights are rounded and formatted like counts."""


def format_number(value: float | None, digits: int = 4) -> str:
    """Format a measured number: rounded, or `undefined` for NaN.

    Example:
        >>> [format_number(x) for x in (26 / 45, 1.0, float("inf"), float("nan"), 1234567.89, 2e-9)]
        ['0.5778', '1.0000', 'inf', 'undefined', '1,234,568', '2e-09']
    """
    if value is None or math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    if value and abs(value) < 10.0**-digits:
        return f"{value:.2g}"
    value += 0.0  # no negative zero
    whole_digits = len(str(int(abs(value))))
    return f"{value:,.{max(digits + 1 - whole_digits, 0)}f}"


def format_amount(value: float) -> str:
    """Format a quantity that may or may not be whole: 67, not 67.000.

    Example:
        >>> [format_amount(x) for x in (67.0, 0.0, 67.25, 1 / 3, float("nan"))]
        ['67', '0', '67.250', '0.3333', 'undefined']
    """
    return format_count(value) if float(value).is_integer() else format_number(float(value))


def format_count(value: float) -> str:
    """Format a count or a sum of weights: whole numbers without a decimal point.

    Example:
        >>> [format_count(x) for x in (12345, 7.0, 0.25, 2728100.3)]
        ['12,345', '7', '0.25', '2,728,100']
    """
    if float(value).is_integer():
        return f"{int(value):,}"
    return (
        f"{float(value):,.0f}"
        if MIN_ROUNDED_SUM < abs(value) < MAX_ROUNDED_SUM
        else f"{float(value):,.6g}"
    )


def format_threshold(value: float) -> str:
    """Format a threshold, rounded for reading; machine-readable tables have all its digits.

    Example:
        >>> [format_threshold(x) for x in (0.5, 0.9264480613897305, float("inf"))]
        ['0.5', '0.926448', 'inf']
    """
    return f"{value:.6g}"


def format_exact_threshold(value: float) -> str:
    """Format a threshold to be entered elsewhere, with enough digits for the same predictions.

    Example:
        >>> [format_exact_threshold(x) for x in (0.5, 20.0, 0.9264480613897305)]
        ['0.5', '20', '0.9264480613897305']
    """
    short_form = format_threshold(value)
    return short_form if float(short_form) == value else repr(float(value)).removesuffix(".0")


def format_threshold_pair(lower: float, upper: float) -> tuple[str, str]:
    """Format two thresholds with enough digits to distinguish them.

    Example:
        >>> format_threshold_pair(0.25, 0.31234567), format_threshold_pair(0.31234561, 0.31234567)
        (('0.25', '0.312346'), ('0.3123456', '0.3123457'))
    """
    formatted = (format_threshold(lower), format_threshold(upper))
    for digits in range(7, 18):
        if lower == upper or formatted[0] != formatted[1]:
            break
        formatted = (f"{lower:.{digits}g}", f"{upper:.{digits}g}")
    return formatted


def format_percent(value: float, decimals: int = 1) -> str:
    """Format a proportion as a percentage: 0% and 100% only if it is exactly 0 or 1.

    Example:
        >>> [format_percent(x) for x in (7 / 9, 1.0, 0.00042, 0.9996)]
        ['77.8%', '100%', '0.042%', '99.96%']
    """
    percent = 100 * value
    if math.isclose(percent, 100, rel_tol=ROUNDING_ERROR, abs_tol=0) or percent == 0:
        return f"{percent:.0f}%"
    if abs(percent) < 10.0**-decimals:
        return f"{percent:.2g}%"
    text = f"{percent:.{decimals}f}"
    while float(text) == 100:
        decimals += 1
        text = f"{percent:.{decimals}f}"
    return f"{text}%"


def format_level(level: float) -> str:
    """Confidence level in percent.

    Example:
        >>> format_level(0.95), format_level(0.9999999)
        ('95%', '99.99999%')
    """
    return f"{100 * level:.10g}%"


def format_rows(size: int) -> str:
    """Format a number of rows: "1 row", "1,000 rows".

    Example:
        >>> format_rows(1), format_rows(1000)
        ('1 row', '1,000 rows')
    """
    return f"{size:,} row{'' if size == 1 else 's'}"


def align_columns(cells: Sequence[Sequence[str]], *, left: int = 1, gap: str = "  ") -> str:
    """Align cells in columns of text: the first `left` columns to the left, the others right.

    Example:
        >>> print(align_columns([["metric", "value"], ["accuracy", "0.5714"]]))
        metric     value
        accuracy  0.5714
    """
    widths = [max(map(display_width, column)) for column in zip(*cells, strict=True)]
    lines = (
        gap.join(
            pad_cell(cell, width, flush_left=index < left)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    )
    return "\n".join(lines)


MIN_PROSE_WIDTH = 20
"""Columns below which the sentences of a table are written below its rows."""


def format_table(
    table: Sequence[Sequence[str]], *, left: int = 1, prose_last: bool = False, width: int = 100
) -> list[str]:
    """Format a table as lines of text; `prose_last` wraps the sentences of its last column.

    Example:
        >>> table = [("", "value", ""), ("accuracy", "0.5714", "of all rows")]
        >>> format_table(table, prose_last=True)
        ['           value', 'accuracy  0.5714  of all rows']
    """
    rows = [list(row) for row in table if any(row)]
    sentences = [row.pop() if prose_last else "" for row in rows]
    cells = [[printable(cell) for cell in row] for row in rows]
    if not prose_last:
        return _fold_columns(cells, left, width)
    columns = align_columns(cells, left=left).splitlines()
    columns_width = max(map(display_width, columns)) + 2
    if width - columns_width < MIN_PROSE_WIDTH and any(sentences):
        return _stacked_rows(columns, sentences, width)
    lines = []
    for line, sentence in zip(columns, sentences, strict=True):
        first, *more = _wrap_sentence(sentence, width - columns_width)
        lines.append(f"{pad_cell(line, columns_width)}{first}".rstrip())
        lines += [" " * columns_width + part for part in more]
    return lines


def _stacked_rows(columns: list[str], sentences: list[str], width: int) -> list[str]:
    """Lines of a table whose sentences do not fit beside its columns, but below each row."""
    lines = []
    for line, sentence in zip(columns, sentences, strict=True):
        cells = line.rstrip()
        lines += [cells] if display_width(cells) <= width else wrap(cells, width)
        if sentence:
            lines += [f"    {part}" for part in _wrap_sentence(sentence, width - 4)]
    return lines


def _fold_columns(cells: list[list[str]], left: int, width: int) -> list[str]:
    """Lines of a table; columns that do not fit follow below, next to the first ones repeated."""
    widths = [max(map(display_width, column)) + 2 for column in zip(*cells, strict=True)]
    fixed_width = sum(widths[: max(left, 1)])
    blocks: list[list[int]] = [[]]
    used_width = fixed_width
    for column in range(max(left, 1), len(widths)):
        if blocks[-1] and used_width + widths[column] - 2 > width:
            blocks.append([])
            used_width = fixed_width
        blocks[-1].append(column)
        used_width += widths[column]
    lines: list[str] = []
    for block in blocks:
        columns = [*range(max(left, 1)), *block]
        lines += [""] if lines else []
        lines += align_columns([[row[c] for c in columns] for row in cells], left=left).splitlines()
    return lines


def wrap_sentences(sentences: Iterable[str], width: int = 100) -> list[str]:
    """Wrap sentences into lines of text, each sentence on a new line."""
    return [line for sentence in sentences for line in _wrap_sentence(sentence, width)]


def wrap_items(items: Iterable[str], width: int = 100, separator: str = " · ") -> list[str]:
    """Wrap items into lines of text that break between items, if these are short enough.

    Example:
        >>> wrap_items(["all metrics: --all", "one: --metric NAME"], 30)
        ['all metrics: --all ·', 'one: --metric NAME']
    """
    lines: list[str] = []
    for item in items:
        text = printable(item, MAX_SENTENCE_LENGTH)
        extended = f"{lines[-1]}{separator}{text}" if lines else text
        if lines and display_width(extended + separator.rstrip()) <= width:
            lines[-1] = extended
        else:
            lines[-1:] = [lines[-1] + separator.rstrip(), text] if lines else [text]
    return [part for line in lines for part in _wrap_sentence(line, width)]


def _wrap_sentence(sentence: str, width: int) -> list[str]:
    text = CI_BLANK.sub("\u00a0", printable(sentence, MAX_SENTENCE_LENGTH))  # "95% CI" in one line
    lines = wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    return [line.replace("\u00a0", " ") for line in lines]


def printable(value: Any, max_length: int = 60) -> str:
    r"""Name from the data as text on one line: truncated, without escape codes or line breaks.

    Example:
        >>> printable("yes\x1b[31m\nno")
        'yes?[31m?no'
    """
    text = str(value)
    text = text if len(text) <= max_length else text[: max_length - 1] + "…"
    return "".join("?" if _is_control_character(c) else c for c in text)


def _is_control_character(character: str) -> bool:
    """Whether a character is a control character; joiners of letters and emoji are allowed."""
    return unicodedata.category(character).startswith("C") and character not in JOINERS


def display_width(cell: str) -> int:
    """Width of text in terminal columns: 2 per wide East Asian character, 0 per combining mark."""
    return sum(
        0
        if c in JOINERS or unicodedata.combining(c)
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in cell
    )


def pad_cell(cell: str, width: int, *, flush_left: bool = True) -> str:
    """Pad a cell of text with blanks to a width in terminal columns."""
    padding = " " * (width - display_width(cell))
    return cell + padding if flush_left else padding + cell


def quote_class(name: str) -> str:
    """Name of a class in a sentence, quoted unless it is a number."""
    try:
        float(name)
    except ValueError:
        return printable(repr(name))
    return name
