"""`tradeoff calibration`: are scores honest probabilities, and how are they corrected."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    batches_options,
    format_option,
    level_option,
    reading,
    replicates_option,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation


@command()
@reading()
@batches_options(bins=False)
@click.option(
    "--bins", type=click.IntRange(min=1), default=10, show_default=True, help="Of errors."
)
@click.option(
    "--band",
    type=click.Choice(["consistency", "confidence", "none"]),
    default="consistency",
    show_default=True,
    help="Around the reliability line: where it would lie if all were right, or where it may lie.",
)
@click.option(
    "--map",
    "how",
    type=click.Choice(["isotonic", "platt"]),
    help="With --save: the correction to save.  [default: isotonic]",
)
@click.option("--save", type=OutputPath(), help="Where to save the correction, as JSON.")
@level_option
@replicates_option
@seed_option
@format_option("text", "json", "markdown")
def calibration(  # noqa: PLR0913 - one parameter an option
    *,
    bins: int,
    band: Any,
    how: Any,
    save: str | None,
    level: float,
    replicates: int,
    seed: int,
    form: str,
    **source: Any,
) -> None:
    """Whether scores are honest probabilities, and how to correct them."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("Calibration is judged for one model: give --score once.")
    if how is not None and save is None:
        raise click.UsageError("--map goes with --save FILE.")
    evaluation = read_evaluation(**source)
    if save is not None:
        correction = evaluation.recalibrated(how or "isotonic")
        correction.save(save)
        click.echo(f"Saved to {save}: {correction!r}", err=True)
    with progress_bar("Bootstrap resamples") as progress:
        result = evaluation.calibration(
            bins=bins,
            diagram=True,
            bands=None if band == "none" else band,
            level=level,
            replicates=replicates,
            seed=seed,
            progress=progress,
        )
    emit(result, form)
