"""The file that a command reads: how it is written, standard input, and columns to be inferred."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.numbers import Percentage
from tradeoff.cli.source import parse_source
from tradeoff.errors import InputError, format_list

if TYPE_CHECKING:
    from tradeoff.sources.column_summaries import ColumnSummary
    from tradeoff.sources.role_inference import Roles
    from tradeoff.sources.unclear_roles import UnclearRoles

FILE_OPTIONS = ("delimiter", "encoding", "decimal", "sheet")
"""Options that say how a file is written."""
FILE_PARAMETERS = ("file", "baseline", "candidate", "then", "now", "pilot")
"""Parameters that name a file with rows."""
ROLE_PARAMETERS = {"actual", "scores", "positive"}
"""Parameters of the commands whose columns are inferred if they are not named."""
LIST_PARAMETERS = ("predicted", "ids")
"""Further parameters of columns that may be separated by commas."""
ARGUMENTS = "tradeoff.arguments"
"""Key of the arguments of a command in the context of click."""


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


def complete_columns(context: click.Context, *, infer: bool) -> None:
    """Expand names and patterns by the input file's columns; `infer` those that are not named."""
    values = context.params
    source = _table(values)
    if source is None:
        return
    _expand_names(values, source)
    if values.get("predicted"):  # predicted classes instead of scores
        return
    from tradeoff.sources.evaluate_arguments import complete_columns as complete_from_table
    from tradeoff.sources.unclear_roles import UnclearRoles

    actual, scores = values["actual"], values["scores"]
    if not infer and (actual is None or not scores):
        return
    if actual is not None and scores and not any(set(",*?[") & set(name) for name in scores):
        return
    try:
        values["actual"], columns, roles = complete_from_table(
            source, actual, scores, values["positive"]
        )
    except UnclearRoles as problem:
        raise InputError(_unclear_roles_message(problem, context)) from problem
    max_models = getattr(context.command, "max_models", None)
    if not scores and max_models is not None and len(columns) > max_models:
        raise click.UsageError(
            f"{format_list(columns)} may be the score, and `tradeoff {context.info_name}` takes "
            f"one model. Edit and run: {suggest_columns(context, source)}"
        )
    values["scores"] = tuple(columns)
    if roles is not None:
        _say_what_was_taken(roles, context, is_actual_named=actual is not None, scores=scores)


def _expand_names(values: dict[str, Any], source: Any) -> None:
    """Expand comma-separated names of columns other than scores."""
    options = [name for name in LIST_PARAMETERS if isinstance(values.get(name), tuple)]
    if not any("," in name for option in options for name in values[option]):
        return
    from tradeoff.sources.column_patterns import expand_columns
    from tradeoff.sources.read_columns import read_column_names

    columns = read_column_names(source)
    for option in options:
        values[option] = tuple(expand_columns(values[option], columns))


def require_percentage_scale(values: Mapping[str, Any]) -> None:
    """Require scores from 0 to 1 for thresholds that were typed as percentages."""
    typed = values.get("threshold")
    thresholds = typed if isinstance(typed, tuple) else (typed,)
    percentage = next((value for value in thresholds if isinstance(value, Percentage)), None)
    if percentage is None or "scores" not in values:
        return
    problem = f"--threshold {percentage} is for scores from 0 to 1"
    source = _table(values)
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


def _table(values: Mapping[str, Any]) -> Any:
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


