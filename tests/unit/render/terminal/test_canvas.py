"""Dots of lines and ribbons on a canvas of characters."""

from itertools import pairwise

import numpy as np
from drawn_charts import (
    NAN,
)
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.render.terminal.canvas import line_dots, ribbon_dots


@given(
    st.lists(
        st.tuples(*[st.one_of(st.just(NAN), st.floats(-0.5, 1.5))] * 2), min_size=1, max_size=12
    ),
    st.booleans(),
)
def test_dots_are_those_of_a_line_drawn_step_by_step(points, steps):
    x, y = np.array(points).T
    dots = line_dots(x, y, (8, 10), steps=steps)
    if steps and len(points) > 1:
        corners = [[(a[0], a[1]), (b[0], a[1])] for a, b in pairwise(points)]
        points = [*(corner for pair in corners for corner in pair), points[-1]]
    near = np.zeros((10, 12), bool)  # with a border: rounding may differ by one dot
    for first, last in zip(points, points[1:] or points, strict=False):
        for share in np.linspace(0, 1, 200):
            at = np.array(first) * (1 - share) + np.array(last) * share
            if np.isfinite(at).all() and (np.abs(at - 0.5) <= 0.5 + 1e-9).all():
                column, row = round(at[0] * 9), 7 - round(at[1] * 7)
                near[row : row + 3, column : column + 3] = True
    alone = [i for i, p in enumerate(points) if np.isfinite(p).all()]
    for i in alone:
        if 0 <= points[i][0] <= 1 and 0 <= points[i][1] <= 1:
            column, row = round(points[i][0] * 9), 7 - round(points[i][1] * 7)
            near[row : row + 3, column : column + 3] = True
            assert dots[row, column]

    assert not (dots & ~near[1:-1, 1:-1]).any()


def test_a_ribbon_is_filled_between_its_heights():
    ends = np.array([0.0, 1.0])
    dots = ribbon_dots(ends, np.array([0.0, 0.5]), np.array([0.5, 1.0]), (5, 5))

    assert dots.astype(int).tolist() == [
        [0, 0, 0, 0, 1],
        [0, 0, 1, 1, 1],
        [1, 1, 1, 1, 1],
        [1, 1, 1, 0, 0],
        [1, 0, 0, 0, 0],
    ]
