"""`tradeoff segments`: what a model is worth in each part of the population."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    all_option,
    batches_options,
    format_option,
    level_option,
    reading,
    replicates_option,
    sampling_option,
    seed_option,
    threshold_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation


@command()
@reading()
@batches_options()
@click.option("--segment", required=True, metavar="COLUMN", help="The part each row belongs to.")
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="Any metric or summary; repeat it for several.  [default: auc, tpr and fpr]",
)
@all_option
@threshold_option
@level_option
@replicates_option
@seed_option
@sampling_option
@format_option("text", "json", "markdown", "csv")
def segments(  # noqa: PLR0913 - one parameter an option
    *,
    metrics: tuple[str, ...],
    everything: bool,
    threshold: float,
    level: float,
    replicates: int,
    seed: int,
    sampling: Any,
    form: str,
    **source: Any,
) -> None:
    """What a model is worth in each segment, worst first, and how far segments are apart."""
    from tradeoff.errors import InputError
    from tradeoff.evaluation.evaluation import METRICS, SUMMARIES
    from tradeoff.uncertainty.confidence import Confidence

    if len(source["scores"]) != 1:
        raise InputError("Segments are compared for one model: give --score once.")
    evaluation = read_evaluation(**source)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, sampling, progress=progress)
        evaluation = replace(evaluation, confidence=confidence, threshold=threshold)
        chosen = (*SUMMARIES, *METRICS) if everything else metrics or ("auc", "tpr", "fpr")
        result = evaluation.by_segment(chosen)
    emit(result, form)
