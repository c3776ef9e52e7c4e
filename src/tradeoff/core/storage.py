"""Save and load rankings: an .npz file of columns and a description, validated when read.

Nothing is unpickled.
"""

from __future__ import annotations

import json
import math
import os
import sys
import zipfile
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import MAX_LEVEL
from tradeoff.core.concordance import Pairs
from tradeoff.core.sort import Tally
from tradeoff.errors import StorageError
from tradeoff.files.atomic_write import write_atomically
from tradeoff.formatting import format_count, printable

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

INFINITE_SCORES = {"inf": math.inf, "-inf": -math.inf}
"""Infinite scores by their representation in JSON, which has none of its own for them."""


class SavedFields:
    """Validated fields of a saved file; missing or malformed fields raise a StorageError.

    Example:
        >>> SavedFields({"fpr": 0.25}, "mix.json", "a classifier").number("fpr", 0, 1)
        0.25
    """

    def __init__(
        self, values: Any, path: str | os.PathLike[str], kind: str, *, parent: str = ""
    ) -> None:
        self._values: dict[str, Any] = values if isinstance(values, dict) else {}
        self._path, self._kind, self._parent = path, kind, parent

    def require_schema(self, schema: str) -> None:
        """Require the schema of the saved file, which names its kind and version."""
        saved_schema = self._values.get("schema")
        if saved_schema != schema:
            self.refuse(f"its schema is {printable(repr(saved_schema))}, not {schema!r}")

    def require_known(self, names: Collection[str]) -> None:
        """Require that all saved fields are known, so that misspelt ones are found."""
        for name in self._values:
            if name not in names:
                self.refuse(f"it has an unknown field {printable(repr(name))}")

    def string(self, name: str) -> str:
        """Saved field that is a string."""
        value = self._value(name)
        return value if isinstance(value, str) else self._refuse_value(name, "a string")

    def optional_string(self, name: str) -> str | None:
        """Saved field that is a string, or None for null."""
        return None if self._value(name) is None else self.string(name)

    def choice(self, name: str, choices: Collection[str]) -> str:
        """Saved field that is one of several strings."""
        value = self.string(name)
        return value if value in choices else self._refuse_value(name, " or ".join(choices))

    def boolean(self, name: str) -> bool:
        """Saved field that must be true or false."""
        value = self._value(name)
        return value if isinstance(value, bool) else self._refuse_value(name, "true or false")

    def flag(self, name: str) -> bool:
        """Saved field that is true or false; false if it is missing, as in older versions."""
        return name in self._values and self.boolean(name)

    def number(
        self, name: str, low: float, high: float = math.inf, *, whole: bool = False
    ) -> float:
        """Saved field that is a finite number in a range; true and false are not numbers."""
        value = self._value(name)
        if is_finite_number(value, low, high, whole=whole):
            return value  # type: ignore[no-any-return] # is_finite_number checked it
        expected = "a whole number" if whole else "a number"
        limits = f"of at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
        return self._refuse_value(name, f"{expected} {limits}")

    def score(self, name: str) -> float:
        """Saved score or threshold, possibly infinite."""
        value = parse_saved_score(self._value(name))
        return self._refuse_value(name, "a number") if value is None else value

    def fields(self, name: str) -> SavedFields:
        """Saved object that is nested in this one."""
        return SavedFields(
            self._value(name), self._path, self._kind, parent=f"{self._parent}{name}."
        )

    def items(self, name: str) -> list[Any]:
        """Saved list."""
        value = self._value(name)
        return value if isinstance(value, list) else self._refuse_value(name, "a list")

    def has(self, name: str) -> bool:
        """Whether a saved field exists and is not null."""
        return self._values.get(name) is not None

    def refuse(self, reason: str) -> NoReturn:
        """Raise a StorageError that says why the file cannot be read."""
        raise StorageError(
            f"{self._path} is not {self._kind} that this version can read: {reason}."
        )

    def _value(self, name: str) -> Any:
        if name not in self._values:
            self.refuse(f"its {self._parent}{name} is missing")
        return self._values[name]

    def _refuse_value(self, name: str, expected: str) -> NoReturn:
        value = printable(repr(self._values[name]))
        self.refuse(f"its {self._parent}{name} must be {expected}, not {value}")


