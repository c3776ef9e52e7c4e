"""Rows shared by several models: which are compared, noted or rejected."""

import numpy as np
import pandas as pd
import pytest
from brute_force import two_models

import tradeoff as to
from tradeoff.errors import ColumnError, InputError

ACTUAL, SCORES = two_models(40)


def without_scores(scores, rows):
    changed = scores.copy()
    changed[rows] = np.nan
    return changed


def test_every_model_is_evaluated_on_the_shared_rows():
    models = {
        "a": without_scores(SCORES["a"], [3, 8]),
        "b": without_scores(SCORES["b"], [8, 20, 21]),
    }
    shared = ~np.isin(np.arange(40), [3, 8, 20, 21])

    comparison = to.compare(actual=ACTUAL, score=models, missing="drop")
    expected = to.compare(
        actual=ACTUAL[shared], score={name: values[shared] for name, values in SCORES.items()}
    )

    assert comparison.paired.rows == 36
    assert comparison.areas.covariance == pytest.approx(expected.areas.covariance)
    assert comparison.paired.scores["b"].tolist() == SCORES["b"][shared].tolist()


def test_the_number_of_shared_rows_is_noted():
    models = {"a": without_scores(SCORES["a"], [3, 8]), "b": SCORES["b"]}

    notes = to.compare(actual=ACTUAL, score=models, missing="drop").paired.notes

    assert any("38 of 40 rows are scored by every model" in note for note in notes)
    assert any("2 rows left out" in note for note in notes)


def test_no_note_is_needed_if_all_rows_are_shared():
    assert to.compare(actual=ACTUAL, score=SCORES).paired.notes == ()


def test_models_without_shared_rows_are_rejected():
    models = {
        "a": without_scores(SCORES["a"], slice(20)),
        "b": without_scores(SCORES["b"], slice(20, None)),
    }

    with pytest.raises(InputError, match="No row was scored by every model"):
        to.compare(actual=ACTUAL, score=models, missing="drop")


def test_missing_scores_are_an_error_by_default():
    models = {"a": without_scores(SCORES["a"], [3, 8]), "b": SCORES["b"]}

    with pytest.raises(InputError, match=r"2 of 40 scores in `a` are missing \(first: rows 4"):
        to.compare(actual=ACTUAL, score=models)


def test_rejected_rows_cannot_be_compared():
    models = {"a": without_scores(SCORES["a"], [3]), "b": SCORES["b"]}

    with pytest.raises(InputError, match="Rejected rows of 'a' have no score"):
        to.compare(actual=ACTUAL, score=models, missing="reject")


def test_rows_without_a_score_may_rank_last():
    models = {"a": without_scores(SCORES["a"], [3]), "b": SCORES["b"]}

    paired = to.compare(actual=ACTUAL, score=models, missing="negative").paired

    assert paired.rows == 40
    assert paired.scores["a"][3] == -np.inf


def test_weights_and_clusters_follow_their_rows():
    weights, clusters = np.arange(1, 41), np.arange(40) // 5
    comparison = to.compare(
        actual=ACTUAL,
        score={"a": without_scores(SCORES["a"], [0, 1, 2, 3, 4, 9]), "b": SCORES["b"]},
        weight=weights,
        cluster=clusters,
        missing="drop",
    ).paired
    shared = ~np.isin(np.arange(40), [0, 1, 2, 3, 4, 9])

    assert comparison.weights.tolist() == weights[shared].tolist()
    # Renumbered, as the first cluster has no rows left.
    assert comparison.clusters.tolist() == (clusters[shared] - 1).tolist()
    assert comparison.positive_rows.tolist() == ACTUAL[shared].tolist()


def test_rows_of_weight_0_are_ignored():
    weights = np.where(np.arange(40) < 5, 0, 2)

    paired = to.compare(actual=ACTUAL, score=SCORES, weight=weights).paired

    assert paired.rows == 35
    assert not any("left out" in note for note in paired.notes)


def test_weight_means_applies_to_comparisons():
    for means, importance in (("importance", True), ("frequency", False), (None, False)):
        options = {"weight": np.arange(1, 41), "weight_means": means}
        assert to.compare(actual=ACTUAL, score=SCORES, **options).paired.importance == importance


def test_low_scores_may_indicate_the_positive_class():
    comparison = to.compare(actual=ACTUAL, score=SCORES, lower_is_positive=True)

    assert comparison.paired.lower_is_positive
    reverse = to.compare(actual=ACTUAL, score=SCORES)
    for name in SCORES:
        assert comparison.area(name).value == pytest.approx(1 - reverse.area(name).value)


def test_models_may_be_columns_of_a_dataframe():
    frame = pd.DataFrame({"y": np.where(ACTUAL, "yes", "no"), **SCORES, "who": np.arange(40) // 2})

    comparison = to.compare(frame, actual="y", score=["a", "b"], positive="yes", cluster="who")

    assert (comparison.models, comparison.paired.positive) == (("a", "b"), "yes")
    assert comparison.paired.clusters.tolist() == (np.arange(40) // 2).tolist()
    with pytest.raises(ColumnError, match=r"no column 'whom'\. Did you mean 'who'\?"):
        to.compare(frame, actual="y", score=["a", "b"], positive="yes", cluster="whom")


@pytest.mark.parametrize(
    "score",
    [SCORES["a"], SCORES["a"].tolist(), {"a": SCORES["a"]}, pd.Series(SCORES["a"], name="a")],
    ids=["array", "list", "mapping", "series"],
)
def test_one_model_cannot_be_compared(score):
    with pytest.raises(InputError, match="A comparison needs the scores of two or more models"):
        to.compare(actual=ACTUAL, score=score)


@pytest.mark.parametrize("score", ["a", ["a"]])
def test_one_column_cannot_be_compared(score):
    with pytest.raises(InputError, match="A comparison needs the scores of two or more models"):
        to.compare(pd.DataFrame({"y": ACTUAL, **SCORES}), actual="y", score=score)


def test_aucs_of_one_class_cannot_be_compared():
    one_class = to.compare(
        actual=["yes"] * 5, positive="yes", score={"a": [1, 2, 3, 4, 5], "b": [5, 4, 3, 2, 1]}
    )

    for compare in (lambda: one_class.difference("a", "b"), one_class.equality_test):
        with pytest.raises(InputError, match="rows of both classes, but no row belongs"):
            compare()


@pytest.mark.parametrize("method", [None, "bootstrap", "permutation"])
def test_other_differences_for_one_class_are_undefined_with_a_reason(method):
    one_class = to.compare(
        actual=["yes"] * 5, positive="yes", score={"a": [1, 2, 3, 4, 5], "b": [5, 4, 3, 2, 1]}
    )

    difference = one_class.difference("a", "b", "ks", method=method, replicates=20)

    assert not difference.is_defined
    assert difference.reason


def test_one_row_in_a_class_has_a_difference_but_no_interval():
    c = to.compare(actual=[1, 0, 0, 0], score={"a": [3, 1, 2, 4], "b": [1, 2, 3, 4]})

    for difference in (c.difference("a", "b"), c.difference("a", "b", "ks", replicates=20)):
        assert difference.is_defined
        assert np.isnan([difference.low, difference.high, difference.p_value]).all()
        assert difference.note == "no interval: two rows of each class are needed"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 95}, "A level must be between 0 and 1"),
        ({"seed": -1}, "seed must be a non-negative integer"),
    ],
)
def test_the_level_and_the_seed_are_checked(options, message):
    with pytest.raises(InputError, match=message):
        to.compare(actual=ACTUAL, score=SCORES, **options)
