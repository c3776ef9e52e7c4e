"""The binormal model of an ROC curve: tpr = Φ(a + b Φ⁻¹(fpr)), from the order of the scores alone.

After some increasing transformation, which need not be known, the scores of both classes are
normal: negatives with mean 0 and standard deviation 1, positives with a/b and 1/b.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import UnknownName, did_you_mean, format_list
from tradeoff.measures.registry import Undefined
from tradeoff.measures.summaries.areas import rates, require_ranked_classes
from tradeoff.stats.normal import critical_value

Floats = NDArray[np.float64]

MOST = 100
"""The most categories of scores: more would not change the estimate."""
STEPS = 200
LONGEST_STEP = 2.0
"""No parameter moves farther in one step: far from the maximum the steps overshoot."""
CONVERGED = 1e-16
"""A step that adds less to the log-likelihood, per row, is the last."""
FITTING_METHODS = ("likelihood", "regression")
TOO_FEW = (
    "a binormal model needs two thresholds at which some but not all rows of each class are "
    "predicted {positive}, with different rates of both"
)
NOT_CONVERGED = "the maximum likelihood fit of the binormal model did not converge"


@dataclass(frozen=True, eq=False)
class Binormal:
    """Binormal model of a ROC curve: its parameters a and b, and their covariance.

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
        """Area under the binormal ROC curve: Φ(a / √(1 + b²))."""
        return _normal_cdf(self.a / sqrt(1 + self.b**2))

    def tpr(self, fpr: Any) -> Any:
        """True positive rate of the model at a false positive rate."""
        from scipy.special import ndtr, ndtri

        return ndtr(self.a + self.b * ndtri(fpr))

    def fpr(self, tpr: Any) -> Any:
        """False positive rate of the model at a true positive rate."""
        from scipy.special import ndtr, ndtri

        return ndtr((ndtri(tpr) - self.a) / self.b)

    def standard_error(self) -> float:
        """Standard error of the area, by the delta method; NaN for a regression."""
        return float(_density(self.a / sqrt(1 + self.b**2)) * self._probit_standard_error())

    def area_interval(self, level: float) -> tuple[float, float]:
        """Confidence interval of the area, symmetric on the probit scale."""
        middle, reach = (
            self.a / sqrt(1 + self.b**2),
            critical_value(level) * self._probit_standard_error(),
        )
        return _normal_cdf(middle - reach), _normal_cdf(middle + reach)

    def band(self, fpr: Floats, level: float) -> tuple[Floats, Floats] | None:
        """Pointwise confidence band of the curve, symmetric on the probit scale."""
        from scipy.special import ndtr, ndtri

        if self.covariance is None:
            return None
        low, high = np.array(self.tpr(fpr)), np.array(self.tpr(fpr))
        inside = (fpr > 0) & (fpr < 1)  # every curve begins at (0, 0) and ends at (1, 1)
        probit = ndtri(fpr[inside])
        (v_a, v_ab), (_, v_b) = self.covariance
        reach = critical_value(level) * np.sqrt(v_a + 2 * probit * v_ab + probit**2 * v_b)
        low[inside] = ndtr(self.a + self.b * probit - reach)
        high[inside] = ndtr(self.a + self.b * probit + reach)
        return low, high

    def area_between(self, low: float, high: float) -> float:
        """The area under the model curve from one false positive rate to another."""
        return self._area_below(high) - self._area_below(low)

    def _area_below(self, fpr: float) -> float:
        from scipy.special import ndtri

        if fpr <= 0 or fpr >= 1:
            return 0.0 if fpr <= 0 else self.area
        # P(X < Φ⁻¹(fpr) and Y < Φ⁻¹(area)), where X and Y are correlated by -b / √(1 + b²).
        scale = sqrt(1 + self.b**2)
        return float(bivariate_normal_cdf(ndtri(fpr), np.asarray(self.a / scale), -self.b / scale))

    def _probit_standard_error(self) -> float:
        """The standard error of a / √(1 + b²)."""
        if self.covariance is None:
            return nan
        scale = 1 + self.b**2
        slope = np.array([1 / sqrt(scale), -self.a * self.b / scale**1.5])
        return sqrt(float(slope @ self.covariance @ slope))


