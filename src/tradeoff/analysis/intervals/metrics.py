"""How sure metrics of a confusion matrix are.

Shares of rows have intervals of their own (Wilson), and so have a few ratios and differences.
Every other metric is computed for many matrices that these counts make likely: the shares of each
class drawn from what a neutral observer would believe of them (Jeffreys' prior). Unlike drawing
rows again, that never claims certainty because nothing went wrong in ten rows.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.analysis.intervals.known import KNOWN, OF_ANY_CLASSES
from tradeoff.analysis.intervals.percentiles import Spread, skew_of, spread
from tradeoff.analysis.intervals.proportions import proportion
from tradeoff.analysis.intervals.summaries import inside, with_spread
from tradeoff.ranking.confusion import ClassMatrix, ConfusionMatrix

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from tradeoff.analysis.estimate import Estimate
    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.analysis.registry import Measure

Matrix = ConfusionMatrix | ClassMatrix
CONSTANT = 1e-12
OWN_CLASS = frozenset({"positives", "negatives"})
NAMES = {
    "wilson": "Wilson",
    "clopper-pearson": "Clopper–Pearson",
    "jeffreys": "Jeffreys",
    "agresti-coull": "Agresti–Coull",
}


def sure_metrics(
    measures: Iterable[Measure], matrix: Matrix, confidence: Confidence
) -> dict[str, Estimate]:
    """Metrics with their intervals; those that need it share the same draws."""
    measures = list(measures)
    plain = {measure.name: measure.estimate(matrix) for measure in measures}
    why = _no_interval(matrix)
    if why:
        return {name: _without(estimate, why) for name, estimate in plain.items()}
    drawn = None
    found = {}
    for measure in measures:
        estimate = plain[measure.name]
        if not estimate.is_defined:
            found[measure.name] = estimate
            continue
        ends = None if confidence.draws else _by_formula(measure, matrix, confidence)
        if ends is None:
            drawn = _draws(matrix, confidence) if drawn is None else drawn
            ends = _by_draws(measure, estimate.value, matrix, drawn, confidence)
        found[measure.name] = with_spread(estimate, ends, confidence.level)
    return found


def sure_metric(measure: Measure, matrix: Matrix, confidence: Confidence) -> Estimate:
    """A metric with its interval."""
    return sure_metrics([measure], matrix, confidence)[measure.name]


def _no_interval(matrix: Matrix) -> str | None:
    rows = float(matrix.rows)
    if not rows:
        return None  # undefined anyway
    cells = _tables(matrix)
    weighed = getattr(matrix, "squares", None) is not None
    if not weighed and rows <= 1 + CONSTANT and (cells != np.floor(cells)).any():
        return "proportions do not tell how many rows they come from"
    return None


def _without(estimate: Estimate, why: str) -> Estimate:
    return replace(estimate, note="; ".join(filter(None, [estimate.note, f"no interval: {why}"])))


def _by_formula(measure: Measure, matrix: Matrix, confidence: Confidence) -> Spread | None:
    """The interval of a share or a known ratio; None where draws are needed."""
    name = measure.name
    if name in KNOWN and (isinstance(matrix, ConfusionMatrix) or name in OF_ANY_CLASSES):
        known = KNOWN[name](matrix, confidence.level)
        if known is not None:
            return known
    if not measure.trials:
        return None
    weighted = isinstance(matrix, ConfusionMatrix) and matrix.squares is not None
    if weighted and measure.trials not in OWN_CLASS:
        return None  # such a share mixes classes that were weighed differently
    trials = effective(matrix, measure.trials)
    share = float(measure(matrix))
    low, high = proportion(share * trials, trials, confidence.level, confidence.for_shares)
    return Spread(float(low), float(high), NAMES[confidence.for_shares])


def effective(matrix: Matrix, trials: str) -> float:
    """How many equally weighted rows say as much as these, such as the "positives"."""
    total = float(getattr(matrix, trials))
    squares = getattr(matrix, "squares", None)
    return total if squares is None or not total else total**2 / float(getattr(squares, trials))


def _by_draws(
    measure: Measure, value: float, matrix: Matrix, drawn: Matrix, confidence: Confidence
) -> Spread:
    values = np.broadcast_to(np.asarray(measure(drawn)), (confidence.replicates,))
    finite = values[np.isfinite(values)]
    same = len(finite) == len(values) and np.ptp(finite) <= CONSTANT * np.abs(finite).max()
    if same and not (confidence.draws and _varies(measure, matrix, confidence)):
        return Spread(math.nan, math.nan, "", "no interval: class totals are taken as given")
    skew = _skew(measure, matrix) if confidence.method == "bca" else 0.0
    if confidence.draws:
        return inside(spread(values, value, confidence, skew=skew), measure)
    found = inside(spread(values, value, replace(confidence, method="bootstrap")), measure)
    method = f"Jeffreys' prior, {confidence.replicates:,} draws, seed {confidence.seed}"
    # Draws shrink towards the middle: the value itself must not fall outside.
    low, high = min(found.low, value), max(found.high, value)
    return found._replace(low=low, high=high, method=method)


def _varies(measure: Measure, matrix: Matrix, confidence: Confidence) -> bool:
    """Whether a metric depends on more than the class totals, though no draw shows it."""
    values = np.asarray(measure(_draws(matrix, replace(confidence, method=None))))
    return not np.isfinite(values).all() or float(np.ptp(values)) > CONSTANT * np.abs(values).max()


def _draws(matrix: Matrix, confidence: Confidence) -> Matrix:
    """Many matrices as one, its counts arrays: rows drawn again, or shares from the posterior."""
    random = np.random.default_rng(confidence.seed)
    tables = _tables(matrix)
    again = [
        _drawn_again(own, sizes, random, confidence)
        if confidence.draws
        else _posterior(own, sizes, random, confidence.replicates)
        for own, sizes in _strata(tables, matrix, confidence)
    ]
    return _matrix_of(np.concatenate(again), matrix)


def _tables(matrix: Matrix) -> NDArray[np.float64]:
    """One line a class: its counts by prediction, rejected ones last."""
    rejections = matrix.rejections
    if rejections is None:
        rejections = np.zeros(len(matrix.classes))
    return np.column_stack([matrix.counts, rejections]).astype(np.float64)


def _strata(
    tables: NDArray[np.float64], matrix: Matrix, confidence: Confidence
) -> list[tuple[NDArray[np.float64], float]]:
    """The counts that are drawn together, and how many rows they say as much as."""
    if confidence.draws and not confidence.stratified:
        return [(tables.ravel(), effective(matrix, "rows"))]
    squares = getattr(matrix, "squares", None)
    squared = tables if squares is None else _tables(squares)
    sizes = [
        own.sum() ** 2 / two.sum() if two.any() else 0.0
        for own, two in zip(tables, squared, strict=True)
    ]
    return list(zip(tables, sizes, strict=True))


def _posterior(
    counts: NDArray[np.float64], rows: float, random: np.random.Generator, size: int
) -> NDArray[np.float64]:
    """Counts in the shares that a Dirichlet posterior draws, scaled to the class."""
    total = counts.sum()
    if not total:
        return np.zeros((len(counts), size))
    # One row in all, spread evenly over the classes: for two classes that is Jeffreys' prior.
    prior = np.full(len(counts), 1 / (len(counts) - 1))
    if not counts[-1]:
        prior[-1] = 0.0  # nobody rejects
    shape = counts * (rows / total) + prior
    shares = random.standard_gamma(shape[:, None], (len(counts), size))
    return np.asarray(shares * (total / shares.sum(axis=0)))


def _drawn_again(
    counts: NDArray[np.float64], rows: float, random: np.random.Generator, confidence: Confidence
) -> NDArray[np.float64]:
    total = counts.sum()
    size = confidence.replicates
    if not total:
        return np.zeros((len(counts), size))
    drawn = random.multinomial(round(rows), counts / total, size).T
    return np.asarray(drawn * (total / round(rows)))


def _matrix_of(cells: NDArray[np.float64], matrix: Matrix) -> Matrix:
    size = len(matrix.classes)
    table = cells.reshape(size, size + 1, -1)
    if isinstance(matrix, ClassMatrix):
        return ClassMatrix(table[:, :-1], matrix.classes, table[:, -1])
    (tp, fn, rp), (fp, tn, rn) = table
    return replace(
        matrix,
        true_positives=tp,
        false_negatives=fn,
        false_positives=fp,
        true_negatives=tn,
        rejected_positives=rp,
        rejected_negatives=rn,
        squares=None,
    )


def _skew(measure: Measure, matrix: Matrix) -> float:
    """How the metric reacts to leaving out one row of each cell."""
    if isinstance(matrix, ClassMatrix):
        return 0.0
    names = [f.name for f in fields(matrix)[:6]]
    counts = _cells(matrix, names)
    squares = counts if matrix.squares is None else _cells(matrix.squares, names)
    one = np.divide(squares, counts, out=np.zeros(6), where=counts > 0)  # what a row weighs
    with np.errstate(invalid="ignore", divide="ignore"):
        own = [
            float(measure(replace(matrix, **{name: max(count - row, 0)}))) if count else 0.0
            for name, count, row in zip(names, counts, one, strict=True)
        ]
    away = np.zeros(6)
    known = np.where(np.isfinite(own), own, 0.0)
    for cells in ([0, 1, 4], [2, 3, 5]):  # each class by itself
        rows = counts[cells]
        if rows.any():
            away[cells] = rows @ known[cells] / rows.sum() - known[cells]
    rows = np.divide(counts**2, squares, out=np.zeros(6), where=squares > 0)
    return float(skew_of(away[:, None], rows)[0])


def _cells(matrix: ConfusionMatrix, names: list[str]) -> NDArray[np.float64]:
    return np.array([float(getattr(matrix, name)) for name in names])
