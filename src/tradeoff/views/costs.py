"""Views of the costs of decisions: text section and JSON document."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.core.costs import Expenses
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import format_amount, format_number, format_percent, printable
from tradeoff.render.sections import Section
from tradeoff.render.values import json_number


def expenses_section(
    outlay: Expenses, ranking: Ranking, label: str = "at this threshold"
) -> Section:
    """Table of the costs at a threshold, compared with trivial and perfect decisions."""
    positive = printable(ranking.positive)
    costs_by_decision = [
        (label, outlay.total),
        (f"predict all {positive}", outlay.all_positive),
        (f"predict all {printable(ranking.negative)}", outlay.all_negative),
        ("as many, chosen at random", outlay.random),
        ("all rows correct", outlay.oracle),
    ]
    table = [
        (
            name,
            format_number(cost / outlay.rows),
            format_amount(1000 * cost / outlay.rows),
            format_amount(cost),
        )
        for name, cost in costs_by_decision
    ]
    head = ("", "per row", "per 1,000", "in total")
    negative = printable(ranking.negative)
    return Section("Costs", (_saving_sentence(outlay, positive, negative),), (head, *table))


def expenses_document(outlay: Expenses) -> dict[str, Any]:
    """JSON document of the costs at a threshold."""
    return {
        "rows": outlay.rows,
        "per_case": json_number(outlay.total / outlay.rows) if outlay.rows else None,
        "per_1000": json_number(1000 * outlay.total / outlay.rows) if outlay.rows else None,
        "total": outlay.total,
        "all_positive": outlay.all_positive,
        "all_negative": outlay.all_negative,
        "random": outlay.random,
        "oracle": outlay.oracle,
        "saved": outlay.saved,
        "saved_share": json_number(outlay.saved_share),
    }


def _saving_sentence(outlay: Expenses, positive: str, negative: str) -> str:
    """Sentence on the saving compared with the better of the two trivial decisions."""
    trivial = positive if outlay.all_positive < outlay.all_negative else negative
    per_row = format_number(abs(outlay.saved) / outlay.rows)
    if outlay.saved < 0:
        return f"This costs {per_row} per row more than predicting {trivial} for every row."
    if math.isnan(outlay.saved_share):
        return f"Nothing can be saved: predicting {trivial} for every row costs nothing."
    return (
        f"This saves {per_row} per row compared with predicting {trivial} for every row: "
        f"{format_percent(outlay.saved_share)} of the maximum possible saving."
    )
