"""Predicted labels on the command line: which options apply, and reading their columns."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.source import parse_source

if TYPE_CHECKING:
    from tradeoff.evaluation.labels import LabelEvaluation
    from tradeoff.uncertainty.confidence import Confidence

LABEL_OPTIONS = frozenset(
    {"file", "query", "table", "actual", "predicted", "rejected", "positive", "weight", "missing"}
    | {"units"}
)
"""Options of columns and rows that apply to predicted labels."""


def require_label_options(command_options: Collection[str]) -> None:
    """Raise a usage error if options were given that do not apply to predicted labels."""
    context = click.get_current_context()
    names = LABEL_OPTIONS | set(command_options)
    for parameter in context.command.params:
        name = str(parameter.name)
        is_given = context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
        if is_given and name not in names and context.params.get(name) not in {None, False, ()}:
            flag = max(parameter.opts, key=len)
            if name == "scores":
                raise click.UsageError(
                    "Give --score or --predicted: a score has a threshold, a label has none."
                )
            raise click.UsageError(f"{flag} does not apply to --predicted.")


def require_no_label_options(predicted: Collection[str], rejected: str | None) -> None:
    """Raise a usage error if --rejected is given without --predicted."""
    if rejected is not None and not predicted:
        raise click.UsageError("--rejected goes with --predicted.")


def read_labels(
    source: dict[str, Any],
    confidence: Confidence | None = None,
    prevalence: float | None = None,
) -> LabelEvaluation:
    """Evaluation of the predicted labels that the options of a command name."""
    from tradeoff.evaluation.labels import LabelEvaluation
    from tradeoff.sources.predicted_labels import read_predicted_labels
    from tradeoff.wording import Wording

    if source["actual"] is None:
        raise click.UsageError("Missing option '--actual'.")
    missing = source.get("missing", "error")
    if missing == "negative":
        raise click.UsageError("With --predicted, --missing is error, drop or reject.")
    rows = read_predicted_labels(
        parse_source(source["file"], source.get("query"), source.get("table")),
        actual=source["actual"],
        predicted=list(source["predicted"]),
        positive=source.get("positive"),
        weight=source.get("weight"),
        missing=missing,
        rejected=source["rejected"],
        wording=Wording(source.get("units", "rows")),
    )
    return LabelEvaluation(rows, confidence, prevalence)


def require_two_classes(evaluation: LabelEvaluation, source: dict[str, Any]) -> None:
    """Require labels of two classes; the error names the command for more classes."""
    from tradeoff.errors import InputError, format_list
    from tradeoff.overview.overview import command_line, source_arguments

    if evaluation.is_binary:
        return
    words = ["tradeoff", "classes", *source_arguments(source["file"])]
    words += ["--actual", source["actual"]]
    words += [word for name in source["predicted"] for word in ("--predicted", name)]
    raise InputError(
        f"{source['actual']!r} and the predictions hold {len(evaluation.classes)} classes: "
        f"{format_list(evaluation.classes, 4)}. For all of them: {command_line(words)}. For one "
        "against the rest, add --positive CLASS."
    )
