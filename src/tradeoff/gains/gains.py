"""Gains: the decile table of a ranking with profits, and the most profitable number of contacts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.bin_lift import bin_lift
from tradeoff.results import Result
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.thresholds.out_of_sample import OutOfSample, with_out_of_sample
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.wording import Wording

Top = int | float
"""Maximum contacts: a number of rows (1 or more), or a proportion of them (below 1)."""


@dataclass(frozen=True, eq=False, repr=False)
class ModelGains(Result, views="tradeoff.gains.views"):
    """Gains of one model, by groups of equal size in order of score, and its threshold.

    `decision` is the threshold for contacts: the most profitable one for `costs`, or the last one
    with at most `top` rows; None without either. `groups` is the number of groups.
    """

    ranking: Ranking
    groups: int
    costs: AnyCosts | None = None
    decision: Decision | None = None

    @property
    def wording(self) -> Wording:
        """The user's words for rows and amounts."""
        return self.ranking.wording

    @property
    def threshold(self) -> float:
        """The threshold for contacts; infinite if no contact is profitable."""
        return self._require_decision().threshold

    @property
    def contacted(self) -> ConfusionMatrix:
        """Confusion matrix at the threshold: predicted positives are contacted."""
        return self._require_decision().confusion

    @property
    def profit(self) -> float:
        """Profit of contacting the rows at or beyond the threshold, on these rows."""
        return self._profit_at(self._require_decision().index)

    @property
    def profit_of_everybody(self) -> float:
        """Profit of contacting every row that has a score."""
        return self._profit_at(len(self.ranking) - 1)

    @property
    def profit_of_nobody(self) -> float:
        """Profit of contacting no row: 0 unless false negatives have a cost."""
        return self._profit_at(0)

    @property
    def expected_profit_per_row(self) -> float:
        """Out-of-sample estimate of the profit per row; NaN if there is none."""
        out_of_sample = self.decision and self.decision.out_of_sample
        if self.costs is None or not isinstance(out_of_sample, OutOfSample):
            return nan
        if self._require_decision().criterion.measure != "expected_cost":
            return nan
        return -out_of_sample.estimate.value

    def columns(self) -> dict[str, Any]:
        """Gains table with one row per group: its size, responders and profit, also cumulative.

        Where the border of a group cuts through tied scores, its counts are expected ones;
        `tied_rows` are its rows with such a score. Cumulative profits include the fixed cost.
        """
        curve = bin_lift(self.ranking, self.groups)
        table: Mapping[str, NDArray[Any]] = curve.table()
        depth = table["cumulative_rows"] / float(table["cumulative_rows"][-1])
        columns = {
            "group": table["bin"],
            "rows": table["rows"],
            "positives": table["positives"],
            "response_rate": table["positive_share"],
            "lift": curve.y,
            "highest_score": table["highest"],
            "lowest_score": table["lowest"],
            "tied_rows": table["parted"],
            "cumulative_rows": table["cumulative_rows"],
            "cumulative_depth": depth,
            "cumulative_positives": table["cumulative_positives"],
            "cumulative_response": table["gain"],
            "cumulative_lift": table["lift"],
        }
        if self.costs is not None:
            profits = self.profits_at(columns["cumulative_rows"])
            columns["profit"] = np.diff(profits, prepend=self.profit_of_nobody)
            columns["cumulative_profit"] = profits
        return columns

    def profits_at(self, contacts: NDArray[Any]) -> NDArray[np.float64]:
        """Profit of contacting the first rows of the ranking; the expected profit inside a tie."""
        costs = self._require_costs()
        profits = -costs.totals(self.ranking)
        profits[1:] += costs.fixed
        cumulative_rows = self.ranking.true_positives + self.ranking.false_positives
        expected: NDArray[np.float64] = np.interp(contacts, cumulative_rows, profits)
        return expected - costs.fixed * (np.asarray(contacts) > 0)

    def _profit_at(self, index: int) -> float:
        return -float(self._require_costs().total_at(self.ranking, index)) + 0.0

    def _require_costs(self) -> AnyCosts:
        if self.costs is None:
            raise InputError(
                "A profit needs the cost of a contact and the value of a response: "
                "costs=Costs(contact=…, value=…)."
            )
        return self.costs

    def _require_decision(self) -> Decision:
        if self.decision is None:
            raise InputError(
                "A threshold for contacts needs costs=Costs(contact=…, value=…) or top=…, a "
                "number or proportion of rows."
            )
        return self.decision

    def __repr__(self) -> str:
        """One line: how many rows to contact, and the profit."""
        if self.decision is None:
            return f"ModelGains({self.ranking.name}: {self.groups} groups)"
        contacts = f"{float(self.contacted.predicted_positives):g} of {self.ranking.total:g} rows"
        profit = "" if self.costs is None else f", profit {self.profit:g}"
        return f"ModelGains({self.ranking.name} at {self.threshold:g}: {contacts}{profit})"


