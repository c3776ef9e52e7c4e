"""What decisions cost, as sections that people read and documents that programs read."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.core.costs import Expenses
from tradeoff.core.ranking import Ranking
from tradeoff.render.sections import Section
from tradeoff.render.values import finite
from tradeoff.text import amount, number, plain, share


def expenses_section(spent: Expenses, ranking: Ranking, here: str = "at this threshold") -> Section:
    """What is paid here, beside what could be had without looking, and at best."""
    positive = plain(ranking.positive)
    lines = [
        (here, spent.here),
        (f"all {positive}", spent.all_positive),
        (f"none {positive}", spent.all_negative),
        ("as many at random", spent.random),
        ("every row right", spent.oracle),
    ]
    table = [
        (name, number(paid / spent.rows), amount(1000 * paid / spent.rows), amount(paid))
        for name, paid in lines
    ]
    head = ("", "per case", "per 1,000", "in total")
    return Section("Costs", (_saved(spent, positive),), (head, *table))


def expenses_document(spent: Expenses) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "rows": spent.rows,
        "per_case": finite(spent.here / spent.rows) if spent.rows else None,
        "per_1000": finite(1000 * spent.here / spent.rows) if spent.rows else None,
        "total": spent.here,
        "all_positive": spent.all_positive,
        "all_negative": spent.all_negative,
        "random": spent.random,
        "oracle": spent.oracle,
        "saved": spent.saved,
        "saved_share": finite(spent.saved_share),
    }


def _saved(spent: Expenses, positive: str) -> str:
    alike = "every" if spent.all_positive < spent.all_negative else "no"
    per_case = number(abs(spent.saved) / spent.rows)
    if spent.saved < 0:
        return f"This costs {per_case} a case more than calling {alike} row {positive}."
    if math.isnan(spent.saved_share):
        return f"Nothing can be saved: calling {alike} row {positive} makes no mistake that costs."
    return (
        f"This saves {per_case} a case against calling {alike} row {positive}: "
        f"{share(spent.saved_share)} of what could be saved."
    )
