"""Views of curves and of averages over folds: text sections and JSON documents."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.formatting import (
    format_count,
    format_level,
    format_screen_number,
    format_threshold,
)
from tradeoff.measures.curves import CURVES
from tradeoff.measures.curves.average import AverageCurve
from tradeoff.measures.curves.curve import Curve, Line
from tradeoff.measures.estimate import Estimate
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import format_estimate
from tradeoff.render.json_csv import json_threshold, json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.uncertainty.curve_bands import CurveEstimate
from tradeoff.views.chart_labels import calibration_sentences

MAX_TABLE_ROWS = 40
SCORE_COLUMNS = frozenset(
    {"threshold", "highest", "lowest", "mean_score", "low", "high", "distance"}
)


@shows(Curve, "sections")
def curve_sections(curve: Curve) -> list[Section]:
    """Text sections of a curve: its table, meaning and area."""
    return curve_estimate_sections(CurveEstimate(curve, curve.area()))


@shows(Curve, "document")
def curve_document(curve: Curve) -> dict[str, Any]:
    """JSON document of a curve."""
    return curve_estimate_document(CurveEstimate(curve, curve.area()))


@shows(CurveEstimate, "sections")
def curve_estimate_sections(
    estimate: CurveEstimate, *, max_rows: int = MAX_TABLE_ROWS, full_table_in: str = "CSV"
) -> list[Section]:
    """Text sections of a curve with its confidence band: table, meaning, area and method."""
    curve, band = estimate.curve, estimate.band
    sentences = []
    if curve.name in CURVES:
        sentences.append(curve.ranking.wording.rephrase(CURVES[curve.name].caption))
    sentences += _area_sentences(estimate.area)
    sentences += calibration_sentences([curve.ranking])
    if band is not None:
        sentences.append(f"{format_level(band.level)} {band.kind} confidence band: {band.method}.")
    axes = (curve.across, curve.up, *curve.also)
    title = curve.name if curve.is_named else f"{curve.up.label} over {curve.across.label}"
    heading = f"{title} of {curve.ranking.name}"
    labels = {axis.name: axis.label for axis in axes}
    labels["rows"] = curve.ranking.wording.units
    columns = {labels.get(name, name): values for name, values in estimate.columns().items()}
    return [columns_section(heading, sentences, columns, full_table_in, max_rows)]


@shows(AverageCurve, "sections")
def average_sections(average: AverageCurve) -> list[Section]:
    """Text sections of an average curve over folds: table, method and excluded folds."""
    sentences = [f"{average.method.capitalize()} average over {len(average.folds)} folds."]
    if average.method == "pooled":
        sentences = ["All folds pooled into one ranking."]
    sentences += [
        f"Fold {fold} is left out: {reason}." for fold, reason in average.left_out.items()
    ]
    sentences += _area_sentences(average.area())
    model = next(iter(average.folds.values())).ranking.name
    return [columns_section(f"{average.name} of {model}", sentences, average.columns())]


def _area_sentences(area: Estimate) -> list[str]:
    if not area.is_defined:
        return []
    level = f", {format_level(area.level or 0)} CI" if area.has_interval else ""
    note = f"; {area.note}" if area.note else ""
    return [f"Area {format_estimate(area)}{level}{note}."]


def columns_section(
    heading: str,
    sentences: list[str],
    columns: Mapping[str, NDArray[Any]],
    full_table_in: str = "CSV",
    max_rows: int = MAX_TABLE_ROWS,
) -> Section:
    """Text section of a curve's columns as a table, thinned to at most `max_rows` rows."""
    size = len(next(iter(columns.values())))
    indices = np.arange(size)
    if size > max_rows:
        indices = np.unique(np.linspace(0, size - 1, max_rows).round().astype(int))
        sentences = [*sentences, f"{max_rows} of {size:,} rows shown; {full_table_in} gives all."]
    formatters = [_column_formatter(name, values) for name, values in columns.items()]
    cells = [
        [
            format_value(values[i])
            for format_value, values in zip(formatters, columns.values(), strict=True)
        ]
        for i in indices
    ]
    header = tuple(name.replace("_", " ") for name in columns)
    return Section(heading, tuple(sentences), (header, *map(tuple, cells)), left=0)


def _column_formatter(name: str, values: NDArray[Any]) -> Callable[[Any], str]:
    """Function that formats the values of a column."""
    if name in SCORE_COLUMNS:
        return lambda value: "undefined" if np.isnan(value) else format_threshold(float(value))
    is_whole = np.array_equal(values, np.round(values)) and np.abs(values).max(initial=0) > 1
    return format_count if is_whole else lambda value: format_screen_number(float(value))


@shows(CurveEstimate, "document")
def curve_estimate_document(estimate: CurveEstimate) -> dict[str, Any]:
    """JSON document of a curve with its band; a threshold without predicted positives is null."""
    curve, band, table = estimate.curve, estimate.band, estimate.columns()
    columns = {name: [json_value(v) for v in values] for name, values in table.items()}
    if "threshold" in table and "true_positives" in table:
        predicted_positives = table["true_positives"] + table["false_positives"]
        pairs = zip(table["threshold"].tolist(), predicted_positives.tolist(), strict=True)
        columns["threshold"] = [
            json_threshold(t) if rows or math.isfinite(t) else None for t, rows in pairs
        ]
    return {
        "schema": CURVE_SCHEMA,
        "name": curve.name,
        "model": curve.ranking.name,
        "positive": curve.ranking.positive,
        "x": curve.across.name,
        "y": curve.up.name,
        "x_label": curve.across.label,
        "y_label": curve.up.label,
        "chance": _line_document(curve.chance),
        "ideal": _line_document(curve.ideal),
        "area": estimate_document(estimate.area),
        "band": band and {"kind": band.kind, "level": band.level, "method": band.method},
        "notes": list(curve.ranking.notes),
        "columns": columns,
    }


def _line_document(corners: Line | None) -> list[list[float]] | None:
    return None if corners is None else [list(corner) for corner in corners]


@shows(AverageCurve, "document")
def average_document(average: AverageCurve) -> dict[str, Any]:
    """JSON document of an average curve over folds."""
    columns = {name: [json_value(v) for v in values] for name, values in average.columns().items()}
    return {
        "schema": AVERAGE_SCHEMA,
        "name": average.name,
        "method": average.method,
        "x": average.x_name,
        "y": average.y_name,
        "folds": list(average.folds),
        "left_out": [{"fold": fold, "reason": reason} for fold, reason in average.left_out.items()],
        "area": estimate_document(average.area()),
        "columns": columns,
    }


CURVE_SCHEMA = "tradeoff/curve/1"
AVERAGE_SCHEMA = "tradeoff/average/1"
