"""Cross-validation: every row scored by models that did not learn from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import ColumnError, InputError, listed
from tradeoff.reading import Reading, read
from tradeoff.sources.labels import labels
from tradeoff.sources.tables import declared_values, table_columns
from tradeoff.tabular import Tabular
from tradeoff.text import plain
from tradeoff.training.features import Features, features_of
from tradeoff.training.fitting import Task, fitted
from tradeoff.training.folds import Fold, make_folds
from tradeoff.training.models import estimator_of, find_model
from tradeoff.training.preparing import prepared

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from tradeoff.analysis.comparing.comparison import Comparison
    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.evaluation import Evaluation

DEFAULT_MODELS = ("naive-bayes", "tree", "logistic")


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Tabular):
    """Out-of-fold scores of one or more models.

    One line a tested row: its place in the data, its fold, its actual class, and each model's
    score (NaN where the model failed in that fold). With repetitions a row has several lines, and
    intervals go by row.
    """

    target: str
    positive: str
    places: NDArray[np.intp]
    folds: NDArray[Any]
    actual: NDArray[Any]
    scores: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = ()

    @cached_property
    def reading(self) -> Reading:
        """The scored rows of each model."""
        repeated = len(np.unique(self.places)) < len(self.places)
        return read(
            actual=self.actual,
            score=self.scores,
            positive=self.positive,
            fold=self.folds,
            cluster=self.places if repeated else None,
            missing="drop",
        )

    @property
    def evaluation(self) -> Evaluation:
        """Each model, over all rows and by fold."""
        return self.reading.evaluation

    def comparison(self, confidence: Confidence | None = None) -> Comparison:
        """The models on the rows that all of them scored."""
        return self.reading.comparison(confidence)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The scores as a table: row (from 1), fold, actual class, one column a model."""
        first = {"row": self.places + 1, "fold": self.folds, self.target: self.actual}
        clash = set(first) & set(self.scores)
        return first | {f"score_{n}" if n in clash else n: s for n, s in self.scores.items()}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table as Parquet or CSV: all other commands can read it."""
        from tradeoff.sources.writing import write_table

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
    models: Sequence[str] | Mapping[str, Any] = DEFAULT_MODELS,
    folds: int = 10,
    repeats: int = 1,
    seed: int = 1,
    group: str | None = None,
    time: str | None = None,
    way: Any = None,
    leave_out: Sequence[str] = (),
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CrossValidation:
    """Cross-validate models on a table.

    Args:
        data: A dataframe of any library, or the path of a CSV, Parquet, JSON or ARFF file.
        target: The column to predict.
        positive: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        models: Short names (see `tradeoff.training.models.MODELS`) or import paths, or estimators
            of scikit-learn's kind by name. Columns are prepared inside each fold.
        folds: How many.
        repeats: How often rows are dealt anew.
        seed: Same seed, same result, on any number of cores.
        group: A column whose rows stay together, such as a patient.
        time: A column of times: folds are learned from what came before.
        way: How folds are made: "stratified", "grouped", "ordered" or "weka".
        leave_out: Columns not to learn from, such as an id.
        jobs: How many processes; as many as there are cores if not given.
        progress: Told how many fits are done, of how many.
    """
    columns = table_columns(data, None)
    for name in (target, group, time, *leave_out):
        if name is not None and name not in columns:
            raise ColumnError.missing(name, columns)
    kept = {n: c for n, c in columns.items() if n not in {target, group, time, *leave_out}}
    actual, positive_rows, called = _target(columns[target], target, positive)
    features = features_of(kept, declared_values(data))
    dealt = make_folds(
        positive_rows,
        folds=folds,
        repeats=repeats,
        seed=seed,
        groups=None if group is None else columns[group],
        order=None if time is None else columns[time],
        way=way,
    )
    tasks = [
        Task(name, estimator, fold, raw)
        for name, (estimator, raw) in _estimators(models, features, seed).items()
        for fold in dealt
    ]
    found, failures = fitted(tasks, features, positive_rows, jobs, progress)
    return _gathered(target, called, actual, dealt, found, (*features.notes, *failures))


def _target(
    column: NDArray[Any], name: str, positive: Any
) -> tuple[NDArray[Any], NDArray[np.bool_], str]:
    """The actual classes, which rows are positive, and what that class is called."""
    found = labels(column, positive, name=name)
    return column, found.positive_rows, found.positive


def _estimators(
    models: Sequence[str] | Mapping[str, Any], features: Features, seed: int
) -> dict[str, tuple[Any, bool]]:
    """Pipelines by name, and whether each takes values as they were read."""
    if not models:
        raise InputError("Name at least one model.")
    given = models if hasattr(models, "items") else {name: name for name in models}
    found = {}
    for name, model in given.items():
        if not isinstance(model, str):
            found[name] = (prepared(model, features), False)
            continue
        known = find_model(model)
        found[name] = (estimator_of(known, seed, features), known.takes == "values")
    return found


def _gathered(  # noqa: PLR0913, PLR0917 - all parts of the result
    target: str,
    positive: str,
    actual: NDArray[Any],
    dealt: list[Fold],
    found: Mapping[str, Mapping[str, NDArray[np.float64]]],
    notes: tuple[str, ...],
) -> CrossValidation:
    places = np.concatenate([fold.tested for fold in dealt])
    names = np.concatenate([np.full(len(fold.tested), fold.name) for fold in dealt])
    scores = {
        model: np.concatenate([by_fold.get(f.name, np.full(len(f.tested), np.nan)) for f in dealt])
        for model, by_fold in found.items()
    }
    alive = {model: own for model, own in scores.items() if not np.isnan(own).all()}
    if not alive:
        raise InputError(f"No model could be fitted. {plain(notes[-1], 300)}.")
    lost = [model for model in scores if model not in alive]
    if lost:
        notes = (*notes, f"{listed(lost)} failed in every fold and are left out")
    order = np.argsort(places, kind="stable")
    return CrossValidation(
        target,
        positive,
        places[order],
        names[order],
        actual[places[order]],
        {model: own[order] for model, own in alive.items()},
        notes,
    )
