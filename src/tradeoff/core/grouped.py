"""A ranking of rows that were counted elsewhere: by score, or by stretches of scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tradeoff.core.bins import common_levels
from tradeoff.core.merge import tally_of_bins
from tradeoff.core.ranking import Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tradeoff.core.sort import Tally


class Counted(NamedTuple):
    """Rows counted in groups, the groups in any order.

    A group's rows score from `low` to `high`; all of them are one score where these are equal.
    Stretches that several groups were cut by must be nested or apart as those of `bins` are:
    floats that share their leading bits. Counts are rows, or sums of weights.
    """

    low: NDArray[Any]
    high: NDArray[Any]
    positives: NDArray[Any]
    negatives: NDArray[Any]


def ranking_of(
    counted: Counted, rows: int, *, lower_is_positive: bool = False, **described: Any
) -> Ranking:
    """The ranking of counted rows: exact where no group holds two scores.

    Example:
        >>> import numpy as np
        >>> counted = Counted(*map(np.array, ([0.2, 0.5], [0.2, 0.6], [0, 3], [4, 1])))
        >>> ranking = ranking_of(counted, 8)
        >>> ranking, ranking.exact
        (Ranking(score: 8 rows, 3 'positive' and 5 'negative', 2 bins of scores), False)
    """
    tally, levels = _tally(counted, lower_is_positive=lower_is_positive)
    described["levels"] = levels if levels.any() else None
    return Ranking(tally, rows, lower_is_positive=lower_is_positive, **described)


def _tally(counted: Counted, *, lower_is_positive: bool) -> tuple[Tally, NDArray[np.uint8]]:
    sign = -1 if lower_is_positive else 1
    lowest = sign * (counted.high if lower_is_positive else counted.low)
    levels = common_levels(sign * counted.low, sign * counted.high)
    return tally_of_bins(lowest, levels, counted.positives, counted.negatives, sign=sign)
