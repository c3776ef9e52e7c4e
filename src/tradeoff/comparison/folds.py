"""Tests for a difference between two models, from their values on cross-validation folds.

Folds are not independent: any two of them share most of their training rows. Tests that ignore this
find differences where there are none.
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
from tradeoff.formatting import format_count, format_number, format_percent
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.interval_methods import require_level
from tradeoff.stats.significance import Test

Numbers = NDArray[np.float64]

CORRECTED_T = "corrected t"
BAYESIAN_T = "Bayesian correlated t"
FIVE_BY_TWO_METHODS = {"f": "5x2 folds, combined F", "t": "5x2 folds, t"}
SAME_VALUES = "both models have the same value in every fold"


class FoldComparison(NamedTuple):
    """Mean difference between two models over folds, and its corrected t-test."""

    difference: Estimate
    test: Test


@dataclass(frozen=True)
class Rope:
    """Posterior probabilities that either model is better, or that both are practically equivalent.

    Differences are first minus second; those within `rope` of 0 (the region of practical
    equivalence) do not matter. The probabilities sum to 1. `value`, `low` and `high` are the
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
    method: str = BAYESIAN_T
    reason: str | None = None
    note: str | None = None

    @property
    def is_defined(self) -> bool:
        """Whether the probabilities are defined."""
        return not math.isnan(self.equivalent)

    def __repr__(self) -> str:
        """One line: the three probabilities, or why they are undefined."""
        if not self.is_defined:
            return f"Rope(undefined: {self.reason})"
        probabilities = {
            "first better": self.first_better,
            "equivalent": self.equivalent,
            "second better": self.second_better,
        }
        parts = (f"{name} {format_percent(p)}" for name, p in probabilities.items())
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
    & Frank 2004, doi:10.1007/978-3-540-24775-3_3). By default, the folds are those of `runs`
    cross-validations. Folds in which a value is undefined are left out.

    Args:
        first: Value of the first model in each fold, all runs one after the other.
        second: Value of the second model, in the same order.
        test_share: Proportion of all rows in each test fold, for random splits.
        test_rows: Number of test rows in each fold (instead of `test_share`).
        train_rows: Number of training rows in each fold.
        runs: Number of repeats of the cross-validation.
        level: Confidence level of the interval for the difference.

    Example:
        >>> compared = corrected_t([0.82, 0.85, 0.80, 0.84, 0.83], [0.80, 0.82, 0.81, 0.80, 0.81])
        >>> compared.difference
        0.0200 (95% CI -0.0148 to 0.0548, corrected t)
        >>> compared.test
        Test(corrected t of 5 folds: 1.5936, p = 0.19)
    """
    from scipy.special import stdtr, stdtrit

    level = require_level(level)
    differences, magnitude = _differences(first, second)
    ratio = _test_train_ratio(len(differences), test_share, test_rows, train_rows, runs)
    differences, note = _finite_differences(differences)
    name = f"corrected t of {format_count(len(differences))} folds"
    value = float(differences.mean()) if len(differences) else math.nan
    reason = _no_test_reason(differences, magnitude)
    if reason is not None:
        return _comparison_without_test(name, value, reason, note)
    degrees_of_freedom = len(differences) - 1.0
    standard_error = _corrected_standard_error(differences, ratio)
    t = value / standard_error
    half_width = standard_error * float(stdtrit(degrees_of_freedom, (1 + level) / 2))
    low, high = value - half_width, value + half_width
    p_value = float(2 * stdtr(degrees_of_freedom, -abs(t)))
    return FoldComparison(
        Estimate("difference", value, None, note, low, high, level, CORRECTED_T),
        Test(f"{name}: {format_number(t)}", t, p_value, CORRECTED_T, degrees_of_freedom, note=note),
    )


@suggest_arguments
def five_by_two(first: Any, second: Any, method: str = "f") -> Test:
    """5x2 cross-validation test of two models: Alpaydin's combined F or Dietterich's t.

    "f" is Alpaydin's combined F with 10 and 5 degrees of freedom (1999,
    doi:10.1162/089976699300016007), which uses all ten differences; "t" is Dietterich's t with 5
    degrees of freedom (1998, doi:10.1162/089976698300017197), whose numerator is the first
    difference.

    Args:
        first: Values of the first model: five rows of two.
        second: Values of the second model on the same folds.
        method: "f" or "t".

    Example:
        >>> first = [[0.8, 0.9], [0.8, 0.7], [0.9, 0.8], [0.7, 0.9], [0.8, 0.8]]
        >>> second = [[0.7, 0.7], [0.8, 0.6], [0.8, 0.8], [0.7, 0.8], [0.6, 0.8]]
        >>> five_by_two(first, second)
        Test(5x2 folds, combined F: 1.5000, p = 0.34)
    """
    from scipy.special import fdtrc, stdtr

    if method not in FIVE_BY_TWO_METHODS:
        raise UnknownName(
            f"The 5x2 test has no method {method!r}."
            f"{did_you_mean(str(method), FIVE_BY_TWO_METHODS)} Available methods: "
            f"{format_list(FIVE_BY_TWO_METHODS)}."
        )
    values = [_fold_values(data, 2) for data in (first, second)]
    if any(model_values.shape != (5, 2) for model_values in values):
        raise InputError(
            "The 5x2 test needs five rows of two values for each model, not shapes of "
            f"{values[0].shape} and {values[1].shape}."
        )
    name = FIVE_BY_TWO_METHODS[method]
    fold_differences, magnitude = _differences(values[0].ravel(), values[1].ravel())
    if not np.isfinite(fold_differences).all():
        missing_count = int((~np.isfinite(fold_differences)).sum())
        return Test.undefined(name, name, f"a model has no value in {missing_count} of 10 folds")
    differences = fold_differences.reshape(5, 2)
    sum_of_squares = float(((differences - differences.mean(axis=1, keepdims=True)) ** 2).sum())
    if sum_of_squares <= 10 * _rounding_error(magnitude) ** 2:
        if np.abs(fold_differences).max() <= _rounding_error(magnitude):
            return Test(name, 0.0, 1.0, name, note=SAME_VALUES)
        return Test.undefined(name, name, "both folds of every run have the same difference")
    if method == "t":
        t = float(differences[0, 0] / math.sqrt(sum_of_squares / 5))
        return Test(f"{name}: {format_number(t)}", t, float(2 * stdtr(5, -abs(t))), name, 5.0)
    f = float((differences**2).sum() / (2 * sum_of_squares))
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

    Returns the posterior probabilities that either model is better, or that they are practically
    equivalent (Corani & Benavoli 2015, doi:10.1007/s10994-015-5486-z; Benavoli et al. 2017, JMLR
    18, 77), for metrics where higher is better. Folds in which a value is undefined are left out.

    Args:
        first: Value of the first model in each fold, all runs one after the other.
        second: Value of the second model, in the same order.
        rope: Largest difference that does not matter in practice.
        correlation: Correlation between folds; by default 1 / number of folds in a run.
        runs: Number of repeats of the cross-validation.
        level: Probability of the credible interval for the difference.

    Example:
        >>> bayesian_rope([0.82, 0.85, 0.80, 0.84, 0.83], [0.80, 0.82, 0.81, 0.80, 0.81], 0.01)
        Rope(first better 76.5%, equivalent 19.8%, second better 3.8%)
    """
    from scipy.special import stdtr, stdtrit

    level = require_level(level)
    rope = require_number(rope, "rope")
    if not 0 <= rope < math.inf:
        raise InputError(f"rope must be finite and 0 or more, not {rope:g}.")
    differences, magnitude = _differences(first, second)
    rho = _correlation(len(differences), correlation, runs)
    differences, note = _finite_differences(differences)
    reason = _no_test_reason(differences, magnitude)
    value = float(differences.mean()) if len(differences) else math.nan
    nan = math.nan
    if reason == SAME_VALUES:
        note = _join_notes(SAME_VALUES, note)
        return Rope(0.0, 1.0, 0.0, rope, 0.0, nan, nan, level, rho, note=note)
    if reason is not None:
        return Rope(nan, nan, nan, rope, value, nan, nan, level, rho, reason=reason, note=note)
    degrees_of_freedom = len(differences) - 1
    standard_error = _corrected_standard_error(differences, rho / (1 - rho))
    first_better, second_better = (
        float(stdtr(degrees_of_freedom, (mean - rope) / standard_error)) for mean in (value, -value)
    )
    half_width = standard_error * float(stdtrit(degrees_of_freedom, (1 + level) / 2))
    low, high = value - half_width, value + half_width
    equivalent = max(1 - first_better - second_better, 0.0)
    return Rope(
        first_better, equivalent, second_better, rope, value, low, high, level, rho, note=note
    )


