"""Models by short names or by their import path, and how columns are prepared for them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed

if TYPE_CHECKING:
    from tradeoff.crossval.features import Features


# From mixed columns to what estimators can learn from; fitted anew inside every fold.


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


@dataclass(frozen=True)
class Model:
    """An estimator by name: where it comes from, what is chosen about it, and what it takes.

    That is "prepared" columns, "codes" (numbers, categories by their places, NaN for missing ones)
    or "values" as they were read.
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
"""Models that need no code."""


def find_model(name: str) -> Model:
    """The model called so, or the one at an import path such as my_package.models.Mine."""
    if name in MODELS:
        return MODELS[name]
    if "." in name:
        return Model(name, name.replace(":", "."))
    raise UnknownName(
        f"No model is called {name!r}.{did_you_mean(name, MODELS)} There are {listed(MODELS, 20)}; "
        "your own is named by its import path, such as my_package.models.Mine."
    )


def estimator_of(model: Model, seed: int, features: Features) -> Any:
    """A new, unfitted estimator for these columns; where it can be random, it gets the seed."""
    module, _, attribute = model.path.rpartition(".")
    try:
        made = getattr(import_module(module), attribute)
    except ImportError as problem:
        raise InputError(_not_found(model, problem)) from problem
    except AttributeError:
        raise InputError(f"Module {module!r} has no {attribute!r}.") from None
    choices = dict(model.choices)
    if "random_state" in inspect.signature(made).parameters:
        choices["random_state"] = seed
    try:
        made(**choices)
    except TypeError as problem:
        raise InputError(
            f"{model.path!r} cannot be made without more arguments: {problem}. Give them defaults, "
            "or pass an estimator from Python."
        ) from problem
    if model.takes == "prepared":
        return prepared(demand_estimator(made(**choices), model.name), features)
    known = {at: own for at, own in enumerate(features.categories) if own is not None}
    if model.takes == "codes":
        return made(categories={at: len(own) for at, own in known.items()}, **choices)
    return made(values=known, **choices)


def demand_estimator(estimator: Any, name: str) -> Any:
    """The estimator, if scikit-learn can clone it and ask what it takes."""
    if hasattr(estimator, "get_params") and hasattr(estimator, "__sklearn_tags__"):
        return estimator
    raise InputError(
        f"{name!r} is no estimator of scikit-learn's kind: derive it from "
        "sklearn.base.BaseEstimator, after ClassifierMixin."
    )


def _not_found(model: Model, problem: ImportError) -> str:
    if (problem.name or "").partition(".")[0] == "sklearn":
        return 'Training needs scikit-learn: pip install "tradeoff[train]".'
    return f"{model.path!r} cannot be imported: {problem}."
