"""The binormal model of an ROC curve: tpr = Φ(a + b Φ⁻¹(fpr)), from the order of the scores alone.

After some rising transformation, which need not be known, the scores of both classes would be
normal: those of negatives with mean 0 and spread 1, those of positives with mean a/b, spread 1/b.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import UnknownName, did_you_mean, listed
from tradeoff.measures.registry import Undefined
from tradeoff.measures.summaries.areas import demand_both, rates
from tradeoff.stats.normal import quantile

Floats = NDArray[np.float64]

MOST = 100
"""So many categories of scores at most are told apart: more would not move the estimate."""
STEPS = 200
LONGEST = 2.0
"""No number moves farther in one step: far from the maximum the steps overshoot."""
SETTLED = 1e-16
"""A step that adds less to the logarithm of the likelihood, for each row, is the last."""
HOWS = ("likelihood", "regression")
TOO_FEW = (
    "a binormal model needs two thresholds at which some but not all rows of each class are "
    "called {positive}, with different rates of both"
)
NOT_FOUND = "the most likely binormal model was not found: its steps did not settle"


@dataclass(frozen=True, eq=False)
class Binormal:
    """The two numbers of a binormal model, and how sure they are together.

    Example:
        >>> model = Binormal(a=1.0, b=1.0)
        >>> round(model.area, 4), round(float(model.tpr(0.5)), 4)
        (0.7602, 0.8413)
    """

    a: float
    b: float
    covariance: Floats | None = None
    how: str = "likelihood"

    @property
    def area(self) -> float:
        """The area under the model curve: Φ(a / √(1 + b²))."""
        return _normal(self.a / sqrt(1 + self.b**2))

    def tpr(self, fpr: Any) -> Any:
        """The height of the model curve."""
        from scipy.special import ndtr, ndtri

        return ndtr(self.a + self.b * ndtri(fpr))

    def fpr(self, tpr: Any) -> Any:
        """Where the model curve has a height."""
        from scipy.special import ndtr, ndtri

        return ndtr((ndtri(tpr) - self.a) / self.b)

    def standard_error(self) -> float:
        """Of the area, by the delta method; NaN for a regression."""
        return float(_density(self.a / sqrt(1 + self.b**2)) * self._spread_of_area())

    def area_interval(self, level: float) -> tuple[float, float]:
        """The interval of the area, symmetric on the probit scale and so never outside 0 and 1."""
        middle, reach = self.a / sqrt(1 + self.b**2), quantile(level) * self._spread_of_area()
        return _normal(middle - reach), _normal(middle + reach)

    def band(self, fpr: Floats, level: float) -> tuple[Floats, Floats] | None:
        """For each fpr by itself the interval of the height, symmetric on the probit scale."""
        from scipy.special import ndtr, ndtri

        if self.covariance is None:
            return None
        low, high = np.array(self.tpr(fpr)), np.array(self.tpr(fpr))
        inside = (fpr > 0) & (fpr < 1)  # every curve begins at (0, 0) and ends at (1, 1)
        place = ndtri(fpr[inside])
        (v_a, v_ab), (_, v_b) = self.covariance
        reach = quantile(level) * np.sqrt(v_a + 2 * place * v_ab + place**2 * v_b)
        low[inside] = ndtr(self.a + self.b * place - reach)
        high[inside] = ndtr(self.a + self.b * place + reach)
        return low, high

    def area_between(self, low: float, high: float) -> float:
        """The area under the model curve from one false positive rate to another."""
        return self._area_up_to(high) - self._area_up_to(low)

    def _area_up_to(self, fpr: float) -> float:
        from scipy.special import ndtri

        if fpr <= 0 or fpr >= 1:
            return 0.0 if fpr <= 0 else self.area
        # P(X < Φ⁻¹(fpr) and Y < Φ⁻¹(area)), where X and Y are correlated by -b / √(1 + b²).
        scale = sqrt(1 + self.b**2)
        return float(both_below(ndtri(fpr), np.asarray(self.a / scale), -self.b / scale))

    def _spread_of_area(self) -> float:
        """The standard error of a / √(1 + b²)."""
        if self.covariance is None:
            return nan
        scale = 1 + self.b**2
        slope = np.array([1 / sqrt(scale), -self.a * self.b / scale**1.5])
        return sqrt(float(slope @ self.covariance @ slope))


def fit_binormal(ranking: Ranking, *, how: str = "likelihood") -> Binormal:
    """The binormal model of a ranking; `Undefined` with the reason where there is none.

    Args:
        ranking: The scored rows; only the order of the scores counts.
        how: "likelihood": the most likely model of the ordered categories of scores (Dorfman &
            Alf 1969, doi:10.1016/0022-2496(69)90019-4; of many different scores as in Metz,
            Herman & Shen 1998). "regression": the straight line of Φ⁻¹(1 - fpr) over Φ⁻¹(tpr)
            through all thresholds, as pROC draws by default; simple, without standard errors.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([8.0, 7, 6, 5, 4, 3, 2, 1])
        >>> ranking = Ranking.of(scores, np.array([1, 1, 0, 1, 0, 1, 0, 0], bool))
        >>> round(fit_binormal(ranking, how="regression").area, 4)
        0.7268
    """
    if how not in HOWS:
        raise UnknownName(
            f"No binormal model is found by {how!r}.{did_you_mean(str(how), HOWS)} "
            f"There are {listed(HOWS)}."
        )
    demand_both(ranking)
    return _by_regression(ranking) if how == "regression" else _by_likelihood(ranking)


def categories(ranking: Ranking, most: int = MOST) -> tuple[Floats, Floats]:
    """Positives and negatives of ordered categories of scores, the most positive first.

    Neighbouring scores that only rows of one class have are one category: the most likely model
    does not change by that. If there are still more than `most`, neighbours are merged until the
    categories are about equally large, both classes counting one half. Rows of one score are never
    parted.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([5.0, 4, 3, 3, 2, 1])
        >>> up, down = categories(Ranking.of(scores, np.array([1, 1, 1, 0, 0, 1], bool)))
        >>> up.tolist(), down.tolist()
        ([2.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0])
    """
    up = np.diff(ranking.true_positives).astype(np.float64)
    down = np.diff(ranking.false_positives).astype(np.float64)
    filled = (up > 0) | (down > 0)
    up, down = _one_for_each_run(up[filled], down[filled])
    if len(up) <= most:
        return up, down
    size = up / up.sum() + down / down.sum()
    middle = np.cumsum(size) - size / 2
    starts = _changes(np.floor(middle * (most / 2)))
    return _one_for_each_run(np.add.reduceat(up, starts), np.add.reduceat(down, starts))


def both_below(h: Floats, k: Floats, correlation: float) -> Floats:
    """P(X < h and Y < k) of two normal variables, by Owen's function (Owen 1956)."""
    from scipy.special import ndtr, owens_t

    rest = np.sqrt(1 - correlation**2)
    # A step too small to matter keeps the quotients of zeros meaningful.
    h, k = np.where(h == 0, 1e-200, h), np.where(k == 0, 1e-200, k)
    with np.errstate(over="ignore"):
        slopes = (k / h - correlation) / rest, (h / k - correlation) / rest
    apart = np.where((h < 0) != (k < 0), 0.5, 0.0)
    return np.asarray(
        (ndtr(h) + ndtr(k)) / 2 - owens_t(h, slopes[0]) - owens_t(k, slopes[1]) - apart
    )


