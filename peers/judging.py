"""Whether two programs say the same, differ by a stated convention, or one of them is wrong."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CONVENTIONS_PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "conventions.md"
ABSOLUTE = 1e-12
EXAMPLES = 5
"""How many wrong numbers of one quantity are written out."""


@dataclass(frozen=True)
class Number:
    """One quantity of one data set, as we and as the other program give it; NaN is undefined.

    `by_their_rule` is what we get from our own counts when we follow the other program's rule
    instead of ours, where that rule is more than another number for the undefined.
    """

    quantity: str
    data: Any
    ours: float
    theirs: float
    by_their_rule: float | None = None
    precision: float = 1e-9

    @property
    def ours_is_undefined(self) -> bool:
        return math.isnan(self.ours)

    @property
    def theirs_is_undefined(self) -> bool:
        return math.isnan(self.theirs)

    def __str__(self) -> str:
        return f"{self.quantity} of {self.data}: here {self.ours!r}, there {self.theirs!r}"


@dataclass(frozen=True)
class FailedTest:
    """A test of the other program that does not pass with our numbers."""

    quantity: str
    why: str

    def __str__(self) -> str:
        return f"{self.quantity}: {self.why}"


@dataclass(frozen=True)
class Convention:
    """A way in which the other program means to differ, and where our documentation says so.

    `quantities` are the only ones that it may explain, and `explains` must recognise exactly the
    difference that it speaks of: a number that it does not recognise is wrong. `stated` stands
    word for word in docs/explanation/conventions.md.
    """

    difference: str
    stated: str
    quantities: frozenset[str]
    explains: Callable[[Number], bool]

    def __post_init__(self) -> None:
        """A convention that is not documented is no convention."""
        if self.stated not in CONVENTIONS_PAGE.read_text(encoding="utf-8"):
            raise ValueError(f"{CONVENTIONS_PAGE.name} does not say {self.stated!r}")


def near(one: float, other: float, precision: float) -> bool:
    """Whether two numbers agree to so many digits, or neither is defined."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    reach = max(ABSOLUTE, precision / 10)
    return one == other or math.isclose(one, other, rel_tol=precision, abs_tol=reach)


def undefined_here(theirs: float) -> Callable[[Number], bool]:
    """The other program puts this number where there is none here."""
    return lambda number: number.ours_is_undefined and number.theirs == theirs


def follows_their_rule(number: Number) -> bool:
    """By the other program's rule we get its number, from our own counts."""
    if number.by_their_rule is None:
        return False
    return near(number.by_their_rule, number.theirs, number.precision)


def given_here(number: Number) -> bool:
    """The other program has no number where there is one here."""
    return number.theirs_is_undefined and math.isfinite(number.ours)


def infinite_here(number: Number) -> bool:
    """The other program has no number where here it is x/0."""
    return math.isinf(number.ours) and number.theirs_is_undefined


@dataclass
class Verdicts:
    """What came of comparing with one program."""

    conventions: tuple[Convention, ...]
    precision: float = 1e-9
    tried: int = 0
    same: int = 0
    explained: Counter[Convention] = field(default_factory=Counter)
    wrong: list[Number | FailedTest] = field(default_factory=list)
    quantities: set[str] = field(default_factory=set)

    def compare(
        self, quantity: str, data: Any, ours: Any, theirs: Any, by_their_rule: Any = None
    ) -> None:
        """Judge one number, or each number of two arrays."""
        first, second = np.atleast_1d(_floats(ours)), np.atleast_1d(_floats(theirs))
        if first.shape != second.shape:
            # Arrays of different lengths have no numbers in common: one comparison, and wrong.
            first, second = np.array([float(first.size)]), np.array([float(second.size)])
            quantity = f"{quantity}, how many"
        third: list[float | None] = [None] * first.size
        if by_their_rule is not None:
            third = np.broadcast_to(_floats(by_their_rule), first.shape).ravel().tolist()
        for one, other, alternative in zip(
            first.ravel().tolist(), second.ravel().tolist(), third, strict=True
        ):
            self._judge(Number(quantity, data, one, other, alternative, self.precision))

    def _judge(self, number: Number) -> None:
        self.tried += 1
        self.quantities.add(number.quantity)
        if near(number.ours, number.theirs, self.precision):
            self.same += 1
            return
        for convention in self.conventions:
            if number.quantity in convention.quantities and convention.explains(number):
                self.explained[convention] += 1
                return
        self.wrong.append(number)

    @property
    def unused(self) -> list[Convention]:
        """Conventions that explained nothing: they are stale, or the data do not reach them."""
        return [convention for convention in self.conventions if not self.explained[convention]]

    def examples(self) -> Iterable[Number | FailedTest]:
        """The first wrong numbers of each quantity."""
        shown: Counter[str] = Counter()
        for number in self.wrong:
            shown[number.quantity] += 1
            if shown[number.quantity] <= EXAMPLES:
                yield number


class Tool(Protocol):
    """A module of `peers.tools`: another program, and how it is asked."""

    NAME: str
    CONVENTIONS: tuple[Convention, ...]
    PRECISION: float

    def version(self) -> str:
        """Its version; raises `NotInstalled` where it is not there."""

    def compare(self, verdicts: Verdicts) -> None:
        """Ask both programs about all data."""


class NotInstalled(Exception):  # noqa: N818 - nothing is wrong: the program is left out
    """The other program is not on this machine."""


def _floats(values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.asarray(values, dtype=np.float64)
