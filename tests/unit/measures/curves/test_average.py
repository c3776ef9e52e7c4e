"""Averages over folds: shifted scores as a counterexample, one-class folds, bands."""

import math

import numpy as np
import pytest

import tradeoff as to
from tradeoff.checks.folds import fold_shift
from tradeoff.errors import InputError, TradeoffError
from tradeoff.measures.curves.average import average_curve

# Two folds that rank perfectly, the second with all scores 10 higher.
SHIFTED = to.evaluate(
    actual=[1, 1, 0, 0, 1, 1, 0, 0],
    score=[4, 3, 2, 1, 14, 13, 12, 11],
    fold=["a"] * 4 + ["b"] * 4,
)


def test_each_fold_is_read_at_the_threshold_not_at_its_index():
    average = SHIFTED.average("roc", method="threshold")
    at = dict(zip(average.thresholds, zip(average.x, average.y, strict=True), strict=True))

    # At 13 the second fold finds all its positives and the first none; by index (the third point
    # of each fold) the result would be (0, 1).
    assert at[13.0] == (0.0, 0.5)
    assert at[11.0] == (0.5, 0.5)
    assert at[3.0] == (0.5, 1.0)
    assert at[math.inf] == (0.0, 0.0)
    assert SHIFTED.average("roc").area().value == 1.0
    assert SHIFTED.auc.value == 0.75


def test_averages_of_shifted_folds_differ_by_method():
    vertical, pooled_ranking, threshold = (
        SHIFTED.average("roc", method=m).area().value for m in ("vertical", "pooled", "threshold")
    )

    assert (vertical, pooled_ranking, threshold) == (1.0, 0.75, 0.75)


def test_shifted_folds_have_a_note():
    rng = np.random.default_rng(2)
    actual = rng.random(400) < 0.5
    fold = np.arange(400) % 4
    same = to.evaluate(actual=actual, score=rng.normal(size=400) + actual, fold=fold)
    shifted = to.evaluate(actual=actual, score=rng.normal(size=400) + actual + fold, fold=fold)

    assert fold_shift(same.own_folds) is None
    note = fold_shift(shifted.own_folds)
    assert "are highest in fold 3, lowest in 0" in note
    assert "pool the folds only if they will share a threshold" in note


def test_fold_shift_is_tested_by_kruskal_wallis():
    # Mean ranks 2, 5 and 8 of 9: H = 12 / 90 * (3 * 9 + 3 * 0 + 3 * 9) = 7.2, chi-squared, 2 df.
    folds = {
        name: to.Ranking.of(np.array([*values, 0.0]), np.array([True] * 3 + [False]))
        for name, values in {"a": [1.0, 2, 3], "b": [4.0, 5, 6], "c": [7.0, 8, 9]}.items()
    }
    from tradeoff.checks.folds import _kruskal_wallis
    from tradeoff.measures.curves.average import pool_folds

    p_value, _, ranks = _kruskal_wallis(folds, pool_folds(folds), "positives")

    assert p_value == pytest.approx(math.exp(-7.2 / 2))
    assert ranks.tolist() == [2, 5, 8]


def test_folds_of_one_class_are_listed_and_left_out():
    e = to.evaluate(
        actual=[1, 0, 1, 1, 0], score=[0.9, 0.2, 0.6, 0.5, 0.4], fold=["a", "a", "b", "b", "c"]
    )
    average = e.average("roc")

    assert list(average.folds) == ["a"]
    assert average.left_out == {
        "b": "every row belongs to class 1",
        "c": "no row belongs to class 1",
    }
    assert repr(average) == "AverageCurve(roc, vertical, 1 folds, 2 left out)"
    assert np.isnan(average.band("sd").low).all()
    none = to.evaluate(actual=[1, 0], score=[0.9, 0.2], fold=["a", "b"])
    with pytest.raises(InputError, match="No fold has rows of both classes"):
        none.average("roc")


def test_bands_by_hand():
    folds = {
        "a": to.evaluate(actual=[1, 1, 0, 0], score=[4, 3, 2, 1]).ranking,
        "b": to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1]).ranking,
        "c": to.evaluate(actual=[0, 1, 1, 0], score=[4, 3, 2, 1]).ranking,
    }
    average = average_curve(folds, "roc")
    at = np.array([0.25])  # heights 1, 0.5 and 0

    standard_error = 0.5 * math.sqrt(1 / 3 + 1 / 2)
    for spread, level, half_width in [
        ("sd", 0.95, 0.5),
        ("se", 0.95, standard_error),
        ("t", 0.5, 0.8164965809277261 * standard_error),
        ("t", 0.95, 1.0),  # 4.3 standard errors, clipped at 0 and 1
    ]:
        band = average.band(spread, at=at, level=level)
        assert band.low[0] == pytest.approx(0.5 - min(half_width, 0.5))
        assert band.high[0] == pytest.approx(0.5 + min(half_width, 0.5))
        assert "pointwise" in band.method
    plain = average.band("se", at=at, cross_validation=False)
    assert plain.high[0] == pytest.approx(0.5 + 0.5 / math.sqrt(3))
    assert "Nadeau" in average.band("t").method
    assert "Nadeau" not in plain.method


