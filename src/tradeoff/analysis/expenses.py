"""What a threshold costs, beside what could have been done without looking, and at best."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tradeoff.analysis.costs import Costs
    from tradeoff.analysis.row_costs import RowCosts
    from tradeoff.ranking.ranking import Ranking


class Expenses(NamedTuple):
    """Total costs of all rows; `rows` turns them into costs per case."""

    rows: float
    here: float
    all_positive: float
    all_negative: float
    random: float
    oracle: float

    @property
    def trivial(self) -> float:
        """The cheaper of calling all rows positive and calling none."""
        return min(self.all_positive, self.all_negative)

    @property
    def saved(self) -> float:
        """What is saved against the better trivial choice."""
        return self.trivial - self.here

    @property
    def saved_share(self) -> float:
        """What is saved, as a share of what an oracle would save; NaN if that is nothing."""
        possible = self.trivial - self.oracle
        return self.saved / possible if possible else float("nan")


def expenses(
    ranking: Ranking, costs: Costs | RowCosts, threshold: float, prevalence: float | None = None
) -> Expenses:
    """The costs at a threshold and of its alternatives.

    `random` takes as many rows as the threshold does, but any.
    """
    seen = ranking.at_prevalence(prevalence)
    place = seen.index(threshold)
    totals = costs.totals(seen)
    nothing, everything = float(totals[0]), float(totals[-1])
    matrix = seen.at_place(place)
    ranked = float(seen.positives + seen.negatives)
    taken = float(matrix.predicted_positives) / ranked if ranked else 0.0
    variable = nothing + taken * (everything - costs.fixed - nothing)
    random = variable + (costs.fixed if taken else 0.0)
    oracle = min(nothing, costs.oracle(seen) + costs.fixed)
    return Expenses(float(matrix.rows), float(totals[place]), everything, nothing, random, oracle)
