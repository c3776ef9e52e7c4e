"""Bands around curves: their ends by hand, what they hold, and which curves have none."""

import math

import numpy as np
import pytest
from brute_force import two_models
from hypothesis import given
from hypothesis import strategies as st
from simulations.bands import Population, pointwise_coverage, simultaneous_coverage

import tradeoff as to
from tradeoff.errors import InputError, UnknownName
from tradeoff.measures.curves import any_curve
from tradeoff.stats.proportions import clopper_pearson_interval, jeffreys_interval
from tradeoff.stats.simultaneous import band_critical_value
from tradeoff.uncertainty.bootstrap import RankedRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.confidence_region import ConfidenceRegion
from tradeoff.uncertainty.curve_bands import band_envelope

ACTUAL, SCORES = two_models()
FAIR = to.evaluate(actual=ACTUAL, score=SCORES["a"])
GRID = np.linspace(0, 1, 21)
KINDS = ("pointwise", "simultaneous")
RATES = ("roc", "precision_recall", "gains", "lift", "det", "precision_recall_gain")
every_kind = pytest.mark.parametrize("kind", KINDS)


def bands(evaluation, name, **options):
    return [evaluation.band(name, kind=kind, **options) for kind in KINDS]


def assert_same(band, other, **near):
    for ends in ("low", "high"):
        assert getattr(band, ends) == pytest.approx(getattr(other, ends), **near)


# What they promise; tests/simulations has all of it.


def test_a_simultaneous_band_holds_the_whole_true_curve():
    # Percentiles of rows drawn again, the old band, held it in 2 to 9 of 100 sets.
    assert simultaneous_coverage("roc", 100, Population(0.3, 0.85), sets=60) >= 0.93


def test_a_pointwise_band_holds_the_truth_where_all_positives_are_found():
    # At a false positive rate of 0.9 the old band held it in 24 to 57 of 100 sets.
    assert pointwise_coverage("roc", 100, Population(0.3, 0.85), sets=60)[-1] >= 0.93


# Their ends, by hand.


def test_over_thresholds_a_rate_has_the_interval_of_a_share():
    # Ten positives, 7 of them at 0.5 or more, all at 0.2 or more: at a threshold nothing else
    # matters for the true positive rate, so its ends are Jeffreys' for 7 and for 10 of 10.
    scores = [0.9, 0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.3, 0.3, 0.2, 0.1, 0.1]
    e = to.evaluate(actual=[1] * 10 + [0] * 2, score=scores)
    band = e.band(x="threshold", y="tpr", at=[0.5, 0.2])

    assert (band.low[0], band.high[0]) == pytest.approx(jeffreys_interval(7, 10))
    assert band.low[1] == pytest.approx(jeffreys_interval(10, 10)[0])
    assert band.high[1] == 1
    assert band.middle.tolist() == [0.7, 1.0]


def test_a_simultaneous_band_over_thresholds_is_an_exact_interval_of_a_smaller_tail():
    # Of ten rows all ten local intervals hold together at 95% when each reaches z standard
    # errors; then no positive missed of ten means at least tail ** (1 / 10).
    scores = [0.9, 0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.3, 0.3, 0.2, 0.1, 0.1]
    e = to.evaluate(actual=[1] * 10 + [0] * 2, score=scores)
    band = e.band(x="threshold", y="tpr", at=[0.5, 0.2], kind="simultaneous")

    tail = 0.5 * math.erfc(band_critical_value(10, 0.95) / math.sqrt(2))
    assert tail < 0.025 / 3
    assert band.low[1] == pytest.approx(tail**0.1)
    low, high = clopper_pearson_interval(7, 10, 1 - 2 * tail)
    assert (band.low[0], band.high[0]) == pytest.approx((float(low), float(high)))


