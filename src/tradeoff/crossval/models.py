"""Models of a cross-validation, by short name or import path, and their preprocessing."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.crossval.features import preprocessing_pipeline
from tradeoff.errors import InputError, MissingExtra, UnknownName, did_you_mean, format_list

if TYPE_CHECKING:
    from tradeoff.crossval.features import Features


# Preprocessing of numeric and categorical columns, fitted inside every fold.


@dataclass(frozen=True)
class Model:
    """A model: name, import path of its estimator, parameters and the format of its input.

    The format is "prepared" (imputed and encoded columns), "codes" (numbers, categories as codes,
    NaN for missing values) or "values" as they were read.
    """

    name: str
    path: str
    parameters: tuple[tuple[str, Any], ...] = ()
    input_format: Literal["prepared", "codes", "values"] = "prepared"


MODELS = {
    model.name: model
    for model in (
        Model("naive-bayes", "tradeoff.crossval.naive_bayes.NaiveBayes", input_format="codes"),
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
            input_format="values",
        ),
        Model("weka-j48", "tradeoff.crossval.weka_j48.WekaJ48", input_format="values"),
    )
}
"""Models with a short name."""

MEANINGS = {
    "tree": "decision tree, cart",
    "logistic": "logistic regression, logit, glm, linear",
    "forest": "random forest, rf, randomforest",
    "boosting": "gradient boosting, xgboost, lightgbm, catboost, gbm",
    "knn": "nearest neighbours, neighbors",
    "svm": "support vector machine, svc",
    "dummy": "baseline, majority, zeror",
}
"""What models are also called; for suggestions."""


def find_model(name: str) -> Model:
    """Find a model by its short name or by an import path such as my_package.models.Mine."""
    if name in MODELS:
        return MODELS[name]
    if "." in name:
        return Model(name, name.replace(":", "."))
    raise UnknownName(
        f"No model is called {name!r}.{did_you_mean(name, MODELS, MEANINGS)} Available models: "
        f"{format_list(MODELS, 20)}; name your own by its import path, such as "
        "my_package.models.Mine."
    )


def new_estimator(model: Model, seed: int, features: Features) -> Any:
    """Create an unfitted estimator of a model for these features, with the seed if it takes one."""
    module, _, attribute = model.path.rpartition(".")
    try:
        factory = getattr(import_module(module), attribute)
    except MissingExtra:
        raise
    except ImportError as problem:
        raise InputError(f"{model.path!r} cannot be imported: {problem}.") from problem
    except AttributeError:
        raise InputError(f"Module {module!r} has no {attribute!r}.") from None
    parameters = dict(model.parameters)
    if "random_state" in inspect.signature(factory).parameters:
        parameters["random_state"] = seed
    try:
        factory(**parameters)
    except TypeError as problem:
        raise InputError(
            f"{model.path!r} cannot be created without more arguments: {problem}. Give them "
            "defaults, or pass an estimator from Python."
        ) from problem
    if model.input_format == "prepared":
        return preprocessing_pipeline(
            require_estimator(factory(**parameters), model.name), features
        )
    values_by_column = {
        index: values for index, values in enumerate(features.categories) if values is not None
    }
    if model.input_format == "codes":
        return factory(
            categories={index: len(values) for index, values in values_by_column.items()},
            **parameters,
        )
    return factory(values=values_by_column, **parameters)


def require_estimator(estimator: Any, name: str) -> Any:
    """Return the estimator of a model if scikit-learn can clone it; raise an error otherwise."""
    if hasattr(estimator, "get_params") and hasattr(estimator, "__sklearn_tags__"):
        return estimator
    raise InputError(
        f"{name!r} is not a scikit-learn estimator: derive it from "
        "sklearn.base.BaseEstimator, after ClassifierMixin."
    )


def resolve_models(models: str | Sequence[str] | Mapping[str, Any]) -> Mapping[str, Any]:
    """Models by their names in the result, with short names and import paths resolved."""
    if isinstance(models, str):
        models = [models]
    if hasattr(models, "fit"):
        models = {type(models).__name__: models}
    if not models:
        raise InputError("Name at least one model.")
    by_name = models if hasattr(models, "items") else {name: name for name in models}
    return {
        n: find_model(model) if isinstance(model, str) else model for n, model in by_name.items()
    }
