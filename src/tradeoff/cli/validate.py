"""Command `tradeoff validate`: recompute published and certified values."""

from __future__ import annotations

import sys

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option


@command(
    examples=[
        "",
        "--certified",
    ]
)
@click.option(
    "--certified",
    is_flag=True,
    help="Instead, count the correct digits of tradeoff (and of scikit-learn, pROC and ROCR, if "
    "installed) on data sets with certified values.",
)
@format_option("text", "json", "markdown", "csv")
def validate_command(*, certified: bool, output_format: str) -> None:
    """Recompute published values from the same rows and show both side by side.

    Exit code: 0 if all agree to the published digits, 1 if any differs. With --certified, 1 if any
    value computed by tradeoff has fewer than 14 correct digits.
    """
    from tradeoff.validation.certified import OURS, certify, installed_tools
    from tradeoff.validation.studies import recomputed_studies

    if certified:
        certification = certify(installed_tools)
        emit(certification, output_format)
        is_right = all(number.results[OURS].is_right for number in certification.numbers)
    else:
        validation = recomputed_studies()
        emit(validation, output_format)
        is_right = validation.agrees
    if not is_right:
        sys.exit(1)
