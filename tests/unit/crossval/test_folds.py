"""Folds by time and by group."""

import numpy as np
import pandas as pd
import pytest
from unit.crossval.test_cross_validation import table, validated

import tradeoff as to
from tradeoff.crossval.folds import make_folds
from tradeoff.errors import InputError

DAYS = pd.date_range("2024-01-01", periods=120)


def test_rows_of_the_same_time_stay_in_one_fold():
    times = np.repeat(np.arange(12), 5)
    folds = make_folds(np.arange(60) % 2 == 0, folds=4, order=times)

    for fold in folds:
        assert times[fold.train_rows].max() < times[fold.test_rows].min()
    assert sorted(np.concatenate([fold.test_rows for fold in folds]).tolist()) == list(
        range(10, 60)
    )


def test_folds_by_time_equal_scikit_learns_time_series_split():
    from sklearn.model_selection import TimeSeriesSplit

    folds = make_folds(np.arange(50) % 2 == 0, folds=6, order=np.arange(50))
    expected = TimeSeriesSplit(6).split(np.zeros(50))

    for fold, (train, test) in zip(folds, expected, strict=True):
        assert fold.train_rows.tolist() == train.tolist()
        assert fold.test_rows.tolist() == test.tolist()


def test_rows_that_are_never_tested_are_noted():
    validation = validated(table().assign(day=DAYS), time="day", models=["dummy"])

    assert "20 rows of 120 are the earliest and are never tested" in validation.notes


def test_intervals_are_clustered_by_group():
    frame = table(240).assign(patient=np.arange(240) // 8)
    validation = validated(frame, group="patient", models=["logistic"])
    unclustered = to.evaluate(
        actual=validation.actual, score=validation.scores["logistic"], positive="ill"
    ).auc

    assert len(np.unique(validation.clusters)) == 30
    assert validation.evaluation.auc.value == unclustered.value
    assert validation.evaluation.auc.low != unclustered.low


def test_too_few_groups_are_refused():
    with pytest.raises(InputError, match="fewer groups than 5 folds"):
        validated(table().assign(ward=np.arange(120) % 4), group="ward")
