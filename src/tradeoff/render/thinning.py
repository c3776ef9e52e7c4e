"""Thinning of lines to the points that are visible, so that charts of large data stay small."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CELLS_PER_AXIS = 2000
"""Resolution of each axis: more cells than any screen or page can show."""
MAX_UNTHINNED_POINTS = 4000
"""Lines of at most this many points are not thinned."""
MAX_THINNED_POINTS = 20_000
"""Maximum number of points in a line that is monotone in neither axis.

Longer lines are thinned more coarsely.
"""


def thin_line(
    x: NDArray[np.float64], y: NDArray[np.float64], *, cells: int = CELLS_PER_AXIS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Thin a line to its visible points; breaks, end points and extremes are kept.

    Example:
        >>> x = np.linspace(0, 1, 1_000_000)
        >>> thinned, heights = thin_line(x, np.sqrt(x))
        >>> len(thinned) < 10_000
        True
        >>> float(abs(heights - np.sqrt(thinned)).max())
        0.0
    """
    indices = visible_indices(x, y, cells=cells)
    x_visible, y_visible = x[indices], y[indices]
    is_break = ~(np.isfinite(x_visible) & np.isfinite(y_visible))
    return np.where(is_break, np.nan, x_visible), np.where(is_break, np.nan, y_visible)


def visible_indices(
    x: NDArray[np.float64], y: NDArray[np.float64], *, cells: int = CELLS_PER_AXIS
) -> NDArray[np.intp]:
    """Indices of the points that `thin_line` keeps, for lines on scales that are not linear.

    Example:
        >>> visible_indices(np.array([0.0, 1.0]), np.array([0.0, 1.0])).tolist()
        [0, 1]
    """
    if len(x) <= MAX_UNTHINNED_POINTS:
        return np.arange(len(x))
    for values, other in ((x, y), (y, x)):
        if _is_monotone(values[np.isfinite(values) & np.isfinite(other)]):
            return _extreme_indices(_cell_indices(values, other, cells), other)
    while True:
        column = _cell_indices(x, y, cells)
        indices = _run_ends(column * (cells + 2) + _cell_indices(y, x, cells))
        if len(indices) <= MAX_THINNED_POINTS or cells < 16:
            return indices
        cells //= 2


def _is_monotone(values: NDArray[np.float64]) -> bool:
    """Whether values are monotone, up to rounding error."""
    if not len(values):
        return True
    tolerance = 1e-9 * float(np.abs(values).max())
    steps = np.diff(values)
    return bool((steps >= -tolerance).all() or (steps <= tolerance).all())


def _cell_indices(
    values: NDArray[np.float64], other: NDArray[np.float64], cells: int
) -> NDArray[np.intp]:
    """Index of the equal-width cell that contains each value; -1 where the line breaks."""
    is_finite = np.isfinite(values) & np.isfinite(other)
    if not is_finite.any():
        return np.full(len(values), -1)
    low, high = values[is_finite].min(), values[is_finite].max()
    # Halves, so that the width of a range from -1e308 to 1e308 does not overflow.
    width = (high / 2 - low / 2) or 1.0
    indices = np.full(len(values), -1)
    position = (values[is_finite] / 2 - low / 2) / width
    indices[is_finite] = np.floor(position * cells).astype(np.intp)
    return indices


def _run_starts(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))


def _run_ends(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Indices of the first and the last point of every run of points in the same cell."""
    starts = _run_starts(cells)
    return np.unique(np.concatenate([starts, np.append(starts[1:], len(cells)) - 1]))


def _extreme_indices(columns: NDArray[np.intp], heights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of the first, last, lowest and highest point of every column of pixels (M4).

    Jugel, Jerzak, Hackenbroich & Markl 2014, doi:10.14778/2732951.2732953.
    """
    starts = _run_starts(columns)
    sizes = np.diff(np.append(starts, len(columns)))
    group = np.repeat(np.arange(len(starts)), sizes)
    values = np.where(columns < 0, 0.0, heights)
    indices = [_run_ends(columns)]
    for reduce in (np.minimum, np.maximum):
        candidates = np.flatnonzero(values == np.repeat(reduce.reduceat(values, starts), sizes))
        _, first = np.unique(group[candidates], return_index=True)
        indices.append(candidates[first])
    return np.unique(np.concatenate(indices))
