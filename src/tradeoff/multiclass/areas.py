"""Areas under ROC curves of many classes: each against the rest, each pair, and their averages.

A(i|j) is the probability that a random row of class i has a higher score for class i than a random
row of class j, ties half. The averages take the classes in the shares in which they were found,
and their intervals hold these shares fixed: rows vary within their class. A single class against
the rest takes all other rows as one class, as every two-class program does, and has the interval
that two classes have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.interval_methods import usual_method
from tradeoff.stats.normal import demand_level
from tradeoff.uncertainty.auc import (
    BOUND,
    Placements,
    caution,
    logit_ends,
    perfect_bound,
)
from tradeoff.uncertainty.bootstrap import ClassRows, bootstrap
from tradeoff.uncertainty.confidence import Confidence

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores


# What each row says about an area, and how far a mean over rows may be off.
#
# An area is a mean over pairs of rows. The *placement* of a positive row is the share of negatives
# that score below it (ties half), that of a negative row the share of positives above it. Where
# one row takes part in several areas, its placements are added up to the row's *component* before
# their variance is taken; so the areas may depend on each other in any way (DeLong, DeLong &
# Clarke-Pearson 1988, doi:10.2307/2531595).


NOISE = 1e-12
"""Components that differ by less are the same: one lost pair of 10^16 still shows as 1e-8."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Rows ordered by their class, so that each class is one slice of every column.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> score = np.array([0.9, 0.4, 0.2])
        >>> groups = Groups.of(ClassScores((score, -score), np.array([1, 0, 1]), ("a", "b")))
        >>> groups.columns[0].tolist(), groups.span(1)
        ([0.4, 0.9, 0.2], slice(1, 3, None))
    """

    classes: tuple[str, ...]
    columns: tuple[NDArray[Any], ...]
    weights: NDArray[Any] | None
    starts: tuple[int, ...]
    totals: NDArray[np.float64]

    @classmethod
    def of(cls, rows: ClassScores) -> Groups:
        """The rows, ordered by class; within a class they keep their order."""
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
        """How many rows there are."""
        return self.starts[-1]

    def span(self, at: int) -> slice:
        """Where the rows of a class are."""
        return slice(self.starts[at], self.starts[at + 1])

    def own_weights(self, at: int) -> NDArray[Any] | None:
        """The weights of the rows of a class."""
        return None if self.weights is None else self.weights[self.span(at)]

    def without(self, column: NDArray[Any], at: int) -> NDArray[Any]:
        """A column of all rows but those of a class."""
        return np.concatenate([column[: self.starts[at]], column[self.starts[at + 1] :]])

    def sizes(self) -> list[float]:
        """The effective number of rows of each class."""
        return [
            effective_rows(self.own_weights(at), stop - start)
            for at, (start, stop) in enumerate(zip(self.starts, self.starts[1:], strict=False))
        ]

    def variance(self, components: NDArray[np.float64]) -> float:
        """The variance of a sum of class means; classes without rows add nothing to it."""
        present = [at for at in range(len(self.classes)) if self.totals[at]]
        return math.fsum(
            variance_of_mean(components[self.span(at)], self.own_weights(at)) for at in present
        )


def placements(
    positives: NDArray[Any],
    negatives: NDArray[Any],
    weights: tuple[NDArray[Any] | None, NDArray[Any] | None] = (None, None),
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The share of negatives below each positive row, and of positives above each negative row.

    Example:
        >>> above, below = placements(np.array([3.0, 1.0]), np.array([2.0, 1.0, 0.0]))
        >>> above.round(4).tolist(), below.tolist()
        ([1.0, 0.5], [0.5, 0.75, 1.0])
    """
    return (
        _share_below(positives, negatives, weights[1]),
        1 - _share_below(negatives, positives, weights[0]),
    )


def _share_below(
    scores: NDArray[Any], others: NDArray[Any], weights: NDArray[Any] | None
) -> NDArray[np.float64]:
    """The share of the others that are lower than each score, ties half."""
    if weights is None:
        rising = np.sort(others)
        lower = rising.searchsorted(scores, "left") + rising.searchsorted(scores, "right")
        return lower / (2 * len(rising))
    order = np.argsort(others, kind="stable")
    rising = others[order]
    sums = np.concatenate([[0.0], np.cumsum(weights[order], dtype=np.float64)])
    lower = sums[rising.searchsorted(scores, "left")] + sums[rising.searchsorted(scores, "right")]
    return np.asarray(lower / (2 * sums[-1]))


def mean(values: NDArray[np.float64], weights: NDArray[Any] | None = None) -> float:
    """The mean over rows; exactly 1 where every value is 1."""
    if weights is None:
        return float(values.mean())
    return float((weights * values).sum() / weights.sum(dtype=np.float64))


