"""Bands hold the true curve at least as often as they say: a part of tests/simulations/bands.py."""

import pytest
from simulations.bands import CURVES, Population, X, pointwise_coverage, simultaneous_coverage

pytestmark = pytest.mark.slow

SETS = 120
LEAST = 0.89
"""Three standard errors of so many sets below 95%."""
CASES = [(100, Population(0.3, 0.85)), (300, Population(0.1, 0.7))]


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize(("rows", "population"), CASES)
def test_pointwise_bands_cover_the_true_height(name, rows, population):
    coverage = pointwise_coverage(name, rows, population, SETS)

    assert {x: share for x, share in zip(X, coverage, strict=True) if share < LEAST} == {}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize(("rows", "population"), CASES)
def test_simultaneous_bands_cover_the_whole_true_curve(name, rows, population):
    assert simultaneous_coverage(name, rows, population, SETS) >= 0.93
