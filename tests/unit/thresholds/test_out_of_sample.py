"""Out-of-sample values of a chosen threshold."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.bootstrap import BaggedRows

TEN = to.evaluate(
    actual=[1, 1, 0, 1, 1, 0, 0, 1, 0, 0],
    score=[0.95, 0.9, 0.8, 0.75, 0.6, 0.55, 0.5, 0.3, 0.2, 0.1],
).ranking


def test_out_of_sample_values_are_worse_than_apparent_ones_and_repeat_with_the_seed():
    rng = np.random.default_rng(3)
    actual = rng.random(120) < 0.4
    ranking = to.evaluate(actual=actual, score=rng.normal(size=120) + 0.5 * actual).ranking
    decision = best_threshold(ranking, "youden")

    first, repeated, other = (decision.check(seed=seed) for seed in (1, 1, 2))

    assert first == repeated
    assert first != other
    assert first.estimate.value < first.apparent == decision.value
    assert first.thresholds.low <= decision.threshold <= first.thresholds.high
    assert first.standard_error == pytest.approx(0.09, abs=0.03)
    assert first.failed == 0
    assert any(low < decision.threshold <= high for low, high in first.within)
    assert any(low < first.suggestion <= high for low, high in first.within)


def test_the_out_of_sample_value_is_unbiased():
    # Uninformative scores: the true Youden's J is 0, the apparent one is not.
    rng = np.random.default_rng(5)
    out_of_sample, apparent = [], []
    for _ in range(150):
        actual = rng.random(80) < 0.5
        decision = best_threshold(to.evaluate(actual=actual, score=rng.random(80)).ranking)
        check = decision.check(replicates=30, seed=len(out_of_sample))
        out_of_sample.append(check.estimate.value)
        apparent.append(check.apparent)

    standard_error = np.std(out_of_sample) / np.sqrt(len(out_of_sample))
    assert abs(np.mean(out_of_sample)) < 4 * standard_error < 0.05
    assert np.mean(apparent) > 0.1


def test_the_out_of_sample_value_does_not_depend_on_the_number_of_cores(monkeypatch):
    decision = best_threshold(TEN, costs=to.Costs(false_negative=5), prevalence=0.1)
    expected = decision.check(replicates=130)
    monkeypatch.setattr("tradeoff.uncertainty.bootstrap.thread_spans", lambda _: [(0, 5), (5, 10)])
    monkeypatch.setattr("tradeoff.threads.available_cores", lambda: 3)

    assert decision.check(replicates=130) == expected


def test_progress_is_reported_during_the_out_of_sample_check():
    rows = {"actual": [1, 0, 1, 0, 1], "score": [5, 4, 3, 2, 1]}
    for decision in (to.evaluate(**rows).best(), to.evaluate(**rows).best_band(gamma=1)):
        calls = []
        decision.check(
            replicates=60, progress=lambda done, total, calls=calls: calls.append((done, total))
        )

        assert calls == [(50, 60), (60, 60)]


def random_rows(size=150):
    rng = np.random.default_rng(11)
    actual = rng.random(size) < 0.4
    return rng, {"actual": actual, "score": rng.normal(size=size) + 1.2 * actual}


CRITERIA = (
    {"by": "youden"},
    {"by": "precision", "target": 0.6},
    {"by": "depth", "target": 0.3},
    {"costs": to.Costs(false_negative=4, fixed=2)},
    {"by": "youden", "prevalence": 0.1},
)


@pytest.mark.parametrize("options", CRITERIA)
def test_equal_importance_weights_do_not_change_the_out_of_sample_check(options):
    _, rows = random_rows()
    if "costs" in options:
        # Without the fixed cost, which is divided by the total weight of the rows.
        options = {"costs": to.Costs(false_negative=4)}
    plain, light = (
        to.evaluate(**rows, weight=weight).best(**options).check(replicates=60)
        for weight in (None, np.full(150, 0.25))
    )

    assert light.estimate.value == pytest.approx(plain.estimate.value)
    assert light.standard_error == pytest.approx(plain.standard_error)
    assert (light.thresholds, light.failed) == (plain.thresholds, plain.failed)


@pytest.mark.parametrize("options", CRITERIA)
def test_frequency_weights_equal_repeated_rows_out_of_sample(options):
    rng, rows = random_rows()
    times = rng.integers(1, 4, 150)
    repeated = {name: np.repeat(column, times) for name, column in rows.items()}
    weighted = to.evaluate(**rows, weight=times).best(**options).check(replicates=60)
    real = to.evaluate(**rows, weight=times.astype(float), weight_means="frequency")

    assert weighted == to.evaluate(**repeated).best(**options).check(replicates=60)
    assert real.best(**options).check(replicates=60).estimate.value == pytest.approx(
        weighted.estimate.value
    )


def test_importance_weights_are_resampled_with_their_rows():
    rng, rows = random_rows(40)
    weight = rng.random(40) + 0.2
    ranking = to.evaluate(**rows, weight=weight).ranking
    order = np.lexsort([-rows["score"], ~rows["actual"]])
    in_bag, out_of_bag = BaggedRows.of(ranking).resample(np.random.default_rng(4), 30)

    random = np.random.default_rng(4)
    for index in range(30):
        times = np.bincount(random.integers(0, 40, 40), minlength=40)
        in_bag_ranking, out_of_bag_ranking = (
            to.Ranking.of(rows["score"][order], rows["actual"][order], weight[order] * factors)
            for factors in (times + 1e-300, (times == 0) + 1e-300)
        )
        assert in_bag.ranking(index).true_positives == pytest.approx(in_bag_ranking.true_positives)
        assert in_bag.ranking(index).false_positives == pytest.approx(
            in_bag_ranking.false_positives
        )
        share = out_of_bag_ranking.false_positives / out_of_bag_ranking.negatives
        assert out_of_bag.ranking(index).false_positives == pytest.approx(share * ranking.negatives)


def test_tied_rows_of_unequal_weight_become_an_effective_number_of_equal_rows():
    tied = to.evaluate(actual=[1, 1, 1, 0], score=[2, 2, 2, 1], weight=[4.0, 1.0, 1.0, 0.3]).ranking
    rows = BaggedRows.of(tied)

    assert rows.rows == 2 + 1  # (4 + 1 + 1)² / (16 + 1 + 1) = 2
    assert rows.weights.tolist() == [0.0, 3.0, 3.0, 0.3]
    check = best_threshold(tied, "youden").check(replicates=50)
    assert check.replicates == 50
    assert check.failed > 0


ALL_CRITERIA = [
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


@pytest.mark.parametrize("options", ALL_CRITERIA, ids=str)
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_batched_resamples_give_the_results_of_single_ones(options, prevalence):
    _, rows = random_rows(60)
    rows["score"] = rows["score"].round(1)
    decision = to.evaluate(**rows).best(**options, prevalence=prevalence)
    criterion = decision.criterion
    in_bag, out_of_bag = BaggedRows.of(decision.ranking).resample(np.random.default_rng(2), 40)
    expected = []
    for index in range(40):
        in_bag_ranking, out_of_bag_ranking = (
            side.ranking(index).at_prevalence(prevalence) for side in (in_bag, out_of_bag)
        )
        try:
            best_index = int(criterion.best_indices(in_bag_ranking)[0])
        except InputError:
            expected.append((math.nan, math.nan))
            continue
        expected.append(
            (
                in_bag_ranking.thresholds[best_index],
                criterion.value_at(out_of_bag_ranking, best_index),
            )
        )

    in_bag_ranking, out_of_bag_ranking = (
        side.at_prevalence(prevalence) for side in (in_bag, out_of_bag)
    )
    best = criterion.best(in_bag_ranking)
    best_indices = best.argmax(axis=1)[:, None]
    batch = np.hstack(
        [
            decision.ranking.thresholds[best_indices],
            criterion.value_at(out_of_bag_ranking, best_indices),
        ]
    )
    batch[~best.any(axis=1)] = math.nan

    assert batch == pytest.approx(np.array(expected), nan_ok=True)