def test_with_very_many_negatives_the_roc_band_is_the_interval_of_the_positives():
    # A million negatives tell the threshold of a false positive rate exactly: of the 20 positives
    # 8 lie above it, and the band is Jeffreys' interval for 8 of 20.
    negatives = np.linspace(0, 1, 1_000_001)
    positives = np.array([0.95] * 8 + [0.5] * 12)
    e = to.evaluate(actual=np.arange(1_000_021) < 20, score=np.concatenate([positives, negatives]))
    band = e.band("roc", at=0.2)

    assert (band.low[0], band.high[0]) == pytest.approx(jeffreys_interval(8, 20), abs=1e-3)


def test_a_roc_band_at_fpr_0_is_0_to_1():
    # No negative above 5 positives of 5: at a false positive rate of 0 there may be none or all.
    e = to.evaluate(actual=[1] * 5 + [0] * 5, score=range(10, 0, -1))

    for band in bands(e, "roc", at=[0.0]):
        assert (band.low[0], band.high[0]) == (0, 1)


# Laws.


@every_kind
@pytest.mark.parametrize("name", RATES)
@pytest.mark.parametrize("stratified", [True, False])
def test_bands_contain_their_curve(name, kind, stratified):
    band = FAIR.band(name, kind=kind, sampling="by class" if stratified else "random")
    is_finite = np.isfinite(band.middle)

    assert is_finite.any()
    assert (band.low[is_finite] <= band.middle[is_finite] + 1e-12).all()
    assert (band.middle[is_finite] <= band.high[is_finite] + 1e-12).all()


@pytest.mark.parametrize("name", RATES)
def test_a_simultaneous_band_is_wider_than_a_pointwise_one(name):
    x = GRID[1:-1]
    point, whole = bands(FAIR, name, at=x, sampling="random")

    assert (whole.low <= point.low + 1e-12).all()
    assert (whole.high >= point.high - 1e-12).all()
    assert (whole.high - whole.low).sum() > 1.1 * (point.high - point.low).sum()


@every_kind
def test_a_higher_level_makes_a_wider_band(kind):
    narrow, wide = (FAIR.band("roc", at=GRID, kind=kind, level=level) for level in (0.5, 0.9))

    assert (wide.low <= narrow.low).all()
    assert (wide.high >= narrow.high).all()
    assert (narrow.middle == wide.middle).all()


@every_kind
def test_more_rows_make_a_narrower_band(kind):
    more = to.evaluate(actual=np.tile(ACTUAL, 4), score=np.tile(SCORES["a"], 4))
    few, many = (e.band("roc", at=GRID, kind=kind) for e in (FAIR, more))

    assert (many.high - many.low <= few.high - few.low + 1e-12).all()
    assert (many.high - many.low)[5] < 0.6 * (few.high - few.low)[5]


rows = st.lists(st.tuples(st.booleans(), st.integers(0, 12)), min_size=2, max_size=40).filter(
    lambda sample: len({positive for positive, _ in sample}) == 2
)


@given(rows, st.sampled_from(KINDS), st.sampled_from(["roc", "precision_recall", "gains"]))
def test_only_the_order_of_scores_matters(sample, kind, name):
    actual, score = (np.array(column) for column in zip(*sample, strict=True))
    first = to.evaluate(actual=actual, score=score).band(name, kind=kind, at=GRID)
    grown = to.evaluate(actual=actual, score=np.exp(score / 4)).band(name, kind=kind, at=GRID)
    turned = to.evaluate(actual=actual, score=-score, lower_is_positive=True)

    assert_same(grown, first, nan_ok=True)
    assert_same(turned.band(name, kind=kind, at=GRID), first, nan_ok=True)


@given(rows, st.sampled_from(KINDS), st.booleans())
def test_bands_of_any_rows_contain_their_curve_and_stay_in_0_to_1(sample, kind, stratified):
    actual, score = (np.array(column) for column in zip(*sample, strict=True))
    e = to.evaluate(actual=actual, score=score)

    for name in ("roc", "precision_recall", "gains"):
        band = e.band(name, kind=kind, sampling="by class" if stratified else "random")
        is_finite = np.isfinite(band.middle)
        assert (band.low >= 0).all()
        assert (band.high <= 1).all()
        assert (band.low[is_finite] <= band.middle[is_finite] + 1e-9).all()
        assert (band.middle[is_finite] <= band.high[is_finite] + 1e-9).all()