def fit_binormal(ranking: Ranking, *, how: str = "likelihood") -> Binormal:
    """Fit the binormal model of a ROC curve; raise `Undefined` with the reason if there is none.

    Args:
        ranking: The scored rows; only the order of the scores counts.
        how: "likelihood": maximum likelihood over ordered categories of scores (Dorfman & Alf
            1969, doi:10.1016/0022-2496(69)90019-4; for continuous scores as in Metz, Herman &
            Shen 1998). "regression": the straight line of Φ⁻¹(1 - fpr) over Φ⁻¹(tpr)
            through all thresholds, as pROC draws by default; simple, without standard errors.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([8.0, 7, 6, 5, 4, 3, 2, 1])
        >>> ranking = Ranking.of(scores, np.array([1, 1, 0, 1, 0, 1, 0, 0], bool))
        >>> round(fit_binormal(ranking, how="regression").area, 4)
        0.7268
    """
    if how not in FITTING_METHODS:
        raise UnknownName(
            f"There is no binormal fitting method {how!r}."
            f"{did_you_mean(str(how), FITTING_METHODS)} There are {format_list(FITTING_METHODS)}."
        )
    require_ranked_classes(ranking)
    return _fit_by_regression(ranking) if how == "regression" else _fit_by_likelihood(ranking)


def score_categories(ranking: Ranking, most: int = MOST) -> tuple[Floats, Floats]:
    """Counts of positives and negatives in ordered categories of scores, for a binormal fit.

    Neighbouring scores of one class alone are one category: that does not change the likelihood
    fit. If there are still more than `most`, neighbours are merged until the categories are about
    equally large, both classes counting one half. Rows of one score are never split.

    Example:
        >>> from tradeoff.core.ranking import Ranking
        >>> scores = np.array([5.0, 4, 3, 3, 2, 1])
        >>> ranking = Ranking.of(scores, np.array([1, 1, 1, 0, 0, 1], bool))
        >>> positives, negatives = score_categories(ranking)
        >>> positives.tolist(), negatives.tolist()
        ([2.0, 1.0, 0.0, 1.0], [0.0, 1.0, 1.0, 0.0])
    """
    positives = np.diff(ranking.true_positives).astype(np.float64)
    negatives = np.diff(ranking.false_positives).astype(np.float64)
    filled = (positives > 0) | (negatives > 0)
    positives, negatives = _merge_runs(positives[filled], negatives[filled])
    if len(positives) <= most:
        return positives, negatives
    size = positives / positives.sum() + negatives / negatives.sum()
    middle = np.cumsum(size) - size / 2
    starts = _run_starts(np.floor(middle * (most / 2)))
    return _merge_runs(np.add.reduceat(positives, starts), np.add.reduceat(negatives, starts))


def bivariate_normal_cdf(h: Floats, k: Floats, correlation: float) -> Floats:
    """Bivariate normal probability P(X < h and Y < k), by Owen's T function (Owen 1956)."""
    from scipy.special import ndtr, owens_t

    scale = np.sqrt(1 - correlation**2)
    # A shift too small to matter keeps quotients of zeros defined.
    h, k = np.where(h == 0, 1e-200, h), np.where(k == 0, 1e-200, k)
    with np.errstate(over="ignore"):
        slopes = (k / h - correlation) / scale, (h / k - correlation) / scale
    half = np.where((h < 0) != (k < 0), 0.5, 0.0)
    return np.asarray(
        (ndtr(h) + ndtr(k)) / 2 - owens_t(h, slopes[0]) - owens_t(k, slopes[1]) - half
    )


