"""Tests of two models by their values on the folds of a cross-validation.

Folds are not independent: any two of them share most training rows. Tests that ignore this find
differences where there are none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_number,
    suggest_arguments,
)
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.significance import Test
from tradeoff.text import format_count, format_number

Numbers = NDArray[np.float64]

CORRECTED = "corrected t"
CORRELATED = "Bayesian correlated t"
FIVE_BY_TWO = {"f": "5x2 folds, combined F", "t": "5x2 folds, t"}
SAME = "both models have the same value in every fold"


class FoldComparison(NamedTuple):
    """Difference of two models over folds, and its corrected t-test."""

    difference: Estimate
    test: Test


@dataclass(frozen=True)
class Rope:
    """Posterior probabilities that either model is better, or that both are practically equivalent.

    Differences are first minus second; those within `rope` of 0 (the region of practical
    equivalence) do not matter. The probabilities add up to 1. `value`, `low` and `high` are the
    posterior mean of the difference and its credible interval at `level`.

    Example:
        >>> Rope(0.72, 0.25, 0.03, rope=0.01, value=0.016, low=-0.012, high=0.044, level=0.95)
        Rope(first better 72.0%, equivalent 25.0%, second better 3.0%)
    """

    first_better: float
    equivalent: float
    second_better: float
    rope: float
    value: float
    low: float
    high: float
    level: float
    correlation: float = math.nan
    method: str = CORRELATED
    reason: str | None = None
    note: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether the probabilities are defined."""
        return not math.isnan(self.equivalent)

    def __repr__(self) -> str:
        """One line: the three probabilities, or why there are none."""
        if not self.is_defined:
            return f"Rope(undefined: {self.reason})"
        probabilities = {
            "first better": self.first_better,
            "equivalent": self.equivalent,
            "second better": self.second_better,
        }
        parts = (f"{name} {100 * p:.1f}%" for name, p in probabilities.items())
        return f"Rope({', '.join(parts)})"


@suggest_arguments
def corrected_t(  # noqa: PLR0913 - three ways to specify the folds
    first: Any,
    second: Any,
    *,
    test_share: float | None = None,
    test_rows: float | None = None,
    train_rows: float | None = None,
    runs: int = 1,
    level: float = 0.95,
) -> FoldComparison:
    """Corrected resampled t-test of two models on the same folds (Nadeau & Bengio).

    A t-test whose variance accounts for the rows that folds share: 1 / folds + test rows / training
    rows (Nadeau & Bengio 2003, doi:10.1023/A:1024068626366; for repeated cross-validation Bouckaert
    & Frank 2004, doi:10.1007/978-3-540-24775-3_3). By default the values are the folds of `runs`
    cross-validations. Folds in which a value is undefined are left out.

    Args:
        first: Value of the first model in each fold, all runs one after the other.
        second: Value of the second model, in the same order.
        test_share: Share of all rows in each test fold, for random splits.
        test_rows: Number of test rows in each fold (instead of `test_share`).
        train_rows: Number of training rows in each fold.
        runs: Number of repeats of the cross-validation.
        level: Confidence level of the interval of the difference.

    Example:
        >>> compared = corrected_t([0.82, 0.85, 0.80, 0.84, 0.83], [0.80, 0.82, 0.81, 0.80, 0.81])
        >>> compared.difference
        0.0200 (95% CI -0.0148 to 0.0548, corrected t)
        >>> compared.test
        Test(corrected t of 5 folds: 1.5936, p = 0.1862)
    """
    from scipy.special import stdtr, stdtrit

    level = require_level(level)
    differences, size = _differences(first, second)
    ratio = _test_train_ratio(len(differences), test_share, test_rows, train_rows, runs)
    differences, note = _finite(differences)
    name = f"corrected t of {format_count(len(differences))} folds"
    value = float(differences.mean()) if len(differences) else math.nan
    reason = _untestable_reason(differences, size)
    if reason is not None:
        return _untested(name, value, reason, note)
    degrees, error = len(differences) - 1.0, _error(differences, ratio)
    t = value / error
    half = error * float(stdtrit(degrees, (1 + level) / 2))
    p_value = float(2 * stdtr(degrees, -abs(t)))
    return FoldComparison(
        Estimate("difference", value, None, note, value - half, value + half, level, CORRECTED),
        Test(f"{name}: {format_number(t)}", t, p_value, CORRECTED, degrees, note=note),
    )


