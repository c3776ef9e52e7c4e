"""Confidence bands for curves: limits by hand, coverage, invariances, and curves without a band."""

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
EVALUATION = to.evaluate(actual=ACTUAL, score=SCORES["a"])
GRID = np.linspace(0, 1, 21)
KINDS = ("pointwise", "simultaneous")
RATE_CURVES = ("roc", "precision_recall", "gains", "lift", "det", "precision_recall_gain")
every_kind = pytest.mark.parametrize("kind", KINDS)


def bands(evaluation, name, **options):
    return [evaluation.band(name, kind=kind, **options) for kind in KINDS]


def assert_same_limits(band, other, **tolerance):
    for name in ("low", "high"):
        assert getattr(band, name) == pytest.approx(getattr(other, name), **tolerance)


# Coverage; tests/simulations contains the full study.


def test_a_simultaneous_band_covers_the_whole_true_curve():
    # The earlier band of bootstrap percentiles covered it in 2 to 9 of 100 samples.
    assert simultaneous_coverage("roc", 100, Population(0.3, 0.85), sets=60) >= 0.93


def test_a_pointwise_band_covers_the_true_curve_where_all_positives_are_found():
    # At a false positive rate of 0.9, the earlier band covered it in 24 to 57 of 100 samples.
    assert pointwise_coverage("roc", 100, Population(0.3, 0.85), sets=60)[-1] >= 0.93


# Limits, by hand.


def test_a_band_over_thresholds_has_the_interval_for_a_proportion():
    # Of ten positives, 7 score 0.5 or more, and all score 0.2 or more. The true positive rate at a
    # threshold depends on nothing else, so its limits are Jeffreys' for 7 and for 10 of 10.
    scores = [0.9, 0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.3, 0.3, 0.2, 0.1, 0.1]
    e = to.evaluate(actual=[1] * 10 + [0] * 2, score=scores)
    band = e.band(x="threshold", y="tpr", at=[0.5, 0.2])

    assert (band.low[0], band.high[0]) == pytest.approx(jeffreys_interval(7, 10))
    assert band.low[1] == pytest.approx(jeffreys_interval(10, 10)[0])
    assert band.high[1] == 1
    assert band.middle.tolist() == [0.7, 1.0]


def test_a_simultaneous_band_over_thresholds_is_an_exact_interval_at_a_higher_level():
    # With ten rows, ten local intervals of z standard errors have a simultaneous level of 95%. If
    # none of ten positives is missed, the lower limit is tail ** (1 / 10).
    scores = [0.9, 0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.3, 0.3, 0.2, 0.1, 0.1]
    e = to.evaluate(actual=[1] * 10 + [0] * 2, score=scores)
    band = e.band(x="threshold", y="tpr", at=[0.5, 0.2], kind="simultaneous")

    tail = 0.5 * math.erfc(band_critical_value(10, 0.95) / math.sqrt(2))
    assert tail < 0.025 / 3
    assert band.low[1] == pytest.approx(tail**0.1)
    low, high = clopper_pearson_interval(7, 10, 1 - 2 * tail)
    assert (band.low[0], band.high[0]) == pytest.approx((float(low), float(high)))


def test_with_very_many_negatives_the_roc_band_is_the_interval_for_the_tpr():
    # A million negatives determine the threshold at a false positive rate: 8 of the 20 positives
    # lie above it, and the band is Jeffreys' interval for 8 of 20.
    negatives = np.linspace(0, 1, 1_000_001)
    positives = np.array([0.95] * 8 + [0.5] * 12)
    e = to.evaluate(actual=np.arange(1_000_021) < 20, score=np.concatenate([positives, negatives]))
    band = e.band("roc", at=0.2)

    assert (band.low[0], band.high[0]) == pytest.approx(jeffreys_interval(8, 20), abs=1e-3)


def test_a_roc_band_at_fpr_0_is_0_to_1():
    # No negative ranks above the 5 positives: at a false positive rate of 0, any rate is plausible.
    e = to.evaluate(actual=[1] * 5 + [0] * 5, score=range(10, 0, -1))

    for band in bands(e, "roc", at=[0.0]):
        assert (band.low[0], band.high[0]) == (0, 1)


# Monotonicity and invariances.


