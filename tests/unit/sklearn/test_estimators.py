"""Scores, classes and the positive class of fitted estimators."""

import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from tradeoff.errors import InputError
from tradeoff.sklearn.estimators import positive_class, score_rows


@pytest.fixture(scope="module")
def data():
    return make_classification(240, 4, weights=[0.7], flip_y=0.2, random_state=1)


def test_an_estimator_without_the_requested_scores_is_refused(data):
    X, y = data  # noqa: N806

    with pytest.raises(InputError, match="has no decision_function"):
        score_rows(DecisionTreeClassifier().fit(X, y), X, response_method="decision_function")


def test_the_positive_class_is_found_by_its_name(data):
    fitted = LogisticRegression().fit(*data)

    with pytest.raises(InputError, match="pos_label='ill' is not one of the classes '0' and '1'"):
        positive_class(fitted, "ill")
    assert positive_class(fitted, "1") == 1
