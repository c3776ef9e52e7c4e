"""What a column holds: type, values, range, and whether it numbers the rows."""

import numpy as np
import pytest

from tradeoff.sources.column_summaries import summarize_columns


def summary(values, name="c"):
    (column,) = summarize_columns({name: np.asarray(values)})
    return column


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "number"),
        ([0.5, np.nan], "number"),
        (np.array([1, None, 3], object), "number"),
        ([True, False], "boolean"),
        (np.array([True, None], object), "boolean"),
        (["a", "b"], "text"),
        (np.array(["a", 1], object), "text"),
        (["2024-01-31", "2024-02-01 10:30"], "date"),
        (np.array(["2024-01-31", "NaT"], "M8[D]"), "date"),
    ],
)
def test_the_type_is_that_of_all_values(values, kind):
    assert summary(values).kind == kind


def test_missing_values_are_counted_apart():
    column = summary(np.array(["a", None, "b", "a"], object))

    assert (column.rows, column.missing, column.distinct) == (4, 1, 2)
    assert column.counts == (("a", 2), ("b", 1))


def test_a_column_without_values_has_no_range():
    column = summary([np.nan, np.nan])

    assert (column.distinct, column.low, column.high, column.counts) == (0, None, None, ())


def test_only_consecutive_integers_from_0_or_1_number_the_rows():
    assert summary([0, 1, 2]).numbers_rows
    assert summary([1.0, 2.0, 3.0]).numbers_rows
    assert not summary([1, 3, 2]).numbers_rows
    assert not summary([5, 6, 7]).numbers_rows
    assert not summary([0, 1]).numbers_rows  # two rows prove nothing


def test_only_a_column_without_a_name_is_an_index():
    assert summary([3, 1, 2], "Unnamed: 0").is_index
    assert not summary([3, 1, 3], "Unnamed: 0").is_index
    assert summary([0, 1, 2, 0, 1, 2], "Unnamed: 0").is_index  # of two files
    assert not summary([0, 1, 2], "day").is_index
