"""Confusion matrices from tables and from predicted classes."""

import numpy as np
import pytest

import tradeoff as to

EXPECTED = to.ConfusionMatrix(7, 2, 4, 1, positive="yes", negative="no")


@pytest.mark.parametrize(
    ("table", "classes", "rows"),
    [
        ("7 2; 4 1", ["yes", "no"], "actual"),
        ("1 4; 2 7", ["no", "yes"], "actual"),
        ("7 4; 2 1", ["yes", "no"], "predicted"),
        ([[7, 2], [4, 1]], ["yes", "no"], "actual"),
        (np.array([[7, 2], [4, 1]]), ["yes", "no"], "actual"),
        ("7,2\n4,1", ["yes", "no"], "actual"),
    ],
)
def test_all_layouts_give_the_same_matrix(table, classes, rows):
    assert to.matrix_of_counts(table, classes, rows=rows, positive="yes") == EXPECTED


def test_tables_are_printed_in_every_layout():
    assert EXPECTED.table() == [
        ["", "predicted yes", "predicted no"],
        ["actual yes", "7", "2"],
        ["actual no", "4", "1"],
    ]
    assert EXPECTED.table(positive_first=False) == [
        ["", "predicted no", "predicted yes"],
        ["actual no", "1", "4"],
        ["actual yes", "2", "7"],
    ]
    assert EXPECTED.table("predicted") == [
        ["", "actual yes", "actual no"],
        ["predicted yes", "7", "4"],
        ["predicted no", "2", "1"],
    ]


def test_an_additional_column_holds_the_rejected_rows():
    matrix = to.matrix_of_counts("7 2 3; 4 1 0", ["yes", "no"])

    assert (matrix.rejected_positives, matrix.rejected_negatives) == (3, 0)
    assert matrix.table()[0] == ["", "predicted yes", "predicted no", "rejected"]
    assert [tuple(cell) for cell in matrix.cells()] == [
        ("yes", "yes", 7),
        ("yes", "no", 2),
        ("yes", "rejected", 3),
        ("no", "yes", 4),
        ("no", "no", 1),
        ("no", "rejected", 0),
    ]
    assert matrix == to.matrix_of_counts("7 4; 2 1; 3 0", ["yes", "no"], rows="predicted")


def test_more_than_two_classes_and_one_against_the_rest():
    matrix = to.matrix_of_counts("3 0 2 1; 0 1 1 0; 0 2 3 0", ["a", "b", "c"])

    assert isinstance(matrix, to.ClassMatrix)
    assert matrix.rejected == 1
    against = matrix.one_against_rest("c")
    assert (against.true_positives, against.false_negatives) == (3, 2)
    assert (against.false_positives, against.true_negatives) == (3, 4)
    assert (against.rejected_positives, against.rejected_negatives) == (0, 1)
    assert to.matrix_of_counts("3 0 2; 0 1 1; 0 2 3", ["a", "b", "c"], positive="c").positives == 5


@pytest.mark.parametrize(
    ("table", "classes", "message"),
    [
        ("7 2; 4", None, "rows have 2 and 1 numbers"),
        ("7 x; 4 1", None, "'x' is not a count"),
        ("7 -2; 4 1", None, "non-negative"),
        ("7 2 1 1; 4 1 2 2", None, "2 × 4 numbers is not a confusion matrix"),
        ("7", None, "1 number cannot be divided into the rows"),
        ("7 2; 4 1", ["a"], "2 classes need 2 different names"),
        ("7 2; 4 1", ["a", "a"], "different names"),
    ],
)
def test_an_invalid_matrix_is_rejected(table, classes, message):
    with pytest.raises(to.TradeoffError, match=message):
        to.matrix_of_counts(table, classes)


def test_predicted_classes_are_counted():
    actual = ["yes"] * 9 + ["no"] * 5
    predicted = ["yes"] * 7 + ["no"] * 2 + ["yes"] * 4 + ["no"]

    assert to.confusion_matrix(actual, predicted, positive="yes") == EXPECTED


def test_predicted_classes_with_weights_and_rejections():
    matrix = to.confusion_matrix(
        ["a", "a", "b", "b"],
        ["a", "?", "a", "b"],
        positive="a",
        weight=[2, 3, 1, 5],
        rejected="?",
    )

    assert matrix == to.ConfusionMatrix(2, 0, 1, 5, 3, 0, positive="a", negative="b")


def test_more_than_two_classes_need_no_positive_class():
    matrix = to.confusion_matrix(["a", "b", "c", "a"], ["a", "c", "c", "d"])

    assert matrix.classes == ("a", "b", "c", "d")
    assert matrix.counts.tolist() == [[1, 0, 0, 1], [0, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]]


def test_classes_may_be_numbers():
    assert to.confusion_matrix([1, 0, 1], [1.0, 1.0, 0.0]).counts.tolist() == [[1, 1], [1, 0]]
    assert to.confusion_matrix([1, 1], [1, 1]).counts.tolist() == [[2, 0], [0, 0]]


def test_a_class_predicted_but_never_actual_is_kept():
    matrix = to.confusion_matrix([1, 1], [1, 0])

    assert matrix.counts.tolist() == [[1, 1], [0, 0]]


def test_missing_predictions_are_an_error_with_advice():
    with pytest.raises(
        to.TradeoffError, match=r"1 of 2 rows has no predicted class.*rejected='\?'"
    ):
        to.confusion_matrix(["a", "b"], ["a", None], positive="a")


@pytest.mark.parametrize(
    "table",
    [
        "[7 2; 4 1]",
        "[[7, 2], [4, 1]]",
        "7,2;4,1",
        "7 2 4 1",
        "7 2\n4 1\n",
        "7 2; 4 1;",
        [7, 2, 4, 1],
    ],
)
def test_a_table_is_read_however_it_is_written(table):
    matrix = to.matrix_of_counts(table)

    assert [matrix.tp, matrix.fn, matrix.fp, matrix.tn] == [7, 2, 4, 1]


def test_numbers_without_rows_may_hold_more_classes_or_rejected_rows():
    assert to.matrix_of_counts("7 2 1 4 1 0") == to.matrix_of_counts("7 2 1; 4 1 0")
    assert to.matrix_of_counts(range(9)) == to.matrix_of_counts("0 1 2; 3 4 5; 6 7 8")
    with pytest.raises(to.TradeoffError, match=r"5 numbers cannot be divided .* Write rows as"):
        to.matrix_of_counts("7 2 4 1 3")


def test_a_joint_table_as_lectures_print_it_has_classes_in_its_rows():
    rule = to.map_rule("10 40; 30 20", ["+", "-"], rows="classes")

    assert rule.choices == ("-", "+")
    assert [rule.matrix.tp, rule.matrix.fn, rule.matrix.fp, rule.matrix.tn] == [40, 10, 20, 30]
    assert rule.joint == ((10, 30), (40, 20))
    with pytest.raises(to.TradeoffError, match='"values" or "classes"'):
        to.map_rule("10 40; 30 20", ["+", "-"], rows="x")
