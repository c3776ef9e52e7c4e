"""Commands `tradeoff rank` and `tradeoff merge`: save and merge rankings without their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command, option_group
from tradeoff.cli.emit import emit_message
from tradeoff.cli.options import bins_option, large_input_options, rows_options
from tradeoff.cli.source import read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

output_option = option_group(
    "Output",
    click.option("--output", "-o", required=True, type=OutputPath(), help="File to write."),
)


@command(
    max_models=1,
    examples=[
        "scores.parquet --actual churned --score model --output june.ranking",
        "scores.parquet --actual churned --score model --digits 4 --output june.ranking",
    ],
)
@rows_options()
@large_input_options()
@output_option
def rank_command(*, output: str, **source: Any) -> None:
    """Save the ranking of a file: counts of both classes by score, without the rows."""
    from tradeoff.errors import InputError

    if len(source["scores"]) > 1:
        raise InputError("`tradeoff rank` saves one model: give --score once.")
    _save(read_evaluation(**source).ranking, output)


@command(
    examples=[
        "june.ranking july.ranking --output summer.ranking",
        "hospitals/*.ranking --bins 10000 --output all.ranking",
    ]
)
@click.argument("files", nargs=-1, required=True, type=InputPath())
@bins_option
@output_option
def merge_command(*, files: tuple[str, ...], bins: int | None, output: str) -> None:
    """Merge saved rankings of shards, hospitals or days into one."""
    from tradeoff.core.merge import merge_rankings
    from tradeoff.core.ranking import Ranking

    merged = merge_rankings([Ranking.load(path) for path in files])
    _save(merged if bins is None else merged.within(bins), output)


def _save(ranking: Ranking, output: str) -> None:
    from tradeoff.checks.notes import bins_note
    from tradeoff.overview.overview import command_line

    ranking.save(output)
    emit_message(f"Wrote {output}: {_describe_contents(ranking)}.")
    for note in ranking.notes:
        emit_message(f"Note: {note}.")
    if not ranking.exact:
        emit_message(f"Note: {bins_note(ranking)}.")
    emit_suggestions(
        "text",
        Suggestion("evaluate it", command_line(["tradeoff", "evaluate", output])),
        Suggestion(
            "merge it with others",
            command_line(["tradeoff", "merge", output]) + " OTHER.ranking -o ALL.ranking",
        ),
    )


def _describe_contents(ranking: Ranking) -> str:
    """Summary of a ranking: its rows, the rows of each class and its distinct scores."""
    from tradeoff.formatting import format_count, printable

    unit = "distinct scores" if ranking.exact else "bins of scores"
    weighted = "" if ranking.is_counted else " (sums of weights)"
    return (
        f"{ranking.wording.count(ranking.rows)}, {format_count(ranking.positives)} of class "
        f"{printable(ranking.positive)} and {format_count(ranking.negatives)} of class "
        f"{printable(ranking.negative)}{weighted}, {ranking.distinct:,} {unit}"
    )
