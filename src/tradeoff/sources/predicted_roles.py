"""Roles of columns if predicted classes are evaluated: the actual class, and which is positive.

The actual class is the column that has the values of the predictions, if there is only one.
"""

from __future__ import annotations

from collections.abc import Sequence

from tradeoff.errors import format_list
from tradeoff.sources.column_summaries import ColumnSummary
from tradeoff.sources.role_inference import (
    Roles,
    is_class_column,
    label_names,
    may_hold_classes,
    positive_class,
    predicted_columns,
    prefer_usual_name,
)

MAX_EXAMPLE_CLASSES = 4
"""Maximum number of classes that a message lists."""


def infer_predicted_roles(  # noqa: PLR0913 - all that the caller may name
    summaries: Sequence[ColumnSummary],
    predicted: Sequence[str],
    *,
    actual: str | None = None,
    positive: str | None = None,
    rejected: str | None = None,
    needs_positive: bool = True,
) -> Roles:
    """Roles of columns beside predicted classes: those that are named, and the others if clear.

    Args:
        summaries: Summaries of all columns.
        predicted: Columns of predicted classes.
        actual: Column of the actual class, if it is named.
        positive: The positive class, if it is named.
        rejected: The value of a prediction that stands for undecided rows.
        needs_positive: Whether one of two classes must be the positive one.
    """
    candidates = _class_candidates(summaries, predicted, actual, positive, rejected)
    if len(candidates) != 1:
        return Roles(
            None,
            (),
            positive,
            problem=_class_problem(candidates, predicted),
            predicted=(*predicted,),
        )
    (column,) = candidates
    problem = ""
    if positive is None and needs_positive and column.distinct == 2:
        positive, problem = positive_class(column)
    classes = column.values if column.distinct == 2 else ()
    return Roles(column.name, (), positive, classes, problem, (*predicted,))


def _class_candidates(
    summaries: Sequence[ColumnSummary],
    predicted: Sequence[str],
    actual: str | None,
    positive: str | None,
    rejected: str | None,
) -> Sequence[ColumnSummary]:
    """Columns that may hold the actual class of predictions."""
    if actual is not None:
        return [column for column in summaries if column.name == actual]
    labels = {
        label for column in summaries if column.name in predicted for label in label_names(column)
    } - {rejected}
    others = [c for c in summaries if c.name not in predicted and may_hold_classes(c)]
    candidates: Sequence[ColumnSummary] = (
        [c for c in others if label_names(c) == labels]
        or [c for c in others if labels <= label_names(c)]
        or [c for c in others if is_class_column(c)]  # labels may be written in another way
    )
    if positive is not None:
        candidates = [c for c in candidates if positive in c.values] or candidates
    return prefer_usual_name(candidates)


def _class_problem(candidates: Sequence[ColumnSummary], predicted: Sequence[str]) -> str:
    if candidates:
        names = format_list([column.name for column in candidates])
        return f"Several columns may hold the actual class of {format_list(predicted)}: {names}."
    return f"No column holds the classes that {format_list(predicted)} predicts."


def infer_multiclass_predictions(summaries: Sequence[ColumnSummary]) -> Roles | None:
    """Roles of three or more classes and their predictions, by the names of these; None without."""
    candidates = prefer_usual_name(
        [
            column
            for column in summaries
            if column.distinct > 2
            and may_hold_classes(column)
            and predicted_columns(summaries, column)
        ]
    )
    if len(candidates) != 1:
        return None
    return Roles(candidates[0].name, (), predicted=predicted_columns(summaries, candidates[0]))
