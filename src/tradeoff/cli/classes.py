"""Command `tradeoff classes`: evaluate a multiclass classifier."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import InputPath, command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.input_file import suggest_columns
from tradeoff.cli.labels import require_label_options, require_no_label_options
from tradeoff.cli.options import (
    file_options,
    format_option,
    level_option,
    predicted_option,
    seed_option,
)


@command(
    examples=[
        "animals.csv --actual kind --score cat --score dog --score fox",
        "animals.csv --actual kind --score cat=p_cat --score dog=p_dog --score fox=p_fox",
    ]
)
@click.argument("file", type=InputPath())
@file_options
@option_group(
    "Columns",
    click.option("--actual", required=True, metavar="COLUMN", help="Column of the actual class."),
    click.option(
        "--score",
        "scores",
        multiple=True,
        metavar="CLASS=COLUMN",
        help="Score column of a class; give it once per class. Without CLASS=, the class has the "
        "name of the column.",
    ),
    click.option("--weight", metavar="COLUMN", help="Column of row weights."),
)
@predicted_option
@click.option(
    "--missing",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="What to do with rows without a score.",
)
@level_option
@seed_option
@format_option("text", "json", "markdown", "csv")
def classes_command(  # noqa: PLR0913 - one parameter per option
    *,
    file: Any,
    actual: str,
    scores: tuple[str, ...],
    weight: str | None,
    predicted: tuple[str, ...],
    rejected: str | None,
    missing: Any,
    level: float,
    seed: int,
    output_format: str,
) -> None:
    """Evaluate a multiclass classifier: AUC, confusable pairs and confusion matrix."""
    from tradeoff.api import evaluate_classes, evaluate_labels

    if predicted:
        require_label_options({"level", "seed", "output_format"})
        labels = evaluate_labels(
            file,
            list(predicted),
            actual=actual,
            weight=weight,
            missing=missing,
            rejected=rejected,
            level=level,
            seed=seed,
        )
        emit(labels, output_format)
        return
    require_no_label_options(predicted, rejected)
    if not scores:
        command = suggest_columns(click.get_current_context(), file)
        raise click.UsageError(
            "Give --score once per class, or --predicted for a column of predicted classes. Edit "
            f"and run: {command}"
        )
    result = evaluate_classes(
        file,
        actual=actual,
        score=score_columns(scores),
        weight=weight,
        missing=missing,
        level=level,
        seed=seed,
    )
    emit(result, output_format)


def score_columns(scores: tuple[str, ...]) -> dict[str, str]:
    """Score column of each class, from CLASS=COLUMN or a column named after its class."""
    parts = [score.partition("=") for score in scores]
    columns = {name: column if sign else name for name, sign, column in parts}
    if len(columns) < len(scores):
        raise click.UsageError("Give --score once per class.")
    return columns
