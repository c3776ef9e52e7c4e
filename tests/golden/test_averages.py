"""Averages over ROCR's four folds: where its conventions differ from ours, and where they agree."""

import numpy as np
import pytest
from golden.reference import table

import tradeoff as to

EXACT = {"rtol": 1e-12, "atol": 1e-12}
rows = table("rocr_simple_data.csv")
FOLD = np.arange(len(rows["label"])) % 4 + 1
E = to.evaluate(actual=rows["label"], score=rows["prediction"], fold=FOLD)
CURVES = {"roc": "roc", "pr": "precision_recall", "lift": "lift"}


def theirs(kind, method):
    columns = list(table(f"rocr_simple_4fold_{kind}_avg_{method}.csv").values())
    return columns if method == "threshold" else columns[:2]


def rocr_interpolation(x, y, grid):
    """Linear interpolation, with the mean height where a fold has several at one x."""
    finite = np.isfinite(x) & np.isfinite(y)
    distinct, which = np.unique(x[finite], return_inverse=True)
    means = np.bincount(which, y[finite]) / np.bincount(which)
    return np.interp(grid, distinct, means)


def test_folds_by_themselves():
    per_fold = table("rocr_simple_4fold_per_fold.csv")

    for number, (name, ranking) in enumerate(E.own_folds.items()):
        assert name == str(number + 1)
        for summary, column in [("auc", "auc"), ("rmse", "rmse"), ("log_loss", "mxe")]:
            value = to.SUMMARIES[summary](ranking)
            assert value == pytest.approx(per_fold[column][number], rel=1e-12)


@pytest.mark.parametrize("kind", ["roc", "lift", "pr"])
def test_vertical_averages_are_rocrs_once_its_shortcuts_are_taken(kind):
    grid, heights = theirs(kind, "vertical")
    average = E.average(CURVES[kind])

    shortcut = np.mean([rocr_interpolation(c.x, c.y, grid) for c in average.folds.values()], axis=0)

    np.testing.assert_allclose(heights, shortcut, **EXACT)


def test_between_break_points_the_vertical_roc_average_is_rocrs():
    grid, heights = theirs("roc", "vertical")
    average = E.average("roc")
    breaks = np.concatenate([c.x for c in average.folds.values()])
    # ROCR draws straight lines between the mean heights of neighbouring break points, so it
    # agrees where no fold jumps nearby: its corners are cut elsewhere.
    middle = np.array([average.y_at(x) for x in grid])
    calm = [
        i for i, x in enumerate(grid)
        if not np.isclose(breaks, x, atol=1e-9).any()
        and all(_level_around(c, x) for c in average.folds.values())
    ]  # fmt: skip

    assert len(calm) >= 3
    np.testing.assert_allclose(middle[calm], heights[calm], **EXACT)
    # It does not start at the origin there; here it does.
    assert heights[0] > 0
    assert (average.x[0], average.y[0]) == (0, 0)


def _level_around(curve, x):
    """Whether both neighbouring break points have one height only, the same."""
    left, right = curve.x[curve.x < x].max(), curve.x[curve.x > x].min()
    return len(np.unique(curve.y[(curve.x == left) | (curve.x == right)])) == 1


def test_the_spread_is_rocrs_once_its_shortcut_is_taken():
    spread = table("rocr_simple_4fold_roc_vertical_spread.csv")
    folds = E.average("roc").folds.values()
    heights = np.array([rocr_interpolation(c.x, c.y, spread["fpr"]) for c in folds])

    np.testing.assert_allclose(heights.mean(axis=0), spread["mean_tpr"], **EXACT)
    np.testing.assert_allclose(heights.std(axis=0, ddof=1), spread["stddev"], **EXACT)
    np.testing.assert_allclose(heights.std(axis=0, ddof=1) / 2, spread["stderror"], **EXACT)


@pytest.mark.parametrize("kind", ["roc", "lift", "pr"])
def test_horizontal_averages_are_rocrs_once_its_shortcuts_are_taken(kind):
    x_mean, grid = theirs(kind, "horizontal")
    folds = E.average(CURVES[kind]).folds.values()
    heights = {"lift": lift_in_rocrs_order}.get(kind, lambda curve: curve.y)
    shortcut = np.mean([rocr_interpolation(heights(c), c.x, grid) for c in folds], axis=0)

    np.testing.assert_allclose(x_mean, shortcut, **EXACT)


def lift_in_rocrs_order(curve):
    """Lifts equal but for the last digit are two there: the order of divisions shows."""
    m = curve.ranking.confusion.as_floats()
    with np.errstate(invalid="ignore"):
        return (m.true_positives / m.positives) / (m.predicted_positives / m.rows)


@pytest.mark.parametrize("kind", ["roc", "lift", "pr"])
def test_threshold_averages_are_rocrs_once_it_interpolates_and_shifts_infinity(kind):
    thresholds, x_mean, y_mean = theirs(kind, "threshold")
    means = []
    for axis in ("x", "y"):
        heights = []
        for curve in E.average(CURVES[kind]).folds.values():
            at, values = curve.ranking.thresholds.copy(), getattr(curve, axis)
            finite = np.isfinite(curve.x) & np.isfinite(curve.y)
            # ROCR puts infinity one mean gap above the largest score, and draws straight lines
            # between thresholds, where decisions in fact do not change.
            at[0] = at[1] - np.diff(at[1:]).mean()
            heights.append(np.interp(thresholds, at[finite][::-1], values[finite][::-1]))
        means.append(np.mean(heights, axis=0))

    np.testing.assert_allclose(means[0], x_mean, **EXACT)
    np.testing.assert_allclose(means[1], y_mean, **EXACT)


def test_the_threshold_average_reads_each_folds_own_steps():
    average = E.average("roc", method="threshold")

    for at in (0.2, 0.5, 0.8):
        matrices = [ranking.at(at) for ranking in E.own_folds.values()]
        place = np.flatnonzero(average.thresholds >= at)[-1]
        for metric, values in (("fpr", average.x), ("tpr", average.y)):
            mean = np.mean([to.METRICS[metric](m) for m in matrices])
            assert values[place] == pytest.approx(mean, abs=1e-12)
