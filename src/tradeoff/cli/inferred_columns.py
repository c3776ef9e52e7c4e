"""Columns that the options of a command do not name: inferred, or listed with a command to edit."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.source import parse_source
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from tradeoff.sources.class_roles import ClassRoles
    from tradeoff.sources.column_summaries import ColumnSummary
    from tradeoff.sources.unclear_roles import UnclearRoles

ROLE_PARAMETERS = {"file", "query", "actual", "scores", "positive"}
"""Parameters of the commands whose columns are inferred if they are not named."""
ARGUMENTS = "tradeoff.arguments"
"""Key of the arguments of a command in the context of click."""
SINGLE_MODEL_PARAMETERS = ("baseline", "at_least", "at_most")
"""Parameters of a gate whose file has the scores of one model."""
ROLE_FLAGS = ("--actual", "--positive", "--score", "--predicted", "--missing")
"""Flags of a suggested command that are left out if they were typed."""


def complete_columns(context: click.Context, *, infer: bool) -> None:
    """Expand names and patterns by the input file's columns; `infer` those that are not named."""
    values = context.params
    if not (values.keys() >= ROLE_PARAMETERS and _has_table(values)):
        return
    if values.get("predicted"):  # predicted classes instead of scores
        complete_predicted(context)
        return
    from tradeoff.sources.evaluate_arguments import complete_columns as complete_from_table

    actual, scores = values["actual"], values["scores"]
    if not infer and (actual is None or not scores):
        return
    if actual is not None and scores and not any(set(",*?[") & set(name) for name in scores):
        return
    source = parse_source(values["file"], values["query"], values.get("table"))
    with _unclear_roles_explained(context):
        values["actual"], columns, roles = complete_from_table(
            source, actual, scores, values["positive"]
        )
    values["scores"] = tuple(columns)
    if roles is not None:
        from tradeoff.overview.overview import score_arguments

        flags = [] if actual is not None else ["--actual", str(roles.actual)]
        flags += [] if scores else score_arguments(roles.scores)
        _say_what_was_taken(context, roles.sentence, flags)


def complete_predicted(context: click.Context, *, needs_positive: bool = True) -> None:
    """Infer the actual class of predicted classes, unless --actual names it."""
    from tradeoff.sources.evaluate_arguments import complete_predicted_columns

    values = context.params
    predicted, lists_rows = values["predicted"], isinstance(values["predicted"], str)
    source = parse_source(values["file"], values.get("query"), values.get("table"))
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
    candidate_score, has_table = source["candidate_score"], _has_table(source)
    scores = [*source["scores"], *([candidate_score] if candidate_score is not None else [])]
    if (actual is not None and scores) or (has_table and (baseline or candidate)):
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
        elif has_table or (candidate is not None and has_limits_only):
            file = candidate or parse_source(source["file"], source["query"], source["table"])
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
            flags += ["--score" if has_table else "--candidate-score", roles.scores[-1]]
    if inferred.on is not None and source["on"] is None:
        flags += ["--on", inferred.on]
    source |= {"actual": roles.actual, "scores": roles.scores, "candidate_score": None}
    source["on"] = inferred.on or source["on"]
    _say_what_was_taken(context, inferred.sentence, flags)


def _has_table(values: Mapping[str, Any]) -> bool:
    """Whether a command reads rows from a file or query, and not Spark or saved rankings."""
    file = values["file"]
    paths = getattr(file, "paths", (str(file),))
    if values.get("engine") == "spark" or any(path.endswith(".ranking") for path in paths):
        return False
    return file is not None or values["query"] is not None


def _say_what_was_taken(context: click.Context, sentence: str, flags: Sequence[str]) -> None:
    """Print which columns were taken, and the command that names them; on stderr beside data."""
    from tradeoff.cli.terminal import terminal_width
    from tradeoff.formatting import printable
    from tradeoff.text_layout import wrap_sentences

    is_text = context.params.get("output_format", "text") == "text"
    stream = sys.stdout if is_text else sys.stderr
    lines = wrap_sentences([f"Taken: {sentence}. In full:"], terminal_width(stream))
    command = _command_line(context, flags)
    lines.append(f"  {printable(command, max_length=len(command))}")  # to copy: not wrapped
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
        column_arguments,
        command_line,
        source_arguments,
    )
    from tradeoff.sources.role_inference import Roles

    roles, summaries = problem.roles, problem.summaries
    if not isinstance(roles, Roles):
        return _suggested_class_command(roles, summaries, context)
    classes = class_arguments(roles, summaries) or class_label_arguments(roles, summaries)
    if classes and not context.params.get("predicted"):
        source = source_arguments(context.params["file"])
        return command_line(["tradeoff", "classes", *source, *classes])
    if "predicted" not in context.params:
        roles = replace(roles, predicted=())
    if any(context.params.get(name) for name in SINGLE_MODEL_PARAMETERS):
        roles = replace(roles, scores=roles.scores[:1])
    flags = [*column_arguments(roles, summaries), *problem.flags]
    return _command_line(context, _not_typed(context, flags))


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


def _not_typed(context: click.Context, flags: Sequence[str]) -> list[str]:
    """Flags with their values, without those that were typed."""
    arguments = context.meta.get(ARGUMENTS, [])
    typed = {argument.partition("=")[0] for argument in arguments} & set(ROLE_FLAGS)
    return [
        argument
        for flag, value in zip(flags[::2], flags[1::2], strict=True)
        if flag not in typed
        for argument in (flag, value)
    ]


def _command_line(context: click.Context, flags: Sequence[str]) -> str:
    from tradeoff.overview.overview import command_line

    typed = context.meta.get(ARGUMENTS, [])
    return command_line(["tradeoff", str(context.info_name), *typed, *flags])
