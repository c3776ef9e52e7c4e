"""Questions: metrics at operating points, estimates without intervals, and invalid arguments."""

import pytest
from brute_force import two_models

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.uncertainty.question import build_question

ACTUAL, SCORES = two_models()


EVALUATION = to.evaluate(actual=ACTUAL, score=SCORES["a"])


@pytest.mark.parametrize(
    "estimate_without_level",
    [
        lambda: EVALUATION.metric("tpr", level=None),
        lambda: EVALUATION.summary("auc", level=None),
        lambda: EVALUATION.estimate("tpr", at=("fpr", 0.1), level=None),
    ],
    ids=["metric", "summary", "estimate"],
)
def test_no_level_means_no_interval(estimate_without_level):
    estimate = estimate_without_level()

    assert estimate.is_defined
    assert not estimate.has_interval


def test_a_metric_where_another_has_a_value_is_read_off_the_curve():
    estimate = EVALUATION.estimate("tpr", at=("fpr", 0.1), replicates=200)

    assert estimate.value == EVALUATION.curve("roc").y_at(0.1)
    assert estimate.name == "true_positive_rate where fpr = 0.1"
    assert estimate.low < estimate.value < estimate.high


def test_a_value_that_another_metric_never_takes_is_undefined_with_a_reason():
    estimate = EVALUATION.estimate("tpr", at=("fpr", 1.5))

    assert not estimate.is_defined
    assert estimate.reason == "false_positive_rate is never 1.5"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"name": "auc", "at": ("fpr", 0.1)},
            "auc is a summary of the whole ranking, so it takes no `at`",
        ),
        ({"name": "cost"}, "Give the costs of the outcomes"),
        ({"name": "cost", "costs": to.Costs(), "at": ("fpr", 0.1)}, "Costs are compared at a thr"),
        ({"name": "tpr", "at": ("threshold", "0.5")}, "The threshold of `at` must be a number"),
    ],
)
def test_invalid_questions_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        build_question(**arguments)


@pytest.mark.parametrize("arguments", [{"name": "tprr"}, {"name": "tpr", "at": ("fprr", 0.1)}])
def test_unknown_names_in_a_question_suggest_similar_ones(arguments):
    with pytest.raises(UnknownName, match="Did you mean"):
        build_question(**arguments)
