"""Base classes of results: equality by value, dataframes of any library, and registered views."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from html import escape
from importlib import import_module
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, TradeoffError, extra_required
from tradeoff.formatting import format_count, format_number, printable

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart as Chart  # noqa: PLC0414 - lower layers import it from here
    from tradeoff.render.sections import Section

Library = Literal["pandas", "polars", "pyarrow"]
MAX_NOTEBOOK_ROWS = 60
"""Maximum number of rows of a table in a notebook."""


class ByValue:
    """Base class of result dataclasses that compare by value: arrays by element, NaN equal to NaN.

    Functions are not compared, as they follow from the other fields.
    """

    def __eq__(self, other: object) -> bool:
        """Whether both are of the same type and have equal fields."""
        if type(self) is not type(other):
            return NotImplemented
        return _have_equal_fields(self, other)

    def __hash__(self) -> int:
        """Hash of the type: arrays cannot be hashed, so all results of a type share a hash."""
        return hash(type(self))


class Tabular(ByValue):
    """Base class of results with a tidy table; subclasses define `columns()`."""

    def columns(self) -> Mapping[str, Any]:
        """Columns of the result's table by name, one row per observation."""
        raise NotImplementedError

    def to_pandas(self) -> Any:
        """The table of the result as a pandas dataframe."""
        return to_dataframe(self.columns(), "pandas")

    def to_polars(self) -> Any:
        """The table of the result as a polars dataframe."""
        return to_dataframe(self.columns(), "polars")

    def to_arrow(self) -> Any:
        """The table of the result as a pyarrow table."""
        return to_dataframe(self.columns(), "pyarrow")

    def _repr_html_(self) -> str:
        """The table as notebooks show it; names from data are escaped."""
        return _as_html(self.columns(), self._caption())

    def _caption(self) -> str:
        return repr(self)


class Result(Tabular):
    """Base class of results: a table, a JSON document, text and, if useful, a chart.

    How a result is rendered is defined in the `views` and `charts` modules of its package, which
    register their functions with `@shows`. They are imported by name when first needed, so that
    packages do not depend on their views.
    """

    _views: ClassVar[str] = ""
    _charts: ClassVar[str] = ""
    _is_picture: ClassVar[bool] = False

    def __init_subclass__(
        cls, *, views: str = "", charts: str = "", picture: bool = False, **options: Any
    ) -> None:
        """Name the modules that register the views of this type of result with `@shows`.

        With `picture`, notebooks show its chart instead of its table.
        """
        super().__init_subclass__(**options)
        cls._is_picture = picture or cls._is_picture
        if views:
            cls._views = views
            cls._charts = charts or views

    def to_dict(self) -> dict[str, Any]:
        """JSON document of the result, following its published schema."""
        document: dict[str, Any] = find_view(self, "document")(self)
        return document

    def sections(self) -> list[Section]:
        """Text sections of the result: headings, sentences and tables."""
        sections: list[Section] = find_view(self, "sections")(self)
        return sections

    def to_csv(self) -> str:
        """Table of the result as CSV."""
        if _has_view(self, "csv"):
            return str(find_view(self, "csv")(self))
        columns = self.columns()
        rows = zip(*map(_as_list, columns.values()), strict=True)
        return str(renderer("csv")(list(columns), rows))

    def to_markdown(self) -> str:
        """Text of the result as Markdown."""
        return str(renderer("markdown")(self.sections()))

    def to_html(self) -> str:
        """Text of the result as HTML whose tables can be pasted into Word."""
        return str(renderer("html")(self.sections()))

    def to_latex(self) -> str:
        """Text of the result as LaTeX, with tables in the style of the package booktabs."""
        return str(renderer("latex")(self.sections()))

    def chart(self) -> Chart:
        """Chart of the result, as plain data to be drawn by matplotlib, terminals and pages."""
        chart: Chart = find_view(self, "chart")(self)
        return chart

    def plot(self, *, ax: Any = None, style: ChartStyleName = "default") -> Any:
        """Plot the chart of the result with matplotlib; returns the axes.

        Args:
            ax: Axes to draw on; a new figure by default.
            style: "default", or "paper": grey, and one column wide.
        """
        return renderer("matplotlib")(self.chart(), ax, style)

    def _repr_svg_(self) -> str | None:
        """The chart as notebooks show it, drawn without matplotlib; None for other results."""
        if not self._is_picture:
            return None
        try:
            return str(renderer("svg")(self.chart()))
        except TradeoffError:
            return None  # nothing can be drawn: the table is shown

    def _repr_html_(self) -> str:
        """The chart or the table as notebooks show it; names from data are escaped."""
        return self._repr_svg_() or super()._repr_html_()

    def __str__(self) -> str:
        """Text of the result as the command line prints it."""
        return str(renderer("text")(self.sections()))


