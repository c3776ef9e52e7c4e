"""Calibration curve: proportion of positives among rows of similar scores."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list
from tradeoff.measures.curves.curve import Axis, Curve
from tradeoff.measures.curves.interpolation import LinearInterpolation
from tradeoff.measures.curves.registry import Quantity, register_curve
from tradeoff.measures.probabilities import Probabilities, require_probabilities

MAX_WINDOW_ROWS = 100_000_000
Grouping = Literal["rows", "width", "isotonic", "window"]


@register_curve(
    "proportion of positives among rows of similar score: on the diagonal if calibrated",
    title="Reliability diagram",
    chance="",
    ideal="perfect calibration",
    has_thresholds=False,
    averaged=False,
    no_band="its groups depend on the sample; a reliability diagram has bands of its own",
    quantities={
        "mean_score": Quantity("Predicted probability{of}", 0.0, 1.0, is_share=True),
        "positive_share": Quantity("Observed frequency{of}", 0.0, 1.0, is_share=True),
    },
    rank=14,
    aliases=("reliability",),
)
def calibration(
    ranking: Ranking, by: Grouping = "rows", bins: int = 10, window: int = 100
) -> Curve:
    """Calibration curve: proportion of positives against mean score; ties are never split.

    Args:
        ranking: Ranking whose scores are probabilities.
        by: "rows": bins of about equal size. "width": bins of equal width, as in scikit-learn.
            "isotonic": the pools of isotonic regression (CORP). "window": every run of `window`
            consecutive rows, as in ROCR.
        bins: Number of bins, for "rows" and "width".
        window: Number of rows, for "window".
    """
    p = require_probabilities(ranking, "A calibration curve")
    if by not in get_args(Grouping):
        raise InputError(f"`by` must be one of {format_list(get_args(Grouping))}, not {by!r}.")
    if bins < 1:
        raise InputError(f"A calibration curve needs 1 bin or more, not {bins}.")
    groups = (
        _windows(p, window) if by == "window" else _binned(p, _bin_starts(ranking, p, by, bins))
    )
    with np.errstate(invalid="ignore"):
        x, y = groups.scores / groups.rows, groups.positives / groups.rows
    return Curve(
        "calibration",
        ranking,
        Axis("mean_score", x),
        Axis("positive_share", y),
        LinearInterpolation(x, y),
        ideal=((0.0, 0.0), (1.0, 1.0)),
        table=lambda: {
            "low": groups.low,
            "high": groups.high,
            "rows": groups.rows,
            "positives": groups.positives,
        },
    )


class _Groups(NamedTuple):
    """Sums over the rows of each group, lowest scores first."""

    scores: NDArray[np.float64]
    positives: NDArray[Any]
    rows: NDArray[Any]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def _bin_starts(ranking: Ranking, p: Probabilities, by: Grouping, bins: int) -> NDArray[np.intp]:
    """Index of the first probability of each bin, from low to high."""
    if by == "isotonic":
        size = len(p.values)
        return (size - ranking.hull_places[::-1])[:-1]
    rows = (p.positives + p.negatives)[::-1]
    if by == "rows":
        # A score belongs to the bin that contains the middle of its rows.
        middles = np.cumsum(rows) - rows / 2
        bin_numbers = np.floor(bins * middles / rows.sum() + _rounding_tolerance(ranking, bins))
    else:
        bin_numbers = np.searchsorted(np.linspace(0, 1, bins + 1)[1:-1], p.values[::-1])
    return np.flatnonzero(np.concatenate([[True], bin_numbers[1:] != bin_numbers[:-1]]))


def _rounding_tolerance(ranking: Ranking, bins: int) -> float:
    """Tolerance for rounding errors of summed weights where a midpoint lies on a bin edge.

    With equal weights, all other midpoints are at least 1 / (2 rows) of a bin away.
    """
    if ranking.is_counted:
        return 0.0
    return float(min(bins * ranking.rows * np.finfo(np.float64).eps, 1 / (4 * ranking.rows)))


def _binned(p: Probabilities, starts: NDArray[np.intp]) -> _Groups:
    """Sums over bins that begin at the given indices."""
    values, positives, negatives = (column[::-1] for column in p)
    rows = positives + negatives
    ends = np.append(starts[1:], len(values)) - 1
    score_sums, positive_counts, row_counts = (
        np.add.reduceat(column, starts) for column in (values * rows, positives, rows)
    )
    return _Groups(score_sums, positive_counts, row_counts, values[starts], values[ends])


def _windows(p: Probabilities, window: int) -> _Groups:
    """Sums over every run of consecutive rows; tied rows share their positives evenly."""
    values, positives, negatives = (column[::-1] for column in p)
    sizes: Any = positives + negatives
    if sizes.dtype.kind != "i" or not 1 <= window <= sizes.sum() <= MAX_WINDOW_ROWS:
        raise InputError(
            f"A window needs 1 to {sizes.sum():g} rows (of at most {MAX_WINDOW_ROWS:,}), not "
            f"{window}, and unweighted rows."
        )
    scores = np.repeat(values, sizes)
    hits = np.repeat(positives / sizes, sizes)
    sums = (np.concatenate([[0.0], np.cumsum(column)]) for column in (scores, hits))
    score_sums, positive_counts = (column[window:] - column[:-window] for column in sums)
    rows = np.full(len(score_sums), window)
    return _Groups(score_sums, positive_counts, rows, scores[: len(rows)], scores[window - 1 :])
