"""Columns that the options of a command do not name: inferred, or listed with a command to edit."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.input_file import rows_source
from tradeoff.cli.source import parse_source
from tradeoff.errors import InputError, format_list

if TYPE_CHECKING:
    from tradeoff.sources.class_roles import ClassRoles
    from tradeoff.sources.column_summaries import ColumnSummary
    from tradeoff.sources.role_inference import Roles
    from tradeoff.sources.unclear_roles import UnclearRoles

LIST_PARAMETERS = ("predicted", "ids")
"""Parameters of columns, besides scores, that may be separated by commas."""
ARGUMENTS = "tradeoff.arguments"
"""Key of the arguments of a command in the context of click."""
SINGLE_MODEL_PARAMETERS = ("baseline", "at_least", "at_most")
"""Parameters of a gate whose file has the scores of one model."""
ROLE_FLAGS = ("--actual", "--positive", "--score", "--predicted", "--missing")
"""Flags of a suggested command that are left out if they were typed."""


def complete_columns(context: click.Context, *, infer: bool) -> None:
    """Expand names and patterns by the input file's columns; `infer` those that are not named."""
    values = context.params
    source = rows_source(values)
    if source is None:
        return
    _expand_names(values, source)
    if values.get("predicted"):  # predicted classes instead of scores
        complete_predicted(context)
        return
    from tradeoff.sources.evaluate_arguments import complete_columns as complete_from_table

    actual, scores = values["actual"], values["scores"]
    if not infer and (actual is None or not scores):
        return
    if actual is not None and scores and not any(set(",*?[") & set(name) for name in scores):
        return
    with _unclear_roles_explained(context):
        values["actual"], columns, roles = complete_from_table(
            source, actual, scores, values["positive"]
        )
    max_models = getattr(context.command, "max_models", None)
    if not scores and max_models is not None and len(columns) > max_models:
        raise click.UsageError(
            f"{format_list(columns)} may be the score, and `tradeoff {context.info_name}` takes "
            f"one model. Edit and run: {suggest_columns(context, source)}"
        )
    values["scores"] = tuple(columns)
    if roles is not None:
        from tradeoff.overview.overview import score_arguments

        flags = [] if actual is not None else ["--actual", str(roles.actual)]
        flags += [] if scores else score_arguments(roles.scores)
        _say_what_was_taken(context, roles.sentence, flags)


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


def complete_predicted(context: click.Context, *, needs_positive: bool = True) -> None:
    """Infer the actual class of predicted classes, unless --actual names it."""
    from tradeoff.sources.evaluate_arguments import complete_predicted_columns

    values = context.params
    source = parse_source(values["file"], values.get("query"), values.get("table"))
    _expand_names(values, source)
    predicted, lists_rows = values["predicted"], isinstance(values["predicted"], str)
    with _unclear_roles_explained(context):
        values["actual"], roles = complete_predicted_columns(
            source,
            values["actual"],
            [predicted] if lists_rows else predicted,
            positive=values.get("positive"),
            rejected=values.get("rejected"),
            needs_positive=needs_positive and not lists_rows,  # a cell may be of any two classes
        )
    if roles is not None:
        _say_what_was_taken(context, roles.sentence, ["--actual", str(roles.actual)])


def complete_class_scores(
    context: click.Context, scores: Mapping[str, str]
) -> tuple[str, dict[str, str]]:
    """Columns of the actual class and of the score of each class; those not named are inferred."""
    from tradeoff.overview.overview import class_score_arguments
    from tradeoff.sources.evaluate_arguments import complete_class_columns

    values = context.params
    with _unclear_roles_explained(context):
        actual, columns, roles = complete_class_columns(values["file"], values["actual"], scores)
    if roles is not None:
        flags = class_score_arguments(actual, columns, [])
        _say_what_was_taken(context, roles.sentence, _not_typed(context, flags))
    return actual, columns


