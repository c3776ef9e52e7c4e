"""How sure an area under the ROC curve is, from the ranking alone.

A positive row's *placement* is the share of negatives that score below it (ties half); a negative
row's the share of positives above it. Their means are the area, their variances its uncertainty
(DeLong, DeLong & Clarke-Pearson 1988, doi:10.2307/2531595).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tradeoff.analysis.intervals.normal import demand_level, quantile
from tradeoff.errors import UnknownName, did_you_mean, listed
from tradeoff.ranking.cores import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking

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
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    _, up, over = ranking.tally
    squares = None if ranking.squares is None else ranking.squares.tally[1:]
    sums = np.zeros(2)
    for start, stop in blocks((0, ranking.distinct)):
        part = slice(start, stop + 1)
        found, alarms = up[part].astype(np.float64), over[part].astype(np.float64)
        above = 1 - (alarms[1:] + alarms[:-1]) / (2 * negatives) - area
        below = (found[1:] + found[:-1]) / (2 * positives) - area
        weighs = (found, alarms) if squares is None else (side[part] for side in squares)
        own = [np.diff(side) for side in weighs]
        sums += [own[0] @ above**2, own[1] @ below**2]
    return sums


def steadied(found: Placements) -> float:
    """DeLong's variance, steadied where few rows say little about how placements vary.

    The variance in each class is mixed with that of a model (see `_model_variance`), which counts
    as much as the square root of the class's rows. With many rows nothing is left of it; with 15
    it keeps intervals of large areas from being far too narrow (docs/explanation/intervals.md).
    """
    model = _model_variance(found.area)

    def mixed(own: float, rows: float) -> float:
        more = math.sqrt(rows)
        return ((rows - 1) * own + more * model) / (rows - 1 + more) / rows

    return mixed(found.of_positives, found.positives) + mixed(found.of_negatives, found.negatives)


def hanley_mcneil(area: float, positives: float, negatives: float) -> float:
    """The variance of an area from its size alone (1982, doi:10.1148/radiology.143.1.7063747).

    Example:
        >>> round(hanley_mcneil(0.8, 50, 50) ** 0.5, 4)
        0.0445
    """
    above, below = area / (2 - area), 2 * area**2 / (1 + area)
    sums = (positives - 1) * (above - area**2) + (negatives - 1) * (below - area**2)
    return (area * (1 - area) + sums) / (positives * negatives)


def _model_variance(area: float) -> float:
    """How placements vary in Hanley & McNeil's model, halfway between its two classes."""
    return area * (1 - area) * ((1 - area) / (2 - area) + area / (1 + area)) / 2


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


def perfect_bound(area: float, rows: float, level: float) -> Ends:
    """An interval where every pair is won, or lost: variances are 0 there and say nothing.

    As sure as that many successes in a row, one for each of the `rows` of the smaller class
    (Clopper & Pearson 1934): so many pairs have no row in common.
    """
    bound = ((1 - demand_level(level)) / 2) ** (1 / rows)
    return (bound, 1.0) if area == 1 else (0.0, 1 - bound)


class Method(NamedTuple):
    """A way to find an interval: the variance of an area, and the ends that follow from it."""

    name: str
    variance: Callable[[Placements], float]
    ends: Callable[[float, float, float], Ends]


def _as_varied(found: Placements) -> float:
    return found.variance


def _by_size(found: Placements) -> float:
    return hanley_mcneil(found.area, found.positives, found.negatives)


METHODS: dict[str, Method] = {
    "logit": Method("DeLong on the logit scale, steadied", steadied, logit_ends),
    "delong-logit": Method("DeLong on the logit scale", _as_varied, logit_ends),
    "delong": Method("DeLong", _as_varied, _plain),
    "hanley-mcneil": Method("Hanley–McNeil", _by_size, _plain),
}
"""Ways to find an interval for an area, by the names that users give them."""


class AreaInterval(NamedTuple):
    """The ends and how they were found, or why there are none."""

    low: float
    high: float
    method: str
    reason: str | None = None


def area_interval(ranking: Ranking, level: float = 0.95, method: str = "logit") -> AreaInterval:
    """An interval for the area under the ROC curve."""
    demand_level(level)
    if method not in METHODS:
        raise UnknownName(
            f"No interval for an area is called {method!r}.{did_you_mean(method, METHODS)} "
            f"There are {listed(METHODS)}."
        )
    how = METHODS[method]
    if min(ranking.effective_rows) < 2:
        return AreaInterval(math.nan, math.nan, how.name, "it needs two rows of each class")
    found = placements(ranking)
    if ranking.distinct == 1:
        return AreaInterval(math.nan, math.nan, how.name, "every row has the same score")
    least, most = _areas_in_bins(ranking)
    if least < most:
        return _in_bins(ranking, how, level, found, (least, most))
    if how.ends is logit_ends and found.area in {0.0, 1.0}:
        rows = min(found.positives, found.negatives)
        return AreaInterval(*perfect_bound(found.area, rows, level), BOUND)
    return AreaInterval(*how.ends(found.area, how.variance(found), level), how.name)


def _areas_in_bins(ranking: Ranking) -> Ends:
    """The least and the most that the area is for any order inside bins."""
    if ranking.exact or ranking.pairs is not None:
        return 0.0, 0.0
    pairs = 2 * float(ranking.positives) * float(ranking.negatives)
    cases = (ranking.worst_case, ranking.best_case)
    least, most = (float(case.twice_pairs_won()) / pairs for case in cases)
    return least, most


def _in_bins(
    ranking: Ranking, how: Method, level: float, found: Placements, areas: Ends
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
