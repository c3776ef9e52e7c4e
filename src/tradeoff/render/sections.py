"""Sections (a heading, sentences and a table), written as terminal text or Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradeoff.formatting import MAX_SENTENCE_LENGTH, format_table, printable, wrap_sentences

DEFAULT_WIDTH = 100
"""Default width in columns, used if the width of the terminal is unknown."""
INDENT = "  "


@dataclass(frozen=True)
class Section:
    """A heading, some sentences, and a table whose first `left` columns are left-aligned.

    The table's first row is its header. With `prose_last`, its last column holds sentences.
    """

    heading: str = ""
    lines: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    left: int = 1
    prose_last: bool = False


def format_text(sections: Sequence[Section], width: int = DEFAULT_WIDTH) -> str:
    """Sections as terminal text of at most `width` columns, indented below their headings."""
    return "\n\n".join(_section_text(section, width) for section in sections)


def format_markdown(sections: Sequence[Section]) -> str:
    """Sections as Markdown, for a web page or a job summary."""
    return "\n\n".join(_section_markdown(section) for section in sections)


def _section_text(section: Section, width: int) -> str:
    indent = INDENT if section.heading else ""
    body = wrap_sentences(section.lines, width - len(indent), shorten=True)
    if section.table:
        body += format_table(
            section.table,
            left=section.left,
            prose_last=section.prose_last,
            width=width - len(indent),
        )
    heading = wrap_sentences([section.heading], width, shorten=True) if section.heading else []
    return "\n".join([*heading, *(f"{indent}{line}".rstrip() for line in body)])


def _section_markdown(section: Section) -> str:
    parts = []
    if section.heading:
        parts.append(f"## {_escape(section.heading)}")
    if section.lines:
        parts.append("  \n".join(_escape(line) for line in section.lines))
    if section.table:
        header, *body = section.table
        prose_column = len(header) - 1 if section.prose_last else len(header)
        rule = [
            ":--" if i < section.left or i == prose_column else "--:" for i in range(len(header))
        ]
        rows = [[*map(_escape, header)], rule, *([*map(_escape, row)] for row in body)]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts)


def _escape(text: str) -> str:
    """Escape the characters that have a meaning in Markdown or HTML."""
    safe_text = (
        printable(text, MAX_SENTENCE_LENGTH)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
    )
    return "".join(f"\\{c}" if c in "\\|*_`[]#" else c for c in safe_text)