def test_identical_folds_have_no_t_interval():
    # At a false positive rate of 0.75 each of three folds has found both of its positives. Six out
    # of six is still plausible if the true rate is 0.6, so an interval from 1 to 1 would be wrong.
    folds = {
        "a": to.evaluate(actual=[1, 1, 0, 0], score=[4, 3, 2, 1]).ranking,
        "b": to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1]).ranking,
        "c": to.evaluate(actual=[0, 1, 1, 0], score=[4, 3, 2, 1]).ranking,
    }
    average = average_curve(folds, "roc")
    at = np.array([0.25, 0.75])

    t, sd = (average.band(spread, at=at) for spread in ("t", "sd"))
    assert np.isnan([t.low, t.high]).tolist() == [[False, True], [False, True]]
    assert "none where they all agree" in t.method
    assert (sd.low[1], sd.high[1]) == (1, 1)  # the spread of the folds is known


@pytest.mark.parametrize(
    "name",
    ["precision_recall", "precision_recall_gain", "gains", "lift", "det", "cost", "expected_cost",
     "profit", "net_benefit", "brier", "ks", "predictive_values", "risk_coverage",
     "accuracy_rejection"],
)  # fmt: skip
def test_every_curve_can_be_averaged(name):
    rng = np.random.default_rng(7)
    actual = rng.random(300) < 0.4
    score = 1 / (1 + np.exp(-rng.normal(size=300) - actual))
    e = to.evaluate(actual=actual, score=score, fold=np.arange(300) % 3)

    average = e.average(name)
    band = average.band("t")

    assert len(average) > 1
    is_defined = ~np.isnan(average.y)
    heights = [c.y_at(float(average.x[is_defined][5])) for c in average.folds.values()]
    assert min(heights) - 1e-9 <= average.y[is_defined][5] <= max(heights) + 1e-9
    assert (band.low <= band.high).any()


def test_a_threshold_average_over_thresholds_keeps_each_threshold():
    average = SHIFTED.average("ks", method="threshold")

    assert average.columns()["threshold"].tolist() == [math.inf, 14, 13, 12, 11, 4, 3, 2, 1]
    assert average.y[2] == 0.5  # at 13: all of one fold, none of the other
    assert list(average.columns()) == ["threshold", "youden_j"]


def test_any_two_metrics_can_be_averaged():
    average = SHIFTED.average(x="fpr", y="youden_j")

    assert (average.x_name, average.y_name) == ("false_positive_rate", "youden_j")
    assert average.y.max() == 1.0


def test_curves_that_cannot_be_averaged_raise_an_error():
    for options, message in [
        ({"name": "roc", "method": "diagonal"}, "No average is called"),
        ({"name": "cost", "method": "threshold"}, "does not have one point per threshold"),
        ({"name": "ks", "method": "horizontal"}, "cannot be averaged horizontally"),
    ]:
        with pytest.raises(TradeoffError, match=message):
            SHIFTED.average(**options)
    with pytest.raises(InputError, match="needs a vertical or horizontal average"):
        SHIFTED.average("roc", method="threshold").band()
    with pytest.raises(TradeoffError, match="The spread of a band must be one of"):
        SHIFTED.average("roc").band("iqr")
    with pytest.raises(InputError, match="No folds were read"):
        to.evaluate(actual=[1, 0], score=[1, 0]).average("roc")


def test_areas_of_averages_are_means_of_areas():
    perfect = to.evaluate(actual=[0, 1] * 4, score=[0, 1] * 4, fold=[0] * 4 + [1] * 4)
    for name, area in [("precision_recall", 1.0), ("roc", 1.0), ("brier", 0.0)]:
        assert perfect.average(name).area().value == pytest.approx(area)
    assert perfect.average("roc", method="horizontal").area().value == 1.0
    assert (
        perfect.average("precision_recall").y[0] == 1.0
    )  # the limit from the right, not undefined
    mixed = to.evaluate(actual=[1, 0, 1, 0], score=[4, 3, 2, 1], fold=[0] * 4)
    for method in ("vertical", "pooled"):
        average = mixed.average("precision_recall", method=method)
        assert average.area().value == pytest.approx(mixed.curve("precision_recall").area().value)
    assert not mixed.average("precision_recall", method="threshold").area().is_defined
    assert not mixed.average("ks").area().is_defined


def test_folds_with_rejected_rows_are_averaged_where_they_are_defined():
    e = to.evaluate(
        actual=[1, 0, 0, 1, 0, 0],
        score=[0.9, 0.5, math.nan, 0.8, 0.6, 0.1],
        fold=[0, 0, 0, 1, 1, 1],
        missing="reject",
    )
    average = e.average("roc")

    areas = [c.area().value for c in average.folds.values()]
    assert average.area().value == pytest.approx(np.mean(areas))
    assert average.y_at(0.75) == 1.0  # only the second fold extends to this x


def test_a_threshold_average_cannot_be_read_at_x():
    with pytest.raises(InputError, match="read it by threshold"):
        SHIFTED.average("roc", method="threshold").y_at(0.1)
    two_folds = to.evaluate(
        actual=[1, 0, 1, 0, 1, 0, 1, 0], score=[9, 8, 7, 6, 5, 4, 3, 2.0], fold=[0] * 4 + [1] * 4
    )
    values = two_folds.average("predictive_values", threshold=8.5)
    assert values.y_at(0.3) == 1.0  # the second fold predicts no positives


def test_a_large_average_is_exact_without_a_grid():
    rng = np.random.default_rng(3)
    folds = {}
    for fold in range(20):
        actual = rng.random(2000) < 0.3
        folds[str(fold)] = to.evaluate(
            actual=actual, score=(rng.normal(size=2000) + actual).round(2)
        ).ranking
    mean = np.mean([float(to.SUMMARIES["auc"](r)) for r in folds.values()])

    average = average_curve(folds, "roc")
    assert np.trapezoid(average.y, average.x) == pytest.approx(mean, abs=1e-12)
    assert average.area().value == pytest.approx(mean, abs=1e-12)
