"""Costs that differ between rows, also by fold and segment."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import tradeoff as to
from tradeoff.errors import ColumnError, InputError

ROWS = pd.DataFrame(
    {
        "fraud": [1, 0, 1, 0, 1, 0],
        "p": [0.9, 0.8, 0.7, 0.4, 0.3, 0.1],
        "amount": [10.0, 20.0, 5.0, 30.0, 400.0, 7.0],
        "check": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        "bank": ["a", "a", "b", "b", "b", None],
    }
)


def test_cost_columns_match_a_calculation_by_hand():
    # A missed fraud costs its amount; checking an honest customer costs `check`.
    e = to.evaluate(
        ROWS,
        actual="fraud",
        score="p",
        costs=to.Costs(false_positive="check", false_negative="amount"),
    )
    decision = e.best("cost")

    # At 0.3, all frauds are found, and two honest customers are checked, at costs of 2 and 4.
    assert (decision.threshold, decision.value) == (0.3, 1.0)
    expenses = e.expenses(0.5)
    assert (expenses.total, expenses.all_negative, expenses.all_positive) == (402.0, 415.0, 12.0)
    assert (expenses.oracle, expenses.saved) == (0.0, 12.0 - 402.0)
    assert expenses.random == pytest.approx(415 + 3 / 6 * (12 - 415))
    curve = e.curve("expected_cost", costs=e.costs["p"])
    np.testing.assert_allclose(curve.y * 6, [415, 405, 407, 402, 406, 6, 12])


def test_constant_arrays_of_costs_equal_numbers():
    arrays = to.evaluate(
        actual=ROWS["fraud"],
        score=ROWS["p"],
        costs=to.Costs(false_positive=np.full(6, 3.0), false_negative=[5.0] * 6),
    )
    plain = to.evaluate(actual=ROWS["fraud"], score=ROWS["p"])
    costs = to.Costs(false_positive=3, false_negative=5)

    for prevalence in (None, 0.1):
        by_row, two = arrays.best("cost", prevalence=prevalence), plain.best(
            costs=costs, prevalence=prevalence
        )  # fmt: skip
        assert (by_row.threshold, by_row.ties) == (two.threshold, two.ties)
        assert by_row.value == pytest.approx(two.value)
        assert by_row.check(replicates=40).estimate.value == pytest.approx(
            two.check(replicates=40).estimate.value
        )
        from_arrays, from_constants = arrays.expenses(0.5, prevalence=prevalence), plain.expenses(
            0.5, costs=costs, prevalence=prevalence
        )  # fmt: skip
        assert from_arrays == pytest.approx(from_constants)
    rejecting = to.Costs(false_positive=[3.0] * 6, false_negative=5.0, rejected=1.0)
    band = to.evaluate(actual=ROWS["fraud"], score=ROWS["p"], costs=rejecting).best_band()
    same = plain.best_band(costs=to.Costs(3, 5, rejected=1))
    assert (band.band, band.value) == (same.band, pytest.approx(same.value))


@given(
    rows=st.lists(
        st.tuples(st.booleans(), st.integers(0, 4), st.integers(0, 9), st.integers(0, 9)),
        min_size=1,
        max_size=20,
    ),
    weighted=st.booleans(),
)
@settings(max_examples=150)
def test_the_best_threshold_and_band_minimize_the_mean_row_cost(rows, weighted):
    actual, score, false_negative_cost, false_positive_cost = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    weight = np.arange(len(rows)) % 3 + 1 if weighted else np.ones(len(rows), int)
    assume(false_negative_cost[actual].any() or false_positive_cost[~actual].any())
    e = to.evaluate(
        actual=actual,
        score=score.astype(float),
        weight=weight if weighted else None,
        costs=to.Costs(
            false_negative=false_negative_cost.astype(float),
            false_positive=false_positive_cost.astype(float),
            rejected=2.0,
        ),
    )

    def mean_cost(threshold):
        is_predicted_positive = score >= threshold
        costs = np.where(actual & ~is_predicted_positive, false_negative_cost, 0)
        costs += np.where(~actual & is_predicted_positive, false_positive_cost, 0)
        return (costs * weight).sum() / weight.sum()

    thresholds = [math.inf, *np.unique(score)]
    assert e.best("cost").value == pytest.approx(min(map(mean_cost, thresholds)), abs=1e-12)

    def mean_band_cost(lower, upper):
        is_positive, is_negative = score >= upper, score < lower
        costs = np.where(actual & is_negative, false_negative_cost, 0) + np.where(
            ~actual & is_positive, false_positive_cost, 0
        )
        costs = np.where(~is_positive & ~is_negative, 2, costs)
        return (costs * weight).sum() / weight.sum()

    bands = [(low, up) for low in (*thresholds, -math.inf) for up in thresholds if low <= up]
    lowest = min(mean_band_cost(*band) for band in bands)
    assert e.best_band().value == pytest.approx(lowest, abs=1e-12)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"false_negative": "amuont"}, "no column 'amuont'. Did you mean 'amount'"),
        ({"false_negative": "bank"}, "must be numbers"),
        (
            {"false_negative": "amount", "true_positive": 6.0},
            "For 1 row .first: row 3. a false negative costs less",
        ),
        ({"contact": "amount"}, "one number, not a column"),
    ],
)
def test_invalid_cost_columns_are_rejected(costs, message):
    with pytest.raises(InputError, match=message):
        to.evaluate(ROWS, actual="fraud", score="p", costs=to.Costs(**costs))


def test_missing_costs_and_wrong_lengths_are_reported():
    with pytest.raises(InputError, match=r"finite numbers; 1 row without one \(first: row 2\)"):
        to.evaluate(actual=[1, 0], score=[1, 0], costs=to.Costs(false_negative=[1.0, math.nan]))
    with pytest.raises(InputError, match="same length"):
        to.evaluate(actual=[1, 0], score=[1, 0], costs=to.Costs(false_negative=[1.0]))
    e = to.evaluate(actual=[1, 0], score=[1, 0])
    with pytest.raises(InputError, match="when rows are read"):
        e.best(costs=to.Costs(false_negative="amount"))


def test_rows_without_a_score_incur_the_rejection_cost():
    e = to.evaluate(
        actual=[1, 0, 1, 0],
        score=[0.9, 0.2, None, math.nan],
        missing="reject",
        costs=to.Costs(
            false_positive=[1.0] * 4, rejected_positive=[0, 0, 7.0, 0], rejected_negative=2
        ),
    )

    assert e.expenses(0.5).total == 9.0
    plain = to.evaluate(actual=[1, 0, 1, 0], score=[0.9, 0.2, None, math.nan], missing="reject")
    costs = to.Costs(rejected_positive=7, rejected_negative=2)
    assert plain.expenses(0.5, costs=costs).total == 9.0


def test_folds_and_segments_partition_the_rows():
    e = to.evaluate(ROWS, actual="fraud", score=["p", "amount"], segment="bank", fold="check")

    assert list(e.segments["p"]) == ["(no value)", "a", "b"]
    assert [r.rows for r in e.segments["amount"].values()] == [1, 2, 3]
    assert len(e["p"].own_folds) == 6
    assert list(e["p"].folds) == ["p"]
    whole = sum(e.segments["p"].values())
    np.testing.assert_array_equal(whole.thresholds, e["p"].ranking.thresholds)
    np.testing.assert_array_equal(whole.true_positives, e["p"].ranking.true_positives)


def test_folds_keep_weights_rejected_rows_and_class_names():
    e = to.evaluate(
        actual=["y", "n", "y", "n", "y"],
        score=[0.9, 0.5, math.nan, 0.4, 0.2],
        weight=[1, 2, 3, 4, 0],
        fold=[1, 1, 1, 2, 2],
        positive="y",
        missing="reject",
    )
    first, second = e.own_folds.values()

    assert (first.at(0.5).true_positives, first.rejected_positives) == (1, 3)
    assert (second.positives, second.negatives, second.positive) == (0, 4, "y")
    assert (first.rows, second.rows) == (3, 1)


def test_invalid_folds_are_rejected():
    with pytest.raises(InputError, match=r"1 row without a fold in 'bank' \(first: row 6\)"):
        to.evaluate(ROWS, actual="fraud", score="p", fold="bank")
    with pytest.raises(ColumnError, match="no column 'fld'"):
        to.evaluate(ROWS, actual="fraud", score="p", fold="fld")
    with pytest.raises(InputError, match="same length"):
        to.evaluate(actual=[1, 0], score=[1, 0], fold=[1])


def test_a_segment_whose_rows_are_all_dropped_is_empty():
    e = to.evaluate(
        actual=[1, 0, 1], score=[0.9, 0.2, math.nan], segment=["a", "a", "b"], missing="drop"
    )

    assert e.segments["score"]["b"].rows == 0
    assert math.isnan(to.SUMMARIES["auc"](e.segments["score"]["b"]))
