"""What other programs read: documents of plain values with a schema, undefined numbers as null."""

from __future__ import annotations

import json
import math
from importlib import resources
from typing import TYPE_CHECKING, Any

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.costs import expenses
from tradeoff.core.ranking import each_at_prevalence
from tradeoff.errors import UnknownName, did_you_mean, listed
from tradeoff.measures.averages import AVERAGES
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure
from tradeoff.presentation.checking import finding_document
from tradeoff.presentation.curves import curve_band_columns
from tradeoff.presentation.details import NOTHING, Details
from tradeoff.presentation.expenses import expenses_document
from tradeoff.presentation.groups import groups_document
from tradeoff.presentation.notes import findings_in
from tradeoff.presentation.values import (
    as_csv,
    as_json,
    confusion_document,
    estimate_document,
    estimates_document,
    finite,
    plain_number,
    spelled,
)
from tradeoff.uncertainty.estimates import PLAIN, Intervals, sure_cost

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.curves.average import AverageCurve
    from tradeoff.measures.curves.curve import Curve, Line
    from tradeoff.measures.estimate import Estimate
    from tradeoff.uncertainty.curve_bands import Band

__all__ = [
    "as_csv",
    "as_json",
    "average_csv",
    "average_document",
    "curve_csv",
    "curve_document",
    "evaluation_csv",
    "evaluation_document",
    "json_schema",
    "matrix_document",
    "measure_document",
    "schema_kinds",
]

INTERVALS = Intervals()
EVALUATION = "tradeoff/evaluation/1"
CURVE = "tradeoff/curve/1"
MATRIX = "tradeoff/matrix/1"
AVERAGE = "tradeoff/average/1"
SCHEMA_FILE = ".schema.json"


def evaluation_document(
    rankings: Mapping[str, Ranking], threshold: float, details: Details = NOTHING
) -> dict[str, Any]:
    """All summaries, and all metrics at one threshold, of each model."""
    first = next(iter(rankings.values()))
    everything = first.at(threshold)
    prior = {} if details.prevalence is None else {"prevalence": details.prevalence}
    return {
        "schema": EVALUATION,
        **prior,
        "positive": first.positive,
        "negative": first.negative,
        "rows": first.rows,
        "positives": plain_number(everything.positives),
        "negatives": plain_number(everything.negatives),
        **sampling_document(details.intervals),
        "findings": [finding_document(one) for one in findings_in(rankings, details)],
        "models": [_model(ranking, threshold, details) for ranking in rankings.values()],
    }


def sampling_document(intervals: Intervals) -> dict[str, Any]:
    """How rows were sampled, as far as intervals are concerned."""
    confidence = intervals.confidence
    return {} if confidence is None else {"sampling": confidence.sampling}


def curve_document(
    curve: Curve, band: Band | None = None, area: Estimate | None = None
) -> dict[str, Any]:
    """A curve as named columns; the first threshold, "none predicted positive", is null."""
    table = {**curve.columns(), **curve_band_columns(curve, band)}
    columns = {name: [plain_number(v) for v in values] for name, values in table.items()}
    if "threshold" in table and "true_positives" in table:
        called = table["true_positives"] + table["false_positives"]
        pairs = zip(table["threshold"].tolist(), called.tolist(), strict=True)
        columns["threshold"] = [
            spelled(t) if rows or math.isfinite(t) else None for t, rows in pairs
        ]
    return {
        "schema": CURVE,
        "name": curve.name,
        "model": curve.ranking.name,
        "positive": curve.ranking.positive,
        "x": curve.across.name,
        "y": curve.up.name,
        "chance": _line(curve.chance),
        "ideal": _line(curve.ideal),
        "area": estimate_document(area or curve.area()),
        "band": band and {"kind": band.kind, "level": band.level, "method": band.method},
        "columns": columns,
    }


def _line(corners: Line | None) -> list[list[float]] | None:
    return None if corners is None else [list(corner) for corner in corners]


