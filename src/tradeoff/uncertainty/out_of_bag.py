"""Bootstrap resamples of rows and the rows that each leaves out, from a ranking alone.

Rows are drawn at random, so the number of positives is random too. The rows of a class, sorted, are
where its cumulative counts say; so the counts of what was drawn, and of what was left out, are read
off running sums.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tradeoff.core.sort import Tally
from tradeoff.errors import InputError
from tradeoff.threads import each, spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

Outcome = TypeVar("Outcome")

REPLICATES = 200
FEWEST = 20
MOST_ROWS = 200_000_000
ROWS_DRAWN = 20_000_000
"""Of large rankings fewer replicates are drawn: they vary less."""


def draw_again(
    ranking: Ranking,
    judge: Callable[[Ranking, Ranking], Outcome],
    *,
    replicates: int | None,
    seed: int,
) -> list[Outcome]:
    """What `judge` says of each pair (rows drawn, rows left out).

    Each replicate has a seed of its own, so that the answer does not depend on the cores.
    """
    enough = _enough(ranking)
    if replicates is not None and replicates < 2:
        raise InputError(f"replicates must be at least 2, not {replicates}.")
    if seed < 0:
        raise InputError(f"A seed is a whole number from 0 on, not {seed}.")
    seeds = np.random.SeedSequence(seed).spawn(replicates or enough)
    parts = len(spans(ranking.rows))
    shares = [list(part) for part in np.array_split(np.array(seeds, dtype=object), parts)]

    def judged(own: list[np.random.SeedSequence]) -> list[Outcome]:
        return [judge(*_draw(ranking, np.random.default_rng(one))) for one in own]

    return [outcome for part in each(judged, shares) for outcome in part]


def _enough(ranking: Ranking) -> int:
    if not ranking.is_counted or ranking.squares is not None:
        raise InputError(
            "Rows with real weights cannot be drawn again: the ranking keeps only their sums."
        )
    rows = int(ranking.positives) + int(ranking.negatives)
    if rows > MOST_ROWS:
        raise InputError(
            f"{rows:,} rows are too many to draw again; a threshold chosen on so many is as good "
            "on others."
        )
    return max(FEWEST, min(REPLICATES, ROWS_DRAWN // max(rows, 1)))


def _draw(ranking: Ranking, random: np.random.Generator) -> tuple[Ranking, Ranking]:
    counts = ranking.tally.true_positives, ranking.tally.false_positives
    rows = [int(column[-1]) for column in counts]
    positives = int(random.binomial(sum(rows), rows[0] / max(sum(rows), 1)))
    sizes = positives, sum(rows) - positives
    sides = [
        _drawn_counts(column, size, random) for column, size in zip(counts, sizes, strict=True)
    ]
    drawn, left = ([side[i] for side in sides] for i in (0, 1))
    # Rows left out stand for all: weighed to the size of their class, so that fixed costs, rows
    # rejected anyway and prevalence mean the same on both sides.
    whole = [
        own * (total[-1] / own[-1]) if own[-1] else own
        for own, total in zip(left, counts, strict=True)
    ]
    return _same_scores(ranking, drawn), _same_scores(ranking, whole)


def _drawn_counts(
    cumulative: NDArray[Any], size: int, random: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw so many rows of a class: how many were drawn and left out up to each place."""
    rows = int(cumulative[-1])
    times = np.bincount(random.integers(0, max(rows, 1), size if rows else 0), minlength=rows)
    sums = [np.concatenate([[0], np.cumsum(each)]) for each in (times, times == 0)]
    return sums[0][cumulative], sums[1][cumulative]


def _same_scores(ranking: Ranking, counts: list[NDArray[Any]]) -> Ranking:
    own = Tally(ranking.tally.thresholds, counts[0], counts[1])
    return replace(ranking, tally=own, levels=None)
