"""Curves and averages over folds as tables, documents and CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.measures.curves import CURVES
from tradeoff.measures.curves.average import AverageCurve
from tradeoff.measures.curves.curve import Curve, Line
from tradeoff.measures.estimate import Estimate
from tradeoff.render.sections import Section
from tradeoff.render.values import (
    estimate_document,
    interval,
    percent_of,
    plain_number,
    spelled,
)
from tradeoff.results import shows
from tradeoff.text import count, number, threshold
from tradeoff.uncertainty.curve_bands import CurveEstimate

if TYPE_CHECKING:
    from typing import Any


MOST_LINES = 40
SCORES = frozenset({"threshold", "highest", "lowest", "mean_score", "low", "high", "distance"})


@shows(Curve, "sections")
def curve_sections(curve: Curve) -> list[Section]:
    """The curve's table, its meaning and its area."""
    return estimate_sections(CurveEstimate(curve, curve.area()))


@shows(Curve, "document")
def curve_document(curve: Curve) -> dict[str, Any]:
    """A curve as named columns."""
    return estimated_document(CurveEstimate(curve, curve.area()))


@shows(CurveEstimate, "sections")
def estimate_sections(
    estimate: CurveEstimate, *, most: int = MOST_LINES, whole: str = "CSV"
) -> list[Section]:
    """The curve's table in as many lines at most, its meaning, its area and its band."""
    curve, band = estimate.curve, estimate.band
    said = []
    if curve.name in CURVES:
        said.append(f"It shows {CURVES[curve.name].sentence}.")
    said += _area(estimate.area)
    if band is not None:
        said.append(f"The {percent_of(band.level)} {band.kind} band: {band.method}.")
    heading = f"{curve.name} of {curve.ranking.name}"
    return [columns_section(heading, said, estimate.columns(), whole, most)]


@shows(AverageCurve, "sections")
def average_sections(average: AverageCurve) -> list[Section]:
    """The average's table, what was averaged, and what was left out."""
    said = [f"The {average.method} average of {len(average.folds)} folds."]
    if average.method == "pooled":
        said = ["All folds pooled into one ranking."]
    said += [f"Fold {fold} is left out: {why}." for fold, why in average.left_out.items()]
    said += _area(average.area())
    model = next(iter(average.folds.values())).ranking.name
    return [columns_section(f"{average.name} of {model}", said, average.columns())]


def _area(area: Estimate) -> list[str]:
    if not area.is_defined:
        return []
    sure = (
        f" ({percent_of(area.level or 0)} interval {interval(area)})" if area.has_interval else ""
    )
    note = f"; {area.note}" if area.note else ""
    return [f"The area is {area.written}{sure}{note}."]


def columns_section(
    heading: str,
    said: list[str],
    columns: Mapping[str, NDArray[Any]],
    whole: str = "CSV",
    most: int = MOST_LINES,
) -> Section:
    """Columns as a table of no more lines than fit on a screen."""
    size = len(next(iter(columns.values())))
    shown = np.arange(size)
    if size > most:
        shown = np.unique(np.linspace(0, size - 1, most).round().astype(int))
        said = [*said, f"Shown are {most} of {size:,} lines; {whole} has all."]
    written = [_writer(name, values) for name, values in columns.items()]
    cells = [
        [write(values[i]) for write, values in zip(written, columns.values(), strict=True)]
        for i in shown
    ]
    head = tuple(name.replace("_", " ") for name in columns)
    return Section(heading, tuple(said), (head, *map(tuple, cells)), left=0)


def _writer(name: str, values: NDArray[Any]) -> Callable[[Any], str]:
    """How the numbers of a column are written: all alike."""
    if name in SCORES:
        return lambda value: "undefined" if np.isnan(value) else threshold(float(value))
    whole = np.array_equal(values, np.round(values)) and np.abs(values).max(initial=0) > 1
    return count if whole else lambda value: number(float(value))


@shows(CurveEstimate, "document")
def estimated_document(estimate: CurveEstimate) -> dict[str, Any]:
    """A curve as named columns; the first threshold, "none predicted positive", is null."""
    curve, band, table = estimate.curve, estimate.band, estimate.columns()
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
        "area": estimate_document(estimate.area),
        "band": band and {"kind": band.kind, "level": band.level, "method": band.method},
        "columns": columns,
    }


def _line(corners: Line | None) -> list[list[float]] | None:
    return None if corners is None else [list(corner) for corner in corners]


@shows(AverageCurve, "document")
def average_document(average: AverageCurve) -> dict[str, Any]:
    """An average over folds as named columns."""
    columns = {
        name: [plain_number(v) for v in values] for name, values in average.columns().items()
    }
    return {
        "schema": AVERAGE,
        "name": average.name,
        "method": average.method,
        "x": average.x_name,
        "y": average.y_name,
        "folds": list(average.folds),
        "left_out": [{"fold": fold, "reason": why} for fold, why in average.left_out.items()],
        "area": estimate_document(average.area()),
        "columns": columns,
    }


CURVE = "tradeoff/curve/1"
AVERAGE = "tradeoff/average/1"
