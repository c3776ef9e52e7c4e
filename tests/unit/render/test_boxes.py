"""Where annotations and labels fit: what they avoid, and when they are left out."""

import numpy as np
import pytest

from tradeoff.render.boxes import (
    POOR_PLACE,
    Box,
    LabelPlace,
    annotation_box,
    label_place,
    pixels_along,
)

NO_LINES = np.empty((0, 2))
PAGE = Box(0, 0, 200, 200)


def level_line(height):
    return np.column_stack([np.arange(0.0, 201, 5), np.full(41, float(height))])


def test_an_annotation_avoids_other_annotations_lines_and_the_edge():
    first = annotation_box((100, 100), (40, 10), PAGE, [], NO_LINES)
    second = annotation_box((102, 100), (40, 10), PAGE, [first], NO_LINES)
    assert not first.overlaps(second)
    crossed = np.column_stack([np.linspace(100, 200, 50), np.full(50, 88.0)])
    assert annotation_box((100, 100), (40, 10), PAGE, [], crossed).count_inside(crossed) == 0
    assert annotation_box((195, 5), (40, 10), PAGE, [], NO_LINES).overhang(PAGE) == 0


def test_an_annotation_that_is_not_essential_is_left_out_where_it_would_hide_lines():
    lines = np.concatenate([level_line(height) for height in range(0, 201, 4)])

    assert annotation_box((100, 100), (40, 10), PAGE, [], lines) is not None
    assert annotation_box((100, 100), (40, 10), PAGE, [], lines, max_penalty=POOR_PLACE) is None


def test_a_label_is_beside_its_own_line():
    place = label_place((60, 10), PAGE, [], level_line(100), level_line(140))

    assert not place.needs_leader
    assert place.box.top < 100  # not between the lines, where it could belong to either
    assert place.box.distance(place.anchor) == pytest.approx(8)


def test_a_label_that_does_not_fit_beside_its_line_has_a_leader():
    occupied = [Box(0, 78, 140, 98)]  # and the gap to the line above is too narrow
    place = label_place((60, 10), PAGE, occupied, level_line(100), level_line(114))

    assert place.needs_leader
    assert not place.box.overlaps(occupied[0])
    assert place.anchor[1] == 100


def test_lines_that_coincide_have_no_label():
    assert label_place((60, 10), PAGE, [], level_line(100), level_line(100)) is None


def test_a_label_larger_than_the_area_does_not_fit():
    assert label_place((300, 10), PAGE, [], level_line(100), NO_LINES) is None


def test_a_place_with_a_leader_occupies_it():
    near = LabelPlace(Box(10, 10, 50, 20), (30, 5))
    far = LabelPlace(Box(10, 10, 50, 20), (30, 60))

    assert near.occupied == [near.box]
    assert any(box.overlaps(Box(29, 40, 31, 42)) for box in far.occupied)


def test_pixels_along_a_line_are_close_and_break_where_it_breaks():
    points = np.array([[0, 0], [50, 0], [np.nan, 0], [100, 0], [100, 40]], float)
    pixels = pixels_along(points)

    assert not ((pixels[:, 0] > 50) & (pixels[:, 0] < 100)).any()
    steps = np.hypot(*np.diff(pixels, axis=0).T)
    assert sorted(steps)[-2] <= 5.01
