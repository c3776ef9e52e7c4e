"""Several models' scores of the same rows, kept row by row: what comparing them needs.

A ranking says all there is to say about one model. How two models vary together it cannot say:
that is in the rows they share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking, demand_prevalence
from tradeoff.core.sort import falling_order
from tradeoff.errors import InputError


@dataclass(frozen=True, eq=False, repr=False)
class PairedRanking:
    """The scores of one or more models for the same checked rows.

    `clusters` numbers the patient, user or other unit that each row belongs to. Weights count how
    often a row was seen, unless `importance` says that they tell how much it matters.
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
        """The names of the models."""
        return tuple(self.scores)

    @property
    def rows(self) -> int:
        """How many rows all models scored."""
        return len(self.positive_rows)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Each model's own ranking."""
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

    def falling(self, name: str) -> NDArray[Any]:
        """A model's scores, turned so that higher means more positive."""
        scores = self.scores[name]
        return -scores if self.lower_is_positive else scores

    def among(self, rows: NDArray[Any]) -> PairedRanking:
        """Some of the rows: a mask, or row numbers."""
        return replace(
            self,
            scores={name: own[rows] for name, own in self.scores.items()},
            positive_rows=self.positive_rows[rows],
            weights=None if self.weights is None else self.weights[rows],
            clusters=None if self.clusters is None else self.clusters[rows],
        )

    def at_prevalence(self, prevalence: float) -> PairedRanking:
        """The same rows, weighed so that positives are this share of them."""
        demand_prevalence(prevalence)
        if self.positive_rows.all() or not self.positive_rows.any():
            raise InputError("Only rows of both classes can be weighed to another prevalence.")
        weights = np.ones(self.rows) if self.weights is None else self.weights.astype(np.float64)
        total = weights.sum()
        shares = np.where(self.positive_rows, prevalence, 1 - prevalence)
        own = weights[self.positive_rows].sum()
        totals = np.where(self.positive_rows, own, total - own)
        return replace(self, weights=weights * shares * total / totals, importance=True)

    def of_models(self, *names: str) -> PairedRanking:
        """Some of the models."""
        return replace(self, scores={name: self.scores[name] for name in names})

    def placements(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The share of negatives below each positive row, and of positives above each negative.

        Ties count half. Their means are the area under the ROC curve.
        """
        scores = self.falling(name)
        order = falling_order(scores)
        positive = self.positive_rows[order]
        weights = None if self.weights is None else self.weights[order]
        found, alarms = (_shares_above(own, weights) for own in (positive, ~positive))
        # A positive is placed among the negatives, from below; a negative among the positives.
        ordered = np.where(positive, 1 - alarms, found)
        sizes = _tied(scores[order])
        if sizes is not None:
            middles = (_middles(side, sizes) for side in (found, alarms))
            above, below = (np.repeat(middle, sizes) for middle in middles)
            ordered = np.where(positive, 1 - below, above)
        values = np.empty(self.rows)
        values[order] = ordered
        return values[self.positive_rows], values[~self.positive_rows]

    def __repr__(self) -> str:
        """One line: how many models and rows."""
        return f"PairedRanking({len(self.scores)} models, {self.rows:,} rows)"


def _shares_above(own: NDArray[np.bool_], weights: NDArray[Any] | None) -> NDArray[np.float64]:
    """The share of a class at or above each row, rows in falling order."""
    counts = np.cumsum(own if weights is None else own * weights, dtype=np.float64)
    counts /= counts[-1]
    return np.asarray(counts)


def _tied(ordered: NDArray[Any]) -> NDArray[np.intp] | None:
    """How many rows share each score; None where all differ."""
    changes = ordered[1:] != ordered[:-1]
    if changes.all():
        return None
    ends = np.append(np.flatnonzero(changes), len(ordered) - 1)
    return np.diff(ends, prepend=-1)


def _middles(shares: NDArray[np.float64], sizes: NDArray[np.intp]) -> NDArray[np.float64]:
    """The share of a class above the middle of each group of equal scores."""
    ends = shares[np.cumsum(sizes) - 1]
    return np.asarray((ends + np.concatenate([[0.0], ends[:-1]])) / 2)
