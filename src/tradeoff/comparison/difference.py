"""The difference of two models in one metric: interval, p-value, non-inferiority, equivalence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.results import ByValue, Result
from tradeoff.stats.normal import critical_value, normal_cdf, two_sided_p_value
from tradeoff.stats.simultaneous import LargestDeviation
from tradeoff.text import format_number

if TYPE_CHECKING:
    from tradeoff.measures.registry import Better


HOLM, SIMULTANEOUS = "Holm", "simultaneous"
"""Adjustment of p-values for several pairs."""


@dataclass(frozen=True, eq=False)
class Difference(Result, views="tradeoff.comparison.views"):
    """Difference of two models in a metric, first minus second, with interval and p-value.

    `p_value` is two-sided and is below one minus the level exactly where the interval excludes 0.
    `adjusted` is the p-value adjusted for all pairs, by Holm or as the simultaneous intervals
    (`adjusted_by`), which agree with it and not with `p_value`. `first_better` is the probability
    that the first model is better, given these rows.

    Example:
        >>> Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18, level=0.95, p_value=0.01)
        Difference(a - b: auc 0.1000, 95% CI 0.0200 to 0.1800, p = 0.01)
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
        """Value of the first model minus that of the second."""
        return self.first_value - self.second_value

    @property
    def is_defined(self) -> bool:
        """Whether both models have a value."""
        return not math.isnan(self.value)

    @property
    def gain(self) -> float:
        """How much better the first model is; negative if it is worse."""
        return -self.value if self.better == "lower" else self.value

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row for the difference."""
        return difference_columns([self])

    def __repr__(self) -> str:
        """One line: the difference, its interval and p-value, or why there is none."""
        pair = f"{self.first} - {self.second}: {self.metric}"
        if not self.is_defined:
            return f"Difference({pair} is undefined: {self.reason})"
        parts = [f"{pair} {format_number(self.value)}"]
        if not math.isnan(self.low):
            limits = f"{format_number(self.low)} to {format_number(self.high)}"
            parts.append(f"{100 * self.level:g}% CI {limits}")
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


def given_parameters(**parameters: Any) -> dict[str, Any]:
    """Parameters of a metric that were given for a difference, without those that are None."""
    return {name: value for name, value in parameters.items() if value is not None}


def difference_columns(differences: Sequence[Difference]) -> dict[str, list[Any]]:
    """Table of differences, one row each."""
    return {key: [getattr(difference, key) for difference in differences] for key in COLUMNS}


def with_normal_interval(difference: Difference, error: float) -> Difference:
    """A difference with the normal confidence interval and p-value of its standard error."""
    half, z = critical_value(difference.level) * error, difference.value / error
    return replace(
        difference,
        low=difference.value - half,
        high=difference.value + half,
        statistic=z,
        p_value=two_sided_p_value(z),
        first_better=normal_cdf(difference.gain / error) if difference.better else math.nan,
        standard_error=error,
    )


def simultaneous_intervals(
    differences: Sequence[Difference], largest: LargestDeviation | None
) -> list[Difference]:
    """Differences with simultaneous confidence intervals, and p-values that agree with them."""
    return [_simultaneous_interval(difference, largest) for difference in differences]


def _simultaneous_interval(difference: Difference, largest: LargestDeviation | None) -> Difference:
    method = f"{difference.method}, {SIMULTANEOUS}"
    if largest is None or math.isnan(difference.low):
        return replace(
            difference, method=method, adjusted=difference.p_value, adjusted_by=SIMULTANEOUS
        )
    deviation = abs(difference.value) / difference.standard_error
    reach = largest.critical_value(difference.level)
    adjusted = largest.p_value(deviation)
    if math.isinf(reach):
        note = (
            f"no interval: {len(largest.deviations):,} resamples are too few for a level of "
            f"{100 * difference.level:g}%"
        )
        return replace(
            difference,
            low=math.nan,
            high=math.nan,
            method=method,
            adjusted=adjusted,
            note=note,
            adjusted_by=SIMULTANEOUS,
        )
    half = reach * difference.standard_error
    # Rounding must not make the interval disagree with the p-value about 0.
    half = max(half, abs(difference.value)) if deviation <= reach else half
    return replace(
        difference,
        low=difference.value - half,
        high=difference.value + half,
        method=method,
        adjusted=adjusted,
        adjusted_by=SIMULTANEOUS,
    )


@dataclass(frozen=True, eq=False)
class Verdict(ByValue):
    """Verdict of a non-inferiority or equivalence test of a difference against a margin.

    `p_value` is that of the null hypothesis that the margin is exceeded; the claim is shown where
    it is below `significance`.
    """

    claim: str
    margin: float
    difference: Difference
    p_value: float
    significance: float

    @property
    def shown(self) -> bool:
        """Whether the claim is shown at this significance."""
        return self.p_value < self.significance

    def __repr__(self) -> str:
        """One line: the claim, and whether it is shown."""
        outcome = "shown" if self.shown else "not shown"
        return f"Verdict({self.claim}: {outcome}, p = {self.p_value:.2g})"


def noninferiority_verdict(difference: Difference, margin: float) -> Verdict:
    """Non-inferiority test: the first model is worse than the second by less than a margin.

    One-sided, at one minus the level: 5% for a level of 95%.
    """
    _require_margin(margin)
    if difference.better is None:
        raise InputError(
            f"{difference.metric} is neither better high nor better low: no model is worse in it."
        )
    claim = (
        f"{difference.first} is not worse than {difference.second} by {margin:g} or more in "
        f"{difference.metric}"
    )
    return _verdict(claim, margin, difference, -(difference.gain + margin))


def equivalence_verdict(difference: Difference, margin: float) -> Verdict:
    """Equivalence test (two one-sided tests): two models differ by less than a margin.

    Schuirmann 1987, doi:10.1007/BF01068419; each test is at one minus the level.
    """
    _require_margin(margin)
    claim = (
        f"{difference.first} and {difference.second} differ by less than {margin:g} in "
        f"{difference.metric}"
    )
    return _verdict(claim, margin, difference, abs(difference.value) - margin)


def _verdict(claim: str, margin: float, difference: Difference, excess: float) -> Verdict:
    """The p-value of an excess over a margin; undefined without a standard error."""
    error = difference.standard_error
    p_value = normal_cdf(excess / error) if error > 0 else math.nan
    return Verdict(claim, margin, difference, p_value, 1 - difference.level)


def _require_margin(margin: float) -> None:
    if not margin > 0:
        raise InputError(f"margin must be above 0, not {margin:g}.")
