"""Cross-validation: out-of-fold scores, reproducible on any number of cores."""

import numpy as np
import pandas as pd
import pytest

import tradeoff as to
from tradeoff.crossval.features import make_features
from tradeoff.crossval.folds import make_folds
from tradeoff.errors import InputError, TradeoffError

OWN = "own_models"


def table(rows=120, seed=0):
    random = np.random.default_rng(seed)
    ill = random.random(rows) < 0.4
    frame = pd.DataFrame(
        {
            "age": random.normal(50, 10, rows) + 8 * ill,
            "town": random.choice(["Ulm", "Bonn", "Kiel"], rows),
            "visit": np.arange(rows) * 7 % rows,  # each another number, in no order
            "outcome": np.where(ill, "ill", "well"),
        }
    )
    frame.loc[random.random(rows) < 0.1, "age"] = np.nan
    frame.loc[random.random(rows) < 0.1, "town"] = None
    return frame


def validated(frame=None, **changes):
    options = {"actual": "outcome", "positive": "ill", "folds": 5, "jobs": 1, **changes}
    return to.cross_validate(table() if frame is None else frame, **options)


def test_no_row_is_scored_by_a_model_trained_on_it():
    validation = validated(models=[f"{OWN}.Memory"])

    assert not validation.scores[f"{OWN}.Memory"].any()
    assert np.array_equal(validation.places, np.arange(120))


def test_preprocessing_is_fitted_on_training_rows_only():
    # One town occurs in a single row: out of fold it is unknown, and the model must not care.
    frame = table()
    frame.loc[3, "town"] = "Nowhere"
    scores = validated(frame, models=["logistic"]).scores["logistic"]
    frame.loc[3, "town"] = "Elsewhere"
    changed_scores = validated(frame, models=["logistic"]).scores["logistic"]

    assert scores == pytest.approx(changed_scores, abs=1e-9)


def test_the_same_seed_gives_the_same_scores_on_one_core_and_on_two():
    models = ["forest", "logistic", "boosting"]
    serial, parallel = (validated(models=models, jobs=jobs) for jobs in (1, 2))
    other = validated(models=models, seed=2)

    for model in models:
        assert np.array_equal(serial.scores[model], parallel.scores[model])
        assert not np.array_equal(serial.scores[model], other.scores[model])


def test_a_model_that_fails_in_one_fold_keeps_the_scores_of_others():
    validation = validated(table(121), models=[f"{OWN}.Grumpy", "logistic"])
    is_missing = np.isnan(validation.scores[f"{OWN}.Grumpy"])

    assert 0 < is_missing.sum() < 121
    assert not np.isnan(validation.scores["logistic"]).any()
    assert any("Grumpy failed in fold" in n and "odd <rows>" in n for n in validation.notes)
    assert validation.evaluation[f"{OWN}.Grumpy"].ranking.rows == 121 - is_missing.sum()


def test_if_all_models_fail_the_error_gives_the_reason():
    with pytest.raises(InputError, match=r"No model could be fitted\. .*odd <rows>"):
        validated(table(124), models=[f"{OWN}.Grumpy"], folds=4)


def test_a_model_without_scores_is_a_single_point_with_a_note():
    validation = validated(models=[f"{OWN}.Mute"])

    assert set(validation.scores[f"{OWN}.Mute"]) <= {0.0, 1.0}
    note = f"{OWN}.Mute predicts classes without scores: its curve is a single point"
    assert note in validation.notes


def test_estimators_may_be_given_as_they_are():
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    random = np.random.default_rng(1)
    rows = random.normal(size=(100, 3))
    y = rows[:, 0] + random.normal(size=100) > 0
    frame = pd.DataFrame(rows, columns=["a", "b", "c"]).assign(y=y)
    validation = to.cross_validate(
        frame, actual="y", models={"lr": LogisticRegression()}, seed=3, jobs=1
    )
    model = make_pipeline(StandardScaler(), LogisticRegression())
    splits = StratifiedKFold(10, shuffle=True, random_state=3)
    expected = cross_val_predict(model, rows, y, cv=splits, method="predict_proba")[:, 1]

    assert validation.scores["lr"] == pytest.approx(expected, abs=1e-12)


