"""Intervals hold the truth about as often as they say, and tests cry wolf as rarely."""

import pytest
from simulations.coverage import (
    AREAS,
    SIZES,
    area_coverage,
    delong_size,
    metric_coverage,
    summary_coverage,
)

pytestmark = pytest.mark.slow

CASES = [(rows, prevalence, area) for rows, prevalence in SIZES for area in AREAS]


@pytest.mark.parametrize(("rows", "prevalence", "area"), CASES)
def test_intervals_of_areas_cover_92_to_98_percent(rows, prevalence, area):
    assert 0.92 <= area_coverage("normal", rows, prevalence, area, runs=3000) <= 0.985


@pytest.mark.parametrize(("rows", "prevalence", "area"), CASES)
def test_delongs_test_has_its_size(rows, prevalence, area):
    # Nearly perfect models on few rows hardly ever differ: there the test is known to find less.
    least = 0.01 if area == 0.97 and rows * prevalence < 60 else 0.03

    assert least <= delong_size(rows, prevalence, area, runs=1500) <= 0.07


@pytest.mark.parametrize("case", [(100, 0.15, 0.75), (300, 0.2, 0.9), (1000, 0.05, 0.75)])
def test_intervals_of_metrics_cover_92_to_98_percent(case):
    found = metric_coverage(*case, runs=600)

    assert {name: share for name, share in found.items() if not 0.92 <= share <= 0.985} == {}


def test_drawn_intervals_cover_about_as_often_as_they_say():
    found = summary_coverage(300, 0.2, 0.75, runs=150, names=("average_precision", "brier"))

    assert all(share >= 0.88 for share in found.values()), found
