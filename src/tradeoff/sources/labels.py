"""Which rows are positive. This module alone decides it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError, did_you_mean, listed
from tradeoff.text import rows

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Labels:
    """Which rows are positive, and what the two classes are called."""

    positive_rows: NDArray[np.bool_]
    positive: str
    negative: str


def labels(
    actual: NDArray[Any],
    positive: Any = None,
    *,
    name: str = "actual",
    places: NDArray[np.intp] | None = None,
) -> Labels:
    """Decide which rows are positive.

    Without `positive`, only {0, 1}, {-1, 1} and {False, True} explain themselves; any other
    classes need it. With more than two classes, all but `positive` are negative. `places` are
    the rows' own numbers, where some were left out.
    """
    actual = moment_names(actual) if actual.dtype.kind == "M" else actual
    _demand_present(actual, name, places)
    if positive is None:
        return _self_explaining(_as_numbers(actual), actual, name)
    positive_rows = _equal_to(actual, positive)
    if positive_rows.all() or not positive_rows.any():
        return _one_class(actual, positive_rows, positive, name)
    others = actual[~positive_rows]
    only = bool((others == others[0]).all())
    wanted = class_name(actual[positive_rows.argmax()])  # as the data write it
    return Labels(positive_rows, wanted, class_name(others[0]) if only else f"not {wanted}")


def class_name(value: Any) -> str:
    """The name of a class as people write it: 1.0 is 1.

    Example:
        >>> [class_name(x) for x in (1.0, np.True_, "yes", 0.5)]
        ['1', 'True', 'yes', '0.5']
    """
    if isinstance(value, bytes | bytearray):
        return _text_of(bytes(value))
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _text_of(value: bytes) -> str:
    """Bytes as the text that they mostly are; others stay apart, as their numbers."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return "".join(f"\\x{byte:02X}" for byte in value)


def moment_names(moments: NDArray[Any]) -> NDArray[Any]:
    """Days, or days and times where there are any, as DuckDB writes them; None where missing."""
    known = moments[~np.isnat(moments)]
    days = bool((known == known.astype("datetime64[D]")).all())
    written = np.datetime_as_string(moments, unit="D" if days else "us").astype(object)
    if not days:
        written[:] = [text.replace("T", " ").rstrip("0").rstrip(".") for text in written]
    written[np.isnat(moments)] = None
    return written


def classes_in(values: NDArray[Any]) -> list[str]:
    """The names of all classes that occur, numbers in their order."""
    if values.dtype.kind == "O":
        return sorted({class_name(value) for value in values})
    return [class_name(value) for value in np.unique(values)]


def missing_rows(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Rows without a value: NaN among numbers, None or NaN among texts."""
    if values.dtype.kind == "f":
        return np.asarray(np.isnan(values))
    if values.dtype.kind == "M":
        return np.asarray(np.isnat(values))
    if values.dtype.kind != "O":
        return np.zeros(len(values), np.bool_)
    return np.fromiter((_is_missing(value) for value in values), np.bool_, len(values))


def first_rows(
    which: NDArray[np.bool_],
    places: NDArray[np.intp] | None = None,
    most: int = 3,
    *,
    start: int = 0,
) -> str:
    """Where the first of some rows are, counted from 1 (before any were left out).

    `start` is how many rows came before these.

    Example:
        >>> first_rows(np.array([False, True, True]))
        'rows 2 and 3'
    """
    found = np.flatnonzero(which)[:most]
    numbers = ((found if places is None else places[found]) + start + 1).tolist()
    return f"row{'' if len(numbers) == 1 else 's'} {listed(numbers)}"


def _demand_present(actual: NDArray[Any], name: str, places: NDArray[np.intp] | None) -> None:
    if actual.dtype.kind not in "fO":
        return
    if actual.dtype.kind == "f" and (not actual.size or not np.isnan(actual.min())):
        return
    missing = missing_rows(actual)
    if missing.any():
        raise InputError(
            f"{int(missing.sum()):,} of {rows(len(actual))} have no class in {name!r} (first: "
            f"{first_rows(missing, places)}). A row without its actual class cannot be judged: "
            'fill it in, or leave such rows out with missing="drop".'
        )


def _as_numbers(actual: NDArray[Any]) -> NDArray[Any] | None:
    """Classes given as numbers, also inside an array of objects; None for anything else."""
    if actual.dtype.kind in "biuf":
        return actual
    if actual.dtype.kind == "O" and all(isinstance(v, int | float | np.number) for v in actual):
        return np.array(actual.tolist())
    return None


def _self_explaining(numbers: NDArray[Any] | None, actual: NDArray[Any], name: str) -> Labels:
    if not actual.size:
        return Labels(np.zeros(0, np.bool_), "positive", "negative")
    if numbers is not None and numbers.dtype.kind == "b":
        return Labels(numbers, "True", "False")
    if numbers is not None:
        ones = numbers == 1
        # All that is not 0 is 1; or nothing is 0, and all that is not 1 is -1.
        others = int(np.count_nonzero(numbers)) - int(np.count_nonzero(ones))
        if not others:
            return Labels(ones, "1", "0")
        if others + int(np.count_nonzero(ones)) == len(ones) and (ones | (numbers == -1)).all():
            return Labels(ones, "1", "-1")
    found = classes_in(actual)
    if len(found) > 2:
        raise InputError(
            f"{name!r} holds {len(found):,} classes, {listed(found, 6)}: say which one is positive "
            f"(the others are then negative), for example positive={found[0]!r}."
        )
    raise InputError(
        f"{name!r} holds {listed(found)}: say which one is positive, "
        f"for example positive={found[-1]!r}."
    )


def _equal_to(actual: NDArray[Any], positive: Any) -> NDArray[np.bool_]:
    if actual.dtype.kind == "b":
        words = {"true": True, "1": True, "false": False, "0": False}
        truth = words.get(class_name(positive).casefold())
        return np.zeros(len(actual), np.bool_) if truth is None else np.asarray(actual == truth)
    if actual.dtype.kind in "iuf":
        number = as_class_number(positive)
        if number is None:
            return np.zeros(len(actual), np.bool_)
        return np.asarray(actual == number)
    exact = np.asarray(actual == positive, dtype=np.bool_)
    if exact.ndim == 1 and exact.any():
        return exact
    wanted = class_name(positive)
    return np.fromiter((class_name(value) == wanted for value in actual), np.bool_, len(actual))


def as_class_number(value: Any) -> int | float | None:
    """A class as a number: an integer where it is one, since floats would confuse large ones."""
    for kind in (int, float):
        try:
            number = kind(value)
        except (TypeError, ValueError, OverflowError):
            continue
        if isinstance(value, str) or number == value:
            return number
    return None


def _one_class(
    actual: NDArray[Any], positive_rows: NDArray[np.bool_], positive: Any, name: str
) -> Labels:
    """All rows alike: legal, unless the named class is a slip of the pen."""
    wanted = class_name(positive)
    if positive_rows.any() or not actual.size:
        return Labels(positive_rows, wanted, f"not {wanted}")
    found = classes_in(actual)
    if len(found) > 1:
        raise InputError(
            f"No row of {name!r} is {wanted!r}.{did_you_mean(wanted, found)} "
            f"Its classes are {listed(found)}."
        )
    return Labels(positive_rows, wanted, found[0])


def _is_missing(value: Any) -> bool:
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))
