"""Fitting models in folds, over the cores that exist, with the same result on any number."""

from __future__ import annotations

import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.results import as_frame
from tradeoff.text import count, plain
from tradeoff.threads import cores

if TYPE_CHECKING:
    from tradeoff.crossval.features import Features
    from tradeoff.crossval.folds import Fold

Takes = Literal["codes", "values", "frame"]
ALONE = 2.0
"""Seconds of fitting in this process before others are started: that alone takes a few."""


class Task(NamedTuple):
    """One model in one fold, and in which form it takes rows."""

    model: str
    estimator: Any
    fold: Fold
    takes: Takes


class Done(NamedTuple):
    """The scores of a fold's tested rows, or why there are none."""

    scores: NDArray[np.float64] | None
    said: str = ""


def fitted(  # noqa: PLR0913, PLR0917 - what is fitted, on what, and how
    tasks: Sequence[Task],
    features: Features,
    columns: Mapping[str, NDArray[Any]],
    positive_rows: NDArray[np.bool_],
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, dict[str, NDArray[np.float64]]], tuple[str, ...]]:
    """The scores of each model by fold, and what went wrong or must be told."""
    forms: dict[Takes, Callable[[], Any]] = {
        "codes": lambda: features.matrix,
        "values": features.as_values,
        "frame": lambda: as_frame(columns, "pandas"),
    }
    tables = {takes: forms[takes]() for takes in dict.fromkeys(task.takes for task in tasks)}
    found: dict[str, dict[str, NDArray[np.float64]]] = defaultdict(dict)
    told: dict[str, None] = {}
    for number, (at, done) in enumerate(_work(tasks, tables, positive_rows, jobs), 1):
        task = tasks[at]
        found[task.model]  # a model that fails everywhere is still known
        if done.scores is not None:
            found[task.model][task.fold.name] = done.scores
        if done.said:
            told[done.said] = None
        if progress is not None:
            progress(number, len(tasks))
    ordered = {task.model: found[task.model] for task in tasks}
    return ordered, tuple(sorted(told))


def _work(
    tasks: Sequence[Task],
    tables: Mapping[Takes, Any],
    positive_rows: NDArray[np.bool_],
    jobs: int | None,
) -> Iterator[tuple[int, Done]]:
    """Each task's place and outcome, as they are done."""
    target = positive_rows.astype(np.int64)
    left = [(at, task, tables[task.takes], target) for at, task in enumerate(tasks)]
    seconds = {None: ALONE, 1: math.inf}.get(jobs, 0.0)
    return chain(_alone(left, seconds), _together(left, jobs or cores()))


# One thread each: sums in another order would differ in their last digits.


def _alone(left: list[Any], seconds: float) -> Iterator[tuple[int, Done]]:
    """Tasks done here, off the list, until it is clear that company would help."""
    from threadpoolctl import threadpool_limits

    start = time.monotonic()
    with threadpool_limits(1):
        while left and time.monotonic() - start < seconds:
            yield _scored(*left.pop(0))


def _together(left: list[Any], jobs: int) -> Iterator[tuple[int, Done]]:
    if not left:
        return
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
        parallel = Parallel(return_as="generator_unordered")
        yield from parallel(delayed(_scored)(*one) for one in left)


def _scored(at: int, task: Task, rows: Any, target: NDArray[np.int64]) -> tuple[int, Done]:
    """Fit on the learned rows, score the tested ones; a failure is told, and the rest goes on."""
    import warnings

    from sklearn.base import clone
    from sklearn.utils import _safe_indexing as some_of

    learned, tested = task.fold.learned, task.fold.tested
    # What models print is not our output.
    with warnings.catch_warnings(), redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        try:
            model = clone(task.estimator).fit(some_of(rows, learned), target[learned])
            return at, _score(model, some_of(rows, tested), task.model)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - an estimator may raise anything
            why = plain(" ".join(f"{type(problem).__name__}: {problem}".split()), 200)
            return at, Done(None, f"{task.model} failed in fold {task.fold.name}: {why}")


def _score(model: Any, rows: Any, name: str) -> Done:
    if hasattr(model, "predict_proba"):
        return Done(_demand_whole(np.asarray(model.predict_proba(rows), np.float64)[:, 1], rows))
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(rows), np.float64).ravel()
        return Done(_demand_whole(scores, rows))
    said = f"{name} gives classes without scores: its curve is a single point"
    return Done(_demand_whole(np.asarray(model.predict(rows), np.float64), rows), said)


def _demand_whole(scores: NDArray[np.float64], rows: Any) -> NDArray[np.float64]:
    if len(scores) != len(rows):
        raise ValueError(f"it gives {count(len(scores))} scores for {count(len(rows))} rows")
    if missing := int(np.isnan(scores).sum()):
        raise ValueError(f"it gives no score (NaN) for {missing:,} of {len(rows):,} rows")
    return scores
