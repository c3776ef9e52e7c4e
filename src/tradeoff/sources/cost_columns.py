"""Costs that stand in columns, checked and summed up by score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.costs import Costs, RowCosts
from tradeoff.errors import InputError
from tradeoff.sources.classes import first_rows
from tradeoff.sources.columns import as_column
from tradeoff.text import rows

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.policy import CheckedBatch

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
    """What the rows of each class and score cost on average under each decision.

    `columns` holds the values of the outcomes that cost differently from row to row, `length` of
    them.
    """
    own = {name: _numbers(columns[name], name, length) for name in costs.columns}
    each = {name: _cost_of(costs, own, name) for name in OUTCOMES}
    for name in ("true_positive", "false_positive"):
        each[name] = each[name] + costs.contact
    decided = checked.decided
    positive = decided.labels.positive_rows
    _demand_reasonable(each, decided, length)
    place = ranking.places(decided.scores.astype(np.float64)) - 1
    weights = np.ones(len(place)) if decided.weights is None else decided.weights

    def mean(name: str, of_positives: bool) -> NDArray[np.float64]:
        kept = positive if of_positives else ~positive
        cost = np.broadcast_to(each[name], (length,))[decided.own_places][kept]
        paid = np.bincount(place[kept], cost * weights[kept], minlength=ranking.distinct)
        count = np.bincount(place[kept], weights[kept], minlength=ranking.distinct)
        return np.divide(paid, count, out=np.zeros(ranking.distinct), where=count > 0)

    means: dict[str, Any] = {name: mean(name, name in POSITIVE) for name in OUTCOMES}
    return RowCosts(
        **means,
        allow_rejection=costs.allow_rejection,
        unscored=_unscored(checked, each, length),
        fixed=costs.fixed,
    )


POSITIVE = frozenset({"true_positive", "false_negative", "rejected_positive"})


def _numbers(values: Any, name: str, length: int) -> NDArray[np.float64]:
    column = as_column(values, name)
    said = f"The costs of a {name.replace('_', ' ')}"
    if len(column) != length:
        raise InputError(
            f"{said} ({rows(len(column))}) and the actual classes ({rows(length)}) must have the "
            "same length."
        )
    try:
        numbers = column.astype(np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{said} are numbers, one a row; this column holds others.") from None
    wrong = ~np.isfinite(numbers)
    if wrong.any():
        raise InputError(
            f"{said} are finite numbers; {rows(int(wrong.sum()))} without one (first: "
            f"{first_rows(wrong)})."
        )
    return numbers


def _cost_of(costs: Costs, own: Mapping[str, NDArray[Any]], name: str) -> Any:
    if name in own:
        return own[name]
    given = getattr(costs, name)
    if given is None:  # a kind of rejection that has no cost of its own
        both = own.get("rejected", costs.rejected)
        return 0.0 if both is None else both
    return given


def _demand_reasonable(each: Mapping[str, Any], checked: CheckedBatch, length: int) -> None:
    """A row whose mistake is cheaper than being right makes every threshold absurd."""
    positive = checked.labels.positive_rows
    for right, wrong, of_class in (
        ("true_positive", "false_negative", positive),
        ("true_negative", "false_positive", ~positive),
    ):
        bad = np.zeros(length, np.bool_)
        bad[checked.own_places[of_class]] = True
        bad &= each[wrong] < each[right]
        if bad.any():
            raise InputError(
                f"For {rows(int(bad.sum()))} (first: {first_rows(bad)}) a "
                f"{wrong.replace('_', ' ')} costs less than a {right.replace('_', ' ')}: a mistake "
                "cheaper than being right. Check the signs: costs are positive, benefits negative."
            )


def _unscored(checked: CheckedBatch, each: Mapping[str, Any], length: int) -> tuple[float, float]:
    """The mean cost of rows without a score, positive and negative."""
    rejected = checked.rejected
    if rejected is None:
        return 0.0, 0.0
    positive, places = rejected.labels.positive_rows, rejected.own_places
    weights = np.ones(len(places)) if rejected.weights is None else rejected.weights
    means = []
    for name, own in (("rejected_positive", positive), ("rejected_negative", ~positive)):
        cost = np.broadcast_to(each[name], (length,))[places][own]
        total = float(weights[own].sum())
        means.append(float((cost * weights[own]).sum()) / total if total else 0.0)
    return means[0], means[1]
