"""Cells of equal width: cumulative counts are exact at cell bounds, and bins are narrow."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.linear_cells import LinearCells

RANDOM = np.random.default_rng(2)


SIZE = 50_000


POSITIVE = RANDOM.random(SIZE) < 0.2


PROBABILITIES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))


AUC = to.SUMMARIES["auc"]


def fit_cells(scores, positive, max_thresholds):
    sample = to.Ranking.of(scores, positive)
    return LinearCells.fitting(sample, max_thresholds, float(scores.min()), float(scores.max()))


def codes(cells, scores, positive):
    return (np.trunc(scores * 2.0**cells.bits) * 2 + positive).astype(np.int32)


def test_three_rows_in_cells_of_a_quarter():
    cells = LinearCells(2, 4)
    cells.count(np.array([2 * 1 + 1, 2 * 1, 2 * 3], np.int32))
    ranking = cells.ranking()

    assert ranking.thresholds.tolist() == [np.inf, 0.75, 0.25]
    assert ranking.true_positives.tolist() == [0, 0, 1]
    assert ranking.false_positives.tolist() == [0, 1, 2]
    # From 0.25 to just below 0.5, all bits of the fraction differ; from 0.75, all but one.
    assert ranking.levels.tolist() == [0, 51, 52]


@pytest.mark.parametrize("code", [-2, 0, 1, 8, 9])
def test_codes_outside_all_cells_are_rejected(code):
    assert LinearCells(2, 4).count(np.array([code], np.int32)) is False


@pytest.mark.parametrize("scale", [1, 1000, 2.0**-40, 1e200, 1e-200])
def test_cells_of_equal_width_count_exactly_and_bound_the_auc(scale):
    scores = PROBABILITIES * scale
    cells = fit_cells(scores, POSITIVE, 20_000)
    assert cells.count(codes(cells, scores, POSITIVE))
    ranking, expected = cells.ranking(), to.Ranking.of(scores, POSITIVE)
    indices = expected.places(ranking.thresholds[1:])
    auc = AUC.estimate(ranking)

    assert ranking.rows == SIZE
    assert ranking.distinct <= 10_001
    assert ranking.true_positives[1:].tolist() == expected.true_positives[indices].tolist()
    assert ranking.false_positives[1:].tolist() == expected.false_positives[indices].tolist()
    assert abs(auc.value - AUC(expected)) <= auc.within < 0.0004


UNSUITABLE = {
    "a zero": np.append(PROBABILITIES[1:], 0.0),
    "both signs": PROBABILITIES - 0.05,
    "infinite": np.append(PROBABILITIES[1:], np.inf),
    "crowded": np.append(1 - PROBABILITIES[1:] / 1000, 0.001),
    "one frequent score": np.where(RANDOM.random(SIZE) < 0.1, 0.5, PROBABILITIES),
    "too small for full precision": PROBABILITIES * 1e-300,
}


@pytest.mark.parametrize("shape", UNSUITABLE)
def test_unsuitable_scores_get_no_cells(shape):
    assert fit_cells(UNSUITABLE[shape], POSITIVE, 20_000) is None


def test_a_sample_of_one_class_gets_no_cells():
    assert fit_cells(PROBABILITIES, POSITIVE & False, 20_000) is None
