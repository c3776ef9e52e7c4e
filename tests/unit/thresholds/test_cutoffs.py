"""Tables of cut-offs: hand-worked counts, which cut-offs are listed, and out-of-bag estimates."""

import math

import numpy as np
import pytest
from golden.reference import DATA, table

import tradeoff as to
from tradeoff.errors import InputError
from tradeoff.thresholds.cutoffs import MAX_CUTOFFS_WITH_INTERVALS

SAH = to.evaluate(str(DATA / "proc_aSAH_data.csv"), actual="poor", score="s100b")


def cutoffs(evaluation, *arguments, **options):
    (result,) = evaluation.cutoffs(*arguments, **options).tables
    return result.cutoffs


def test_a_row_of_the_table_worked_by_hand():
    (cutoff,) = cutoffs(SAH, 0.22)
    values = {name: estimate.value for name, estimate in cutoff.estimates.items()}

    assert cutoff.label == "Youden"
    assert cutoff.confusion.counts.tolist() == [[26, 15], [14, 58]]
    assert values == {
        "true_positive_rate": pytest.approx(26 / 41),
        "true_negative_rate": pytest.approx(58 / 72),
        "precision": pytest.approx(26 / 40),
        "negative_predictive_value": pytest.approx(58 / 73),
        "positive_likelihood_ratio": pytest.approx((26 / 41) / (14 / 72)),
        "negative_likelihood_ratio": pytest.approx((15 / 41) / (58 / 72)),
    }


def test_intervals_are_those_of_the_evaluation():
    for cutoff in cutoffs(SAH):
        for name, estimate in cutoff.estimates.items():
            assert estimate == SAH.metric(name, cutoff.threshold)


def test_all_cutoffs_are_those_of_proc():
    proc = table("proc_s100b_coords_all.csv")
    listed = cutoffs(SAH, everything=True)

    ours = {
        (
            round(c.estimates["true_positive_rate"].value, 12),
            round(c.estimates["true_negative_rate"].value, 12),
        )
        for c in listed
    }
    theirs = {
        (round(float(tpr), 12), round(float(tnr), 12))
        for tpr, tnr in zip(proc["sensitivity"], proc["specificity"], strict=True)
    }
    assert ours == theirs - {(0.0, 1.0)}  # nobody is positive at a cut-off of infinity


def test_default_cutoffs_include_youdens_are_round_and_differ_in_their_predictions():
    rng = np.random.default_rng(3)
    actual = rng.random(3000) < 0.2
    evaluation = to.evaluate(actual.astype(int), 37.5 + 4 * rng.normal(size=3000) + 4 * actual)
    listed = cutoffs(evaluation, metric=["tpr"])
    matrices = [tuple(c.confusion.counts.ravel().tolist()) for c in listed]

    assert len(set(matrices)) == len(listed) == 8
    (youden,) = (c.threshold for c in listed if c.label)
    assert youden == evaluation.best("youden").threshold
    assert all(
        len(f"{c.threshold:.10g}".replace(".", "")) <= 3 for c in listed if c.threshold != youden
    )
    depths = [float(c.confusion.predicted_positives / c.confusion.rows) for c in listed]
    assert depths == sorted(depths, reverse=True)


def test_a_short_scale_is_listed_completely():
    evaluation = to.evaluate([0, 0, 1, 1, 1], {"grade": [1, 2, 2, 3, 5]})

    assert [c.threshold for c in cutoffs(evaluation)] == [1, 2, 3, 5]


def test_low_scores_may_mean_positive():
    evaluation = to.evaluate([1, 1, 0, 0, 0], {"t": [1, 2, 3, 4, 2]}, lower_is_positive=True)
    listed = cutoffs(evaluation, [2, 3])

    assert [c.threshold for c in listed] == [3, 2]
    assert listed[1].confusion.counts.tolist() == [[2, 0], [1, 2]]
    assert str(evaluation.cutoffs([2])).splitlines()[2].startswith("t ≤")


def test_predictive_values_follow_the_prevalence_and_rates_do_not():
    (here,) = cutoffs(SAH, 0.22)
    rare = to.evaluate(
        str(DATA / "proc_aSAH_data.csv"), actual="poor", score="s100b", prevalence=0.1
    )
    (there,) = cutoffs(rare, 0.22)
    tpr, fpr = 26 / 41, 14 / 72

    ppv = 0.1 * tpr / (0.1 * tpr + 0.9 * fpr)
    assert there.estimates["precision"].value == pytest.approx(ppv)
    assert there.estimates["true_positive_rate"].value == pytest.approx(tpr)
    assert there.confusion == here.confusion


