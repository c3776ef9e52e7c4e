"""Estimates as JSON objects: values and intervals, or the reason why there are none."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from tradeoff.measures.estimate import Estimate
from tradeoff.render.json_csv import json_number
from tradeoff.results import shows


def estimates_document(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, Any]]:
    """Estimates as JSON objects, by name."""
    return {name: estimate_document(estimate) for name, estimate in estimates.items()}


@shows(Estimate, "document")
def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """Estimate as a JSON object: its value and interval, or null and the reason."""
    label = {"label": estimate.label} if estimate.label else {}
    if not estimate.is_defined:
        return {**label, "value": None, "reason": estimate.reason}
    document: dict[str, Any] = {**label, "value": json_number(estimate.value)}
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
