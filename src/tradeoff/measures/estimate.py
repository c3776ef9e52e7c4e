"""Estimates: a value with its confidence interval, or the reason why it is undefined."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from tradeoff.formatting import format_number
from tradeoff.results import Result

if TYPE_CHECKING:
    import numpy as np

    from tradeoff.core.ranking import Ranking

    RoundingFunction = Callable[[float, int], float]


class ConfidenceInterval(NamedTuple):
    """Confidence interval: its limits, its method and a note."""

    low: float
    high: float
    method: str
    note: str | None = None


def missing_interval(note: str) -> ConfidenceInterval:
    """Confidence interval with undefined limits, and a note that explains why."""
    return ConfidenceInterval(math.nan, math.nan, "", note)


class Subject(Protocol):
    """Argument passed to a summary's interval function: value, ranking, level, helper methods.

    Functions passed to `@summary(interval=…)` receive it; `uncertainty.summaries` implements it.
    """

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The summary's parameters."""

    @property
    def value(self) -> float:
        """The summary's value."""

    @property
    def ranking(self) -> Ranking:
        """The ranking that is summarized."""

    @property
    def level(self) -> float:
        """Confidence level of the interval."""

    @property
    def prevalence(self) -> float:
        """Proportion of positives among the ranked rows."""

    def mean_interval(
        self,
        value: float,
        positive_values: NDArray[np.float64],
        negative_values: NDArray[np.float64],
    ) -> tuple[float, float]:
        """Confidence interval for a mean over rows, from the values of each class at each score."""

    def mean_variance(
        self, positive_values: NDArray[np.float64], negative_values: NDArray[np.float64]
    ) -> float:
        """Variance of a mean over rows."""

    def area(self, ranking: Ranking) -> ConfidenceInterval:
        """Confidence interval for the AUC of a ranking."""

    def reading(self) -> ConfidenceInterval:
        """Confidence interval for a value read off a curve, whose threshold depends on the rows."""

    def jackknife(self, *, log: bool) -> ConfidenceInterval:
        """Jackknife confidence interval, on the scale of ln(1 - value) if `log`.

        On that scale a skewed estimate is more nearly normal.
        """


COLUMNS = ("value", "low", "high", "level", "method", "reason")