def test_many_cutoffs_have_no_intervals_and_a_note_that_says_so():
    size = MAX_CUTOFFS_WITH_INTERVALS + 2
    evaluation = to.evaluate(np.arange(size) % 2, np.arange(size))
    result = evaluation.cutoffs(everything=True, metric="tpr")

    assert len(result.tables[0].cutoffs) == size
    assert not any(c.estimates["true_positive_rate"].has_interval for c in result.tables[0].cutoffs)
    assert "Note: no intervals: more than 1,000 cut-offs are listed." in str(result)


def test_out_of_bag_estimates_are_those_of_the_out_of_bag_bootstrap():
    out_of_bag = SAH.cutoffs(out_of_bag=True, replicates=200).tables[0].out_of_bag
    estimate = SAH.best("youden").check(replicates=200)
    sensitivity, specificity = (
        out_of_bag.estimates[name] for name in ("true_positive_rate", "true_negative_rate")
    )

    # The mean of J over resamples there, J of the added counts here.
    youden = sensitivity.value + specificity.value - 1
    assert youden == pytest.approx(estimate.estimate.value, abs=0.01)
    assert tuple(out_of_bag.thresholds) == pytest.approx(tuple(estimate.thresholds))
    assert youden < SAH.best("youden").value  # optimism
    for value in out_of_bag.estimates.values():
        assert value.low <= value.value <= value.high


def test_out_of_bag_predictive_values_and_ratios_agree_with_its_rates():
    estimates = SAH.cutoffs(out_of_bag=True, replicates=50).tables[0].out_of_bag.estimates
    sensitivity, specificity = (
        estimates[name].value for name in ("true_positive_rate", "true_negative_rate")
    )

    ratio = estimates["positive_likelihood_ratio"].value
    assert ratio == pytest.approx(sensitivity / (1 - specificity))
    ratio = estimates["negative_likelihood_ratio"].value
    assert ratio == pytest.approx((1 - sensitivity) / specificity)


def test_out_of_bag_needs_independent_rows_and_both_classes():
    clustered = to.evaluate([0, 1, 0, 1], [1, 2, 3, 4], cluster=[1, 1, 2, 2])
    single = to.evaluate([0, 0, 1], [1, 2, 3])

    with pytest.raises(InputError, match="independent rows"):
        clustered.cutoffs(out_of_bag=True)
    with pytest.raises(InputError, match="rows of both classes"):
        single.cutoffs(out_of_bag=True, replicates=20)


def test_with_one_class_the_cutoffs_are_listed_all_the_same():
    evaluation = to.evaluate([1] * 20, {"a": list(range(20))}, positive=1)

    listed = cutoffs(evaluation)
    assert len(listed) > 3
    assert not any(c.label for c in listed)


def test_undefined_values_are_said():
    (cutoff,) = cutoffs(SAH, 5)

    assert math.isnan(cutoff.estimates["precision"].value)
    assert "undefined" in str(SAH.cutoffs(5))


def test_bad_cutoffs_are_refused():
    with pytest.raises(InputError, match="A cut-off must be a number"):
        SAH.cutoffs(["high"])
    with pytest.raises(InputError, match="Name at least one cut-off"):
        SAH.cutoffs([])


def test_without_intervals_the_values_are_the_same():
    data, options = str(DATA / "proc_aSAH_data.csv"), {"actual": "poor", "score": "s100b"}
    for more in ({}, {"prevalence": 0.1}, {"lower_is_positive": True}):
        exact, alone = (
            to.evaluate(data, **options, **more, level=level).cutoffs([0.1, 0.22, 5])
            for level in (0.95, None)
        )
        for first, second in zip(exact.tables[0].cutoffs, alone.tables[0].cutoffs, strict=True):
            assert (first.threshold, first.label) == (second.threshold, second.label)
            assert first.confusion == second.confusion
            for name, estimate in first.estimates.items():
                value = second.estimates[name]
                assert value.reason == estimate.reason
                assert value.value == pytest.approx(estimate.value, nan_ok=True)