@dataclass(frozen=True, eq=False, repr=False)
class Gains(Result, views="tradeoff.gains.views"):
    """Gains of one or more models, as `Evaluation.gains` returns them."""

    models: tuple[ModelGains, ...]

    @property
    def best(self) -> ModelGains:
        """The most profitable model, by the out-of-sample estimate if every model has one."""
        if self.models[0].costs is None:
            return self.models[0]
        profits = [
            model.expected_profit_per_row * float(model.ranking.total) for model in self.models
        ]
        if any(map(isnan, profits)):
            profits = [model.profit for model in self.models]
        return self.models[profits.index(max(profits))]

    @property
    def threshold(self) -> float:
        """The threshold for contacts of the best model."""
        return self.best.threshold

    @property
    def contacted(self) -> ConfusionMatrix:
        """Confusion matrix of the best model at its threshold."""
        return self.best.contacted

    @property
    def profit(self) -> float:
        """Profit of the best model at its threshold, on these rows."""
        return self.best.profit

    @property
    def profit_of_everybody(self) -> float:
        """Profit of contacting every row."""
        return self.best.profit_of_everybody

    @property
    def profit_of_nobody(self) -> float:
        """Profit of contacting no row."""
        return self.best.profit_of_nobody

    def columns(self) -> dict[str, Any]:
        """Gains table with one row per model and group, as `ModelGains.columns` describes it."""
        tables = [(model.ranking.name, model.columns()) for model in self.models]
        names = [name for name, table in tables for _ in table["group"]]
        return {
            "model": names,
            **{
                column: np.concatenate([table[column] for _, table in tables])
                for column in tables[0][1]
            },
        }

    def __repr__(self) -> str:
        """One line per model."""
        return f"Gains({', '.join(map(repr, self.models))})"


def model_gains(  # noqa: PLR0913 - one parameter per option
    ranking: Ranking,
    *,
    groups: int | None = None,
    costs: AnyCosts | None = None,
    top: Top | None = None,
    check: bool = True,
    replicates: int | None = None,
    confidence: Confidence,
) -> ModelGains:
    """Gains of one model.

    Args:
        ranking: The scored rows.
        groups: Number of groups of equal size; by default 10, or one per row if there are fewer.
        costs: Costs of a contact, value of a response, fixed costs.
        top: Maximum contacts: a number of rows (1 or more), or a proportion of them (below 1).
        check: Whether to estimate the profit out of sample (out-of-bag bootstrap).
        replicates: Number of bootstrap resamples for that estimate.
        confidence: Seed and progress of the bootstrap.

    Example:
        >>> from tradeoff import Costs, evaluate
        >>> e = evaluate([1, 1, 0, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1])
        >>> gains = e.gains(groups=4, costs=Costs(contact=2, value=5), check=False)
        >>> gains
        Gains(ModelGains(score at 0.6: 4 of 8 rows, profit 7))
        >>> gains.columns()["cumulative_profit"].tolist()
        [6.0, 7.0, 3.0, -1.0]
    """
    groups = _group_count(ranking, groups)
    decision = None
    if top is not None:
        decision = best_threshold(ranking, "capacity", target=_contacts_at_most(ranking, top))
    elif costs is not None:
        decision = best_threshold(ranking, costs=costs)
        if check:
            decision = with_out_of_sample(decision, replicates, confidence)
    return ModelGains(ranking, groups, costs, decision)


def _group_count(ranking: Ranking, groups: int | None) -> int:
    """Number of groups; too many for the rows are an error if they were asked for."""
    if not ranking.distinct:
        raise InputError("There are no scored rows to divide into groups.")
    if not ranking.positives:
        raise InputError(
            f"No row is {ranking.positive!r}: gains compare the response of groups, and there is "
            "no response. Check which class is positive."
        )
    if groups is not None and (not float(groups).is_integer() or groups < 1):
        raise InputError(f"`groups` must be a whole number of 1 or more, not {groups!r}.")
    return len(bin_lift(ranking, None if groups is None else int(groups)).x)


def _contacts_at_most(ranking: Ranking, top: Top) -> float:
    """Maximum number of contacts, from a number or a proportion of rows."""
    if not top > 0:
        raise InputError(
            f"`top` must be a number of rows (1 or more) or a proportion (below 1), not {top:g}."
        )
    return float(top) if top >= 1 else float(np.floor(top * float(ranking.total) + 1e-9))
