"""`tradeoff threshold` and `tradeoff hull`: where to put the line, and which model to use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.options import (
    METHODS,
    batches_options,
    costs_of,
    costs_options,
    format_option,
    level_option,
    prevalence_option,
    reading,
    seed_option,
)
from tradeoff.cli.program import show
from tradeoff.cli.source import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.thresholds.decision import Decision
    from tradeoff.thresholds.out_of_sample import BandCheck, Check
    from tradeoff.thresholds.reject_band import BandDecision
    from tradeoff.uncertainty.estimates import Intervals

WAYS = (
    "cost, youden, distance, plain_distance, f, eer, prevalence, or any metric; with --target "
    "also tpr, fpr, precision, lift, depth (a share of the rows), capacity (a number of rows)"
)


@command(epilog=f"Ways to choose: {WAYS}.")
@reading()
@batches_options()
@click.option("--by", metavar="WAY", help="How to choose, see below.  [default: cost or youden]")
@click.option("--target", type=float, help="What the metric must reach, or rows to take.")
@click.option("--beta", type=float, help="Of the F-measure.")
@click.option("--weight-of-misses", type=float, help="W of the distance, from 0 to 1.")
@costs_options
@prevalence_option
@click.option("--reject", is_flag=True, help="Choose a band of scores to leave undecided.")
@click.option("--gamma", type=float, help="With --reject: what an error weighs against a hit.")
@click.option("--coverage", type=float, help="With --reject: share that must be decided.")
@click.option("--capacity", type=float, help="With --reject: rows that can be reviewed.")
@click.option(
    "--tolerance", type=float, help="Also list thresholds that are worse by at most this."
)
@click.option("--no-check", is_flag=True, help="Skip the out-of-bag bootstrap.")
@click.option("--replicates", type=click.IntRange(min=2), help="Draws of the bootstrap.")
@level_option
@click.option("--method", metavar="NAME", help=f"Of intervals: {METHODS}.")
@seed_option
@format_option("text", "json", "markdown")
def threshold(  # noqa: PLR0913 - one parameter an option
    *,
    by: str | None,
    target: float | None,
    beta: float | None,
    weight_of_misses: float | None,
    prevalence: float | None,
    reject: bool,
    gamma: float | None,
    coverage: float | None,
    capacity: float | None,
    tolerance: float | None,
    no_check: bool,
    replicates: int | None,
    level: float,
    method: str | None,
    seed: int,
    form: str,
    **source: Any,
) -> None:
    """The best threshold, what it brings, and how sure one may be of it."""
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.estimates import Intervals

    limits: dict[str, Any] = {"gamma": gamma, "coverage": coverage, "capacity": capacity}
    if not reject and any(value is not None for value in limits.values()):
        raise click.UsageError(
            "--gamma, --coverage and --capacity choose a band: add --reject. (The 500 most likely "
            "rows: --by capacity --target 500.)"
        )
    if reject and (by is not None or target is not None or tolerance is not None):
        raise click.UsageError("A band is chosen by --gamma, costs, --coverage or --capacity.")
    costs = costs_of(source)
    if gamma is not None and costs is not None:
        raise click.UsageError("Give --gamma or costs, not both.")
    evaluation = read_source(costs=costs, **source).evaluation
    models = [evaluation[name] for name in evaluation]
    intervals = Intervals(Confidence(level, method, seed=seed))
    drawing = None if no_check else {"replicates": replicates, "seed": seed, "level": level}
    if reject:
        bands = [e.best_band(**limits, prevalence=prevalence) for e in models]
        _show_bands([(band, _checked(band, drawing)) for band in bands], intervals, form)
        return
    given = (("beta", beta), ("weight", weight_of_misses))
    parameters: dict[str, Any] = {name: value for name, value in given if value is not None}
    decisions = [e.best(by, target=target, prevalence=prevalence, **parameters) for e in models]
    _show_decisions([(d, _checked(d, drawing)) for d in decisions], tolerance, intervals, form)


@command()
@reading()
@batches_options()
@costs_options
@click.option(
    "--prevalence",
    "prevalences",
    type=float,
    multiple=True,
    help="Share of positives in use; give it twice for a range.",
)
@click.option(
    "--point",
    "points",
    multiple=True,
    metavar='NAME="63 37; 28 72"',
    help="A rule or published 2 × 2 table as one more model (rows actual, positive first).",
)
@click.option("--fpr", type=float, help="Save a classifier at this false positive rate.")
@click.option("--tpr", type=float, help="Save a classifier at this true positive rate.")
@click.option("--save", type=OutputPath(), help="Where to save that classifier, as JSON.")
@format_option("text", "json", "markdown")
def hull(  # noqa: PLR0913 - one parameter an option
    *,
    prevalences: tuple[float, ...],
    points: tuple[str, ...],
    fpr: float | None,
    tpr: float | None,
    save: str | None,
    form: str,
    **source: Any,
) -> None:
    """Which model and threshold is best where: the ROC convex hull and its decision map."""
    from tradeoff.hulls.views import hull_document, hull_sections
    from tradeoff.render.values import as_json

    costs = costs_of(source)
    if (fpr is not None or tpr is not None) != (save is not None):
        raise click.UsageError("A classifier is saved with --save FILE and --fpr or --tpr.")
    evaluation = read_source(**source).evaluation
    common = _with_points(evaluation, points).hull()
    chosen: tuple[Any, ...] = ()
    question = ""
    if costs is not None or prevalences:
        chosen = common.best(costs, (min(prevalences), max(prevalences)) if prevalences else None)
        question = "For these costs and prevalences"
    if save is not None:
        classifier = common.classifier(fpr=fpr, tpr=tpr)
        classifier.save(save)
        click.echo(f"Saved to {save}: {classifier!r}", err=True)
    if form == "json":
        click.echo(as_json(hull_document(common, chosen)))
    else:
        show(hull_sections(common, chosen, question), form)


def _with_points(evaluation: Evaluation, points: Iterable[str]) -> Evaluation:
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.sources.matrices import matrix_of_counts, ranking_of_matrix

    rankings = dict(evaluation.rankings)
    first = next(iter(rankings.values()))
    for point in points:
        name, sign, table = point.partition("=")
        if not sign or not name or name in rankings:
            raise click.UsageError(f'Write a point as NAME="63 37; 28 72", not {point!r}.')
        matrix = matrix_of_counts(table, [first.positive, first.negative])
        if isinstance(matrix, ConfusionMatrix):  # two classes were named
            rankings[name] = ranking_of_matrix(matrix, name)
    return Evaluation(rankings)


def _checked(decision: Decision | BandDecision, drawing: dict[str, Any] | None) -> Any:
    """The check of a decision, the reason why there is none, or None if it is not wanted."""
    from tradeoff.errors import InputError

    try:
        return None if drawing is None else decision.check(**drawing)
    except InputError as why:
        return str(why)


def _show_decisions(
    decided: list[tuple[Decision, Check | str | None]],
    tolerance: float | None,
    intervals: Intervals,
    form: str,
) -> None:
    from tradeoff.thresholds.views import decision_document, decision_sections

    if form == "json":
        _echo_documents(
            [decision_document(d, checked, tolerance, intervals) for d, checked in decided]
        )
        return
    for decision, checked in decided:
        show(decision_sections(decision, checked, tolerance, intervals), form)


def _show_bands(
    decided: list[tuple[BandDecision, BandCheck | str | None]], intervals: Intervals, form: str
) -> None:
    from tradeoff.thresholds.views import band_document, band_sections

    if form == "json":
        _echo_documents(
            [band_document(decision, checked, intervals) for decision, checked in decided]
        )
        return
    for decision, checked in decided:
        show(band_sections(decision, checked, intervals), form)


def _echo_documents(documents: list[dict[str, Any]]) -> None:
    """One decision by itself, several as a list."""
    from tradeoff.render.values import as_json
    from tradeoff.thresholds.views import DECISIONS

    many = {"schema": DECISIONS, "decisions": documents}
    click.echo(as_json(documents[0] if len(documents) == 1 else many))
