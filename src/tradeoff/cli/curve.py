"""`tradeoff curve`: a table of points, of one model or averaged over folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
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
from tradeoff.cli.program import show
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation

if TYPE_CHECKING:
    from tradeoff.evaluation.evaluation import Evaluation

NAMES = (
    "roc, precision_recall, precision_recall_gain, gains, lift, bin_lift, det, cost, "
    "expected_cost, profit, net_benefit, accuracy_rejection, risk_coverage, calibration, brier, "
    "ks, predictive_values"
)


@command(epilog=f"Named curves: {NAMES}. Without a name or axes: roc.")
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
def curve(  # noqa: PLR0913 - one parameter an option
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
    y = ys[0] if len(ys) == 1 else ys or None
    named = name or (None if any_axis else "roc")
    costs = costs_of(source)
    if costs is not None and named not in {"expected_cost", "profit"}:
        raise click.UsageError("Costs go with --curve expected_cost or profit.")
    evaluation = read_evaluation(costs=costs, **source)
    if prevalence is not None:
        evaluation = evaluation.at_prevalence(prevalence)
    if smooth:
        _show_smooth(evaluation, smooth, level, form)
    elif source["fold"] is None:
        asked = {"x": x, "y": y, **parameters}
        drawing = {"level": level, "replicates": replicates, "seed": seed}
        _show_curve(evaluation, named, asked, (band, drawing) if band else None, form)
    else:
        asked = {"x": x, "y": y, "method": method or "vertical", **parameters}
        _show_average(evaluation, named, asked, band, form)


def _show_curve(
    evaluation: Evaluation,
    name: str | None,
    asked: dict[str, Any],
    banded: tuple[Any, dict[str, Any]] | None,
    form: str,
) -> None:
    from tradeoff.render.values import as_json
    from tradeoff.views.curves import (
        curve_csv,
        curve_document,
        curve_sections,
    )

    chosen = evaluation.curve(name, **asked)
    area = evaluation.auc if name == "roc" else chosen.area()
    band = None
    if banded is not None:
        kind, drawing = banded
        if kind == "bootstrap":
            kind, drawing = "pointwise", {**drawing, "method": "bootstrap"}
        with progress_bar("Bootstrap resamples") as told:
            band = evaluation.band(name, kind=kind, **asked, **drawing, progress=told)
    if form == "json":
        click.echo(as_json(curve_document(chosen, band, area)))
    elif form == "csv":
        click.echo(curve_csv(chosen, band))
    else:
        show(curve_sections(chosen, band, area), form)


def _show_smooth(evaluation: Evaluation, model: str, level: float, form: str) -> None:
    from tradeoff.errors import InputError
    from tradeoff.render.values import as_json
    from tradeoff.smooth.curve import smooth_csv, smooth_document, smooth_sections

    curve = evaluation.smooth(model, level=level)
    if not curve.area.is_defined:
        raise InputError(f"No {curve.model} fits these rows: {curve.area.reason}.")
    if form == "json":
        click.echo(as_json(smooth_document(curve)))
    elif form == "csv":
        click.echo(smooth_csv(curve))
    else:
        show(smooth_sections(curve), form)


def _show_average(
    evaluation: Evaluation, name: str | None, asked: dict[str, Any], band: Any, form: str
) -> None:
    from tradeoff.render.values import as_json
    from tradeoff.views.curves import (
        average_csv,
        average_document,
        average_sections,
        band_columns,
    )

    average = evaluation.average(name, **asked)
    bands = band_columns(average, band) if band else {}
    if form == "json":
        click.echo(as_json(average_document(average, bands)))
    elif form == "csv":
        for fold, why in average.left_out.items():
            click.echo(f"tradeoff: fold {fold} is left out: {why}.", err=True)
        click.echo(average_csv(average, bands))
    else:
        show(average_sections(average, bands), form)
