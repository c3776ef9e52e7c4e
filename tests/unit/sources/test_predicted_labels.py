"""Reading predicted labels: ugly columns, and what is wrong with them in one sentence."""

import numpy as np
import pandas as pd
import pytest

from tradeoff.errors import InputError
from tradeoff.sources.predicted_labels import read_predicted_labels


def matrix(actual, predicted, **options):
    return read_predicted_labels(actual=actual, predicted={"m": predicted}, **options).matrix("m")


def counts(actual, predicted, **options):
    return matrix(actual, predicted, **options).counts.tolist()


@pytest.mark.parametrize(
    ("actual", "predicted"),
    [
        ([1, 0, 1, 0], [1, 1, 0, 0]),
        ([1.0, 0.0, 1.0, 0.0], [1, 1, 0, 0]),
        ([True, False, True, False], [1, 1, 0, 0]),
        ([1, 0, 1, 0], [True, True, False, False]),
        ([True, False, True, False], [True, True, False, False]),
        (["1", "0", "1", "0"], ["1", "1", "0", "0"]),
        ([1, 0, 1, 0], ["1", "1", "0", "0"]),
        ([1, -1, 1, -1], [1, 1, -1, -1]),
        (np.array(["1", "0", "1", "0"], object), np.array([1, 1, 0, 0])),
    ],
)
def test_the_same_classes_in_any_type_give_the_same_matrix(actual, predicted):
    positive = "1" if isinstance(actual[0], str) else None

    assert counts(actual, predicted, positive=positive) == [[1, 1], [1, 1]]


def test_a_class_that_is_only_predicted_or_only_actual_counts():
    assert counts([0, 0, 0], [0, 1, 0]) == [[0, 0], [1, 2]]
    assert counts([1, 0, 1], [0, 0, 0]) == [[0, 2], [0, 1]]
    assert counts(["no", "no"], ["yes", "no"], positive="no") == [[1, 1], [0, 0]]


def test_missing_predictions_are_an_error_left_out_or_undecided():
    actual, predicted = ["a", "b", "a"], ["a", None, "b"]

    with pytest.raises(InputError, match=r"1 of 3 predictions in 'm' is missing \(first: row 2\)"):
        counts(actual, predicted, positive="a")
    assert counts(actual, predicted, positive="a", missing="drop") == [[1, 1], [0, 0]]
    rejected = matrix(actual, predicted, positive="a", missing="reject")
    assert (rejected.rejected_positives, rejected.rejected_negatives) == (0, 1)


def test_a_label_may_mean_undecided():
    result = matrix(["a", "b", "a"], ["?", "b", "a"], positive="a", rejected="?")

    assert result.rejected_positives == 1
    with pytest.raises(InputError, match="'a' is an actual class"):
        matrix(["a", "b"], ["a", "b"], positive="a", rejected="a")


def test_more_classes_give_a_matrix_of_all_or_one_against_the_rest():
    actual, predicted = ["a", "b", "c", "a"], ["a", "c", "c", "b"]

    assert counts(actual, predicted) == [[1, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert counts(actual, predicted, positive="a") == [[1, 1], [0, 2]]


def test_weights_are_counts_or_importances():
    counted = read_predicted_labels(actual=[1, 0, 1], predicted=[1, 1, 0], weight=[2, 3, 0])
    weighted = matrix([1, 0, 1], [1, 1, 0], weight=[0.5, 1.5, 2.0])

    assert counted.matrix("predicted").counts.tolist() == [[2, 0], [3, 0]]
    assert counted.is_counted
    assert weighted.counts.tolist() == [[0.5, 2.0], [1.5, 0.0]]
    assert weighted.squares.counts.tolist() == [[0.25, 4.0], [2.25, 0.0]]


@pytest.mark.parametrize(
    ("actual", "predicted", "options", "message"),
    [
        (["yes", "no"], ["Yes", "No"], {"positive": "yes"}, "write the classes alike"),
        (["yes", "no"], ["yes ", "no"], {"positive": "yes"}, "write the classes alike"),
        (["yes", "no", "Yes"], ["yes"] * 3, {"positive": "yes"}, "differ only in case or spaces"),
        (["yes", "no"], ["yes", "maybe"], {"positive": "yes"}, "pass rejected='maybe'"),
        (["yes", "no"], ["yes", "no"], {}, "say which one is positive"),
        ([1, 0, 1], [0.9, 0.2, 0.7], {}, "looks like scores"),
        ([1, 0], [0.9, 0.2], {"positive": 1}, "For scores, use score="),
        ([1, 0], [1, 0, 1], {}, "must have the same length"),
        ([], [], {}, "There are no rows"),
        (["a", None], ["a", "b"], {"positive": "a"}, "has no class in 'actual'"),
        ([1, 0], [1, 0], {"missing": "negative"}, "`missing` must be one of"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(actual, predicted, options, message):
    with pytest.raises(InputError, match=message):
        matrix(actual, predicted, **options)


def test_rows_without_a_class_are_left_out_only_if_the_caller_says_so():
    rows = read_predicted_labels(
        actual=["a", None, "b"],
        predicted=["a", "a", None],
        positive="a",
        weight=[1, 2, 3],
        missing="drop",
    )

    assert rows.notes == (
        "1 row without a class: left out",
        "1 row without a prediction of predicted: left out",
    )
    assert rows.weights.tolist() == [1, 3]


def test_dataframes_and_files_have_named_columns(tmp_path):
    frame = pd.DataFrame({"y y": ["n", "p", "p"], "m 1": ["p", "p", "n"]})
    frame.to_csv(tmp_path / "f.csv", index=False)

    for data in (frame, str(tmp_path / "f.csv")):
        rows = read_predicted_labels(data, actual="y y", predicted="m 1", positive="p")
        assert rows.matrix("m 1").counts.tolist() == [[1, 1], [1, 0]]