ViewName = Literal["document", "sections", "columns", "csv", "junit", "chart"]
View = TypeVar("View", bound=Callable[..., Any])
_VIEWS: dict[tuple[type, ViewName], Callable[..., Any]] = {}
ChartStyleName = Literal["default", "paper"]
"""Look of a chart drawn by matplotlib."""
_RENDERERS = {
    "text": "tradeoff.render.sections:format_text",
    "markdown": "tradeoff.render.markup:format_markdown",
    "html": "tradeoff.render.markup:format_html",
    "latex": "tradeoff.render.markup:format_latex",
    "csv": "tradeoff.render.json_csv:format_csv",
    "svg": "tradeoff.render.svg:chart_svg",
    "matplotlib": "tradeoff.render.matplotlib.figures:draw_chart",
}


def shows(kind: type, view_name: ViewName) -> Callable[[View], View]:
    """Register a function as a view of a type of result."""

    def register(view: View) -> View:
        _VIEWS[kind, view_name] = view
        return view

    return register


def _has_view(result: Result, view_name: ViewName) -> bool:
    """Whether a result has a registered view of this kind."""
    module = result._charts if view_name == "chart" else result._views  # noqa: SLF001 - its own
    if module:
        import_module(module)
    return (type(result), view_name) in _VIEWS


def find_view(result: Result, view_name: ViewName) -> Callable[..., Any]:
    """Registered function that renders a view of a result."""
    kind = type(result)
    if (kind, view_name) not in _VIEWS and not _has_view(result, view_name):
        raise InputError(f"A {kind.__name__} has no {view_name}.")
    return _VIEWS[kind, view_name]


def renderer(name: str) -> Callable[..., Any]:
    """Function that renders results as text, CSV or charts, by name to avoid importing it."""
    module, _, function = _RENDERERS[name].partition(":")
    render: Callable[..., Any] = getattr(import_module(module), function)
    return render


def _have_equal_fields(first: Any, second: Any) -> bool:
    """Whether two dataclasses of one type have equal fields."""
    return all(
        equal_values(getattr(first, f.name), getattr(second, f.name))
        for f in fields(first)
        if f.compare
    )


def equal_values(first: Any, second: Any) -> bool:
    """Whether two values of results are equal: arrays by element, NaN equal to NaN.

    Example:
        >>> equal_values({"a": [1, float("nan")]}, {"a": [1, float("nan")]})
        True
    """
    if first is second:
        return True
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return _are_equal_arrays(np.asarray(first), np.asarray(second))
    return (
        _equal_values_of_one_type(first, second)
        if type(first) is type(second)
        else bool(first == second)
    )


def _equal_values_of_one_type(first: Any, second: Any) -> bool:
    if isinstance(first, Mapping):
        return list(first) == list(second) and all(
            equal_values(first[key], second[key]) for key in first
        )
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(equal_values, first, second))
    if is_dataclass(first) and not _defines_equality(first):
        return _have_equal_fields(first, second)
    both_nan = isinstance(first, float) and math.isnan(first) and math.isnan(second)
    return (
        both_nan or isinstance(first, FunctionType | MethodType | partial) or bool(first == second)
    )


def _defines_equality(value: Any) -> bool:
    """Whether a dataclass defines its own equality, as rankings do."""
    is_generated = type(value).__dataclass_params__.eq
    equality: Any = type(value).__eq__
    return not is_generated and equality not in {ByValue.__eq__, object.__eq__}


def _are_equal_arrays(first: NDArray[Any], second: NDArray[Any]) -> bool:
    is_floating = first.dtype.kind in "fc" and second.dtype.kind in "fc"
    return np.array_equal(first, second, equal_nan=is_floating)


def _as_list(column: Any) -> list[Any]:
    """Column as plain Python values, because NumPy's are printed differently."""
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
    rows = zip(*(column[:MAX_NOTEBOOK_ROWS] for column in columns.values()), strict=True)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(_format_cell(value))}</td>' for value in row)}</tr>"
        for row in rows
    )
    note = (
        f"<p>The first {MAX_NOTEBOOK_ROWS} of {size:,} rows.</p>"
        if size > MAX_NOTEBOOK_ROWS
        else ""
    )
    title = escape(printable(caption, 300))
    return (
        f"<table><caption>{title}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{note}"
    )


def html_table(rows: Sequence[Sequence[str]], caption: str = "", *, left: int = 1) -> str:
    """HTML table of strings: the first row and the first `left` columns are its headers.

    Example:
        >>> html_table([["", "predicted a<b"], ["actual", "7"]])
        '<table><thead><tr><th></th><th>predicted a&lt;b</th></tr></thead><tbody><tr>\
<th style="text-align:left">actual</th><td>7</td></tr></tbody></table>'
    """
    header, *body = ([escape(printable(cell, 300)) for cell in row] for row in rows)
    head = "".join(f"<th>{cell}</th>" for cell in header)
    lines = (
        "".join(f'<th style="text-align:left">{cell}</th>' for cell in row[:left])
        + "".join(f"<td>{cell}</td>" for cell in row[left:])
        for row in body
    )
    title = f"<caption>{escape(printable(caption, 300))}</caption>" if caption else ""
    table_body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{table_body}</tbody></table>"


def _format_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return printable(value, 300)
    if isinstance(value, bool) or type(value).__name__.startswith("bool"):
        return str(bool(value))
    is_whole = isinstance(value, int) or type(value).__name__.startswith(("int", "uint"))
    return format_count(value) if is_whole else format_number(float(value))
