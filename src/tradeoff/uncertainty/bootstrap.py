"""Rows drawn again from a ranking alone: other rankings that the same population might have shown.

The rows of one score and class are alike, so drawing rows with replacement is drawing how many
come from each score: a multinomial draw, without sorting anything again. Weights that are no
counts are drawn from gamma distributions with the same mean and variance (for rows of weight 1
that is the Bayesian bootstrap, Rubin 1981, doi:10.1214/aos/1176345338).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.sort import Tally
from tradeoff.threads import pooled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking
    from tradeoff.uncertainty.confidence import Confidence

GROUPS = 512
"""Scores are drawn in at most so many groups: the spread of a number needs no finer ones."""

BLOCK = 50
"""Replicates that share a seed: few enough for every core to have work."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Some replicates of a ranking: one line a replicate, one column a place of `pattern`."""

    pattern: Ranking
    found: NDArray[Any]
    alarms: NDArray[Any]
    rejected: NDArray[Any]

    def areas(self) -> NDArray[np.float64]:
        """The area under the ROC curve of each replicate; NaN where a class is missing."""
        up, over = (side.astype(np.float64) for side in (self.found, self.alarms))
        twice = np.einsum("ij,ij->i", np.diff(over, axis=1), up[:, 1:] + up[:, :-1])
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(twice / (2 * up[:, -1] * over[:, -1]))

    def __len__(self) -> int:
        """How many replicates there are."""
        return len(self.found)

    def __iter__(self) -> Iterator[Ranking]:
        """Each replicate as a ranking."""
        thresholds = self.pattern.tally.thresholds
        for found, alarms, rejected in zip(self.found, self.alarms, self.rejected, strict=True):
            yield replace(
                self.pattern,
                tally=occupied(Tally(thresholds, found, alarms)),
                levels=None,  # rows are drawn with the scores of their bins
                rejected_positives=rejected[0],
                rejected_negatives=rejected[1],
                squares=None,
            )


def occupied(tally: Tally) -> Tally:
    """The tally without scores that no row has."""
    rows = tally.true_positives + tally.false_positives
    there = np.empty(len(rows), np.bool_)
    there[0] = True
    np.not_equal(rows[1:], rows[:-1], out=there[1:])
    return tally if there.all() else Tally(*(column[there] for column in tally))


def judged(
    ranking: Ranking,
    judge: Callable[[Drawn], NDArray[Any]],
    confidence: Confidence,
    *,
    together: bool = False,
) -> NDArray[np.float64]:
    """What `judge` says of each replicate: one line a replicate.

    A judge that looks at all replicates of a block at once works well `together` with others.
    """
    by_class = confidence.by_class or ranking.prevalence_known
    return in_blocks(
        lambda random, size: judge(draw(ranking, random, size, by_class=by_class)),
        confidence,
        together=together,
    )


def in_blocks(
    work: Callable[[np.random.Generator, int], NDArray[Any]],
    confidence: Confidence,
    *,
    together: bool = False,
) -> NDArray[np.float64]:
    """Work that needs randomness, in blocks with seeds of their own: cores do not matter."""
    sizes = [
        min(BLOCK, confidence.replicates - start)
        for start in range(0, confidence.replicates, BLOCK)
    ]
    seeds = np.random.SeedSequence(confidence.seed).spawn(len(sizes))

    def block(part: tuple[np.random.SeedSequence, int]) -> NDArray[Any]:
        return work(np.random.default_rng(part[0]), part[1])

    progress = confidence.progress
    told = None if progress is None else lambda done: progress(sum(sizes[:done]), sum(sizes))
    parts = list(zip(seeds, sizes, strict=True))
    return np.concatenate(pooled(block, parts, told, together=together))


