"""Which rows are learned from and which are tested, fold by fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from tradeoff.errors import InputError, UnknownName, listed
from tradeoff.text import plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

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
        from tradeoff.training.weka import weka_folds

        dealt = weka_folds(positive.astype(np.intp), folds=folds, seed=seed)
        return [
            (np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)) for fold in range(folds)
        ]
    if way == "grouped":
        dealing = splits.StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        return dealing.split(rows, positive, groups)
    if way == "ordered":
        # Rows of one moment stay together only as far as their order does: a stable sort.
        sorted_rows = np.argsort(np.asarray(order), kind="stable")
        return [
            (sorted_rows[learned], sorted_rows[tested])
            for learned, tested in splits.TimeSeriesSplit(folds).split(rows)
        ]
    return splits.StratifiedKFold(folds, shuffle=True, random_state=seed).split(rows, positive)


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
    if repeats < 1 or (repeats > 1 and way in {"ordered", "weka"}):
        raise InputError(f"Folds that are {way} are made once, not {repeats} times.")
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