@every_kind
@pytest.mark.parametrize("name", RATE_CURVES)
@pytest.mark.parametrize("stratified", [True, False])
def test_bands_contain_their_curve(name, kind, stratified):
    band = EVALUATION.band(name, kind=kind, sampling="by class" if stratified else "random")
    is_finite = np.isfinite(band.middle)

    assert is_finite.any()
    assert (band.low[is_finite] <= band.middle[is_finite] + 1e-12).all()
    assert (band.middle[is_finite] <= band.high[is_finite] + 1e-12).all()


@pytest.mark.parametrize("name", RATE_CURVES)
def test_a_simultaneous_band_is_wider_than_a_pointwise_one(name):
    x = GRID[1:-1]
    pointwise, simultaneous = bands(EVALUATION, name, at=x, sampling="random")

    assert (simultaneous.low <= pointwise.low + 1e-12).all()
    assert (simultaneous.high >= pointwise.high - 1e-12).all()
    widths = [(band.high - band.low).sum() for band in (pointwise, simultaneous)]
    assert widths[1] > 1.1 * widths[0]


@every_kind
def test_a_higher_level_makes_a_wider_band(kind):
    narrow, wide = (EVALUATION.band("roc", at=GRID, kind=kind, level=level) for level in (0.5, 0.9))

    assert (wide.low <= narrow.low).all()
    assert (wide.high >= narrow.high).all()
    assert (narrow.middle == wide.middle).all()


@every_kind
def test_more_rows_make_a_narrower_band(kind):
    larger = to.evaluate(actual=np.tile(ACTUAL, 4), score=np.tile(SCORES["a"], 4))
    few, many = (e.band("roc", at=GRID, kind=kind) for e in (EVALUATION, larger))

    assert (many.high - many.low <= few.high - few.low + 1e-12).all()
    assert (many.high - many.low)[5] < 0.6 * (few.high - few.low)[5]


rows = st.lists(st.tuples(st.booleans(), st.integers(0, 12)), min_size=2, max_size=40).filter(
    lambda sample: len({positive for positive, _ in sample}) == 2
)


@given(rows, st.sampled_from(KINDS), st.sampled_from(["roc", "precision_recall", "gains"]))
def test_only_the_order_of_scores_matters(sample, kind, name):
    actual, score = (np.array(column) for column in zip(*sample, strict=True))
    original, transformed, negated = (
        to.evaluate(actual=actual, score=scores, **options).band(name, kind=kind, at=GRID)
        for scores, options in (
            (score, {}),
            (np.exp(score / 4), {}),
            (-score, {"lower_is_positive": True}),
        )
    )

    assert_same_limits(transformed, original, nan_ok=True)
    assert_same_limits(negated, original, nan_ok=True)


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
    roc, det, gains, lift = (EVALUATION.band(n, **options) for n in ("roc", "det", "gains", "lift"))

    assert det.low == pytest.approx(1 - roc.high)
    assert det.high == pytest.approx(1 - roc.low)
    assert lift.low == pytest.approx(gains.low / x)
    assert lift.high == pytest.approx(gains.high / x)


