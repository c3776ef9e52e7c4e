"""`tradeoff evaluate`: what the models are worth."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import written
from tradeoff.cli.options import (
    all_option,
    batches_options,
    cluster_option,
    confidence_of,
    confidence_options,
    costs_of,
    costs_options,
    fold_option,
    format_option,
    prevalence_option,
    reading,
    segment_option,
    threshold_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_source
from tradeoff.cli.terminal import drawing_choices

if TYPE_CHECKING:
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.render.sections import Section
    from tradeoff.sources.policy import CheckedBatch


@command()
@reading()
@batches_options()
@threshold_option
@fold_option
@segment_option
@cluster_option
@costs_options
@prevalence_option
@confidence_options
@all_option
@click.option("--predictions", is_flag=True, help="List the rows, most confident first.")
@click.option(
    "--chart",
    type=click.Choice(["roc", "gains", "scores"]),
    is_flag=False,
    flag_value="roc",
    help="Draw the ROC curve, cumulative gains or the scores of each class.  [alone: roc]",
)
@format_option("text", "json", "markdown", "csv")
def evaluate(  # noqa: PLR0913 - one parameter an option
    *,
    threshold: float,
    prevalence: float | None,
    everything: bool,
    predictions: bool,
    chart: str | None,
    form: str,
    **source: Any,
) -> None:
    """Confusion matrix, metrics and areas of one or more models."""
    from tradeoff.evaluation.evaluation import Evaluation

    if form not in {"text", "markdown"} and (predictions or chart):
        raise click.UsageError("--predictions and --chart go with text or Markdown.")
    if prevalence is not None and source["cluster"] is not None:
        raise click.UsageError("--prevalence and --cluster do not go together yet.")
    with progress_bar("Bootstrap resamples") as progress:
        confidence = confidence_of(source, progress)
        scored = read_source(costs=costs_of(source), **source)
        evaluation = Evaluation(scored.models, confidence, prevalence, threshold)
        if predictions and not scored.rows:
            raise click.UsageError("A saved ranking has no rows to list.")
        rows = predictions_sections(scored.rows, evaluation) if predictions else ()
        choices = {"everything": everything} if form in {"text", "markdown"} else {}
        text = written(evaluation, form, more=rows, **choices)
    click.echo(text)
    if chart:
        click.echo()
        draw_chart(chart, evaluation)


def draw_chart(name: str, evaluation: Evaluation) -> None:
    """Draw the models with the threshold marked; captions would repeat what the tables say."""
    from tradeoff.render.terminal.draw import drawn

    if name == "scores":
        at = evaluation.threshold
        charts = [evaluation[model].chart(name, threshold=at) for model in evaluation]
    else:
        charts = [evaluation.chart(name, threshold=evaluation.threshold, level=None)]
    choices = drawing_choices(sys.stdout)
    text = "\n\n".join(drawn(replace(chart, caption=""), **choices) for chart in charts)
    click.echo(text, color=choices["colour"])  # click would take forced colours out of a pipe


def predictions_sections(rows: Mapping[str, CheckedBatch], evaluation: Evaluation) -> list[Section]:
    """The rows themselves, with what is predicted for each."""
    from tradeoff.evaluation.views import predictions_section

    at = evaluation.threshold
    return [
        predictions_section(
            model.scores, model.labels.positive_rows, model.places, evaluation.rankings[name], at
        )
        for name, model in rows.items()
    ]
