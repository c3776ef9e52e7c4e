"""Charts drawn with characters: braille dots, or plain ASCII where those cannot be shown."""
