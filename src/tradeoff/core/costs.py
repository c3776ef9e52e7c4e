"""What each outcome costs, and what a ranking's decisions cost in sum.

Every way of paying is brought to one form: what the rows at or above each place cost when they are
called positive, called negative, or rejected. Costs may then be the same for all rows or differ
from row to row; thresholds and bands are found alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, listed

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.core.ranking import Ranking
    from tradeoff.core.resamples import AnyRanking


@dataclass(frozen=True)
class Costs:
    """The cost of one row of each outcome; benefits are negative.

    Args:
        false_positive: A negative row called positive; 1 if not given (0 where there is a
            `contact`: in a campaign the letter is the whole cost, and a miss costs nothing).
        false_negative: A positive row called negative; the same.
        true_positive: A positive row called positive.
        true_negative: A negative row called negative.
        rejected: A row left undecided, of either class, unless the next two say otherwise.
        rejected_positive: A positive row left undecided.
        rejected_negative: A negative row left undecided.
        contact: Each row called positive, whatever it is (a letter, a test).
        fixed: Paid once if any row is called positive (a campaign).

    A name in place of a number is that of a column that holds the cost of this outcome for each
    row (or the values themselves): `evaluate(…, costs=…)` reads it.

    Example:
        >>> Costs(false_negative=5).slope(prevalence=0.25)
        0.6
        >>> round(Costs(false_negative=5).calibrated_threshold, 4)
        0.1667
    """

    false_positive: float | None = None
    false_negative: float | None = None
    true_positive: float = 0.0
    true_negative: float = 0.0
    rejected: float | None = None
    rejected_positive: float | None = None
    rejected_negative: float | None = None
    contact: float = 0.0
    fixed: float = 0.0

    def __post_init__(self) -> None:
        """Fill in what is not said, and refuse what no decision can be based on."""
        for name in ("false_positive", "false_negative"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, 0.0 if self.contact else 1.0)
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, cost in given.items():
            if name in self.columns:
                if name in {"fixed", "contact"}:
                    raise InputError(f"`{name}` is one number, not a column.")
            elif cost is not None or not name.startswith("rejected"):
                object.__setattr__(self, name, _number(name, cost))
        if self.fixed < 0:
            raise InputError("A fixed cost is 0 or more: nothing is earned by just beginning.")
        if not self.columns:
            _demand_reasonable(self.found, self.missed, self.alarm, self.passed)

    @property
    def found(self) -> float:
        """A positive row called positive, contact included."""
        return self.true_positive + self.contact

    @property
    def missed(self) -> float:
        """A positive row called negative."""
        return self.false_negative or 0.0

    @property
    def alarm(self) -> float:
        """A negative row called positive, contact included."""
        return (self.false_positive or 0.0) + self.contact

    @property
    def passed(self) -> float:
        """A negative row called negative."""
        return self.true_negative

    @property
    def undecided(self) -> tuple[float, float]:
        """A rejected row: positive, negative. Where nothing is said, nothing is paid."""
        both = 0.0 if self.rejected is None else self.rejected
        own = self.rejected_positive, self.rejected_negative
        positive, negative = (both if cost is None else cost for cost in own)
        return positive, negative

    @property
    def allow_rejection(self) -> bool:
        """Whether a price of rejecting was given."""
        given = (self.rejected, self.rejected_positive, self.rejected_negative)
        return any(cost is not None for cost in given)

    @property
    def columns(self) -> dict[str, Any]:
        """The outcomes whose cost differs from row to row: the column that holds it, or values."""
        given = {f.name: getattr(self, f.name) for f in fields(self)}
        return {n: c for n, c in given.items() if isinstance(c, str) or hasattr(c, "__len__")}

    @property
    def calibrated_threshold(self) -> float:
        """Where to put the line if scores were true probabilities."""
        self._demand_numbers()
        alarm, miss = self.alarm - self.passed, self.missed - self.found
        return alarm / (alarm + miss)

    def slope(self, prevalence: float) -> float:
        """How many true positive rate points a false positive rate point must bring to pay."""
        self._demand_numbers()
        miss = (self.missed - self.found) * prevalence
        alarm = (self.alarm - self.passed) * (1 - prevalence)
        return alarm / miss if miss else math.inf

    def _demand_numbers(self) -> None:
        if self.columns:
            raise InputError(
                f"{listed(self.columns)} cost differently from row to row: here each outcome needs "
                "one number."
            )

    def total(self, matrix: ConfusionMatrix) -> Any:
        """What all decisions of a matrix cost together."""
        return sum(self._amounts(matrix))

    def turnover(self, matrix: ConfusionMatrix) -> Any:
        """All costs and benefits of a matrix added up as amounts: rounding is a share of this."""
        return sum(map(abs, self._amounts(matrix)))

    def _amounts(self, matrix: ConfusionMatrix) -> tuple[Any, ...]:
        rejected_positive, rejected_negative = self.undecided
        m = matrix.as_floats()
        return (
            m.true_positives * self.found,
            m.false_negatives * self.missed,
            m.false_positives * self.alarm,
            m.true_negatives * self.passed,
            m.rejected_positives * rejected_positive,
            m.rejected_negatives * rejected_negative,
            self.fixed * (m.predicted_positives > 0),
        )

    def totals(self, ranking: AnyRanking) -> NDArray[np.float64]:
        """What all rows cost together for the threshold at each place."""
        paid: NDArray[np.float64] = ranking.tally.false_positives * (self.alarm - self.passed)
        paid += ranking.tally.true_positives * (self.found - self.missed)
        paid += self.total(ranking.at_place(0))
        if self.fixed:
            paid[..., 1:] += self.fixed
        return paid

    def total_at(self, ranking: AnyRanking, place: Any) -> Any:
        """What all rows cost together for the threshold at one place."""
        return self.total(ranking.at_place(place))

    def oracle(self, ranking: Ranking) -> float:
        """What all rows would cost if every one were called what it is."""
        matrix = ranking.at_place(0)
        positive, negative = self.undecided
        rejected = matrix.rejected_positives * positive + matrix.rejected_negatives * negative
        found, passed = ranking.positives * self.found, ranking.negatives * self.passed
        return float(found + passed + rejected)

    def bills(self, ranking: Ranking) -> Bills:
        """The costs of a ranking's rows under each decision."""
        found, alarms = ranking.tally.true_positives, ranking.tally.false_positives
        positive, negative = self.undecided
        return Bills(
            found * self.found + alarms * self.alarm,
            found * self.missed + alarms * self.passed,
            found * positive + alarms * negative,
            float(ranking.rejected_positives * positive + ranking.rejected_negatives * negative),
        )


