"""The file that a command reads: how it is written, standard input, and columns to be inferred."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.source import parse_source
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from tradeoff.sources.role_inference import Roles
    from tradeoff.sources.unclear_roles import UnclearRoles

FILE_OPTIONS = ("delimiter", "encoding", "decimal", "sheet")
"""Options that say how a file is written."""
FILE_PARAMETERS = ("file", "baseline", "candidate", "then", "now", "pilot")
"""Parameters that name a file with rows."""
ROLE_PARAMETERS = {"file", "query", "actual", "scores", "positive"}
"""Parameters of the commands whose columns are inferred if they are not named."""
ARGUMENTS = "tradeoff.arguments"
"""Key of the arguments of a command in the context of click."""


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


def complete_columns(context: click.Context, *, infer: bool) -> None:
    """Expand names and patterns by the input file's columns; `infer` those that are not named."""
    values = context.params
    if not (values.keys() >= ROLE_PARAMETERS and _has_table(values)):
        return
    if values.get("predicted"):  # predicted classes instead of scores
        return
    from tradeoff.sources.evaluate_arguments import complete_columns as complete_from_table
    from tradeoff.sources.unclear_roles import UnclearRoles

    actual, scores = values["actual"], values["scores"]
    if not infer and (actual is None or not scores):
        return
    if actual is not None and scores and not any(set(",*?[") & set(name) for name in scores):
        return
    source = parse_source(values["file"], values["query"], values.get("table"))
    try:
        values["actual"], columns, roles = complete_from_table(
            source, actual, scores, values["positive"]
        )
    except UnclearRoles as problem:
        raise InputError(_unclear_roles_message(problem, context)) from problem
    values["scores"] = tuple(columns)
    if roles is not None:
        _say_what_was_taken(roles, context, is_actual_named=actual is not None, scores=scores)


def _has_table(values: Mapping[str, Any]) -> bool:
    """Whether a command reads rows from a file or query, and not Spark or saved rankings."""
    file = values["file"]
    paths = getattr(file, "paths", (str(file),))
    if values.get("engine") == "spark" or any(path.endswith(".ranking") for path in paths):
        return False
    return file is not None or values["query"] is not None


def _say_what_was_taken(
    roles: Roles, context: click.Context, *, is_actual_named: bool, scores: Sequence[str]
) -> None:
    """Print which columns were taken, and the command that names them; on stderr beside data."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.formatting import printable
    from tradeoff.overview.overview import score_arguments
    from tradeoff.text_layout import wrap_sentences

    flags = [] if is_actual_named else ["--actual", str(roles.actual)]
    flags += [] if scores else score_arguments(roles.scores)
    sentence = f"Taken: {roles.sentence}. In full:"
    is_text = context.params.get("output_format", "text") == "text"
    stream = sys.stdout if is_text else sys.stderr
    lines = wrap_sentences([sentence], terminal_width(stream))
    command = _command_line(context, flags)
    lines.append(f"  {printable(command, max_length=len(command))}")  # to copy: not wrapped
    click.echo("\n".join(lines), err=not is_text)
    if is_text:
        click.echo()


def _unclear_roles_message(problem: UnclearRoles, context: click.Context) -> str:
    """Why the columns are unclear, the list of columns, and a command to be edited."""
    from tradeoff.formatting import printable
    from tradeoff.overview.overview import (
        class_arguments,
        column_arguments,
        command_line,
        source_arguments,
    )
    from tradeoff.sources.column_lines import column_lines

    typed = context.meta.get(ARGUMENTS, [])
    flags = column_arguments(problem.roles, problem.summaries)
    named = [flag for flag in ("--actual", "--positive", "--score") if flag in typed]
    missing = [
        argument
        for flag, value in zip(flags[::2], flags[1::2], strict=True)
        if flag not in named
        for argument in (flag, value)
    ]
    columns = "\n".join(
        f"  {printable(line, 200)}"
        for line in column_lines(problem.summaries, problem.roles, flags=True)
    )
    command = _command_line(context, missing)
    if classes := class_arguments(problem.roles, problem.summaries):
        source = source_arguments(context.params["file"])
        command = command_line(["tradeoff", "classes", *source, *classes])
    return (
        f"{problem.roles.problem}\n\n{problem.title} has these columns:\n\n{columns}\n\n"
        f"Edit and run: {command}"
    )


def _command_line(context: click.Context, flags: Sequence[str]) -> str:
    from tradeoff.overview.overview import command_line

    typed = context.meta.get(ARGUMENTS, [])
    return command_line(["tradeoff", str(context.info_name), *typed, *flags])
