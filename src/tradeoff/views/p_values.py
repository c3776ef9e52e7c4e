"""Tests and p-values, as they are written."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.render.values import json_number

if TYPE_CHECKING:
    from tradeoff.stats.significance import Test


NO_P = "–"


def document_of_test(test: Test) -> dict[str, Any]:
    """A test for other programs."""
    document = {
        "name": test.name,
        "statistic": json_number(test.statistic),
        "p_value": json_number(test.p_value),
        "method": test.method,
    }
    extra = {"degrees": test.degrees, "reason": test.reason, "note": test.note}
    return document | {key: value for key, value in extra.items() if value is not None}


def p_value(p: float) -> str:
    """A p-value in as many digits as it deserves.

    Example:
        >>> [p_value(p) for p in (0.1643, 0.0004, 1e-12, float("nan"))]
        ['0.16', '0.0004', '< 0.0001', '–']
    """
    if math.isnan(p):
        return NO_P
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.995 else "1"
