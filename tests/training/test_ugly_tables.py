"""Cross-validation of tables as people have them: dates, gaps, groups, odd models."""

import json

import numpy as np
import pandas as pd
import pytest
from command_line import SCRATCH, run
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from training.test_crossing import OWN, table, validated

import tradeoff as to
from tradeoff.crossval.features import features_of, times_of
from tradeoff.crossval.folds import make_folds
from tradeoff.errors import InputError, TradeoffError

DAYS = pd.date_range("2024-01-01", periods=120)


def test_dates_are_numbers_however_they_come(tmp_path):
    frame = pd.DataFrame({"day": DAYS, "late": (np.arange(120) > 60).astype(int)})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    asked = {"target": "late", "models": ["tree"], "folds": 4, "jobs": 1}

    found = [
        to.cross_validate(data, **asked).scores["tree"]
        for data in (frame, tmp_path / "rows.csv", tmp_path / "rows.parquet")
    ]

    assert to.auc(frame["late"], found[0]) > 0.95  # as texts, no day is known out of fold: 1/2
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


def test_dates_that_cannot_be_told_are_texts_and_told():
    found = features_of({"day": np.array(["5.1.2024", "1.2.2024"], dtype=object)})

    assert found.categories == (("1.2.2024", "5.1.2024"),)
    assert "the year first" in found.notes[0]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.array(["1970-01-03", "1970-01-02"], dtype=object), [2.0, 1.0]),
        (np.array(["1970-01-01T12:00:00Z", "1970-01-01 06:00"], dtype=object), [0.5, 0.25]),
        (np.array(["10", "9"], dtype=object), [10.0, 9.0]),
        (np.array([3, 1]), [3, 1]),
    ],
)
def test_times_are_numbers_or_dates(column, expected):
    assert times_of(column, "when").tolist() == expected


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (np.array(["05.01.2024", "04.11.2024"], dtype=object), "no time that can be ordered"),
        (np.array([1.0, np.nan]), "1 row without a time in 'when'"),
        (np.array(["2024-01-01", None], dtype=object), "first: row 2"),
    ],
)
def test_what_is_no_time_is_told(column, said):
    with pytest.raises(InputError, match=said):
        times_of(column, "when")


def test_rows_of_one_time_are_never_parted():
    times = np.repeat(np.arange(12), 5)
    dealt = make_folds(np.arange(60) % 2 == 0, folds=4, order=times)

    for fold in dealt:
        assert times[fold.learned].max() < times[fold.tested].min()
    assert sorted(np.concatenate([fold.tested for fold in dealt]).tolist()) == list(range(10, 60))


def test_times_without_ties_are_dealt_as_scikit_learn_deals_them():
    from sklearn.model_selection import TimeSeriesSplit

    ours = make_folds(np.arange(50) % 2 == 0, folds=6, order=np.arange(50))
    theirs = TimeSeriesSplit(6).split(np.zeros(50))

    for fold, (learned, tested) in zip(ours, theirs, strict=True):
        assert fold.learned.tolist() == learned.tolist()
        assert fold.tested.tolist() == tested.tolist()


def test_rows_that_are_never_tested_are_told():
    found = validated(table().assign(day=DAYS), time="day", models=["dummy"])

    assert "20 rows of 120 come first and are never tested" in found.notes


def test_intervals_go_by_group():
    frame = table(240).assign(patient=np.arange(240) // 8)
    found = validated(frame, group="patient", models=["logistic"])
    by_row = to.evaluate(actual=found.actual, score=found.scores["logistic"], positive="ill").auc

    assert len(np.unique(found.clusters)) == 30
    assert found.evaluation.auc.value == by_row.value
    assert found.evaluation.auc.low != by_row.low


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"group": "town", "time": "id"}, "by groups or by times, not by both"),
        ({"time": "id", "way": "stratified"}, "stratified do not go by times"),
        ({"group": "town", "way": "weka"}, "weka do not go by groups"),
        ({"group": "town"}, "rows have no group"),
        ({"repeats": 0}, "once or more often, not 0"),
        ({"models": [f"{OWN}.Demanding"]}, "cannot be made without more arguments"),
        ({"models": [f"{OWN}.Homemade"]}, "derive it from"),
        ({"models": [f"{OWN}.Short"]}, r"gives \d scores for \d+ rows"),
        ({"models": [f"{OWN}.Empty"]}, r"no score \(NaN\) for \d+ of \d+ rows"),
        ({"models": [f"{OWN}.Leaver"]}, "SystemExit: 4"),
    ],
)
def test_what_cannot_be_done_is_told(choices, said):
    with pytest.raises(TradeoffError, match=said):
        validated(**choices)


