"""Calibration maps from scores to probabilities: isotonic or logistic regression, Platt scaling."""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally
from tradeoff.core.storage import SavedFields, is_finite_number, json_score, parse_saved_score
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.files.json_files import read_json, write_json_file
from tradeoff.formatting import format_count, printable, with_minus_sign
from tradeoff.measures.probabilities import CALIBRATED
from tradeoff.measures.summaries.decomposition import isotonic_pools
from tradeoff.sources.columns import values_array
from tradeoff.stats.logistic import fit_logistic_line
from tradeoff.stats.special import expit

SCHEMA = "tradeoff/calibration/1"
MapKind = Literal["isotonic", "platt", "logistic"]
MAX_SAFE_SCORE = 1e300
"""Differences between larger scores may overflow."""


@dataclass(frozen=True, repr=False)
class CalibrationMap:
    """Calibration map from the scores of one model to probabilities of the positive class.

    An "isotonic" map has `knots`: pairs (score, probability) in ascending order of score. It is
    linear between finite knots and constant outside them.
    "platt" and "logistic" maps are 1 / (1 + exp(A * score + B)) and have `coefficients` (A, B).

    Example:
        >>> half = CalibrationMap("isotonic", knots=((0.0, 0.0), (1.0, 0.5)))
        >>> half([0.5, 1.0, 7.0]).tolist()
        [0.25, 0.5, 0.5]
    """

    kind: MapKind
    knots: tuple[tuple[float, float], ...] = ()
    coefficients: tuple[float, float] | None = None
    positive: str = "positive"
    name: str = "score"
    lower_is_positive: bool = False
    note: str | None = None

    def __call__(self, scores: Any) -> NDArray[np.float64]:
        """The probability of the positive class for each score, in an array of the same shape."""
        values = self._numeric_scores(scores)
        if self.coefficients is None:
            return _interpolate_knots(values, self.knots)
        return _sigmoid(values, *self.coefficients)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the calibration map as JSON."""
        document = {"schema": SCHEMA, **asdict(self)}
        document["knots"] = [[json_score(score), p] for score, p in self.knots]
        write_json_file(path, document)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> CalibrationMap:
        """Read a calibration map that `save` wrote."""
        return _from_document(read_json(path, "a calibration map"), path)

    def description(self, rows: str = "these rows") -> str:
        """Note on the calibration map: its method, and the rows to which it was fitted.

        Example:
            >>> CalibrationMap("logistic", coefficients=(-2.0, 1.0), name="marker").description()
            'marker calibrated by logistic regression on these rows: \
p = 1 / (1 + exp(1 − 2 × marker))'
        """
        name = printable(self.name)
        if self.coefficients is None:
            method = f"isotonic regression on {rows} ({len(self.knots):,} knots)"
        else:
            label = {"platt": "Platt scaling", "logistic": "logistic regression"}[self.kind]
            a, b = self.coefficients
            sign = "−" if a < 0 else "+"
            constant = with_minus_sign(f"{b:.4g}")
            formula = f"p = 1 / (1 + exp({constant} {sign} {abs(a):.4g} × {name}))"
            method = f"{label} on {rows}: {formula}"
        return "; ".join(filter(None, [f"{name}{CALIBRATED}{method}", self.note]))

    def _numeric_scores(self, scores: Any) -> NDArray[np.float64]:
        array = scores if isinstance(scores, int | float) else values_array(scores, self.name)
        try:
            values = np.asarray(array, np.float64)
        except (TypeError, ValueError):
            raise InputError(f"The scores of {self.name!r} are not all numbers.") from None
        missing = int(np.isnan(values).sum())
        if missing:
            raise InputError(
                f"{missing:,} scores of {self.name!r} are missing: a row without a score has no "
                "probability."
            )
        return values

    def __repr__(self) -> str:
        """One line: the kind, the model, and the number of knots or the formula."""
        formula = f"{len(self.knots):,} knots"
        if self.coefficients is not None:
            formula = "1 / (1 + exp({:.6g} * score + {:.6g}))".format(*self.coefficients)
        return f"CalibrationMap({self.kind} of {self.name}: {formula})"


def fit_calibration_map(ranking: Ranking, how: MapKind = "isotonic") -> CalibrationMap:
    """Fit a calibration map, one of `MapKind`, from a ranking's scores to probabilities."""
    methods = get_args(MapKind)
    if how not in methods:
        raise UnknownName(
            f"There is no calibration map {how!r}.{did_you_mean(str(how), methods)} The available "
            f"maps are {format_list(methods)}."
        )
    return {"isotonic": isotonic_map, "platt": platt_map, "logistic": logistic_map}[how](ranking)


