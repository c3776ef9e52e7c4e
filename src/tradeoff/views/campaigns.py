"""Sentences on the profit of a campaign, and its section for a confusion matrix."""

from __future__ import annotations

from collections.abc import Mapping

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import Costs, matrix_expenses
from tradeoff.formatting import format_count
from tradeoff.render.sections import Section
from tradeoff.wording import Wording


def earning_phrase(profit: float, wording: Wording) -> str:
    """The profit of a campaign as a verb phrase: "earn EUR 1,389", "lose EUR 1,194".

    Example:
        >>> earning_phrase(-1194.0, Wording(currency="EUR")), earning_phrase(0.0, Wording())
        ('lose EUR 1,194', 'earn nothing')
    """
    if not round(profit, 9):
        return "earn nothing"
    return f"{'earn' if profit > 0 else 'lose'} {wording.amount(abs(profit))}"


def campaign_sentence(profit: float, alternatives: Mapping[str, float], wording: Wording) -> str:
    """Sentence on the profit of a campaign, and on what the alternatives would earn.

    Example:
        >>> campaign_sentence(1389, {"contacting everybody": -1194}, Wording(currency="EUR"))
        'this earns EUR 1,389; contacting everybody would lose EUR 1,194'
    """
    verb, _, amount = earning_phrase(profit, wording).partition(" ")
    parts = [f"this {verb}s {amount}"]
    parts += [
        f"{name} would {earning_phrase(other, wording)}" for name, other in alternatives.items()
    ]
    return "; ".join(parts)


def campaign_section(matrix: ConfusionMatrix, costs: Costs, wording: Wording) -> Section:
    """Text section on the profit of a campaign that contacts predicted positives, all or nobody."""
    incurred_costs = matrix_expenses(matrix, costs)
    contacts = float(matrix.predicted_positives)
    decided = float(matrix.decided)
    profit = -incurred_costs.total
    sentence = campaign_sentence(
        profit,
        {
            "contacting everybody": -incurred_costs.all_positive,
            "contacting nobody": -incurred_costs.all_negative,
        },
        wording,
    )
    table = [
        ("", "contacts", "responders", "profit", f"per {wording.unit}"),
        _campaign_row(
            "predicted positive",
            contacts,
            float(matrix.true_positives),
            profit,
            incurred_costs.rows,
            wording,
        ),
        _campaign_row(
            "everybody",
            decided,
            float(matrix.accepted.positives),
            -incurred_costs.all_positive,
            incurred_costs.rows,
            wording,
        ),
        _campaign_row(
            "nobody", 0.0, 0.0, -incurred_costs.all_negative, incurred_costs.rows, wording
        ),
    ]
    subject = f"Contacting the {wording.count(contacts)} predicted {matrix.positive}"
    return Section("Profit", (f"{subject}: {sentence}.",), tuple(table))


def _campaign_row(  # noqa: PLR0913, PLR0917 - the cells of the row
    name: str, contacts: float, responders: float, profit: float, rows: float, wording: Wording
) -> tuple[str, ...]:
    per_row = wording.amount(profit / rows) if rows else ""
    return name, format_count(contacts), format_count(responders), wording.amount(profit), per_row
