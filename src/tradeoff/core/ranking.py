"""The ranking: distinct scores from high to low, with positives and negatives at or above each.

Every curve, metric and AUC of a scored test set can be computed from it. Rankings can be merged, so
a data set can be ranked in parts. Nothing here reads or validates rows.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core import sort
from tradeoff.core.bins import MIN_BINS, coarsen_bins, common_levels, split_bins_by_class
from tradeoff.core.concordance import KnownPairs, Pairs, Ties, twice_pairs_from_counts
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.convex_hull import hull_indices
from tradeoff.core.merge import merge_bins, merge_rankings
from tradeoff.core.number_types import require_numeric_rows
from tradeoff.core.sort import Tally
from tradeoff.core.sort_keys import sortable_integers
from tradeoff.errors import InputError, require_number
from tradeoff.formatting import format_count, format_rows
from tradeoff.results import Tabular
from tradeoff.wording import ROWS, Wording

# Prevalence: the proportion of positives where a classifier will be used.


def require_prevalence(prevalence: float) -> None:
    """Require a prevalence strictly between 0 and 1, to which a ranking can be reweighted."""
    if not 0 < require_number(prevalence, "A prevalence") < 1:
        raise InputError(f"A prevalence must be between 0 and 1, not {prevalence}.")


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(Tabular):
    """Distinct scores, those most indicative of the positive class first, with cumulative counts.

    The first row is "none predicted positive": its threshold is inf and its counts are 0. A row
    is predicted positive when its score is at or above the threshold (`lower_is_positive`: at or
    below it; thresholds then increase from -inf). If weights are importances, not frequencies,
    `squares` is the ranking of the same rows with squared weights, which intervals need. `levels`
    are the levels of bins of several scores (see `tradeoff.core.bins`), or None without such bins;
    `known_pairs` are the concordant pairs counted before binning, if known.
    `prevalence_known` is true if classes were reweighted to a given prevalence (`at_prevalence`).
    `wording` is what the user calls rows and amounts in text.

    Example:
        >>> scores, positive = np.array([0.9, 0.7, 0.7, 0.2]), np.array([True, False, True, False])
        >>> ranking = Ranking.of(scores, positive)
        >>> ranking
        Ranking(score: 4 rows, 2 'positive' and 2 'negative', 3 distinct scores)
        >>> ranking.at(0.5)
                            predicted positive   predicted negative
          actual positive                    2                    0
          actual negative                    1                    1
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
    wording: Wording = ROWS

    def __post_init__(self) -> None:
        """Freeze the columns: rankings are shared."""
        for column in self.tally:
            column.flags.writeable = False

    @classmethod
    def of(  # noqa: PLR0913 - rows and their description
        cls,
        scores: NDArray[Any],
        positive_rows: NDArray[np.bool_],
        weights: NDArray[Any] | None = None,
        *,
        lower_is_positive: bool = False,
        rejected_rows: int = 0,
        positive: str = "positive",
        negative: str = "negative",
        name: str = "score",
        rejected_positives: Any = 0,
        rejected_negatives: Any = 0,
        notes: tuple[str, ...] = (),
        squares: Ranking | None = None,
    ) -> Ranking:
        """Ranking of valid rows (`tradeoff.sources` validates them); weights are frequencies.

        Args:
            scores: Floats, integers or booleans, without NaN.
            positive_rows: Whether each row is positive.
            weights: Integers or floats above 0.
            lower_is_positive: Whether lower scores indicate the positive class.
            rejected_rows: Number of rows without a score.
            positive: Name of the positive class.
            negative: Name of the negative class.
            name: Name of the model.
            rejected_positives: Weight of positives without a score.
            rejected_negatives: Weight of negatives without a score.
            notes: Notes about the rows.
            squares: Ranking of the same rows with squared weights.

        Example:
            >>> Ranking.of(np.array([3, 1, 3]), np.array([True, False, False])).distinct
            2
        """
        scores, positive_rows, weights = require_numeric_rows(scores, positive_rows, weights)
        tally = sort.tally_scores(-scores if lower_is_positive else scores, positive_rows, weights)
        if lower_is_positive:
            np.negative(tally.thresholds, out=tally.thresholds)
            tally.thresholds[...] += 0.0  # no negative zero
        rows = len(scores) + rejected_rows
        return cls(
            tally,
            rows,
            positive,
            negative,
            name,
            lower_is_positive,
            rejected_positives,
            rejected_negatives,
            notes,
            squares,
        )

    @property
    def thresholds(self) -> NDArray[np.float64]:
        """Infinite threshold for "none", then the distinct scores in the order of the ranking."""
        return self.tally.thresholds.astype(np.float64, copy=False)

    @property
    def true_positives(self) -> NDArray[Any]:
        """Positive rows at or above each threshold, as int64 (float64 for real-valued weights)."""
        counts: NDArray[Any] = _wide_counts(self.tally.true_positives)
        return counts

    @property
    def false_positives(self) -> NDArray[Any]:
        """Negative rows at or above each threshold, as int64 (float64 for real-valued weights)."""
        counts: NDArray[Any] = _wide_counts(self.tally.false_positives)
        return counts

    @cached_property
    def positives(self) -> Any:
        """Number of ranked positives, or the sum of their weights."""
        return _wide_counts(self.tally.true_positives[-1:])[0]

    @cached_property
    def negatives(self) -> Any:
        """Number of ranked negatives, or the sum of their weights."""
        return _wide_counts(self.tally.false_positives[-1:])[0]

    @cached_property
    def total(self) -> Any:
        """Number of rows including rejected ones, or the sum of their weights."""
        rejected = self.rejected_positives + self.rejected_negatives
        return self.positives + self.negatives + rejected

    @cached_property
    def is_counted(self) -> bool:
        """Whether counts are whole numbers of rows, not sums of real-valued weights."""
        return self.tally.true_positives.dtype.kind == "i"

    @cached_property
    def effective_rows(self) -> tuple[float, float]:
        """Effective sample sizes of positives and negatives: (Σw)² / Σw² (Kish 1965).

        Rows of unequal importance carry less information.
        """
        totals = float(self.positives), float(self.negatives)
        if self.squares is None:
            return totals
        squares = float(self.squares.positives), float(self.squares.negatives)
        sizes = [w**2 / s if s else 0.0 for w, s in zip(totals, squares, strict=True)]
        return sizes[0], sizes[1]

    @cached_property
    def distinct(self) -> int:
        """Number of distinct scores."""
        return len(self.tally.thresholds) - 1

    @cached_property
    def hull_places(self) -> NDArray[np.intp]:
        """Indices of the vertices of the ROC convex hull, from (0, 0) to (1, 1)."""
        return hull_indices(self.tally.true_positives, self.tally.false_positives)

    @cached_property
    def exact(self) -> bool:
        """Whether every distinct score has its own threshold, so that there are no bins."""
        return self.levels is None

    def within(self, most: int) -> Ranking:
        """Ranking with at most `most` thresholds, each with exact counts.

        Adjacent scores are merged into bins; what is lost is the order of rows inside a bin.
        """
        if most < MIN_BINS:
            raise InputError(f"A ranking needs at least {MIN_BINS} bins, not {most}.")
        if self.distinct <= most:
            return self
        sign = -1 if self.lower_is_positive else 1
        levels = None if self.levels is None else self.levels[1:]
        groups = coarsen_bins(
            sortable_integers(sign * self.tally.thresholds[1:]), self._mass(), levels, most
        )
        indices = np.append([0], groups.last_indices + 1)

        def coarsen(ranking: Ranking) -> Tally:
            return Tally(*(column[indices] for column in ranking.tally))

        levels = np.append([np.uint8(0)], groups.levels)
        squares = self.squares and replace(self.squares, tally=coarsen(self.squares), levels=levels)
        binned = replace(self, tally=coarsen(self), squares=squares, levels=levels)
        return binned.with_pairs(self.pairs)

    @property
    def pairs(self) -> Pairs | None:
        """Concordant pairs counted before scores were binned, if known."""
        return self.known_pairs and self.known_pairs.of_tally(self.tally)

    def with_pairs(self, pairs: Pairs | None) -> Ranking:
        """Ranking with the given concordant pairs, counted before scores were binned."""
        known_pairs = None if pairs is None else KnownPairs(pairs, self.tally.true_positives)
        return replace(self, known_pairs=known_pairs)

    def is_inside(self, threshold: float, index: int) -> bool:
        """Whether a threshold may split the rows of the bin at an index."""
        if self.levels is None or not self.levels[index]:
            return False
        sign = -1 if self.lower_is_positive else 1
        scores = np.array([threshold, self.tally.thresholds[index]], np.float64)
        integer, bin_integer = sortable_integers(sign * scores)
        level = np.uint64(self.levels[index])
        return bool(integer > bin_integer and integer >> level == bin_integer >> level)

    @cached_property
    def best_case(self) -> Ranking:
        """Ranking with the positives first in every bin.

        Its ROC curve and AUC are upper bounds on the exact ones.
        """
        return self._with_ordered_bins(positives_first=True)

    @cached_property
    def worst_case(self) -> Ranking:
        """Ranking with the negatives first in every bin.

        Its ROC curve and AUC are lower bounds on the exact ones.
        """
        return self._with_ordered_bins(positives_first=False)

    def _with_ordered_bins(self, *, positives_first: bool) -> Ranking:
        if self.levels is None:
            return self
        sign = -1 if self.lower_is_positive else 1
        tally = split_bins_by_class(
            self.tally, self.levels, positives_first=positives_first, sign=sign
        )
        return replace(self, tally=tally, levels=None, squares=None).with_pairs(self.pairs)

    def _mass(self) -> NDArray[np.float64]:
        """Proportion of positives plus proportion of negatives at or above each score."""
        positive_rates = self.tally.true_positives[1:] / (self.positives or 1)
        return np.asarray(positive_rates + self.tally.false_positives[1:] / (self.negatives or 1))

    def columns(self) -> dict[str, Any]:
        """Confusion matrices as a table: one row per threshold, from "none predicted positive"."""
        return {"threshold": self.thresholds, **self.confusion.columns()}

    @property
    def confusion(self) -> ConfusionMatrix:
        """Confusion matrix at every threshold: each count is an array."""
        return self.matrices(slice(None))

    def matrices(self, indices: Any) -> ConfusionMatrix:
        """Confusion matrices at indices of the ranking, given as a slice or an array."""
        _, true_positives, false_positives = (column[indices] for column in self.tally)
        squares = None if self.squares is None else self.squares.matrices(indices)
        return self._matrix(_wide_counts(true_positives), _wide_counts(false_positives), squares)

    def twice_pairs_won(self, *, ties: Ties = "half") -> int | float:
        """Twice the number of pairs in which the positive scores higher than the negative.

        These are the concordant pairs: an exact integer unless weights are real-valued. Ties count
        half, or as concordant or discordant.
        """
        if ties == "half":
            return self._twice_won
        return twice_pairs_from_counts(
            self.tally.true_positives, self.tally.false_positives, ties=ties
        )

    @cached_property
    def _twice_won(self) -> int | float:
        """Twice the number of concordant pairs, ties counting half; most summaries need it."""
        if self.pairs is not None:
            return self.pairs.twice_won
        return twice_pairs_from_counts(self.tally.true_positives, self.tally.false_positives)

    def index(self, threshold: float) -> int:
        """Index at which a threshold falls: that of the last score at or above it."""
        try:
            value = float(threshold)
        except (TypeError, ValueError):
            value = np.nan
        if np.isnan(value):
            raise InputError(f"A threshold must be a single number, not {threshold!r}.")
        sign = 1 if self.lower_is_positive else -1
        # bisect reads only a few thresholds; searchsorted would copy them all.
        thresholds = self.tally.thresholds
        # float(): a float32 is compared with the threshold itself, not with its rounded value.
        return bisect_right(thresholds, sign * value, lo=1, key=lambda t: sign * float(t)) - 1

    def places(self, thresholds: NDArray[Any]) -> NDArray[np.intp]:
        """Indices of several thresholds."""
        sign = 1 if self.lower_is_positive else -1
        indices = np.searchsorted(sign * self.thresholds[1:], sign * thresholds, "right")
        return np.asarray(indices)

    def at(self, threshold: float) -> ConfusionMatrix:
        """Confusion matrix at a threshold: rows at or above it are predicted positive."""
        return self.at_place(self.index(threshold))

    def at_place(self, index: int) -> ConfusionMatrix:
        """Confusion matrix at an index of the ranking."""
        _, true_positives, false_positives = (
            _wide_counts(column[index : index + 1])[0] for column in self.tally
        )
        squares = None if self.squares is None else self.squares.at_place(index)
        return self._matrix(true_positives, false_positives, squares)

    def at_prevalence(self, prevalence: float | None) -> Ranking:
        """Ranking reweighted to another prevalence: counts become weights.

        The total and the rates within each class do not change; precision, lift and costs do.
        Without a prevalence, the ranking is returned unchanged.
        """
        if prevalence is None:
            return self
        positives = self.positives + self.rejected_positives
        negatives = self.negatives + self.rejected_negatives
        require_prevalence(prevalence)
        if not (positives and negatives):
            raise InputError("Reweighting to another prevalence needs rows of both classes.")
        total = positives + negatives
        positive_factor, negative_factor = (
            prevalence * total / positives,
            (1 - prevalence) * total / negatives,
        )
        notes = (*self.notes, f"counts are weighted to a prevalence of {prevalence:g}")
        squares = (self.squares or self).weighed(positive_factor**2, negative_factor**2)
        squares = replace(squares, notes=notes, prevalence_known=True)
        reweighted = self.weighed(positive_factor, negative_factor)
        return replace(reweighted, notes=notes, squares=squares, prevalence_known=True)

    def weighed(self, positive_factor: float, negative_factor: float) -> Ranking:
        """Ranking with the counts of each class multiplied by a factor."""
        return replace(
            self,
            tally=Tally(
                self.tally.thresholds,
                self.tally.true_positives * positive_factor,
                self.tally.false_positives * negative_factor,
            ),
            rejected_positives=self.rejected_positives * positive_factor,
            rejected_negatives=self.rejected_negatives * negative_factor,
        )

    def banded(self, upper: Any, lower: Any) -> ConfusionMatrix:
        """Confusion matrix with the rows after index `upper` and up to index `lower` rejected.

        Indices may be arrays: one matrix for each pair.
        """
        upper_matrix = self.matrices(upper)
        lower_matrix = self.matrices(lower)
        return replace(
            lower_matrix,
            true_positives=upper_matrix.true_positives,
            false_positives=upper_matrix.false_positives,
            rejected_positives=lower_matrix.true_positives
            - upper_matrix.true_positives
            + self.rejected_positives,
            rejected_negatives=lower_matrix.false_positives
            - upper_matrix.false_positives
            + self.rejected_negatives,
            squares=None if self.squares is None else self.squares.banded(upper, lower),
        )

    def named(self, name: str) -> Ranking:
        """The same ranking under another name."""
        return replace(self, name=name)

    def __add__(self, other: Ranking) -> Ranking:
        """Merge two rankings."""
        if not isinstance(other, Ranking):
            return NotImplemented
        return merge_rankings([self, other])

    def __eq__(self, other: object) -> bool:
        """Whether both rankings have equal columns and metadata, whatever their wording."""
        if not isinstance(other, Ranking):
            return NotImplemented
        others = {"tally", "levels", "known_pairs", "wording"}
        scalar_fields = ["pairs", *(f.name for f in fields(self) if f.name not in others)]
        columns, other_columns = (*self.tally, self.levels), (*other.tally, other.levels)
        return all(getattr(self, name) == getattr(other, name) for name in scalar_fields) and all(
            np.array_equal(a, b) if a is not None and b is not None else a is b
            for a, b in zip(columns, other_columns, strict=True)
        )

    def __hash__(self) -> int:
        """Hash of some metadata, which equal rankings share."""
        return hash((self.rows, self.positive, self.name))

    def __len__(self) -> int:
        """Number of indices: one for each distinct score, and one for "none"."""
        return len(self.tally.thresholds)

    @property
    def shape(self) -> tuple[int]:
        """Shape of the counts."""
        return (len(self),)

    def __radd__(self, other: object) -> Ranking:
        """Support `sum`, which starts from 0."""
        return self if other == 0 else NotImplemented

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the ranking to a file; it contains only counts, never rows."""
        from tradeoff.core.storage import save_ranking

        save_ranking(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Ranking:
        """Load a ranking from a file written by `save`."""
        from tradeoff.core.storage import load_ranking

        return load_ranking(path, cls)

    def __repr__(self) -> str:
        """One line: name, rows and classes."""
        unit = "distinct scores" if self.exact else "bins of scores"
        return (
            f"Ranking({self.name}: {format_rows(self.rows)}, {format_count(self.positives)} "
            f"{self.positive!r} "
            f"and {format_count(self.negatives)} {self.negative!r}, {self.distinct:,} {unit})"
        )

    def _matrix(
        self, true_positives: Any, false_positives: Any, squares: ConfusionMatrix | None
    ) -> ConfusionMatrix:
        return ConfusionMatrix(
            true_positives,
            self.positives - true_positives,
            false_positives,
            self.negatives - false_positives,
            self.rejected_positives,
            self.rejected_negatives,
            self.positive,
            self.negative,
            squares,
            self.prevalence_known,
        )


def _wide_counts(counts: Any) -> Any:
    """Counts as 64-bit integers, whose sums and products do not overflow."""
    return counts.astype(np.int64, copy=False) if counts.dtype.kind == "i" else counts


def ranking_of_groups(  # noqa: PLR0913 - one column each
    low: NDArray[Any],
    high: NDArray[Any],
    positives: NDArray[Any],
    negatives: NDArray[Any],
    rows: int,
    *,
    lower_is_positive: bool = False,
    **attributes: Any,
) -> Ranking:
    """Build a ranking from counts of rows in groups (cells or single scores), in any order.

    The scores of a group range from `low` to `high`, which are equal for a single score. Ranges
    must be nested or disjoint, as cells are: floats that share their leading bits. Counts are
    numbers of rows, or sums of weights. The ranking is exact if every group has a single score.

    Example:
        >>> import numpy as np
        >>> ranking = ranking_of_groups(*map(np.array, ([0.2, 0.5], [0.2, 0.6], [0, 3], [4, 1])), 8)
        >>> ranking, ranking.exact
        (Ranking(score: 8 rows, 3 'positive' and 5 'negative', 2 bins of scores), False)
    """
    sign = -1 if lower_is_positive else 1
    lowest = sign * (high if lower_is_positive else low)
    levels = common_levels(sign * low, sign * high)
    tally, levels = merge_bins(lowest, levels, positives, negatives, sign=sign)
    attributes["levels"] = levels if levels.any() else None
    return Ranking(tally, rows, lower_is_positive=lower_is_positive, **attributes)