def test_repeated_folds_score_rows_again_and_intervals_resample_rows():
    once, thrice = (validated(models=["logistic"], repeats=r) for r in (1, 3))

    assert len(thrice.places) == 360
    assert set(thrice.folds) == {f"{r}.{f}" for r in (1, 2, 3) for f in range(1, 6)}
    widths = [v.evaluation.auc.high - v.evaluation.auc.low for v in (once, thrice)]
    assert widths[1] > 0.8 * widths[0]  # three looks at a row are not three rows


def test_groups_stay_together_and_times_run_forward():
    positive = np.arange(60) % 3 == 0
    groups = np.repeat(np.arange(20), 3)
    for fold in make_folds(positive, folds=4, groups=groups):
        assert not set(groups[fold.train_rows]) & set(groups[fold.test_rows])
    times = np.arange(60)[::-1]
    for fold in make_folds(positive, folds=4, order=times):
        assert times[fold.train_rows].max() < times[fold.test_rows].min()


def test_saved_scores_can_be_evaluated(tmp_path):
    validation = validated(models=["tree", "logistic"])
    for name in ("scores.parquet", "scores.csv"):
        validation.save(tmp_path / name)
        e = to.evaluate(
            tmp_path / name, actual="outcome", score=["tree", "logistic"], positive="ill"
        )
        assert e["tree"].auc.value == validation.evaluation["tree"].auc.value
    with pytest.raises(InputError, match=r"should end in \.parquet or \.csv"):
        validation.save(tmp_path / "scores.xls")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"models": ["logistik"]}, "Did you mean 'logistic'"),
        ({"models": []}, "Name at least one model"),
        ({"models": ["no_such_package.Model"]}, "cannot be imported"),
        ({"models": [f"{OWN}.Nothing"]}, "has no 'Nothing'"),
        ({"actual": "outcom"}, "Did you mean 'outcome'"),
        ({"group": "patient"}, "patient"),
        ({"positive": "sick"}, "sick"),
        ({"folds": 1}, "at least 2 folds"),
        ({"folds": 100}, "The rarer class has"),
        ({"way": "ordered"}, "need a column of times"),
        ({"way": "random"}, "Folds are"),
        ({"time": "visit", "repeats": 2}, "cannot be repeated"),
        ({"leave_out": ["age", "town", "visit"]}, "no column to learn from"),
    ],
)
def test_invalid_options_are_refused_with_a_reason(options, message):
    with pytest.raises(TradeoffError, match=message):
        validated(**options)


def test_data_of_one_class_are_refused():
    with pytest.raises(TradeoffError, match=r"one class|[Nn]o row|[Ee]very row"):
        validated(table().assign(outcome="ill"))


def test_features_keep_numbers_and_name_categories():
    features = make_features(
        {
            "n": np.array([1, 2, 3]),
            "t": np.array(["b", None, "a"], dtype=object),
            "d": np.array(["1970-01-03", "NaT", "1970-01-02"], dtype="datetime64[D]"),
            "whole": np.array([1, None, 3], dtype=object),
            "nothing": np.array([None, None, None]),
        }
    )

    assert features.names == ("n", "t", "d", "whole")
    assert np.array_equal(features.matrix[:, 1], [1, np.nan, 0], equal_nan=True)
    assert np.array_equal(features.matrix[:, 2], [2, np.nan, 1], equal_nan=True)
    assert features.categories == (None, ("a", "b"), None, None)
    assert features.as_values()[1].tolist() == [2.0, None, None, None]
    assert features.notes == ("column 'nothing' is left out because it has no values",)
