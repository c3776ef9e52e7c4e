"""Models by short names, or the user's own by the path to import them from."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed


@dataclass(frozen=True)
class Model:
    """An estimator by name: where it comes from, and what is chosen about it.

    `raw` models take values as they were read, texts and missing ones included.
    """

    name: str
    path: str
    choices: tuple[tuple[str, Any], ...] = ()
    raw: bool = False


MODELS = {
    model.name: model
    for model in (
        Model("naive-bayes", "sklearn.naive_bayes.GaussianNB"),
        Model("tree", "sklearn.tree.DecisionTreeClassifier", (("min_samples_leaf", 5),)),
        Model("logistic", "sklearn.linear_model.LogisticRegression", (("max_iter", 1000),)),
        Model("forest", "sklearn.ensemble.RandomForestClassifier"),
        Model("boosting", "sklearn.ensemble.HistGradientBoostingClassifier"),
        Model("knn", "sklearn.neighbors.KNeighborsClassifier", (("n_neighbors", 15),)),
        Model("svm", "sklearn.svm.SVC"),
        Model("dummy", "sklearn.dummy.DummyClassifier"),
        Model("weka-naive-bayes", "tradeoff.training.weka_naive_bayes.WekaNaiveBayes", raw=True),
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


def estimator_of(model: Model, seed: int) -> Any:
    """A new, unfitted estimator; where it can be random, it gets the seed."""
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
    return made(**choices)


def _not_found(model: Model, problem: ImportError) -> str:
    if (problem.name or "").partition(".")[0] == "sklearn":
        return 'Training needs scikit-learn: pip install "tradeoff[train]".'
    return f"{model.path!r} cannot be imported: {problem}."
