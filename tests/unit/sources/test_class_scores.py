"""Class scores: every form of input is read alike, and invalid input is rejected."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from tradeoff.errors import ColumnError, InputError
from tradeoff.multiclass import MultiClass
from tradeoff.sources.class_scores import read_class_scores

ACTUAL = ["cat", "dog", "cow", "cat", "dog"]
SCORES = {
    "cat": [0.7, 0.1, 0.2, 0.5, 0.3],
    "dog": [0.2, 0.8, 0.3, 0.1, 0.4],
    "cow": [0.1, 0.1, 0.5, 0.4, 0.3],
}
WEIGHTS = [1, 2, 1, 3, 1]
COLUMNS = {"animal": ACTUAL, **{f"p_{name}": SCORES[name] for name in SCORES}, "seen": WEIGHTS}
NAMED = {"actual": "animal", "score": {name: f"p_{name}" for name in SCORES}, "weight": "seen"}
TABLE = np.column_stack(list(SCORES.values()))


def as_csv(path):
    pd.DataFrame(COLUMNS).to_csv(path / "rows.csv", index=False)
    return path / "rows.csv"


def as_parquet(path):
    pd.DataFrame(COLUMNS).to_parquet(path / "rows.parquet")
    return str(path / "rows.parquet")


@pytest.mark.parametrize(
    ("data", "arguments"),
    [
        (lambda _: None, {"actual": ACTUAL, "score": SCORES, "weight": WEIGHTS}),
        (
            lambda _: None,
            {
                "actual": np.array(ACTUAL),
                "score": TABLE,
                "classes": list(SCORES),
                "weight": WEIGHTS,
            },
        ),
        (
            lambda _: None,
            {"actual": ACTUAL, "score": TABLE.tolist(), "classes": SCORES, "weight": WEIGHTS},
        ),
        (
            lambda _: None,
            {
                "actual": pd.Series(ACTUAL, dtype="category"),
                "score": {name: pl.Series(values) for name, values in SCORES.items()},
                "weight": pd.Series(WEIGHTS),
            },
        ),
        (lambda _: pd.DataFrame(COLUMNS), NAMED),
        (lambda _: pl.DataFrame(COLUMNS), NAMED),
        (lambda _: pl.LazyFrame(COLUMNS), NAMED),
        (
            lambda _: pl.DataFrame(COLUMNS),
            {**NAMED, "score": ["p_cat", "p_dog", "p_cow"], "classes": ["cat", "dog", "cow"]},
        ),
        (
            lambda _: pl.DataFrame({**SCORES, "animal": ACTUAL, "seen": WEIGHTS}),
            {**NAMED, "score": ["cat", "dog", "cow"]},
        ),
        (as_csv, NAMED),
        (as_parquet, NAMED),
    ],
)
def test_every_form_of_input_gives_the_same_scores(data, arguments, tmp_path):
    rows = read_class_scores(data(tmp_path), **arguments)

    assert rows.classes == ("cat", "dog", "cow")
    assert rows.codes.tolist() == [0, 1, 2, 0, 1]
    assert [column.tolist() for column in rows.scores] == list(SCORES.values())
    assert rows.weights.tolist() == WEIGHTS
    assert rows.weights.dtype == np.int64
    assert rows.counts.tolist() == [4, 3, 1]
    assert rows.notes == ()
    assert repr(rows) == "ClassScores(5 rows of 'cat', 'dog' and 'cow')"


@pytest.mark.parametrize(
    ("actual", "classes", "codes"),
    [
        ([0, 1, 2], [0, 1, 2], [0, 1, 2]),
        ([0.0, 1.0, 2.0], ["0", "1", "2"], [0, 1, 2]),
        (["2", "1", "0"], [0, 1, 2.0], [2, 1, 0]),
        (np.array([2, "b", 1.0], dtype=object), [1, "b", 2], [2, 1, 0]),
        (np.array([b"x", b"y", b"x"]), ["x", "y", "z"], [0, 1, 0]),
        (["10", "9", "10"], [9, 10, 11], [1, 0, 1]),
    ],
)
def test_classes_are_matched_by_name(actual, classes, codes):
    rows = read_class_scores(actual=actual, score=np.eye(3), classes=classes)

    assert rows.codes.tolist() == codes


def test_two_classes_are_allowed():
    rows = read_class_scores(actual=[True, False], score={True: [0.9, 0.2], False: [0.1, 0.8]})

    assert rows.classes == ("True", "False")
    assert MultiClass(rows).area("hand_till").value == 1


def test_a_class_without_rows_is_kept_and_noted():
    scores = {**SCORES, "emu": [0.0] * 5, "fox": [0] * 5}
    rows = read_class_scores(actual=ACTUAL, score=scores)
    scores_of_two = read_class_scores(
        actual=["cat", "dog"], score=TABLE[:2], classes=["cat", "dog", "cow"]
    )

    assert rows.classes == ("cat", "dog", "cow", "emu", "fox")
    assert rows.notes == ("no rows of classes 'emu' and 'fox': their AUCs are undefined",)
    assert scores_of_two.notes == ("no rows of class 'cow': its AUC is undefined",)
    absent = MultiClass(rows).class_areas()["emu"]
    assert absent.reason == "no ranked row belongs to class emu; both classes are needed"
    assert MultiClass(rows).area("macro").note.startswith("3 of 5 classes averaged")


@pytest.mark.parametrize(
    ("actual", "message"),
    [
        (
            ["cat", "dgo", "cow", "cat", "dog"],
            r"class 'dgo' of 'actual' \(first: row 2\)\. Did you mean 'dog'\? Available scores:",
        ),
        (
            ["cat", "dgo", "cow", "catt", "zebra"],
            r"rows 2, 4 and 5\)\. For 'catt': Did you mean 'cat'\? For 'dgo': Did you mean 'dog'\?",
        ),
        (["cat", None, "cow", "cat", None], r"2 of 5 rows have no class.*rows 2 and 5.*drop"),
        (["cat"], r"`actual` \(1 row\) and `score\['cat'\]` \(5 rows\) must have the same length"),
    ],
)
def test_actual_classes_without_scores_are_rejected(actual, message):
    with pytest.raises(InputError, match=message):
        read_class_scores(actual=actual, score=SCORES)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"score": TABLE}, "3 columns without names: list their classes"),
        ({"score": TABLE, "classes": ["cat", "dog"]}, "names 2 classes, but `score` has 3 col"),
        ({"score": TABLE, "classes": "cat"}, "a list of classes, not 'cat'"),
        ({"score": TABLE, "classes": ["cat", "cat", "dog"]}, "there are several for 'cat'"),
        ({"score": {1: ACTUAL, "1": ACTUAL}}, "there are several for '1'"),
        ({"score": SCORES, "classes": ["cat"]}, "leave `classes` out"),
        ({"score": TABLE[0]}, r"but its shape is \(3,\)"),
        ({"score": [[1, 2], [3]], "classes": ["a", "b"]}, "different lengths"),
        ({"score": {}}, "is empty: give each class"),
        ({"score": {**SCORES, "cow": [0.1, "x", 0.5, 0.4, 0.3]}}, "must hold numbers, but 'x'"),
        ({"score": {**SCORES, "cow": [0.1]}}, r"`score\['cow'\]` \(1 row\)"),
        ({"score": {**SCORES, "cow": TABLE}}, r"`score\['cow'\]` must have one dimension"),
        ({"score": SCORES, "weight": [1, 2]}, r"`weight` \(2 rows\)"),
        ({"score": SCORES, "weight": [1, -1, 1, 1, 1]}, "1 of 5 weights is negative"),
        ({"score": SCORES, "missing": "reject"}, "`missing` must be one of 'error' and 'drop'"),
    ],
)
def test_invalid_scores_are_rejected(arguments, message):
    with pytest.raises(InputError, match=message):
        read_class_scores(actual=ACTUAL, **arguments)


def test_a_single_class_is_rejected():
    with pytest.raises(InputError, match=r"at least two classes.*only for 'cat'.*evaluate"):
        read_class_scores(actual=["cat", "cat"], score={"cat": [0.1, 0.2]})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"score": ["p_cat", "p_dgo"]}, ColumnError, "no column 'p_dgo'. Did you mean 'p_dog'"),
        ({"score": "p_cat"}, InputError, "a list of columns or a mapping"),
        ({"score": TABLE}, InputError, "not 'ndarray'"),
        ({"score": {"cat": SCORES["cat"]}}, InputError, "named by strings, not by 'list'"),
        ({"actual": ACTUAL}, InputError, "named by strings, not by 'list'"),
        ({"weight": "sen"}, ColumnError, "Did you mean 'seen'"),
    ],
)
def test_columns_must_be_named_by_strings(arguments, error, message):
    with pytest.raises(error, match=message):
        read_class_scores(pd.DataFrame(COLUMNS), **{**NAMED, **arguments})


def test_missing_scores_are_rejected_or_left_out_with_a_note():
    scores = {
        **SCORES,
        "dog": [0.2, None, 0.3, 0.1, 0.4],
        "cow": [0.1, np.nan, 0.5, np.nan, 0.3],
    }
    with pytest.raises(
        InputError,
        match=r"2 of 5 rows lack a score in `score\['dog'\]`, `score\['cow'\]` "
        r'\(first: rows 2 and 4\).*missing="drop"',
    ):
        read_class_scores(actual=ACTUAL, score=scores)
    rows = read_class_scores(actual=ACTUAL, score=scores, weight=[1, 2, 3, 4, 5], missing="drop")

    assert rows.codes.tolist() == [0, 2, 1]
    assert rows.weights.tolist() == [1, 3, 5]
    assert rows.scores[1].tolist() == [0.2, 0.3, 0.4]
    assert rows.notes == ("2 rows without a score for every class: left out",)


def test_rows_without_a_class_are_left_out_and_row_numbers_refer_to_the_data():
    actual = [None, "dog", "cow", "cat", "dog"]
    dropped = read_class_scores(actual=actual, score=SCORES, missing="drop")

    assert dropped.codes.tolist() == [1, 2, 0, 1]
    assert dropped.notes == ("1 row without a class: left out",)
    with pytest.raises(InputError, match="first: row 3"):
        read_class_scores(actual=[None, "dog", "emu", "cat", "dog"], score=SCORES, missing="drop")


def test_rows_of_weight_0_are_ignored():
    scores = {**SCORES, "cat": [np.nan, 0.1, 0.2, 0.5, 0.3]}
    rows = read_class_scores(actual=[None, *ACTUAL[1:]], score=scores, weight=[0, 1.5, 1, 1, 1])

    assert rows.codes.tolist() == [1, 2, 0, 1]
    assert rows.weights.tolist() == [1.5, 1, 1, 1]
    assert not rows.is_counted


def test_masked_scores_are_missing():
    table = np.ma.masked_array(TABLE, np.arange(15).reshape(5, 3) == 4)
    rows = read_class_scores(actual=ACTUAL, score=table, classes=list(SCORES), missing="drop")

    assert rows.rows == 4


def test_empty_input_is_allowed():
    rows = read_class_scores(actual=[], score={"cat": [], "dog": []})

    assert (rows.rows, rows.counts.tolist()) == (0, [0, 0])
    assert MultiClass(rows).area("macro").reason == "there are no rows"


def test_the_input_is_not_modified():
    table = TABLE.copy()
    result = MultiClass(read_class_scores(actual=ACTUAL, score=table, classes=list(SCORES)))
    summaries = result.area("micro"), result.area("hand_till"), result.pair_areas(), result.rankings

    assert all(summaries)
    assert table.tolist() == TABLE.tolist()
    assert table.flags.writeable


def test_predicted_classes_given_as_scores_are_noted():
    predicted = ["cat", "dog", "cow", "dog", "dog"]
    rows = read_class_scores(actual=ACTUAL, score=dict.fromkeys(SCORES, predicted))

    assert rows.scores[1].tolist() == [0, 1, 0, 1, 1]
    assert rows.notes[0].endswith("holds predicted classes, treated as 1 for cat and 0 otherwise")
    assert MultiClass(rows).matrix.counts.tolist() == [[1, 1, 0], [0, 2, 0], [0, 0, 1]]
