"""`tradeoff curve`: a table of points, of one model or averaged over folds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.options import (
    costs_of,
    costs_options,
    fold_option,
    format_option,
    prevalence_option,
    reading,
)
from tradeoff.cli.program import read_source, show

if TYPE_CHECKING:
    from tradeoff.evaluation import Evaluation

NAMES = (
    "roc, precision_recall, precision_recall_gain, gains, lift, bin_lift, det, cost, "
    "expected_cost, profit, net_benefit, accuracy_rejection, risk_coverage, calibration, brier, "
    "ks, predictive_values"
)


@click.command(epilog=f"Named curves: {NAMES}. Without a name or axes: roc.")
@reading()
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
    type=click.Choice(["t", "sd", "se"]),
    help="With a vertical average: columns with a pointwise band.",
)
@format_option("csv", "json", "text", "markdown")
def curve(  # noqa: PLR0913 - one parameter an option
    *,
    name: str | None,
    x: str | None,
    ys: tuple[str, ...],
    prevalence: float | None,
    method: Any,
    band: Any,
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
    if (method or band) and source["fold"] is None:
        raise click.UsageError("--average and --band need --fold COLUMN.")
    given = {key: source.pop(key) for key in ("threshold", "bins", "by", "window", "standardized")}
    parameters = {key: value for key, value in given.items() if value is not None}
    y = ys[0] if len(ys) == 1 else ys or None
    named = name or (None if any_axis else "roc")
    costs = costs_of(source)
    if costs is not None and named not in {"expected_cost", "profit"}:
        raise click.UsageError("Costs go with --curve expected_cost or profit.")
    evaluation = read_source(costs=costs, **source).evaluation
    if prevalence is not None:
        evaluation = evaluation.at_prevalence(prevalence)
    if source["fold"] is None:
        _show_curve(evaluation, named, {"x": x, "y": y, **parameters}, form)
    else:
        asked = {"x": x, "y": y, "method": method or "vertical", **parameters}
        _show_average(evaluation, named, asked, band, form)


def _show_curve(evaluation: Evaluation, name: str | None, asked: dict[str, Any], form: str) -> None:
    from tradeoff.presentation import documents
    from tradeoff.presentation.curves import curve_sections

    chosen = evaluation.curve(name, **asked)
    if form == "json":
        click.echo(documents.as_json(documents.curve_document(chosen)))
    elif form == "csv":
        click.echo(documents.curve_csv(chosen))
    else:
        show(curve_sections(chosen), form)


def _show_average(
    evaluation: Evaluation, name: str | None, asked: dict[str, Any], band: Any, form: str
) -> None:
    from tradeoff.presentation import documents
    from tradeoff.presentation.curves import average_sections, band_columns

    average = evaluation.average(name, **asked)
    bands = band_columns(average, band) if band else {}
    if form == "json":
        click.echo(documents.as_json(documents.average_document(average, bands)))
    elif form == "csv":
        for fold, why in average.left_out.items():
            click.echo(f"tradeoff: fold {fold} is left out: {why}.", err=True)
        click.echo(documents.average_csv(average, bands))
    else:
        show(average_sections(average, bands), form)
