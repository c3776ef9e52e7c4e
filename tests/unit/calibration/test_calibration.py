"""Calibration line, observed/expected ratio and calibration tests, by hand and by statsmodels."""

import math
from dataclasses import replace

import numpy as np
import pytest
from golden.reference import table
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import expit, logit
from strategies import rankings

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.measures.summaries import calibration
from tradeoff.stats import logistic

Z = 1.959963984540054
INNER = st.integers(1, 9).map(lambda tenths: tenths / 10)
FOUR = to.Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))


def ranked(scores, positive, *more, **options):
    return to.Ranking.of(np.array(scores, float), np.array(positive, bool), *more, **options)


def golden(name, weights=None):
    """A golden ranking, without weights or with "frequency" or "importance" weights."""
    rows = table(f"{name}_data.csv")
    scores = rows[next(k for k in ("score", "prediction") if k in rows)]
    positive = rows["label"] > 0
    if weights is None:
        return to.Ranking.of(scores, positive)
    ranking = to.Ranking.of(scores, positive, rows["weight"])
    if weights == "frequency":
        return ranking
    return replace(ranking, squares=to.Ranking.of(scores, positive, rows["weight"] ** 2))


def mirrored(ranking):
    """The same ranking with mirrored scores: lower is positive."""
    return to.Ranking(
        ranking.tally._replace(thresholds=np.append(-np.inf, 1 - ranking.thresholds[1:])),
        ranking.rows,
        lower_is_positive=True,
    )


def standard_error(estimate):
    return (estimate.high - estimate.value) / Z


# statsmodels 0.15.0, GLM with Binomial() on logit(score), tol=1e-14: value and standard error of
# intercept and slope, then of the intercept alone with logit(score) as the offset. Frequencies are
# its freq_weights; for importance its var_weights with cov_type="HC0".
@pytest.mark.parametrize(
    ("name", "weights", "line", "in_the_large"),
    [
        (
            "syn_a1_probabilities",
            None,
            (-0.2254076761159327, 0.18902609963975, 0.7782211133648126, 0.1527925635754),
            (-0.1987557045747512, 0.19848985275),
        ),
        (
            "rocr_simple",
            None,
            (-0.1104842295509976, 0.1636188057, 0.8117458715737841, 0.1350932649),
            (-0.11504728942281227, 0.1711173457168126),
        ),
        (
            "syn_a7_imbalanced",
            None,
            (1.7302918792518462, 0.9766228914113493, 2.4924681607241315, 0.4665209307165169),
            (-1.8100357936047424, 0.3190985928429222),
        ),
        (
            "syn_a7_imbalanced",
            "frequency",
            (1.9426878694506124, 0.7024378001294564, 2.613739057983839, 0.34750934728109933),
            (-1.808009578938693, None),
        ),
        (
            "syn_a1_probabilities",
            "importance",
            (-0.37857042921769296, 0.2257391771270206, 0.7309891403528597, 0.175443532650696),
            (-0.3617849866796713, 0.2591050090340118),
        ),
        (
            "syn_a7_imbalanced",
            "importance",
            (1.9426878694506124, 0.8370752196974144, 2.613739057983839, 0.32789580013120884),
            (-1.808009578938693, 0.3318615094964972),
        ),
    ],
)
def test_calibration_lines_and_standard_errors_equal_those_of_statsmodels(
    name, weights, line, in_the_large
):
    ranking = golden(name, weights)
    intercept, slope = calibration.calibration_line(ranking)
    shift = calibration.calibration_in_the_large(ranking)

    fitted = intercept.value, standard_error(intercept), slope.value, standard_error(slope)
    assert fitted == pytest.approx(line, rel=1e-8)
    assert shift.value == pytest.approx(in_the_large[0], rel=1e-10)
    if in_the_large[1] is not None:
        assert standard_error(shift) == pytest.approx(in_the_large[1], rel=1e-8)
    assert (slope.level, slope.method) == (0.95, "Wald")


