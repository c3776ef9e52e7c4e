"""Costs from columns of the data: checked, and averaged by class and score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import Costs, RowCosts
from tradeoff.errors import InputError
from tradeoff.sources.classes import format_first_rows
from tradeoff.sources.columns import column_array
from tradeoff.text import format_rows

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


def row_costs(
    checked: CheckedBatch, ranking: Ranking, costs: Costs, columns: Mapping[str, Any], length: int
) -> RowCosts:
    """Mean cost of each outcome by class and score, from cost columns.

    `columns` holds the `length` values of each outcome whose cost differs between rows.
    """
    column_costs = {name: _parse_costs(columns[name], name, length) for name in costs.columns}
    costs_by_outcome = {name: _outcome_cost(costs, column_costs, name) for name in OUTCOMES}
    for name in ("true_positive", "false_positive"):
        costs_by_outcome[name] = costs_by_outcome[name] + costs.contact
    decided = checked.decided
    positive = decided.labels.positive_rows
    _require_errors_cost_more(costs_by_outcome, decided, length)
    threshold_index = ranking.places(decided.scores.astype(np.float64)) - 1
    weights = np.ones(len(threshold_index)) if decided.weights is None else decided.weights

    def mean(name: str, of_positives: bool) -> NDArray[np.float64]:
        in_class = positive if of_positives else ~positive
        cost = np.broadcast_to(costs_by_outcome[name], (length,))[decided.row_indices][in_class]
        total = np.bincount(
            threshold_index[in_class], cost * weights[in_class], minlength=ranking.distinct
        )
        count = np.bincount(
            threshold_index[in_class], weights[in_class], minlength=ranking.distinct
        )
        return np.divide(total, count, out=np.zeros(ranking.distinct), where=count > 0)

    means: dict[str, Any] = {name: mean(name, name in POSITIVE_OUTCOMES) for name in OUTCOMES}
    return RowCosts(
        **means,
        allow_rejection=costs.allow_rejection,
        unscored=_unscored_means(checked, costs_by_outcome, length),
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
            f"{subject} must be numbers, one per row; this column holds something else."
        ) from None
    invalid = ~np.isfinite(numbers)
    if invalid.any():
        raise InputError(
            f"{subject} must be finite numbers; {format_rows(int(invalid.sum()))} without one "
            f"(first: {format_first_rows(invalid)}): fill them in."
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
    costs_by_outcome: Mapping[str, Any], checked: CheckedBatch, length: int
) -> None:
    """Require that no row's error costs less than the correct decision."""
    positive = checked.labels.positive_rows
    for right, wrong, in_class in (
        ("true_positive", "false_negative", positive),
        ("true_negative", "false_positive", ~positive),
    ):
        cheaper = np.zeros(length, np.bool_)
        cheaper[checked.row_indices[in_class]] = True
        cheaper &= costs_by_outcome[wrong] < costs_by_outcome[right]
        if cheaper.any():
            raise InputError(
                f"For {format_rows(int(cheaper.sum()))} (first: {format_first_rows(cheaper)}) a "
                f"{wrong.replace('_', ' ')} costs less than a {right.replace('_', ' ')}: a mistake "
                "cheaper than being right. Check the signs: costs are positive, benefits negative."
            )


def _unscored_means(
    checked: CheckedBatch, costs_by_outcome: Mapping[str, Any], length: int
) -> tuple[float, float]:
    """Mean cost of rows without a score, positive and negative."""
    rejected = checked.rejected
    if rejected is None:
        return 0.0, 0.0
    positive, indices = rejected.labels.positive_rows, rejected.row_indices
    weights = np.ones(len(indices)) if rejected.weights is None else rejected.weights
    means = []
    for name, in_class in (("rejected_positive", positive), ("rejected_negative", ~positive)):
        cost = np.broadcast_to(costs_by_outcome[name], (length,))[indices][in_class]
        total = float(weights[in_class].sum())
        means.append(float((cost * weights[in_class]).sum()) / total if total else 0.0)
    return means[0], means[1]
