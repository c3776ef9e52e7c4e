"""The difference between two models in one metric, with its confidence interval and p-value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tradeoff.formatting import format_number, format_p_relation
from tradeoff.measures.vocabulary import name_label
from tradeoff.results import Result
from tradeoff.stats.normal import critical_value, normal_cdf
from tradeoff.stats.significance import two_sided_p_value
from tradeoff.stats.simultaneous import LargestDeviation

if TYPE_CHECKING:
    from tradeoff.measures.registry import Better


HOLM, SIMULTANEOUS = "Holm", "simultaneous"
"""Adjustments of p-values for multiple comparisons."""


@dataclass(frozen=True, eq=False)
class Difference(Result, views="tradeoff.comparison.views"):
    """Difference between two models in a metric, first minus second, with interval and p-value.

    `p_value` is two-sided and is below one minus the level if and only if the interval excludes 0.
    `adjusted` is the p-value adjusted for all pairs, by Holm's method or to agree with simultaneous
    intervals (`adjusted_by`). `first_better` is the probability that the first model is better,
    given these rows; `degrees` holds the degrees of freedom of a t interval. `metric` is canonical,
    `label` is the metric as it was requested.

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
    label: str = field(default="", compare=False)

    @property
    def metric_label(self) -> str:
        """The label of the metric: as it was requested, otherwise the usual one."""
        return self.label or name_label(self.metric)

    @property
    def value(self) -> float:
        """Value of the first model minus that of the second."""
        return self.first_value - self.second_value

    @property
    def significance(self) -> float:
        """Significance level that corresponds to the confidence level."""
        return round(1 - self.level, 12)

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
        """One line: the difference with its interval and p-value, or why it is undefined."""
        pair = f"{self.first} - {self.second}: {self.metric}"
        if not self.is_defined:
            return f"Difference({pair} is undefined: {self.reason})"
        parts = [f"{pair} {format_number(self.value)}"]
        if not math.isnan(self.low):
            limits = f"{format_number(self.low)} to {format_number(self.high)}"
            parts.append(f"{100 * self.level:g}% CI {limits}")
        if not math.isnan(self.p_value):
            parts.append(f"p {format_p_relation(self.p_value, self.significance)}")
        return f"Difference({', '.join(parts)})"


DIFFERENCE_COLUMNS = (
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


def metric_parameters(**parameters: Any) -> dict[str, Any]:
    """Parameters of the metric of a difference, without those that were not given (None)."""
    return {name: value for name, value in parameters.items() if value is not None}


def difference_columns(differences: Sequence[Difference]) -> dict[str, list[Any]]:
    """Columns of a table with one row per difference between two models."""
    return {
        key: [getattr(difference, key) for difference in differences] for key in DIFFERENCE_COLUMNS
    }


def with_normal_interval(difference: Difference, standard_error: float) -> Difference:
    """Add to a difference the normal confidence interval and p-value from its standard error."""
    half_width = critical_value(difference.level) * standard_error
    z, z_gain = difference.value / standard_error, difference.gain / standard_error
    return replace(
        difference,
        low=difference.value - half_width,
        high=difference.value + half_width,
        statistic=z,
        p_value=two_sided_p_value(z),
        first_better=normal_cdf(z_gain) if difference.better else math.nan,
        standard_error=standard_error,
    )


def simultaneous_intervals(
    differences: Sequence[Difference], largest_deviation: LargestDeviation | None
) -> list[Difference]:
    """Add simultaneous confidence intervals to differences, and p-values that agree with them."""
    return [
        _with_simultaneous_interval(difference, largest_deviation) for difference in differences
    ]


def _with_simultaneous_interval(
    difference: Difference, largest_deviation: LargestDeviation | None
) -> Difference:
    method = f"{difference.method}, {SIMULTANEOUS}"
    if largest_deviation is None or math.isnan(difference.low):
        return replace(
            difference, method=method, adjusted=difference.p_value, adjusted_by=SIMULTANEOUS
        )
    deviation = abs(difference.value) / difference.standard_error
    critical_deviation = largest_deviation.critical_value(difference.level)
    adjusted = largest_deviation.p_value(deviation)
    if math.isinf(critical_deviation):
        note = (
            f"no interval: {len(largest_deviation.deviations):,} resamples are too few for a level "
            f"of {100 * difference.level:g}%"
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
    half_width = critical_deviation * difference.standard_error
    # Despite rounding, the interval and the p-value must agree on whether the difference is 0.
    if deviation <= critical_deviation:
        half_width = max(half_width, abs(difference.value))
    return replace(
        difference,
        low=difference.value - half_width,
        high=difference.value + half_width,
        method=method,
        adjusted=adjusted,
        adjusted_by=SIMULTANEOUS,
    )
