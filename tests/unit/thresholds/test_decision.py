"""Choosing a threshold: worked by hand, against brute force, and the fields of a decision."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.errors import InputError, TradeoffError
from tradeoff.thresholds.decision import best_threshold

SMALL = st.integers(-3, 6).map(float)


V = to.evaluate(actual=[0, 1, 1, 0, 1, 0], score=[0.1, 0.4, 0.4, 0.4, 0.8, 0.9]).ranking


TEN = to.evaluate(
    actual=[1, 1, 0, 1, 1, 0, 0, 1, 0, 0],
    score=[0.95, 0.9, 0.8, 0.75, 0.6, 0.55, 0.5, 0.3, 0.2, 0.1],
).ranking


@pytest.mark.parametrize(
    ("options", "threshold", "value"),
    [
        ({"by": "youden"}, 0.6, 4 / 5 - 1 / 5),
        ({"by": "plain_distance"}, 0.6, math.sqrt(0.04 + 0.04)),
        ({"by": "distance", "weight": 0.9}, 0.3, math.sqrt(0.1 * 0.36)),
        ({"by": "f"}, 0.6, 8 / 10),
        ({"by": "f", "beta": 3.0}, 0.3, 50 / (45 + 5 + 3)),
        ({"by": "accuracy"}, 0.6, 0.8),
        ({"by": "tpr", "target": 0.9}, 0.3, 1.0),
        ({"by": "tpr", "target": 0.4}, 0.9, 0.4),
        ({"by": "fpr", "target": 0.2}, 0.6, 0.2),
        ({"by": "fpr", "target": 0.0}, 0.9, 0.0),
        ({"by": "precision", "target": 0.8}, 0.6, 0.8),
        ({"by": "lift", "target": 1.6}, 0.6, 1.6),
        ({"by": "npv", "target": 1.0}, 0.3, 1.0),
        ({"by": "depth", "target": 0.7}, 0.5, 0.8),
        ({"by": "capacity", "target": 5}, 0.6, 0.8),
        ({"by": "eer"}, 0.6, 0.0),
        ({"by": "prevalence"}, 0.6, 0.0),
        ({"costs": to.Costs(false_negative=1)}, 0.6, 0.2),
        ({"costs": to.Costs(false_negative=5)}, 0.3, 0.3),
        ({"costs": to.Costs(false_positive=5)}, 0.9, 0.3),
        ({"costs": to.Costs(false_positive=3, false_negative=1, true_positive=-1)}, 0.6, 0.0),
    ],
)
def test_thresholds_of_ten_rows_worked_by_hand(options, threshold, value):
    decision = best_threshold(TEN, **options)

    assert decision.threshold == threshold
    assert decision.value == pytest.approx(value, abs=1e-12)


def test_a_decision_has_the_range_of_identical_thresholds_and_a_round_suggestion():
    decision = best_threshold(TEN, "youden")

    assert decision.equivalent_thresholds == (0.55, 0.6)
    assert (decision.suggestion, decision.ties) == (0.6, ())
    assert best_threshold(V, "tpr", target=0.5).suggestion == 0.4
    assert (decision.confusion.true_positives, decision.confusion.false_positives) == (4, 1)
    assert repr(decision) == "Decision(score >= 0.6: youden_j = 0.6)"


def test_low_scores_may_be_the_positive_ones():
    mirrored = to.Ranking.of(
        -TEN.thresholds[1:],
        np.diff(TEN.true_positives) > 0,
        lower_is_positive=True,
        positive="1",
        negative="0",
    )
    decision, expected = best_threshold(mirrored, "youden"), best_threshold(TEN, "youden")

    assert (decision.threshold, decision.equivalent_thresholds) == (-0.6, (-0.55, -0.6))
    assert decision.confusion == expected.confusion
    assert mirrored.at(decision.suggestion) == decision.confusion


def test_tied_thresholds_are_all_returned_with_the_lowest_false_positive_rate_first():
    tied = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1]).ranking

    decision = best_threshold(tied, "youden")

    assert (decision.threshold, decision.ties) == (4.0, (2.0,))


def test_predicting_no_row_positive_can_be_cheapest():
    decision = best_threshold(V, costs=to.Costs(false_positive=100))

    assert decision.threshold == math.inf
    assert decision.equivalent_thresholds == (0.9, math.inf)
    assert decision.suggestion == 1.0
    assert decision.value == 0.5


def test_a_prevalence_moves_the_cheapest_threshold():
    costs = to.Costs(false_negative=5)

    rare = best_threshold(TEN, costs=costs, prevalence=0.02)
    slope = costs.slope(0.02)

    tpr, fpr = TEN.true_positives / 5, TEN.false_positives / 5
    assert rare.index == int(np.argmax(tpr - slope * fpr))
    expected = 0.02 * 5 * (1 - tpr[rare.index]) + 0.98 * fpr[rare.index]
    assert rare.value == pytest.approx(expected)
    assert rare.confusion == TEN.at(rare.threshold)  # counts are not reweighted


def test_contact_and_fixed_costs_of_a_campaign_decide_the_threshold():
    # A respondent brings 15, a letter costs 2, the campaign 10: the first four letters pay best.
    costs = to.Costs(false_positive=0, false_negative=0, true_positive=-15, contact=2, fixed=10)

    decision = best_threshold(TEN, costs=costs)

    totals = [0 if k == 0 else 10 + 2 * (t + f) - 15 * t for k, (t, f) in
              enumerate(zip(TEN.true_positives, TEN.false_positives, strict=True))]  # fmt: skip
    assert decision.index == int(np.argmin(totals))
    assert decision.value * 10 == pytest.approx(min(totals))
    unprofitable = to.Costs(
        false_positive=0, false_negative=0, true_positive=-15, contact=2, fixed=1e3
    )
    assert best_threshold(TEN, costs=unprofitable).threshold == math.inf


def test_a_capacity_that_would_split_tied_rows_is_noted():
    decision = best_threshold(V, "capacity", target=4)

    assert (decision.threshold, decision.confusion.predicted_positives) == (0.8, 2)
    (note,) = decision.notes
    assert note == (
        "2 rows fit within the capacity; the next score is shared by 3 rows, "
        "which would raise the total to 5"
    )
    assert best_threshold(V, "capacity", target=0).threshold == math.inf
    assert best_threshold(V, "capacity", target=99).threshold == 0.1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "precision", "target": 0.95}, "closest value is 0.6000, at threshold 0.4"),
        ({"by": "tpr"}, "needs a target"),
        ({"by": "recall"}, "predicting every row positive would always be best"),
        ({"by": "depth", "target": 1.5}, "proportion of rows"),
        ({"by": "capacity", "target": -1}, "0 rows or more"),
        ({"by": "fpr", "target": 2.0}, "cannot be 2"),
        ({"by": "cost"}, "the cost of a false positive"),
        ({"by": "distance", "weight": 1.5}, "weight"),
        ({"by": "youden", "target": 0.5}, "no target"),
        ({"by": "yuden"}, "Did you mean 'youden'"),
        ({"by": "prevalence_threshold(x=1)"}, "takes no parameters"),
        ({"by": "rejection_rate"}, "Neither high nor low values"),
        ({"by": "youden", "prevalence": 0.0}, "prevalence must be between 0 and 1"),
        ({"by": "youden", "prevalence": 1.5}, "prevalence must be between 0 and 1"),
        ({"by": "youden", "costs": to.Costs()}, "Costs can be combined only with"),
    ],
)
def test_invalid_threshold_options_are_refused_with_a_reason(options, message):
    with pytest.raises(TradeoffError, match=message):
        best_threshold(V, **options)


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({"false_negative": -1}, "an error costs less than a correct decision"),
        ({"false_positive": 1, "true_negative": 2}, "an error costs less than a correct decision"),
        ({"false_positive": 0, "false_negative": 0}, "no decision matters"),
        ({"false_positive": math.nan}, "finite number"),
        ({"rejected": math.inf}, "finite number"),
        ({"fixed": -1}, "0 or more"),
    ],
)
def test_invalid_costs_are_refused_with_a_reason(costs, message):
    with pytest.raises(InputError, match=message):
        to.Costs(**costs)


def test_one_class_has_no_youden_threshold_and_no_rows_have_none_at_all():
    positives = to.evaluate(actual=[1, 1], score=[0.2, 0.4]).ranking
    with pytest.raises(InputError, match="undefined at all of them"):
        best_threshold(positives, "youden")
    with pytest.raises(InputError, match="no scored rows"):
        best_threshold(to.evaluate(actual=[], score=[]).ranking)
    assert best_threshold(positives, costs=to.Costs()).threshold == 0.2


@given(
    rows=scored(scores=SMALL, min_size=1, max_size=30),
    correct_costs=st.tuples(*[st.integers(-3, 3)] * 2),
    error_premiums=st.tuples(*[st.integers(0, 6)] * 2),
    share=st.integers(1, 9),
)
@settings(max_examples=200)
def test_the_cheapest_threshold_is_exact_and_all_ties_are_found(
    rows, correct_costs, error_premiums, share
):
    assume(any(error_premiums))
    true_positive, true_negative = correct_costs
    false_negative, false_positive = (
        true_positive + error_premiums[0],
        true_negative + error_premiums[1],
    )
    ranking = to.Ranking.of(rows[0], rows[1])
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    assume(positives and negatives)
    prevalence = Fraction(share, 10)

    decision = best_threshold(
        ranking,
        costs=to.Costs(false_positive, false_negative, true_positive, true_negative),
        prevalence=float(prevalence),
    )

    costs = []
    for true_positives, false_positives in zip(
        ranking.true_positives.tolist(), ranking.false_positives.tolist(), strict=True
    ):
        tpr, fpr = Fraction(true_positives, positives), Fraction(false_positives, negatives)
        costs.append(
            prevalence * (tpr * true_positive + (1 - tpr) * false_negative)
            + (1 - prevalence) * (fpr * false_positive + (1 - fpr) * true_negative)
        )
    best = [i for i, cost in enumerate(costs) if cost == min(costs)]
    assert decision.index == best[0]
    assert decision.ties == tuple(ranking.thresholds[best[1:]])
    assert decision.value == pytest.approx(float(min(costs)), abs=1e-12)


@given(rows=scored(scores=SMALL, min_size=2, max_size=30), tenths=st.integers(0, 10))
def test_thresholds_within_a_tolerance_of_the_optimum_match_brute_force(rows, tenths):
    ranking = to.Ranking.of(rows[0], rows[1])
    assume(ranking.positives and ranking.negatives)
    decision = best_threshold(ranking, "youden")
    intervals = decision.within(tenths / 10)

    values = to.METRICS["youden_j"](ranking.confusion)
    for threshold, value in zip(ranking.thresholds, values, strict=True):
        inside = any(low < threshold <= high for low, high in intervals)
        assert inside == (value >= decision.value - tenths / 10 - 1e-12)
