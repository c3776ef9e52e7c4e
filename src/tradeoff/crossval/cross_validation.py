"""Cross-validation: every row scored by models that did not learn from it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.comparison import Comparison
from tradeoff.crossval.features import Features, features_of, times_of
from tradeoff.crossval.fit import Takes, Task, fitted
from tradeoff.crossval.folds import Fold, make_folds
from tradeoff.crossval.models import Model, demand_estimator, estimator_of, find_model, prepared
from tradeoff.errors import ColumnError, InputError, listed
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.results import Result
from tradeoff.sources.classes import labels, missing_rows
from tradeoff.sources.columns import Columns
from tradeoff.sources.policy import RowPolicy
from tradeoff.sources.read import Scored, declared_values, read, table_columns
from tradeoff.text import plain, rows
from tradeoff.uncertainty.confidence import USUAL, Confidence

DEFAULT_MODELS = ("naive-bayes", "tree", "logistic")


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Result, views="tradeoff.crossval.views"):
    """Out-of-fold scores of one or more models.

    One line a tested row: its place in the data (from 0), its fold, its actual class, and each
    model's score (NaN where the model failed in that fold). Intervals go by `clusters` where there
    are any: the groups that folds kept together, or the rows where they were dealt several times.
    `beside` holds columns that were not learned from, such as ids.
    """

    target: str
    positive: str
    places: NDArray[np.intp]
    folds: NDArray[Any]
    actual: NDArray[Any]
    scores: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = ()
    clusters: NDArray[Any] | None = None
    beside: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    confidence: Confidence = USUAL
    threshold: float = 0.5

    @cached_property
    def scored(self) -> Scored:
        """The scored rows of each model."""
        columns = Columns(self.actual, self.scores, fold=self.folds, cluster=self.clusters)
        return read(None, columns, RowPolicy(self.positive, missing="drop"))

    @cached_property
    def evaluation(self) -> Evaluation:
        """Each model, over all rows and by fold."""
        return Evaluation(self.scored.models)

    @cached_property
    def compared(self) -> Comparison | None:
        """The comparison of the models; None where there is one alone."""
        return self.comparison(self.confidence) if len(self.scores) > 1 else None

    def comparison(self, confidence: Confidence | None = None) -> Comparison:
        """The models on the rows that all of them scored."""
        return Comparison(self.scored.paired, confidence or Confidence())

    def columns(self) -> dict[str, NDArray[Any]]:
        """The scores as a table: row (from 1), fold, class, columns beside, one column a model."""
        first = {"row": self.places + 1, "fold": self.folds, self.target: self.actual}
        first = dict(self.beside) | first
        clash = set(first) & set(self.scores)
        return first | {f"score_{n}" if n in clash else n: s for n, s in self.scores.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table as Parquet or CSV: all other commands can read it."""
        from tradeoff.files import write_table

        write_table(self.columns(), path)

    def _repr_html_(self) -> str:
        return self.evaluation._repr_html_()

    def __repr__(self) -> str:
        """One line: the models and their areas."""
        return f"CrossValidation({self.evaluation!r})"


