"""Command `tradeoff compare`: models on the same rows, or samples with different rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tradeoff.cli.command import InputPath, ListOption, command, option_group
from tradeoff.cli.emit import emit
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
from tradeoff.cli.source import is_saved_ranking, read_comparison, read_evaluation
from tradeoff.cli.suggestions import Suggestion, emit_suggestions, next_command

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.results import Result
    from tradeoff.thresholds.operating_threshold import Thresholds

SUGGESTIONS = (
    Suggestion("other metrics", "--metric average_precision"),
    Suggestion("equivalence", "--margin 0.02", unless=("--by",)),
    Suggestion("several rows of one customer", "--cluster COLUMN", unless=("--by",)),
)
SAMPLES_SUGGESTIONS = (
    Suggestion("other metrics", "--metric average_precision"),
    Suggestion("at equal prevalence", "--prevalence 0.2", unless=("--cluster",)),
    Suggestion("several rows of one customer", "--cluster COLUMN", unless=("--prevalence",)),
    Suggestion("no worse by more than", "--margin 0.02"),
)
LABELS_SUGGESTION = Suggestion("other metrics", "--metric precision")
COMPARE_LABEL_OPTIONS = frozenset(
    {"metrics", "level", "replicates", "seed", "sampling", "vocabulary", "output_format"}
)
"""Options of the command that apply to predicted labels."""
NO_ROWS = "A saved ranking has counts but no rows, and comparisons need rows: name the data."
TESTS = ("mcnemar", "cochran", "venkatraman", "equal")


@command(
    examples=[
        "scores.csv --actual churned --positive yes --score logistic --score boosting",
        "scores.csv --actual churned --positive yes --score logistic --by region --metric auc",
        "--then january.csv --now february.csv --actual churned --positive yes --score logistic",
    ]
)
@rows_options()
@option_group(
    "Input",
    click.option(
        "--then",
        type=InputPath(),
        help="File with other rows, such as those of last month, instead of FILE.",
    ),
    click.option(
        "--now",
        type=InputPath(),
        help="File with the rows of this month: the models are compared between the two files.",
    ),
)
@predicted_option
@cluster_option
@click.option(
    "--metric",
    "metrics",
    cls=ListOption,
    multiple=True,
    metavar="NAME",
    help="A threshold-free measure (such as auc), a metric at a threshold (see --at), or cost; "
    "a,b for several.  [default: auc]",
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
    cls=ListOption,
    type=click.Choice(TESTS),
    multiple=True,
    help="An additional test; a,b for several. mcnemar and cochran use the threshold of "
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
    """Compare models on the same rows: differences with confidence intervals and p-values.

    With --then and --now (or two FILEs and one --score), compare a model between two files with
    different rows: independent samples, which share neither rows nor customers or patients.
    """
    from tradeoff.comparison.segments import compare_segments
    from tradeoff.errors import InputError
    from tradeoff.uncertainty.confidence import Confidence

    if source["predicted"]:
        require_label_options(COMPARE_LABEL_OPTIONS)
        label_confidence = Confidence(level, None, replicates, seed, sampling)
        labels = read_labels(source, label_confidence)
        emit(labels.compare(metrics, vocabulary=vocabulary), output_format)
        evaluation = Suggestion("each column by itself", next_command("evaluate"))
        emit_suggestions(output_format, LABELS_SUGGESTION, evaluation)
        return
    require_no_label_options(source.pop("predicted"), source.pop("rejected"))
    result: Result
    costs = pop_costs(source)
    metrics = metrics or ("auc",)
    samples = _pop_samples(source, by)
    with progress_bar("Bootstrap resamples") as progress:
        confidence = Confidence(level, None, replicates, seed, sampling, progress=progress)
        if samples is not None:
            if simultaneous or tests or method == "permutation":
                raise click.UsageError(
                    "Files with different rows are compared with --metric, --at, --margin and "
                    "--method, but not with --simultaneous, --test or --method permutation."
                )
            point = operating_point(at, source["scores"])
            _require_point_is_used(point, metrics, tests)
            result = _compare_samples(
                samples,
                source,
                metric=metrics,
                at=_common_point(point, source["scores"]),
                margin=margin,
                costs=costs,
                prevalence=prevalence,
                level=level,
                method=method,
                replicates=replicates,
                seed=seed,
                sampling=sampling,
                vocabulary=vocabulary,
                progress=progress,
            )
        elif by is not None:
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
            if is_saved_ranking(source["file"]):
                raise InputError(NO_ROWS)
            if len(source["scores"]) < 2:
                name = next(iter(source["scores"]), "COLUMN")
                raise InputError(
                    f"A comparison needs two models, as in --score {name},OTHER, or, for one "
                    "model, groups of rows: --by COLUMN."
                )
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
    emit_suggestions(output_format, *(SUGGESTIONS if samples is None else SAMPLES_SUGGESTIONS))


def _pop_samples(source: dict[str, Any], by: str | None) -> dict[str, Any] | None:
    """Files of --then and --now, or two FILEs of one score; None to compare models on rows.

    Several FILEs are otherwise one source, whose rows every model scored; with a single score
    there would be nothing to compare in it.
    """
    samples = {name: source.pop(name) for name in ("then", "now")}
    file = source["file"]
    if not any(samples.values()):
        paths: tuple[str, ...] = getattr(file, "paths", ())
        if len(source["scores"]) != 1 or by is not None or len(paths) < 2:
            return None
        if len(paths) > 2:
            raise click.UsageError(
                f"{len(paths)} FILEs and one --score: name the two to compare, as in --then "
                f"{paths[0]} --now {paths[1]}, or several scores to compare in all of them."
            )
        return {name: replace(file, path=path) for name, path in zip(samples, paths, strict=True)}
    if None in samples.values() or file is not None or source["query"] or source["table"]:
        raise click.UsageError(
            "--then and --now go together, each with its own file, instead of FILE, --query and "
            "--table."
        )
    if by is not None:
        raise click.UsageError("--by compares segments of one FILE: leave out --then and --now.")
    return samples


def _compare_samples(samples: dict[str, Any], source: dict[str, Any], **options: Any) -> Result:
    """Comparison of the scores between two files."""
    from tradeoff.cli.source import require_columns
    from tradeoff.comparison.samples import compare_samples
    from tradeoff.sources.evaluate_arguments import complete_columns

    require_columns(source["actual"], source["scores"])

    for name in ("file", "query", "table"):
        del source[name]
    source["unit"] = source.pop("units")
    source["actual"], scores, _ = complete_columns(
        samples["then"], source["actual"], source.pop("scores"), source["positive"]
    )
    return compare_samples(samples, scores, **source, **options)


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
