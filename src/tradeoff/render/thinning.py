"""As many points of a line as can be seen: a curve of millions of points becomes a light chart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CELLS = 2000
"""The parts of each side that can be told apart: more than any screen or page has."""
FEW = 4000
"""Lines of no more points than this stay as they are."""
MOST = 20_000
"""A line that wanders in all directions is drawn more coarsely rather than with more points."""


def thinned(
    x: NDArray[np.float64], y: NDArray[np.float64], *, cells: int = CELLS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The points of a line that can be seen; breaks stay breaks, all ends and extremes are kept.

    Example:
        >>> x = np.linspace(0, 1, 1_000_000)
        >>> fewer, heights = thinned(x, np.sqrt(x))
        >>> len(fewer) < 10_000
        True
        >>> float(abs(heights - np.sqrt(fewer)).max())
        0.0
    """
    kept = kept_places(x, y, cells=cells)
    across, up = x[kept], y[kept]
    broken = ~(np.isfinite(across) & np.isfinite(up))
    return np.where(broken, np.nan, across), np.where(broken, np.nan, up)


def kept_places(
    x: NDArray[np.float64], y: NDArray[np.float64], *, cells: int = CELLS
) -> NDArray[np.intp]:
    """The places of the points that `thinned` keeps, for lines drawn on other than even scales.

    Example:
        >>> kept_places(np.array([0.0, 1.0]), np.array([0.0, 1.0])).tolist()
        [0, 1]
    """
    if len(x) <= FEW:
        return np.arange(len(x))
    for along, other in ((x, y), (y, x)):
        if _one_way(along[np.isfinite(along) & np.isfinite(other)]):
            return _extremes(_cells(along, other, cells), other)
    while True:
        column = _cells(x, y, cells)
        kept = _ends(column * (cells + 2) + _cells(y, x, cells))
        if len(kept) <= MOST or cells < 16:
            return kept
        cells //= 2


def _one_way(values: NDArray[np.float64]) -> bool:
    """Whether a line never turns back, but for rounding."""
    if not len(values):
        return True
    slack = 1e-9 * float(np.abs(values).max())
    steps = np.diff(values)
    return bool((steps >= -slack).all() or (steps <= slack).all())


def _cells(values: NDArray[np.float64], other: NDArray[np.float64], cells: int) -> NDArray[np.intp]:
    """Which of equally wide parts each value lies in; -1 where the line breaks."""
    known = np.isfinite(values) & np.isfinite(other)
    if not known.any():
        return np.full(len(values), -1)
    low, high = values[known].min(), values[known].max()
    # Halves, so that the width of a range from -1e308 to 1e308 does not overflow.
    width = (high / 2 - low / 2) or 1.0
    found = np.full(len(values), -1)
    found[known] = np.floor((values[known] / 2 - low / 2) / width * cells).astype(np.intp)
    return found


def _starts(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    return np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))


def _ends(cells: NDArray[np.intp]) -> NDArray[np.intp]:
    """The first and the last point of every stay in a cell."""
    starts = _starts(cells)
    return np.unique(np.concatenate([starts, np.append(starts[1:], len(cells)) - 1]))


def _extremes(columns: NDArray[np.intp], heights: NDArray[np.float64]) -> NDArray[np.intp]:
    """The first, last, lowest and highest point of every column: what a screen shows of it.

    Jugel, Jerzak, Hackenbroich & Markl 2014, doi:10.14778/2732951.2732953.
    """
    starts = _starts(columns)
    sizes = np.diff(np.append(starts, len(columns)))
    group = np.repeat(np.arange(len(starts)), sizes)
    known = np.where(columns < 0, 0.0, heights)
    places = [_ends(columns)]
    for reduce in (np.minimum, np.maximum):
        found = np.flatnonzero(known == np.repeat(reduce.reduceat(known, starts), sizes))
        _, first = np.unique(group[found], return_index=True)
        places.append(found[first])
    return np.unique(np.concatenate(places))
