"""Weights that say how much a row matters: equal ones say nothing, their scale does not matter."""

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.special import logit

import tradeoff as to
from tradeoff.stats.interval_methods import methods_by_name
from tradeoff.stats.proportions import wilson
from tradeoff.uncertainty.auc import area_interval

AREA_METHODS = list(methods_by_name("areas"))

ACTUAL, SCORES = two_models()
WEIGHTS = np.random.default_rng(5).integers(1, 9, len(ACTUAL)) / 4
SCALES = [2.0**-12, 2.0**-7, 1000.0]
"""Exact for these weights, which are quarters: 2⁻⁷ makes them add to about 1."""
METRICS = ("tpr", "precision", "accuracy", "f1", "mcc", "odds_ratio", "youden_j", "lift")
ROWS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 4).map(float), st.floats(0.1, 10)),
    min_size=5,
    max_size=30,
)


def weighed(weights, **options):
    return to.evaluate(
        actual=ACTUAL,
        score=SCORES["a"],
        weight=weights,
        **{"weight_means": "importance", **options},
    )


def compared(weights, **options):
    return to.compare(
        actual=ACTUAL, score=SCORES, weight=weights, **{"weight_means": "importance", **options}
    )


OWN = weighed(WEIGHTS)
PLAIN = to.evaluate(actual=ACTUAL, score=SCORES["a"])


def ends(found):
    return found.low, found.high


def columns(rows):
    positive, scores, weights = (np.array(own) for own in zip(*rows, strict=True))
    assume(positive.any() and not positive.all() and len(np.unique(scores)) > 1)
    return positive, scores, weights


@given(ROWS, st.sampled_from(AREA_METHODS), st.sampled_from([0.01, 0.5, 100.0]))
def test_the_scale_of_weights_does_not_matter_for_areas(rows, method, scale):
    positive, scores, weights = columns(rows)
    one, other = (
        to.evaluate(actual=positive, score=scores, weight=w, weight_means="importance").ranking
        for w in (weights, weights * scale)
    )
    assume(abs(min(one.effective_rows) - 2) > 1e-6)

    found, again = (area_interval(own, method=method) for own in (one, other))

    assert (again.method, again.reason) == (found.method, found.reason)
    assert ends(again) == pytest.approx(ends(found), nan_ok=True, abs=1e-9)


