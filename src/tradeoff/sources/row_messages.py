"""Messages about rows that break a rule: one for each rule, whatever the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.formatting import format_rows
from tradeoff.sources.row_numbers import format_row_numbers
from tradeoff.sources.text_values import has_decimal_comma

MAX_WEIGHT = 1e100
"""Maximum weight, so that squares do not overflow; its inverse is the minimum positive weight."""


MAX_EXAMPLE_ROWS = 3
"""Maximum number of row numbers listed in a message."""


@dataclass
class Fault:
    """Rows that break a rule: their number and, if rows are numbered, the first row numbers."""

    rows: int = 0
    first_rows: list[int] = field(default_factory=list)

    def add(
        self,
        mask: NDArray[np.bool_],
        indices: NDArray[np.intp] | None = None,
        *,
        start: int = 0,
        sizes: NDArray[Any] | None = None,
    ) -> Fault:
        """Add the rows of a batch in `mask`; `start` is the number of rows before the batch.

        Groups of rows have `sizes` but no row numbers.
        """
        self.rows += count_rows(mask, sizes)
        if sizes is None and len(self.first_rows) < MAX_EXAMPLE_ROWS:
            examples = np.flatnonzero(mask)[: MAX_EXAMPLE_ROWS - len(self.first_rows)]
            self.first_rows += (
                (examples if indices is None else indices[examples]) + start + 1
            ).tolist()
        return self

    @property
    def location(self) -> str:
        """The first row numbers in parentheses, for a message; empty if rows are not numbered."""
        return f" (first: {format_row_numbers(self.first_rows)})" if self.first_rows else ""


# Each rule about rows has one message, whatever the source.


NO_FAULTS = Fault()
NO_CLASS, NO_FOLD = "no class", "no fold"
WEIGHT_FAULTS = (
    "missing or infinite",
    "negative",
    f"above {MAX_WEIGHT:g}",
    f"below {1 / MAX_WEIGHT:g}",
)
"""Faults of weights, in the order in which they are reported."""


def _is_or_are(count: int) -> str:
    return "is" if count == 1 else "are"


def require_valid_weights(faults: Mapping[str, Fault], total: int) -> None:
    """Require that no weight has any of `WEIGHT_FAULTS`."""
    for fault_name in WEIGHT_FAULTS:
        fault = faults.get(fault_name, NO_FAULTS)
        if fault.rows:
            raise InputError(
                f"{fault.rows:,} of {total:,} weights {_is_or_are(fault.rows)} {fault_name}"
                f"{fault.location}. A weight says how often a row counts: it must be a finite "
                "number of 0 or more."
            )


def require_classes(fault: Fault, total: int, name: str) -> None:
    """Require an actual class for every row that counts."""
    if fault.rows:
        verb = "has" if fault.rows == 1 else "have"
        raise InputError(
            f"{fault.rows:,} of {format_rows(total)} {verb} no class "
            f"in {name!r}{fault.location}. A row without an actual class cannot be evaluated: fill "
            'in the class, or leave such rows out with missing="drop".'
        )


def require_scores(fault: Fault, total: int, name: str) -> None:
    """Require a score for every row that counts."""
    if fault.rows:
        raise InputError(
            f"{fault.rows:,} of {total:,} scores in `{name}` {_is_or_are(fault.rows)} missing"
            f"{fault.location}. Fill {'it' if fault.rows == 1 else 'them'} in, or use "
            'missing="drop", missing="reject" (undecided) or missing="negative" (ranked last); the '
            "output reports how many rows are affected."
        )


def require_exact_scores(fault: Fault, name: str) -> None:
    """Require that float64 represents integer scores exactly."""
    if fault.rows:
        raise InputError(
            f"`{name}` holds integers above 2**53 that floating point cannot distinguish"
            f"{fault.location}. Divide them or replace them by ranks first."
        )


def require_folds(fault: Fault, name: str) -> None:
    """Require a fold for every row, even if its weight is 0."""
    if fault.rows:
        raise InputError(
            f"{format_rows(fault.rows)} without a fold in {name!r}{fault.location}: each row "
            "belongs to the fold in which it was tested, so fill in the fold."
        )


def non_numeric_score_message(name: str, example: str) -> str:
    """Message that a score is not a number, with an example; the caller adds the remedy."""
    return f"`{name}` must hold numbers, but {example} is not a number"


def require_decimal_points(cell: str, name: str) -> None:
    """Refuse a score that is written with a decimal comma, with the remedy.

    Example:
        >>> require_decimal_points("0,73", "p")
        Traceback (most recent call last):
        tradeoff.errors.InputError: Scores in 'p' look like '0,73' (decimal comma): read the file \
with decimal=',', or convert them to numbers.
    """
    if has_decimal_comma(cell):
        raise InputError(
            f"Scores in {name!r} look like {cell!r} (decimal comma): read the file with "
            "decimal=',', or convert them to numbers."
        )


def non_numeric_column_message(name: str, kind: object) -> str:
    """Message that a column of a database has no numeric type."""
    return (
        f"`{name}` must hold numbers, but its type is {kind}: convert it to numbers in the query "
        "(predicted classes to 1 and 0), or collect the rows first."
    )


def non_numeric_weight_message(example: str) -> str:
    """Message that a weight is not a number, with an example."""
    return f"Weights must be numbers, but {example} is not a number."


# Notes on the treatment of rows.


def ties_note(name: str, ties: int) -> str:
    """Note on distinct scores that become ties as float64.

    Example:
        >>> ties_note("score", 3)
        'score has more digits than float64 keeps: 3 scores are tied with a different one'
    """
    subject = "score is" if ties == 1 else "scores are"
    return (
        f"{name} has more digits than float64 keeps: {ties:,} {subject} tied with a different one"
    )


def count_rows(mask: NDArray[np.bool_], sizes: NDArray[Any] | None) -> int:
    """Number of rows selected by a mask over rows or groups."""
    return int(np.count_nonzero(mask) if sizes is None else sizes[mask].sum())
