"""Commands `matrix`, `metrics`, `explain` and `schema`: metrics from counts, and definitions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command, option_group
from tradeoff.cli.emit import emit_text, format_sections
from tradeoff.cli.options import (
    format_option,
    pop_wording,
    rows_options,
    threshold_option,
)
from tradeoff.cli.source import has_source, read_evaluation

if TYPE_CHECKING:
    from tradeoff.measures.registry import Measure


@command(examples=["", "--format json"])
@format_option("text", "json", "markdown")
def metrics_command(output_format: str) -> None:
    """List all metrics with their formulas and aliases."""
    from tradeoff.render.json_csv import format_json
    from tradeoff.views.measures import measure_document, registry_sections

    measures = _all_measures()
    if output_format == "json":
        text = format_json([measure_document(m) for m in measures])
    else:
        text = format_sections(registry_sections(measures), output_format)
    emit_text(text, output_format)


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
    from tradeoff.sources.confusion_matrices import matrix_of_counts
    from tradeoff.thresholds.operating_threshold import threshold_sentences
    from tradeoff.views.measures import explanation_sections
    from tradeoff.wording import ROWS

    if Path(name).is_file():
        raise click.UsageError(
            f"{name!r} is a file. Name a metric first: tradeoff explain recall {name}"
        )
    measure = find_measure(name)
    subjects: list[Any] = [None]
    wording = ROWS
    sentences: list[str] = []
    if has_source(source) and counts is not None:
        raise click.UsageError("Give FILE or --matrix, not both.")
    if has_source(source):
        _require_columns(source)
        models = replace(read_evaluation(**source), threshold=threshold)
        subjects, wording = list(models.rankings.values()), models.wording
        if measure.kind == "metric":
            subjects = [models[name].at() for name in models]
            sentences = threshold_sentences(models.operating_thresholds, wording.units)
    elif counts is not None and measure.kind == "summary":
        raise click.UsageError(f"{name} needs scores, not a matrix: tradeoff explain {name} FILE")
    elif counts is not None:
        subjects = [matrix_of_counts(counts, positive=source["positive"])]
        wording = pop_wording(source)
    explanations = [
        format_sections(explanation_sections(measure, subject, wording), output_format)
        for subject in subjects
    ]
    text = "\n".join(explanations)
    if sentences:
        head = format_sections([Section(lines=tuple(sentences))], output_format)
        text = f"{head}\n\n{text}"
    emit_text(text, output_format)


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
