"""Reliability diagrams (CORP): bins by isotonic regression, consistency and confidence bands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, format_list
from tradeoff.measures.curves.calibration import calibration
from tradeoff.measures.probabilities import require_probabilities
from tradeoff.measures.summaries.decomposition import isotonic_pools
from tradeoff.results import Tabular
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.isotonic import isotonic_proportions

Bands = Literal["consistency", "confidence"]
MAX_GROUPS = 2000
"""If there are more distinct scores than this, adjacent ones are resampled as groups."""
MAX_POINTS = 200
"""Maximum number of scores at which a band is computed: enough for a chart."""
MIN_REPLICATES = 20
BATCH_SIZE = 1 << 20
"""Number of counts resampled at a time, few enough to stay in the cache."""


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Tabular):
    """Reliability diagram: its bins, and the reliability curve with its band.

    All arrays run from low to high probability. A bin holds the rows with scores from `low` to
    `high`; all of them are recalibrated to the same probability, `positive_share`. `fitted` is the
    curve at some of the distinct scores; without a band, `band_low` and `band_high` are NaN.
    """

    low: NDArray[np.float64]
    high: NDArray[np.float64]
    mean_score: NDArray[np.float64]
    positive_share: NDArray[np.float64]
    rows: NDArray[Any]
    positives: NDArray[Any]
    scores: NDArray[np.float64]
    fitted: NDArray[np.float64]
    band_low: NDArray[np.float64]
    band_high: NDArray[np.float64]
    bands: Bands | None = None
    level: float | None = None
    replicates: int | None = None

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row per bin."""
        names = ("low", "high", "mean_score", "positive_share", "rows", "positives")
        return {name: getattr(self, name) for name in names}

    def band_columns(self) -> dict[str, NDArray[Any]]:
        """The reliability curve and its band, one row per score."""
        fields = {"score": "scores", "fitted": "fitted", "low": "band_low", "high": "band_high"}
        return {column: getattr(self, field) for column, field in fields.items()}

    def __repr__(self) -> str:
        """One line: the number of bins and the kind of band."""
        band = "" if self.bands is None else f", {100 * (self.level or 0):g}% {self.bands} band"
        return f"Reliability({len(self.rows):,} bins{band})"


class _ScoreGroups(NamedTuple):
    """Groups of adjacent scores, lowest first, with the index of each group's middle score."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    fitted: NDArray[np.float64]
    middle_indices: NDArray[np.intp]


def reliability(
    ranking: Ranking,
    *,
    bands: Bands | None = "consistency",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Reliability:
    """Reliability diagram of a ranking's probabilities, with a consistency or confidence band.

    Bins are found by pooling adjacent violators and so need not be chosen; rows with the same score
    share a bin (Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118).

    Args:
        ranking: A ranking whose scores are probabilities.
        bands: "consistency": where the curve would lie if the probabilities were calibrated.
            "confidence": the uncertainty of the curve itself, by resampling from it; where
            the curve is 0 or 1, that band has no width. None: no band.
        level: The pointwise level of the band.
        replicates: The number of bootstrap resamples of the classes; the scores stay fixed.
        seed: Seed of the resamples; the same seed gives the same band.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> diagram = reliability(Ranking.of(scores, actual))
        >>> diagram
        Reliability(3 bins, 95% consistency band)
        >>> diagram.positive_share.tolist()
        [0.0, 0.5, 1.0]
    """
    p = require_probabilities(ranking, "A reliability diagram")
    bins: dict[str, Any] = calibration(ranking, by="isotonic").columns()
    scores, rows = p.values[::-1], (p.positives + p.negatives)[::-1]
    fitted = isotonic_pools(ranking).fitted[::-1]
    if bands is None:
        indices = _evenly_spaced_indices(len(scores))
        no_band = np.full(len(indices), np.nan)
        curve: dict[str, Any] = {"scores": scores[indices], "fitted": fitted[indices]}
        return Reliability(**bins, **curve, band_low=no_band, band_high=no_band)
    _require_band_options(ranking, bands, replicates, seed)
    tail = (1 - require_level(level)) / 2
    groups = _group_adjacent(scores, rows, fitted)
    point_indices = _evenly_spaced_indices(len(groups.rows))
    probabilities = groups.scores if bands == "consistency" else groups.fitted
    rng = np.random.default_rng(seed)
    curves = _resampled_curves(groups.rows, probabilities, point_indices, replicates, rng)
    low, high = np.quantile(curves, [tail, 1 - tail], axis=0)
    indices = groups.middle_indices[point_indices]
    curve = {"scores": scores[indices], "fitted": fitted[indices]}
    band = {"band_low": low, "band_high": high}
    return Reliability(**bins, **curve, **band, bands=bands, level=level, replicates=replicates)


def _require_band_options(ranking: Ranking, bands: str, replicates: int, seed: int) -> None:
    if bands not in get_args(Bands):
        raise InputError(
            f"`bands` must be one of {format_list(get_args(Bands))} or None, not {bands!r}."
        )
    if not ranking.is_counted or ranking.squares is not None:
        raise InputError(
            "Bands resample the classes of rows, which is impossible with weights: "
            "leave them out with bands=None."
        )
    if replicates < MIN_REPLICATES:
        raise InputError(f"replicates must be at least {MIN_REPLICATES}, not {replicates}.")
    if seed < 0:
        raise InputError(f"seed must be 0 or more, not {seed}.")


def _group_adjacent(
    scores: NDArray[np.float64], rows: NDArray[Any], fitted: NDArray[np.float64]
) -> _ScoreGroups:
    """Groups of adjacent scores, of one score each unless there are too many.

    Groups are limited both in rows and in width, so that neither dense nor sparse scores are
    blurred. The outermost scores, where a single row can be a bin, are not grouped.
    """
    starts = np.arange(len(scores))
    if len(scores) > MAX_GROUPS:
        interval_count, outermost_count = 2 * MAX_GROUPS // 5, MAX_GROUPS // 10
        quantiles = (np.cumsum(rows) - rows / 2) / rows.sum()
        is_start = np.full(len(scores), True)
        is_start[outermost_count:-outermost_count] = False
        for positions in (quantiles, scores):
            is_start[1:] |= np.diff(np.floor(positions * interval_count)) > 0
        starts = np.flatnonzero(is_start)
    sizes, score_sums, fitted_sums = (
        np.add.reduceat(column, starts) for column in (rows, rows * scores, rows * fitted)
    )
    stops = np.append(starts[1:], len(scores))
    # Rounding error may put a mean of ones slightly above 1.
    return _ScoreGroups(
        sizes,
        np.clip(score_sums / sizes, 0, 1),
        np.clip(fitted_sums / sizes, 0, 1),
        (starts + stops - 1) // 2,
    )


def _resampled_curves(
    rows: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    point_indices: NDArray[np.intp],
    replicates: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Reliability curve at the given points for each resample of the classes."""
    batch_size = max(BATCH_SIZE // len(rows), 1)
    curves = []
    for start in range(0, replicates, batch_size):
        shape = min(batch_size, replicates - start), len(rows)
        positives = rng.binomial(rows, probabilities, shape)
        curves.append(isotonic_proportions(positives, rows)[:, point_indices])
    return np.concatenate(curves)


def _evenly_spaced_indices(size: int) -> NDArray[np.intp]:
    """Evenly spaced indices, at most `MAX_POINTS` of them; all indices if there are fewer."""
    return np.linspace(0, size - 1, min(size, MAX_POINTS)).round().astype(np.intp)
