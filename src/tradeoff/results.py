"""Base classes of results: equality by value, tables for any dataframe library, and views."""

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

from tradeoff.errors import InputError, extra_required
from tradeoff.text import format_count, format_number, printable

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart as Chart  # noqa: PLC0414 - rooms below take it from here
    from tradeoff.render.sections import Section

Library = Literal["pandas", "polars", "pyarrow"]
NOTEBOOK_ROWS = 60
"""Most lines of a table in a notebook."""


class ByValue:
    """Base of result dataclasses that are equal where all fields are: arrays by value, NaN to NaN.

    Functions are not compared: they follow from the other fields.
    """

    def __eq__(self, other: object) -> bool:
        """Whether both are of the same type with equal fields."""
        if type(self) is not type(other):
            return NotImplemented
        return _equal_fields(self, other)

    def __hash__(self) -> int:
        """Arrays have no hash, so all results of a type share theirs."""
        return hash(type(self))


class Tabular(ByValue):
    """Base of results with a tidy table; subclasses define `columns()`."""

    def columns(self) -> Mapping[str, Any]:
        """Columns of the table by name, one line per observation."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table as a pandas dataframe."""
        return to_dataframe(self.columns(), "pandas")

    def to_polars(self) -> Any:
        """The table as a polars dataframe."""
        return to_dataframe(self.columns(), "polars")

    def to_arrow(self) -> Any:
        """The table as a pyarrow table."""
        return to_dataframe(self.columns(), "pyarrow")

    def _repr_html_(self) -> str:
        """The table as notebooks show it; names from data are text."""
        return _as_html(self.columns(), self._caption())

    def _caption(self) -> str:
        return repr(self)


