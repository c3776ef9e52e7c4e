"""Intervals for odds ratios, likelihood ratios and predictive values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError, UnknownName
from tradeoff.stats.ratios import (
    likelihood_ratio_interval,
    odds_ratio_interval,
    predictive_value_interval,
)

Z = 1.959963984540054
SMALL_COUNT = st.integers(0, 6)
POSITIVE_COUNT = st.integers(1, 400)


def value_and_limits(interval):
    return [float(part) for part in interval[:3]]


def test_the_logarithm_of_an_odds_ratio_by_hand():
    value, low, high = value_and_limits(odds_ratio_interval(10, 5, 15, 70))
    standard_error = math.sqrt(1 / 10 + 1 / 5 + 1 / 15 + 1 / 70)

    assert value == pytest.approx(28 / 3)
    assert [math.log(low), math.log(high)] == pytest.approx(
        [math.log(28 / 3) - Z * standard_error, math.log(28 / 3) + Z * standard_error]
    )
    assert str(odds_ratio_interval(10, 5, 15, 70).method) == "Woolf"


def test_the_logarithm_of_a_likelihood_ratio_by_hand():
    value, low, high = value_and_limits(likelihood_ratio_interval(10, 15, 15, 85))
    standard_error = math.sqrt(1 / 10 - 1 / 15 + 1 / 15 - 1 / 85)

    assert value == pytest.approx((10 / 15) / (15 / 85))
    assert [low, high] == pytest.approx(
        [value * math.exp(-Z * standard_error), value * math.exp(Z * standard_error)]
    )


def test_an_empty_cell_adds_one_half_to_every_cell_but_not_to_the_value():
    interval = odds_ratio_interval(10, 5, 0, 20)
    standard_error = math.sqrt(1 / 10.5 + 1 / 5.5 + 1 / 0.5 + 1 / 20.5)

    assert float(interval.value) == math.inf
    assert float(interval.low) == pytest.approx(
        10.5 * 20.5 / (5.5 * 0.5) * math.exp(-Z * standard_error)
    )
    assert float(interval.high) == math.inf  # arbitrarily large ratios are compatible with the data
    assert str(interval.method) == "Woolf, with 1/2 added"

    interval = likelihood_ratio_interval(0, 15, 4, 20)
    standard_error = math.sqrt(1 / 0.5 - 1 / 16 + 1 / 4.5 - 1 / 21)
    assert value_and_limits(interval)[:2] == [0.0, 0.0]
    assert float(interval.high) == pytest.approx(
        (0.5 / 16) / (4.5 / 21) * math.exp(Z * standard_error)
    )
    assert str(interval.method) == "log, with 1/2 added"


def test_a_proportion_of_1_has_a_positive_variance():
    # Without adding 1/2, 3 hits in 3 trials would contribute nothing to the variance.
    interval = likelihood_ratio_interval(3, 3, 30, 100)

    assert str(interval.method) == "log, with 1/2 added"
    assert float(interval.high) / float(interval.low) > math.exp(
        2 * Z * math.sqrt(1 / 30 - 1 / 100)
    )


@pytest.mark.parametrize("counts", [(0, 0, 3, 9), (3, 9, 0, 0), (0, 4, 0, 9), (4, 0, 9, 0)])
def test_an_undefined_odds_ratio_has_no_interval(counts):
    assert all(math.isnan(part) for part in value_and_limits(odds_ratio_interval(*counts)))


@pytest.mark.parametrize("counts", [(0, 0, 3, 9), (3, 9, 0, 0), (0, 4, 0, 9)])
def test_an_undefined_likelihood_ratio_has_no_interval(counts):
    assert all(math.isnan(part) for part in value_and_limits(likelihood_ratio_interval(*counts)))


def test_predictive_values_by_hand():
    # Counts of an allele in Alzheimer's disease, from Mercaldo et al.
    se, sp, prior = 240 / 418, 288 / 375, 0.03
    ppv, low, high = value_and_limits(predictive_value_interval(240, 418, 87, 375, prior))
    npv, npv_low, npv_high = value_and_limits(
        predictive_value_interval(240, 418, 87, 375, prior, which="negative")
    )

    def logit(p):
        return math.log(p / (1 - p))

    assert ppv == pytest.approx(se * prior / (se * prior + (1 - sp) * (1 - prior)))
    assert npv == pytest.approx(sp * (1 - prior) / (sp * (1 - prior) + (1 - se) * prior))
    half_width = Z * math.sqrt((1 - se) / (se * 418) + sp / ((1 - sp) * 375))
    assert [logit(low), logit(high)] == pytest.approx(
        [logit(ppv) - half_width, logit(ppv) + half_width]
    )
    half_width = Z * math.sqrt(se / ((1 - se) * 418) + (1 - sp) / (sp * 375))
    assert [logit(npv_low), logit(npv_high)] == pytest.approx(
        [logit(npv) - half_width, logit(npv) + half_width]
    )


def test_a_predictive_value_from_a_rate_of_one_is_adjusted():
    interval = predictive_value_interval(60, 65, 0, 113, 0.02)
    k = Z**2 / 2
    se, sp = (60 + k) / (65 + 2 * k), (113 + k) / (113 + 2 * k)
    middle = math.log(se * 0.02 / ((1 - sp) * 0.98))
    half_width = Z * math.sqrt((1 - se) / (se * (65 + 2 * k)) + sp / ((1 - sp) * (113 + 2 * k)))

    assert str(interval.method) == "logit, with z²/2 added"
    assert float(interval.low) == pytest.approx(1 / (1 + math.exp(half_width - middle)))
    assert (float(interval.value), float(interval.high)) == (1.0, 1.0)


@given(
    tp=POSITIVE_COUNT,
    fn=POSITIVE_COUNT,
    fp=POSITIVE_COUNT,
    tn=POSITIVE_COUNT,
    prior=st.floats(0.01, 0.99),
)
def test_predictive_odds_are_prior_odds_times_the_likelihood_ratio(tp, fn, fp, tn, prior):
    counts = (tp, tp + fn, fp, fp + tn)

    def posterior(ratio):
        odds = ratio * prior / (1 - prior)
        return odds / (1 + odds)

    ratios = value_and_limits(likelihood_ratio_interval(*counts))
    assert value_and_limits(predictive_value_interval(*counts, prior)) == pytest.approx(
        [posterior(r) for r in ratios]
    )
    value, low, high = value_and_limits(likelihood_ratio_interval(fn, tp + fn, tn, fp + tn))
    complements = [1 - posterior(r) for r in (value, high, low)]
    assert value_and_limits(
        predictive_value_interval(*counts, prior, which="negative")
    ) == pytest.approx(complements)


@given(
    st.tuples(SMALL_COUNT, SMALL_COUNT, SMALL_COUNT, SMALL_COUNT),
    st.sampled_from([0.1, 0.5, 0.95, 0.999]),
)
def test_every_interval_contains_its_value(cells, level):
    tp, fn, fp, tn = cells
    hits_and_trials = (tp, tp + fn, fp, fp + tn)
    for interval in (
        odds_ratio_interval(*cells, level),
        likelihood_ratio_interval(*hits_and_trials, level),
        predictive_value_interval(*hits_and_trials, 0.2, level),
        predictive_value_interval(*hits_and_trials, 0.2, level, which="negative"),
    ):
        value, low, high = value_and_limits(interval)
        assert low <= value <= high or all(math.isnan(x) for x in (value, low, high))
        assert not math.isnan(low) or math.isnan(value)


@given(st.tuples(SMALL_COUNT, SMALL_COUNT, SMALL_COUNT, SMALL_COUNT))
def test_exchanging_the_samples_inverts_a_ratio(cells):
    tp, fn, fp, tn = cells
    with np.errstate(divide="ignore"):
        for interval, exchanged in (
            (odds_ratio_interval(tp, fn, fp, tn), odds_ratio_interval(fp, tn, tp, fn)),
            (
                likelihood_ratio_interval(tp, tp + fn, fp, fp + tn),
                likelihood_ratio_interval(fp, fp + tn, tp, tp + fn),
            ),
        ):
            value, low, high = (1 / np.asarray(part) for part in exchanged[:3])
            assert value_and_limits(interval) == pytest.approx(
                [float(value), float(high), float(low)], nan_ok=True
            )


def test_arrays_give_the_same_intervals_as_scalars():
    cells = np.random.default_rng(4).integers(0, 9, (4, 25))
    odds_ratios = odds_ratio_interval(*cells)
    hits_and_trials = (cells[0], cells[0] + cells[1], cells[2], cells[2] + cells[3])
    likelihood_ratios, predictive_values = (
        likelihood_ratio_interval(*hits_and_trials),
        predictive_value_interval(*hits_and_trials, np.linspace(0.1, 0.9, 25)),
    )

    for i in range(25):
        counts = [column[i] for column in hits_and_trials]
        prior = np.linspace(0.1, 0.9, 25)[i]
        for intervals, interval in (
            (odds_ratios, odds_ratio_interval(*cells[:, i])),
            (likelihood_ratios, likelihood_ratio_interval(*counts)),
            (predictive_values, predictive_value_interval(*counts, prior)),
        ):
            assert [float(part[i]) for part in intervals[:3]] == pytest.approx(
                value_and_limits(interval), nan_ok=True
            )
            assert intervals.method[i] == str(interval.method)


def test_rounding_residues_count_as_an_empty_cell():
    exact = likelihood_ratio_interval(0.3, 0.3, 2.5, 10.0)

    # 0.1 + 0.2 is larger than 0.3, by 6e-17.
    for hits, trials in ((0.1 + 0.2, 0.3), (0.3, 0.1 + 0.2)):
        rounded = likelihood_ratio_interval(hits, trials, 2.5, 10.0)
        assert value_and_limits(rounded) == pytest.approx(value_and_limits(exact))
        assert str(rounded.method) == "log, with 1/2 added"
    tiny = value_and_limits(odds_ratio_interval(1e-9, 5.0, 3.0, 2.0))  # no overflow either
    assert tiny[1] == 0.0
    assert tiny[2] == math.inf


def test_large_counts_give_narrow_intervals():
    value, low, high = value_and_limits(odds_ratio_interval(4e8, 1e8, 2e8, 3e8))

    assert value == pytest.approx(6)
    assert high - low == pytest.approx(2 * 6 * Z * math.sqrt((1 / 4 + 1 + 1 / 2 + 1 / 3) / 1e8))


def test_intervals_have_their_nominal_coverage():
    random = np.random.default_rng(11)
    tp, fp = random.binomial(80, 0.7, 4000), random.binomial(120, 0.2, 4000)
    truths = {
        7 / 3 * 4: odds_ratio_interval(tp, 80 - tp, fp, 120 - fp),
        3.5: likelihood_ratio_interval(tp, 80, fp, 120),
        0.07 / (0.07 + 0.18): predictive_value_interval(tp, 80, fp, 120, 0.1),
        0.72 / (0.72 + 0.03): predictive_value_interval(tp, 80, fp, 120, 0.1, which="negative"),
    }

    for truth, interval in truths.items():
        coverage = np.mean((interval.low <= truth) & (truth <= interval.high))
        assert 0.935 < coverage < 0.97


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: odds_ratio_interval(-1, 2, 3, 4), "tp is -1"),
        (lambda: odds_ratio_interval(1, math.nan, 3, 4), "fn is nan"),
        (lambda: odds_ratio_interval(1, 2, [3, math.inf], 4), "fp is inf"),
        (lambda: odds_ratio_interval("many", 2, 3, 4), "tp is 'many'"),
        (lambda: likelihood_ratio_interval(5, 4, 1, 2), "more hits1 than trials1: 5 of 4"),
        (lambda: likelihood_ratio_interval(1, 4, [1, 7], 5), "more hits2 than trials2: 7 of 5"),
        (lambda: likelihood_ratio_interval(1, 4, 1, 5, 95), "0.95"),
        (lambda: predictive_value_interval(1, 2, 1, 2, 0.0), "prevalence must be between 0 and 1"),
        (lambda: predictive_value_interval(1, 2, 1, 2, [0.5, 1.5]), "not 1.5"),
        (lambda: predictive_value_interval(1, 2, 1, 2, math.nan), "prevalence"),
    ],
)
def test_invalid_counts_raise_an_error(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_there_are_two_predictive_values():
    with pytest.raises(UnknownName, match="'positive' and 'negative'"):
        predictive_value_interval(1, 2, 1, 2, 0.5, which="both")
