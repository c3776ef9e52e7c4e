"""Tables agree with the numbers beside them."""

import numpy as np
import pytest

import tradeoff as to
from tradeoff.evaluation.prediction_views import predictions_section


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_predictions_table_agrees_with_the_confusion_matrix(kind):
    # As a float32, 0.7 is 0.69999999: below the threshold 0.7, in the list as in the matrix.
    score, positive = np.array([0.7, 0.2], kind), np.array([True, False])
    ranking = to.evaluate(actual=positive, score=score).ranking

    table = predictions_section(score, positive, None, ranking, 0.7).table[1:]

    predicted_positives = [row[3] for row in table].count("True")
    assert predicted_positives == ranking.at(0.7).predicted_positives == (kind is np.float64)
