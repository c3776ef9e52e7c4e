"""Rankings on disk: one .npz file of three columns and a description. Nothing is unpickled."""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import COARSEST
from tradeoff.core.concordance import Pairs
from tradeoff.core.saved_fields import SavedFields, is_number
from tradeoff.core.sort import Tally
from tradeoff.errors import StorageError
from tradeoff.files import write_atomically
from tradeoff.text import count

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking

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


def save(ranking: Ranking, path: str | os.PathLike[str]) -> None:
    """Write the ranking, whole or not at all."""
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


def load(path: str | os.PathLike[str], kind: type[Ranking]) -> Ranking:
    """Read a ranking; a file that holds anything else is an error, never a wrong number."""
    try:
        with np.load(path, allow_pickle=False) as file:
            description = json.loads(str(file["description"]))
            tally = Tally(*(file[name] for name in Tally._fields))
            squared = _squared(file)
            levels = file.get(LEVELS)
    except OSError as problem:
        raise StorageError(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    except (ValueError, KeyError, TypeError, zipfile.BadZipFile) as problem:
        raise StorageError(f"{path} is not a ranking. `Ranking.save` writes one.") from problem
    saved = SavedFields(description, path, "a ranking")
    described = _described(saved)
    _check_tally(saved, tally, falling=not described["lower_is_positive"])
    _check_levels(saved, tally, levels)
    ranking = kind(tally, **described, levels=levels)
    _check_rows(saved, ranking)
    ranking = ranking.with_pairs(_pairs(saved, ranking))
    if squared is None:
        return ranking
    squared_tally, squared_rejected = squared
    _check_tally(saved, squared_tally, falling=not described["lower_is_positive"])
    _check_squares(saved, tally, squared_tally, squared_rejected)
    rejected_positives, rejected_negatives = squared_rejected.tolist()
    squares = replace(
        ranking,
        tally=squared_tally,
        rejected_positives=rejected_positives,
        rejected_negatives=rejected_negatives,
    )
    return replace(ranking, squares=squares)


def _squared(file: Any) -> tuple[Tally, NDArray[Any]] | None:
    """The columns of squared weights, where rows differ in importance."""
    if f"{SQUARED}rejected" not in file:
        return None
    columns = (file[f"{SQUARED}{name}"] for name in Tally._fields)
    return Tally(*columns), file[f"{SQUARED}rejected"]


def _described(saved: SavedFields) -> dict[str, Any]:
    """What is known of all rows together."""
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


def _check_tally(saved: SavedFields, tally: Tally, *, falling: bool) -> None:
    """Thresholds in order, and counts that only grow."""
    thresholds, *counts = tally
    if thresholds.dtype not in FLOATS or thresholds.ndim != 1 or np.isnan(thresholds).any():
        saved.refuse("its thresholds are malformed")
    ordered = thresholds if falling else -thresholds
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
    """Where rows are counted, each counts once or more; real weights may be any."""
    if ranking.is_counted and ranking.rows > ranking.total:
        saved.refuse(f"it has {ranking.rows:,} rows, but counts {count(ranking.total)}")


def _pairs(saved: SavedFields, ranking: Ranking) -> Pairs | None:
    """Pairs that were counted by every score; no more can be won than there are."""
    if not saved.has(PAIRS):
        return None
    items = saved.items(PAIRS)
    most = 2 * int(ranking.positives) * int(ranking.negatives)
    if (
        len(items) != len(Pairs._fields)
        or not is_number(items[0], 0, most, whole=True)
        or not all(is_number(item, 0) for item in items[1:])
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
    """Bins have a level each; where there are none, every score has its place."""
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