@every_kind
@pytest.mark.parametrize("name", ["roc", "precision_recall", "gains", "lift", "det"])
def test_the_fast_envelope_is_the_envelope_of_all_rankings(name, kind):
    region = ConfidenceRegion.of(EVALUATION.ranking, 0.95, simultaneous=kind == "simultaneous")
    rankings = list(region.rankings(vary_prevalence=True, is_ordered=True))
    fast = band_envelope(EVALUATION.curve(name), {"name": name}, rankings, GRID)
    reference = np.concatenate([any_curve(ranking, name).limits(GRID) for ranking in rankings])

    assert fast[0] == pytest.approx(np.nanmin(reference, axis=0), abs=1e-9, nan_ok=True)
    assert fast[1] == pytest.approx(np.nanmax(reference, axis=0), abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("name", ["roc", "det", "gains", "precision_recall"])
def test_ordered_shifts_of_both_rates_span_the_whole_envelope(name):
    region = ConfidenceRegion.of(EVALUATION.ranking, 0.95)
    ordered_envelope, full_envelope = (
        band_envelope(
            EVALUATION.curve(name),
            {"name": name},
            region.rankings(vary_prevalence=False, is_ordered=ordered),
            GRID,
        )
        for ordered in (True, False)
    )

    assert ordered_envelope[0] == pytest.approx(full_envelope[0], nan_ok=True)
    assert ordered_envelope[1] == pytest.approx(full_envelope[1], nan_ok=True)


# Prevalence, weights, clusters, rejected rows and bins.


def test_an_estimated_prevalence_widens_bands_that_depend_on_it():
    for name in ("precision_recall", "gains"):
        fixed, estimated = (
            EVALUATION.band(name, at=GRID[1:-1], sampling="by class" if s else "random")
            for s in (True, False)
        )
        assert (estimated.high - estimated.low).sum() > 1.02 * (fixed.high - fixed.low).sum()

    fixed, estimated = (
        EVALUATION.band("roc", at=GRID, sampling="by class" if s else "random")
        for s in (True, False)
    )
    assert_same_limits(estimated, fixed)


@every_kind
def test_equal_weights_leave_bands_unchanged(kind):
    weighted = to.evaluate(
        actual=ACTUAL,
        score=SCORES["a"],
        weight=np.full(len(ACTUAL), 2.5),
        weight_means="importance",
    )

    for name in ("roc", "precision_recall"):
        options = {"at": GRID, "kind": kind, "sampling": "random"}
        assert_same_limits(
            weighted.band(name, **options), EVALUATION.band(name, **options), nan_ok=True
        )


def test_an_unobserved_row_is_weighted_like_its_neighbours():
    # Positives of weights 1, 1, 1, 1 at the top and 6 at the bottom, 10 in total. At the bottom,
    # the next one would weigh 6: a rate of 1 is based on 10 / 6 rows. At the top, it would weigh as
    # much as the average row, 40 / 10 = 4: a rate of 0 is based on 10 / 4 rows.
    e = to.evaluate(
        actual=[1] * 5 + [0] * 2,
        score=[9, 8, 7, 6, 2, 1, 3],
        weight=[1.0, 1.0, 1.0, 1.0, 6.0, 1.0, 1.0],
        weight_means="importance",
    )
    band = e.band(x="threshold", y="tpr", at=[2, 10])

    assert band.low[0] == pytest.approx(float(jeffreys_interval(10 / 6, 10 / 6)[0]))
    assert band.high[1] == pytest.approx(float(jeffreys_interval(0, 10 / 4)[1]))


def test_unequal_weights_widen_bands():
    weights = np.where(np.arange(len(ACTUAL)) % 2, 0.1, 1.9)
    weighted = to.evaluate(
        actual=ACTUAL, score=SCORES["a"], weight=weights, weight_means="importance"
    ).band("roc", at=GRID)
    plain = EVALUATION.band("roc", at=GRID)

    assert (weighted.high - weighted.low).mean() > 1.15 * (plain.high - plain.low).mean()


@every_kind
def test_clusters_of_one_row_give_bands_as_wide_as_independent_rows(kind):
    single_row_clusters = to.evaluate(
        actual=ACTUAL, score=SCORES["a"], cluster=np.arange(len(ACTUAL))
    )

    for name in ("roc", "precision_recall"):
        options = {"at": [0.2, 0.5, 0.8], "kind": kind, "sampling": "random"}
        clustered, plain = (e.band(name, **options) for e in (single_row_clusters, EVALUATION))
        # Both the variances and the t quantile have one degree of freedom less.
        assert clustered.high - clustered.low == pytest.approx(plain.high - plain.low, rel=0.04)
        assert clustered.method.endswith("by cluster")


def test_a_band_of_clustered_rows_is_computed_by_cluster():
    # Each cluster contains ten copies of a row: the band is that of the rows without copies.
    repeated = to.evaluate(
        actual=np.repeat(ACTUAL, 10),
        score=np.repeat(SCORES["a"], 10),
        cluster=np.repeat(np.arange(len(ACTUAL)), 10),
    )

    for name in ("roc", "gains"):
        options = {"at": [0.2, 0.5], "sampling": "random"}
        once, tenfold = (e.band(name, **options) for e in (EVALUATION, repeated))
        assert tenfold.high - tenfold.low == pytest.approx(once.high - once.low, rel=0.04)


@every_kind
def test_rejected_rows_belong_to_their_class(kind):
    # A third of the positives have no score and are never found, so the true positive rate cannot
    # exceed about two thirds, up to the uncertainty of 30 rows.
    scores = np.where(np.arange(60) % 3 == 0, np.nan, np.arange(60.0))
    e = to.evaluate(actual=[0] * 30 + [1] * 30, score=scores, missing="reject")
    band = e.band("roc", at=[0.5], kind=kind)

    assert band.middle[0] == pytest.approx(2 / 3)
    assert band.low[0] < 2 / 3 < band.high[0] < 0.95


@every_kind
@pytest.mark.parametrize("name", ["roc", "precision_recall", "gains"])
def test_a_band_for_a_binned_ranking_contains_that_of_the_exact_ranking(name, kind):
    random = np.random.default_rng(0)
    actual = random.random(3000) < 0.2
    unbinned = to.evaluate(actual=actual, score=random.normal(size=3000) + 1.4 * actual)
    binned = to.Evaluation({"bins": unbinned.ranking.within(64)})
    options = {"kind": kind, "at": GRID[1:-1], "sampling": "random"}
    exact, outer = (e.band(name, **options) for e in (unbinned, binned))

    assert (outer.low <= exact.low + 1e-9).all()
    assert (outer.high >= exact.high - 1e-9).all()
    assert (outer.high - outer.low).mean() < 2 * (exact.high - exact.low).mean()
    assert outer.method.endswith("for every order inside bins")


def test_a_single_positive_gives_a_very_wide_band():
    e = to.evaluate(actual=[1] + [0] * 20, score=range(21, 0, -1))

    for band in bands(e, "roc", at=[0.5]):
        assert band.low[0] < 0.2
        assert band.high[0] == 1


# Curves over thresholds, and other functions of counts.


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
def test_every_function_of_counts_has_a_band(options, kind):
    probabilities = 1 / (1 + np.exp(-SCORES["a"]))
    e = to.evaluate(actual=ACTUAL, score=probabilities)
    band = e.band(kind=kind, sampling="random", **options)
    is_finite = np.isfinite(band.middle)

    assert (band.low[is_finite] <= band.middle[is_finite] + 1e-9).all()
    assert (band.middle[is_finite] <= band.high[is_finite] + 1e-9).all()
    assert (band.high - band.low)[is_finite].max() > 0.01


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("risk_coverage", "two thresholds that vary together"),
        ("accuracy_rejection", "two thresholds that vary together"),
        ("cost", "the best thresholds of this sample"),
        ("bin_lift", "its bins depend on the sample"),
        ("calibration", "a reliability diagram has bands of its own"),
    ],
)
@every_kind
def test_curves_without_a_band_give_the_reason(name, reason, kind):
    with pytest.raises(InputError, match=reason):
        EVALUATION.band(name, kind=kind)


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


