"""Layout of text: padded cells, tables that fit a width, wrapped sentences and items."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from textwrap import wrap

from tradeoff.formatting import JOINERS, MAX_SENTENCE_LENGTH, printable

NON_BREAKING_SPACES = re.compile(r"(?<=%) (?=CI\b)|(?<=\bp) (?=[=<>] )|(?<=[=<>≥≤]) (?=[\d.−+])")
"""Spaces at which lines are not broken: in "95% CI" and "p = 0.04"."""


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
