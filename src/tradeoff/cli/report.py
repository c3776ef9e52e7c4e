"""Command `tradeoff report`: an offline HTML report with a movable threshold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, OutputPath, command, option_group
from tradeoff.cli.emit import emit_message
from tradeoff.cli.labels import (
    read_labels,
    require_label_options,
    require_no_label_options,
    require_two_classes,
)
from tradeoff.cli.options import (
    cluster_option,
    costs_options,
    fold_option,
    large_input_options,
    level_option,
    metric_option,
    operating_point_options,
    pop_costs,
    pop_operating_point,
    pop_wording,
    predicted_option,
    prevalence_option,
    rows_options,
    seed_option,
    segment_option,
    vocabulary_option,
)
from tradeoff.cli.source import has_source, read_source

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.report.guidelines import GuidelineName
    from tradeoff.sources.read import ScoredRows
    from tradeoff.uncertainty.confidence import Confidence

REPORT_LABEL_OPTIONS = frozenset(
    {"output", "title", "prevalence", "measures", "vocabulary", "checklist", "level", "seed"}
)
"""Options of the command that apply to predicted labels."""


@command(
    examples=[
        "scores.csv --actual churned --positive yes --score model --output report.html",
        "june.ranking july.ranking --output report.html",
    ]
)
@rows_options()
@predicted_option
@large_input_options()
@option_group(
    "Input",
    click.option(
        "--ranking",
        "ranking_files",
        multiple=True,
        type=InputPath(),
        help="A saved ranking instead of rows; repeat it for several models.",
    ),
)
@option_group(
    "Output",
    click.option(
        "--output",
        "-o",
        type=OutputPath(),
        default="report.html",
        show_default=True,
        help="File to write.",
    ),
    click.option("--title", help="Title of the report."),
    click.option(
        "--checklist",
        type=click.Choice(["stard-ai", "tripod-ai"]),
        help="Add the items of a reporting guideline, filled in where the data answer them: "
        "STARD-AI (diagnostic accuracy) or TRIPOD+AI (prediction models).",
    ),
    click.option(
        "--save-rankings",
        "folder",
        type=OutputPath(folder_suffix=".ranking"),
        help="Also save the ranking of each model in this folder.",
    ),
)
@operating_point_options
@fold_option
@segment_option
@cluster_option
@costs_options
@prevalence_option
@metric_option
@vocabulary_option
@level_option
@seed_option
def report_command(  # noqa: PLR0913 - one parameter per option
    *,
    ranking_files: tuple[str, ...],
    output: str,
    title: str | None,
    folder: str | None,
    prevalence: float | None,
    measures: tuple[str, ...],
    vocabulary: Any,
    checklist: GuidelineName | None,
    level: float,
    seed: int,
    **source: Any,
) -> None:
    """Write an offline HTML report with a movable threshold that updates all results."""
    from tradeoff.measures.registry import find_measures
    from tradeoff.uncertainty.confidence import Confidence

    find_measures(measures)  # an unknown name is reported before anything is read
    confidence = Confidence(level, seed=seed)
    if source["predicted"]:
        require_label_options(REPORT_LABEL_OPTIONS)
        labels = read_labels(source, confidence, prevalence)
        require_two_classes(labels, source)
        labels.report(
            output, title=title, metric=measures, vocabulary=vocabulary, checklist=checklist
        )
        emit_message(f"Wrote {output}: open it in a browser.")
        return
    require_no_label_options(source.pop("predicted"), source.pop("rejected"))
    given_thresholds, goal = pop_operating_point(source)
    costs = pop_costs(source)
    ranking_files += _pop_ranking_files(source)
    evaluation, comparison = (
        (_load_rankings(ranking_files, source, costs), None)
        if ranking_files
        else _read_models(source, costs, confidence)
    )
    if folder is not None:
        for path in evaluation.save(folder):
            click.echo(f"Saved {path}.")
    evaluation = replace(
        evaluation,
        confidence=confidence,
        prevalence=prevalence,
        threshold=given_thresholds(evaluation.rankings),
        goal=goal,
    )
    evaluation.report(
        output,
        title=title,
        comparison=comparison,
        metric=measures,
        vocabulary=vocabulary,
        checklist=checklist,
    )
    emit_message(f"Wrote {output}: open it in a browser and move the threshold.")


def _read_models(
    source: dict[str, Any], costs: Any, confidence: Confidence
) -> tuple[Evaluation, Comparison | None]:
    if not (has_source(source) and source["actual"] and source["scores"]):
        raise click.UsageError("Name a FILE, --actual and --score, or saved rankings.")
    from tradeoff.evaluation.evaluation import Evaluation

    scored = read_source(costs=costs, **source)
    return Evaluation(scored.models), _comparison(scored, confidence)


def _pop_ranking_files(source: dict[str, Any]) -> tuple[str, ...]:
    """Remove and return the FILE arguments if all of them are saved rankings."""
    path = source["file"]
    files = tuple(getattr(path, "paths", () if path is None else (str(path),)))
    if not files or not all(file.endswith(".ranking") for file in files):
        return ()
    source["file"] = None
    return files


def _comparison(scored: ScoredRows, confidence: Confidence) -> Comparison | None:
    """Comparison of the models; None for a single model or if a class is empty."""
    rankings = scored.models.rankings.values()
    if len(rankings) < 2 or not all(
        ranking.positives and ranking.negatives for ranking in rankings
    ):
        return None
    if not scored.in_memory:
        click.echo(
            "Note: differences between models are left out because they need all rows in memory: "
            "see `tradeoff compare`.",
            err=True,
        )
        return None
    from tradeoff.comparison.comparison import Comparison

    return Comparison(scored.paired, confidence)


def _load_rankings(
    ranking_files: tuple[str, ...], source: dict[str, Any], costs: Any
) -> Evaluation:
    from tradeoff.evaluation.evaluation import Evaluation

    if has_source(source) or source["scores"] or source["actual"]:
        raise click.UsageError("Give rows or saved rankings, not both.")
    evaluation = Evaluation.load(*ranking_files, costs=costs)
    return Evaluation(evaluation.models.with_wording(pop_wording(source)))
