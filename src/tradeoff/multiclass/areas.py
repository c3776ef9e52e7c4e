"""Multiclass AUCs: one-vs-rest, pairwise (Hand & Till), macro- and micro-averaged.

A(i|j) is the probability that a random row of class i has a higher score for class i than a random
row of class j, with ties counting one half. Averages use the observed class proportions, and their
intervals treat these as fixed: only the rows within each class vary. The AUC of a single class
against the rest treats all other rows as one class and has the usual two-class interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import placements
from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.interval_methods import default_method, require_level
from tradeoff.uncertainty.auc import (
    PERFECT_AUC_METHOD,
    PlacementVariances,
    auc_coverage_note,
    auc_logit_interval,
    perfect_auc_interval,
)
from tradeoff.uncertainty.bootstrap import MulticlassRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.wording import quote_class

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores


# An AUC is a mean over pairs of rows. The *placement* of a positive row is the proportion of
# negatives that score below it (ties count one half), that of a negative row the proportion of
# positives above it. If a row contributes to several AUCs, its placements are summed to the row's
# *component* before the variance is computed, which accounts for the dependence between AUCs
# (DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595).


TOLERANCE = 1e-12
"""Values closer than this are treated as equal. Real differences are far larger: one discordant
pair of 10^16 (10^8 rows in each class) changes a component by 1e-8."""


@dataclass(frozen=True, eq=False)
class RowsByClass:
    """Multiclass rows sorted by class, so that each class is a single slice of every column.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> score = np.array([0.9, 0.4, 0.2])
        >>> groups = RowsByClass.of(ClassScores((score, -score), np.array([1, 0, 1]), ("a", "b")))
        >>> groups.columns[0].tolist(), groups.span(1)
        ([0.4, 0.9, 0.2], slice(1, 3, None))
    """

    classes: tuple[str, ...]
    columns: tuple[NDArray[Any], ...]
    weights: NDArray[Any] | None
    starts: tuple[int, ...]
    totals: NDArray[np.float64]

    @classmethod
    def of(cls, rows: ClassScores) -> RowsByClass:
        """Sort rows by class with a stable sort."""
        order = np.argsort(rows.codes, kind="stable")
        sizes = np.bincount(rows.codes, minlength=len(rows.classes))
        return cls(
            rows.classes,
            tuple(column[order] for column in rows.scores),
            None if rows.weights is None else rows.weights[order],
            (0, *np.cumsum(sizes).tolist()),
            rows.counts.astype(np.float64),
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self.starts[-1]

    def span(self, code: int) -> slice:
        """Slice of the rows of a class."""
        return slice(self.starts[code], self.starts[code + 1])

    def class_weights(self, code: int) -> NDArray[Any] | None:
        """The weights of the rows of a class."""
        return None if self.weights is None else self.weights[self.span(code)]

    def without(self, column: NDArray[Any], code: int) -> NDArray[Any]:
        """A column without the rows of a class."""
        return np.concatenate([column[: self.starts[code]], column[self.starts[code + 1] :]])

    def sizes(self) -> list[float]:
        """The effective sample size of each class."""
        return [
            effective_rows(self.class_weights(code), stop - start)
            for code, (start, stop) in enumerate(zip(self.starts, self.starts[1:], strict=False))
        ]

    def variance(self, components: NDArray[np.float64]) -> float:
        """The variance of a sum of class means; classes without rows are skipped."""
        codes = [code for code in range(len(self.classes)) if self.totals[code]]
        return math.fsum(
            variance_of_mean(components[self.span(code)], self.class_weights(code))
            for code in codes
        )


def _weighted_mean(values: NDArray[np.float64], weights: NDArray[Any] | None = None) -> float:
    """Weighted mean over rows; exactly 1 if every value is 1."""
    if weights is None:
        return float(values.mean())
    return float((weights * values).sum() / weights.sum(dtype=np.float64))


def effective_rows(weights: NDArray[Any] | None, rows: int) -> float:
    """Effective sample size for multiclass AUCs: Σw for frequencies, else (Σw)² / Σw² (Kish 1965).

    Example:
        >>> effective_rows(np.array([2, 1]), 2), effective_rows(np.array([3.0, 1.0]), 2)
        (3.0, 1.6)
    """
    if weights is None or not rows:
        return float(rows)
    total = weights.sum(dtype=np.float64)
    if weights.dtype.kind == "i":
        return float(total)
    proportions = weights / total  # squares of tiny or huge weights would underflow or overflow
    return float(1 / (proportions @ proportions))


def variance_of_mean(values: NDArray[np.float64], weights: NDArray[Any] | None = None) -> float:
    """Unbiased variance of a weighted mean, for multiclass AUCs; NaN for fewer than two rows.

    Example:
        >>> variance_of_mean(np.array([1.0, 2.0, 3.0]))
        0.3333333333333333
        >>> variance_of_mean(np.array([1.0, 2.0]), np.array([2, 1])) * 9
        1.0
    """
    rows = effective_rows(weights, len(values))
    if rows - 1 <= TOLERANCE:
        return math.nan
    if np.ptp(values) <= TOLERANCE:
        return 0.0
    if weights is None:
        return float(values.var(ddof=1) / rows)
    proportions = weights / weights.sum(dtype=np.float64)
    squares = (values - proportions @ values) ** 2
    if weights.dtype.kind == "i":
        return float(proportions @ squares / (rows - 1))
    return float(proportions**2 @ squares * rows / (rows - 1))


COMPONENTS_METHOD = "DeLong components, logit"


@dataclass(frozen=True)
class Area:
    """Multiclass AUC with its variance, or the reason why it is undefined.

    `smallest_class_size` is the number of rows of the smallest class involved. If the variance is
    NaN, there is no interval, and `note` gives the reason.

    Example:
        >>> Area(0.8, 0.0025, 20).estimate("auc", 0.95)
        0.800 (95% CI 0.684–0.881, DeLong components, logit)
        >>> Area(1.0, 0.0, 20).estimate("auc", 0.95)
        1.000 (95% CI 0.832–1.000, exact-type bound)
    """

    value: float
    variance: float = math.nan
    smallest_class_size: float = math.nan
    reason: str | None = None
    note: str | None = None
    method: str = COMPONENTS_METHOD

    def estimate(self, name: str, level: float) -> Estimate:
        """The AUC with its confidence interval on the logit scale."""
        require_level(level)
        if math.isnan(self.value):
            return Estimate(name, math.nan, reason=self.reason)
        if math.isnan(self.variance):
            return Estimate(name, self.value, note=self.note)
        if self.value in {0.0, 1.0}:
            (low, high), method = (
                perfect_auc_interval(self.value, self.smallest_class_size, level),
                PERFECT_AUC_METHOD,
            )
        elif self.variance:
            (low, high), method = auc_logit_interval(self.value, self.variance, level), self.method
        else:
            reason = "no interval: the variance within the classes is 0"
            return Estimate(name, self.value, note=_join_notes(self.note, reason))
        return Estimate(
            name, self.value, note=self.note, low=low, high=high, level=level, method=method
        )


@dataclass(frozen=True)
class OneVsRestAreas:
    """One-vs-rest AUCs of all classes, with their macro and prevalence-weighted means."""

    by_class: tuple[Area, ...]
    macro: Area
    weighted: Area


def one_vs_rest_areas(groups: RowsByClass) -> OneVsRestAreas:
    """One-vs-rest AUCs of all classes, with their macro and prevalence-weighted means.

    The weighted mean is that of the class-reference curves of Provost & Domingos (Fawcett 2006,
    doi:10.1016/j.patrec.2005.10.010).

    Example:
        >>> from tradeoff.multiclass.areas import RowsByClass
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[3.0, 2, 1, 0], [1, 3, 1, 0], [0, 0, 1, 2]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 2]), ("a", "b", "c"))
        >>> areas = one_vs_rest_areas(RowsByClass.of(rows))
        >>> [round(area.value, 4) for area in areas.by_class], round(areas.weighted.value, 4)
        ([1.0, 0.5, 1.0], 0.875)
    """
    total = groups.totals.sum()
    is_defined = (groups.totals > 0) & (groups.totals < total)
    # One row of weights per average; np.average divides each row by its sum.
    weights = np.where(is_defined, np.stack([np.ones(len(is_defined)), groups.totals]), 0.0)
    proportions = weights / np.maximum(
        weights.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny
    )
    class_components, rest_components = np.zeros((2, groups.rows)), np.zeros((2, groups.rows))
    areas = []
    for code in range(len(groups.classes)):
        if not is_defined[code]:
            areas.append(Area(math.nan, reason=_undefined_reason(groups, code)))
            continue
        area, class_placements, rest_placements = _one_vs_rest(groups, code)
        areas.append(area)
        proportion = proportions[:, code, np.newaxis]
        class_components[:, groups.span(code)] += proportion * class_placements
        # Each class counts by its proportion of the rest; its size is multiplied in below.
        rest_terms = proportion * rest_placements / (total - groups.totals[code])
        rest_components[:, : groups.starts[code]] += rest_terms[:, : groups.starts[code]]
        rest_components[:, groups.starts[code + 1] :] += rest_terms[:, groups.starts[code] :]
    components = class_components + rest_components * np.repeat(
        groups.totals, np.diff(groups.starts)
    )
    macro, weighted = (
        _average(groups, areas, weight, component, f"{len(areas)} classes")
        for weight, component in zip(weights, components, strict=True)
    )
    return OneVsRestAreas(tuple(areas), macro, weighted)


def _one_vs_rest(
    groups: RowsByClass, code: int
) -> tuple[Area, NDArray[np.float64], NDArray[np.float64]]:
    """The AUC of one class against the rest, with the placements of its rows and of all others."""
    column, span = groups.columns[code], groups.span(code)
    rest_weights = None if groups.weights is None else groups.without(groups.weights, code)
    weights = groups.class_weights(code), rest_weights
    both_placements = placements(column[span], groups.without(column, code), weights)
    name = groups.classes[code]
    area = _two_class_area(both_placements, weights, (name, f"not {name}"))
    return area, *both_placements


@dataclass(frozen=True)
class PairAreas:
    """AUCs of a pair of classes: A(first|second), A(second|first) and their mean."""

    first: int
    second: int
    first_above: Area
    second_above: Area
    mean: Area


def pair_areas(groups: RowsByClass) -> tuple[tuple[PairAreas, ...], Area]:
    """Pairwise AUCs of all classes and their mean, Hand & Till's M (2001).

    doi:10.1023/A:1010920819831

    Example:
        >>> from tradeoff.multiclass.areas import RowsByClass
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[3.0, 2, 1, 0], [1, 3, 1, 0], [0, 0, 1, 2]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 2]), ("a", "b", "c"))
        >>> pairs, hand_till = pair_areas(RowsByClass.of(rows))
        >>> [round(pair.mean.value, 4) for pair in pairs], round(hand_till.value, 4)
        ([0.625, 1.0, 1.0], 0.875)
    """
    pairs = []
    components = np.zeros(groups.rows)
    for first, second in combinations(range(len(groups.classes)), 2):
        empty_class = next((code for code in (first, second) if not groups.totals[code]), None)
        if empty_class is not None:
            undefined_area = Area(math.nan, reason=_undefined_reason(groups, empty_class))
            pairs.append(PairAreas(first, second, undefined_area, undefined_area, undefined_area))
            continue
        pair, first_components, second_components = _one_pair(groups, first, second)
        pairs.append(pair)
        components[groups.span(first)] += first_components
        components[groups.span(second)] += second_components
    areas = [pair.mean for pair in pairs]
    weights = np.array([0.0 if math.isnan(area.value) else 1.0 for area in areas])
    components /= max(weights.sum(), 1.0)
    return tuple(pairs), _average(groups, areas, weights, components, f"{len(areas)} pairs")


def _one_pair(
    groups: RowsByClass, first: int, second: int
) -> tuple[PairAreas, NDArray[np.float64], NDArray[np.float64]]:
    """AUCs of one pair of classes, with the components of the rows of both."""
    first_rows, second_rows = groups.span(first), groups.span(second)
    weights = groups.class_weights(first), groups.class_weights(second)
    names = groups.classes[first], groups.classes[second]
    # Every row is used twice: with the score of its own class, and with that of the other.
    first_scores, second_scores = groups.columns[first], groups.columns[second]
    first_placements = placements(first_scores[first_rows], first_scores[second_rows], weights)
    second_placements = placements(
        second_scores[second_rows], second_scores[first_rows], weights[::-1]
    )
    first_above = _two_class_area(first_placements, weights, names)
    second_above = _two_class_area(second_placements, weights[::-1], names[::-1])
    components = (
        (first_placements[0] + second_placements[1]) / 2,
        (first_placements[1] + second_placements[0]) / 2,
    )
    mean = Area(
        (first_above.value + second_above.value) / 2,
        sum(variance_of_mean(*part) for part in zip(components, weights, strict=True)),
        first_above.smallest_class_size,
        note=first_above.note if math.isnan(first_above.variance) else None,
    )
    return PairAreas(first, second, first_above, second_above, mean), *components


def _two_class_area(
    both_placements: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None],
    names: tuple[str, str],
) -> Area:
    """Two-class AUC from placements, with the variance of the default interval method."""
    sizes = [
        effective_rows(weight, len(values))
        for values, weight in zip(both_placements, weights, strict=True)
    ]
    single_row_classes = [
        name for name, size in zip(names, sizes, strict=True) if size - 1 <= TOLERANCE
    ]
    value = _weighted_mean(both_placements[0], weights[0])
    if single_row_classes:
        return Area(
            value, smallest_class_size=min(sizes), note=_single_row_note(single_row_classes)
        )
    variances = [
        size * variance_of_mean(values, weight)
        for values, weight, size in zip(both_placements, weights, sizes, strict=True)
    ]
    placement_variances = PlacementVariances(value, *sizes, *variances)
    method = default_method("areas").function
    # Without any variance, all scores are equal.
    variance = method.variance(placement_variances) if any(variances) else 0.0
    note = auc_coverage_note(placement_variances)
    return Area(value, variance, min(sizes), note=note, method=method.label)


def _average(
    groups: RowsByClass,
    areas: list[Area],
    weights: NDArray[np.float64],
    components: NDArray[np.float64],
    description: str,
) -> Area:
    """Weighted mean of the AUCs that are defined, and its variance."""
    values = np.array([area.value for area in areas])
    is_defined = weights > 0
    if not is_defined.any():
        code = int(groups.totals.argmax())
        remedy = "; rows of two classes are needed" if groups.rows else ""
        return Area(math.nan, reason=_undefined_reason(groups, code) + remedy)
    sizes = {
        name: size
        for name, size, weight in zip(groups.classes, groups.sizes(), groups.totals, strict=True)
        if weight
    }
    single_row_classes = [name for name, size in sizes.items() if size - 1 <= TOLERANCE]
    average_note = None
    if not is_defined.all():
        average_note = f"{int(is_defined.sum())} of {description} averaged"
    return Area(
        float(np.average(values[is_defined], weights=weights[is_defined])),
        groups.variance(components),
        min(sizes.values()),
        note=_join_notes(average_note, _single_row_note(single_row_classes)),
    )


def _undefined_reason(groups: RowsByClass, code: int) -> str:
    if not groups.rows:
        return "there are no rows"
    subject = "every row" if groups.totals[code] else "no row"
    return f"{subject} belongs to class {quote_class(groups.classes[code])}"


def _single_row_note(names: list[str]) -> str | None:
    if not names:
        return None
    return "no interval: " + ", ".join(
        f"only one row belongs to class {quote_class(name)}" for name in names[:3]
    )


def _join_notes(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None


MAX_WEIGHT_SUM = 2**62
"""Integer weights with a sum this large or larger are converted to floats."""


def micro_averaged_ranking(rows: ClassScores) -> Ranking:
    """Micro-averaged ranking: all one-vs-rest decisions of a multiclass classifier pooled.

    Scores of different classes are compared with each other, so they must be on the same scale,
    like probabilities.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.6, 0.9])
        >>> micro_averaged_ranking(ClassScores(scores, np.array([0, 0, 1]), ("a", "b")))
        Ranking(all scores: 6 rows, 3 'own class' and 3 'other class', 4 distinct scores)
    """
    is_class = [rows.codes == code for code in range(len(rows.classes))]
    weights = None if rows.weights is None else np.tile(rows.weights, len(rows.classes))
    if weights is not None and float(weights.sum(dtype=np.float64)) >= MAX_WEIGHT_SUM:
        weights = weights.astype(
            np.float64
        )  # every row counts once per class, so integers would overflow
    return Ranking.of(
        np.concatenate(rows.scores),
        np.concatenate(is_class),
        weights,
        positive="own class",
        negative="other class",
        name="all scores",
        notes=rows.notes,
    )


def micro_area(rows: ClassScores, *, replicates: int | None = None, seed: int = 0) -> Area:
    """Micro-averaged AUC of all classes, with its variance over bootstrap resamples of rows.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.6, 0.9])
        >>> micro_area(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).value
        0.8888888888888888
    """
    if not rows.rows:
        return Area(math.nan, reason="there are no rows")
    ranking = micro_averaged_ranking(rows)
    pairs = 2.0 * float(ranking.positives) * float(ranking.negatives)
    value = min(max(float(ranking.twice_pairs_won() / pairs), 0.0), 1.0)
    size = effective_rows(rows.weights, rows.rows)
    if size - 1 <= TOLERANCE:
        return Area(value, note="no interval: there is only one row")
    # A pair of independent decisions takes two rows, so there are half as many pairs as rows.
    if value in {0.0, 1.0}:
        return Area(value, 0.0, size / 2)
    class_rows, weighted_area = MulticlassRows(rows), _weighted_micro_area(rows)
    replicates = class_rows.replicates if replicates is None else replicates
    areas = bootstrap(
        class_rows,
        lambda resamples: np.array([weighted_area(weights) for weights in resamples]),
        Confidence(replicates=replicates, seed=seed),
    )
    variance = 0.0 if np.ptp(areas) <= TOLERANCE else float(areas.var(ddof=1))
    method = f"bootstrap standard error, {len(areas)} resamples, logit"
    return Area(value, variance, size / 2, method=method)


def _weighted_micro_area(rows: ClassScores) -> Callable[[NDArray[Any]], float]:
    """Function that computes the micro-averaged AUC for any row weights without sorting again."""
    distinct_scores, ranks = np.unique(np.concatenate(rows.scores), return_inverse=True)
    rank_count, class_count = len(distinct_scores), len(rows.classes)
    positive_ranks = ranks.reshape(class_count, rows.rows)[rows.codes, np.arange(rows.rows)]

    def area(weights: NDArray[Any]) -> float:
        positives = np.bincount(positive_ranks, weights, rank_count)
        negatives = np.bincount(ranks, np.tile(weights, class_count), rank_count) - positives
        negatives_below = np.cumsum(negatives) - negatives / 2
        return float(positives @ negatives_below / (positives.sum() * negatives.sum()))

    return area