class Bills(NamedTuple):
    """What the rows at or above each place cost under each decision, and what is paid anyway."""

    called_positive: NDArray[np.float64]
    called_negative: NDArray[np.float64]
    rejected: NDArray[np.float64]
    anyway: Any = 0.0

    def banded(self, upper: int, lower: int) -> float:
        """What all rows cost together when those between two places are rejected."""
        sure = self.called_positive[upper] + self.called_negative[-1] - self.called_negative[lower]
        return float(sure + self.rejected[lower] - self.rejected[upper] + self.anyway)


def _demand_reasonable(found: Any, missed: Any, alarm: Any, passed: Any) -> None:
    """A mistake that is cheaper than being right makes every threshold absurd."""
    if missed < found:
        raise InputError(
            f"Missing a positive costs {missed:g} and finding it {found:g}: a mistake cheaper than "
            "being right would make missing all of them best. Check the signs: costs are positive, "
            "benefits negative."
        )
    if alarm < passed:
        raise InputError(
            f"A false alarm costs {alarm:g} and a negative rightly passed {passed:g}: a mistake "
            "cheaper than being right would make calling all positive best. Check the signs: costs "
            "are positive, benefits negative."
        )
    if missed == found and alarm == passed:
        raise InputError("With these costs no decision matters: every outcome of a class is equal.")


def _number(name: str, cost: Any) -> float:
    """A cost as a float: whole numbers of the counts' own type would overflow."""
    try:
        number = float(cost)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"The cost of {_said(name)} is a finite number, not {cost}.")
    return number


def _said(name: str) -> str:
    return f"a {name.replace('_', ' ')}"


# What a threshold costs, beside what could have been done without looking, and at best.


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


# Costs that differ from row to row, summed up so that a ranking is enough.
#
# What matters of the rows of one class that share a score is their number and their mean cost
# under each decision. Thresholds and bands are then chosen as for costs that are equal for all.


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

    def bills(self, ranking: AnyRanking) -> Bills:
        """The costs of a ranking's rows under each decision; it must have the same scores."""
        positives = np.diff(ranking.true_positives)
        negatives = np.diff(ranking.false_positives)
        if positives.shape[-1] != len(self.true_positive):
            raise InputError(
                "Costs that differ from row to row need every score: they are known at "
                f"{len(self.true_positive):,} scores, and the ranking has "
                f"{positives.shape[-1]:,} bins."
            )

        def summed(of_positives: NDArray[Any], of_negatives: NDArray[Any]) -> NDArray[np.float64]:
            paid = np.zeros(ranking.true_positives.shape)
            rows = positives * of_positives + negatives * of_negatives
            np.cumsum(rows, axis=-1, out=paid[..., 1:])
            return paid

        return Bills(
            summed(self.true_positive, self.false_positive),
            summed(self.false_negative, self.true_negative),
            summed(self.rejected_positive, self.rejected_negative),
            self._anyway(ranking),
        )

    def totals(self, ranking: AnyRanking) -> NDArray[np.float64]:
        """What all rows cost together for the threshold at each place."""
        bills = self.bills(ranking)
        paid = bills.called_positive - bills.called_negative
        paid += bills.called_negative[..., -1:] + bills.anyway
        paid[..., 1:] += self.fixed
        return paid

    def total_at(self, ranking: AnyRanking, place: Any) -> Any:
        """What all rows cost together for the threshold at one place."""
        totals = self.totals(ranking)
        if totals.ndim == 1:
            return totals[place]
        return np.take_along_axis(totals, np.broadcast_to(place, (len(totals), 1)), 1)

    def oracle(self, ranking: Ranking) -> float:
        """What all rows would cost if every one were called what it is."""
        found = np.diff(ranking.true_positives) * self.true_positive
        passed = np.diff(ranking.false_positives) * self.true_negative
        return float(found.sum() + passed.sum() + self._anyway(ranking))

    def _anyway(self, ranking: AnyRanking) -> Any:
        positives, negatives = ranking.rejected_positives, ranking.rejected_negatives
        return positives * self.unscored[0] + negatives * self.unscored[1]

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
