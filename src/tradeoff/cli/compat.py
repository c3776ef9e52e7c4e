"""`tradeoff compat`: other tools' numbers for the same rows, and why they differ."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option, reading, threshold_option
from tradeoff.cli.source import read_evaluation


@command()
@reading()
@click.option(
    "--tool", metavar="NAME", help="scikit-learn, pROC, Weka or Spark.  [default: all of them]"
)
@threshold_option
@format_option("text", "json", "markdown", "csv")
def compat(*, tool: str | None, threshold: float, form: str, **source: Any) -> None:
    """What scikit-learn, pROC, Weka and Spark say of these rows, and why it differs from ours."""
    from tradeoff.compatibility import compare_tools, find_tool
    from tradeoff.errors import InputError

    if len(source["scores"]) != 1:
        raise InputError("Tools are compared on one model: give --score once.")
    wanted = None if tool is None else find_tool(tool)
    ranking = read_evaluation(**source).ranking
    emit(compare_tools(ranking, wanted, threshold=threshold), form)