@given(ROWS, st.sampled_from(AREA_METHODS))
def test_equal_weights_say_nothing_of_areas(rows, method):
    positive, scores, _ = columns(rows)
    equal = to.evaluate(actual=positive, score=scores, weight=np.full(len(scores), 0.3)).ranking
    plain = to.evaluate(actual=positive, score=scores).ranking

    found, expected = (area_interval(own, method=method) for own in (equal, plain))

    assert ends(found) == pytest.approx(ends(expected), nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", METRICS)
def test_the_scale_of_weights_does_not_matter_for_metrics(name, scale):
    found, again = (
        own.metric(name, 0.5, replicates=200) for own in (OWN, weighed(WEIGHTS * scale))
    )

    assert found.has_interval
    assert ends(again) == pytest.approx(ends(found), rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", [None, "bootstrap", "bca"])
@pytest.mark.parametrize("name", ["average_precision", "ks"])
def test_the_scale_of_weights_does_not_matter_for_summaries(name, method, scale):
    found, again = (
        own.summary(name, method=method, replicates=200) for own in (OWN, weighed(WEIGHTS * scale))
    )

    assert found.low < found.value < found.high
    assert ends(again) == pytest.approx(ends(found), rel=1e-6)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("method", ["delong", "bootstrap"])
def test_the_scale_of_weights_does_not_matter_for_differences(method, scale):
    found, again = (
        compared(w).difference("a", "b", method=method, replicates=100)
        for w in (WEIGHTS, WEIGHTS * scale)
    )

    assert again.value == pytest.approx(found.value)
    assert ends(again) == pytest.approx(ends(found), rel=1e-6)


@pytest.mark.parametrize("weight", [1.0, 0.25, 3.7])
@pytest.mark.parametrize("name", list(to.METRICS))
def test_equal_weights_say_nothing_of_any_metric(name, weight):
    asked = {"at": 0.2} if name == "net_benefit" else {}
    equal = weighed(np.full(len(ACTUAL), weight)).metric(name, 0.5, **asked)
    plain = PLAIN.metric(name, 0.5, **asked)

    assert equal.value == pytest.approx(plain.value)
    assert ends(equal) == pytest.approx(ends(plain), rel=1e-9, abs=1e-12, nan_ok=True)
    assert (equal.method, equal.note) == (plain.method, plain.note)


@pytest.mark.parametrize("name", ["brier", "average_precision", "equal_error_rate", "partial_auc"])
def test_equal_weights_say_nothing_of_summaries(name):
    scores = 1 / (1 + np.exp(-SCORES["a"]))
    equal, plain = (
        to.evaluate(actual=ACTUAL, score=scores, **more).summary(name)
        for more in ({"weight": np.full(len(ACTUAL), 0.25)}, {})
    )

    assert ends(equal) == pytest.approx(ends(plain), rel=1e-9)


@pytest.mark.parametrize("name", ["adjusted_rand_index", "krippendorffs_alpha", "chi_squared"])
@pytest.mark.parametrize("scale", SCALES)
def test_the_unit_of_importances_changes_nothing_where_rows_are_counted(name, scale):
    found, again = (own.metric(name, 0.5) for own in (OWN, weighed(WEIGHTS * scale)))

    assert again.value == pytest.approx(found.value)


def test_recall_with_weights_that_go_with_the_outcome_by_hand():
    # Four positives: found with weights 1 and 3, missed with 2 and 2; p = 4/8.
    # V = (1² + 3²)(1/2)² / 8² + (2² + 2²)(1/2)² / 8² = 4.5 / 64; n = p(1 - p) / V = 3.5556,
    # which is Kish's 64 / 18 here; of one found with weight 7 and one missed with 1 it is not:
    # V = (49 / 64 + 49 / 64) / 64, n = (7 / 64) / V = 4.5714 where Kish says 64 / 50.
    for weights, p, n in (([1, 3, 2, 2], 0.5, 64 / 18), ([7, 1], 7 / 8, 7 / (98 / 64))):
        hit = [1, 1, 0, 0] if len(weights) == 4 else [1, 0]
        e = to.evaluate(
            actual=[*[1] * len(hit), 0, 0],
            score=[*hit, 0, 0],
            weight=[*weights, 1, 1],
            weight_means="importance",
        )
        found = e.metric("tpr", 0.5)
        assert found.value == pytest.approx(p)
        assert ends(found) == pytest.approx(tuple(float(end) for end in wilson(p * n, n)))


def test_equal_weights_say_nothing_of_differences():
    equal = compared(np.full(len(ACTUAL), 3.5)).areas
    plain = to.compare(actual=ACTUAL, score=SCORES).areas

    assert equal.covariance == pytest.approx(plain.covariance)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_equal_weights_draw_about_what_no_weights_draw(method):
    equal, plain = (
        own.summary("auc", method=method, replicates=2000)
        for own in (weighed(np.full(len(ACTUAL), 0.25)), PLAIN)
    )

    assert ends(equal) == pytest.approx(ends(plain), abs=0.02)


@pytest.mark.parametrize("means", ["importance", "frequency"])
@pytest.mark.parametrize("name", ["average_precision", "auc"])
def test_whole_weights_are_drawn_as_what_they_mean(name, means):
    # The type in which a number is stored must not decide what it means.
    whole = (4 * WEIGHTS).astype(np.int64)

    found, real = (
        weighed(w, weight_means=means).summary(name, method="bootstrap", replicates=1000)
        for w in (whole, whole.astype(np.float64))
    )

    width, expected = (one.high - one.low for one in (found, real))
    assert width == pytest.approx(expected, rel=0.15)


def test_unequal_importance_makes_intervals_wider():
    heavy = np.where(np.arange(len(ACTUAL)) % 10 == 0, 30.0, 1.5)

    for ask in (
        lambda e: e.summary("ks", replicates=300),
        lambda e: e.metric("tpr", 0.5),
        lambda e: e.metric("f1", 0.5),
    ):
        wide, narrow = (np.subtract(*ends(ask(own))) for own in (weighed(heavy), PLAIN))
        assert wide / narrow > 1.3


def test_unequal_importance_makes_intervals_of_areas_wider():
    # The areas differ, 0.86 and 0.72, so widths are compared where they mean the same: as logits.
    heavy = np.where(np.arange(len(ACTUAL)) % 10 == 0, 30.0, 1.5)

    wide, narrow = (np.subtract(*logit(ends(own.auc))) for own in (weighed(heavy), PLAIN))

    assert wide / narrow > 2


def test_the_covariance_of_weighted_rows_by_hand():
    # Σw²d² · n / (W² (n - 1)) in each class, with n = W² / Σw² rows that say as much.
    own = compared(WEIGHTS)
    expected = np.zeros((2, 2))
    for side, at in ((ACTUAL, 0), (~ACTUAL, 1)):
        w = WEIGHTS[side]
        away = np.array([own.paired.placements(name)[at] for name in ("a", "b")])
        away -= own.areas.values[:, None]
        n = w.sum() ** 2 / (w**2).sum()
        expected += (away * w**2) @ away.T * n / (w.sum() ** 2 * (n - 1))

    assert own.areas.covariance == pytest.approx(expected)
    area = own.rankings["a"]
    assert own.areas.values[0] == pytest.approx(to.SUMMARIES["auc"](area))


def test_weights_that_add_to_1_are_no_proportions():
    found = weighed(WEIGHTS / WEIGHTS.sum()).metric("accuracy", 0.5)

    assert found.has_interval
    assert found.note is None or "proportions" not in found.note