class Result(Tabular):
    """Base of results: a table, a JSON document, text and, where it helps, a chart.

    How a result is rendered is defined in the `views` and `charts` modules of its package, which
    register their functions with `@shows`. They are imported by name when first needed, so that no
    package depends on its views.
    """

    _views: ClassVar[str] = ""
    _charts: ClassVar[str] = ""

    def __init_subclass__(cls, *, views: str = "", charts: str = "", **more: Any) -> None:
        """Name the modules that register the views of this type of result with `@shows`."""
        super().__init_subclass__(**more)
        if views:
            cls._views = views
            cls._charts = charts or views

    def to_dict(self) -> dict[str, Any]:
        """JSON document of the result, following its published schema."""
        document: dict[str, Any] = find_view(self, "document")(self)
        return document

    def sections(self) -> list[Section]:
        """Sections of text of the result: headings, sentences and tables."""
        sections: list[Section] = find_view(self, "sections")(self)
        return sections

    def to_csv(self) -> str:
        """Table of the result as CSV."""
        if has_view(self, "csv"):
            return str(find_view(self, "csv")(self))
        columns = self.columns()
        rows = zip(*map(_as_list, columns.values()), strict=True)
        return str(renderer("csv")(list(columns), rows))

    def to_markdown(self) -> str:
        """Text of the result as Markdown."""
        return str(renderer("markdown")(self.sections()))

    def chart(self) -> Chart:
        """Chart of the result: plain data that matplotlib, terminals and pages draw."""
        chart: Chart = find_view(self, "chart")(self)
        return chart

    def plot(self, *, ax: Any = None) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; returns the axes."""
        return renderer("matplotlib")(self.chart(), ax)

    def __str__(self) -> str:
        """Text of the result as the command line prints it."""
        return str(renderer("text")(self.sections()))


What = Literal["document", "sections", "columns", "csv", "junit", "chart"]
View = TypeVar("View", bound=Callable[..., Any])
_VIEWS: dict[tuple[type, What], Callable[..., Any]] = {}
_RENDERERS = {
    "text": "tradeoff.render.sections:format_text",
    "markdown": "tradeoff.render.sections:format_markdown",
    "csv": "tradeoff.render.values:format_csv",
    "matplotlib": "tradeoff.render.matplotlib.figures:draw_chart",
}


def shows(kind: type, what: What) -> Callable[[View], View]:
    """Register a function as a view of a type of result."""

    def enter(view: View) -> View:
        _VIEWS[kind, what] = view
        return view

    return enter


def has_view(result: Result, what: What) -> bool:
    """Whether a result has a registered view of this kind."""
    home = result._charts if what == "chart" else result._views  # noqa: SLF001 - its own
    if home:
        import_module(home)
    return (type(result), what) in _VIEWS


def find_view(result: Result, what: What) -> Callable[..., Any]:
    """Registered function that renders a view of a result."""
    kind = type(result)
    if (kind, what) not in _VIEWS and not has_view(result, what):
        raise InputError(f"A {kind.__name__} has no {what}.")
    return _VIEWS[kind, what]


def renderer(name: str) -> Callable[..., Any]:
    """Function that renders text, CSV or charts, by name: results may not import renderers."""
    module, _, function = _RENDERERS[name].partition(":")
    render: Callable[..., Any] = getattr(import_module(module), function)
    return render


def _equal_fields(first: Any, second: Any) -> bool:
    """Whether two dataclasses of one type have equal fields."""
    return all(
        equal_values(getattr(first, f.name), getattr(second, f.name))
        for f in fields(first)
        if f.compare
    )


def equal_values(first: Any, second: Any) -> bool:
    """Whether two values of results are equal: arrays by value, NaN equal to NaN.

    Example:
        >>> equal_values({"a": [1, float("nan")]}, {"a": [1, float("nan")]})
        True
    """
    if first is second:
        return True
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return _equal_arrays(np.asarray(first), np.asarray(second))
    return (
        _equal_of_one_type(first, second) if type(first) is type(second) else bool(first == second)
    )


def _equal_of_one_type(first: Any, second: Any) -> bool:
    if isinstance(first, Mapping):
        return list(first) == list(second) and all(
            equal_values(first[key], second[key]) for key in first
        )
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(equal_values, first, second))
    if is_dataclass(first) and not _defines_equality(first):
        return _equal_fields(first, second)
    both_nan = isinstance(first, float) and math.isnan(first) and math.isnan(second)
    return (
        both_nan or isinstance(first, FunctionType | MethodType | partial) or bool(first == second)
    )


def _defines_equality(value: Any) -> bool:
    """Whether a dataclass defines its own equality, as rankings do."""
    generated = type(value).__dataclass_params__.eq
    equality: Any = type(value).__eq__
    return not generated and equality not in {ByValue.__eq__, object.__eq__}


def _equal_arrays(first: NDArray[Any], second: NDArray[Any]) -> bool:
    inexact = first.dtype.kind in "fc" and second.dtype.kind in "fc"
    return np.array_equal(first, second, equal_nan=inexact)


def _as_list(column: Any) -> list[Any]:
    """Column as plain Python numbers: NumPy's are printed differently."""
    return list(column.tolist() if isinstance(column, np.ndarray) else column)


def to_dataframe(columns: Mapping[str, Any], library: Library) -> Any:
    """Columns of a result as a dataframe of an installed library."""
    import narwhals as nw

    with extra_required("A dataframe"):
        import_module(library)  # narwhals would not say which extra is missing
    return nw.from_dict(dict(columns), backend=library).to_native()


def _as_html(columns: Mapping[str, Any], caption: str) -> str:
    """HTML table of a result, truncated for notebooks.

    Example:
        >>> _as_html({"model": ["a<b"], "auc": [0.75]}, "Two & more")
        '<table><caption>Two &amp; more</caption><thead><tr><th>model</th><th>auc</th></tr></thead>\
<tbody><tr><td>a&lt;b</td><td>0.7500</td></tr></tbody></table>'
    """
    size = len(next(iter(columns.values()), ()))
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    lines = zip(*(column[:NOTEBOOK_ROWS] for column in columns.values()), strict=True)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_format_cell(value))}</td>' for value in line)}</tr>"
        for line in lines
    )
    more = f"<p>The first {NOTEBOOK_ROWS} of {size:,} lines.</p>" if size > NOTEBOOK_ROWS else ""
    title = escape(printable(caption, 300))
    return (
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{more}"
    )


def _format_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value, 300)
    if isinstance(value, bool) or type(value).__name__.startswith("bool"):
        return str(bool(value))
    whole = isinstance(value, int) or type(value).__name__.startswith(("int", "uint"))
    return format_count(value) if whole else format_number(float(value))
