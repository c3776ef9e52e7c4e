"""Command `tradeoff plot`: a chart in the terminal or as an image file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import ListOption, OutputPath, command, option_group
from tradeoff.cli.options import (
    calibrate_option,
    calibrated,
    cluster_option,
    costs_options,
    fold_option,
    large_input_options,
    level_option,
    pop_costs,
    prevalence_option,
    replicates_option,
    rows_options,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import has_source, read_source
from tradeoff.cli.terminal import terminal_options

if TYPE_CHECKING:
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.hulls.roc_points import RocPoints
    from tradeoff.render.chart import Chart
    from tradeoff.results import ChartStyleName
    from tradeoff.sources.read import ScoredRows

DIFFERENCES = "differences"


def _charts_help() -> str:
    from tradeoff.evaluation.charts import CHARTS, FOLDS
    from tradeoff.measures.curves import ranked_curve_names

    curves = ", ".join(name for name in ranked_curve_names() if name not in CHARTS)
    charts = ", ".join([*CHARTS, FOLDS, DIFFERENCES])
    return f"Charts: {curves} (curves); {charts}.  [default: roc]"


@command(
    epilog=_charts_help,
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --score boosting",
        "scores.csv --actual churned --positive yes --score logistic --chart gains --output g.png",
        "scores.csv --actual churned --positive yes --score model --output roc.pdf --style paper",
        "--chart roc --point A=0.28,0.63 --point B=0.77,0.77 --point 'D=76 24; 12 88'",
    ],
)
@rows_options()
@large_input_options(bins=False)
@click.option("--chart", "name", metavar="NAME", help="Name of the chart, listed below.")
@click.option("--x", metavar="METRIC", help="Metric on the x-axis, or `threshold`.")
@click.option(
    "--y",
    "ys",
    cls=ListOption,
    metavar="METRIC",
    multiple=True,
    help="Metric on the y-axis; a,b for several over `threshold`.",
)
@option_group(
    "Input",
    click.option(
        "--point",
        "points",
        multiple=True,
        metavar="NAME=FPR,TPR",
        help="ROC chart: a classifier by its rates or its matrix (NAME='63 37; 28 72'); FILE is "
        "then not needed.",
    ),
)
@option_group(
    "Output",
    click.option(
        "--output",
        "-o",
        type=OutputPath(),
        help="Image file: .png, .svg or .pdf.  [default: draw in the terminal]",
    ),
)
@click.option(
    "--threshold", type=float, multiple=True, help="Threshold to mark; repeat it for several."
)
@click.option("--by", metavar="CRITERION", help="Mark the best threshold by this criterion.")
@click.option("--target", type=float, help="Value that the criterion must reach.")
@click.option("--hull", is_flag=True, default=None, help="Draw the convex hull of ROC curves.")
@click.option(
    "--band",
    type=click.Choice(["pointwise", "simultaneous", "bootstrap", "t", "sd", "se"]),
    help="Confidence band: pointwise, simultaneous or bootstrap; with --fold t, sd or se.",
)
@click.option(
    "--average",
    type=click.Choice(["vertical", "horizontal", "threshold", "pooled"]),
    help="With --fold: averaging method.  [default: vertical]",
)
@click.option(
    "--along", type=click.Choice(["threshold", "depth"]), help="x-axis of a decision chart."
)
@click.option(
    "--rows",
    type=click.Choice(["actual", "predicted"]),
    help="Classes in the rows of a confusion matrix.",
)
@click.option(
    "--bins", type=int, help="Number of bins of the scores, bin_lift and calibration charts."
)
@click.option(
    "--gamma", type=float, help="Rejection chart: cost of an error relative to a correct decision."
)
@click.option(
    "--coverage", type=float, help="Rejection chart: proportion of rows that must be decided."
)
@click.option(
    "--metric",
    metavar="NAME",
    help="Metric of the `differences` and `areas` charts.  [default: auc]",
)
@calibrate_option
@costs_options
@prevalence_option
@fold_option
@cluster_option
@level_option
@replicates_option
@seed_option
@option_group(
    "Output",
    click.option(
        "--style",
        type=click.Choice(["default", "paper"]),
        default="default",
        show_default=True,
        help="Look of an image: `paper` is one column wide (3.3 in) and grey, without title.",
    ),
    click.option("--width", type=float, help="Width in inches, or in columns of the terminal."),
    click.option("--height", type=float, help="Height in inches, or in lines of the terminal."),
    click.option(
        "--dpi",
        type=click.IntRange(20, 1200),
        help="Resolution of PNG files.  [default: 150; with --style paper 600]",
    ),
)
def plot_command(  # noqa: PLR0913 - one parameter per option
    *,
    name: str | None,
    x: str | None,
    ys: tuple[str, ...],
    points: tuple[str, ...],
    output: str | None,
    width: float | None,
    height: float | None,
    dpi: int | None,
    style: ChartStyleName,
    **options: Any,
) -> None:
    """Draw a chart of one or more models, in the terminal or to an image file."""
    if output is not None:
        from tradeoff.render.matplotlib.figures import require_picture_format

        require_picture_format(output)  # before anything is computed
        if (width is None) != (height is None):
            raise click.UsageError("Give both --width and --height of an image, or neither.")
    settings = _pop_chart_options(options, name)
    roc_points = _named_points(points, name, x, ys)
    if roc_points and not has_source(options):
        chart = roc_points.chart(hull=bool(settings.get("hull")))
    else:
        y = ys[0] if len(ys) == 1 else list(ys) or None
        chart = _chart_of_rows(name, {"x": x, "y": y}, settings, options)
        if roc_points:
            chart = _add_points(chart, roc_points, len(options["scores"]))
    if output is None:
        click.echo(_terminal_chart(chart, width, height))
        return
    from tradeoff.render.matplotlib.figures import save_charts

    size = None if width is None or height is None else (width, height)
    save_charts(chart, output, size=size, dpi=dpi, style=style)
    click.echo(f"{output}: {chart.title}.")


def _chart_of_rows(
    name: str | None, axes: dict[str, Any], settings: dict[str, Any], options: dict[str, Any]
) -> Chart:
    """Chart of the models in the rows that the command reads."""
    from tradeoff.evaluation.evaluation import Evaluation

    calibrate = options.pop("calibrate")
    uncertainty = {key: options.pop(key) for key in ("level", "replicates", "seed", "prevalence")}
    scored = read_source(costs=pop_costs(options), **options)
    if name == DIFFERENCES:
        if calibrate is not None:
            raise click.UsageError("--calibrate applies to curves, not to differences.")
        return _differences(scored, settings, uncertainty)
    evaluation = calibrated(Evaluation(scored.models), calibrate)
    return _chart(evaluation, name, axes, settings, uncertainty)


def _named_points(
    points: tuple[str, ...], name: str | None, x: str | None, ys: tuple[str, ...]
) -> RocPoints | None:
    """The points in ROC space that --point names."""
    if not points:
        return None
    if name not in {None, "roc"} or x is not None or ys:
        raise click.UsageError("--point is drawn in ROC space: add --chart roc.")
    from tradeoff.hulls.roc_points import parse_roc_point, roc_points

    named = [parse_roc_point(point) for point in points]
    names = [point_name for point_name, _ in named]
    if repeated := next((n for n in names if names.count(n) > 1), None):
        raise click.UsageError(f"Two points are called {repeated!r}: give each a name of its own.")
    return roc_points(dict(named))


def _add_points(chart: Chart, points: RocPoints, models: int) -> Chart:
    """Chart of ROC curves with further points."""
    from dataclasses import replace

    from tradeoff.hulls.roc_points_views import point_layers

    return replace(chart, layers=(*chart.layers, *point_layers(points.points, models)))


def _is_averaged(name: str | None) -> bool:
    """Whether a chart can average its curve over folds; other charts pool the folds."""
    from tradeoff.evaluation.charts import CHARTS
    from tradeoff.measures.curves.registry import curve_kind, normalized_curve_name

    return (
        name not in {DIFFERENCES, *CHARTS}
        and curve_kind(normalized_curve_name(name or "")).averaged
    )


def _pop_chart_options(options: dict[str, Any], name: str | None) -> dict[str, Any]:
    """Pop the chart options; return those that were given."""
    names = ("by", "target", "hull", "band", "average", "along", "rows", "bins", "gamma")
    settings = {key: options.pop(key) for key in (*names, "coverage", "metric")}
    thresholds = options.pop("threshold")
    if thresholds:
        settings["threshold"] = thresholds[0] if len(thresholds) == 1 else list(thresholds)
    if options["fold"] is not None and settings["average"] is None and _is_averaged(name):
        settings["average"] = "vertical"
    return {key: value for key, value in settings.items() if value is not None}


def _chart(
    evaluation: Evaluation,
    name: str | None,
    axes: dict[str, Any],
    settings: dict[str, Any],
    uncertainty: dict[str, Any],
) -> Chart:
    if "metric" in settings:
        settings = {**settings, "summary": settings["metric"]}
        del settings["metric"]
    with progress_bar("Bootstrap resamples") as progress:
        return evaluation.chart(name, **axes, **uncertainty, **settings, progress=progress)


def _differences(
    scored: ScoredRows, settings: dict[str, Any], uncertainty: dict[str, Any]
) -> Chart:
    """Forest plot of the differences between all pairs of models."""
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.uncertainty.confidence import Confidence

    metric = settings.pop("metric", "auc")
    if settings or uncertainty.pop("prevalence") is not None:
        raise click.UsageError("The differences chart takes only the option --metric.")
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(**uncertainty, progress=progress)
        return Comparison(scored.paired, confidence).chart(metric)


def _terminal_chart(chart: Chart, width: float | None, height: float | None) -> str:
    from tradeoff.render.terminal.draw import chart_text

    columns, lines = (None if size is None else int(size) for size in (width, height))
    return chart_text(chart, width=columns, height=lines, **terminal_options(sys.stdout))
