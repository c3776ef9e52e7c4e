"""Placement of legends: what they avoid."""

import numpy as np

from tradeoff.render.boxes import Box
from tradeoff.render.matplotlib.placement import emptiest_location


def test_a_legend_takes_the_emptiest_corner():
    dots = np.column_stack([np.linspace(0, 100, 50)] * 2)

    assert emptiest_location((30, 20), Box(0, 0, 100, 100), [], dots) == ("lower right", 0)
