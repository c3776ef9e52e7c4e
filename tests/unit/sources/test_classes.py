"""Class labels: which class is positive, and which rows belong to it."""

import numpy as np
import pandas as pd
import pytest

from tradeoff.errors import InputError
from tradeoff.sources.classes import class_labels
from tradeoff.sources.columns import column_array


def label_rows(actual, positive=None):
    labels = class_labels(column_array(actual, "actual"), positive)
    return labels.positive_rows.tolist(), labels.positive, labels.negative


@pytest.mark.parametrize(
    ("actual", "rows", "positive", "negative"),
    [
        ([0, 1, 1], [False, True, True], "1", "0"),
        ([-1, 1], [False, True], "1", "-1"),
        ([0.0, 1.0], [False, True], "1", "0"),
        ([False, True], [False, True], "True", "False"),
        (np.array([0, 1], object), [False, True], "1", "0"),
        (np.array([0, 1], np.uint8), [False, True], "1", "0"),
        ([1, 1], [True, True], "1", "0"),
        ([0, 0], [False, False], "1", "0"),
        ([-1, -1], [False, False], "1", "-1"),
        ([], [], "positive", "negative"),
    ],
)
def test_binary_codes_have_a_default_positive_class(actual, rows, positive, negative):
    assert label_rows(actual) == (rows, positive, negative)


@pytest.mark.parametrize(
    ("actual", "positive", "rows", "names"),
    [
        (["yes", "no"], "yes", [True, False], ("yes", "no")),
        (["yes", "no"], "no", [False, True], ("no", "yes")),
        ([1, 2], 2, [False, True], ("2", "1")),
        ([1, 2], "2", [False, True], ("2", "1")),
        ([0, 1], 0, [True, False], ("0", "1")),
        ([True, False], "false", [False, True], ("False", "True")),
        ([b"a", b"b"], "a", [True, False], ("a", "b")),
        (pd.Series(["a", "b"], dtype="category"), "a", [True, False], ("a", "b")),
        (["a", "b", "c"], "b", [False, True, False], ("b", "not b")),
        (["a", "a"], "a", [True, True], ("a", "not a")),
        (["a", "a"], "b", [False, False], ("b", "a")),
    ],
)
def test_the_given_class_is_positive(actual, positive, rows, names):
    assert label_rows(actual, positive) == (rows, *names)


@pytest.mark.parametrize(
    "actual",
    [
        ["YES", "no", "yes"],
        ["YES", "yes"],
        ["YES", "no", "YES\u00a0"],
        np.array(["YES", "no", "Yes"], object),
        np.array([b"YES", b"no", b"yes"], object),
        np.array([bytearray(b"YES"), bytearray(b"no"), bytearray(b"yes")], object),
        pd.Series(["YES", "no", "yes"], dtype="category"),
    ],
)
def test_the_positive_class_is_written_in_one_way(actual):
    with pytest.raises(InputError, match=r"'actual' holds 'YES' and .* differ only in case"):
        label_rows(actual, "YES")


def test_other_classes_may_be_written_in_several_ways():
    rows = [True, False, False, False]

    assert label_rows(["yes", "no", "No", "NO "], "yes") == (rows, "yes", "not yes")


@pytest.mark.parametrize("actual", [[0, 1, 2], [-1, 0, 1], [0.0, 0.5, 1.0], ["a", "b"], [1, 2]])
def test_other_classes_require_a_positive_class(actual):
    with pytest.raises(InputError, match="say which one is positive"):
        label_rows(actual)


@pytest.mark.parametrize(
    "actual", [[1, None, 0], [1.0, np.nan], ["a", None], pd.Series([True, None], dtype="boolean")]
)
def test_a_missing_class_is_an_error(actual):
    import tradeoff as to

    with pytest.raises(InputError, match="has no class"):
        to.auc(actual, range(len(actual)), positive="a" if actual[0] == "a" else None)


def test_row_numbers_refer_to_the_data_when_rows_are_left_out():
    import tradeoff as to

    with pytest.raises(InputError, match=r"first: row 4\)"):
        to.auc([1, 0, 1, 0], [0.9, np.nan, 0.2, np.nan], weight=[1, 0, 1, 1])
    with pytest.raises(InputError, match=r"first: row 3\)"):
        to.auc(["a", "b", None], [0.9, 0.1, 0.2], positive="a", weight=[0, 1, 1])


def test_numeric_strings_are_parsed_as_scores():
    import tradeoff as to

    assert to.auc([1, 0, 1], ["0.9", "0.1", "1e-3"]) == 0.5
