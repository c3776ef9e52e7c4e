"""Command `tradeoff evaluate`: confusion matrix, metrics and AUC of one or more models."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command, option_group
from tradeoff.cli.emit import emit_text, format_result, output_path
from tradeoff.cli.labels import (
    read_labels,
    require_label_options,
    require_no_label_options,
    require_two_classes,
)
from tradeoff.cli.options import (
    TABLE_FORMATS,
    all_option,
    cluster_option,
    confidence_options,
    costs_options,
    fold_option,
    format_option,
    large_input_options,
    metric_option,
    operating_point_options,
    pop_confidence,
    pop_costs,
    pop_operating_point,
    predicted_option,
    prevalence_option,
    rows_options,
    segment_option,
    vocabulary_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_source
from tradeoff.cli.suggestions import Suggestion, emit_suggestions, next_command
from tradeoff.cli.terminal import terminal_options
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.render.chart import Chart
    from tradeoff.sources.read import ScoredRows
    from tradeoff.uncertainty.confidence import Confidence


MAX_COMPARED_ROWS = 1_000_000
"""Above this many rows, only `tradeoff compare` compares AUCs, as it ranks all rows again."""
SUGGESTIONS = (
    Suggestion("all metrics", "--all"),
    Suggestion("one", "--metric f1"),
    Suggestion("other words", "--vocabulary clinical"),
    Suggestion("methods", "--methods"),
)
LABELS_SUGGESTIONS = (
    Suggestion("all metrics", "--all"),
    Suggestion("other words", "--vocabulary clinical"),
    Suggestion("chart", "--chart"),
)
EVALUATE_LABEL_OPTIONS = frozenset(
    {
        *("prevalence", "level", "method", "replicates", "seed", "sampling", "no_intervals"),
        *("measures", "everything", "vocabulary", "chart", "output_format"),
    }
)
"""Options of the command that apply to predicted labels."""
CLINICAL_SUGGESTIONS = (
    Suggestion("all metrics", "--all"),
    Suggestion("for Word", "-o table.html"),
    Suggestion("methods", "--methods"),
)


@command(
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --score boosting",
        "scores.csv --actual churned --positive yes --score logistic --threshold 0.3 --all",
    ]
)
@rows_options()
@predicted_option
@large_input_options()
@operating_point_options
@fold_option
@segment_option
@cluster_option
@costs_options
@prevalence_option
@confidence_options
@metric_option
@all_option
@vocabulary_option
@option_group(
    "Output",
    click.option("--methods", is_flag=True, help="Show the method of each interval."),
    click.option("--predictions", is_flag=True, help="List the rows in order of score."),
    click.option(
        "--chart",
        type=click.Choice(["roc", "gains", "scores"]),
        is_flag=False,
        flag_value="roc",
        help="Draw the ROC curve, cumulative gains or the scores of each class.  [default: roc]",
    ),
)
@format_option("text", "json", "markdown", "csv")
def evaluate_command(  # noqa: PLR0913 - one parameter per option
    *,
    prevalence: float | None,
    measures: tuple[str, ...],
    everything: bool,
    vocabulary: str,
    methods: bool,
    predictions: bool,
    chart: str | None,
    output_format: str,
    **source: Any,
) -> None:
    """Evaluate one or more models: confusion matrix, metrics and AUC."""
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.evaluation.prediction_views import predictions_sections

    if predictions and output_format not in TABLE_FORMATS:
        raise click.UsageError("--predictions needs --format text, markdown, html or latex.")
    if chart and output_format not in {"text", "markdown"}:
        raise click.UsageError("--chart needs --format text or markdown.")
    if source["predicted"]:
        require_label_options(EVALUATE_LABEL_OPTIONS)
        _evaluate_labels(
            source, prevalence, measures, vocabulary, chart, output_format, everything=everything
        )
        return
    require_no_label_options(source.pop("predicted"), source.pop("rejected"))
    if prevalence is not None and source["cluster"] is not None:
        raise click.UsageError("--prevalence cannot be combined with --cluster.")
    given_thresholds, goal = pop_operating_point(source)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = pop_confidence(source, progress)
        scored = read_source(costs=pop_costs(source), **source)
        threshold = given_thresholds(scored.models.rankings)
        evaluation = Evaluation(scored.models, confidence, prevalence, threshold, goal)
        if predictions and not scored.rows:
            raise click.UsageError("A saved ranking has no rows to list.")
        sections = predictions_sections(scored.rows, evaluation) if predictions else []
        view_options: dict[str, Any] = {"metric": measures, "vocabulary": vocabulary}
        if output_format in TABLE_FORMATS:
            view_options |= {
                "everything": everything,
                "methods": methods,
                "comparison": _comparison(scored, confidence),
            }
        text = format_result(evaluation, output_format, extra_sections=sections, **view_options)
    charts = _charts(chart, evaluation) if chart else []
    _emit_with_charts(text, charts, output_format)
    if not (measures or everything or predictions or chart):
        is_clinical = vocabulary == "clinical"
        suggestions = _clinical_suggestions(evaluation) if is_clinical else SUGGESTIONS
        emit_suggestions(output_format, *suggestions)


def _clinical_suggestions(evaluation: Evaluation) -> list[Suggestion]:
    """Suggestions for a study: the table of cut-offs and the decision curve as well."""
    from tradeoff.thresholds.operating_threshold import has_probabilities

    if not click.get_current_context().params["scores"]:  # a saved ranking
        return [*CLINICAL_SUGGESTIONS]
    words = ["--chart", "decision_curve"]
    if not all(map(has_probabilities, evaluation.rankings.values())):
        words += ["--calibrate", "logistic"]
    return [
        *CLINICAL_SUGGESTIONS,
        Suggestion("cut-off table", next_command("cutoffs")),
        Suggestion("decision curve", next_command("plot", *words)),
    ]


def _evaluate_labels(  # noqa: PLR0913, PLR0917 - the options that apply
    source: dict[str, Any],
    prevalence: float | None,
    measures: tuple[str, ...],
    vocabulary: str,
    chart: str | None,
    output_format: str,
    *,
    everything: bool,
) -> None:
    """Evaluate columns of predicted classes."""
    if chart not in {None, "roc"}:
        raise click.UsageError("Predicted labels have the chart roc: their points.")
    confidence = pop_confidence(source)
    evaluation = read_labels(source, confidence, prevalence)
    require_two_classes(evaluation, source)
    view_options: dict[str, Any] = {"metric": measures, "vocabulary": vocabulary}
    if output_format in TABLE_FORMATS:
        view_options["everything"] = everything
    text = format_result(evaluation, output_format, **view_options)
    _emit_with_charts(text, [evaluation.chart()] if chart else [], output_format)
    if not (measures or everything or chart):
        comparison = Suggestion("compare the columns", next_command("compare"))
        several = [comparison] if len(evaluation) > 1 else []
        emit_suggestions(output_format, *LABELS_SUGGESTIONS, *several)


def _comparison(scored: ScoredRows, confidence: Confidence | None) -> Comparison | None:
    """Comparison of models on the same rows; None if these are too many or not in memory."""
    from tradeoff.comparison.comparison import Comparison

    if len(scored.models.rankings) < 2 or not scored.in_memory or confidence is None:
        return None
    if max(scored.row_counts.values()) > MAX_COMPARED_ROWS:
        return None
    try:
        return Comparison(scored.paired, replace(confidence, method=None))
    except InputError:  # such as models without shared rows
        return None


def _charts(name: str, evaluation: Evaluation) -> list[Chart]:
    """Charts of an evaluation, with the threshold marked."""
    if name == "scores":
        charts = [
            evaluation[model].chart(name, threshold=threshold.value)
            for model, threshold in evaluation.operating_thresholds.items()
        ]
    else:
        thresholds = {threshold.value for threshold in evaluation.operating_thresholds.values()}
        # Marks are on all curves: those of models with thresholds of their own would mislead.
        marked = thresholds.pop() if len(thresholds) == 1 else None
        charts = [evaluation.chart(name, threshold=marked, level=None)]
    return [replace(chart, caption="") for chart in charts]


def _emit_with_charts(text: str, charts: Sequence[Chart], output_format: str) -> None:
    """Print or write a result and the charts below it."""
    if not charts:
        emit_text(text, output_format)
        return
    from tradeoff.render.terminal.draw import chart_text

    options = terminal_options(sys.stdout)
    if output_path() is not None:
        options = {"ascii_only": False, "colour": False}
    drawings = [chart_text(chart, **options) for chart in charts]
    # click would strip forced colours in a pipe.
    emit_text("\n\n".join([text, *drawings]), output_format, colour=options["colour"])
