"""What a reliability diagram shows: the pooled bins, and how far chance moves the line (CORP)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, listed
from tradeoff.measures.curves.calibration import calibration
from tradeoff.measures.probabilities import demand_probabilities
from tradeoff.measures.summaries.decomposition import pools
from tradeoff.results import Tabular
from tradeoff.stats.isotonic import pooled_shares
from tradeoff.stats.normal import demand_level

Bands = Literal["consistency", "confidence"]
MOST_GROUPS = 2000
"""More distinct scores than this are drawn in groups of neighbours."""
MOST_POINTS = 200
"""A band is read at no more scores than this: a drawn line needs no more."""
FEWEST_REPLICATES = 20
BATCH = 1 << 20
"""So many counts are pooled at a time: they stay in the cache."""


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Tabular):
    """The line of a reliability diagram, as bins and as points with a band around them.

    All arrays run from low to high probability. A bin holds the rows whose scores lie from `low`
    to `high`; they share one corrected probability, their `positive_share`. `fitted` is the line
    at some of the distinct scores; without bands, `band_low` and `band_high` are NaN.
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
        """The bins as a table."""
        names = ("low", "high", "mean_score", "positive_share", "rows", "positives")
        return {name: getattr(self, name) for name in names}

    def band_columns(self) -> dict[str, NDArray[Any]]:
        """The line and its band as a table: one line a score."""
        names = {"score": "scores", "fitted": "fitted", "low": "band_low", "high": "band_high"}
        return {shown: getattr(self, name) for shown, name in names.items()}

    def __repr__(self) -> str:
        """One line: how many bins, and what the band says."""
        band = "" if self.bands is None else f", {100 * (self.level or 0):g} % {self.bands} band"
        return f"Reliability({len(self.rows):,} bins{band})"


class _Groups(NamedTuple):
    """Neighbouring scores taken together, lowest first, and where the line is read in each."""

    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    fitted: NDArray[np.float64]
    middle: NDArray[np.intp]


def reliability(
    ranking: Ranking,
    *,
    bands: Bands | None = "consistency",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
) -> Reliability:
    """The reliability diagram of a ranking's probabilities.

    The bins pool adjacent violators, so that nobody has to choose them, and rows of one score are
    never parted (Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118).

    Args:
        ranking: Its scores are probabilities.
        bands: "consistency": where the line would lie if the probabilities were right.
            "confidence": how far the line itself may be off, drawing from the line. Where the line
            is at 0 or 1 nothing else can be drawn, so that band has no width there. None: no band.
        level: The share of drawn lines inside the band, at each score by itself.
        replicates: How often the classes are drawn again; the scores stay as they are.
        seed: The same seed gives the same band.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> diagram = reliability(Ranking.of(scores, actual))
        >>> diagram
        Reliability(3 bins, 95 % consistency band)
        >>> diagram.positive_share.tolist()
        [0.0, 0.5, 1.0]
    """
    p = demand_probabilities(ranking, "A reliability diagram")
    bins: dict[str, Any] = calibration(ranking, by="isotonic").columns()
    scores, rows = p.values[::-1], (p.positives + p.negatives)[::-1]
    fitted = pools(ranking).fitted[::-1]
    if bands is None:
        at = _spread(len(scores))
        nothing = np.full(len(at), np.nan)
        return Reliability(
            **bins, scores=scores[at], fitted=fitted[at], band_low=nothing, band_high=nothing
        )
    _demand(ranking, bands, replicates, seed)
    tail = (1 - demand_level(level)) / 2
    groups = _grouped(scores, rows, fitted)
    points = _spread(len(groups.rows))
    chances = groups.scores if bands == "consistency" else groups.fitted
    lines = _drawn(groups.rows, chances, points, replicates, np.random.default_rng(seed))
    low, high = np.quantile(lines, [tail, 1 - tail], axis=0)
    at = groups.middle[points]
    line = {"scores": scores[at], "fitted": fitted[at], "band_low": low, "band_high": high}
    return Reliability(**bins, **line, bands=bands, level=level, replicates=replicates)


def _demand(ranking: Ranking, bands: str, replicates: int, seed: int) -> None:
    if bands not in get_args(Bands):
        raise InputError(f"`bands` is one of {listed(get_args(Bands))} or None, not {bands!r}.")
    if not ranking.is_counted or ranking.squares is not None:
        raise InputError(
            "Bands draw the classes of rows again, and weights have no rows: ask for bands=None."
        )
    if replicates < FEWEST_REPLICATES:
        raise InputError(f"A band takes {FEWEST_REPLICATES} replicates or more, not {replicates}.")
    if seed < 0:
        raise InputError(f"A seed is a whole number from 0 on, not {seed}.")


def _grouped(
    scores: NDArray[np.float64], rows: NDArray[Any], fitted: NDArray[np.float64]
) -> _Groups:
    """Each score by itself; where there are many, neighbours together.

    Groups are small both in rows and in width, so that neither crowds nor rare high scores are
    blurred. The outermost scores, where a single row can be a bin, stay by themselves.
    """
    starts = np.arange(len(scores))
    if len(scores) > MOST_GROUPS:
        parts, alone = 2 * MOST_GROUPS // 5, MOST_GROUPS // 10
        middle = (np.cumsum(rows) - rows / 2) / rows.sum()
        new = np.full(len(scores), True)
        new[alone:-alone] = False
        for position in (middle, scores):
            new[1:] |= np.diff(np.floor(position * parts)) > 0
        starts = np.flatnonzero(new)
    sizes, scored, positive = (
        np.add.reduceat(column, starts) for column in (rows, rows * scores, rows * fitted)
    )
    ends = np.append(starts[1:], len(scores))
    # Sums round: a mean of ones may come out a little above 1.
    return _Groups(
        sizes,
        np.clip(scored / sizes, 0, 1),
        np.clip(positive / sizes, 0, 1),
        (starts + ends - 1) // 2,
    )


def _drawn(
    rows: NDArray[np.int64],
    chances: NDArray[np.float64],
    points: NDArray[np.intp],
    replicates: int,
    random: np.random.Generator,
) -> NDArray[np.float64]:
    """The line at some points, once for every time that classes are drawn."""
    most = max(BATCH // len(rows), 1)
    lines = []
    for done in range(0, replicates, most):
        drawn = random.binomial(rows, chances, (min(most, replicates - done), len(rows)))
        lines.append(pooled_shares(drawn, rows)[:, points])
    return np.concatenate(lines)


def _spread(size: int) -> NDArray[np.intp]:
    """Places from the first to the last, all or evenly chosen."""
    return np.linspace(0, size - 1, min(size, MOST_POINTS)).round().astype(np.intp)
