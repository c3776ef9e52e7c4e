"""Intervals hold the truth as often as they say, on rows drawn at random."""

import pytest
from simulations.coverage import (
    ENOUGH,
    at_thresholds,
    choices,
    denominators,
    error,
    readings,
    summaries,
)
from simulations.populations import Population

from tradeoff.uncertainty.confidence import Confidence

pytestmark = pytest.mark.slow

SETS = 400
HARD = [Population(300, 0.05, 0.85), Population(300, 0.1, 0.7), Population(1000, 0.1, 0.85)]
QUICK = ("average_precision", "brier", "log_loss", "partial_auc", "equal_error_rate", "break_even")


def too_low(shares, sets=SETS):
    """What covers less than 92%, beyond three Monte Carlo errors."""
    return {key: share for key, share in shares.items() if share + 3 * error(0.92, sets) < 0.92}


@pytest.mark.parametrize("population", HARD, ids=str)
def test_intervals_of_metrics_have_their_nominal_coverage(population):
    enough = denominators(population)
    shares = at_thresholds(population, SETS)

    assert len(shares) > 140
    assert too_low({key: share for key, share in shares.items() if enough[key] >= ENOUGH}) == {}


@pytest.mark.parametrize("population", HARD, ids=str)
def test_intervals_of_summaries_have_their_nominal_coverage(population):
    assert too_low(summaries(population, SETS, names=QUICK)) == {}


@pytest.mark.parametrize("population", HARD, ids=str)
def test_intervals_read_off_curves_have_their_nominal_coverage(population):
    assert too_low(readings(population, 200), 200) == {}


@pytest.mark.parametrize("population", [HARD[1], Population(100, 0.3, 0.85)], ids=str)
def test_differences_of_chosen_thresholds_have_their_nominal_coverage(population):
    shares = choices(population, 200, confidence=Confidence(replicates=100), draws=500)

    assert len(shares) == 4
    assert too_low(shares, 200) == {}
