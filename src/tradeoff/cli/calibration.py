"""Command `tradeoff calibration`: calibration of probabilities, and maps that correct them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.emit import emit, emit_message
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

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

MIN_PERCENTAGE = 10
"""Highest score from which scores may be percentages."""
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
    from tradeoff.formatting import printable
    from tradeoff.thresholds.operating_threshold import has_probabilities

    if len(source["scores"]) > 1:
        raise InputError("Calibration is computed for one model: give --score once.")
    if map_method is not None and save is None:
        raise click.UsageError("--map needs --save FILE.")
    evaluation = read_evaluation(**source)
    is_probability = has_probabilities(evaluation.ranking)
    if not is_probability and save is None:
        raise InputError(_not_probabilities_message(evaluation.ranking))
    if save is not None:
        calibration_map = evaluation.recalibrated(map_method or "isotonic")
        calibration_map.save(save)
        click.echo(f"Saved to {save}: {calibration_map!r}", err=True)
    if not is_probability:
        words = ["--chart", "decision_curve", "--calibrate", map_method or "isotonic"]
        chart = Suggestion("decision curve", next_command("plot", *words))
        if output_format == "text":
            name = printable(evaluation.ranking.name)
            emit_message(
                f"The map turns {name} into probabilities: assess their calibration on other rows."
            )
        emit_suggestions(output_format, chart)
        return
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


def _not_probabilities_message(ranking: Ranking) -> str:
    """Message that scores have no calibration, with commands for log-odds and for markers."""
    from tradeoff.formatting import format_threshold, printable
    from tradeoff.thresholds.operating_threshold import score_range

    low, high = score_range(ranking)
    name = printable(ranking.name)
    limits = f"from {format_threshold(low)} to {format_threshold(high)}"
    sentences = [
        f"{name!r} is {limits}: not a probability, so there is no calibration to assess.",
    ]
    if low >= 0 and MIN_PERCENTAGE <= high <= 100:
        sentences.append(_transformed_command(f"If {name} is a percentage", "{} / 100"))
    if low < 0:
        sentences.append(_transformed_command(f"If {name} is a log-odds", "1 / (1 + exp(-{}))"))
    words = ("--map", "logistic", "--save", "map.json")
    sentences.append(f"To fit probabilities: {next_command('calibration', *words)}")
    return "\n\n".join(filter(None, sentences))


def _transformed_command(condition: str, formula: str) -> str:
    """The command for probabilities that a formula computes; empty if FILE is no single table."""
    from tradeoff.overview.overview import command_line
    from tradeoff.sources.sql_quoting import quote_name

    values = click.get_current_context().params
    file, (score,) = values["file"], values["scores"]
    if not isinstance(file, str) or values["query"] is not None or values["table"] is not None:
        return ""
    column = score if score.isidentifier() else quote_name(score)
    query = f"SELECT *, {formula.format(column)} AS probability FROM {quote_name(file)}"  # noqa: S608 - quoted
    words = ["tradeoff", "calibration", "--query", query, "--actual", values["actual"]]
    words += [] if values["positive"] is None else ["--positive", values["positive"]]
    return f"{condition}: {command_line([*words, '--score', 'probability'])}"
