"""Registry of other tools' values: names, parameters and invalid input."""

import pytest

import tradeoff as to
from tradeoff.compatibility import COMPAT, TOOLS, find_tool, tool_numbers
from tradeoff.compatibility.registry import ToolMeasure, ToolMeasures
from tradeoff.errors import InputError, UnknownName


@pytest.fixture
def rows():
    # From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
    return to.evaluate(actual=[0, 1, 1, 0, 1, 0], score=[0.1, 0.4, 0.4, 0.4, 0.8, 0.9])


@pytest.mark.parametrize("measure", COMPAT.values(), ids=lambda measure: measure.key)
def test_every_measure_explains_its_difference_and_names_our_measure(measure):
    assert measure.tool in TOOLS
    assert measure.why.endswith(".")
    assert (measure.measure is None) == (measure.ours is None)
    assert COMPAT[measure.key] is measure


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("sklearn:average precision score", "scikit-learn:average_precision_score"),
        ("R:AUC", "proc:auc"),
        ("weka:roc area", "weka:Area under ROC"),
        ("pyspark:BinaryClassificationMetrics.areaUnderPR", "spark:areaUnderPR"),
        ("log_loss", "scikit-learn:log_loss"),
    ],
)
def test_a_measure_is_found_in_any_usual_spelling(name, key):
    assert COMPAT.find(name).key == key
    assert name in COMPAT


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sklearn:averge_precision_score", "Did you mean 'scikit-learn:average_precision_score'"),
        ("brier_score_los", "Did you mean 'brier_score_loss'"),
        ("sklern:log_loss", "There is no tool 'sklern'. Did you mean 'sklearn'"),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(name, message):
    with pytest.raises(UnknownName) as raised:
        COMPAT.find(name)

    assert message in str(raised.value)
    assert name not in COMPAT


def test_a_name_shared_by_two_tools_needs_its_tool():
    measures = ToolMeasures()
    measures.add(ToolMeasure("Weka", "gain", len, None, agrees=False, why="."))
    measures.add(ToolMeasure("Spark", "gain", len, None, agrees=False, why="."))

    assert measures.find("weka:gain").tool == "Weka"
    with pytest.raises(UnknownName, match="write 'weka:gain' or 'spark:gain'"):
        measures.find("gain")


def test_duplicate_names_of_a_tool_are_refused():
    measures = ToolMeasures()
    measures.add(COMPAT["proc:auc"])

    with pytest.raises(ValueError, match="two numbers of pROC are called 'auc'"):
        measures.add(COMPAT["proc:auc"])


def test_tools_have_aliases():
    assert [find_tool(word) for word in ("sklearn", "PROC", "Weka", "mllib")] == list(TOOLS)


@pytest.mark.parametrize(
    ("name", "parameters", "message"),
    [
        ("proc:auc", {"bins": 3}, "proc:auc takes 'direction', not 'bins'"),
        ("proc:auc", {"direction": 1}, "cannot take direction=1"),
        ("sklearn:log_loss", {"bins": 3}, "takes no parameters"),
    ],
)
def test_invalid_parameters_are_refused(rows, name, parameters, message):
    with pytest.raises(UnknownName, match=message):
        to.compat(rows, name, **parameters)


def test_an_invalid_direction_is_refused(rows):
    with pytest.raises(InputError, match='direction is "auto", "<" or ">"'):
        to.compat(rows, "proc:auc", direction="up")


def test_compat_takes_numbers_and_compat_curve_takes_curves(rows):
    with pytest.raises(InputError, match="is a curve: use compat_curve"):
        to.compat(rows, "weka:ThresholdCurve")
    with pytest.raises(InputError, match="is a number: use compat"):
        to.compat_curve(rows, "proc:auc")


def test_compat_needs_a_ranking_or_an_evaluation():
    with pytest.raises(InputError, match="needs a ranking or an evaluation"):
        to.compat([0.1, 0.2], "proc:auc")


def test_an_estimate_names_its_changed_parameters(rows):
    estimate = to.compat(rows, "spark:areaUnderPR", bins=2)

    assert estimate.name == "spark:areaUnderPR(bins=2)"
    assert estimate.value == 0.5


def test_numbers_of_empty_data_are_undefined():
    empty = to.evaluate(actual=[], score=[], positive=1)

    assert to.compat(empty, "spark:areaUnderROC").reason == (
        "there are no scored rows, for which Spark is not reproduced"
    )


@pytest.mark.parametrize("actual", [[0, 0], [1, 1], [0, 1]])
@pytest.mark.parametrize("threshold", [-1, 0.3, 2])
def test_every_number_is_defined_or_has_a_reason(actual, threshold):
    ranking = to.evaluate(actual=actual, score=[0.2, 0.4], positive=1).ranking
    comparisons = tool_numbers(ranking, threshold=threshold)
    estimates = [
        estimate
        for comparison in comparisons
        for estimate in (comparison.theirs, comparison.ours)
        if estimate is not None
    ]

    assert [
        estimate for estimate in estimates if estimate.is_defined == bool(estimate.reason)
    ] == []
