"""Decisions in extreme cases: huge counts and costs, infinite scores, rejected rows, types."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tradeoff as to
from tradeoff.core.ranked_models import RankedModels
from tradeoff.errors import InputError

nan, inf = math.nan, math.inf


def test_integer_costs_equal_floating_point_costs():
    rng = np.random.default_rng(0)
    e = to.evaluate(actual=rng.integers(0, 2, 10_000), score=rng.random(10_000))
    for costs in (
        {"false_positive": 10**6, "false_negative": 10**6},
        {"false_negative": 5 * 10**9},
    ):
        band = e.best_band(costs=to.Costs(**costs, rejected=10))
        real = e.best_band(costs=to.Costs(**{k: float(v) for k, v in costs.items()}, rejected=10.0))
        assert (band.band, band.value) == (real.band, real.value)
    campaign = to.Costs(5, 100, 0, 0, contact=1)
    assert e.best(costs=campaign).value == pytest.approx(
        e.best(costs=to.Costs(6.0, 100.0, 1.0, 0.0)).value
    )
    with pytest.raises(InputError, match="finite number, not None"):
        to.Costs(fixed=None)


@pytest.mark.parametrize("highest", [0.1, 0.3, 0.6, 0.7, -0.1, -0.2, 1.0, 0.0, 123.0, 1e-300])
def test_a_suggested_threshold_for_no_positives_lies_above_every_score(highest):
    e = to.evaluate(actual=[0, 1, 0], score=[highest, highest - 1, highest - 2])
    decision = e.best(costs=to.Costs(false_positive=10))

    assert decision.threshold == inf
    assert e.at(decision.suggestion) == decision.confusion


@pytest.mark.parametrize("low", [False, True])
def test_rows_with_missing_scores_ranked_last_can_be_predicted_positive(low):
    scores = np.array([0.9, 0.2, nan, nan]) * (-1 if low else 1)
    e = to.evaluate(actual=[1, 0, 1, 1], score=scores, missing="negative", lower_is_positive=low)
    decision = e.best("tpr", target=1.0)

    assert decision.confusion.true_positives == 3
    assert e.at(decision.suggestion) == decision.confusion


def test_an_infinite_score_is_never_predicted_negative_and_noted():
    e = to.evaluate(actual=[0, 1], score=[inf, 0.5])
    decision = e.best(costs=to.Costs(false_positive=10))

    assert "no threshold predicts all rows negative" in decision.notes[0]


def test_summaries_and_areas_ignore_rejected_rows():
    e = to.evaluate(actual=[1, 0, 1, 0, 1], score=[0.9, 0.2, 0.4, 0.5, nan], missing="reject")
    summaries = e.to_dict()["models"][0]["summaries"]

    accepted = to.evaluate(actual=[1, 0, 1, 0], score=[0.9, 0.2, 0.4, 0.5])
    assert summaries["pr_gain_area"]["value"] == accepted.summary("pr_gain_area").value
    gain = e.curve("precision_recall_gain")
    assert gain.area(-2.0, -1.0).value == 0  # negative gains have no area


def test_out_of_sample_values_are_on_the_scale_of_apparent_ones():
    rng = np.random.default_rng(1)
    actual = rng.integers(0, 2, 400)
    score = rng.normal(size=400) + actual
    plain = to.evaluate(actual=actual, score=score)
    costs, fixed = to.Costs(false_negative=3), to.Costs(false_negative=3, fixed=40)
    first, second = (plain.best(costs=c).check(replicates=50) for c in (costs, fixed))
    # The fixed cost adds 0.1 per row, in and out of sample.
    assert second.estimate.value == pytest.approx(first.estimate.value + 0.1, abs=1e-9)
    half = np.where(np.arange(400) % 2, score, nan)
    prices = {"false_negative": 3.0, "rejected": 1.0}
    for row_costs in (to.Costs(**prices), to.Costs(**{**prices, "rejected": np.ones(400)})):
        e = to.evaluate(actual=actual, score=half, missing="reject", costs=row_costs)
        check = e.best("cost").check(replicates=50)
        assert check.estimate.value == pytest.approx(check.apparent, abs=0.1)
    youden = to.evaluate(actual=actual, score=half, missing="reject").best("youden")
    assert youden.check(replicates=50).estimate.value < youden.value


def test_a_target_is_met_at_any_prevalence_and_with_any_weights():
    actual, score = [1, 0] * 4, np.arange(8, 0, -1.0)
    e = to.evaluate(actual=actual, score=score)
    light = to.evaluate(actual=actual, score=score, weight=[0.1] * 8)

    for target in (0.25, 0.5, 0.75, 1.0):
        for by in ("tpr", "fpr"):
            plain = e.best(by, target=target).threshold
            assert light.best(by, target=target).threshold == plain
            for prevalence in (0.03, 0.35, 0.7, 0.9):
                assert e.best(by, target=target, prevalence=prevalence).threshold == plain


def test_costs_of_rejected_rows_follow_the_prevalence():
    rows = {
        "actual": [1, 0, 1, 0, 1, 0, 0],
        "score": [0.9, 0.2, 0.4, 0.5, nan, nan, 0.1],
        "missing": "reject",
    }
    prices = {"false_negative": 4, "rejected_positive": 3, "rejected_negative": 1}
    scalar = to.evaluate(**rows, costs=to.Costs(false_positive=1, **prices))
    column = to.evaluate(**rows, costs=to.Costs(false_positive=np.ones(7), **prices))

    for prevalence in (None, 0.1, 0.9):
        spent = (e.expenses(0.4, prevalence=prevalence) for e in (scalar, column))
        assert next(spent) == pytest.approx(next(spent))
    both = to.Costs(rejected=[2.0] * 7, rejected_positive=5.0)
    assert to.evaluate(**rows, costs=both).expenses(0.4).total == 0 + 5 + 2 + 1


def test_the_fixed_cost_is_paid_with_the_first_contact():
    costs = to.Costs(0, 0, true_positive=-10, contact=1, fixed=20)
    e = to.evaluate(actual=[1, 0, 1, 0] * 5, score=[0.9] * 10 + [0.1] * 10, costs=costs)
    profit = e.curve("profit")

    assert (profit.x[:2].tolist(), profit.y[:2].tolist()) == ([0, 0], [0, -20])
    assert profit.y_at(1e-9) == pytest.approx(-20, abs=1e-6)
    assert profit.y_at(0.25) == pytest.approx(0)
    assert len(profit.columns()["threshold"]) == len(profit)
    assert e.curve("expected_cost").y_at(0.5) == pytest.approx(e.expenses(0.5).total / 20)
    with pytest.raises(InputError, match="when rows are read"):
        e.curve("expected_cost", costs=to.Costs(false_negative="x"))


def test_bin_lift_of_weighted_rows_infinite_scores_and_huge_counts():
    weighted = to.evaluate(actual=[0], score=[0.156], weight=[0.47735642271061984])
    assert weighted.curve("bin_lift", bins=3).columns()["rows"].sum() == pytest.approx(0.477356422)
    infinite = to.evaluate(actual=[1, 0, 1, 0, 1, 0], score=[inf, 0.9, 0.8, 0.3, 0.2, 0.1])
    means = infinite.curve("bin_lift", bins=3).columns()["mean_score"]
    assert means == pytest.approx([inf, 0.55, 0.15])
    huge = to.Evaluation({"h": to.ranking_of_ratings([10**18] * 2, [10**18] * 2, name="h")})
    assert huge.curve("bin_lift").columns()["rows"].tolist() == [4 * 10**17] * 10


def test_huge_counts_work_or_are_refused_with_a_reason():
    huge = to.Evaluation({"h": to.ranking_of_ratings([1, 10**12], [10**12, 1], name="h")})
    decision = huge.best("youden")
    with pytest.raises(InputError, match="too many to bootstrap"):
        decision.check()
    with pytest.raises(InputError, match="A window needs"):
        to.Evaluation({"h": to.ranking_of_ratings([10**12], [10**12], [0.5])}).curve(
            "calibration", by="window"
        )
    assert to.ranking_of_ratings([5 * 10**18] * 2, [1, 2]).rows == 10**19
    e = to.evaluate(actual=[1, 0], score=[0.9, 0.1])
    assert e.best_band(capacity=inf).confusion.rejected == 0


def test_a_coverage_limits_the_number_of_rejected_rows():
    rng = np.random.default_rng(5)
    actual = rng.integers(0, 2, 2000)
    e = to.evaluate(actual=actual, score=rng.random(2000))

    for share, most in ((0.9995, 1), (0.999, 2), (0.5, 1000), (1.0, 0)):
        decision = e.best_band(coverage=share)
        assert decision.notes[0].endswith(f"of at most {most:,} rows are rejected")


def test_a_classifier_reads_numbers_of_any_type():
    e = to.evaluate(actual=[1, 0, 1, 0], score={"all or none": [0.9, 0.1, 0.7, 0.2]})
    classifier = e.hull().classifier(fpr=0.0)
    column = [0.95, 0.1]

    for scores in (
        {"all or none": np.array(column, dtype=object)},
        {"all or none": ["0.95", "0.1"]},
        pd.DataFrame({"all or none": column}),
        pa.table({"all or none": column}),
        column,
        {"all or none": ["1", "0"]},
    ):
        assert classifier.positive_rows(scores).tolist() == [True, False]
    single = np.array([0.7], np.float32)  # below 0.7, as in a ranking
    assert not classifier.positive_rows(single)[0]
    for invalid in ([0.9, None], ["maybe", "0"]):
        with pytest.raises(InputError, match=r"missing|neither numbers"):
            classifier.positive_rows({"all or none": np.array(invalid, dtype=object)})


def test_undefined_areas_have_reasons():
    nothing = to.evaluate(actual=[0, 0], score=[0.9, 0.1])
    rejected = to.evaluate(actual=[1, 0], score=[0.9, nan], missing="reject")
    for curve in (nothing.curve("precision_recall"), rejected.curve("roc"), rejected.curve("det")):
        assert not curve.area().is_defined
        assert curve.area().reason
    assert math.isnan(nothing.curve("ks").y_at(nan))


def test_the_calibrated_band_is_on_the_scale_of_scores():
    costs = to.Costs(false_positive=1, false_negative=5, rejected=0.4)
    high = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.6, 0.9]).best_band(costs=costs)
    low = to.evaluate(
        actual=[0, 1, 0, 1], score=[0.9, 0.6, 0.4, 0.1], lower_is_positive=True
    ).best_band(costs=costs)

    assert low.calibrated == pytest.approx([1 - limit for limit in high.calibrated])
    assert low.confusion == high.confusion
    decision = to.evaluate(actual=[0, 1], score=[0.9, 0.1], lower_is_positive=True).best(
        costs=costs
    )
    assert decision.calibrated_threshold == pytest.approx(5 / 6)  # p >= 1/6 is score <= 5/6
    with pytest.raises(InputError, match="single number"):
        _ = to.Costs(false_negative="amount").calibrated_threshold


def test_a_hull_takes_prevalence_ranges_and_refuses_infinite_slopes():
    e = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1])
    hull = e.hull()

    assert hull.best(prevalence=[0.1, 0.9]) == hull.best(prevalence=(0.1, 0.9))
    with pytest.raises(InputError, match="slope of 0 or more"):
        hull.iso_line(inf)
    assert all(a.fpr <= b.fpr for a, b in pairwise(hull.vertices))


def test_the_message_about_shifted_folds_respects_lower_is_positive():
    rng = np.random.default_rng(2)
    actual, fold = rng.random(400) < 0.5, np.arange(400) % 2
    score = rng.normal(size=400) - actual + 3 * fold
    e = to.evaluate(actual=actual, score=score, fold=fold, lower_is_positive=True)

    from tradeoff.checks.folds import fold_shift

    assert "are highest in fold 1, lowest in 0" in fold_shift(e.own_folds)


def test_costs_of_the_evaluation_are_used_wherever_costs_are_needed():
    rng = np.random.default_rng(4)
    actual = rng.integers(0, 2, 60)
    score = rng.random(60) / 2 + actual / 4
    costs = to.Costs(false_negative=7)
    e = to.evaluate(actual=actual, score=score, fold=np.arange(60) % 2, costs=costs)
    best = e.best().value

    assert e.best("expected_cost").value == e.best("cost").value == best
    for name in ("expected_cost", "Expected cost"):
        assert e.curve(name).y.min() == pytest.approx(best)
        assert e.average(name, method="pooled").y.min() == pytest.approx(best)
    assert e.metric("expected_cost", 0.3).value == pytest.approx(e.expenses(0.3).total / 60)
    model_document = e.to_dict(0.3)["models"][0]
    assert (
        model_document["at"]["metrics"]["expected_cost"]["value"]
        == model_document["expenses"]["per_case"]
    )
    with pytest.raises(InputError, match="does not use these costs"):
        e.curve(x="threshold", y="expected_cost")
    by_row = to.evaluate(
        actual=actual, score=score, fold=np.arange(60) % 2, costs=to.Costs(false_negative=score)
    )
    with pytest.raises(InputError, match="cannot be averaged over folds"):
        by_row.average("expected_cost")
    with pytest.raises(InputError, match="here each outcome needs a single number"):
        e.hull().best(to.Costs(false_negative="amount"))


def test_options_without_effect_or_meaning_are_refused():
    e = to.evaluate(actual=[1, 0, 1, 0], score=[0.9, 0.2, 0.4, 0.5], fold=[1, 1, 2, 2])
    for options, message in [
        ({"by": "youden", "costs": {"fp": 1}}, "Costs can be combined|Costs must"),
        ({"costs": 5}, "Costs must be tradeoff.Costs"),
        ({"by": "eer", "beta": 3}, "does not take 'beta'"),
        ({"by": "capacity", "target": 2, "beta": 3}, "does not take 'beta'"),
        ({"by": "tpr", "target": "high"}, "A target must be a number"),
        ({"by": "youden", "prevalence": "2%"}, "A prevalence must be a number"),
        ({"by": "f", "beta": -1.0}, "0 or more"),
    ]:
        with pytest.raises(to.TradeoffError, match=message):
            e.best(**options)
    for options in ({"gamma": "x"}, {"capacity": "many"}, {"coverage": "all"}):
        with pytest.raises(InputError, match="must be a number"):
            e.best_band(**options)
    with pytest.raises(InputError, match="not both"):
        e.best_band(gamma=1, costs=to.Costs(rejected=0.1))
    for options in ({"name": "lift", "x": "fpr", "y": "tpr"}, {"x": "depth"}):
        with pytest.raises(InputError, match="Name a curve"):
            e.average(**options)
    with pytest.raises(InputError, match="one y"):
        e.average(x="threshold", y=["recall", "precision"])
    decision = e.best("youden")
    for options in ({"replicates": 1}, {"seed": -1}, {"level": 95}):
        with pytest.raises(InputError):
            decision.check(**options)


def test_costs_with_a_contact_cost_default_to_free_errors():
    assert to.Costs(contact=2, true_positive=-10) == to.Costs(0, 0, -10, contact=2)
    assert to.Costs(false_negative=3) == to.Costs(1, 3)


def test_the_suggested_threshold_still_meets_the_target():
    rng = np.random.default_rng(8)
    actual = rng.random(3000) < 0.1
    e = to.evaluate(actual=actual, score=rng.random(3000) / 2 + actual / 3)

    for by, target in (("capacity", 200), ("depth", 0.07), ("tpr", 0.9), ("fpr", 0.05)):
        decision = e.best(by, target=target)
        check = decision.check(replicates=30)
        for threshold in (check.suggestion, *(high for _, high in check.within)):
            matrix = e.at(threshold)
            is_reached = {
                "capacity": matrix.predicted_positives <= 200,
                "depth": matrix.predicted_positives <= 210,
                "tpr": to.METRICS["tpr"](matrix) >= 0.9,
                "fpr": to.METRICS["fpr"](matrix) <= 0.05,
            }
            assert is_reached[by]


def test_an_evaluation_renames_its_rankings():
    evaluation = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1], fold=[1, 1, 2, 2])
    renamed = to.Evaluation(RankedModels({"m": evaluation.ranking}, {"m": evaluation.own_folds}))

    assert renamed.ranking.name == renamed.to_dict()["models"][0]["name"] == "m"
    assert len(renamed.average("roc").folds) == 2
    assert renamed.average("roc").to_pandas().shape[1] == 2


def test_a_band_for_lower_is_positive_is_described_correctly():
    from tradeoff.render.sections import format_text
    from tradeoff.thresholds.views import band_document, band_sections

    e = to.evaluate(
        actual=["ill", "ill", "well", "ill", "well", "well"],
        score=[6.0, 7.0, 8.0, 9.0, 10.0, 11.0],
        positive="ill",
        lower_is_positive=True,
    )
    decision = e.best_band(capacity=2)
    text = format_text(band_sections(decision))

    assert (decision.band.upper, decision.band.lower) == (7.0, 9.0)
    assert decision.confusion.rejected == 2
    assert "reject scores above 7 up to 9" in text
    assert "ill at or below" in text
    assert "well above" in text
    assert "above 7 up to 9" in repr(decision)
    assert band_document(decision)["rule"] == "positive: score <= upper, negative: score > lower"
