"""Reject bands: worked by hand, against brute force, and identities of E(gamma) and E(alpha)."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import matrices, scored

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.thresholds import reject_band
from tradeoff.thresholds.reject_band import best_band

SMALL = st.integers(-3, 6).map(float)
COST = st.integers(0, 6).map(float)


def ranking_of(rows):
    return to.Ranking.of(rows[0], rows[1])


def every_band(ranking):
    size = len(ranking.thresholds)
    return [(u, low) for low in range(size) for u in range(low + 1)]


def test_rejecting_the_range_that_holds_all_errors_leaves_no_errors():
    # The rule x > 5 errs ten times, always between 5 and 7.
    x = np.arange(0.5, 10.5, 0.25)
    actual = np.where((x > 5) & (x < 7.5), np.arange(len(x)) % 2 == 0, x > 5)
    evaluation = to.evaluate(actual=actual, score=x)
    errors = evaluation.metric("error_rate", threshold=5.1).value

    decision = best_band(evaluation.ranking, gamma=5)

    assert errors > 0
    assert decision.confusion.false_positives == decision.confusion.false_negatives == 0
    assert decision.confusion.rejected > 0
    assert float(to.METRICS["accuracy"](decision.confusion)) < 1
    assert float(to.METRICS["accepted_accuracy"](decision.confusion)) == 1


@given(rows=scored(scores=SMALL, min_size=1, max_size=25), gamma=st.integers(0, 5))
@settings(max_examples=200)
def test_the_best_band_for_gamma_beats_every_band(rows, gamma):
    ranking = ranking_of(rows)
    metric = to.METRICS["rejection_tradeoff"].with_parameters(gamma=float(gamma))

    decision = best_band(ranking, gamma=float(gamma))

    values = [metric(ranking.banded(*band)) for band in every_band(ranking)]
    assert decision.value == pytest.approx(min(values), abs=1e-12)
    decision_value = metric(ranking.banded(decision.upper_index, decision.lower_index))
    assert decision_value == pytest.approx(min(values), abs=1e-12)
    # No equally good band rejects fewer rows.
    sizes = [
        ranking.banded(*band).rejected
        for band, value in zip(every_band(ranking), values, strict=True)
        if value <= min(values) + 1e-12
    ]
    assert decision.confusion.rejected == min(sizes)


@given(
    rows=scored(scores=SMALL, min_size=1, max_size=25),
    prices=st.tuples(COST, COST, COST, COST, COST, COST),
    benefit=st.integers(-5, 0),
)
@settings(max_examples=200)
def test_the_best_band_for_costs_beats_every_band(rows, prices, benefit):
    false_positive, false_negative, true_negative, rejected_positive, rejected_negative, _ = prices
    assume(false_positive >= true_negative)
    assume(false_negative > benefit)
    ranking = ranking_of(rows)
    costs = to.Costs(
        false_positive, false_negative, float(benefit), true_negative,
        rejected_positive=rejected_positive, rejected_negative=rejected_negative,
    )  # fmt: skip

    decision = best_band(ranking, costs=costs)

    totals = [costs.total(ranking.banded(*band)) for band in every_band(ranking)]
    assert decision.value * len(rows[0]) == pytest.approx(min(totals), abs=1e-9)


@given(
    rows=scored(scores=SMALL, min_size=1, max_size=25),
    limit=st.integers(0, 25),
    benefit=st.integers(-5, 0),
)
@settings(max_examples=200)
def test_the_best_band_under_a_capacity_beats_every_band_that_fits(rows, limit, benefit):
    ranking = ranking_of(rows)
    costs = to.Costs(2.0, 3.0, float(benefit), -1.0)

    decision = best_band(ranking, capacity=limit, costs=costs)

    fitting = [
        costs.total(ranking.banded(*band))
        for band in every_band(ranking)
        if ranking.banded(*band).rejected <= limit
    ]
    assert decision.confusion.rejected <= limit
    assert decision.value * len(rows[0]) == pytest.approx(min(fitting), abs=1e-9)


@given(
    values=st.lists(st.integers(-9, 9), min_size=1, max_size=40), steps=st.lists(st.integers(0, 3))
)
def test_both_algorithms_for_window_minima_agree_with_brute_force(values, steps):
    size = len(values)
    starts = np.cumsum([0, *steps, *[0] * size])[:size]
    window_starts = np.minimum(starts, np.arange(size))
    expected = [min(values[start : end + 1]) for end, start in enumerate(window_starts)]

    with pytest.MonkeyPatch.context() as patch:
        for short_window in (0, 10**9):
            patch.setattr(reject_band, "SHORT_WINDOW_LENGTH", short_window)
            minima = reject_band._window_minima(np.array(values, float), window_starts)
            assert minima.tolist() == expected


@given(rows=scored(scores=SMALL, min_size=1, max_size=25), coverage=st.integers(0, 10))
def test_the_best_band_for_a_coverage_has_the_fewest_errors_and_covers_enough(rows, coverage):
    ranking = ranking_of(rows)
    error = to.METRICS["error_rate"]

    decision = best_band(ranking, coverage=coverage / 10)

    fitting = [
        error(ranking.banded(*band))
        for band in every_band(ranking)
        if 10 * (len(rows[0]) - ranking.banded(*band).rejected) >= coverage * len(rows[0])
    ]
    assert decision.coverage >= coverage / 10 - 1e-12
    assert decision.value == pytest.approx(min(fitting), abs=1e-12)


@given(matrix=matrices(rejected=True), gamma=st.integers(0, 5), alpha=st.integers(0, 5))
def test_e_of_gamma_and_e_of_alpha_agree_with_their_definitions(matrix, gamma, alpha):
    assume(matrix.rows)
    value = to.METRICS["rejection_tradeoff"].with_parameters(gamma=gamma)
    error, rejected = (to.METRICS[n](matrix) for n in ("error_rate", "rejection_rate"))
    assert value(matrix) + 1 == pytest.approx((1 + gamma) * error + rejected)
    # E(alpha) from the proportions of rows classified correctly and of rows rejected.
    n = matrix.rows
    assume(matrix.positives and matrix.negatives)
    recalls = matrix.true_positives / matrix.positives, matrix.true_negatives / matrix.negatives
    positives, negatives = matrix.positives / n, matrix.negatives / n
    rejected = matrix.rejected_positives / n, matrix.rejected_negatives / n
    e = positives * (1 - recalls[0]) - rejected[0]
    e += alpha * (negatives * (1 - recalls[1]) - rejected[1])
    weighted = to.METRICS["e_alpha"].with_parameters(alpha=alpha)
    assert weighted(matrix) == pytest.approx(e)


def test_chows_rule_for_true_probabilities():
    decision = best_band(
        to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.6, 0.9]).ranking,
        costs=to.Costs(false_positive=1, false_negative=5, rejected=0.4),
    )
    # Reject iff p * 5 > 0.4 and (1 - p) * 1 > 0.4.
    assert decision.calibrated.lower == pytest.approx(0.08)
    assert decision.calibrated.upper == pytest.approx(0.6)
    costly_rejection = best_band(
        to.evaluate(actual=[0, 1], score=[0.1, 0.9]).ranking, costs=to.Costs(rejected=0.9)
    )
    calibrated = costly_rejection.calibrated
    assert calibrated.lower == calibrated.upper == 0.5


def test_the_suggested_round_band_gives_identical_predictions():
    ranking = to.evaluate(
        actual=[0, 0, 1, 0, 1, 1], score=[0.1, 0.22, 0.41, 0.52, 0.77, 0.9]
    ).ranking
    decision = best_band(ranking, gamma=1.5)
    lower, upper = decision.suggestion

    assert (decision.band, decision.confusion.rejected) == ((0.41, 0.77), 2)
    assert (lower, upper) == (0.4, 0.7)
    assert ranking.banded(ranking.index(upper), ranking.index(lower)) == decision.confusion


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gamma": -0.1}, "gamma"),
        ({"gamma": math.nan}, "gamma"),
        ({}, "Give the cost of rejecting"),
        ({"costs": to.Costs()}, "have no cost of rejecting"),
        ({"coverage": 1.2}, "between 0 and 1"),
        ({"capacity": -1}, "0 or more rows"),
        ({"capacity": 1, "coverage": 0.5}, "not both"),
        ({"gamma": 1, "costs": to.Costs(rejected=1)}, "not both"),
        ({"costs": to.Costs(rejected=1, fixed=3)}, "fixed"),
        ({"gamma": 1, "prevalence": 1.0}, "prevalence"),
    ],
)
def test_invalid_band_options_are_refused_with_a_reason(options, message):
    ranking = to.evaluate(actual=[0, 1], score=[0.1, 0.9]).ranking

    with pytest.raises(InputError, match=message):
        best_band(ranking, **options)


def test_the_out_of_sample_value_of_a_band_is_worse_and_repeats_with_the_seed():
    rng = np.random.default_rng(3)
    actual = rng.random(150) < 0.4
    ranking = to.evaluate(actual=actual, score=rng.normal(size=150) + actual).ranking

    for options in ({"gamma": 3}, {"capacity": 20}, {"costs": to.Costs(1, 3, rejected=0.3)}):
        decision = best_band(ranking, **options, prevalence=0.3)
        first, repeated, other = (decision.check(replicates=60, seed=s) for s in (1, 1, 2))
        assert first == repeated
        assert first != other
        assert first.estimate.value > first.apparent == decision.value
        assert first.upper.low <= decision.band.upper <= first.upper.high
        assert first.lower.low <= decision.band.lower <= first.lower.high
    with pytest.raises(InputError, match="level"):
        decision.check(level=1.0)


def test_at_another_prevalence_the_capacity_counts_reweighted_rows():
    # Half of eight rows are positive; at a prevalence of 1/8, a positive row counts as 1/4 and a
    # negative one as 7/4, so that a capacity of 2.5 has room for one negative and three positives.
    actual = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    scores = np.array([8.0, 3, 6, 5, 4, 7, 2, 1])
    ranking = to.evaluate(actual=actual, score=scores).ranking
    decision = best_band(ranking, capacity=2.5, prevalence=1 / 8)
    rejected = ranking.at_prevalence(1 / 8).banded(decision.upper_index, decision.lower_index)

    assert float(rejected.rejected) <= 2.5
    assert decision.value == min(
        decision.search.value_at(ranking, upper, lower, 1 / 8)
        for upper, lower in every_band(ranking)
        if float(ranking.at_prevalence(1 / 8).banded(upper, lower).rejected) <= 2.5
    )
    assert "of at most 2 rows are rejected" in decision.notes[0]