def is_finite_number(
    value: Any, low: float = -math.inf, high: float = math.inf, *, whole: bool = False
) -> bool:
    """Whether a saved value, as read from JSON, is a finite number in a range.

    Example:
        >>> [is_finite_number(value, 0, 1) for value in (0.5, 1, 2, True, "0.5", float("nan"))]
        [True, True, False, False, False, False]
        >>> is_finite_number(10**400)
        False
    """
    number_types = int if whole else int | float
    return (
        isinstance(value, number_types)
        and not isinstance(value, bool)
        and abs(value) <= sys.float_info.max  # neither NaN nor an integer beyond any float
        and low <= value <= high
    )


def parse_saved_score(value: Any) -> float | None:
    """Parse a score as saved in JSON, "inf" and "-inf" included; None for any other value."""
    if isinstance(value, str):
        return INFINITE_SCORES.get(value)
    return float(value) if is_finite_number(value) else None


def json_score(score: float) -> float | str:
    """Represent a saved score in JSON: infinite scores as strings.

    Example:
        >>> [parse_saved_score(json_score(score)) for score in (0.5, float("-inf"))]
        [0.5, -inf]
    """
    return score if math.isfinite(score) else str(score)


SCHEMA = "tradeoff/ranking/1"
SQUARED_PREFIX = "squared_"
LEVELS = "levels"
PAIRS = "pairs"
PREVALENCE_KNOWN = "prevalence_known"
DESCRIPTION_FIELDS = (
    "rows",
    "positive",
    "negative",
    "name",
    "lower_is_positive",
    "rejected_positives",
    "rejected_negatives",
    "exact",
    "notes",
)
FLOAT_TYPES = {np.dtype(np.float32), np.dtype(np.float64)}


def save_ranking(ranking: Ranking, path: str | os.PathLike[str]) -> None:
    """Save a ranking to a file atomically."""
    description = {name: getattr(ranking, name) for name in DESCRIPTION_FIELDS}
    if ranking.pairs is not None:
        description[PAIRS] = list(ranking.pairs)
    if ranking.prevalence_known:
        description[PREVALENCE_KNOWN] = True
    header = json.dumps({"schema": SCHEMA, **description}, default=_plain_number)
    columns: dict[str, Any] = ranking.tally._asdict()
    if ranking.levels is not None:
        columns[LEVELS] = ranking.levels
    if ranking.squares is not None:
        squares = ranking.squares
        columns |= {
            f"{SQUARED_PREFIX}{name}": column for name, column in squares.tally._asdict().items()
        }
        rejected = squares.rejected_positives, squares.rejected_negatives
        columns[f"{SQUARED_PREFIX}rejected"] = np.array(rejected, np.float64)
    write_atomically(path, lambda file: np.savez(file, description=np.array(header), **columns))


