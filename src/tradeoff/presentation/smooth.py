"""Smooth models of a ROC curve for readers: always marked as models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.render.values import as_csv, estimate_document, interval, plain_number
from tradeoff.text import number
from tradeoff.views.curves import columns_section

if TYPE_CHECKING:
    from tradeoff.analysis.smooth.curve import SmoothCurve
    from tradeoff.render.sections import Section

SMOOTH = "tradeoff/smooth/1"


def smooth_sections(curve: SmoothCurve) -> list[Section]:
    """The model's area, its numbers and some of its points."""
    area = curve.area
    said = [f"This is a {curve.model}, not the curve of the rows."]
    if not area.is_defined:
        said.append(f"Undefined: {area.reason}.")
    elif area.has_interval:
        level = f"{100 * (area.level or 0):g} % interval {interval(area)}"
        said.append(f"Its area is {number(area.value)} ({level}; {area.method}).")
    else:
        said.append(f"Its area is {number(area.value)}.")
    said += [f"{name} is {number(e.value)}." for name, e in curve.parameters.items()]
    said += [f"Note: {note}." for note in curve.notes]
    heading = f"ROC curve of {curve.name}: {curve.model}"
    columns = {
        {"low": "band_low", "high": "band_high"}.get(n, n): v for n, v in curve.columns().items()
    }
    return [columns_section(heading, said, columns)]


def smooth_document(curve: SmoothCurve) -> dict[str, Any]:
    """The same for other programs."""
    columns = curve.columns()
    return {
        "schema": SMOOTH,
        "model": curve.model,
        "name": curve.name,
        "area": estimate_document(curve.area),
        "parameters": {name: estimate_document(e) for name, e in curve.parameters.items()},
        "notes": list(curve.notes),
        "columns": {name: [plain_number(v) for v in values] for name, values in columns.items()},
    }


def smooth_csv(curve: SmoothCurve) -> str:
    """The points as CSV."""
    columns = curve.columns()
    return as_csv(
        list(columns), zip(*(values.tolist() for values in columns.values()), strict=True)
    )
