"""Commands `matrix`, `metrics`, `explain` and `schema`: metrics from counts, and definitions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command, option_group
from tradeoff.cli.emit import emit, emit_hint, format_sections
from tradeoff.cli.options import (
    all_option,
    confidence_options,
    costs_options,
    format_option,
    pop_confidence,
    pop_costs,
    pop_wording,
    rows_options,
    threshold_option,
    vocabulary_option,
    wording_options,
)
from tradeoff.cli.source import has_source, read_evaluation

if TYPE_CHECKING:
    from tradeoff.core.costs import Costs
    from tradeoff.measures.registry import Measure

MATRIX_HINT = (
    'All metrics: --all · a formula: tradeoff explain mcc --matrix "7 2; 4 1" · level: --level 0.9'
)


@command(
    examples=[
        '"7 2; 4 1" --classes yes,no',
        '"50 3 2; 4 60 1; 0 5 40" --all',
        '"207 112; 600 2003" --cost-contact 5 --value 30 --unit customers',
    ]
)
@click.argument("table")
@click.option("--classes", metavar="A,B,…", help="Class names, in the order of the table.")
@click.option("--positive", metavar="CLASS", help="The positive class.  [default: the first]")
@click.option(
    "--rows",
    type=click.Choice(["actual", "predicted"]),
    default="actual",
    show_default=True,
    help="Whether rows of the table are actual or predicted classes.",
)
@click.option(
    "--joint",
    is_flag=True,
    help="Rows of the table are observed values: predict the most frequent class for each.",
)
@costs_options
@confidence_options
@all_option
@vocabulary_option
@wording_options
@format_option("text", "json", "markdown", "csv")
def matrix_command(  # noqa: PLR0913 - one parameter per option
    *,
    table: str,
    classes: str | None,
    positive: str | None,
    rows: Any,
    joint: bool,
    everything: bool,
    vocabulary: Any,
    output_format: str,
    **options: Any,
) -> None:
    """Compute metrics from a confusion matrix such as "7 2; 4 1".

    An additional column holds rejected ("don't know") rows.
    """
    from tradeoff.sources.matrices import matrix_of_counts, matrix_of_joint_counts

    confidence, wording = pop_confidence(options), pop_wording(options)
    costs = _pop_constant_costs(options)
    names = None if classes is None else [name.strip() for name in classes.split(",")]
    if joint:
        predicted_classes, result = matrix_of_joint_counts(table, names)
        class_list = ", ".join(predicted_classes)
        click.echo(f"Predicted class for each row of the table: {class_list}.\n", err=True)
    else:
        result = matrix_of_counts(table, names, rows=rows, positive=positive)
    if output_format in {"json", "csv"}:
        emit(result, output_format, confidence=confidence, vocabulary=vocabulary, costs=costs)
        return
    emit(
        result,
        output_format,
        rows=rows,
        positive_first=not names or names[0] == result.classes[0],
        everything=everything,
        confidence=confidence,
        vocabulary=vocabulary,
        costs=costs,
        wording=wording,
    )
    emit_hint(MATRIX_HINT, output_format)


def _pop_constant_costs(options: dict[str, Any]) -> Costs | None:
    """Costs of a matrix, which are numbers: it has no columns."""
    costs = pop_costs(options)
    if costs is not None and costs.columns:
        (outcome, column), *_ = costs.columns.items()
        raise click.UsageError(
            f"A matrix has no columns: give the cost of a {outcome.replace('_', ' ')} as a "
            f"number, not {column!r}."
        )
    return costs


@command(examples=["", "--format json"])
@format_option("text", "json", "markdown")
def metrics_command(output_format: str) -> None:
    """List all metrics with their formulas and aliases."""
    from tradeoff.render.json_csv import format_json
    from tradeoff.views.measures import measure_document, registry_sections

    measures = _all_measures()
    if output_format == "json":
        click.echo(format_json([measure_document(m) for m in measures]))
    else:
        click.echo(format_sections(registry_sections(measures), output_format))


@command(
    examples=[
        "mcc",
        "precision scores.csv --actual churned --positive yes --score logistic --threshold 0.3",
    ]
)
@click.argument("name", metavar="METRIC")
@rows_options()
@threshold_option
@option_group(
    "Input",
    click.option(
        "--matrix", "counts", metavar='"7 2; 4 1"', help="Confusion matrix instead of FILE."
    ),
)
@format_option("text", "markdown")
def explain_command(
    name: str, threshold: float | None, counts: str | None, output_format: str, **source: Any
) -> None:
    """Explain a metric: its formula, aliases, when it is undefined and, with FILE, its value."""
    from tradeoff.evaluation import evaluation  # noqa: F401 - registers all measures
    from tradeoff.measures.registry import find_measure
    from tradeoff.render.sections import Section
    from tradeoff.sources.matrices import matrix_of_counts
    from tradeoff.thresholds.default_threshold import threshold_sentences
    from tradeoff.views.measures import explanation_sections

    measure = find_measure(name)
    subjects: list[Any] = [None]
    sentences: list[str] = []
    if has_source(source) and counts is not None:
        raise click.UsageError("Give FILE or --matrix, not both.")
    if has_source(source):
        _require_columns(source)
        models = replace(read_evaluation(**source), threshold=threshold)
        subjects = list(models.rankings.values())
        if measure.kind == "metric":
            subjects = [models[name].at() for name in models]
            sentences = threshold_sentences(models.operating_thresholds)
    elif counts is not None:
        subjects = [matrix_of_counts(counts, positive=source["positive"])]
    if sentences:
        click.echo(f"{format_sections([Section(lines=tuple(sentences))], output_format)}\n")
    for subject in subjects:
        click.echo(format_sections(explanation_sections(measure, subject), output_format))


@command(examples=["", "evaluation"])
@click.argument("kind", required=False)
def schema_command(kind: str | None) -> None:
    """Print the JSON Schema of a KIND of document, or list the kinds.

    The output of --format json names its kind: "tradeoff/evaluation/1" is an evaluation.
    """
    from tradeoff.render.json_csv import format_json
    from tradeoff.render.sections import Section
    from tradeoff.schemas import json_schema, schema_kinds

    if kind is not None:
        click.echo(format_json(json_schema(kind)))
        return
    table = tuple((name, str(json_schema(name)["title"])) for name in schema_kinds())
    click.echo(format_sections([Section(table=table, prose_last=True)], "text"))


def _all_measures() -> list[Measure]:
    from tradeoff.evaluation.evaluation import METRICS, SUMMARIES

    return [*METRICS.values(), *SUMMARIES.values()]


def _require_columns(source: dict[str, Any]) -> None:
    if source["actual"] is None or not source["scores"]:
        raise click.UsageError("Name the columns of FILE: --actual and --score.")
