"""What a threshold costs, beside what could have been done without looking, and at best."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tradeoff.analysis.row_costs import AnyCosts
    from tradeoff.core.ranking import Ranking


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
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    prevalence: float | None = None,
) -> Expenses:
    """The costs at a threshold and of its alternatives."""
    place = ranking.index(threshold)
    return expenses_of_band(ranking, costs, (place, place), prevalence)


def expenses_of_band(
    ranking: Ranking, costs: AnyCosts, places: tuple[int, int], prevalence: float | None = None
) -> Expenses:
    """The costs when rows between two places are rejected, and of the alternatives.

    `random` calls as many rows positive as are called so here, but any, and the others negative.
    """
    seen = ranking.at_prevalence(prevalence)
    upper, lower = places
    bills = costs.bills(seen)
    fixed = costs.fixed if upper else 0.0
    nothing = bills.banded(0, 0)
    everything = bills.banded(len(seen) - 1, len(seen) - 1) + costs.fixed
    matrix = seen.at_place(upper)
    ranked = float(seen.positives + seen.negatives)
    taken = float(matrix.predicted_positives) / ranked if ranked else 0.0
    random = nothing + taken * (everything - costs.fixed - nothing) + fixed
    oracle = min(nothing, costs.oracle(seen) + costs.fixed)
    here = bills.banded(upper, lower) + fixed
    return Expenses(float(seen.total), here, everything, nothing, random, oracle)
