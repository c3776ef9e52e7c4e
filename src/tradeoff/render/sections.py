"""Sections (a heading, sentences and a table), and their form as terminal text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradeoff.formatting import printable
from tradeoff.text_layout import format_table, wrap_sentences

DEFAULT_WIDTH = 100
"""Default width in columns, used if the width of the terminal is unknown."""
INDENT = "  "


@dataclass(frozen=True)
class Section:
    """A heading, some sentences, and a table whose first `left` columns are left-aligned.

    The table's first row is its header. With `prose_last`, its last column holds sentences. With
    `verbatim`, lines are commands to copy, which are never wrapped.
    """

    heading: str = ""
    lines: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    left: int = 1
    prose_last: bool = False
    verbatim: bool = False


def format_text(sections: Sequence[Section], width: int = DEFAULT_WIDTH) -> str:
    """Sections as terminal text of at most `width` columns, indented below their headings."""
    return "\n\n".join(_section_text(section, width) for section in sections)


def _section_text(section: Section, width: int) -> str:
    indent = INDENT if section.heading else ""
    body = (
        [printable(line, max_length=len(line)) for line in section.lines]
        if section.verbatim
        else wrap_sentences(section.lines, width - len(indent), shorten=True)
    )
    if section.table:
        body += format_table(
            section.table,
            left=section.left,
            prose_last=section.prose_last,
            width=width - len(indent),
        )
    heading = wrap_sentences([section.heading], width, shorten=True) if section.heading else []
    return "\n".join([*heading, *(f"{indent}{line}".rstrip() for line in body)])
