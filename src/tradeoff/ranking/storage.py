"""Rankings on disk: one .npz file of three columns and a description. Nothing is unpickled."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import StorageError
from tradeoff.ranking.bins import COARSEST
from tradeoff.ranking.kernel import Tally
from tradeoff.ranking.pairs import Pairs
from tradeoff.ranking.ranking import Ranking
from tradeoff.ranking.writing import write_atomically

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

SCHEMA = "tradeoff/ranking/1"
SQUARED = "squared_"
LEVELS = "levels"
PAIRS = "pairs"
DESCRIPTION: dict[str, type | tuple[type, ...]] = {
    "rows": int,
    "positive": str,
    "negative": str,
    "name": str,
    "lower_is_positive": bool,
    "rejected_positives": (int, float),
    "rejected_negatives": (int, float),
    "exact": bool,
    "notes": list,
}


def save(ranking: Ranking, path: str | os.PathLike[str]) -> None:
    """Write the ranking, whole or not at all."""
    description = {name: getattr(ranking, name) for name in DESCRIPTION}
    if ranking.pairs is not None:
        description[PAIRS] = list(ranking.pairs)
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


def load(path: str | os.PathLike[str]) -> Ranking:
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
    _check(description, tally, path)
    _check_levels(description, tally, levels, path)
    own = {name: description[name] for name in DESCRIPTION if name != "exact"}
    ranking = Ranking(tally, **{**own, "notes": tuple(own["notes"])}, levels=levels)
    ranking = ranking.with_pairs(_pairs(description, path))
    if squared is None:
        return ranking
    _check(description, squared[0], path)
    _check_squares(tally, *squared, path)
    rejected_positives, rejected_negatives = squared[1].tolist()
    squares = replace(
        ranking,
        tally=squared[0],
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


def _check(description: Any, tally: Tally, path: str | os.PathLike[str]) -> None:
    def demand(claim: bool, what: str) -> None:
        if not claim:
            raise StorageError(f"{path} is not a ranking that this version can read: {what}.")

    demand(isinstance(description, dict), "it has no description")
    found = description.get("schema")
    demand(found == SCHEMA, f"its schema is {found!r}, not {SCHEMA!r}")
    for name, kind in DESCRIPTION.items():
        demand(isinstance(description.get(name), kind), f"its {name!r} is missing or malformed")
    thresholds, *counts = tally
    demand(thresholds.dtype.kind == "f" and thresholds.ndim == 1, "its thresholds are malformed")
    sign = -1 if description["lower_is_positive"] else 1
    demand(len(thresholds) > 0 and sign * thresholds[0] == np.inf, 'it has no row "none"')
    demand(bool((np.diff(sign * thresholds[1:]) < 0).all()), "its thresholds are out of order")
    for column in counts:
        demand(
            column.shape == thresholds.shape
            and column.dtype.kind in "if"
            and column[0] == 0
            and bool((np.diff(column) >= 0).all()),
            "its counts are malformed",
        )


def _pairs(description: Any, path: str | os.PathLike[str]) -> Pairs | None:
    found = description.get(PAIRS)
    if found is None:
        return None
    if (
        not isinstance(found, list)
        or len(found) != len(Pairs._fields)
        or not all(isinstance(n, int | float) and n >= 0 for n in found)
        or not isinstance(found[0], int)
    ):
        raise StorageError(
            f"{path} is not a ranking that this version can read: its pairs are malformed."
        )
    return Pairs(*found)


def _check_squares(
    tally: Tally, squared: Tally, rejected: NDArray[Any], path: str | os.PathLike[str]
) -> None:
    fits = np.array_equal(tally.thresholds, squared.thresholds)
    if not fits or rejected.shape != (2,) or not (rejected >= 0).all():
        raise StorageError(
            f"{path} is not a ranking that this version can read: its squares are malformed."
        )


def _check_levels(
    description: Any, tally: Tally, levels: NDArray[Any] | None, path: str | os.PathLike[str]
) -> None:
    """Bins have a level each; where there are none, every score has its place."""
    whole = (
        description["exact"]
        if levels is None
        else (
            not description["exact"]
            and levels.dtype == np.uint8
            and levels.shape == tally.thresholds.shape
            and bool((levels <= COARSEST).all())
        )
    )
    if not whole:
        raise StorageError(
            f"{path} is not a ranking that this version can read: its bins are malformed."
        )


def _plain_number(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"cannot store {value!r}")
