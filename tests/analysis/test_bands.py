"""Bands around curves: against the draws they are made of, at their ends, and what they say."""

import math

import numpy as np
import pytest
from brute_force import two_models

import tradeoff as to
from tradeoff.analysis.intervals.confidence import Confidence
from tradeoff.analysis.intervals.drawing import judged
from tradeoff.errors import InputError, UnknownName

ACTUAL, SCORES = two_models()
FAIR = to.evaluate(actual=ACTUAL, score=SCORES["a"])
GRID = np.linspace(0, 1, 21)


def heights(x, replicates):
    """The ROC curve of every draw, read one height at a time."""

    def judge(drawn):
        return np.array(
            [[to.Evaluation({"": own}).curve("roc").y_at(at) for at in x] for own in drawn]
        )

    return judged(FAIR.ranking, judge, Confidence(replicates=replicates))


def test_a_pointwise_band_is_that_of_each_height_by_itself():
    x = [0.1, 0.35, 0.8]
    band = FAIR.band("roc", at=x, replicates=150, method="bootstrap", level=0.9)
    expected = np.quantile(heights(x, 150), [0.05, 0.5, 0.95], axis=0)

    assert np.array([band.low, band.middle, band.high]) == pytest.approx(expected)
    assert (band.kind, band.level, band.x.tolist()) == ("pointwise", 0.9, x)


def test_a_simultaneous_band_holds_whole_curves():
    some = GRID[::2]
    band = FAIR.band("roc", at=some, kind="simultaneous", replicates=200, level=0.9)
    drawn = heights(some, 200)

    inside = ((drawn >= band.low - 1e-9) & (drawn <= band.high + 1e-9)).all(axis=1).mean()

    assert 0.9 <= inside <= 0.97


def test_a_simultaneous_band_is_wider_than_a_pointwise_one():
    point, whole = (FAIR.band("roc", kind=kind) for kind in ("pointwise", "simultaneous"))

    assert (whole.low <= point.low).all()
    assert (whole.high >= point.high).all()
    assert (whole.high - whole.low).sum() > 1.1 * (point.high - point.low).sum()


@pytest.mark.parametrize("stratified", [True, False])
@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_the_quick_way_for_roc_curves_is_the_long_way(kind, stratified):
    asked = {"at": GRID, "kind": kind, "stratified": stratified, "replicates": 200}
    quick, long = FAIR.band("roc", **asked), FAIR.band(x="fpr", y="tpr", **asked)

    for name in ("low", "middle", "high"):
        assert getattr(quick, name) == pytest.approx(getattr(long, name))


def test_draws_without_positives_do_not_spoil_a_band():
    rare = to.evaluate(actual=[1] * 3 + [0] * 40, score=[9.0, 30.0, 35.0, *range(40)])
    asked = {"at": GRID, "stratified": False}
    quick, long = rare.band("roc", **asked), rare.band(x="fpr", y="tpr", **asked)

    assert np.isfinite([quick.low, quick.middle, quick.high]).all()
    assert quick.low == pytest.approx(long.low)
    assert quick.high == pytest.approx(long.high)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
def test_bands_hold_their_curve_and_stay_inside_0_to_1(kind):
    band = FAIR.band("roc", at=GRID, kind=kind)
    own = np.array([FAIR.curve("roc").y_at(x) for x in GRID])

    assert (band.low <= own).all()
    assert (own <= band.high).all()
    assert (band.low >= 0).all()
    assert (band.high <= 1).all()
    assert (band.low[-1], band.high[-1]) == (1, 1)


def test_a_higher_level_makes_a_wider_band():
    narrow, wide = (FAIR.band("roc", at=GRID, level=level) for level in (0.5, 0.9))

    assert (wide.low <= narrow.low).all()
    assert (wide.high >= narrow.high).all()
    assert (narrow.middle == wide.middle).all()


def test_without_places_a_band_has_those_of_its_curve_or_a_grid():
    long = to.evaluate(actual=np.arange(4000) % 2, score=np.sin(np.arange(4000.0)))

    assert FAIR.band("roc", replicates=20).x.tolist() == np.unique(FAIR.curve("roc").x).tolist()
    assert len(long.band("roc", replicates=20).x) == 201


def test_one_place_makes_a_band_of_one_point():
    band = FAIR.band("roc", at=0.25, replicates=20)

    assert band.x.tolist() == [0.25]
    assert {name: len(values) for name, values in band.columns().items()} == {
        "x": 1, "low": 1, "middle": 1, "high": 1,
    }  # fmt: skip


def test_a_band_says_how_it_was_found():
    # Its ends are plain percentiles, whatever other numbers have by default.
    default, asked = FAIR.band("roc"), FAIR.band("roc", method="bootstrap")

    assert default.low.tolist() == asked.low.tolist()
    assert default.method == asked.method
    assert "1,000 draws, seed 0" in default.method


def test_a_band_of_rows_in_clusters_goes_by_cluster():
    # Each row seen ten times, and known to be: the band is that of the rows seen once.
    once = FAIR.band("roc", at=[0.2, 0.5])
    again = to.evaluate(
        actual=np.repeat(ACTUAL, 10),
        score=np.repeat(SCORES["a"], 10),
        cluster=np.repeat(np.arange(len(ACTUAL)), 10),
    ).band("roc", at=[0.2, 0.5])

    assert again.high - again.low == pytest.approx(once.high - once.low, rel=0.25)


def test_an_unknown_kind_is_told_with_the_nearest_one():
    with pytest.raises(UnknownName, match=r"'simultanous'\. Did you mean 'simultaneous'\?"):
        FAIR.band("roc", kind="simultanous")


def test_a_curve_that_is_nowhere_defined_has_no_band():
    one_class = to.evaluate(actual=["yes"] * 3, score=[1, 2, 3], positive="yes")

    with pytest.raises(InputError, match="nowhere defined"):
        one_class.band("roc")


def test_heights_outside_a_curve_are_undefined():
    band = FAIR.band("precision_recall", at=[-0.5, 0.5], replicates=50)

    assert math.isnan(band.low[0])
    assert 0 < band.low[1] < band.high[1] <= 1


def test_the_level_and_the_draws_are_checked():
    with pytest.raises(InputError, match="A level lies between 0 and 1"):
        FAIR.band("roc", level=95)
    with pytest.raises(InputError, match="Rows are drawn 2 times or more"):
        FAIR.band("roc", replicates=1)