@every_kind
def test_det_mirrors_roc_and_lift_is_gains_over_depth(kind):
    x = GRID[1:]
    options = {"at": x, "kind": kind, "sampling": "random"}
    roc, det, gains, lift = (FAIR.band(n, **options) for n in ("roc", "det", "gains", "lift"))

    assert det.low == pytest.approx(1 - roc.high)
    assert det.high == pytest.approx(1 - roc.low)
    assert lift.low == pytest.approx(gains.low / x)
    assert lift.high == pytest.approx(gains.high / x)


@every_kind
@pytest.mark.parametrize("name", ["roc", "precision_recall", "gains", "lift", "det"])
def test_the_fast_envelope_is_the_envelope_of_all_rankings(name, kind):
    others = ConfidenceRegion.of(FAIR.ranking, 0.95, simultaneous=kind == "simultaneous")
    rankings = list(others.rankings(vary_prevalence=True, is_ordered=True))
    fast = band_envelope(FAIR.curve(name), {"name": name}, rankings, GRID)
    reference = np.concatenate([any_curve(ranking, name).limits(GRID) for ranking in rankings])

    assert fast[0] == pytest.approx(np.nanmin(reference, axis=0), abs=1e-9, nan_ok=True)
    assert fast[1] == pytest.approx(np.nanmax(reference, axis=0), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", ["roc", "det", "gains", "precision_recall"])
def test_ordered_shifts_of_both_rates_span_the_whole_envelope(name):
    others = ConfidenceRegion.of(FAIR.ranking, 0.95)
    ordered_envelope, full_envelope = (
        band_envelope(
            FAIR.curve(name),
            {"name": name},
            others.rankings(vary_prevalence=False, is_ordered=ordered),
            GRID,
        )
        for ordered in (True, False)
    )

    assert ordered_envelope[0] == pytest.approx(full_envelope[0], nan_ok=True)
    assert ordered_envelope[1] == pytest.approx(full_envelope[1], nan_ok=True)


# What is known of the rows.


def test_an_estimated_prevalence_makes_bands_that_mix_the_classes_wider():
    for name in ("precision_recall", "gains"):
        fixed, estimated = (
            FAIR.band(name, at=GRID[1:-1], sampling="by class" if s else "random")
            for s in (True, False)
        )
        assert (estimated.high - estimated.low).sum() > 1.02 * (fixed.high - fixed.low).sum()

    fixed, estimated = (
        FAIR.band("roc", at=GRID, sampling="by class" if s else "random") for s in (True, False)
    )
    assert_same(estimated, fixed)


@every_kind
def test_unit_weights_change_nothing(kind):
    weighed = to.evaluate(
        actual=ACTUAL,
        score=SCORES["a"],
        weight=np.full(len(ACTUAL), 2.5),
        weight_means="importance",
    )

    for name in ("roc", "precision_recall"):
        options = {"at": GRID, "kind": kind, "sampling": "random"}
        assert_same(weighed.band(name, **options), FAIR.band(name, **options), nan_ok=True)


def test_an_unobserved_row_is_weighted_as_its_neighbours():
    # Positives of weight 1, 1, 1, 1 at the top and 6 at the bottom, 10 in all, all of them found.
    # One more at the bottom would weigh 6: 10 / 6 rows know that none is missing. At the top, one
    # weighs 40 / 10 = 4 as rows do on average: 10 / 4 rows know that none is above.
    e = to.evaluate(
        actual=[1] * 5 + [0] * 2,
        score=[9, 8, 7, 6, 2, 1, 3],
        weight=[1.0, 1.0, 1.0, 1.0, 6.0, 1.0, 1.0],
        weight_means="importance",
    )
    band = e.band(x="threshold", y="tpr", at=[2, 10])

    assert band.low[0] == pytest.approx(float(jeffreys_interval(10 / 6, 10 / 6)[0]))
    assert band.high[1] == pytest.approx(float(jeffreys_interval(0, 10 / 4)[1]))


def test_unequal_weights_make_a_wider_band():
    heavy = np.where(np.arange(len(ACTUAL)) % 2, 0.1, 1.9)
    weighed = to.evaluate(
        actual=ACTUAL, score=SCORES["a"], weight=heavy, weight_means="importance"
    ).band("roc", at=GRID)
    plain = FAIR.band("roc", at=GRID)

    assert (weighed.high - weighed.low).mean() > 1.15 * (plain.high - plain.low).mean()


@every_kind
def test_clusters_of_one_row_are_rows(kind):
    alone = to.evaluate(actual=ACTUAL, score=SCORES["a"], cluster=np.arange(len(ACTUAL)))

    for name in ("roc", "precision_recall"):
        options = {"at": [0.2, 0.5, 0.8], "kind": kind, "sampling": "random"}
        clustered, plain = alone.band(name, **options), FAIR.band(name, **options)
        # Variances are estimated with one cluster less, and so is the quantile.
        assert clustered.high - clustered.low == pytest.approx(plain.high - plain.low, rel=0.04)
        assert clustered.method.endswith("by cluster")


def test_a_band_of_clustered_rows_is_computed_by_cluster():
    # Each row seen ten times, and known to be: the band is that of the rows seen once.
    repeated = to.evaluate(
        actual=np.repeat(ACTUAL, 10),
        score=np.repeat(SCORES["a"], 10),
        cluster=np.repeat(np.arange(len(ACTUAL)), 10),
    )

    for name in ("roc", "gains"):
        options = {"at": [0.2, 0.5], "sampling": "random"}
        once, tenfold = (e.band(name, **options) for e in (FAIR, repeated))
        assert tenfold.high - tenfold.low == pytest.approx(once.high - once.low, rel=0.04)


@every_kind
def test_rejected_rows_belong_to_their_class(kind):
    # A third of the positives has no score: no threshold finds them, so no more than about two
    # thirds may ever be found, up to what 30 rows leave open.
    scores = np.where(np.arange(60) % 3 == 0, np.nan, np.arange(60.0))
    e = to.evaluate(actual=[0] * 30 + [1] * 30, score=scores, missing="reject")
    band = e.band("roc", at=[0.5], kind=kind)

    assert band.middle[0] == pytest.approx(2 / 3)
    assert band.low[0] < 2 / 3 < band.high[0] < 0.95


@every_kind
@pytest.mark.parametrize("name", ["roc", "precision_recall", "gains"])
def test_a_band_of_bins_contains_that_of_all_scores(name, kind):
    random = np.random.default_rng(0)
    actual = random.random(3000) < 0.2
    all_scores = to.evaluate(actual=actual, score=random.normal(size=3000) + 1.4 * actual)
    bins = to.Evaluation({"bins": all_scores.ranking.within(64)})
    options = {"kind": kind, "at": GRID[1:-1], "sampling": "random"}
    exact, around = (e.band(name, **options) for e in (all_scores, bins))

    assert (around.low <= exact.low + 1e-9).all()
    assert (around.high >= exact.high - 1e-9).all()
    assert (around.high - around.low).mean() < 2 * (exact.high - exact.low).mean()
    assert around.method.endswith("for every order inside bins")


def test_a_single_positive_gives_a_very_wide_band():
    e = to.evaluate(actual=[1] + [0] * 20, score=range(21, 0, -1))

    for band in bands(e, "roc", at=[0.5]):
        assert band.low[0] < 0.2
        assert band.high[0] == 1


# Curves over a threshold, and others that follow from the counts.


@every_kind
@pytest.mark.parametrize("options", [
    {"name": "ks"},
    {"name": "expected_cost", "costs": to.Costs(false_negative=5)},
    {"name": "profit", "costs": to.Costs(true_positive=-3, false_positive=1, fixed=2)},
    {"name": "predictive_values", "threshold": 0.4},
    {"name": "net_benefit"},
    {"name": "brier"},
    {"x": "threshold", "y": "accuracy"},
    {"x": "fpr", "y": "matthews_correlation"},
])  # fmt: skip
def test_every_curve_of_counts_has_a_band(options, kind):
    probabilities = 1 / (1 + np.exp(-SCORES["a"]))
    e = to.evaluate(actual=ACTUAL, score=probabilities)
    band = e.band(kind=kind, sampling="random", **options)
    is_finite = np.isfinite(band.middle)

    assert (band.low[is_finite] <= band.middle[is_finite] + 1e-9).all()
    assert (band.middle[is_finite] <= band.high[is_finite] + 1e-9).all()
    assert (band.high - band.low)[is_finite].max() > 0.01


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("risk_coverage", "two thresholds that vary together"),
        ("accuracy_rejection", "two thresholds that vary together"),
        ("cost", "the best thresholds of this sample"),
        ("bin_lift", "its bins depend on the sample"),
        ("calibration", "a reliability diagram has bands of its own"),
    ],
)
@every_kind
def test_curves_without_a_band_say_why(name, why, kind):
    with pytest.raises(InputError, match=why):
        FAIR.band(name, kind=kind)


