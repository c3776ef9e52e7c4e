"""The table of other tools' numbers: names, parameters and what is refused."""

import pytest

import tradeoff as to
from tradeoff.compatibility import COMPAT, TOOLS, find_tool, likenesses
from tradeoff.compatibility.registry import Peer, Peers
from tradeoff.errors import InputError, UnknownName


@pytest.fixture
def rows():
    # From the top: 0.9 negative, 0.8 positive, 0.4 two positives and a negative, 0.1 negative.
    return to.evaluate(actual=[0, 1, 1, 0, 1, 0], score=[0.1, 0.4, 0.4, 0.4, 0.8, 0.9])


@pytest.mark.parametrize("peer", COMPAT.values(), ids=lambda peer: peer.key)
def test_every_peer_says_why_and_names_a_measure_of_ours(peer):
    assert peer.tool in TOOLS
    assert peer.why.endswith(".")
    assert (peer.measure is None) == (peer.ours is None)
    assert COMPAT[peer.key] is peer


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("sklearn:average precision score", "scikit-learn:average_precision_score"),
        ("R:AUC", "proc:auc"),
        ("weka:roc area", "weka:Area under ROC"),
        ("pyspark:BinaryClassificationMetrics.areaUnderPR", "spark:areaUnderPR"),
        ("log_loss", "scikit-learn:log_loss"),
    ],
)
def test_a_peer_is_found_in_any_usual_spelling(asked, key):
    assert COMPAT.find(asked).key == key
    assert asked in COMPAT


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("sklearn:averge_precision_score", "Did you mean 'scikit-learn:average_precision_score'"),
        ("brier_score_los", "Did you mean 'brier_score_loss'"),
        ("sklern:log_loss", "No tool is called 'sklern'. Did you mean 'sklearn'"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest(asked, said):
    with pytest.raises(UnknownName) as raised:
        COMPAT.find(asked)

    assert said in str(raised.value)
    assert asked not in COMPAT


def test_a_name_that_two_tools_have_needs_its_tool():
    peers = Peers()
    peers.add(Peer("Weka", "gain", len, None, agrees=False, why="."))
    peers.add(Peer("Spark", "gain", len, None, agrees=False, why="."))

    assert peers.find("weka:gain").tool == "Weka"
    with pytest.raises(UnknownName, match="write 'weka:gain' or 'spark:gain'"):
        peers.find("gain")


def test_a_name_means_one_thing():
    peers = Peers()
    peers.add(COMPAT["proc:auc"])

    with pytest.raises(ValueError, match="two numbers of pROC are called 'auc'"):
        peers.add(COMPAT["proc:auc"])


def test_tools_have_aliases():
    assert [find_tool(word) for word in ("sklearn", "PROC", "Weka", "mllib")] == list(TOOLS)


@pytest.mark.parametrize(
    ("name", "parameters", "said"),
    [
        ("proc:auc", {"bins": 3}, "proc:auc takes 'direction', not 'bins'"),
        ("proc:auc", {"direction": 1}, "cannot take direction=1"),
        ("sklearn:log_loss", {"bins": 3}, "takes no parameters"),
    ],
)
def test_wrong_parameters_are_told(rows, name, parameters, said):
    with pytest.raises(UnknownName, match=said):
        to.compat(rows, name, **parameters)


def test_a_wrong_direction_is_told(rows):
    with pytest.raises(InputError, match='direction is "auto", "<" or ">"'):
        to.compat(rows, "proc:auc", direction="up")


def test_numbers_and_curves_are_asked_for_apart(rows):
    with pytest.raises(InputError, match="is a curve: ask compat_curve"):
        to.compat(rows, "weka:ThresholdCurve")
    with pytest.raises(InputError, match="is a number: ask compat"):
        to.compat_curve(rows, "proc:auc")


def test_a_number_is_made_from_rankings_alone():
    with pytest.raises(InputError, match="made from a ranking or an evaluation"):
        to.compat([0.1, 0.2], "proc:auc")


def test_an_estimate_names_what_was_changed(rows):
    found = to.compat(rows, "spark:areaUnderPR", bins=2)

    assert repr(found) == "Estimate(spark:areaUnderPR(bins=2) = 0.5000)"


def test_without_rows_nothing_is_claimed():
    nothing = to.evaluate(actual=[], score=[], positive=1)

    assert to.compat(nothing, "spark:areaUnderROC").reason == (
        "there are no scored rows, and what Spark says then is not repeated here"
    )


@pytest.mark.parametrize("actual", [[0, 0], [1, 1], [0, 1]])
@pytest.mark.parametrize("threshold", [-1, 0.3, 2])
def test_a_number_or_the_reason_why_there_is_none(actual, threshold):
    ranking = to.evaluate(actual=actual, score=[0.2, 0.4], positive=1).ranking
    found = likenesses(ranking, threshold=threshold)
    estimates = [own for one in found for own in (one.theirs, one.ours) if own is not None]

    assert [own for own in estimates if own.is_defined == bool(own.reason)] == []
