"""Merge the rankings of parts, chunks or shards into one ranking of all their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import group_nested_bins, highest_integers
from tradeoff.core.sort import Tally
from tradeoff.core.sort_keys import sortable_integers
from tradeoff.errors import InputError, format_list

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking


def merge_rankings(rankings: Sequence[Ranking]) -> Ranking:
    """Merge rankings into one, in which equal scores and nested bins are combined."""
    parts = [ranking for ranking in rankings if ranking.rows]
    if len(parts) < 2:
        return parts[0] if parts else rankings[0]
    first = parts[0]
    for other in parts[1:]:
        _require_same_meaning(first, other)
    tally, levels = _merge_tallies(parts)
    return replace(
        first,
        tally=tally,
        rows=sum(ranking.rows for ranking in parts),
        negative=_common_name([ranking.negative for ranking in parts], f"not {first.positive}"),
        name=_common_name([ranking.name for ranking in parts], "several"),
        rejected_positives=sum(ranking.rejected_positives for ranking in parts),
        rejected_negatives=sum(ranking.rejected_negatives for ranking in parts),
        notes=(*sorted(note for ranking in parts for note in ranking.notes), *_name_notes(parts)),
        squares=_merge_squares(parts),
        levels=levels,
    )


def _name_notes(parts: Sequence[Ranking]) -> list[str]:
    """Note that rankings with different names, perhaps of different models, were merged."""
    names = sorted({ranking.name for ranking in parts})
    return [f"rankings of {format_list(names)} were merged"] if len(names) > 1 else []


def _merge_tallies(parts: Sequence[Ranking]) -> tuple[Tally, NDArray[np.uint8] | None]:
    levels = _concatenate_levels(parts)
    return (
        (_merge_exact_tallies(parts), None)
        if levels is None
        else _merge_binned_tallies(parts, levels)
    )


def _merge_exact_tallies(parts: Sequence[Ranking]) -> Tally:
    """Sum counts at the union of all scores; sorting only the scores is faster."""
    sign = -1 if parts[0].lower_is_positive else 1
    ascending_scores = [sign * ranking.tally.thresholds[:0:-1] for ranking in parts]
    union = np.unique(np.concatenate(ascending_scores))
    indices_by_part = [
        len(union) - np.searchsorted(union, scores[::-1]) for scores in ascending_scores
    ]
    thresholds = np.concatenate([parts[0].tally.thresholds[:1], sign * union[::-1] + 0.0])

    def total(name: str) -> NDArray[Any]:
        counts_by_part = [np.diff(getattr(ranking.tally, name)) for ranking in parts]
        sums = np.zeros(len(union) + 1, np.result_type(*map(_sum_dtype, counts_by_part)))
        for part_counts, indices in zip(counts_by_part, indices_by_part, strict=True):
            sums[indices] += part_counts  # indices are distinct, as thresholds are
        return np.cumsum(sums, out=sums)

    return Tally(thresholds.astype(union.dtype), total("true_positives"), total("false_positives"))


def _merge_binned_tallies(
    parts: Sequence[Ranking], levels: NDArray[np.uint8]
) -> tuple[Tally, NDArray[np.uint8]]:
    sign = -1 if parts[0].lower_is_positive else 1
    scores = sign * np.concatenate([ranking.tally.thresholds[1:] for ranking in parts])
    return merge_bins(
        scores,
        levels,
        *(
            np.concatenate([np.diff(getattr(ranking.tally, name)) for ranking in parts])
            for name in ("true_positives", "false_positives")
        ),
        sign=sign,
    )


def merge_bins(
    scores: NDArray[Any],
    levels: NDArray[np.uint8],
    positives: NDArray[Any],
    negatives: NDArray[Any],
    *,
    sign: int = 1,
) -> tuple[Tally, NDArray[np.uint8]]:
    """Merge counts in equal and nested bins into a tally.

    Args:
        scores: Lowest score of each bin, multiplied by `sign`.
        levels: Number of trailing bits in which the scores of a bin may differ.
        positives: Number of positives in each bin, or the sum of their weights.
        negatives: Number of negatives in each bin, or the sum of their weights.
        sign: -1 if lower scores mean positive, else 1.
    """
    if not len(scores):
        zero_counts = np.zeros(1, positives.dtype)
        return Tally(np.array([sign * np.inf]), zero_counts, zero_counts.copy()), np.zeros(
            1, np.uint8
        )
    integers = sortable_integers(scores)
    # Each part is already sorted, which makes a stable sort fast.
    order = np.argsort(~highest_integers(integers, levels), kind="stable")
    groups = group_nested_bins(integers[order], levels[order])
    starts = np.append([0], groups.last_indices[:-1] + 1)
    lowest_scores = np.minimum.reduceat(scores[order], starts)
    tally = Tally(
        np.concatenate([[sign * np.inf], sign * lowest_scores + 0.0]).astype(scores.dtype),
        *(
            _cumulative(np.add.reduceat(counts[order], starts, dtype=_sum_dtype(counts)))
            for counts in (positives, negatives)
        ),
    )
    return tally, np.append([np.uint8(0)], groups.levels)


def _concatenate_levels(parts: Sequence[Ranking]) -> NDArray[np.uint8] | None:
    if all(ranking.levels is None for ranking in parts):
        return None
    return np.concatenate(
        [
            np.zeros(ranking.distinct, np.uint8) if ranking.levels is None else ranking.levels[1:]
            for ranking in parts
        ]
    )


def _cumulative(counts: NDArray[Any]) -> NDArray[Any]:
    return np.cumsum(np.append(np.zeros(1, counts.dtype), counts))


def _sum_dtype(counts: NDArray[Any]) -> Any:
    """Data type for sums of counts: sums of 32-bit counts may need 64 bits."""
    return np.int64 if counts.dtype.kind == "i" else counts.dtype


def _merge_squares(parts: Sequence[Ranking]) -> Ranking | None:
    if all(ranking.squares is None for ranking in parts):
        return None
    return merge_rankings([ranking.squares or ranking for ranking in parts])


def _common_name(names: Sequence[str], default: str) -> str:
    return names[0] if len(set(names)) == 1 else default


def _require_same_meaning(ranking: Ranking, other: Ranking) -> None:
    if (ranking.positive, ranking.lower_is_positive) != (other.positive, other.lower_is_positive):
        raise InputError(
            "Rankings can be merged only if their classes have the same meaning: one has "
            f"{_describe_meaning(ranking)}, the other {_describe_meaning(other)}."
        )


def _describe_meaning(ranking: Ranking) -> str:
    lower = " and lower scores positive" if ranking.lower_is_positive else ""
    return f"{ranking.positive!r} as its positive class{lower}"
