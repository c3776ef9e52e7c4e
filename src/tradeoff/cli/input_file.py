"""The file that a command reads: how it is written, or standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from glob import has_magic
from pathlib import Path
from typing import Any

import click

from tradeoff.cli.numbers import Percentage
from tradeoff.cli.source import parse_source
from tradeoff.errors import InputError

FILE_OPTIONS = ("delimiter", "encoding", "decimal", "sheet")
"""Options that say how a file is written."""
FILE_PARAMETERS = ("file", "baseline", "candidate", "then", "now", "pilot")
"""Parameters that name a file with rows."""
ROLE_PARAMETERS = {"actual", "scores", "positive"}
"""Parameters of the commands whose columns are inferred if they are not named."""


def missing_files(file: Any) -> list[str]:
    """Words of FILE that are not files, if the first of them is."""
    paths: Sequence[str] = getattr(file, "paths", ())
    if len(paths) < 2 or not Path(paths[0]).exists():
        return []
    return [path for path in paths if path != "-" and not (Path(path).exists() or has_magic(path))]


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


def rows_source(values: Mapping[str, Any]) -> Any:
    """The rows that a command reads, as a source; None for Spark, saved rankings, or no rows."""
    if not values.keys() >= ROLE_PARAMETERS:
        return None
    if "pilot" in values:
        return values["pilot"]
    file, query = values.get("file"), values.get("query")
    paths = getattr(file, "paths", (str(file),))
    if values.get("engine") == "spark" or any(path.endswith(".ranking") for path in paths):
        return None
    if file is None and query is None:
        return None
    return parse_source(file, query, values.get("table"))


def require_percentage_scale(values: Mapping[str, Any]) -> None:
    """Require scores from 0 to 1 for thresholds that were typed as percentages."""
    typed = values.get("threshold")
    thresholds = typed if isinstance(typed, tuple) else (typed,)
    percentage = next((value for value in thresholds if isinstance(value, Percentage)), None)
    if percentage is None or "scores" not in values:
        return
    problem = f"--threshold {percentage} is for scores from 0 to 1"
    source = rows_source(values)
    if values.get("predicted") or source is None:
        raise click.UsageError(f"{problem}: write --threshold {float(percentage):g}.")
    from tradeoff.formatting import format_threshold, printable
    from tradeoff.sources.table_summary import summarize_table

    for column in summarize_table(source).columns:
        low, high = column.low, column.high
        if column.name not in values["scores"] or low is None or high is None:
            continue
        if not 0 <= low <= high <= 1:
            middle = (low + high) / 2
            raise InputError(
                f"{problem}, but {printable(column.name)!r} is from {format_threshold(low)} to "
                f"{format_threshold(high)}. Give a threshold on this scale, such as --threshold "
                f"{str(percentage)[:-1] if low < 100 * percentage < high else f'{middle:.3g}'}."
            )
