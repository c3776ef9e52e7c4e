"""Command `tradeoff classes`: evaluate a multiclass classifier."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import InputPath, command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.inferred_columns import complete_class_scores, complete_predicted
from tradeoff.cli.labels import require_label_options, require_no_label_options
from tradeoff.cli.options import (
    file_options,
    format_option,
    level_option,
    predicted_option,
    seed_option,
    unit_option,
)


@command(
    examples=[
        "animals.csv",
        "animals.csv --actual kind --score cat --score dog --score fox",
        "animals.csv --actual kind --score cat=p_cat --score dog=p_dog --score fox=p_fox",
    ]
)
@click.argument("file", type=InputPath())
@file_options
@option_group(
    "Columns",
    click.option(
        "--actual",
        metavar="COLUMN",
        help="Column of the actual class.  [default: the one whose classes columns are named "
        "after]",
    ),
    click.option(
        "--score",
        "scores",
        multiple=True,
        metavar="CLASS=COLUMN",
        help="Score column of a class; give it once per class. Without CLASS=, the class has the "
        "name of the column.  [default: columns named after the classes, such as p_cat]",
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
@unit_option
@format_option("text", "json", "markdown", "csv")
def classes_command(  # noqa: PLR0913 - one parameter per option
    *,
    file: Any,
    actual: str | None,
    scores: tuple[str, ...],
    weight: str | None,
    predicted: tuple[str, ...],
    rejected: str | None,
    missing: Any,
    level: float,
    seed: int,
    units: str,
    output_format: str,
) -> None:
    """Evaluate a multiclass classifier: AUC, confusable pairs and confusion matrix."""
    from tradeoff.entry_points import evaluate_classes, evaluate_labels

    context = click.get_current_context()
    if predicted:
        require_label_options({"level", "seed", "output_format"})
        complete_predicted(context, needs_positive=False)
        labels = evaluate_labels(
            file,
            list(context.params["predicted"]),
            actual=context.params["actual"],
            weight=weight,
            missing=missing,
            rejected=rejected,
            level=level,
            seed=seed,
            unit=units,
        )
        emit(labels, output_format)
        return
    require_no_label_options(predicted, rejected)
    actual, columns = complete_class_scores(context, score_columns(scores))
    result = evaluate_classes(
        file,
        actual=actual,
        score=columns,
        weight=weight,
        missing=missing,
        level=level,
        seed=seed,
        unit=units,
    )
    emit(result, output_format)


def score_columns(scores: tuple[str, ...]) -> dict[str, str]:
    """Score column of each class, from CLASS=COLUMN or a column named after its class."""
    parts = [score.partition("=") for score in scores]
    columns = {name: column if sign else name for name, sign, column in parts}
    if len(columns) < len(scores):
        raise click.UsageError("Give --score once per class.")
    return columns
