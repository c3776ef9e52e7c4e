"""Command `tradeoff power`: sample size and power of a study."""

from __future__ import annotations

from typing import Any

import click

from tradeoff.cli.command import InputPath, command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.options import file_options, format_option
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

OPTIONS_WITH_DEFAULTS = frozenset({"of", "significance", "level", "missing"})
PILOT_COLUMNS = ("actual", "scores", "positive", "lower_is_positive")
DEFAULT_POWER = 0.8
"""Power for which the rows of a study after a pilot are computed by default."""
PILOT_SUGGESTIONS = (
    Suggestion("another power", "--power 0.9", unless=("--positives",)),
    Suggestion("power with the rows at hand", "--positives 100", unless=("--power",)),
)
EXAMPLE_VALUES = {
    "--auc": "--auc 0.8",
    "--second": "--second 0.85",
    "--power": "--power 0.9",
    "--positives": "--positives 100",
}
"""Options with values, of which all but one determine the plan of a study of AUCs."""
EXAMPLES = """\b
Examples:
  tradeoff power --auc 0.8 --power 0.9 --prevalence 0.2       rows to detect 0.8 against 0.5
  tradeoff power --auc 0.8 --second 0.85 --positives 200      power to detect a difference
  tradeoff power --auc 0.8 --difference --positives 200 --power 0.9
  tradeoff power --auc 0.8 --second 0.8 --margin 0.05 --power 0.9
  tradeoff power --pilot pilot.csv --actual y --score new --score old --power 0.9
  tradeoff power --share 0.9 --half-width 0.05 --prevalence 0.2
"""


@command(epilog=EXAMPLES, max_models=2)
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
@option_group(
    "Pilot study",
    click.option(
        "--pilot",
        type=InputPath(),
        metavar="FILE",
        help="Rows of a pilot study: the AUCs, their variances and their correlation are computed "
        "from them.",
    ),
    click.option("--actual", metavar="COLUMN", help="With --pilot: column of the actual class."),
    click.option(
        "--score",
        "scores",
        multiple=True,
        metavar="COLUMN",
        help="With --pilot: column of scores; a,b to compare two models.",
    ),
    click.option("--positive", metavar="CLASS", help="With --pilot: the positive class."),
    click.option(
        "--lower-is-positive",
        is_flag=True,
        help="With --pilot: lower scores indicate the positive class.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["error", "drop"]),
        default="error",
        show_default=True,
        help="With --pilot: how to treat rows without a score.",
    ),
)
@file_options
@format_option("text", "json", "markdown", "csv")
def power_command(*, output_format: str, **options: Any) -> None:
    """Plan a study: the sample size it needs, its power, or the effect it can detect.

    Give two of the number of rows, the power and the effect size; the third is computed.
    """
    if all(
        value in {None, False, ()}
        for name, value in options.items()
        if name not in OPTIONS_WITH_DEFAULTS
    ):
        raise click.UsageError("Nothing to plan: see the examples in `tradeoff power --help`.")
    _require_proportion(options)
    if options["pilot"] is not None:
        plan = _pilot_plan(options)
    else:
        _require_no_pilot_columns(options)
        plan = _proportion_plan(options) if options["share"] is not None else _auc_plan(options)
    emit(plan, output_format)
    if options["pilot"] is not None:
        emit_suggestions(output_format, *PILOT_SUGGESTIONS)
    elif options["share"] is not None:
        emit_suggestions(output_format, *_share_suggestions(options["share"]))
    elif options["auc"] is not None:
        emit_suggestions(output_format, *_auc_suggestions(options["auc"]))


def _share_suggestions(share: float) -> list[Suggestion]:
    """Suggestions below the plan for a proportion."""
    precision = Suggestion(
        "precision", "--half-width 0.05", unless=("--above", "--power", "--class-rows")
    )
    test = f"--above {max(share - 0.1, share / 2):.2g} --power 0.9"
    return [
        precision,
        Suggestion("test", test, unless=("--half-width", "--class-rows")),
        Suggestion("of specificity", "--of negative"),
    ]


