"""The command line. Each command reads, asks the library, and prints; nothing is computed here.

Only click is imported at the top: `tradeoff --help` must answer at once.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tradeoff.errors import TradeoffError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.analysis.registry import Measure
    from tradeoff.presentation.sections import Section
    from tradeoff.ranking.ranking import Ranking
    from tradeoff.sources.arrays import ScoredRows

Function = TypeVar("Function", bound=Callable[..., Any])


class Program(click.Group):
    """Commands whose mistakes in input end with one sentence and exit code 2."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; an expected error is a sentence, never a traceback."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal that has no ≥ gets an escape
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except TradeoffError as problem:
            click.echo(f"tradeoff: {_as_flags(str(problem))}", err=True)
            sys.exit(2)
        except BrokenPipeError:
            sys.stderr.close()  # the reader of our output has seen enough
            sys.exit(0)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Commands in the order a newcomer needs them."""
        return list(self.commands)


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tradeoff")
def main() -> None:
    """Judge classifiers and decide where to put the line."""


def reading(*, optional: bool = False) -> Callable[[Function], Function]:
    """The options of every command that reads scored rows."""
    options = [
        click.argument("file", required=not optional, type=click.Path()),
        click.option("--actual", required=not optional, metavar="COLUMN", help="The actual class."),
        click.option(
            "--score",
            "scores",
            multiple=True,
            required=not optional,
            metavar="COLUMN",
            help="The score of the positive class; repeat it for several models.",
        ),
        click.option("--positive", metavar="CLASS", help="Which class is positive."),
        click.option("--weight", metavar="COLUMN", help="What each row counts."),
        click.option(
            "--missing",
            type=click.Choice(["error", "drop", "reject", "negative"]),
            default="error",
            show_default=True,
            help="What to do with rows without a score.",
        ),
        click.option("--lower-is-positive", is_flag=True, help="Low scores mean positive."),
        click.option("--digits", type=int, help="Round scores to so many decimals first."),
    ]

    def decorate(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def format_option(*formats: str) -> Callable[[Function], Function]:
    """How to write the result."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to write the result.",
    )


threshold_option = click.option(
    "--threshold",
    type=float,
    default=0.5,
    show_default=True,
    help="Rows that score at least this are predicted positive.",
)
all_option = click.option("--all", "everything", is_flag=True, help="Show every measure.")


@main.command()
def demo() -> None:
    """Evaluate the bundled weather predictions: 14 rows, naive Bayes."""
    from importlib import resources

    from tradeoff.presentation.tables import evaluation_sections
    from tradeoff.presentation.terminal import roc_chart

    bundled = resources.files("tradeoff.data").joinpath("weather_predictions.csv")
    with resources.as_file(bundled) as path:
        rows = _rows(str(path), actual="actual", scores=("score_pos",), positive="yes")["score_pos"]
    ranking = rows.ranking()
    click.echo("Will they play? Naive Bayes on the weather data, ten-fold cross-validated in Weka.")
    click.echo()
    sections = evaluation_sections({"score_pos": ranking}, 0.5)
    _show([*sections, _predictions(rows, ranking, 0.5)], "text")
    click.echo()
    click.echo(roc_chart(ranking, ascii_only=not _shows_unicode()))
    click.echo()
    click.echo(
        "The same, on your own file:\n  tradeoff evaluate FILE --actual COLUMN --score COLUMN"
    )


@main.command()
@reading()
@threshold_option
@all_option
@click.option("--predictions", is_flag=True, help="List the rows, most confident first.")
@click.option("--chart", is_flag=True, help="Draw the ROC curve.")
@format_option("text", "json", "markdown", "csv")
def evaluate(
    threshold: float, everything: bool, predictions: bool, chart: bool, form: str, **source: Any
) -> None:
    """Confusion matrix, metrics and areas of one or more models."""
    from tradeoff.presentation import documents
    from tradeoff.presentation.tables import evaluation_sections
    from tradeoff.presentation.terminal import roc_chart

    if form not in {"text", "markdown"} and (predictions or chart):
        raise click.UsageError("--predictions and --chart go with text or Markdown.")
    rows = _rows(**source)
    rankings = {name: model.ranking() for name, model in rows.items()}
    _demand_rows(rankings, source["file"])
    if form == "json":
        click.echo(documents.as_json(documents.evaluation_document(rankings, threshold)))
        return
    if form == "csv":
        click.echo(documents.evaluation_csv(rankings, threshold))
        return
    sections = evaluation_sections(rankings, threshold, everything=everything)
    if predictions:
        sections += [_predictions(rows[name], rankings[name], threshold) for name in rows]
    _show(sections, form)
    for ranking in rankings.values() if chart else ():
        click.echo()
        click.echo(roc_chart(ranking, ascii_only=not _shows_unicode()))


@main.command()
@reading()
@click.option("--curve", "name", metavar="NAME", help="A named curve: roc.")
@click.option("--x", metavar="METRIC", help="Any metric, to the right.")
@click.option("--y", metavar="METRIC", help="Any metric, upwards.")
@format_option("csv", "json")
def curve(name: str | None, x: str | None, y: str | None, form: str, **source: Any) -> None:
    """One line a threshold: counts and two metrics."""
    from tradeoff.errors import InputError
    from tradeoff.evaluation import Evaluation
    from tradeoff.presentation import documents

    if len(source["scores"]) > 1:
        raise InputError("A curve is of one model: give --score once.")
    both, any_axis = x is not None and y is not None, x is not None or y is not None
    if (name is not None and any_axis) or (any_axis and not both):
        raise click.UsageError("Give --curve NAME, or both --x METRIC and --y METRIC.")
    rankings = {name: model.ranking() for name, model in _rows(**source).items()}
    _demand_rows(rankings, source["file"])
    chosen = Evaluation(rankings).curve(name or (None if x or y else "roc"), x=x, y=y)
    if form == "json":
        click.echo(documents.as_json(documents.curve_document(chosen)))
    else:
        click.echo(documents.curve_csv(chosen))


