"""Command `tradeoff hull`: ROC convex hull, the best model and threshold for given costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.emit import emit
from tradeoff.cli.options import (
    costs_options,
    format_option,
    large_input_options,
    pop_costs,
    rows_options,
)
from tradeoff.cli.source import has_source, read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions

if TYPE_CHECKING:
    from tradeoff.evaluation.evaluation import Evaluation

SUGGESTIONS = (
    Suggestion("all vertices", "--details"),
    Suggestion("your costs", "--cost-fp 1 --cost-fn 5"),
    Suggestion("your prevalence", "--prevalence 0.1"),
)


@command(
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --score boosting",
        "scores.csv --actual churned --positive yes --score logistic --tpr 0.9 --save rule.json",
    ]
)
@rows_options()
@large_input_options()
@costs_options
@click.option(
    "--prevalence",
    "prevalences",
    type=float,
    multiple=True,
    help="Prevalence in deployment; give it twice for a range.",
)
@click.option(
    "--point",
    "points",
    multiple=True,
    metavar="NAME=FPR,TPR",
    help="Add a rule or a published result as a model: its false and true positive rate, or its "
    "matrix (NAME='63 37; 28 72', actual positives first).",
)
@click.option("--fpr", type=float, help="Save a classifier at this false positive rate.")
@click.option("--tpr", type=float, help="Save a classifier at this true positive rate.")
@click.option("--save", type=OutputPath(), help="File for that classifier (JSON).")
@click.option("--details", is_flag=True, help="Show all vertices of the hull.")
@format_option("text", "json", "markdown", "csv")
def hull_command(  # noqa: PLR0913 - one parameter per option
    *,
    prevalences: tuple[float, ...],
    points: tuple[str, ...],
    fpr: float | None,
    tpr: float | None,
    save: str | None,
    details: bool,
    output_format: str,
    **source: Any,
) -> None:
    """Find the model and threshold that are best for given costs: the ROC convex hull."""
    costs = pop_costs(source)
    if (fpr is not None or tpr is not None) != (save is not None):
        raise click.UsageError("To save a classifier, give --save FILE and --fpr or --tpr.")
    prevalence = (min(prevalences), max(prevalences)) if prevalences else None
    roc_hull = _with_points(source, points).hull(costs, prevalence)
    if save is not None:
        classifier = roc_hull.classifier(fpr=fpr, tpr=tpr)
        classifier.save(save)
        click.echo(f"Saved to {save}: {classifier!r}", err=True)
    if output_format in {"json", "csv"}:
        emit(roc_hull, output_format)
    else:
        emit(roc_hull, output_format, details=details)
    emit_suggestions(output_format, *SUGGESTIONS)


def _with_points(source: dict[str, Any], points: Sequence[str]) -> Evaluation:
    """Evaluation of the models in FILE, if there is one, and of the points."""
    from tradeoff.core.ranked_models import RankedModels
    from tradeoff.evaluation.evaluation import Evaluation
    from tradeoff.hulls.roc_points import parse_roc_point, roc_points

    rankings = {}
    if has_source(source) or not points:
        rankings = dict(read_evaluation(**source).rankings)
    for point in points:
        name, position = parse_roc_point(point)
        if name in rankings:
            raise click.UsageError(f"Two models are called {name!r}: name the point differently.")
        rankings |= roc_points({name: position}).rankings
    return Evaluation(RankedModels(rankings))