def _auc_suggestions(auc: float) -> list[Suggestion]:
    """Suggestions below the plan for an AUC, or for the difference of two."""
    second = ("--second", "--difference")
    return [
        Suggestion("compare two AUCs", f"--second {(auc + 1) / 2:.3g}", unless=second),
        Suggestion("smallest difference", "--difference --positives 200", unless=second),
        Suggestion("smallest difference", "--difference --power 0.9", unless=second),
        Suggestion("non-inferiority", f"--second {auc:g} --margin 0.05", unless=second),
    ]


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
        if options["margin"] is not None:
            raise click.UsageError("--margin is for two AUCs: add --second, as in --second 0.8.")
        _require_all_but_one(options, ("--auc", "--power", "--positives"))
        return plan_auc(auc=options["auc"], **plan_options)
    if options["auc"] is None:
        raise click.UsageError("Give the first AUC as --auc.")
    if options["second"] is not None and options["difference"]:
        raise click.UsageError("--difference finds the second AUC: leave out --second.")
    _require_all_but_one(options, ("--second", "--power", "--positives"))
    return plan_auc_difference(
        first=options["auc"],
        second=options["second"],
        paired=not options["unpaired"],
        correlation=options["correlation"],
        margin=options["margin"],
        **plan_options,
    )


def _require_all_but_one(options: dict[str, Any], flags: tuple[str, ...]) -> None:
    """Require all of three options but the one that is computed."""
    values = {
        "--auc": options["auc"],
        "--second": options["second"],
        "--power": options["target_power"],
        "--positives": options["positives"] or options["negatives"],
    }
    missing = [flag for flag in flags if values[flag] is None]
    if len(missing) < 2:
        return
    computed = "--second" if options["difference"] else ""
    examples = [EXAMPLE_VALUES[flag] for flag in missing if flag != computed]
    conjunction = " and " if computed or len(missing) > 2 else " or "
    raise click.UsageError(
        f"Two of {', '.join(flags[:-1])} and {flags[-1]} determine the third: add "
        f"{conjunction.join(examples[:2])}."
    )


def _require_no_pilot_columns(options: dict[str, Any]) -> None:
    flags = [
        "--score" if name == "scores" else f"--{name.replace('_', '-')}"
        for name in PILOT_COLUMNS
        if options[name]
    ]
    if flags:
        raise click.UsageError(f"{', '.join(flags)}: only with --pilot FILE.")


def _pilot_plan(options: dict[str, Any]) -> Any:
    """Plan from the rows of a pilot study: by default, the rows that a power of 80% needs."""
    from tradeoff.power.auc import Pilot, plan_auc, plan_auc_difference

    if options["share"] is not None or options["correlation"] is not None or options["unpaired"]:
        raise click.UsageError(
            "With --pilot, leave out --share, --correlation and --unpaired: the pilot study "
            "determines them."
        )
    scored = _read_pilot(options)
    names = ("positives", "negatives", "ratio", "prevalence", "significance")
    plan_options = {name: options[name] for name in names} | {"power": options["target_power"]}
    if options["positives"] is None and options["target_power"] is None:
        plan_options["power"] = DEFAULT_POWER
    if len(options["scores"]) == 1:
        if options["second"] is not None or options["margin"] is not None or options["difference"]:
            raise click.UsageError("To compare two models, give --score twice.")
        (ranking,) = scored.models.rankings.values()
        if all(options[name] is None for name in ("negatives", "ratio", "prevalence")):
            plan_options["ratio"] = float(ranking.negatives / ranking.positives)
        return plan_auc(auc=_auc(ranking, options["auc"]), **plan_options)
    return plan_auc_difference(
        first=options["auc"],
        second=options["second"],
        margin=options["margin"],
        pilot=Pilot.of(scored.paired),
        **plan_options,
    )


def _read_pilot(options: dict[str, Any]) -> Any:
    from tradeoff.cli.source import read_source

    if len(options["scores"]) > 2:
        raise click.UsageError("A pilot study has one model or two: give --score once or twice.")
    columns = {name: options[name] for name in PILOT_COLUMNS}
    return read_source(options["pilot"], in_memory=True, missing=options["missing"], **columns)


def _auc(ranking: Any, expected: float | None) -> float:
    """The expected AUC, by default that of the pilot study."""
    from tradeoff.evaluation.evaluation import SUMMARIES

    return float(SUMMARIES["auc"](ranking)) if expected is None else expected