def _say_what_was_taken(
    roles: Roles, context: click.Context, *, is_actual_named: bool, scores: Sequence[str]
) -> None:
    """Print which columns were taken, and the command that names them; on stderr beside data."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.overview.overview import score_arguments
    from tradeoff.text_layout import wrap_sentences

    flags = [] if is_actual_named else ["--actual", str(roles.actual)]
    flags += [] if scores else score_arguments(roles.scores)
    sentence = f"Taken: {roles.sentence}. In full:"
    is_text = context.params.get("output_format", "text") == "text"
    stream = sys.stdout if is_text else sys.stderr
    lines = wrap_sentences([sentence], terminal_width(stream))
    lines.append(f"  {_command_line(context, flags)}")  # to copy: not wrapped
    click.echo("\n".join(lines), err=not is_text)
    if is_text:
        click.echo()


def _unclear_roles_message(problem: UnclearRoles, context: click.Context) -> str:
    """Why the columns are unclear, the list of columns, and a command to be edited."""
    from tradeoff.formatting import printable
    from tradeoff.overview.overview import class_arguments, command_line, source_arguments
    from tradeoff.sources.column_lines import column_lines

    columns = "\n".join(
        f"  {printable(line, 200)}"
        for line in column_lines(problem.summaries, problem.roles, flags=True)
    )
    command = _command_with_columns(context, problem.roles, problem.summaries)
    if classes := class_arguments(problem.roles, problem.summaries):
        source = source_arguments(context.params.get("file", context.params.get("pilot")))
        command = command_line(["tradeoff", "classes", *source, *classes])
    return (
        f"{problem.roles.problem}\n\n{problem.title} has these columns:\n\n{columns}\n\n"
        f"Edit and run: {command}"
    )


def suggest_columns(context: click.Context, source: Any) -> str:
    """The command as it was typed, with likely columns of a table for those that it lacks."""
    from tradeoff.sources.role_inference import infer_roles
    from tradeoff.sources.table_summary import summarize_table

    summaries = summarize_table(source).columns
    roles = infer_roles(
        summaries,
        actual=_typed_value(context, "actual"),
        scores=_typed_value(context, "scores") or (),
        positive=_typed_value(context, "positive"),
    )
    return _command_with_columns(context, roles, summaries)


def _typed_value(context: click.Context, name: str) -> Any:
    """Value of a parameter; None if it was not typed or, after an error, not parsed."""
    value = context.params.get(name)
    return value if isinstance(value, str | tuple) else None


def missing_option_error(
    problem: click.MissingParameter, context: click.Context
) -> click.MissingParameter | click.UsageError:
    """The error for a required option, with the command as it could be typed."""
    file = context.params.get("file")
    examples = getattr(context.command, "examples", ())
    if isinstance(problem.param, click.Argument) and any(examples):
        example = next(filter(None, examples))
        message = f"{problem.format_message()} For example: {context.command_path} {example}"
        return click.UsageError(message, context)
    if problem.param is None or file is None:
        return problem
    flag = max(problem.param.opts, key=len)
    try:
        command = suggest_columns(context, file)
    except InputError:  # the file cannot be read either
        return problem
    return click.UsageError(f"Missing option {flag!r}. Edit and run: {command}", context)


def _command_with_columns(
    context: click.Context, roles: Roles, summaries: Sequence[ColumnSummary]
) -> str:
    """The command as it was typed, with flags for the columns that it lacks."""
    from tradeoff.overview.overview import class_arguments, column_arguments
    from tradeoff.sources.role_inference import example_roles

    max_models = getattr(context.command, "max_models", None)
    _, _, scores = example_roles(roles, summaries)
    flags = column_arguments(replace(roles, scores=scores[:max_models]), summaries)
    if context.info_name == "classes":
        flags = class_arguments(replace(roles, actual=None), summaries) or flags
    typed = {word.partition("=")[0] for word in context.meta.get(ARGUMENTS, [])}
    if _typed_value(context, "scores") or _typed_value(context, "predicted"):
        typed.add("--score")
    options = {flag: option for option in context.command.params for flag in option.opts}
    missing = [
        argument
        for flag, value in zip(flags[::2], flags[1::2], strict=True)
        if flag in options.keys() - typed
        for argument in (flag, value)
    ]
    if "--segment" in options.keys() - typed and options["--segment"].required:
        missing += ["--segment", _likely_segment(roles, summaries)]
    if "--output" in options.keys() - typed and options["--output"].required:
        missing += ["--output", f"{Path(str(context.params['file'])).stem}.ranking"]
    return _command_line(context, missing)


def _likely_segment(roles: Roles, summaries: Sequence[ColumnSummary]) -> str:
    """Column that may divide the rows into segments."""
    from tradeoff.sources.role_inference import likely_role

    likely_roles = {column.name: likely_role(column, roles) for column in summaries}
    names = [
        name for role in ("segment?", "class?") for name, r in likely_roles.items() if r == role
    ]
    return next((name for name in names if name != roles.actual), "COLUMN")


def _command_line(context: click.Context, flags: Sequence[str]) -> str:
    """The command as it was typed, with further flags, on one line to be copied."""
    from tradeoff.formatting import printable
    from tradeoff.overview.overview import command_line

    typed = context.meta.get(ARGUMENTS, [])
    command = command_line(["tradeoff", str(context.info_name), *typed, *flags])
    return printable(command, max_length=len(command))
