"""Results are values: they pickle, copy, and are equal where all they hold is."""

import copy
import pickle

import numpy as np
import pytest

import tradeoff as to

RANDOM = np.random.default_rng(0)
ACTUAL = RANDOM.random(120) < 0.3
FIRST, SECOND = (1 / (1 + np.exp(1 - RANDOM.normal(size=120) - 1.5 * ACTUAL)) for _ in range(2))
GROUPS = np.arange(120) % 3


def results(actual, first):
    """One result of each kind, by what asks for it."""
    e = to.evaluate(actual=actual, score=first, fold=GROUPS, segment=GROUPS)
    comparison = to.compare(actual=actual, score={"a": first, "b": SECOND})
    decision = e.best(costs=to.Costs(false_positive=1, false_negative=5))
    return {
        "evaluation": e,
        "ranking": e.ranking,
        "matrix": e.at(0.5),
        "estimate": e.auc,
        "undefined": to.evaluate(actual=[1, 1], score=[0, 1]).auc,
        "named curve": e.curve("roc"),
        "curve over a probability": e.curve("net_benefit"),
        "curve of two metrics": e.curve(x="fpr", y="mcc"),
        "metrics over the threshold": e.curve(x="threshold", y=["precision", "recall"]),
        "curve in bins": to.evaluate(actual=actual, score=first, bins=20).curve("gains"),
        "average": e.average("roc"),
        "band": e.band("roc"),
        "decision": decision,
        "target": e.best("tpr", target=0.8),
        "out-of-sample": decision.check(replicates=20),
        "reject band": e.best_band(gamma=0.2),
        "hull": to.hull({"a": e.ranking}),
        "comparison": comparison,
        "difference": comparison.difference("a", "b"),
        "calibration": e.calibration(),
        "segments": to.by_segment(e, ["auc", "brier"]),
        "plan": to.plan_auc(auc=0.8, power=0.9),
        "smooth": e.smooth("binormal"),
        "gate": to.gate(actual=actual, baseline=first, candidate=SECOND, margin=0.1),
        "check": to.check(actual=actual, score=first),
        "chart": e.chart("roc"),
    }


RESULTS = results(ACTUAL, FIRST)
AGAIN = results(ACTUAL, FIRST)
OTHERS = results(~ACTUAL, FIRST)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_the_same_after_pickling_and_copying(name):
    result = RESULTS[name]

    for twin in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), AGAIN[name]):  # noqa: S301 - our own
        assert twin == result
    assert isinstance(result, list) or hash(AGAIN[name]) == hash(result)


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"plan", "undefined"}))
def test_results_of_other_rows_differ(name):
    assert OTHERS[name] != RESULTS[name]


def test_a_decision_still_decides_after_pickling():
    decision = pickle.loads(pickle.dumps(RESULTS["decision"]))  # noqa: S301 - our own

    assert decision.check(replicates=20) == RESULTS["out-of-sample"]
    assert decision.decides_identically == RESULTS["decision"].decides_identically


def test_a_curve_can_still_be_read_after_pickling():
    curve = pickle.loads(pickle.dumps(RESULTS["named curve"]))  # noqa: S301 - our own

    assert curve.y_at(0.3) == RESULTS["named curve"].y_at(0.3)
    assert curve.area() == RESULTS["named curve"].area()
