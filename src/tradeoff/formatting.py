"""Formatting of numbers, tables and sentences as text, independent of metrics and rankings."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap
from typing import Any

MAX_SENTENCE_LENGTH = 1000
"""Length to which sentences are truncated, as names from data can be of any length."""
NON_BREAKING_SPACES = re.compile(r"(?<=%) (?=CI\b)|(?<=\bp) (?=[=<>] )|(?<=[=<>≥≤]) (?=[\d.−+])")
"""Spaces at which lines are not broken: in "95% CI" and "p = 0.04"."""
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
    short_text = format_threshold(value)
    return short_text if float(short_text) == value else repr(float(value)).removesuffix(".0")


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
    """Format a confidence level in percent.

    Example:
        >>> format_level(0.95), format_level(0.9999999)
        ('95%', '99.99999%')
    """
    return f"{100 * level:.10g}%"


UNDEFINED_P_VALUE = "–"
MIN_P_VALUE = 0.001
"""Smallest p-value that is written in digits."""
MAX_P_VALUE = 0.99
"""P-values that would be rounded to 1 are written as larger than this."""


def format_p_value(p: float, significance: float = 0.05) -> str:
    """Format a p-value as journals print them, with enough digits to see if it is significant.

    Below 0.001 it is "< 0.001"; below 0.01 it has three decimals, otherwise two, and more where
    rounding would make it equal to 0.05 or another significance level although it is not.

    Example:
        >>> [format_p_value(p) for p in (0.1643, 0.02, 0.0037, 1e-12, 0.9996, float("nan"))]
        ['0.16', '0.02', '0.004', '< 0.001', '> 0.99', '–']
        >>> [format_p_value(p) for p in (0.0451, 0.0496, 0.05, 0.0504, 0.0538)]
        ['0.045', '0.0496', '0.05', '0.0504', '0.054']
    """
    if math.isnan(p):
        return UNDEFINED_P_VALUE
    if p < MIN_P_VALUE:
        return f"< {MIN_P_VALUE:g}"
    if 1 > p > MAX_P_VALUE and f"{p:.2f}" == "1.00":
        return f"> {MAX_P_VALUE:g}"
    decimals = 3 if p < 0.01 else 2
    for level in (0.05, round(significance, 12)):  # 1 - 0.95 is not exactly 0.05
        while decimals < 12 and round(p, 12) != level and round(p, decimals) == level:
            decimals += 1
    return f"{p:.{decimals}f}"


def format_p_relation(p: float, significance: float = 0.05) -> str:
    """Format a p-value with its relation sign, to follow the letter p: "= 0.16" or "< 0.001".

    Example:
        >>> [f"p {format_p_relation(p)}" for p in (0.1643, 0.0004, 0.9996)]
        ['p = 0.16', 'p < 0.001', 'p > 0.99']
    """
    text = format_p_value(p, significance)
    return text if text.startswith(("<", ">")) else f"= {text}"


def format_rows(size: int) -> str:
    """Format a number of rows: "1 row", "1,000 rows".

    Example:
        >>> format_rows(1), format_rows(1000)
        ('1 row', '1,000 rows')
    """
    return f"{size:,} row{'' if size == 1 else 's'}"


def align_columns(cells: Sequence[Sequence[str]], *, left: int = 1, gap: str = "  ") -> str:
    """Format cells as columns of text: the first `left` columns to the left, the others right.

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
"""Minimum width for the sentences of a table; if less is left, they go below its rows."""
MAX_CELL_LENGTH = 180
MIN_COLUMN_WIDTH = 14
"""Minimum width to which a column of a table is narrowed."""


def format_table(
    table: Sequence[Sequence[str]], *, left: int = 1, prose_last: bool = False, width: int = 100
) -> list[str]:
    """Format a table as lines of text; `prose_last` wraps the sentences of its last column.

    Cells that are too wide are wrapped; words that are too long, such as names of models, are
    shortened in the middle and listed in full below the table.

    Example:
        >>> table = [("", "value", ""), ("accuracy", "0.5714", "of all rows")]
        >>> format_table(table, prose_last=True)
        ['           value', 'accuracy  0.5714  of all rows']
    """
    rows = [list(row) for row in table if any(row)]
    sentences = [row.pop() if prose_last else "" for row in rows]
    cells = [[_printable_cell(cell) for cell in row] for row in rows]
    if not any(sentences):
        return _fold_columns(cells, left, width)
    columns = align_columns(cells, left=left).splitlines()
    columns_width = max(map(display_width, columns)) + 2
    longest_word = max(display_width(word) for text in sentences for word in text.split() or [""])
    if width - columns_width < max(MIN_PROSE_WIDTH, min(longest_word, width - 4)):
        return _stacked_rows(cells, left, sentences, width)
    lines = []
    for line, sentence in zip(columns, sentences, strict=True):
        first, *more = _wrap_sentence(sentence, width - columns_width)
        lines.append(f"{pad_cell(line, columns_width)}{first}".rstrip())
        lines += [" " * columns_width + part for part in more]
    return lines