def _differences(first: Any, second: Any) -> tuple[Numbers, float]:
    """Per-fold differences, and the magnitude of the values, which sets the rounding error."""
    first_values, second_values = _fold_values(first, 1), _fold_values(second, 1)
    if first_values.shape != second_values.shape:
        raise InputError(
            "Both models need values on the same folds, but they have "
            f"{len(first_values):,} and {len(second_values):,} values."
        )
    if len(first_values) < 2:
        raise InputError(f"At least 2 folds are needed, not {len(first_values)}.")
    magnitudes = np.abs(np.concatenate([first_values, second_values]))
    with np.errstate(invalid="ignore"):  # the difference of two infinite values is NaN
        differences = first_values - second_values
    return differences, float(np.max(magnitudes[np.isfinite(magnitudes)], initial=0.0))


def _fold_values(data: Any, dimensions: int) -> Numbers:
    try:
        values = np.asarray(data, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            "Fold values must be numbers, with the same number of folds in every run."
        ) from None
    if values.ndim != dimensions:
        shape = "in one dimension" if dimensions == 1 else "in five rows of two"
        raise InputError(f"Fold values must be {shape}, not of shape {values.shape}.")
    return values


def _finite_differences(differences: Numbers) -> tuple[Numbers, str | None]:
    """The finite differences, and a note on the folds left out."""
    is_finite = np.isfinite(differences)
    if is_finite.all():
        return differences, None
    missing_count = len(differences) - int(is_finite.sum())
    note = f"left out: {missing_count} of {len(differences)} folds, where a model has no value"
    return differences[is_finite], note


