"""The file that a command reads: how it is written, or standard input."""

from __future__ import annotations

import sys
from typing import Any

import click

FILE_OPTIONS = ("delimiter", "encoding", "decimal", "sheet")
"""Options that say how a file is written."""
FILE_PARAMETERS = ("file", "baseline", "candidate", "then", "now", "pilot")
"""Parameters that name a file with rows."""


def complete_file(values: dict[str, Any]) -> None:
    """Apply the format options to the input file of a command; "-" becomes standard input."""
    if not set(FILE_OPTIONS) <= values.keys():
        return
    options = {name: values.pop(name) for name in FILE_OPTIONS}
    if values.get("file") == "-":
        from tradeoff.sources.standard_input import read_standard_input

        values["file"] = read_standard_input(sys.stdin.buffer, **options)
        return
    if all(value is None for value in options.values()):
        return
    flags = "--delimiter, --encoding, --decimal and --sheet"
    files = {name: values[name] for name in FILE_PARAMETERS if values.get(name) is not None}
    if not files or values.get("engine") == "spark":
        raise click.UsageError(f"{flags} say how FILE is written: name one that DuckDB reads.")
    from tradeoff.sources.files import File

    for name, path in files.items():
        values[name] = File(getattr(path, "paths", path), **options)
