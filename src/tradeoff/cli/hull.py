"""Command `tradeoff hull`: ROC convex hull, the best model and threshold for given costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import OutputPath, command
from tradeoff.cli.emit import emit, emit_hint
from tradeoff.cli.options import (
    costs_options,
    format_option,
    large_input_options,
    pop_costs,
    rows_options,
)
from tradeoff.cli.source import read_evaluation

if TYPE_CHECKING:
    from tradeoff.evaluation.evaluation import Evaluation

DETAILS_HINT = "Your costs: --cost-fp, --cost-fn · your prevalence: --prevalence 0.1"
HINT = (
    "All vertices: --details · your costs: --cost-fp, --cost-fn · your prevalence: --prevalence 0.1"
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
    metavar='NAME="63 37; 28 72"',
    help="Add a rule or a published 2 × 2 table as a model (rows are actual classes, positive "
    "first).",
)
@click.option("--fpr", type=float, help="Save a classifier at this false positive rate.")
@click.option("--tpr", type=float, help="Save a classifier at this true positive rate.")
@click.option("--save", type=OutputPath(), help="File for that classifier (JSON).")
@click.option("--details", is_flag=True, help="Show all vertices of the hull.")
@format_option("text", "json", "markdown")
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
    evaluation = read_evaluation(**source)
    prevalence = (min(prevalences), max(prevalences)) if prevalences else None
    roc_hull = _with_points(evaluation, points).hull(costs, prevalence)
    if save is not None:
        classifier = roc_hull.classifier(fpr=fpr, tpr=tpr)
        classifier.save(save)
        click.echo(f"Saved to {save}: {classifier!r}", err=True)
    if output_format == "json":
        emit(roc_hull, output_format)
    else:
        emit(roc_hull, output_format, details=details)
    emit_hint(DETAILS_HINT if details else HINT, output_format)


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
        if isinstance(matrix, ConfusionMatrix):  # always, with two class names
            rankings[name] = ranking_of_matrix(matrix, name)
    return Evaluation(rankings)