# Arguments and results.


def test_by_default_a_band_is_at_the_curves_points_and_a_grid():
    many_rows = to.evaluate(actual=np.arange(4000) % 2, score=np.sin(np.arange(4000.0)))
    band = EVALUATION.band("roc")

    assert set(EVALUATION.curve("roc").x) <= set(band.x)
    assert set(np.linspace(0, 1, 201)) <= set(band.x)
    assert (np.diff(band.x) > 0).all()
    assert len(many_rows.band("roc").x) <= 1201


def test_linear_interpolation_of_a_simultaneous_band_contains_the_band_in_between():
    # At given x, a band is as narrow as possible; the default band is widened so that it also
    # covers everything between its points.
    default = EVALUATION.band("roc", kind="simultaneous")
    x = (default.x[:-1] + default.x[1:]) / 2
    between = EVALUATION.band("roc", kind="simultaneous", at=x)

    assert (np.interp(x, default.x, default.low) <= between.low + 1e-12).all()
    assert (np.interp(x, default.x, default.high) >= between.high - 1e-12).all()


def test_a_single_x_makes_a_band_of_one_point():
    band = EVALUATION.band("roc", at=0.25)

    assert band.x.tolist() == [0.25]
    assert {name: len(values) for name, values in band.columns().items()} == {
        "x": 1, "low": 1, "middle": 1, "high": 1,
    }  # fmt: skip


