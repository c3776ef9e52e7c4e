"""Sample size and power for AUCs: one against chance, two against each other, non-inferiority.

The formulas are those of pROC's power.roc.test, after Obuchowski & McClish 1997 and Obuchowski,
Lieber & Wians 2004. Variances are those of one positive row, inversely proportional to more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, nan, sqrt

import numpy as np

from tradeoff.errors import InputError, require_number, suggest_arguments
from tradeoff.power.plan import (
    Plan,
    PowerSentence,
    format_class_rows,
    format_decimals,
    format_percent,
    missing_parameter,
    negatives_per_positive,
    require_between,
    require_rows,
)

# A test of a difference between AUCs: power, rows and significance from each other.


@dataclass(frozen=True)
class PowerTest:
    """Power of a z test, from the effect and its variances per positive row without and with it.

    Example:
        >>> trial = PowerTest(effect=0.1, null=0.2, actual=0.2)
        >>> round(trial.positives(power=0.8, significance=0.05), 1)
        157.0
    """

    effect: float
    null: float
    actual: float
    sides: int = 2

    def power(self, positives: float, significance: float) -> float:
        """Power of the test; rejections in the wrong direction are left out."""
        from scipy.special import ndtr

        excess = sqrt(positives) * self.effect - self._critical_value(significance) * sqrt(
            self.null
        )
        return float(ndtr(excess / sqrt(self.actual)))

    def positives(self, power: float, significance: float) -> float:
        """Sample size: the positive rows that the power needs."""
        from scipy.special import ndtri

        bound = self._critical_value(significance) * sqrt(self.null)
        reach = bound + float(ndtri(power)) * sqrt(self.actual)
        if reach <= 0:
            raise InputError(
                f"A power of {format_percent(power)} at a significance level of "
                f"{format_percent(significance)} needs no rows at all: ask for more power."
            )
        return (reach / self.effect) ** 2

    def significance(self, positives: float, power: float) -> float:
        """The significance at which the power is reached."""
        from scipy.special import ndtr, ndtri

        left = sqrt(positives) * self.effect - float(ndtri(power)) * sqrt(self.actual)
        significance = self.sides * float(ndtr(-left / sqrt(self.null)))
        if not significance < 1:
            raise InputError(
                f"No significance level gives a power of {format_percent(power)}: more rows are "
                "needed."
            )
        return significance

    def _critical_value(self, significance: float) -> float:
        from scipy.special import ndtri

        return float(-ndtri(significance / self.sides))


def _solve(  # noqa: PLR0913, PLR0917 - the four numbers of a trial, one of them unknown
    solved: str,
    trial: Callable[[float], PowerTest],
    least: float,
    positives: float | None,
    area: float | None,
    power: float | None,
    significance: float | None,
) -> tuple[float, float, float, float]:
    """Solve for the missing one of positives, AUC, power and significance.

    As an AUC, it is the smallest above `least`.
    """
    rows, chance, risk = (
        nan if value is None else float(value) for value in (positives, power, significance)
    )
    if area is None:
        return (
            rows,
            _smallest_auc(lambda auc: trial(auc).power(rows, risk), least, chance),
            chance,
            risk,
        )
    test = trial(area)
    if solved == "positives":
        rows = test.positives(chance, risk)
    elif solved == "power":
        chance = test.power(rows, risk)
    else:
        risk = test.significance(rows, chance)
    return rows, area, chance, risk


def _smallest_auc(power: Callable[[float], float], least: float, target: float) -> float:
    """The smallest AUC above `least` with the target power: near 1 the power may fall again."""
    grid = np.linspace(least, 1, 1002)[:-1]
    enough = [power(float(auc)) >= target for auc in grid[1:]]
    if not any(enough):
        raise InputError(
            f"With so few rows no AUC is distinguished from {least:g} with a power of "
            f"{format_percent(target)}."
        )
    index = enough.index(True)
    low, high = float(grid[index]), float(grid[index + 1])
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= target else (middle, high)
    return high


CORRELATION = 0.5
"""Assumed correlation of two AUCs on the same rows."""


@dataclass(frozen=True)
class Pilot:
    """Pilot study of two AUCs: their variances and covariance, and the numbers of rows.

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
        """Validate the fields."""
        require_rows(self.positives, "Positives of the pilot")
        require_rows(self.negatives, "Negatives of the pilot")
        variances = self.first_variance, self.second_variance
        if not min(require_number(variance, "A variance") for variance in variances) > 0:
            raise InputError("The variances of both AUCs in the pilot must be above 0.")
        require_number(self.covariance, "A covariance")
        if not self.covariance**2 <= variances[0] * variances[1]:
            raise InputError(
                f"The covariance of two AUCs cannot exceed the root of the product of their "
                f"variances, {sqrt(variances[0] * variances[1]):g}: it is {self.covariance:g}."
            )


