"""Whether a computed number is the published one, and to how many digits it is the exact one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tradeoff.results import Result

MOST_DIGITS = 16.0
"""As many decimal digits as a double can agree in."""
ENOUGH_DIGITS = 14.0
"""Fewer mean that something was lost on the way, not only by rounding the result."""

Points = tuple[tuple[Fraction, Fraction], ...]


@dataclass(frozen=True)
class Recomputed:
    """A published number as it was printed, and what is computed from the same rows.

    `computed` is text where what was published is more than a number, such as a whole matrix. It
    is None, with a `reason`, where the number could not be computed here.

    Example:
        >>> Recomputed("area", "0.7366", 0.73655914).agrees
        True
        >>> Recomputed("area", "0.7366", None, "needs tradeoff[train]").agrees is None
        True
    """

    what: str
    published: str
    computed: float | str | None
    reason: str | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether both are the same to the published digits; None: it was not computed."""
        return None if self.computed is None else agrees(self.published, self.computed)


@dataclass(frozen=True)
class Study:
    """Where numbers were published, and each of them recomputed."""

    title: str
    source: str
    numbers: tuple[Recomputed, ...]


def agrees(published: str, computed: float | str) -> bool:
    """Whether a computed number is a published one, to the digits that were printed.

    A decimal agrees if it is what the number rounds to. Whole numbers are counts, which agree if
    they are equal, and fractions are exact, so that nothing but rounding of a double may differ.

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
        return agreeing_digits(computed, Fraction(published)) >= ENOUGH_DIGITS
    places = decimals(published)
    half_a_unit = Fraction(1, 2 * 10**places) if places else 0
    return abs(Fraction(computed) - Fraction(published)) <= half_a_unit


def decimals(published: str) -> int:
    """How many digits behind the point were printed.

    Example:
        >>> decimals("0.7366"), decimals("17")
        (4, 0)
    """
    exponent = Decimal(published).as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def agreeing_digits(computed: float, exact: Fraction) -> float:
    """How many digits of a number are right: its log relative error, from 0 to 16.

    That is -log10(|computed - exact| / |exact|), as for NIST's Statistical Reference Datasets; for
    an exact 0, -log10 |computed|. The double next to the exact number has all digits.

    Example:
        >>> agreeing_digits(1 / 3, Fraction(1, 3)), agreeing_digits(0.34, Fraction(1, 3)) > 1
        (16.0, True)
        >>> agreeing_digits(1.0, Fraction(0)), agreeing_digits(float("nan"), Fraction(1))
        (0.0, 0.0)
    """
    if not math.isfinite(computed):
        return 0.0
    if computed == float(exact):
        return MOST_DIGITS
    error = abs(Fraction(computed) - exact)
    relative = float(error / abs(exact) if exact else error)
    return min(max(0.0, -math.log10(relative)), MOST_DIGITS) if relative else MOST_DIGITS


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool makes of a certified number: how many digits are right, or why it has none.

    `value` is None where the tool gave no number: it says "undefined", rightly or not, or refuses
    the rows; `told` says which.
    """

    is_right: bool
    digits: float | None = None
    value: float | None = None
    told: str = ""


@dataclass(frozen=True)
class CertifiedNumber:
    """An exact number of a data set (None: it is undefined), and what each tool makes of it."""

    data_set: str
    quantity: str
    exact: Fraction | Points | None
    results: Mapping[str, ToolAnswer]


REFUSED = "refused"
UNDEFINED = "undefined"


def judged(
    exact: Fraction | Points | None, value: float | tuple[tuple[float, float], ...] | str
) -> ToolAnswer:
    """A tool's answer held against the exact one; a text says why the tool refuses.

    To refuse, and to say that a number is undefined, are right where it is.

    Example:
        >>> judged(Fraction(1, 2), 0.5).digits, judged(None, float("nan")).is_right
        (16.0, True)
        >>> judged(None, 0.0)
        ToolAnswer(is_right=False, digits=None, value=0.0, told='not undefined')
    """
    if isinstance(value, str):
        return ToolAnswer(is_right=exact is None, told=f"{REFUSED}: {value}")
    if isinstance(value, tuple):
        return _judged_points(exact, value)
    if math.isnan(value):
        return ToolAnswer(is_right=exact is None, told=UNDEFINED)
    if not isinstance(exact, Fraction):
        return ToolAnswer(is_right=False, value=value, told="not undefined")
    digits = agreeing_digits(value, exact)
    return ToolAnswer(digits >= ENOUGH_DIGITS, digits, value)


def _judged_points(
    exact: Fraction | Points | None, points: tuple[tuple[float, float], ...]
) -> ToolAnswer:
    """The digits of the worst coordinate; another number of points has none."""
    if not isinstance(exact, tuple):
        return ToolAnswer(is_right=False, told="not undefined")
    if len(points) != len(exact):
        return ToolAnswer(
            is_right=False, digits=0.0, told=f"{len(points)} points, not {len(exact)}"
        )
    digits = min(
        agreeing_digits(value, own)
        for point, certified in zip(points, exact, strict=True)
        for value, own in zip(point, certified, strict=True)
    )
    return ToolAnswer(digits >= ENOUGH_DIGITS, digits)


@dataclass(frozen=True, eq=False)
class Validation(Result, views="tradeoff.validation.views"):
    """Published numbers of several studies, recomputed."""

    studies: tuple[Study, ...]

    @property
    def agrees(self) -> bool:
        """Whether no recomputed number differs."""
        return all(n.agrees is not False for study in self.studies for n in study.numbers)

    def columns(self) -> dict[str, list[Any]]:
        """One line a number."""
        numbers = [(study, number) for study in self.studies for number in study.numbers]
        return {
            "study": [study.title for study, _ in numbers],
            "number": [number.what for _, number in numbers],
            "published": [number.published for _, number in numbers],
            "agrees": [number.agrees for _, number in numbers],
        }


@dataclass(frozen=True, eq=False)
class Certification(Result, views="tradeoff.validation.views"):
    """Certified numbers, and how many digits of each we and other tools have.

    `titles` are those of the data sets by name.
    """

    numbers: tuple[CertifiedNumber, ...]
    titles: Mapping[str, str]

    def columns(self) -> dict[str, list[Any]]:
        """One line a number and tool."""
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
