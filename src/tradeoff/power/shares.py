"""Sample size and power for proportions such as sensitivity: precision, or a bound to exceed."""

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
from tradeoff.power.plan import (
    Plan,
    format_percent,
    missing_parameter,
    require_between,
    require_rows,
    round_up_rows,
)
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.proportions import proportion_interval
from tradeoff.text import format_count

CLASSES = {"positive": "positive rows", "negative": "negative rows", "all": "rows"}
MOST = 10_000_000
"""The largest sample size that is searched for an exact test."""


@suggest_arguments
def plan_share(  # noqa: PLR0913 - what a plan may say
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
    """Sample size or power for a proportion: its precision, or a test that it exceeds a bound.

    A sensitivity is a share of the positive rows, a specificity one of the negative rows, an
    accuracy one of all. For its precision, give either `class_rows` or `half_width`; to show
    that it lies above a bound, give `above` and either `class_rows` or `power`.

    Args:
        share: The expected share.
        class_rows: Rows of the class that the share is counted among.
        half_width: Half the width of the interval, if the share turns out as expected.
        above: The share to exceed, in a one-sided exact binomial test.
        power: Power of the test.
        level: Confidence level of the interval.
        significance: Significance level of the test.
        method: Method of the interval, as for any share: "wilson", "clopper-pearson" and so on.
        of: The class: "positive", "negative" or "all".
        prevalence: The share of positives among all rows, for the number of all rows.

    Example:
        >>> print(plan_share(share=0.9, half_width=0.05, prevalence=0.2))
        To estimate a share of 90% within ±5 percentage points (half-width of the 95% CI, wilson), \
141 positive rows are needed, that is about 705 rows at a prevalence of 20%.
        >>> plan = plan_share(share=0.9, above=0.8, power=0.9)
        >>> plan.positives, round(plan.power, 4)
        (112.0, 0.9078)
    """
    if of not in CLASSES:
        raise UnknownName(
            f"There is no class {of!r}.{did_you_mean(str(of), CLASSES)} There are "
            f"{format_list(CLASSES)}."
        )
    require_level(level)
    require_between(significance, "A significance")
    require_rows(class_rows, f"{CLASSES[of].capitalize()}")
    if prevalence is not None:
        require_prevalence(prevalence)
    if above is None and power is not None:
        raise InputError("Power belongs to a test: give the share to exceed (above).")
    if above is not None and half_width is not None:
        raise InputError("Plan for a half-width or for a test, not for both at once.")
    if above is None:
        solved = missing_parameter(class_rows=class_rows, half_width=half_width)
        return _plan_precision(
            solved, share, half_width, level, method, _ClassRows(class_rows, of, prevalence)
        )
    solved = missing_parameter(class_rows=class_rows, power=power)
    return _plan_exact_test(
        solved, share, above, power, significance, _ClassRows(class_rows, of, prevalence)
    )


@dataclass(frozen=True)
class _ClassRows:
    """Rows of the class that a share refers to, and the number of all rows that follows."""

    number: float | None
    of: str
    prevalence: float | None

    @property
    def class_rows(self) -> float:
        return nan if self.number is None else float(self.number)

    @property
    def total(self) -> float | None:
        if self.of == "all":
            return self.class_rows
        if self.prevalence is None:
            return None
        return self.class_rows / (self.prevalence if self.of == "positive" else 1 - self.prevalence)

    def words(self) -> tuple[str, str]:
        """The rows of the class, and of both classes together, in words."""
        class_rows = f"{format_count(round_up_rows(self.class_rows))} {CLASSES[self.of]}"
        if self.of == "all" or self.prevalence is None or self.total is None:
            return class_rows, ""
        total = f"about {format_count(round_up_rows(self.total))} rows at a prevalence of"
        return class_rows, f", that is {total} {format_percent(self.prevalence)}"

    def plan(self, what: str, solved: str, values: dict[str, float], *sentences: str) -> Plan:
        positives = self.class_rows if self.of == "positive" else None
        negatives = self.class_rows if self.of == "negative" else None
        if self.prevalence is not None and self.total is not None:
            positives = self.prevalence * self.total
            negatives = self.total - positives
        return Plan(
            what, solved, positives, negatives, self.total, values=values, sentences=sentences
        )


def _plan_precision(  # noqa: PLR0913, PLR0917 - what a plan may say
    solved: str, share: float, half_width: float | None, level: float, method: str, rows: _ClassRows
) -> Plan:
    if not 0 <= require_number(share, "A share") <= 1:
        raise InputError(f"A share must lie from 0 to 1, not at {share:g}.")
    require_between(half_width, "A half-width", 0.0, 0.5)
    if half_width is None:
        target = _half_width(share, rows.class_rows, level, method)
    else:
        target = half_width
        number = _fewest_rows(lambda n: _half_width(share, n, level, method) <= target)
        rows = replace(rows, number=number)
    class_rows, total = rows.words()
    precision = (
        f"within ±{100 * target:.3g} percentage points (half-width of the {100 * level:g}% CI, "
        f"{method})"
    )
    claim = f"a share of {format_percent(share)}"
    sentence = (
        f"To estimate {claim} {precision}, {class_rows} are needed{total}."
        if solved == "class_rows"
        else f"With {class_rows}{total}, {claim} is estimated {precision}."
    )
    actual = _half_width(share, rows.class_rows, level, method)
    values = {"share": share, "half_width": actual, "level": level}
    return rows.plan("precision of a share", solved, values, sentence)


def _plan_exact_test(  # noqa: PLR0913, PLR0917 - what a plan may say
    solved: str,
    share: float,
    above: float,
    power: float | None,
    significance: float,
    rows: _ClassRows,
) -> Plan:
    require_between(above, "The share to exceed")
    require_between(power, "A power")
    if not above < require_number(share, "A share") <= 1:
        raise InputError(
            f"A share of {share:g} does not exceed {above:g}: expect a larger one, up to 1, or "
            "ask for less."
        )
    if power is not None:
        rows = replace(rows, number=_fewest_rows_for_power(share, above, power, significance))
    if not rows.class_rows.is_integer():
        raise InputError(f"An exact test needs a whole number of rows, not {rows.class_rows:g}.")
    sizes = np.array([rows.class_rows])
    columns = exact_binomial_test(sizes, share, above, significance)
    hits, actual_power = (float(column[0]) for column in columns)
    class_rows, total = rows.words()
    claim = f"that a share of {format_percent(share)} exceeds {format_percent(above)}"
    risk = f"(exact one-sided test, significance level {format_percent(significance)})"
    sentence = (
        f"To show {claim} with a power of {format_percent(power or actual_power)} {risk}, "
        f"{class_rows} are needed{total}."
        if solved == "class_rows"
        else f"With {class_rows}{total}, the test shows {claim} with a power of "
        f"{format_percent(actual_power)} {risk}."
    )
    rule = (
        f"The test needs at least {format_count(hits)} hits among {format_count(rows.class_rows)}."
    )
    if hits > rows.class_rows:
        rule = "With so few rows the test cannot reject even if all are hits."
    values = {"share": share, "above": above, "hits": hits}
    plan = rows.plan("a share above a bound", solved, values, sentence, rule)
    return replace(plan, power=actual_power, significance=significance)


def _half_width(share: float, rows: float, level: float, method: str = "wilson") -> float:
    """Half-width of the interval of a share, if hits are as many as expected.

    Example:
        >>> round(_half_width(0.5, 100, 0.95), 4)
        0.0962
    """
    low, high = proportion_interval(share * rows, rows, level, method)
    return float(high - low) / 2


def exact_binomial_test(
    rows: NDArray[np.float64], share: float, above: float, significance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Critical number of hits and power of an exact binomial test, for each number of rows.

    Example:
        >>> hits, power = exact_binomial_test(np.array([10.0]), 0.9, 0.5, 0.05)
        >>> hits.tolist(), power.round(4).tolist()
        ([9.0], [0.7361])
    """
    from scipy.special import bdtrc

    too_few, enough = np.full(rows.shape, -1.0), rows.copy()
    while np.any(enough - too_few > 1):
        middle = np.floor((too_few + enough) / 2)
        rare = bdtrc(middle, rows.astype(np.int64), above) <= significance
        too_few, enough = np.where(rare, too_few, middle), np.where(rare, middle, enough)
    # More hits than `enough` are rare where the share is only the bound.
    return enough + 1, np.asarray(bdtrc(enough, rows.astype(np.int64), share))


def _fewest_rows(enough: Callable[[int], bool]) -> float:
    """The smallest sample size that is enough, where more rows are always enough too."""
    high = 1
    while not enough(high):
        high *= 2
        if high > 2**50:
            raise InputError("So narrow an interval needs more rows than can be collected.")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def _fewest_rows_for_power(share: float, above: float, power: float, significance: float) -> float:
    """The smallest sample size with the power; slightly larger ones may have a little less."""
    from scipy.special import ndtri

    # Start from the normal approximation, less a margin that exceeds its error.
    deviations = sqrt(above * (1 - above)), sqrt(share * (1 - share))
    reach = -float(ndtri(significance)) * deviations[0] + float(ndtri(power)) * deviations[1]
    about = max(reach / (share - above), 1.0) ** 2
    start = max(1, int(about - 10 * sqrt(about)) if about > 1000 else 1)
    while start < MOST:
        rows = np.arange(start, start + 1024, dtype=np.float64)
        enough = np.flatnonzero(exact_binomial_test(rows, share, above, significance)[1] >= power)
        if len(enough):
            return float(rows[enough[0]])
        start += 1024
    raise InputError(f"More than {MOST:,} rows would be needed: the shares are too close.")
