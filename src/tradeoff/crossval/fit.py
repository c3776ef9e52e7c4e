"""Fit models in all folds in parallel; the result does not depend on the number of cores."""

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

from tradeoff.formatting import format_count, printable
from tradeoff.results import to_dataframe
from tradeoff.threads import available_cores

if TYPE_CHECKING:
    from tradeoff.crossval.features import Features
    from tradeoff.crossval.folds import Fold

InputFormat = Literal["codes", "values", "frame"]
MAX_SECONDS_IN_PROCESS = 2.0
"""Seconds of fitting in this process before workers, which take seconds to start, are started."""


class Task(NamedTuple):
    """One model to fit in one fold, and the format in which it needs the rows."""

    model: str
    estimator: Any
    fold: Fold
    input_format: InputFormat


class FitResult(NamedTuple):
    """Scores of the test rows of a fold, or None and a note with the reason."""

    scores: NDArray[np.float64] | None
    note: str = ""


def out_of_fold_scores(  # noqa: PLR0913, PLR0917 - models, data and execution
    tasks: Sequence[Task],
    features: Features,
    columns: Mapping[str, NDArray[Any]],
    positive_rows: NDArray[np.bool_],
    jobs: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, dict[str, NDArray[np.float64]]], tuple[str, ...]]:
    """Fit each model in each fold; return its out-of-fold scores by fold, and notes on failures."""
    table_makers: dict[InputFormat, Callable[[], Any]] = {
        "codes": lambda: features.matrix,
        "values": features.as_values,
        "frame": lambda: to_dataframe(columns, "pandas"),
    }
    formats = dict.fromkeys(task.input_format for task in tasks)
    tables = {input_format: table_makers[input_format]() for input_format in formats}
    scores: dict[str, dict[str, NDArray[np.float64]]] = defaultdict(dict)
    notes: dict[str, None] = {}
    for number, (index, result) in enumerate(_fit_results(tasks, tables, positive_rows, jobs), 1):
        task = tasks[index]
        scores[task.model]  # a model that fails in every fold also has an entry
        if result.scores is not None:
            scores[task.model][task.fold.name] = result.scores
        if result.note:
            notes[result.note] = None
        if progress is not None:
            progress(number, len(tasks))
    ordered_scores = {task.model: scores[task.model] for task in tasks}
    return ordered_scores, tuple(sorted(notes))


def _fit_results(
    tasks: Sequence[Task],
    tables: Mapping[InputFormat, Any],
    positive_rows: NDArray[np.bool_],
    jobs: int | None,
) -> Iterator[tuple[int, FitResult]]:
    """Index and result of each task, in order of completion."""
    target = positive_rows.astype(np.int64)
    pending = [(index, task, tables[task.input_format], target) for index, task in enumerate(tasks)]
    seconds = {None: MAX_SECONDS_IN_PROCESS, 1: math.inf}.get(jobs, 0.0)
    return chain(
        _results_in_process(pending, seconds),
        _results_in_workers(pending, jobs or available_cores()),
    )


# Each fit uses a single thread: sums in another order would differ in their last digits.


def _results_in_process(pending: list[Any], seconds: float) -> Iterator[tuple[int, FitResult]]:
    """Results of tasks fitted in this process and removed from the list, until time is up."""
    from threadpoolctl import threadpool_limits

    start = time.monotonic()
    with threadpool_limits(1):
        while pending and time.monotonic() - start < seconds:
            yield _fit_and_score(*pending.pop(0))


def _results_in_workers(pending: list[Any], jobs: int) -> Iterator[tuple[int, FitResult]]:
    if not pending:
        return
    from joblib import Parallel, delayed, parallel_config

    with parallel_config(backend="loky", n_jobs=jobs, inner_max_num_threads=1):
        parallel = Parallel(return_as="generator_unordered")
        yield from parallel(delayed(_fit_and_score)(*arguments) for arguments in pending)


def _fit_and_score(
    index: int, task: Task, rows: Any, target: NDArray[np.int64]
) -> tuple[int, FitResult]:
    """Fit on the training rows and score the test rows; a failure becomes a note."""
    import warnings

    from sklearn.base import clone
    from sklearn.utils import _safe_indexing as select_rows

    train_rows, test_rows = task.fold.train_rows, task.fold.test_rows
    # Text that models print must not mix with the output.
    with warnings.catch_warnings(), redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        try:
            model = clone(task.estimator).fit(select_rows(rows, train_rows), target[train_rows])
            return index, _score(model, select_rows(rows, test_rows), task.model)
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - an estimator may raise anything
            reason = printable(" ".join(f"{type(problem).__name__}: {problem}".split()), 200)
            return index, FitResult(None, f"{task.model} failed in fold {task.fold.name}: {reason}")


def _score(model: Any, rows: Any, name: str) -> FitResult:
    if hasattr(model, "predict_proba"):
        return FitResult(
            _require_scores(np.asarray(model.predict_proba(rows), np.float64)[:, 1], rows)
        )
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(rows), np.float64).ravel()
        return FitResult(_require_scores(scores, rows))
    note = f"{name} predicts classes without scores: its curve is a single point"
    return FitResult(_require_scores(np.asarray(model.predict(rows), np.float64), rows), note)


def _require_scores(scores: NDArray[np.float64], rows: Any) -> NDArray[np.float64]:
    if len(scores) != len(rows):
        raise ValueError(
            f"it returned {format_count(len(scores))} scores for {format_count(len(rows))} rows"
        )
    if missing := int(np.isnan(scores).sum()):
        raise ValueError(f"it returned no score (NaN) for {missing:,} of {len(rows):,} rows")
    return scores
