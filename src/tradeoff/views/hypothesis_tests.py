"""Hypothesis tests as JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.render.json_csv import json_number

if TYPE_CHECKING:
    from tradeoff.stats.significance import Test


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
