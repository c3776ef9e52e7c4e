"""Command `tradeoff gains`: whom to contact, deciles, lift and profit."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import OutputPath, command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    costs_options,
    format_option,
    large_input_options,
    pop_costs,
    rows_options,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

COSTS_SUGGESTION = Suggestion(
    "profit and the best number of contacts", "--cost-contact 5 --value 60"
)
LIMIT_SUGGESTION = Suggestion("at most 500 of them", "--top 500")
SELECT_SUGGESTION = Suggestion("write them to a file", "--select contacts.csv --id COLUMN")


class TopType(click.ParamType):  # type: ignore[type-arg]
    """Value of `gains --top`: the maximum number of contacts (500), or a percentage (10%)."""

    name = "number or percentage"

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Parse a positive number of contacts, or a percentage, which becomes a proportion."""
        text = str(value).strip()
        try:
            number = float(text.removesuffix("%"))
        except ValueError:
            number = -1.0
        is_percentage = text.endswith("%")
        if 0 < number < 1 and not is_percentage:
            self.fail(f"{text!r} is a proportion: write --top {100 * number:.15g}%.", param, ctx)
        if not (0 < number < 100 if is_percentage else number >= 1):
            self.fail(
                f"{text!r} is not a number of rows, such as 500, or a percentage, such as 10%.",
                param,
                ctx,
            )
        return number / 100 if is_percentage else number


@command(
    examples=[
        "mailing.csv --actual bought --positive yes --score p --cost-contact 5 --value 60",
        "mailing.csv --actual bought --positive yes --score p --top 500 --select ids.csv --id name",
    ]
)
@rows_options()
@large_input_options()
@click.option(
    "--groups",
    type=click.IntRange(min=1),
    help="Number of groups of equal size.  [default: 10, deciles]",
)
@option_group(
    "Decision",
    click.option(
        "--top",
        type=TopType(),
        metavar="N|N%",
        help="Contact at most this number or percentage of rows.  [default: the most profitable]",
    ),
)
@costs_options
@option_group(
    "Output",
    click.option(
        "--select",
        type=OutputPath(),
        metavar="FILE",
        help="Write the rows to contact to this .csv or .parquet file, highest scores first.",
    ),
    click.option(
        "--id",
        "ids",
        multiple=True,
        metavar="COLUMN",
        help="With --select: column that identifies a row; repeat it for several.",
    ),
)
@click.option("--no-check", is_flag=True, help="Skip the out-of-bag bootstrap.")
@click.option("--replicates", type=click.IntRange(min=2), help="Number of bootstrap resamples.")
@seed_option
@format_option("text", "json", "csv", "markdown")
def gains_command(  # noqa: PLR0913 - one parameter per option
    *,
    groups: int | None,
    top: float | None,
    select: str | None,
    ids: tuple[str, ...],
    no_check: bool,
    replicates: int | None,
    seed: int,
    output_format: str,
    **source: Any,
) -> None:
    """Show deciles with lift and profit, and whom to contact."""
    from dataclasses import replace

    from tradeoff.uncertainty.confidence import Confidence

    costs = pop_costs(source)
    if select is not None:
        _require_selection(ids, source, has_limit=costs is not None or top is not None)
    elif ids:
        raise click.UsageError("--id names the column to write: add --select FILE.")
    evaluation = read_evaluation(costs=costs, **source)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(seed=seed, progress=progress)
        evaluation = replace(evaluation, confidence=confidence)
        gains = evaluation.gains(groups=groups, top=top, check=not no_check, replicates=replicates)
    if select is not None:
        _write_selection(gains, select, ids, source)
    emit(gains, output_format)
    if output_format == "text" and select is not None:
        contacts = gains.contacted.predicted_positives
        click.echo(f"\nWrote {select}: {evaluation.wording.count(float(contacts))} to contact.")
        return
    is_selectable = len(gains.models) == 1 and not (costs is None and top is None)
    emit_suggestions(
        output_format,
        *([COSTS_SUGGESTION] if costs is None else []),
        *([SELECT_SUGGESTION] if is_selectable else []),
        LIMIT_SUGGESTION,
    )


def _require_selection(ids: tuple[str, ...], source: dict[str, Any], *, has_limit: bool) -> None:
    """Require a column of ids, one model and a way to choose, before the rows are read."""
    if not ids:
        raise click.UsageError("--select needs the column that identifies a row: --id COLUMN.")
    if not has_limit:
        raise click.UsageError(
            "--select needs to know whom: give --cost-contact and --value, or --top N."
        )
    if len(source["scores"]) > 1:
        raise click.UsageError("--select takes one model: give --score once.")


def _write_selection(gains: Any, path: str, ids: tuple[str, ...], source: dict[str, Any]) -> None:
    """Write the rows at or beyond the threshold."""
    from tradeoff.cli.rows import read_outcome_rows
    from tradeoff.outcomes.outcome_rows import id_title

    read_outcome_rows(
        source,
        outcome="predicted positive",
        threshold=gains.threshold,
        ids=ids,
        nearest=0,
        order="score",
        path=path,
        file_columns=(*map(id_title, ids), "score"),
    )
