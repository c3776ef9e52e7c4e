"""`tradeoff report`: one HTML file in which the line can be moved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command
from tradeoff.cli.options import (
    batches_options,
    cluster_option,
    costs_of,
    costs_options,
    fold_option,
    level_option,
    prevalence_option,
    reading,
    seed_option,
    segment_option,
    threshold_option,
)
from tradeoff.cli.source import has_source, read_source

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.sources.read import Scored
    from tradeoff.uncertainty.confidence import Confidence


@command(
    epilog="Examples:\n\n  tradeoff report rows.csv --actual class --score model --output r.html"
    "\n\n  tradeoff report a.ranking b.ranking --output r.html"
)
@reading()
@batches_options()
@click.option(
    "--ranking",
    "saved",
    multiple=True,
    type=InputPath(),
    help="A saved ranking instead of rows; repeat it for several models.",
)
@click.option(
    "--output",
    "-o",
    type=OutputPath(),
    default="report.html",
    show_default=True,
    help="The file to write.",
)
@click.option("--title", help="What stands on top.")
@click.option(
    "--save-rankings",
    "folder",
    type=OutputPath(folder_of=".ranking"),
    help="Also save each model's counts in this folder: reports can be made of them again.",
)
@threshold_option
@fold_option
@segment_option
@cluster_option
@costs_options
@prevalence_option
@level_option
@seed_option
def report(  # noqa: PLR0913 - one parameter an option
    *,
    saved: tuple[str, ...],
    output: str,
    title: str | None,
    folder: str | None,
    threshold: float,
    prevalence: float | None,
    level: float,
    seed: int,
    **source: Any,
) -> None:
    """One offline HTML file in which the line can be moved and everything follows."""
    from tradeoff.uncertainty.confidence import Confidence

    confidence = Confidence(level, seed=seed)
    costs = costs_of(source)
    saved += _rankings_among(source)
    evaluation, comparison = (
        (_loaded(saved, source, costs), None) if saved else _read(source, costs, confidence)
    )
    if folder is not None:
        for path in evaluation.save(folder):
            click.echo(f"Saved {path}.")
    evaluation = replace(evaluation, confidence=confidence, prevalence=prevalence)
    evaluation.report(output, threshold=threshold, title=title, comparison=comparison)
    click.echo(f"Wrote {output}: open it in a browser and move the line.")


def _read(
    source: dict[str, Any], costs: Any, confidence: Confidence
) -> tuple[Evaluation, Comparison | None]:
    if not (has_source(source) and source["actual"] and source["scores"]):
        raise click.UsageError("Name a FILE, --actual and --score, or saved rankings.")
    from tradeoff.evaluation.evaluation import Evaluation

    scored = read_source(costs=costs, **source)
    return Evaluation(scored.models), _compared(scored, confidence)


def _rankings_among(source: dict[str, Any]) -> tuple[str, ...]:
    """Files that are saved rankings, which are no source of rows."""
    named = source["file"]
    files = tuple(getattr(named, "paths", () if named is None else (str(named),)))
    if not files or not all(file.endswith(".ranking") for file in files):
        return ()
    source["file"] = None
    return files


def _compared(scored: Scored, confidence: Confidence) -> Comparison | None:
    """Differences between several models, where their rows have both classes."""
    rankings = scored.models.rankings.values()
    if len(rankings) < 2 or not all(one.positives and one.negatives for one in rankings):
        return None
    if not scored.holds:
        click.echo(
            "Note: differences between models are left out, as they need all rows in memory: "
            "see `tradeoff compare`.",
            err=True,
        )
        return None
    from tradeoff.comparison.comparison import Comparison

    return Comparison(scored.paired, confidence)


def _loaded(saved: tuple[str, ...], source: dict[str, Any], costs: Any) -> Evaluation:
    from tradeoff.evaluation.evaluation import Evaluation

    if has_source(source) or source["scores"] or source["actual"]:
        raise click.UsageError("A report is of rows or of saved rankings: not of both.")
    return Evaluation.load(*saved, costs=costs)
