"""View of the rows in order of score, with their actual and predicted classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.formatting import format_threshold
from tradeoff.render.sections import Section

if TYPE_CHECKING:
    from tradeoff.sources.row_rules import CheckedBatch


def predictions_sections(rows: Mapping[str, CheckedBatch], evaluation: Evaluation) -> list[Section]:
    """View of all rows with their actual and predicted classes, one table per model."""
    sections = {
        name: predictions_section(
            batch.scores,
            batch.labels.positive_rows,
            batch.indices,
            evaluation.rankings[name],
            evaluation.operating_thresholds[name].value,
        )
        for name, batch in rows.items()
    }
    if len(sections) == 1:
        return list(sections.values())
    return [
        replace(section, heading=f"{name}: {section.heading[0].lower()}{section.heading[1:]}")
        for name, section in sections.items()
    ]


def predictions_section(
    scores: NDArray[Any],
    positive_rows: NDArray[Any],
    row_indices: NDArray[Any] | None,
    ranking: Ranking,
    threshold: float,
) -> Section:
    """View of the rows in order of score, with their actual and predicted classes.

    `row_indices` are the indices in the input, if some rows were dropped.
    """
    sign = 1 if ranking.lower_is_positive else -1
    order = (sign * scores).argsort(kind="stable")
    names = {True: ranking.positive, False: ranking.negative}
    table = [("row", "score", "actual", "predicted", "")]
    for row in order.tolist():
        # As in the ranking, float32 scores are compared at full precision.
        score = float(scores[row])
        actual, predicted = bool(positive_rows[row]), sign * score <= sign * threshold
        error = "" if actual == predicted else "false negative" if actual else "false positive"
        number = str(1 + (row if row_indices is None else int(row_indices[row])))
        table.append((number, format_threshold(score), names[actual], names[predicted], error))
    direction = "ascending" if ranking.lower_is_positive else "descending"
    heading = f"Predictions in {direction} order of score"
    return Section(heading, table=tuple(table), left=0)
