"""Criteria for choosing a threshold: targets, extreme thresholds, many resamples."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies import scored

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.measures.curves.interpolation import values_along
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.bootstrap import BaggedRows

SMALL = st.integers(-3, 6).map(float)


@given(
    rows=scored(scores=SMALL, min_size=1, max_size=30),
    name=st.sampled_from(["tpr", "fpr", "precision", "npv", "lift"]),
    target=st.integers(0, 10),
)
@settings(max_examples=200)
def test_a_target_is_reached_at_the_best_threshold_that_reaches_it(rows, name, target):
    ranking = to.Ranking.of(rows[0], rows[1])
    assume(ranking.positives and ranking.negatives)
    values = to.METRICS[name](ranking.confusion)
    tpr, fpr = (to.METRICS[n](ranking.confusion) for n in ("tpr", "fpr"))
    reaches_target = values <= target / 10 if name == "fpr" else values >= target / 10

    if not reaches_target.any():
        with pytest.raises(InputError, match="closest"):
            best_threshold(ranking, name, target=target / 10)
        return
    index = best_threshold(ranking, name, target=target / 10).index
    assert reaches_target[index]
    if name in {"tpr", "npv"}:
        assert fpr[index] == fpr[reaches_target].min()
        assert tpr[index] == tpr[reaches_target & (fpr == fpr[index])].max()
    else:
        assert tpr[index] == tpr[reaches_target].max()
        assert fpr[index] == fpr[reaches_target & (tpr == tpr[index])].min()


def random_rows(size=150):
    rng = np.random.default_rng(11)
    actual = rng.random(size) < 0.4
    return rng, {"actual": actual, "score": rng.normal(size=size) + 1.2 * actual}


@pytest.mark.parametrize("name", to.METRICS)
def test_a_metric_of_many_resamples_equals_that_of_each_resample(name):
    _, rows = random_rows(30)
    resamples, _ = BaggedRows.of(to.evaluate(**rows).ranking).resample(np.random.default_rng(2), 5)

    (batch,) = values_along(resamples, [to.METRICS[name]])

    for index, values in enumerate(batch):
        (expected,) = values_along(resamples.ranking(index), [to.METRICS[name]])
        assert values == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    "name", [name for name, m in to.METRICS.items() if m.monotone_along_ranking and m.better]
)
def test_a_metric_that_is_always_best_at_an_extreme_threshold_is_refused(name):
    # recall_gain increases with every true positive, as the true positive rate does.
    matrices = to.ConfusionMatrix(30, 0, 50, 0), to.ConfusionMatrix(0, 30, 0, 50)
    all_positive, all_negative = (float(to.METRICS[name](matrix)) for matrix in matrices)
    is_all_positive_best = (all_positive > all_negative) == (to.METRICS[name].better == "higher")

    with pytest.raises(
        InputError, match=f"{'every' if is_all_positive_best else 'no'} row positive would"
    ):
        to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.2, 0.3, 0.4]).best(name)


def test_a_target_is_reached_with_the_fewest_false_positives():
    e = to.evaluate(actual=[1, 1, 0, 1, 0, 0, 1, 0], score=[8, 7, 6, 5, 4, 3, 2, 1])

    assert e.best("detection_rate", target=0.25).threshold == 7
    assert e.best("detection_rate", target=3 / 8).threshold == 5
    assert e.best("negative_likelihood_ratio", target=1 / 3).threshold == 5
    assert e.best("predicted_negative_rate", target=0.5).threshold == 5
