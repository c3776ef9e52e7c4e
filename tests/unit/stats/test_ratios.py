"""Intervals of odds ratios, likelihood ratios and predictive values."""

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
FEW = st.integers(0, 6)
SOME = st.integers(1, 400)


def numbers(found):
    return [float(part) for part in found[:3]]


def test_the_logarithm_of_an_odds_ratio_by_hand():
    value, low, high = numbers(odds_ratio_interval(10, 5, 15, 70))
    error = math.sqrt(1 / 10 + 1 / 5 + 1 / 15 + 1 / 70)

    assert value == pytest.approx(28 / 3)
    assert [math.log(low), math.log(high)] == pytest.approx(
        [math.log(28 / 3) - Z * error, math.log(28 / 3) + Z * error]
    )
    assert str(odds_ratio_interval(10, 5, 15, 70).method) == "Woolf"


def test_the_logarithm_of_a_likelihood_ratio_by_hand():
    value, low, high = numbers(likelihood_ratio_interval(10, 15, 15, 85))
    error = math.sqrt(1 / 10 - 1 / 15 + 1 / 15 - 1 / 85)

    assert value == pytest.approx((10 / 15) / (15 / 85))
    assert [low, high] == pytest.approx([value * math.exp(-Z * error), value * math.exp(Z * error)])


def test_an_empty_cell_adds_half_a_row_to_every_cell_but_leaves_the_value():
    found = odds_ratio_interval(10, 5, 0, 20)
    error = math.sqrt(1 / 10.5 + 1 / 5.5 + 1 / 0.5 + 1 / 20.5)

    assert float(found.value) == math.inf
    assert float(found.low) == pytest.approx(10.5 * 20.5 / (5.5 * 0.5) * math.exp(-Z * error))
    assert float(found.high) == math.inf  # the data do not speak against any large ratio
    assert str(found.method) == "Woolf, with 1/2 added"

    found = likelihood_ratio_interval(0, 15, 4, 20)
    error = math.sqrt(1 / 0.5 - 1 / 16 + 1 / 4.5 - 1 / 21)
    assert numbers(found)[:2] == [0.0, 0.0]
    assert float(found.high) == pytest.approx((0.5 / 16) / (4.5 / 21) * math.exp(Z * error))
    assert str(found.method) == "log, with 1/2 added"


def test_a_share_of_one_is_not_taken_as_certain():
    # Without the added half row, 3 of 3 would add nothing to the variance.
    found = likelihood_ratio_interval(3, 3, 30, 100)

    assert str(found.method) == "log, with 1/2 added"
    assert float(found.high) / float(found.low) > math.exp(2 * Z * math.sqrt(1 / 30 - 1 / 100))


@pytest.mark.parametrize("counts", [(0, 0, 3, 9), (3, 9, 0, 0), (0, 4, 0, 9), (4, 0, 9, 0)])
def test_an_undefined_odds_ratio_has_no_interval(counts):
    assert all(math.isnan(part) for part in numbers(odds_ratio_interval(*counts)))


@pytest.mark.parametrize("counts", [(0, 0, 3, 9), (3, 9, 0, 0), (0, 4, 0, 9)])
def test_an_undefined_likelihood_ratio_has_no_interval(counts):
    assert all(math.isnan(part) for part in numbers(likelihood_ratio_interval(*counts)))


def test_predictive_values_by_hand():
    # The numbers of alleles and Alzheimer's disease that Mercaldo and others look at.
    se, sp, prior = 240 / 418, 288 / 375, 0.03
    ppv, low, high = numbers(predictive_value_interval(240, 418, 87, 375, prior))
    npv, least, most = numbers(
        predictive_value_interval(240, 418, 87, 375, prior, which="negative")
    )

    def logit(p):
        return math.log(p / (1 - p))

    assert ppv == pytest.approx(se * prior / (se * prior + (1 - sp) * (1 - prior)))
    assert npv == pytest.approx(sp * (1 - prior) / (sp * (1 - prior) + (1 - se) * prior))
    half = Z * math.sqrt((1 - se) / (se * 418) + sp / ((1 - sp) * 375))
    assert [logit(low), logit(high)] == pytest.approx([logit(ppv) - half, logit(ppv) + half])
    half = Z * math.sqrt(se / ((1 - se) * 418) + (1 - sp) / (sp * 375))
    assert [logit(least), logit(most)] == pytest.approx([logit(npv) - half, logit(npv) + half])


def test_a_predictive_value_from_a_rate_of_one_is_adjusted():
    found = predictive_value_interval(60, 65, 0, 113, 0.02)
    k = Z**2 / 2
    se, sp = (60 + k) / (65 + 2 * k), (113 + k) / (113 + 2 * k)
    middle = math.log(se * 0.02 / ((1 - sp) * 0.98))
    half = Z * math.sqrt((1 - se) / (se * (65 + 2 * k)) + sp / ((1 - sp) * (113 + 2 * k)))

    assert str(found.method) == "logit, with z²/2 added"
    assert float(found.low) == pytest.approx(1 / (1 + math.exp(half - middle)))
    assert (float(found.value), float(found.high)) == (1.0, 1.0)


