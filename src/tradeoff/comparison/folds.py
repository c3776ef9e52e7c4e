"""Tests of two models by their values on the same folds, in which rows are shared.

Folds are not independent: any two of them train on many of the same rows. Tests that forget this
find differences where there are none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, UnknownName, as_number, did_you_mean, listed
from tradeoff.measures.estimate import Estimate
from tradeoff.stats.normal import demand_level
from tradeoff.stats.significance import Test
from tradeoff.text import count, number

Numbers = NDArray[np.float64]

CORRECTED = "corrected t"
CORRELATED = "Bayesian correlated t"
FIVE_BY_TWO = {"f": "5x2 folds, combined F", "t": "5x2 folds, t"}
SAME = "both models have the same value in every fold"


class Compared(NamedTuple):
    """How far the first model lies above the second, and whether that may be luck."""

    difference: Estimate
    test: Test


@dataclass(frozen=True)
class Rope:
    """How probable it is that either model is better, or that both are as good in practice.

    Differences are first minus second; those within `rope` of 0 do not matter. The probabilities
    add to 1. `value`, `low` and `high` are the difference to expect and the interval that holds
    it with a probability of `level`.

    Example:
        >>> Rope(0.72, 0.25, 0.03, rope=0.01, value=0.016, low=-0.012, high=0.044, level=0.95)
        Rope(first better 72.0 %, as good 25.0 %, second better 3.0 %)
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
        """Whether there are probabilities."""
        return not math.isnan(self.equivalent)

    def __repr__(self) -> str:
        """One line: the three probabilities, or why there are none."""
        if not self.is_defined:
            return f"Rope(undefined: {self.reason})"
        parts = {
            "first better": self.first_better,
            "as good": self.equivalent,
            "second better": self.second_better,
        }
        return f"Rope({', '.join(f'{name} {100 * part:.1f} %' for name, part in parts.items())})"


def corrected_t(  # noqa: PLR0913 - the design of the folds can be told in three ways
    first: Any,
    second: Any,
    *,
    test_share: float | None = None,
    test_rows: float | None = None,
    train_rows: float | None = None,
    runs: int = 1,
    level: float = 0.95,
) -> Compared:
    """Whether the values of two models on the same folds differ by more than luck.

    A t-test whose variance counts that folds share rows: 1 / values + tested / trained rows
    (Nadeau & Bengio 2003, doi:10.1023/A:1024068626366), for repeated cross-validation as Bouckaert
    & Frank 2004 (doi:10.1007/978-3-540-24775-3_3) have it. Without a word on the rows, they are
    folds of `runs` cross-validations. Folds in which a value is undefined are left out.

    Args:
        first: The first model's value in each fold, of all runs one after the other.
        second: The second model's, in the same order.
        test_share: The share of all rows that each fold tests, for random splits.
        test_rows: Or how many rows each fold tests,
        train_rows: and on how many it trains.
        runs: How often cross-validation was repeated, if these are its folds.
        level: How sure the interval of the difference shall be.

    Example:
        >>> compared = corrected_t([0.82, 0.85, 0.80, 0.84, 0.83], [0.80, 0.82, 0.81, 0.80, 0.81])
        >>> compared.difference
        Estimate(difference = 0.0200, 95 % from -0.0148 to 0.0548)
        >>> compared.test
        Test(corrected t of 5 folds: 1.5936, p = 0.1862)
    """
    from scipy.special import stdtr, stdtrit

    level = demand_level(level)
    apart, size = _differences(first, second)
    ratio = _tested_over_trained(len(apart), test_share, test_rows, train_rows, runs)
    apart, note = _finite(apart)
    name = f"corrected t of {count(len(apart))} folds"
    value = float(apart.mean()) if len(apart) else math.nan
    reason = _why_not(apart, size)
    if reason is not None:
        return _untested(name, value, reason, note)
    degrees, error = len(apart) - 1.0, _error(apart, ratio)
    t = value / error
    half = error * float(stdtrit(degrees, (1 + level) / 2))
    p_value = float(2 * stdtr(degrees, -abs(t)))
    return Compared(
        Estimate("difference", value, None, note, value - half, value + half, level, CORRECTED),
        Test(f"{name}: {number(t)}", t, p_value, CORRECTED, degrees, note=note),
    )


