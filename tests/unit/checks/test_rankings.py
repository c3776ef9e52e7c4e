"""Checks of a ranking: labels as scores, reversed scores, leaks, noise, few rows."""

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


@pytest.mark.parametrize(
    ("name", "low", "high", "is_percentage"),
    [
        ("p", 0.3, 99.2, True),
        ("risk_percent", 1.5, 12, True),  # of a rare event
        ("risk", 1.5, 12, False),
        ("age", 18, 97, False),
        ("p", 0.01, 0.99, False),
        ("marker", 3, 419, False),
        ("logit", -3, 60, False),
    ],
)
def test_percentages_are_recognised(name, low, high, is_percentage):
    _, actual, score = calibrated_rows(3)
    scaled = low + (high - low) * (score - score.min()) / np.ptp(score)
    findings = findings_by_name(actual, {name: scaled})

    assert ("percentages" in findings) is is_percentage
    if is_percentage:
        assert "divide them by 100" in findings["percentages"].advice
        assert "outside_probabilities" not in findings


def findings_by_name(actual, score, **options):
    return {
        finding.name: finding
        for finding in findings_in(to.evaluate(actual=actual, score=score, **options))
    }


@pytest.mark.parametrize(
    ("values", "texts", "are_labels"),
    [((0, 1), "0 and 1", True), ((-1, 1), "−1 and 1", True), ((2, 7), "2 and 7", False)],
)
def test_two_distinct_scores_are_reported_as_hard_labels(values, texts, are_labels):
    _, actual, score = calibrated_rows(3)
    finding = findings_by_name(actual, np.where(score > 0.4, values[1], values[0]))["hard_labels"]
    assert finding.level == "warning"
    assert f"two values, {texts}" in finding.sentence
    assert ("look like predicted classes" in finding.sentence) is are_labels


def test_three_distinct_scores_are_not_reported_as_hard_labels():
    _, actual, score = calibrated_rows(3)
    assert "hard_labels" not in findings_by_name(actual, np.digitize(score, [0.3, 0.6]))


def test_scores_for_the_other_class_are_reported_in_either_direction():
    _, actual, score = calibrated_rows(4)
    finding = findings_by_name(actual, 1 - score)["wrong_class"]
    assert finding.level == "warning"
    assert "tend to have low scores, but high" in finding.sentence
    lower = findings_by_name(actual, score, lower_is_positive=True)["wrong_class"]
    assert "tend to have high scores, but low" in lower.sentence
    assert "wrong_class" not in findings_by_name(actual, 1 - score, lower_is_positive=True)


def test_large_importance_weights_do_not_make_chance_significant():
    # AUC 2/6 of seven rows: with sums of weights as numbers of rows it would be significant.
    actual, score = [1, 0, 1, 0, 0, 1, 0], [1, 2, 3, 4, 5, 6, 7]
    weight = [1000.5] * 7
    assert "wrong_class" not in findings_by_name(actual, score, weight=weight)


@pytest.mark.parametrize(("size", "level"), [(200, "warning"), (40, "note")])
def test_a_perfect_auc_is_reported_as_too_good(size, level):
    actual = np.arange(size) % 2
    random = np.random.default_rng(0)
    finding = findings_by_name(actual, actual + random.uniform(0, 0.5, size))["too_good"]
    assert finding.level == level
    assert "AUC 1.0000" in finding.sentence


def test_a_perfect_auc_of_few_rows_is_not_reported():
    assert "too_good" not in findings_by_name([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])


def test_probabilities_outside_0_to_1_are_reported():
    _, actual, score = calibrated_rows(5, 200)
    invalid = score.clip(0.01, 0.99)
    invalid[:3], invalid[3:5] = 1.2, -0.1
    finding = findings_by_name(actual, invalid)["outside_probabilities"]
    assert finding.level == "warning"
    assert finding.sentence.startswith("2.5% of the scores in score are outside 0 to 1")
    assert "range −0.1 to 1.2" in finding.sentence
    low = findings_by_name(actual, invalid, lower_is_positive=True)["outside_probabilities"]
    assert low.sentence == finding.sentence


def test_rare_outliers_and_rounding_errors_outside_0_to_1_are_only_notes():
    _, actual, score = calibrated_rows(5, 200)
    score[score.argmax()] = 3.0
    assert findings_by_name(actual, score)["outside_probabilities"].level == "note"
    score[score.argmax()] = 1 + 1e-12
    assert "only by rounding" in findings_by_name(actual, score)["outside_probabilities"].sentence


