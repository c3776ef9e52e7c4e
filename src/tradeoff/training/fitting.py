"""Fitting models in folds, over the cores that exist, with the same result on any number."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.ranking.cores import cores
from tradeoff.text import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from tradeoff.training.features import Features
    from tradeoff.training.folds import Fold


class Task(NamedTuple):
    """One model in one fold."""

    model: str
    estimator: Any
    fold: Fold
    raw: bool


class Done(NamedTuple):
    """The scores of a fold's tested rows, or why there are none."""

    scores: NDArray[np.float64] | None
    said: str = ""


def fitted(
    tasks: Sequence[Task],
    features: Features,
    positive_rows: NDArray[np.bool_],
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, dict[str, NDArray[np.float64]]], tuple[str, ...]]:
    """The scores of each model by fold, and what went wrong or must be told."""
    values = features.as_values() if any(task.raw for task in tasks) else features.matrix
    target = positive_rows.astype(np.int64)
    found: dict[str, dict[str, NDArray[np.float64]]] = defaultdict(dict)
    told: dict[str, None] = {}
    work = _work(tasks, features.matrix, values, target, jobs or cores())
    for count, (at, done) in enumerate(work, 1):
        task = tasks[at]
        found[task.model]  # a model that fails everywhere is still known
        if done.scores is not None:
            found[task.model][task.fold.name] = done.scores
        if done.said:
            told[done.said] = None
        if progress is not None:
            progress(count, len(tasks))
    ordered = {task.model: found[task.model] for task in tasks}
    return ordered, tuple(sorted(told))


def _work(
    tasks: Sequence[Task],
    matrix: NDArray[np.float64],
    values: NDArray[Any],
    target: NDArray[np.int64],
    jobs: int,
) -> Iterator[tuple[int, Done]]:
    arguments: list[tuple[int, Task, NDArray[Any], NDArray[np.int64]]] = [
        (at, task, values if task.raw else matrix, target) for at, task in enumerate(tasks)
    ]
    if jobs == 1:
        return (_scored(*one) for one in arguments)
    from joblib import Parallel, delayed

    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
    done: Iterator[tuple[int, Done]] = parallel(delayed(_scored)(*one) for one in arguments)
    return done


def _scored(at: int, task: Task, rows: NDArray[Any], target: NDArray[np.int64]) -> tuple[int, Done]:
    """Fit on the learned rows, score the tested ones; a failure is told, and the rest goes on."""
    import warnings

    from sklearn.base import clone
    from threadpoolctl import threadpool_limits

    # One thread: sums in another order would differ in their last digits.
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = clone(task.estimator).fit(rows[task.fold.learned], target[task.fold.learned])
            return at, _score(model, rows[task.fold.tested], task.model)
        except Exception as problem:  # noqa: BLE001 - a user's estimator may raise anything
            why = plain(f"{type(problem).__name__}: {problem}", 200)
            return at, Done(None, f"{task.model} failed in fold {task.fold.name}: {why}")


def _score(model: Any, rows: NDArray[Any], name: str) -> Done:
    if hasattr(model, "predict_proba"):
        return Done(np.asarray(model.predict_proba(rows), np.float64)[:, 1])
    if hasattr(model, "decision_function"):
        return Done(np.asarray(model.decision_function(rows), np.float64).ravel())
    said = f"{name} gives classes without scores: its curve is a single point"
    return Done(np.asarray(model.predict(rows), np.float64), said)