def effective_rows(weights: NDArray[Any] | None, rows: int) -> float:
    """How many rows speak: as often as they were seen, or as many equal ones as would say as much.

    Rows that differ in importance say less than equal ones: (Σw)² / Σw² (Kish 1965).

    Example:
        >>> effective_rows(np.array([2, 1]), 2), effective_rows(np.array([3.0, 1.0]), 2)
        (3.0, 1.6)
    """
    if weights is None or not rows:
        return float(rows)
    total = weights.sum(dtype=np.float64)
    if weights.dtype.kind == "i":
        return float(total)
    parts = weights / total  # squares of tiny or huge weights would leave the range of floats
    return float(1 / (parts @ parts))


def variance_of_mean(values: NDArray[np.float64], weights: NDArray[Any] | None = None) -> float:
    """The unbiased variance of a mean over rows; NaN for fewer than two rows.

    Example:
        >>> variance_of_mean(np.array([1.0, 2.0, 3.0]))
        0.3333333333333333
        >>> variance_of_mean(np.array([1.0, 2.0]), np.array([2, 1])) * 9
        1.0
    """
    rows = effective_rows(weights, len(values))
    if rows - 1 <= NOISE:
        return math.nan
    if np.ptp(values) <= NOISE:
        return 0.0
    if weights is None:
        return float(values.var(ddof=1) / rows)
    shares = weights / weights.sum(dtype=np.float64)
    squares = (values - shares @ values) ** 2
    if weights.dtype.kind == "i":
        return float(shares @ squares / (rows - 1))
    return float(shares**2 @ squares * rows / (rows - 1))


COMPONENTS = "DeLong components, logit"


@dataclass(frozen=True)
class Area:
    """An area and what its interval needs, or the reason why there is none.

    `fewest` are the rows of the smallest class that takes part. A variance of NaN means that there
    is no interval; `note` says why.

    Example:
        >>> Area(0.8, 0.0025, 20).estimate("auc", 0.95)
        Estimate(auc = 0.8000, 95 % from 0.6843 to 0.8807)
        >>> Area(1.0, 0.0, 20).estimate("auc", 0.95)
        Estimate(auc = 1.0000, 95 % from 0.8316 to 1.0000)
    """

    value: float
    variance: float = math.nan
    fewest: float = math.nan
    reason: str | None = None
    note: str | None = None
    method: str = COMPONENTS

    def estimate(self, name: str, level: float) -> Estimate:
        """The area with its interval, on the logit scale so that it stays between 0 and 1."""
        demand_level(level)
        if math.isnan(self.value):
            return Estimate(name, math.nan, reason=self.reason)
        if math.isnan(self.variance):
            return Estimate(name, self.value, note=self.note)
        if self.value in {0.0, 1.0}:
            ends, method = perfect_bound(self.value, self.fewest, level), BOUND
        elif self.variance:
            ends, method = logit_ends(self.value, self.variance, level), self.method
        else:
            why = "no interval: all rows of a class say the same, so nothing shows how sure it is"
            return Estimate(name, self.value, note=_joined(self.note, why))
        low, high = ends
        return Estimate(
            name, self.value, note=self.note, low=low, high=high, level=level, method=method
        )


@dataclass(frozen=True)
class RestAreas:
    """The area of each class against the rest, and their two averages."""

    by_class: tuple[Area, ...]
    macro: Area
    weighted: Area


def rest_areas(groups: Groups) -> RestAreas:
    """Each class against all others, and the plain and the prevalence-weighted mean.

    The weighted mean is that of the class-reference curves of Provost & Domingos (Fawcett 2006,
    doi:10.1016/j.patrec.2005.10.010).

    Example:
        >>> from tradeoff.multiclass.areas import Groups
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[3.0, 2, 1, 0], [1, 3, 1, 0], [0, 0, 1, 2]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 2]), ("a", "b", "c"))
        >>> areas = rest_areas(Groups.of(rows))
        >>> [round(area.value, 4) for area in areas.by_class], round(areas.weighted.value, 4)
        ([1.0, 0.5, 1.0], 0.875)
    """
    whole = groups.totals.sum()
    defined = (groups.totals > 0) & (groups.totals < whole)
    # One line for each average; np.average divides by their sums.
    shares = np.where(defined, np.stack([np.ones(len(defined)), groups.totals]), 0.0)
    parts = shares / np.maximum(shares.sum(axis=1, keepdims=True), np.finfo(np.float64).tiny)
    own, rest = np.zeros((2, groups.rows)), np.zeros((2, groups.rows))
    areas = []
    for at in range(len(groups.classes)):
        if not defined[at]:
            areas.append(Area(math.nan, reason=_why_undefined(groups, at)))
            continue
        area, of_own, of_rest = _against_rest(groups, at)
        areas.append(area)
        part = parts[:, at, np.newaxis]
        own[:, groups.span(at)] += part * of_own
        # A class's share of the rest times the mean over its rows: the share is put in below.
        spread = part * of_rest / (whole - groups.totals[at])
        rest[:, : groups.starts[at]] += spread[:, : groups.starts[at]]
        rest[:, groups.starts[at + 1] :] += spread[:, groups.starts[at] :]
    components = own + rest * np.repeat(groups.totals, np.diff(groups.starts))
    macro, weighted = (
        _average(groups, areas, share, component, f"{len(areas)} classes")
        for share, component in zip(shares, components, strict=True)
    )
    return RestAreas(tuple(areas), macro, weighted)


