"""Spreadsheets (Excel, OpenDocument): the columns of a sheet, read by python-calamine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, did_you_mean, extra_required, format_list
from tradeoff.files.missing_files import missing_file
from tradeoff.sources.csv_layout import CsvLayout
from tradeoff.sources.text_values import is_number

NO_VALUE = {"", "NA"}
"""Cells without a value, as in CSV files."""


def read_spreadsheet(path: str, sheet: str | None = None) -> dict[str, NDArray[Any]]:
    """Read a spreadsheet: one sheet (default: the first), whose first filled row is the header.

    Columns of cells with numbers, dates or true and false have these types. Cells with text are
    read as in a CSV file: they are numbers if all of a column are written as numbers.
    """
    if not Path(path).exists():
        raise missing_file(path)
    with extra_required(f"Reading {path}"):
        from python_calamine import CalamineError, CalamineWorkbook
    try:
        workbook = CalamineWorkbook.from_path(path)
        name = _sheet_name(workbook.sheet_names, sheet, path)
        rows = workbook.get_sheet_by_name(name).to_python(skip_empty_area=True)
    except (CalamineError, OSError) as error:
        raise InputError(f"{path} cannot be read: {str(error).rstrip('.')}.") from error
    if not rows:
        raise InputError(
            f"Sheet {name!r} of {path} is empty: choose one with sheet=, of "
            f"{format_list(workbook.sheet_names)}."
        )
    header, *body = rows
    return _table_columns(header, body)


def _sheet_name(names: Sequence[str], sheet: str | None, path: str) -> str:
    """Name of the sheet to read: the one asked for, else the first."""
    if sheet is None:
        return names[0]
    if sheet not in names:
        raise InputError(
            f"{path} has no sheet {sheet!r}.{did_you_mean(sheet, names)} Its sheets are "
            f"{format_list(names)}."
        )
    return sheet


def _table_columns(header: Sequence[Any], rows: Sequence[Sequence[Any]]) -> dict[str, NDArray[Any]]:
    """Columns of a sheet by their names, without rows and columns that are entirely empty."""
    rows = [row for row in rows if any(cell not in NO_VALUE for cell in row)]
    titles = tuple(str(title).strip() for title in header)
    columns: Mapping[str, list[Any]] = {
        name: [row[index] for row in rows]
        for index, name in enumerate(CsvLayout(",", titles).names)
    }
    return {
        name: _cells_array(cells)
        for (name, cells), title in zip(columns.items(), titles, strict=True)
        if title or any(cell not in NO_VALUE for cell in cells)
    }


def _cells_array(cells: Sequence[Any]) -> NDArray[Any]:
    """Array of the type that fits all cells of a column."""
    values = [None if cell in NO_VALUE else cell for cell in cells]
    present = [value for value in values if value is not None]
    if all(isinstance(value, str) and is_number(value) for value in present):
        values = [None if value is None else float(value) for value in values]
        present = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in present):
        return np.array(values, dtype=bool if present and None not in values else object)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in present):
        return _numbers(values)
    array = np.empty(len(values), dtype=object)
    array[:] = [_cell_text(value) for value in values]
    return array


def _numbers(values: Sequence[Any]) -> NDArray[Any]:
    """Integers if all cells hold one, as a spreadsheet stores every number with a fraction."""
    floats = np.array([np.nan if value is None else float(value) for value in values])
    is_whole = np.isfinite(floats).all() and (floats == np.round(floats)).all()
    return floats.astype(np.int64) if is_whole and (np.abs(floats) < 2**53).all() else floats


def _cell_text(value: Any) -> str | None:
    """Cell of a column of text: dates in ISO format, whole numbers without a fraction."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value.isoformat() if isinstance(value, date | time) else str(value)
