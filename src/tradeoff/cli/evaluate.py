"""`tradeoff evaluate`: what the models are worth."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
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
from tradeoff.cli.program import show
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_source
from tradeoff.cli.terminal import drawing_choices

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
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
    from tradeoff.api import evaluation_of
    from tradeoff.evaluation.views import evaluation_csv, evaluation_document, evaluation_sections
    from tradeoff.render.values import as_json
    from tradeoff.uncertainty.estimates import Intervals
    from tradeoff.views.details import Details

    if form not in {"text", "markdown"} and (predictions or chart):
        raise click.UsageError("--predictions and --chart go with text or Markdown.")
    if prevalence is not None and source["cluster"] is not None:
        raise click.UsageError("--prevalence and --cluster do not go together yet.")
    with progress_bar("Bootstrap resamples") as told:
        confidence = confidence_of(source, told)
        read = read_source(costs=costs_of(source), **source)
        evaluation = evaluation_of(read.models)
        rankings = evaluation.rankings
        intervals = Intervals(confidence, evaluation.clusters)
        details = Details(
            evaluation.folds, evaluation.segments, evaluation.costs, prevalence, intervals
        )
        if form == "json":
            text = as_json(evaluation_document(rankings, threshold, details))
        elif form == "csv":
            text = evaluation_csv(rankings, threshold, details)
        else:
            sections = evaluation_sections(
                rankings, threshold, everything=everything, details=details
            )
    if form in {"json", "csv"}:
        click.echo(text)
        return
    if predictions and not read.rows:
        raise click.UsageError("A saved ranking has no rows to list.")
    if predictions:
        sections += [
            shown_predictions(read.rows[name], rankings[name], threshold) for name in rankings
        ]
    show(sections, form)
    if chart:
        click.echo()
        draw_chart(chart, evaluation, threshold, prevalence)


def draw_chart(
    name: str, evaluation: Evaluation, at: float, prevalence: float | None = None
) -> None:
    """Draw the models with the threshold marked; captions would repeat what the tables say."""
    from dataclasses import replace

    from tradeoff.evaluation.charts import chart_of
    from tradeoff.render.terminal import drawn
    from tradeoff.views.curve_chart import Mark
    from tradeoff.views.score_chart import scores_chart

    if name == "scores":
        charts = [scores_chart(one, marks=[Mark(at)]) for one in evaluation.rankings.values()]
    else:
        charts = [chart_of(evaluation, name, threshold=at, prevalence=prevalence, level=None)]
    choices = drawing_choices(sys.stdout)
    text = "\n\n".join(drawn(replace(chart, caption=""), **choices) for chart in charts)
    click.echo(text, color=choices["colour"])  # click would take forced colours out of a pipe


def shown_predictions(batch: CheckedBatch, ranking: Ranking, at: float) -> Section:
    """The rows themselves, with what is predicted for each."""
    from tradeoff.evaluation.views import predictions_section

    rows = batch.decided
    return predictions_section(rows.scores, rows.labels.positive_rows, rows.places, ranking, at)
