"""Cells of about equal counts: exact counts at their ends, and when they do not fit."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.even_cells import EvenCells

RANDOM = np.random.default_rng(2)


SIZE = 50_000


POSITIVE = RANDOM.random(SIZE) < 0.2


SHARES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))


UNFIT = {
    "a zero": np.append(SHARES[1:], 0.0),
    "both signs": SHARES - 0.05,
    "infinite": np.append(SHARES[1:], np.inf),
    "crowded": np.append(1 - SHARES[1:] / 1000, 0.001),
    "one heavy score": np.where(RANDOM.random(SIZE) < 0.1, 0.5, SHARES),
    "too small for full precision": SHARES * 1e-300,
}


@pytest.mark.parametrize("scale", [1, 1000, 1e-300, 1e300])
def test_even_cells_count_exactly_and_give_back_the_rest(scale):
    scores = SHARES * scale
    cells = EvenCells.fitting(to.Ranking.of(scores, POSITIVE), 40_000)
    elsewhere = cells.count(scores, POSITIVE)
    rest = to.Ranking.of(scores[elsewhere], POSITIVE[elsewhere])
    ranking, whole = cells.ranking() + rest, to.Ranking.of(scores, POSITIVE)
    places = whole.places(ranking.thresholds[1:])

    assert 0 < rest.rows <= SIZE / 500
    assert ranking.rows == SIZE
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()


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
