"""Costs that differ from row to row, summed up so that a ranking is enough.

What matters of the rows of one class that share a score is their number and their mean cost under
each decision. Thresholds and bands are then chosen as for costs that are equal for all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.costs import Bills, Costs
from tradeoff.errors import InputError, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking


@dataclass(frozen=True, eq=False, repr=False)
class RowCosts:
    """Mean costs of the rows of each class at each distinct score, highest first.

    `unscored` is the mean cost of rows without a score that are rejected anyway, positive and
    negative. `fixed` is paid once if any row is called positive.
    """

    true_positive: NDArray[np.float64]
    false_negative: NDArray[np.float64]
    false_positive: NDArray[np.float64]
    true_negative: NDArray[np.float64]
    rejected_positive: NDArray[np.float64]
    rejected_negative: NDArray[np.float64]
    allow_rejection: bool = False
    unscored: tuple[float, float] = (0.0, 0.0)
    fixed: float = 0.0

    def bills(self, ranking: Ranking) -> Bills:
        """The costs of a ranking's rows under each decision; it must have the same scores."""
        positives = np.diff(ranking.true_positives)
        negatives = np.diff(ranking.false_positives)
        if len(positives) != len(self.true_positive):
            raise InputError(
                f"Costs that differ from row to row need every score: they are known at "
                f"{len(self.true_positive):,} scores, and the ranking has {len(positives):,} bins."
            )

        def summed(of_positives: NDArray[Any], of_negatives: NDArray[Any]) -> NDArray[np.float64]:
            paid = np.cumsum(positives * of_positives + negatives * of_negatives)
            return np.concatenate([[0.0], paid])

        return Bills(
            summed(self.true_positive, self.false_positive),
            summed(self.false_negative, self.true_negative),
            summed(self.rejected_positive, self.rejected_negative),
            self._anyway(ranking),
        )

    def totals(self, ranking: Ranking) -> NDArray[np.float64]:
        """What all rows cost together for the threshold at each place."""
        bills = self.bills(ranking)
        paid = bills.called_positive - bills.called_negative
        paid += bills.called_negative[-1] + bills.anyway
        paid[1:] += self.fixed
        return paid

    def total_at(self, ranking: Ranking, place: int) -> float:
        """What all rows cost together for the threshold at one place."""
        return float(self.totals(ranking)[place])

    def oracle(self, ranking: Ranking) -> float:
        """What all rows would cost if every one were called what it is."""
        found = np.diff(ranking.true_positives) * self.true_positive
        passed = np.diff(ranking.false_positives) * self.true_negative
        return float(found.sum() + passed.sum()) + self._anyway(ranking)

    def _anyway(self, ranking: Ranking) -> float:
        positives, negatives = ranking.rejected_positives, ranking.rejected_negatives
        return float(positives * self.unscored[0] + negatives * self.unscored[1])

    def __repr__(self) -> str:
        """One line."""
        return f"RowCosts(at {len(self.true_positive):,} distinct scores)"


AnyCosts = Costs | RowCosts
"""Costs that are the same for all rows, or not."""


def demand_costs(given: Any) -> AnyCosts:
    """Costs that a caller gave for rows that are already counted: one number an outcome."""
    if not isinstance(given, AnyCosts):
        raise InputError(f"Costs are tradeoff.Costs(…), not {given!r}.")
    if isinstance(given, Costs) and given.columns:
        raise InputError(
            f"{listed(given.columns)} cost differently from row to row: such costs are given when "
            "rows are read, as in evaluate(…, costs=…)."
        )
    return given
