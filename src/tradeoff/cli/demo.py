"""Command `tradeoff demo`: evaluate bundled data, choose a threshold and write a report."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tradeoff.cli.command import OutputPath, command, option_group
from tradeoff.cli.emit import emit_message, format_sections
from tradeoff.cli.source import read_source
from tradeoff.cli.terminal import terminal_options

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.evaluation.evaluation import Evaluation

CHART_WIDTH, CHART_HEIGHT = 56, 5


@command(examples=["", "--output weather.html"])
@option_group(
    "Output",
    click.option(
        "--output",
        type=OutputPath(),
        default="tradeoff-demo.html",
        show_default=True,
        help="File to write the report to.",
    ),
)
def demo_command(*, output: str) -> None:
    """Evaluate bundled weather predictions: 14 days, naive Bayes."""
    from importlib import resources

    from tradeoff.core.costs import Costs
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.render.estimate_text import format_estimate
    from tradeoff.render.sections import Section

    bundled = resources.files("tradeoff.data").joinpath("weather_predictions.csv")
    with resources.as_file(bundled) as path:
        scored = read_source(str(path), actual="actual", scores=("score_pos",), positive="yes")
    evaluation = Evaluation(scored.models)
    decisions = evaluation.thresholds(costs=Costs(false_positive=2, false_negative=1))
    evaluation.report(output, title="Will they play? Naive Bayes on the weather data")
    matrix = evaluation.at()
    emit_message("Will they play? Naive Bayes on 14 days of weather, cross-validated in Weka.")
    auc = format_estimate(evaluation.auc)
    emit_message(f"AUC {auc}, 95% CI: too few days to distinguish it from chance.")
    click.echo()
    click.echo(_roc_text(evaluation))
    click.echo()
    click.echo(format_sections([Section("At 0.5:", table=_matrix_table(matrix))], "text"))
    click.echo()
    emit_message("If a false positive costs twice as much as a false negative:")
    click.echo(format_sections(decisions.sections()[:1], "text"))
    click.echo()
    emit_message(f"Wrote {output}: open it in a browser and move the threshold.")
    click.echo()
    click.echo(
        "Next, on your own file:\n"
        "  tradeoff evaluate  FILE --actual COLUMN --score COLUMN\n"
        "  tradeoff threshold FILE --actual COLUMN --score COLUMN\n"
        "  tradeoff report    FILE --actual COLUMN --score COLUMN"
    )


def _matrix_table(matrix: ConfusionMatrix) -> tuple[tuple[str, ...], ...]:
    """The confusion matrix as a table."""
    return tuple(map(tuple, matrix.table()))


def _roc_text(evaluation: Evaluation) -> str:
    """A small ROC curve with its chance line, without title, legend and caption."""
    from tradeoff.render.chart import Line
    from tradeoff.render.terminal.draw import chart_text

    chart = evaluation.chart("roc", threshold=evaluation.operating_threshold, level=None)
    lines = [layer for layer in chart.layers if isinstance(layer, Line)]
    layers = tuple(replace(line, label="") for line in lines)
    options = terminal_options(sys.stdout)
    chart = replace(chart, layers=layers, title="", caption="")
    return chart_text(chart, width=CHART_WIDTH, height=CHART_HEIGHT, **options)
