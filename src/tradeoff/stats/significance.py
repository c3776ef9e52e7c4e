"""Results of significance tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from tradeoff.results import ByValue
from tradeoff.text import format_number


@dataclass(frozen=True, eq=False)
class Test(ByValue):
    """Result of a significance test: statistic and p-value, or why there is none.

    `name` says what was compared. `p_value` is the probability of a difference at least as large
    if models were equally good; `statistic` is that of `method`, with `degrees` of freedom where
    it has some.

    Example:
        >>> Test("McNemar: 5 against 15", 5.0, 0.04138946533203125, "exact")
        Test(McNemar: 5 against 15, p = 0.0414)
        >>> Test.undefined("McNemar: 0 against 0", "exact", "there are no rows")
        Test(McNemar: 0 against 0 is undefined: there are no rows)
    """

    # Test runners collect classes by this name unless told not to.
    __test__: ClassVar[bool] = False

    name: str
    statistic: float
    p_value: float
    method: str
    degrees: float | None = None
    reason: str | None = None
    note: str | None = None

    @classmethod
    def undefined(cls, name: str, method: str, reason: str, note: str | None = None) -> Test:
        """Test without a p-value, and why."""
        return cls(name, math.nan, math.nan, method, reason=reason, note=note)

    @property
    def is_defined(self) -> bool:
        """Whether there is a p-value."""
        return not math.isnan(self.p_value)

    def __repr__(self) -> str:
        """One line: what was compared and its p-value, or why there is none."""
        if not self.is_defined:
            return f"Test({self.name} is undefined: {self.reason})"
        return f"Test({self.name}, p = {format_number(self.p_value)})"
