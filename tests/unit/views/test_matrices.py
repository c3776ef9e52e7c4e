"""Charts of confusion matrices."""

import numpy as np
import pytest
from chart_cases import three_markers

import tradeoff as to
from tradeoff.evaluation.charts import evaluation_chart
from tradeoff.render.chart import Cells
from tradeoff.views.matrices import matrix_chart


@pytest.fixture(scope="module")
def sah():
    return three_markers()


def of_kind(chart, kind):
    return next(layer for layer in chart.layers if isinstance(layer, kind))


def test_a_matrix_shows_counts_and_percentages_of_the_actual_class():
    matrix = to.ConfusionMatrix(7, 2, 4, 1, 1, 0, positive="yes", negative="no")
    chart = matrix_chart(matrix)

    cells = of_kind(chart, Cells)
    assert cells.texts == (
        ("7 (70%)", "2 (20%)", "1 (10%)"),
        ("4 (80%)", "1 (20%)", "0 (0%)"),
    )
    assert chart.x.names == ("yes", "no", "rejected")
    assert chart.y.names == ("yes", "no")
    turned = matrix_chart(matrix, rows="predicted")
    assert turned.y.names == chart.x.names
    assert of_kind(turned, Cells).texts[2] == ("1 (10%)", "0 (0%)")


def test_fifty_classes_leave_empty_cells_empty():
    matrix = to.ClassMatrix(np.diag(np.arange(50)), tuple(f"c{i}" for i in range(50)))
    cells = of_kind(matrix_chart(matrix), Cells)

    assert sum(bool(text) for line in cells.texts for text in line) == 49
    assert cells.texts[7][7] == "7"
    assert np.isnan(cells.shares[0]).all()  # no row of this class


def test_a_matrix_is_drawn_at_the_requested_threshold(sah):
    model = sah["s100b"]
    best = model.best("youden")
    cells = of_kind(evaluation_chart(model, "matrix", by="youden"), Cells)

    assert cells.texts[0][0].startswith(f"{best.confusion.true_positives} ")