def matrix_document(
    matrix: ConfusionMatrix | ClassMatrix, intervals: Intervals = INTERVALS
) -> dict[str, Any]:
    """The cells in long form and every metric; for many classes also by class."""
    any_classes = isinstance(matrix, ClassMatrix)
    chosen = [m for m in METRICS.values() if m.any_classes or not any_classes]
    document: dict[str, Any] = {
        "schema": MATRIX,
        "classes": list(matrix.classes),
        "cells": [{**cell._asdict(), "count": plain_number(cell.count)} for cell in matrix.cells()],
        **sampling_document(intervals),
        "metrics": estimates_document(intervals.of_matrix(chosen, matrix)),
    }
    if isinstance(matrix, ClassMatrix):
        document["by_class"] = {
            name: estimates_document(
                intervals.of_matrix(METRICS.values(), matrix.one_against_rest(name))
            )
            for name in matrix.classes
        }
        document["averages"] = {
            how: estimates_document(intervals.averages(METRICS.values(), matrix, how))
            for how in AVERAGES
        }
    return document


def measure_document(measure: Measure) -> dict[str, Any]:
    """What there is to know about a metric or summary."""
    return {
        "name": measure.name,
        "kind": measure.kind,
        "family": measure.family,
        "formula": measure.formula,
        "aliases": [*measure.aliases, *measure.presets],
        "better": measure.better,
        "low": finite(measure.low),
        "high": finite(measure.high),
        "parameters": dict(measure.parameters),
        "sentence": measure.sentence,
        "undefined": measure.undefined or None,
        "other_tools": measure.others or None,
        "source": measure.source or None,
    }


def curve_csv(curve: Curve, band: Band | None = None) -> str:
    """A curve as CSV, one line a threshold, the first one inf; a band adds columns."""
    columns = {**curve.columns(), **curve_band_columns(curve, band)}
    return as_csv(
        list(columns), zip(*(values.tolist() for values in columns.values()), strict=True)
    )


def average_document(average: AverageCurve, bands: Mapping[str, Any]) -> dict[str, Any]:
    """An average over folds as named columns; `bands` add some."""
    table = {**average.columns(), **bands}
    columns = {name: [plain_number(v) for v in values] for name, values in table.items()}
    area = average.area()
    return {
        "schema": AVERAGE,
        "name": average.name,
        "method": average.method,
        "x": average.x_name,
        "y": average.y_name,
        "folds": list(average.folds),
        "left_out": [{"fold": fold, "reason": why} for fold, why in average.left_out.items()],
        "area": estimate_document(area),
        "columns": columns,
    }


def average_csv(average: AverageCurve, bands: Mapping[str, Any]) -> str:
    """An average over folds as CSV, one line a point; `bands` add columns."""
    columns = {**average.columns(), **bands}
    rows = zip(*(values.tolist() for values in columns.values()), strict=True)
    return as_csv(list(columns), rows)


def evaluation_csv(
    rankings: Mapping[str, Ranking], threshold: float, details: Details = NOTHING
) -> str:
    """One line a model, part (all rows, a fold, a segment) and measure."""
    columns = evaluation_columns(rankings, threshold, details)
    return as_csv(list(columns), zip(*columns.values(), strict=True))


