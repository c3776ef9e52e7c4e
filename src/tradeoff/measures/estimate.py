"""A number together with what must be known to read it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from tradeoff.results import Result
from tradeoff.text import number

if TYPE_CHECKING:
    import numpy as np

    from tradeoff.core.ranking import Ranking

    Rounding = Callable[[float, int], float]


class Spread(NamedTuple):
    """The ends of an interval, how it was found, and what to know about it."""

    low: float
    high: float
    method: str
    note: str | None = None


def no_spread(note: str) -> Spread:
    """No interval, and why."""
    return Spread(math.nan, math.nan, "", note)


class Subject(Protocol):
    """What the interval of a summary is of: its value for the rows of a ranking.

    The functions that `@summary(interval=…)` names are given one; `uncertainty.summaries` makes it.
    """

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The summary's parameters."""

    @property
    def value(self) -> float:
        """The summary's value."""

    @property
    def ranking(self) -> Ranking:
        """The rows."""

    @property
    def level(self) -> float:
        """How sure the interval shall be."""

    @property
    def prevalence(self) -> float:
        """The share of positives among the ranked rows."""

    def mean_ends(
        self, value: float, of_positives: NDArray[np.float64], of_negatives: NDArray[np.float64]
    ) -> tuple[float, float]:
        """The interval of a value that is a mean over rows, of which each score's are given."""

    def mean_variance(
        self, of_positives: NDArray[np.float64], of_negatives: NDArray[np.float64]
    ) -> float:
        """The variance of a mean over rows."""

    def area(self, ranking: Ranking) -> Spread:
        """The interval of the area under the ROC curve of a ranking."""

    def reading(self) -> Spread:
        """The interval of what is read off a curve, whose threshold the rows choose."""

    def jackknife(self, *, log: bool) -> Spread:
        """The interval of what is nearly a mean over rows, on the scale of ln(1 - value) if `log`.

        On that scale a skewed estimate is more nearly normal.
        """


COLUMNS = ("value", "low", "high", "level", "method", "reason")


@dataclass(frozen=True, eq=False)
class Estimate(Result, views="tradeoff.render.values"):
    """A value and how sure it is, or the reason why there is none.

    `low` and `high` are the ends of an interval made by `method` so that it holds the true value
    for a share of `level` of all sets of rows; NaN where there is none, and `note` may say why.
    The value by all scores is no farther away than `within`: not 0 where scores are in bins.

    Example:
        >>> Estimate("auc", 26 / 45)
        Estimate(auc = 0.5778)
        >>> Estimate("auc", 0.7314, low=0.6204, high=0.8191, level=0.95, method="DeLong")
        Estimate(auc = 0.7314, 95 % from 0.6204 to 0.8191)
        >>> Estimate("precision", math.nan, reason="nothing is predicted yes")
        Estimate(precision is undefined: nothing is predicted yes)
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

    @cached_property
    def written(self) -> str:
        """The value for people, with no more digits than are certain.

        Example:
            >>> Estimate("auc", 0.898612, within=0.0004).written, Estimate("auc", 0.8986).written
            ('0.8986', '0.8986')
            >>> [Estimate("lift", 43.21, within=within).written for within in (0.02, 3, 20)]
            ['43.21', '43', '40']
        """
        return _certain(self.value, self.within, round)

    @cached_property
    def ends(self) -> tuple[str, str]:
        """The interval for people; in bins with the value's digits, rounded outwards.

        Example:
            >>> Estimate("auc", 0.8986, low=0.87149, high=0.91151, within=0.02).ends
            ('0.87', '0.92')
        """
        return (
            _certain(self.low, self.within, _down),
            _certain(self.high, self.within, _up),
        )

    @classmethod
    def between(cls, name: str, one: float, other: float, bins: int) -> Estimate:
        """The middle between the least and the most that bins leave open.

        Example:
            >>> Estimate.between("auc", 0.8, 0.9, bins=7).note
            'the exact value is within ±0.05: scores are in 7 bins'
        """
        low, high = sorted((one, other))
        if low == high:
            return cls(name, low)
        if not math.isfinite(high - low):
            why = (
                f"scores are in {bins:,} bins, which allow all from {number(low)} to {number(high)}"
            )
            return cls(name, math.nan, reason=why)
        half = (high - low) / 2
        note = f"the exact value is within ±{half:.2g}: scores are in {bins:,} bins"
        return cls(name, low + half, note=note, within=half)

    @cached_property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @cached_property
    def has_interval(self) -> bool:
        """Whether it is known how sure the value is."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def columns(self) -> dict[str, list[Any]]:
        """The estimate in one line."""
        return {"name": [self.name], **{key: [getattr(self, key)] for key in COLUMNS}}

    def __float__(self) -> float:
        """The value; NaN when undefined."""
        return self.value

    def __format__(self, spec: str) -> str:
        """The value in a format, as in f"{e.auc:.3f}"; without one, the whole line."""
        return format(self.value, spec) if spec else repr(self)

    def __lt__(self, other: float | Estimate) -> bool:
        """Compare values."""
        return self.value < float(other)

    def __gt__(self, other: float | Estimate) -> bool:
        """Compare values."""
        return self.value > float(other)

    def __repr__(self) -> str:
        """One line: the value and its interval, or why there is none."""
        if not self.is_defined:
            return f"Estimate({self.name} is undefined: {self.reason})"
        interval = ""
        if self.has_interval and self.level is not None:
            interval = f", {100 * self.level:g} % from {self.ends[0]} to {self.ends[1]}"
        return f"Estimate({self.name} = {self.written}{interval})"

    __str__ = __repr__


def _certain(value: float, within: float, rounding: Rounding) -> str:
    """A number with the digits that are certain, four at most."""
    if not (within and math.isfinite(value) and math.isfinite(within)):
        return number(value)
    digits = math.ceil(-math.log10(within))
    if digits > 4 and abs(value) >= 1e-4:
        return number(value)
    kept = min(digits, 5 - len(str(int(abs(value)))), 4)
    # Where digits are not certain, zeros before the point stand in their place.
    return f"{rounding(value, kept) + 0.0:,.{max(kept, 0)}f}"


def _down(value: float, digits: int) -> float:
    near = round(value, digits)
    return near if near <= value else round(near - 10.0**-digits, digits)


def _up(value: float, digits: int) -> float:
    return -_down(-value, digits)


def estimate_columns(found: Mapping[str, Estimate], called: str) -> dict[str, list[Any]]:
    """Estimates by name as a table, one line each.

    Example:
        >>> estimate_columns({"cat": Estimate("auc", 0.75)}, "class")["value"]
        [0.75]
    """
    table = {key: [getattr(one, key) for one in found.values()] for key in COLUMNS}
    return {called: list(found), **table}
