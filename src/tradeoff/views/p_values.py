"""P-values as text, and hypothesis tests as JSON documents."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.render.json_csv import json_number

if TYPE_CHECKING:
    from tradeoff.stats.significance import Test


UNDEFINED_P_VALUE = "–"


def hypothesis_test_document(test: Test) -> dict[str, Any]:
    """JSON document of a hypothesis test: statistic, p-value and method."""
    document = {
        "name": test.name,
        "statistic": json_number(test.statistic),
        "p_value": json_number(test.p_value),
        "method": test.method,
    }
    optional = {"degrees": test.degrees, "reason": test.reason, "note": test.note}
    return document | {key: value for key, value in optional.items() if value is not None}


def format_p_value(p: float) -> str:
    """Format a p-value with at most two significant digits.

    Example:
        >>> [format_p_value(p) for p in (0.1643, 0.0004, 1e-12, float("nan"))]
        ['0.16', '0.0004', '< 0.0001', '–']
    """
    if math.isnan(p):
        return UNDEFINED_P_VALUE
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.995 else "1"
