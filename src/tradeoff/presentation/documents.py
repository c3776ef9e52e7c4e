"""What other programs read: documents of plain values with a schema, undefined numbers as null."""

from __future__ import annotations

import csv
import io
import json
import math
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.registry import METRICS, SUMMARIES, Measure
from tradeoff.ranking.confusion import ClassMatrix, ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tradeoff.analysis.curves.curve import Curve
    from tradeoff.analysis.estimate import Estimate
    from tradeoff.ranking.ranking import Ranking

EVALUATION = "tradeoff/evaluation/1"
CURVE = "tradeoff/curve/1"
MATRIX = "tradeoff/matrix/1"


def evaluation_document(rankings: Mapping[str, Ranking], threshold: float) -> dict[str, Any]:
    """All summaries, and all metrics at one threshold, of each model."""
    first = next(iter(rankings.values()))
    everything = first.at(threshold)
    return {
        "schema": EVALUATION,
        "positive": first.positive,
        "negative": first.negative,
        "rows": first.rows,
        "positives": _plain(everything.positives),
        "negatives": _plain(everything.negatives),
        "models": [_model(ranking, threshold) for ranking in rankings.values()],
    }


def curve_document(curve: Curve) -> dict[str, Any]:
    """A curve as named columns; the first threshold, "none predicted positive", is null."""
    table = curve.columns()
    columns = {name: [_plain(v) for v in values] for name, values in table.items()}
    if "threshold" in table and "true_positives" in table:
        called = table["true_positives"] + table["false_positives"]
        pairs = zip(table["threshold"].tolist(), called.tolist(), strict=True)
        columns["threshold"] = [
            _score(t) if rows or math.isfinite(t) else None for t, rows in pairs
        ]
    return {
        "schema": CURVE,
        "name": curve.name,
        "model": curve.ranking.name,
        "positive": curve.ranking.positive,
        "x": curve.across.name,
        "y": curve.up.name,
        "columns": columns,
    }


def matrix_document(matrix: ConfusionMatrix | ClassMatrix) -> dict[str, Any]:
    """The cells in long form and every metric; for many classes also by class."""
    any_classes = isinstance(matrix, ClassMatrix)
    chosen = [m for m in METRICS.values() if m.any_classes or not any_classes]
    document: dict[str, Any] = {
        "schema": MATRIX,
        "classes": list(matrix.classes),
        "cells": [{**cell._asdict(), "count": _plain(cell.count)} for cell in matrix.cells()],
        "metrics": _estimates(chosen, matrix),
    }
    if isinstance(matrix, ClassMatrix):
        document["by_class"] = {
            name: _estimates(METRICS.values(), matrix.one_against_rest(name))
            for name in matrix.classes
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
        "low": _finite(measure.low),
        "high": _finite(measure.high),
        "parameters": dict(measure.parameters),
        "sentence": measure.sentence,
        "undefined": measure.undefined or None,
        "other_tools": measure.others or None,
        "source": measure.source or None,
    }


def as_json(document: Any) -> str:
    """Strict JSON, numbers at full precision."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def as_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """CSV with full precision; infinities are spelled inf, undefined cells stay empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().rstrip("\n")


def curve_csv(curve: Curve) -> str:
    """A curve as CSV, one line a threshold, the first one inf."""
    columns = curve.columns()
    return as_csv(
        list(columns), zip(*(values.tolist() for values in columns.values()), strict=True)
    )


def evaluation_csv(rankings: Mapping[str, Ranking], threshold: float) -> str:
    """One line a model and measure."""
    lines = []
    for name, ranking in rankings.items():
        matrix = ranking.at(threshold)
        for measure in [*SUMMARIES.values(), *METRICS.values()]:
            subject = ranking if measure.kind == "summary" else matrix
            estimate = measure.estimate(subject)
            at = threshold if measure.kind == "metric" else None
            why = estimate.reason or estimate.note
            lines.append([name, measure.kind, measure.name, at, estimate.value, why])
    return as_csv(["model", "kind", "measure", "threshold", "value", "note"], lines)


def json_schema() -> dict[str, Any]:
    """The published schema of the evaluation document."""
    text = resources.files("tradeoff.presentation").joinpath("evaluation.schema.json").read_text()
    schema: dict[str, Any] = json.loads(text)
    return schema


def _model(ranking: Ranking, threshold: float) -> dict[str, Any]:
    matrix = ranking.at(threshold)
    return {
        "name": ranking.name,
        "exact": ranking.exact,
        "rows": ranking.rows,
        "distinct_scores": ranking.distinct,
        "notes": list(ranking.remarks),
        "summaries": _estimates(SUMMARIES.values(), ranking),
        "at": {
            "threshold": _score(threshold),
            "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
            "confusion": {
                name: _plain(getattr(matrix, name))
                for name in (
                    "true_positives",
                    "false_negatives",
                    "false_positives",
                    "true_negatives",
                    "rejected_positives",
                    "rejected_negatives",
                )
            },
            "metrics": _estimates(METRICS.values(), matrix),
        },
    }


def _estimates(measures: Iterable[Measure], subject: Any) -> dict[str, dict[str, Any]]:
    return {measure.name: _estimate(measure.estimate(subject)) for measure in measures}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    if not estimate.is_defined:
        return {"value": None, "reason": estimate.reason}
    if math.isinf(estimate.value):
        return {"value": None, "reason": "infinite" if estimate.value > 0 else "minus infinite"}
    note = {"note": estimate.note} if estimate.note else {}
    return {"value": estimate.value, **note}


def _plain(value: Any) -> Any:
    """A NumPy number as Python's own; what JSON cannot hold as null."""
    number = value.item() if isinstance(value, np.generic) else value
    return _finite(number) if isinstance(number, float) else number


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _score(value: float) -> float | str:
    """A threshold: JSON has no infinities, so they are spelled out."""
    return value if math.isfinite(value) else f"{value}"


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value
