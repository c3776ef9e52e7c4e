"""Planning for areas under ROC curves: one against chance, and two against each other.

The formulas are those of pROC's power.roc.test, after Obuchowski & McClish 1997 and Obuchowski,
Lieber & Wians 2004. Variances stand for one positive row, and fall in proportion to more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, nan, sqrt

import numpy as np

from tradeoff.errors import InputError, as_number
from tradeoff.power.plan import (
    Plan,
    Wording,
    both_classes,
    decimals,
    demand_rows,
    inside,
    missing_one,
    percent,
    ratio_of,
)

# A test of a difference between areas: its power, its rows and its risk from each other.


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


def _complete(  # noqa: PLR0913, PLR0917 - the four numbers of a trial, one of them unknown
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


CORRELATION = 0.5
"""Of two areas on the same rows, where nothing is known."""


@dataclass(frozen=True)
class Pilot:
    """What earlier rows say of two areas: their variances and covariance, and how many rows.

    Example:
        >>> Pilot(0.0032, 0.0027, -0.0008, positives=41, negatives=72).negatives
        72
    """

    first_variance: float
    second_variance: float
    covariance: float
    positives: float
    negatives: float

    def __post_init__(self) -> None:
        """Refuse what no rows can give."""
        demand_rows(self.positives, "Positives of the pilot")
        demand_rows(self.negatives, "Negatives of the pilot")
        variances = self.first_variance, self.second_variance
        if not min(as_number(one, "A variance") for one in variances) > 0:
            raise InputError("The variances of both areas in the pilot are more than 0.")
        as_number(self.covariance, "A covariance")
        if not self.covariance**2 <= variances[0] * variances[1]:
            raise InputError(
                f"The covariance of two areas cannot exceed the root of the product of their "
                f"variances, {sqrt(variances[0] * variances[1]):g}: it is {self.covariance:g}."
            )


def variance_of_area(auc: float, ratio: float) -> float:
    """The variance of an estimated area for one positive row and `ratio` negatives.

    Obuchowski's for normal scores of equal spread, with her rounded constants, as in pROC.

    Example:
        >>> round(variance_of_area(0.8, ratio=1.0), 4)
        0.1195
    """
    from scipy.special import ndtri

    square = (1.414 * float(ndtri(auc))) ** 2
    return 0.0099 * exp(-square / 2) * (5 * square + 8 + (square + 8) / ratio)


def plan_auc(  # noqa: PLR0913 - what a plan may say
    *,
    auc: float | None = None,
    positives: float | None = None,
    negatives: float | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    power: float | None = None,
    significance: float | None = 0.05,
) -> Plan:
    """Plan to tell an area under the ROC curve from chance, 0.5.

    Exactly one of auc, positives, power and significance is left out (significance as None), and
    is found.

    Args:
        auc: The area that is expected.
        positives: Positive rows.
        negatives: Negative rows; or else one of the next two.
        ratio: Negatives for each positive; 1 if nothing is said.
        prevalence: The share of positives among all rows.
        power: The probability to find the difference if it is there.
        significance: The probability to find one if there is none, in a two-sided test.

    Example:
        >>> print(plan_auc(auc=0.8, positives=41, negatives=72))
        With 41 positive and 72 negative rows an AUC of 0.80 is told from chance with a power of \
