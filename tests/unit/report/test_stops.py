"""Which thresholds a report keeps, and which of them its charts draw."""

import numpy as np
import pytest
from report_cases import ranking_of

from tradeoff.core.ranking import Ranking
from tradeoff.report.stops import (
    CHART_PIXELS,
    MAX_FULLY_DRAWN_STOPS,
    MAX_UNTHINNED_STOPS,
    chart_shapes,
    slider_stops,
)
from tradeoff.thresholds.decision import best_threshold


def test_up_to_twenty_thousand_thresholds_are_all_kept():
    stops = slider_stops(ranking_of(MAX_UNTHINNED_STOPS))

    assert stops.indices.tolist() == list(range(MAX_UNTHINNED_STOPS + 1))
    assert len(stops.drawn) < 1500


def test_few_thresholds_are_all_drawn():
    stops = slider_stops(ranking_of(MAX_FULLY_DRAWN_STOPS - 1))

    assert stops.indices.tolist() == stops.drawn.tolist() == list(range(MAX_FULLY_DRAWN_STOPS))


@pytest.mark.parametrize(("rows", "prevalence"), [(5_000, 0.5), (200_000, 0.1), (200_000, 0.001)])
def test_no_chart_is_off_by_more_than_half_a_pixel(rows, prevalence):
    ranking = ranking_of(rows, prevalence)
    stops = slider_stops(ranking)
    indices = stops.indices[stops.drawn]
    assert len(indices) < 1000
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
    indices = set(slider_stops(ranking, [0.3, -np.inf]).indices.tolist())

    assert set(ranking.hull_places.tolist()) <= indices
    assert ranking.index(0.3) in indices
    assert {0, 1, len(ranking) - 1} <= indices


@pytest.mark.parametrize("prevalence", [0.3, 0.002])
def test_thresholds_for_usual_targets_are_kept(prevalence):
    ranking = ranking_of(90_000, prevalence)
    indices = set(slider_stops(ranking).indices.tolist())
    targets = [("tpr", rate) for rate in (0.01, 0.5, 0.8, 0.915, 0.95, 0.999, 1)]
    targets += [("fpr", rate) for rate in (0.0001, 0.001, 0.005, 0.033, 0.1, 0.5)]
    targets += [("precision", rate) for rate in (0.01, 0.05)]
    targets += [("capacity", rows) for rows in (1, 7, 50, 105, 200, 1000, 25_000, 90_000)]
    for by, target in targets:
        assert best_threshold(ranking, by, target=target).index in indices, (by, target)


@pytest.mark.parametrize("positive", [True, False])
def test_many_scores_of_a_single_class_keep_the_first_and_last_threshold(positive):
    scores = np.arange(30_000.0)
    indices = slider_stops(Ranking.of(scores, np.full(30_000, positive))).indices

    assert indices[0] == 0
    assert indices[-1] == 30_000
