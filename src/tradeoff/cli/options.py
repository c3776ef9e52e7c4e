"""Command-line options shared by several commands, under the headings of their help."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tradeoff.cli.command import InputPath, LateOption, ListOption, OutputPath, option_group
from tradeoff.cli.numbers import notation_problem, number_spelling

if TYPE_CHECKING:
    from tradeoff.core.costs import Costs
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.thresholds.operating_threshold import Goal, Thresholds
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.wording import Wording

COST_FLAGS = {
    "false_positive": "--cost-fp",
    "false_negative": "--cost-fn",
    "true_positive": "--cost-tp",
    "true_negative": "--cost-tn",
    "rejected": "--cost-reject",
    "contact": "--cost-contact",
    "fixed": "--cost-fixed",
    "value": "--value",
}
"""The command-line option for each parameter of `Costs`."""

THRESHOLD = "threshold"
Function = TypeVar("Function", bound=Callable[..., Any])


def _combine_paths(context: Any, parameter: Any, paths: tuple[str, ...]) -> Any:  # noqa: ARG001
    """Callback of FILE: one path as it is, several (as from a shell pattern) as one source."""
    from tradeoff.sources.files import File

    if len(paths) > 1:
        return File(paths)
    return paths[0] if paths else None


unit_option = option_group(
    "Output",
    click.option(
        "--unit",
        "units",
        metavar="WORD",
        default="rows",
        show_default=True,
        help="Plural noun for what the rows represent, such as customers or patients.",
    ),
)
currency_option = option_group(
    "Output",
    click.option(
        "--currency", metavar="WORD", default="", help="Currency of amounts, such as EUR or $."
    ),
)
file_argument = click.argument("file", nargs=-1, type=InputPath(), callback=_combine_paths)
file_options = option_group(
    "Input",
    click.option(
        "--delimiter", metavar="CHARACTER", help="Character between columns of a CSV file."
    ),
    click.option("--encoding", metavar="NAME", help="Text encoding of a CSV file, such as cp1252."),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        help="Decimal point or comma of numbers in a CSV file.",
    ),
    click.option("--sheet", metavar="NAME", help="Sheet of a spreadsheet.  [default: the first]"),
)
"""Options that say how a file is written where that is not recognized."""


def rows_options() -> Callable[[Function], Function]:
    """Input and column options of every command that reads scored rows.

    No column is required here, as FILE may be a saved ranking, and as columns that are not named
    are inferred.
    """
    return _chain(
        file_argument,
        option_group(
            "Input",
            click.option(
                "--query",
                metavar="SQL",
                help="Read the rows that DuckDB returns for this query, such as SELECT * FROM "
                "'scores/*.parquet', or a query of the tables in FILE.",
            ),
            click.option("--table", metavar="NAME", help="Table to read if FILE is a database."),
            click.option(
                "--missing",
                type=click.Choice(["error", "drop", "reject", "negative"]),
                default="error",
                show_default=True,
                help="How to treat rows without a score.",
            ),
            click.option("--digits", type=int, help="Round scores to this many decimals first."),
        ),
        file_options,
        option_group(
            "Columns",
            click.option(
                "--actual",
                metavar="COLUMN",
                help="Column of the actual class (not needed for a saved ranking, nor if it is the "
                "only one with two values).",
            ),
            click.option(
                "--score",
                "scores",
                multiple=True,
                metavar="COLUMN",
                help="Column of scores for the positive class; a,b or 'p_*' for several models, or "
                "repeat it.  [default: columns named p_…, prob…, score…, pred…, or within 0 to 1]",
            ),
            click.option("--positive", metavar="CLASS", help="The positive class."),
            click.option(
                "--lower-is-positive",
                is_flag=True,
                help="Lower scores indicate the positive class.",
            ),
            click.option("--weight", metavar="COLUMN", help="Column of row weights."),
            click.option(
                "--weight-means",
                type=click.Choice(["frequency", "importance"]),
                help="Whether weights are frequencies or importance weights.  [default: frequency "
                "if they are whole numbers]",
            ),
        ),
        unit_option,
    )


def large_input_options(*, bins: bool = True) -> Callable[[Function], Function]:
    """Options for input that is too large for memory: batches, bins and the engine."""
    options = [
        click.option(
            "--memory",
            metavar="SIZE",
            help="Memory limit, such as 2GB; rows are then read in batches, as large files always "
            "are.  [default: 1GB]",
        ),
        click.option(
            "--exact",
            is_flag=True,
            help="Read the rows twice for an exact AUC, however many distinct scores there are.",
        ),
        click.option(
            "--bad-rows",
            type=click.Choice(["stop", "skip"]),
            default="stop",
            show_default=True,
            help="What to do with lines that cannot be parsed.",
        ),
        click.option(
            "--engine",
            type=click.Choice(["duckdb", "spark"]),
            default="duckdb",
            show_default=True,
            help="Engine that reads the rows.",
        ),
        click.option("--master", metavar="URL", help="Spark master, such as local[2]."),
    ]
    return _chain(*([bins_option] if bins else []), option_group("Input", *options))


bins_option = option_group(
    "Input",
    click.option(
        "--bins",
        type=click.IntRange(min=4),
        help="Keep at most this many thresholds; neighbouring scores are merged and the loss of "
        "precision is reported.  [default: all; a million if rows are read in batches]",
    ),
)


predicted_option = option_group(
    "Columns",
    click.option(
        "--predicted",
        multiple=True,
        metavar="COLUMN",
        help="Column of predicted classes, instead of --score; a,b for several models. The class "
        "is then the column with the same values, unless --actual names it.",
    ),
    click.option(
        "--rejected",
        metavar="LABEL",
        help="With --predicted: the label that stands for undecided rows.",
    ),
)
TABLE_FORMATS = ("text", "markdown", "html", "latex")
"""Output formats of sections: for reading, web pages, Word and papers."""


def format_option(*formats: str, is_written: bool = True) -> Callable[[Function], Function]:
    """The option for the output format, and that for a file; HTML and LaTeX go with Markdown.

    `is_written` is False for a command that has an option --output of its own.
    """
    if "markdown" in formats:
        index = formats.index("markdown") + 1
        formats = (*formats[:index], "html", "latex", *formats[index:])
    output_format = click.option(
        "--format",
        "output_format",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="Output format.",
    )
    output = click.option(
        "--output",
        "-o",
        "result_path",
        type=OutputPath(),
        metavar="FILE",
        help="Write the result to this file, in the format of its extension unless --format is "
        "given.",
    )
    return option_group("Output", *([output] if is_written else []), output_format)


threshold_option = option_group(
    "Decision",
    click.option(
        "--threshold",
        type=float,
        help="Rows with at least this score are predicted positive.  [default: the best for the "
        "costs, if there are any; else 0.5 for probabilities]",
    ),
)


def operating_point_options(command: Function) -> Function:
    """Options for the threshold of all models, of each model, or of a goal."""
    return option_group(
        "Decision",
        click.option(
            "--threshold",
            type=float,
            help="Rows with at least this score are predicted positive.  [default: the best for "
            "the costs or the goal, if there is one; else 0.5 for probabilities]",
        ),
        click.option(
            "--at",
            "model_thresholds",
            type=PointType(),
            multiple=True,
            metavar="MODEL=VALUE",
            help="Threshold of one of several models; repeat it for others.",
        ),
        click.option(
            "--by",
            metavar="CRITERION",
            help="Use the best threshold by this criterion, as in `tradeoff threshold`.",
        ),
        click.option(
            "--target",
            type=float,
            help="With --by: value that the metric must reach, or number or proportion of rows.",
        ),
    )(command)


class PointType(click.ParamType):  # type: ignore[type-arg]
    """Value of the option --at: threshold=0.5, fpr=0.1, or a threshold for a model, s100b=0.2."""

    name = "point"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, float]:
        """Parse a point into a name and a value."""
        # A column may have = in its name, a number has none.
        name, sign, text = str(value).rpartition("=")
        try:
            number = float(text)
        except ValueError:
            if sign and number_spelling(text):
                self.fail(f"{notation_problem(text, f'--at {name}=')}.", param, ctx)
            sign = ""
        if not (sign and name.strip()):
            example = "fpr=0.1 or threshold=0.5"
            if param is not None and param.metavar == "MODEL=VALUE":
                example = "MODEL=0.3, with the name of a score column"
            self.fail(f"Write a point as {example}, not {value!r}.", param, ctx)
        return name.strip(), number


point_option = click.option(
    "--at",
    type=PointType(),
    multiple=True,
    metavar="WHERE=VALUE",
    help="Where to evaluate a metric: at a threshold, as in threshold=0.5, at a value of another "
    "metric, as in fpr=0.1, or at a threshold of each model, as in --at a=0.2 --at b=12.  "
    "[default: threshold=0.5 for probabilities]",
)


def operating_point(
    points: Sequence[tuple[str, float]], models: Sequence[str]
) -> tuple[str, Thresholds] | None:
    """Operating point from the option --at: a threshold, one per model, or a metric's value."""
    values = dict_of_points(points)
    thresholds = {name: value for name, value in values.items() if name in models}
    others = {name: value for name, value in values.items() if name not in thresholds}
    if thresholds and (set(others) <= {THRESHOLD}):
        common = dict.fromkeys(models, others[THRESHOLD]) if others else {}
        return THRESHOLD, {**common, **thresholds}
    if len(values) > 1:
        from tradeoff.errors import did_you_mean, format_list

        name = next(iter(others))
        raise click.UsageError(
            f"--at takes one point, or a threshold for each model: {name!r} is not a model."
            f"{did_you_mean(name, models)} Available models: {format_list(models)}."
        )
    return next(iter(values.items()), None)


