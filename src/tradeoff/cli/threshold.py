"""`tradeoff threshold`: where to put the line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
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
    from tradeoff.thresholds.decision import Decision
    from tradeoff.thresholds.out_of_sample import OutOfSample
    from tradeoff.thresholds.reject_band import BandDecision
    from tradeoff.uncertainty.estimates import Intervals


def _criteria() -> str:
    from tradeoff.thresholds.criteria import described_criteria

    return f"Ways to choose: {described_criteria()}."


@command(epilog=_criteria)
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


def _checked(decision: Decision | BandDecision, drawing: dict[str, Any] | None) -> Any:
    """The check of a decision, the reason why there is none, or None if it is not wanted."""
    from tradeoff.cli.progress import progress_bar
    from tradeoff.errors import InputError

    if drawing is None:
        return None
    try:
        with progress_bar("Bootstrap resamples") as progress:
            return decision.check(**drawing, progress=progress)
    except InputError as why:
        return str(why)


def _show_decisions(
    decided: list[tuple[Decision, OutOfSample | str | None]],
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
    decided: list[tuple[BandDecision, OutOfSample | str | None]], intervals: Intervals, form: str
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
