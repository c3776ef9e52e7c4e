"""Command `tradeoff datasets`: list, describe and write the example data sets."""

from __future__ import annotations

import click

from tradeoff.cli.command import OutputPath, command, option_group
from tradeoff.cli.emit import emit, emit_message
from tradeoff.cli.options import format_option
from tradeoff.cli.suggestions import Suggestion, emit_suggestions


@command(examples=["", "asah", "asah --output asah.csv"])
@click.argument("name", required=False)
@option_group(
    "Output",
    click.option("--output", "-o", type=OutputPath(), help="File to write the data set to."),
)
@format_option("text", "json", "markdown", "csv", is_written=False)
def datasets_command(*, name: str | None, output: str | None, output_format: str) -> None:
    """List the example data sets, describe one by NAME, or write it to a file."""
    from tradeoff.data.registry import datasets

    if name is None:
        if output is not None:
            raise click.UsageError("Name the data set to write: tradeoff datasets asah -o asah.csv")
        emit(datasets, output_format)
        emit_suggestions(
            output_format,
            Suggestion("describe one", "tradeoff datasets asah"),
            Suggestion("write it", "tradeoff datasets asah -o asah.csv"),
        )
        return
    data = datasets.load(name)
    next_commands = f"Next:\n  tradeoff {data.example}" if data.example else ""
    if output is None:
        emit(data, output_format)
        if output_format == "text":
            click.echo(f"\nWrite it:\n  tradeoff datasets {data.name} -o {data.file}")
    else:
        data.save(output)
        emit_message(f"Wrote {output}: {data.description}. Licence: {data.licence}.")
        next_commands = next_commands.replace(data.file, output)
    if next_commands and output_format == "text":
        click.echo(f"\n{next_commands}")
