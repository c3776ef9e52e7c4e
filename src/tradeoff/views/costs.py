"""Views of the costs of decisions: text section and JSON document."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import Expenses
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_amount,
    format_number,
    format_percent,
    format_screen_number,
    printable,
)
from tradeoff.render.json_csv import json_number
from tradeoff.render.sections import Section
from tradeoff.wording import ROWS, Wording


def expenses_section(
    expenses: Expenses,
    classes: Ranking | ConfusionMatrix,
    label: str = "at this threshold",
    wording: Wording = ROWS,
) -> Section:
    """Table of the costs at a threshold, compared with trivial and perfect decisions.

    `classes` is the ranking or matrix, which names both classes.
    """
    positive = printable(classes.positive)
    costs_by_decision = [
        (label, expenses.total),
        (f"predict all {positive}", expenses.all_positive),
        (f"predict all {printable(classes.negative)}", expenses.all_negative),
        ("as many, chosen at random", expenses.random),
        (f"all {wording.units} correct", expenses.oracle),
    ]
    table = [
        (
            name,
            wording.money(format_screen_number(cost / expenses.rows)),
            wording.money(format_amount(1000 * cost / expenses.rows)),
            wording.money(format_amount(cost)),
        )
        for name, cost in costs_by_decision
    ]
    header = ("", f"per {wording.unit}", "per 1,000", "in total")
    negative = printable(classes.negative)
    sentence = _saving_sentence(expenses, positive, negative, wording)
    return Section("Costs", (sentence,), (header, *table))


def expenses_document(expenses: Expenses) -> dict[str, Any]:
    """JSON document of the costs at a threshold."""
    return {
        "rows": expenses.rows,
        "per_case": json_number(expenses.total / expenses.rows) if expenses.rows else None,
        "per_1000": json_number(1000 * expenses.total / expenses.rows) if expenses.rows else None,
        "total": expenses.total,
        "all_positive": expenses.all_positive,
        "all_negative": expenses.all_negative,
        "random": expenses.random,
        "oracle": expenses.oracle,
        "saved": expenses.saved,
        "saved_share": json_number(expenses.saved_share),
    }


def _saving_sentence(expenses: Expenses, positive: str, negative: str, wording: Wording) -> str:
    """Sentence on the saving compared with the better of the two trivial decisions."""
    trivial = positive if expenses.all_positive < expenses.all_negative else negative
    per_row = wording.money(format_number(abs(expenses.saved) / expenses.rows))
    per_row += f" per {wording.unit}"
    every_row = f"every {wording.unit}"
    if expenses.saved < 0:
        return (
            f"On these data, this costs {per_row} more than predicting {trivial} for {every_row}."
        )
    if math.isnan(expenses.saved_share):
        return f"Nothing can be saved: predicting {trivial} for {every_row} costs nothing."
    return (
        f"On these data, this saves {per_row} compared with predicting {trivial} for "
        f"{every_row}: {format_percent(expenses.saved_share)} of the maximum possible saving."
    )
