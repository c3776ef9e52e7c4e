"""Saving and loading rankings: an .npz file of columns and a description, validated when read.

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

from tradeoff.core.bins import COARSEST
from tradeoff.core.concordance import Pairs
from tradeoff.core.sort import Tally
from tradeoff.errors import StorageError
from tradeoff.files import write_atomically
from tradeoff.text import format_count, printable

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

INFINITE = {"inf": math.inf, "-inf": -math.inf}
"""Infinite numbers in JSON, which has no notation for them."""


class SavedFields:
    """Validated fields of a saved file; a missing or malformed one raises a StorageError.

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
        """Require a kind and version of saved file."""
        saved_schema = self._values.get("schema")
        if saved_schema != schema:
            self.refuse(f"its schema is {printable(repr(saved_schema))}, not {schema!r}")

    def require_known(self, names: Collection[str]) -> None:
        """Require that all saved fields are known, so that none is misspelt."""
        for name in self._values:
            if name not in names:
                self.refuse(f"it has an unknown field {printable(repr(name))}")

    def text(self, name: str) -> str:
        """Text of a saved field."""
        value = self._value(name)
        return value if isinstance(value, str) else self._refuse_value(name, "text")

    def optional_text(self, name: str) -> str | None:
        """Text of a saved field, or None for null."""
        return None if self._value(name) is None else self.text(name)

    def choice(self, name: str, choices: Collection[str]) -> str:
        """Saved field that is one of several words."""
        value = self.text(name)
        return value if value in choices else self._refuse_value(name, " or ".join(choices))

    def boolean(self, name: str) -> bool:
        """Saved field that is true or false, and nothing else."""
        value = self._value(name)
        return value if isinstance(value, bool) else self._refuse_value(name, "true or false")

    def flag(self, name: str) -> bool:
        """Saved field that is true or false; false where older versions wrote nothing."""
        return name in self._values and self.boolean(name)

    def number(
        self, name: str, low: float, high: float = math.inf, *, whole: bool = False
    ) -> float:
        """Saved field that is a finite number in a range; true and false are not numbers."""
        value = self._value(name)
        if is_finite_number(value, low, high, whole=whole):
            return value  # type: ignore[no-any-return] # is_finite_number checked it
        kind = "a whole number" if whole else "a number"
        limits = f"of at least {low:g}" if math.isinf(high) else f"from {low:g} to {high:g}"
        return self._refuse_value(name, f"{kind} {limits}")

    def score(self, name: str) -> float:
        """Saved score or threshold, possibly infinite."""
        value = parse_score(self._value(name))
        return self._refuse_value(name, "a number") if value is None else value

    def fields(self, name: str) -> SavedFields:
        """Saved object within this one."""
        return SavedFields(
            self._value(name), self._path, self._what, inside=f"{self._inside}{name}."
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
            f"{self._path} is not {self._what} that this version can read: {reason}."
        )

    def _value(self, name: str) -> Any:
        if name not in self._values:
            self.refuse(f"its {self._inside}{name} is missing")
        return self._values[name]

    def _refuse_value(self, name: str, expected: str) -> NoReturn:
        value = printable(repr(self._values[name]))
        self.refuse(f"its {self._inside}{name} must be {expected}, not {value}")


def is_finite_number(
    value: Any, low: float = -math.inf, high: float = math.inf, *, whole: bool = False
) -> bool:
    """Whether a value from JSON is a finite number in a range.

    Example:
        >>> [is_finite_number(value, 0, 1) for value in (0.5, 1, 2, True, "0.5", float("nan"))]
        [True, True, False, False, False, False]
        >>> is_finite_number(10**400)
        False
    """
    kinds = int if whole else int | float
    return (
        isinstance(value, kinds)
        and not isinstance(value, bool)
        and abs(value) <= sys.float_info.max  # neither NaN nor an integer beyond any float
        and low <= value <= high
    )


def parse_score(value: Any) -> float | None:
    """Score from its JSON form, infinite ones as "inf" and "-inf"; None for anything else."""
    if isinstance(value, str):
        return INFINITE.get(value)
    return float(value) if is_finite_number(value) else None


def json_score(score: float) -> float | str:
    """Score in its JSON form, infinite ones as text.

    Example:
        >>> [parse_score(json_score(score)) for score in (0.5, float("-inf"))]
        [0.5, -inf]
    """
    return score if math.isfinite(score) else str(score)