def isotonic_map(ranking: Ranking) -> CalibrationMap:
    """Calibration map by isotonic regression (pool adjacent violators).

    Zadrozny & Elkan 2002, doi:10.1145/775047.775151. Every pool of adjacent scores is mapped to
    its proportion of positives. The map is linear between pools and constant beyond the outermost
    scores, as in scikit-learn's IsotonicRegression with out_of_bounds="clip". Infinite scores are
    ordinary ranks: between a finite and an infinite score the map keeps the value of the finite
    one, and between two infinite scores it is the mean of their values.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool))
        >>> isotonic_map(ranking).knots
        ((0.1, 0.0), (0.4, 0.5), (0.8, 0.5), (0.9, 1.0))
    """
    _require_both_classes(ranking)
    pools, scores = isotonic_pools(ranking), ranking.thresholds
    knots = [
        (float(score), float(share))
        for first, last, share in zip(pools.after + 1, pools.last, pools.shares, strict=True)
        for score in dict.fromkeys((scores[first], scores[last]))
    ]
    return CalibrationMap("isotonic", tuple(sorted(knots)), None, *_map_fields(ranking))


def platt_map(ranking: Ranking) -> CalibrationMap:
    """Calibration map by Platt scaling: a sigmoid of the score, fitted to smoothed targets.

    Platt 1999, Probabilistic outputs for support vector machines: the N+ positives have the
    target (N+ + 1) / (N+ + 2), the N- negatives 1 / (N- + 2), so that the slope is finite even if
    the scores separate the classes. Newton's method with backtracking as in Lin, Lin & Weng 2007,
    doi:10.1007/s10994-007-5018-6.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([-1.0, 1.0]), np.array([0, 1], bool))
        >>> sigmoid = platt_map(ranking)
        >>> sigmoid([-1, 0, 1]).round(4).tolist()
        [0.3333, 0.5, 0.6667]
    """
    _require_both_classes(ranking)
    scores = ranking.thresholds[1:]
    positives, negatives = np.diff(ranking.true_positives), np.diff(ranking.false_positives)
    infinite_rows = (positives + negatives)[np.isinf(scores)].sum()
    if infinite_rows:
        raise InputError(
            f"Platt's sigmoid needs finite scores: {format_count(infinite_rows)} rows of "
            f"{ranking.name!r} have a score of inf or -inf. An isotonic map accepts them."
        )
    total_positives, total_negatives = float(ranking.positives), float(ranking.negatives)
    positive_target = (total_positives + 1) / (total_positives + 2)
    targets = positives * positive_target + negatives / (total_negatives + 2)
    rows = positives + negatives
    a, b = _sigmoid_coefficients(scores, targets, rows, "Platt scaling", ranking.name)
    return CalibrationMap("platt", (), (a, b), *_map_fields(ranking), _reversal_note(ranking, a))


def logistic_map(ranking: Ranking) -> CalibrationMap:
    """Calibration map by logistic regression of the class on the score, by maximum likelihood.

    The usual way to convert a marker to a probability, for example for a decision curve.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 1], bool))
        >>> logistic_map(ranking)([0, 1]).round(4).tolist()
        [0.5, 0.6667]
    """
    _require_both_classes(ranking)
    scores = ranking.thresholds[1:]
    positives, negatives = np.diff(ranking.true_positives), np.diff(ranking.false_positives)
    rows = positives + negatives
    infinite_rows = rows[np.isinf(scores)].sum()
    if infinite_rows:
        raise InputError(
            f"Logistic regression needs finite scores: {format_count(infinite_rows)} rows of "
            f"{ranking.name!r} have a score of inf or -inf. An isotonic map accepts them."
        )
    # In the order of the ranking, all positives may come before all negatives, or the reverse.
    is_separated = any(
        np.flatnonzero(first)[-1] < np.flatnonzero(second)[0]
        for first, second in ((positives, negatives), (negatives, positives))
    )
    if is_separated:
        raise InputError(
            f"Logistic regression on {ranking.name!r} has no finite solution: its scores separate "
            "the classes. Use an isotonic map."
        )
    a, b = _sigmoid_coefficients(scores, positives, rows, "Logistic regression", ranking.name)
    return CalibrationMap("logistic", (), (a, b), *_map_fields(ranking), _reversal_note(ranking, a))