def _printable_cell(cell: str) -> str:
    """Text of a cell on one line; names in it are shortened as they are elsewhere."""
    text = printable(cell, MAX_CELL_LENGTH)
    return " ".join(printable(word) for word in text.split(" "))


def _stacked_rows(cells: list[list[str]], left: int, sentences: list[str], width: int) -> list[str]:
    """Lines of a table with each sentence below its row, as it does not fit beside the columns.

    If the columns do not fit beside each other either, those after the first ones follow below.
    """
    left = max(left, 1)
    full_words: dict[str, str] = {}
    blocks = [_row_lines(cells, left, width, full_words)]
    if max(map(display_width, align_columns(cells, left=left).splitlines())) > width:
        blocks = [
            _row_lines([row[:left] for row in cells], left, width, full_words),
            _row_lines([row[left:] for row in cells], 0, width - 2, full_words),
        ]
    lines = []
    for index, sentence in enumerate(sentences):
        lines += blocks[0][index]
        lines += [f"  {line}" for block in blocks[1:] for line in block[index] if line]
        if sentence:
            lines += [f"    {part}" for part in _wrap_sentence(sentence, width - 4)]
    return [*lines, *_legend_lines(full_words, lines, width)]


def _row_lines(
    cells: list[list[str]], left: int, width: int, full_words: dict[str, str]
) -> list[list[str]]:
    """Lines of each row of a table, with cells wrapped so that all columns fit."""
    widths = _column_widths(cells)
    excess = sum(widths) + 2 * (len(widths) - 1) - width
    while excess > 0 and max(widths, default=0) > MIN_COLUMN_WIDTH:
        widest = widths.index(max(widths))
        widths[widest] = max(widths[widest] - excess, MIN_COLUMN_WIDTH)
        excess = sum(widths) + 2 * (len(widths) - 1) - width
    wrapped_cells, sizes = _wrapped_cells(cells, widths, left, full_words)
    lines = iter(align_columns(wrapped_cells, left=left).split("\n"))
    return [[next(lines) for _ in range(size)] for size in sizes]


