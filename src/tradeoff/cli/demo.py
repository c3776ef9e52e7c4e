"""Command `tradeoff demo`: an evaluation, a threshold and a report of bundled data."""

from __future__ import annotations

import click

from tradeoff.cli.command import OutputPath, command, option_group
from tradeoff.cli.emit import emit, emit_sentence, format_sections
from tradeoff.cli.source import read_source


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

    bundled = resources.files("tradeoff.data").joinpath("weather_predictions.csv")
    with resources.as_file(bundled) as path:
        scored = read_source(str(path), actual="actual", scores=("score_pos",), positive="yes")
    evaluation = Evaluation(scored.models)
    emit_sentence("Will they play? Naive Bayes on the weather data, cross-validated in Weka.")
    click.echo()
    emit(evaluation, "text")
    click.echo()
    emit_sentence("Which threshold, if a false positive costs twice as much as a false negative?")
    decisions = evaluation.thresholds(costs=Costs(false_positive=2, false_negative=1))
    click.echo(format_sections(decisions.sections()[:1], "text"))
    click.echo()
    evaluation.report(output, title="Will they play? Naive Bayes on the weather data")
    emit_sentence(f"Wrote {output}: open it in a browser and move the threshold.")
    click.echo()
    click.echo(
        "Next, on your own file:\n"
        "  tradeoff evaluate  FILE --actual COLUMN --score COLUMN\n"
        "  tradeoff threshold FILE --actual COLUMN --score COLUMN --cost-fp 2 --cost-fn 1\n"
        "  tradeoff report    FILE --actual COLUMN --score COLUMN"
    )