def _comparison_without_test(
    name: str, value: float, reason: str, note: str | None
) -> FoldComparison:
    """Fold comparison whose difference has no interval and no test, with the reason why."""
    value = 0.0 if reason == SAME_VALUES else value
    notes = _join_notes(reason, note)
    if math.isnan(value):
        estimate = Estimate("difference", value, reason, note, method=CORRECTED_T)
    else:
        estimate = Estimate("difference", value, None, notes, method=CORRECTED_T)
    if reason == SAME_VALUES:
        return FoldComparison(estimate, Test(name, 0.0, 1.0, CORRECTED_T, note=notes))
    return FoldComparison(estimate, Test.undefined(name, CORRECTED_T, reason, note))


def _no_test_reason(differences: Numbers, magnitude: float) -> str | None:
    """Why the differences cannot be tested, or None; `SAME_VALUES` if all of them are 0."""
    if len(differences) < 2:
        return "fewer than 2 folds have values for both models"
    if np.abs(differences).max() <= _rounding_error(magnitude):
        return SAME_VALUES
    if np.ptp(differences) <= _rounding_error(magnitude):
        mean = format_number(float(differences.mean()))
        return f"every fold has the same difference, {mean}: it has no variance"
    return None


def _rounding_error(magnitude: float) -> float:
    """Largest difference between values of this magnitude that may be due to rounding."""
    return 8 * float(np.finfo(np.float64).eps) * magnitude


def _corrected_standard_error(differences: Numbers, ratio: float) -> float:
    return math.sqrt(float(differences.var(ddof=1)) * (1 / len(differences) + ratio))


def _test_train_ratio(
    fold_count: int,
    test_share: float | None,
    test_rows: float | None,
    train_rows: float | None,
    runs: int,
) -> float:
    """Ratio of test rows to training rows in each fold."""
    if test_share is not None:
        if test_rows is not None or train_rows is not None:
            raise InputError("Give test_share, or test_rows and train_rows, not both.")
        if not 0 < require_number(test_share, "test_share") < 1:
            raise InputError(f"test_share must be between 0 and 1, not {test_share:g}.")
        return test_share / (1 - test_share)
    if (test_rows is None) != (train_rows is None):
        raise InputError("Give both test_rows and train_rows, or neither.")
    if test_rows is not None and train_rows is not None:
        for name, rows in (("test_rows", test_rows), ("train_rows", train_rows)):
            if not 0 < require_number(rows, name) < math.inf:
                raise InputError(f"test_rows and train_rows must be above 0, not {rows:g}.")
        return test_rows / train_rows
    return 1 / (_folds_per_run(fold_count, runs) - 1)


def _correlation(fold_count: int, correlation: float | None, runs: int) -> float:
    if correlation is None:
        return 1 / _folds_per_run(fold_count, runs)
    if not 0 <= require_number(correlation, "correlation") < 1:
        raise InputError(f"correlation must be at least 0 and below 1, not {correlation:g}.")
    return float(correlation)


def _folds_per_run(fold_count: int, runs: int) -> int:
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise InputError(f"runs must be an integer of 1 or more, not {runs!r}.")
    if fold_count % runs or fold_count // runs < 2:
        raise InputError(
            f"{fold_count} values are not {runs} runs with the same number of folds, at least 2 "
            "each."
        )
    return fold_count // int(runs)


def _join_notes(note: str, other: str | None) -> str:
    return note if other is None else f"{note}; {other}"