def _fold_columns(cells: list[list[str]], left: int, width: int) -> list[str]:
    """Lines of a table; columns that do not fit follow below, next to the first ones repeated."""
    left_columns = max(left, 1)
    full_words: dict[str, str] = {}
    natural_widths = _column_widths(cells)
    if sum(natural_widths) + 2 * (len(natural_widths) - 1) > width:
        # Long names beside the rows would leave no room for more than one column.
        available_width = max(width // 3, MIN_COLUMN_WIDTH)
        cells = [
            [
                *(_with_short_words(cell, available_width, full_words) for cell in row[:left]),
                *row[left:],
            ]
            for row in cells
        ]
    widths = _folding_widths(cells, left_columns, width)
    cells, _ = _wrapped_cells(cells, widths, left, full_words)
    fixed_width = sum(widths[:left_columns]) + 2 * left_columns
    blocks: list[list[int]] = [[]]
    used_width = fixed_width
    for column in range(left_columns, len(widths)):
        if blocks[-1] and used_width + widths[column] > width:
            blocks.append([])
            used_width = fixed_width
        blocks[-1].append(column)
        used_width += widths[column] + 2
    lines: list[str] = []
    for block in blocks:
        columns = [*range(left_columns), *block]
        block_cells = [[row[c] for c in columns] for row in cells]
        lines += [""] if lines else []
        lines += align_columns([row for row in block_cells if any(row)], left=left).splitlines()
    return [*lines, *_legend_lines(full_words, lines, width)]


def _folding_widths(cells: list[list[str]], left: int, width: int) -> list[int]:
    """Column widths such that each fits next to the first ones; headers are narrowed first."""
    widths = _column_widths(cells)
    body_widths = _column_widths(cells[1:]) if len(cells) > 1 else widths
    for column in range(left, len(widths)):
        available_width = width - sum(widths[:left]) - 2 * left
        if widths[column] > available_width:
            widths[column] = max(
                body_widths[column], min(widths[column], MIN_COLUMN_WIDTH), available_width
            )
    for limit in (max(widths[left:], default=0), MIN_COLUMN_WIDTH):
        excess = sum(widths[:left]) + 2 * left + min(max(widths[left:], default=-2), limit) - width
        if excess > 0:
            widest = widths.index(max(widths[:left]))
            widths[widest] = max(widths[widest] - excess, min(widths[widest], MIN_COLUMN_WIDTH))
    available_width = max(width - sum(widths[:left]) - 2 * left, MIN_COLUMN_WIDTH)
    return [*widths[:left], *(min(column_width, available_width) for column_width in widths[left:])]


def _column_widths(cells: list[list[str]]) -> list[int]:
    return [max(map(display_width, column)) for column in zip(*cells, strict=True)]


def _wrapped_cells(
    cells: list[list[str]], widths: list[int], left: int, full_words: dict[str, str]
) -> tuple[list[list[str]], list[int]]:
    """Cells wrapped to the widths of their columns, and the number of lines of each row."""
    lines: list[list[str]] = []
    sizes = []
    for row in cells:
        parts = [
            _cell_lines(cell, width, full_words, indent="  " if column < left else "")
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        sizes.append(max(map(len, parts), default=1))
        lines += [[part[i] if i < len(part) else "" for part in parts] for i in range(sizes[-1])]
    return lines, sizes


def _cell_lines(cell: str, width: int, full_words: dict[str, str], indent: str) -> list[str]:
    """Lines of one cell; words that are wider than its column are shortened in the middle."""
    if display_width(cell) <= width:
        return [cell]
    available_width = width - len(indent) if " " in cell else width
    text = _with_short_words(cell, available_width, full_words)
    return wrap(
        text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _with_short_words(cell: str, width: int, full_words: dict[str, str]) -> str:
    return " ".join(_short_word(word, width, full_words) for word in cell.split(" "))


def _short_word(word: str, width: int, full_words: dict[str, str]) -> str:
    """Shorten a word to a width; `full_words` maps shortened words, all different, to the full."""
    if display_width(word) <= width:
        return word
    word = full_words.get(word, word)
    for number in range(len(full_words) + 2):
        ending = f"…{number}" if number else ""
        short = f"{_shorten(word, width - len(ending))}{ending}"
        if full_words.setdefault(short, word) == word:
            return short
    raise AssertionError("more numbers than words")


def _shorten(text: str, width: int) -> str:
    """Text with its middle replaced by an ellipsis.

    Example:
        >>> _shorten("a_model_of_2023_b", 9)
        'a_mo…23_b'
    """
    if display_width(text) <= width:
        return text
    head, tail = text, ""
    head_width = (width - 1) - (width - 1) // 2
    while head and display_width(head) > head_width:
        head = head[:-1]
    for character in reversed(text):
        if display_width(character + tail) > width - 1 - display_width(head):
            break
        tail = character + tail
    return f"{head}…{tail}"


def _legend_lines(full_words: Mapping[str, str], table: Sequence[str], width: int) -> list[str]:
    """Legend below a table: the full form of each shortened word, on one line or two."""
    used_words = {word for line in table for word in line.split()}
    lines = []
    for short, word in full_words.items():
        if short not in used_words:  # it was shortened further
            continue
        line = f"{short}: {word}"
        fits = display_width(line) <= width
        lines += [line] if fits else [f"{short}:", f"  {_shorten(word, width - 2)}"]
    return lines


def wrap_sentences(
    sentences: Iterable[str], width: int = 100, *, shorten: bool = False
) -> list[str]:
    """Format sentences as wrapped lines of text, each sentence on a new line.

    Args:
        sentences: The sentences.
        width: Width of the lines.
        shorten: Shorten words that are wider, such as names of models, in the middle.
    """
    if shorten:
        sentences = [
            " ".join(_shorten(word, width) for word in sentence.split(" "))
            for sentence in sentences
        ]
    return [line for sentence in sentences for line in _wrap_sentence(sentence, width)]


def wrap_items(items: Iterable[str], width: int = 100, separator: str = " · ") -> list[str]:
    """Format items as lines of text that break between items, if these are short enough.

    Example:
        >>> wrap_items(["all metrics: --all", "one: --metric NAME"], 30)
        ['all metrics: --all ·', 'one: --metric NAME']
    """
    lines: list[str] = []
    for item in items:
        text = printable(item, MAX_SENTENCE_LENGTH)
        extended_line = f"{lines[-1]}{separator}{text}" if lines else text
        if lines and display_width(extended_line + separator.rstrip()) <= width:
            lines[-1] = extended_line
        else:
            lines[-1:] = [lines[-1] + separator.rstrip(), text] if lines else [text]
    return [part for line in lines for part in _wrap_sentence(line, width)]


def _wrap_sentence(sentence: str, width: int) -> list[str]:
    text = NON_BREAKING_SPACES.sub("\u00a0", printable(sentence, MAX_SENTENCE_LENGTH))
    lines = wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    return [line.replace("\u00a0", " ") for line in lines]


def printable(value: Any, max_length: int = 60) -> str:
    r"""Format a name from the data as a line of text: shortened, without escape codes.

    Example:
        >>> printable("yes\x1b[31m\nno")
        'yes?[31m?no'
    """
    text = str(value)
    if len(text) > max_length:
        text = f"{text[: max_length // 2]}…{text[len(text) - (max_length - 1) // 2 :]}"
    return "".join("?" if _is_control_character(c) else c for c in text)


def _is_control_character(character: str) -> bool:
    """Whether a character is a control character; joiners of letters and emoji are allowed."""
    return unicodedata.category(character).startswith("C") and character not in JOINERS


def display_width(cell: str) -> int:
    """Width of formatted text in columns: 2 per wide East Asian character, 0 per combining mark."""
    return sum(
        0
        if c in JOINERS or unicodedata.combining(c)
        else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in cell
    )


def pad_cell(cell: str, width: int, *, flush_left: bool = True) -> str:
    """Format a cell of text, padded to a width in terminal columns."""
    padding = " " * (width - display_width(cell))
    return cell + padding if flush_left else padding + cell


def quote_class(name: str) -> str:
    """Format the name of a class in a sentence, quoted unless it is a number."""
    try:
        float(name)
    except ValueError:
        return printable(repr(name))
    return name
