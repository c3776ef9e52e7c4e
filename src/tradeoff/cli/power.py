"""Command `tradeoff power`: sample size and power of a study."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit, emit_hint
from tradeoff.cli.options import format_option

OPTIONS_WITH_DEFAULTS = frozenset({"of", "significance", "level"})
AUC_HINT = (
    "Compare two AUCs: --second 0.85 · smallest difference: --difference · non-inferiority: "
    "--margin 0.05"
)
PROPORTION_HINT = (
    "Precision: --half-width 0.05 · test: --above 0.8 --power 0.9 · of specificity: --of negative"
)
EXAMPLES = """\b
Examples:
  tradeoff power --auc 0.8 --power 0.9 --prevalence 0.2       rows to detect 0.8 against 0.5
  tradeoff power --auc 0.8 --second 0.85 --positives 200      power to detect a difference
  tradeoff power --auc 0.8 --difference --positives 200 --power 0.9
  tradeoff power --auc 0.8 --second 0.8 --margin 0.05 --power 0.9
  tradeoff power --share 0.9 --half-width 0.05 --prevalence 0.2
"""


@command(epilog=EXAMPLES)
@click.option("--auc", type=float, help="Expected AUC (of the first model).")
@click.option("--second", type=float, help="Expected AUC of a second model.")
@click.option("--difference", is_flag=True, help="Find the smallest detectable second AUC.")
@click.option(
    "--share",
    type=float,
    help="Expected proportion, such as a sensitivity, specificity or accuracy.",
)
@click.option(
    "--of",
    type=click.Choice(["positive", "negative", "all"]),
    default="positive",
    show_default=True,
    help="With --share: the rows of which it is a proportion.",
)
@click.option(
    "--half-width", type=float, help="With --share: desired half-width of its confidence interval."
)
@click.option(
    "--above", type=float, help="With --share: the proportion to exceed (null hypothesis)."
)
@click.option("--class-rows", type=float, help="With --share: number of rows of that class.")
@click.option("--positives", type=float, help="Number of positives.")
@click.option("--negatives", type=float, help="Number of negatives.")
@click.option("--ratio", type=float, help="Negatives per positive.  [default: 1]")
@click.option(
    "--prevalence", type=float, help="Prevalence: proportion of positives among all rows."
)
@click.option(
    "--power", "target_power", type=float, help="Power: probability of detecting a true effect."
)
@click.option(
    "--significance",
    type=float,
    default=0.05,
    show_default=True,
    help="Significance level: probability of a type I error.",
)
@click.option("--unpaired", is_flag=True, help="The two models are evaluated on different rows.")
@click.option("--correlation", type=float, help="Correlation of the two AUCs.  [default: 0.5]")
@click.option("--margin", type=float, help="Non-inferiority margin of the second AUC.")
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    help="Confidence level for --half-width.",
)
@format_option("text", "json")
def power_command(*, output_format: str, **options: Any) -> None:
    """Plan a study: the sample size it needs, its power, or the effect it can detect.

    Give two of the number of rows, the power and the effect size; the third is computed.
    """
    if all(
        value in {None, False}
        for name, value in options.items()
        if name not in OPTIONS_WITH_DEFAULTS
    ):
        raise click.UsageError("Nothing to plan: see the examples in `tradeoff power --help`.")
    _require_proportion(options)
    plan = _proportion_plan(options) if options["share"] is not None else _auc_plan(options)
    emit(plan, output_format)
    emit_hint(PROPORTION_HINT if options["share"] is not None else AUC_HINT, output_format)


def _require_proportion(options: dict[str, Any]) -> None:
    names = [name for name in ("half_width", "above", "class_rows") if options[name]]
    if options["share"] is None and names:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in names)
        raise click.UsageError(f"{flags}: only with --share.")


def _proportion_plan(options: dict[str, Any]) -> Any:
    from tradeoff.power.shares import plan_share

    if options["auc"] is not None or options["second"] is not None:
        raise click.UsageError("Plan a --share or an --auc, not both.")
    names = ("share", "class_rows", "half_width", "above", "level", "significance", "of")
    return plan_share(
        **{name: options[name] for name in names},
        power=options["target_power"],
        prevalence=options["prevalence"],
    )


def _auc_plan(options: dict[str, Any]) -> Any:
    from tradeoff.power.auc import plan_auc, plan_auc_difference

    names = ("positives", "negatives", "ratio", "prevalence", "significance")
    plan_options = {name: options[name] for name in names} | {"power": options["target_power"]}
    if options["second"] is None and not options["difference"]:
        return plan_auc(auc=options["auc"], **plan_options)
    if options["auc"] is None:
        raise click.UsageError("Give the first AUC as --auc.")
    return plan_auc_difference(
        first=options["auc"],
        second=options["second"],
        paired=not options["unpaired"],
        correlation=options["correlation"],
        margin=options["margin"],
        **plan_options,
    )
