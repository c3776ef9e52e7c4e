"""What a chosen threshold is worth on rows that it was not chosen on: out-of-bag bootstrap.

Rows are drawn with replacement, each class by itself; a threshold is chosen on what was drawn and
judged on what was not. A ranking is enough: the rows of a class, sorted, are where its counts say.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.analysis.estimate import Estimate
from tradeoff.errors import InputError
from tradeoff.ranking.cores import each, spans
from tradeoff.ranking.kernel import Tally

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.analysis.decisions import Decision, Interval
    from tradeoff.ranking.ranking import Ranking

REPLICATES = 200
FEWEST = 20
MOST_ROWS = 200_000_000
ROWS_DRAWN = 20_000_000
"""Of large rankings fewer replicates are drawn: they vary less."""


@dataclass(frozen=True)
class Check:
    """How a way of choosing thresholds fares on rows that it did not see.

    `honest` is its mean value there, `standard_error` how much the value at the chosen threshold
    varies from draw to draw, `thresholds` the range in which the chosen thresholds fall. `within`
    are the thresholds no worse than the chosen one by more than a standard error.
    """

    apparent: float
    honest: Estimate
    standard_error: float
    thresholds: Interval
    level: float
    within: tuple[Interval, ...]
    suggestion: float
    replicates: int
    failed: int
    seed: int


class _Draw(NamedTuple):
    """One replicate: what was drawn, and what was left out, as cumulative counts."""

    drawn: Ranking
    left: Ranking


def check(decision: Decision, *, replicates: int | None, seed: int, level: float) -> Check:
    """Choose again on drawn rows, judge on the others."""
    from tradeoff.analysis.decisions import Interval, rounded

    ranking = decision.ranking
    if ranking.tally.true_positives.dtype.kind != "i":
        raise InputError(
            "Rows with real weights cannot be drawn again: the ranking keeps only their sums."
        )
    if not 0 < level < 1:
        raise InputError(f"A level lies between 0 and 1, not at {level:g}.")
    enough = _enough(ranking)
    total = replicates or enough
    outcomes = np.array(_all_outcomes(decision, total, seed))
    chosen, outside, again = outcomes.T
    judged = ~np.isnan(outside)
    error = float(np.nanstd(again, ddof=1)) if (~np.isnan(again)).sum() > 1 else math.nan
    tail = (1 - level) / 2
    ends = (
        np.quantile(chosen[judged], [tail, 1 - tail], method="inverted_cdf")
        if judged.any()
        else [math.nan] * 2
    )
    within = decision.within(error) if math.isfinite(error) else ()
    own = next(
        (run for run in within if _inside(decision.threshold, run)), decision.decides_identically
    )
    mean = float(outside[judged].mean()) if judged.any() else math.nan
    reason = None if judged.any() else "no draw left rows on which a choice could be judged"
    return Check(
        decision.value,
        Estimate(decision.criterion.about, mean, reason=reason),
        error,
        Interval(float(ends[0]), float(ends[1])),
        level,
        within,
        rounded(ranking, own),
        total,
        int((~judged).sum()),
        seed,
    )


def _enough(ranking: Ranking) -> int:
    rows = int(ranking.positives) + int(ranking.negatives)
    if rows > MOST_ROWS:
        raise InputError(
            f"{rows:,} rows are too many to draw again; a threshold chosen on so many is as good "
            "on others."
        )
    return max(FEWEST, min(REPLICATES, ROWS_DRAWN // max(rows, 1)))


def _all_outcomes(decision: Decision, total: int, seed: int) -> list[tuple[float, float, float]]:
    # Each replicate has a seed of its own, so that the answer does not depend on the cores.
    seeds = np.random.SeedSequence(seed).spawn(total)
    parts = len(spans(decision.ranking.rows))
    shares = [list(part) for part in np.array_split(np.array(seeds, dtype=object), parts)]
    found = each(lambda own: [_outcome(decision, one) for one in own], shares)
    return [outcome for part in found for outcome in part]


def _outcome(decision: Decision, seed: np.random.SeedSequence) -> tuple[float, float, float]:
    """The threshold chosen, its value on rows left out, and the original choice's on drawn ones."""
    from tradeoff.analysis.decisions import weighed

    drawn, left = (
        _weighed_or_none(side, decision.prevalence, weighed)
        for side in _draw(decision.ranking, np.random.default_rng(seed))
    )
    if drawn is None:
        return math.nan, math.nan, math.nan
    again = decision.criterion.worth(drawn, decision.place)
    try:
        place = int(decision.criterion.places(drawn)[0])
    except InputError:  # a target that these rows cannot reach
        return math.nan, math.nan, again
    threshold = float(drawn.thresholds[place])
    if left is None:
        return threshold, math.nan, again
    return threshold, decision.criterion.worth(left, place), again


def _weighed_or_none(side: Ranking, prevalence: float | None, weighed: Any) -> Ranking | None:
    if not (side.positives and side.negatives):
        return None if prevalence is not None or not (side.positives or side.negatives) else side
    ranking: Ranking = weighed(side, prevalence)
    return ranking


def _draw(ranking: Ranking, random: np.random.Generator) -> _Draw:
    counts = ranking.tally.true_positives, ranking.tally.false_positives
    sides = [_drawn_counts(column, random) for column in counts]
    drawn, left = ([side[i] for side in sides] for i in (0, 1))
    # Rows left out stand for all: weighed to the size of their class, so that fixed costs, rows
    # rejected anyway and prevalence mean the same on both sides.
    whole = [
        own * (total[-1] / own[-1]) if own[-1] else own
        for own, total in zip(left, counts, strict=True)
    ]
    return _Draw(_same_scores(ranking, drawn), _same_scores(ranking, whole))


def _drawn_counts(
    cumulative: NDArray[Any], random: np.random.Generator
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Draw the rows of a class again: how many were drawn and left out up to each place."""
    rows = int(cumulative[-1])
    times = np.bincount(random.integers(0, max(rows, 1), rows), minlength=rows)
    sums = [np.concatenate([[0], np.cumsum(each)]) for each in (times, times == 0)]
    return sums[0][cumulative], sums[1][cumulative]


def _same_scores(ranking: Ranking, counts: list[NDArray[Any]]) -> Ranking:
    return replace(ranking, tally=Tally(ranking.tally.thresholds, counts[0], counts[1]))


def _inside(threshold: float, run: Interval) -> bool:
    low, high = sorted(run)
    return low <= threshold <= high
