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


@pytest.mark.parametrize("name", sorted(set(TABLES) - {"evaluation"}))
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

    assert page.startswith(("<table>", "<svg", "<div"))
    assert "<b></td>" not in page
    assert "<b></th>" not in page
    assert "<b> " not in page


def test_the_table_of_an_evaluation_has_a_row_for_each_model():
    pandas, polars = E.to_pandas(), E.to_polars()

    assert list(pandas.columns) == polars.columns == E.to_arrow().column_names
    assert pandas["model"].tolist() == list(E)
    b = pandas.set_index("model").loc["b"]
    threshold = E["b"].operating_threshold  # scores that are not probabilities: Youden's
    assert (b["rows"], b["positives"], b["threshold"]) == (10, 5, threshold)
    assert (b["auc"], b["auc_low"], b["auc_high"]) == (
        *(E["b"].auc.value, E["b"].auc.low, E["b"].auc.high),
    )
    assert (b["recall"], b["f1"]) == (E["b"].metric("recall").value, E["b"].metric("f1").value)
    titles = [title for title in pandas if not title.endswith(("_low", "_high"))]
    measures = titles[titles.index("auc") :]
    assert all(to.METRICS.knows(m) or to.SUMMARIES.knows(m) for m in measures if m != "threshold")


def test_the_columns_of_models_are_named_as_they_are_asked_for():
    intervals = ["sensitivity_low", "sensitivity_high"]
    shared = ["model", "rows", "positives"]

    assert list(E.to_pandas(metric="sensitivity").columns) == [
        *(*shared, "threshold", "sensitivity", *intervals),
    ]
    assert list(E.to_pandas(metric=["c_statistic"]).columns) == [
        *(*shared, "c_statistic", "c_statistic_low", "c_statistic_high"),
    ]
    assert {"ppv", "lr+", "lr-", "youden_j"} < set(E.to_pandas(vocabulary="clinical").columns)
    with pytest.raises(TypeError, match=r"Did you mean .vocabulary"):
        E.to_pandas(vocabularies="clinical")


def test_the_long_table_of_an_evaluation_has_a_row_for_every_measure():
    frame = E.to_pandas(long=True)
    assert list(frame.columns) == list(E.columns())
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


def test_a_matrix_is_a_table_with_names_on_both_axes_in_notebooks():
    page = to.matrix_of_counts("7 2; 4 1", ["<yes>", "no"])._repr_html_()

    assert page.startswith("<table><caption>Confusion matrix of 14 rows</caption>")
    assert "<th>predicted &lt;yes&gt;</th><th>predicted no</th>" in page
    assert "actual &lt;yes&gt;</th><td>7</td><td>2</td>" in page
    assert "predicted c" in to.confusion_matrix(list("abc"), list("abb"))._repr_html_()


def test_curves_and_charts_are_pictures_in_notebooks():
    curve = E["b"].curve("roc")

    assert curve._repr_html_() == curve._repr_svg_() == curve.chart()._repr_svg_()
    assert E["b"].curve_estimate("roc", band="pointwise")._repr_svg_().startswith("<svg")
    assert E["b"].average("roc")._repr_html_().startswith("<svg")
    assert E["b"].at(0.5)._repr_svg_() is None
    assert E.chart("gains")._repr_svg_().startswith("<svg")


def test_a_comparison_prints_its_numbers():
    text = str(C)

    assert "AUC" in text
    assert f"{C.area('b').value:.3f}"[:4] in text
    assert "Inconclusive" in text or "better" in text