def test_costs_that_differ_from_row_to_row_have_no_band():
    e = to.evaluate(
        actual=[0, 1, 0, 1],
        score=[0.1, 0.4, 0.35, 0.8],
        costs=to.Costs(false_negative=[1.0, 2.0, 3.0, 4.0]),
    )

    with pytest.raises(InputError, match="no band of guaranteed coverage, as costs differ"):
        e.band("expected_cost")


def test_a_band_needs_rows_of_both_classes():
    one_class = to.evaluate(actual=["yes"] * 3, score=[1, 2, 3], positive="yes")

    with pytest.raises(InputError, match="undefined everywhere"):
        one_class.band("roc")
    with pytest.raises(InputError, match="A band needs rows of both classes, but no row belongs"):
        one_class.band("precision_recall")


# What they are asked, and what they say.


def test_by_default_a_band_is_at_the_curves_points_and_a_grid():
    long = to.evaluate(actual=np.arange(4000) % 2, score=np.sin(np.arange(4000.0)))
    band = FAIR.band("roc")

    assert set(FAIR.curve("roc").x) <= set(band.x)
    assert set(np.linspace(0, 1, 201)) <= set(band.x)
    assert (np.diff(band.x) > 0).all()
    assert len(long.band("roc").x) <= 1201


def test_linear_interpolation_of_a_band_contains_the_band_between_its_points():
    # At places of one's own a band is as wide as it must be there; the drawn one holds it at
    # every place in between.
    default = FAIR.band("roc", kind="simultaneous")
    x = (default.x[:-1] + default.x[1:]) / 2
    between = FAIR.band("roc", kind="simultaneous", at=x)

    assert (np.interp(x, default.x, default.low) <= between.low + 1e-12).all()
    assert (np.interp(x, default.x, default.high) >= between.high - 1e-12).all()


