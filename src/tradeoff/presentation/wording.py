"""Words and documents that thresholds and bands share."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.analysis.honesty import METHOD
from tradeoff.render.values import estimate_document, finite
from tradeoff.text import number, share, threshold, told_apart, typed

if TYPE_CHECKING:
    from tradeoff.analysis.honesty import BandCheck, Check
    from tradeoff.analysis.identical import Interval

CHOSEN_ON = "on the rows that it was chosen on"


def at_prevalence(criterion: str, prevalence: float | None) -> str:
    """What was asked, with the prevalence if one was given."""
    return (
        criterion if prevalence is None else f"{criterion} at a prevalence of {share(prevalence)}"
    )


def checked_value(checked: Check | BandCheck | str | None) -> list[tuple[str, str, str]]:
    """What a choice is worth on rows that it did not see."""
    if checked is None:
        return []
    if isinstance(checked, str):
        return [("honest value", "undefined", checked)]
    drawn = f"{checked.replicates} draws, seed {checked.seed}"
    failed = f"; {checked.failed} without a choice" if checked.failed else ""
    sentence = f"on rows that a choice did not see (out-of-bag bootstrap, {drawn}{failed})"
    honest = ("honest value", number(checked.honest.value), checked.honest.reason or sentence)
    low, high = sorted(checked.value)
    if math.isnan(low):
        return [honest]
    ends = f"{number(low)} to {number(high)}"
    level = f"{100 * checked.level:g} % interval"
    return [("interval", ends, f"{level} of the value at this choice, by the same draws"), honest]


def stretch(interval: Interval) -> str:
    """A range of thresholds in words."""
    low, high = interval
    if math.isinf(low):
        return f"{'from' if low > 0 else 'up to'} {written(high)}"
    if math.isinf(high):
        return f"{'above' if high > 0 else 'below'} {written(low)}"
    below, above = told_apart(low, high)
    return f"from {above} to below {below}" if low > high else f"above {below} up to {above}"


def draws_document(checked: Check | BandCheck) -> dict[str, Any]:
    """What an out-of-bag check found, for other programs."""
    return {
        **estimate_document(checked.honest),
        "value_low": finite(min(checked.value)),
        "value_high": finite(max(checked.value)),
        "standard_error": finite(checked.standard_error),
        "level": checked.level,
        "method": METHOD,
        "replicates": checked.replicates,
        "failed": checked.failed,
        "seed": checked.seed,
    }


def pair(interval: Interval) -> list[float | None]:
    """The ends of a range; null where it is open."""
    return [finite(end) for end in interval]


def written(value: float) -> str:
    """A threshold, or that there is none."""
    return "none" if value == math.inf else threshold(value)


def to_type(value: float) -> str:
    """A threshold that decides the same when it is typed, or that there is none."""
    return "none" if value == math.inf else typed(value)
