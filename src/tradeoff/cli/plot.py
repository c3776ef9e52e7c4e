"""`tradeoff plot`: any chart, in the terminal or as a picture."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.options import (
    batches_options,
    cluster_option,
    costs_of,
    costs_options,
    fold_option,
    level_option,
    prevalence_option,
    reading,
    replicates_option,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_source
from tradeoff.cli.terminal import drawing_choices

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart
    from tradeoff.sources.read import Scored

DIFFERENCES = "differences"


def _charts() -> str:
    from tradeoff.evaluation.charts import CHARTS, FOLDS
    from tradeoff.measures.curves import ranked_names

    curves = ", ".join(name for name in ranked_names() if name not in CHARTS)
    charts = ", ".join([*CHARTS, FOLDS, DIFFERENCES])
    return f"Charts: {curves} (curves); {charts}. Without a name or axes: roc."


@command(epilog=_charts)
@reading()
@batches_options(bins=False)
@click.option("--chart", "name", metavar="NAME", help="Which chart, see below.")
@click.option("--x", metavar="METRIC", help="Any metric to the right, or `threshold`.")
@click.option("--y", "ys", metavar="METRIC", multiple=True, help="Any metric, upwards.")
@click.option(
    "--output", type=OutputPath(), help="Write a picture: .png, .svg or .pdf. Else: draw here."
)
@click.option("--threshold", type=float, multiple=True, help="Mark it; repeat it for several.")
@click.option("--by", metavar="WAY", help="Mark the best threshold by this, as `threshold` does.")
@click.option("--target", type=float, help="With --by: what must be reached.")
@click.option("--hull", is_flag=True, default=None, help="The convex hull of ROC curves.")
@click.option(
    "--band",
    type=click.Choice(["pointwise", "simultaneous", "bootstrap", "t", "sd", "se"]),
    help="How sure curves are, by the rows (the first three; bootstrap by drawing rows again, at "
    "each x) or by folds.",
)
@click.option(
    "--average",
    type=click.Choice(["vertical", "horizontal", "threshold", "pooled"]),
    help="With --fold: how to average.  [default: vertical]",
)
@click.option("--along", type=click.Choice(["threshold", "depth"]), help="Of a decision.")
@click.option("--rows", type=click.Choice(["actual", "predicted"]), help="Of a matrix.")
@click.option("--bins", type=int, help="Of scores, bin_lift and calibration.")
@click.option("--gamma", type=float, help="Of rejection: what an error weighs against a hit.")
@click.option("--coverage", type=float, help="Of rejection: share that must be decided.")
@click.option("--metric", metavar="NAME", help="Of differences and areas.  [default: auc]")
@costs_options
@prevalence_option
@fold_option
@cluster_option
@level_option
@replicates_option
@seed_option
@click.option("--width", type=float, help="Inches of a picture, columns of a terminal.")
@click.option("--height", type=float, help="Inches of a picture, lines of a terminal.")
@click.option(
    "--dpi", type=click.IntRange(20, 1200), default=150, show_default=True, help="Of PNG."
)
def plot(  # noqa: PLR0913 - one parameter an option
    *,
    name: str | None,
    x: str | None,
    ys: tuple[str, ...],
    output: str | None,
    width: float | None,
    height: float | None,
    dpi: int,
    **given: Any,
) -> None:
    """Any chart of one or more models, in the terminal or as a picture."""
    if output is not None:
        from tradeoff.render.matplotlib.figures import demand_writable

        demand_writable(output)  # before anything is computed
        if (width is None) != (height is None):
            raise click.UsageError("Give both --width and --height of a picture, or neither.")
    wishes = _wishes(given, name)
    asked = {key: given.pop(key) for key in ("level", "replicates", "seed", "prevalence")}
    scored = read_source(costs=costs_of(given), **given)
    if name == DIFFERENCES:
        chart = _differences(scored, wishes, asked)
    else:
        y = ys[0] if len(ys) == 1 else list(ys) or None
        chart = _chart(scored, name, {"x": x, "y": y}, wishes, asked)
    if output is None:
        click.echo(_in_terminal(chart, width, height))
        return
    from tradeoff.render.matplotlib.figures import saved

    size = None if width is None or height is None else (width, height)
    saved(chart, output, size=size, dpi=dpi)
    click.echo(f"{output}: {chart.title}.")


def _is_averaged(name: str | None) -> bool:
    """Whether a chart averages folds; in all others they are judged together."""
    from tradeoff.evaluation.charts import CHARTS
    from tradeoff.measures.curves.registry import kind_of

    return name not in {DIFFERENCES, *CHARTS} and kind_of(name or "").averaged


def _wishes(given: dict[str, Any], name: str | None) -> dict[str, Any]:
    """What the options ask of the chart, which are taken out."""
    names = ("by", "target", "hull", "band", "average", "along", "rows", "bins", "gamma")
    wishes = {key: given.pop(key) for key in (*names, "coverage", "metric")}
    marked = given.pop("threshold")
    if marked:
        wishes["threshold"] = marked[0] if len(marked) == 1 else list(marked)
    if given["fold"] is not None and wishes["average"] is None and _is_averaged(name):
        wishes["average"] = "vertical"
    return {key: value for key, value in wishes.items() if value is not None}


def _chart(
    scored: Scored,
    name: str | None,
    axes: dict[str, Any],
    wishes: dict[str, Any],
    asked: dict[str, Any],
) -> Chart:
    from tradeoff.evaluation.evaluation import Evaluation

    if "metric" in wishes:
        wishes = {**wishes, "summary": wishes["metric"]}
        del wishes["metric"]
    with progress_bar("Bootstrap resamples") as progress:
        evaluation = Evaluation(scored.models)
        return evaluation.chart(name, **axes, **asked, **wishes, progress=progress)


def _differences(scored: Scored, wishes: dict[str, Any], asked: dict[str, Any]) -> Chart:
    """A forest plot of all pairs of models."""
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.uncertainty.confidence import Confidence

    metric = wishes.pop("metric", "auc")
    if wishes or asked.pop("prevalence") is not None:
        raise click.UsageError("Differences are chosen by --metric alone.")
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(**asked, progress=progress)
        return Comparison(scored.paired, confidence).chart(metric)


def _in_terminal(chart: Chart, width: float | None, height: float | None) -> str:
    from tradeoff.render.terminal.draw import drawn

    columns, lines = (None if size is None else int(size) for size in (width, height))
    return drawn(chart, width=columns, height=lines, **drawing_choices(sys.stdout))
