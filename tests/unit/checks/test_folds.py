"""Checks of folds and segments: shifted scores, one class, prevalence."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.checks import (
    ranking_findings,
)
from tradeoff.checks.folds import _coarsen, _compare_prevalence, fold_shift


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


def test_folds_of_one_class_are_reported():
    _, actual, score = calibrated_rows(8, 200)
    fold = np.where(actual == 1, np.arange(200) % 3, np.arange(200) % 4)
    finding = findings_by_name(actual, score, fold=fold)["one_class_folds"]
    assert finding.level == "warning"
    assert finding.sentence.startswith("1 of 4 folds have rows of a single class: '3'.")
    single_row_folds = findings_by_name(actual, score, fold=np.arange(200))["one_class_folds"]
    assert single_row_folds.sentence.startswith("Every fold")


@pytest.mark.parametrize("lower_is_positive", [False, True])
@pytest.mark.parametrize("size", [2000, 40_000])
def test_shifted_folds_are_reported_with_exact_numbers(size, lower_is_positive):
    random, actual, score = calibrated_rows(9, size)
    fold = random.integers(0, 4, size)
    sign = -1 if lower_is_positive else 1
    shifted = sign * (score + 0.4 * (fold == 2))
    e = to.evaluate(actual=actual, score=shifted, fold=fold, lower_is_positive=lower_is_positive)
    finding = {other.name: other for other in findings_in(e)}["shifted_folds"]
    expected = fold_shift(e.folds["score"])
    assert finding.sentence[1:-1] == expected.rpartition("; ")[0][1:]
    assert finding.level == "warning"


def test_importance_weights_do_not_hide_or_fake_shifted_folds():
    false_alarms, detections = 0, 0
    for seed in range(50):
        random, actual, score = calibrated_rows(seed, 500)
        groups = {"fold": random.integers(0, 5, 500), "weight": random.exponential(5, 500) + 0.01}
        false_alarms += "shifted_folds" in findings_by_name(actual, score, **groups)
        shifted = score + 0.5 * (groups["fold"] == 1)
        detections += "shifted_folds" in findings_by_name(actual, shifted, **groups)
    assert false_alarms < 2
    assert detections == 50


@pytest.mark.parametrize("lower_is_positive", [False, True])
def test_coarse_folds_keep_their_counts(lower_is_positive):
    random, actual, score = calibrated_rows(10, 30_000)
    fold = random.integers(0, 3, 30_000)
    folds = to.evaluate(
        actual=actual, score=score, fold=fold, lower_is_positive=lower_is_positive
    ).folds
    exact, coarse = folds["score"], _coarsen(folds["score"])
    for name, fold in exact.items():
        assert coarse[name].distinct <= 2049
        assert coarse[name].positives == fold.positives
        assert coarse[name].negatives == fold.negatives
        threshold = float(coarse[name].thresholds[700])
        assert coarse[name].at(threshold).true_positives == fold.at(threshold).true_positives


def test_the_comparison_of_prevalences_worked_by_hand():
    # 30 of 100 against 60 of 100: the pooled proportion is 0.45, z = -0.3 / √(0.45·0.55·0.02).
    comparison = _compare_prevalence("a", (30, 70), (90, 110))
    assert comparison.prevalence == pytest.approx(0.3)
    assert comparison.other_prevalence == pytest.approx(0.6)
    z = 0.3 / np.sqrt(0.45 * 0.55 * 0.02)
    # Pearson's chi-squared of [[30, 70], [60, 40]] is 200·(30·40 - 70·60)² / (100·100·90·110).
    assert z**2 == pytest.approx(200 * (30 * 40 - 70 * 60) ** 2 / (100 * 100 * 90 * 110))
    assert comparison.p_value == pytest.approx(2.1e-5, rel=0.05)
    assert comparison.odds_ratio == pytest.approx(70.5 * 60.5 / (30.5 * 40.5))


def evaluation_at_prevalence(seed, size, prevalence):
    random = np.random.default_rng(seed)
    actual = (np.arange(size) < round(prevalence * size)).astype(int)
    return to.evaluate(actual=actual, score=random.normal(size=size) + actual)


@pytest.mark.parametrize(
    ("size", "first", "second", "is_reported"),
    [
        (500, 0.3, 0.6, True),
        (1_000_000, 0.30, 0.31, False),  # significant, but small
        (40, 0.3, 0.45, False),  # large, but not significant
        (100_000, 0.001, 0.003, True),
    ],
)
def test_prevalences_are_reported_only_if_their_difference_is_significant_and_large(
    size, first, second, is_reported
):
    evaluation = evaluation_at_prevalence(0, size, first)
    other = evaluation_at_prevalence(1, size, second)
    names = [finding.name for finding in findings_in(evaluation, other, names=("a.csv", "b.csv"))]
    assert ("prevalence_of_files" in names) is is_reported


@pytest.mark.parametrize(("prevalence", "level"), [(0.4, "note"), (0.7, "warning")])
def test_a_segment_of_high_prevalence_is_reported(prevalence, level):
    size = 4000
    segment = np.arange(size) % 4
    random = np.random.default_rng(3)
    actual = (random.random(size) < np.where(segment == 2, prevalence, 0.2)).astype(int)
    findings = findings_by_name(actual, random.normal(size=size) + actual, segment=segment)
    assert findings["prevalence_of_segments"].level == level
    assert "in 2, " in findings["prevalence_of_segments"].sentence
