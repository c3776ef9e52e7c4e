"""The example data sets: registered once, small, described completely, and usable everywhere."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.data import registry
from tradeoff.data.registry import FOLDER
from tradeoff.schemas import json_schema

ROOT = Path(__file__).parents[3]
LARGEST = 80_000
"""Bytes of a data set: all of them are part of every installation."""


@pytest.mark.parametrize("name", to.datasets)
def test_a_data_set_is_described_completely(name):
    data = to.datasets.load(name)

    assert data.source
    assert data.licence
    assert len(data.description) < 90
    assert list(data.columns()) == list(data.meanings)
    assert all(data.meanings.values())
    assert data.path.stat().st_size < LARGEST
    assert len({len(column) for column in data.columns().values()}) == 1


def test_every_file_of_rows_is_registered():
    files = {path.name for path in FOLDER.iterdir() if path.suffix in {".csv", ".arff"}}

    assert files == {data.file for data in to.datasets.by_name.values()}


def test_a_data_set_stands_for_its_file():
    asah = to.datasets["asah"]
    e = to.evaluate(asah, actual="poor", score=["s100b", "ndka"])

    assert e["s100b"].auc == to.evaluate(asah.path, actual="poor", score="s100b").auc
    assert to.compare(asah, actual="poor", score=["s100b", "ndka"]).paired.rows == 113
    assert to.check(asah, actual="poor", score="wfns").rows == 113
    assert os.fspath(asah) == str(asah.path)
    assert asah["poor"].sum() == 41
    assert asah.to_pandas().shape == (113, 8)


def test_a_data_set_is_read_once_and_its_columns_may_be_changed(monkeypatch):
    data = replace(to.datasets.load("five"))
    data["score"][0] = 9
    data.columns()["score"][1] = 9
    monkeypatch.setattr(registry, "read_file_columns", None)

    assert data["score"].tolist() == [0.44, 0.29, 0.98, 0.69, 0.07]
    assert list(data.columns()) == list(data.meanings)


def test_a_data_set_is_copied_or_converted_to_csv(tmp_path):
    to.datasets["weather"].save(tmp_path / "weather.arff")
    to.datasets["weather"].save(tmp_path / "weather.csv")

    assert (tmp_path / "weather.arff").read_bytes() == to.datasets["weather"].path.read_bytes()
    assert pd.read_csv(tmp_path / "weather.csv").shape == (14, 5)
    with pytest.raises(to.TradeoffError, match=r"written as \.arff or \.csv"):
        to.datasets["weather"].save(tmp_path / "weather.xlsx")


def test_an_unknown_name_suggests_one():
    with pytest.raises(to.TradeoffError, match=r"'wether'.* Did you mean 'weather'"):
        to.datasets.load("wether")
    with pytest.raises(to.TradeoffError, match=r"no column 's100'.* Did you mean 's100b'"):
        to.datasets["asah"]["s100"]


def test_the_list_is_a_table_text_and_json():
    names = list(to.datasets)

    assert len(names) == len(to.datasets) >= 13
    assert to.datasets.columns()["name"] == names
    assert all(name in str(to.datasets) for name in names)
    for result in (to.datasets, to.datasets["five"]):
        jsonschema.validate(result.to_dict(), json_schema("datasets"))
        assert "<table>" in result._repr_html_()


def test_the_patients_are_those_that_other_programs_were_given():
    ours = to.datasets["asah"].to_pandas()
    theirs = pd.read_csv(ROOT / "tests/golden/data/proc_aSAH_data.csv")

    pd.testing.assert_frame_equal(ours, theirs, check_dtype=False)
    for name in ("breast_cancer.arff",):
        golden = (ROOT / "tests/golden/data" / name).read_bytes()
        assert (FOLDER / name).read_bytes() == golden


def test_the_worked_examples_have_their_worked_numbers():
    nineteen = to.evaluate(to.datasets["nineteen"], actual="actual", score="score", positive="+")
    matrix = nineteen.at(0.8)
    weather = to.evaluate(
        to.datasets["weather_predictions"], actual="actual", score="score_pos", positive="yes"
    )

    assert nineteen.auc.value == pytest.approx(49 / 78)
    assert (matrix.tp, matrix.fp) == (7, 2)
    assert weather.auc.value == pytest.approx(26 / 45)
    assert np.sum(to.datasets["letters"]["customers"]) == 5000


def test_loading_works_in_an_empty_folder_and_imports_no_data_frame_library(tmp_path):
    code = (
        "import sys, tradeoff as to; print(to.datasets.load('five')['score'].tolist());"
        "assert not {'pandas', 'polars', 'pyarrow', 'sklearn'} & set(sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )

    assert process.stdout.strip() == "[0.44, 0.29, 0.98, 0.69, 0.07]"
