"""Charts drawn with characters: braille dots, or plain ASCII where those cannot be shown."""

from tradeoff.render.terminal.draw import drawn

__all__ = ["drawn"]