def thinned(ranking: Ranking, most: int = GROUPS, keep: Sequence[Any] = ()) -> Ranking:
    """The same ranking with neighbouring scores taken together, so that `most` places remain.

    Finer for either class where it has its rows, and at the top, where few rows decide. Some
    places may be kept by all means.
    """
    if ranking.distinct <= most:
        return ranking
    _, up, over = ranking.tally
    share = most // 3
    by_class = [np.searchsorted(side, np.linspace(0, side[-1], share)) for side in (up, over)]
    top = np.geomspace(1, ranking.distinct, most - 2 * share - 1).astype(np.intp)
    places = np.unique(np.concatenate([[0], *by_class, top, [ranking.distinct], *keep]))
    return at_places(ranking, np.minimum(places.astype(np.intp), ranking.distinct))


def at_places(ranking: Ranking, places: NDArray[np.intp]) -> Ranking:
    """The ranking that knows only some of its thresholds."""
    squares = None if ranking.squares is None else at_places(ranking.squares, places)
    tally = Tally(*(column[places] for column in ranking.tally))
    return replace(ranking, tally=tally, squares=squares, levels=None)


def draw(
    ranking: Ranking, random: np.random.Generator, size: int, *, by_class: bool = False
) -> Drawn:
    """Replicates of a ranking; `thinned` first if it is long."""
    sides = (
        (ranking.tally.true_positives, ranking.rejected_positives),
        (
            ranking.tally.false_positives,
            ranking.rejected_negatives,
        ),
    )
    counts = [np.append(np.diff(cumulative), rejected) for cumulative, rejected in sides]
    if ranking.is_counted and ranking.squares is None:
        drawn = _multinomial(counts, random, size, by_class=by_class)
    else:
        drawn = _gamma(counts, _squares(ranking, counts), random, size, by_class=by_class)
    found, alarms = (_cumulative(own[:, :-1]) for own in drawn)
    return Drawn(ranking, found, alarms, np.column_stack([own[:, -1] for own in drawn]))


def _squares(ranking: Ranking, counts: list[NDArray[Any]]) -> list[NDArray[Any]]:
    if ranking.squares is None:  # frequencies: a row seen w times adds w to both
        return counts
    own = ranking.squares
    return [
        np.append(np.diff(own.tally.true_positives), own.rejected_positives),
        np.append(np.diff(own.tally.false_positives), own.rejected_negatives),
    ]


def _multinomial(
    counts: list[NDArray[Any]], random: np.random.Generator, size: int, *, by_class: bool
) -> list[NDArray[Any]]:
    parts = counts if by_class else [np.concatenate(counts)]
    drawn = [
        random.multinomial(int(part.sum()), part / max(part.sum(), 1), size)
        if part.any()
        else np.zeros((size, len(part)), np.int64)
        for part in parts
    ]
    return drawn if by_class else np.split(drawn[0], [len(counts[0])], axis=1)


def _gamma(
    weights: list[NDArray[Any]],
    squares: list[NDArray[Any]],
    random: np.random.Generator,
    size: int,
    *,
    by_class: bool,
) -> list[NDArray[Any]]:
    drawn = []
    for own, squared in zip(weights, squares, strict=True):
        there = own > 0
        shape = np.divide(own**2, squared, out=np.zeros(len(own)), where=there)
        scale = np.divide(squared, own, out=np.zeros(len(own)), where=there)
        drawn.append(random.standard_gamma(shape, (size, len(own))) * scale)
    totals = [own.sum() for own in weights]
    if not by_class:
        seen = sum(own.sum(axis=1, keepdims=True) for own in drawn)
        return [own * (sum(totals) / seen) for own in drawn]
    sums = (own.sum(axis=1, keepdims=True) for own in drawn)
    return [
        own * np.divide(total, seen, out=np.zeros_like(seen), where=seen > 0)
        for own, total, seen in zip(drawn, totals, sums, strict=True)
    ]


def _cumulative(counts: NDArray[Any]) -> NDArray[Any]:
    column = np.zeros((len(counts), counts.shape[1] + 1), counts.dtype)
    np.cumsum(counts, axis=1, out=column[:, 1:])
    return column
