"""Command `tradeoff page`: the report page without data, in which a reader opens a table."""

from __future__ import annotations

import click

from tradeoff.cli.command import OutputPath, command, option_group
from tradeoff.cli.emit import emit_message


@command(examples=["", "--output judge.html"])
@option_group(
    "Output",
    click.option(
        "--output",
        "-o",
        type=OutputPath(),
        default="judge.html",
        show_default=True,
        help="File to write.",
    ),
)
def page_command(*, output: str) -> None:
    """Write the report page without data, for people without Python.

    Its reader drops a CSV file or pastes a table and chooses its columns. The page evaluates the
    rows in the browser: it needs no network, and nothing is uploaded.
    """
    from tradeoff.report.empty_page import page

    page(output)
    emit_message(f"Wrote {output}: open it in a browser and drop a CSV file on it.")
