"""Sample size and power for a share (proportion) such as sensitivity.

The aim is a confidence interval of a given half-width, or a test that the proportion exceeds a
bound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import require_prevalence
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_number,
    suggest_arguments,
)
from tradeoff.formatting import format_count
from tradeoff.power.plan import (
    Plan,
    format_power,
    missing_parameter,
    require_between,
    require_rows,
    round_up_rows,
)
from tradeoff.stats.interval_methods import methods_by_name, require_level
from tradeoff.stats.proportions import proportion_interval

ROW_PHRASES = {"positive": "positive rows", "negative": "negative rows", "all": "rows"}
MAX_ROWS = 10_000_000
"""Largest sample size to consider for an exact test."""


@suggest_arguments
def plan_share(  # noqa: PLR0913 - the parameters of a plan
    *,
    share: float,
    class_rows: float | None = None,
    half_width: float | None = None,
    above: float | None = None,
    power: float | None = None,
    level: float = 0.95,
    significance: float = 0.05,
    method: str = "wilson",
    of: str = "positive",
    prevalence: float | None = None,
) -> Plan:
    """Sample size or power for a share: its confidence interval, or a test against a bound.

    Sensitivity is a proportion of the positive rows, specificity of the negative rows and accuracy
    of all rows. For a confidence interval, give either `class_rows` or `half_width`; to show that
    the proportion exceeds a bound, give `above` and either `class_rows` or `power`.

    Args:
        share: Expected proportion.
        class_rows: Number of rows in the denominator of the proportion.
        half_width: Half-width of the confidence interval, if the proportion is as expected.
        above: Bound to exceed, in a one-sided exact binomial test.
        power: Power of the test.
        level: Confidence level of the interval.
        significance: Significance level of the test.
        method: Interval method, as for any proportion: "wilson", "clopper-pearson" and so on.
        of: Rows in the denominator: "positive", "negative" or "all".
        prevalence: Proportion of positives among all rows, to compute the total number of rows.

    Example:
        >>> print(plan_share(share=0.9, half_width=0.05, prevalence=0.2))
        To estimate a proportion of 90% to within ±5 percentage points (half-width of the 95% \
Wilson interval), 141 positive rows are needed, or about 705 rows at a prevalence of 20%.
        >>> plan = plan_share(share=0.9, above=0.8, power=0.9)
        >>> plan.positives, round(plan.power, 4)
        (112.0, 0.9078)
    """
    if of not in ROW_PHRASES:
        raise UnknownName(
            f"There is no class {of!r}.{did_you_mean(str(of), ROW_PHRASES)} Available classes: "
            f"{format_list(ROW_PHRASES)}."
        )
    require_level(level)
    require_between(significance, "The significance level")
    require_rows(class_rows, f"{ROW_PHRASES[of].capitalize()}")
    if prevalence is not None:
        require_prevalence(prevalence)
    if above is None and power is not None:
        raise InputError("A power applies to a test: also give the proportion to exceed (above).")
    if above is not None and half_width is not None:
        raise InputError("Plan for a half-width or for a test (above), not for both at once.")
    if above is None:
        unknown = missing_parameter(class_rows=class_rows, half_width=half_width)
        return _plan_half_width(
            unknown, share, half_width, level, method, _ClassRows(class_rows, of, prevalence)
        )
    unknown = missing_parameter(class_rows=class_rows, power=power)
    return _plan_exact_test(
        unknown, share, above, power, significance, _ClassRows(class_rows, of, prevalence)
    )


@dataclass(frozen=True)
class _ClassRows:
    """Rows in the denominator of a proportion, and the total number of rows that they imply."""

    count: float | None
    denominator: str
    prevalence: float | None

    @property
    def class_rows(self) -> float:
        return nan if self.count is None else float(self.count)

    @property
    def total(self) -> float | None:
        if self.denominator == "all":
            return self.class_rows
        if self.prevalence is None:
            return None
        proportion = self.prevalence if self.denominator == "positive" else 1 - self.prevalence
        return self.class_rows / proportion

    def describe(self) -> tuple[str, str]:
        """Descriptions of the number of rows in the denominator, and of the total."""
        class_rows = (
            f"{format_count(round_up_rows(self.class_rows))} {ROW_PHRASES[self.denominator]}"
        )
        if self.denominator == "all" or self.prevalence is None or self.total is None:
            return class_rows, ""
        total = f"about {format_count(round_up_rows(self.total))} rows at a prevalence of"
        return class_rows, f", or {total} {format_power(self.prevalence)}"

    def plan(self, what: str, unknown: str, values: dict[str, float], *sentences: str) -> Plan:
        positives = self.class_rows if self.denominator == "positive" else None
        negatives = self.class_rows if self.denominator == "negative" else None
        if self.prevalence is not None and self.total is not None:
            positives = self.prevalence * self.total
            negatives = self.total - positives
        return Plan(
            what, unknown, positives, negatives, self.total, values=values, sentences=sentences
        )


def _plan_half_width(  # noqa: PLR0913, PLR0917 - the parameters of a plan
    unknown: str,
    share: float,
    half_width: float | None,
    level: float,
    method: str,
    rows: _ClassRows,
) -> Plan:
    if not 0 <= require_number(share, "The expected proportion") <= 1:
        raise InputError(f"The expected proportion must be from 0 to 1, not {share:g}.")
    require_between(half_width, "The half-width", 0.0, 0.5)
    if half_width is None:
        target = _half_width(share, rows.class_rows, level, method)
    else:
        target = half_width
        count = _min_rows(lambda n: _half_width(share, n, level, method) <= target)
        rows = replace(rows, count=count)
    class_rows, total = rows.describe()
    precision = (
        f"to within ±{100 * target:.3g} percentage points (half-width of the {100 * level:g}% "
        f"{methods_by_name('shares')[method].label} interval)"
    )
    proportion = f"a proportion of {format_power(share)}"
    sentence = (
        f"To estimate {proportion} {precision}, {class_rows} are needed{total}."
        if unknown == "class_rows"
        else f"With {class_rows}{total}, {proportion} is estimated {precision}."
    )
    expected_half_width = _half_width(share, rows.class_rows, level, method)
    values = {"share": share, "half_width": expected_half_width, "level": level}
    return rows.plan("precision of a share", unknown, values, sentence)


def _plan_exact_test(  # noqa: PLR0913, PLR0917 - the parameters of a plan
    unknown: str,
    share: float,
    above: float,
    power: float | None,
    significance: float,
    rows: _ClassRows,
) -> Plan:
    require_between(above, "The proportion to exceed")
    require_between(power, "The power")
    if not above < require_number(share, "The expected proportion") <= 1:
        raise InputError(
            f"The expected proportion must be above the one to exceed ({above:g}) and at most 1, "
            f"not {share:g}: expect a larger proportion, or lower the bound."
        )
    if power is not None:
        rows = replace(rows, count=_min_rows_for_power(share, above, power, significance))
    if not rows.class_rows.is_integer():
        raise InputError(f"An exact test needs a whole number of rows, not {rows.class_rows:g}.")
    sizes = np.array([rows.class_rows])
    columns = exact_binomial_power(sizes, share, above, significance)
    hits, exact_power = (float(column[0]) for column in columns)
    class_rows, total = rows.describe()
    claim = f"that a proportion of {format_power(share)} exceeds {format_power(above)}"
    test = f"(exact one-sided test, significance level {format_power(significance)})"
    sentence = (
        f"To show {claim} with a power of {format_power(power or exact_power)} {test}, "
        f"{class_rows} are needed{total}."
        if unknown == "class_rows"
        else f"With {class_rows}{total}, the test shows {claim} with a power of "
        f"{format_power(exact_power)} {test}."
    )
    rejection_rule = (
        f"The test rejects with at least {format_count(hits)} hits among "
        f"{format_count(rows.class_rows)} rows."
    )
    if hits > rows.class_rows:
        rejection_rule = "With so few rows, the test cannot reject even if all are hits."
    values = {"share": share, "above": above, "hits": hits}
    plan = rows.plan("a share above a bound", unknown, values, sentence, rejection_rule)
    return replace(plan, power=exact_power, significance=significance)


def _half_width(share: float, rows: float, level: float, method: str = "wilson") -> float:
    """Half-width of the confidence interval for a proportion that is exactly as expected.

    Example:
        >>> round(_half_width(0.5, 100, 0.95), 4)
        0.0962
    """
    low, high = proportion_interval(share * rows, rows, level, method)
    return float(high - low) / 2


def exact_binomial_power(
    rows: NDArray[np.float64], share: float, above: float, significance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Critical number and power of an exact binomial test of a share, for each sample size.

    Example:
        >>> hits, power = exact_binomial_power(np.array([10.0]), 0.9, 0.5, 0.05)
        >>> hits.tolist(), power.round(4).tolist()
        ([9.0], [0.7361])
    """
    from scipy.special import bdtrc

    low, high = np.full(rows.shape, -1.0), rows.copy()
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        is_significant = bdtrc(middle, rows.astype(np.int64), above) <= significance
        low, high = np.where(is_significant, low, middle), np.where(is_significant, middle, high)
    # If the proportion equals the bound, P(more than `high` successes) <= significance.
    return high + 1, np.asarray(bdtrc(high, rows.astype(np.int64), share))


