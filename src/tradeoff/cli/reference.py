"""`tradeoff matrix`, `metrics`, `explain` and `schema`: counts, and what is meant by what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import as_written, emit
from tradeoff.cli.options import (
    all_option,
    confidence_of,
    confidence_options,
    format_option,
    reading,
    threshold_option,
)
from tradeoff.cli.source import has_source, read_evaluation

if TYPE_CHECKING:
    from tradeoff.measures.registry import Measure


@command()
@click.argument("table")
@click.option("--classes", metavar="A,B,…", help="Names, in the order of the table.")
@click.option(
    "--positive", metavar="CLASS", help="Which class is positive; the first, if not said."
)
@click.option(
    "--rows",
    type=click.Choice(["actual", "predicted"]),
    default="actual",
    show_default=True,
    help="What the table's rows are.",
)
@click.option("--joint", is_flag=True, help="Rows are observed values: apply the MAP rule first.")
@confidence_options
@all_option
@format_option("text", "json", "markdown", "csv")
def matrix(  # noqa: PLR0913 - one parameter an option
    *,
    table: str,
    classes: str | None,
    positive: str | None,
    rows: Any,
    joint: bool,
    everything: bool,
    form: str,
    **asked: Any,
) -> None:
    """Metrics of a confusion matrix such as "7 2; 4 1".

    One column more than classes holds the rejected ("don't know") rows.
    """
    from tradeoff.sources.matrices import matrix_of_counts, matrix_of_joint_counts

    confidence = confidence_of(asked)
    names = None if classes is None else [name.strip() for name in classes.split(",")]
    if joint:
        chosen, result = matrix_of_joint_counts(table, names)
        click.echo(f"Most likely class for each row of the table: {', '.join(chosen)}.\n", err=True)
    else:
        result = matrix_of_counts(table, names, rows=rows, positive=positive)
    if form in {"json", "csv"}:
        emit(result, form, confidence=confidence)
        return
    emit(
        result,
        form,
        rows=rows,
        positive_first=not names or names[0] == result.classes[0],
        everything=everything,
        confidence=confidence,
    )


@command()
@format_option("text", "json", "markdown")
def metrics(form: str) -> None:
    """List all metrics and summaries with their formulas and other names."""
    from tradeoff.render.values import as_json
    from tradeoff.views.measures import measure_document, registry_sections

    measures = _measures()
    if form == "json":
        click.echo(as_json([measure_document(m) for m in measures]))
    else:
        click.echo(as_written(registry_sections(measures), form))


@command()
@click.argument("name", metavar="METRIC")
@reading()
@threshold_option
@click.option("--matrix", "counts", metavar='"7 2; 4 1"', help="Counts in place of a file.")
@format_option("text", "markdown")
def explain(name: str, threshold: float, counts: str | None, form: str, **source: Any) -> None:
    """What a measure means, with the counts filled in when FILE is given."""
    from tradeoff.sources.matrices import matrix_of_counts
    from tradeoff.views.measures import explanation_sections

    measure = _found(name)
    subjects: list[Any] = [None]
    if has_source(source) and counts is not None:
        raise click.UsageError("Give FILE or --matrix, not both.")
    if has_source(source):
        _demand_columns(source)
        rankings = list(read_evaluation(**source).rankings.values())
        metric = measure.kind == "metric"
        subjects = [ranking.at(threshold) if metric else ranking for ranking in rankings]
    elif counts is not None:
        subjects = [matrix_of_counts(counts, positive=source["positive"])]
    for subject in subjects:
        click.echo(as_written(explanation_sections(measure, subject), form))


@command()
@click.argument("kind", required=False)
def schema(kind: str | None) -> None:
    """Print the JSON Schema of a KIND of document; without one, list the kinds.

    A document of --format json names its kind: "tradeoff/evaluation/1" is an evaluation.
    """
    from tradeoff.render.values import as_json
    from tradeoff.schemas import json_schema, schema_kinds

    if kind is not None:
        click.echo(as_json(json_schema(kind)))
        return
    kinds = schema_kinds()
    width = max(map(len, kinds))
    for one in kinds:
        click.echo(f"{one:{width}}  {json_schema(one)['title']}")


def _measures() -> list[Measure]:
    from tradeoff.evaluation.evaluation import METRICS, SUMMARIES

    return [*METRICS.values(), *SUMMARIES.values()]


def _found(name: str) -> Measure:
    from tradeoff.evaluation.evaluation import METRICS, SUMMARIES

    registry = SUMMARIES if SUMMARIES.knows(name.partition("(")[0]) else METRICS
    return registry.find(name)


def _demand_columns(source: dict[str, Any]) -> None:
    if source["actual"] is None or not source["scores"]:
        raise click.UsageError("With FILE, say which columns to read: --actual and --score.")
