"""Findings of several models are merged, and sorted with the worst first."""

import numpy as np
from hypothesis import given
from strategies import rankings

import tradeoff as to
from tradeoff.checks import Finding, ranking_findings, worst_level
from tradeoff.core.ranked_models import RankedModels

ACTUAL = np.array([0, 1, 0, 1, 1] * 40)
SCORE = (np.arange(200) * 31 % 199) / 199


def test_findings_shared_by_several_models_are_reported_once():
    rows = np.concatenate([np.flatnonzero(ACTUAL)[:5], np.flatnonzero(ACTUAL == 0)])
    e = to.evaluate(actual=ACTUAL[rows], score={"a": SCORE[rows], "b": SCORE[rows] ** 2})
    assert [(finding.name, finding.where) for finding in ranking_findings(e.models)] == [
        ("few_rows_of_a_class", "a, b")
    ]


def test_findings_come_worst_first():
    e = to.evaluate(actual=ACTUAL, score={"bad": 1 - (ACTUAL + SCORE) / 2, "same": np.zeros(200)})
    levels = [finding.level for finding in ranking_findings(e.models)]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert worst_level(ranking_findings(e.models)) == "error"
    assert worst_level([]) is None


@given(rankings())
def test_any_ranking_can_be_checked(ranking):
    for finding in ranking_findings(RankedModels({"m": ranking}, {"m": {"a": ranking}})):
        assert isinstance(finding, Finding)
        assert finding.sentence.endswith(".")
        assert finding.advice.endswith(".")
