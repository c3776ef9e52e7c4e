"""What a saved file says, read field by field: each is of its kind and in its range, or refused."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Collection
from typing import Any, NoReturn

from tradeoff.errors import StorageError
from tradeoff.text import plain

INFINITE = {"inf": math.inf, "-inf": -math.inf}
"""How infinite numbers are written, for which JSON has no sign."""


class SavedFields:
    """The fields of a saved object; one that is missing or makes no sense is a StorageError.

    Example:
        >>> SavedFields({"fpr": 0.25}, "mix.json", "a classifier").number("fpr", 0, 1)
        0.25
    """

    def __init__(
        self, values: Any, path: str | os.PathLike[str], what: str, *, inside: str = ""
    ) -> None:
        self._values: dict[str, Any] = values if isinstance(values, dict) else {}
        self._path, self._what, self._inside = path, what, inside

    def require_schema(self, schema: str) -> None:
        """The file is of this kind and version."""
        saved_schema = self._values.get("schema")
        if saved_schema != schema:
            self.refuse(f"its schema is {plain(repr(saved_schema))}, not {schema!r}")

    def require_known(self, names: Collection[str]) -> None:
        """No field is there that nobody would read, such as a misspelt one."""
        for name in self._values:
            if name not in names:
                self.refuse(f"it has an unknown field {plain(repr(name))}")

    def text(self, name: str) -> str:
        """A name, a note or the like."""
        value = self._value(name)
        return value if isinstance(value, str) else self._refuse_value(name, "text")

    def optional_text(self, name: str) -> str | None:
        """A text, or null."""
        return None if self._value(name) is None else self.text(name)

    def choice(self, name: str, choices: Collection[str]) -> str:
        """One of several words."""
        value = self.text(name)
        return value if value in choices else self._refuse_value(name, " or ".join(choices))

    def boolean(self, name: str) -> bool:
        """True or false, and nothing that Python would take for it."""
        value = self._value(name)
        return value if isinstance(value, bool) else self._refuse_value(name, "true or false")

    def flag(self, name: str) -> bool:
        """True or false; false where older versions wrote nothing."""
        return name in self._values and self.boolean(name)

    def number(
        self, name: str, low: float, high: float = math.inf, *, whole: bool = False
    ) -> float:
        """A finite number in a range; true and false are none."""
        value = self._value(name)
        if is_number(value, low, high, whole=whole):
            return value  # type: ignore[no-any-return] # is_number has seen to it
        kind = "a whole number" if whole else "a number"
        limits = f"of at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
        return self._refuse_value(name, f"{kind} {limits}")

    def score(self, name: str) -> float:
        """A score or threshold, which may be infinite."""
        value = as_score(self._value(name))
        return self._refuse_value(name, "a number") if value is None else value

    def fields(self, name: str) -> SavedFields:
        """An object inside this one."""
        return SavedFields(
            self._value(name), self._path, self._what, inside=f"{self._inside}{name}."
        )

    def items(self, name: str) -> list[Any]:
        """A list."""
        value = self._value(name)
        return value if isinstance(value, list) else self._refuse_value(name, "a list")

    def has(self, name: str) -> bool:
        """Whether a field is there and not null."""
        return self._values.get(name) is not None

    def refuse(self, reason: str) -> NoReturn:
        """Say why the file cannot be read."""
        raise StorageError(
            f"{self._path} is not {self._what} that this version can read: {reason}."
        )

    def _value(self, name: str) -> Any:
        if name not in self._values:
            self.refuse(f"its {self._inside}{name} is missing")
        return self._values[name]

    def _refuse_value(self, name: str, expected: str) -> NoReturn:
        value = plain(repr(self._values[name]))
        self.refuse(f"its {self._inside}{name} must be {expected}, not {value}")


def is_number(
    value: Any, low: float = -math.inf, high: float = math.inf, *, whole: bool = False
) -> bool:
    """Whether a value from JSON is a finite number in a range.

    Example:
        >>> [is_number(value, 0, 1) for value in (0.5, 1, 2, True, "0.5", float("nan"))]
        [True, True, False, False, False, False]
        >>> is_number(10**400)
        False
    """
    kinds = int if whole else int | float
    return (
        isinstance(value, kinds)
        and not isinstance(value, bool)
        and abs(value) <= sys.float_info.max  # nor NaN, nor an integer that no float holds
        and low <= value <= high
    )


def as_score(value: Any) -> float | None:
    """A score from JSON, infinite ones as "inf" and "-inf"; None for anything else."""
    if isinstance(value, str):
        return INFINITE.get(value)
    return float(value) if is_number(value) else None


def written_score(score: float) -> float | str:
    """A score as JSON has it.

    Example:
        >>> [as_score(written_score(score)) for score in (0.5, float("-inf"))]
        [0.5, -inf]
    """
    return score if math.isfinite(score) else str(score)