def planned_auc_variance(auc: float, ratio: float) -> float:
    """Planning variance of an AUC for one positive row and `ratio` negatives.

    Obuchowski's for normal scores of equal variance, with her rounded constants, as in pROC.

    Example:
        >>> round(planned_auc_variance(0.8, ratio=1.0), 4)
        0.1195
    """
    from scipy.special import ndtri

    square = (1.414 * float(ndtri(auc))) ** 2
    return 0.0099 * exp(-square / 2) * (5 * square + 8 + (square + 8) / ratio)


@suggest_arguments
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
    """Sample size or power of a test of one AUC against chance (0.5).

    Exactly one of auc, positives, power and significance is left out (significance as None), and
    is solved for.

    Args:
        auc: The expected AUC.
        positives: Positive rows.
        negatives: Negative rows; or else one of the next two.
        ratio: Negatives for each positive; 1 by default.
        prevalence: The share of positives among all rows.
        power: The probability to find the difference if it is there.
        significance: The probability to find one if there is none, in a two-sided test.

    Example:
        >>> print(plan_auc(auc=0.8, positives=41, negatives=72))
        With 41 positive and 72 negative rows an AUC of 0.80 is distinguished from chance with a \
power of 99.995% (two-sided significance level 5%).
        >>> round(plan_auc(auc=0.8, power=0.9, ratio=72 / 41).positives, 4)
        13.3382
    """
    solved = missing_parameter(positives=positives, auc=auc, power=power, significance=significance)
    require_between(auc, "An AUC to be distinguished from chance", 0.5)
    _require_risks(power, significance)
    kappa = negatives_per_positive(positives, negatives, ratio, prevalence)

    def test(area: float) -> PowerTest:
        return PowerTest(area - 0.5, 0.0792 * (1 + 1 / kappa), planned_auc_variance(area, kappa))

    rows, area, power, significance = _solve(solved, test, 0.5, positives, auc, power, significance)
    target = f"an AUC of {format_decimals(area)}", "from chance"
    wording = PowerSentence(
        format_class_rows(rows, kappa * rows), "distinguish {} {}", "{} is distinguished {}", target
    )
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


@suggest_arguments
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
    """Sample size or power of a comparison of two AUCs: a difference, or non-inferiority.

    Exactly one of second, positives, power and significance is left out (significance as None),
    and is solved for. As second, it is the smallest larger AUC that is distinguished from the
    first.

    Args:
        first: The AUC of the reference model; under the null hypothesis both have its variance.
        second: The expected AUC of the other model.
        positives: Positive rows; of each group if not paired.
        negatives: Negative rows; or else one of the next two.
        ratio: Negatives for each positive; by default that of the pilot, or 1.
        prevalence: The share of positives among all rows.
        power: The probability to find the difference if it is there.
        significance: The probability to find one if there is none, in a two-sided test; with a
            margin, to call a worse model not worse, in a one-sided test.
        paired: Whether both models score the same rows, or each a group of its own.
        correlation: Correlation of the two estimated AUCs (not of the scores): 0.5 by default, 0
            if not paired. It matters much; a pilot estimates it.
        margin: By less than this the second may be worse (non-inferiority).
        pilot: Variances and covariance of earlier rows, in place of assumptions.

    Example:
        >>> print(plan_auc_difference(first=0.75, second=0.8, power=0.8, correlation=0.6))
        To distinguish an AUC of 0.80 from one of 0.75 with a power of 80% (two-sided significance \
level 5%), 333 positive and 333 negative rows that both models score are needed. The correlation \
of the two estimated AUCs is assumed to be 0.6.
    """
    solved = missing_parameter(
        positives=positives, second=second, power=power, significance=significance
    )
    for area, what in ((first, "The first AUC"), (second, "The second AUC")):
        require_between(area, what)
    _require_risks(power, significance)
    _require_design(first, second, margin, pilot, correlation, paired=paired)
    kappa = _class_ratio(pilot, positives, negatives, ratio, prevalence)
    assumed = CORRELATION if correlation is None else float(correlation)
    assumed = assumed if paired else 0.0

    def test(area: float) -> PowerTest:
        equal, actual = _variances(first, area, kappa, assumed, pilot)
        if margin is not None:
            return PowerTest(area - first + margin, actual, actual, sides=1)
        return PowerTest(abs(area - first), equal, actual)

    rows, area, power, significance = _solve(
        solved, test, first, positives, second, power, significance
    )
    values = {"first": first, "second": area, "difference": area - first, "ratio": kappa}
    if margin is not None:
        values["margin"] = margin
    if pilot is None:
        values["correlation"] = assumed
    wording = _wording(first, area, margin, format_class_rows(rows, kappa * rows), paired=paired)
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
            *_assumptions(assumed, pilot, paired=paired),
        ),
    )


