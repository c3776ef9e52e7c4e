"""Rankings add: the rows of several parts, chunks or shards as one ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.bins import high_ends, joined, order_of
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError, listed

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking


def added(rankings: Sequence[Ranking]) -> Ranking:
    """The ranking of the rows of all: equal scores, and bins that lie in each other, become one."""
    parts = [ranking for ranking in rankings if ranking.rows]
    if len(parts) < 2:
        return parts[0] if parts else rankings[0]
    first = parts[0]
    for other in parts[1:]:
        _demand_same_meaning(first, other)
    tally, levels = _merged(parts)
    return replace(
        first,
        tally=tally,
        rows=sum(one.rows for one in parts),
        negative=_common([one.negative for one in parts], f"not {first.positive}"),
        name=_common([one.name for one in parts], "several"),
        rejected_positives=sum(one.rejected_positives for one in parts),
        rejected_negatives=sum(one.rejected_negatives for one in parts),
        notes=(*sorted(note for one in parts for note in one.notes), *_of_several(parts)),
        squares=_squares(parts),
        levels=levels,
    )


def _of_several(parts: Sequence[Ranking]) -> list[str]:
    """Rankings of different names may be of different models, and their sum of none."""
    names = sorted({one.name for one in parts})
    return [f"rankings of {listed(names)} were added up"] if len(names) > 1 else []


def _merged(parts: Sequence[Ranking]) -> tuple[Tally, NDArray[np.uint8] | None]:
    levels = _levels(parts)
    return (_of_scores(parts), None) if levels is None else _of_bins(parts, levels)


def _of_scores(parts: Sequence[Ranking]) -> Tally:
    """Counts at the union of all scores: a plain sort is quicker than one that moves counts."""
    sign = -1 if parts[0].lower_is_positive else 1
    rising = [sign * one.tally.thresholds[:0:-1] for one in parts]
    union = np.unique(np.concatenate(rising))
    places = [len(union) - np.searchsorted(union, own[::-1]) for own in rising]
    thresholds = np.concatenate([parts[0].tally.thresholds[:1], sign * union[::-1] + 0.0])

    def total(name: str) -> NDArray[Any]:
        own = [np.diff(getattr(one.tally, name)) for one in parts]
        found = np.zeros(len(union) + 1, np.result_type(*map(_wide, own)))
        for counts, at in zip(own, places, strict=True):
            found[at] += counts  # a ranking's own thresholds are distinct: no clash
        return np.cumsum(found, out=found)

    return Tally(thresholds.astype(union.dtype), total("true_positives"), total("false_positives"))


def _of_bins(
    parts: Sequence[Ranking], levels: NDArray[np.uint8]
) -> tuple[Tally, NDArray[np.uint8]]:
    sign = -1 if parts[0].lower_is_positive else 1
    scores = sign * np.concatenate([one.tally.thresholds[1:] for one in parts])
    return tally_of_bins(
        scores,
        levels,
        *(
            np.concatenate([np.diff(getattr(one.tally, name)) for one in parts])
            for name in ("true_positives", "false_positives")
        ),
        sign=sign,
    )


def tally_of_bins(
    scores: NDArray[Any],
    levels: NDArray[np.uint8],
    positives: NDArray[Any],
    negatives: NDArray[Any],
    *,
    sign: int = 1,
) -> tuple[Tally, NDArray[np.uint8]]:
    """The tally of counts in bins, of which equal and nested ones are taken together.

    Args:
        scores: The lowest score in each bin, times the sign.
        levels: How many of their last bits the scores in each bin do not share.
        positives: Rows of each bin, or their weight.
        negatives: The same.
        sign: -1 where lower scores are positive.
    """
    if not len(scores):
        nothing = np.zeros(1, positives.dtype)
        return Tally(np.array([sign * np.inf]), nothing, nothing.copy()), np.zeros(1, np.uint8)
    orders = order_of(scores)
    # Parts are sorted already, which a stable sort makes use of.
    falling = np.argsort(~high_ends(orders, levels), kind="stable")
    groups = joined(orders[falling], levels[falling])
    starts = np.append([0], groups.last[:-1] + 1)
    lowest = np.minimum.reduceat(scores[falling], starts)
    tally = Tally(
        np.concatenate([[sign * np.inf], sign * lowest + 0.0]).astype(scores.dtype),
        *(
            _cumulated(np.add.reduceat(own[falling], starts, dtype=_wide(own)))
            for own in (positives, negatives)
        ),
    )
    return tally, np.append([np.uint8(0)], groups.levels)


def _levels(parts: Sequence[Ranking]) -> NDArray[np.uint8] | None:
    if all(one.levels is None for one in parts):
        return None
    return np.concatenate(
        [
            np.zeros(one.distinct, np.uint8) if one.levels is None else one.levels[1:]
            for one in parts
        ]
    )


def _cumulated(counts: NDArray[Any]) -> NDArray[Any]:
    return np.cumsum(np.append(np.zeros(1, counts.dtype), counts))


def _wide(counts: NDArray[Any]) -> Any:
    """Sums of 32-bit counts may need more."""
    return np.int64 if counts.dtype.kind == "i" else counts.dtype


def _squares(parts: Sequence[Ranking]) -> Ranking | None:
    if all(one.squares is None for one in parts):
        return None
    return added([one.squares or one for one in parts])


def _common(names: Sequence[str], otherwise: str) -> str:
    return names[0] if len(set(names)) == 1 else otherwise


def _demand_same_meaning(one: Ranking, other: Ranking) -> None:
    if (one.positive, one.lower_is_positive) != (other.positive, other.lower_is_positive):
        raise InputError(
            "Two rankings add up only when they mean the same: one has "
            f"{_meaning(one)}, the other {_meaning(other)}."
        )


def _meaning(ranking: Ranking) -> str:
    lower = " and lower scores positive" if ranking.lower_is_positive else ""
    return f"{ranking.positive!r} as its positive class{lower}"
