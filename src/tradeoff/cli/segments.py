"""Command `tradeoff segments`: metrics of a model in each segment of the population."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import ListOption, command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    all_option,
    format_option,
    large_input_options,
    level_option,
    replicates_option,
    rows_options,
    sampling_option,
    seed_option,
    terminology_option,
    threshold_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

SUGGESTIONS = (
    Suggestion("other metrics", "--metric f1", unless=("--all",)),
    Suggestion("all", "--all"),
    Suggestion("at another threshold", "--threshold 0.3"),
)


@command(
    max_models=1,
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --segment region",
        "scores.csv --actual churned --positive yes --score logistic --segment region --all",
    ],
)
@rows_options()
@large_input_options()
@option_group(
    "Columns",
    click.option(
        "--segment",
        required=True,
        metavar="COLUMN",
        help="Column that divides the population into segments.",
    ),
)
@click.option(
    "--metric",
    "metrics",
    cls=ListOption,
    multiple=True,
    metavar="NAME",
    help="A metric or a threshold-free measure; a,b for several.  [default: auc, tpr and fpr]",
)
@all_option
@terminology_option
@threshold_option
@level_option
@replicates_option
@seed_option
@sampling_option
@format_option("text", "json", "markdown", "csv")
def segments_command(  # noqa: PLR0913 - one parameter per option
    *,
    metrics: tuple[str, ...],
    everything: bool,
    vocabulary: Any,
    threshold: float | None,
    level: float,
    replicates: int,
    seed: int,
    sampling: Any,
    output_format: str,
    **source: Any,
) -> None:
    """Compute metrics in each segment, worst first, and the gaps between segments."""
    from tradeoff.errors import InputError
    from tradeoff.evaluation.evaluation import METRICS, SUMMARIES
    from tradeoff.uncertainty.confidence import Confidence

    if len(source["scores"]) != 1:
        raise InputError("`tradeoff segments` takes one model: give --score once.")
    evaluation = read_evaluation(**source)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, sampling, progress=progress)
        evaluation = replace(evaluation, confidence=confidence, threshold=threshold)
        all_measures = [*SUMMARIES.values(), *METRICS.values()]
        measures = all_measures if everything else metrics or None
        result = evaluation.by_segment(measures, vocabulary=vocabulary)
    emit(result, output_format)
    emit_suggestions(output_format, *SUGGESTIONS)
