"""Which rows are learned from and which are tested, fold by fold; Weka's folds row for row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tradeoff.errors import InputError, UnknownName, listed
from tradeoff.sources.classes import first_rows, missing_rows
from tradeoff.text import count, plain

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


# Knuth's linear congruential generator with 48 bits, as the documentation of java.util.Random
# fixes it for every Java.
MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
MASK = (1 << 48) - 1
LARGEST = (1 << 31) - 1


@dataclass
class JavaRandom:
    """The random numbers of java.util.Random, which every Java draws alike from one seed.

    Example:
        >>> random = JavaRandom.seeded(1)
        >>> [random.below(10) for _ in range(5)]
        [5, 8, 7, 3, 4]
    """

    state: int

    @classmethod
    def seeded(cls, seed: int) -> JavaRandom:
        """The generator that `new Random(seed)` makes.

        Example:
            >>> JavaRandom.seeded(0).below(100)
            60
        """
        return cls((seed ^ MULTIPLIER) & MASK)

    def below(self, bound: int) -> int:
        """A whole number from 0 up to, not including, `bound`: Java's `nextInt(bound)`.

        Example:
            >>> JavaRandom.seeded(42).below(8)
            5
        """
        if not 0 < bound <= LARGEST:
            raise InputError(f"Java draws below a bound from 1 to {LARGEST:,}, not {bound:,}.")
        if bound & (bound - 1) == 0:
            return (bound * self._bits()) >> 31
        while True:
            bits = self._bits()
            drawn = bits % bound
            # The last stretch of the range is incomplete and would favour small numbers.
            if bits - drawn + (bound - 1) <= LARGEST:
                return drawn

    def shuffle(self, rows: list[int]) -> None:
        """Put rows into random order, in place and from the last to the first as Weka does.

        Example:
            >>> rows = [0, 1, 2, 3]
            >>> JavaRandom.seeded(1).shuffle(rows)
            >>> rows
            [3, 0, 1, 2]
        """
        # Each draw needs the one before and each swap the order it left: no way around a loop.
        for place in range(len(rows) - 1, 0, -1):
            other = self.below(place + 1)
            rows[place], rows[other] = rows[other], rows[place]

    def _bits(self) -> int:
        self.state = (self.state * MULTIPLIER + INCREMENT) & MASK
        return self.state >> 17


def weka_splits(
    actual_codes: ArrayLike, folds: int = 10, seed: int = 1
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """For each fold the rows to train on and those to test, in the order in which Weka uses them.

    The rows to train on are shuffled anew for every fold. That is of no account for naive Bayes
    but for the last digits, and of much account for learners that depend on the order of rows.

    Args:
        actual_codes: The class of each row as a whole number; -1 where it is missing. Only which
            rows share a class matters, not which number it has.
        folds: How many folds.
        seed: What Weka calls the random seed for the cross-validation (`-s`).

    Example:
        >>> train, test = next(weka_splits([0, 0, 0, 1, 1, 1], folds=3))
        >>> sorted(train.tolist()), test.tolist()
        ([0, 2, 3, 5], [4, 1])
    """
    order, random = _stratified(actual_codes, folds, seed)
    size, larger = divmod(len(order), folds)
    first = 0
    for fold in range(folds):
        last = first + size + (fold < larger)
        train = order[:first] + order[last:]
        random.shuffle(train)
        yield np.array(train, dtype=np.int64), np.array(order[first:last], dtype=np.int64)
        first = last


def _stratified(actual_codes: ArrayLike, folds: int, seed: int) -> tuple[list[int], JavaRandom]:
    codes = _checked(actual_codes, folds)
    random = JavaRandom.seeded(seed)
    order = list(range(len(codes)))
    random.shuffle(order)
    _bring_classes_together(order, codes.tolist())
    # Every fold takes each `folds`-th row, so that all have about the same share of each class.
    return [row for start in range(folds) for row in order[start::folds]], random


def _bring_classes_together(order: list[int], codes: list[int]) -> None:
    """Swap rows until those of one class stand together, one class after the other.

    The swaps scatter the rows of later classes in a way of their own, which is why no stable sort
    gives the same order.
    """
    place = 1
    while place < len(order):
        code = codes[order[place - 1]]
        for other in range(place, len(order)):
            if codes[order[other]] == code:
                order[place], order[other] = order[other], order[place]
                place += 1
        place += 1


def _checked(actual_codes: ArrayLike, folds: int) -> NDArray[Any]:
    codes = np.asarray(actual_codes)
    if codes.ndim != 1 or (len(codes) and codes.dtype.kind not in "iub"):
        raise InputError(
            "Weka's folds need one whole number a row that says its class: "
            "number the classes first, for example with numpy.unique(..., return_inverse=True)."
        )
    if folds < 2:
        raise InputError(f"Cross-validation needs at least 2 folds, not {folds}.")
    if folds > len(codes):
        raise InputError(
            f"{folds} folds need at least {folds} rows, and there are {count(len(codes))}: "
            "ask for fewer folds."
        )
    return codes
