"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tradeoff.cli.command import InputPath, LateOption

if TYPE_CHECKING:
    from tradeoff.core.costs import Costs
    from tradeoff.uncertainty.confidence import Confidence

COST_FLAGS = {
    "false_positive": "--cost-fp",
    "false_negative": "--cost-fn",
    "true_positive": "--cost-tp",
    "true_negative": "--cost-tn",
    "rejected": "--cost-reject",
    "contact": "--cost-contact",
    "fixed": "--cost-fixed",
}
"""What the library calls each cost, and its flag."""

Function = TypeVar("Function", bound=Callable[..., Any])


def _one_or_more(context: Any, parameter: Any, given: tuple[str, ...]) -> Any:  # noqa: ARG001
    """A path as it is; several, as a shell makes of a pattern, are one source."""
    from tradeoff.sources.files import Files

    if len(given) > 1:
        return Files(given)
    return given[0] if given else None


def reading() -> Callable[[Function], Function]:
    """The options of every command that reads scored rows.

    Where FILE is a saved ranking, no column need be named: `read_source` asks for them.
    """
    return _all(
        click.argument("file", nargs=-1, type=InputPath(), callback=_one_or_more),
        click.option(
            "--query",
            metavar="SQL",
            help="Rows to ask DuckDB for, such as SELECT * FROM 'scores/*.parquet', or from the "
            "tables of FILE.",
        ),
        click.option("--table", metavar="NAME", help="Where FILE is a DuckDB database."),
        click.option(
            "--actual", metavar="COLUMN", help="The actual class (a saved ranking needs none)."
        ),
        click.option(
            "--score",
            "scores",
            multiple=True,
            metavar="COLUMN",
            help="The score of the positive class; repeat it for several models.",
        ),
        click.option("--positive", metavar="CLASS", help="Which class is positive."),
        click.option("--weight", metavar="COLUMN", help="What each row counts."),
        click.option(
            "--weight-means",
            type=click.Choice(["frequency", "importance"]),
            help="What a weight says.  [default: frequency if whole numbers]",
        ),
        click.option(
            "--missing",
            type=click.Choice(["error", "drop", "reject", "negative"]),
            default="error",
            show_default=True,
            help="What to do with rows without a score.",
        ),
        click.option("--lower-is-positive", is_flag=True, help="Low scores mean positive."),
        click.option("--digits", type=int, help="Round scores to so many decimals first."),
    )


def batches_options(*, bins: bool = True) -> Callable[[Function], Function]:
    """How rows are gone through that are too many to be held, and where."""
    options = [
        click.option(
            "--memory",
            metavar="SIZE",
            help="How much may be used, such as 2GB; rows are then read in batches, as those of "
            "large files always are.  [default: 1GB]",
        ),
        click.option(
            "--exact",
            is_flag=True,
            help="Read rows twice, so that areas are exact however many scores there are.",
        ),
        click.option(
            "--bad-rows",
            type=click.Choice(["stop", "skip"]),
            default="stop",
            show_default=True,
            help="What to do at lines that cannot be read.",
        ),
        click.option(
            "--engine",
            type=click.Choice(["duckdb", "spark"]),
            default="duckdb",
            show_default=True,
            help="What reads the rows.",
        ),
        click.option("--master", metavar="URL", help="Of Spark, such as local[2]."),
    ]
    return _all(*([bins_option] if bins else []), *options)


bins_option = click.option(
    "--bins",
    type=click.IntRange(min=4),
    help="Keep at most so many thresholds: neighbouring scores go together, and it is told what "
    "that costs.  [default: all; a million where rows are read in batches]",
)