@dataclass(frozen=True, eq=False)
class Estimate(Result, views="tradeoff.render.json_csv"):
    """A value with its confidence interval, or the reason why it is undefined.

    `low` and `high` are the limits of a confidence interval at `level`, computed by `method`; NaN
    if there is none, and `note` may explain why. `within` bounds the error if scores are binned.
    `name` is canonical; `label` is the name that was requested, or the usual one.

    An estimate behaves like a number: `float(e.auc)`, `round(e.auc, 3)`, `e.auc > 0.8` and
    `f"{e.auc:.3f}"` use its value (NaN if undefined).

    Example:
        >>> Estimate("auc", 26 / 45)
        0.578
        >>> Estimate("auc", 0.7314, low=0.6204, high=0.8191, level=0.95, method="DeLong")
        0.731 (95% CI 0.620–0.819, DeLong)
        >>> Estimate("precision", math.nan, reason="nothing is predicted yes")
        undefined: nothing is predicted yes
        >>> auc = Estimate("auc", 26 / 45)
        >>> round(auc, 2), auc > 0.5, f"{auc:.1%}"
        (0.58, True, '57.8%')
    """

    name: str
    value: float
    reason: str | None = None
    note: str | None = None
    low: float = math.nan
    high: float = math.nan
    level: float | None = None
    method: str | None = None
    within: float = 0.0
    label: str = field(default="", compare=False)

    @cached_property
    def value_text(self) -> str:
        """The value as a string, without digits that are uncertain.

        Example:
            >>> Estimate("auc", 0.898612, within=0.0004).value_text
            '0.8986'
            >>> [Estimate("lift", 43.21, within=within).value_text for within in (0.02, 3, 20)]
            ['43.21', '43', '40']
        """
        return _format_certain_digits(self.value, self.within, round)

    @cached_property
    def limits_text(self) -> tuple[str, str]:
        """The interval's limits as strings; if scores are binned, rounded outwards.

        Example:
            >>> Estimate("auc", 0.8986, low=0.87149, high=0.91151, within=0.02).limits_text
            ('0.87', '0.92')
        """
        return (
            _format_certain_digits(self.low, self.within, _round_down),
            _format_certain_digits(self.high, self.within, _round_up),
        )

    @classmethod
    def between(cls, name: str, first: float, second: float, bins: int) -> Estimate:
        """Estimate midway between two bounds, as obtained from binned scores.

        Example:
            >>> Estimate.between("auc", 0.8, 0.9, bins=7).note
            'the exact value is within ±0.05: scores are in 7 bins'
        """
        low, high = sorted((first, second))
        if low == high:
            return cls(name, low)
        if not math.isfinite(high - low):
            reason = (
                f"scores are in {bins:,} bins, which allow any value from {format_number(low)} to "
                f"{format_number(high)}"
            )
            return cls(name, math.nan, reason=reason)
        half_width = (high - low) / 2
        note = f"the exact value is within ±{half_width:.2g}: scores are in {bins:,} bins"
        return cls(name, low + half_width, note=note, within=half_width)

    @cached_property
    def is_defined(self) -> bool:
        """Whether the value is defined."""
        return not math.isnan(self.value)

    @cached_property
    def has_interval(self) -> bool:
        """Whether there is a confidence interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def columns(self) -> dict[str, list[Any]]:
        """The estimate as a table of one row."""
        names = {"name": [self.name], "label": [self.label or self.name]}
        return {**names, **{key: [getattr(self, key)] for key in COLUMNS}}

    def __float__(self) -> float:
        """The value; NaN when undefined."""
        return self.value

    def __format__(self, spec: str) -> str:
        """Format the value, as in f"{e.auc:.3f}"; without a format, the same line as `repr`."""
        return format(self.value, spec) if spec else repr(self)

    def __round__(self, ndigits: int | None = None) -> float:
        """The value rounded to `ndigits` decimals; NaN when undefined."""
        return round(self.value, ndigits or 0)

    def __lt__(self, other: float | Estimate) -> bool:
        """Compare values."""
        return self.value < float(other)

    def __le__(self, other: float | Estimate) -> bool:
        """Compare values."""
        return self.value <= float(other)

    def __gt__(self, other: float | Estimate) -> bool:
        """Compare values."""
        return self.value > float(other)

    def __ge__(self, other: float | Estimate) -> bool:
        """Compare values."""
        return self.value >= float(other)

    def __repr__(self) -> str:
        """One line: the value and its interval, or the reason why it is undefined."""
        if not self.is_defined:
            return f"undefined: {self.reason}"
        value = self.value_text if self.within else _format_three_digits(self.value)
        if not self.has_interval or self.level is None:
            return value
        lower, upper = self.limits_text
        if not self.within:
            lower = _format_three_digits(self.low, like=self.value)
            upper = _format_three_digits(self.high, like=self.value)
        limits = f"{lower} to {upper}" if self.low < 0 else f"{lower}–{upper}"
        method = f", {self.method}" if self.method else ""
        return f"{value} ({100 * self.level:g}% CI {limits}{method})"

    __str__ = __repr__


def _format_three_digits(value: float, like: float | None = None) -> str:
    """Format a value with three significant digits, or with the decimals that `like` would get.

    Example:
        >>> [_format_three_digits(value) for value in (0.8264, 1.0, 0.0412, 12.3456, 5123.6)]
        ['0.826', '1.000', '0.0412', '12.3', '5,124']
        >>> _format_three_digits(0.99964), _format_three_digits(0.0864, like=0.75)
        ('0.9996', '0.086')
    """
    size = abs(value if like is None else like)
    if not (math.isfinite(value) and math.isfinite(size)) or 0 < size < 1e-6:
        return format_number(value)
    digits = 2 - math.floor(math.log10(size)) if size else 3
    digits = max(digits, 3 if size <= 1 else 0)
    # A proportion is never rounded to 0 or 1.
    while size <= 1 and digits < 6 and value not in {0, 1} and round(value, digits) in {0, 1}:
        digits += 1
    return f"{value + 0.0:,.{digits}f}"


def _format_certain_digits(value: float, within: float, round_value: RoundingFunction) -> str:
    """Format a value with its certain digits, at most four."""
    if not (within and math.isfinite(value) and math.isfinite(within)):
        return format_number(value)
    digits = math.ceil(-math.log10(within))
    if digits > 4 and abs(value) >= 1e-4:
        return format_number(value)
    decimals = min(digits, 5 - len(str(int(abs(value)))), 4)
    # Uncertain digits before the decimal point become zeros.
    return f"{round_value(value, decimals) + 0.0:,.{max(decimals, 0)}f}"


def _round_down(value: float, digits: int) -> float:
    rounded = round(value, digits)
    return rounded if rounded <= value else round(rounded - 10.0**-digits, digits)


def _round_up(value: float, digits: int) -> float:
    return -_round_down(-value, digits)


def estimate_columns(estimates: Mapping[str, Estimate], key_column: str) -> dict[str, list[Any]]:
    """Table of estimates by name, with one row per estimate.

    Example:
        >>> estimate_columns({"cat": Estimate("auc", 0.75)}, "class")["value"]
        [0.75]
    """
    table = {key: [getattr(estimate, key) for estimate in estimates.values()] for key in COLUMNS}
    return {key_column: list(estimates), **table}
