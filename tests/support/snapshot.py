"""Texts that people read are kept in files: a change shows in review, where it is read."""

import os
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden" / "data"
FOLDER = Path(__file__).parents[1] / "journeys" / "snapshots"


def matches(name, text):
    """Whether the text is the kept one. UPDATE_SNAPSHOTS=1 keeps the new one: read it then."""
    path, text = FOLDER / name, text.replace(f"{GOLDEN}/", "")  # in commands to copy
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text + "\n", encoding="utf-8")
    return path.read_text(encoding="utf-8") == text + "\n"
