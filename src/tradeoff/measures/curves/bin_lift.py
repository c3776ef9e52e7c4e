"""Lift by bins of rows, highest scores first: the decile table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_count
from tradeoff.measures.curves.curve import Axis, Curve
from tradeoff.measures.curves.registry import Quantity, register_curve

DEFAULT_BINS = 10


@register_curve(
    "lift of each decile of the rows, highest scores first",
    title="Lift by decile",
    has_thresholds=False,
    averaged=False,
    no_band="its bins depend on the sample",
    quantities={
        "depth": Quantity("Share of {rows}, highest scores first", 0.0, 1.0, is_share=True),
        "bin_lift": Quantity("Lift of each decile (ratio to chance)", 0.0),
    },
    rank=6,
    aliases=("decile", "deciles", "decile_lift"),
)
def bin_lift(ranking: Ranking, bins: int | None = None) -> Curve:
    """Lift of each bin against the cumulative share of rows, with the whole decile table.

    Bins hold whole rows and are as equal in size as possible. If a bin edge splits tied rows, both
    bins get their expected share of the positives; the column `parted` counts the rows of a bin
    whose tie is split.
    """
    total, positives = ranking.positives + ranking.negatives, ranking.positives
    is_counted = total.dtype.kind == "i"
    if bins is None:
        bins = int(min(DEFAULT_BINS, max(total, 1))) if is_counted else DEFAULT_BINS
    if bins < 1 or not total or (is_counted and bins > total):
        raise InputError(
            f"{format_count(total)} rows can be divided into 1 to {format_count(total)} bins, not "
            f"{bins}."
        )
    # Python integers: the product with the total could overflow.
    edges = np.array(
        [-(-int(total) * i // bins) if is_counted else total * i / bins for i in range(bins + 1)]
    )
    edges[-1] = total
    cumulative_rows = ranking.true_positives + ranking.false_positives
    cumulative_positives = np.interp(edges, cumulative_rows, ranking.true_positives)
    rows, hits = np.diff(edges), np.diff(cumulative_positives)
    depth, prevalence = edges[1:] / total, positives / total
    with np.errstate(divide="ignore", invalid="ignore"):
        fpr = (edges - cumulative_positives)[1:] / ranking.negatives
        gain = cumulative_positives[1:] / positives
        lift, bin_lift = gain / depth, hits / rows / prevalence
    first = np.searchsorted(cumulative_rows, edges[:-1], "right")
    last = np.searchsorted(cumulative_rows, edges[1:])

    def table() -> dict[str, NDArray[Any]]:
        return {
            "bin": np.arange(1, bins + 1),
            "highest": ranking.thresholds[first],
            "lowest": ranking.thresholds[last],
            "mean_score": _mean_scores(ranking, cumulative_rows, edges, first, last),
            "rows": rows,
            "positives": hits,
            "negatives": rows - hits,
            "parted": _rows_in_split_ties(cumulative_rows, edges),
            "positive_share": hits / rows,
            "cumulative_rows": edges[1:],
            "cumulative_positives": cumulative_positives[1:],
            "gain": gain,
            "lift": lift,
            "ks": gain - fpr,
        }

    return Curve(
        "bin_lift",
        ranking,
        Axis("depth", depth),
        Axis("bin_lift", bin_lift, "higher"),
        chance=((0.0, 1.0), (1.0, 1.0)),
        table=table,
    )


def _mean_scores(
    ranking: Ranking,
    cumulative_rows: NDArray[Any],
    edges: NDArray[Any],
    first: NDArray[np.intp],
    last: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Mean score of each bin; differences of cumulative sums would propagate infinite scores."""
    means = []
    for start, stop, begin, end in zip(first, last, edges[:-1], edges[1:], strict=True):
        counts = np.diff(np.clip(cumulative_rows[start - 1 : stop + 1], begin, end))
        scores = ranking.thresholds[start : stop + 1]
        with np.errstate(invalid="ignore"):
            means.append(float((scores * counts)[counts > 0].sum() / counts.sum()))
    return np.array(means)


def _rows_in_split_ties(cumulative_rows: NDArray[Any], edges: NDArray[Any]) -> NDArray[Any]:
    """Number of rows in each bin whose tie is split by one of its edges."""
    start, end = edges[:-1], edges[1:]
    first_tie = np.searchsorted(cumulative_rows, start, "left")
    # The tie that the start splits ends at the first index at or after it.
    tie_end = cumulative_rows[first_tie]
    head = np.where(tie_end > start, np.minimum(tie_end, end) - start, 0)
    last_tie = np.searchsorted(cumulative_rows, end, "right") - 1
    tie_start = cumulative_rows[last_tie]
    tail = np.where(tie_start < end, end - np.maximum(tie_start, start), 0)
    return np.asarray(np.minimum(head + tail, end - start))