def test_too_few_groups_are_told():
    with pytest.raises(InputError, match="fewer groups than 5 folds"):
        validated(table().assign(ward=np.arange(120) % 4), group="ward")


def test_infinite_values_name_their_column():
    with pytest.raises(InputError, match=r"'age' has infinite values \(first: row 3\)"):
        validated(table().assign(age=[1.0, 2.0, np.inf, *range(117)]))


def test_columns_must_be_named_by_texts():
    with pytest.raises(InputError, match="named by texts, not by 0"):
        to.cross_validate(pd.DataFrame({0: [1, 2], "y": [0, 1]}), target="y")


def test_rows_without_a_class_are_left_out_and_told():
    frame = table()
    frame.loc[[0, 5], "outcome"] = None
    found = validated(frame, models=["dummy"])

    assert "2 rows without a class in 'outcome' are left out" in found.notes
    assert found.places.tolist() == [i for i in range(120) if i not in {0, 5}]


def test_columns_that_are_not_learned_from_stay_beside_the_scores(tmp_path):
    found = validated(leave_out="id", models="logistic")
    found.save(tmp_path / "scores.parquet")
    saved = pd.read_parquet(tmp_path / "scores.parquet")

    assert list(saved) == ["id", "row", "fold", "outcome", "logistic"]
    assert saved["id"].tolist() == list(range(120))
    assert saved["row"].tolist() == list(range(1, 121))


def test_a_pipeline_gets_columns_by_their_names():
    towns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["town"]))
    model = make_pipeline(towns, LogisticRegression())
    found = validated(table().fillna({"town": "?"}), models={"towns": model})

    assert len(np.unique(found.scores["towns"])) <= 4 * 5


def test_an_estimator_alone_is_called_by_its_class():
    assert list(validated(models=LogisticRegression()).scores) == ["LogisticRegression"]


def test_the_first_seconds_are_fitted_here_and_give_the_same(monkeypatch):
    alone = validated(models=["logistic", "tree"], jobs=None)
    monkeypatch.setattr("tradeoff.crossval.fit.ALONE", 0.0)
    together = validated(models=["logistic", "tree"], jobs=None)

    assert np.array_equal(alone.scores["tree"], together.scores["tree"])
    assert np.array_equal(alone.scores["logistic"], together.scores["logistic"])


def test_a_model_that_lies_in_the_current_folder_is_found_and_its_prints_kept_apart(tmp_path):
    table().to_csv(tmp_path / "rows.csv", index=False)
    with open(f"{SCRATCH.name}/my_models.py", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(
            "from sklearn.linear_model import LogisticRegression\n"
            "class Loud(LogisticRegression):\n"
            "    def fit(self, X, y):\n"
            "        print('loud')\n"
            "        return super().fit(X, y)\n"
        )
    asked = ["--target", "outcome", "--positive", "ill", "--folds", "3", "--format", "json"]
    code, out, err = run("crossval", tmp_path / "rows.csv", *asked, "--model", "my_models.Loud")

    assert code == 0, err
    assert json.loads(out)["models"][0]["name"] == "my_models.Loud"
    assert "loud" in err


def test_a_folder_that_is_not_there_is_told_before_fitting(tmp_path):
    table().to_csv(tmp_path / "rows.csv", index=False)
    asked = ["--target", "outcome", "--positive", "ill", "--save", tmp_path / "no" / "s.parquet"]
    code, _, err = run("crossval", tmp_path / "rows.csv", *asked)

    assert code == 2
    assert "there is no such folder" in err