def _variances(
    first: float, second: float, ratio: float, correlation: float, pilot: Pilot | None
) -> tuple[float, float]:
    """Variances of the difference per positive row: under the null hypothesis, and as planned."""
    if pilot is not None:
        first_variance, second_variance = pilot.first_variance, pilot.second_variance
        equal = 2 * (first_variance - pilot.covariance)
        actual = first_variance + second_variance - 2 * pilot.covariance
        return equal * pilot.positives, actual * pilot.positives
    one, two = (planned_auc_variance(area, ratio) for area in (first, second))
    actual = one + two - 2 * correlation * sqrt(one * two)
    return 2 * one * (1 - correlation), actual


def _require_risks(power: float | None, significance: float | None) -> None:
    require_between(power, "A power")
    require_between(significance, "A significance")
    if power is not None and significance is not None and power <= significance:
        raise InputError(
            f"A power of {format_percent(power)} must exceed the significance level of "
            f"{format_percent(significance)}: a test has that much without any effect."
        )


def _require_design(  # noqa: PLR0913 - what must fit together
    first: float,
    second: float | None,
    margin: float | None,
    pilot: Pilot | None,
    correlation: float | None,
    *,
    paired: bool,
) -> None:
    require_between(correlation, "A correlation of two AUCs", -1.0)
    if correlation is not None and pilot is not None:
        raise InputError("Give a correlation or a pilot, not both: the pilot determines it.")
    if not paired and (correlation or (pilot is not None and pilot.covariance)):
        raise InputError("AUCs on different rows (paired=False) are not correlated.")
    if pilot is not None:
        equal, actual = _variances(first, first, 1.0, 0.0, pilot)
        if not (actual if margin is not None else min(equal, actual)) > 0:
            raise InputError(
                "In the pilot the covariance is as large as the variance of the first AUC, so "
                "equal AUCs would never differ by chance: name the other model first."
            )
    require_between(margin, "A margin")
    if margin is not None and second is None:
        raise InputError("With a margin, give the second AUC that is expected.")
    if margin is not None and second is not None and not second - first + margin > 0:
        raise InputError(
            f"An AUC of {second:g} is worse than {first:g} by the margin of {margin:g} or more."
        )
    if margin is None and first == second:
        raise InputError("Equal AUCs cannot be distinguished: give a margin for non-inferiority.")


def _class_ratio(
    pilot: Pilot | None,
    positives: float | None,
    negatives: float | None,
    ratio: float | None,
    prevalence: float | None,
) -> float:
    if pilot is None:
        return negatives_per_positive(positives, negatives, ratio, prevalence)
    kappa = pilot.negatives / pilot.positives
    if negatives is None and ratio is None and prevalence is None:
        require_rows(positives, "Positives")
        return kappa
    requested = negatives_per_positive(positives, negatives, ratio, prevalence)
    if abs(requested / kappa - 1) > 1e-6:
        raise InputError(
            f"The variances of the pilot hold for {kappa:.4g} negatives for each positive, as in "
            f"its rows, not for {requested:.4g}."
        )
    return requested


def _wording(
    first: float, second: float, margin: float | None, rows: str, *, paired: bool
) -> PowerSentence:
    scored = f"{rows} {'that both models score' if paired else 'for each of the two models'}"
    area, other = f"an AUC of {format_decimals(second)}", f"one of {format_decimals(first)}"
    if margin is None:
        return PowerSentence(
            scored, "distinguish {} {}", "{} is distinguished {}", (area, f"from {other}")
        )
    claim = f"is not worse than {other} by {margin:g} or more"
    return PowerSentence(scored, "show that {} {}", "it is shown that {} {}", (area, claim), "one")


def _assumptions(correlation: float, pilot: Pilot | None, *, paired: bool) -> tuple[str, ...]:
    if pilot is not None:
        return ("Variances are those of the pilot rows.",)
    if not paired:
        return ()
    return (f"The correlation of the two estimated AUCs is assumed to be {correlation:g}.",)
