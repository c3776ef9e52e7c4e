"""Questions about a number: at a point, without a level, of an unknown name."""

import pytest
from brute_force import two_models

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.uncertainty.question import build_question

ACTUAL, SCORES = two_models()


FAIR = to.evaluate(actual=ACTUAL, score=SCORES["a"])


@pytest.mark.parametrize(
    "ask_without",
    [
        lambda: FAIR.metric("tpr", level=None),
        lambda: FAIR.summary("auc", level=None),
        lambda: FAIR.estimate("tpr", at=("fpr", 0.1), level=None),
    ],
    ids=["metric", "summary", "estimate"],
)
def test_no_level_means_no_interval(ask_without):
    estimate = ask_without()

    assert estimate.is_defined
    assert not estimate.has_interval


def test_a_metric_at_the_value_of_another_is_read_off_the_curve():
    estimate = FAIR.estimate("tpr", at=("fpr", 0.1), replicates=200)

    assert estimate.value == FAIR.curve("roc").y_at(0.1)
    assert estimate.name == "true_positive_rate where fpr = 0.1"
    assert estimate.low < estimate.value < estimate.high


def test_a_value_that_another_metric_never_takes_is_undefined_with_a_reason():
    estimate = FAIR.estimate("tpr", at=("fpr", 1.5))

    assert not estimate.is_defined
    assert estimate.reason == "false_positive_rate is never 1.5"


@pytest.mark.parametrize(
    ("question", "message"),
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
def test_unanswerable_questions_are_refused(question, message):
    with pytest.raises(InputError, match=message):
        build_question(**question)


@pytest.mark.parametrize("question", [{"name": "tprr"}, {"name": "tpr", "at": ("fprr", 0.1)}])
def test_unknown_names_in_a_question_suggest_near_ones(question):
    with pytest.raises(UnknownName, match="Did you mean"):
        build_question(**question)
