"""Command `tradeoff compat`: compare with the numbers of other tools for the same rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option, rows_options, threshold_option
from tradeoff.cli.source import read_evaluation


@command(
    max_models=1,
    examples=[
        "scores.csv --actual churned --positive yes --score logistic",
        "scores.csv --actual churned --positive yes --score logistic --tool Weka --format csv",
    ],
)
@rows_options()
@click.option(
    "--tool",
    metavar="NAME",
    help="Only this tool: scikit-learn, pROC, Weka or Spark.  [default: all]",
)
@threshold_option
@format_option("text", "json", "markdown", "csv")
def compat_command(
    *, tool: str | None, threshold: float | None, output_format: str, **source: Any
) -> None:
    """Compare with the numbers of scikit-learn, pROC, Weka and Spark, and explain differences."""
    from tradeoff.compatibility import compare_tools, find_tool
    from tradeoff.errors import InputError

    if len(source["scores"]) != 1:
        raise InputError("compat compares one model: give FILE and exactly one --score.")
    tool = None if tool is None else find_tool(tool)
    evaluation = replace(read_evaluation(**source), threshold=threshold)
    result = compare_tools(evaluation.ranking, tool, threshold=evaluation.operating_threshold)
    emit(result, output_format)
