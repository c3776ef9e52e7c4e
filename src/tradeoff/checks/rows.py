"""Checks of raw rows before ranking: ids, weights, classes, missing values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks.registry import Problem, check
from tradeoff.errors import format_list
from tradeoff.formatting import format_count, format_percent
from tradeoff.sources.sql_quoting import quote_name, quote_string
from tradeoff.wording import ROWS, Wording, quote_class

MAX_LISTED = 3
NO_CLASS = "(no class)"
"""Stands in for the class of rows without one."""


@dataclass(frozen=True, eq=False)
class RawRows:
    """Raw rows to be checked: their classes, ids, weights and folds.

    `classes` holds a name per row, `ids` and `folds` a number or name per row; `no_class` and
    `no_id` are masks of the missing ones. `other_classes` and `other_ids` belong to another file,
    named `other`. If `missing_allowed`, rows without a class are a note, not an error.

    Example:
        >>> raw_rows = RawRows(np.array(["yes", "no", "yes"]), ids=np.array(["a", "b", "a"]))
        >>> duplicate_ids(raw_rows)[1]
        "1 id occurs more than once: 'a' (2 of 3 rows)."
    """

    classes: NDArray[Any]
    no_class: NDArray[np.bool_] | None = None
    ids: NDArray[Any] | None = None
    no_id: NDArray[np.bool_] | None = None
    weights: NDArray[np.float64] | None = None
    folds: NDArray[Any] | None = None
    other: str = ""
    other_classes: tuple[str, ...] | None = None
    other_ids: NDArray[Any] | None = None
    missing_allowed: bool = False
    wording: Wording = ROWS

    @property
    def distinct_classes(self) -> NDArray[Any]:
        """The distinct classes of rows that have one."""
        present = self.classes if self.no_class is None else self.classes[~self.no_class]
        return np.unique(present)


@dataclass(frozen=True, eq=False)
class RawScores:
    """A raw score column to be checked: its missing scores, and predicted classes if any.

    `classes` holds the actual classes of the rows. If `missing_allowed`, missing scores are a note,
    not an error. `values` are the scores and `predicted` the predicted classes in the column called
    `predicted_name` of the same table, if it has one and all scores are at least as high as that of
    a predicted class must be.

    Example:
        >>> scores = RawScores("model", np.array([True, False]), np.array(["a", "b"]))
        >>> missing_scores(scores)[1]
        "1 of 2 rows has no score in model (100% of class 'a', 0% of class 'b')."
    """

    name: str
    is_missing: NDArray[np.bool_]
    classes: NDArray[Any]
    predicted_classes: tuple[str, ...] = ()
    missing_allowed: bool = False
    values: NDArray[np.float64] | None = None
    predicted: NDArray[Any] | None = None
    predicted_name: str = ""
    positive: str = ""
    wording: Wording = ROWS


@check("rows", "rows without a class")
def missing_classes(raw_rows: RawRows) -> Problem:
    """Check rows for missing actual classes."""
    missing_count = 0 if raw_rows.no_class is None else int(raw_rows.no_class.sum())
    if not missing_count:
        return None
    rows = _rows_with_verb(missing_count, len(raw_rows.classes), raw_rows.wording)
    return (
        "note" if raw_rows.missing_allowed else "error",
        f"{rows} no actual class.",
        f"Fill in the classes, or drop such {raw_rows.wording.units}; they cannot be evaluated.",
    )


@check("rows", "duplicate ids")
def duplicate_ids(raw_rows: RawRows) -> Problem:
    """Check rows for duplicate ids, and whether duplicates agree on the class."""
    if raw_rows.ids is None or not len(raw_rows.ids):
        return None
    has_id = np.ones(len(raw_rows.ids), np.bool_) if raw_rows.no_id is None else ~raw_rows.no_id
    _, first_rows, codes = np.unique(raw_rows.ids[has_id], return_index=True, return_inverse=True)
    sizes = np.bincount(codes)
    repeated_codes = np.flatnonzero(sizes > 1)
    if not len(repeated_codes):
        return None
    duplicates = raw_rows.ids[has_id][first_rows[repeated_codes]]
    verb = "id occurs" if len(duplicates) == 1 else "ids occur"
    sentence = (
        f"{format_count(len(duplicates))} {verb} more than once: "
        f"{format_list(_first_ids(duplicates))}"
        f"{' and others' if len(duplicates) > MAX_LISTED else ''} "
        f"({format_count(sizes[repeated_codes].sum())} of "
        f"{raw_rows.wording.count(len(raw_rows.ids))})"
    )
    classes = raw_rows.classes[has_id]
    if (sizes[codes[classes != classes[first_rows][codes]]] > 1).any():
        return (
            "error",
            f"{sentence}, and {raw_rows.wording.units} with the same id differ in class.",
            "Find out which class is right.",
        )
    if raw_rows.folds is not None and not _has_duplicates_within_fold(
        codes, raw_rows.folds[has_id]
    ):
        return (
            "note",
            f"{sentence}, each in different folds.",
            (
                "This is as expected in repeated cross-validation. Repeats add no evidence: use "
                "the id as the cluster for confidence intervals."
            ),
        )
    return (
        "warning",
        f"{sentence}.",
        (
            "Drop the duplicates. If an id is a patient or user with several rows, use it as "
            "the cluster for confidence intervals."
        ),
    )


@check("rows", "rows without an id")
def missing_ids(raw_rows: RawRows) -> Problem:
    """Check rows for missing ids."""
    missing_count = 0 if raw_rows.no_id is None else int(raw_rows.no_id.sum())
    if not missing_count:
        return None
    units = raw_rows.wording.units
    sentence = f"{_rows_with_verb(missing_count, len(raw_rows.classes), raw_rows.wording)} no id."
    return "note", sentence, f"Fill in the ids: duplicates among these {units} cannot be detected."


@check("rows", "rows in both files")
def shared_ids(raw_rows: RawRows) -> Problem:
    """Check for rows that are in both files, as when training rows are used for testing."""
    if raw_rows.ids is None or raw_rows.other_ids is None:
        return None
    ids = raw_rows.ids if raw_rows.no_id is None else raw_rows.ids[~raw_rows.no_id]
    shared = np.intersect1d(ids, raw_rows.other_ids)
    if not len(shared):
        return None
    verb = "id is" if len(shared) == 1 else "ids are"
    units = raw_rows.wording.units
    return (
        "warning",
        (
            f"{format_count(len(shared))} {verb} also in {raw_rows.other}: "
            f"{format_list(_first_ids(shared))}"
            f"{' and others' if len(shared) > MAX_LISTED else ''}."
        ),
        f"If the model was trained on one file, remove its {units} from the other.",
    )


@check("rows", "classes in only one file")
def unseen_classes(raw_rows: RawRows) -> Problem:
    """Check for classes that occur in only one of two files."""
    if raw_rows.other_classes is None:
        return None
    classes, other_classes = set(raw_rows.distinct_classes.tolist()), set(raw_rows.other_classes)
    differences = (
        (classes - other_classes, f"not in {raw_rows.other}"),
        (other_classes - classes, f"only in {raw_rows.other}"),
    )
    parts = [f"{format_list(sorted(names))} {where}" for names, where in differences if names]
    if not parts:
        return None
    return (
        "warning",
        f"The files do not have the same classes: {', '.join(parts)}.",
        f"Check the spelling of the classes, and whether one file lacks {raw_rows.wording.units}.",
    )


@check("rows", "invalid weights")
def wrong_weights(raw_rows: RawRows) -> Problem:
    """Check rows for weights that are negative, missing, infinite or all 0."""
    weights = raw_rows.weights
    if weights is None or not len(weights):
        return None
    is_invalid = ~(np.isfinite(weights) & (weights >= 0))
    if is_invalid.any():
        count = int(is_invalid.sum())
        return (
            "error",
            (
                f"{format_count(count)} of {format_count(len(weights))} weights "
                f"{'is' if count == 1 else 'are'} negative, missing or infinite."
            ),
            "Weights must be 0 or more.",
        )
    if not weights.any():
        no_unit = f"no {raw_rows.wording.unit} is counted"
        return "error", f"Every weight is 0, so {no_unit}.", "Check the weight column."
    zero_count = int((weights == 0).sum())
    if zero_count:
        verb = "is" if zero_count == 1 else "are"
        rows = _rows_with_verb(zero_count, len(weights), raw_rows.wording)
        sentence = f"{rows} weight 0 and {verb} not counted."
        return "note", sentence, "If that is intended, there is nothing to do."
    return None


@check("scores", "rows without a score")
def missing_scores(column: RawScores) -> Problem:
    """Check a score column for missing scores, and report their proportion by class."""
    missing_count = int(column.is_missing.sum())
    if not missing_count:
        return None
    names, codes = np.unique(column.classes, return_inverse=True)
    proportions = np.bincount(codes, weights=column.is_missing) / np.bincount(codes)
    phrases = [
        f"{format_percent(proportion)} of {_rows_of_class(str(name), column.wording)}"
        for name, proportion in zip(names, proportions, strict=True)
    ]
    by_class = f" ({', '.join(phrases)})" if 1 < len(names) <= MAX_LISTED + 1 else ""
    return (
        "note" if column.missing_allowed else "error",
        (
            f"{_rows_with_verb(missing_count, len(column.is_missing), column.wording)} no score in "
            f"{column.name}{by_class}."
        ),
        (
            f"Find out why. Then drop such {column.wording.units}, count them as rejected or rank "
            "them last; if one class lacks more scores than the other, dropping them biases every "
            "metric."
        ),
    )


@check("scores", "probabilities of the predicted class")
def probability_of_predicted_class(column: RawScores) -> Problem:
    """Check whether scores are probabilities of the predicted class, as Weka's `prediction` is."""
    if column.values is None or column.predicted is None:
        return None
    classes = sorted(set(np.unique(column.classes).tolist()) - {NO_CLASS})
    predicted_classes = set(np.unique(column.predicted).tolist())
    if len(predicted_classes) < 2 or not predicted_classes <= set(classes):
        return None
    present = column.values[~np.isnan(column.values)]
    if not len(present) or present.min() < 1 / len(classes) - 1e-6 or present.max() > 1 + 1e-6:
        return None
    positive = column.positive or classes[-1]
    name, predicted = quote_name(column.name), quote_name(column.predicted_name)
    remedy = (
        f"Use CASE WHEN {predicted} = {quote_string(positive)} THEN {name} ELSE 1 - {name} END in "
        f"a query, or the same in your program: the probability of class {quote_class(positive)}."
        if len(classes) == 2
        else "Export the probability of each class, and use that of the positive class."
    )
    return (
        "warning",
        (
            f"{column.name} seems to be the probability of the predicted class (as Weka's "
            f"prediction is): no value is below {1 / len(classes):.3g}, and the column "
            f"{column.predicted_name} holds the class. Confident rows of either class would rank "
            "high."
        ),
        remedy,
    )


