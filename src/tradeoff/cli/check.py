"""Command `tradeoff check`: check the rows of a file for problems."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import InputPath, command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.exit_codes import NEGATIVE_VERDICT, SUCCESS, VERDICT_KEY
from tradeoff.cli.options import fold_option, format_option, rows_options, segment_option
from tradeoff.cli.suggestions import Suggestion, emit_suggestions, next_command

SUGGESTIONS = (
    Suggestion("repeated rows", "--id COLUMN"),
    Suggestion("overlap with the training data", "--against FILE"),
)


@command(
    examples=[
        "scores.csv --actual churned --positive yes --score logistic",
        "scores.csv --actual churned --positive yes --score logistic --against train.csv",
    ]
)
@rows_options()
@option_group(
    "Columns", click.option("--id", "row_id", metavar="COLUMN", help="Column that identifies rows.")
)
@fold_option
@segment_option
@option_group(
    "Input",
    click.option(
        "--against",
        type=InputPath(),
        help="Another file with the same columns, such as the training data, to check against.",
    ),
)
@format_option("text", "json", "markdown", "csv")
def check_command(
    *,
    file: Any,
    query: str | None,
    table: str | None,
    scores: tuple[str, ...],
    output_format: str,
    **options: Any,
) -> None:
    """Check rows for problems: labels used as scores, leakage, missing values, duplicates, drift.

    Exit code: 0 if there are no warnings or errors, else 1.
    """
    from tradeoff.checks.check import check as check_rows
    from tradeoff.cli.source import parse_source, require_columns

    require_columns(options["actual"], scores)
    source = parse_source(file, query, table)
    unit = options.pop("units")
    result = check_rows(source, score=list(dict.fromkeys(scores)), unit=unit, **options)
    exit_code = SUCCESS if result.trusted else NEGATIVE_VERDICT
    click.get_current_context().meta[VERDICT_KEY] = exit_code
    emit(result, output_format)
    evaluation = Suggestion("next", next_command("evaluate"))
    emit_suggestions(output_format, *SUGGESTIONS, evaluation)
    click.get_current_context().exit(exit_code)
