"""`tradeoff rank` and `tradeoff merge`: counts to share, without any rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.options import batches_options, bins_option, reading
from tradeoff.cli.source import read_evaluation

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

output_option = click.option(
    "--output", "-o", required=True, type=OutputPath(), help="The file to write."
)


@command()
@reading()
@batches_options()
@output_option
def rank(*, output: str, **source: Any) -> None:
    """Rank the rows of a file once: what is kept are counts by score, never rows."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("A ranking is of one model: give --score once.")
    _keep(read_evaluation(**source).ranking, output)


@command()
@click.argument("files", nargs=-1, required=True, type=InputPath())
@bins_option
@output_option
def merge(*, files: tuple[str, ...], bins: int | None, output: str) -> None:
    """The ranking of all rows from the rankings of parts: shards, hospitals, days."""
    from tradeoff.core.merge import added
    from tradeoff.core.ranking import Ranking

    whole = added([Ranking.load(path) for path in files])
    _keep(whole if bins is None else whole.within(bins), output)


def _keep(kept: Ranking, output: str) -> None:
    from tradeoff.checks.views import bins_note

    kept.save(output)
    click.echo(f"{kept!r}")
    for note in kept.notes:
        click.echo(f"Note: {note}.")
    if not kept.exact:
        click.echo(f"Note: {bins_note(kept)}.")
    click.echo(f"Wrote {output}.")
