"""A test of a difference between areas: its power, its rows and its risk from each other."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.analysis.planning.plan import percent
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Trial:
    """A difference to be found, and its variance for one positive without it and with it.

    Example:
        >>> trial = Trial(effect=0.1, null=0.2, actual=0.2)
        >>> round(trial.positives(power=0.8, significance=0.05), 1)
        157.0
    """

    effect: float
    null: float
    actual: float
    sides: int = 2

    def power(self, positives: float, significance: float) -> float:
        """The probability to find the difference; the wrong side of the test is left out."""
        from scipy.special import ndtr

        reached = sqrt(positives) * self.effect - self._bound(significance) * sqrt(self.null)
        return float(ndtr(reached / sqrt(self.actual)))

    def positives(self, power: float, significance: float) -> float:
        """The rows of the positive class that the power needs."""
        from scipy.special import ndtri

        bound = self._bound(significance) * sqrt(self.null)
        reach = bound + float(ndtri(power)) * sqrt(self.actual)
        if reach <= 0:
            raise InputError(
                f"A power of {percent(power)} at a significance of {percent(significance)} needs "
                "no rows at all: ask for more power."
            )
        return (reach / self.effect) ** 2

    def significance(self, positives: float, power: float) -> float:
        """The significance at which the power is reached."""
        from scipy.special import ndtr, ndtri

        left = sqrt(positives) * self.effect - float(ndtri(power)) * sqrt(self.actual)
        found = self.sides * float(ndtr(-left / sqrt(self.null)))
        if not found < 1:
            raise InputError(
                f"At no significance is the power {percent(power)}: more rows are needed."
            )
        return found

    def _bound(self, significance: float) -> float:
        from scipy.special import ndtri

        return float(-ndtri(significance / self.sides))


def complete(  # noqa: PLR0913, PLR0917 - the four numbers of a trial, one of them unknown
    solved: str,
    trial: Callable[[float], Trial],
    least: float,
    positives: float | None,
    area: float | None,
    power: float | None,
    significance: float | None,
) -> tuple[float, float, float, float]:
    """Positives, area, power and significance, the missing one found.

    As an area, it is the smallest above `least`.
    """
    rows, sure, risk = (
        nan if one is None else float(one) for one in (positives, power, significance)
    )
    if area is None:
        return rows, _smallest(lambda at: trial(at).power(rows, risk), least, sure), sure, risk
    test = trial(area)
    if solved == "positives":
        rows = test.positives(sure, risk)
    elif solved == "power":
        sure = test.power(rows, risk)
    else:
        risk = test.significance(rows, sure)
    return rows, area, sure, risk


def _smallest(power: Callable[[float], float], least: float, wanted: float) -> float:
    """The smallest area above `least` with the wanted power: near 1 the power may fall again."""
    grid = np.linspace(least, 1, 1002)[:-1]
    enough = [power(float(at)) >= wanted for at in grid[1:]]
    if not any(enough):
        raise InputError(
            f"With so few rows no AUC is told from {least:g} with a power of {percent(wanted)}."
        )
    place = enough.index(True)
    low, high = float(grid[place]), float(grid[place + 1])
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= wanted else (middle, high)
    return high
