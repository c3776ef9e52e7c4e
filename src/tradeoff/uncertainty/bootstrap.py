"""The bootstrap: rows resampled with replacement, and the intervals that resamples give.

What is resampled is one of `RankedRows` (one model), `SharedRows` (several models on the same rows,
or rows in clusters), `BaggedRows` (one model, with the rows that each resample leaves out) and
`ClassRows` (a score for each of many classes). `bootstrap` takes it and a statistic, and alone
knows of seeds, blocks, threads and progress.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.resamples import Resamples
from tradeoff.core.sort import Tally
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Spread, no_spread
from tradeoff.stats.normal import quantile
from tradeoff.threads import pooled, spans

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores
    from tradeoff.core.paired import PairedRanking
    from tradeoff.uncertainty.confidence import Confidence
    from tradeoff.uncertainty.question import Question

GROUPS = 512
"""Scores are resampled in at most so many groups: the spread of a number needs no finer ones."""

BLOCK = 50
"""Resamples that share a seed: few enough for every core to have work."""

CELLS = 1 << 18
"""Thresholds times resamples of a block, where all thresholds are looked at: they fit the cache."""

RETAINED = 31 << 20
"""Once glibc has freed a block of this size, it keeps smaller ones for the next arrays. Else it may
give each back and get new pages for it, which takes longer than all else on 20,000 rows."""

MOST_ROWS = 200_000_000
"""More rows are not resampled one by one."""

MOST_UNITS = 10_000_000
"""Rows that were seen more often than this are drawn by their shares, not one by one."""

BIASED = 0.25
"""A smaller share of resamples on one side of the value says that they are biased, not skewed."""

Sample_co = TypeVar("Sample_co", covariant=True)
Sample = TypeVar("Sample")


class Source(Protocol[Sample_co]):
    """What is resampled."""

    def resample(self, random: np.random.Generator, size: int, *, by_class: bool) -> Sample_co:
        """So many resamples, with the class totals of the rows themselves if `by_class`."""


def bootstrap(
    source: Source[Sample],
    statistic: Callable[[Sample], NDArray[Any]],
    confidence: Confidence,
    *,
    parallel: bool = False,
    block: int = BLOCK,
) -> NDArray[np.float64]:
    """The statistic of each resample: one line a resample.

    A statistic that looks at all resamples of a block at once gains from `parallel` threads.
    """
    by_class = confidence.by_class
    return in_blocks(
        lambda random, size: statistic(source.resample(random, size, by_class=by_class)),
        confidence,
        parallel=parallel,
        block=block,
    )


def in_blocks(
    work: Callable[[np.random.Generator, int], NDArray[Any]],
    confidence: Confidence,
    *,
    parallel: bool = False,
    block: int = BLOCK,
) -> NDArray[np.float64]:
    """Work that needs randomness, in blocks with seeds of their own: cores do not matter."""
    total = confidence.replicates
    sizes = [min(block, total - start) for start in range(0, total, block)]
    seeds = np.random.SeedSequence(confidence.seed).spawn(len(sizes))
    np.empty(RETAINED, np.int8)  # freed at once

    def seeded(part: tuple[np.random.SeedSequence, int]) -> NDArray[Any]:
        return work(np.random.default_rng(part[0]), part[1])

    progress = confidence.progress
    report = None if progress is None else lambda done: progress(sum(sizes[:done]), total)
    parts = list(zip(seeds, sizes, strict=True))
    return np.concatenate(pooled(seeded, parts, report, together=parallel))


@dataclass(frozen=True, eq=False)
class RankedRows:
    """The rows of one ranking; `thinned` first if it is long.

    The rows of one score and class are alike, so resampling rows is drawing how many come from each
    score: a multinomial draw, without sorting anything again. Weights that are no counts are drawn
    from gamma distributions with the same mean and variance (for rows of weight 1 that is the
    Bayesian bootstrap, Rubin 1981, doi:10.1214/aos/1176345338).
    """

    ranking: Ranking

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> Resamples:
        """Resamples of scored and of rejected rows."""
        ranking = self.ranking
        by_class = by_class or ranking.prevalence_known
        counts = _counts(ranking)
        if ranking.is_counted and ranking.squares is None:
            drawn = _multinomial(counts, random, size, by_class=by_class)
        else:
            # Frequencies: a row seen w times adds w to the sum of squares too.
            squares = counts if ranking.squares is None else _counts(ranking.squares)
            drawn = _gamma(counts, squares, random, size, by_class=by_class)
        positives, negatives = drawn
        rejected = positives[:, -1:], negatives[:, -1:]
        return Resamples.of_counts(ranking, positives[:, :-1], negatives[:, :-1], rejected)


def _counts(ranking: Ranking) -> list[NDArray[Any]]:
    """The rows of each score, and those that are rejected, for either class."""
    _, positives, negatives = ranking.tally
    return [
        np.append(np.diff(positives), ranking.rejected_positives),
        np.append(np.diff(negatives), ranking.rejected_negatives),
    ]


def _multinomial(
    counts: list[NDArray[Any]], random: np.random.Generator, size: int, *, by_class: bool
) -> list[NDArray[Any]]:
    strata = counts if by_class else [np.concatenate(counts)]
    drawn = [
        random.multinomial(int(stratum.sum()), stratum / max(stratum.sum(), 1), size)
        if stratum.any()
        else np.zeros((size, len(stratum)), np.int64)
        for stratum in strata
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
    for weight, square in zip(weights, squares, strict=True):
        there = weight > 0
        shape = np.divide(weight**2, square, out=np.zeros(len(weight)), where=there)
        scale = np.divide(square, weight, out=np.zeros(len(weight)), where=there)
        drawn.append(random.standard_gamma(shape, (size, len(weight))) * scale)
    totals = [weight.sum() for weight in weights]
    sums = [side.sum(axis=1, keepdims=True) for side in drawn]
    if not by_class:
        return [side * (sum(totals) / sum(sums)) for side in drawn]
    return [
        side * np.divide(total, own, out=np.zeros_like(own), where=own > 0)
        for side, total, own in zip(drawn, totals, sums, strict=True)
    ]


def thinned(ranking: Ranking, most: int = GROUPS, keep: Sequence[Any] = ()) -> Ranking:
    """The same ranking with neighbouring scores taken together, so that `most` places remain.

    Finer for either class where it has its rows, and at the top, where few rows decide. Some
    places may be kept by all means.
    """
    if ranking.distinct <= most:
        return ranking
    share = most // 3
    by_class = [
        np.searchsorted(side, np.linspace(0, side[-1], share)) for side in ranking.tally[1:]
    ]
    top = np.geomspace(1, ranking.distinct, most - 2 * share - 1).astype(np.intp)
    places = np.unique(np.concatenate([[0], *by_class, top, [ranking.distinct], *keep]))
    return _at_places(ranking, np.minimum(places.astype(np.intp), ranking.distinct))


def _at_places(ranking: Ranking, places: NDArray[np.intp]) -> Ranking:
    """The ranking that knows only some of its thresholds."""
    squares = None if ranking.squares is None else _at_places(ranking.squares, places)
    tally = Tally(*(column[places] for column in ranking.tally))
    return replace(ranking, tally=tally, squares=squares, levels=None)


def _draw_rows(
    random: np.random.Generator, rows: int, strata: Sequence[NDArray[np.intp]] = ()
) -> NDArray[np.intp]:
    """As many row numbers as there are rows, with replacement; within strata if there are any."""
    if not strata:
        return random.integers(0, rows, rows)
    return np.concatenate([own[random.integers(0, len(own), len(own))] for own in strata])


@dataclass(frozen=True, eq=False)
class SharedRows:
    """Rows, or clusters of them, that several models share: a resample ranks all on the same rows.

    `codes` has one line a model: where each row stands in the model's ranking, its scores thinned
    if many. A row that is negative stands behind all places, so that one count serves both classes.
    """

    paired: PairedRanking
    patterns: tuple[Ranking, ...]
    codes: NDArray[np.int32]

    @classmethod
    def of(cls, paired: PairedRanking, *questions: Question) -> SharedRows:
        """Find the places once: no resample sorts anything."""
        patterns = tuple(
            thinned(ranking, keep=[question.places(ranking) for question in questions])
            for ranking in paired.rankings.values()
        )
        codes = np.empty((len(patterns), paired.rows), np.int32)
        for line, name, pattern in zip(codes, paired.models, patterns, strict=True):
            line[:] = _first_places(pattern, paired.scores[name])
            line[~paired.positive_rows] += len(pattern)
        return cls(paired, patterns, codes)

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> list[Resamples]:
        """Resamples of the same rows for each model."""
        counts = [np.empty((size, 2 * len(pattern))) for pattern in self.patterns]
        for line in range(size):
            rows, weights = self._draw(random, by_class=by_class)
            for own, codes in zip(counts, self.codes, strict=True):
                drawn = codes if rows is None else codes[rows]
                own[line] = np.bincount(drawn, weights, minlength=own.shape[1])
        if self.paired.weights is None:
            counts = [own.astype(np.int64) for own in counts]
        sides = (np.split(own, 2, axis=1) for own in counts)
        return [
            Resamples.of_counts(pattern, positives[:, 1:], negatives[:, 1:])
            for pattern, (positives, negatives) in zip(self.patterns, sides, strict=True)
        ]

    def _draw(
        self, random: np.random.Generator, *, by_class: bool
    ) -> tuple[NDArray[np.intp] | None, NDArray[Any] | None]:
        """The rows of one resample (None: all of them) and what each counts (None: once)."""
        paired, weights = self.paired, self.paired.weights
        if paired.clusters is not None:
            clusters = int(paired.clusters.max()) + 1
            times = np.bincount(_draw_rows(random, clusters), minlength=clusters)[paired.clusters]
            return None, times if weights is None else times * weights
        strata = self._classes if by_class else ()
        if weights is not None and not paired.importance:
            return None, _draw_frequencies(random, weights, strata)
        rows = _draw_rows(random, paired.rows, strata)
        return rows, None if weights is None else weights[rows]

    @cached_property
    def _classes(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        positive = self.paired.positive_rows
        return np.flatnonzero(positive), np.flatnonzero(~positive)


def _draw_frequencies(
    random: np.random.Generator, weights: NDArray[Any], strata: Sequence[NDArray[np.intp]] = ()
) -> NDArray[np.int64]:
    """How often each row is drawn, where it was seen as often as its weight says."""
    times = np.zeros(len(weights), np.int64)
    for rows in strata or (slice(None),):
        frequencies = np.asarray(weights[rows], np.float64)
        total = frequencies.sum()
        times[rows] = random.multinomial(round(total), frequencies / total)
    return times


def _first_places(pattern: Ranking, scores: NDArray[Any]) -> NDArray[np.intp]:
    """The place where each score is first called positive."""
    sign = 1 if pattern.lower_is_positive else -1
    thresholds = sign * pattern.thresholds[1:]
    return 1 + np.searchsorted(thresholds, sign * scores.astype(np.float64), "left")


@dataclass(frozen=True, eq=False)
class BaggedRows:
    """The rows of a ranking in the bag, resampled one by one, and those that are left out of it.

    Rows stand in the order of their scores, the positive ones first; `ends` are the rows of each
    class up to each place, `weights` what each row weighs, behind a 0 (None: 1 each). Real weights
    are known only by their sums: rows of one score and class count as (Σw)² / Σw² rows of equal
    weight (Kish 1965), which is exact where each has a score of its own.
    """

    ranking: Ranking
    ends: tuple[NDArray[Any], NDArray[Any]]
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, ranking: Ranking) -> BaggedRows:
        """The rows that stand behind a ranking; rejected ones are rejected in every resample."""
        _, positives, negatives = ranking.tally
        if ranking.is_counted and ranking.squares is None:
            _require_countable(int(positives[-1]) + int(negatives[-1]))
            return cls(ranking, (positives, negatives))
        # Frequencies: a row seen w times adds w to the sum of squares too.
        squares = (ranking.squares or ranking).tally[1:]
        sums = [
            (np.diff(side), np.diff(square))
            for side, square in zip(ranking.tally[1:], squares, strict=True)
        ]
        sizes = [_equal_rows(*side) for side in sums]
        _require_countable(sum(int(side.sum()) for side in sizes))
        counts = [side.astype(np.int64) for side in sizes]
        weights = [
            np.repeat(weight / np.maximum(size, 1), size)
            for (weight, _), size in zip(sums, counts, strict=True)
        ]
        first, second = (np.append(0, np.cumsum(size)) for size in counts)
        return cls(ranking, (first, second), np.concatenate([[0.0], *weights]))

    @property
    def rows(self) -> int:
        """How many rows are resampled."""
        return sum(int(side[-1]) for side in self.ends)

    @property
    def replicates(self) -> int:
        """How many resamples are enough: of many rows fewer, as they vary less."""
        return max(20, min(200, 20_000_000 // max(self.rows, 1)))

    @property
    def block(self) -> int:
        """How many resamples fit the cache."""
        return max(1, min(BLOCK, CELLS // max(self.rows, len(self.ranking))))

    @property
    def is_large(self) -> bool:
        """Whether a statistic of all thresholds gains from threads."""
        return len(spans(self.rows)) > 1

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> tuple[Resamples, Resamples]:
        """Rows in the bag, and rows out of it, weighed to the size of their class.

        So fixed costs, rows rejected anyway and prevalence mean the same on both sides.
        """
        rows = self.rows
        strata = np.split(np.arange(rows), [self.ends[0][-1]]) if by_class else ()
        times = np.zeros((size, rows + 1), np.int64)  # behind a column of 0, for running sums
        for line in times:
            line[1:] = np.bincount(_draw_rows(random, rows, strata), minlength=rows)
        left_out = times == 0
        left_out[:, 0] = False
        out_of_bag = self._resamples(left_out)
        sides = zip(out_of_bag.tally[1:], self.ranking.tally[1:], strict=True)
        whole = (
            side * (total[-1] / np.where(side[:, -1:] > 0, side[:, -1:], np.inf))
            for side, total in sides
        )
        tally = Tally(self.ranking.tally.thresholds, *whole)
        return self._resamples(times), replace(out_of_bag, tally=tally)

    def _resamples(self, times: NDArray[Any]) -> Resamples:
        ranking, (positives, negatives) = self.ranking, self.ends
        sums = np.cumsum(times if self.weights is None else times * self.weights, axis=1)
        found = np.take(sums, positives, axis=1)
        alarms = np.take(sums, negatives + positives[-1], axis=1)
        alarms -= sums[:, positives[-1:]]
        rejected = (
            np.full((len(times), 1), own)
            for own in (ranking.rejected_positives, ranking.rejected_negatives)
        )
        return Resamples(ranking, Tally(ranking.tally.thresholds, found, alarms), *rejected)


def _require_countable(rows: int) -> None:
    if rows > MOST_ROWS:
        raise InputError(
            f"{rows:,} rows are too many to draw again; a threshold chosen on so many is as good "
            "on others."
        )


def _equal_rows(sums: NDArray[Any], squares: NDArray[Any]) -> NDArray[np.float64]:
    """How many rows of equal weight have these sums, and these sums of squares."""
    there = sums > 0
    rows = np.divide(sums**2, squares, out=np.zeros(len(sums)), where=there)
    return np.asarray(np.maximum(rows.round(), there))


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Rows with a score for each of many classes: a resample says how much each row counts."""

    rows: ClassScores

    @property
    def replicates(self) -> int:
        """How many resamples are enough: of many scores fewer, as they vary less."""
        scores = self.rows.rows * len(self.rows.classes)
        return max(50, min(500, 200_000_000 // max(scores, 1)))

    def resample(
        self, random: np.random.Generator, size: int, *, by_class: bool = False
    ) -> Iterator[NDArray[np.float64]]:
        """The weight of each row in one resample after the other."""
        strata = self._classes if by_class else ()
        for _ in range(size):
            yield self._draw(random, strata).astype(np.float64)

    def _draw(
        self, random: np.random.Generator, strata: Sequence[NDArray[np.intp]]
    ) -> NDArray[Any]:
        units, weights = self._units, self.rows.weights
        if units is None:
            return _draw_frequencies(random, np.asarray(weights), strata)
        drawn = units[_draw_rows(random, len(units), strata)]
        times = np.bincount(drawn, minlength=self.rows.rows)
        return times if weights is None or self.rows.is_counted else times * weights

    @cached_property
    def _units(self) -> NDArray[np.intp] | None:
        """The row of each unit: a row that was seen three times is three; None: too many."""
        weights, rows = self.rows.weights, np.arange(self.rows.rows)
        if weights is None or not self.rows.is_counted:
            return rows
        return np.repeat(rows, weights) if weights.sum(dtype=np.float64) <= MOST_UNITS else None

    @cached_property
    def _classes(self) -> list[NDArray[np.intp]]:
        codes = self.rows.codes if self._units is None else self.rows.codes[self._units]
        return [np.flatnonzero(codes == code) for code in np.unique(codes)]


# From resamples to an interval: percentiles, plain or corrected for bias and skew (BCa).


def percentile_interval(
    values: NDArray[np.float64],
    value: float,
    confidence: Confidence,
    *,
    skew: float = 0.0,
    shift: float = 0.0,
) -> Spread:
    """The interval that resamples of a number span.

    Args:
        values: The number for each resample; NaN where it was undefined.
        value: The number for the rows themselves.
        confidence: The level, and whether to correct.
        skew: For BCa, how the number's deviations are skewed, see `acceleration`.
        shift: What to add to the ends.
    """
    defined = values[~np.isnan(values)]
    note = _without_value(values, defined)
    method = f"{method_name(confidence)}, {len(values):,} resamples, seed {confidence.seed}"
    if len(defined) < 2 or 2 * len(defined) < len(values):
        return Spread(math.nan, math.nan, method, note)
    if defined.min() == defined.max():
        return Spread(
            math.nan, math.nan, method, "no interval: every resample gives the same value"
        )
    tails = np.array([(1 - confidence.level) / 2, (1 + confidence.level) / 2])
    finite = bool(np.isfinite(defined).all())
    if confidence.method != "bootstrap" and finite and math.isfinite(value):
        below = (defined < value).mean() + (defined == value).mean() / 2
        if not BIASED < below < 1 - BIASED:
            low, high = (end + shift for end in _basic(defined, value, tails))
            return Spread(low, high, f"basic {method}", note)
        tails = _corrected(below, tails, skew)
    # Infinite ratios are values like others: the nearest resample, no mean of two.
    how: Literal["linear", "nearest"] = "linear" if finite else "nearest"
    low, high = (float(end) + shift for end in np.quantile(defined, tails, method=how))
    return Spread(low, high, method, note)


def standard_error_interval(
    values: NDArray[np.float64], value: float, confidence: Confidence
) -> Spread:
    """As many standard errors to each side as the level asks for, the error being the resamples'.

    For numbers that are nearly normal but for a few rows, where percentiles of resamples are too
    narrow (docs/explanation/coverage.md).
    """
    finite = values[np.isfinite(values)]
    if len(finite) < 2 or 2 * len(finite) < len(values) or finite.min() == finite.max():
        return no_spread("no interval: resamples do not tell how it varies")
    half = quantile(confidence.level) * float(finite.std(ddof=1))
    method = (
        f"bootstrap standard error, {len(values):,} resamples, seed {confidence.seed}"
        f"{', stratified by class' if confidence.by_class else ''}"
    )
    return Spread(value - half, value + half, method, _without_value(values, finite))


def _without_value(values: NDArray[np.float64], defined: NDArray[np.float64]) -> str | None:
    failed = len(values) - len(defined)
    return f"{failed:,} of {len(values):,} resamples had no value" if failed else None


def _basic(
    values: NDArray[np.float64], value: float, tails: NDArray[np.float64]
) -> tuple[float, float]:
    """Where most resamples lie on one side, their bias is taken off twice: tails cannot tell.

    The value itself stays inside.
    """
    high, low = (2 * value - float(end) for end in np.quantile(values, tails))
    return min(low, value), max(high, value)


def method_name(confidence: Confidence) -> str:
    """The method in words."""
    kinds = {"bca": "BCa bootstrap", "bootstrap": "percentile bootstrap"}
    kind = kinds.get(confidence.method or "", "bias-corrected bootstrap")
    return f"{kind}, stratified by class" if confidence.by_class else kind


def acceleration(deviations: NDArray[np.float64], rows: NDArray[Any]) -> NDArray[np.float64]:
    """The acceleration of BCa from jackknife deviations: those of one row, seen on `rows` rows.

    The deviations (lines; one column a number) are from the mean of their own class.
    """
    away = np.nan_to_num(deviations)
    squares, cubes = (rows @ away**power for power in (2, 3))
    skew = np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(squares), where=squares > 0)
    return np.asarray(skew)


def _corrected(below: float, tails: NDArray[np.float64], skew: float) -> NDArray[np.float64]:
    """Tails moved for median bias and for skew (Efron 1987, doi:10.1080/01621459.1987.10478410)."""
    from scipy.special import ndtr, ndtri

    bias = ndtri(below)
    moved = bias + ndtri(tails)
    return np.asarray(ndtr(bias + moved / (1 - skew * moved)))
