"""Non-inferiority and equivalence tests of a difference between two models against a margin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tradeoff.errors import InputError
from tradeoff.formatting import format_p_relation
from tradeoff.results import ByValue
from tradeoff.stats.normal import normal_cdf

if TYPE_CHECKING:
    from tradeoff.comparison.difference import Difference


@dataclass(frozen=True, eq=False)
class Verdict(ByValue):
    """Verdict of a non-inferiority or equivalence test of a difference against a margin.

    `p_value` tests the null hypothesis that the claim is false; the claim is shown if it is below
    `significance`.
    """

    claim: str
    margin: float
    difference: Difference
    p_value: float
    significance: float

    @property
    def shown(self) -> bool:
        """Whether the claim, such as non-inferiority, is shown at this significance level."""
        return self.p_value < self.significance

    def __repr__(self) -> str:
        """One line: the claim, and whether it is shown."""
        outcome = "shown" if self.shown else "not shown"
        p = format_p_relation(self.p_value, self.significance)
        return f"Verdict({self.claim}: {outcome}, p {p})"


def noninferiority_verdict(difference: Difference, margin: float) -> Verdict:
    """Non-inferiority test of a difference: the first model is worse by less than a margin.

    One-sided, at a significance level of one minus the confidence level: 5% for a level of 95%.
    """
    _require_margin(margin)
    if difference.better is None:
        raise InputError(
            f"No model can be worse in {difference.metric}: neither higher nor lower is better."
        )
    claim = (
        f"{difference.first} is not worse than {difference.second} by {margin:g} or more in "
        f"{difference.metric}"
    )
    return _verdict(claim, margin, difference, -(difference.gain + margin))


def equivalence_verdict(difference: Difference, margin: float) -> Verdict:
    """Equivalence test (two one-sided tests) of a difference: it is within a margin.

    Schuirmann 1987, doi:10.1007/BF01068419; each test has a significance level of one minus
    the confidence level.
    """
    _require_margin(margin)
    pair = f"{difference.first} and {difference.second}"
    claim = f"{pair} differ by less than {margin:g} in {difference.metric}"
    return _verdict(claim, margin, difference, abs(difference.value) - margin)


def _verdict(claim: str, margin: float, difference: Difference, excess: float) -> Verdict:
    """Verdict of a one-sided z test that an excess is below 0; NaN without a standard error."""
    standard_error = difference.standard_error
    p_value = normal_cdf(excess / standard_error) if standard_error > 0 else math.nan
    return Verdict(claim, margin, difference, p_value, 1 - difference.level)


def _require_margin(margin: float) -> None:
    if not margin > 0:
        raise InputError(f"margin must be above 0, not {margin:g}.")
