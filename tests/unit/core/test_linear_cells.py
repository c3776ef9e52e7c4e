"""Cells of one width: counts at their ends are exact, and they are fine enough."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.core.linear_cells import LinearCells

RANDOM = np.random.default_rng(2)


SIZE = 50_000


POSITIVE = RANDOM.random(SIZE) < 0.2


SHARES = 1 / (1 + np.exp(3 - RANDOM.normal(size=SIZE) - POSITIVE))


AUC = to.SUMMARIES["auc"]


def linear(scores, positive, most):
    sample = to.Ranking.of(scores, positive)
    return LinearCells.fitting(sample, most, float(scores.min()), float(scores.max()))


def codes(cells, scores, positive):
    return (np.trunc(scores * 2.0**cells.bits) * 2 + positive).astype(np.int32)


def test_three_rows_in_cells_of_a_quarter():
    cells = LinearCells(2, 4)
    cells.count(np.array([2 * 1 + 1, 2 * 1, 2 * 3], np.int32))
    ranking = cells.ranking()

    assert ranking.thresholds.tolist() == [np.inf, 0.75, 0.25]
    assert ranking.true_positives.tolist() == [0, 0, 1]
    assert ranking.false_positives.tolist() == [0, 1, 2]
    # From 0.25 to just below 0.5 all bits behind the exponent differ; from 0.75 all but one.
    assert ranking.levels.tolist() == [0, 51, 52]


@pytest.mark.parametrize("outside", [-2, 0, 1, 8, 9])
def test_a_code_of_no_cell_is_told(outside):
    assert LinearCells(2, 4).count(np.array([outside], np.int32)) is False


@pytest.mark.parametrize("scale", [1, 1000, 2.0**-40, 1e200, 1e-200])
def test_cells_of_one_width_count_exactly_and_lose_little(scale):
    scores = SHARES * scale
    cells = linear(scores, POSITIVE, 20_000)
    assert cells.count(codes(cells, scores, POSITIVE))
    ranking, whole = cells.ranking(), to.Ranking.of(scores, POSITIVE)
    places = whole.places(ranking.thresholds[1:])
    auc = AUC.estimate(ranking)

    assert ranking.rows == SIZE
    assert ranking.distinct <= 10_001
    assert ranking.true_positives[1:].tolist() == whole.true_positives[places].tolist()
    assert ranking.false_positives[1:].tolist() == whole.false_positives[places].tolist()
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
