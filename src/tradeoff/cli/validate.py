"""`tradeoff validate`: published numbers recomputed, and the digits of certified ones."""

from __future__ import annotations

import sys

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option


@command()
@click.option(
    "--certified",
    is_flag=True,
    help="Count the right digits of the certified data sets instead: ours, and those of "
    "scikit-learn, pROC and ROCR where they are installed.",
)
@format_option("text", "json", "markdown", "csv")
def validate(*, certified: bool, form: str) -> None:
    """Published numbers, recomputed from the same rows and shown side by side.

    Ends with 0 if all agree to the published digits, with 1 if any differs. With --certified, with
    1 if any number of ours has fewer than 14 right digits.
    """
    from tradeoff.validation.certified import OURS, certify, installed_tools
    from tradeoff.validation.studies import recomputed_studies

    if certified:
        certification = certify(installed_tools)
        emit(certification, form)
        is_right = all(number.results[OURS].is_right for number in certification.numbers)
    else:
        validation = recomputed_studies()
        emit(validation, form)
        is_right = validation.agrees
    if not is_right:
        sys.exit(1)
