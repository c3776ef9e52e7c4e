"""A number together with what must be known to read it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tradeoff.text import number

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Estimate:
    """A value and how sure it is, or the reason why there is none.

    `low` and `high` are the ends of an interval made by `method` so that it holds the true value
    for a share of `level` of all sets of rows; NaN where there is none, and `note` may say why.

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

    @property
    def written(self) -> str:
        """The value for people, with no more digits than are certain.

        Example:
            >>> Estimate("auc", 0.898612, within=0.0004).written, Estimate("auc", 0.8986).written
            ('0.8986', '0.8986')
            >>> Estimate("auc", 0.898612, within=0.02).written
            '0.90'
        """
        if not 0 < self.within < 1:
            return number(self.value)
        return number(self.value, min(math.ceil(-math.log10(self.within)), 4))

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

    @property
    def has_interval(self) -> bool:
        """Whether it is known how sure the value is."""
        return not (math.isnan(self.low) or math.isnan(self.high))

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
            interval = f", {100 * self.level:g} % from {number(self.low)} to {number(self.high)}"
        return f"Estimate({self.name} = {self.written}{interval})"


def estimate_columns(found: Mapping[str, Estimate], called: str) -> dict[str, list[Any]]:
    """Estimates by name as a table, one line each.

    Example:
        >>> estimate_columns({"cat": Estimate("auc", 0.75)}, "class")["value"]
        [0.75]
    """
    keys = ("value", "low", "high", "level", "method", "reason")
    table = {key: [getattr(one, key) for one in found.values()] for key in keys}
    return {called: list(found), **table}