def test_a_single_x_makes_a_band_of_one_point():
    band = FAIR.band("roc", at=0.25)

    assert band.x.tolist() == [0.25]
    assert {name: len(values) for name, values in band.columns().items()} == {
        "x": 1, "low": 1, "middle": 1, "high": 1,
    }  # fmt: skip


def test_a_band_names_its_method():
    point, whole = bands(FAIR, "roc")

    assert point.method.startswith("Jeffreys intervals profiled over thresholds (after Claeskens")
    assert whole.method.startswith("equal local levels (Weine, McPeek & Abney 2023) prof")
    assert whole.method.endswith("conservative")
    assert (point.kind, point.level) == ("pointwise", 0.95)


def test_a_band_is_deterministic():
    first, second = (FAIR.band("gains", kind="simultaneous", seed=seed) for seed in (0, 1))

    assert first.low.tolist() == second.low.tolist()
    assert first.high.tolist() == second.high.tolist()


def test_an_unknown_kind_suggests_the_nearest_one():
    with pytest.raises(UnknownName, match=r"'simultanous'\. Did you mean 'simultaneous'\?"):
        FAIR.band("roc", kind="simultanous")


def test_heights_outside_a_curve_are_undefined():
    band = FAIR.band("precision_recall", at=[-0.5, 0.5])

    assert math.isnan(band.low[0])
    assert 0 < band.low[1] < band.high[1] <= 1


