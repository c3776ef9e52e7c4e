"""Placement of annotations and legends: what they avoid."""

import numpy as np

from tradeoff.render.matplotlib.placement import Box, annotation_box, emptiest_location


def test_an_annotation_avoids_other_annotations_lines_and_the_edge():
    page, nothing = Box(0, 0, 200, 200), np.empty((0, 2))
    first = annotation_box((100, 100), (40, 10), page, [], nothing)
    second = annotation_box((102, 100), (40, 10), page, [first], nothing)
    assert not first.overlaps(second)
    crossed = np.column_stack([np.linspace(100, 200, 50), np.full(50, 88.0)])
    assert annotation_box((100, 100), (40, 10), page, [], crossed).count_inside(crossed) == 0
    assert annotation_box((195, 5), (40, 10), page, [], nothing).overhang(page) == 0


def test_a_legend_takes_the_emptiest_corner():
    dots = np.column_stack([np.linspace(0, 100, 50)] * 2)

    assert emptiest_location((30, 20), Box(0, 0, 100, 100), [], dots) == ("lower right", 0)