@given(tp=SOME, fn=SOME, fp=SOME, tn=SOME, prior=st.floats(0.01, 0.99))
def test_a_predictive_value_is_a_likelihood_ratio_times_the_odds_before(tp, fn, fp, tn, prior):
    counts = (tp, tp + fn, fp, fp + tn)

    def after(ratio):
        odds = ratio * prior / (1 - prior)
        return odds / (1 + odds)

    ratios = numbers(likelihood_ratio_interval(*counts))
    assert numbers(predictive_value_interval(*counts, prior)) == pytest.approx(
        [after(r) for r in ratios]
    )
    value, low, high = numbers(likelihood_ratio_interval(fn, tp + fn, tn, fp + tn))
    wrong = [1 - after(r) for r in (value, high, low)]
    assert numbers(predictive_value_interval(*counts, prior, which="negative")) == pytest.approx(
        wrong
    )


@given(st.tuples(FEW, FEW, FEW, FEW), st.sampled_from([0.1, 0.5, 0.95, 0.999]))
def test_every_interval_holds_its_value(cells, level):
    tp, fn, fp, tn = cells
    shares = (tp, tp + fn, fp, fp + tn)
    for found in (
        odds_ratio_interval(*cells, level),
        likelihood_ratio_interval(*shares, level),
        predictive_value_interval(*shares, 0.2, level),
        predictive_value_interval(*shares, 0.2, level, which="negative"),
    ):
        value, low, high = numbers(found)
        assert low <= value <= high or all(math.isnan(x) for x in (value, low, high))
        assert not math.isnan(low) or math.isnan(value)


@given(st.tuples(FEW, FEW, FEW, FEW))
def test_exchanging_the_rows_turns_a_ratio_over(cells):
    tp, fn, fp, tn = cells
    with np.errstate(divide="ignore"):
        for found, turned in (
            (odds_ratio_interval(tp, fn, fp, tn), odds_ratio_interval(fp, tn, tp, fn)),
            (
                likelihood_ratio_interval(tp, tp + fn, fp, fp + tn),
                likelihood_ratio_interval(fp, fp + tn, tp, tp + fn),
            ),
        ):
            value, low, high = (1 / np.asarray(part) for part in turned[:3])
            assert numbers(found) == pytest.approx(
                [float(value), float(high), float(low)], nan_ok=True
            )


def test_arrays_give_what_each_number_gives():
    cells = np.random.default_rng(4).integers(0, 9, (4, 25))
    found = odds_ratio_interval(*cells)
    shares = (cells[0], cells[0] + cells[1], cells[2], cells[2] + cells[3])
    ratios, values = (
        likelihood_ratio_interval(*shares),
        predictive_value_interval(*shares, np.linspace(0.1, 0.9, 25)),
    )

    for at in range(25):
        own = [column[at] for column in shares]
        prior = np.linspace(0.1, 0.9, 25)[at]
        for many, one in (
            (found, odds_ratio_interval(*cells[:, at])),
            (ratios, likelihood_ratio_interval(*own)),
            (values, predictive_value_interval(*own, prior)),
        ):
            assert [float(part[at]) for part in many[:3]] == pytest.approx(
                numbers(one), nan_ok=True
            )
            assert many.method[at] == str(one.method)


def test_weights_may_leave_dust_in_an_empty_cell():
    clean = likelihood_ratio_interval(0.3, 0.3, 2.5, 10.0)

    # 0.1 + 0.2 is larger than 0.3, by 6e-17.
    for hits, trials in ((0.1 + 0.2, 0.3), (0.3, 0.1 + 0.2)):
        dusty = likelihood_ratio_interval(hits, trials, 2.5, 10.0)
        assert numbers(dusty) == pytest.approx(numbers(clean))
        assert str(dusty.method) == "log, with 1/2 added"
    tiny = numbers(odds_ratio_interval(1e-9, 5.0, 3.0, 2.0))  # no overflow either
    assert tiny[1] == 0.0
    assert tiny[2] == math.inf


def test_large_counts_give_narrow_intervals():
    value, low, high = numbers(odds_ratio_interval(4e8, 1e8, 2e8, 3e8))

    assert value == pytest.approx(6)
    assert high - low == pytest.approx(2 * 6 * Z * math.sqrt((1 / 4 + 1 + 1 / 2 + 1 / 3) / 1e8))


def test_intervals_cover_what_they_promise():
    random = np.random.default_rng(11)
    found, alarms = random.binomial(80, 0.7, 4000), random.binomial(120, 0.2, 4000)
    truths = {
        7 / 3 * 4: odds_ratio_interval(found, 80 - found, alarms, 120 - alarms),
        3.5: likelihood_ratio_interval(found, 80, alarms, 120),
        0.07 / (0.07 + 0.18): predictive_value_interval(found, 80, alarms, 120, 0.1),
        0.72 / (0.72 + 0.03): predictive_value_interval(
            found, 80, alarms, 120, 0.1, which="negative"
        ),
    }

    for truth, interval in truths.items():
        covered = np.mean((interval.low <= truth) & (truth <= interval.high))
        assert 0.935 < covered < 0.97


@pytest.mark.parametrize(
    ("wrong", "told"),
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
def test_impossible_counts_say_why(wrong, told):
    with pytest.raises(InputError, match=told):
        wrong()


def test_there_are_two_predictive_values():
    with pytest.raises(UnknownName, match="'positive' and 'negative'"):
        predictive_value_interval(1, 2, 1, 2, 0.5, which="both")
