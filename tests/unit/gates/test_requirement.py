"""Requirements of a gate: limits for metrics of the candidate, with or without a baseline."""

import json
import math
from xml.etree import ElementTree as ET

import jsonschema
import numpy as np
import pytest
from scipy.stats import norm

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.gates.requirement import verdict_on_estimate
from tradeoff.measures.estimate import Estimate
from tradeoff.schemas import json_schema

RANDOM = np.random.default_rng(7)
ACTUAL = (RANDOM.random(400) < 0.4).astype(int)
SCORE = np.clip(0.35 + 0.25 * ACTUAL + RANDOM.normal(0, 0.2, 400), 0, 1)
OLD_SCORE = np.clip(SCORE + RANDOM.normal(0, 0.05, 400), 0, 1)
NAN = math.nan


def estimate(value=0.82, low=0.78, high=0.86, **fields):
    return Estimate("auc", value, low=low, high=high, level=0.95, **fields)


@pytest.mark.parametrize(
    ("relation", "limit", "verdict", "verdict_on_value"),
    [
        ("at least", 0.77, "pass", "pass"),
        ("at least", 0.78, "pass", "pass"),
        ("at least", 0.80, "inconclusive", "pass"),
        ("at least", 0.82, "inconclusive", "pass"),
        ("at least", 0.86, "inconclusive", "fail"),
        ("at least", 0.87, "fail", "fail"),
        ("at most", 0.87, "pass", "pass"),
        ("at most", 0.86, "pass", "pass"),
        ("at most", 0.80, "inconclusive", "fail"),
        ("at most", 0.77, "fail", "fail"),
    ],
)
def test_the_whole_interval_or_the_value_must_keep_the_limit(
    relation, limit, verdict, verdict_on_value
):
    requirement = verdict_on_estimate("m", estimate(), relation, limit, rows=500)
    assert requirement.verdict == verdict
    requirement = verdict_on_estimate("m", estimate(), relation, limit, rows=500, test_on="value")
    assert requirement.verdict == verdict_on_value


def test_without_an_interval_only_the_value_can_be_tested():
    point = estimate(low=NAN, high=NAN, note="no interval: two rows of each class are needed")

    requirement = verdict_on_estimate("m", point, "at least", 0.8, rows=3)
    assert requirement.verdict == "inconclusive"
    assert "two rows of each class are needed" in requirement.sentence
    assert verdict_on_estimate("m", point, "at least", 0.8, rows=3, test_on="value").verdict == (
        "pass"
    )


@pytest.mark.parametrize("test_on", ["interval", "value"])
def test_an_undefined_value_is_inconclusive_with_its_reason(test_on):
    undefined = Estimate("auc", NAN, reason="no row is positive")

    requirement = verdict_on_estimate("m", undefined, "at least", 0.8, rows=3, test_on=test_on)
    assert requirement.verdict == "inconclusive"
    assert "no row is positive" in requirement.sentence


def test_the_rows_needed_give_a_verdict_with_80_percent_power():
    requirement = verdict_on_estimate("m", estimate(), "at least", 0.8, rows=500)
    z = norm.ppf(0.975)
    standard_error = 0.08 / (2 * z) * math.sqrt(500 / requirement.needed)

    assert norm.cdf(0.02 / standard_error - z) == pytest.approx(0.8, abs=0.001)
    assert f"{requirement.needed:,.0f} rows" in requirement.sentence


def test_a_gate_without_a_baseline_tests_the_intervals_of_an_evaluation():
    e = to.evaluate(ACTUAL, SCORE)
    gates = to.gate(
        None,
        SCORE,
        actual=ACTUAL,
        at_least={"auc": 0.7, "recall": 0.5},
        at_most={"brier": 0.2},
        at=("threshold", 0.4),
    )
    expected = [e.auc, e.metric("recall", 0.4), e.summary("brier")]

    assert [r.estimate.value for r in gates.requirements] == [x.value for x in expected]
    assert [r.estimate.low for r in gates.requirements] == [x.low for x in expected]
    assert [r.label for r in gates.requirements] == ["AUC", "recall at threshold 0.4", "brier"]
    assert gates.verdict == "pass"
    assert gates.baseline is None


def test_the_interval_respects_clusters():
    clusters = np.repeat(np.arange(40), 10)
    gates = to.gate(None, SCORE, actual=ACTUAL, cluster=clusters, at_least={"auc": 0.7})

    assert gates.requirements[0].estimate == to.evaluate(ACTUAL, SCORE, cluster=clusters).auc


