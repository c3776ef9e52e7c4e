"""Charts made of characters."""

import numpy as np

import tradeoff as to
from tradeoff.presentation.terminal import roc_chart

RANKING = to.Ranking.of(np.array([4.0, 3.0, 2.0, 1.0]), np.array([True, False, True, False]))


def test_an_ascii_curve_goes_from_corner_to_corner():
    chart = roc_chart(RANKING, width=9, height=5, ascii_only=True)

    assert chart.splitlines()[1:6] == [
        "  1 |    *****",
        "    |    * .",
        "    |*****",
        "    |* .",
        "  0 |*",
    ]
    assert chart.isascii()


def test_a_million_points_are_drawn_as_few_dots():
    rng = np.random.default_rng(0)
    actual = rng.random(1_000_000) < 0.3
    chart = roc_chart(to.Ranking.of(rng.normal(size=1_000_000) + actual, actual))

    assert len(chart.splitlines()) == 22


def test_one_class_has_no_curve():
    ranking = to.Ranking.of(np.array([1.0]), np.array([True]))

    assert roc_chart(ranking) == "No ROC curve: it needs rows of both classes."
