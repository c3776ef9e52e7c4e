"""Thinning of lines to the points that can be seen, so that charts of large data stay light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CELLS = 2000
"""Resolution of each axis: more cells than any screen or page can show."""
UNTHINNED = 4000
"""Lines of at most this many points are not thinned."""
MAX_POINTS = 20_000
"""Most points of a line that is monotone in neither axis; beyond, it is thinned more coarsely."""


def thinned(
    x: NDArray[np.float64], y: NDArray[np.float64], *, cells: int = CELLS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Visible points of a line after thinning; breaks, end points and extremes are kept.

    Example:
        >>> x = np.linspace(0, 1, 1_000_000)
        >>> fewer, heights = thinned(x, np.sqrt(x))
        >>> len(fewer) < 10_000
        True
        >>> float(abs(heights - np.sqrt(fewer)).max())
        0.0
    """
    indices = visible_indices(x, y, cells=cells)
    x_visible, y_visible = x[indices], y[indices]
    broken = ~(np.isfinite(x_visible) & np.isfinite(y_visible))
    return np.where(broken, np.nan, x_visible), np.where(broken, np.nan, y_visible)


def visible_indices(
    x: NDArray[np.float64], y: NDArray[np.float64], *, cells: int = CELLS
) -> NDArray[np.intp]:
    """Indices of the points that `thinned` keeps, for lines on scales that are not linear.

    Example:
        >>> visible_indices(np.array([0.0, 1.0]), np.array([0.0, 1.0])).tolist()
        [0, 1]
    """
    if len(x) <= UNTHINNED:
        return np.arange(len(x))
    for values, other in ((x, y), (y, x)):
        if _is_monotone(values[np.isfinite(values) & np.isfinite(other)]):
            return _extremes(_cells(values, other, cells), other)
    while True:
        column = _cells(x, y, cells)
        indices = _ends(column * (cells + 2) + _cells(y, x, cells))
        if len(indices) <= MAX_POINTS or cells < 16:
            return indices
        cells //= 2


def _is_monotone(values: NDArray[np.float64]) -> bool:
    """Whether values never rise or never fall, but for rounding."""
    if not len(values):
        return True
    slack = 1e-9 * float(np.abs(values).max())
    steps = np.diff(values)
    return bool((steps >= -slack).all() or (steps <= slack).all())


def _cells(values: NDArray[np.float64], other: NDArray[np.float64], cells: int) -> NDArray[np.intp]:
    """Index of the equally wide cell that each value lies in; -1 where the line breaks."""
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


def _starts(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))


def _ends(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """Indices of the first and the last point of every run in one cell."""
    starts = _starts(cells)
    return np.unique(np.concatenate([starts, np.append(starts[1:], len(cells)) - 1]))


def _extremes(columns: NDArray[np.intp], heights: NDArray[np.float64]) -> NDArray[np.intp]:
    """Indices of the first, last, lowest and highest point of every column of pixels (M4).

    Jugel, Jerzak, Hackenbroich & Markl 2014, doi:10.14778/2732951.2732953.
    """
    starts = _starts(columns)
    sizes = np.diff(np.append(starts, len(columns)))
    group = np.repeat(np.arange(len(starts)), sizes)
    values = np.where(columns < 0, 0.0, heights)
    indices = [_ends(columns)]
    for reduce in (np.minimum, np.maximum):
        candidates = np.flatnonzero(values == np.repeat(reduce.reduceat(values, starts), sizes))
        _, first = np.unique(group[candidates], return_index=True)
        indices.append(candidates[first])
    return np.unique(np.concatenate(indices))
