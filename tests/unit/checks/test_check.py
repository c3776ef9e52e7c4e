"""Checks report nothing for sound data; findings are merged and sorted."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.checks import (
    ranking_findings,
)


def calibrated_rows(seed, size=400, prevalence=0.3):
    """Calibrated probabilities of a fair model: actual classes are sampled from them."""
    random = np.random.default_rng(seed)
    score = random.beta(2 * prevalence, 2 * (1 - prevalence), size)
    return random, (random.random(size) < score).astype(int), score


def findings_in(evaluation, against=None, **names):
    other = {} if against is None else against.rankings
    return ranking_findings(evaluation.models, against=other, **names)


def findings_by_name(actual, score, **options):
    return {
        finding.name: finding
        for finding in findings_in(to.evaluate(actual=actual, score=score, **options))
    }


def test_sound_data_rarely_have_findings():
    false_alarms = 0
    for seed in range(200):
        random, actual, score = calibrated_rows(seed)
        groups = {"fold": random.integers(0, 5, 400), "segment": random.integers(0, 4, 400)}
        evaluation = to.evaluate(actual=actual, score=score, **groups)
        _, second, second_score = calibrated_rows(seed + 1000)
        against = to.evaluate(actual=second, score=second_score)
        false_alarms += any(finding.is_serious for finding in findings_in(evaluation, against))
    assert false_alarms < 4


@pytest.mark.parametrize("size", [50, 20_000, 1_000_000])
def test_sound_data_of_any_size_have_no_findings(size):
    random, actual, score = calibrated_rows(1, size)
    e = to.evaluate(actual=actual, score=score, segment=random.integers(0, 3, size))
    assert not [finding for finding in findings_in(e) if finding.is_serious]


def test_probabilities_logits_percentages_and_rounded_scores_have_no_findings():
    _, actual, score = calibrated_rows(2)
    logits = np.log(score / (1 - score))
    for column in (score, logits, 100 * score, score.round(2), score.astype(np.float32)):
        assert not [
            finding for finding in findings_by_name(actual, column).values() if finding.is_serious
        ]


def test_large_weights_do_not_make_segments_differ_significantly():
    random = np.random.default_rng(4)
    segment = np.arange(60) % 2
    actual = (random.random(60) < np.where(segment, 0.55, 0.4)).astype(int)
    score = random.normal(size=60) + actual
    findings = findings_by_name(actual, score, segment=segment, weight=np.full(60, 1000.5))
    assert "prevalence_of_segments" not in findings


def test_segments_of_one_class_are_a_note():
    _, actual, score = calibrated_rows(11, 200)
    findings = findings_by_name(actual, score, segment=np.where(actual == 1, "sick", "all"))
    assert findings["one_class_segments"].level == "note"