def _one_for_each_run(up: Floats, down: Floats) -> tuple[Floats, Floats]:
    kind = np.where(down == 0, 1, np.where(up == 0, -1, 0))
    mixed = np.cumsum(kind == 0)  # a new number for each score that both classes have
    starts = _changes(kind + 4.0 * mixed)
    return np.add.reduceat(up, starts), np.add.reduceat(down, starts)


def _changes(values: Floats) -> NDArray[np.intp]:
    """Where a run of equal values begins."""
    return np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1])


def _by_regression(ranking: Ranking) -> Binormal:
    from scipy.special import ndtri

    tpr, fpr = rates(ranking)
    inside = _demand_two_inside(ranking, tpr, fpr)
    across, up = ndtri(tpr[inside]), -ndtri(fpr[inside])
    across_mean, up_mean = across.mean(), up.mean()
    slope = (across - across_mean) @ (up - up_mean) / ((across - across_mean) ** 2).sum()
    start = up_mean - slope * across_mean
    # The line is Φ⁻¹(1 - fpr) = start + slope Φ⁻¹(tpr) with a falling slope, read the other way.
    return Binormal(float(-start / slope), float(-1 / slope), how="regression")


def _by_likelihood(ranking: Ranking) -> Binormal:
    up, down = categories(ranking)
    tpr, fpr = (np.cumsum(counts)[:-1] / counts.sum() for counts in (up, down))
    # Two such thresholds are also enough: a or b without end then makes some row impossible, so
    # the likelihood has its maximum where both are finite.
    inside = _demand_two_inside(ranking, tpr, fpr)
    try:
        numbers = _most_likely(_start(up, down, tpr[inside], fpr[inside]), up, down)
        covariance = np.linalg.solve(slopes(numbers, up, down)[1], np.eye(len(numbers), 2))[:2]
    except np.linalg.LinAlgError:
        raise Undefined(NOT_FOUND) from None
    return Binormal(float(numbers[0]), float(numbers[1]), (covariance + covariance.T) / 2)


def _most_likely(numbers: Floats, up: Floats, down: Floats) -> Floats:
    """Newton's steps, held short and never downhill, until they gain nothing."""
    enough = SETTLED * max(up.sum() + down.sum(), 1.0)
    for _ in range(STEPS):
        gradient, information = slopes(numbers, up, down)
        step = np.asarray(np.linalg.solve(information, gradient), np.float64)
        gain = float(gradient @ step)
        numbers, moved = _advance(numbers, step, up, down)
        if gain < enough:
            return numbers
        if not moved:
            break
    raise Undefined(NOT_FOUND)


