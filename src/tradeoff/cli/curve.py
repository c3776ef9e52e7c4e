"""Command `tradeoff curve`: the points of a curve as a table, or its average over folds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import ListOption, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    calibrate_option,
    calibrated,
    costs_options,
    fold_option,
    format_option,
    large_input_options,
    level_option,
    pop_costs,
    prevalence_option,
    replicates_option,
    rows_options,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation


def _curves_help() -> str:
    from tradeoff.measures.curves import ranked_curve_names

    return f"Curves: {', '.join(ranked_curve_names())}.  [default: roc]"


@command(
    epilog=_curves_help,
    max_models=1,
    examples=[
        "scores.csv --actual churned --positive yes --score model --format csv",
        "scores.csv --actual churned --positive yes --score model --x tpr --y precision",
    ],
)
@rows_options()
@large_input_options(bins=False)
@click.option("--curve", "name", metavar="NAME", help="Name of the curve, listed below.")
@click.option("--x", metavar="METRIC", help="Metric on the x-axis, or `threshold`.")
@click.option(
    "--y",
    "ys",
    cls=ListOption,
    metavar="METRIC",
    multiple=True,
    help="Metric on the y-axis; a,b for several over `threshold`.",
)
@click.option(
    "--threshold", type=float, help="Threshold for predictive_values and for curves with rejection."
)
@click.option("--bins", type=int, help="Number of bins for bin_lift and calibration.")
@click.option(
    "--by",
    type=click.Choice(["rows", "width", "isotonic", "window"]),
    help="How a calibration curve groups rows.",
)
@click.option(
    "--window", type=int, help="Number of rows in the moving window of a calibration curve."
)
@click.option(
    "--standardized", is_flag=True, default=None, help="Divide net benefit by the prevalence."
)
@calibrate_option
@costs_options
@prevalence_option
@fold_option
@click.option(
    "--average",
    "method",
    type=click.Choice(["vertical", "horizontal", "threshold", "pooled"]),
    help="With --fold: averaging method.  [default: vertical]",
)
@click.option(
    "--band",
    type=click.Choice(["pointwise", "simultaneous", "bootstrap", "t", "sd", "se"]),
    help="Confidence band: pointwise, simultaneous or bootstrap; with --fold t, sd or se.",
)
@click.option(
    "--smooth",
    type=click.Choice(["binormal", "kernel"]),
    help="Fit a smooth ROC curve.",
)
@level_option
@replicates_option
@seed_option
@format_option("csv", "json", "text", "markdown")
def curve_command(  # noqa: C901, PLR0913 - one parameter per option, and checks of their combinations
    *,
    name: str | None,
    calibrate: Any,
    x: str | None,
    ys: tuple[str, ...],
    prevalence: float | None,
    method: Any,
    band: Any,
    smooth: str | None,
    level: float,
    replicates: int,
    seed: int,
    output_format: str,
    **source: Any,
) -> None:
    """Write the points of a curve: thresholds, counts and metrics."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("`tradeoff curve` takes one model: give --score once.")
    has_both_axes, has_any_axis = x is not None and bool(ys), x is not None or bool(ys)
    if (name is not None and has_any_axis) or (has_any_axis and not has_both_axes):
        raise click.UsageError("Give --curve NAME, or both --x METRIC and --y METRIC.")
    is_row_band = band in {"pointwise", "simultaneous", "bootstrap"}
    if (method or (band and not is_row_band)) and source["fold"] is None:
        raise click.UsageError("--average and --band t, sd or se need --fold COLUMN.")
    if is_row_band and source["fold"] is not None:
        raise click.UsageError("With --fold, --band is t, sd or se.")
    if smooth and (band or has_any_axis or name not in {None, "roc"} or source["fold"]):
        raise click.UsageError(
            "--smooth fits the ROC curve of all rows: leave out --band, --x, --y and --fold."
        )
    settings = {
        key: source.pop(key) for key in ("threshold", "bins", "by", "window", "standardized")
    }
    parameters = {key: value for key, value in settings.items() if value is not None}
    y: Any = ys[0] if len(ys) == 1 else ys or None
    curve_name = name or (None if has_any_axis else "roc")
    costs = pop_costs(source)
    if costs is not None and curve_name not in {"expected_cost", "profit"}:
        raise click.UsageError("Costs need --curve expected_cost or profit.")
    evaluation = calibrated(read_evaluation(costs=costs, **source), calibrate)
    evaluation = replace(evaluation, prevalence=prevalence)
    with progress_bar("Bootstrap resamples") as progress:
        if smooth:
            result: Any = evaluation.smooth(smooth, level=level)
            if not result.area.is_defined:
                raise InputError(f"The {result.model} cannot be fitted: {result.area.reason}.")
        elif source["fold"] is None:
            result = evaluation.curve_estimate(
                curve_name,
                x=x,
                y=y,
                band=band,
                level=level,
                replicates=replicates,
                seed=seed,
                progress=progress,
                **parameters,
            )
        else:
            result = evaluation.average(
                curve_name, method=method or "vertical", x=x, y=y, band=band, **parameters
            )
            if output_format == "csv":
                for fold, reason in result.left_out.items():
                    click.echo(f"tradeoff: fold {fold} is left out: {reason}.", err=True)
    emit(result, output_format)
