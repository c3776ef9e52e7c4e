"""Checks and gates from Python: tables and arrays, verdicts, invalid input."""

import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.errors import InputError

RANDOM = np.random.default_rng(0)
SCORE = RANDOM.random(400)
ROWS = pd.DataFrame(
    {
        "id": np.arange(400),
        "y": (RANDOM.random(400) < SCORE).astype(int),
        "old": SCORE,
        "new": (SCORE + RANDOM.normal(0, 0.05, 400)).clip(0.01, 0.99).round(6),
    }
)


def test_good_rows_are_trusted():
    report = to.check(ROWS, actual="y", score=["old", "new"], row_id="id")

    assert report.trusted
    assert repr(report).startswith("CheckedRows(400 rows: ")
    assert "duplicate_ids" in report.looked_at


def test_arrays_are_checked_like_columns_of_a_table():
    table = to.check(ROWS, actual="y", score="old", row_id="id")
    values = to.check(actual=ROWS["y"], score={"old": ROWS["old"]}, row_id=ROWS["id"])

    assert table.to_dict() == values.to_dict()


def test_findings_are_listed_worst_first():
    copies = pd.concat([ROWS, ROWS[:30]]).assign(flat=1.0)
    report = to.check(copies, actual="y", score=["flat", "old"], row_id="id")

    assert [finding.name for finding in report][:2] == ["constant_scores", "duplicate_ids"]
    assert report.worst == "error"
    assert not report.trusted
    assert "What to do:" in str(report)


def test_rows_are_checked_against_another_table():
    later = ROWS.assign(y=(ROWS["old"] < 0.95).astype(int))
    report = to.check(ROWS, actual="y", score="old", against=later, row_id="id")

    assert [finding.name for finding in report] == ["shared_ids", "prevalence_of_files"]
    assert report.findings[0].sentence == (
        "400 ids are also in the other rows: '0', '1' and '2' and others."
    )


@pytest.mark.parametrize("role", ["score", "row_id", "weight", "fold", "segment"])
def test_columns_of_different_lengths_are_refused(role):
    columns = {"actual": [0, 1, 0], "score": [0.1, 0.2, 0.3], role: [1, 2]}

    with pytest.raises(InputError, match="must have the same length"):
        to.check(**columns)


@pytest.mark.parametrize("function", [to.check, to.evaluate])
def test_the_actual_column_is_inferred_only_if_one_column_has_two_values(function):
    assert "class y (1 is positive)" in to.evaluate(ROWS, score="old").ranking.notes[0]
    with pytest.raises(InputError, match="actual="):
        function(ROWS.drop(columns="y"), score="old")
    with pytest.raises(InputError, match="actual="):
        function(ROWS.assign(sick=ROWS["y"], treated=ROWS["y"]).drop(columns="y"), score="old")


def test_duplicate_byte_string_ids_are_reported():
    ids = np.array([b"\xff", b"b", b"\xff"])
    report = to.check(actual=[0, 1, 0], score=[1, 2, 3], row_id=ids)

    assert "duplicate_ids" in [finding.name for finding in report]


def test_ids_as_numbers_and_as_text_match_between_tables():
    texts = ROWS.assign(id=ROWS["id"].astype(str))
    report = to.check(ROWS, actual="y", score="old", against=texts, row_id="id")

    assert [finding.name for finding in report] == ["shared_ids"]


def test_text_weights_are_refused_with_their_row():
    with pytest.raises(InputError, match="'a' in row 1 is not a number"):
        to.check(actual=[0, 1], score=[1, 2], weight=["a", "1"])


def test_arrays_cannot_be_checked_against_a_table():
    with pytest.raises(InputError, match="pass the first as a table"):
        to.check(actual=[0, 1], score=[1, 2], against=ROWS)


def test_a_gate_of_tables_equals_a_gate_of_arrays():
    old = ROWS[["id", "y", "old"]].rename(columns={"old": "p"})
    new = ROWS[["id", "y", "new"]].rename(columns={"new": "p"})[::-1]

    tables = to.gate(old, new, actual="y", score="p", on="id", margin=0.05)
    values = to.gate(ROWS["old"], ROWS["new"], actual=ROWS["y"], margin=0.05)

    assert tables.verdict == values.verdict == "pass"
    assert tables.gates[0].low == pytest.approx(values.gates[0].low, abs=1e-12)
    assert repr(values) == "Gates(pass: candidate against baseline in auc)"


def test_each_metric_has_a_gate_and_the_worst_verdict_decides():
    gates = to.gate(
        ROWS["old"],
        1 - ROWS["old"],
        actual=ROWS["y"],
        metric=["auc", "tpr", "cost"],
        at=("threshold", 0.5),
        costs=to.Costs(false_negative=5),
        replicates=100,
    )

    assert gates.verdict == "fail"
    assert gates.to_pandas()["metric"].tolist() == [
        "auc",
        "true_positive_rate at threshold 0.5",
        "expected_cost at threshold 0.5",
    ]
    assert gates.to_dict()["verdict"] == "fail"
    assert gates.to_junit().count("<testcase ") == 3
    assert gates.to_markdown().startswith("FAIL  candidate")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"on": "id"}, "give `score` too"),
        ({"candidate_score": "p"}, "give `score` too"),
        ({"at": ("threshold", 0.5)}, "is an operating point for a metric"),
        ({"costs": to.Costs()}, "name it too"),
    ],
)
def test_options_without_effect_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        to.gate(ROWS["old"], ROWS["new"], actual=ROWS["y"], **options)


def test_tables_without_shared_ids_are_refused():
    other = ROWS.assign(id=ROWS["id"] + 1000)

    with pytest.raises(InputError, match="The tables share no ID in 'id'"):
        to.gate(ROWS, other, actual="y", score="old", on="id")