def _demand_two_inside(ranking: Ranking, tpr: Floats, fpr: Floats) -> NDArray[np.bool_]:
    inside = (tpr > 0) & (tpr < 1) & (fpr > 0) & (fpr < 1)
    if not inside.any() or not (np.ptp(tpr[inside]) > 0 and np.ptp(fpr[inside]) > 0):
        raise Undefined(TOO_FEW.format(positive=ranking.positive))
    return np.asarray(inside)


def _start(up: Floats, down: Floats, tpr: Floats, fpr: Floats) -> Floats:
    """The line through the operating points, and cut points halfway between both classes' views."""
    from scipy.special import ndtri

    across, height = ndtri(fpr), ndtri(tpr)
    slope = np.cov(across, height)[0, 1] / across.var(ddof=1)
    b = float(np.clip(slope, 0.1, 10.0))
    a = float(height.mean() - b * across.mean())
    views = []
    for counts in (up, down):
        more = min(0.5, 0.5 * counts.sum() / len(counts))
        views.append(ndtri((np.cumsum(counts)[:-1] + more) / (counts.sum() + 2 * more)))
    return np.concatenate([[a, b], ((views[0] - a) / b + views[1]) / 2])


def _advance(numbers: Floats, step: Floats, up: Floats, down: Floats) -> tuple[Floats, bool]:
    """Go as far along the step as the likelihood rises: the whole way, half, a quarter."""
    before = log_likelihood(numbers, up, down)
    slack = 1e-13 * abs(before)
    step = step * min(1.0, LONGEST / max(np.abs(step).max(), LONGEST))
    for halvings in range(50):
        tried = numbers + step / 2**halvings
        if log_likelihood(tried, up, down) >= before - slack:
            return tried, True
    return numbers, False


def log_likelihood(numbers: Floats, up: Floats, down: Floats) -> float:
    """The logarithm of the likelihood at a, b and the cut points; -inf where it has no meaning."""
    from scipy.special import xlogy

    b, cuts = numbers[1], numbers[2:]
    if not (np.isfinite(numbers).all() and b > 0 and (np.diff(cuts) > 0).all()):
        return -np.inf
    positive, negative = _shares(numbers[0] + b * cuts), _shares(cuts)
    return float(xlogy(up, positive).sum() + xlogy(down, negative).sum())


def slopes(numbers: Floats, up: Floats, down: Floats) -> tuple[Floats, Floats]:
    """The gradient of the log-likelihood, and its information: observed, expected where that fails.

    The numbers are a, b and the cut points, at which the fpr is Φ(cut).
    """
    b, cuts = numbers[1], numbers[2:]
    of_negatives = np.hstack([np.zeros((len(cuts), 2)), np.eye(len(cuts))])
    of_positives = np.hstack([np.ones((len(cuts), 1)), cuts[:, None], b * np.eye(len(cuts))])
    gradient, observed, expected, _ = _slopes_of_class(down, cuts, of_negatives)
    more = _slopes_of_class(up, numbers[0] + b * cuts, of_positives)
    gradient, observed, expected = gradient + more[0], observed + more[1], expected + more[2]
    observed[1, 2:] -= more[3]  # a + b · cut bends in b and the cut together
    observed[2:, 1] -= more[3]
    try:
        np.linalg.cholesky(observed)
    except np.linalg.LinAlgError:
        return gradient, expected
    return gradient, observed


def _slopes_of_class(
    counts: Floats, bounds: Floats, leads: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Of one class: gradient, observed and expected information, and the pull at each bound.

    `leads` says how each bound moves with each number.
    """
    shares, density = np.maximum(_shares(bounds), 1e-300), _density(bounds)
    moves = np.diff(np.pad(density[:, None] * leads, ((1, 1), (0, 0))), axis=0)
    pull = -np.diff(counts / shares) * density
    seen = moves * (np.sqrt(counts) / shares)[:, None]
    awaited = moves * np.sqrt(counts.sum() / shares)[:, None]
    observed = seen.T @ seen + leads.T @ ((pull * bounds)[:, None] * leads)
    return leads.T @ pull, observed, awaited.T @ awaited, pull


def _shares(bounds: Floats) -> Floats:
    """The normal distribution between neighbouring bounds, as exact in both tails."""
    from scipy.special import ndtr

    below = np.concatenate([[-np.inf], bounds])
    above = np.concatenate([bounds, [np.inf]])
    flip = below > 0
    below, above = np.where(flip, -above, below), np.where(flip, -below, above)
    return np.asarray(ndtr(above) - ndtr(below))


def _density(z: Any) -> Any:
    return np.exp(-(z**2) / 2) / sqrt(2 * np.pi)


def _normal(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(z)) if isfinite(z) else nan
