"""A number together with what must be known to read it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tradeoff.text import number


@dataclass(frozen=True)
class Estimate:
    """A value, or the reason why there is none.

    Example:
        >>> Estimate("auc", 26 / 45)
        Estimate(auc = 0.5778)
        >>> Estimate("precision", math.nan, reason="nothing is predicted yes")
        Estimate(precision is undefined: nothing is predicted yes)
    """

    name: str
    value: float
    reason: str | None = None
    note: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether there is a value."""
        return not math.isnan(self.value)

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
        """One line: the value, or why there is none."""
        if not self.is_defined:
            return f"Estimate({self.name} is undefined: {self.reason})"
        return f"Estimate({self.name} = {number(self.value)})"
