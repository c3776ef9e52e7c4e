"""What the terminal can show, and how charts are drawn in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TextIO

DRAWN_WITH = "⣿●├█"


def drawing_choices(stream: TextIO) -> dict[str, Any]:
    """How to draw on a stream: in ASCII where it has no braille, in colour where people look.

    `NO_COLOR` (if not empty) and a dumb terminal mean no colours, `FORCE_COLOR` means colours in
    any case; `NO_COLOR` wins.
    """
    return {"ascii_only": not shows_unicode(stream), "colour": _shows_colour(stream)}


def shows_unicode(stream: TextIO) -> bool:
    """Whether a stream's encoding has braille dots.

    Example:
        >>> import io
        >>> [shows_unicode(io.TextIOWrapper(io.BytesIO(), e)) for e in ("utf-8", "latin-1")]
        [True, False]
    """
    try:
        DRAWN_WITH.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def _shows_colour(stream: TextIO) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    forced = os.environ.get("FORCE_COLOR", "")
    if forced:
        return forced not in {"0", "false"}
    return stream.isatty() and os.environ.get("TERM") != "dumb"