def evaluation_columns(
    rankings: Mapping[str, Ranking], threshold: float, details: Details = NOTHING
) -> dict[str, list[Any]]:
    """The same as a table; where there is nothing to say, None."""
    lines: list[list[Any]] = []
    for name, ranking in rankings.items():
        folds = each_at_prevalence(details.folds.get(name, {}), details.prevalence)
        parts = {"": ranking.at_prevalence(details.prevalence)}
        parts |= {f"fold {fold}": own for fold, own in folds.items()}
        parts |= {f"segment {part}": own for part, own in details.segments.get(name, {}).items()}
        for part, own in parts.items():
            lines += [
                [name, part, *line]
                for line in _measure_lines(own, threshold, details.intervals, whole=not part)
                # The lines on costs have the expected cost.
                if not (details.costs and line[1] == "expected_cost")
            ]
        if name in details.costs:
            spent = expenses(ranking, details.costs[name], threshold, details.prevalence)
            paid = expenses_document(spent)
            lines += [
                [name, "", "costs", key, threshold, paid[key], *[None] * 5]
                for key in paid
                if not isinstance(paid[key], dict)
            ]
    interval = ["low", "high", "level", "method"]
    head = ["model", "part", "kind", "measure", "threshold", "value", *interval, "note"]
    return dict(zip(head, map(list, zip(*lines, strict=True)), strict=True))


def _measure_lines(
    ranking: Ranking, threshold: float, intervals: Intervals, *, whole: bool
) -> list[list[Any]]:
    """Parts have intervals for metrics and areas alone: drawing each part again would take long."""
    lines: list[list[Any]] = []
    own = intervals if whole else intervals.for_parts
    sure = SUMMARIES.values() if whole else [SUMMARIES["auc"], SUMMARIES["gini"]]
    summaries = PLAIN.summaries(SUMMARIES.values(), ranking) | own.summaries(sure, ranking)
    found = (
        ("summary", None, summaries),
        ("metric", threshold, own.at(METRICS.values(), ranking, threshold)),
    )
    for kind, at, estimates in found:
        for name, e in estimates.items():
            interval = [e.low, e.high, e.level, e.method] if e.has_interval else [None] * 4
            lines.append([kind, name, at, e.value, *interval, e.reason or e.note])
    return lines


def json_schema(kind: str = "evaluation") -> dict[str, Any]:
    """The published schema of a kind of document, such as "evaluation" or "decision".

    Example:
        >>> json_schema("curve")["title"]
        'A curve of one classifier, point by point'
    """
    kinds = schema_kinds()
    if kind not in kinds:
        raise UnknownName(
            f"No kind of document is called {kind!r}.{did_you_mean(kind, kinds)} "
            f"The kinds are {listed(kinds, len(kinds))}."
        )
    file = resources.files("tradeoff.presentation").joinpath(f"{kind}{SCHEMA_FILE}")
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def schema_kinds() -> list[str]:
    """The kinds of documents that have a published schema.

    Example:
        >>> "evaluation" in schema_kinds()
        True
    """
    files = (file.name for file in resources.files("tradeoff.presentation").iterdir())
    return sorted(name.removesuffix(SCHEMA_FILE) for name in files if name.endswith(SCHEMA_FILE))


def _model(ranking: Ranking, threshold: float, details: Details) -> dict[str, Any]:
    seen = ranking.at_prevalence(details.prevalence)
    intervals = details.intervals
    document: dict[str, Any] = {
        "name": ranking.name,
        "exact": ranking.exact,
        "rows": ranking.rows,
        "distinct_scores": ranking.distinct,
        "notes": list(ranking.notes),
        "summaries": estimates_document(intervals.summaries(SUMMARIES.values(), seen)),
        "at": {
            "threshold": spelled(threshold),
            "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
            "confusion": confusion_document(ranking.at(threshold)),
            "metrics": estimates_document(intervals.at(METRICS.values(), seen, threshold)),
        },
    }
    name = ranking.name
    if name in details.folds:
        own = details.folds[name]
        document["folds"] = groups_document(own, threshold, intervals, details.prevalence)
    if name in details.segments:  # as counted: segments have prevalences of their own
        own = details.segments[name]
        document["segments"] = groups_document(own, threshold, intervals)
    if name in details.costs:
        spent = expenses(ranking, details.costs[name], threshold, details.prevalence)
        document["expenses"] = expenses_document(spent)
        paid = sure_cost(ranking, details.costs[name], threshold, intervals, details.prevalence)
        document["at"]["metrics"]["expected_cost"] = estimate_document(paid)
    return document