def _merge_runs(positives: Floats, negatives: Floats) -> tuple[Floats, Floats]:
    kind = np.where(negatives == 0, 1, np.where(positives == 0, -1, 0))
    mixed = np.cumsum(kind == 0)  # a new number for each score that both classes have
    starts = _run_starts(kind + 4.0 * mixed)
    return np.add.reduceat(positives, starts), np.add.reduceat(negatives, starts)


def _run_starts(values: Floats) -> NDArray[np.intp]:
    """Indices where runs of equal values begin."""
    return np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1])


def _fit_by_regression(ranking: Ranking) -> Binormal:
    from scipy.special import ndtri

    tpr, fpr = rates(ranking)
    inside = _require_two_thresholds(ranking, tpr, fpr)
    x, y = ndtri(tpr[inside]), -ndtri(fpr[inside])
    x_mean, y_mean = x.mean(), y.mean()
    slope = (x - x_mean) @ (y - y_mean) / ((x - x_mean) ** 2).sum()
    intercept = y_mean - slope * x_mean
    # The line Φ⁻¹(1 - fpr) = intercept + slope Φ⁻¹(tpr) has a negative slope; it is inverted here.
    return Binormal(float(-intercept / slope), float(-1 / slope), how="regression")


def _fit_by_likelihood(ranking: Ranking) -> Binormal:
    positives, negatives = score_categories(ranking)
    tpr, fpr = (np.cumsum(counts)[:-1] / counts.sum() for counts in (positives, negatives))
    # Two such thresholds are also sufficient: an infinite a or b would make some row impossible, so
    # the likelihood has its maximum where both are finite.
    inside = _require_two_thresholds(ranking, tpr, fpr)
    try:
        parameters = _maximise_likelihood(
            _starting_values(positives, negatives, tpr[inside], fpr[inside]), positives, negatives
        )
        covariance = np.linalg.solve(
            score_and_information(parameters, positives, negatives)[1], np.eye(len(parameters), 2)
        )[:2]
    except np.linalg.LinAlgError:
        raise Undefined(NOT_CONVERGED) from None
    return Binormal(float(parameters[0]), float(parameters[1]), (covariance + covariance.T) / 2)


def _maximise_likelihood(parameters: Floats, positives: Floats, negatives: Floats) -> Floats:
    """Maximum likelihood by damped Newton steps, until they gain nothing."""
    enough = CONVERGED * max(positives.sum() + negatives.sum(), 1.0)
    for _ in range(STEPS):
        gradient, information = score_and_information(parameters, positives, negatives)
        step = np.asarray(np.linalg.solve(information, gradient), np.float64)
        gain = float(gradient @ step)
        parameters, moved = _line_search(parameters, step, positives, negatives)
        if gain < enough:
            return parameters
        if not moved:
            break
    raise Undefined(NOT_CONVERGED)


def _require_two_thresholds(ranking: Ranking, tpr: Floats, fpr: Floats) -> NDArray[np.bool_]:
    inside = (tpr > 0) & (tpr < 1) & (fpr > 0) & (fpr < 1)
    if not inside.any() or not (np.ptp(tpr[inside]) > 0 and np.ptp(fpr[inside]) > 0):
        raise Undefined(TOO_FEW.format(positive=ranking.positive))
    return np.asarray(inside)


def _starting_values(positives: Floats, negatives: Floats, tpr: Floats, fpr: Floats) -> Floats:
    """The line through the operating points, and cut points averaged over both classes."""
    from scipy.special import ndtri

    x, y = ndtri(fpr), ndtri(tpr)
    slope = np.cov(x, y)[0, 1] / x.var(ddof=1)
    b = float(np.clip(slope, 0.1, 10.0))
    a = float(y.mean() - b * x.mean())
    cuts = []
    for counts in (positives, negatives):
        more = min(0.5, 0.5 * counts.sum() / len(counts))
        cuts.append(ndtri((np.cumsum(counts)[:-1] + more) / (counts.sum() + 2 * more)))
    return np.concatenate([[a, b], ((cuts[0] - a) / b + cuts[1]) / 2])


