"""Every message for bad input: one sentence or two that say what, where, and what to do."""

import numpy as np
import pandas as pd
import pytest
from snapshot import matches

import tradeoff as to

FRAME = pd.DataFrame({"play": ["yes", "no"], "p_yes": [0.9, 0.1]})
SCORES = [0.9, 0.5, 0.1]

BAD = {
    "lengths differ": lambda: to.auc([1, 0] * 500, [0.5] * 998),
    "weights of another length": lambda: to.auc([1, 0], [0.5, 0.1], weight=[1]),
    "missing scores": lambda: to.auc([1, 0, 1, 0, 1], [0.1, np.nan, np.nan, 0.2, np.nan]),
    "missing classes": lambda: to.auc(["a", None, "b"], SCORES, positive="a"),
    "three classes": lambda: to.auc(["a", "b", "c"], SCORES),
    "unnamed positive class": lambda: to.auc(["yes", "no", "no"], SCORES),
    "unknown positive class": lambda: to.auc(["yes", "no", "no"], SCORES, positive="yess"),
    "spellings of the positive class": lambda: to.auc(["yes", "Yes", "no"], SCORES, positive="yes"),
    "negative weights": lambda: to.auc([1, 0, 1], SCORES, weight=[1, -2, 1]),
    "missing weights": lambda: to.auc([1, 0, 1], SCORES, weight=[1, np.nan, 1]),
    "weights of text": lambda: to.auc([1, 0, 1], SCORES, weight=["a", "b", "c"]),
    "scores of text": lambda: to.auc([1, 0, 1], ["0.9", "high", "0.1"]),
    "scores of two columns": lambda: to.auc([1, 0], [[0.1, 0.9], [0.8, 0.2]]),
    "scores of dates": lambda: to.auc([1, 0], np.array(["2026-01-01", "2026-01-02"], "M8[D]")),
    "huge integers": lambda: to.auc([1, 0], [2**60, 2**60 + 1]),
    "unknown treatment of missing scores": lambda: to.auc([1, 0], [0.5, 0.1], missing="ignore"),
    "unknown column": lambda: to.evaluate(FRAME, actual="play", score="p_yess"),
    "no frame": lambda: to.evaluate(object(), actual="play", score="p_yes"),
    "no file": lambda: to.evaluate("no/such/file.csv", actual="play", score="p_yes"),
    "unknown ending": lambda: to.evaluate("pyproject.toml", actual="play", score="p_yes"),
    "folder": lambda: to.evaluate("src", actual="play", score="p_yes"),
    "unknown metric": lambda: to.METRICS["percision"],
    "unknown parameter": lambda: to.METRICS["f_measure"].with_parameters(alpha=2),
    "parameter of none": lambda: to.METRICS["recall(beta=2)"],
    "unreadable parameter": lambda: to.METRICS["f_measure(beta=two!)"],
    "unknown summary": lambda: to.SUMMARIES["acu"],
    "unknown curve": lambda: evaluation().curve("rock"),
    "half a curve": lambda: evaluation().curve(x="fpr"),
    "unknown model": lambda: evaluation()["nb"],
    "partial area of nothing": lambda: evaluation().summary("partial_auc", low=0.5, high=0.2),
    "threshold is NaN": lambda: evaluation().at(np.nan),
    "rankings of two meanings": lambda: evaluation().ranking + evaluation(positive="no").ranking,
    "unknown class": lambda: to.matrix_of_counts("1 2 3; 4 5 6; 7 8 9").one_against_rest("4"),
    "ragged table": lambda: to.matrix_of_counts("7 2; 4"),
    "table of words": lambda: to.matrix_of_counts("7 two; 4 1"),
    "joint table of one class": lambda: to.map_rule([[1], [2]], ["a"]),
    "no ranking": lambda: to.Ranking.load("pyproject.toml"),
    "no ranking at all": lambda: to.Ranking.load("no/such.ranking"),
}


def evaluation(positive="yes"):
    return to.evaluate(FRAME, actual="play", score="p_yes", positive=positive)


def message(bad):
    with pytest.raises(to.TradeoffError) as problem:
        bad()
    return str(problem.value)


def test_messages_match_their_approved_snapshots(monkeypatch, pytestconfig):
    monkeypatch.chdir(pytestconfig.rootpath)
    texts = [f"{name}\n    {message(bad)}" for name, bad in BAD.items()]

    assert matches("messages.txt", "\n".join(texts))


def test_an_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'roc'"):
        _ = to.roc
