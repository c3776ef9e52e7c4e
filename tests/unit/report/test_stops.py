"""Which thresholds a report keeps."""

import numpy as np
import pytest
from report_cases import ranking_of

from tradeoff.core.ranking import Ranking
from tradeoff.report.stops import CHART_PIXELS, MAX_UNTHINNED_STOPS, chart_shapes, slider_stops


def test_few_thresholds_are_all_kept():
    assert slider_stops(ranking_of(MAX_UNTHINNED_STOPS)).tolist() == list(
        range(MAX_UNTHINNED_STOPS + 1)
    )


@pytest.mark.parametrize(("rows", "prevalence"), [(5_000, 0.5), (200_000, 0.1), (200_000, 0.001)])
def test_no_chart_is_off_by_more_than_half_a_pixel(rows, prevalence):
    ranking = ranking_of(rows, prevalence)
    indices = slider_stops(ranking)
    assert len(indices) < 700
    stretch = np.minimum(
        np.searchsorted(indices, np.arange(len(ranking)), "right") - 1, len(indices) - 2
    )
    for x, y in chart_shapes(ranking):
        points = np.column_stack([x, y])
        start, end = points[indices[stretch]], points[indices[stretch + 1]]
        along = end - start
        length = (along**2).sum(axis=1)
        reached = ((points - start) * along).sum(axis=1) / np.where(length, length, 1)
        off = points - start - np.clip(reached, 0, 1)[:, None] * along
        assert np.hypot(*off.T).max() * CHART_PIXELS <= 0.5


def test_hull_points_and_chosen_thresholds_are_kept():
    ranking = ranking_of(50_000)
    indices = set(slider_stops(ranking, [0.3, -np.inf]).tolist())

    assert set(ranking.hull_places.tolist()) <= indices
    assert ranking.index(0.3) in indices
    assert {0, 1, len(ranking) - 1} <= indices


@pytest.mark.parametrize("positive", [True, False])
def test_many_scores_of_a_single_class_keep_the_first_and_last_threshold(positive):
    scores = np.arange(3000.0)
    indices = slider_stops(Ranking.of(scores, np.full(3000, positive)))

    assert indices[0] == 0
    assert indices[-1] == 3000
