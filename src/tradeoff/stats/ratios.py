"""Confidence intervals for odds ratios, likelihood ratios and predictive values.

Counts may be arrays, and real numbers where rows have weights.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, format_list
from tradeoff.formatting import format_number
from tradeoff.stats.normal import critical_value
from tradeoff.stats.proportions import require_counts, require_hits_and_trials

Numbers = NDArray[np.float64]

NEGLIGIBLE = 1e-12
"""Cells with a smaller proportion of the rows count as empty: sums of weights are not exact."""


class RatioInterval(NamedTuple):
    """Ratios with the limits and methods of their confidence intervals: arrays of the same shape.

    The interval always contains the value: if a cell is empty and the value is 0, 1 or infinite, it
    extends that far. An undefined value has no interval.
    """

    value: Numbers
    low: Numbers
    high: Numbers
    method: NDArray[np.str_]


def odds_ratio_interval(tp: Any, fn: Any, fp: Any, tn: Any, level: float = 0.95) -> RatioInterval:
    """Diagnostic odds ratio with its Woolf logit confidence interval.

    Its logarithm is approximately normal (Woolf 1955, doi:10.1111/j.1469-1809.1955.tb01348.x). If a
    cell is empty, 1/2 is added to every cell for the interval (Haldane 1956, Anscombe 1956), but
    not for the value.

    Example:
        >>> interval = odds_ratio_interval(10, 5, 15, 70)
        >>> [round(float(part), 4) for part in interval[:3]]
        [9.3333, 2.784, 31.2903]
    """
    z = critical_value(level)
    cells = np.broadcast_arrays(*require_counts(tp=tp, fn=fn, fp=fp, tn=tn))
    (tp, fn), (fp, tn) = _drop_residues(*cells[:2]), _drop_residues(*cells[2:])
    is_empty = _has_empty_cell((tp, fn, fp, tn))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (tp * tn) / (fp * fn)
    a, b, c, d = (cell + 0.5 * is_empty for cell in (tp, fn, fp, tn))
    middle = np.log(a) + np.log(d) - np.log(b) - np.log(c)
    half_width = z * np.sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return _include_value(
        value,
        _exponential_bounds(middle, half_width),
        np.where(is_empty, "Woolf, with 1/2 added", "Woolf"),
    )


def likelihood_ratio_interval(
    hits1: Any, trials1: Any, hits2: Any, trials2: Any, level: float = 0.95
) -> RatioInterval:
    """Likelihood ratio (ratio of two independent proportions) with its log confidence interval.

    The first proportion is that among positives, the second that among negatives: of rows predicted
    positive for LR+, of rows predicted negative for LR-. The logarithm is approximately
    normal (Simel, Samsa & Matchar 1991, doi:10.1016/0895-4356(91)90128-V; Katz et al. 1978,
    doi:10.2307/2530610). If a cell is empty, 1/2 is added to every cell for the interval.

    Example:
        >>> interval = likelihood_ratio_interval(10, 15, 15, 85)
        >>> [round(float(part), 4) for part in interval[:3]]
        [3.7778, 2.1105, 6.7621]
        >>> interval = likelihood_ratio_interval(10, 15, 0, 85)
        >>> str(interval.method), round(float(interval.low), 2), float(interval.high)
        ('log, with 1/2 added', 6.96, inf)
    """
    z = critical_value(level)
    cells = _cells(hits1, trials1, hits2, trials2)
    is_empty = _has_empty_cell(cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = (cells[0] / (cells[0] + cells[1])) / (cells[2] / (cells[2] + cells[3]))
    middle, half_width = _log_ratio(cells, np.where(is_empty, 0.5, 0.0), z)
    return _include_value(
        value,
        _exponential_bounds(middle, half_width),
        np.where(is_empty, "log, with 1/2 added", "log"),
    )


def predictive_value_interval(  # noqa: PLR0913, PLR0917 - two proportions, a prevalence, two options
    tpr_hits: Any,
    positives: Any,
    fpr_hits: Any,
    negatives: Any,
    prevalence: Any,
    level: float = 0.95,
    which: Literal["positive", "negative"] = "positive",
) -> RatioInterval:
    """Predictive value at a given prevalence, with its logit confidence interval.

    Its logit is approximately normal (Mercaldo, Lau & Zhou 2007, doi:10.1002/sim.2677). If a rate
    is 0 or 1, z²/2 rows are added to every cell for the interval, as in their adjusted version, but
    not for the value.

    Args:
        tpr_hits: True positives.
        positives: All positives.
        fpr_hits: False positives.
        negatives: All negatives.
        prevalence: Proportion of positives where predictions will be used.
        level: Confidence level.
        which: "positive" or "negative" predictive value.

    Example:
        >>> interval = predictive_value_interval(240, 418, 87, 375, prevalence=0.03)
        >>> [round(float(part), 4) for part in interval[:3]]
        [0.0711, 0.0589, 0.0856]
    """
    if which not in {"positive", "negative"}:
        raise UnknownName(
            f"No predictive value is called {which!r}. "
            f"Available: {format_list(['positive', 'negative'])}."
        )
    z = critical_value(level)
    prior = np.asarray(prevalence, np.float64)
    if not np.all((prior > 0) & (prior < 1)):
        invalid_prior = prior[~((prior > 0) & (prior < 1))].flat[0]
        raise InputError(
            f"A prevalence must be between 0 and 1, not {format_number(float(invalid_prior))}."
        )
    true_positives, false_negatives, false_positives, true_negatives = _cells(
        tpr_hits, positives, fpr_hits, negatives
    )
    # The negative predictive value is the positive one with the classes exchanged.
    cells = (true_positives, false_negatives, false_positives, true_negatives)
    if which == "negative":
        cells, prior = (true_negatives, false_positives, false_negatives, true_positives), 1 - prior
    is_empty = _has_empty_cell(cells)
    with np.errstate(divide="ignore", invalid="ignore"):
        true_positive_mass = cells[0] / (cells[0] + cells[1]) * prior
        value = true_positive_mass / (
            true_positive_mass + cells[2] / (cells[2] + cells[3]) * (1 - prior)
        )
    middle, half_width = _log_ratio(cells, np.where(is_empty, z**2 / 2, 0.0), z)
    middle = middle + np.log(prior) - np.log1p(-prior)
    # From the odds against: 1 / (1 + odds) is accurate near 0.
    upper, lower = (1 / (1 + odds) for odds in _exponential_bounds(-middle, half_width))
    return _include_value(
        value, (lower, upper), np.where(is_empty, "logit, with z²/2 added", "logit")
    )


def _cells(hits1: Any, trials1: Any, hits2: Any, trials2: Any) -> tuple[Numbers, ...]:
    """Cells of a 2 × 2 table: hits and misses in the first group of rows, then in the second."""
    first, second = (
        require_hits_and_trials(hits1, trials1, "1"),
        require_hits_and_trials(hits2, trials2, "2"),
    )
    hits1, trials1, hits2, trials2 = np.broadcast_arrays(*first, *second)
    return *_drop_residues(hits1, trials1 - hits1), *_drop_residues(hits2, trials2 - hits2)


def _drop_residues(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers]:
    """Two cells, with the rounding residues of sums of weights set to 0."""
    negligible = NEGLIGIBLE * (first + second)
    return np.where(first <= negligible, 0.0, first), np.where(second <= negligible, 0.0, second)


def _has_empty_cell(cells: tuple[Numbers, ...]) -> NDArray[np.bool_]:
    a, b, c, d = cells
    return np.asarray((a == 0) | (b == 0) | (c == 0) | (d == 0))


def _log_ratio(
    cells: tuple[Numbers, ...], correction: Numbers, z: float
) -> tuple[Numbers, Numbers]:
    """Logarithm of a ratio of proportions, and the half-width of its interval."""
    a, b, c, d = (cell + correction for cell in cells)
    middle = np.log(a) - np.log(a + b) - np.log(c) + np.log(c + d)
    # 1/a - 1/(a + b), without cancellation.
    return middle, z * np.sqrt(b / (a * (a + b)) + d / (c * (c + d)))


def _exponential_bounds(middle: Numbers, half_width: Numbers) -> tuple[Numbers, Numbers]:
    with np.errstate(over="ignore", under="ignore"):
        return np.exp(middle - half_width), np.exp(middle + half_width)


def _include_value(
    value: Numbers, bounds: tuple[Numbers, Numbers], method: NDArray[np.str_]
) -> RatioInterval:
    """Widen an interval so that it contains its value."""
    value = np.asarray(value)  # if it is NaN, so are both limits
    return RatioInterval(value, np.minimum(bounds[0], value), np.maximum(bounds[1], value), method)
