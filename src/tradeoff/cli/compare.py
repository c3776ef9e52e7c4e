"""`tradeoff compare`: which model is better, by how much, and how sure that is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
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
from tradeoff.cli.program import show
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_comparison, read_evaluation

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.comparison.difference import Difference, Verdict
    from tradeoff.stats.significance import Test

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
    from tradeoff.comparison.views import comparison_document, comparison_sections
    from tradeoff.errors import InputError
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import applying

    costs = costs_of(source)
    _demand_point(at, metrics, tests)
    with progress_bar("Bootstrap resamples") as told:
        confidence = Confidence(level, None, replicates, seed, sampling, progress=told)
        asked = {"at": at, "prevalence": prevalence}
        if by is not None:
            if method not in {None, "delong", "bootstrap"} or margin or tests or simultaneous:
                raise click.UsageError("--by goes with --metric, --at and --method bootstrap.")
            confidence = replace(confidence, method=None if method == "delong" else method)
            _segments(source, by, metrics or ("auc",), asked, costs, confidence, form)
            return
        if len(source["scores"]) < 2:
            raise InputError("A comparison needs two models or more: give --score twice.")
        comparison = read_comparison(confidence, **source)
        found = [
            one
            for metric in metrics or ("auc",)
            for one in comparison.differences(
                metric,
                method=method if metric == "auc" or method != "delong" else None,
                simultaneous=simultaneous,
                **applying(metric, asked | {"costs": costs}),
            )
        ]
        done = [_test(comparison, name, at) for name in tests]
        verdicts = [] if margin is None else _verdicts(found, margin)
    if form == "json":
        _echo_json(comparison_document(comparison, found, _flat(done), verdicts))
    elif form == "csv":
        _echo_csv(found)
    else:
        show(comparison_sections(comparison, found, _flat(done), verdicts), form)


def _test(comparison: Comparison, name: str, at: tuple[str, float] | None) -> list[Test]:
    from itertools import combinations

    threshold = at[1] if at is not None and at[0] == "threshold" else 0.5
    if name == "cochran":
        return [comparison.cochrans_q(threshold)]
    if name == "equal":
        return [comparison.equal()]
    pairs = list(combinations(comparison.models, 2))
    if name == "mcnemar":
        return [comparison.mcnemar(*pair, threshold) for pair in pairs]
    return [comparison.venkatraman(*pair) for pair in pairs]


def _verdicts(found: list[Difference], margin: float) -> list[Verdict]:
    from tradeoff.comparison.difference import equivalent, not_worse

    return [judge(one, margin) for one in found for judge in (not_worse, equivalent)]


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
    if not labels and all(map(is_summary, metrics or ("auc",))):
        raise click.UsageError("--at is a point for a metric: name one, as in --metric tpr.")


def _segments(  # noqa: PLR0913, PLR0917 - what the command was asked
    source: dict[str, Any],
    by: str,
    metrics: tuple[str, ...],
    asked: dict[str, Any],
    costs: Any,
    confidence: Any,
    form: str,
) -> None:
    """One model between segments: different rows, so unpaired."""
    from itertools import combinations

    from tradeoff.comparison.unpaired import difference
    from tradeoff.comparison.views import COMPARISON, difference_document, differences_sections
    from tradeoff.errors import InputError
    from tradeoff.stats.paired_labels import holm
    from tradeoff.uncertainty.question import applying

    if len(source["scores"]) != 1 or source.pop("cluster") is not None:
        raise InputError("Segments are compared for one model: give --score once, no --cluster.")
    evaluation = read_evaluation(segment=by, **source)
    parts = {
        name: own.named(name) for name, own in evaluation.segments[source["scores"][0]].items()
    }
    found = []
    for metric in metrics:
        own_choices = applying(metric, asked | {"costs": costs})
        own = [
            difference(*pair, metric, confidence=confidence, **own_choices)
            for pair in combinations(parts.values(), 2)
        ]
        adjusted = holm([one.p_value for one in own])
        found += [replace(one, adjusted=float(p)) for one, p in zip(own, adjusted, strict=True)]
    if form == "json":
        document = {
            "schema": COMPARISON,
            "models": [{"name": name} for name in parts],
            "by": by,
            "differences": [difference_document(one) for one in found],
        }
        _echo_json(document)
    elif form == "csv":
        _echo_csv(found)
    else:
        show(differences_sections(found), form)


def _flat(tests: list[list[Test]]) -> list[Test]:
    return [test for group in tests for test in group]


def _echo_json(document: dict[str, Any]) -> None:
    from tradeoff.render.values import as_json

    click.echo(as_json(document))


def _echo_csv(found: list[Difference]) -> None:
    from tradeoff.comparison.views import difference_document
    from tradeoff.render.values import as_csv

    documents = [difference_document(one) for one in found]
    head = list(dict.fromkeys(key for document in documents for key in document))
    click.echo(as_csv(head, ([document.get(key) for key in head] for document in documents)))
