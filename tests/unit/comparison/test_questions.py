"""What a comparison asks of each model: the same, or with a threshold of its own."""

import pytest

import tradeoff as to
from tradeoff.comparison.questions import given_thresholds, model_questions
from tradeoff.errors import InputError, UnknownName

ACTUAL = [0, 0, 1, 0, 1, 1]
SCORES = {"p": [0.1, 0.3, 0.35, 0.6, 0.7, 0.9], "s": [3, 8, 12, 20, 40, 60]}


@pytest.fixture
def comparison():
    return to.compare(ACTUAL, SCORES)


def questions(comparison, metric, at=None, method=None):
    return model_questions(comparison.paired, comparison.models, metric, at, method, None, None, {})


def test_models_with_their_own_thresholds_have_one_name_and_two_questions(comparison):
    first, second = questions(comparison, "recall", ("threshold", {"p": 0.35, "s": 30}))

    assert first.name == second.name == "true_positive_rate at thresholds p 0.35, s 30"
    assert (first.threshold, second.threshold) == (0.35, 30)


@pytest.mark.parametrize(
    ("metric", "at"), [("auc", None), ("tpr", ("fpr", 0.1)), ("tpr", ("threshold", 0.5))]
)
def test_otherwise_models_have_the_same_question(comparison, metric, at):
    first, second = questions(comparison, metric, at)

    assert first is second


def test_a_difference_is_that_of_the_metrics_at_each_threshold(comparison):
    at = ("threshold", {"p": 0.35, "s": 30})
    difference = comparison.difference("p", "s", "recall", at=at)

    # By hand: p finds 3 of 3 positives at 0.35, s finds 2 of 3 at 30.
    assert (difference.first_value, difference.second_value) == (1, pytest.approx(2 / 3))
    permuted = comparison.difference("p", "s", "recall", at=at, method="permutation")
    assert permuted.value == difference.value
    assert 0 < permuted.p_value <= 1


def test_equal_predictions_at_different_thresholds_do_not_differ():
    doubled = {"a": SCORES["p"], "b": [10 * p for p in SCORES["p"]]}
    comparison = to.compare(ACTUAL * 20, {name: 20 * list(s) for name, s in doubled.items()})
    at = ("threshold", {"a": 0.5, "b": 5})
    difference = comparison.difference("a", "b", "f1", at=at)

    assert (difference.value, difference.standard_error) == (0, 0)
    test = comparison.mcnemar("a", "b", {"a": 0.5, "b": 5})
    assert test.p_value == 1


def test_missing_and_misspelled_thresholds_are_explained(comparison):
    with pytest.raises(InputError, match="s from 3 to 60 is not a probability"):
        comparison.difference("p", "s", "recall")
    with pytest.raises(UnknownName, match="no model has this name"):
        comparison.difference("p", "s", "recall", at=("threshold", {"q": 1}))
    with pytest.raises(UnknownName, match="recal"):
        comparison.difference("p", "s", "recal")
    assert given_thresholds(comparison.paired, ["p"], None, "recall") == {"p": 0.5}


def test_delong_compares_aucs_only(comparison):
    with pytest.raises(InputError, match="DeLong's test compares AUCs"):
        questions(comparison, "recall", ("threshold", 10), method="delong")
