"""Text and tables as plain data, and the two ways to write them: for a terminal, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradeoff.text import PROSE, plain, table_lines, wrapped

WIDTH = 100
"""Where sentences break in a terminal; tables are as wide as they must be."""


@dataclass(frozen=True)
class Section:
    """A heading, some sentences, and a table whose first `left` columns are text.

    The table's first row is its head. With `prose_last`, its last column holds sentences.
    """

    heading: str = ""
    lines: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    left: int = 1
    prose_last: bool = False


def as_text(sections: Sequence[Section]) -> str:
    """For a terminal: headings underlined, tables aligned."""
    return "\n\n".join(_text(section) for section in sections)


def as_markdown(sections: Sequence[Section]) -> str:
    """For a web page or a job summary."""
    return "\n\n".join(_markdown(section) for section in sections)


def _text(section: Section) -> str:
    parts = []
    if section.heading:
        heading = plain(section.heading, WIDTH)
        parts += [heading, "─" * len(heading)]
    if section.lines:
        parts += wrapped(section.lines, WIDTH)
    if section.table:
        parts += table_lines(
            section.table, left=section.left, prose_last=section.prose_last, width=WIDTH
        )
    return "\n".join(parts)


def _markdown(section: Section) -> str:
    parts = []
    if section.heading:
        parts.append(f"## {_escaped(section.heading)}")
    if section.lines:
        parts.append("  \n".join(_escaped(line) for line in section.lines))
    if section.table:
        head, *body = section.table
        last = len(head) - 1 if section.prose_last else len(head)
        rule = [":--" if at < section.left or at == last else "--:" for at in range(len(head))]
        rows = [[_escaped(cell) for cell in head], rule, *([_escaped(c) for c in r] for r in body)]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts)


def _escaped(text: str) -> str:
    """Names from data are text: what Markdown or HTML would act on is escaped."""
    safe = plain(text, PROSE).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(f"\\{c}" if c in "\\|*_`[]#" else c for c in safe)
