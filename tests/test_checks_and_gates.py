"""Checks and gates from Python: tables and values, verdicts, ugly input."""

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
    found = to.check(ROWS, actual="y", score=["old", "new"], row_id="id")

    assert found.trusted
    assert repr(found).startswith("CheckedRows(400 rows: ")
    assert "duplicate_ids" in found.looked_at


def test_values_are_checked_as_columns_are():
    table = to.check(ROWS, actual="y", score="old", row_id="id")
    values = to.check(actual=ROWS["y"], score={"old": ROWS["old"]}, row_id=ROWS["id"])

    assert table.to_dict() == values.to_dict()


def test_what_is_wrong_is_listed_worst_first():
    copies = pd.concat([ROWS, ROWS[:30]]).assign(flat=1.0)
    found = to.check(copies, actual="y", score=["flat", "old"], row_id="id")

    assert [one.name for one in found][:2] == ["constant_scores", "duplicate_ids"]
    assert found.worst == "error"
    assert not found.trusted
    assert "What to do:" in str(found)


def test_another_table_is_compared():
    later = ROWS.assign(y=(ROWS["old"] < 0.95).astype(int))
    found = to.check(ROWS, actual="y", score="old", against=later, row_id="id")

    assert [one.name for one in found] == ["shared_ids", "prevalence_of_files"]
    assert found.findings[0].sentence == (
        "400 ids are in the other rows too: '0', '1' and '2' and others."
    )


@pytest.mark.parametrize("role", ["score", "row_id", "weight", "fold", "segment"])
def test_columns_of_different_lengths_are_told(role):
    given = {"actual": [0, 1, 0], "score": [0.1, 0.2, 0.3], role: [1, 2]}

    with pytest.raises(InputError, match="must have the same length"):
        to.check(**given)


@pytest.mark.parametrize("ask", [to.check, to.evaluate])
def test_actual_classes_must_be_named(ask):
    with pytest.raises(InputError, match="actual=… is missing"):
        ask(ROWS, actual=None, score="old")


def test_ids_of_any_kind_are_told_apart():
    ids = np.array([b"\xff", b"b", b"\xff"])
    found = to.check(actual=[0, 1, 0], score=[1, 2, 3], row_id=ids)

    assert "duplicate_ids" in [one.name for one in found]


def test_numbers_and_texts_are_the_same_ids_in_two_tables():
    texts = ROWS.assign(id=ROWS["id"].astype(str))
    found = to.check(ROWS, actual="y", score="old", against=texts, row_id="id")

    assert [one.name for one in found] == ["shared_ids"]


def test_weights_that_are_no_numbers_have_the_usual_message():
    with pytest.raises(InputError, match="'a' in row 1 is none"):
        to.check(actual=[0, 1], score=[1, 2], weight=["a", "1"])


def test_two_tables_need_both():
    with pytest.raises(InputError, match="pass the first as a table"):
        to.check(actual=[0, 1], score=[1, 2], against=ROWS)


def test_a_gate_judges_tables_and_values_alike():
    old = ROWS[["id", "y", "old"]].rename(columns={"old": "p"})
    new = ROWS[["id", "y", "new"]].rename(columns={"new": "p"})[::-1]

    tables = to.gate(old, new, actual="y", score="p", on="id", margin=0.05)
    values = to.gate(ROWS["old"], ROWS["new"], actual=ROWS["y"], margin=0.05)

    assert tables.verdict == values.verdict == "pass"
    assert tables.gates[0].low == pytest.approx(values.gates[0].low, abs=1e-12)
    assert repr(values) == "Gates(pass: candidate against baseline in auc)"


def test_several_metrics_are_judged_one_by_one_and_the_worst_decides():
    found = to.gate(
        ROWS["old"],
        1 - ROWS["old"],
        actual=ROWS["y"],
        metric=["auc", "tpr", "cost"],
        at=("threshold", 0.5),
        costs=to.Costs(false_negative=5),
        replicates=100,
    )

    assert found.verdict == "fail"
    assert found.to_pandas()["metric"].tolist() == [
        "auc",
        "true_positive_rate at threshold 0.5",
        "expected_cost at threshold 0.5",
    ]
    assert found.to_dict()["verdict"] == "fail"
    assert found.to_junit().count("<testcase ") == 3
    assert found.to_markdown().startswith("## FAIL")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"on": "id"}, "name their columns"),
        ({"candidate_score": "p"}, "name their columns"),
        ({"at": ("threshold", 0.5)}, "is for a metric"),
        ({"costs": to.Costs()}, "name it too"),
    ],
)
def test_what_nothing_would_look_at_is_refused(wrong, said):
    with pytest.raises(InputError, match=said):
        to.gate(ROWS["old"], ROWS["new"], actual=ROWS["y"], **wrong)


def test_tables_without_a_row_in_common_say_so():
    other = ROWS.assign(id=ROWS["id"] + 1000)

    with pytest.raises(InputError, match="No id of 'id' is in both"):
        to.gate(ROWS, other, actual="y", score="old", on="id")