def _against_rest(groups: Groups, at: int) -> tuple[Area, NDArray[np.float64], NDArray[np.float64]]:
    """The two-class area of one class, with the placements of its rows and of all others."""
    column, span = groups.columns[at], groups.span(at)
    others = None if groups.weights is None else groups.without(groups.weights, at)
    weights = groups.own_weights(at), others
    of_own, of_rest = placements(column[span], groups.without(column, at), weights)
    name = groups.classes[at]
    area = _two_classes((of_own, of_rest), weights, (name, f"not {name}"))
    return area, of_own, of_rest


@dataclass(frozen=True)
class PairAreas:
    """Two classes, by their places: A(first|second), A(second|first) and the mean of both."""

    first: int
    second: int
    first_above: Area
    second_above: Area
    both: Area


def pair_areas(groups: Groups) -> tuple[tuple[PairAreas, ...], Area]:
    """Each pair of classes, and the mean over all of them (M of Hand & Till 2001).

    doi:10.1023/A:1010920819831

    Example:
        >>> from tradeoff.multiclass.areas import Groups
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[3.0, 2, 1, 0], [1, 3, 1, 0], [0, 0, 1, 2]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 2]), ("a", "b", "c"))
        >>> pairs, hand_till = pair_areas(Groups.of(rows))
        >>> [round(pair.both.value, 4) for pair in pairs], round(hand_till.value, 4)
        ([0.625, 1.0, 1.0], 0.875)
    """
    pairs = []
    components = np.zeros(groups.rows)
    for first, second in combinations(range(len(groups.classes)), 2):
        absent = next((at for at in (first, second) if not groups.totals[at]), None)
        if absent is not None:
            nothing = Area(math.nan, reason=_why_undefined(groups, absent))
            pairs.append(PairAreas(first, second, nothing, nothing, nothing))
            continue
        pair, of_first, of_second = _pair(groups, first, second)
        pairs.append(pair)
        components[groups.span(first)] += of_first
        components[groups.span(second)] += of_second
    areas = [pair.both for pair in pairs]
    shares = np.array([0.0 if math.isnan(area.value) else 1.0 for area in areas])
    components /= max(shares.sum(), 1.0)
    return tuple(pairs), _average(groups, areas, shares, components, f"{len(areas)} pairs")


def _pair(
    groups: Groups, first: int, second: int
) -> tuple[PairAreas, NDArray[np.float64], NDArray[np.float64]]:
    """One pair of classes, with the components of the rows of both."""
    a, b = groups.span(first), groups.span(second)
    weights = groups.own_weights(first), groups.own_weights(second)
    names = groups.classes[first], groups.classes[second]
    # Every row takes part twice: once with its own class's score, once with the other's.
    by_first, by_second = groups.columns[first], groups.columns[second]
    one = placements(by_first[a], by_first[b], weights)
    two = placements(by_second[b], by_second[a], weights[::-1])
    first_above = _two_classes(one, weights, names)
    second_above = _two_classes(two, weights[::-1], names[::-1])
    components = (one[0] + two[1]) / 2, (one[1] + two[0]) / 2
    both = Area(
        (first_above.value + second_above.value) / 2,
        sum(variance_of_mean(*part) for part in zip(components, weights, strict=True)),
        first_above.fewest,
        note=first_above.note if math.isnan(first_above.variance) else None,
    )
    return PairAreas(first, second, first_above, second_above, both), *components


def _two_classes(
    placed: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None],
    names: tuple[str, str],
) -> Area:
    """The area of positives and negatives, with the variance that the default interval takes."""
    sizes = [effective_rows(w, len(own)) for own, w in zip(placed, weights, strict=True)]
    alone = [name for name, size in zip(names, sizes, strict=True) if size - 1 <= NOISE]
    value = mean(placed[0], weights[0])
    if alone:
        return Area(value, fewest=min(sizes), note=_why_alone(alone))
    variances = [
        size * variance_of_mean(own, w) for own, w, size in zip(placed, weights, sizes, strict=True)
    ]
    two_classes = Placements(value, *sizes, *variances)
    how = usual_method("areas").function
    variance = how.variance(two_classes) if any(variances) else 0.0  # 0: all scores are equal
    return Area(value, variance, min(sizes), note=caution(two_classes), method=how.name)


