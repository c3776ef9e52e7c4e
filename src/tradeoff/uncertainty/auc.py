"""How sure areas under ROC curves are: one, or several on the same rows.

A positive row's *placement* is the share of negatives that score below it (ties half); a negative
row's the share of positives above it. Their means are the area, their variances its uncertainty
(DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595). The default puts these variances into
the exact formula for the variance of a Mann-Whitney statistic, and its ends are found on the logit
scale (Pohar Perme & Manevski 2019, doi:10.1177/0962280218814556); docs/explanation/areas-study.md
measures it beside others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.stats.interval_methods import interval_method, methods_by_name, usual_method
from tradeoff.stats.normal import demand_level, quantile
from tradeoff.threads import blocks

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking


# The areas of several models on the same rows, and how they vary together.
#
# DeLong, DeLong & Clarke-Pearson 1988 (doi:10.2307/2531595) from the placements of rows; for
# several rows of one patient or user Obuchowski 1997 (doi:10.2307/2533958).


@dataclass(frozen=True, eq=False)
class Areas:
    """The areas of several models and their covariance."""

    models: tuple[str, ...]
    values: NDArray[np.float64]
    covariance: NDArray[np.float64]
    method: str


def areas(paired: PairedRanking) -> Areas:
    """The areas and their covariance; NaN with fewer than two rows in a class."""
    _demand_both(paired)
    sides = _components(paired)
    weights = _class_weights(paired)
    values = np.clip(np.array([np.average(own, weights=weights[0]) for own in sides[0]]), 0, 1)
    for side in sides:
        np.subtract(side, values[:, None], out=side)  # in place: with many models these are large
    if paired.clusters is not None:
        covariance = _clustered(paired, paired.clusters, sides, weights)
        return Areas(paired.models, values, covariance, "Obuchowski")
    within = [
        _within(side, own, importance=paired.importance)
        for side, own in zip(sides, weights, strict=True)
    ]
    return Areas(paired.models, values, within[0] + within[1], "DeLong")


def _components(paired: PairedRanking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Placements of positive rows and of negative rows, one line a model."""
    positives = int(np.count_nonzero(paired.positive_rows))
    models = paired.models
    up = np.empty((len(models), positives))
    down = np.empty((len(models), paired.rows - positives))
    for at, name in enumerate(models):
        up[at], down[at] = paired.placements(name)
    return up, down


def _class_weights(paired: PairedRanking) -> list[NDArray[Any] | None]:
    if paired.weights is None:
        return [None, None]
    return [paired.weights[own] for own in (paired.positive_rows, ~paired.positive_rows)]


def _within(
    away: NDArray[np.float64], weights: NDArray[Any] | None, *, importance: bool
) -> NDArray[np.float64]:
    """What one class adds to the covariance of the areas."""
    rows = float(away.shape[1] if weights is None else weights.sum())
    if weights is None:
        return _over_rows(away @ away.T, rows, rows)
    if not importance:
        return _over_rows((away * weights) @ away.T, rows, rows)
    squares = weights.astype(np.float64) ** 2
    effective = rows**2 / float(squares.sum())
    # The sum of squares stands for `effective` equal rows.
    return _over_rows((away * squares) @ away.T * (effective / rows) ** 2, effective, effective)


def _over_rows(products: NDArray[Any], rows: float, trials: float) -> NDArray[np.float64]:
    if trials <= 1:
        return np.full(products.shape, np.nan)
    return np.asarray(products / (rows * (trials - 1)))


def _clustered(
    paired: PairedRanking,
    clusters: NDArray[np.intp],
    sides: tuple[NDArray[np.float64], NDArray[np.float64]],
    weights: list[NDArray[Any] | None],
) -> NDArray[np.float64]:
    """Deviations summed within each cluster first: rows of one cluster move together."""
    size = int(clusters.max()) + 1
    own = [paired.positive_rows, ~paired.positive_rows]
    sums, seen, totals = [], [], []
    for side, rows, weight in zip(sides, own, weights, strict=True):
        codes = clusters[rows]
        weighed = side if weight is None else side * weight
        sums.append(np.array([np.bincount(codes, line, minlength=size) for line in weighed]))
        seen.append(len(np.unique(codes)))
        totals.append(float(len(codes) if weight is None else weight.sum()))
    if min(seen) < 2:
        return np.full((len(paired.models),) * 2, np.nan)
    up, down = sums[0] / totals[0], sums[1] / totals[1]
    both = size / (size - 1)
    across = up @ down.T
    return np.asarray(
        up @ up.T * seen[0] / (seen[0] - 1)
        + down @ down.T * seen[1] / (seen[1] - 1)
        + (across + across.T) * both
    )


