"""The ranking: distinct scores from high to low, with the positives and negatives at or above each.

It is all that any curve, metric or area needs to know of a scored test set. Rankings add, so a
data set can be ranked in parts. Nothing here reads rows or checks them.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core import sort
from tradeoff.core.bins import FEWEST_BINS, coarsened, opened, order_of
from tradeoff.core.concordance import KnownPairs, Pairs, Ties, twice_area
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.hull import hull_places
from tradeoff.core.merge import added
from tradeoff.core.numbers import require_numbers
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, as_number
from tradeoff.results import Tabular
from tradeoff.text import count, rows

# The share of positives where a classifier will be used.


def each_at_prevalence(
    rankings: Mapping[str, Ranking], prevalence: float | None
) -> dict[str, Ranking]:
    """Several rankings at a prevalence; those of one class cannot be weighed and stay."""
    return {
        name: ranking.at_prevalence(prevalence)
        if ranking.positives and ranking.negatives
        else ranking
        for name, ranking in rankings.items()
    }


def demand_prevalence(prevalence: float) -> None:
    """A population has rows of both classes."""
    if not 0 < as_number(prevalence, "A prevalence") < 1:
        raise InputError(f"A prevalence lies between 0 and 1, not at {prevalence}.")


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Tabular):
    """Distinct scores, most positive first, with the counts at or above each.

    The first row is "none predicted positive": its threshold is inf and its counts are 0. A row
    is predicted positive when its score is at or above the threshold (`lower_is_positive`: at or
    below it; thresholds then rise from -inf). Where weights say how much a row matters, not how
    often it was seen, `squares` ranks the same rows with their weights squared: intervals need it.
    `levels` tells which thresholds stand for bins of several scores (see `bins`), None: none do;
    `known_pairs` are then those by all scores, if they were counted. `prevalence_known` tells that
    classes were weighed to a given prevalence (`at_prevalence`).

    Example:
        >>> scores, positive = np.array([0.9, 0.7, 0.7, 0.2]), np.array([True, False, True, False])
        >>> ranking = Ranking.of(scores, positive)
        >>> ranking
        Ranking(score: 4 rows, 2 'positive' and 2 'negative', 3 distinct scores)
        >>> ranking.at(0.5)
        ConfusionMatrix(2 of 2 'positive' found, 1 of 2 'negative' called 'positive')
    """

    tally: Tally
    rows: int
    positive: str = "positive"
    negative: str = "negative"
    name: str = "score"
    lower_is_positive: bool = False
    rejected_positives: Any = 0
    rejected_negatives: Any = 0
    notes: tuple[str, ...] = field(default=())
    squares: Ranking | None = None
    levels: NDArray[np.uint8] | None = None
    known_pairs: KnownPairs | None = None
    prevalence_known: bool = False

    def __post_init__(self) -> None:
        """Freeze the columns: rankings are shared."""
        for column in self.tally:
            column.flags.writeable = False

    @classmethod
    def of(
        cls,
        scores: NDArray[Any],
        positive_rows: NDArray[np.bool_],
        weights: NDArray[Any] | None = None,
        *,
        lower_is_positive: bool = False,
        rejected_rows: int = 0,
        **described: Any,
    ) -> Ranking:
        """The ranking of checked rows (`tradeoff.sources` checks them); weights are frequencies.

        Args:
            scores: Floats, integers or booleans, none of them NaN.
            positive_rows: Whether each row is positive.
            weights: Integers or floats above 0.
            lower_is_positive: Lower scores mean positive.
            rejected_rows: How many rows have no score.
            described: Names, notes and rejected counts of the ranking.

        Example:
            >>> Ranking.of(np.array([3, 1, 3]), np.array([True, False, False])).distinct
            2
        """
        scores, positive_rows, weights = require_numbers(scores, positive_rows, weights)
        tally = sort.tally(-scores if lower_is_positive else scores, positive_rows, weights)
        if lower_is_positive:
            np.negative(tally.thresholds, out=tally.thresholds)
            tally.thresholds[...] += 0.0  # no negative zero
        rows = len(scores) + rejected_rows
        return cls(tally, rows, lower_is_positive=lower_is_positive, **described)

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """The distinct scores, most positive first, behind inf for "none"."""
        return self.tally.thresholds.astype(np.float64, copy=False)

    @property
    def true_positives(self) -> NDArray[Any]:
        """Positive rows at or above each threshold, as int64 (float64 for real weights)."""
        counts: NDArray[Any] = _wide(self.tally.true_positives)
        return counts

    @property
    def false_positives(self) -> NDArray[Any]:
        """Negative rows at or above each threshold, as int64 (float64 for real weights)."""
        counts: NDArray[Any] = _wide(self.tally.false_positives)
        return counts

    @cached_property
    def positives(self) -> Any:
        """Ranked positive rows (their weight, where rows have weights)."""
        return _wide(self.tally.true_positives[-1:])[0]

    @cached_property
    def negatives(self) -> Any:
        """Ranked negative rows (their weight, where rows have weights)."""
        return _wide(self.tally.false_positives[-1:])[0]

    @cached_property
    def total(self) -> Any:
        """All rows, rejected ones included (their weight, where rows have weights)."""
        rejected = self.rejected_positives + self.rejected_negatives
        return self.positives + self.negatives + rejected

    @cached_property
    def is_counted(self) -> bool:
        """Whether counts are whole rows, not sums of real weights."""
        return self.tally.true_positives.dtype.kind == "i"

    @cached_property
    def effective_rows(self) -> tuple[float, float]:
        """Ranked rows of each class, positive first: equally weighted ones that would say as much.

        Rows that differ in importance say less than as many equal ones: (Σw)² / Σw² (Kish 1965).
        """
        totals = float(self.positives), float(self.negatives)
        if self.squares is None:
            return totals
        squared = float(self.squares.positives), float(self.squares.negatives)
        own = [w**2 / s if s else 0.0 for w, s in zip(totals, squared, strict=True)]
        return own[0], own[1]

    @cached_property
    def distinct(self) -> int:
        """How many different scores there are."""
        return len(self.tally.thresholds) - 1

    @cached_property
    def hull_places(self) -> NDArray[np.intp]:
        """Places of the vertices of the ROC points' convex hull, from (0, 0) to (1, 1)."""
        return hull_places(self.tally.true_positives, self.tally.false_positives)

    @cached_property
    def exact(self) -> bool:
        """Whether every distinct score has a place of its own."""
        return self.levels is None

    def within(self, most: int) -> Ranking:
        """The ranking with at most so many thresholds, of which each still has exact counts.

        Neighbouring scores go together, where there are many of them; what is lost is the order
        of rows inside such bins.
        """
        if most < FEWEST_BINS:
            raise InputError(f"A ranking has {FEWEST_BINS} bins or more, not {most}.")
        if self.distinct <= most:
            return self
        sign = -1 if self.lower_is_positive else 1
        levels = None if self.levels is None else self.levels[1:]
        groups = coarsened(order_of(sign * self.tally.thresholds[1:]), self._mass(), levels, most)
        kept = np.append([0], groups.last + 1)

        def some(ranking: Ranking) -> Tally:
            return Tally(*(column[kept] for column in ranking.tally))

        levels = np.append([np.uint8(0)], groups.levels)
        squares = self.squares and replace(self.squares, tally=some(self.squares), levels=levels)
        found = replace(self, tally=some(self), squares=squares, levels=levels)
        return found.with_pairs(self.pairs)

    @property
    def pairs(self) -> Pairs | None:
        """All pairs by every score, where they were counted although scores are in bins."""
        return self.known_pairs and self.known_pairs.of(self.tally)

    def with_pairs(self, pairs: Pairs | None) -> Ranking:
        """The ranking of rows whose pairs were counted by every score."""
        known = None if pairs is None else KnownPairs(pairs, self.tally.true_positives)
        return replace(self, known_pairs=known)

    def is_inside(self, threshold: float, place: int) -> bool:
        """Whether a threshold may part the rows of the bin at a place."""
        if self.levels is None or not self.levels[place]:
            return False
        sign = -1 if self.lower_is_positive else 1
        both = np.array([threshold, self.tally.thresholds[place]], np.float64)
        at, own = order_of(sign * both)
        level = np.uint64(self.levels[place])
        return bool(at > own and at >> level == own >> level)

    @cached_property
    def best_case(self) -> Ranking:
        """The ranking if in every bin the positive rows scored higher; no exact one is better."""
        return self._opened(positives_first=True)

    @cached_property
    def worst_case(self) -> Ranking:
        """The ranking if in every bin the negative rows scored higher; no exact one is worse."""
        return self._opened(positives_first=False)

    def _opened(self, *, positives_first: bool) -> Ranking:
        if self.levels is None:
            return self
        sign = -1 if self.lower_is_positive else 1
        own = opened(self.tally, self.levels, positives_first=positives_first, sign=sign)
        return replace(self, tally=own, levels=None, squares=None).with_pairs(self.pairs)

    def _mass(self) -> NDArray[np.float64]:
        """The shares of positives and negatives at or above each score, added."""
        found = self.tally.true_positives[1:] / (self.positives or 1)
        return np.asarray(found + self.tally.false_positives[1:] / (self.negatives or 1))

    def columns(self) -> dict[str, Any]:
        """One line a threshold, the first "none predicted positive"."""
        return {"threshold": self.thresholds, **self.confusion.columns()}

    @property
    def confusion(self) -> ConfusionMatrix:
        """The confusion matrix at every threshold at once: each count is an array."""
        return self.matrices(slice(None))

    def matrices(self, places: Any) -> ConfusionMatrix:
        """The confusion matrices at some places of the ranking (a slice, or an array of them)."""
        _, found, alarms = (column[places] for column in self.tally)
        squares = None if self.squares is None else self.squares.matrices(places)
        return self._matrix(_wide(found), _wide(alarms), squares)

    def twice_pairs_won(self, *, ties: Ties = "half") -> int | float:
        """Twice the pairs (positive, negative) in which the positive scores higher.

        An exact integer without weights. Ties count half, or as won or lost.
        """
        if ties == "half":
            return self._twice_won
        return twice_area(self.tally.true_positives, self.tally.false_positives, ties=ties)

    @cached_property
    def _twice_won(self) -> int | float:
        """Pairs won with ties as halves: most that is asked of a ranking needs them."""
        if self.pairs is not None:
            return self.pairs.twice_won
        return twice_area(self.tally.true_positives, self.tally.false_positives)

    def index(self, threshold: float) -> int:
        """The place of the threshold's operating point: the last row at or above it."""
        try:
            at = float(threshold)
        except (TypeError, ValueError):
            at = np.nan
        if np.isnan(at):
            raise InputError(f"A threshold is one number, not {threshold!r}.")
        sign = 1 if self.lower_is_positive else -1
        # bisect looks at a few thresholds only; searchsorted would copy them all.
        falling = self.tally.thresholds
        # float(): a float32 must meet the threshold as it is, not the threshold rounded to it.
        return bisect_right(falling, sign * at, lo=1, key=lambda t: sign * float(t)) - 1

    def places(self, thresholds: NDArray[Any]) -> NDArray[np.intp]:
        """The places of many thresholds at once."""
        sign = 1 if self.lower_is_positive else -1
        found = np.searchsorted(sign * self.thresholds[1:], sign * thresholds, "right")
        return np.asarray(found)

    def at(self, threshold: float) -> ConfusionMatrix:
        """The confusion matrix when rows at or above the threshold are predicted positive."""
        return self.at_place(self.index(threshold))

    def at_place(self, place: int) -> ConfusionMatrix:
        """The confusion matrix of one row of the ranking."""
        _, found, alarms = (_wide(column[place : place + 1])[0] for column in self.tally)
        squares = None if self.squares is None else self.squares.at_place(place)
        return self._matrix(found, alarms, squares)

    def at_prevalence(self, prevalence: float | None) -> Ranking:
        """The same scores where positives are this share of all rows: counts become weights.

        The total stays. Rates by class do not change; precision, lift and costs do. Without a
        prevalence the ranking stays as it is.
        """
        if prevalence is None:
            return self
        positives = self.positives + self.rejected_positives
        negatives = self.negatives + self.rejected_negatives
        demand_prevalence(prevalence)
        if not (positives and negatives):
            raise InputError("Only rows of both classes can be weighed to another prevalence.")
        total = positives + negatives
        up, down = prevalence * total / positives, (1 - prevalence) * total / negatives
        told = (*self.notes, f"counts are weighed to a prevalence of {prevalence:g}")
        squares = (self.squares or self).weighed(up**2, down**2)
        squares = replace(squares, notes=told, prevalence_known=True)
        weighed = self.weighed(up, down)
        return replace(weighed, notes=told, squares=squares, prevalence_known=True)

    def weighed(self, up: float, down: float) -> Ranking:
        """Every positive row counted `up` times, every negative row `down` times."""
        return replace(
            self,
            tally=Tally(
                self.tally.thresholds,
                self.tally.true_positives * up,
                self.tally.false_positives * down,
            ),
            rejected_positives=self.rejected_positives * up,
            rejected_negatives=self.rejected_negatives * down,
        )

    def banded(self, upper: Any, lower: Any) -> ConfusionMatrix:
        """The matrix when rows after place `upper` and up to place `lower` are rejected.

        Places may be arrays: one matrix for each pair.
        """
        sure = self.matrices(upper)
        rest = self.matrices(lower)
        return replace(
            rest,
            true_positives=sure.true_positives,
            false_positives=sure.false_positives,
            rejected_positives=rest.true_positives - sure.true_positives + self.rejected_positives,
            rejected_negatives=rest.false_positives
            - sure.false_positives
            + self.rejected_negatives,
            squares=None if self.squares is None else self.squares.banded(upper, lower),
        )

    def named(self, name: str) -> Ranking:
        """The same ranking under another name."""
        return replace(self, name=name)

    def __add__(self, other: Ranking) -> Ranking:
        """The ranking of the rows of both."""
        if not isinstance(other, Ranking):
            return NotImplemented
        return added([self, other])

    def __eq__(self, other: object) -> bool:
        """Whether both rank the same rows and mean the same."""
        if not isinstance(other, Ranking):
            return NotImplemented
        arrays = {"tally", "levels", "known_pairs"}
        described = ["pairs", *(f.name for f in fields(self) if f.name not in arrays)]
        mine, theirs = (*self.tally, self.levels), (*other.tally, other.levels)
        return all(getattr(self, name) == getattr(other, name) for name in described) and all(
            np.array_equal(a, b) if a is not None and b is not None else a is b
            for a, b in zip(mine, theirs, strict=True)
        )

    def __hash__(self) -> int:
        """Equal rankings have equal descriptions."""
        return hash((self.rows, self.positive, self.name))

    def __len__(self) -> int:
        """How many places there are: one for each distinct score, and one for "none"."""
        return len(self.tally.thresholds)

    @property
    def shape(self) -> tuple[int]:
        """The shape of its counts."""
        return (len(self),)

    def __radd__(self, other: object) -> Ranking:
        """Lets `sum` start from its 0."""
        return self if other == 0 else NotImplemented

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the ranking to a file that holds counts, never rows."""
        from tradeoff.core.storage import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Ranking:
        """Read a ranking that `save` wrote."""
        from tradeoff.core.storage import load

        return load(path, cls)

    def __repr__(self) -> str:
        """One line: what was ranked."""
        kept = "distinct scores" if self.exact else "bins of scores"
        return (
            f"Ranking({self.name}: {rows(self.rows)}, {count(self.positives)} {self.positive!r} "
            f"and {count(self.negatives)} {self.negative!r}, {self.distinct:,} {kept})"
        )

    def _matrix(self, found: Any, alarms: Any, squares: ConfusionMatrix | None) -> ConfusionMatrix:
        return ConfusionMatrix(
            found,
            self.positives - found,
            alarms,
            self.negatives - alarms,
            self.rejected_positives,
            self.rejected_negatives,
            self.positive,
            self.negative,
            squares,
            self.prevalence_known,
        )


def _wide(counts: Any) -> Any:
    """Counts in a type whose sums and products do not overflow in a user's hands."""
    return counts.astype(np.int64, copy=False) if counts.dtype.kind == "i" else counts