def test_infinite_scores_are_not_reported_as_invalid_probabilities():
    _, actual, score = calibrated_rows(5, 200)
    score[:4] = [np.inf, np.inf, -np.inf, -np.inf]
    assert "outside_probabilities" not in findings_by_name(actual, score)
    assert "outside_probabilities" not in findings_by_name(actual, score, lower_is_positive=True)


def test_near_ties_by_rounding_noise_are_counted():
    random, actual, score = calibrated_rows(6, 1000)
    grid = score.round(2).clip(0.01, 0.99)
    noisy = grid * (1 + random.integers(-3, 4, 1000) * 2.3e-16)
    finding = findings_by_name(actual, noisy)["near_ties"]
    distinct = len(np.unique(noisy))
    assert finding.level == "warning"
    assert finding.sentence.startswith(f"{distinct - len(np.unique(grid)):,} of {distinct:,} ")
    assert "near_ties" not in findings_by_name(actual, noisy, digits=9)


@pytest.mark.parametrize("lower_is_positive", [False, True])
def test_scores_close_to_1_are_reported_as_squeezed_not_as_near_ties(lower_is_positive):
    # Log odds from -30 to 30 in steps of 0.06; near 1 probabilities are 1 - e**-z, so that beyond
    # log odds of 20.7 all lie within 1e-9 of 1, and of each other.
    random = np.random.default_rng(0)
    odds = np.linspace(-30, 30, 1001)
    score = 1 / (1 + np.exp(-odds))
    actual = (random.random(1001) < 1 / (1 + np.exp(-odds / 10))).astype(int)
    findings = findings_by_name(
        actual, score, positive=0 if lower_is_positive else 1, lower_is_positive=lower_is_positive
    )

    assert "near_ties" not in findings
    assert findings["squeezed_scores"].level == "note"
    assert "crowded near 1; their log odds differ by more" in (findings["squeezed_scores"].sentence)
    # Neighbouring scores that differ by less than 1e-9 of their size.
    expected = np.count_nonzero(np.diff(score) <= 1e-9 * score[:-1])
    assert findings["squeezed_scores"].sentence.startswith(f"{expected:,} of 1,001 distinct scores")


def test_near_ties_close_to_1_are_reported():
    # 1 - s is 1e-4 to 1e-2; noise of 1e-16 moves log odds by 1e-12 of their size or so.
    random, actual, _ = calibrated_rows(6, 1000)
    noisy = 1 - random.integers(1, 100, 1000) * 1e-4 + random.integers(-3, 4, 1000) * 2.3e-16

    findings = findings_by_name(actual, noisy)

    assert findings["near_ties"].level == "warning"
    assert "squeezed_scores" not in findings


def test_near_ties_of_large_scores_are_relative_to_their_size():
    random, actual, _ = calibrated_rows(6, 1000)
    noisy = random.integers(1, 100, 1000) * (1 + random.integers(-3, 4, 1000) * 2.3e-16)

    assert findings_by_name(actual, noisy)["near_ties"].level == "warning"


def test_constant_scores_and_a_single_class_are_errors():
    constant = findings_by_name([0, 1] * 20, [0.5] * 40)
    assert constant["constant_scores"].level == "error"
    one_class = findings_by_name([1] * 20, np.arange(20))
    assert one_class["one_class"].level == "error"
    assert "No row belongs to class 0 (all rows are of class 1)" in one_class["one_class"].sentence
    assert (
        "No row belongs to class 1"
        in findings_by_name([0] * 20, np.arange(20))["one_class"].sentence
    )


def test_no_rows_are_the_only_finding_of_empty_data():
    assert list(findings_by_name([], [])) == ["no_rows"]


def test_few_rows_of_a_class_are_reported():
    _, actual, score = calibrated_rows(7, 300)
    nine_positives = np.concatenate([np.flatnonzero(actual)[:9], np.flatnonzero(actual == 0)])
    finding = findings_by_name(actual[nine_positives], score[nine_positives])["few_rows_of_a_class"]
    assert finding.sentence.startswith("Only 9 rows belong to class 1,")
    ten_positives = np.concatenate([np.flatnonzero(actual)[:10], np.flatnonzero(actual == 0)])
    assert "few_rows_of_a_class" not in findings_by_name(
        actual[ten_positives], score[ten_positives]
    )