def _reversal_note(ranking: Ranking, a: float) -> str | None:
    """Note on a sigmoid that reverses the order of the scores."""
    is_reversed = a > 0 if not ranking.lower_is_positive else a < 0
    note = "the scores rank worse than chance: the map reverses their order"
    return note if is_reversed else None


def calibrated_ranking(
    ranking: Ranking, calibration_map: CalibrationMap, fitted_to: str = "these rows"
) -> Ranking:
    """Ranking of the same rows with the probabilities of a calibration map.

    `fitted_to` says in a note to which rows the map was fitted.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([9.0, 8, 4, 1]), np.array([1, 0, 1, 0], bool), name="m")
        >>> calibrated = calibrated_ranking(ranking, isotonic_map(ranking))
        >>> calibrated.thresholds.tolist(), calibrated.true_positives.tolist()
        ([inf, 1.0, 0.5, 0.0], [0, 1, 2, 2])
    """
    if not ranking.exact:
        raise InputError(
            f"The scores of {ranking.name!r} are in bins, but calibration needs single scores."
        )
    squares = None if ranking.squares is None else _mapped(ranking.squares, calibration_map)
    notes = (*ranking.notes, calibration_map.description(fitted_to))
    return replace(
        _mapped(ranking, calibration_map), squares=squares, notes=notes, lower_is_positive=False
    )


def _mapped(ranking: Ranking, calibration_map: CalibrationMap) -> Ranking:
    """Ranking with mapped scores; distinct scores may become equal."""
    probabilities = calibration_map(ranking.thresholds[1:])
    order = np.argsort(-probabilities, kind="stable")
    sorted_probabilities = probabilities[order]
    is_last = np.append(sorted_probabilities[1:] != sorted_probabilities[:-1], True)
    counts = [
        np.concatenate([side[:1], np.cumsum(np.diff(side)[order])[is_last]])
        for side in (ranking.true_positives, ranking.false_positives)
    ]
    thresholds = np.concatenate([[np.inf], sorted_probabilities[is_last]])
    return replace(
        ranking,
        tally=Tally(thresholds, *counts),
        levels=None,
        known_pairs=None,
        lower_is_positive=False,
    )


def _sigmoid_coefficients(
    scores: NDArray[np.float64],
    targets: NDArray[Any],
    rows: NDArray[Any],
    method: str,
    name: str,
) -> tuple[float, float]:
    """Coefficients A and B, fitted to scores rescaled to [-1, 1] for numerical stability."""
    low, high = sorted((float(scores[0]), float(scores[-1])))
    center, half_width = low / 2 + high / 2, high / 2 - low / 2
    if not half_width:
        return 0.0, -math.log(targets.sum() / (rows - targets).sum())
    line = fit_logistic_line((scores - center) / half_width, targets, rows)
    a = -line.slope / half_width if line else 0.0
    b = center / half_width * line.slope - line.intercept if line else 0.0
    if not line or not (math.isfinite(a) and math.isfinite(b)):
        raise InputError(
            f"{method} did not converge for {name!r}: rescale its scores, for example to 0 to 1."
        )
    return a, b


def _interpolate_knots(
    scores: NDArray[np.float64], knots: tuple[tuple[float, float], ...]
) -> NDArray[np.float64]:
    """Interpolate linearly between finite knots; beyond them, the map is constant."""
    x, y = np.array(knots, np.float64).T
    is_finite = np.isfinite(x)
    inner_values = np.full(scores.shape, (y[0] + y[-1]) / 2)
    if is_finite.any():
        inner_values = _interpolate_linearly(scores, x[is_finite], y[is_finite])
    return np.where(scores <= x[0], y[0], np.where(scores >= x[-1], y[-1], inner_values))