@main.command()
@click.argument("table")
@click.option("--classes", metavar="A,B,…", help="Names, in the order of the table.")
@click.option(
    "--positive", metavar="CLASS", help="Which class is positive; the first, if not said."
)
@click.option(
    "--rows",
    type=click.Choice(["actual", "predicted"]),
    default="actual",
    show_default=True,
    help="What the table's rows are.",
)
@click.option("--joint", is_flag=True, help="Rows are observed values: apply the MAP rule first.")
@all_option
@format_option("text", "json", "markdown", "csv")
def matrix(  # noqa: PLR0913 - one parameter an option
    *,
    table: str,
    classes: str | None,
    positive: str | None,
    rows: Any,
    joint: bool,
    everything: bool,
    form: str,
) -> None:
    """Metrics of a confusion matrix such as "7 2; 4 1".

    One column more than classes holds the rejected ("don't know") rows.
    """
    from tradeoff.presentation import documents
    from tradeoff.presentation.tables import matrix_sections
    from tradeoff.sources.counts import matrix_of_counts, matrix_of_joint_counts

    names = None if classes is None else [name.strip() for name in classes.split(",")]
    if joint:
        chosen, result = matrix_of_joint_counts(table, names)
        click.echo(f"Most likely class for each row of the table: {', '.join(chosen)}.\n", err=True)
    else:
        result = matrix_of_counts(table, names, rows=rows, positive=positive)
    if form == "json":
        click.echo(documents.as_json(documents.matrix_document(result)))
    elif form == "csv":
        click.echo(documents.as_csv(["actual", "predicted", "count"], result.cells()))
    else:
        as_given = not names or names[0] == result.classes[0]
        sections = matrix_sections(
            result, rows=rows, positive_first=as_given, everything=everything
        )
        _show(sections, form)


@main.command()
@format_option("text", "json", "markdown")
def metrics(form: str) -> None:
    """List all metrics and summaries with their formulas and other names."""
    from tradeoff.presentation import documents
    from tradeoff.presentation.tables import registry_sections

    measures = _measures()
    if form == "json":
        click.echo(documents.as_json([documents.measure_document(m) for m in measures]))
    else:
        _show(registry_sections(measures), form)


@main.command()
@click.argument("name", metavar="METRIC")
@reading(optional=True)
@threshold_option
@click.option("--matrix", "table", metavar='"7 2; 4 1"', help="Counts in place of a file.")
@format_option("text", "markdown")
def explain(name: str, threshold: float, table: str | None, form: str, **source: Any) -> None:
    """What a measure means, with the counts filled in when FILE is given."""
    from tradeoff.presentation.tables import explanation_sections
    from tradeoff.sources.counts import matrix_of_counts

    measure = _found(name)
    subjects: list[Any] = [None]
    if source["file"] is not None and table is not None:
        raise click.UsageError("Give FILE or --matrix, not both.")
    if source["file"] is not None:
        _demand_columns(source)
        rankings = [model.ranking() for model in _rows(**source).values()]
        metric = measure.kind == "metric"
        subjects = [ranking.at(threshold) if metric else ranking for ranking in rankings]
    elif table is not None:
        subjects = [matrix_of_counts(table, positive=source["positive"])]
    for subject in subjects:
        _show(explanation_sections(measure, subject), form)


def _rows(
    file: str, *, actual: str, scores: Sequence[str], **options: Any
) -> dict[str, ScoredRows]:
    from tradeoff.reading import read

    return dict(read(file, actual=actual, score=scores, **options).rows)


def _predictions(rows: ScoredRows, ranking: Ranking, at: float) -> Section:
    from tradeoff.presentation.tables import predictions_section

    return predictions_section(rows.scores, rows.labels.positive_rows, rows.places, ranking, at)


def _measures() -> list[Measure]:
    from tradeoff.evaluation import METRICS, SUMMARIES

    return [*METRICS.values(), *SUMMARIES.values()]


def _found(name: str) -> Measure:
    from tradeoff.evaluation import METRICS, SUMMARIES

    registry = SUMMARIES if SUMMARIES.knows(name.partition("(")[0]) else METRICS
    return registry.find(name)


def _demand_rows(rankings: dict[str, Any], file: str) -> None:
    from tradeoff.errors import InputError

    if not any(ranking.rows for ranking in rankings.values()):
        raise InputError(f"{file} has no rows to evaluate.")


def _demand_columns(source: dict[str, Any]) -> None:
    if source["actual"] is None or not source["scores"]:
        raise click.UsageError("With FILE, say which columns to read: --actual and --score.")


def _show(sections: Sequence[Section], form: str) -> None:
    from tradeoff.presentation.sections import as_markdown, as_text

    click.echo(as_markdown(sections) if form == "markdown" else as_text(sections))


def _as_flags(message: str) -> str:
    """The library's advice in the words of the command line: positive='yes' is --positive yes."""
    return re.sub(r"""\b(positive|missing)=(["'])(.*?)\2""", r"--\1 \3", message)


def _shows_unicode() -> bool:
    return "utf" in (sys.stdout.encoding or "").lower()
