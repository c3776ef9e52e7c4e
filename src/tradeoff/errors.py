"""Every exception that tradeoff raises on purpose, and the way its messages suggest a remedy.

TradeoffError (a ValueError)
├── InputError       rows, classes, scores, weights or counts that cannot be evaluated
│   └── ColumnError  a column that the data do not have
├── UnknownName      no metric, summary or curve is called that
└── StorageError     a file that does not hold what was expected
"""

from __future__ import annotations

from collections.abc import Container, Iterable


class TradeoffError(ValueError):
    """Something the caller can put right; the message says how."""


class InputError(TradeoffError):
    """Rows, classes, scores, weights or counts that cannot be evaluated."""


class ColumnError(InputError):
    """A column that the data do not have."""

    @classmethod
    def missing(cls, name: str, found: Iterable[str]) -> ColumnError:
        """The message for one column that was asked for and is not there."""
        found = list(found)
        return cls(
            f"There is no column {name!r}.{did_you_mean(name, found)} "
            f"The columns are {listed(found)}."
        )


class UnknownName(TradeoffError):  # noqa: N818 - reads as the sentence it is
    """No metric, summary or curve is called that."""


class StorageError(TradeoffError):
    """A file that does not hold what was expected."""


def as_number(value: object, what: str) -> float:
    """A number that a caller gave, or a sentence that says what should have been one.

    Example:
        >>> as_number("2", "A target")
        Traceback (most recent call last):
        tradeoff.errors.InputError: A target is a number, not '2'.
    """
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise InputError(f"{what} is a number, not {value!r}.")
    return float(value)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A sentence that names the closest known word, or nothing when none is close.

    Example:
        >>> did_you_mean("percision", ["precision", "accuracy"])
        " Did you mean 'precision'?"
    """
    from difflib import get_close_matches

    known = list(known)
    folded = {word.casefold(): word for word in known}
    close = get_close_matches(name.casefold(), folded, n=1, cutoff=0.6)
    return f" Did you mean {folded[close[0]]!r}?" if close else ""


def listed(words: Iterable[object], most: int = 12) -> str:
    """Words as a person lists them: quoted, and cut short when there are many.

    Example:
        >>> listed(["no", "yes"])
        "'no' and 'yes'"
    """
    quoted = [repr(word) if isinstance(word, str) else str(word) for word in words]
    if len(quoted) > most:
        quoted = [*quoted[:most], f"{len(quoted) - most:,} more"]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def require_new(name: str, table: Container[str], plural: str) -> None:
    """A table has one entry a name: two of a name are a mistake of whoever enters the second."""
    if name in table:
        raise ValueError(f"two {plural} are called {name!r}")