def test_a_band_names_its_method():
    pointwise, simultaneous = bands(EVALUATION, "roc")

    assert pointwise.method.startswith(
        "Jeffreys intervals profiled over thresholds (after Claeskens"
    )
    assert simultaneous.method.startswith("equal local levels (Weine, McPeek & Abney 2023) prof")
    assert simultaneous.method.endswith("conservative")
    assert (pointwise.kind, pointwise.level) == ("pointwise", 0.95)


def test_a_band_is_deterministic():
    first, second = (EVALUATION.band("gains", kind="simultaneous", seed=seed) for seed in (0, 1))

    assert first.low.tolist() == second.low.tolist()
    assert first.high.tolist() == second.high.tolist()


def test_an_unknown_kind_suggests_the_nearest_one():
    with pytest.raises(UnknownName, match=r"'simultanous'\. Did you mean 'simultaneous'\?"):
        EVALUATION.band("roc", kind="simultanous")


def test_bands_are_undefined_outside_the_range_of_their_curve():
    band = EVALUATION.band("precision_recall", at=[-0.5, 0.5])

    assert math.isnan(band.low[0])
    assert 0 < band.low[1] < band.high[1] <= 1


def test_a_level_must_be_between_0_and_1():
    with pytest.raises(InputError, match="A level must be between 0 and 1"):
        EVALUATION.band("roc", level=95)


# Bootstrap bands, on request.


def bootstrap_heights(x, replicates):
    """Heights of the ROC curve of every resample, read off one at a time."""

    def roc_heights(resamples):
        return np.array(
            [
                [to.Evaluation({"": ranking}).curve("roc").y_at(value) for value in x]
                for ranking in resamples
            ]
        )

    return bootstrap(RankedRows(EVALUATION.ranking), roc_heights, Confidence(replicates=replicates))


def test_a_bootstrap_band_has_the_percentiles_of_resampled_heights():
    x = [0.1, 0.35, 0.8]
    band = EVALUATION.band("roc", at=x, replicates=150, method="bootstrap", level=0.9)
    expected = np.quantile(bootstrap_heights(x, 150), [0.05, 0.5, 0.95], axis=0)

    assert np.array([band.low, band.middle, band.high]) == pytest.approx(expected)
    assert "150 resamples, seed 0" in band.method


@pytest.mark.parametrize("stratified", [True, False])
def test_the_fast_bootstrap_of_roc_curves_equals_the_general_one(stratified):
    options = {
        "at": GRID,
        "sampling": "by class" if stratified else "random",
        "replicates": 200,
        "method": "bootstrap",
    }
    fast, general = EVALUATION.band("roc", **options), EVALUATION.band(x="fpr", y="tpr", **options)

    for name in ("low", "middle", "high"):
        assert getattr(fast, name) == pytest.approx(getattr(general, name))


def test_resamples_without_positives_are_ignored_in_bands():
    few_positives = to.evaluate(actual=[1] * 3 + [0] * 40, score=[9.0, 30.0, 35.0, *range(40)])
    options = {"at": GRID, "sampling": "random", "method": "bootstrap"}
    fast = few_positives.band("roc", **options)
    general = few_positives.band(x="fpr", y="tpr", **options)

    assert np.isfinite([fast.low, fast.middle, fast.high]).all()
    assert fast.low == pytest.approx(general.low)
    assert fast.high == pytest.approx(general.high)


def test_curves_without_a_closed_form_band_have_a_bootstrap_band():
    band = EVALUATION.band("risk_coverage", at=[0.5], method="bootstrap", replicates=50)

    assert band.low[0] <= band.middle[0] <= band.high[0]


def test_bootstrap_bands_resample_clusters():
    once = EVALUATION.band("roc", at=[0.2, 0.5], method="bootstrap")
    repeated = to.evaluate(
        actual=np.repeat(ACTUAL, 10),
        score=np.repeat(SCORES["a"], 10),
        cluster=np.repeat(np.arange(len(ACTUAL)), 10),
    ).band("roc", at=[0.2, 0.5], method="bootstrap")

    assert repeated.high - repeated.low == pytest.approx(once.high - once.low, rel=0.25)


def test_a_bootstrap_band_needs_two_replicates():
    with pytest.raises(InputError, match="replicates must be at least 2"):
        EVALUATION.band("roc", replicates=1, method="bootstrap")