99.995 % (two-sided significance 5 %).
        >>> round(plan_auc(auc=0.8, power=0.9, ratio=72 / 41).positives, 4)
        13.3382
    """
    solved = missing_one(positives=positives, auc=auc, power=power, significance=significance)
    inside(auc, "An AUC to be told from chance", 0.5)
    _demand_risks(power, significance)
    kappa = ratio_of(positives, negatives, ratio, prevalence)

    def trial(area: float) -> Trial:
        return Trial(area - 0.5, 0.0792 * (1 + 1 / kappa), variance_of_area(area, kappa))

    found = _complete(solved, trial, 0.5, positives, auc, power, significance)
    rows, area, power, significance = found
    target = f"an AUC of {decimals(area)}", "from chance"
    wording = Wording(both_classes(rows, kappa * rows), "tell {} {}", "{} is told {}", target)
    return Plan(
        "one AUC against chance",
        solved,
        rows,
        kappa * rows,
        rows + kappa * rows,
        power,
        significance,
        {"auc": area, "ratio": kappa},
        (wording.sentence(solved, power, significance),),
    )


def plan_auc_difference(  # noqa: PLR0913 - what a plan may say
    *,
    first: float,
    second: float | None = None,
    positives: float | None = None,
    negatives: float | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    power: float | None = None,
    significance: float | None = 0.05,
    paired: bool = True,
    correlation: float | None = None,
    margin: float | None = None,
    pilot: Pilot | None = None,
) -> Plan:
    """Plan to tell two areas apart, or to show that the second is not worse by a margin.

    Exactly one of second, positives, power and significance is left out (significance as None),
    and is found. As second, it is the smallest larger area that is told from the first.

    Args:
        first: The area of the model to compare with. Where both are equal, both vary as it does.
        second: The expected area of the other model.
        positives: Positive rows; of each group if not paired.
        negatives: Negative rows; or else one of the next two.
        ratio: Negatives for each positive; that of the pilot, or 1, if nothing is said.
        prevalence: The share of positives among all rows.
        power: The probability to find the difference if it is there.
        significance: The probability to find one if there is none, in a two-sided test; with a
            margin, to call a worse model not worse, in a one-sided test.
        paired: Whether both models score the same rows, or each a group of its own.
        correlation: Of the two estimated areas (not of the scores): 0.5 if not known, 0 if not
            paired. Pilot rows tell it, and it matters much.
        margin: By less than this the second may be worse (non-inferiority).
        pilot: Variances and covariance as earlier rows gave them, in place of assumptions.

    Example:
        >>> print(plan_auc_difference(first=0.75, second=0.8, power=0.8, correlation=0.6))
        To tell an AUC of 0.80 from one of 0.75 with a power of 80 % (two-sided significance \
5 %), 333 positive and 333 negative rows that both models score are needed. The two estimated \
areas are taken to be correlated by 0.6.
    """
    solved = missing_one(positives=positives, second=second, power=power, significance=significance)
    for area, what in ((first, "The first AUC"), (second, "The second AUC")):
        inside(area, what)
    _demand_risks(power, significance)
    _demand_design(first, second, margin, pilot, correlation, paired=paired)
    kappa = _ratio_with(pilot, positives, negatives, ratio, prevalence)
    together = CORRELATION if correlation is None else float(correlation)
    together = together if paired else 0.0

    def trial(area: float) -> Trial:
        equal, actual = _variances(first, area, kappa, together, pilot)
        if margin is not None:
            return Trial(area - first + margin, actual, actual, sides=1)
        return Trial(abs(area - first), equal, actual)

    rows, area, power, significance = _complete(
        solved, trial, first, positives, second, power, significance
    )
    values = {"first": first, "second": area, "difference": area - first, "ratio": kappa}
    if margin is not None:
        values["margin"] = margin
    if pilot is None:
        values["correlation"] = together
    wording = _wording(first, area, margin, both_classes(rows, kappa * rows), paired=paired)
    return Plan(
        "two AUCs" if margin is None else "non-inferiority of an AUC",
        solved,
        rows,
        kappa * rows,
        (1 if paired else 2) * (rows + kappa * rows),
        power,
        significance,
        values,
        (
            wording.sentence(solved, power, significance),
            *_assumed(together, pilot, paired=paired),
        ),
    )


def _variances(
    first: float, second: float, ratio: float, correlation: float, pilot: Pilot | None
) -> tuple[float, float]:
    """Of the difference, for one positive: if both are as the first, and if they are as given."""
    if pilot is not None:
        own, other = pilot.first_variance, pilot.second_variance
        shared = pilot.covariance
        equal, actual = 2 * (own - shared), own + other - 2 * shared
        return equal * pilot.positives, actual * pilot.positives
    own, other = (variance_of_area(area, ratio) for area in (first, second))
    actual = own + other - 2 * correlation * sqrt(own * other)
    return 2 * own * (1 - correlation), actual


def _demand_risks(power: float | None, significance: float | None) -> None:
    inside(power, "A power")
    inside(significance, "A significance")
    if power is not None and significance is not None and power <= significance:
        raise InputError(
            f"A power of {percent(power)} is not more than the significance of "
            f"{percent(significance)}: so much is found where there is nothing."
        )


def _demand_design(  # noqa: PLR0913 - what must fit together
    first: float,
    second: float | None,
    margin: float | None,
    pilot: Pilot | None,
    correlation: float | None,
    *,
    paired: bool,
) -> None:
    inside(correlation, "A correlation of two areas", -1.0)
    if correlation is not None and pilot is not None:
        raise InputError("Give a correlation or a pilot, not both: the pilot tells it.")
    if not paired and (correlation or (pilot is not None and pilot.covariance)):
        raise InputError("Areas on different rows (paired=False) are not correlated.")
    if pilot is not None:
        equal, actual = _variances(first, first, 1.0, 0.0, pilot)
        if not (actual if margin is not None else min(equal, actual)) > 0:
            raise InputError(
                "In the pilot the covariance is as large as the variance of the first area, so "
                "equal areas would not differ by chance at all: name the other model first."
            )
    inside(margin, "A margin")
    if margin is not None and second is None:
        raise InputError("With a margin, give the second AUC that is expected.")
    if margin is not None and second is not None and not second - first + margin > 0:
        raise InputError(
            f"An AUC of {second:g} is worse than {first:g} by the margin of {margin:g} or more."
        )
    if margin is None and first == second:
        raise InputError("Equal areas cannot be told apart: give a margin to show one not worse.")


def _ratio_with(
    pilot: Pilot | None,
    positives: float | None,
    negatives: float | None,
    ratio: float | None,
    prevalence: float | None,
) -> float:
    if pilot is None:
        return ratio_of(positives, negatives, ratio, prevalence)
    kappa = pilot.negatives / pilot.positives
    if negatives is None and ratio is None and prevalence is None:
        demand_rows(positives, "Positives")
        return kappa
    asked = ratio_of(positives, negatives, ratio, prevalence)
    if abs(asked / kappa - 1) > 1e-6:
        raise InputError(
            f"The variances of the pilot hold for {kappa:.4g} negatives for each positive, as it "
            f"had, not for {asked:.4g}."
        )
    return asked


def _wording(
    first: float, second: float, margin: float | None, rows: str, *, paired: bool
) -> Wording:
    scored = f"{rows} {'that both models score' if paired else 'for each of the two models'}"
    area, other = f"an AUC of {decimals(second)}", f"one of {decimals(first)}"
    if margin is None:
        return Wording(scored, "tell {} {}", "{} is told {}", (area, f"from {other}"))
    claim = f"is not worse than {other} by {margin:g} or more"
    return Wording(scored, "show that {} {}", "it is shown that {} {}", (area, claim), "one")


def _assumed(correlation: float, pilot: Pilot | None, *, paired: bool) -> tuple[str, ...]:
    if pilot is not None:
        return ("Variances are those of the pilot rows.",)
    if not paired:
        return ()
    return (f"The two estimated areas are taken to be correlated by {correlation:g}.",)
