"""The difference of two models in one number: how large, how sure, and which is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.results import ByValue, Result
from tradeoff.stats.normal import Largest, below, quantile, two_sided
from tradeoff.text import number

if TYPE_CHECKING:
    from tradeoff.measures.registry import Better


HOLM, TOGETHER = "Holm", "simultaneous"
"""How p-values of several pairs are adjusted."""


@dataclass(frozen=True, eq=False)
class Difference(Result, views="tradeoff.comparison.views"):
    """The first model's value minus the second's, with an interval, a test and who is better.

    `p_value` is two-sided: how often a difference as large would be seen if there were none. It is
    below one minus the level exactly where the interval leaves 0 out. `adjusted` is the same when
    all pairs are read together, by Holm or by what simultaneous intervals take (`adjusted_by`);
    those go with it, not with `p_value`. `first_better` is the probability that the first model is
    the better one, as far as these rows can tell.

    Example:
        >>> Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18, level=0.95, p_value=0.01)
        Difference(a - b: auc 0.1000, 95 % from 0.0200 to 0.1800, p = 0.01)
    """

    first: str
    second: str
    metric: str
    first_value: float
    second_value: float
    low: float = math.nan
    high: float = math.nan
    level: float = 0.95
    statistic: float = math.nan
    p_value: float = math.nan
    adjusted: float = math.nan
    adjusted_by: str = HOLM
    first_better: float = math.nan
    method: str = ""
    better: Better = "higher"
    standard_error: float = math.nan
    degrees: float | None = None
    reason: str | None = None
    note: str | None = None

    @property
    def value(self) -> float:
        """First minus second."""
        return self.first_value - self.second_value

    @property
    def is_defined(self) -> bool:
        """Whether both models have a value."""
        return not math.isnan(self.value)

    @property
    def gain(self) -> float:
        """How much better the first is; below 0 it is worse."""
        return -self.value if self.better == "lower" else self.value

    def columns(self) -> dict[str, list[Any]]:
        """The difference in one line."""
        return difference_columns([self])

    def __repr__(self) -> str:
        """One line: the difference, its interval and p-value, or why there is none."""
        pair = f"{self.first} - {self.second}: {self.metric}"
        if not self.is_defined:
            return f"Difference({pair} is undefined: {self.reason})"
        parts = [f"{pair} {number(self.value)}"]
        if not math.isnan(self.low):
            ends = f"from {number(self.low)} to {number(self.high)}"
            parts.append(f"{100 * self.level:g} % {ends}")
        if not math.isnan(self.p_value):
            parts.append(f"p = {self.p_value:.2g}")
        return f"Difference({', '.join(parts)})"


COLUMNS = (
    "first",
    "second",
    "metric",
    "first_value",
    "second_value",
    "value",
    "low",
    "high",
    "level",
    "statistic",
    "p_value",
    "adjusted",
    "first_better",
    "method",
)


def difference_columns(found: Sequence[Difference]) -> dict[str, list[Any]]:
    """Differences as a table, one line each."""
    return {key: [getattr(one, key) for one in found] for key in COLUMNS}


def varying_normally(one: Difference, error: float) -> Difference:
    """The difference with the interval, test and verdict that its standard error leads to."""
    half, z = quantile(one.level) * error, one.value / error
    return replace(
        one,
        low=one.value - half,
        high=one.value + half,
        statistic=z,
        p_value=two_sided(z),
        first_better=below(one.gain / error) if one.better else math.nan,
        standard_error=error,
    )


def held_together(differences: Sequence[Difference], largest: Largest | None) -> list[Difference]:
    """The differences with intervals that all hold together, and p-values that agree with them."""
    return [_held_together(one, largest) for one in differences]


def _held_together(one: Difference, largest: Largest | None) -> Difference:
    method = f"{one.method}, {TOGETHER}"
    if largest is None or math.isnan(one.low):
        return replace(one, method=method, adjusted=one.p_value, adjusted_by=TOGETHER)
    deviation, reach = abs(one.value) / one.standard_error, largest.reach(one.level)
    adjusted = largest.p_value(deviation)
    if math.isinf(reach):
        note = f"no interval: {len(largest.draws):,} draws are too few for {100 * one.level:g} %"
        return replace(
            one,
            low=math.nan,
            high=math.nan,
            method=method,
            adjusted=adjusted,
            note=note,
            adjusted_by=TOGETHER,
        )
    half = reach * one.standard_error
    # Rounding must not leave 0 out, or in, against the p-value.
    half = max(half, abs(one.value)) if deviation <= reach else half
    return replace(
        one,
        low=one.value - half,
        high=one.value + half,
        method=method,
        adjusted=adjusted,
        adjusted_by=TOGETHER,
    )


@dataclass(frozen=True, eq=False)
class Verdict(ByValue):
    """Whether a difference stays within a margin, and how sure that is.

    `p_value` is that of the margin being passed after all: below `significance` it shows that it is
    not.
    """

    claim: str
    margin: float
    difference: Difference
    p_value: float
    significance: float

    @property
    def shown(self) -> bool:
        """Whether these rows show the claim."""
        return self.p_value < self.significance

    def __repr__(self) -> str:
        """One line: the claim, and whether these rows show it."""
        told = "shown" if self.shown else "not shown"
        return f"Verdict({self.claim}: {told}, p = {self.p_value:.2g})"


def not_worse(found: Difference, margin: float) -> Verdict:
    """Whether the first model is worse than the second by less than a margin at most.

    One-sided, at the significance that the level leaves: 5 % for 95 %.
    """
    _demand_margin(margin)
    if found.better is None:
        raise InputError(f"{found.metric} is neither better high nor low: no model is worse in it.")
    claim = (
        f"{found.first} is not worse than {found.second} by {margin:g} or more in {found.metric}"
    )
    return _verdict(claim, margin, found, -(found.gain + margin))


def equivalent(found: Difference, margin: float) -> Verdict:
    """Whether the two models differ by less than a margin either way.

    Two one-sided tests (Schuirmann 1987, doi:10.1007/BF01068419), each at that significance.
    """
    _demand_margin(margin)
    claim = f"{found.first} and {found.second} differ by less than {margin:g} in {found.metric}"
    return _verdict(claim, margin, found, abs(found.value) - margin)


def _verdict(claim: str, margin: float, found: Difference, beyond: float) -> Verdict:
    """Undefined where nothing is known about how the difference varies."""
    error = found.standard_error
    p_value = below(beyond / error) if error > 0 else math.nan
    return Verdict(claim, margin, found, p_value, 1 - found.level)


def _demand_margin(margin: float) -> None:
    if not margin > 0:
        raise InputError(f"A margin is above 0, not {margin:g}.")