def _min_rows(is_enough: Callable[[int], bool]) -> float:
    """Smallest sample size that is enough, provided that all larger ones are too."""
    high = 1
    while not is_enough(high):
        high *= 2
        if high > 2**50:
            raise InputError("An interval this narrow needs more rows than can be collected.")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return float(high)


def _min_rows_for_power(share: float, above: float, power: float, significance: float) -> float:
    """Smallest sample size that reaches the power; slightly larger ones may fall just short."""
    from scipy.special import ndtri

    # Start from the normal approximation, less a margin that exceeds its error.
    standard_deviations = sqrt(above * (1 - above)), sqrt(share * (1 - share))
    distance = (
        -float(ndtri(significance)) * standard_deviations[0]
        + float(ndtri(power)) * standard_deviations[1]
    )
    approximate_rows = max(distance / (share - above), 1.0) ** 2
    start = 1
    if approximate_rows > 1000:
        start = max(1, int(approximate_rows - 10 * sqrt(approximate_rows)))
    while start < MAX_ROWS:
        rows = np.arange(start, start + 1024, dtype=np.float64)
        powers = exact_binomial_power(rows, share, above, significance)[1]
        indices = np.flatnonzero(powers >= power)
        if len(indices):
            return float(rows[indices[0]])
        start += 1024
    raise InputError(
        f"More than {MAX_ROWS:,} rows would be needed: the expected proportion and the one to "
        "exceed are too close."
    )