def complete_gate(context: click.Context, source: dict[str, Any], *, has_limits_only: bool) -> None:
    """Infer the class, the scores and the ID column of a gate, unless they are named.

    Args:
        context: The context of the command.
        source: Options of the command that name files and columns; inferred columns are added.
        has_limits_only: Whether there are limits, and perhaps no baseline.
    """
    from tradeoff.sources.column_patterns import expand_columns
    from tradeoff.sources.evaluate_arguments import summarize_with
    from tradeoff.sources.gate_roles import infer_gate_roles, infer_joined_roles
    from tradeoff.sources.read_columns import read_column_names

    baseline, candidate, actual = (source[name] for name in ("baseline", "candidate", "actual"))
    candidate_score, table = source["candidate_score"], rows_source(source)
    scores = [*source["scores"], *([candidate_score] if candidate_score is not None else [])]
    if (actual is not None and scores) or (table is not None and (baseline or candidate)):
        return
    with _unclear_roles_explained(context):
        if baseline is not None and candidate is not None:
            inferred = infer_joined_roles(
                summarize_with(baseline, actual, source["scores"][:1]),
                summarize_with(candidate, actual, scores[-1:]),
                actual=actual,
                score=next(iter(source["scores"]), None),
                candidate_score=next(reversed(scores), None),
                positive=source["positive"],
                on=source["on"],
            )
        elif table is not None or (candidate is not None and has_limits_only):
            file = table if candidate is None else candidate
            scores = expand_columns(scores, read_column_names(file)) if scores else []
            inferred = infer_gate_roles(
                summarize_with(file, actual, scores),
                actual=actual,
                scores=scores,
                positive=source["positive"],
                has_baseline=not has_limits_only,
            )
        else:
            return
    roles = inferred.roles
    flags = [] if actual is not None else ["--actual", str(roles.actual)]
    if not source["scores"]:
        flags += ["--score", roles.scores[0]]
        if candidate_score is None and len(set(roles.scores)) > 1:
            flags += ["--candidate-score" if table is None else "--score", roles.scores[-1]]
    if inferred.on is not None and source["on"] is None:
        flags += ["--on", inferred.on]
    source |= {"actual": roles.actual, "scores": roles.scores, "candidate_score": None}
    source["on"] = inferred.on or source["on"]
    _say_what_was_taken(context, inferred.sentence, flags)


