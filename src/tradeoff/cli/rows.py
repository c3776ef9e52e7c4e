"""Command `tradeoff rows`: the rows of an outcome, nearest to the threshold first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import OutputPath, command, option_group
from tradeoff.cli.emit import emit, emit_message
from tradeoff.cli.options import (
    format_option,
    rows_options,
    threshold_option,
)
from tradeoff.cli.progress import rows_bar
from tradeoff.cli.source import parse_source, require_columns
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

if TYPE_CHECKING:
    from tradeoff.outcomes.outcome_rows import OutcomeRows

ID_SUGGESTION = Suggestion("identify them", "--id COLUMN")
MORE_SUGGESTION = Suggestion("more of them", "--nearest 100")
FILE_SUGGESTION = Suggestion("all, to a file", "-o rows.csv", unless=("--nearest",))
OUTCOME_NAMES = "fn, fp, tp, tn, rejected, error, predicted-positive or predicted-negative"


@command(
    max_models=1,
    examples=[
        "scores.csv --actual churned --positive yes --score p --outcome fn --id customer",
        "scores.csv --actual churned --positive yes --score p --outcome fp -o false_alarms.csv",
        "animals.csv --actual kind --predicted guess --actual-class cat --predicted-class dog",
    ],
)
@rows_options()
@option_group(
    "Columns",
    click.option(
        "--id",
        "ids",
        multiple=True,
        metavar="COLUMN",
        help="Column that identifies a row; repeat it for several. Without it, rows are numbered.",
    ),
    click.option(
        "--predicted", metavar="COLUMN", help="Column of the predicted class, instead of scores."
    ),
)
@option_group(
    "Input",
    click.option(
        "--memory",
        metavar="SIZE",
        help="Memory limit, such as 2GB; rows are then read in batches, as large files always are.",
    ),
    click.option(
        "--bad-rows",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        show_default=True,
        help="What to do with lines that cannot be parsed.",
    ),
)
@click.option("--outcome", metavar="NAME", help=f"Which rows: {OUTCOME_NAMES}.")
@click.option(
    "--actual-class", metavar="CLASS", help="Only rows of this class (of two or more classes)."
)
@click.option("--predicted-class", metavar="CLASS", help="Only rows predicted to be of this class.")
@threshold_option
@option_group(
    "Decision",
    click.option(
        "--band",
        metavar="LOW,HIGH",
        help="Reject scores from LOW to below HIGH, instead of a threshold.",
    ),
)
@option_group(
    "Output",
    click.option(
        "--nearest",
        type=click.IntRange(min=0),
        help="Number of rows to list, nearest to the threshold first.  [default: 20; all with -o]",
    ),
    click.option(
        "--output",
        "-o",
        type=OutputPath(),
        metavar="FILE",
        help="Write the rows to this .csv or .parquet file.",
    ),
)
@format_option("text", "json", "csv", "markdown", is_written=False)
def rows_command(  # noqa: PLR0913 - one parameter per option
    *,
    ids: tuple[str, ...],
    predicted: str | None,
    outcome: str | None,
    actual_class: str | None,
    predicted_class: str | None,
    threshold: Any,
    band: str | None,
    nearest: int | None,
    output: str | None,
    units: str,
    output_format: str,
    **source: Any,
) -> None:
    """List the rows of an outcome, such as false negatives, nearest to the threshold first."""
    listed = 20 if nearest is None else nearest
    has_classes = bool(predicted) or any("=" in score for score in source["scores"])
    if has_classes or len(source["scores"]) > 1:
        _require_no_outcome(outcome, source, has_classes=has_classes)
        result = _class_rows(
            source, predicted, actual_class, predicted_class, ids, listed, output, units
        )
    else:
        cell = (actual_class, predicted_class)
        result = read_outcome_rows(
            source,
            outcome=outcome or _outcome_of_cell(*cell, source["positive"]),
            threshold=threshold,
            band=None if band is None else _parse_band(band),
            ids=ids,
            nearest=listed,
            path=output if nearest is None else None,
            units=units,
        )
    if output is not None and nearest is not None:
        result.write(output)
    written = len(result) if nearest is not None else result.size
    if output is None or output_format != "text":
        emit(result, output_format)
        has_more = result.size > len(result)
        more = [MORE_SUGGESTION] if has_more else []
        emit_suggestions(output_format, ID_SUGGESTION, *more, FILE_SUGGESTION)
        return
    emit_message(f"Wrote {output}: {result.wording.count(written)}, {_outcome_words(result)}.")


def read_outcome_rows(source: dict[str, Any], **options: Any) -> OutcomeRows:
    """Rows of an outcome in the source that a command's arguments name."""
    from tradeoff.outcomes.outcome_rows import outcome_rows

    if str(source["file"]).endswith(".ranking"):
        raise click.UsageError("A saved ranking holds counts, not rows: name the data.")
    if source.get("engine", "duckdb") != "duckdb":
        raise click.UsageError("Rows are read by DuckDB, not by Spark: leave out --engine.")
    require_columns(source["actual"], source["scores"])
    data = parse_source(source["file"], source["query"], source["table"])
    names = ["actual", "positive", "weight", "weight_means", "missing", "lower_is_positive"]
    names += ["digits", "memory", "bad_rows"]
    settings = {name: source[name] for name in names}
    (score,) = source["scores"]
    unit = options.pop("units", "rows")
    with rows_bar():
        return outcome_rows(data, score, unit=unit, **settings, **options)


