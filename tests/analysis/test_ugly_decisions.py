"""Decisions on ugly data: huge counts and costs, infinite scores, rejected rows, odd types."""

import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tradeoff as to
from tradeoff.errors import InputError

nan, inf = math.nan, math.inf


def test_whole_costs_are_the_same_as_real_ones():
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
        to.Costs(false_positive=None)


@pytest.mark.parametrize("highest", [0.1, 0.3, 0.6, 0.7, -0.1, -0.2, 1.0, 0.0, 123.0, 1e-300])
def test_a_suggestion_above_every_score_is_above_every_score(highest):
    e = to.evaluate(actual=[0, 1, 0], score=[highest, highest - 1, highest - 2])
    decision = e.best(costs=to.Costs(false_positive=10))

    assert decision.threshold == inf
    assert e.at(decision.suggestion) == decision.confusion


@pytest.mark.parametrize("low", [False, True])
def test_rows_ranked_last_for_want_of_a_score_can_be_called_positive(low):
    scores = np.array([0.9, 0.2, nan, nan]) * (-1 if low else 1)
    e = to.evaluate(actual=[1, 0, 1, 1], score=scores, missing="negative", lower_is_positive=low)
    decision = e.best("tpr", target=1.0)

    assert decision.confusion.true_positives == 3
    assert e.at(decision.suggestion) == decision.confusion


def test_an_infinite_score_cannot_be_called_negative():
    e = to.evaluate(actual=[0, 1], score=[inf, 0.5])
    decision = e.best(costs=to.Costs(false_positive=10))

    assert "no threshold calls nothing positive" in decision.notes[0]


def test_rejected_rows_leave_documents_whole():
    e = to.evaluate(actual=[1, 0, 1, 0, 1], score=[0.9, 0.2, 0.4, 0.5, nan], missing="reject")
    summaries = e.to_dict()["models"][0]["summaries"]

    accepted = to.evaluate(actual=[1, 0, 1, 0], score=[0.9, 0.2, 0.4, 0.5])
    assert summaries["pr_gain_area"]["value"] == accepted.summary("pr_gain_area").value
    gain = e.curve("precision_recall_gain")
    assert gain.area(-2.0, -1.0).value == 0  # left of 0 nobody would work


def test_honest_values_are_on_the_scale_of_apparent_ones():
    rng = np.random.default_rng(1)
    actual = rng.integers(0, 2, 400)
    score = rng.normal(size=400) + actual
    plain = to.evaluate(actual=actual, score=score)
    costs, fixed = to.Costs(false_negative=3), to.Costs(false_negative=3, fixed=40)
    first, second = (plain.best(costs=c).honest(replicates=50) for c in (costs, fixed))
    # The fixed cost is 0.1 a case on every side.
    assert second.honest.value == pytest.approx(first.honest.value + 0.1, abs=1e-9)
    half = np.where(np.arange(400) % 2, score, nan)
    prices = {"false_negative": 3.0, "rejected": 1.0}
    for given in (to.Costs(**prices), to.Costs(**{**prices, "rejected": np.ones(400)})):
        e = to.evaluate(actual=actual, score=half, missing="reject", costs=given)
        checked = e.best("cost").honest(replicates=50)
        assert checked.honest.value == pytest.approx(checked.apparent, abs=0.1)
    youden = to.evaluate(actual=actual, score=half, missing="reject").best("youden")
    assert youden.honest(replicates=50).honest.value < youden.value


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
    assert to.evaluate(**rows, costs=both).expenses(0.4).here == 0 + 5 + 2 + 1


def test_the_fixed_cost_is_paid_as_soon_as_anybody_is_contacted():
    costs = to.Costs(0, 0, true_positive=-10, contact=1, fixed=20)
    e = to.evaluate(actual=[1, 0, 1, 0] * 5, score=[0.9] * 10 + [0.1] * 10, costs=costs)
    profit = e.curve("profit")

    assert (profit.x[:2].tolist(), profit.y[:2].tolist()) == ([0, 0], [0, -20])
    assert profit.y_at(1e-9) == pytest.approx(-20, abs=1e-6)
    assert profit.y_at(0.25) == pytest.approx(0)
    assert len(profit.columns()["threshold"]) == len(profit)
    assert e.curve("expected_cost").y_at(0.5) == pytest.approx(e.expenses(0.5).here / 20)
    with pytest.raises(InputError, match="when rows are read"):
        e.curve("expected_cost", costs=to.Costs(false_negative="x"))


def test_bins_of_weights_infinite_scores_and_huge_counts():
    weighted = to.evaluate(actual=[0], score=[0.156], weight=[0.47735642271061984])
    assert weighted.curve("bin_lift", bins=3).columns()["rows"].sum() == pytest.approx(0.477356422)
    infinite = to.evaluate(actual=[1, 0, 1, 0, 1, 0], score=[inf, 0.9, 0.8, 0.3, 0.2, 0.1])
    means = infinite.curve("bin_lift", bins=3).columns()["mean_score"]
    assert means == pytest.approx([inf, 0.55, 0.15])
    huge = to.Evaluation({"h": to.ranking_of_ratings([10**18] * 2, [10**18] * 2, name="h")})
    assert huge.curve("bin_lift").columns()["rows"].tolist() == [4 * 10**17] * 10


def test_huge_counts_are_no_trouble_or_told():
    huge = to.Evaluation({"h": to.ranking_of_ratings([1, 10**12], [10**12, 1], name="h")})
    decision = huge.best("youden")
    with pytest.raises(InputError, match="too many to draw again"):
        decision.honest()
    with pytest.raises(InputError, match="A window holds"):
        to.Evaluation({"h": to.ranking_of_ratings([10**12], [10**12], [0.5])}).curve(
            "calibration", by="window"
        )
    assert to.ranking_of_ratings([5 * 10**18] * 2, [1, 2]).rows == 10**19
    e = to.evaluate(actual=[1, 0], score=[0.9, 0.1])
    assert e.best_band(capacity=inf).confusion.rejected == 0


def test_a_coverage_is_a_number_of_rows():
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
    for bad in ([0.9, None], ["maybe", "0"]):
        with pytest.raises(InputError, match=r"missing|neither numbers"):
            classifier.positive_rows({"all or none": np.array(bad, dtype=object)})


def test_areas_that_do_not_exist_have_reasons():
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

    assert low.calibrated == pytest.approx([1 - end for end in high.calibrated])
    assert low.confusion == high.confusion


def test_odd_questions_of_a_hull():
    e = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1])
    hull = e.hull()

    assert hull.optimal(prevalence=[0.1, 0.9]) == hull.optimal(prevalence=(0.1, 0.9))
    with pytest.raises(InputError, match="slope of 0 or more"):
        hull.iso_line(inf)
    assert all(a.fpr <= b.fpr for a, b in pairwise(hull.vertices))


def test_the_message_of_shifted_folds_knows_which_way_scores_run():
    rng = np.random.default_rng(2)
    actual, fold = rng.random(400) < 0.5, np.arange(400) % 2
    score = rng.normal(size=400) - actual + 3 * fold
    e = to.evaluate(actual=actual, score=score, fold=fold, lower_is_positive=True)

    from tradeoff.analysis.fold_shift import fold_shift

    assert "lie highest in fold 1, lowest in 0" in fold_shift(e.own_folds)