def _interpolate_linearly(
    scores: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.float64]
) -> NDArray[np.float64]:
    clipped_scores = np.clip(scores, x[0], x[-1])
    left = np.searchsorted(x, clipped_scores, "right") - 1
    right = np.minimum(left + 1, len(x) - 1)
    scale = 0.5 if max(-x[0], x[-1]) > MAX_SAFE_SCORE else 1.0
    width = x[right] * scale - x[left] * scale
    fraction = (clipped_scores * scale - x[left] * scale) / np.where(width > 0, width, 1.0)
    values = y[left] + fraction * (y[right] - y[left])
    # Rounding errors must not make the map non-monotone.
    return np.clip(values, np.minimum(y[left], y[right]), np.maximum(y[left], y[right]))


def _sigmoid(scores: NDArray[np.float64], a: float, b: float) -> NDArray[np.float64]:
    if not a:  # 0 times an infinite score would be NaN
        return np.full(scores.shape, expit(-b))
    with np.errstate(over="ignore"):
        probabilities: NDArray[np.float64] = expit(-(a * scores + b))
    return probabilities


def _require_both_classes(ranking: Ranking) -> None:
    if not (ranking.positives and ranking.negatives):
        name = ranking.positive if ranking.positives else ranking.negative
        reason = (
            f"every row belongs to class {name!r}"
            if ranking.distinct
            else "there are no scored rows"
        )
        raise InputError(f"A calibration map needs rows of both classes: {reason}.")


def _map_fields(ranking: Ranking) -> tuple[str, str, bool]:
    return ranking.positive, ranking.name, ranking.lower_is_positive


def _from_document(document: Any, path: str | os.PathLike[str]) -> CalibrationMap:
    saved = SavedFields(document, path, "a calibration map")
    saved.require_schema(SCHEMA)
    saved.require_known({"schema", *(field.name for field in fields(CalibrationMap))})
    kind = saved.choice("kind", get_args(MapKind))
    lower_is_positive = saved.boolean("lower_is_positive")
    return CalibrationMap(
        "isotonic" if kind == "isotonic" else "logistic" if kind == "logistic" else "platt",
        _saved_knots(saved, is_needed=kind == "isotonic", is_decreasing=lower_is_positive),
        _saved_coefficients(saved, is_needed=kind != "isotonic"),
        saved.string("positive"),
        saved.string("name"),
        lower_is_positive,
        saved.optional_string("note"),
    )


def _saved_knots(
    saved: SavedFields, *, is_needed: bool, is_decreasing: bool
) -> tuple[tuple[float, float], ...]:
    """Knots of a saved calibration map, with increasing scores and monotone probabilities."""
    items = saved.items("knots")
    if not is_needed:
        return () if not items else saved.refuse("a sigmoid has no knots")
    knots = []
    for position, item in enumerate(items, 1):
        score = parse_saved_score(item[0]) if isinstance(item, list) and len(item) == 2 else None
        if score is None or not is_finite_number(item[1], 0, 1):
            saved.refuse(
                f"its knot {position} must be a score and a probability, "
                f"not {printable(repr(item))}"
            )
        knots.append((score, float(item[1])))
    if not knots:
        saved.refuse("it has no knots")
    x, y = np.array(knots).T
    if not (x[1:] > x[:-1]).all():
        saved.refuse("the scores of its knots do not increase")
    if not (np.diff(-y if is_decreasing else y) >= 0).all():
        direction = "decrease" if is_decreasing else "increase"
        saved.refuse(f"the probabilities of its knots do not {direction}")
    return tuple(knots)


def _saved_coefficients(saved: SavedFields, *, is_needed: bool) -> tuple[float, float] | None:
    if not is_needed:
        return saved.refuse("its knots need no coefficients") if saved.has("coefficients") else None
    items = saved.items("coefficients")
    if len(items) != 2 or not all(map(is_finite_number, items)):
        saved.refuse(f"its coefficients must be two numbers, not {printable(repr(items))}")
    return float(items[0]), float(items[1])
