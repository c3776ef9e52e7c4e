"""`tradeoff threshold`: where to put the line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    batches_options,
    costs_of,
    costs_options,
    format_option,
    level_option,
    method_option,
    prevalence_option,
    reading,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation


def _criteria() -> str:
    from tradeoff.thresholds.criteria import described_criteria

    return f"Ways to choose: {described_criteria()}."


@command(epilog=_criteria)
@reading()
@batches_options()
@click.option("--by", metavar="WAY", help="How to choose, see below.  [default: cost or youden]")
@click.option("--target", type=float, help="What the metric must reach, or rows to take.")
@click.option("--beta", type=float, help="Of the F-measure.")
@click.option("--weight-of-misses", type=float, help="W of the distance, from 0 to 1.")
@costs_options
@prevalence_option
@click.option("--reject", is_flag=True, help="Choose a band of scores to leave undecided.")
@click.option("--gamma", type=float, help="With --reject: what an error weighs against a hit.")
@click.option("--coverage", type=float, help="With --reject: share that must be decided.")
@click.option("--capacity", type=float, help="With --reject: rows that can be reviewed.")
@click.option(
    "--tolerance", type=float, help="Also list thresholds that are worse by at most this."
)
@click.option("--no-check", is_flag=True, help="Skip the out-of-bag bootstrap.")
@click.option("--replicates", type=click.IntRange(min=2), help="Draws of the bootstrap.")
@level_option
@method_option("Of intervals:")
@seed_option
@format_option("text", "json", "markdown")
def threshold(  # noqa: PLR0913 - one parameter an option
    *,
    by: str | None,
    target: float | None,
    beta: float | None,
    weight_of_misses: float | None,
    prevalence: float | None,
    reject: bool,
    gamma: float | None,
    coverage: float | None,
    capacity: float | None,
    tolerance: float | None,
    no_check: bool,
    replicates: int | None,
    level: float,
    method: str | None,
    seed: int,
    form: str,
    **source: Any,
) -> None:
    """The best threshold, what it brings, and how sure one may be of it."""
    from tradeoff.uncertainty.confidence import Confidence

    limits: dict[str, Any] = {"gamma": gamma, "coverage": coverage, "capacity": capacity}
    if not reject and any(value is not None for value in limits.values()):
        raise click.UsageError(
            "--gamma, --coverage and --capacity choose a band: add --reject. (The 500 most likely "
            "rows: --by capacity --target 500.)"
        )
    if reject and (by is not None or target is not None or tolerance is not None):
        raise click.UsageError("A band is chosen by --gamma, costs, --coverage or --capacity.")
    costs = costs_of(source)
    if gamma is not None and costs is not None:
        raise click.UsageError("Give --gamma or costs, not both.")
    evaluation = read_evaluation(costs=costs, **source)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, method, seed=seed, progress=progress)
        evaluation = replace(evaluation, confidence=confidence, prevalence=prevalence)
        checking: dict[str, Any] = {"check": not no_check, "replicates": replicates}
        if reject:
            result = evaluation.reject_bands(**limits, **checking)
        else:
            chosen = {"beta": beta, "weight": weight_of_misses}
            parameters: dict[str, Any] = {n: v for n, v in chosen.items() if v is not None}
            result = evaluation.thresholds(
                by, target=target, tolerance=tolerance, **checking, **parameters
            )
    emit(result, form)
