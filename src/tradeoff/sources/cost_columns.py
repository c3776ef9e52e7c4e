"""Check cost columns, with one cost per row, and average them by class and score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import Costs, RowCosts
from tradeoff.errors import InputError
from tradeoff.formatting import format_rows
from tradeoff.sources.columns import column_array
from tradeoff.sources.row_numbers import format_first_rows

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.row_rules import CheckedBatch

OUTCOMES = (
    "true_positive",
    "false_negative",
    "false_positive",
    "true_negative",
    "rejected_positive",
    "rejected_negative",
)


def costs_from_columns(
    batch: CheckedBatch, ranking: Ranking, costs: Costs, columns: Mapping[str, Any], length: int
) -> RowCosts:
    """Mean cost of each outcome by class and score, from cost columns of the data.

    `columns` holds one cost per row (`length` rows) for each outcome with a cost column.
    """
    column_costs = {name: _parse_costs(columns[name], name, length) for name in costs.columns}
    costs_by_outcome = {name: _outcome_cost(costs, column_costs, name) for name in OUTCOMES}
    for name in ("true_positive", "false_positive"):
        costs_by_outcome[name] = costs_by_outcome[name] + costs.contact
    scored_rows = batch.scored
    positive_rows = scored_rows.labels.positive_rows
    _require_errors_cost_more(costs_by_outcome, scored_rows, length)
    threshold_indices = ranking.places(scored_rows.scores.astype(np.float64)) - 1
    weights = (
        np.ones(len(threshold_indices)) if scored_rows.weights is None else scored_rows.weights
    )

    def mean_cost(name: str, for_positives: bool) -> NDArray[np.float64]:
        in_class = positive_rows if for_positives else ~positive_rows
        cost = np.broadcast_to(costs_by_outcome[name], (length,))[scored_rows.row_indices][in_class]
        cost_sums = np.bincount(
            threshold_indices[in_class], cost * weights[in_class], minlength=ranking.distinct
        )
        row_counts = np.bincount(
            threshold_indices[in_class], weights[in_class], minlength=ranking.distinct
        )
        return np.divide(
            cost_sums, row_counts, out=np.zeros(ranking.distinct), where=row_counts > 0
        )

    means: dict[str, Any] = {name: mean_cost(name, name in POSITIVE_OUTCOMES) for name in OUTCOMES}
    return RowCosts(
        **means,
        allow_rejection=costs.allow_rejection,
        unscored=_unscored_mean_costs(batch, costs_by_outcome, length),
        fixed=costs.fixed,
    )


POSITIVE_OUTCOMES = frozenset({"true_positive", "false_negative", "rejected_positive"})


def _parse_costs(values: Any, name: str, length: int) -> NDArray[np.float64]:
    column = column_array(values, name)
    subject = f"The costs of a {name.replace('_', ' ')}"
    if len(column) != length:
        raise InputError(
            f"{subject} ({format_rows(len(column))}) and the actual classes "
            f"({format_rows(length)}) must have the same length."
        )
    try:
        numbers = column.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"{subject} must be numbers, one per row, but this column holds other values."
        ) from None
    is_invalid = ~np.isfinite(numbers)
    if is_invalid.any():
        raise InputError(
            f"{subject} must be finite numbers; {format_rows(int(is_invalid.sum()))} without one "
            f"(first: {format_first_rows(is_invalid)}): fill them in."
        )
    return numbers


def _outcome_cost(costs: Costs, column_costs: Mapping[str, NDArray[Any]], name: str) -> Any:
    if name in column_costs:
        return column_costs[name]
    cost = getattr(costs, name)
    if cost is None:  # rejections of this class have no separate cost
        rejection_cost = column_costs.get("rejected", costs.rejected)
        return 0.0 if rejection_cost is None else rejection_cost
    return cost


def _require_errors_cost_more(
    costs_by_outcome: Mapping[str, Any], batch: CheckedBatch, length: int
) -> None:
    """Require that an error never cost less than the correct decision."""
    positive_rows = batch.labels.positive_rows
    for correct, error, in_class in (
        ("true_positive", "false_negative", positive_rows),
        ("true_negative", "false_positive", ~positive_rows),
    ):
        is_cheaper = np.zeros(length, np.bool_)
        is_cheaper[batch.row_indices[in_class]] = True
        is_cheaper &= costs_by_outcome[error] < costs_by_outcome[correct]
        if is_cheaper.any():
            raise InputError(
                f"For {format_rows(int(is_cheaper.sum()))} (first: "
                f"{format_first_rows(is_cheaper)}) a {error.replace('_', ' ')} costs less than a "
                f"{correct.replace('_', ' ')}, so that an error would be better than the correct "
                "decision. Check the signs: costs are positive, benefits negative."
            )


def _unscored_mean_costs(
    batch: CheckedBatch, costs_by_outcome: Mapping[str, Any], length: int
) -> tuple[float, float]:
    """Mean cost of the positives without a score, and of the negatives without one."""
    rejected = batch.rejected
    if rejected is None:
        return 0.0, 0.0
    positive_rows, indices = rejected.labels.positive_rows, rejected.row_indices
    weights = np.ones(len(indices)) if rejected.weights is None else rejected.weights
    means = []
    for name, in_class in (
        ("rejected_positive", positive_rows),
        ("rejected_negative", ~positive_rows),
    ):
        cost = np.broadcast_to(costs_by_outcome[name], (length,))[indices][in_class]
        total = float(weights[in_class].sum())
        means.append(float((cost * weights[in_class]).sum()) / total if total else 0.0)
    return means[0], means[1]
