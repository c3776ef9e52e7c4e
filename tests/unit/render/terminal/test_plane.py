"""The plotting area of text charts: points with their names."""

import numpy as np
import pytest

from tradeoff.render.chart import Chart, Points, Scale
from tradeoff.render.terminal.draw import chart_text


def drawn(points, width=60, **options):
    layers = tuple(
        Points(np.array([x]), np.array([y]), (name,), "point", order=order)
        for order, (name, (x, y)) in enumerate(points.items())
    )
    chart = Chart("points", Scale("x", 0, 1), Scale("y", 0, 1), layers)
    return chart_text(chart, width=width, height=9, **options).splitlines()


def test_a_point_has_its_name_beside_it_and_needs_no_legend():
    lines = drawn({"A": (0.2, 0.9), "top right": (1, 0.5)})

    assert any("● A" in line for line in lines)
    assert any("top right ●" in line for line in lines)
    assert not any(line.startswith("●") for line in lines)


def test_names_of_close_points_are_apart():
    lines = drawn({"first": (0.5, 0.5), "second": (0.52, 0.5)})

    assert any("first ●● second" in line for line in lines)


@pytest.mark.parametrize("names", [("one", "two", "three"), ("日本", "b", "c")])
def test_a_name_without_room_is_listed_below(names):
    lines = drawn(dict(zip(names, [(0.5, 0.5), (0.52, 0.5), (0.54, 0.5)], strict=True)))

    assert sum(any(name in line for line in lines) for name in names) == 3


def test_points_are_drawn_in_ascii():
    assert any("@ A" in line for line in drawn({"A": (0.2, 0.9)}, ascii_only=True))