def test_the_calibration_line_of_two_scores_is_exact():
    # 1 of 4 at log odds -1 and 3 of 4 at 1: the line goes from log(1/3) to log(3).
    scores = np.repeat(expit([-1.0, 1.0]), 4)
    ranking = ranked(scores, [1, 0, 0, 0, 1, 1, 1, 0])
    intercept, slope = calibration.calibration_line(ranking, level=0.9)

    assert intercept.value == pytest.approx(0, abs=1e-12)
    assert slope.value == pytest.approx(math.log(3))
    # Each group of 4 has the information 4 * 3/16.
    half_width = 1.6448536269514722 * math.sqrt(1 / 1.5)
    assert (slope.low, slope.high) == pytest.approx(
        (math.log(3) - half_width, math.log(3) + half_width)
    )


def test_calibration_in_the_large_of_one_score_is_exact():
    shift = calibration.calibration_in_the_large(ranked([0.2] * 4, [1, 1, 0, 0]))

    assert shift.value == pytest.approx(math.log(4))
    assert standard_error(shift) == pytest.approx(1.0)


@given(rankings(scores=INNER, min_size=2))
def test_residuals_of_a_calibration_line_sum_to_zero(ranking):
    assume(ranking.positives and ranking.negatives)
    x = logit(ranking.thresholds[1:])
    positives = np.diff(ranking.true_positives)
    rows = positives + np.diff(ranking.false_positives)

    shift = calibration.calibration_in_the_large(ranking).value
    assert (positives - rows * expit(shift + x)).sum() == pytest.approx(0, abs=1e-9)
    intercept, slope = calibration.calibration_line(ranking)
    positive_logits, negative_logits = x[positives > 0], x[positives < rows]
    is_separated = (
        positive_logits.min() >= negative_logits.max()
        or positive_logits.max() <= negative_logits.min()
    )
    assert slope.is_defined != is_separated
    if slope.is_defined:
        residuals = positives - rows * expit(intercept.value + slope.value * x)
        assert (residuals.sum(), residuals @ x) == pytest.approx((0, 0), abs=1e-9)
        assert slope.low < slope.value < slope.high


