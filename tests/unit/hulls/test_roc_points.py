"""Points in ROC space: rates or matrices, and what their positions mean."""

import pytest

import tradeoff as to
from tradeoff.hulls.roc_points import parse_roc_point

RATES = {"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24), "D": (0.12, 0.76)}
TABLES = {"A": "63 37; 28 72", "B": "77 23; 77 23", "C": "24 76; 88 12", "D": "76 24; 12 88"}


def test_rates_matrices_and_text_give_the_same_points():
    points = to.roc_points(RATES)

    assert points.points == RATES
    assert to.roc_points(TABLES).points == RATES
    assert to.roc_points({n: to.matrix_of_counts(t) for n, t in TABLES.items()}).points == RATES
    assert to.roc_points({n: f"{x}, {y}" for n, (x, y) in RATES.items()}) == points
    assert points.columns()["youden"] == pytest.approx([0.35, 0, -0.64, 0.64])
    assert to.hull(points).owners == ("D",)


@pytest.mark.parametrize(
    ("text", "point"),
    [
        ("A=0.28,0.63", ("A", (0.28, 0.63))),
        ("A = 28% 63%", ("A", (0.28, 0.63))),
        ("A=(0.28, 0.63)", ("A", (0.28, 0.63))),
        ("A=[63 37; 28 72]", ("A", (0.28, 0.63))),
        ("A=63 37 28 72", ("A", (0.28, 0.63))),
    ],
)
def test_points_are_read_however_they_are_written(text, point):
    name, position = parse_roc_point(text)

    assert (name, to.roc_points({name: position}).points[name]) == point


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A", "NAME=FPR,TPR"),
        ("=0.2,0.3", "NAME=FPR,TPR"),
        ("A=28,63", "between 0 and 1"),
        ("A=x,0.3", "'x' is not a rate"),
        ("A=0.2", "1 number cannot be divided"),
        ("A=1 2 3; 4 5 6; 7 8 9", "3 classes; ROC space has two"),
        ("A=0 0; 1 1", "one class only"),
    ],
)
def test_a_point_that_cannot_be_read_is_explained(text, message):
    with pytest.raises(to.TradeoffError, match=message):
        to.roc_points(dict([parse_roc_point(text)]))


def test_no_points_are_refused():
    with pytest.raises(to.TradeoffError, match="at least one point"):
        to.roc_points({})


def test_a_matrix_on_a_vertex_of_a_model_shares_it_exactly():
    actual, score = [1] * 41 + [0] * 72, [1] * 30 + [0] * 11 + [1] * 20 + [0] * 52
    ranking = to.evaluate(actual=actual, score=score).ranking
    points = to.roc_points({"rule": "30 11; 20 52"})

    assert to.hull([ranking, points]).vertices[1].shared == ("rule",)
