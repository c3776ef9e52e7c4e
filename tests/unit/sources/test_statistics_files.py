"""Files of Stata, SPSS and SAS: numbers, text, missing values and labels."""

import sys

import numpy as np
import pandas as pd
import pyreadstat
import pytest

import tradeoff as to
from tradeoff.errors import InputError, MissingExtra
from tradeoff.sources.read_columns import read_file_columns

FRAME = pd.DataFrame(
    {"y": [1, 0, 1], "p": [0.5, np.nan, 0.1], "side": [1, 2, 1], "town": ["a", "", "b"]}
)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("rows.dta", pyreadstat.write_dta),
        ("rows.sav", pyreadstat.write_sav),
        ("rows.xpt", pyreadstat.write_xport),
    ],
)
def test_columns_are_those_of_the_table(name, write, tmp_path):
    write(FRAME, str(tmp_path / name))
    columns = read_file_columns(tmp_path / name, None)

    assert columns["y"].tolist() == [1, 0, 1]
    assert np.array_equal(columns["p"], FRAME["p"], equal_nan=True)
    assert columns["town"].tolist() == ["a", None, "b"]


def test_values_with_labels_are_read_as_labels_but_0_and_1_are_not(tmp_path):
    labels = {"side": {1: "left", 2: "right"}, "y": {0: "alive", 1: "dead"}}
    pyreadstat.write_sav(FRAME, str(tmp_path / "rows.sav"), variable_value_labels=labels)
    columns = read_file_columns(tmp_path / "rows.sav", None)

    assert columns["side"].tolist() == ["left", "right", "left"]
    assert columns["y"].tolist() == [1, 0, 1]


def test_a_damaged_file_is_refused(tmp_path):
    (tmp_path / "rows.dta").write_bytes(b"not a Stata file at all")

    with pytest.raises(InputError, match=r"rows\.dta cannot be read"):
        to.look(tmp_path / "rows.dta")
    with pytest.raises(InputError, match="There is no file"):
        to.look(tmp_path / "other.dta")


def test_without_the_extra_the_message_names_it(tmp_path, monkeypatch):
    (tmp_path / "rows.dta").write_bytes(b"any")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)

    with pytest.raises(MissingExtra, match=r'pyreadstat: pip install "tradeoff\[stata\]"'):
        to.look(tmp_path / "rows.dta")