def load_ranking(path: str | os.PathLike[str], ranking_type: type[Ranking]) -> Ranking:
    """Load a ranking from a file; any other file raises a StorageError."""
    try:
        with np.load(path, allow_pickle=False) as file:
            description = json.loads(str(file["description"]))
            tally = Tally(*(file[name] for name in Tally._fields))
            squares_columns = _load_squares(file)
            levels = file.get(LEVELS)
    except OSError as problem:
        raise StorageError(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
        raise StorageError(f"{path} is not a ranking. `Ranking.save` writes one.") from problem
    saved = SavedFields(description, path, "a ranking")
    attributes = _load_description(saved)
    _check_tally(saved, tally, descending=not attributes["lower_is_positive"])
    _check_levels(saved, tally, levels)
    ranking = ranking_type(tally, **attributes, levels=levels)
    _check_rows(saved, ranking)
    ranking = ranking.with_pairs(_load_pairs(saved, ranking))
    if squares_columns is None:
        return ranking
    squared_tally, squared_rejected = squares_columns
    _check_tally(saved, squared_tally, descending=not attributes["lower_is_positive"])
    _check_squares(saved, tally, squared_tally, squared_rejected)
    rejected_positives, rejected_negatives = squared_rejected.tolist()
    squares = replace(
        ranking,
        tally=squared_tally,
        rejected_positives=rejected_positives,
        rejected_negatives=rejected_negatives,
    )
    return replace(ranking, squares=squares)


def _load_squares(file: Any) -> tuple[Tally, NDArray[Any]] | None:
    """Load the columns of squared weights, if rows differ in importance."""
    if f"{SQUARED_PREFIX}rejected" not in file:
        return None
    columns = (file[f"{SQUARED_PREFIX}{name}"] for name in Tally._fields)
    return Tally(*columns), file[f"{SQUARED_PREFIX}rejected"]


def _load_description(saved: SavedFields) -> dict[str, Any]:
    """Load and validate the description of a saved ranking."""
    saved.require_schema(SCHEMA)
    saved.require_known({"schema", PAIRS, PREVALENCE_KNOWN, *DESCRIPTION_FIELDS})
    notes = saved.items("notes")
    if not all(isinstance(note, str) for note in notes):
        saved.refuse("its notes are not all strings")
    return {
        "rows": saved.number("rows", 0, whole=True),
        **{name: saved.string(name) for name in ("positive", "negative", "name")},
        "lower_is_positive": saved.boolean("lower_is_positive"),
        "rejected_positives": saved.number("rejected_positives", 0),
        "rejected_negatives": saved.number("rejected_negatives", 0),
        "notes": tuple(notes),
        PREVALENCE_KNOWN: saved.flag(PREVALENCE_KNOWN),
    }


def _check_tally(saved: SavedFields, tally: Tally, *, descending: bool) -> None:
    """Check that thresholds are ordered and that counts never decrease."""
    thresholds, *counts = tally
    if thresholds.dtype not in FLOAT_TYPES or thresholds.ndim != 1 or np.isnan(thresholds).any():
        saved.refuse("its thresholds are malformed")
    descending_scores = thresholds if descending else -thresholds
    if not len(descending_scores) or descending_scores[0] != np.inf:
        saved.refuse('it has no row "none"')
    if not (descending_scores[2:] < descending_scores[1:-1]).all():
        saved.refuse("its thresholds are out of order")
    for column in counts:
        if (
            column.shape != thresholds.shape
            or column.dtype.kind not in "if"
            or column[0] != 0
            or not np.isfinite(column).all()
            or not (column[1:] >= column[:-1]).all()
        ):
            saved.refuse("its counts are malformed")


def _check_rows(saved: SavedFields, ranking: Ranking) -> None:
    """Check that every row is counted at least once, unless weights are real-valued."""
    if ranking.is_counted and ranking.rows > ranking.total:
        saved.refuse(f"it has {ranking.rows:,} rows, but counts {format_count(ranking.total)}")


def _load_pairs(saved: SavedFields, ranking: Ranking) -> Pairs | None:
    """Load the number of concordant pairs, which cannot exceed the number of all pairs."""
    if not saved.has(PAIRS):
        return None
    items = saved.items(PAIRS)
    max_twice_won = 2 * int(ranking.positives) * int(ranking.negatives)
    if (
        len(items) != len(Pairs._fields)
        or not is_finite_number(items[0], 0, max_twice_won, whole=True)
        or not all(is_finite_number(item, 0) for item in items[1:])
    ):
        saved.refuse("its pairs are malformed")
    return Pairs(*items)


def _check_squares(
    saved: SavedFields, tally: Tally, squared_tally: Tally, rejected: NDArray[Any]
) -> None:
    has_same_thresholds = np.array_equal(tally.thresholds, squared_tally.thresholds)
    is_finite = rejected.dtype.kind == "f" and bool(np.isfinite(rejected).all())
    if (
        not has_same_thresholds
        or not is_finite
        or rejected.shape != (2,)
        or not (rejected >= 0).all()
    ):
        saved.refuse("its squares are malformed")


def _check_levels(saved: SavedFields, tally: Tally, levels: NDArray[Any] | None) -> None:
    """Check that every bin of a binned ranking has a valid level."""
    exact = saved.boolean("exact")
    is_valid = (
        exact
        if levels is None
        else (
            not exact
            and levels.dtype == np.uint8
            and levels.shape == tally.thresholds.shape
            and bool((levels <= MAX_LEVEL).all())
        )
    )
    if not is_valid:
        saved.refuse("its bins are malformed")


def _plain_number(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot store {value!r}")