def five_by_two(first: Any, second: Any, method: str = "f") -> Test:
    """Whether two models differ over five cross-validations of two folds each.

    "f" is Alpaydin's combined F with 10 and 5 degrees of freedom (1999,
    doi:10.1162/089976699300016007), which uses all ten differences; "t" is Dietterich's t with 5
    (1998, doi:10.1162/089976698300017197), which lets the very first one decide.

    Args:
        first: The first model's values: five rows of two.
        second: The second model's values, of the same folds.
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
            f"There are {listed(FIVE_BY_TWO)}."
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
    apart = flat.reshape(5, 2)
    spread = float(((apart - apart.mean(axis=1, keepdims=True)) ** 2).sum())
    if spread <= 10 * _dust(size) ** 2:
        if np.abs(flat).max() <= _dust(size):
            return Test(name, 0.0, 1.0, name, note=SAME)
        return Test.undefined(name, name, "both folds of every run have the same difference")
    if method == "t":
        t = float(apart[0, 0] / math.sqrt(spread / 5))
        return Test(f"{name}: {number(t)}", t, float(2 * stdtr(5, -abs(t))), name, 5.0)
    f = float((apart**2).sum() / (2 * spread))
    return Test(f"{name}: {number(f)}", f, float(fdtrc(10, 5, f)), name)


def bayesian_rope(  # noqa: PLR0913 - the folds, what matters, and how they hang together
    first: Any,
    second: Any,
    rope: float,
    *,
    correlation: float | None = None,
    runs: int = 1,
    level: float = 0.95,
) -> Rope:
    """How probable it is that one model is better, or that both are as good in practice.

    The Bayesian correlated t-test (Corani & Benavoli 2015, doi:10.1007/s10994-015-5486-z; Benavoli
    et al. 2017, JMLR 18, 77). For values of which high ones are good. Folds in which a value is
    undefined are left out.

    Args:
        first: The first model's value in each fold, of all runs one after the other.
        second: The second model's, in the same order.
        rope: Differences up to this do not matter in practice.
        correlation: Between folds; without it 1 / folds of one run.
        runs: How often cross-validation was repeated.
        level: How probable it shall be that the interval holds the difference.

    Example:
        >>> bayesian_rope([0.82, 0.85, 0.80, 0.84, 0.83], [0.80, 0.82, 0.81, 0.80, 0.81], 0.01)
        Rope(first better 76.5 %, as good 19.8 %, second better 3.8 %)
    """
    from scipy.special import stdtr, stdtrit

    level = demand_level(level)
    rope = as_number(rope, "A rope")
    if not 0 <= rope < math.inf:
        raise InputError(f"A rope is a finite number from 0 on, not {rope:g}.")
    apart, size = _differences(first, second)
    rho = _correlation(len(apart), correlation, runs)
    apart, note = _finite(apart)
    reason = _why_not(apart, size)
    value = float(apart.mean()) if len(apart) else math.nan
    unknown = math.nan
    if reason == SAME:
        told = _joined(SAME, note)
        return Rope(0.0, 1.0, 0.0, rope, 0.0, unknown, unknown, level, rho, note=told)
    if reason is not None:
        none = (unknown, unknown, unknown, rope, value, unknown, unknown, level, rho)
        return Rope(*none, reason=reason, note=note)
    degrees, error = len(apart) - 1, _error(apart, rho / (1 - rho))
    better, worse = (float(stdtr(degrees, (side - rope) / error)) for side in (value, -value))
    half = error * float(stdtrit(degrees, (1 + level) / 2))
    equal = max(1 - better - worse, 0.0)
    return Rope(
        better, equal, worse, rope, value, value - half, value + half, level, rho, note=note
    )


def _differences(first: Any, second: Any) -> tuple[Numbers, float]:
    """First minus second in every fold, and the size of the values: rounding grows with it."""
    one, other = _values(first, 1), _values(second, 1)
    if one.shape != other.shape:
        raise InputError(
            "Both models need values on the same folds, but there are "
            f"{len(one):,} and {len(other):,}."
        )
    if len(one) < 2:
        raise InputError(f"2 folds or more are needed, not {len(one)}.")
    both = np.abs(np.concatenate([one, other]))
    # Infinite values have no difference: NaN without a warning.
    with np.errstate(invalid="ignore"):
        return one - other, float(np.max(both[np.isfinite(both)], initial=0.0))


def _values(given: Any, axes: int) -> Numbers:
    try:
        values = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise InputError("The values of folds are numbers, equally many in every run.") from None
    if values.ndim != axes:
        shape = "one after the other" if axes == 1 else "in five rows of two"
        raise InputError(f"Values of folds stand {shape}, not in a shape of {values.shape}.")
    return values


def _finite(apart: Numbers) -> tuple[Numbers, str | None]:
    """The differences that exist, and a note on the folds left out."""
    known = np.isfinite(apart)
    if known.all():
        return apart, None
    left = len(apart) - int(known.sum())
    return apart[known], f"left out: {left} of {len(apart)} folds, where a model has no value"


def _untested(name: str, value: float, reason: str, note: str | None) -> Compared:
    """What can be said without any spread of the differences: no interval, and no test."""
    value = 0.0 if reason == SAME else value
    if math.isnan(value):
        told = Estimate("difference", value, reason, note, method=CORRECTED)
    else:
        told = Estimate("difference", value, None, _joined(reason, note), method=CORRECTED)
    if reason == SAME:
        return Compared(told, Test(name, 0.0, 1.0, CORRECTED, note=_joined(SAME, note)))
    return Compared(told, Test.undefined(name, CORRECTED, reason, note))


def _why_not(apart: Numbers, size: float) -> str | None:
    """Why differences cannot be tested; `SAME` if there are none at all."""
    if len(apart) < 2:
        return "fewer than 2 folds have values of both models"
    if np.abs(apart).max() <= _dust(size):
        return SAME
    if np.ptp(apart) <= _dust(size):
        alike = number(float(apart.mean()))
        return f"every fold has the same difference, {alike}: there is no spread to judge it by"
    return None


def _dust(size: float) -> float:
    """Differences of values of this size are rounding if they are no larger than this."""
    return 8 * float(np.finfo(np.float64).eps) * size


def _error(apart: Numbers, ratio: float) -> float:
    return math.sqrt(float(apart.var(ddof=1)) * (1 / len(apart) + ratio))


def _tested_over_trained(
    folds: int, share: float | None, tested: float | None, trained: float | None, runs: int
) -> float:
    """Tested rows over those trained on, in each fold."""
    if share is not None:
        if tested is not None or trained is not None:
            raise InputError("Give the share of rows tested or their numbers, not both.")
        if not 0 < as_number(share, "A share of rows") < 1:
            raise InputError(f"The share of rows tested lies between 0 and 1, not at {share:g}.")
        return share / (1 - share)
    if (tested is None) != (trained is None):
        raise InputError("Give both test_rows and train_rows, or neither.")
    if tested is not None and trained is not None:
        for rows in (tested, trained):
            if not 0 < as_number(rows, "A number of rows") < math.inf:
                raise InputError(f"Rows tested and trained on are more than 0, not {rows:g}.")
        return tested / trained
    return 1 / (_folds_of_one_run(folds, runs) - 1)


def _correlation(folds: int, correlation: float | None, runs: int) -> float:
    if correlation is None:
        return 1 / _folds_of_one_run(folds, runs)
    if not 0 <= as_number(correlation, "A correlation") < 1:
        raise InputError(
            f"The correlation between folds is at least 0 and below 1, not {correlation:g}."
        )
    return float(correlation)


def _folds_of_one_run(values: int, runs: int) -> int:
    if isinstance(runs, bool) or not isinstance(runs, int | np.integer) or runs < 1:
        raise InputError(f"Runs are a whole number from 1 on, not {runs!r}.")
    if values % runs or values // runs < 2:
        raise InputError(
            f"{values} values cannot be {runs} runs of equally many folds, 2 or more each."
        )
    return values // int(runs)


def _joined(one: str, other: str | None) -> str:
    return one if other is None else f"{one}; {other}"
