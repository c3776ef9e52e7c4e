"""Misclassification costs, and the total cost at every threshold of a ranking.

All costs are reduced to one form: what the rows at or above each threshold cost when they are
predicted positive, predicted negative, or rejected (`CumulativeCosts`). Costs may then be the same
for all rows or differ by row; thresholds and reject bands are chosen in the same way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tradeoff.errors import InputError, format_list, suggest_arguments

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.core.ranking import Ranking
    from tradeoff.core.resampled_rankings import AnyRanking


@dataclass(frozen=True)
class Costs:
    """Cost of each outcome per row; benefits are negative costs.

    `Costs(fp=1, fn=5)` is short for `Costs(false_positive=1, false_negative=5)`.

    Args:
        false_positive: Cost of a negative predicted positive; default 1 (0 with a `contact` or a
            `value`: in a campaign, the contact is the only cost, and a miss costs nothing).
        false_negative: Cost of a positive predicted negative; same default.
        true_positive: Cost of a positive predicted positive.
        true_negative: Cost of a negative predicted negative.
        rejected: Cost of an undecided row of either class, unless the next two are given.
        rejected_positive: Cost of an undecided positive.
        rejected_negative: Cost of an undecided negative.
        contact: Cost of each row predicted positive, whatever its class (a letter, a test).
        fixed: Paid once if any row is predicted positive (the set-up of a campaign).
        value: Benefit of each true positive, before the contact: `value=60` is short for
            `true_positive=-60`.
        fp: Short for `false_positive`.
        fn: Short for `false_negative`.
        tp: Short for `true_positive`.
        tn: Short for `true_negative`.
        rp: Short for `rejected_positive`.
        rn: Short for `rejected_negative`.

    Instead of a number, a cost may be the name of a column with the cost of this outcome for each
    row, or an array of these costs; `evaluate(…, costs=…)` reads them.

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

    def __init__(  # noqa: PLR0913, PLR0917 - the outcomes, under their long and short names
        self,
        false_positive: ArrayLike | None = None,
        false_negative: ArrayLike | None = None,
        true_positive: ArrayLike | None = None,
        true_negative: ArrayLike | None = None,
        rejected: ArrayLike | None = None,
        rejected_positive: ArrayLike | None = None,
        rejected_negative: ArrayLike | None = None,
        contact: float = 0.0,
        fixed: float = 0.0,
        *,
        value: float | None = None,
        fp: ArrayLike | None = None,
        fn: ArrayLike | None = None,
        tp: ArrayLike | None = None,
        tn: ArrayLike | None = None,
        rp: ArrayLike | None = None,
        rn: ArrayLike | None = None,
    ) -> None:
        """Costs under their long or short names, but not under both."""
        default = 0.0 if contact or value is not None else 1.0
        if value is not None:
            _require_campaign(value, contact, true_positive=(true_positive, tp))
            true_positive = -value
        outcomes = {
            "false_positive": (false_positive, fp, "fp", default),
            "false_negative": (false_negative, fn, "fn", default),
            "true_positive": (true_positive, tp, "tp", 0.0),
            "true_negative": (true_negative, tn, "tn", 0.0),
            "rejected": (rejected, None, "", None),
            "rejected_positive": (rejected_positive, rp, "rp", None),
            "rejected_negative": (rejected_negative, rn, "rn", None),
        }
        costs: dict[str, Any] = {"contact": contact, "fixed": fixed}
        for name, (cost, short_cost, short_name, fallback) in outcomes.items():
            if cost is not None and short_cost is not None:
                raise InputError(
                    f"{name} and {short_name} are the same cost: give only one of them."
                )
            costs[name] = next((c for c in (cost, short_cost) if c is not None), fallback)
        for field in fields(self):
            object.__setattr__(self, field.name, costs[field.name])
        self._check()

    def _check(self) -> None:
        """Convert costs to floats, and reject costs on which no decision can be based."""
        costs = {f.name: getattr(self, f.name) for f in fields(self)}
        for name, cost in costs.items():
            if name in self.columns:
                if name in {"fixed", "contact"}:
                    raise InputError(f"`{name}` must be one number, not a column.")
            elif cost is not None or not name.startswith("rejected"):
                object.__setattr__(self, name, _require_finite_cost(name, cost))
        if self.fixed < 0:
            raise InputError("A fixed cost must be 0 or more.")
        if not self.columns:
            _require_sensible_costs(self.found, self.missed, self.alarm, self.passed)

    @property
    def found(self) -> float:
        """Cost of a true positive, contact included."""
        return self.true_positive + self.contact

    @property
    def missed(self) -> float:
        """Cost of a false negative."""
        return self.false_negative or 0.0

    @property
    def alarm(self) -> float:
        """Cost of a false positive, contact included."""
        return (self.false_positive or 0.0) + self.contact

    @property
    def passed(self) -> float:
        """Cost of a true negative."""
        return self.true_negative

    @property
    def undecided(self) -> tuple[float, float]:
        """Costs of a rejected positive and of a rejected negative; 0 if not given."""
        default = 0.0 if self.rejected is None else self.rejected
        by_class = self.rejected_positive, self.rejected_negative
        positive, negative = (default if cost is None else cost for cost in by_class)
        return positive, negative

    @property
    def allow_rejection(self) -> bool:
        """Whether a cost of rejecting rows was given."""
        costs = (self.rejected, self.rejected_positive, self.rejected_negative)
        return any(cost is not None for cost in costs)

    @property
    def columns(self) -> dict[str, Any]:
        """Outcomes whose costs differ by row, each with its column name or values."""
        costs = {f.name: getattr(self, f.name) for f in fields(self)}
        return {name: cost for name, cost in costs.items() if _is_column(cost)}

    @property
    def calibrated_threshold(self) -> float:
        """Threshold with the lowest expected cost if scores are calibrated probabilities."""
        self._require_numbers()
        alarm, miss = self.alarm - self.passed, self.missed - self.found
        return alarm / (alarm + miss)

    def slope(self, prevalence: float) -> float:
        """Slope of iso-cost lines in ROC space: the gain in TPR that offsets one unit of FPR."""
        self._require_numbers()
        miss = (self.missed - self.found) * prevalence
        alarm = (self.alarm - self.passed) * (1 - prevalence)
        return alarm / miss if miss else math.inf

    def _require_numbers(self) -> None:
        if self.columns:
            raise InputError(
                f"Costs of {format_list(self.columns)} differ by row, but here each outcome "
                "needs a single number."
            )

    def total(self, matrix: ConfusionMatrix) -> Any:
        """Total cost of the decisions in a confusion matrix."""
        return sum(self._outcome_costs(matrix))

    def turnover(self, matrix: ConfusionMatrix) -> Any:
        """Sum of absolute costs and benefits in a confusion matrix: the scale of rounding error."""
        return sum(map(abs, self._outcome_costs(matrix)))

    def _outcome_costs(self, matrix: ConfusionMatrix) -> tuple[Any, ...]:
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
        """Total cost of all rows at every threshold of a ranking."""
        totals: NDArray[np.float64] = ranking.tally.false_positives * (self.alarm - self.passed)
        totals += ranking.tally.true_positives * (self.found - self.missed)
        totals += self.total(ranking.at_place(0))
        if self.fixed:
            totals[..., 1:] += self.fixed
        return totals

    def total_at(self, ranking: AnyRanking, index: Any) -> Any:
        """Total cost of all rows at one index of a ranking."""
        return self.total(ranking.at_place(index))

    def oracle(self, ranking: Ranking) -> float:
        """Total cost if every row were classified correctly."""
        matrix = ranking.at_place(0)
        positive, negative = self.undecided
        rejected = matrix.rejected_positives * positive + matrix.rejected_negatives * negative
        true_positive_cost, true_negative_cost = (
            ranking.positives * self.found,
            ranking.negatives * self.passed,
        )
        return float(true_positive_cost + true_negative_cost + rejected)

    def bills(self, ranking: Ranking) -> CumulativeCosts:
        """Cumulative costs of a ranking's rows under each decision."""
        true_positives, false_positives = (
            ranking.tally.true_positives,
            ranking.tally.false_positives,
        )
        positive, negative = self.undecided
        return CumulativeCosts(
            true_positives * self.found + false_positives * self.alarm,
            true_positives * self.missed + false_positives * self.passed,
            true_positives * positive + false_positives * negative,
            float(ranking.rejected_positives * positive + ranking.rejected_negatives * negative),
        )


