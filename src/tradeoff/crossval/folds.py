"""Folds of a cross-validation: stratified, grouped, ordered by time, or identical to Weka's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tradeoff.errors import InputError, UnknownName, format_list
from tradeoff.formatting import format_count, printable
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.row_numbers import format_first_rows

FoldScheme = Literal["stratified", "grouped", "ordered", "weka"]


class Fold(NamedTuple):
    """One fold of one repetition: its name, and the indices of its training and test rows."""

    name: str
    train_rows: NDArray[np.intp]
    test_rows: NDArray[np.intp]


def make_folds(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    positive_rows: NDArray[np.bool_],
    *,
    folds: int = 10,
    repeats: int = 1,
    seed: int = 0,
    groups: NDArray[Any] | None = None,
    order: NDArray[Any] | None = None,
    scheme: FoldScheme | None = None,
) -> list[Fold]:
    """Split the rows into the folds of a cross-validation.

    Args:
        positive_rows: Which rows are positive; stratified folds have equal proportions of them.
        folds: Number of folds.
        repeats: Number of repetitions, each with new folds.
        seed: Seed of the random number generator.
        groups: Group of each row, such as a patient; the training and test rows of a fold share no
            group.
        order: Time of each row; models are trained only on rows earlier than the test rows, and
            the earliest rows are never tested.
        scheme: "stratified", "grouped", "ordered" or "weka" (Weka's own folds); by default
            grouped with groups, ordered with times, and stratified otherwise.
    """
    scheme = scheme or (
        "grouped" if groups is not None else "ordered" if order is not None else None
    )
    scheme = scheme or "stratified"
    _require_valid_folds(positive_rows, folds, repeats, scheme, groups, order)
    all_folds = []
    for repeat in range(repeats):
        for number, (train_rows, test_rows) in enumerate(
            _splits(scheme, positive_rows, folds, seed + repeat, groups, order), 1
        ):
            name = f"{repeat + 1}.{number}" if repeats > 1 else str(number)
            all_folds.append(Fold(name, train_rows, test_rows))
    return all_folds


def _splits(  # noqa: PLR0913, PLR0917 - the inputs of all schemes
    scheme: str,
    positive_rows: NDArray[np.bool_],
    folds: int,
    seed: int,
    groups: NDArray[Any] | None,
    order: NDArray[Any] | None,
) -> Any:
    from sklearn import model_selection

    rows = np.zeros(len(positive_rows))
    if scheme == "weka":
        return weka_splits(positive_rows.astype(np.intp), folds=folds, seed=seed)
    if scheme == "grouped":
        splitter = model_selection.StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
        return splitter.split(rows, positive_rows, groups)
    if scheme == "ordered":
        return _time_ordered_splits(np.asarray(order), folds)
    return model_selection.StratifiedKFold(folds, shuffle=True, random_state=seed).split(
        rows, positive_rows
    )


def _time_ordered_splits(
    order: NDArray[Any], folds: int
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Splits as in scikit-learn's TimeSeriesSplit, except that rows of equal time stay together."""
    row_order = np.argsort(order, kind="stable")
    times = order[row_order]
    fold_size = len(order) // (folds + 1)
    earliest_starts = len(order) - fold_size * np.arange(folds, 0, -1)
    starts = np.unique(np.searchsorted(times, times[earliest_starts]))
    starts = starts[starts > 0]
    if len(starts) < folds:
        raise InputError(
            f"Rows with the same time stay together, which leaves {len(starts)} of {folds} folds: "
            "ask for fewer, or give a column of finer times."
        )
    ends = [*starts[1:].tolist(), len(order)]
    return [
        (row_order[:start], row_order[start:end])
        for start, end in zip(starts.tolist(), ends, strict=True)
    ]


def _require_valid_folds(  # noqa: PLR0913, PLR0917 - all inputs are checked
    positive_rows: NDArray[np.bool_],
    folds: int,
    repeats: int,
    scheme: str,
    groups: NDArray[Any] | None,
    order: NDArray[Any] | None,
) -> None:
    if scheme not in get_args(FoldScheme):
        raise UnknownName(
            f"Folds are {format_list(get_args(FoldScheme))}, not {printable(scheme)!r}."
        )
    if folds < 2:
        raise InputError(f"Cross-validation needs at least 2 folds, not {folds}.")
    _require_repeats(repeats, scheme)
    _require_consistent_scheme(scheme, groups, order)
    rarer_class_rows = int(min(positive_rows.sum(), (~positive_rows).sum()))
    if not rarer_class_rows:
        raise InputError(
            "Every row is of the same class, so there is nothing to learn: rows of both classes "
            "are needed."
        )
    if scheme in {"stratified", "grouped"} and rarer_class_rows < folds:
        raise InputError(
            f"The rarer class has {rarer_class_rows} rows, fewer than {folds} folds: ask for at "
            f"most {max(rarer_class_rows, 2)} folds."
        )
    if scheme == "grouped":
        if groups is None:
            raise InputError("Grouped folds need a column of groups.")
        if len(np.unique(groups.astype(str))) < folds:
            raise InputError(f"There are fewer groups than {folds} folds.")
    if scheme == "ordered" and order is None:
        raise InputError("Ordered folds need a column of times.")


def _require_repeats(repeats: int, scheme: str) -> None:
    if repeats < 1:
        raise InputError(f"repeats must be at least 1, not {repeats}.")
    if repeats > 1 and scheme in {"ordered", "weka"}:
        raise InputError(
            f"Folds that are {scheme} cannot be repeated: set repeats to 1, not {repeats}."
        )


def _require_consistent_scheme(
    scheme: str, groups: NDArray[Any] | None, order: NDArray[Any] | None
) -> None:
    """Raise an error for a column of groups or times that the folds would ignore."""
    if groups is not None and order is not None:
        raise InputError("Folds can respect groups or times, not both: name only one of the two.")
    for column, kind, needed_scheme in ((groups, "groups", "grouped"), (order, "times", "ordered")):
        if column is not None and scheme != needed_scheme:
            raise InputError(
                f"Folds that are {scheme} do not use {kind}: leave out one of the two."
            )
    if groups is not None and (missing := missing_rows(groups)).any():
        raise InputError(
            f"{int(missing.sum()):,} of {len(groups):,} rows have no group (first: "
            f"{format_first_rows(missing)}): fill them in, or leave out these rows."
        )


# Knuth's linear congruential generator with 48 bits, as the documentation of java.util.Random
# specifies it for every Java implementation.
MULTIPLIER = 0x5DEECE66D
INCREMENT = 0xB
MASK = (1 << 48) - 1
MAX_INT = (1 << 31) - 1


@dataclass
class JavaRandom:
    """Random numbers of java.util.Random, as Weka uses them for folds; equal seeds, equal numbers.

    Example:
        >>> random = JavaRandom.seeded(1)
        >>> [random.below(10) for _ in range(5)]
        [5, 8, 7, 3, 4]
    """

    state: int

    @classmethod
    def seeded(cls, seed: int) -> JavaRandom:
        """The generator that Java's `new Random(seed)` creates.

        Example:
            >>> JavaRandom.seeded(0).below(100)
            60
        """
        return cls((seed ^ MULTIPLIER) & MASK)

    def below(self, bound: int) -> int:
        """A random integer from 0 up to but not including `bound`: Java's `nextInt(bound)`.

        Example:
            >>> JavaRandom.seeded(42).below(8)
            5
        """
        if not 0 < bound <= MAX_INT:
            raise InputError(
                f"The bound of a Java random integer is from 1 to {MAX_INT:,}, not {bound:,}."
            )
        if bound & (bound - 1) == 0:
            return (bound * self._random_bits()) >> 31
        while True:
            bits = self._random_bits()
            remainder = bits % bound
            # The last interval of the range is incomplete and would favour small numbers.
            if bits - remainder + (bound - 1) <= MAX_INT:
                return remainder

    def shuffle(self, rows: list[int]) -> None:
        """Shuffle rows in place, from the last to the first as Weka does.

        Example:
            >>> rows = [0, 1, 2, 3]
            >>> JavaRandom.seeded(1).shuffle(rows)
            >>> rows
            [3, 0, 1, 2]
        """
        # Each random number and each swap depends on the previous one: a loop is unavoidable.
        for index in range(len(rows) - 1, 0, -1):
            other = self.below(index + 1)
            rows[index], rows[other] = rows[other], rows[index]

    def _random_bits(self) -> int:
        self.state = (self.state * MULTIPLIER + INCREMENT) & MASK
        return self.state >> 17


def weka_splits(
    actual_codes: ArrayLike, folds: int = 10, seed: int = 1
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Training and test rows of each fold of Weka's cross-validation, in Weka's order.

    The training rows are shuffled for every fold. That changes only the last digits of naive
    Bayes, but it matters for learners that depend on the order of rows.

    Args:
        actual_codes: The class of each row as an integer, -1 if it is missing. It only matters
            which rows share a class, not which integer stands for it.
        folds: Number of folds.
        seed: Weka's random seed for cross-validation (`-s`).

    Example:
        >>> train, test = next(weka_splits([0, 0, 0, 1, 1, 1], folds=3))
        >>> sorted(train.tolist()), test.tolist()
        ([0, 2, 3, 5], [4, 1])
    """
    order, random = _weka_stratified_order(actual_codes, folds, seed)
    fold_size, larger_fold_count = divmod(len(order), folds)
    first = 0
    for fold in range(folds):
        last = first + fold_size + (fold < larger_fold_count)
        train = order[:first] + order[last:]
        random.shuffle(train)
        yield np.array(train, dtype=np.int64), np.array(order[first:last], dtype=np.int64)
        first = last


def _weka_stratified_order(
    actual_codes: ArrayLike, folds: int, seed: int
) -> tuple[list[int], JavaRandom]:
    codes = _require_class_codes(actual_codes, folds)
    random = JavaRandom.seeded(seed)
    order = list(range(len(codes)))
    random.shuffle(order)
    _group_by_class(order, codes.tolist())
    # Every fold takes each `folds`-th row, so that class proportions are about equal.
    return [row for start in range(folds) for row in order[start::folds]], random


def _group_by_class(order: list[int], codes: list[int]) -> None:
    """Swap rows until those of each class are adjacent.

    The swaps scatter the rows of later classes, so no stable sort gives the same order.
    """
    index = 1
    while index < len(order):
        code = codes[order[index - 1]]
        for other in range(index, len(order)):
            if codes[order[other]] == code:
                order[index], order[other] = order[other], order[index]
                index += 1
        index += 1


def _require_class_codes(actual_codes: ArrayLike, folds: int) -> NDArray[Any]:
    codes = np.asarray(actual_codes)
    if codes.ndim != 1 or (len(codes) and codes.dtype.kind not in "iub"):
        raise InputError(
            "Weka's folds need the class of each row as an integer: "
            "number the classes first, for example with numpy.unique(..., return_inverse=True)."
        )
    if folds < 2:
        raise InputError(f"Cross-validation needs at least 2 folds, not {folds}.")
    if folds > len(codes):
        raise InputError(
            f"{folds} folds need at least {folds} rows, and there are {format_count(len(codes))}: "
            "ask for fewer folds."
        )
    return codes
