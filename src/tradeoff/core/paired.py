"""Scores of several models for the same rows: what paired comparisons need.

A ranking is sufficient for one model. The covariance of two models needs the rows they share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking, require_prevalence
from tradeoff.core.sort import descending_order
from tradeoff.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class PairedRanking:
    """Scores of one or more models for the same rows.

    `clusters` numbers the patient, user or other unit of each row. Weights are frequencies, or
    importances where `importance` is set.
    """

    scores: Mapping[str, NDArray[Any]]
    positive_rows: NDArray[np.bool_]
    weights: NDArray[Any] | None = None
    clusters: NDArray[np.intp] | None = None
    positive: str = "positive"
    negative: str = "negative"
    lower_is_positive: bool = False
    importance: bool = False
    notes: tuple[str, ...] = field(default=())

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(self.scores)

    @property
    def rows(self) -> int:
        """Number of rows that all models scored."""
        return len(self.positive_rows)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Ranking of each model."""
        return {name: self._ranking(name) for name in self.scores}

    def _ranking(self, name: str) -> Ranking:
        def ranked(weights: NDArray[Any] | None) -> Ranking:
            return Ranking.of(
                self.scores[name],
                self.positive_rows,
                weights,
                lower_is_positive=self.lower_is_positive,
                positive=self.positive,
                negative=self.negative,
                name=name,
                notes=self.notes,
            )

        ranking = ranked(self.weights)
        if not self.importance or self.weights is None:
            return ranking
        return replace(ranking, squares=ranked(self.weights.astype(np.float64) ** 2))

    def oriented_scores(self, name: str) -> NDArray[Any]:
        """Scores of a model, negated where lower means positive."""
        scores = self.scores[name]
        return -scores if self.lower_is_positive else scores

    def among(self, rows: NDArray[Any]) -> PairedRanking:
        """Subset of the rows, by a mask or row numbers."""
        return replace(
            self,
            scores={name: values[rows] for name, values in self.scores.items()},
            positive_rows=self.positive_rows[rows],
            weights=None if self.weights is None else self.weights[rows],
            clusters=None if self.clusters is None else self.clusters[rows],
        )

    def at_prevalence(self, prevalence: float) -> PairedRanking:
        """Rows weighted to another prevalence."""
        require_prevalence(prevalence)
        if self.positive_rows.all() or not self.positive_rows.any():
            raise InputError("Weighting to another prevalence needs rows of both classes.")
        weights = np.ones(self.rows) if self.weights is None else self.weights.astype(np.float64)
        total = weights.sum()
        shares = np.where(self.positive_rows, prevalence, 1 - prevalence)
        positive_weight = weights[self.positive_rows].sum()
        totals = np.where(self.positive_rows, positive_weight, total - positive_weight)
        return replace(self, weights=weights * shares * total / totals, importance=True)

    def select_models(self, *names: str) -> PairedRanking:
        """Subset of the models."""
        return replace(self, scores={name: self.scores[name] for name in names})

    def placements(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Placements: share of negatives below each positive, and of positives above each negative.

        Ties count half. Their means are the area under the ROC curve.
        """
        scores = self.oriented_scores(name)
        order = descending_order(scores)
        positive = self.positive_rows[order]
        weights = None if self.weights is None else self.weights[order]
        positives_above, negatives_above = (
            _shares_above(in_class, weights) for in_class in (positive, ~positive)
        )
        # A positive is placed among the negatives, from below; a negative among the positives.
        ordered = np.where(positive, 1 - negatives_above, positives_above)
        sizes = _tie_sizes(scores[order])
        if sizes is not None:
            middles = (_mid_shares(side, sizes) for side in (positives_above, negatives_above))
            above, below = (np.repeat(middle, sizes) for middle in middles)
            ordered = np.where(positive, 1 - below, above)
        values = np.empty(self.rows)
        values[order] = ordered
        return values[self.positive_rows], values[~self.positive_rows]

    def __repr__(self) -> str:
        """One line: number of models and rows."""
        return f"PairedRanking({len(self.scores)} models, {self.rows:,} rows)"


def _shares_above(in_class: NDArray[np.bool_], weights: NDArray[Any] | None) -> NDArray[np.float64]:
    """Share of a class at or above each row, rows in descending order."""
    counts = np.cumsum(in_class if weights is None else in_class * weights, dtype=np.float64)
    counts /= counts[-1]
    return np.asarray(counts)


def _tie_sizes(ordered: NDArray[Any]) -> NDArray[np.intp] | None:
    """Number of rows with each score; None where there are no ties."""
    changes = ordered[1:] != ordered[:-1]
    if changes.all():
        return None
    ends = np.append(np.flatnonzero(changes), len(ordered) - 1)
    return np.diff(ends, prepend=-1)


def _mid_shares(shares: NDArray[np.float64], sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Share of a class above the middle of each group of tied scores."""
    ends = shares[np.cumsum(sizes) - 1]
    return np.asarray((ends + np.concatenate([[0.0], ends[:-1]])) / 2)
