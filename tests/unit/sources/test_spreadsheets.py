"""Excel files: sheets, types, empty cells, and messages."""

import sys
from datetime import date, datetime

import openpyxl
import pytest

import tradeoff as to
from tradeoff.errors import InputError, MissingExtra
from tradeoff.sources.read_columns import read_column_names, read_file_columns

ROWS = [
    ["", "y", "p", "text number", "when", "flag", "mixed"],
    [0, "no", 0.25, "0.5", date(2024, 1, 31), True, 7],
    [1, "yes", 1, "2", datetime(2024, 2, 1, 10, 30), False, "a"],  # noqa: DTZ001 - Excel has no zones
    [2, "yes", None, None, None, None, 2.5],
    [None] * 7,
]


@pytest.fixture
def path(tmp_path):
    workbook = openpyxl.Workbook()
    workbook.active.title = "Data"
    for row in ROWS:
        workbook["Data"].append(row)
    for row in (["y", "p"], [1, 0.75], [0, 0.25]):
        (
            workbook["Other"] if "Other" in workbook.sheetnames else workbook.create_sheet("Other")
        ).append(row)
    workbook.create_sheet("Empty")
    workbook.save(tmp_path / "rows.xlsx")
    return tmp_path / "rows.xlsx"


def test_cells_get_the_type_that_fits_the_column(path):
    columns = read_file_columns(path, None)

    assert list(columns) == ["column0", "y", "p", "text number", "when", "flag", "mixed"]
    assert columns["column0"].tolist() == [0, 1, 2]
    assert columns["p"][:2].tolist() == [0.25, 1]
    assert columns["text number"][:2].tolist() == [0.5, 2]
    assert columns["when"].tolist() == ["2024-01-31", "2024-02-01 10:30:00", None]
    assert columns["flag"].tolist() == [True, False, None]
    assert columns["mixed"].tolist() == ["7", "a", "2.5"]


def test_a_sheet_is_chosen_by_its_name(path):
    assert to.evaluate(to.File(path, sheet="Other"), "p", actual="y").auc.value == 1
    assert read_column_names(to.File(path, sheet="Other")) == ["y", "p"]


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("othre", r"has no sheet 'othre'\. Did you mean 'Other'\?"),
        ("Empty", r"Sheet 'Empty' of .* is empty: choose one with sheet="),
    ],
)
def test_a_sheet_without_rows_is_refused(path, sheet, message):
    with pytest.raises(InputError, match=message):
        to.look(to.File(path, sheet=sheet))


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "rows.xlsx").write_bytes(b"PK\x03\x04 not a workbook")

    with pytest.raises(InputError, match=r"rows\.xlsx cannot be read"):
        to.look(tmp_path / "rows.xlsx")
    with pytest.raises(InputError, match="There is no file"):
        to.look(tmp_path / "other.xlsx")


def test_without_the_extra_the_message_names_it(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)

    with pytest.raises(MissingExtra, match=r'python-calamine: pip install "tradeoff\[excel\]"'):
        to.look(path)
