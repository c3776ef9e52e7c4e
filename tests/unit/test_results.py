"""Results are values: they pickle, copy, and are equal if their contents are."""

import copy
import dataclasses
import json
import math
import pickle

import numpy as np
import pytest
from jsonschema import Draft202012Validator

import tradeoff as to
from tradeoff.render.json_csv import format_json
from tradeoff.schemas import json_schema

RANDOM = np.random.default_rng(0)
ACTUAL = RANDOM.random(120) < 0.3
FIRST, SECOND = (1 / (1 + np.exp(1 - RANDOM.normal(size=120) - 1.5 * ACTUAL)) for _ in range(2))
GROUPS = np.arange(120) % 3
CLASSES = {"a": FIRST, "b": 1 - FIRST}


def results(actual, first):
    """One result of each kind, by name."""
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
        "decisions": e.thresholds("youden", replicates=20),
        "reject bands": e.reject_bands(gamma=2, replicates=20),
        "comparison summary": comparison.summary(["auc", "brier"], tests=["equal"], margin=0.1),
        "segments of several metrics": e.by_segment(["auc", "tpr"]),
        "curve with a band": e.curve_estimate("roc", band="pointwise"),
        "calibration with its diagram": e.calibration(diagram=True, replicates=50),
        "hull and costs": e.hull(to.Costs(false_negative=5)),
        "classes": to.evaluate_classes(actual=np.where(actual, "a", "b"), score=CLASSES),
        "other tools": to.compare_tools(e.ranking, "sklearn"),
        "class matrix": to.matrix_of_counts("7 2 1; 4 1 3; 0 2 9"),
    }


DOCUMENTS = {
    "evaluation": "evaluation",
    "matrix": "matrix",
    "class matrix": "matrix",
    "named curve": "curve",
    "curve with a band": "curve",
    "average": "average",
    "decision": "decision",
    "target": "decision",
    "decisions": "decision",
    "reject band": "band",
    "reject bands": "band",
    "hull": "hull",
    "hull and costs": "hull",
    "comparison": "comparison",
    "comparison summary": "comparison",
    "calibration": "calibration_report",
    "calibration with its diagram": "calibration_report",
    "segments of several metrics": "segments",
    "plan": "plan",
    "smooth": "smooth",
    "gate": "gate",
    "check": "check",
    "classes": "classes",
    "other tools": "compat",
}
"""Results with a document, and the schema that it follows."""

RESULTS = results(ACTUAL, FIRST)
REPEATED = results(ACTUAL, FIRST)
OTHER_ROWS = results(~ACTUAL, FIRST)


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_equals_its_pickle_its_copy_and_its_repetition(name):
    result = RESULTS[name]

    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), REPEATED[name]):  # noqa: S301 - our own
        assert other == result
    assert isinstance(result, list) or hash(REPEATED[name]) == hash(result)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_result_converts_to_tables_json_text_markdown_and_html(name):
    result = RESULTS[name]

    document = json.loads(format_json(result.to_dict()))
    Draft202012Validator(json_schema(DOCUMENTS[name])).validate(document)
    columns = {key: list(column) for key, column in result.columns().items()}
    assert len({len(column) for column in columns.values()}) == 1
    rows = 1 if name == "evaluation" else len(next(iter(columns.values())))
    assert result.to_pandas().shape[0] == rows
    assert result.to_csv().splitlines()[0]
    assert len(str(result)) > 20
    assert len(result.to_markdown()) > 20
    assert "<" in result._repr_html_()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_result_types_are_exported_and_frozen(name):
    result = RESULTS[name]

    assert getattr(to, type(result).__name__) is type(result)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(result, dataclasses.fields(result)[0].name, None)


@pytest.mark.parametrize(
    "name",
    [
        *("evaluation", "matrix", "class matrix", "named curve", "average", "decision"),
        *("reject band", "comparison", "comparison summary", "difference", "calibration"),
    ],
)
def test_results_with_charts_draw_layers(name):
    assert RESULTS[name].chart().layers


def test_a_result_without_a_chart_says_so():
    with pytest.raises(to.TradeoffError, match="Plan has no chart"):
        RESULTS["plan"].chart()


@pytest.mark.parametrize("name", sorted(set(RESULTS) - {"plan", "undefined", "class matrix"}))
def test_results_of_other_rows_differ(name):
    assert OTHER_ROWS[name] != RESULTS[name]


def test_a_pickled_decision_can_be_checked():
    decision = pickle.loads(pickle.dumps(RESULTS["decision"]))  # noqa: S301 - our own

    assert decision.check(replicates=20) == RESULTS["out-of-sample"]
    assert decision.equivalent_thresholds == RESULTS["decision"].equivalent_thresholds


def test_a_pickled_curve_can_be_evaluated():
    curve = pickle.loads(pickle.dumps(RESULTS["named curve"]))  # noqa: S301 - our own

    assert curve.y_at(0.3) == RESULTS["named curve"].y_at(0.3)
    assert curve.area() == RESULTS["named curve"].area()


def test_an_estimate_behaves_like_a_number():
    auc = to.evaluate([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.38]).auc
    undefined = to.evaluate([1, 1], [0.1, 0.4]).auc

    assert (float(auc), round(auc, 2), f"{auc:.1f}") == (0.75, 0.75, "0.8")
    assert auc > 0.7
    assert auc >= 0.75
    assert auc <= 0.75
    assert auc < 0.8
    assert 0.7 < auc < 0.8
    assert math.isnan(float(undefined))
    assert math.isnan(round(undefined, 2))
    assert f"{undefined:.2f}" == "nan"
    assert not undefined > 0.5
    assert not undefined <= 0.5
    assert repr(undefined).startswith("undefined: ")