# Not a decorator of `__init__`: editors would no longer complete its arguments.
Costs.__init__ = suggest_arguments(Costs.__init__)  # type: ignore[method-assign]


class CumulativeCosts(NamedTuple):
    """Cost under each decision of the rows at or above each threshold, and of unscored rows."""

    predicted_positive: NDArray[np.float64]
    predicted_negative: NDArray[np.float64]
    rejected: NDArray[np.float64]
    unscored: Any = 0.0

    def total_with_band(self, upper: int, lower: int) -> float:
        """Total cost if the rows between two indices are rejected."""
        upper_cost = self.predicted_positive[upper] + self.predicted_negative[-1]
        decided_cost = upper_cost - self.predicted_negative[lower]
        return float(decided_cost + self.rejected[lower] - self.rejected[upper] + self.unscored)


def _require_campaign(
    value: float, contact: float, *, true_positive: tuple[ArrayLike | None, ...]
) -> None:
    """Require that a true positive is worth more than a contact costs, and is given once."""
    if any(cost is not None for cost in true_positive):
        raise InputError(
            "value and true_positive are the same amount with opposite signs: give only one of "
            "them."
        )
    _require_finite_cost("true_positive", value)
    if _require_finite_cost("contact", contact) < 0:
        raise InputError("A contact must cost 0 or more.")
    if value <= contact:
        raise InputError(
            f"A contact costs {contact:g} and a true positive is worth {value:g}: no contact can "
            "earn anything, so that contacting nobody is best. Check both amounts."
        )


