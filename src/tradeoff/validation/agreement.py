"""Agreement with published values to their last digit, and with certified ones to 16 digits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tradeoff.results import Result

MAX_DIGITS = 16.0
"""Maximum number of decimal digits to which doubles can agree."""
REQUIRED_DIGITS = 14.0
"""Fewer digits indicate a loss of precision beyond rounding of the result."""

Points = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class RecomputedValue:
    """Published value as printed, and the recomputed value that should agree with it.

    `computed` is a string if more than a number was published, such as a whole matrix. It is None,
    with a `reason`, if the value could not be computed.

    Example:
        >>> RecomputedValue("area", "0.7366", 0.73655914).agrees
        True
        >>> RecomputedValue("area", "0.7366", None, "needs tradeoff[train]").agrees is None
        True
    """

    label: str
    published: str
    computed: float | str | None
    reason: str | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether both agree to the published digits; None if not computed."""
        return None if self.computed is None else agrees(self.published, self.computed)


@dataclass(frozen=True)
class Study:
    """Published study: agreement of its values, as printed, with the recomputed ones."""

    title: str
    source: str
    numbers: tuple[RecomputedValue, ...]


def agrees(published: str, computed: float | str) -> bool:
    """Whether a computed value agrees with a published one to the printed digits.

    A decimal agrees if the value rounds to it. Whole numbers are counts and must be equal;
    fractions are exact, up to the rounding error of a double.

    Example:
        >>> agrees("0.893", 0.8932), agrees("0.893", 0.8936), agrees("49/78", 49 / 78)
        (True, False, True)
        >>> agrees("17", 17), agrees("17", 17.2), agrees("7 2; 4 1", "7 2; 4 1")
        (True, False, True)
    """
    if isinstance(computed, str):
        return computed == published
    if not math.isfinite(computed):
        return False
    if "/" in published:
        return agreeing_digits(computed, Fraction(published)) >= REQUIRED_DIGITS
    decimals = printed_decimals(published)
    tolerance = Fraction(1, 2 * 10**decimals) if decimals else 0
    return abs(Fraction(computed) - Fraction(published)) <= tolerance


def printed_decimals(published: str) -> int:
    """Number of printed decimals of a published value, to which a computed one should agree.

    Example:
        >>> printed_decimals("0.7366"), printed_decimals("17")
        (4, 0)
    """
    exponent = Decimal(published).as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def agreeing_digits(computed: float, exact: Fraction) -> float:
    """Number of digits to which a value agrees with the exact one (log relative error), 0 to 16.

    That is -log10(|computed - exact| / |exact|), as for NIST's Statistical Reference Datasets; for
    an exact 0, -log10 |computed|. The double nearest to the exact value has all 16 digits.

    Example:
        >>> agreeing_digits(1 / 3, Fraction(1, 3)), agreeing_digits(0.34, Fraction(1, 3)) > 1
        (16.0, True)
        >>> agreeing_digits(1.0, Fraction(0)), agreeing_digits(float("nan"), Fraction(1))
        (0.0, 0.0)
    """
    if not math.isfinite(computed):
        return 0.0
    if computed == float(exact):
        return MAX_DIGITS
    error = abs(Fraction(computed) - exact)
    relative_error = float(error / abs(exact) if exact else error)
    if not relative_error:
        return MAX_DIGITS
    return min(max(0.0, -math.log10(relative_error)), MAX_DIGITS)


@dataclass(frozen=True)
class ToolAnswer:
    """A tool's agreement with a certified value: its correct digits, or why there are none.

    `value` is None if the tool gave no value: it answered "undefined", rightly or not, or it
    failed; `remark` says which.
    """

    is_right: bool
    digits: float | None = None
    value: float | None = None
    remark: str = ""


@dataclass(frozen=True)
class CertifiedNumber:
    """Exact value of a certified quantity (None if undefined), and how well each tool agrees."""

    data_set: str
    quantity: str
    exact: Fraction | Points | None
    results: Mapping[str, ToolAnswer]


REFUSED = "refused"
UNDEFINED = "undefined"


def assess_answer(
    exact: Fraction | Points | None, value: float | tuple[tuple[float, float], ...] | str
) -> ToolAnswer:
    """Agreement of a tool's answer with the certified value; a string is the tool's error message.

    An error and the answer "undefined" are right if the value is undefined.

    Example:
        >>> assess_answer(Fraction(1, 2), 0.5).digits, assess_answer(None, float("nan")).is_right
        (16.0, True)
        >>> assess_answer(None, 0.0)
        ToolAnswer(is_right=False, digits=None, value=0.0, remark='not undefined')
    """
    if isinstance(value, str):
        return ToolAnswer(is_right=exact is None, remark=f"{REFUSED}: {value}")
    if isinstance(value, tuple):
        return _assess_points(exact, value)
    if math.isnan(value):
        return ToolAnswer(is_right=exact is None, remark=UNDEFINED)
    if not isinstance(exact, Fraction):
        return ToolAnswer(is_right=False, value=value, remark="not undefined")
    digits = agreeing_digits(value, exact)
    return ToolAnswer(digits >= REQUIRED_DIGITS, digits, value)


def _assess_points(
    exact: Fraction | Points | None, points: tuple[tuple[float, float], ...]
) -> ToolAnswer:
    """Correct digits of the worst coordinate; 0 if the number of points differs."""
    if not isinstance(exact, tuple):
        return ToolAnswer(is_right=False, remark="not undefined")
    if len(points) != len(exact):
        return ToolAnswer(
            is_right=False, digits=0.0, remark=f"{len(points)} points, not {len(exact)}"
        )
    digits = min(
        agreeing_digits(value, exact_value)
        for point, exact_point in zip(points, exact, strict=True)
        for value, exact_value in zip(point, exact_point, strict=True)
    )
    return ToolAnswer(digits >= REQUIRED_DIGITS, digits)


@dataclass(frozen=True, eq=False)
class Validation(Result, views="tradeoff.validation.views"):
    """Result of a validation: agreement with the published values of several studies."""

    studies: tuple[Study, ...]

    @property
    def agrees(self) -> bool:
        """Whether all recomputed values agree with the published ones."""
        return all(number.agrees is not False for study in self.studies for number in study.numbers)

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per value."""
        numbers = [(study, number) for study in self.studies for number in study.numbers]
        return {
            "study": [study.title for study, _ in numbers],
            "number": [number.label for _, number in numbers],
            "published": [number.published for _, number in numbers],
            "agrees": [number.agrees for _, number in numbers],
        }


@dataclass(frozen=True, eq=False)
class Certification(Result, views="tradeoff.validation.views"):
    """Result of a certification: agreement of each tool with the certified values, in digits.

    `titles` are the titles of the data sets by name.
    """

    numbers: tuple[CertifiedNumber, ...]
    titles: Mapping[str, str]

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per value and tool."""
        answers = [
            (number, tool, answer)
            for number in self.numbers
            for tool, answer in number.results.items()
        ]
        return {
            "set": [number.data_set for number, _, _ in answers],
            "quantity": [number.quantity for number, _, _ in answers],
            "tool": [tool for _, tool, _ in answers],
            "digits": [answer.digits for _, _, answer in answers],
        }
