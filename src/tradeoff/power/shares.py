"""Planning for shares such as sensitivity: how precisely they are known, and what they exceed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import nan, sqrt

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import demand_prevalence
from tradeoff.errors import InputError, UnknownName, as_number, did_you_mean, listed
from tradeoff.power.plan import Plan, demand_rows, inside, missing_one, percent, whole
from tradeoff.stats.normal import demand_level
from tradeoff.stats.proportions import proportion
from tradeoff.text import count

CLASSES = {"positive": "positive rows", "negative": "negative rows", "all": "rows"}
MOST = 10_000_000
"""A study of more rows is not planned by counting them one by one."""


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
    """Plan to know a share precisely, or to show that it exceeds a bound.

    A sensitivity is a share of the positive rows, a specificity one of the negative rows, an
    accuracy one of all. To know it precisely, give either `class_rows` or `half_width`; to show
    that it lies above a bound, give `above` and either `class_rows` or `power`.

    Args:
        share: The share that is expected.
        class_rows: Rows of the class that the share is counted among.
        half_width: Half the width of the interval, if the share turns out as expected.
        above: The share that is to be exceeded, in a one-sided exact binomial test.
        power: The probability that the test shows it.
        level: Of the interval.
        significance: The probability that the test shows it though it is not so, at most.
        method: Of the interval, as for any share: "wilson", "clopper-pearson" and so on.
        of: The class: "positive", "negative" or "all".
        prevalence: The share of positives among all rows, for the number of all rows.

    Example:
        >>> print(plan_share(share=0.9, half_width=0.05, prevalence=0.2))
        For a share of 90 % to be known within 5 percentage points (half the width of the 95 % \
interval by wilson), 141 positive rows are needed, that is about 705 rows at a prevalence of 20 %.
        >>> plan = plan_share(share=0.9, above=0.8, power=0.9)
        >>> plan.positives, round(plan.power, 4)
        (112.0, 0.9078)
    """
    if of not in CLASSES:
        raise UnknownName(
            f"No rows are called {of!r}.{did_you_mean(str(of), CLASSES)} There are "
            f"{listed(CLASSES)}."
        )
    demand_level(level)
    inside(significance, "A significance")
    demand_rows(class_rows, f"{CLASSES[of].capitalize()}")
    if prevalence is not None:
        demand_prevalence(prevalence)
    if above is None and power is not None:
        raise InputError("A power belongs to a test: say which share is to be exceeded (above).")
    if above is not None and half_width is not None:
        raise InputError("Plan for a half width or to exceed a share, not for both at once.")
    if above is None:
        solved = missing_one(class_rows=class_rows, half_width=half_width)
        return _precise(solved, share, half_width, level, method, _Rows(class_rows, of, prevalence))
    solved = missing_one(class_rows=class_rows, power=power)
    return _exceeding(solved, share, above, power, significance, _Rows(class_rows, of, prevalence))


@dataclass(frozen=True)
class _Rows:
    """Rows of the class that a share is counted among, and what they say of all rows."""

    number: float | None
    of: str
    prevalence: float | None

    @property
    def known(self) -> float:
        return nan if self.number is None else float(self.number)

    @property
    def total(self) -> float | None:
        if self.of == "all":
            return self.known
        if self.prevalence is None:
            return None
        return self.known / (self.prevalence if self.of == "positive" else 1 - self.prevalence)

    def words(self) -> tuple[str, str]:
        """The rows, and what they come to where both classes are collected."""
        own = f"{count(whole(self.known))} {CLASSES[self.of]}"
        if self.of == "all" or self.prevalence is None or self.total is None:
            return own, ""
        among = f"about {count(whole(self.total))} rows at a prevalence of"
        return own, f", that is {among} {percent(self.prevalence)}"

    def plan(self, what: str, solved: str, values: dict[str, float], *sentences: str) -> Plan:
        positives = self.known if self.of == "positive" else None
        negatives = self.known if self.of == "negative" else None
        if self.prevalence is not None and self.total is not None:
            positives = self.prevalence * self.total
            negatives = self.total - positives
        return Plan(
            what, solved, positives, negatives, self.total, values=values, sentences=sentences
        )


def _precise(  # noqa: PLR0913, PLR0917 - what a plan may say
    solved: str, share: float, half_width: float | None, level: float, method: str, rows: _Rows
) -> Plan:
    if not 0 <= as_number(share, "A share") <= 1:
        raise InputError(f"A share lies from 0 to 1, not at {share:g}.")
    inside(half_width, "A half width", 0.0, 0.5)
    if half_width is None:
        wanted = _half_width_of(share, rows.known, level, method)
    else:
        wanted = half_width
        number = _fewest(lambda n: _half_width_of(share, n, level, method) <= wanted)
        rows = replace(rows, number=number)
    own, total = rows.words()
    precise = (
        f"within {100 * wanted:.3g} percentage points (half the width of the {100 * level:g} % "
        f"interval by {method})"
    )
    sentence = (
        f"For a share of {percent(share)} to be known {precise}, {own} are needed{total}."
        if solved == "class_rows"
        else f"With {own}{total}, a share of {percent(share)} is known {precise}."
    )
    reached = _half_width_of(share, rows.known, level, method)
    values = {"share": share, "half_width": reached, "level": level}
    return rows.plan("precision of a share", solved, values, sentence)


def _exceeding(  # noqa: PLR0913, PLR0917 - what a plan may say
    solved: str, share: float, above: float, power: float | None, significance: float, rows: _Rows
) -> Plan:
    inside(above, "The share to exceed")
    inside(power, "A power")
    if not above < as_number(share, "A share") <= 1:
        raise InputError(
            f"A share of {share:g} does not exceed {above:g}: expect a larger one, up to 1, or "
            "ask for less."
        )
    if power is not None:
        rows = replace(rows, number=_fewest_for_power(share, above, power, significance))
    if not rows.known.is_integer():
        raise InputError(f"An exact test counts whole rows, not {rows.known:g}.")
    hits, reached = (float(column[0]) for column in
                     exact_test(np.array([rows.known]), share, above, significance))  # fmt: skip
    own, total = rows.words()
    claim = f"that a share of {percent(share)} exceeds {percent(above)}"
    risk = f"(exact one-sided test, significance {percent(significance)})"
    sentence = (
        f"To show {claim} with a power of {percent(power or reached)} {risk}, {own} are "
        f"needed{total}."
        if solved == "class_rows"
        else f"With {own}{total}, it is shown {claim} with a power of {percent(reached)} {risk}."
    )
    when = f"It is shown by {count(hits)} hits or more among {count(rows.known)}."
    if hits > rows.known:
        when = "With so few rows not even hits alone show it."
    values = {"share": share, "above": above, "hits": hits}
    plan = rows.plan("a share above a bound", solved, values, sentence, when)
    return replace(plan, power=reached, significance=significance)


def _half_width_of(share: float, rows: float, level: float, method: str = "wilson") -> float:
    """Half the width of the interval of a share, if hits are as many as expected.

    Example:
        >>> round(_half_width_of(0.5, 100, 0.95), 4)
        0.0962
    """
    low, high = proportion(share * rows, rows, level, method)
    return float(high - low) / 2


def exact_test(
    rows: NDArray[np.float64], share: float, above: float, significance: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each number of rows: the fewest hits that show the claim, and the power.

    Example:
        >>> hits, power = exact_test(np.array([10.0]), 0.9, 0.5, 0.05)
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


def _fewest(enough: Callable[[int], bool]) -> float:
    """The smallest whole number that is enough, where more are always enough too."""
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


def _fewest_for_power(share: float, above: float, power: float, significance: float) -> float:
    """The smallest number of rows with the power; a few more may have a little less of it."""
    from scipy.special import ndtri

    # By the normal approximation, less a distance that its error does not reach.
    spreads = sqrt(above * (1 - above)), sqrt(share * (1 - share))
    reach = -float(ndtri(significance)) * spreads[0] + float(ndtri(power)) * spreads[1]
    about = max(reach / (share - above), 1.0) ** 2
    start = max(1, int(about - 10 * sqrt(about)) if about > 1000 else 1)
    while start < MOST:
        rows = np.arange(start, start + 1024, dtype=np.float64)
        found = np.flatnonzero(exact_test(rows, share, above, significance)[1] >= power)
        if len(found):
            return float(rows[found[0]])
        start += 1024
    raise InputError(f"More than {MOST:,} rows would be needed: the shares are too close.")