def _require_sensible_costs(
    true_positive: Any, false_negative: Any, false_positive: Any, true_negative: Any
) -> None:
    """Require that errors are not cheaper than correct decisions."""
    if false_negative < true_positive:
        raise InputError(
            f"A false negative costs {false_negative:g} and a true positive {true_positive:g}: if "
            "an error costs less than a correct decision, predicting every row negative is always "
            "best. Check the signs: costs are positive, benefits negative."
        )
    if false_positive < true_negative:
        raise InputError(
            f"A false positive costs {false_positive:g} and a true negative {true_negative:g}: if "
            "an error costs less than a correct decision, predicting every row positive is always "
            "best. Check the signs: costs are positive, benefits negative."
        )
    if false_negative == true_positive and false_positive == true_negative:
        raise InputError(
            "With these costs no decision matters: all outcomes of a class cost the same."
        )


def _is_column(cost: Any) -> bool:
    """Whether a cost is the name of a column or its values, not one number.

    Arrays of other libraries need not have a length: those that DLPack or NumPy can read are
    columns, unless they have no dimension.
    """
    if isinstance(cost, str) or hasattr(cost, "__len__"):
        return getattr(cost, "shape", None) != ()
    is_array = hasattr(cost, "__dlpack__") or hasattr(cost, "__array__")
    return is_array and not hasattr(cost, "__float__")


def _require_finite_cost(name: str, cost: Any) -> float:
    """Require a finite cost, as a float: integers of the same type as counts would overflow."""
    try:
        number = float(cost)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            f"The cost of {_describe_outcome(name)} must be a finite number, not {cost}."
        )
    return number


def _describe_outcome(name: str) -> str:
    return f"a {name.replace('_', ' ')}"


# The cost at a threshold, compared with the cost of trivial and perfect decisions.


class Expenses(NamedTuple):
    """Total cost of the decisions, and of trivial, random and perfect ones for comparison."""

    rows: float
    total: float
    all_positive: float
    all_negative: float
    random: float
    oracle: float

    @property
    def trivial(self) -> float:
        """Cost of predicting all rows positive, or all negative, whichever is lower."""
        return min(self.all_positive, self.all_negative)

    @property
    def saved(self) -> float:
        """Savings compared with the cheaper of the two trivial decisions."""
        return self.trivial - self.total

    @property
    def saved_share(self) -> float:
        """Savings as a proportion of what a perfect classifier would save; NaN if that is 0."""
        possible = self.trivial - self.oracle
        return self.saved / possible if possible else float("nan")


def expenses(
    ranking: Ranking,
    costs: AnyCosts,
    threshold: float,
    prevalence: float | None = None,
) -> Expenses:
    """Total cost at a threshold, and of predicting all, no or random rows positive."""
    index = ranking.index(threshold)
    return band_expenses(ranking, costs, (index, index), prevalence)


def matrix_expenses(matrix: ConfusionMatrix, costs: Costs) -> Expenses:
    """Total cost of the decisions in a confusion matrix, and of trivial, random and perfect ones.

    Example:
        >>> from tradeoff import ConfusionMatrix
        >>> campaign = Costs(contact=1, value=10)
        >>> outlay = matrix_expenses(ConfusionMatrix(30, 70, 70, 830), campaign)
        >>> outlay.total, outlay.all_positive, outlay.all_negative  # a profit is negative
        (-200.0, 0.0, 0.0)
    """
    m = replace(matrix.as_floats(), squares=None)
    positives, negatives = m.accepted.positives, m.accepted.negatives

    def total_cost(true_positives: Any, false_positives: Any) -> float:
        decisions = replace(
            m,
            true_positives=true_positives,
            false_negatives=positives - true_positives,
            false_positives=false_positives,
            true_negatives=negatives - false_positives,
        )
        return float(costs.total(decisions))

    all_positive, all_negative = total_cost(positives, negatives), total_cost(0.0, 0.0)
    decided = positives + negatives
    positive_rate = m.predicted_positives / decided if decided else 0.0
    return Expenses(
        float(m.rows),
        total_cost(m.true_positives, m.false_positives),
        all_positive,
        all_negative,
        total_cost(positive_rate * positives, positive_rate * negatives),
        min(all_negative, total_cost(positives, 0.0)),
    )


