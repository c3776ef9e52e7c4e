"""Results: compared by value, tidy tables for any library, and shown by the views of their room."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from html import escape
from importlib import import_module
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError
from tradeoff.text import count, number, plain

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart
    from tradeoff.render.sections import Section

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
        return _same_fields(self, other)

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
        return _as_html(self.columns(), repr(self))


class Result(Tabular):
    """What a question is answered with: a table, a document, text and, where it helps, a picture.

    How a result is written and drawn stands in the `views` and `charts` of its room, which enter
    their functions with `@shows`. They are imported by name when first asked for, so that no room
    depends on how it is shown.
    """

    _views: ClassVar[str] = ""
    _charts: ClassVar[str] = ""

    def __init_subclass__(cls, *, views: str = "", charts: str = "", **more: Any) -> None:
        """The modules in which functions with `@shows` know this kind of result."""
        super().__init_subclass__(**more)
        if views:
            cls._views = views
            cls._charts = charts or views

    def to_dict(self, **choices: Any) -> dict[str, Any]:
        """The result as a document that follows its published schema."""
        document: dict[str, Any] = view_of(self, "document")(self, **choices)
        return document

    def sections(self, **choices: Any) -> list[Section]:
        """The result as a person reads it: headings, sentences and tables."""
        sections: list[Section] = view_of(self, "sections")(self, **choices)
        return sections

    def to_csv(self) -> str:
        """The table as CSV."""
        if has_view(self, "csv"):
            return str(view_of(self, "csv")(self))
        columns = self.columns()
        rows = zip(*map(_as_list, columns.values()), strict=True)
        return str(renderer("csv")(list(columns), rows))

    def to_markdown(self) -> str:
        """The text as Markdown."""
        return str(renderer("markdown")(self.sections()))

    def chart(self, *choice: Any, **choices: Any) -> Chart:
        """The result as a chart: plain data that matplotlib, terminals and pages draw."""
        chart: Chart = view_of(self, "chart")(self, *choice, **choices)
        return chart

    def plot(self, *choice: Any, ax: Any = None, **choices: Any) -> Any:
        """The chart drawn by matplotlib, on `ax` if one is given; the axes are returned."""
        return renderer("matplotlib")(self.chart(*choice, **choices), ax)

    def __str__(self) -> str:
        """The result as the command line prints it."""
        return str(renderer("text")(self.sections()))


What = Literal["document", "sections", "columns", "csv", "junit", "chart"]
View = TypeVar("View", bound=Callable[..., Any])
_VIEWS: dict[tuple[type, What], Callable[..., Any]] = {}
_RENDERERS = {
    "text": "tradeoff.render.sections:as_text",
    "markdown": "tradeoff.render.sections:as_markdown",
    "csv": "tradeoff.render.values:as_csv",
    "matplotlib": "tradeoff.render.matplotlib.figures:drawn",
}


def shows(kind: type, what: What) -> Callable[[View], View]:
    """Enter a function as the way in which a kind of result is shown."""

    def enter(view: View) -> View:
        _VIEWS[kind, what] = view
        return view

    return enter


def has_view(result: Result, what: What) -> bool:
    """Whether a kind of result can be shown in one way."""
    home = result._charts if what == "chart" else result._views  # noqa: SLF001 - its own
    if home:
        import_module(home)
    return (type(result), what) in _VIEWS


def view_of(result: Result, what: What) -> Callable[..., Any]:
    """The function that shows a result in one way."""
    kind = type(result)
    if (kind, what) not in _VIEWS and not has_view(result, what):
        raise InputError(f"A {kind.__name__} has no {what}.")
    return _VIEWS[kind, what]


def renderer(name: str) -> Callable[..., Any]:
    """What writes or draws, by its name: results lie below it and may not import it."""
    module, _, function = _RENDERERS[name].partition(":")
    render: Callable[..., Any] = getattr(import_module(module), function)
    return render


def _same_fields(one: Any, other: Any) -> bool:
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
        return _same_fields(one, other)
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


def _as_list(column: Any) -> list[Any]:
    """Plain numbers: NumPy's own are written otherwise."""
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def as_frame(columns: Mapping[str, Any], library: Library) -> Any:
    """Columns as a dataframe of a library that is installed."""
    import narwhals as nw

    try:
        return nw.from_dict(dict(columns), backend=library).to_native()
    except ModuleNotFoundError as problem:
        raise InputError(f"{library} is not installed: columns() has the same table.") from problem


def _as_html(columns: Mapping[str, Any], caption: str) -> str:
    """A table in HTML, its first lines if there are many.

    Example:
        >>> _as_html({"model": ["a<b"], "auc": [0.75]}, "Two & more")
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