SCHEMA = "tradeoff/ranking/1"
SQUARED = "squared_"
LEVELS = "levels"
PAIRS = "pairs"
PREVALENCE_KNOWN = "prevalence_known"
DESCRIPTION = (
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
FLOATS = {np.dtype(np.float32), np.dtype(np.float64)}


def save_ranking(ranking: Ranking, path: str | os.PathLike[str]) -> None:
    """Save a ranking to a file, completely or not at all."""
    description = {name: getattr(ranking, name) for name in DESCRIPTION}
    if ranking.pairs is not None:
        description[PAIRS] = list(ranking.pairs)
    if ranking.prevalence_known:
        description[PREVALENCE_KNOWN] = True
    text = json.dumps({"schema": SCHEMA, **description}, default=_plain_number)
    columns: dict[str, Any] = ranking.tally._asdict()
    if ranking.levels is not None:
        columns[LEVELS] = ranking.levels
    if ranking.squares is not None:
        squares = ranking.squares
        columns |= {f"{SQUARED}{name}": column for name, column in squares.tally._asdict().items()}
        rejected = squares.rejected_positives, squares.rejected_negatives
        columns[f"{SQUARED}rejected"] = np.array(rejected, np.float64)
    write_atomically(path, lambda file: np.savez(file, description=np.array(text), **columns))


def load_ranking(path: str | os.PathLike[str], kind: type[Ranking]) -> Ranking:
    """Load a ranking from a file; any other file is an error, never a wrong number."""
    try:
        with np.load(path, allow_pickle=False) as file:
            description = json.loads(str(file["description"]))
            tally = Tally(*(file[name] for name in Tally._fields))
            squared = _load_squares(file)
            levels = file.get(LEVELS)
    except OSError as problem:
        raise StorageError(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
        raise StorageError(f"{path} is not a ranking. `Ranking.save` writes one.") from problem
    saved = SavedFields(description, path, "a ranking")
    described = _load_description(saved)
    _check_tally(saved, tally, descending=not described["lower_is_positive"])
    _check_levels(saved, tally, levels)
    ranking = kind(tally, **described, levels=levels)
    _check_rows(saved, ranking)
    ranking = ranking.with_pairs(_load_pairs(saved, ranking))
    if squared is None:
        return ranking
    squared_tally, squared_rejected = squared
    _check_tally(saved, squared_tally, descending=not described["lower_is_positive"])
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
    """Columns of squared weights, where rows differ in importance."""
    if f"{SQUARED}rejected" not in file:
        return None
    columns = (file[f"{SQUARED}{name}"] for name in Tally._fields)
    return Tally(*columns), file[f"{SQUARED}rejected"]


def _load_description(saved: SavedFields) -> dict[str, Any]:
    """Description of a saved ranking."""
    saved.require_schema(SCHEMA)
    saved.require_known({"schema", PAIRS, PREVALENCE_KNOWN, *DESCRIPTION})
    notes = saved.items("notes")
    if not all(isinstance(note, str) for note in notes):
        saved.refuse("its notes are not all text")
    return {
        "rows": saved.number("rows", 0, whole=True),
        **{name: saved.text(name) for name in ("positive", "negative", "name")},
        "lower_is_positive": saved.boolean("lower_is_positive"),
        "rejected_positives": saved.number("rejected_positives", 0),
        "rejected_negatives": saved.number("rejected_negatives", 0),
        "notes": tuple(notes),
        PREVALENCE_KNOWN: saved.flag(PREVALENCE_KNOWN),
    }


def _check_tally(saved: SavedFields, tally: Tally, *, descending: bool) -> None:
    """Check that thresholds are in order and counts never decrease."""
    thresholds, *counts = tally
    if thresholds.dtype not in FLOATS or thresholds.ndim != 1 or np.isnan(thresholds).any():
        saved.refuse("its thresholds are malformed")
    ordered = thresholds if descending else -thresholds
    if not len(ordered) or ordered[0] != np.inf:
        saved.refuse('it has no row "none"')
    if not (ordered[2:] < ordered[1:-1]).all():
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
    """Check that every row counts at least once, unless weights are real."""
    if ranking.is_counted and ranking.rows > ranking.total:
        saved.refuse(f"it has {ranking.rows:,} rows, but counts {format_count(ranking.total)}")


def _load_pairs(saved: SavedFields, ranking: Ranking) -> Pairs | None:
    """Saved concordant pairs; no more than there are pairs."""
    if not saved.has(PAIRS):
        return None
    items = saved.items(PAIRS)
    most = 2 * int(ranking.positives) * int(ranking.negatives)
    if (
        len(items) != len(Pairs._fields)
        or not is_finite_number(items[0], 0, most, whole=True)
        or not all(is_finite_number(item, 0) for item in items[1:])
    ):
        saved.refuse("its pairs are malformed")
    return Pairs(*items)


def _check_squares(
    saved: SavedFields, tally: Tally, squared: Tally, rejected: NDArray[Any]
) -> None:
    fits = np.array_equal(tally.thresholds, squared.thresholds)
    finite = rejected.dtype.kind == "f" and bool(np.isfinite(rejected).all())
    if not fits or not finite or rejected.shape != (2,) or not (rejected >= 0).all():
        saved.refuse("its squares are malformed")


def _check_levels(saved: SavedFields, tally: Tally, levels: NDArray[Any] | None) -> None:
    """Check that bins have a level each."""
    exact = saved.boolean("exact")
    whole = (
        exact
        if levels is None
        else (
            not exact
            and levels.dtype == np.uint8
            and levels.shape == tally.thresholds.shape
            and bool((levels <= COARSEST).all())
        )
    )
    if not whole:
        saved.refuse("its bins are malformed")


def _plain_number(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot store {value!r}")
