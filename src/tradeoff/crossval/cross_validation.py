"""Cross-validation: out-of-fold scores of models on the rows of a table."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.comparison.comparison import Comparison
from tradeoff.crossval.feature_columns import (
    feature_notes,
    identifier_columns,
    revealing_column_warnings,
)
from tradeoff.crossval.features import Features, make_features, preprocessing_pipeline
from tradeoff.crossval.fit import InputFormat, Task, out_of_fold_scores
from tradeoff.crossval.folds import Fold, make_folds
from tradeoff.crossval.models import (
    Model,
    new_estimator,
    require_estimator,
    resolve_models,
)
from tradeoff.crossval.time_columns import time_values
from tradeoff.errors import (
    ColumnError,
    InputError,
    extra_required,
    format_list,
    suggest_arguments,
)
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.formatting import printable
from tradeoff.results import Result
from tradeoff.sources.classes import class_labels
from tradeoff.sources.columns import Columns
from tradeoff.sources.missing_values import missing_rows
from tradeoff.sources.read import ScoredRows, read
from tradeoff.sources.read_columns import read_declared_categories, read_table_columns
from tradeoff.sources.row_policy import RowPolicy
from tradeoff.thresholds.operating_threshold import Thresholds
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.wording import ROWS, Wording

DEFAULT_MODELS = ("naive-bayes", "tree", "logistic")


@dataclass(frozen=True, eq=False, repr=False)
class CrossValidation(Result, views="tradeoff.crossval.views"):
    """Out-of-fold scores of one or more models.

    There is one entry per tested row: its index in the data (`places`, from 0), its fold, its
    actual class and each model's score (NaN if the model failed in that fold). Intervals resample
    `clusters`, if given: the groups that folds keep together, or the rows in repeated
    cross-validation. `beside` holds columns that were excluded from training, such as ids;
    `warnings` name columns that give the class away.
    """

    actual_name: str
    positive: str
    places: NDArray[np.intp]
    folds: NDArray[Any]
    actual: NDArray[Any]
    scores: Mapping[str, NDArray[np.float64]]
    notes: tuple[str, ...] = ()
    clusters: NDArray[Any] | None = None
    beside: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    confidence: Confidence = DEFAULT_CONFIDENCE
    threshold: Thresholds | None = None
    warnings: tuple[str, ...] = ()
    wording: Wording = field(default=ROWS, compare=False)

    @cached_property
    def scored(self) -> ScoredRows:
        """The scored rows of each model."""
        columns = Columns(self.actual, self.scores, fold=self.folds, cluster=self.clusters)
        return read(None, columns, RowPolicy(self.positive, missing="drop", wording=self.wording))

    @cached_property
    def evaluation(self) -> Evaluation:
        """Evaluation of each model, over all rows and by fold."""
        return Evaluation(self.scored.models)

    @cached_property
    def compared(self) -> Comparison | None:
        """Comparison of the models; None for a single model."""
        return self.comparison(self.confidence) if len(self.scores) > 1 else None

    def comparison(self, confidence: Confidence | None = None) -> Comparison:
        """Comparison of the models on the rows that all of them scored."""
        return Comparison(self.scored.paired, confidence or Confidence())

    def columns(self) -> dict[str, NDArray[Any]]:
        """The scores as a table: row (from 1), fold, class, other columns, one column per model."""
        columns = {"row": self.places + 1, "fold": self.folds, self.actual_name: self.actual}
        columns = dict(self.beside) | columns
        clashing_names = set(columns) & set(self.scores)
        return columns | {
            f"score_{n}" if n in clashing_names else n: s for n, s in self.scores.items()
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table of scores as Parquet or CSV, which the other commands can read."""
        from tradeoff.files.table_files import write_table

        write_table(self.columns(), path)

    def _repr_html_(self) -> str:
        return self.evaluation._repr_html_()

    def __repr__(self) -> str:
        """One line: the models and their AUCs."""
        return f"CrossValidation({self.evaluation!r})"


