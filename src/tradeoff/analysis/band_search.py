"""The cheapest band of a ranking, found exactly from running minima.

Rows before place `upper` of the ranking are called positive, rows after place `lower` negative,
rows between are rejected. What a band costs is a sum of one part that depends on its upper end
and one that depends on its lower end, so the best upper end for every lower end is a running
minimum: of all places so far, or of those that a limit leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.criteria import SLACK
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.costs import Bills

MOST_TIES = 1000
"""Of so many equally good bands under a limit, the one that rejects least is returned."""
MOST_LOOKED_UP = 1 << 28
"""Rows up to which a table of their places is worth its memory."""
SHORT = 64
"""Windows shorter than this are searched by doubling, longer ones from anchor to anchor."""


def cheapest_band(bills: Bills, rows: NDArray[Any], limit: float | None) -> tuple[int, int]:
    """The two ends of the cheapest band; of equal ones that which rejects least."""
    above = bills.called_positive - bills.rejected
    below = bills.rejected - bills.called_negative
    slack = SLACK * max(
        np.abs(bills.called_positive).max(), np.abs(bills.called_negative).max(), 1.0
    )
    if limit is None:
        least = np.minimum.accumulate(above)
    else:
        if limit < 0:
            raise InputError("More rows than this are rejected already: none may be added.")
        first = _first_within(rows, limit)
        least = _window_minima(above, first)
    totals = least + below
    ends = np.flatnonzero(totals <= totals.min() + slack)
    if limit is None:
        # A place that is the least so far is as good an upper end as any before it.
        good = np.flatnonzero(above <= least + slack)
        starts = good[np.searchsorted(good, ends, "right") - 1]
    else:
        ends = ends[:MOST_TIES]
        windows = ((above[first[end] : end + 1] <= least[end] + slack, first[end]) for end in ends)
        starts = np.array([np.flatnonzero(equal)[-1] + start for equal, start in windows])
    smallest = int(np.argmin(rows[ends] - rows[starts]))
    return int(starts[smallest]), int(ends[smallest])


def _first_within(rows: NDArray[Any], limit: float) -> NDArray[np.intp]:
    """For each place, the first one from which at most `limit` rows lie between."""
    wanted = np.maximum(np.ceil(rows - limit), 0) if rows.dtype.kind == "i" else rows - limit
    if rows.dtype.kind != "i" or rows[-1] > MOST_LOOKED_UP:
        return np.searchsorted(rows, wanted, "left")
    # The place of each row is a table, and looking up is quicker than searching.
    table = np.repeat(np.arange(len(rows)), np.diff(rows, prepend=-1))
    found: NDArray[np.intp] = table[wanted.astype(np.intp)]
    return found


def _window_minima(values: NDArray[np.float64], first: NDArray[np.intp]) -> NDArray[np.float64]:
    """The least value from `first`, which never falls, up to each place."""
    size = len(values)
    if float((np.arange(size) - first).mean()) < SHORT:
        return _short_window_minima(values, first)
    result = np.empty(size)
    anchor = 0
    while anchor < size:
        # All windows that hold the anchor: a part before it and a part from it on.
        stop = int(np.searchsorted(first, anchor, "right"))
        start = int(first[anchor])
        before = np.minimum.accumulate(values[start : anchor + 1][::-1])[::-1]
        after = np.minimum.accumulate(values[anchor:stop])
        result[anchor:stop] = np.minimum(before[first[anchor:stop] - start], after)
        anchor = stop
    return result


def _short_window_minima(
    values: NDArray[np.float64], first: NDArray[np.intp]
) -> NDArray[np.float64]:
    """The same by windows whose length doubles."""
    places = np.arange(len(values))
    power = np.floor(np.log2(places - first + 1)).astype(np.intp)
    result = np.empty(len(values))
    window = values.copy()  # the least of the 2**k values from each place on
    for k in range(int(power.max()) + 1):
        mine = np.flatnonzero(power == k)
        result[mine] = np.minimum(window[first[mine]], window[mine - (1 << k) + 1])
        step = 1 << k
        window[: len(window) - step] = np.minimum(window[: len(window) - step], window[step:])
    return result
