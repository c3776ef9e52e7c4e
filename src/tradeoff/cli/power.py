"""`tradeoff power`: how many rows a study needs, and what so many rows can show."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import format_option

DEFAULTS = frozenset({"of", "significance", "level"})
EXAMPLES = """\b
Examples:
  tradeoff power --auc 0.8 --power 0.9 --prevalence 0.2       rows to tell 0.8 from chance
  tradeoff power --auc 0.8 --second 0.85 --positives 200      power to tell two models apart
  tradeoff power --auc 0.8 --difference --positives 200 --power 0.9
  tradeoff power --auc 0.8 --second 0.8 --margin 0.05 --power 0.9
  tradeoff power --share 0.9 --half-width 0.05 --prevalence 0.2
"""


@command(epilog=EXAMPLES)
@click.option("--auc", type=float, help="The expected area (of the first model).")
@click.option("--second", type=float, help="The expected area of another model.")
@click.option("--difference", is_flag=True, help="Find the smallest second area told from --auc.")
@click.option("--share", type=float, help="An expected sensitivity, specificity or accuracy.")
@click.option(
    "--of",
    type=click.Choice(["positive", "negative", "all"]),
    default="positive",
    show_default=True,
    help="With --share: the rows that it is counted among.",
)
@click.option("--half-width", type=float, help="With --share: half the interval's width.")
@click.option("--above", type=float, help="With --share: the share to be exceeded.")
@click.option("--class-rows", type=float, help="With --share: rows of that class.")
@click.option("--positives", type=float, help="Positive rows.")
@click.option("--negatives", type=float, help="Negative rows.")
@click.option("--ratio", type=float, help="Negatives for each positive.  [default: 1]")
@click.option("--prevalence", type=float, help="Share of positives among all rows.")
@click.option("--power", "wanted", type=float, help="Probability to find what is there.")
@click.option(
    "--significance",
    type=float,
    default=0.05,
    show_default=True,
    help="Probability to find what is not there.",
)
@click.option("--unpaired", is_flag=True, help="The two models are tried on different rows.")
@click.option("--correlation", type=float, help="Of the two areas on the same rows. [default: 0.5]")
@click.option("--margin", type=float, help="Show that the second is not worse by so much.")
@click.option("--level", type=float, default=0.95, show_default=True, help="With --half-width.")
@format_option("text", "json")
def power(*, form: str, **given: Any) -> None:
    """How many rows are needed, and what so many rows can show.

    Of rows, power and size of the effect leave out what shall be found.
    """
    if all(value in {None, False} for name, value in given.items() if name not in DEFAULTS):
        raise click.UsageError("Say what is known, as in the examples of `tradeoff power --help`.")
    _demand_share(given)
    plan = _share(given) if given["share"] is not None else _areas(given)
    if form == "json":
        emit(plan, form)
        return
    for sentence in plan.sentences:
        click.echo(sentence)


def _demand_share(given: dict[str, Any]) -> None:
    alone = [f"--{n.replace('_', '-')}" for n in ("half_width", "above", "class_rows") if given[n]]
    if given["share"] is None and alone:
        raise click.UsageError(f"{', '.join(alone)} plan a share: give --share too.")


def _share(given: dict[str, Any]) -> Any:
    from tradeoff.power.shares import plan_share

    if given["auc"] is not None or given["second"] is not None:
        raise click.UsageError("Plan a --share or an --auc, not both.")
    names = ("share", "class_rows", "half_width", "above", "level", "significance", "of")
    return plan_share(
        **{name: given[name] for name in names},
        power=given["wanted"],
        prevalence=given["prevalence"],
    )


def _areas(given: dict[str, Any]) -> Any:
    from tradeoff.power.auc import plan_auc, plan_auc_difference

    names = ("positives", "negatives", "ratio", "prevalence", "significance")
    common = {name: given[name] for name in names} | {"power": given["wanted"]}
    if given["second"] is None and not given["difference"]:
        return plan_auc(auc=given["auc"], **common)
    if given["auc"] is None:
        raise click.UsageError("Give the first area as --auc.")
    return plan_auc_difference(
        first=given["auc"],
        second=given["second"],
        paired=not given["unpaired"],
        correlation=given["correlation"],
        margin=given["margin"],
        **common,
    )
