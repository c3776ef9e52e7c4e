"""Values and estimates formatted as JSON, CSV and text; undefined ones are null or empty cells."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.formatting import format_percent
from tradeoff.measures.estimate import Estimate
from tradeoff.render.intervals import format_value_interval
from tradeoff.results import shows

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix


PERCENT_RESOLUTION = 1e-4
"""Uncertainties up to this leave the one decimal place of a percentage unchanged."""


def format_json(document: Any) -> str:
    """Document as strict JSON text, with numbers at full precision."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def format_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV text at full precision; infinities are `inf`, undefined values are empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return buffer.getvalue().rstrip("\n")


def estimates_document(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, Any]]:
    """JSON objects of several estimates, by name."""
    return {name: estimate_document(estimate) for name, estimate in estimates.items()}


@shows(Estimate, "document")
def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """JSON object of an estimate: its value and interval, or null and the reason."""
    if not estimate.is_defined:
        return {"value": None, "reason": estimate.reason}
    document: dict[str, Any] = {"value": json_number(estimate.value)}
    if math.isinf(estimate.value):
        document["reason"] = "infinite" if estimate.value > 0 else "minus infinite"
    if estimate.within:
        document["within"] = estimate.within
    if estimate.has_interval:
        document |= {
            "low": json_number(estimate.low),
            "high": json_number(estimate.high),
            "level": estimate.level,
            "method": estimate.method,
        }
    return document | ({"note": estimate.note} if estimate.note else {})


def format_interval(estimate: Estimate) -> str:
    """Limits of an estimate's interval, "0.6 to 0.8"; an empty string if there is no interval.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> format_interval(Estimate("auc", 0.7314, low=0.62034, high=0.8194, level=0.95))
        '0.6203 to 0.8194'
    """
    if not estimate.has_interval:
        return ""
    return " to ".join(estimate.limits_text)


def format_estimate_percent(estimate: Estimate) -> str:
    """Value of an estimate in percent, with no more digits than are known for certain.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> format_estimate_percent(Estimate("auc", 0.89861))
        '89.9%'
        >>> format_estimate_percent(Estimate("auc", 0.89861, within=0.02))
        '90%'
    """
    if not estimate.within > PERCENT_RESOLUTION:
        return format_percent(estimate.value)
    return (
        f"{replace(estimate, value=100 * estimate.value, within=100 * estimate.within).value_text}%"
    )


def format_level(level: float) -> str:
    """Confidence level in percent.

    Example:
        >>> format_level(0.95), format_level(0.9999999)
        ('95%', '99.99999%')
    """
    return f"{100 * level:.10g}%"


def format_estimate(estimate: Estimate) -> str:
    """Value of an estimate with its interval in parentheses, for a narrow column.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> format_estimate(Estimate("auc", 0.7314, low=0.62034, high=0.8194, level=0.95))
        '0.731 (0.620–0.819)'
        >>> format_estimate(Estimate("brier", 0.0836, low=0.08311, high=0.0841, level=0.95))
        '0.08360 (0.08311–0.08410)'
    """
    if not estimate.within:
        return format_value_interval(estimate.value, estimate.low, estimate.high)
    if not estimate.has_interval:
        return estimate.value_text
    separator = " to " if estimate.low < 0 else "–"
    return f"{estimate.value_text} ({separator.join(estimate.limits_text)})"


def confusion_document(matrix: ConfusionMatrix) -> dict[str, Any]:
    """JSON object of the six counts of a confusion matrix, by name."""
    return {f.name: json_value(getattr(matrix, f.name)) for f in fields(matrix)[:6]}


def json_value(value: Any) -> Any:
    """Value that JSON can hold: NumPy scalars as Python numbers, infinities and NaN as null."""
    scalar = value.item() if isinstance(value, np.generic) else value
    return json_number(scalar) if isinstance(scalar, float) else scalar


def json_number(value: float) -> float | None:
    """Finite number for JSON; infinities and NaN are null."""
    return value if math.isfinite(value) else None


def json_threshold(value: float) -> float | str:
    """Threshold for JSON; infinities, which JSON lacks, become "inf" and "-inf"."""
    return value if math.isfinite(value) else f"{value}"


def _csv_cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value
