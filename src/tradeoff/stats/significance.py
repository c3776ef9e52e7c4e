"""Results of significance tests, and p-values adjusted for multiple testing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.formatting import format_p_relation
from tradeoff.results import ByValue


@dataclass(frozen=True, eq=False)
class Test(ByValue):
    """Result of a significance test: statistic and p-value, or why it is undefined.

    `name` states what was compared. `p_value` is the probability of a difference at least this
    large if models were equally good; `statistic` is the test statistic of `method`, and
    `degrees` its degrees of freedom, if it has any.

    Example:
        >>> Test("McNemar: 5 against 15", 5.0, 0.04138946533203125, "exact")
        Test(McNemar: 5 against 15, p = 0.04)
        >>> Test.undefined("McNemar: 0 against 0", "exact", "there are no rows")
        Test(McNemar: 0 against 0 is undefined: there are no rows)
    """

    # Test runners would collect a class of this name.
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
        """Test whose p-value is undefined, with the reason."""
        return cls(name, math.nan, math.nan, method, reason=reason, note=note)

    @property
    def is_defined(self) -> bool:
        """Whether the p-value is defined."""
        return not math.isnan(self.p_value)

    def __repr__(self) -> str:
        """One line: what was compared, and the p-value or the reason why it is undefined."""
        if not self.is_defined:
            return f"Test({self.name} is undefined: {self.reason})"
        return f"Test({self.name}, p {format_p_relation(self.p_value)})"


def holm_adjusted(p_values: Any) -> NDArray[np.float64]:
    """Holm-adjusted p-values of several tests (1979), which control the familywise error rate.

    NaNs are ignored.

    Example:
        >>> [round(float(p), 4) for p in holm_adjusted([0.01, 0.04, 0.03, 0.005])]
        [0.03, 0.06, 0.06, 0.02]
    """
    values = np.asarray(p_values, np.float64)
    is_defined = ~np.isnan(values)
    is_invalid = is_defined & ~((values >= 0) & (values <= 1))
    if is_invalid.any():
        raise InputError(f"A p-value must be between 0 and 1, not {values[is_invalid].flat[0]:g}.")
    order = np.argsort(values[is_defined], kind="stable")
    adjusted = np.empty(len(order))
    scaled = values[is_defined][order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    result = np.full(values.shape, np.nan)
    result[is_defined] = adjusted
    return result


def two_sided_p_value(z: float) -> float:
    """Two-sided p-value for a standard normal test statistic.

    Example:
        >>> round(two_sided_p_value(1.96), 4)
        0.05
    """
    from scipy.special import ndtr

    return float(2 * ndtr(-abs(z)))
