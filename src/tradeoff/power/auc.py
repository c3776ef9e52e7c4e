"""Sample size and power for AUCs: one against chance, two against each other, non-inferiority.

The formulas are those of pROC's power.roc.test, after Obuchowski & McClish 1997 and Obuchowski,
Lieber & Wians 2004. Variances are per positive row: divide by the number of positive rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, nan, sqrt

import numpy as np

from tradeoff.core.paired import PairedRanking
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_number,
    suggest_arguments,
)
from tradeoff.formatting import with_minus_sign
from tradeoff.power.plan import (
    Plan,
    PowerDescription,
    format_class_rows,
    format_planned_auc,
    format_power,
    missing_parameter,
    negatives_per_positive,
    require_between,
    require_rows,
)
from tradeoff.uncertainty.auc import auc_covariance

# z test of a difference between AUCs: power, rows and significance level, each from the others.


@dataclass(frozen=True)
class PlannedTest:
    """Planned z test of AUCs, from variances per positive row under either hypothesis.

    Example:
        >>> test = PlannedTest(effect=0.1, null_variance=0.2, alternative_variance=0.2)
        >>> round(test.positives(power=0.8, significance=0.05), 1)
        157.0
    """

    effect: float
    null_variance: float
    alternative_variance: float
    sides: int = 2

    def power(self, positives: float, significance: float) -> float:
        """Power of the AUC test, not counting rejections in the wrong direction."""
        from scipy.special import ndtr

        excess = sqrt(positives) * self.effect - self._critical_value(significance) * sqrt(
            self.null_variance
        )
        return float(ndtr(excess / sqrt(self.alternative_variance)))

    def positives(self, power: float, significance: float) -> float:
        """Number of positive rows that an AUC test requires for a power."""
        from scipy.special import ndtri

        critical_effect = self._critical_value(significance) * sqrt(self.null_variance)
        scaled_effect = critical_effect + float(ndtri(power)) * sqrt(self.alternative_variance)
        if scaled_effect <= 0:
            raise InputError(
                f"A power of {format_power(power)} at a significance level of "
                f"{format_power(significance)} is reached without any rows: require more power."
            )
        return (scaled_effect / self.effect) ** 2

    def significance(self, positives: float, power: float) -> float:
        """Significance level at which the AUC test has this power."""
        from scipy.special import ndtr, ndtri

        critical_effect = sqrt(positives) * self.effect - float(ndtri(power)) * sqrt(
            self.alternative_variance
        )
        significance = self.sides * float(ndtr(-critical_effect / sqrt(self.null_variance)))
        if not significance < 1:
            raise InputError(
                f"No significance level gives a power of {format_power(power)}: more rows are "
                "needed."
            )
        return significance

    def _critical_value(self, significance: float) -> float:
        from scipy.special import ndtri

        return float(-ndtri(significance / self.sides))


def _solve_for_unknown(  # noqa: PLR0913, PLR0917 - the four quantities of a test, one of them unknown
    unknown: str,
    planned_test: Callable[[float], PlannedTest],
    reference_auc: float,
    positives: float | None,
    auc: float | None,
    power: float | None,
    significance: float | None,
) -> tuple[float, float, float, float]:
    """Solve for whichever of positives, AUC, power and significance level is unknown.

    An unknown AUC is the smallest detectable one above `reference_auc`.
    """
    positive_rows, target_power, alpha = (
        nan if value is None else float(value) for value in (positives, power, significance)
    )
    if auc is None:
        detectable_auc = _smallest_detectable_auc(
            lambda candidate: planned_test(candidate).power(positive_rows, alpha),
            reference_auc,
            target_power,
        )
        return positive_rows, detectable_auc, target_power, alpha
    test = planned_test(auc)
    if unknown == "positives":
        positive_rows = test.positives(target_power, alpha)
    elif unknown == "power":
        target_power = test.power(positive_rows, alpha)
    else:
        alpha = test.significance(positive_rows, target_power)
    return positive_rows, auc, target_power, alpha


def _smallest_detectable_auc(
    power: Callable[[float], float], reference_auc: float, target: float
) -> float:
    """Smallest AUC above a reference that is detected with the target power.

    Close to 1 the power may fall again, so a grid is searched before bisection.
    """
    grid = np.linspace(reference_auc, 1, 1002)[:-1]
    reaches_target = [power(float(auc)) >= target for auc in grid[1:]]
    if not any(reaches_target):
        raise InputError(
            f"With so few rows, no AUC can be distinguished from {reference_auc:g} with a power of "
            f"{format_power(target)}."
        )
    index = reaches_target.index(True)
    low, high = float(grid[index]), float(grid[index + 1])
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if power(middle) >= target else (middle, high)
    return high


DEFAULT_CORRELATION = 0.5
"""Correlation assumed between two AUCs on the same rows."""


@dataclass(frozen=True)
class Pilot:
    """Pilot study of two AUCs: their variances, their covariance and the rows of each class.

    `Pilot.of` computes them, and the AUCs themselves, from the rows of a pilot study.

    Example:
        >>> Pilot(0.0032, 0.0027, -0.0008, positives=41, negatives=72).negatives
        72
    """

    first_variance: float
    second_variance: float
    covariance: float
    positives: float
    negatives: float
    first_auc: float | None = None
    second_auc: float | None = None

    @classmethod
    def of(cls, rows: PairedRanking, first: str | None = None, second: str | None = None) -> Pilot:
        """Pilot study from rows that two models scored, by DeLong's method.

        Args:
            rows: The rows: `compare(…).paired`.
            first: Name of the first model; by default the first of two.
            second: Name of the second model.

        Example:
            >>> from tradeoff import compare
            >>> scores = {"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}
            >>> pilot = Pilot.of(compare([0, 0, 1, 0, 1, 1], scores).paired)
            >>> round(pilot.first_auc, 4), round(pilot.second_auc, 4), round(pilot.correlation, 4)
            (0.8889, 0.7778, 0.3162)
        """
        names = [first, second] if first is not None and second is not None else list(rows.models)
        for name in names:
            if name not in rows.models:
                raise UnknownName(
                    f"No model is called {name!r}.{did_you_mean(str(name), rows.models)} "
                    f"Available models: {format_list(rows.models)}."
                )
        if len(names) != 2:
            raise InputError(
                f"A pilot compares two models, not {len(names)}: name the first and the second."
            )
        paired = rows.select_models(*names)
        aucs = auc_covariance(paired)
        if np.isnan(aucs.covariance).any():
            raise InputError("A pilot needs two rows of each class or more.")
        ranking = next(iter(paired.rankings.values()))
        (first_variance, covariance), (_, second_variance) = aucs.covariance.tolist()
        return cls(
            first_variance,
            second_variance,
            covariance,
            float(ranking.positives),
            float(ranking.negatives),
            *aucs.values.tolist(),
        )

    @property
    def correlation(self) -> float:
        """Correlation of the two estimated AUCs."""
        return self.covariance / sqrt(self.first_variance * self.second_variance)

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
                f"The covariance of two AUCs cannot exceed the square root of the product of their "
                f"variances ({sqrt(variances[0] * variances[1]):g}), but it is {self.covariance:g}."
            )


def planned_auc_variance(auc: float, ratio: float) -> float:
    """Planning variance of an AUC for one positive row and `ratio` negative rows.

    Obuchowski's formula for normal scores of equal variance, with her rounded constants, as in
    pROC.

    Example:
        >>> round(planned_auc_variance(0.8, ratio=1.0), 4)
        0.1195
    """
    from scipy.special import ndtri

    squared_shift = (1.414 * float(ndtri(auc))) ** 2
    class_terms = 5 * squared_shift + 8 + (squared_shift + 8) / ratio
    return 0.0099 * exp(-squared_shift / 2) * class_terms


@suggest_arguments
def plan_auc(  # noqa: PLR0913 - the parameters of a plan
    *,
    auc: float | None = None,
    positives: float | None = None,
    negatives: float | None = None,
    ratio: float | None = None,
    prevalence: float | None = None,
    power: float | None = None,
    significance: float | None = 0.05,
) -> Plan:
    """Sample size or power for a test of one AUC against chance (0.5).

    Leave out exactly one of auc, positives, power and significance (significance by passing None):
    it is solved for.

    Args:
        auc: Expected AUC.
        positives: Number of positive rows.
        negatives: Number of negative rows; alternatively, give `ratio` or `prevalence`.
        ratio: Negatives per positive; 1 by default.
        prevalence: Proportion of positives among all rows.
        power: Probability of detecting the difference if it exists.
        significance: Significance level of the two-sided test: the probability of detecting a
            difference that does not exist.

    Example:
        >>> print(plan_auc(auc=0.8, positives=41, negatives=72))
        With 41 positive and 72 negative rows, an AUC of 0.80 is distinguished from chance with a \
power of 99.995% (two-sided significance level 5%).
        >>> round(plan_auc(auc=0.8, power=0.9, ratio=72 / 41).positives, 4)
        13.3382
    """
    unknown = missing_parameter(
        positives=positives, auc=auc, power=power, significance=significance
    )
    require_between(auc, "An AUC to be distinguished from chance", 0.5)
    _require_power_and_significance(power, significance)
    class_ratio = negatives_per_positive(positives, negatives, ratio, prevalence)

    def planned_test(candidate: float) -> PlannedTest:
        null_variance = 0.0792 * (1 + 1 / class_ratio)
        alternative_variance = planned_auc_variance(candidate, class_ratio)
        return PlannedTest(candidate - 0.5, null_variance, alternative_variance)

    positive_rows, auc, power, significance = _solve_for_unknown(
        unknown, planned_test, 0.5, positives, auc, power, significance
    )
    target = f"an AUC of {format_planned_auc(auc)}", "from chance"
    power_description = PowerDescription(
        format_class_rows(positive_rows, class_ratio * positive_rows),
        "distinguish {} {}",
        "{} is distinguished {}",
        target,
    )
    return Plan(
        "one AUC against chance",
        unknown,
        positive_rows,
        class_ratio * positive_rows,
        positive_rows + class_ratio * positive_rows,
        power,
        significance,
        {"auc": auc, "ratio": class_ratio},
        (power_description.describe(unknown, power, significance),),
    )


@suggest_arguments
def plan_auc_difference(  # noqa: PLR0913 - the parameters of a plan
    *,
    first: float | None = None,
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
    """Sample size or power for a comparison of two AUCs: a difference, or non-inferiority.

    Leave out exactly one of second, positives, power and significance (significance by passing
    None): it is solved for. If `second` is left out, it is the smallest AUC above the first that
    can be distinguished from it.

    Args:
        first: AUC of the reference model; under the null hypothesis both models have its variance.
        second: Expected AUC of the other model.
        positives: Number of positive rows; per group if not paired.
        negatives: Number of negative rows; alternatively, give `ratio` or `prevalence`.
        ratio: Negatives per positive; by default that of the pilot, or 1.
        prevalence: Proportion of positives among all rows.
        power: Probability of detecting the difference if it exists.
        significance: Significance level of the two-sided test; with a margin, of the one-sided test
            of non-inferiority.
        paired: Whether both models score the same rows; otherwise each scores a separate group.
        correlation: Correlation of the two estimated AUCs (not of the scores): 0.5 by default, 0
            if not paired. It has a large effect; a pilot study provides an estimate.
        margin: Non-inferiority margin: how much worse the second model may be.
        pilot: Variances and covariance from a pilot study, in place of assumptions.

    Example:
        >>> print(plan_auc_difference(first=0.75, second=0.8, power=0.8, correlation=0.6))
        To distinguish an AUC of 0.80 from one of 0.75 with a power of 80% (two-sided significance \
level 5%), 333 positive and 333 negative rows scored by both models are needed. The correlation \
of the two estimated AUCs is assumed to be 0.6.
    """
    if pilot is not None:
        first = pilot.first_auc if first is None else first
        if second is None and None in {positives, power, significance}:
            second = pilot.second_auc
    if first is None:
        raise InputError("Give the expected AUC of the first model: first=0.8.")
    unknown = missing_parameter(
        positives=positives, second=second, power=power, significance=significance
    )
    for auc, description in ((first, "The first AUC"), (second, "The second AUC")):
        require_between(auc, description)
    _require_power_and_significance(power, significance)
    _require_design(first, second, margin, pilot, correlation, paired=paired)
    class_ratio = _class_ratio(pilot, positives, negatives, ratio, prevalence)
    assumed_correlation = DEFAULT_CORRELATION if correlation is None else float(correlation)
    assumed_correlation = assumed_correlation if paired else 0.0

    def planned_test(candidate: float) -> PlannedTest:
        null_variance, alternative_variance = _variances(
            first, candidate, class_ratio, assumed_correlation, pilot
        )
        if margin is not None:
            effect = candidate - first + margin
            return PlannedTest(effect, alternative_variance, alternative_variance, sides=1)
        return PlannedTest(abs(candidate - first), null_variance, alternative_variance)

    positive_rows, second, power, significance = _solve_for_unknown(
        unknown, planned_test, first, positives, second, power, significance
    )
    values = {"first": first, "second": second, "difference": second - first, "ratio": class_ratio}
    if margin is not None:
        values["margin"] = margin
    values["correlation"] = assumed_correlation if pilot is None else pilot.correlation
    class_rows = format_class_rows(positive_rows, class_ratio * positive_rows)
    power_description = _power_description(first, second, margin, class_rows, paired=paired)
    return Plan(
        "two AUCs" if margin is None else "non-inferiority of an AUC",
        unknown,
        positive_rows,
        class_ratio * positive_rows,
        (1 if paired else 2) * (positive_rows + class_ratio * positive_rows),
        power,
        significance,
        values,
        (
            power_description.describe(unknown, power, significance),
            *_describe_assumptions(assumed_correlation, pilot, paired=paired),
        ),
    )


def _variances(
    first: float, second: float, ratio: float, correlation: float, pilot: Pilot | None
) -> tuple[float, float]:
    """Variances per positive row of a difference under the null and the alternative hypothesis."""
    if pilot is not None:
        first_variance, second_variance = pilot.first_variance, pilot.second_variance
        null_variance = 2 * (first_variance - pilot.covariance)
        alternative_variance = first_variance + second_variance - 2 * pilot.covariance
        return null_variance * pilot.positives, alternative_variance * pilot.positives
    first_variance, second_variance = (planned_auc_variance(auc, ratio) for auc in (first, second))
    covariance = correlation * sqrt(first_variance * second_variance)
    alternative_variance = first_variance + second_variance - 2 * covariance
    return 2 * first_variance * (1 - correlation), alternative_variance


def _require_power_and_significance(power: float | None, significance: float | None) -> None:
    require_between(power, "The power")
    require_between(significance, "The significance level")
    if power is not None and significance is not None and power <= significance:
        raise InputError(
            f"A power of {format_power(power)} must exceed the significance level of "
            f"{format_power(significance)}: a test rejects that often even without any effect."
        )


def _require_design(  # noqa: PLR0913 - parameters that must be compatible
    first: float,
    second: float | None,
    margin: float | None,
    pilot: Pilot | None,
    correlation: float | None,
    *,
    paired: bool,
) -> None:
    require_between(correlation, "The correlation of two AUCs", -1.0)
    if correlation is not None and pilot is not None:
        raise InputError("Give a correlation or a pilot, not both: the pilot determines it.")
    if not paired and (correlation or (pilot is not None and pilot.covariance)):
        raise InputError("AUCs on different rows (paired=False) are uncorrelated.")
    if pilot is not None:
        variances = _variances(first, first, 1.0, 0.0, pilot)
        if not (variances[1] if margin is not None else min(variances)) > 0:
            raise InputError(
                "In the pilot, the covariance is as large as the variance of the first AUC, so "
                "equal AUCs would never differ by chance: name the other model first."
            )
    require_between(margin, "The margin")
    if margin is not None and second is None:
        raise InputError("With a margin, also give the expected AUC of the second model.")
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
    pilot_ratio = pilot.negatives / pilot.positives
    if negatives is None and ratio is None and prevalence is None:
        require_rows(positives, "Positives")
        return pilot_ratio
    class_ratio = negatives_per_positive(positives, negatives, ratio, prevalence)
    if abs(class_ratio / pilot_ratio - 1) > 1e-6:
        raise InputError(
            f"The variances of the pilot apply to {pilot_ratio:.4g} negatives per positive, as in "
            f"its rows, not to {class_ratio:.4g}."
        )
    return class_ratio


def _power_description(
    first: float, second: float, margin: float | None, class_rows: str, *, paired: bool
) -> PowerDescription:
    rows = f"{class_rows} {'scored by both models' if paired else 'for each of the two models'}"
    expected = f"an AUC of {format_planned_auc(second)}"
    reference = f"one of {format_planned_auc(first)}"
    if margin is None:
        target = expected, f"from {reference}"
        return PowerDescription(rows, "distinguish {} {}", "{} is distinguished {}", target)
    target = expected, f"is not worse than {reference} by {margin:g} or more"
    return PowerDescription(rows, "show that {} {}", "it is shown that {} {}", target, "one")


def _describe_assumptions(
    correlation: float, pilot: Pilot | None, *, paired: bool
) -> tuple[str, ...]:
    if pilot is not None:
        rows = format_class_rows(pilot.positives, pilot.negatives)
        pilot_correlation = with_minus_sign(f"{pilot.correlation:.2g}")
        return (
            (
                f"The variances of the two AUCs and their correlation of {pilot_correlation} are "
                f"those of the pilot study ({rows})."
            ),
        )
    if not paired:
        return ()
    return (f"The correlation of the two estimated AUCs is assumed to be {correlation:g}.",)