def _demand_both(paired: PairedRanking) -> None:
    for there, name in (
        (paired.positive_rows.any(), paired.positive),
        (not paired.positive_rows.all(), paired.negative),
    ):
        if not there:
            raise InputError(f"Areas are compared on rows of both classes: no row is {name!r}.")


Ends = tuple[float, float]
ROUNDING = 1e-12
BOUND = "exact-type bound"


class Placements(NamedTuple):
    """The area, and how placements vary within each class; rows are effective numbers of rows."""

    area: float
    positives: float
    negatives: float
    of_positives: float
    of_negatives: float

    @property
    def variance(self) -> float:
        """DeLong's variance of the area."""
        return self.of_positives / self.positives + self.of_negatives / self.negatives


def placements(ranking: Ranking) -> Placements:
    """The variances of placements; NaN with fewer than two rows in a class."""
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    area = float(ranking.twice_pairs_won()) / (2 * positives * negatives)
    if not ranking.is_counted and abs(area - round(area)) < ROUNDING:
        area = float(round(area))  # sums of real weights stray: every pair is won, or lost
    rows = ranking.effective_rows
    spread = [
        s * n / (total**2) * n / (n - 1) if n > 1 else math.nan
        for s, n, total in zip(_squares(ranking, area), rows, (positives, negatives), strict=True)
    ]
    return Placements(min(max(area, 0.0), 1.0), *rows, *spread)


def _squares(ranking: Ranking, area: float) -> NDArray[np.float64]:
    """How far the placements of each class are from the area, squared and added up."""
    if ranking.pairs is not None:
        return np.array([ranking.pairs.of_positives, ranking.pairs.of_negatives])
    _, up, over = ranking.tally
    squares = None if ranking.squares is None else ranking.squares.tally[1:]
    deviations = _exact_deviations(ranking) if ranking.is_counted else _deviations(ranking, area)
    sums = np.zeros(2)
    for start, stop in blocks((0, ranking.distinct)):
        part = slice(start, stop + 1)
        above, below = deviations(up[part], over[part])
        weighs = (up, over) if squares is None else squares
        own = [np.diff(side[part].astype(np.float64)) for side in weighs]
        sums += [own[0] @ above**2, own[1] @ below**2]
    return sums


Deviations = Callable[
    ["NDArray[Any]", "NDArray[Any]"], tuple["NDArray[np.float64]", "NDArray[np.float64]"]
]
"""How far the placements of positives and of negatives at each score are from the area."""


def _deviations(ranking: Ranking, area: float) -> Deviations:
    positives, negatives = float(ranking.positives), float(ranking.negatives)

    def of(found: NDArray[Any], alarms: NDArray[Any]) -> Any:
        above = 1 - (alarms[1:] + alarms[:-1]) / (2 * negatives) - area
        return above, (found[1:] + found[:-1]) / (2 * positives) - area

    return of


def _exact_deviations(ranking: Ranking) -> Deviations:
    """The same for counts: no digit is lost where placements and the area are nearly equal.

    All of them are whole numbers over 2 · P · N, which are subtracted before anything is rounded.
    """
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    pairs, won = 2 * positives * negatives, ranking.twice_pairs_won()
    wide: Any = np.int64 if pairs <= np.iinfo(np.int64).max else object  # Python's integers

    def of(found: NDArray[Any], alarms: NDArray[Any]) -> Any:
        up, over = found.astype(wide), alarms.astype(wide)
        above = positives * (2 * negatives - over[1:] - over[:-1]) - won
        below = negatives * (up[1:] + up[:-1]) - won
        return above.astype(np.float64) / pairs, below.astype(np.float64) / pairs

    return of


def logit_ends(area: float, variance: float, level: float) -> Ends:
    """Symmetric around the logit of the area, so never outside 0 to 1."""
    middle = math.log(area / (1 - area))
    half = quantile(level) * math.sqrt(variance) / (area * (1 - area))
    return _share(middle - half), _share(middle + half)


