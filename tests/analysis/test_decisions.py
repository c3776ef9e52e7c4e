"""Choosing a threshold: hand-worked, against brute force, and what a decision carries."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.errors import InputError, TradeoffError
from tradeoff.measures.curves.interpolation import along
from tradeoff.thresholds.decision import best_threshold
from tradeoff.thresholds.identical import roundest
from tradeoff.uncertainty.bootstrap import BaggedRows

SMALL = st.integers(-3, 6).map(float)
V = to.evaluate(actual=[0, 1, 1, 0, 1, 0], score=[0.1, 0.4, 0.4, 0.4, 0.8, 0.9]).ranking
TEN = to.evaluate(
    actual=[1, 1, 0, 1, 1, 0, 0, 1, 0, 0],
    score=[0.95, 0.9, 0.8, 0.75, 0.6, 0.55, 0.5, 0.3, 0.2, 0.1],
).ranking


@pytest.mark.parametrize(
    ("asked", "threshold", "value"),
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
def test_ten_rows_by_hand(asked, threshold, value):
    decision = best_threshold(TEN, **asked)

    assert decision.threshold == threshold
    assert decision.value == pytest.approx(value, abs=1e-12)


def test_a_decision_tells_what_decides_identically_and_a_round_number():
    decision = best_threshold(TEN, "youden")

    assert decision.decides_identically == (0.55, 0.6)
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
    decision, own = best_threshold(mirrored, "youden"), best_threshold(TEN, "youden")

    assert (decision.threshold, decision.decides_identically) == (-0.6, (-0.55, -0.6))
    assert decision.confusion == own.confusion
    assert mirrored.at(decision.suggestion) == decision.confusion


def test_on_a_tie_all_are_returned_the_smaller_false_positive_rate_first():
    tied = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1]).ranking

    decision = best_threshold(tied, "youden")

    assert (decision.threshold, decision.ties) == (4.0, (2.0,))


def test_nothing_called_positive_can_be_cheapest():
    decision = best_threshold(V, costs=to.Costs(false_positive=100))

    assert decision.threshold == math.inf
    assert decision.decides_identically == (0.9, math.inf)
    assert decision.suggestion == 1.0
    assert decision.value == 0.5


def test_a_prevalence_moves_the_cheapest_line():
    costs = to.Costs(false_negative=5)

    rare = best_threshold(TEN, costs=costs, prevalence=0.02)
    slope = costs.slope(0.02)

    tpr, fpr = TEN.true_positives / 5, TEN.false_positives / 5
    assert rare.place == int(np.argmax(tpr - slope * fpr))
    expected = 0.02 * 5 * (1 - tpr[rare.place]) + 0.98 * fpr[rare.place]
    assert rare.value == pytest.approx(expected)
    assert rare.confusion == TEN.at(rare.threshold)  # counts stay what was counted


def test_a_campaign_has_costs_of_its_own():
    # A respondent brings 15, a letter costs 2, the campaign 10: the first four letters pay best.
    costs = to.Costs(false_positive=0, false_negative=0, true_positive=-15, contact=2, fixed=10)

    decision = best_threshold(TEN, costs=costs)

    totals = [0 if k == 0 else 10 + 2 * (t + f) - 15 * t for k, (t, f) in
              enumerate(zip(TEN.true_positives, TEN.false_positives, strict=True))]  # fmt: skip
    assert decision.place == int(np.argmin(totals))
    assert decision.value * 10 == pytest.approx(min(totals))
    unprofitable = to.Costs(
        false_positive=0, false_negative=0, true_positive=-15, contact=2, fixed=1e3
    )
    assert best_threshold(TEN, costs=unprofitable).threshold == math.inf


def test_a_capacity_that_parts_a_tie_is_told():
    decision = best_threshold(V, "capacity", target=4)

    assert (decision.threshold, decision.confusion.predicted_positives) == (0.8, 2)
    assert decision.notes == (
        "2 rows fit; with the next score, which 3 rows share, they would be 5",
    )
    assert best_threshold(V, "capacity", target=0).threshold == math.inf
    assert best_threshold(V, "capacity", target=99).threshold == 0.1


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"by": "precision", "target": 0.95}, "closest is 0.6000, at a threshold of 0.4"),
        ({"by": "tpr"}, "give the target"),
        ({"by": "recall"}, "calling everything positive would always be best"),
        ({"by": "depth", "target": 1.5}, "share of the rows"),
        ({"by": "capacity", "target": -1}, "0 rows or more"),
        ({"by": "fpr", "target": 2.0}, "never is 2"),
        ({"by": "cost"}, "say what a false positive"),
        ({"by": "distance", "weight": 1.5}, "weight"),
        ({"by": "youden", "target": 0.5}, "no target"),
        ({"by": "yuden"}, "Did you mean 'youden'"),
        ({"by": "prevalence_threshold(x=1)"}, "takes no parameters"),
        ({"by": "rejection_rate"}, "neither better high nor low"),
        ({"by": "youden", "prevalence": 0.0}, "prevalence lies between 0 and 1"),
        ({"by": "youden", "prevalence": 1.5}, "prevalence lies between 0 and 1"),
        ({"by": "youden", "costs": to.Costs()}, "Costs go with"),
    ],
)
def test_what_cannot_be_chosen_says_why(asked, told):
    with pytest.raises(TradeoffError, match=told):
        best_threshold(V, **asked)


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        ({"false_negative": -1}, "cheaper than being right"),
        ({"false_positive": 1, "true_negative": 2}, "cheaper than being right"),
        ({"false_positive": 0, "false_negative": 0}, "no decision matters"),
        ({"false_positive": math.nan}, "finite number"),
        ({"rejected": math.inf}, "finite number"),
        ({"fixed": -1}, "0 or more"),
    ],
)
def test_unreasonable_costs_say_why(costs, told):
    with pytest.raises(InputError, match=told):
        to.Costs(**costs)


def test_one_class_or_no_rows():
    one = to.evaluate(actual=[1, 1], score=[0.2, 0.4]).ranking
    with pytest.raises(InputError, match="undefined at every one"):
        best_threshold(one, "youden")
    with pytest.raises(InputError, match="no scored rows"):
        best_threshold(to.evaluate(actual=[], score=[]).ranking)
    assert best_threshold(one, costs=to.Costs()).threshold == 0.2


@given(
    rows=scored(scores=SMALL, min_size=1, max_size=30),
    right=st.tuples(*[st.integers(-3, 3)] * 2),
    mistakes=st.tuples(*[st.integers(0, 6)] * 2),
    share=st.integers(1, 9),
)
@settings(max_examples=200)
def test_the_cheapest_threshold_is_exact_and_all_ties_are_found(rows, right, mistakes, share):
    assume(any(mistakes))
    hit, passed = right
    miss, alarm = hit + mistakes[0], passed + mistakes[1]
    ranking = to.Ranking.of(rows[0], rows[1])
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    assume(positives and negatives)
    prior = Fraction(share, 10)

    decision = best_threshold(
        ranking, costs=to.Costs(alarm, miss, hit, passed), prevalence=float(prior)
    )

    costs = []
    for found, alarms in zip(ranking.true_positives.tolist(), ranking.false_positives.tolist(),
                             strict=True):  # fmt: skip
        tpr, fpr = Fraction(found, positives), Fraction(alarms, negatives)
        costs.append(
            prior * (tpr * hit + (1 - tpr) * miss)
            + (1 - prior) * (fpr * alarm + (1 - fpr) * passed)
        )
    best = [i for i, cost in enumerate(costs) if cost == min(costs)]
    assert decision.place == best[0]
    assert decision.ties == tuple(ranking.thresholds[best[1:]])
    assert decision.value == pytest.approx(float(min(costs)), abs=1e-12)


@given(
    rows=scored(scores=SMALL, min_size=1, max_size=30),
    name=st.sampled_from(["tpr", "fpr", "precision", "npv", "lift"]),
    target=st.integers(0, 10),
)
@settings(max_examples=200)
def test_a_target_is_reached_as_well_as_can_be(rows, name, target):
    ranking = to.Ranking.of(rows[0], rows[1])
    assume(ranking.positives and ranking.negatives)
    values = to.METRICS[name](ranking.confusion)
    tpr, fpr = (to.METRICS[n](ranking.confusion) for n in ("tpr", "fpr"))
    met = values <= target / 10 if name == "fpr" else values >= target / 10

    if not met.any():
        with pytest.raises(InputError, match="closest"):
            best_threshold(ranking, name, target=target / 10)
        return
    place = best_threshold(ranking, name, target=target / 10).place
    assert met[place]
    if name in {"tpr", "npv"}:
        assert fpr[place] == fpr[met].min()
        assert tpr[place] == tpr[met & (fpr == fpr[place])].max()
    else:
        assert tpr[place] == tpr[met].max()
        assert fpr[place] == fpr[met & (tpr == tpr[place])].min()


@given(rows=scored(scores=SMALL, min_size=2, max_size=30), tenths=st.integers(0, 10))
def test_thresholds_within_a_tolerance(rows, tenths):
    ranking = to.Ranking.of(rows[0], rows[1])
    assume(ranking.positives and ranking.negatives)
    decision = best_threshold(ranking, "youden")
    runs = decision.within(tenths / 10)

    values = to.METRICS["youden_j"](ranking.confusion)
    for threshold, value in zip(ranking.thresholds, values, strict=True):
        inside = any(low < threshold <= high for low, high in runs)
        assert inside == (value >= decision.value - tenths / 10 - 1e-12)


@given(low=st.floats(-1e6, 1e6), gap=st.floats(1e-9, 1e6))
def test_a_round_number_lies_inside_and_is_no_longer_than_the_end(low, gap):
    high = low + gap
    assume(high > low)
    found = roundest(low, high)

    assert low < found <= high
    assert len(repr(found)) <= len(repr(high)) + 2


def test_roundest():
    assert [roundest(0.1, 0.2), roundest(0.19, 0.21), roundest(7.0, 13.0)] == [0.2, 0.2, 10.0]
    assert [roundest(1234.0, 1299.0), roundest(-0.031, -0.0302)] == [1250.0, -0.0305]
    assert [roundest(-math.inf, math.inf), roundest(5e-324, 1e-323)] == [math.inf, 1e-323]


def test_honest_values_are_worse_than_apparent_ones_and_repeat_with_the_seed():
    rng = np.random.default_rng(3)
    actual = rng.random(120) < 0.4
    ranking = to.evaluate(actual=actual, score=rng.normal(size=120) + 0.5 * actual).ranking
    decision = best_threshold(ranking, "youden")

    first, again, other = (decision.check(seed=seed) for seed in (1, 1, 2))

    assert first == again
    assert first != other
    assert first.estimate.value < first.apparent == decision.value
    assert first.thresholds.low <= decision.threshold <= first.thresholds.high
    assert first.standard_error == pytest.approx(0.09, abs=0.03)
    assert first.failed == 0
    assert any(low < decision.threshold <= high for low, high in first.within)
    assert any(low < first.suggestion <= high for low, high in first.within)


def test_the_honest_value_is_right_on_average():
    # Scores that say nothing: an honest Youden is 0, the apparent one is not.
    rng = np.random.default_rng(5)
    honest, apparent = [], []
    for _ in range(150):
        actual = rng.random(80) < 0.5
        decision = best_threshold(to.evaluate(actual=actual, score=rng.random(80)).ranking)
        checked = decision.check(replicates=30, seed=len(honest))
        honest.append(checked.estimate.value)
        apparent.append(checked.apparent)

    spread = np.std(honest) / np.sqrt(len(honest))
    assert abs(np.mean(honest)) < 4 * spread < 0.05
    assert np.mean(apparent) > 0.1


def test_the_honest_value_does_not_depend_on_the_cores(monkeypatch):
    decision = best_threshold(TEN, costs=to.Costs(false_negative=5), prevalence=0.1)
    alone = decision.check(replicates=130)
    monkeypatch.setattr("tradeoff.uncertainty.bootstrap.spans", lambda _: [(0, 5), (5, 10)])
    monkeypatch.setattr("tradeoff.threads.cores", lambda: 3)

    assert decision.check(replicates=130) == alone


def test_progress_is_told_while_choices_are_judged():
    rows = {"actual": [1, 0, 1, 0, 1], "score": [5, 4, 3, 2, 1]}
    for decision in (to.evaluate(**rows).best(), to.evaluate(**rows).best_band(gamma=1)):
        told = []
        decision.check(replicates=60, progress=lambda done, of, told=told: told.append((done, of)))

        assert told == [(50, 60), (60, 60)]


# Rows seen several times, and rows that matter more than others.


def weighed_rows(size=150):
    rng = np.random.default_rng(11)
    actual = rng.random(size) < 0.4
    return rng, {"actual": actual, "score": rng.normal(size=size) + 1.2 * actual}


WAYS = (
    {"by": "youden"},
    {"by": "precision", "target": 0.6},
    {"by": "depth", "target": 0.3},
    {"costs": to.Costs(false_negative=4, fixed=2)},
    {"by": "youden", "prevalence": 0.1},
)


@pytest.mark.parametrize("way", WAYS)
def test_equal_importances_change_nothing_out_of_sample(way):
    _, rows = weighed_rows()
    if "costs" in way:
        way = {"costs": to.Costs(false_negative=4)}  # a fixed cost is shared by the rows' weight
    plain, light = (
        to.evaluate(**rows, weight=weight).best(**way).check(replicates=60)
        for weight in (None, np.full(150, 0.25))
    )

    assert light.estimate.value == pytest.approx(plain.estimate.value)
    assert light.standard_error == pytest.approx(plain.standard_error)
    assert (light.thresholds, light.failed) == (plain.thresholds, plain.failed)


@pytest.mark.parametrize("way", WAYS)
def test_a_row_seen_three_times_is_three_rows_out_of_sample(way):
    rng, rows = weighed_rows()
    times = rng.integers(1, 4, 150)
    repeated = {name: np.repeat(column, times) for name, column in rows.items()}
    counted = to.evaluate(**rows, weight=times).best(**way).check(replicates=60)
    real = to.evaluate(**rows, weight=times.astype(float), weight_means="frequency")

    assert counted == to.evaluate(**repeated).best(**way).check(replicates=60)
    assert real.best(**way).check(replicates=60).estimate.value == pytest.approx(
        counted.estimate.value
    )


def test_importances_are_resampled_as_rows_with_their_weight():
    rng, rows = weighed_rows(40)
    weight = rng.random(40) + 0.2
    ranking = to.evaluate(**rows, weight=weight).ranking
    order = np.lexsort([-rows["score"], ~rows["actual"]])
    in_bag, out_of_bag = BaggedRows.of(ranking).resample(np.random.default_rng(4), 30)

    random = np.random.default_rng(4)
    for line in range(30):
        times = np.bincount(random.integers(0, 40, 40), minlength=40)
        drawn, left = (
            to.Ranking.of(rows["score"][order], rows["actual"][order], weight[order] * own)
            for own in (times + 1e-300, (times == 0) + 1e-300)
        )
        assert in_bag.ranking(line).true_positives == pytest.approx(drawn.true_positives)
        assert in_bag.ranking(line).false_positives == pytest.approx(drawn.false_positives)
        share = left.false_positives / left.negatives
        assert out_of_bag.ranking(line).false_positives == pytest.approx(share * ranking.negatives)


def test_tied_rows_of_unequal_importance_count_as_fewer_equal_ones():
    tied = to.evaluate(actual=[1, 1, 1, 0], score=[2, 2, 2, 1], weight=[4.0, 1.0, 1.0, 0.3]).ranking
    rows = BaggedRows.of(tied)

    assert rows.rows == 2 + 1  # (4 + 1 + 1)² / (16 + 1 + 1) = 2
    assert rows.weights.tolist() == [0.0, 3.0, 3.0, 0.3]
    checked = best_threshold(tied, "youden").check(replicates=50)
    assert checked.replicates == 50
    assert checked.failed > 0


CHOICES = [
    *({"by": name} for name in ("youden", "distance", "f", "eer", "prevalence", "mcc", "accuracy")),
    {"by": "tpr", "target": 0.8},
    {"by": "fpr", "target": 0.1},
    {"by": "precision", "target": 0.95},
    {"by": "lift", "target": 1.5},
    {"by": "depth", "target": 0.2},
    {"by": "capacity", "target": 7},
    {"costs": to.Costs(false_negative=5, fixed=3)},
    {"costs": to.Costs(contact=1, true_positive=-6)},
]


@pytest.mark.parametrize("way", CHOICES, ids=str)
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_resamples_are_judged_together_as_one_by_one(way, prevalence):
    _, rows = weighed_rows(60)
    rows["score"] = rows["score"].round(1)
    decision = to.evaluate(**rows).best(**way, prevalence=prevalence)
    criterion = decision.criterion
    in_bag, out_of_bag = BaggedRows.of(decision.ranking).resample(np.random.default_rng(2), 40)
    one_by_one = []
    for line in range(40):
        drawn, left = (
            side.ranking(line).at_prevalence(prevalence) for side in (in_bag, out_of_bag)
        )
        try:
            place = int(criterion.places(drawn)[0])
        except InputError:
            one_by_one.append((math.nan, math.nan))
            continue
        one_by_one.append((drawn.thresholds[place], criterion.worth(left, place)))

    drawn, left = (side.at_prevalence(prevalence) for side in (in_bag, out_of_bag))
    best = criterion.best(drawn)
    places = best.argmax(axis=1)[:, None]
    together = np.hstack([decision.ranking.thresholds[places], criterion.worth(left, places)])
    together[~best.any(axis=1)] = math.nan

    assert together == pytest.approx(np.array(one_by_one), nan_ok=True)


@pytest.mark.parametrize("name", to.METRICS)
def test_a_metric_of_many_resamples_is_that_of_each(name):
    _, rows = weighed_rows(30)
    resamples, _ = BaggedRows.of(to.evaluate(**rows).ranking).resample(np.random.default_rng(2), 5)

    (together,) = along(resamples, [to.METRICS[name]])

    for line, values in enumerate(together):
        (alone,) = along(resamples.ranking(line), [to.METRICS[name]])
        assert values == pytest.approx(alone, nan_ok=True)


@pytest.mark.parametrize("name", [name for name, m in to.METRICS.items() if m.sweeps and m.better])
def test_what_is_always_best_at_an_end_of_a_ranking_is_no_way_to_choose(name):
    # recall_gain rises with every positive found, as the true positive rate does.
    ends = to.ConfusionMatrix(30, 0, 50, 0), to.ConfusionMatrix(0, 30, 0, 50)
    everything, nothing = (float(to.METRICS[name](end)) for end in ends)
    best = (everything > nothing) == (to.METRICS[name].better == "higher")

    with pytest.raises(InputError, match=f"{'everything' if best else 'nothing'} positive would"):
        to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4]).best(name)


def test_a_target_that_calls_reach_is_reached_with_the_fewest_alarms():
    e = to.evaluate(actual=[1, 1, 0, 1, 0, 0, 1, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])

    assert e.best("detection_rate", target=0.25).threshold == 7
    assert e.best("detection_rate", target=3 / 8).threshold == 5
    assert e.best("negative_likelihood_ratio", target=1 / 3).threshold == 5
    assert e.best("predicted_negative_rate", target=0.5).threshold == 5
