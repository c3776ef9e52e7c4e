"""Every result is a tidy table, in any dataframe library and in notebooks."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tradeoff as to
from tradeoff.results import MAX_NOTEBOOK_ROWS, Tabular

ACTUAL = [0, 1, 0, 1, 1, 0, 0, 1, 1, 0]
SCORES = {"<b>": [1, 4, 2, 6, 8, 3, 5, 7, 9, 0], "b": [2, 1, 0, 5, 9, 8, 3, 6, 7, 4]}
E = to.evaluate(actual=ACTUAL, score=SCORES, segment=list("uvuvuvuvuv"), fold=[1, 2] * 5)
C = to.compare(actual=ACTUAL, score=SCORES)
P = to.evaluate(actual=ACTUAL, score=[score / 10 for score in SCORES["b"]])
TABLES = {
    "evaluation": E,
    "ranking": E["b"].ranking,
    "matrix": E["b"].at(5),
    "matrices": E["b"].ranking.confusion,
    "classes": to.confusion_matrix(list("abc"), list("abb")),
    "curve": E["b"].curve("roc"),
    "average": E["b"].average("roc"),
    "band": E["b"].band("roc", replicates=50),
    "smooth": E["b"].smooth(),
    "hull": E.hull(),
    "comparison": C,
    "decision": E["b"].best("youden"),
    "band decision": E["b"].best_band(capacity=2),
    "calibration": P.calibration(replicates=50),
    "reliability": P.calibration(replicates=50).reliability(replicates=50),
    "many classes": to.evaluate_classes(
        actual=list("abcab"),
        score={"a": [3, 1, 1, 2, 0], "b": [1, 2, 0, 3, 4], "c": [0, 1, 2, 1, 0]},
    ),
    "segments": to.by_segment(E.segments["b"], ["tpr"], threshold=5)[0],
    "check": to.check(actual=ACTUAL, score=SCORES["b"]),
    "gate": to.gate(SCORES["b"], SCORES["<b>"], actual=ACTUAL),
    "crossval": to.cross_validate(
        pd.DataFrame({"x": SCORES["b"], "y": ACTUAL}), actual="y", models=["dummy"], folds=2
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_pandas_polars_and_arrow_hold_the_same_table(name):
    columns = TABLES[name].columns()
    pandas, polars = TABLES[name].to_pandas(), TABLES[name].to_polars()
    arrow = TABLES[name].to_arrow()

    assert isinstance(pandas, pd.DataFrame)
    assert isinstance(polars, pl.DataFrame)
    assert isinstance(arrow, pa.Table)
    assert list(pandas.columns) == polars.columns == arrow.column_names == list(columns)
    assert len(pandas) == len(polars) == len(arrow) > 0


@pytest.mark.parametrize("name", TABLES)
def test_names_are_escaped_in_notebooks(name):
    page = TABLES[name]._repr_html_()

    assert page.startswith(("<table>", "<iframe"))
    assert "<b>" not in page


def test_the_table_of_an_evaluation_has_a_row_for_every_measure():
    frame = E.to_pandas()
    overall = frame[(frame["model"] == "b") & (frame["part"] == "")]

    assert set(overall["measure"]) == {*to.METRICS, *to.SUMMARIES}
    auc = overall[overall["measure"] == "auc"].iloc[0]
    assert auc["value"] == E["b"].auc.value
    assert (auc["low"], auc["high"]) == (E["b"].auc.low, E["b"].auc.high)
    assert set(frame["part"]) == {"", "fold 1", "fold 2", "segment u", "segment v"}


def test_the_table_of_a_matrix_is_in_long_format():
    assert to.matrix_of_counts("7 2; 4 1", ["yes", "no"]).to_pandas().to_dict("list") == {
        "actual": ["yes", "yes", "no", "no"],
        "predicted": ["yes", "no", "yes", "no"],
        "count": [7, 2, 4, 1],
    }


def test_the_table_of_a_decision_is_one_row_with_its_counts():
    assert E["b"].best("youden").to_pandas().to_dict("records") == [
        {
            "model": "b",
            "criterion": "youden_j",
            "value": pytest.approx(0.6),
            "threshold": 5.0,
            "low": 4.0,
            "high": 5.0,
            "true_positives": 4,
            "false_negatives": 1,
            "false_positives": 1,
            "true_negatives": 4,
        }
    ]


def test_a_long_table_shows_its_first_rows_and_says_so():
    class Long(Tabular):
        def columns(self):
            return {"x": np.arange(MAX_NOTEBOOK_ROWS + 1)}

        def __repr__(self):
            return "Long"

    page = Long()._repr_html_()

    assert page.count("<tr>") == MAX_NOTEBOOK_ROWS + 1
    assert f"The first {MAX_NOTEBOOK_ROWS} of {MAX_NOTEBOOK_ROWS + 1} rows." in page