def _share(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit > -700 else 0.0


def _plain(area: float, variance: float, level: float) -> Ends:
    """Symmetric around the area, cut at 0 and 1 (pROC's way)."""
    half = quantile(level) * math.sqrt(variance)
    return max(area - half, 0.0), min(area + half, 1.0)


EndsOf = Callable[[float, float, float], Ends]
Variance = Callable[[Placements], float]


class AreaMethod(NamedTuple):
    """A way to find an interval: the variance of an area, and the ends that follow from it."""

    name: str
    variance: Callable[[Placements], float]
    ends: EndsOf


def _area_method(
    name: str, label: str, ends: EndsOf, *, aliases: tuple[str, ...] = ()
) -> Callable[[Variance], Variance]:
    """Enter a variance of an area as a way to find its interval."""

    def enter(variance: Variance) -> Variance:
        method = AreaMethod(label, variance, ends)
        interval_method(name, of="areas", label=label, aliases=aliases)(method)
        return variance

    return enter


@_area_method(
    "perme-manevski",
    "Pohar Perme–Manevski on the logit scale",
    logit_ends,
    aliases=("logit",),
)
def perme_manevski(placed: Placements) -> float:
    """The variance of the area by Pohar Perme & Manevski, as in auRoc's `DL.corr`.

    A Mann-Whitney statistic of m positive and n negative rows has the variance
    ((n - 1) S₊ + (m - 1) S₋ + A (1 - A)) / (m n), with S₊ and S₋ those of placements.

    Example:
        >>> round(perme_manevski(Placements(0.8, 10, 20, 0.05, 0.03)), 6)
        0.0069
    """
    positives, negatives = placed.positives, placed.negatives
    sums = (negatives - 1) * placed.of_positives + (positives - 1) * placed.of_negatives
    return (sums + placed.area * (1 - placed.area)) / (positives * negatives)


@_area_method("delong-logit", "DeLong on the logit scale", logit_ends)
@_area_method("delong", "DeLong", _plain)
def _delong(placed: Placements) -> float:
    return placed.variance


@_area_method("delong-logit-shrunk", "DeLong on the logit scale, shrunk", logit_ends)
def shrunk(placed: Placements) -> float:
    """DeLong's variance, shrunk towards a model where few rows say little about placements.

    The variance in each class is mixed with that of Hanley & McNeil's model (see
    `_model_variance`), which counts as much as the square root of the class's rows. It covers well
    (docs/explanation/areas-study.md) but is published nowhere.
    """
    model = _model_variance(placed.area)

    def mixed(own: float, rows: float) -> float:
        more = math.sqrt(rows)
        return ((rows - 1) * own + more * model) / (rows - 1 + more) / rows

    return mixed(placed.of_positives, placed.positives) + mixed(
        placed.of_negatives, placed.negatives
    )


def hanley_mcneil(area: float, positives: float, negatives: float) -> float:
    """The variance of an area from its size alone (1982, doi:10.1148/radiology.143.1.7063747).

    Example:
        >>> round(hanley_mcneil(0.8, 50, 50) ** 0.5, 4)
        0.0445
    """
    above, below = area / (2 - area), 2 * area**2 / (1 + area)
    sums = (positives - 1) * (above - area**2) + (negatives - 1) * (below - area**2)
    return (area * (1 - area) + sums) / (positives * negatives)


@_area_method("hanley-mcneil", "Hanley–McNeil", _plain)
def _by_size(placed: Placements) -> float:
    return hanley_mcneil(placed.area, placed.positives, placed.negatives)


def _model_variance(area: float) -> float:
    """How placements vary in Hanley & McNeil's model, halfway between its two classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


def perfect_bound(area: float, rows: float, level: float) -> Ends:
    """An interval where every pair is won, or lost: variances are 0 there and say nothing.

    As sure as that many successes in a row, one for each of the `rows` of the smaller class
    (Clopper & Pearson 1934): so many pairs have no row in common.
    """
    bound = ((1 - demand_level(level)) / 2) ** (1 / rows)
    return (bound, 1.0) if area == 1 else (0.0, 1 - bound)


FEW_ROWS = (10, 30)
"""Rows in the smaller class below which the default falls far short, and short, of its level."""
MISPLACED = 6
"""With enough rows it still does where so few of them stand for all pairs lost (or won)."""
HELD = ((82, 99), (79, 98), (84, 96))
"""The least and the most coverage of the default in each of these three cases, in percent."""


def caution(placed: Placements) -> str | None:
    """How far the default interval can be trusted, where that is less far than its level says.

    The numbers are measured: docs/explanation/areas-study.md.

    Example:
        >>> caution(Placements(0.8, 15, 85, 0.05, 0.03))
        'with fewer than 30 rows in a class, 95 % intervals held in 79 to 98 % of trials'
        >>> caution(Placements(0.8, 150, 850, 0.05, 0.03))
    """
    rows = min(placed.positives, placed.negatives)
    misplaced = rows * min(placed.area, 1 - placed.area)
    if rows < FEW_ROWS[0]:
        where, held = f"with fewer than {FEW_ROWS[0]} rows in a class", HELD[0]
    elif rows < FEW_ROWS[1]:
        where, held = f"with fewer than {FEW_ROWS[1]} rows in a class", HELD[1]
    elif 0 < misplaced < MISPLACED:
        where, held = f"with so few pairs {'lost' if placed.area > 0.5 else 'won'}", HELD[2]
    else:
        return None
    return f"{where}, 95 % intervals held in {held[0]} to {held[1]} % of trials"


class AreaInterval(NamedTuple):
    """The ends, how they were found and how far to trust them; or why there are none."""

    low: float
    high: float
    method: str
    reason: str | None = None
    note: str | None = None


def area_interval(ranking: Ranking, level: float = 0.95, method: str | None = None) -> AreaInterval:
    """An interval for the area under the ROC curve, by the usual method or another one."""
    demand_level(level)
    methods, usual = methods_by_name("areas"), usual_method("areas")
    method = usual.name if method is None else method
    if method not in methods:
        raise UnknownName(
            f"No interval for an area is called {method!r}.{did_you_mean(method, methods)} "
            f"There are {listed(methods)}."
        )
    how: AreaMethod = methods[method].function
    if min(ranking.effective_rows) < 2:
        return AreaInterval(math.nan, math.nan, how.name, "it needs two rows of each class")
    if ranking.distinct == 1:
        return AreaInterval(math.nan, math.nan, how.name, "every row has the same score")
    placed = placements(ranking)
    interval = _interval(ranking, placed, how, level)
    if interval.reason or how is not usual.function:
        return interval
    return interval._replace(note=caution(placed))


def _interval(ranking: Ranking, placed: Placements, how: AreaMethod, level: float) -> AreaInterval:
    least, most = _areas_in_bins(ranking)
    if least < most:
        return _in_bins(ranking, how, level, placed, (least, most))
    if how.ends is logit_ends and placed.area in {0.0, 1.0}:
        rows = min(placed.positives, placed.negatives)
        return AreaInterval(*perfect_bound(placed.area, rows, level), BOUND)
    return AreaInterval(*how.ends(placed.area, how.variance(placed), level), how.name)


def _areas_in_bins(ranking: Ranking) -> Ends:
    """The least and the most that the area is for any order inside bins."""
    if ranking.exact or ranking.pairs is not None:
        return 0.0, 0.0
    pairs = 2 * float(ranking.positives) * float(ranking.negatives)
    cases = (ranking.worst_case, ranking.best_case)
    least, most = (float(case.twice_pairs_won()) / pairs for case in cases)
    return least, most


def _in_bins(
    ranking: Ranking, how: AreaMethod, level: float, found: Placements, areas: Ends
) -> AreaInterval:
    """An interval that holds that of every order inside bins.

    At a fixed variance the lower end rises with the area and then falls (on the logit scale, near
    1), and the upper end falls and then rises, so both are extreme where the area is. The variance
    is the largest that any order allows: that of `_wider` placements, and for what depends on the
    area itself no more than a slope of half a row's share of its class.
    """
    least, most = areas
    if how.ends is logit_ends and not 0 < least < most < 1:
        why = "some order of the rows inside bins wins, or loses, every pair"
        return AreaInterval(math.nan, math.nan, how.name, why)
    wide = _wider(ranking, found, most - least)
    slack = (most - least) * (1 / found.positives + 1 / found.negatives) / 4
    variance = max(how.variance(wide._replace(area=area)) for area in areas) + slack
    ends = [how.ends(area, variance, level) for area in areas]
    return AreaInterval(
        min(low for low, _ in ends), max(high for _, high in ends), f"{how.name}, for every order"
    )


def widest_placements(ranking: Ranking) -> Placements:
    """Placements of a ranking; where scores are in bins, as varied as any order allows."""
    least, most = _areas_in_bins(ranking)
    found = placements(ranking)
    return _wider(ranking, found, most - least) if least < most else found


def _wider(ranking: Ranking, found: Placements, open_area: float) -> Placements:
    """Placements that vary as much as any order inside bins allows.

    A placement is at most half its bin's share of the other class off, and the area half of what
    is open, so by Minkowski's inequality their deviations grow by no more than the root of the
    squares of both, added.
    """
    up, over = (np.diff(side.astype(np.float64)) for side in ranking.tally[1:])
    weighs = [up, over]
    if ranking.squares is not None:
        weighs = [np.diff(side.astype(np.float64)) for side in ranking.squares.tally[1:]]
    spread = ranking.levels[1:] > 0 if ranking.levels is not None else np.zeros(len(up), bool)
    totals = float(ranking.positives), float(ranking.negatives)
    rows = found.positives, found.negatives
    old, new = (found.of_positives, found.of_negatives), []
    for side, other in ((0, 1), (1, 0)):
        off = spread * (up, over)[other] / (2 * totals[other]) + open_area / 2
        more = float(weighs[side] @ off**2) * rows[side] ** 2 / totals[side] ** 2
        more /= rows[side] - 1
        new.append((math.sqrt(old[side]) + math.sqrt(more)) ** 2)
    return found._replace(of_positives=new[0], of_negatives=new[1])
