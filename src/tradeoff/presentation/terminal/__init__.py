"""Charts drawn with characters: braille dots, or plain ASCII where those cannot be shown."""

from tradeoff.presentation.terminal.drawing import drawn

__all__ = ["drawn"]
