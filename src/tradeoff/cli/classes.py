"""`tradeoff classes`: classifiers of more than two classes."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import InputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option, level_option, seed_option


@command()
@click.argument("file", type=InputPath())
@click.option("--actual", required=True, metavar="COLUMN", help="The actual class.")
@click.option(
    "--score",
    "scores",
    multiple=True,
    required=True,
    metavar="CLASS=COLUMN",
    help="The score of one class; once for each. A column named as its class needs no CLASS=.",
)
@click.option("--weight", metavar="COLUMN", help="What each row counts.")
@click.option(
    "--missing",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="What to do with rows without a score.",
)
@level_option
@seed_option
@format_option("text", "json", "markdown")
def classes(  # noqa: PLR0913 - one parameter an option
    *,
    file: str,
    actual: str,
    scores: tuple[str, ...],
    weight: str | None,
    missing: Any,
    level: float,
    seed: int,
    form: str,
) -> None:
    """Areas, confusable pairs and the matrix of a classifier of several classes."""
    from tradeoff.api import evaluate_classes

    result = evaluate_classes(
        file,
        actual=actual,
        scores=_by_class(scores),
        weight=weight,
        missing=missing,
        level=level,
        seed=seed,
    )
    emit(result, form)


def _by_class(scores: tuple[str, ...]) -> dict[str, str]:
    parted = [score.partition("=") for score in scores]
    named = {name: column if sign else name for name, sign, column in parted}
    if len(named) < len(scores):
        raise click.UsageError("Each class has one --score.")
    return named
