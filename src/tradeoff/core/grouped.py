"""A ranking of rows that were counted elsewhere: by score, or by stretches of scores."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from tradeoff.core.bins import common_levels
from tradeoff.core.merge import tally_of_bins
from tradeoff.core.ranking import Ranking


def ranking_of_groups(  # noqa: PLR0913 - a column each
    low: NDArray[Any],
    high: NDArray[Any],
    positives: NDArray[Any],
    negatives: NDArray[Any],
    rows: int,
    *,
    lower_is_positive: bool = False,
    **described: Any,
) -> Ranking:
    """The ranking of rows that were counted in groups: exact where no group holds two scores.

    Groups come in any order. Their rows score from `low` to `high`; all of them are one score
    where these are equal. Stretches that several groups were cut by must be nested or apart as
    those of `bins` are: floats that share their leading bits. Counts are rows, or sums of weights.

    Example:
        >>> import numpy as np
        >>> ranking = ranking_of_groups(*map(np.array, ([0.2, 0.5], [0.2, 0.6], [0, 3], [4, 1])), 8)
        >>> ranking, ranking.exact
        (Ranking(score: 8 rows, 3 'positive' and 5 'negative', 2 bins of scores), False)
    """
    sign = -1 if lower_is_positive else 1
    lowest = sign * (high if lower_is_positive else low)
    levels = common_levels(sign * low, sign * high)
    tally, levels = tally_of_bins(lowest, levels, positives, negatives, sign=sign)
    described["levels"] = levels if levels.any() else None
    return Ranking(tally, rows, lower_is_positive=lower_is_positive, **described)
