"""`tradeoff rank` and `tradeoff merge`: counts to share, without any rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.options import reading
from tradeoff.cli.program import read_source

if TYPE_CHECKING:
    from tradeoff.ranking.ranking import Ranking

bins_option = click.option(
    "--bins",
    type=click.IntRange(min=4),
    help="Keep at most so many thresholds: neighbouring scores go together, and it is told what "
    "that costs.  [default: all]",
)
output_option = click.option(
    "--output", "-o", required=True, type=click.Path(), help="The file to write."
)


@click.command()
@reading()
@bins_option
@output_option
def rank(*, bins: int | None, output: str, **source: Any) -> None:
    """Rank the rows of a file once: what is kept are counts by score, never rows."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("A ranking is of one model: give --score once.")
    _keep(read_source(**source).evaluation.ranking, bins, output)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path())
@bins_option
@output_option
def merge(*, files: tuple[str, ...], bins: int | None, output: str) -> None:
    """The ranking of all rows from the rankings of parts: shards, hospitals, days."""
    from tradeoff.ranking.adding import added
    from tradeoff.ranking.ranking import Ranking

    _keep(added([Ranking.load(path) for path in files]), bins, output)


def _keep(ranking: Ranking, bins: int | None, output: str) -> None:
    from tradeoff.presentation.notes import bins_note

    kept = ranking if bins is None else ranking.within(bins)
    kept.save(output)
    click.echo(f"{kept!r}")
    if not kept.exact:
        click.echo(f"Note: {bins_note(kept)}.")
    click.echo(f"Wrote {output}.")