@check("scores", "predicted classes that never occur")
def unseen_predictions(column: RawScores) -> Problem:
    """Check for predicted classes that never occur as an actual class."""
    unseen_names = sorted(set(column.predicted_classes) - set(np.unique(column.classes).tolist()))
    if not unseen_names:
        return None
    return (
        "error",
        (
            f"{column.name} contains {format_list(unseen_names, 6)}, which no "
            f"{column.wording.unit} has as its actual class."
        ),
        "Check the spelling of the classes, or pass numbers as scores.",
    )


def _rows_of_class(name: str, wording: Wording) -> str:
    return f"{wording.units} without a class" if name == NO_CLASS else f"class {quote_class(name)}"


def _has_duplicates_within_fold(codes: NDArray[np.intp], folds: NDArray[Any]) -> bool:
    _, fold_codes = np.unique(folds, return_inverse=True)
    pairs = codes.astype(np.int64) * (int(fold_codes.max()) + 1) + fold_codes
    return len(np.unique(pairs)) < len(pairs)


def _rows_with_verb(count: int, total: int, wording: Wording) -> str:
    """Row count followed by a verb that agrees with it: "1 of 9 rows has", "2 of 9 rows have"."""
    return f"{format_count(count)} of {wording.count(total)} {'has' if count == 1 else 'have'}"


def _first_ids(ids: NDArray[Any]) -> list[str]:
    """The first ids as users write them: 7, not 7.0."""
    return [
        f"{row_id:.15g}" if isinstance(row_id, float) else str(row_id)
        for row_id in ids[:MAX_LISTED].tolist()
    ]
