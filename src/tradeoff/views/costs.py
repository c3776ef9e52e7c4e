"""Costs of decisions: text section and JSON document."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.core.costs import Expenses
from tradeoff.core.ranking import Ranking
from tradeoff.render.sections import Section
from tradeoff.render.values import json_number
from tradeoff.text import format_amount, format_number, format_percent, printable


def expenses_section(
    spent: Expenses, ranking: Ranking, label: str = "at this threshold"
) -> Section:
    """Table of the costs at a threshold, compared with trivial and perfect decisions."""
    positive = printable(ranking.positive)
    lines = [
        (label, spent.total),
        (f"predict all {positive}", spent.all_positive),
        (f"predict none {positive}", spent.all_negative),
        ("same number at random", spent.random),
        ("all rows correct", spent.oracle),
    ]
    table = [
        (
            name,
            format_number(cost / spent.rows),
            format_amount(1000 * cost / spent.rows),
            format_amount(cost),
        )
        for name, cost in lines
    ]
    head = ("", "per row", "per 1,000", "in total")
    return Section("Costs", (_saved(spent, positive),), (head, *table))


def expenses_document(spent: Expenses) -> dict[str, Any]:
    """JSON document of the costs at a threshold."""
    return {
        "rows": spent.rows,
        "per_case": json_number(spent.total / spent.rows) if spent.rows else None,
        "per_1000": json_number(1000 * spent.total / spent.rows) if spent.rows else None,
        "total": spent.total,
        "all_positive": spent.all_positive,
        "all_negative": spent.all_negative,
        "random": spent.random,
        "oracle": spent.oracle,
        "saved": spent.saved,
        "saved_share": json_number(spent.saved_share),
    }


def _saved(spent: Expenses, positive: str) -> str:
    trivial = "every" if spent.all_positive < spent.all_negative else "no"
    per_row = format_number(abs(spent.saved) / spent.rows)
    if spent.saved < 0:
        return f"This costs {per_row} per row more than predicting {trivial} row {positive}."
    if math.isnan(spent.saved_share):
        return f"Nothing can be saved: predicting {trivial} row {positive} costs nothing."
    return (
        f"This saves {per_row} per row compared with predicting {trivial} row {positive}, "
        f"{format_percent(spent.saved_share)} of the possible saving."
    )
