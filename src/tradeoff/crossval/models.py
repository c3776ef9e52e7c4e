"""Models by short name or import path, and the preprocessing of columns for them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.errors import InputError, MissingExtra, UnknownName, did_you_mean, format_list

if TYPE_CHECKING:
    from tradeoff.crossval.features import Features


# Preprocessing of mixed columns; fitted inside every fold.


MOST_CATEGORIES = 50
"""Rarer values of a column share one category: ids must not become thousands of columns."""
MISSING_CATEGORY = -1.0
"""The category of a missing value."""


def preprocessing_pipeline(estimator: Any, features: Features) -> Any:
    """Pipeline that imputes missing numbers by the median and one-hot encodes categories."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import Pipeline, make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    steps = []
    if features.numbers:
        # A column that has no value in some fold must keep its index.
        imputer = SimpleImputer(strategy="median", add_indicator=True, keep_empty_features=True)
        steps.append(("numbers", make_pipeline(imputer, StandardScaler()), features.numbers))
    if features.texts:
        imputer = SimpleImputer(strategy="constant", fill_value=MISSING_CATEGORY)
        encoder = OneHotEncoder(
            handle_unknown="infrequent_if_exist",
            max_categories=MOST_CATEGORIES,
            sparse_output=False,
        )
        steps.append(("texts", make_pipeline(imputer, encoder), features.texts))
    # Named by hand: a class called Memory would clash with a parameter of pipelines.
    return Pipeline([("columns", ColumnTransformer(steps)), ("model", estimator)])


@dataclass(frozen=True)
class Model:
    """A model by name: import path of its estimator, its parameters, and the rows that it takes.

    It takes "prepared" columns, "codes" (numbers, categories as codes, NaN where missing) or
    "values" as they were read.
    """

    name: str
    path: str
    choices: tuple[tuple[str, Any], ...] = ()
    takes: Literal["prepared", "codes", "values"] = "prepared"


MODELS = {
    model.name: model
    for model in (
        Model("naive-bayes", "tradeoff.crossval.naive_bayes.NaiveBayes", takes="codes"),
        Model("tree", "sklearn.tree.DecisionTreeClassifier", (("min_samples_leaf", 5),)),
        Model("logistic", "sklearn.linear_model.LogisticRegression", (("max_iter", 1000),)),
        Model("forest", "sklearn.ensemble.RandomForestClassifier"),
        Model("boosting", "sklearn.ensemble.HistGradientBoostingClassifier"),
        Model("knn", "sklearn.neighbors.KNeighborsClassifier", (("n_neighbors", 15),)),
        Model("svm", "sklearn.svm.SVC"),
        Model("dummy", "sklearn.dummy.DummyClassifier"),
        Model(
            "weka-naive-bayes",
            "tradeoff.crossval.weka_naive_bayes.WekaNaiveBayes",
            takes="values",
        ),
        Model("weka-j48", "tradeoff.crossval.weka_j48.WekaJ48", takes="values"),
    )
}
"""Models that have a short name."""


def find_model(name: str) -> Model:
    """The model of a short name, or the one at an import path such as my_package.models.Mine."""
    if name in MODELS:
        return MODELS[name]
    if "." in name:
        return Model(name, name.replace(":", "."))
    raise UnknownName(
        f"No model is called {name!r}.{did_you_mean(name, MODELS)} There are "
        f"{format_list(MODELS, 20)}; "
        "your own is named by its import path, such as my_package.models.Mine."
    )


def new_estimator(model: Model, seed: int, features: Features) -> Any:
    """A new, unfitted estimator of a model for these columns; a random one gets the seed."""
    module, _, attribute = model.path.rpartition(".")
    try:
        factory = getattr(import_module(module), attribute)
    except MissingExtra:
        raise
    except ImportError as problem:
        raise InputError(f"{model.path!r} cannot be imported: {problem}.") from problem
    except AttributeError:
        raise InputError(f"Module {module!r} has no {attribute!r}.") from None
    choices = dict(model.choices)
    if "random_state" in inspect.signature(factory).parameters:
        choices["random_state"] = seed
    try:
        factory(**choices)
    except TypeError as problem:
        raise InputError(
            f"{model.path!r} cannot be made without more arguments: {problem}. Give them defaults, "
            "or pass an estimator from Python."
        ) from problem
    if model.takes == "prepared":
        return preprocessing_pipeline(require_estimator(factory(**choices), model.name), features)
    values_by_column = {
        index: values for index, values in enumerate(features.categories) if values is not None
    }
    if model.takes == "codes":
        return factory(
            categories={index: len(values) for index, values in values_by_column.items()}, **choices
        )
    return factory(values=values_by_column, **choices)


def require_estimator(estimator: Any, name: str) -> Any:
    """Return the estimator if scikit-learn can clone it; raise an error otherwise."""
    if hasattr(estimator, "get_params") and hasattr(estimator, "__sklearn_tags__"):
        return estimator
    raise InputError(
        f"{name!r} is no estimator of scikit-learn's kind: derive it from "
        "sklearn.base.BaseEstimator, after ClassifierMixin."
    )
