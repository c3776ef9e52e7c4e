"""From mixed columns to what estimators can learn from; fitted anew inside every fold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tradeoff.training.features import Features

MOST_CATEGORIES = 50
"""Rarer values of a column share one place: names and ids must not become thousands of columns."""
NOTHING = -1.0
"""The category of a missing value."""


def prepared(estimator: Any, features: Features) -> Any:
    """A pipeline: missing numbers get the median and a mark, categories a column each."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    steps = []
    if features.numbers:
        # A column that has no value in some fold must keep its place.
        filled = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        steps.append(("numbers", make_pipeline(filled, StandardScaler()), features.numbers))
    if features.texts:
        filled = SimpleImputer(strategy="constant", fill_value=NOTHING)
        spread = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            max_categories=MOST_CATEGORIES,
            sparse_output=False,
        )
        steps.append(("texts", make_pipeline(filled, spread), features.texts))
    # Named by hand: a class called Memory would clash with a parameter of pipelines.
    return Pipeline([("columns", ColumnTransformer(steps)), ("model", estimator)])