@given(rankings(scores=INNER, min_size=2))
def test_lower_is_positive_gives_the_same_calibration(ranking):
    mirror = mirrored(ranking)
    for estimator in (
        calibration.calibration_in_the_large,
        calibration.calibration_slope,
        calibration.observed_expected_ratio,
    ):
        expected, estimate = estimator(ranking), estimator(mirror)
        assert expected.value == pytest.approx(estimate.value, abs=1e-9, nan_ok=True)
        assert expected.high == pytest.approx(estimate.high, abs=1e-7, nan_ok=True)
    z = calibration.spiegelhalter(ranking).statistic
    assert z == pytest.approx(calibration.spiegelhalter(mirror).statistic, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("unit", [1e-12, 1e9])
def test_estimates_do_not_depend_on_the_unit_of_weights(unit):
    ranking = golden("syn_a1_probabilities", "importance")
    scaled = replace(ranking.weighed(unit, unit), squares=ranking.squares.weighed(unit**2, unit**2))

    for estimator in (
        calibration.calibration_in_the_large,
        calibration.calibration_slope,
        calibration.observed_expected_ratio,
    ):
        first, second = estimator(ranking), estimator(scaled)
        assert (first.value, first.high) == pytest.approx((second.value, second.high), rel=1e-9)
    z = calibration.spiegelhalter(ranking).statistic
    assert z == pytest.approx(calibration.spiegelhalter(scaled).statistic)


def test_nearly_separated_classes_have_a_steep_calibration_line():
    scores = np.append(np.linspace(0.3, 0.7, 2000), [0.49, 0.51])
    ranking = ranked(scores, [*(np.arange(2000) >= 1000), True, False])
    intercept, slope = calibration.calibration_line(ranking)

    residuals = np.append(np.arange(2000) >= 1000, [True, False]) - expit(
        intercept.value + slope.value * logit(scores)
    )
    assert slope.value > 50
    assert (residuals.sum(), residuals @ logit(scores)) == pytest.approx((0, 0), abs=1e-9)


def test_pooling_neighbouring_scores_does_not_change_the_calibration_line(monkeypatch):
    random = np.random.default_rng(13)
    scores = random.random(3000)
    ranking = ranked(scores, random.random(3000) < scores**2)
    # All positive above the middle, and one just below it: the best line is very steep.
    steep = ranked(
        np.linspace(0.3, 0.7, 3000), (np.arange(3000) > 1500) | (np.arange(3000) == 1490)
    )

    def estimates():
        return [
            number
            for sample in (ranking, steep)
            for estimate in (
                calibration.calibration_in_the_large(sample),
                *calibration.calibration_line(sample),
            )
            for number in (estimate.value, estimate.high)
        ]

    expected = estimates()
    monkeypatch.setattr(logistic, "POOLING_LIMIT", 100)
    assert len(logistic._pool_neighbours(scores, scores, np.ones(3000))[0]) < 10
    assert estimates() == pytest.approx(expected, rel=1e-8)


def test_scores_of_0_and_1_are_clipped_with_a_note():
    ranking = ranked([0.0, 0.0, 1.0, 0.5, 0.5, 1.0], [0, 1, 1, 0, 1, 0])
    note = "4 rows have scores of exactly 0 or 1 and are clipped to 2.2e-16 from that end"

    for estimator in (calibration.calibration_in_the_large, calibration.calibration_slope):
        assert (estimator(ranking).note, estimator(ranking).is_defined) == (note, True)
    # Scores of 0 and 1 are wrong equally often, so the best line is horizontal.
    assert calibration.calibration_slope(ranking).value == pytest.approx(0, abs=1e-12)
    assert calibration.calibration_slope(FOUR).note is None


def test_calibration_in_the_large_of_zero_probabilities_is_their_full_shift():
    shift = calibration.calibration_in_the_large(ranked([0.0] * 4, [1, 1, 1, 0]))

    assert shift.value == pytest.approx(math.log(3) - logit(np.finfo(float).eps))


@pytest.mark.parametrize(
    ("scores", "positive", "reason"),
    [
        ([0.2, 0.4, 0.6], [0, 0, 1], "the scores separate the classes"),
        ([0.2, 0.4, 0.4, 0.6], [0, 0, 1, 1], "the scores separate the classes"),
        ([0.2, 0.4, 0.6], [1, 0, 0], "the scores separate the classes"),
        ([0.4, 0.4, 0.4], [1, 0, 0], "every row has the same score"),
        ([0.4, 0.6], [1, 1], "every ranked row belongs to class positive; both classes are needed"),
        ([0.4], [0], "no ranked row belongs to class positive; both classes are needed"),
        ([], [], "there are no rows"),
        ([0.4, 1.5], [0, 1], "1 of 2 rows has a score outside 0 to 1"),
    ],
)
def test_an_undefined_calibration_slope_has_a_reason(scores, positive, reason):
    for estimate in calibration.calibration_line(ranked(scores, positive)):
        assert math.isnan(estimate.value)
        assert estimate.reason.startswith(reason)


def test_a_class_of_negligible_weight_has_no_calibration_line():
    ranking = ranked([0.2, 0.4, 0.6], [1, 0, 1], np.array([1e20, 1.0, 1e20]))

    assert "negligible" in calibration.calibration_in_the_large(ranking).reason


def test_the_observed_expected_ratio_worked_by_hand():
    ratio = calibration.observed_expected_ratio(ranked([0.5, 0.25, 0.25], [1, 1, 0]))

    factor = math.exp(Z * math.sqrt((1 - 2 / 3) / 2))
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((2, 2 / factor, 2 * factor))


def test_the_observed_expected_ratio_without_positives_negatives_or_expectation():
    no_positives = calibration.observed_expected_ratio(ranked([0.5, 0.25], [0, 0]))
    no_negatives = calibration.observed_expected_ratio(ranked([0.5, 0.5], [1, 1]))
    no_expected = calibration.observed_expected_ratio(ranked([0.0, 0.0], [1, 0]))

    assert (no_positives.value, no_positives.note) == (
        0,
        "no interval: every row belongs to class 'negative'",
    )
    assert (no_negatives.value, no_negatives.note) == (
        2,
        "no interval: every row belongs to class 'positive'",
    )
    assert not no_positives.has_interval
    assert no_expected.reason == "every probability is 0, so no positives are expected"


def test_spiegelhalters_z_worked_by_hand():
    test = calibration.spiegelhalter(FOUR)

    numerator = 0.1 * -0.8 - 0.8 * -0.6 + 0.6 * 0.2 - 0.1 * 0.8
    variance = 0.64 * 0.09 + 0.36 * 0.16 + 0.04 * 0.24 + 0.64 * 0.09
    assert test.statistic == pytest.approx(numerator / math.sqrt(variance))
    assert test.p_value == pytest.approx(math.erfc(test.statistic / math.sqrt(2)))


@pytest.mark.parametrize("is_weighted", [False, True])
def test_spiegelhalters_z_is_standard_normal_for_calibrated_probabilities(is_weighted):
    random = np.random.default_rng(11)
    scores, weights = random.random(200), random.exponential(size=200)
    statistics = []
    for _ in range(1000):
        positive = random.random(200) < scores
        ranking = ranked(scores, positive, weights if is_weighted else None)
        if is_weighted:
            ranking = replace(ranking, squares=ranked(scores, positive, weights**2))
        statistics.append(calibration.spiegelhalter(ranking).statistic)

    assert np.mean(statistics) == pytest.approx(0, abs=0.08)
    assert np.std(statistics) == pytest.approx(1, abs=0.06)


def test_spiegelhalters_z_is_undefined_for_probabilities_of_one_half():
    test = calibration.spiegelhalter(ranked([0.5, 0.5, 1.0], [1, 0, 1]))

    assert (test.is_defined, test.degrees) == (False, None)
    assert "every probability is 0, 1/2 or 1" in repr(test)


def test_the_hosmer_lemeshow_test_worked_by_hand():
    scores, positive = (
        np.repeat([0.1, 0.5, 0.8], 20),
        np.arange(60) % 20 < np.repeat([4, 9, 18], 20),
    )
    test = calibration.hosmer_lemeshow(ranked(scores, positive), bins=3)
    fitted = calibration.hosmer_lemeshow(ranked(scores, positive), bins=3, fitted_here=True)

    statistic = (4 - 2) ** 2 / 1.8 + (9 - 10) ** 2 / 5 + (18 - 16) ** 2 / 3.2
    assert (test.statistic, test.degrees) == (pytest.approx(statistic), 3)
    assert (fitted.statistic, fitted.degrees) == (test.statistic, 1)
    # One degree of freedom: the square of a normal deviation.
    assert fitted.p_value == pytest.approx(math.erfc(math.sqrt(statistic / 2)))
    assert test.note == "2 of 3 bins have an expected count below 5"


def test_the_hosmer_lemeshow_statistic_is_chi_squared_for_calibrated_probabilities():
    random = np.random.default_rng(12)
    scores = random.random(1000)
    tests = [
        calibration.hosmer_lemeshow(ranked(scores, random.random(1000) < scores))
        for _ in range(500)
    ]

    assert {test.degrees for test in tests} == {10}
    assert np.mean([test.statistic for test in tests]) == pytest.approx(10, abs=0.6)
    assert np.mean([test.p_value < 0.1 for test in tests]) == pytest.approx(0.1, abs=0.04)


def test_bins_of_certain_probabilities_add_no_degrees_unless_a_row_contradicts_them():
    scores = np.repeat([0.0, 0.5, 1.0], 4)
    consistent = calibration.hosmer_lemeshow(ranked(scores, [0] * 4 + [1, 0] * 2 + [1] * 4), bins=3)
    contradicted = calibration.hosmer_lemeshow(
        ranked(scores, [1] + [0] * 3 + [1, 0] * 2 + [1] * 4), bins=3
    )

    assert (consistent.statistic, consistent.degrees, consistent.p_value) == (0, 1, 1)
    assert (contradicted.statistic, contradicted.degrees, contradicted.p_value) == (math.inf, 2, 0)
    assert consistent.note.startswith("1 of 3 bins can be tested")


def test_an_undefined_hosmer_lemeshow_test_has_a_reason():
    two_bins = calibration.hosmer_lemeshow(FOUR, bins=2, fitted_here=True)

    assert two_bins.reason == "only 2 of 2 bins can be tested"
    assert (
        "importance weights do not give"
        in calibration.hosmer_lemeshow(golden("syn_a1_probabilities", "importance")).reason
    )
    for test in (calibration.hosmer_lemeshow, calibration.spiegelhalter):
        assert test(ranked([], [])).reason == "there are no rows"
        assert "outside 0 to 1" in test(ranked([0.4, 1.5], [0, 1])).reason
    with pytest.raises(InputError, match="1 bin or more, not 0"):
        calibration.hosmer_lemeshow(FOUR, bins=0)