def _line_search(
    parameters: Floats, step: Floats, positives: Floats, negatives: Floats
) -> tuple[Floats, bool]:
    """Line search: halve the step until the likelihood does not fall."""
    before = log_likelihood(parameters, positives, negatives)
    slack = 1e-13 * abs(before)
    step = step * min(1.0, LONGEST_STEP / max(np.abs(step).max(), LONGEST_STEP))
    for halvings in range(50):
        candidate = parameters + step / 2**halvings
        if log_likelihood(candidate, positives, negatives) >= before - slack:
            return candidate, True
    return parameters, False


def log_likelihood(parameters: Floats, positives: Floats, negatives: Floats) -> float:
    """Log-likelihood of the binormal model at a, b and the cut points; -inf where undefined."""
    from scipy.special import xlogy

    b, cuts = parameters[1], parameters[2:]
    if not (np.isfinite(parameters).all() and b > 0 and (np.diff(cuts) > 0).all()):
        return -np.inf
    positive, negative = (
        _interval_probabilities(parameters[0] + b * cuts),
        _interval_probabilities(cuts),
    )
    return float(xlogy(positives, positive).sum() + xlogy(negatives, negative).sum())


def score_and_information(
    parameters: Floats, positives: Floats, negatives: Floats
) -> tuple[Floats, Floats]:
    """Gradient and information of the binormal log-likelihood: observed, or expected if singular.

    The parameters are a, b and the cut points, at which the fpr is Φ(cut).
    """
    b, cuts = parameters[1], parameters[2:]
    of_negatives = np.hstack([np.zeros((len(cuts), 2)), np.eye(len(cuts))])
    of_positives = np.hstack([np.ones((len(cuts), 1)), cuts[:, None], b * np.eye(len(cuts))])
    gradient, observed, expected, _ = _class_information(negatives, cuts, of_negatives)
    positive = _class_information(positives, parameters[0] + b * cuts, of_positives)
    gradient, observed = gradient + positive[0], observed + positive[1]
    expected = expected + positive[2]
    observed[1, 2:] -= positive[3]  # the mixed derivative of a + b · cut in b and the cut
    observed[2:, 1] -= positive[3]
    try:
        np.linalg.cholesky(observed)
    except np.linalg.LinAlgError:
        return gradient, expected
    return gradient, observed


def _class_information(
    counts: Floats, bounds: Floats, jacobian: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Gradient, observed and expected information of one class, and the derivative by each bound.

    `jacobian` holds the derivatives of the bounds by the parameters.
    """
    probabilities, density = np.maximum(_interval_probabilities(bounds), 1e-300), _density(bounds)
    moves = np.diff(np.pad(density[:, None] * jacobian, ((1, 1), (0, 0))), axis=0)
    by_bound = -np.diff(counts / probabilities) * density
    root = moves * (np.sqrt(counts) / probabilities)[:, None]
    expected_root = moves * np.sqrt(counts.sum() / probabilities)[:, None]
    observed = root.T @ root + jacobian.T @ ((by_bound * bounds)[:, None] * jacobian)
    return jacobian.T @ by_bound, observed, expected_root.T @ expected_root, by_bound


def _interval_probabilities(bounds: Floats) -> Floats:
    """Normal probabilities between neighbouring bounds, equally exact in both tails."""
    from scipy.special import ndtr

    below = np.concatenate([[-np.inf], bounds])
    above = np.concatenate([bounds, [np.inf]])
    flip = below > 0
    below, above = np.where(flip, -above, below), np.where(flip, -below, above)
    return np.asarray(ndtr(above) - ndtr(below))


def _density(z: Any) -> Any:
    return np.exp(-(z**2) / 2) / sqrt(2 * np.pi)


def _normal_cdf(z: float) -> float:
    from scipy.special import ndtr

    return float(ndtr(z)) if isfinite(z) else nan
