"""Folds and segments for readers: the same numbers, one line a group."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.ranking import each_at_prevalence
from tradeoff.errors import InputError
from tradeoff.measures.curves.average import usable_folds
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.presentation.details import NOTHING, Details
from tradeoff.render.sections import Section
from tradeoff.render.values import (
    brief,
    estimate_document,
    estimates_document,
    percent_of,
    plain_number,
)
from tradeoff.text import count, number, share

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.core.ranking import Ranking
    from tradeoff.uncertainty.estimates import Intervals

COLUMNS = ("true_positive_rate", "false_positive_rate", "precision", "accuracy")


def folds_section(
    name: str, counted: Mapping[str, Ranking], at: float, details: Details = NOTHING
) -> Section:
    """Each fold, their mean and spread, and whether they may be pooled."""
    folds = each_at_prevalence(counted, details.prevalence)
    intervals = details.intervals.for_parts
    lines = [_line(fold, ranking, at, intervals) for fold, ranking in folds.items()]
    said = _said(details)
    try:
        usable, left_out = usable_folds(folds)
    except InputError as problem:
        return Section(f"{name} by fold", (str(problem),), (_head("fold"), *lines))
    for label, statistic in (("mean", np.mean), ("standard deviation", _deviation)):
        values = [_values(ranking, at) for ranking in usable.values()]
        lines.append(
            (
                label,
                "",
                "",
                *(number(_over_known(column, statistic)) for column in zip(*values, strict=True)),
            )
        )
    for fold, why in left_out.items():
        said.append(f"Fold {fold} is left out of the mean: {why}.")
    return Section(f"{name} by fold", tuple(said), (_head("fold"), *lines))


def segments_section(
    name: str, segments: Mapping[str, Ranking], at: float, details: Details = NOTHING
) -> Section:
    """Each segment by itself, as counted: segments have prevalences of their own."""
    intervals = details.intervals.for_parts
    lines = [_line(segment, ranking, at, intervals) for segment, ranking in segments.items()]
    empty = [segment for segment, ranking in segments.items() if not ranking.rows]
    said = [f"Segment {segment} has no rows left." for segment in empty]
    said += _said(details)
    if details.prevalence is not None:
        said.append("Segments are shown as counted: they have prevalences of their own.")
    return Section(f"{name} by segment, as counted", tuple(said), (_head("segment"), *lines))


def _said(details: Details) -> list[str]:
    """What stands in brackets, or why nothing does."""
    if details.intervals.clusters:
        return ["No intervals here: which rows of a part belong together is not kept."]
    asked = details.intervals.confidence
    return [] if asked is None else [f"In brackets: {percent_of(asked.level)} intervals."]


def groups_document(
    groups: Mapping[str, Ranking],
    at: float,
    intervals: Intervals,
    prevalence: float | None = None,
) -> list[dict[str, Any]]:
    """Each group with its areas and metrics, for other programs."""
    document = []
    chosen = [METRICS[m] for m in COLUMNS]
    own = intervals.for_parts
    for group, ranking in each_at_prevalence(groups, prevalence).items():
        matrix = groups[group].at(at)
        document.append(
            {
                "name": group,
                "rows": ranking.rows,
                "positives": plain_number(matrix.positives),
                "negatives": plain_number(matrix.negatives),
                "auc": estimate_document(own.summaries([SUMMARIES["auc"]], ranking)["auc"]),
                "metrics": estimates_document(own.at(chosen, ranking, at)),
            }
        )
    return document


def _head(kind: str) -> tuple[str, ...]:
    return (kind, "rows", "positive", "auc", *COLUMNS)


def _values(ranking: Ranking, at: float) -> list[float]:
    matrix = ranking.at(at)
    auc = SUMMARIES["auc"].estimate(ranking).value
    return [auc, *(float(METRICS[name](matrix)) for name in COLUMNS)]


def _line(group: str, ranking: Ranking, at: float, intervals: Intervals) -> tuple[str, ...]:
    matrix = ranking.at(at)
    positive = share(float(matrix.positives / matrix.rows)) if matrix.rows else "undefined"
    found = intervals.summaries([SUMMARIES["auc"]], ranking)
    found |= intervals.at([METRICS[name] for name in COLUMNS], ranking, at)
    return (group, count(ranking.rows), positive, *map(brief, found.values()))


def _over_known(column: tuple[float, ...], statistic: Any) -> float:
    known = [value for value in column if not math.isnan(value)]
    return float(statistic(known)) if known else math.nan


def _deviation(values: list[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
