"""Lift by bins of rows, best first: the decile table."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.curve import Axis, Curve
from tradeoff.measures.curves.registry import Quantity, named
from tradeoff.text import count

TENTHS = 10


@named(
    "how many times more positives than by chance each tenth of the rows holds, best first",
    title="Lift by tenths of the rows",
    has_thresholds=False,
    averaged=False,
    no_band="its bins are those of these rows",
    quantities={
        "depth": Quantity("share of rows, best first (depth)", 0.0, 1.0, is_share=True),
        "bin_lift": Quantity("times as many as by chance (lift of each part)", 0.0),
    },
    rank=6,
)
def bin_lift(ranking: Ranking, bins: int | None = None) -> Curve:
    """Lift of each bin over the share of rows down to its end, with the whole decile table.

    Bins hold whole rows, as equal in number as can be. Where a border parts rows of one score,
    both sides get their expected share of its positives; `parted` says how many of a bin's rows
    have such a score.
    """
    total, positives = ranking.positives + ranking.negatives, ranking.positives
    whole = total.dtype.kind == "i"
    if bins is None:
        bins = int(min(TENTHS, max(total, 1))) if whole else TENTHS
    if bins < 1 or not total or (whole and bins > total):
        raise InputError(f"{count(total)} rows make 1 to {count(total)} bins, not {bins}.")
    # Python's integers: so many times the total might not fit.
    borders = np.array(
        [-(-int(total) * i // bins) if whole else total * i / bins for i in range(bins + 1)]
    )
    borders[-1] = total
    seen = ranking.true_positives + ranking.false_positives
    found = np.interp(borders, seen, ranking.true_positives)
    rows, hits = np.diff(borders), np.diff(found)
    depth, base = borders[1:] / total, positives / total
    with np.errstate(divide="ignore", invalid="ignore"):
        alarms = (borders - found)[1:] / ranking.negatives
        gain = found[1:] / positives
        lift, bin_lift = gain / depth, hits / rows / base
    first, last = np.searchsorted(seen, borders[:-1], "right"), np.searchsorted(seen, borders[1:])

    def table() -> dict[str, NDArray[Any]]:
        return {
            "bin": np.arange(1, bins + 1),
            "highest": ranking.thresholds[first],
            "lowest": ranking.thresholds[last],
            "mean_score": _mean_scores(ranking, seen, borders, first, last),
            "rows": rows,
            "positives": hits,
            "negatives": rows - hits,
            "parted": _parted(seen, borders),
            "positive_share": hits / rows,
            "cumulative_rows": borders[1:],
            "cumulative_positives": found[1:],
            "gain": gain,
            "lift": lift,
            "ks": gain - alarms,
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
    seen: NDArray[Any],
    borders: NDArray[Any],
    first: NDArray[np.intp],
    last: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Each bin by its own scores: differences of sums over all would spread an infinite one."""
    means = []
    for start, stop, begin, end in zip(first, last, borders[:-1], borders[1:], strict=True):
        counts = np.diff(np.clip(seen[start - 1 : stop + 1], begin, end))
        scores = ranking.thresholds[start : stop + 1]
        with np.errstate(invalid="ignore"):
            means.append(float((scores * counts)[counts > 0].sum() / counts.sum()))
    return np.array(means)


def _parted(seen: NDArray[Any], borders: NDArray[Any]) -> NDArray[Any]:
    """How many rows of each bin have a score that a border of the bin parts."""
    start, end = borders[:-1], borders[1:]
    after = np.searchsorted(seen, start, "left")
    # The group that the start parts ends at the first place at or beyond it.
    head = np.where(seen[after] > start, np.minimum(seen[after], end) - start, 0)
    before = np.searchsorted(seen, end, "right") - 1
    tail = np.where(seen[before] < end, end - np.maximum(seen[before], start), 0)
    return np.asarray(np.minimum(head + tail, end - start))