def pop_operating_point(
    options: dict[str, Any],
) -> tuple[Callable[[Iterable[str]], Thresholds | None], Goal | None]:
    """Remove the options of operating points: a function of the models' names, and the goal.

    The function returns the thresholds given: --at for the models that it names, --threshold for
    all others.
    """
    from tradeoff.thresholds.operating_threshold import goal_of

    threshold, points = options.pop("threshold"), dict_of_points(options.pop("model_thresholds"))
    goal = goal_of(options.pop("by"), options.pop("target"))
    if threshold is not None and THRESHOLD in points:
        raise click.UsageError("Give --threshold or --at threshold=VALUE, not both.")
    if goal is not None and (threshold is not None or points):
        raise click.UsageError("Give a threshold or --by, not both.")

    def given_thresholds(models: Iterable[str]) -> Thresholds | None:
        names, by_model = list(models), dict(points)
        common = threshold if THRESHOLD in names else by_model.pop(THRESHOLD, threshold)
        if common is None or not by_model:
            return by_model or common
        return {**dict.fromkeys(names, common), **by_model}

    return given_thresholds, goal


def dict_of_points(points: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Points of an option by name; a name must not be given twice."""
    values: dict[str, float] = {}
    for name, value in points:
        if name in values:
            raise click.UsageError(
                f"--at was given twice for {name!r} ({values[name]:g} and {value:g})."
            )
        values[name] = value
    return values


metric_option = option_group(
    "Output",
    click.option(
        "--metric",
        "measures",
        cls=ListOption,
        multiple=True,
        metavar="NAME",
        help="Show this metric, by any of its names; a,b for several.",
    ),
)
vocabulary_option = option_group(
    "Output",
    click.option(
        "--vocabulary",
        type=click.Choice(["general", "ml", "clinical", "marketing"]),
        default="general",
        show_default=True,
        help="Which metrics to show, and which names to use for them.",
    ),
)
terminology_option = option_group(
    "Output",
    click.option(
        "--vocabulary",
        type=click.Choice(["general", "ml", "clinical", "marketing"]),
        default="general",
        show_default=True,
        help="Which names to use for metrics.",
    ),
)
all_option = option_group(
    "Output", click.option("--all", "everything", is_flag=True, help="Show all metrics.")
)
fold_option = option_group(
    "Columns", click.option("--fold", metavar="COLUMN", help="Column of cross-validation folds.")
)
segment_option = option_group(
    "Columns",
    click.option(
        "--segment", metavar="COLUMN", help="Column that divides the population into segments."
    ),
)
cluster_option = option_group(
    "Columns",
    click.option(
        "--cluster",
        metavar="COLUMN",
        help="Column of clusters, such as the patient or user that several rows come from.",
    ),
)
prevalence_option = option_group(
    "Decision",
    click.option(
        "--prevalence",
        type=float,
        help="Proportion of positives where the model will be used.  [default: as in the rows]",
    ),
)
calibrate_option = option_group(
    "Analysis",
    click.option(
        "--calibrate",
        type=click.Choice(["logistic", "isotonic", "platt"]),
        help="Turn scores into probabilities first, by a regression on these rows: for the "
        "decision curve of a marker.",
    ),
)
level_option = option_group(
    "Uncertainty",
    click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        help="Confidence level of all intervals.",
    ),
)
seed_option = option_group(
    "Uncertainty",
    click.option(
        "--seed",
        type=click.IntRange(min=0),
        default=0,
        show_default=True,
        help="Seed of the random number generator.",
    ),
)
replicates_option = option_group(
    "Uncertainty",
    click.option(
        "--replicates",
        type=click.IntRange(min=2),
        default=1000,
        show_default=True,
        help="Number of bootstrap resamples.",
    ),
)
sampling_option = option_group(
    "Uncertainty",
    click.option(
        "--sampling",
        type=click.Choice(["random", "by-class"]),
        default="random",
        show_default=True,
        help="How rows were sampled: at random, or separately by class (case–control).",
    ),
)


def method_option(prefix: str) -> Callable[[Function], Function]:
    """The option for the interval method; its help lists the registered methods."""

    def help_text() -> str:
        from tradeoff.stats.interval_methods import describe_methods
        from tradeoff.uncertainty import confidence  # noqa: F401 - registers all methods

        return f"{prefix} {describe_methods()}."

    option = click.option("--method", cls=LateOption, metavar="NAME", late_help=help_text)
    return option_group("Uncertainty", option)


def confidence_options(command: Function) -> Function:
    """Options for the level and method of confidence intervals."""
    no_intervals = click.option("--no-intervals", is_flag=True, help="Omit confidence intervals.")
    return _chain(
        level_option,
        method_option("Interval method:"),
        replicates_option,
        seed_option,
        sampling_option,
        option_group("Uncertainty", no_intervals),
    )(command)


def calibrated(evaluation: Evaluation, how: Any) -> Evaluation:
    """The evaluation with the probabilities that the option --calibrate asks for."""
    return evaluation if how is None else evaluation.calibrated(how)


def pop_confidence(options: dict[str, Any], progress: Any = None) -> Confidence | None:
    """Pop the confidence interval options; None with --no-intervals."""
    from tradeoff.uncertainty.confidence import Confidence

    names = ("level", "method", "replicates", "seed", "sampling")
    settings = {name: options.pop(name) for name in names}
    if options.pop("no_intervals"):
        return None
    return Confidence(**settings, progress=progress)


class CostType(click.ParamType):  # type: ignore[type-arg]
    """Value of a cost option: a number, or the name of a column with one number per row."""

    name = "number or column"

    def convert(self, value: Any, param: Any, ctx: Any) -> float | str:
        """Parse a cost as a number; anything else is the name of a column."""
        try:
            return float(value)
        except ValueError:
            if number_spelling(str(value)):
                flag = "" if param is None else max(param.opts, key=len)
                self.fail(f"{notation_problem(str(value), flag)}.", param, ctx)
            return str(value)


def costs_options(command: Function) -> Function:
    """Options for the cost of each outcome, a number or a column, and for the currency."""
    cost, metavar = CostType(), "COST|COLUMN"
    costs = option_group(
        "Costs",
        click.option(
            "--cost-fp",
            type=cost,
            metavar=metavar,
            help="Cost of a false positive.  [default: 1, or 0 with --cost-contact or --value]",
        ),
        click.option(
            "--cost-fn",
            type=cost,
            metavar=metavar,
            help="Cost of a false negative.  [default: 1, or 0 with --cost-contact or --value]",
        ),
        click.option(
            "--cost-tp",
            type=cost,
            metavar=metavar,
            help="Cost of a true positive; a benefit is negative.",
        ),
        click.option(
            "--value",
            type=float,
            metavar="AMOUNT",
            help="Value of each true positive, such as a response; instead of --cost-tp.",
        ),
        click.option("--cost-tn", type=cost, metavar=metavar, help="Cost of a true negative."),
        click.option("--cost-reject", type=cost, metavar=metavar, help="Cost of a rejected row."),
        click.option(
            "--cost-contact",
            type=float,
            metavar="COST",
            help="Cost of each row that is predicted positive.",
        ),
        click.option(
            "--cost-fixed", type=float, metavar="COST", help="Fixed cost of running a campaign."
        ),
    )
    return _chain(costs, currency_option)(command)


def pop_costs(options: dict[str, Any]) -> Costs | None:
    """Pop the cost options as `Costs`; None if no cost was given."""
    from tradeoff.core.costs import Costs

    values = {name: options.pop(_parameter_name(flag)) for name, flag in COST_FLAGS.items()}
    costs = {name: cost for name, cost in values.items() if cost is not None}
    return Costs(**costs) if costs else None


def pop_wording(options: dict[str, Any]) -> Wording:
    """Pop the options --unit and --currency: the user's words for rows and amounts."""
    from tradeoff.wording import Wording

    return Wording(options.pop("units", "rows"), options.pop("currency", ""))


def _parameter_name(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _chain(*options: Callable[[Any], Any]) -> Callable[[Function], Function]:
    def decorate(command: Function) -> Function:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
