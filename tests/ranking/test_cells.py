"""Cells that are found by arithmetic: counts at their ends are exact, and they are fine enough."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.even_cells import EvenCells
from tradeoff.core.linear_cells import LinearCells

RANDOM = np.random.default_rng(2)
SIZE = 50_000
POSITIVE = RANDOM.random(SIZE) < 0.2
SHARES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))
AUC = to.SUMMARIES["auc"]


def linear(scores, positive, most):
    known = to.Ranking.of(scores, positive)
    return LinearCells.fitting(known, most, float(scores.min()), float(scores.max()))


def codes(cells, scores, positive):
    return (np.trunc(scores * 2.0**cells.bits) * 2 + positive).astype(np.int32)


def test_three_rows_in_cells_of_a_quarter():
    cells = LinearCells(2, 4)
    cells.count(np.array([2 * 1 + 1, 2 * 1, 2 * 3], np.int32))
    found = cells.ranking()

    assert found.thresholds.tolist() == [np.inf, 0.75, 0.25]
    assert found.true_positives.tolist() == [0, 0, 1]
    assert found.false_positives.tolist() == [0, 1, 2]
    # From 0.25 to just below 0.5 all bits behind the exponent differ; from 0.75 all but one.
    assert found.levels.tolist() == [0, 51, 52]


@pytest.mark.parametrize("outside", [-2, 0, 1, 8, 9])
def test_a_code_of_no_cell_is_told(outside):
    assert LinearCells(2, 4).count(np.array([outside], np.int32)) is False


@pytest.mark.parametrize("scale", [1, 1000, 2.0**-40, 1e200, 1e-200])
def test_cells_of_one_width_count_exactly_and_lose_little(scale):
    scores = SHARES * scale
    cells = linear(scores, POSITIVE, 20_000)
    assert cells.count(codes(cells, scores, POSITIVE))
    found, whole = cells.ranking(), to.Ranking.of(scores, POSITIVE)
    places = whole.places(found.thresholds[1:])
    auc = AUC.estimate(found)

    assert found.rows == SIZE
    assert found.distinct <= 10_001
    assert found.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert found.false_positives[1:].tolist() == whole.false_positives[places].tolist()
    assert abs(auc.value - AUC(whole)) <= auc.within < 0.0004


UNFIT = {
    "a zero": np.append(SHARES[1:], 0.0),
    "both signs": SHARES - 0.05,
    "infinite": np.append(SHARES[1:], np.inf),
    "crowded": np.append(1 - SHARES[1:] / 1000, 0.001),
    "one heavy score": np.where(RANDOM.random(SIZE) < 0.1, 0.5, SHARES),
    "too small for full precision": SHARES * 1e-300,
}


@pytest.mark.parametrize("shape", UNFIT)
def test_cells_of_one_width_are_not_for_all_scores(shape):
    assert linear(UNFIT[shape], POSITIVE, 20_000) is None


def test_cells_are_none_where_one_class_is_unknown():
    assert linear(SHARES, POSITIVE & False, 20_000) is None


@pytest.mark.parametrize("scale", [1, 1000, 1e-300, 1e300])
def test_even_cells_count_exactly_and_give_back_the_rest(scale):
    scores = SHARES * scale
    cells = EvenCells.fitting(to.Ranking.of(scores, POSITIVE), 40_000)
    elsewhere = cells.count(scores, POSITIVE)
    rest = to.Ranking.of(scores[elsewhere], POSITIVE[elsewhere])
    found, whole = cells.ranking() + rest, to.Ranking.of(scores, POSITIVE)
    places = whole.places(found.thresholds[1:])

    assert 0 < rest.rows <= SIZE / 500
    assert found.rows == SIZE
    assert found.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert found.false_positives[1:].tolist() == whole.false_positives[places].tolist()


@pytest.mark.parametrize("odd", [0.0, -0.0, -0.1, -np.inf, np.inf, 1e-300, 1e300])
def test_odd_scores_lie_elsewhere(odd):
    cells = EvenCells.fitting(to.Ranking.of(SHARES, POSITIVE), 40_000)

    assert cells.count(np.array([0.05, odd]), np.array([True, False])).tolist() == [1]


@pytest.mark.parametrize("shape", ["both signs", "crowded", "one heavy score"])
def test_even_cells_are_not_for_all_scores(shape):
    assert EvenCells.fitting(to.Ranking.of(UNFIT[shape], POSITIVE), 40_000) is None


def test_even_cells_notice_that_rows_crowd():
    cells = EvenCells.fitting(to.Ranking.of(SHARES, POSITIVE), 40_000)
    cells.count(SHARES, POSITIVE)
    as_chosen = cells.fits
    cells.count(np.full(SIZE, 0.05), POSITIVE)

    assert (as_chosen, cells.fits) == (True, False)


def test_even_cells_notice_that_rows_are_elsewhere():
    cells = EvenCells.fitting(to.Ranking.of(SHARES, POSITIVE), 40_000)
    cells.count(SHARES, POSITIVE)
    cells.count(np.tile(-SHARES, 2), np.tile(POSITIVE, 2))

    assert not cells.fits