def _average(
    groups: Groups,
    areas: list[Area],
    shares: NDArray[np.float64],
    components: NDArray[np.float64],
    of_all: str,
) -> Area:
    """The mean of the areas that are defined, and the variance of it."""
    values = np.array([area.value for area in areas])
    used = shares > 0
    if not used.any():
        at = int(groups.totals.argmax())
        more = "; rows of two classes are needed" if groups.rows else ""
        return Area(math.nan, reason=_why_undefined(groups, at) + more)
    sizes = {
        name: size
        for name, size, total in zip(groups.classes, groups.sizes(), groups.totals, strict=True)
        if total
    }
    alone = [name for name, size in sizes.items() if size - 1 <= NOISE]
    left_out = None if used.all() else f"{int(used.sum())} of {of_all} averaged"
    return Area(
        float(np.average(values[used], weights=shares[used])),
        groups.variance(components),
        min(sizes.values()),
        note=_joined(left_out, _why_alone(alone)),
    )


def _why_undefined(groups: Groups, at: int) -> str:
    if not groups.rows:
        return "there are no rows"
    name = groups.classes[at]
    return f"every row is {name}" if groups.totals[at] else f"no row is {name}"


def _why_alone(alone: list[str]) -> str | None:
    if not alone:
        return None
    return "no interval: " + ", ".join(f"only one row is {name}" for name in alone[:3])


def _joined(*notes: str | None) -> str | None:
    return "; ".join(note for note in notes if note) or None


# The micro area: all decisions "is this row of that class?" pooled into one ranking.


LARGEST_SUM = 2**62


def pooled_ranking(rows: ClassScores) -> Ranking:
    """Every score of every row as one ranking; it is positive where the row is of that class.

    Scores of different classes are compared with each other, so they must mean the same, as
    probabilities do.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.6, 0.9])
        >>> pooled_ranking(ClassScores(scores, np.array([0, 0, 1]), ("a", "b")))
        Ranking(all scores: 6 rows, 3 'own class' and 3 'other class', 4 distinct scores)
    """
    own = [rows.codes == at for at in range(len(rows.classes))]
    weights = None if rows.weights is None else np.tile(rows.weights, len(rows.classes))
    if weights is not None and float(weights.sum(dtype=np.float64)) >= LARGEST_SUM:
        weights = weights.astype(np.float64)  # every row counts once a class: integers overflow
    return Ranking.of(
        np.concatenate(rows.scores),
        np.concatenate(own),
        weights,
        positive="own class",
        negative="other class",
        name="all scores",
        notes=rows.notes,
    )


def micro_area(rows: ClassScores, *, replicates: int | None = None, seed: int = 0) -> Area:
    """The area of the pooled ranking; its variance is that of bootstrap resamples of rows.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.6, 0.9])
        >>> micro_area(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).value
        0.8888888888888888
    """
    if not rows.rows:
        return Area(math.nan, reason="there are no rows")
    ranking = pooled_ranking(rows)
    pairs = 2.0 * float(ranking.positives) * float(ranking.negatives)
    value = min(max(float(ranking.twice_pairs_won() / pairs), 0.0), 1.0)
    size = effective_rows(rows.weights, rows.rows)
    if size - 1 <= NOISE:
        return Area(value, note="no interval: there is only one row")
    # A pair of independent decisions takes two rows, so there are half as many of them.
    if value in {0.0, 1.0}:
        return Area(value, 0.0, size / 2)
    source, area = ClassRows(rows), _pooled_area(rows)
    enough = source.replicates if replicates is None else replicates
    areas = bootstrap(
        source,
        lambda resamples: np.array([area(weights) for weights in resamples]),
        Confidence(replicates=enough, seed=seed),
    )
    variance = 0.0 if np.ptp(areas) <= NOISE else float(areas.var(ddof=1))
    method = f"bootstrap standard error, {len(areas)} resamples, logit"
    return Area(value, variance, size / 2, method=method)


def _pooled_area(rows: ClassScores) -> Callable[[NDArray[Any]], float]:
    """The area of the pooled ranking for any weights of rows, without sorting again."""
    distinct, places = np.unique(np.concatenate(rows.scores), return_inverse=True)
    size, classes = len(distinct), len(rows.classes)
    own = places.reshape(classes, rows.rows)[rows.codes, np.arange(rows.rows)]

    def area(weights: NDArray[Any]) -> float:
        positives = np.bincount(own, weights, size)
        negatives = np.bincount(places, np.tile(weights, classes), size) - positives
        below = np.cumsum(negatives) - negatives / 2
        return float(positives @ below / (positives.sum() * negatives.sum()))

    return area