def _class_rows(  # noqa: PLR0913, PLR0917 - one parameter per option
    source: dict[str, Any],
    predicted: str | None,
    actual_class: str | None,
    predicted_class: str | None,
    ids: tuple[str, ...],
    nearest: int,
    output: str | None,
    units: str,
) -> OutcomeRows:
    from tradeoff.cli.classes import score_columns
    from tradeoff.outcomes.class_rows import class_rows

    if source["actual"] is None:
        raise click.UsageError("Missing option '--actual'.")
    if predicted is not None and source["scores"]:
        raise click.UsageError("Give --score or --predicted, not both.")
    if source["missing"] not in {"error", "drop"}:
        raise click.UsageError("With more than two classes, --missing is error or drop.")
    return class_rows(
        parse_source(source["file"], source["query"], source["table"]),
        None if predicted else score_columns(source["scores"]),
        actual=source["actual"],
        predicted=predicted,
        actual_class=actual_class,
        predicted_class=predicted_class,
        ids=ids,
        nearest=nearest,
        path=output,
        missing=source["missing"],
        unit=units,
    )


def _outcome_of_cell(
    actual_class: str | None, predicted_class: str | None, positive: str | None
) -> str:
    """The outcome of two classes that --actual-class and --predicted-class name."""
    if actual_class is None or predicted_class is None:
        raise click.UsageError(f"Say which rows, with --outcome: {OUTCOME_NAMES}.")
    positive = "1" if positive is None else positive
    kind = "positive" if predicted_class == positive else "negative"
    is_correct = (actual_class == positive) == (predicted_class == positive)
    return f"{'true' if is_correct else 'false'} {kind}"


def _require_no_outcome(outcome: str | None, source: dict[str, Any], *, has_classes: bool) -> None:
    """Require that the classes of a k × k matrix are not asked for by an outcome of two."""
    if outcome is None:
        return
    if not has_classes:
        names = ", ".join(source["scores"])
        raise click.UsageError(
            f"Rows are listed for one model, not for {names}: give --score once. (For scores of "
            "several classes, name a cell: --actual-class, --predicted-class.)"
        )
    raise click.UsageError(
        "With several classes, name a cell instead of --outcome: --actual-class, "
        "--predicted-class (neither: all errors)."
    )


def _parse_band(text: str) -> tuple[float, float]:
    """Limits of a reject band, such as 0.3,0.6."""
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise click.UsageError(
            f"--band takes two thresholds, such as 0.3,0.6, not {text!r}."
        ) from None
    return low, high


def _outcome_words(result: OutcomeRows) -> str:
    from tradeoff.outcomes.views import outcome_words

    return outcome_words(result)
