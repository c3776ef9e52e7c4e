"""Results: compared by value, and tidy tables for any dataframe library and for notebooks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from html import escape
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tradeoff.errors import InputError
from tradeoff.text import count, number, plain

if TYPE_CHECKING:
    from numpy.typing import NDArray

Library = Literal["pandas", "polars", "pyarrow"]
SHOWN = 60
"""So many lines of a table are shown in a notebook."""


class ByValue:
    """Dataclasses that are equal where all their fields are: arrays by value, NaN to NaN.

    Functions are not looked at: they follow from the other fields.
    """

    def __eq__(self, other: object) -> bool:
        """Whether both are of one kind and hold the same."""
        if type(self) is not type(other):
            return NotImplemented
        return same_fields(self, other)

    def __hash__(self) -> int:
        """Arrays have no hash, so all results of one type share one."""
        return hash(type(self))


class Tabular(ByValue):
    """What has a tidy table; `columns()` is all that a result needs to say of itself."""

    def columns(self) -> Mapping[str, Any]:
        """The table: its columns by name, one line an observation."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table as a pandas dataframe."""
        return as_frame(self.columns(), "pandas")

    def to_polars(self) -> Any:
        """The table as a polars dataframe."""
        return as_frame(self.columns(), "polars")

    def to_arrow(self) -> Any:
        """The table as a pyarrow table."""
        return as_frame(self.columns(), "pyarrow")

    def _repr_html_(self) -> str:
        """The table as notebooks show it; names from data are text."""
        return as_html(self.columns(), repr(self))


def same_fields(one: Any, other: Any) -> bool:
    """Whether two dataclasses of one type hold the same."""
    return all(same(getattr(one, f.name), getattr(other, f.name)) for f in fields(one) if f.compare)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same: arrays by value, NaN equal to NaN.

    Example:
        >>> same({"a": [1, float("nan")]}, {"a": [1, float("nan")]}), same((1, 2), (1, 3))
        (True, False)
    """
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _same_arrays(np.asarray(one), np.asarray(other))
    return _same_kind(one, other) if type(one) is type(other) else bool(one == other)


def _same_kind(one: Any, other: Any) -> bool:
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one) and not _has_own_equality(one):
        return same_fields(one, other)
    both_nan = isinstance(one, float) and math.isnan(one) and math.isnan(other)
    return both_nan or isinstance(one, FunctionType | MethodType | partial) or bool(one == other)


def _has_own_equality(one: Any) -> bool:
    """Whether a dataclass says itself what it is equal to, as rankings do."""
    generated = type(one).__dataclass_params__.eq
    equality: Any = type(one).__eq__
    return not generated and equality not in {ByValue.__eq__, object.__eq__}


def _same_arrays(one: NDArray[Any], other: NDArray[Any]) -> bool:
    inexact = one.dtype.kind in "fc" and other.dtype.kind in "fc"
    return np.array_equal(one, other, equal_nan=inexact)


def as_frame(columns: Mapping[str, Any], library: Library) -> Any:
    """Columns as a dataframe of a library that is installed."""
    import narwhals as nw

    try:
        return nw.from_dict(dict(columns), backend=library).to_native()
    except ModuleNotFoundError as problem:
        raise InputError(f"{library} is not installed: columns() has the same table.") from problem


def as_html(columns: Mapping[str, Any], caption: str) -> str:
    """A table in HTML, its first lines if there are many.

    Example:
        >>> as_html({"model": ["a<b"], "auc": [0.75]}, "Two & more")
        '<table><caption>Two &amp; more</caption><thead><tr><th>model</th><th>auc</th></tr></thead>\
<tbody><tr><td>a&lt;b</td><td>0.7500</td></tr></tbody></table>'
    """
    size = len(next(iter(columns.values()), ()))
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = zip(*(column[:SHOWN] for column in columns.values()), strict=True)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_written(value))}</td>' for value in line)}</tr>"
        for line in lines
    )
    more = f"<p>The first {SHOWN} of {size:,} lines.</p>" if size > SHOWN else ""
    said = escape(plain(caption, 300))
    return (
        f"<table><caption>{said}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{more}"
    )


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return plain(value, 300)
    if isinstance(value, bool) or type(value).__name__.startswith("bool"):
        return str(bool(value))
    whole = isinstance(value, int) or type(value).__name__.startswith(("int", "uint"))
    return count(value) if whole else number(float(value))