def band_expenses(
    ranking: Ranking, costs: AnyCosts, indices: tuple[int, int], prevalence: float | None = None
) -> Expenses:
    """Total cost with a reject band, and of predicting all, no or random rows positive.

    `random` predicts as many rows positive as the upper threshold does, chosen at random.
    """
    weighted = ranking.at_prevalence(prevalence)
    upper, lower = indices
    cumulative = costs.bills(weighted)
    fixed = costs.fixed if upper else 0.0
    all_negative = cumulative.total_with_band(0, 0)
    all_positive = cumulative.total_with_band(len(weighted) - 1, len(weighted) - 1) + costs.fixed
    matrix = weighted.at_place(upper)
    rows = float(weighted.positives + weighted.negatives)
    positive_rate = float(matrix.predicted_positives) / rows if rows else 0.0
    random = all_negative + positive_rate * (all_positive - costs.fixed - all_negative) + fixed
    oracle = min(all_negative, costs.oracle(weighted) + costs.fixed)
    total = cumulative.total_with_band(upper, lower) + fixed
    return Expenses(float(weighted.total), total, all_positive, all_negative, random, oracle)


# Costs that differ by row, aggregated by score and class so that a ranking is enough.
#
# For rows of one class with the same score, only their number and mean cost under each decision
# matter. Thresholds and bands are then chosen as for costs that are the same for all rows.


@dataclass(frozen=True, eq=False, repr=False)
class RowCosts:
    """Costs that differ by row: mean costs of each class at each distinct score, highest first.

    `unscored` holds the mean costs of a positive and of a negative without a score; such rows are
    always rejected. `fixed` is paid once if any row is predicted positive.
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

    def bills(self, ranking: AnyRanking) -> CumulativeCosts:
        """Cumulative costs of the rows of a ranking with these scores, under each decision."""
        positives = np.diff(ranking.true_positives)
        negatives = np.diff(ranking.false_positives)
        if positives.shape[-1] != len(self.true_positive):
            raise InputError(
                "Costs that differ by row need every score: they are known at "
                f"{len(self.true_positive):,} scores, and the ranking has "
                f"{positives.shape[-1]:,} bins."
            )

        def cumulative_cost(
            positive_costs: NDArray[Any], negative_costs: NDArray[Any]
        ) -> NDArray[np.float64]:
            total = np.zeros(ranking.true_positives.shape)
            costs = positives * positive_costs + negatives * negative_costs
            np.cumsum(costs, axis=-1, out=total[..., 1:])
            return total

        return CumulativeCosts(
            cumulative_cost(self.true_positive, self.false_positive),
            cumulative_cost(self.false_negative, self.true_negative),
            cumulative_cost(self.rejected_positive, self.rejected_negative),
            self._unscored_cost(ranking),
        )

    def totals(self, ranking: AnyRanking) -> NDArray[np.float64]:
        """Total cost of all rows at every threshold of a ranking."""
        cumulative = self.bills(ranking)
        totals = cumulative.predicted_positive - cumulative.predicted_negative
        totals += cumulative.predicted_negative[..., -1:] + cumulative.unscored
        totals[..., 1:] += self.fixed
        return totals

    def total_at(self, ranking: AnyRanking, index: Any) -> Any:
        """Total cost of all rows at one index of a ranking."""
        totals = self.totals(ranking)
        if totals.ndim == 1:
            return totals[index]
        return np.take_along_axis(totals, np.broadcast_to(index, (len(totals), 1)), 1)

    def oracle(self, ranking: Ranking) -> float:
        """Total cost if every row were classified correctly."""
        true_positive_costs = np.diff(ranking.true_positives) * self.true_positive
        true_negative_costs = np.diff(ranking.false_positives) * self.true_negative
        return float(
            true_positive_costs.sum() + true_negative_costs.sum() + self._unscored_cost(ranking)
        )

    def _unscored_cost(self, ranking: AnyRanking) -> Any:
        """Cost of rejected rows without a score."""
        positives, negatives = ranking.rejected_positives, ranking.rejected_negatives
        return positives * self.unscored[0] + negatives * self.unscored[1]

    def __repr__(self) -> str:
        """One line: number of distinct scores with known costs."""
        return f"RowCosts(at {len(self.true_positive):,} distinct scores)"


AnyCosts = Costs | RowCosts
"""Costs that are the same for all rows, or that differ by row."""


def require_costs(costs: Any) -> AnyCosts:
    """Require costs that apply to counted rows: one number per outcome, or `RowCosts`."""
    if not isinstance(costs, AnyCosts):
        raise InputError(f"Costs must be tradeoff.Costs(…), not {costs!r}.")
    if isinstance(costs, Costs) and costs.columns:
        raise InputError(
            f"Costs of {format_list(costs.columns)} differ by row: give them when rows are read, "
            "as in evaluate(…, costs=…)."
        )
    return costs
