"""Capabilities of a terminal: Unicode, colour and width."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TextIO

CHART_CHARACTERS = "⣿●├█"
"""One character of each kind that charts use."""


def terminal_options(stream: TextIO) -> dict[str, Any]:
    """Options for drawing charts in a terminal: ASCII or Unicode, with or without colour.

    A non-empty `NO_COLOR` or a dumb terminal turns colours off, and `FORCE_COLOR` turns them on;
    `NO_COLOR` takes precedence.
    """
    return {"ascii_only": not _shows_unicode(stream), "colour": _shows_colour(stream)}


def _shows_unicode(stream: TextIO) -> bool:
    """Whether the encoding of a terminal includes the characters used in charts.

    Example:
        >>> import io
        >>> [_shows_unicode(io.TextIOWrapper(io.BytesIO(), e)) for e in ("utf-8", "latin-1")]
        [True, False]
    """
    try:
        CHART_CHARACTERS.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def terminal_width(stream: TextIO) -> int:
    """Width of a terminal in columns, from 60 to 200; 100 if the output is not a terminal."""
    if not (stream.isatty() or os.environ.get("COLUMNS")):
        return 100
    return min(max(shutil.get_terminal_size((100, 24)).columns, 60), 200)


def _shows_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    force_color = os.environ.get("FORCE_COLOR", "")
    if force_color:
        return force_color not in {"0", "false"}
    return stream.isatty() and os.environ.get("TERM") != "dumb"
