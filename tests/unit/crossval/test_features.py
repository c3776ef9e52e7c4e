"""Cross-validation of real-world tables: dates, missing values, custom models."""

import json

import numpy as np
import pandas as pd
import pytest
from command_line import SCRATCH, run
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from unit.crossval.test_cross_validation import OWN, table, validated

import tradeoff as to
from tradeoff.crossval.features import make_features
from tradeoff.crossval.time_columns import time_values
from tradeoff.errors import InputError, TradeoffError

DAYS = pd.date_range("2024-01-01", periods=120)


def test_dates_are_read_as_numbers_from_any_source(tmp_path):
    frame = pd.DataFrame({"day": DAYS, "late": (np.arange(120) > 60).astype(int)})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    frame.to_parquet(tmp_path / "rows.parquet")
    options = {"actual": "late", "models": ["tree"], "folds": 4, "jobs": 1}

    scores = [
        to.cross_validate(data, **options).scores["tree"]
        for data in (frame, tmp_path / "rows.csv", tmp_path / "rows.parquet")
    ]

    assert to.auc(frame["late"], scores[0]) > 0.95  # as texts, no day is known out of fold: 1/2
    assert np.array_equal(scores[0], scores[1])
    assert np.array_equal(scores[0], scores[2])


def test_ambiguous_dates_are_read_as_text_with_a_note():
    features = make_features({"day": np.array(["5.1.2024", "1.2.2024"], dtype=object)})

    assert features.categories == (("1.2.2024", "5.1.2024"),)
    assert "the year first" in features.notes[0]


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (np.array(["1970-01-03", "1970-01-02"], dtype=object), [2.0, 1.0]),
        (np.array(["1970-01-01T12:00:00Z", "1970-01-01 06:00"], dtype=object), [0.5, 0.25]),
        (np.array(["10", "9"], dtype=object), [10.0, 9.0]),
        (np.array([3, 1]), [3, 1]),
    ],
)
def test_times_may_be_numbers_or_dates(column, expected):
    assert time_values(column, "when").tolist() == expected


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (np.array(["05.01.2024", "04.11.2024"], dtype=object), "not a time that can be ordered"),
        (np.array([1.0, np.nan]), "1 row without a time in 'when'"),
        (np.array(["2024-01-01", None], dtype=object), "first: row 2"),
    ],
)
def test_invalid_times_are_refused(column, message):
    with pytest.raises(InputError, match=message):
        time_values(column, "when")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": "town", "time": "visit"}, "groups or times, not both"),
        ({"time": "visit", "way": "stratified"}, "stratified do not use times"),
        ({"group": "town", "way": "weka"}, "weka do not use groups"),
        ({"group": "town"}, "rows have no group"),
        ({"repeats": 0}, "repeats must be at least 1, not 0"),
        ({"models": [f"{OWN}.Demanding"]}, "cannot be created without more arguments"),
        ({"models": [f"{OWN}.Homemade"]}, "derive it from"),
        ({"models": [f"{OWN}.Short"]}, r"returned \d scores for \d+ rows"),
        ({"models": [f"{OWN}.Empty"]}, r"no score \(NaN\) for \d+ of \d+ rows"),
        ({"models": [f"{OWN}.Leaver"]}, "SystemExit: 4"),
    ],
)
def test_invalid_options_and_models_are_refused_with_a_reason(options, message):
    with pytest.raises(TradeoffError, match=message):
        validated(**options)


def test_infinite_values_are_refused_with_their_column():
    with pytest.raises(InputError, match=r"'age' has infinite values \(first: row 3\)"):
        validated(table().assign(age=[1.0, 2.0, np.inf, *range(117)]))


def test_column_names_must_be_text():
    with pytest.raises(InputError, match="names must be strings, not 0"):
        to.cross_validate(pd.DataFrame({0: [1, 2], "y": [0, 1]}), actual="y")


def test_rows_without_a_class_are_dropped_with_a_note():
    frame = table()
    frame.loc[[0, 5], "outcome"] = None
    validation = validated(frame, models=["dummy"])

    assert "2 rows without a class in 'outcome' are left out" in validation.notes
    assert validation.places.tolist() == [i for i in range(120) if i not in {0, 5}]


def test_columns_left_out_of_training_are_saved_with_the_scores(tmp_path):
    validation = validated(leave_out="visit", models="logistic")
    validation.save(tmp_path / "scores.parquet")
    saved = pd.read_parquet(tmp_path / "scores.parquet")

    assert list(saved) == ["visit", "row", "fold", "outcome", "logistic"]
    assert saved["visit"].tolist() == [7 * i % 120 for i in range(120)]
    assert saved["row"].tolist() == list(range(1, 121))


def test_a_pipeline_can_select_columns_by_name():
    towns = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["town"]))
    model = make_pipeline(towns, LogisticRegression())
    validation = validated(table().fillna({"town": "?"}), models={"towns": model})

    assert len(np.unique(validation.scores["towns"])) <= 4 * 5


def test_a_single_estimator_is_named_by_its_class():
    assert list(validated(models=LogisticRegression()).scores) == ["LogisticRegression"]


def test_fitting_in_process_and_in_workers_gives_the_same_scores(monkeypatch):
    in_process = validated(models=["logistic", "tree"], jobs=None)
    monkeypatch.setattr("tradeoff.crossval.fit.MAX_SECONDS_IN_PROCESS", 0.0)
    in_workers = validated(models=["logistic", "tree"], jobs=None)

    assert np.array_equal(in_process.scores["tree"], in_workers.scores["tree"])
    assert np.array_equal(in_process.scores["logistic"], in_workers.scores["logistic"])


def test_a_model_from_the_current_folder_is_imported_and_prints_to_stderr(tmp_path):
    table().to_csv(tmp_path / "rows.csv", index=False)
    with open(f"{SCRATCH.name}/my_models.py", "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(
            "from sklearn.linear_model import LogisticRegression\n"
            "class Loud(LogisticRegression):\n"
            "    def fit(self, X, y):\n"
            "        print('loud')\n"
            "        return super().fit(X, y)\n"
        )
    options = ["--actual", "outcome", "--positive", "ill", "--folds", "3", "--format", "json"]
    code, out, err = run("crossval", tmp_path / "rows.csv", *options, "--model", "my_models.Loud")

    assert code == 0, err
    assert json.loads(out)["models"][0]["name"] == "my_models.Loud"
    assert "loud" in err


def test_a_missing_output_folder_is_refused_before_fitting(tmp_path):
    table().to_csv(tmp_path / "rows.csv", index=False)
    options = ["--actual", "outcome", "--positive", "ill", "--save", tmp_path / "no" / "s.parquet"]
    code, _, err = run("crossval", tmp_path / "rows.csv", *options)

    assert code == 2
    assert "the folder does not exist" in err
