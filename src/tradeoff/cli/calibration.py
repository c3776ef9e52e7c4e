"""Command `tradeoff calibration`: calibration of probabilities, and maps that correct them."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    format_option,
    large_input_options,
    level_option,
    replicates_option,
    rows_options,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions, next_command

SUGGESTIONS = (
    Suggestion("all errors, tests and the diagram", "--details"),
    Suggestion("recalibrate", "--map platt --save map.json"),
)


@command(
    max_models=1,
    examples=[
        "scores.csv --actual churned --positive yes --score logistic",
        "scores.csv --actual churned --positive yes --score logistic --map platt --save map.json",
    ],
)
@rows_options()
@large_input_options(bins=False)
@click.option(
    "--bins",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Number of bins for calibration errors.",
)
@click.option(
    "--band",
    type=click.Choice(["consistency", "confidence", "none"]),
    default="consistency",
    show_default=True,
    help="Band of the reliability diagram: consistency (if calibrated) or confidence.",
)
@click.option(
    "--details",
    is_flag=True,
    help="Show all calibration errors and tests, the reliability diagram and its band.",
)
@click.option(
    "--map",
    "map_method",
    type=click.Choice(["isotonic", "platt", "logistic"]),
    help="Calibration map to save with --save.  [default: isotonic]",
)
@click.option("--save", type=OutputPath(), help="File for the calibration map (JSON).")
@level_option
@replicates_option
@seed_option
@format_option("text", "json", "markdown", "csv")
def calibration_command(  # noqa: PLR0913 - one parameter per option
    *,
    bins: int,
    band: Any,
    details: bool,
    map_method: Any,
    save: str | None,
    level: float,
    replicates: int,
    seed: int,
    output_format: str,
    **source: Any,
) -> None:
    """Assess whether scores are calibrated probabilities, and recalibrate them."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("Calibration is computed for one model: give --score once.")
    if map_method is not None and save is None:
        raise click.UsageError("--map needs --save FILE.")
    evaluation = read_evaluation(**source)
    if save is not None:
        calibration_map = evaluation.recalibrated(map_method or "isotonic")
        calibration_map.save(save)
        click.echo(f"Saved to {save}: {calibration_map!r}", err=True)
    with progress_bar("Bootstrap resamples") as progress:
        result = evaluation.calibration(
            bins=bins,
            diagram=details or output_format == "json",
            bands=None if band == "none" else band,
            level=level,
            replicates=replicates,
            seed=seed,
            progress=progress,
        )
    if output_format in {"json", "csv"}:
        emit(result, output_format)
    else:
        emit(result, output_format, details=details)
    chart = Suggestion("chart", next_command("plot", "--chart", "calibration"))
    emit_suggestions(output_format, *SUGGESTIONS, chart)
