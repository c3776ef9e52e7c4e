"""`tradeoff demo`: the main job, on bundled data."""

from __future__ import annotations

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.evaluate import draw_chart, predictions_sections
from tradeoff.cli.source import read_source


@command()
@click.option(
    "--output",
    type=OutputPath(),
    default="tradeoff-demo.html",
    show_default=True,
    help="Where to write the report.",
)
def demo(*, output: str) -> None:
    """Evaluate the bundled weather predictions: 14 rows, naive Bayes."""
    from importlib import resources

    from tradeoff.core.costs import Costs
    from tradeoff.evaluation.evaluation import Evaluation

    bundled = resources.files("tradeoff.data").joinpath("weather_predictions.csv")
    with resources.as_file(bundled) as path:
        scored = read_source(str(path), actual="actual", scores=("score_pos",), positive="yes")
    evaluation = Evaluation(scored.models)
    click.echo("Will they play? Naive Bayes on the weather data, ten-fold cross-validated in Weka.")
    click.echo()
    emit(evaluation, "text", more=predictions_sections(scored.rows, evaluation))
    click.echo()
    draw_chart("roc", evaluation)
    click.echo()
    click.echo("Where should the line be if a spoilt day costs twice as much as a missed one?")
    click.echo()
    emit(evaluation.thresholds(costs=Costs(false_positive=2, false_negative=1)), "text")
    click.echo()
    evaluation.report(output, title="Will they play? Naive Bayes on the weather data")
    click.echo(f"Wrote {output}: open it in a browser and move the line.")
    click.echo()
    click.echo(
        "The same, on your own file:\n  tradeoff evaluate FILE --actual COLUMN --score COLUMN\n"
        "  tradeoff threshold FILE --actual COLUMN --score COLUMN --cost-fp 2 --cost-fn 1\n"
        "  tradeoff report FILE --actual COLUMN --score COLUMN"
    )
