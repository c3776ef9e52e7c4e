"""`tradeoff curve`: a table of points, of one model or averaged over folds."""

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
    fold_option,
    format_option,
    level_option,
    prevalence_option,
    reading,
    replicates_option,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation


def _curves() -> str:
    from tradeoff.measures.curves import ranked_names

    return f"Named curves: {', '.join(ranked_names())}. Without a name or axes: roc."


@command(epilog=_curves)
@reading()
@batches_options(bins=False)
@click.option("--curve", "name", metavar="NAME", help="A named curve, see below.")
@click.option("--x", metavar="METRIC", help="Any metric to the right, or `threshold`.")
@click.option(
    "--y",
    "ys",
    metavar="METRIC",
    multiple=True,
    help="Any metric, upwards; over `threshold` several.",
)
@click.option("--threshold", type=float, help="For predictive_values and curves of rejection.")
@click.option("--bins", type=int, help="For bin_lift and calibration.")
@click.option(
    "--by",
    type=click.Choice(["rows", "width", "isotonic", "window"]),
    help="How calibration groups rows.",
)
@click.option("--window", type=int, help="Rows of a calibration window.")
@click.option("--standardized", is_flag=True, default=None, help="Net benefit over prevalence.")
@costs_options
@prevalence_option
@fold_option
@click.option(
    "--average",
    "method",
    type=click.Choice(["vertical", "horizontal", "threshold", "pooled"]),
    help="With --fold: how to average.  [default: vertical]",
)
@click.option(
    "--band",
    type=click.Choice(["pointwise", "simultaneous", "bootstrap", "t", "sd", "se"]),
    help="Columns with a band: of the rows (the first three; bootstrap by drawing rows again, at "
    "each x), or of folds around their average.",
)
@click.option(
    "--smooth",
    type=click.Choice(["binormal", "kernel"]),
    help="A smooth model of the ROC curve instead, marked as one.",
)
@level_option
@replicates_option
@seed_option
@format_option("csv", "json", "text", "markdown")
def curve(  # noqa: C901, PLR0913 - one parameter an option, and what does not go with what
    *,
    name: str | None,
    x: str | None,
    ys: tuple[str, ...],
    prevalence: float | None,
    method: Any,
    band: Any,
    smooth: str | None,
    level: float,
    replicates: int,
    seed: int,
    form: str,
    **source: Any,
) -> None:
    """One line a threshold (or point): counts and two metrics."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("A curve is of one model: give --score once.")
    both, any_axis = x is not None and bool(ys), x is not None or bool(ys)
    if (name is not None and any_axis) or (any_axis and not both):
        raise click.UsageError("Give --curve NAME, or both --x METRIC and --y METRIC.")
    of_rows = band in {"pointwise", "simultaneous", "bootstrap"}
    if (method or (band and not of_rows)) and source["fold"] is None:
        raise click.UsageError("--average and --band t, sd or se need --fold COLUMN.")
    if of_rows and source["fold"] is not None:
        raise click.UsageError("Around an average over folds: --band t, sd or se.")
    if smooth and (band or any_axis or name not in {None, "roc"} or source["fold"]):
        raise click.UsageError("--smooth is of the ROC curve of all rows.")
    given = {key: source.pop(key) for key in ("threshold", "bins", "by", "window", "standardized")}
    parameters = {key: value for key, value in given.items() if value is not None}
    y: Any = ys[0] if len(ys) == 1 else ys or None
    named = name or (None if any_axis else "roc")
    costs = costs_of(source)
    if costs is not None and named not in {"expected_cost", "profit"}:
        raise click.UsageError("Costs go with --curve expected_cost or profit.")
    evaluation = replace(read_evaluation(costs=costs, **source), prevalence=prevalence)
    with progress_bar("Bootstrap resamples") as progress:
        if smooth:
            result: Any = evaluation.smooth(smooth, level=level)
            if not result.area.is_defined:
                raise InputError(f"No {result.model} fits these rows: {result.area.reason}.")
        elif source["fold"] is None:
            result = evaluation.curve_estimate(
                named,
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
                named, method=method or "vertical", x=x, y=y, band=band, **parameters
            )
            if form == "csv":
                for fold, why in result.left_out.items():
                    click.echo(f"tradeoff: fold {fold} is left out: {why}.", err=True)
    emit(result, form)