def cross_validate(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    data: Any,
    *,
    target: str,
    positive: Any = None,
    models: str | Sequence[str] | Mapping[str, Any] = DEFAULT_MODELS,
    folds: int = 10,
    repeats: int = 1,
    seed: int = 1,
    group: str | None = None,
    time: str | None = None,
    way: Any = None,
    leave_out: str | Sequence[str] = (),
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CrossValidation:
    """Cross-validate models on a table.

    Args:
        data: A dataframe of any library, or the path of a CSV, Parquet, JSON or ARFF file.
        target: The column to predict.
        positive: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        models: Short names (see `tradeoff.crossval.models.MODELS`) or import paths, or estimators
            of scikit-learn's kind by name. Columns are prepared inside each fold, but for
            pipelines, which get them as they are, as a pandas dataframe.
        folds: How many.
        repeats: How often rows are dealt anew.
        seed: Same seed, same result, on any number of cores.
        group: A column whose rows stay together, such as a patient.
        time: A column of times: folds are learned from what came before.
        way: How folds are made: "stratified", "grouped", "ordered" or "weka".
        leave_out: Columns not to learn from, such as an id; they stay beside the scores.
        jobs: How many processes; as many as there are cores if not given.
        progress: Told how many fits are done, of how many.
    """
    wanted = _wanted(models)
    columns, places, notes = _rows(table_columns(data, None), target)
    beside = [*([leave_out] if isinstance(leave_out, str) else leave_out), group, time]
    apart = {name: _column(columns, name) for name in beside if name is not None}
    features = features_of(
        learned := {n: c for n, c in columns.items() if n != target and n not in apart},
        declared_values(data),
    )
    found = labels(columns[target], positive, name=target)
    dealt = make_folds(
        found.positive_rows,
        folds=folds,
        repeats=repeats,
        seed=seed,
        groups=None if group is None else columns[group],
        order=None if time is None else times_of(columns[time], time),
        way=way,
    )
    tasks = [
        Task(name, estimator, fold, takes)
        for name, (estimator, takes) in _estimators(wanted, features, seed).items()
        for fold in dealt
    ]
    scores, told = fitted(tasks, features, learned, found.positive_rows, jobs, progress)
    tested = _Tested.of(dealt, len(places), repeats)
    alive, lost = _alive(tested.scores(scores), told)
    clusters = tested.places if repeats > 1 else None
    return CrossValidation(
        target,
        found.positive,
        places[tested.places],
        tested.folds,
        columns[target][tested.places],
        alive,
        (*notes, *features.notes, *tested.notes, *told, *lost),
        clusters if group is None else columns[group][tested.places],
        {name: column[tested.places] for name, column in apart.items()},
    )


def _wanted(models: str | Sequence[str] | Mapping[str, Any]) -> Mapping[str, Any]:
    """Models by the names that the result will have; short names are known at once."""
    if isinstance(models, str):
        models = [models]
    if hasattr(models, "fit"):
        models = {type(models).__name__: models}
    if not models:
        raise InputError("Name at least one model.")
    given = models if hasattr(models, "items") else {name: name for name in models}
    return {n: find_model(one) if isinstance(one, str) else one for n, one in given.items()}


def _rows(
    columns: dict[str, NDArray[Any]], target: str
) -> tuple[dict[str, NDArray[Any]], NDArray[np.intp], tuple[str, ...]]:
    """The rows that have a class, where they were, and what is to be told."""
    missing = missing_rows(_column(columns, target))
    places = np.flatnonzero(~missing)
    if not missing.any():
        return columns, places, ()
    note = f"{rows(int(missing.sum()))} without a class in {target!r} are left out"
    return {name: column[places] for name, column in columns.items()}, places, (note,)


def _column(columns: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    if name not in columns:
        raise ColumnError.missing(name, columns)
    return columns[name]


def _estimators(
    models: Mapping[str, Any], features: Features, seed: int
) -> dict[str, tuple[Any, Takes]]:
    """What is to be fitted, and in which form it takes rows."""
    found: dict[str, tuple[Any, Takes]] = {}
    for name, model in models.items():
        if isinstance(model, Model):
            takes: Takes = "values" if model.takes == "values" else "codes"
            found[name] = (estimator_of(model, seed, features), takes)
        elif hasattr(demand_estimator(model, name), "steps"):
            found[name] = (model, "frame")
        else:
            found[name] = (prepared(model, features), "codes")
    return found


@dataclass(frozen=True, eq=False)
class _Tested:
    """The tested rows of all folds, in the order of the data."""

    dealt: list[Fold]
    order: NDArray[np.intp]
    places: NDArray[np.intp]
    folds: NDArray[Any]
    notes: tuple[str, ...]

    @staticmethod
    def of(dealt: list[Fold], size: int, repeats: int) -> _Tested:
        places = np.concatenate([fold.tested for fold in dealt])
        names = np.concatenate([np.full(len(fold.tested), fold.name) for fold in dealt])
        order = np.argsort(places, kind="stable")
        never = size - len(np.unique(places))
        notes = [f"{rows(never)} of {size:,} come first and are never tested"] if never else []
        notes += (
            [f"each row was scored {repeats} times; intervals go by row"] if repeats > 1 else []
        )
        return _Tested(dealt, order, places[order], names[order], tuple(notes))

    def scores(
        self, found: Mapping[str, Mapping[str, NDArray[np.float64]]]
    ) -> dict[str, NDArray[np.float64]]:
        """Each model's scores, NaN where it failed."""
        none = {fold.name: np.full(len(fold.tested), np.nan) for fold in self.dealt}
        return {
            model: np.concatenate([own.get(name, none[name]) for name in none])[self.order]
            for model, own in found.items()
        }


def _alive(
    scores: Mapping[str, NDArray[np.float64]], told: tuple[str, ...]
) -> tuple[dict[str, NDArray[np.float64]], tuple[str, ...]]:
    """Models that were fitted somewhere, and which were not."""
    alive = {model: own for model, own in scores.items() if not np.isnan(own).all()}
    if not alive:
        raise InputError(f"No model could be fitted. {plain(told[-1], 300)}.")
    lost = [model for model in scores if model not in alive]
    verb = "is" if len(lost) == 1 else "are"
    return alive, (f"{listed(lost)} failed in every fold and {verb} left out",) if lost else ()