@suggest_arguments
def cross_validate(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    data: Any,
    *,
    actual: str,
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
    unit: str = "rows",
    progress: Callable[[int, int], None] | None = None,
) -> CrossValidation:
    """Cross-validate models on a table and return their out-of-fold scores.

    Args:
        data: A dataframe of any library, or the path of a file, as for `evaluate`.
        actual: The column of the actual class, which the models are trained to predict.
        positive: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        models: Short names (see `tradeoff.crossval.models.MODELS`), import paths, or a mapping of
            names to scikit-learn estimators. Columns are preprocessed inside each fold; a pipeline
            gets them unchanged, as a pandas dataframe.
        folds: Number of folds.
        repeats: Number of repetitions, each with new folds.
        seed: Seed of the random number generator; the number of cores does not affect the result.
        group: A column of groups, such as patients, whose rows stay in the same fold.
        time: A column of times: models are trained only on rows earlier than the test rows.
        way: How rows are split into folds: "stratified", "grouped", "ordered" or "weka".
        leave_out: Columns to exclude from training; they are kept in the table of scores. Ids and
            row numbers are always left out, and the notes say so.
        jobs: Number of processes; by default the number of cores.
        unit: Plural noun for what the rows represent in text, such as "customers".
        progress: Callback, called with the number of completed fits and the total number of fits.
    """
    models_by_name, wording = resolve_models(models), Wording(unit)
    with extra_required("Cross-validation"):
        import_module("sklearn")  # before rows are read
    columns, indices, notes = _rows_with_class(read_table_columns(data, None), actual, wording)
    beside = [*([leave_out] if isinstance(leave_out, str) else leave_out), group, time]
    named_columns = {name: _column(columns, name) for name in beside if name is not None}
    identifiers = identifier_columns(
        {n: c for n, c in columns.items() if n not in {actual, *named_columns}}
    )
    excluded_columns = named_columns | {name: columns[name] for name in identifiers}
    features = make_features(
        feature_columns := {
            n: c for n, c in columns.items() if n != actual and n not in excluded_columns
        },
        read_declared_categories(data),
    )
    classes = class_labels(columns[actual], positive, name=actual)
    notes += feature_notes(features, identifiers)
    splits = make_folds(
        classes.positive_rows,
        folds=folds,
        repeats=repeats,
        seed=seed,
        groups=None if group is None else columns[group],
        order=None if time is None else time_values(columns[time], time),
        scheme=way,
    )
    tasks = [
        Task(name, estimator, fold, input_format)
        for name, (estimator, input_format) in _estimators(models_by_name, features, seed).items()
        for fold in splits
    ]
    scores, fit_notes = out_of_fold_scores(
        tasks, features, feature_columns, classes.positive_rows, jobs, progress
    )
    tested = _TestedRows.in_folds(splits, len(indices), repeats, wording)
    model_scores, failure_notes = _fitted_models(tested.scores(scores), fit_notes)
    clusters = tested.indices if repeats > 1 else None
    return CrossValidation(
        actual,
        classes.positive,
        indices[tested.indices],
        tested.folds,
        columns[actual][tested.indices],
        model_scores,
        (*notes, *features.notes, *tested.notes, *fit_notes, *failure_notes),
        clusters if group is None else columns[group][tested.indices],
        {name: column[tested.indices] for name, column in excluded_columns.items()},
        warnings=revealing_column_warnings(features, classes.positive_rows, actual),
        wording=wording,
    )


def _rows_with_class(
    columns: dict[str, NDArray[Any]], actual: str, wording: Wording
) -> tuple[dict[str, NDArray[Any]], NDArray[np.intp], tuple[str, ...]]:
    """The rows that have a class, their indices, and a note about the rows without one."""
    missing = missing_rows(_column(columns, actual))
    indices = np.flatnonzero(~missing)
    if not missing.any():
        return columns, indices, ()
    note = f"{wording.count(int(missing.sum()))} without a class in {actual!r} are left out"
    return {name: column[indices] for name, column in columns.items()}, indices, (note,)


def _column(columns: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    if name not in columns:
        raise ColumnError.missing(name, columns)
    return columns[name]


def _estimators(
    models: Mapping[str, Any], features: Features, seed: int
) -> dict[str, tuple[Any, InputFormat]]:
    """The estimator of each model, and the format in which it needs the rows."""
    estimators: dict[str, tuple[Any, InputFormat]] = {}
    for name, model in models.items():
        if isinstance(model, Model):
            input_format: InputFormat = "values" if model.input_format == "values" else "codes"
            estimators[name] = (new_estimator(model, seed, features), input_format)
        elif hasattr(require_estimator(model, name), "steps"):
            estimators[name] = (model, "frame")
        else:
            estimators[name] = (preprocessing_pipeline(model, features), "codes")
    return estimators


@dataclass(frozen=True, eq=False)
class _TestedRows:
    """The tested rows of all folds, in the order of the data."""

    splits: list[Fold]
    order: NDArray[np.intp]
    indices: NDArray[np.intp]
    folds: NDArray[Any]
    notes: tuple[str, ...]

    @staticmethod
    def in_folds(splits: list[Fold], size: int, repeats: int, wording: Wording) -> _TestedRows:
        indices = np.concatenate([fold.test_rows for fold in splits])
        names = np.concatenate([np.full(len(fold.test_rows), fold.name) for fold in splits])
        order = np.argsort(indices, kind="stable")
        untested_count = size - len(np.unique(indices))
        notes = (
            [f"{wording.count(untested_count)} of {size:,} are the earliest and are never tested"]
            if untested_count
            else []
        )
        resampled = f"whole {wording.units}"
        notes += (
            [f"each {wording.unit} was scored {repeats} times; intervals resample {resampled}"]
            if repeats > 1
            else []
        )
        return _TestedRows(splits, order, indices[order], names[order], tuple(notes))

    def scores(
        self, fold_scores: Mapping[str, Mapping[str, NDArray[np.float64]]]
    ) -> dict[str, NDArray[np.float64]]:
        """Each model's scores, NaN in folds where it failed."""
        missing = {fold.name: np.full(len(fold.test_rows), np.nan) for fold in self.splits}
        return {
            model: np.concatenate([by_fold.get(name, missing[name]) for name in missing])[
                self.order
            ]
            for model, by_fold in fold_scores.items()
        }


def _fitted_models(
    scores: Mapping[str, NDArray[np.float64]], fit_notes: tuple[str, ...]
) -> tuple[dict[str, NDArray[np.float64]], tuple[str, ...]]:
    """Scores of the models that could be fitted, and a note about the others."""
    fitted_scores = {
        model: column for model, column in scores.items() if not np.isnan(column).all()
    }
    if not fitted_scores:
        raise InputError(f"No model could be fitted. {printable(fit_notes[-1], 300)}.")
    failed_models = [model for model in scores if model not in fitted_scores]
    verb = "is" if len(failed_models) == 1 else "are"
    return fitted_scores, (
        f"{format_list(failed_models)} failed in every fold and {verb} left out",
    ) if failed_models else ()
