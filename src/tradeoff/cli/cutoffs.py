"""Command `tradeoff cutoffs`: sensitivity, specificity and predictive values at cut-offs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from tradeoff.cli.command import command, option_group
from tradeoff.cli.emit import emit
from tradeoff.cli.numbers import number_spelling
from tradeoff.cli.options import (
    cluster_option,
    confidence_options,
    format_option,
    large_input_options,
    metric_option,
    pop_confidence,
    prevalence_option,
    rows_options,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

SUGGESTIONS = (
    Suggestion("other cut-offs", "--at 0.1,0.2", unless=("--all",)),
    Suggestion("every score", "--all", unless=("--at",)),
    Suggestion("chosen on resamples", "--out-of-bag", unless=("--cluster",)),
    Suggestion("another prevalence", "--prevalence 0.1", unless=("--cluster",)),
    Suggestion("for Word", "-o cutoffs.html"),
)


class Numbers(click.ParamType):  # type: ignore[type-arg]
    """Cut-offs: one or several numbers, separated by commas."""

    name = "numbers"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[float, ...]:
        """Parse cut-offs such as "0.1,0.2" into numbers."""
        try:
            return tuple(float(part) for part in str(value).split(",") if part.strip())
        except ValueError:
            spellings = [number_spelling(part) for part in str(value).split(",")]
            numbers = [spelling[0][0] for spelling in spellings if spelling is not None]
            example = ",".join(numbers) if len(numbers) == len(spellings) else "0.1,0.2"
            self.fail(
                f"Write cut-offs as numbers, such as --at {example}, not {value!r}.", param, ctx
            )


@command(
    examples=[
        "patients.csv --actual disease --positive yes --score marker",
        "patients.csv --actual disease --positive yes --score marker --at 0.1,0.2,0.5",
    ]
)
@rows_options()
@large_input_options()
@cluster_option
@option_group(
    "Decision",
    click.option(
        "--at",
        "cutoffs",
        type=Numbers(),
        multiple=True,
        metavar="NUMBERS",
        help="Cut-offs, separated by commas.  [default: Youden's, and round ones near quantiles]",
    ),
    click.option("--all", "everything", is_flag=True, help="List every distinct score."),
    click.option(
        "--out-of-bag",
        is_flag=True,
        help="Add what to expect on new data of a cut-off chosen by --by: chosen on bootstrap "
        "resamples, evaluated on the rows left out.",
    ),
    click.option(
        "--by",
        metavar="CRITERION",
        default="youden",
        show_default=True,
        help="With --out-of-bag: criterion, as for tradeoff threshold.",
    ),
    click.option("--target", type=float, help="Value that the metric of --by must reach."),
)
@prevalence_option
@confidence_options
@metric_option
@option_group(
    "Output",
    click.option(
        "--vocabulary",
        type=click.Choice(["general", "ml", "clinical", "marketing"]),
        default="clinical",
        show_default=True,
        help="Which metrics to show, and which names to use for them.",
    ),
)
@format_option("text", "json", "markdown", "csv")
def cutoffs_command(  # noqa: PLR0913 - one parameter per option
    *,
    cutoffs: tuple[tuple[float, ...], ...],
    everything: bool,
    out_of_bag: bool,
    by: str,
    target: float | None,
    prevalence: float | None,
    measures: tuple[str, ...],
    vocabulary: Any,
    output_format: str,
    **source: Any,
) -> None:
    """List cut-offs of a marker or score with counts, sensitivity, specificity, PPV and NPV."""
    if cutoffs and everything:
        raise click.UsageError("Give --at or --all, not both.")
    if (by != "youden" or target is not None) and not out_of_bag:
        raise click.UsageError("--by and --target choose the cut-off of --out-of-bag: add it.")
    with progress_bar("Bootstrap resamples") as progress:
        is_default = _is_default("replicates")
        confidence = pop_confidence(source, progress)
        evaluation = read_evaluation(**source)
        evaluation = replace(evaluation, confidence=confidence, prevalence=prevalence)
        result = evaluation.cutoffs(
            [number for numbers in cutoffs for number in numbers] if cutoffs else None,
            everything=everything,
            metric=measures,
            out_of_bag=out_of_bag,
            by=by,
            target=target,
            replicates=None if is_default or confidence is None else confidence.replicates,
            vocabulary=vocabulary,
        )
    emit(result, output_format)
    emit_suggestions(output_format, *SUGGESTIONS)


def _is_default(option: str) -> bool:
    """Whether an option was left out: the default number of resamples depends on the rows."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.DEFAULT