def _say_what_was_taken(context: click.Context, sentence: str, flags: Sequence[str]) -> None:
    """Print which columns were taken, and the command that names them; on stderr beside data."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.text_layout import wrap_sentences

    is_text = context.params.get("output_format", "text") == "text"
    stream = sys.stdout if is_text else sys.stderr
    lines = wrap_sentences([f"Taken: {sentence}. In full:"], terminal_width(stream))
    lines.append(f"  {_command_line(context, flags)}")  # to copy: not wrapped
    click.echo("\n".join(lines), err=not is_text)
    if is_text:
        click.echo()


@contextmanager
def _unclear_roles_explained(context: click.Context) -> Iterator[None]:
    """Turn the error that columns are unclear into one with a command to be edited."""
    from tradeoff.sources.unclear_roles import UnclearRoles

    try:
        yield
    except UnclearRoles as problem:
        raise InputError(_unclear_roles_message(problem, context)) from problem


def _unclear_roles_message(problem: UnclearRoles, context: click.Context) -> str:
    """Why the columns are unclear, the list of columns, and a command to be edited."""
    from tradeoff.formatting import printable

    lines = (f"  {printable(line, 200)}" for line in problem.column_lines(flags=True))
    columns = "\n".join(lines)
    return (
        f"{problem.roles.problem}\n\n{problem.title} has these columns:\n\n{columns}\n\n"
        f"Edit and run: {_suggested_command(problem, context)}"
    )


def _suggested_command(problem: UnclearRoles, context: click.Context) -> str:
    """Command that names likely columns, or another command that suits the columns better."""
    from tradeoff.overview.overview import (
        class_arguments,
        class_label_arguments,
        command_line,
        source_arguments,
    )
    from tradeoff.sources.role_inference import Roles

    roles, summaries = problem.roles, problem.summaries
    if not isinstance(roles, Roles):
        return _suggested_class_command(roles, summaries, context)
    classes = class_arguments(roles, summaries) or class_label_arguments(roles, summaries)
    if classes and not context.params.get("predicted"):
        source = source_arguments(context.params.get("file", context.params.get("pilot")))
        return command_line(["tradeoff", "classes", *source, *classes])
    return _command_with_columns(context, roles, summaries, problem.flags)


def _suggested_class_command(
    roles: ClassRoles, summaries: Sequence[ColumnSummary], context: click.Context
) -> str:
    """Command for several classes by their scores or predictions, or for two classes."""
    from tradeoff.overview.overview import (
        class_label_arguments,
        class_score_arguments,
        column_arguments,
        command_line,
        source_arguments,
    )
    from tradeoff.sources.class_roles import PLACEHOLDER, example_class_roles
    from tradeoff.sources.role_inference import Roles, infer_roles

    predictions = [] if roles.scores else class_label_arguments(Roles(None, ()), summaries)
    if predictions:
        return _command_line(context, _not_typed(context, predictions))
    actual, scores = example_class_roles(roles, summaries)
    if actual == PLACEHOLDER and not roles.scores:
        of_two_classes = infer_roles(summaries)
        if of_two_classes.actual is not None:
            source = source_arguments(context.params["file"])
            arguments = column_arguments(of_two_classes, summaries)
            return command_line(["tradeoff", "evaluate", *source, *arguments])
    flags = class_score_arguments(actual, scores, summaries)
    return _command_line(context, _not_typed(context, flags))


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
    context: click.Context,
    roles: Roles,
    summaries: Sequence[ColumnSummary],
    further_flags: Sequence[str] = (),
) -> str:
    """The command as it was typed, with flags for the columns that it lacks."""
    from tradeoff.overview.overview import column_arguments
    from tradeoff.sources.role_inference import example_roles

    values, options = context.params, _required_flags(context)
    if "predicted" not in values:
        roles = replace(roles, predicted=())
    if not roles.predicted:
        roles = replace(roles, scores=example_roles(roles, summaries)[2])
    is_single = any(values.get(name) for name in SINGLE_MODEL_PARAMETERS)
    max_models = 1 if is_single else getattr(context.command, "max_models", None)
    roles = replace(roles, scores=roles.scores[:max_models])
    flags = [*column_arguments(roles, summaries), *further_flags]
    missing = _not_typed(context, flags)
    if "--segment" in options:
        missing += ["--segment", _likely_segment(roles, summaries)]
    if "--output" in options:
        missing += ["--output", f"{Path(str(values['file'])).stem}.ranking"]
    return _command_line(context, missing)


def _likely_segment(roles: Roles, summaries: Sequence[ColumnSummary]) -> str:
    """Column that may divide the rows into segments."""
    from tradeoff.sources.role_inference import likely_role

    likely_roles = {column.name: likely_role(column, roles) for column in summaries}
    names = [
        name for role in ("segment?", "class?") for name, r in likely_roles.items() if r == role
    ]
    return next((name for name in names if name != roles.actual), "COLUMN")


def _not_typed(context: click.Context, flags: Sequence[str]) -> list[str]:
    """Flags of the command with their values, without those of columns that were typed."""
    typed = _typed_flags(context) & {*ROLE_FLAGS}
    if _typed_value(context, "scores") or _typed_value(context, "predicted"):
        typed.add("--score")
    options = {flag for option in context.command.params for flag in option.opts}
    return [
        argument
        for flag, value in zip(flags[::2], flags[1::2], strict=True)
        if flag in options - typed
        for argument in (flag, value)
    ]


def _required_flags(context: click.Context) -> set[str]:
    """Flags of required options that were not typed."""
    required = {flag for o in context.command.params if o.required for flag in o.opts}
    return required - _typed_flags(context)


def _typed_flags(context: click.Context) -> set[str]:
    """Words of the command up to an equals sign, among them its flags."""
    return {word.partition("=")[0] for word in context.meta.get(ARGUMENTS, [])}


def _command_line(context: click.Context, flags: Sequence[str]) -> str:
    """The command as it was typed, with further flags, on one line to be copied."""
    from tradeoff.formatting import printable
    from tradeoff.overview.overview import command_line

    typed = context.meta.get(ARGUMENTS, [])
    command = command_line(["tradeoff", str(context.info_name), *typed, *flags])
    return printable(command, max_length=len(command))