def test_the_level_is_checked():
    with pytest.raises(InputError, match="A level must be between 0 and 1"):
        FAIR.band("roc", level=95)


# By drawing rows again, where that is asked for by name.


def heights(x, replicates):
    """The ROC curve of every draw, read one height at a time."""

    def judge(resamples):
        return np.array(
            [
                [to.Evaluation({"": ranking}).curve("roc").y_at(at) for at in x]
                for ranking in resamples
            ]
        )

    return bootstrap(RankedRows(FAIR.ranking), judge, Confidence(replicates=replicates))


def test_a_bootstrap_band_is_the_percentiles_of_each_height():
    x = [0.1, 0.35, 0.8]
    band = FAIR.band("roc", at=x, replicates=150, method="bootstrap", level=0.9)
    expected = np.quantile(heights(x, 150), [0.05, 0.5, 0.95], axis=0)

    assert np.array([band.low, band.middle, band.high]) == pytest.approx(expected)
    assert "150 resamples, seed 0" in band.method


@pytest.mark.parametrize("stratified", [True, False])
def test_the_fast_bootstrap_of_roc_curves_is_the_general_one(stratified):
    options = {
        "at": GRID,
        "sampling": "by class" if stratified else "random",
        "replicates": 200,
        "method": "bootstrap",
    }
    fast, general = FAIR.band("roc", **options), FAIR.band(x="fpr", y="tpr", **options)

    for name in ("low", "middle", "high"):
        assert getattr(fast, name) == pytest.approx(getattr(general, name))


def test_resamples_without_positives_are_left_out_of_a_band():
    rare = to.evaluate(actual=[1] * 3 + [0] * 40, score=[9.0, 30.0, 35.0, *range(40)])
    options = {"at": GRID, "sampling": "random", "method": "bootstrap"}
    fast, general = rare.band("roc", **options), rare.band(x="fpr", y="tpr", **options)

    assert np.isfinite([fast.low, fast.middle, fast.high]).all()
    assert fast.low == pytest.approx(general.low)
    assert fast.high == pytest.approx(general.high)


def test_curves_without_a_closed_form_band_have_a_bootstrap_band():
    band = FAIR.band("risk_coverage", at=[0.5], method="bootstrap", replicates=50)

    assert band.low[0] <= band.middle[0] <= band.high[0]


def test_bootstrap_bands_resample_clusters():
    once = FAIR.band("roc", at=[0.2, 0.5], method="bootstrap")
    repeated = to.evaluate(
        actual=np.repeat(ACTUAL, 10),
        score=np.repeat(SCORES["a"], 10),
        cluster=np.repeat(np.arange(len(ACTUAL)), 10),
    ).band("roc", at=[0.2, 0.5], method="bootstrap")

    assert repeated.high - repeated.low == pytest.approx(once.high - once.low, rel=0.25)


def test_the_number_of_replicates_is_checked():
    with pytest.raises(InputError, match="replicates must be at least 2"):
        FAIR.band("roc", replicates=1, method="bootstrap")