def format_option(*formats: str) -> Callable[[Function], Function]:
    """How to write the result."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to write the result.",
    )


threshold_option = click.option(
    "--threshold",
    type=float,
    default=0.5,
    show_default=True,
    help="Rows that score at least this are predicted positive.",
)
all_option = click.option("--all", "everything", is_flag=True, help="Show every measure.")
fold_option = click.option("--fold", metavar="COLUMN", help="The fold each row was tested in.")
segment_option = click.option("--segment", metavar="COLUMN", help="The part each row belongs to.")
prevalence_option = click.option(
    "--prevalence",
    type=float,
    help="Share of positives where the classifier will be used; the rows' own if not given.",
)


cluster_option = click.option(
    "--cluster", metavar="COLUMN", help="The patient or user each row comes from."
)
level_option = click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level of all intervals.",
)
seed_option = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Same seed, same answer.",
)
replicates_option = click.option(
    "--replicates",
    type=click.IntRange(min=2),
    default=1000,
    show_default=True,
    help="Number of bootstrap resamples.",
)
sampling_option = click.option(
    "--sampling",
    type=click.Choice(["random", "by-class"]),
    default="random",
    show_default=True,
    help="How rows were sampled: at random, or so many of each class (case–control).",
)


def method_option(opening: str) -> Callable[[Function], Function]:
    """By which method intervals are found; help lists those that are registered."""

    def words() -> str:
        from tradeoff.stats.interval_methods import methods_in_words
        from tradeoff.uncertainty import confidence  # noqa: F401 - enters all methods

        return f"{opening} {methods_in_words()}."

    return click.option("--method", cls=LateOption, metavar="NAME", late_help=words)


def confidence_options(command: Function) -> Function:
    """How sure intervals shall be, and how they are found."""
    return _all(
        level_option,
        method_option("Method of intervals:"),
        replicates_option,
        seed_option,
        sampling_option,
        click.option("--no-intervals", is_flag=True, help="Values alone."),
    )(command)


def confidence_of(given: dict[str, Any], progress: Any = None) -> Confidence | None:
    """What a command's options ask of intervals, which are taken out; None: no intervals."""
    from tradeoff.uncertainty.confidence import Confidence

    names = ("level", "method", "replicates", "seed", "sampling")
    asked = {name: given.pop(name) for name in names}
    if given.pop("no_intervals"):
        return None
    return Confidence(**asked, progress=progress)


class Price(click.ParamType):  # type: ignore[type-arg]
    """A number, or the name of a column that holds one for each row."""

    name = "number or column"

    def convert(self, value: Any, param: Any, ctx: Any) -> float | str:  # noqa: ARG002
        """A number where it is one."""
        try:
            return float(value)
        except ValueError:
            return str(value)


def costs_options(command: Function) -> Function:
    """What outcomes cost, each a number or a column."""
    price, cost = Price(), "COST|COLUMN"
    return _all(
        click.option(
            "--cost-fp",
            type=price,
            metavar=cost,
            help="Cost of a false positive.  [default: 1, or 0 with --cost-contact]",
        ),
        click.option(
            "--cost-fn",
            type=price,
            metavar=cost,
            help="Cost of a false negative.  [default: 1, or 0 with --cost-contact]",
        ),
        click.option(
            "--cost-tp", type=price, metavar=cost, help="Cost of a true positive; benefits are < 0."
        ),
        click.option("--cost-tn", type=price, metavar=cost, help="Cost of a true negative."),
        click.option("--cost-reject", type=price, metavar=cost, help="Cost of a rejected row."),
        click.option(
            "--cost-contact", type=float, metavar="COST", help="Cost of each row called positive."
        ),
        click.option(
            "--cost-fixed", type=float, metavar="COST", help="Cost of beginning a campaign at all."
        ),
    )(command)


def costs_of(given: dict[str, Any]) -> Costs | None:
    """The costs among a command's options, which are taken out; None if none is there."""
    from tradeoff.core.costs import Costs

    taken = {name: given.pop(_parameter(flag)) for name, flag in COST_FLAGS.items()}
    said = {name: cost for name, cost in taken.items() if cost is not None}
    return Costs(**said) if said else None


def _parameter(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _all(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    def decorate(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
