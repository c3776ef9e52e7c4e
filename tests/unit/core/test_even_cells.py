"""Log-linear cells: cumulative counts are exact at cell bounds, and unsuitable rows detected."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.even_cells import EvenCells

RANDOM = np.random.default_rng(2)


SIZE = 50_000


POSITIVE = RANDOM.random(SIZE) < 0.2


PROBABILITIES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))


UNSUITABLE = {
    "a zero": np.append(PROBABILITIES[1:], 0.0),
    "both signs": PROBABILITIES - 0.05,
    "infinite": np.append(PROBABILITIES[1:], np.inf),
    "crowded": np.append(1 - PROBABILITIES[1:] / 1000, 0.001),
    "one frequent score": np.where(RANDOM.random(SIZE) < 0.1, 0.5, PROBABILITIES),
    "too small for full precision": PROBABILITIES * 1e-300,
}


@pytest.mark.parametrize("scale", [1, 1000, 1e-300, 1e300])
def test_counts_are_exact_and_rows_outside_the_range_are_returned(scale):
    scores = PROBABILITIES * scale
    cells = EvenCells.fitting(to.Ranking.of(scores, POSITIVE), 40_000)
    outside = cells.count(scores, POSITIVE)
    outside_ranking = to.Ranking.of(scores[outside], POSITIVE[outside])
    ranking, expected = cells.ranking() + outside_ranking, to.Ranking.of(scores, POSITIVE)
    indices = expected.places(ranking.thresholds[1:])

    assert 0 < outside_ranking.rows <= SIZE / 500
    assert ranking.rows == SIZE
    assert ranking.true_positives[1:].tolist() == expected.true_positives[indices].tolist()
    assert ranking.false_positives[1:].tolist() == expected.false_positives[indices].tolist()


@pytest.mark.parametrize("score", [0.0, -0.0, -0.1, -np.inf, np.inf, 1e-300, 1e300])
def test_scores_outside_the_range_are_returned(score):
    cells = EvenCells.fitting(to.Ranking.of(PROBABILITIES, POSITIVE), 40_000)

    assert cells.count(np.array([0.05, score]), np.array([True, False])).tolist() == [1]


@pytest.mark.parametrize("shape", ["both signs", "crowded", "one frequent score"])
def test_unsuitable_scores_get_no_cells(shape):
    assert EvenCells.fitting(to.Ranking.of(UNSUITABLE[shape], POSITIVE), 40_000) is None


def test_crowded_cells_no_longer_fit():
    cells = EvenCells.fitting(to.Ranking.of(PROBABILITIES, POSITIVE), 40_000)
    cells.count(PROBABILITIES, POSITIVE)
    fitted_at_first = cells.fits
    cells.count(np.full(SIZE, 0.05), POSITIVE)

    assert (fitted_at_first, cells.fits) == (True, False)


def test_cells_no_longer_fit_if_most_rows_are_outside_their_range():
    cells = EvenCells.fitting(to.Ranking.of(PROBABILITIES, POSITIVE), 40_000)
    cells.count(PROBABILITIES, POSITIVE)
    cells.count(np.tile(-PROBABILITIES, 2), np.tile(POSITIVE, 2))

    assert not cells.fits
