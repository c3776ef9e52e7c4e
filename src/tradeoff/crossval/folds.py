"""Which rows are learned from and which are tested, fold by fold."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, listed
from tradeoff.sources.classes import first_rows, missing_rows
from tradeoff.text import plain

Way = Literal["stratified", "grouped", "ordered", "weka"]


class Fold(NamedTuple):
    """One fold of one repetition, by the places of its rows."""

    name: str
    learned: NDArray[np.intp]
    tested: NDArray[np.intp]


def make_folds(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    positive_rows: NDArray[np.bool_],
    *,
    folds: int = 10,
    repeats: int = 1,
    seed: int = 0,
    groups: NDArray[Any] | None = None,
    order: NDArray[Any] | None = None,
    way: Way | None = None,
) -> list[Fold]:
    """The folds of a cross-validation.

    Args:
        positive_rows: Which rows are positive: each fold gets its share of them.
        folds: How many.
        repeats: How often rows are dealt anew.
        seed: Same seed, same folds.
        groups: Rows of one group (a patient) are never both learned from and tested.
        order: Times: a fold is learned from what came before it alone; the first rows are never
            tested.
        way: "stratified", "grouped", "ordered" or "weka" (as Weka deals rows); by what is given
            otherwise.
    """
    chosen = way or ("grouped" if groups is not None else "ordered" if order is not None else None)
    chosen = chosen or "stratified"
    _demand(positive_rows, folds, repeats, chosen, groups, order)
    found = []
    for repeat in range(repeats):
        for number, (learned, tested) in enumerate(
            _split(chosen, positive_rows, folds, seed + repeat, groups, order), 1
        ):
            name = f"{repeat + 1}.{number}" if repeats > 1 else str(number)
            found.append(Fold(name, learned, tested))
    return found


def _split(  # noqa: PLR0913, PLR0917 - what the ways need
    way: str,
    positive: NDArray[np.bool_],
    folds: int,
    seed: int,
    groups: NDArray[Any] | None,
    order: NDArray[Any] | None,
) -> Any:
    from sklearn import model_selection as splits

    rows = np.zeros(len(positive))
    if way == "weka":
        from tradeoff.crossval.weka_folds import weka_splits

        return weka_splits(positive.astype(np.intp), folds=folds, seed=seed)
    if way == "grouped":
        dealing = splits.StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        return dealing.split(rows, positive, groups)
    if way == "ordered":
        return _ordered(np.asarray(order), folds)
    return splits.StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows, positive)


def _ordered(order: NDArray[Any], folds: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """As scikit-learn's TimeSeriesSplit, but rows of one moment stay together."""
    places = np.argsort(order, kind="stable")
    times = order[places]
    size = len(order) // (folds + 1)
    wanted = len(order) - size * np.arange(folds, 0, -1)
    starts = np.unique(np.searchsorted(times, times[wanted]))
    starts = starts[starts > 0]
    if len(starts) < folds:
        raise InputError(
            f"Rows of one time stay together, which leaves {len(starts)} of {folds} folds: ask for "
            "fewer, or name a finer time."
        )
    ends = [*starts[1:].tolist(), len(order)]
    return [
        (places[:start], places[start:end])
        for start, end in zip(starts.tolist(), ends, strict=True)
    ]


def _demand(  # noqa: PLR0913, PLR0917 - all that can be wrong
    positive: NDArray[np.bool_],
    folds: int,
    repeats: int,
    way: str,
    groups: NDArray[Any] | None,
    order: NDArray[Any] | None,
) -> None:
    if way not in get_args(Way):
        raise UnknownName(f"Folds are {listed(get_args(Way))}, not {plain(way)!r}.")
    if folds < 2:
        raise InputError(f"Cross-validation takes 2 folds or more, not {folds}.")
    _demand_repeats(repeats, way)
    _demand_one_way(way, groups, order)
    fewest = int(min(positive.sum(), (~positive).sum()))
    if not fewest:
        raise InputError("Every row is of one class: there is nothing to learn.")
    if way in {"stratified", "grouped"} and fewest < folds:
        raise InputError(
            f"The rarer class has {fewest} rows, fewer than {folds} folds: ask for at most "
            f"{max(fewest, 2)} folds."
        )
    if way == "grouped":
        if groups is None:
            raise InputError("Grouped folds need a column of groups.")
        if len(np.unique(groups.astype(str))) < folds:
            raise InputError(f"There are fewer groups than {folds} folds.")
    if way == "ordered" and order is None:
        raise InputError("Ordered folds need a column of times.")


def _demand_repeats(repeats: int, way: str) -> None:
    if repeats < 1:
        raise InputError(f"Rows are dealt once or more often, not {repeats} times.")
    if repeats > 1 and way in {"ordered", "weka"}:
        raise InputError(f"Folds that are {way} are made once, not {repeats} times.")


def _demand_one_way(way: str, groups: NDArray[Any] | None, order: NDArray[Any] | None) -> None:
    """A column that folds would not respect is a mistake."""
    if groups is not None and order is not None:
        raise InputError("Folds go by groups or by times, not by both: name one of the two.")
    for given, kind, its in ((groups, "groups", "grouped"), (order, "times", "ordered")):
        if given is not None and way != its:
            raise InputError(f"Folds that are {way} do not go by {kind}: leave one of them out.")
    if groups is not None and (missing := missing_rows(groups)).any():
        raise InputError(
            f"{int(missing.sum()):,} of {len(groups):,} rows have no group (first: "
            f"{first_rows(missing)}): fill them in, or leave such rows out."
        )
