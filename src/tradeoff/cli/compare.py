"""`tradeoff compare`: which model is better, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    cluster_option,
    costs_of,
    costs_options,
    format_option,
    level_option,
    prevalence_option,
    reading,
    replicates_option,
    sampling_option,
    seed_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_comparison, read_evaluation

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

TESTS = ("mcnemar", "cochran", "venkatraman", "equal")


class Point(click.ParamType):  # type: ignore[type-arg]
    """Where a metric is looked at: threshold=0.5, fpr=0.1, depth=0.05."""

    name = "point"

    def convert(self, value: Any, param: Any, ctx: Any) -> tuple[str, float]:
        """The metric's name and its value."""
        what, sign, number = str(value).partition("=")
        try:
            found = float(number)
        except ValueError:
            sign = ""
        if not sign:
            self.fail(f"Write a point as fpr=0.1 or threshold=0.5, not {value!r}.", param, ctx)
        return what.strip(), found


@command()
@reading()
@cluster_option
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="A summary, a metric (see --at), or cost; repeat it for several.  [default: auc]",
)
@click.option(
    "--at",
    type=Point(),
    metavar="WHERE=VALUE",
    help="Where to look at a metric: threshold=0.5, or another metric's value, fpr=0.1.",
)
@costs_options
@prevalence_option
@click.option(
    "--method",
    type=click.Choice(["delong", "bootstrap", "permutation"]),
    help="How to compare.  [default: delong for areas, bootstrap for all else]",
)
@click.option("--margin", type=float, help="Is the first not worse by this much, are both alike?")
@click.option("--simultaneous", is_flag=True, help="Intervals that hold together for all pairs.")
@click.option(
    "--test",
    "tests",
    type=click.Choice(TESTS),
    multiple=True,
    help="Also this test (mcnemar and cochran: at the threshold of --at, or 0.5).",
)
@click.option("--by", metavar="COLUMN", help="Compare one model between these segments instead.")
@level_option
@replicates_option
@seed_option
@sampling_option
@format_option("text", "json", "markdown", "csv")
def compare(  # noqa: PLR0913 - one parameter an option
    *,
    metrics: tuple[str, ...],
    at: tuple[str, float] | None,
    prevalence: float | None,
    method: str | None,
    margin: float | None,
    simultaneous: bool,
    tests: tuple[str, ...],
    by: str | None,
    level: float,
    replicates: int,
    seed: int,
    sampling: Any,
    form: str,
    **source: Any,
) -> None:
    """Differences of models on the same rows: A − B, its interval, p, and P(A better)."""
    from tradeoff.comparison.unpaired import compare_segments
    from tradeoff.errors import InputError
    from tradeoff.uncertainty.confidence import Confidence

    costs = costs_of(source)
    metrics = metrics or ("auc",)
    _demand_point(at, metrics, tests)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, sampling, progress=progress)
        asked: dict[str, Any] = {"at": at, "prevalence": prevalence, "costs": costs}
        if by is not None:
            if method not in {None, "delong", "bootstrap"} or margin or tests or simultaneous:
                raise click.UsageError("--by goes with --metric, --at and --method bootstrap.")
            confidence = replace(confidence, method=None if method == "delong" else method)
            segments = _segments(source, by)
            result = compare_segments(segments, metrics, by=by, confidence=confidence, **asked)
        else:
            if len(source["scores"]) < 2:
                raise InputError("A comparison needs two models or more: give --score twice.")
            comparison = read_comparison(confidence, **source)
            result = comparison.summary(
                metrics,
                method=method,
                simultaneous=simultaneous,
                tests=tests,
                margin=margin,
                **asked,
            )
    emit(result, form)


def _segments(source: dict[str, Any], by: str) -> Mapping[str, Ranking]:
    """The only model's rankings by segment."""
    from tradeoff.errors import InputError

    if len(source["scores"]) != 1 or source.pop("cluster") is not None:
        raise InputError("Segments are compared for one model: give --score once, no --cluster.")
    return read_evaluation(segment=by, **source).segments[source["scores"][0]]


def _demand_point(
    at: tuple[str, float] | None, metrics: tuple[str, ...], tests: tuple[str, ...]
) -> None:
    """A point that nothing would look at is a mistake."""
    from tradeoff.uncertainty.question import is_summary

    if at is None:
        return
    labels = {"mcnemar", "cochran"} & set(tests)
    if labels and at[0] != "threshold":
        raise click.UsageError(f"--test {min(labels)} looks at a threshold: --at threshold=0.5.")
    if not labels and all(map(is_summary, metrics)):
        raise click.UsageError("--at is a point for a metric: name one, as in --metric tpr.")
