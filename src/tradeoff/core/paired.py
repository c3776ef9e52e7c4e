"""Scores of several models for the same rows, as needed for paired comparisons.

A ranking suffices for one model; the covariance between two models requires their shared rows.
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
from tradeoff.wording import ROWS, Wording


@dataclass(frozen=True, eq=False, repr=False)
class PairedRanking:
    """Scores of one or more models for the same rows.

    `clusters` holds, for each row, the number of the patient, user or other unit that it comes
    from. Weights are frequencies, or importances if `importance` is set. `wording` is what the user
    calls rows in text.
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
    wording: Wording = ROWS

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
        def rank_rows(weights: NDArray[Any] | None) -> Ranking:
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

        ranking = replace(rank_rows(self.weights), wording=self.wording)
        if not self.importance or self.weights is None:
            return ranking
        return replace(ranking, squares=rank_rows(self.weights.astype(np.float64) ** 2))

    def oriented_scores(self, name: str) -> NDArray[Any]:
        """Scores of a model, negated if lower scores mean positive."""
        scores = self.scores[name]
        return -scores if self.lower_is_positive else scores

    def select_rows(self, rows: NDArray[Any]) -> PairedRanking:
        """Subset of the rows, selected by a mask or by row numbers."""
        return replace(
            self,
            scores={name: values[rows] for name, values in self.scores.items()},
            positive_rows=self.positive_rows[rows],
            weights=None if self.weights is None else self.weights[rows],
            clusters=None if self.clusters is None else self.clusters[rows],
        )

    def at_prevalence(self, prevalence: float) -> PairedRanking:
        """Rows reweighted to another prevalence."""
        require_prevalence(prevalence)
        if self.positive_rows.all() or not self.positive_rows.any():
            raise InputError("Reweighting to another prevalence needs rows of both classes.")
        weights = np.ones(self.rows) if self.weights is None else self.weights.astype(np.float64)
        total = weights.sum()
        proportions = np.where(self.positive_rows, prevalence, 1 - prevalence)
        positive_weight = weights[self.positive_rows].sum()
        class_totals = np.where(self.positive_rows, positive_weight, total - positive_weight)
        weights = weights * proportions * total / class_totals
        return replace(self, weights=weights, importance=True)

    def select_models(self, *names: str) -> PairedRanking:
        """Subset of the models."""
        return replace(self, scores={name: self.scores[name] for name in names})

    def placements(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Placement values: proportion of negatives below each positive, positives above negatives.

        Ties count half. The mean over either class is the AUC.
        """
        scores = self.oriented_scores(name)
        order = descending_order(scores)
        positive = self.positive_rows[order]
        weights = None if self.weights is None else self.weights[order]
        positives_above, negatives_above = (
            _proportions_above(in_class, weights) for in_class in (positive, ~positive)
        )
        # Positives are placed among the negatives below them, negatives among the positives above.
        placements = np.where(positive, 1 - negatives_above, positives_above)
        sizes = _tie_sizes(scores[order])
        if sizes is not None:
            positives_above, negatives_above = (
                np.repeat(_midpoints(above, sizes), sizes)
                for above in (positives_above, negatives_above)
            )
            placements = np.where(positive, 1 - negatives_above, positives_above)
        values = np.empty(self.rows)
        values[order] = placements
        return values[self.positive_rows], values[~self.positive_rows]

    def __repr__(self) -> str:
        """One line: number of models and rows."""
        return f"PairedRanking({len(self.scores)} models, {self.rows:,} rows)"


def _proportions_above(
    in_class: NDArray[np.bool_], weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    """Proportion of a class at or above each row, for rows in descending order."""
    counts = np.cumsum(in_class if weights is None else in_class * weights, dtype=np.float64)
    counts /= counts[-1]
    return np.asarray(counts)


def _tie_sizes(ordered_scores: NDArray[Any]) -> NDArray[np.intp] | None:
    """Number of rows with each score; None if there are no ties."""
    changes = ordered_scores[1:] != ordered_scores[:-1]
    if changes.all():
        return None
    ends = np.append(np.flatnonzero(changes), len(ordered_scores) - 1)
    return np.diff(ends, prepend=-1)


def _midpoints(proportions: NDArray[np.float64], sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    """Proportion of a class above the middle of each group of tied scores."""
    ends = proportions[np.cumsum(sizes) - 1]
    return np.asarray((ends + np.concatenate([[0.0], ends[:-1]])) / 2)