def test_the_worst_of_comparison_and_requirements_decides():
    def verdict(**limits):
        return to.gate(OLD_SCORE, SCORE, actual=ACTUAL, margin=0.2, **limits).verdict

    assert verdict() == "pass"
    assert verdict(at_least={"auc": 0.5}) == "pass"
    assert verdict(at_least={"auc": to.auc(ACTUAL, SCORE)}) == "inconclusive"
    assert verdict(at_least={"auc": 0.99}) == "fail"


def gates_of_every_kind():
    limits = {"at_least": {"auc": 0.99}, "at_most": {"brier": 0.3}}
    return [
        to.gate(OLD_SCORE, SCORE, actual=ACTUAL),
        to.gate(OLD_SCORE, SCORE, actual=ACTUAL, **limits),
        to.gate(None, SCORE, actual=ACTUAL, **limits),
        to.gate(None, SCORE * 9, actual=ACTUAL, at_most={"brier": 0.3}, test_on="value"),
    ]


@pytest.mark.parametrize("gates", gates_of_every_kind())
def test_documents_follow_the_schema_and_tables_have_a_row_for_each_part(gates):
    document = json.loads(json.dumps(gates.to_dict()))
    jsonschema.validate(document, json_schema("gate"))
    parts = len(gates.gates) + len(gates.requirements)
    table = gates.columns()

    assert {len(column) for column in table.values()} == {parts}
    assert len(document["gates"]) + len(document["requirements"]) == parts
    assert int(ET.fromstring(gates.to_junit()).get("tests")) == parts  # noqa: S314 - our own


def test_json_names_the_models_beside_their_roles(tmp_path):
    import pandas as pd

    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    pd.DataFrame({"y": ACTUAL, "p": OLD_SCORE}).to_csv(old, index=False)
    pd.DataFrame({"y": ACTUAL, "q": SCORE}).to_csv(new, index=False)
    gates = to.gate(str(old), str(new), actual="y", score="p", candidate_score="q")
    document = gates.to_dict()

    assert (document["baseline"], document["candidate"]) == ("baseline", "candidate")
    assert document["models"] == [
        {"role": "baseline", "name": "p", "file": str(old)},
        {"role": "candidate", "name": "q", "file": str(new)},
    ]
    assert f"candidate: q in {new}." in " ".join(str(gates).split())


def test_a_value_shows_the_digits_that_decide():
    auc = to.auc(ACTUAL, SCORE)
    limit = math.ceil(auc * 1e5) / 1e5
    gates = to.gate(None, SCORE, actual=ACTUAL, at_least={"auc": limit}, test_on="value")

    assert gates.verdict == "fail"
    shown = float(str(gates).split("AUC ")[1].split(" ")[0])
    assert shown < limit


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, r"needs requirements, as in at_least=\{'auc': 0.8\}"),
        ({"at_least": {"brier": 0.1}}, r"Lower values of brier .* at_most=\{'brier': 0.1\}"),
        ({"at_most": {"auc": 0.9}}, r"Higher values of AUC .* at_least=\{'auc': 0.9\}"),
        ({"at_least": {"auc": 80}}, "AUC lies between 0 and 1, so 80 cannot be its limit"),
        ({"at_least": {"auc": NAN}}, "nan cannot be its limit"),
        ({"at_least": {"auc": "high"}}, "The limit of auc must be a number, not 'high'"),
        ({"at_least": {"acu": 0.8}}, "Did you mean 'auc'"),
        ({"at_least": {"auc": 0.8}, "margin": 0.1}, "there is nothing to compare"),
        ({"at_least": {"auc": 0.8}, "metric": "brier"}, "there is nothing to compare"),
        ({"at_least": {"auc": 0.8}, "at": ("threshold", 0.5)}, "`at` is an operating point"),
        ({"at_least": {"auc": 0.8}, "test_on": "mean"}, "must be 'interval' or 'value'"),
        ({"at_least": {"auc": 0.8}, "costs": to.Costs(fp=1, fn=5)}, "limit of the cost"),
    ],
)
def test_a_mistaken_requirement_is_refused(options, message):
    with pytest.raises(InputError if "acu" not in str(options) else ValueError, match=message):
        to.gate(None, SCORE, actual=ACTUAL, **options)


def test_the_cost_may_be_limited():
    costs = to.Costs(fp=1, fn=5)
    gates = to.gate(None, SCORE, actual=ACTUAL, costs=costs, at_most={"cost": 2})

    assert gates.verdict == "pass"
    assert gates.requirements[0].label == "expected cost at threshold 0.5"
