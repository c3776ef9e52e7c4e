"""Command `tradeoff threshold`: the best threshold or reject band."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    COST_FLAGS,
    costs_options,
    format_option,
    large_input_options,
    level_option,
    method_option,
    pop_costs,
    prevalence_option,
    rows_options,
    seed_option,
    terminology_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

SUGGESTIONS = (
    Suggestion("another criterion", "--by f1", unless=("--target", *COST_FLAGS.values())),
    Suggestion("costs", "--cost-fp 1 --cost-fn 5", unless=("--by", *COST_FLAGS.values())),
    Suggestion(
        "leave cases undecided",
        "--reject --coverage 0.9",
        unless=("--by", "--target", "--tolerance"),
    ),
)
REJECT_SUGGESTIONS = (
    Suggestion("decide at least 90%", "--coverage 0.9", unless=("--capacity",)),
    Suggestion("review at most 200", "--capacity 200", unless=("--coverage",)),
    Suggestion(
        "costs",
        "--cost-fp 1 --cost-fn 5 --cost-reject 0.5",
        unless=("--gamma", *COST_FLAGS.values()),
    ),
)


def _criteria_help() -> str:
    """Text that lists the threshold criteria; those that take a target come last."""
    from tradeoff.thresholds.criteria import CRITERIA

    entries = [entry for entry in CRITERIA.values() if entry.is_listed]
    without_target = [entry.name for entry in entries if entry.target == "refused"]
    with_target = [
        f"{entry.name} ({entry.target_meaning})" if entry.target_meaning else entry.name
        for entry in entries
        if entry.target != "refused"
    ]
    return (
        f"Criteria: {', '.join(without_target)}, or any metric; with --target also "
        f"{', '.join(with_target)}."
    )


@command(
    epilog=_criteria_help,
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --cost-fp 5 --cost-fn 60",
        "scores.csv --actual churned --positive yes --score logistic --by tpr --target 0.9",
    ],
)
@rows_options()
@large_input_options()
@click.option(
    "--by", metavar="CRITERION", help="Criterion, listed below.  [default: cost or youden]"
)
@click.option(
    "--target",
    type=float,
    help="Value that the metric must reach, or the number or proportion of rows.",
)
@click.option("--beta", type=float, help="Beta of the F measure.")
@click.option(
    "--weight-of-misses",
    type=float,
    help="Weight of false negatives in a distance criterion, from 0 to 1.",
)
@costs_options
@prevalence_option
@click.option("--reject", is_flag=True, help="Choose a band of scores to leave undecided.")
@click.option(
    "--gamma", type=float, help="With --reject: weight of an error relative to a correct decision."
)
@click.option("--coverage", type=float, help="With --reject: proportion of rows to decide.")
@click.option("--capacity", type=float, help="With --reject: number of rows that can be reviewed.")
@click.option(
    "--tolerance", type=float, help="Also list thresholds that are worse by at most this amount."
)
@click.option(
    "--details",
    multiple=True,
    metavar="MODEL",
    help="Of several models, also show this one's confusion matrix, metrics and similar "
    "thresholds; a,b for several.",
)
@click.option("--no-check", is_flag=True, help="Skip the out-of-bag bootstrap.")
@click.option("--replicates", type=click.IntRange(min=2), help="Number of bootstrap resamples.")
@level_option
@method_option("Interval method:")
@seed_option
@terminology_option
@format_option("text", "json", "markdown", "csv")
def threshold_command(  # noqa: PLR0913 - one parameter per option
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
    details: tuple[str, ...],
    no_check: bool,
    replicates: int | None,
    level: float,
    method: str | None,
    seed: int,
    vocabulary: Any,
    output_format: str,
    **source: Any,
) -> None:
    """Choose a threshold, and estimate how it performs on these rows and on new data."""
    from tradeoff.uncertainty.confidence import Confidence

    band_options: dict[str, Any] = {"gamma": gamma, "coverage": coverage, "capacity": capacity}
    if not reject and any(value is not None for value in band_options.values()):
        raise click.UsageError(
            "--gamma, --coverage and --capacity are for a reject band: add --reject. (For the 500 "
            "highest scores: --by capacity --target 500.)"
        )
    if reject and (by is not None or target is not None or tolerance is not None):
        raise click.UsageError(
            "--reject takes --gamma, costs, --coverage or --capacity, but not --by, --target or "
            "--tolerance."
        )
    costs = pop_costs(source)
    if by == "cost" and costs is None:
        raise click.UsageError("--by cost needs costs, as in --cost-fp 1 --cost-fn 5.")
    if gamma is not None and costs is not None:
        raise click.UsageError("Give --gamma or costs, not both.")
    evaluation = read_evaluation(costs=costs, **source)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, method, seed=seed, progress=progress)
        evaluation = replace(evaluation, confidence=confidence, prevalence=prevalence)
        bootstrap_options: dict[str, Any] = {
            "check": not no_check,
            "replicates": replicates,
            "vocabulary": vocabulary,
        }
        if reject:
            result = evaluation.reject_bands(**band_options, **bootstrap_options)
        else:
            options = {"beta": beta, "weight": weight_of_misses}
            parameters: dict[str, Any] = {n: v for n, v in options.items() if v is not None}
            result = evaluation.thresholds(
                by, target=target, tolerance=tolerance, **bootstrap_options, **parameters
            )
    models = [decision.ranking.name for decision in result]
    details = tuple(
        name for text in details for name in ([text] if text in models else text.split(","))
    )
    for model in details:
        result[model]  # an unknown name is an error, whatever the format
    view_options: dict[str, Any] = {"details": details} if output_format != "json" else {}
    emit(result, output_format, **view_options)
    if reject:
        emit_suggestions(output_format, *REJECT_SUGGESTIONS)
        return
    words = f"--details {shlex.quote(models[0])}"
    details_of_best = [Suggestion("details of a model", words)] if len(models) > 1 else []
    emit_suggestions(output_format, *details_of_best, *SUGGESTIONS)
