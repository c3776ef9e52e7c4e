"""How points in ROC space are shown: what their positions mean, and their chart."""

import tradeoff as to

RATES = {"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24), "D": (0.12, 0.76)}


def test_the_text_says_what_a_position_means():
    text = str(to.roc_points({**RATES, "perfect": (0, 1), "wrong": (1, 0)}))

    assert "better than guessing" in text
    assert "worse than guessing; the opposite is at (0.12, 0.76)" in text
    assert "always wrong; the opposite is perfect" in text


def test_each_point_is_drawn_with_its_name_also_below_the_diagonal():
    chart = to.roc_points(RATES).chart(hull=True)
    points = {layer.texts[0]: (layer.x[0], layer.y[0]) for layer in chart.layers[2:]}

    assert points == RATES
    assert [layer.role for layer in chart.layers[:2]] == ["chance", "hull"]
    assert "better than guessing: C." in chart.caption
