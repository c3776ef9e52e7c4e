"""Columns learned from: ids are left out, and columns that give the class away are named."""

import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.crossval.feature_columns import identifier_columns, revealing_columns
from tradeoff.crossval.features import make_features

RANDOM = np.random.default_rng(3)
ROWS = 120
ILL = RANDOM.random(ROWS) < 0.4
GRADE = np.where(ILL, RANDOM.integers(1, 4, ROWS), RANDOM.integers(4, 6, ROWS))


def revealing(**columns):
    return revealing_columns(make_features({n: np.asarray(c) for n, c in columns.items()}), ILL)


@pytest.mark.parametrize(
    "column",
    [GRADE, -GRADE, np.where(ILL, "dead", "alive"), np.where(GRADE == 1, np.nan, GRADE)],
    ids=["a grade", "a reversed grade", "the class in other words", "missing values"],
)
def test_a_column_that_gives_the_class_away_is_named(column):
    assert revealing(x=column, y=RANDOM.normal(size=ROWS)) == {"x": 1.0}


@pytest.mark.parametrize(
    "column",
    [ILL + RANDOM.normal(size=ROWS), [f"name {i // 2}" for i in range(ROWS)], [1] * ROWS],
    ids=["a good marker", "rare categories", "a constant"],
)
def test_other_columns_are_not(column):
    assert revealing(x=column) == {}


def test_few_rows_prove_nothing():
    features = make_features({"x": np.arange(12.0)})

    assert revealing_columns(features, np.arange(12) >= 6) == {}


def test_ids_and_row_numbers_are_identifiers():
    columns = {
        "Unnamed: 0": np.arange(ROWS),
        "patient_id": RANDOM.permutation(ROWS) + 500,
        "age": RANDOM.integers(20, 90, ROWS),
    }
    assert identifier_columns(columns) == ["Unnamed: 0", "patient_id"]


def test_cross_validation_says_what_it_learned_from():
    frame = pd.DataFrame(
        {
            "id": RANDOM.permutation(ROWS) + 500,
            "grade": GRADE,
            "age": RANDOM.integers(20, 90, ROWS),
            "ill": ILL.astype(int),
        }
    )
    validation = to.cross_validate(frame, actual="ill", models="logistic", folds=3, jobs=1)

    assert validation.notes[:2] == (
        "learned from 2 columns: grade, age",
        "left out because they only number or identify the rows: id",
    )
    (warning,) = validation.warnings
    assert warning.startswith("grade alone predicts ill with an AUC of 1: if it is known only")
    assert "id" in validation.columns()
    assert warning in validation.to_dict()["notes"]
