"""Maps that turn scores into probabilities, fitted on a ranking and kept in a file."""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.storage import SavedFields, as_score, is_number, written_score
from tradeoff.errors import InputError
from tradeoff.files import read_json, write_json
from tradeoff.measures.summaries.decomposition import pools
from tradeoff.stats.logistic import fit_line
from tradeoff.stats.special import expit
from tradeoff.text import count, plain

SCHEMA = "tradeoff/calibration/1"
Kind = Literal["isotonic", "platt"]
LARGE = 1e300
"""Differences of larger scores may leave the range of floats."""


@dataclass(frozen=True, repr=False)
class CalibrationMap:
    """Probabilities of the positive class for scores of one model.

    An "isotonic" map has `knots`: pairs (score, probability), scores rising. At a knot it has the
    knot's probability, between two finite knots it is straight, and outside them it stays level.
    A "platt" map is 1 / (1 + exp(A * score + B)) and has `coefficients` (A, B).

    Example:
        >>> half = CalibrationMap("isotonic", knots=((0.0, 0.0), (1.0, 0.5)))
        >>> half([0.5, 1.0, 7.0]).tolist()
        [0.25, 0.5, 0.5]
    """

    kind: Kind
    knots: tuple[tuple[float, float], ...] = ()
    coefficients: tuple[float, float] | None = None
    positive: str = "positive"
    name: str = "score"
    lower_is_positive: bool = False
    note: str | None = None

    def __call__(self, scores: Any) -> NDArray[np.float64]:
        """The probability of being positive for each score, in the shape of the scores."""
        numbers = self._numbers(scores)
        if self.coefficients is None:
            return _interpolated(numbers, self.knots)
        return _sigmoid(numbers, *self.coefficients)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the map as JSON."""
        document = {"schema": SCHEMA, **asdict(self)}
        document["knots"] = [[written_score(score), p] for score, p in self.knots]
        write_json(path, document)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> CalibrationMap:
        """Read a map that `save` wrote."""
        return _from_document(read_json(path, "a calibration map"), path)

    def _numbers(self, scores: Any) -> NDArray[np.float64]:
        try:
            numbers = np.asarray(scores, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"The scores of {self.name!r} are not all numbers.") from None
        missing = int(np.isnan(numbers).sum())
        if missing:
            raise InputError(
                f"{missing:,} scores of {self.name!r} are missing: a row without a score has no "
                "probability."
            )
        return numbers

    def __repr__(self) -> str:
        """One line: what kind of map, of which scores."""
        how = f"{len(self.knots):,} knots"
        if self.coefficients is not None:
            how = "1 / (1 + exp({:.6g} * score + {:.6g}))".format(*self.coefficients)
        return f"CalibrationMap({self.kind} of {self.name}: {how})"


def isotonic_map(ranking: Ranking) -> CalibrationMap:
    """The best map that keeps the order of scores: pool adjacent violators.

    Zadrozny & Elkan 2002, doi:10.1145/775047.775151. Every pool of neighbouring scores has its
    share of positives. Between the last score of a pool and the first of the next the map is a
    straight line, and beyond the outermost scores it stays level, as in scikit-learn's
    IsotonicRegression with out_of_bounds="clip". Infinite scores are ordinary ranks: a line from
    an infinite score never leaves its finite end, and between two infinite ones it lies halfway.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))
        >>> isotonic_map(ranking).knots
        ((0.1, 0.0), (0.4, 0.5), (0.8, 0.5), (0.9, 1.0))
    """
    _demand_both(ranking)
    pooled, scores = pools(ranking), ranking.thresholds
    pairs = [
        (float(score), float(share))
        for first, last, share in zip(pooled.after + 1, pooled.last, pooled.shares, strict=True)
        for score in dict.fromkeys((scores[first], scores[last]))
    ]
    return CalibrationMap("isotonic", tuple(sorted(pairs)), None, *_described(ranking))


def platt_map(ranking: Ranking) -> CalibrationMap:
    """A sigmoid of the score, fitted to classes that are taken with a pinch of doubt.

    Platt 1999, Probabilistic outputs for support vector machines: the N+ positives are given the
    target (N+ + 1) / (N+ + 2), the N- negatives 1 / (N- + 2), so that even scores that part both
    classes have a finite slope. Newton's steps with backtracking as in Lin, Lin & Weng 2007,
    doi:10.1007/s10994-007-5018-6.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([-1.0, 1.0]), np.array([0, 1], bool))
        >>> sigmoid = platt_map(ranking)
        >>> sigmoid([-1, 0, 1]).round(4).tolist()
        [0.3333, 0.5, 0.6667]
    """
    _demand_both(ranking)
    scores = ranking.thresholds[1:]
    positives, negatives = np.diff(ranking.true_positives), np.diff(ranking.false_positives)
    infinite = (positives + negatives)[np.isinf(scores)].sum()
    if infinite:
        raise InputError(
            f"Platt's sigmoid needs finite scores: {count(infinite)} rows of {ranking.name!r} "
            "score inf or -inf. An isotonic map takes them."
        )
    many, few = float(ranking.positives), float(ranking.negatives)
    hits = positives * ((many + 1) / (many + 2)) + negatives / (few + 2)
    a, b = _platt_coefficients(scores, hits, positives + negatives, ranking.name)
    falls = a > 0 if not ranking.lower_is_positive else a < 0
    note = "scores that should be more positive are less often so: the map turns them round"
    described = (*_described(ranking), note if falls else None)
    return CalibrationMap("platt", (), (a, b), *described)


def _platt_coefficients(
    scores: NDArray[np.float64], hits: NDArray[Any], rows: NDArray[Any], name: str
) -> tuple[float, float]:
    """A and B, found where scores run from -1 to 1 so that no scale is too large or small."""
    low, high = sorted((float(scores[0]), float(scores[-1])))
    middle, half = low / 2 + high / 2, high / 2 - low / 2
    if not half:
        return 0.0, -math.log(hits.sum() / (rows - hits).sum())
    line = fit_line((scores - middle) / half, hits, rows)
    a, b = (-line.slope / half, middle / half * line.slope - line.intercept) if line else (0, 0)
    if not line or not (math.isfinite(a) and math.isfinite(b)):
        raise InputError(f"No sigmoid was found for {name!r}: rescale its scores, say from 0 to 1.")
    return a, b


def _interpolated(
    scores: NDArray[np.float64], knots: tuple[tuple[float, float], ...]
) -> NDArray[np.float64]:
    """Straight between finite knots, level outside; infinite scores have knots or take the end."""
    x, y = np.array(knots, np.float64).T
    finite = np.isfinite(x)
    inner = np.full(scores.shape, (y[0] + y[-1]) / 2)
    if finite.any():
        inner = _straight(scores, x[finite], y[finite])
    return np.where(scores <= x[0], y[0], np.where(scores >= x[-1], y[-1], inner))


def _straight(
    scores: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    inside = np.clip(scores, x[0], x[-1])
    at = np.searchsorted(x, inside, "right") - 1
    after = np.minimum(at + 1, len(x) - 1)
    scale = 0.5 if max(-x[0], x[-1]) > LARGE else 1.0
    width = x[after] * scale - x[at] * scale
    share = (inside * scale - x[at] * scale) / np.where(width > 0, width, 1.0)
    heights = y[at] + share * (y[after] - y[at])
    # A last digit may not break the order.
    return np.clip(heights, np.minimum(y[at], y[after]), np.maximum(y[at], y[after]))


def _sigmoid(scores: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    if not a:  # an infinite score would be 0 times infinity
        return np.full(scores.shape, expit(-b))
    with np.errstate(over="ignore"):
        probabilities: NDArray[np.float64] = expit(-(a * scores + b))
    return probabilities


def _demand_both(ranking: Ranking) -> None:
    if not (ranking.positives and ranking.negatives):
        only = ranking.positive if ranking.positives else ranking.negative
        found = f"every row is {only!r}" if ranking.distinct else "there are no scored rows"
        raise InputError(f"A calibration map needs rows of both classes: {found}.")


def _described(ranking: Ranking) -> tuple[str, str, bool]:
    return ranking.positive, ranking.name, ranking.lower_is_positive


def _from_document(document: Any, path: str | os.PathLike[str]) -> CalibrationMap:
    saved = SavedFields(document, path, "a calibration map")
    saved.require_schema(SCHEMA)
    saved.require_known({"schema", *(field.name for field in fields(CalibrationMap))})
    kind = saved.choice("kind", get_args(Kind))
    lower_is_positive = saved.boolean("lower_is_positive")
    return CalibrationMap(
        "isotonic" if kind == "isotonic" else "platt",
        _saved_knots(saved, needed=kind == "isotonic", falling=lower_is_positive),
        _saved_coefficients(saved, needed=kind == "platt"),
        saved.text("positive"),
        saved.text("name"),
        lower_is_positive,
        saved.optional_text("note"),
    )


def _saved_knots(
    saved: SavedFields, *, needed: bool, falling: bool
) -> tuple[tuple[float, float], ...]:
    """Pairs of a score and its probability: scores rise, probabilities go one way."""
    items = saved.items("knots")
    if not needed:
        return () if not items else saved.refuse("a sigmoid has no knots")
    knots = []
    for place, item in enumerate(items, 1):
        score = as_score(item[0]) if isinstance(item, list) and len(item) == 2 else None
        if score is None or not is_number(item[1], 0, 1):
            saved.refuse(
                f"its knot {place} must be a score and a probability, not {plain(repr(item))}"
            )
        knots.append((score, float(item[1])))
    if not knots:
        saved.refuse("it has no knots")
    x, y = np.array(knots).T
    if not (x[1:] > x[:-1]).all():
        saved.refuse("the scores of its knots do not rise")
    if not (np.diff(-y if falling else y) >= 0).all():
        saved.refuse(f"the probabilities of its knots do not {'fall' if falling else 'rise'}")
    return tuple(knots)


def _saved_coefficients(saved: SavedFields, *, needed: bool) -> tuple[float, float] | None:
    if not needed:
        return saved.refuse("its knots need no coefficients") if saved.has("coefficients") else None
    items = saved.items("coefficients")
    if len(items) != 2 or not all(map(is_number, items)):
        saved.refuse(f"its coefficients must be two numbers, not {plain(repr(items))}")
    return float(items[0]), float(items[1])