@suggest_arguments
def five_by_two(first: Any, second: Any, method: str = "f") -> Test:
    """5x2 cross-validation test of two models: Alpaydin's combined F or Dietterich's t.

    "f" is Alpaydin's combined F with 10 and 5 degrees of freedom (1999,
    doi:10.1162/089976699300016007), which uses all ten differences; "t" is Dietterich's t with 5
    degrees of freedom (1998, doi:10.1162/089976698300017197), whose numerator is the first one.

    Args:
        first: Values of the first model: five rows of two.
        second: Values of the second model on the same folds.
        method: "f" or "t".

    Example:
        >>> first = [[0.8, 0.9], [0.8, 0.7], [0.9, 0.8], [0.7, 0.9], [0.8, 0.8]]
        >>> second = [[0.7, 0.7], [0.8, 0.6], [0.8, 0.8], [0.7, 0.8], [0.6, 0.8]]
        >>> five_by_two(first, second)
        Test(5x2 folds, combined F: 1.5000, p = 0.3425)
    """
    from scipy.special import fdtrc, stdtr

    if method not in FIVE_BY_TWO:
        raise UnknownName(
            f"The 5x2 test has no method {method!r}.{did_you_mean(str(method), FIVE_BY_TWO)} "
            f"There are {format_list(FIVE_BY_TWO)}."
        )
    values = [_values(side, 2) for side in (first, second)]
    if any(side.shape != (5, 2) for side in values):
        raise InputError(
            "The 5x2 test needs five rows of two values of each model, not shapes of "
            f"{values[0].shape} and {values[1].shape}."
        )
    name = FIVE_BY_TWO[method]
    flat, size = _differences(values[0].ravel(), values[1].ravel())
    if not np.isfinite(flat).all():
        missing = int((~np.isfinite(flat)).sum())
        return Test.undefined(name, name, f"{missing} of 10 folds have no value of both models")
    differences = flat.reshape(5, 2)
    spread = float(((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum())
    if spread <= 10 * _rounding(size) ** 2:
        if np.abs(flat).max() <= _rounding(size):
            return Test(name, 0.0, 1.0, name, note=SAME)
        return Test.undefined(name, name, "both folds of every run have the same difference")
    if method == "t":
        t = float(differences[0, 0] / math.sqrt(spread / 5))
        return Test(f"{name}: {format_number(t)}", t, float(2 * stdtr(5, -abs(t))), name, 5.0)
    f = float((differences**2).sum() / (2 * spread))
    return Test(f"{name}: {format_number(f)}", f, float(fdtrc(10, 5, f)), name)


@suggest_arguments
def bayesian_rope(  # noqa: PLR0913 - folds, rope and their correlation
    first: Any,
    second: Any,
    rope: float,
    *,
    correlation: float | None = None,
    runs: int = 1,
    level: float = 0.95,
) -> Rope:
    """Bayesian correlated t-test of two models on the same folds, with a ROPE.

    The posterior probabilities that either model is better, or that they are practically equivalent
    (Corani & Benavoli 2015, doi:10.1007/s10994-015-5486-z; Benavoli et al. 2017, JMLR 18, 77). For
    metrics where higher is better. Folds in which a value is undefined are left out.

    Args:
        first: Value of the first model in each fold, all runs one after the other.
        second: Value of the second model, in the same order.
        rope: Largest difference that does not matter in practice.
        correlation: Correlation between folds; by default 1 / folds of one run.
        runs: Number of repeats of the cross-validation.
        level: Probability of the credible interval of the difference.

    Example:
        >>> bayesian_rope([0.82, 0.85, 0.80, 0.84, 0.83], [0.80, 0.82, 0.81, 0.80, 0.81], 0.01)
        Rope(first better 76.5%, equivalent 19.8%, second better 3.8%)
    """
    from scipy.special import stdtr, stdtrit

    level = require_level(level)
    rope = require_number(rope, "A rope")
    if not 0 <= rope < math.inf:
        raise InputError(f"rope must be a finite number of 0 or more, not {rope:g}.")
    differences, size = _differences(first, second)
    rho = _correlation(len(differences), correlation, runs)
    differences, note = _finite(differences)
    reason = _untestable_reason(differences, size)
    value = float(differences.mean()) if len(differences) else math.nan
    unknown = math.nan
    if reason == SAME:
        note = _joined(SAME, note)
        return Rope(0.0, 1.0, 0.0, rope, 0.0, unknown, unknown, level, rho, note=note)
    if reason is not None:
        undefined = (unknown, unknown, unknown, rope, value, unknown, unknown, level, rho)
        return Rope(*undefined, reason=reason, note=note)
    degrees, error = len(differences) - 1, _error(differences, rho / (1 - rho))
    better, worse = (float(stdtr(degrees, (side - rope) / error)) for side in (value, -value))
    half = error * float(stdtrit(degrees, (1 + level) / 2))
    equivalent = max(1 - better - worse, 0.0)
    return Rope(
        better, equivalent, worse, rope, value, value - half, value + half, level, rho, note=note
    )


def _differences(first: Any, second: Any) -> tuple[Numbers, float]:
    """Differences by fold, and the magnitude of the values, with which rounding grows."""
    first_values, second_values = _values(first, 1), _values(second, 1)
    if first_values.shape != second_values.shape:
        raise InputError(
            "Both models need values on the same folds, but there are "
            f"{len(first_values):,} and {len(second_values):,}."
        )
    if len(first_values) < 2:
        raise InputError(f"At least 2 folds are needed, not {len(first_values)}.")
    magnitudes = np.abs(np.concatenate([first_values, second_values]))
    with np.errstate(invalid="ignore"):  # the difference of two infinite values is NaN
        differences = first_values - second_values
    return differences, float(np.max(magnitudes[np.isfinite(magnitudes)], initial=0.0))


def _values(data: Any, axes: int) -> Numbers:
    try:
        values = np.asarray(data, np.float64)
    except (TypeError, ValueError):
        raise InputError("Values of folds must be numbers, equally many in every run.") from None
    if values.ndim != axes:
        shape = "in one dimension" if axes == 1 else "in five rows of two"
        raise InputError(f"Values of folds must be {shape}, not of shape {values.shape}.")
    return values


def _finite(differences: Numbers) -> tuple[Numbers, str | None]:
    """The defined differences, and a note on the folds left out."""
    defined = np.isfinite(differences)
    if defined.all():
        return differences, None
    missing = len(differences) - int(defined.sum())
    note = f"left out: {missing} of {len(differences)} folds, where a model has no value"
    return differences[defined], note


def _untested(name: str, value: float, reason: str, note: str | None) -> FoldComparison:
    """Comparison of folds without an interval or test: the differences have no variance."""
    value = 0.0 if reason == SAME else value
    if math.isnan(value):
        estimate = Estimate("difference", value, reason, note, method=CORRECTED)
    else:
        estimate = Estimate("difference", value, None, _joined(reason, note), method=CORRECTED)
    if reason == SAME:
        return FoldComparison(estimate, Test(name, 0.0, 1.0, CORRECTED, note=_joined(SAME, note)))
    return FoldComparison(estimate, Test.undefined(name, CORRECTED, reason, note))


def _untestable_reason(differences: Numbers, size: float) -> str | None:
    """Why differences cannot be tested; `SAME` if all are 0."""
    if len(differences) < 2:
        return "fewer than 2 folds have values of both models"
    if np.abs(differences).max() <= _rounding(size):
        return SAME
    if np.ptp(differences) <= _rounding(size):
        mean = format_number(float(differences.mean()))
        return f"every fold has the same difference, {mean}: it has no variance"
    return None


def _rounding(size: float) -> float:
    """Largest difference of values of this magnitude that may be due to rounding."""
    return 8 * float(np.finfo(np.float64).eps) * size


def _error(differences: Numbers, ratio: float) -> float:
    return math.sqrt(float(differences.var(ddof=1)) * (1 / len(differences) + ratio))


def _test_train_ratio(
    folds: int, share: float | None, tested: float | None, trained: float | None, runs: int
) -> float:
    """Test rows divided by training rows of each fold."""
    if share is not None:
        if tested is not None or trained is not None:
            raise InputError("Give test_share, or test_rows and train_rows, not both.")
        if not 0 < require_number(share, "A share of rows") < 1:
            raise InputError(f"test_share must be between 0 and 1, not {share:g}.")
        return share / (1 - share)
    if (tested is None) != (trained is None):
        raise InputError("Give both test_rows and train_rows, or neither.")
    if tested is not None and trained is not None:
        for rows in (tested, trained):
            if not 0 < require_number(rows, "A number of rows") < math.inf:
                raise InputError(f"test_rows and train_rows must be above 0, not {rows:g}.")
        return tested / trained
    return 1 / (_folds_of_one_run(folds, runs) - 1)


def _correlation(folds: int, correlation: float | None, runs: int) -> float:
    if correlation is None:
        return 1 / _folds_of_one_run(folds, runs)
    if not 0 <= require_number(correlation, "A correlation") < 1:
        raise InputError(f"correlation must be at least 0 and below 1, not {correlation:g}.")
    return float(correlation)


def _folds_of_one_run(values: int, runs: int) -> int:
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise InputError(f"runs must be a whole number of 1 or more, not {runs!r}.")
    if values % runs or values // runs < 2:
        raise InputError(
            f"{values} values are not {runs} runs of equally many folds, at least 2 each."
        )
    return values // int(runs)


def _joined(note: str, more: str | None) -> str:
    return note if more is None else f"{note}; {more}"
