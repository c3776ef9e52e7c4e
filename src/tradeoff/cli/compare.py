"""Command `tradeoff compare`: differences between models on the same rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import command
from tradeoff.cli.emit import emit, emit_hint
from tradeoff.cli.labels import read_labels, require_label_options, require_no_label_options
from tradeoff.cli.options import (
    cluster_option,
    costs_options,
    format_option,
    level_option,
    operating_point,
    point_option,
    pop_costs,
    predicted_option,
    prevalence_option,
    replicates_option,
    rows_options,
    sampling_option,
    seed_option,
    terminology_option,
)
from tradeoff.cli.progress import progress_bar
from tradeoff.cli.source import read_comparison, read_evaluation

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.thresholds.default_threshold import Thresholds

HINT = (
    "Other metrics: --metric NAME · equivalence: --margin 0.02 · one model by segment: --by COLUMN"
)
LABELS_HINT = "Other metrics: --metric NAME · each column by itself: tradeoff evaluate"
COMPARE_LABEL_OPTIONS = frozenset(
    {"metrics", "level", "replicates", "seed", "sampling", "vocabulary", "output_format"}
)
"""Options of the command that apply to predicted labels."""
TESTS = ("mcnemar", "cochran", "venkatraman", "equal")


@command(
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --score boosting",
        "scores.csv --actual churned --positive yes --score logistic --by region --metric auc",
    ]
)
@rows_options()
@predicted_option
@cluster_option
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    metavar="NAME",
    help="A threshold-free measure (such as auc), a metric at a threshold (see --at), or cost; "
    "repeat it for several.  [default: auc]",
)
@point_option
@costs_options
@prevalence_option
@click.option(
    "--method",
    type=click.Choice(["delong", "bootstrap", "permutation"]),
    help="Method of comparison.  [default: delong for the AUC, bootstrap for other metrics]",
)
@click.option(
    "--margin", type=float, help="Also test non-inferiority and equivalence with this margin."
)
@click.option(
    "--simultaneous", is_flag=True, help="Simultaneous confidence intervals for all pairs."
)
@click.option(
    "--test",
    "tests",
    type=click.Choice(TESTS),
    multiple=True,
    help="An additional test; repeat it for several. mcnemar and cochran use the threshold of "
    "--at, or 0.5 for probabilities.",
)
@click.option(
    "--by", metavar="COLUMN", help="Compare one model between the segments given by this column."
)
@level_option
@replicates_option
@seed_option
@sampling_option
@terminology_option
@format_option("text", "json", "markdown", "csv")
def compare_command(  # noqa: PLR0913 - one parameter per option
    *,
    metrics: tuple[str, ...],
    at: tuple[tuple[str, float], ...],
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
    vocabulary: Any,
    output_format: str,
    **source: Any,
) -> None:
    """Compare models on the same rows: differences with confidence intervals and p-values."""
    from tradeoff.comparison.unpaired import compare_segments
    from tradeoff.errors import InputError
    from tradeoff.uncertainty.confidence import Confidence

    if source["predicted"]:
        require_label_options(COMPARE_LABEL_OPTIONS)
        label_confidence = Confidence(level, None, replicates, seed, sampling)
        labels = read_labels(source, label_confidence)
        emit(labels.compare(metrics, vocabulary=vocabulary), output_format)
        emit_hint(LABELS_HINT, output_format)
        return
    require_no_label_options(source.pop("predicted"), source.pop("rejected"))
    costs = pop_costs(source)
    metrics = metrics or ("auc",)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, sampling, progress=progress)
        if by is not None:
            if method not in {None, "delong", "bootstrap"} or margin or tests or simultaneous:
                raise click.UsageError(
                    "--by works with --metric, --at and --method bootstrap, but not with --margin, "
                    "--test or --simultaneous."
                )
            confidence = replace(confidence, method=None if method == "delong" else method)
            point = operating_point(at, source["scores"])
            _require_point_is_used(point, metrics, tests)
            segments = _segments(source, by)
            result = compare_segments(
                segments,
                metrics,
                by=by,
                at=_common_point(point, source["scores"]),
                costs=costs,
                prevalence=prevalence,
                confidence=confidence,
                vocabulary=vocabulary,
            )
        else:
            if len(source["scores"]) < 2:
                raise InputError("A comparison needs at least two models: give --score twice.")
            comparison = read_comparison(confidence, **source)
            point = operating_point(at, comparison.models)
            _require_point_is_used(point, metrics, tests)
            result = comparison.summary(
                metrics,
                at=point,
                method=method,
                simultaneous=simultaneous,
                costs=costs,
                prevalence=prevalence,
                tests=tests,
                margin=margin,
                vocabulary=vocabulary,
            )
    emit(result, output_format)
    emit_hint(HINT, output_format)


def _segments(source: dict[str, Any], by: str) -> Mapping[str, Ranking]:
    """Ranking of the single model in each segment."""
    from tradeoff.errors import InputError

    if len(source["scores"]) != 1 or source.pop("cluster") is not None:
        raise InputError(
            "--by compares segments of one model: give --score once, and leave out --cluster."
        )
    return read_evaluation(segment=by, **source).segments[source["scores"][0]]


def _common_point(
    point: tuple[str, Thresholds] | None, scores: tuple[str, ...]
) -> tuple[str, float] | None:
    """The operating point of the only model of a comparison between segments."""
    if point is None or not isinstance(point[1], Mapping):
        return point  # type: ignore[return-value]
    return point[0], point[1][scores[0]]


def _require_point_is_used(
    at: tuple[str, Thresholds] | None, metrics: tuple[str, ...], tests: tuple[str, ...]
) -> None:
    """Raise a usage error if no metric or test uses the operating point given by --at."""
    from tradeoff.measures.registry import is_summary

    if at is None:
        return
    tests_of_predictions = {"mcnemar", "cochran"} & set(tests)
    if tests_of_predictions and at[0] != "threshold":
        raise click.UsageError(
            f"--test {min(tests_of_predictions)} needs a threshold: --at threshold=0.5."
        )
    if not tests_of_predictions and all(map(is_summary, metrics)):
        raise click.UsageError(
            "--at applies to metrics at a threshold: name one, as in --metric tpr."
        )
