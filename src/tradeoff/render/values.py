"""Single values as other programs read them: plain numbers, undefined ones null with a reason."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.measures.estimate import Estimate
from tradeoff.results import shows
from tradeoff.text import number, share

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix


SHOWN_IN_PERCENT = 1e-4
"""Percentages are shown to a tenth: what is known better than this needs no care."""


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


def estimates_document(found: Mapping[str, Estimate]) -> dict[str, dict[str, Any]]:
    """Estimates by name."""
    return {name: estimate_document(estimate) for name, estimate in found.items()}


@shows(Estimate, "document")
def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """A value with its interval, or null and the reason why there is none."""
    if not estimate.is_defined:
        return {"value": None, "reason": estimate.reason}
    document: dict[str, Any] = {"value": finite(estimate.value)}
    if math.isinf(estimate.value):
        document["reason"] = "infinite" if estimate.value > 0 else "minus infinite"
    if estimate.within:
        document["within"] = estimate.within
    if estimate.has_interval:
        document |= {
            "low": finite(estimate.low),
            "high": finite(estimate.high),
            "level": estimate.level,
            "method": estimate.method,
        }
    return document | ({"note": estimate.note} if estimate.note else {})


def interval(estimate: Estimate) -> str:
    """The ends of an interval for people; empty where there is none.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> interval(Estimate("auc", 0.7314, low=0.62034, high=0.8194, level=0.95))
        '0.6203 to 0.8194'
    """
    if not estimate.has_interval:
        return ""
    return " to ".join(estimate.ends)


def share_of(estimate: Estimate) -> str:
    """A value in percent, with no more digits than are certain.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> share_of(Estimate("auc", 0.89861)), share_of(Estimate("auc", 0.89861, within=0.02))
        ('89.9 %', '90 %')
    """
    if not estimate.within > SHOWN_IN_PERCENT:
        return share(estimate.value)
    return (
        f"{replace(estimate, value=100 * estimate.value, within=100 * estimate.within).written} %"
    )


def percent_of(level: float) -> str:
    """A level as people say it.

    Example:
        >>> percent_of(0.95), percent_of(0.9999999)
        ('95 %', '99.99999 %')
    """
    return f"{100 * level:.10g} %"


def brief(estimate: Estimate) -> str:
    """A value with its interval in as few characters as a narrow column needs.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> brief(Estimate("auc", 0.7314, low=0.62034, high=0.8194, level=0.95))
        '0.7314 (0.62–0.82)'
        >>> brief(Estimate("brier", 0.0836, low=0.08211, high=0.0853, level=0.95))
        '0.0836 (0.082–0.085)'
    """
    value = estimate.written
    if not estimate.has_interval:
        return value
    ends = estimate.ends if estimate.within else _short_ends(estimate.low, estimate.high)
    return f"{value} ({(' to ' if estimate.low < 0 else '–').join(ends)})"


def _short_ends(low: float, high: float) -> list[str]:
    """Two digits behind the point; more where the ends would read nearly the same."""
    if not (abs(low) < 100 and abs(high) < 100):
        return [number(low), number(high)]
    digits = next((d for d in (2, 3) if high - low >= 2 * 10.0**-d), 4)
    return [f"{round(end, digits) + 0.0:.{digits}f}" for end in (low, high)]  # no negative zero


def confusion_document(matrix: ConfusionMatrix) -> dict[str, Any]:
    """The six counts by name."""
    return {f.name: plain_number(getattr(matrix, f.name)) for f in fields(matrix)[:6]}


def plain_number(value: Any) -> Any:
    """A NumPy number as Python's own; what JSON cannot hold as null."""
    plain = value.item() if isinstance(value, np.generic) else value
    return finite(plain) if isinstance(plain, float) else plain


def finite(value: float) -> float | None:
    """A number that JSON can hold, else null."""
    return value if math.isfinite(value) else None


def spelled(value: float) -> float | str:
    """A threshold: JSON has no infinities, so they are spelled out."""
    return value if math.isfinite(value) else f"{value}"


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value
