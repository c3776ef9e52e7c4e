"""`tradeoff validate`: published numbers recomputed, and the digits of certified ones."""

from __future__ import annotations

import sys

import click

from tradeoff.cli.command import command
from tradeoff.cli.options import format_option
from tradeoff.cli.program import show


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
    is_right = _certified(form) if certified else _published(form)
    if not is_right:
        sys.exit(1)


def _published(form: str) -> bool:
    from tradeoff.render.values import as_json
    from tradeoff.validation.recompute import recomputed_studies
    from tradeoff.validation.views import validation_csv, validation_document, validation_sections

    studies = recomputed_studies()
    if form == "json":
        click.echo(as_json(validation_document(studies)))
    elif form == "csv":
        click.echo(validation_csv(studies))
    else:
        show(validation_sections(studies), form)
    return all(number.agrees is not False for study in studies for number in study.numbers)


def _certified(form: str) -> bool:
    from tradeoff.render.values import as_json
    from tradeoff.validation.certified import OURS, certified_numbers, certified_sets
    from tradeoff.validation.peers import installed_tools
    from tradeoff.validation.views import certified_csv, certified_document, certified_sections

    data_sets = certified_sets()
    numbers = certified_numbers(installed_tools(data_sets), data_sets)
    if form == "json":
        titles = {data_set.name: data_set.title for data_set in data_sets}
        click.echo(as_json(certified_document(numbers, titles)))
    elif form == "csv":
        click.echo(certified_csv(numbers))
    else:
        show(certified_sections(numbers), form)
    return all(number.results[OURS].is_right for number in numbers)
