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
from tradeoff.stats.normal import bivariate_normal_cdf, critical_value

Floats = NDArray[np.float64]

MAX_CATEGORIES = 100
"""Maximum number of score categories: more would not change the estimate."""
MAX_STEPS = 200
MAX_STEP_SIZE = 2.0
"""Maximum change of a parameter in one step: far from the maximum, steps would overshoot."""
MIN_GAIN = 1e-16
"""The iteration stops if a step adds less than this to the log-likelihood per row."""
FITTING_METHODS = ("likelihood", "regression")
TOO_FEW_THRESHOLDS = (
    "a binormal model needs two thresholds at which some but not all rows of each class are "
    "predicted {positive}, and which differ in both rates"
)
NOT_CONVERGED = "the maximum likelihood fit of the binormal model did not converge"


@dataclass(frozen=True, eq=False)
class Binormal:
    """Binormal model of an ROC curve: its parameters a and b, and their covariance.

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
        return _finite_normal_cdf(self.a / sqrt(1 + self.b**2))

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
        """Confidence interval for the area, symmetric on the probit scale."""
        probit = self.a / sqrt(1 + self.b**2)
        half_width = critical_value(level) * self._probit_standard_error()
        return _finite_normal_cdf(probit - half_width), _finite_normal_cdf(probit + half_width)

    def band(self, fpr: Floats, level: float) -> tuple[Floats, Floats] | None:
        """Pointwise confidence band for the curve, symmetric on the probit scale."""
        from scipy.special import ndtr, ndtri

        if self.covariance is None:
            return None
        low, high = np.array(self.tpr(fpr)), np.array(self.tpr(fpr))
        is_inside = (fpr > 0) & (fpr < 1)  # every curve begins at (0, 0) and ends at (1, 1)
        probit = ndtri(fpr[is_inside])
        (variance_a, covariance), (_, variance_b) = self.covariance
        variance = variance_a + 2 * probit * covariance + probit**2 * variance_b
        half_width = critical_value(level) * np.sqrt(variance)
        low[is_inside] = ndtr(self.a + self.b * probit - half_width)
        high[is_inside] = ndtr(self.a + self.b * probit + half_width)
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
        return float(bivariate_normal_cdf(ndtri(fpr), np.asarray(self.a / scale), -self.b / scale))

    def _probit_standard_error(self) -> float:
        """The standard error of a / √(1 + b²), by the delta method."""
        if self.covariance is None:
            return nan
        scale = 1 + self.b**2
        gradient = np.array([1 / sqrt(scale), -self.a * self.b / scale**1.5])
        return sqrt(float(gradient @ self.covariance @ gradient))


def fit_binormal(ranking: Ranking, *, how: str = "likelihood") -> Binormal:
    """Fit the binormal model of an ROC curve; raise `Undefined` with the reason if it has none.

    Args:
        ranking: The scored rows; only the order of the scores matters.
        how: "likelihood": maximum likelihood over ordered categories of scores (Dorfman & Alf
            1969, doi:10.1016/0022-2496(69)90019-4; for continuous scores as in Metz, Herman &
            Shen 1998). "regression": the regression line of Φ⁻¹(1 - fpr) on
            Φ⁻¹(tpr) over all thresholds, the default of pROC; simple, without standard errors.

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
            f"{did_you_mean(str(how), FITTING_METHODS)} The available "
            f"methods are {format_list(FITTING_METHODS)}."
        )
    require_ranked_classes(ranking)
    return _fit_by_regression(ranking) if how == "regression" else _fit_by_likelihood(ranking)


def score_categories(
    ranking: Ranking, max_categories: int = MAX_CATEGORIES
) -> tuple[Floats, Floats]:
    """Counts of positives and negatives in ordered score categories, for a binormal fit.

    Adjacent scores whose rows all belong to one class form a single category, which does not change
    the likelihood fit. If there are still more than `max_categories`, adjacent ones are merged into
    categories of about equal size, each class counting one half. Tied rows are never split.

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
    has_rows = (positives > 0) | (negatives > 0)
    positives, negatives = _merge_runs(positives[has_rows], negatives[has_rows])
    if len(positives) <= max_categories:
        return positives, negatives
    sizes = positives / positives.sum() + negatives / negatives.sum()
    midpoints = np.cumsum(sizes) - sizes / 2
    starts = _run_starts(np.floor(midpoints * (max_categories / 2)))
    return _merge_runs(np.add.reduceat(positives, starts), np.add.reduceat(negatives, starts))


def _merge_runs(positives: Floats, negatives: Floats) -> tuple[Floats, Floats]:
    """Merge runs of adjacent scores whose rows all belong to the same class."""
    classes = np.where(negatives == 0, 1, np.where(positives == 0, -1, 0))
    mixed_count = np.cumsum(classes == 0)  # increases at each score that both classes have
    starts = _run_starts(classes + 4.0 * mixed_count)
    return np.add.reduceat(positives, starts), np.add.reduceat(negatives, starts)


def _run_starts(values: Floats) -> NDArray[np.intp]:
    """Indices at which runs of equal values start."""
    return np.concatenate([[0], np.flatnonzero(np.diff(values)) + 1])


def _fit_by_regression(ranking: Ranking) -> Binormal:
    from scipy.special import ndtri

    tpr, fpr = rates(ranking)
    is_usable = _require_two_thresholds(ranking, tpr, fpr)
    x, y = ndtri(tpr[is_usable]), -ndtri(fpr[is_usable])
    x_mean, y_mean = x.mean(), y.mean()
    slope = (x - x_mean) @ (y - y_mean) / ((x - x_mean) ** 2).sum()
    intercept = y_mean - slope * x_mean
    # The line Φ⁻¹(1 - fpr) = intercept + slope Φ⁻¹(tpr) has a negative slope; it is inverted here.
    return Binormal(float(-intercept / slope), float(-1 / slope), how="regression")


def _fit_by_likelihood(ranking: Ranking) -> Binormal:
    positives, negatives = score_categories(ranking)
    tpr, fpr = (np.cumsum(counts)[:-1] / counts.sum() for counts in (positives, negatives))
    # Two such thresholds are also sufficient: an infinite a or b would give some row probability 0,
    # so the likelihood has its maximum at finite values of both.
    is_usable = _require_two_thresholds(ranking, tpr, fpr)
    try:
        parameters = _maximise_likelihood(
            _starting_values(positives, negatives, tpr[is_usable], fpr[is_usable]),
            positives,
            negatives,
        )
        covariance = np.linalg.solve(
            score_and_information(parameters, positives, negatives)[1], np.eye(len(parameters), 2)
        )[:2]
    except np.linalg.LinAlgError:
        raise Undefined(NOT_CONVERGED) from None
    return Binormal(float(parameters[0]), float(parameters[1]), (covariance + covariance.T) / 2)


def _maximise_likelihood(parameters: Floats, positives: Floats, negatives: Floats) -> Floats:
    """Maximise the likelihood by damped Newton steps, until the gain is negligible."""
    min_gain = MIN_GAIN * max(positives.sum() + negatives.sum(), 1.0)
    for _ in range(MAX_STEPS):
        gradient, information = score_and_information(parameters, positives, negatives)
        step = np.asarray(np.linalg.solve(information, gradient), np.float64)
        gain = float(gradient @ step)
        parameters, has_moved = _line_search(parameters, step, positives, negatives)
        if gain < min_gain:
            return parameters
        if not has_moved:
            break
    raise Undefined(NOT_CONVERGED)


def _require_two_thresholds(ranking: Ranking, tpr: Floats, fpr: Floats) -> NDArray[np.bool_]:
    """Mask of the thresholds that the fit can use; at least two of them must differ."""
    is_usable = (tpr > 0) & (tpr < 1) & (fpr > 0) & (fpr < 1)
    if not is_usable.any() or not (np.ptp(tpr[is_usable]) > 0 and np.ptp(fpr[is_usable]) > 0):
        raise Undefined(TOO_FEW_THRESHOLDS.format(positive=ranking.positive))
    return np.asarray(is_usable)


def _starting_values(positives: Floats, negatives: Floats, tpr: Floats, fpr: Floats) -> Floats:
    """Starting values: a and b from a line through the operating points, then the cut points."""
    from scipy.special import ndtri

    x, y = ndtri(fpr), ndtri(tpr)
    slope = np.cov(x, y)[0, 1] / x.var(ddof=1)
    b = float(np.clip(slope, 0.1, 10.0))
    a = float(y.mean() - b * x.mean())
    cuts = []
    for counts in (positives, negatives):
        correction = min(0.5, 0.5 * counts.sum() / len(counts))
        proportions = (np.cumsum(counts)[:-1] + correction) / (counts.sum() + 2 * correction)
        cuts.append(ndtri(proportions))
    return np.concatenate([[a, b], ((cuts[0] - a) / b + cuts[1]) / 2])


def _line_search(
    parameters: Floats, step: Floats, positives: Floats, negatives: Floats
) -> tuple[Floats, bool]:
    """Line search: halve the step until the likelihood does not fall; False if it always does."""
    current_log_likelihood = log_likelihood(parameters, positives, negatives)
    slack = 1e-13 * abs(current_log_likelihood)
    step = step * min(1.0, MAX_STEP_SIZE / max(np.abs(step).max(), MAX_STEP_SIZE))
    for halvings in range(50):
        candidate = parameters + step / 2**halvings
        if log_likelihood(candidate, positives, negatives) >= current_log_likelihood - slack:
            return candidate, True
    return parameters, False


def log_likelihood(parameters: Floats, positives: Floats, negatives: Floats) -> float:
    """Log-likelihood of the binormal model at a, b and the cut points; -inf if undefined."""
    from scipy.special import xlogy

    b, cuts = parameters[1], parameters[2:]
    if not (np.isfinite(parameters).all() and b > 0 and (np.diff(cuts) > 0).all()):
        return -np.inf
    positive_probabilities = _interval_probabilities(parameters[0] + b * cuts)
    negative_probabilities = _interval_probabilities(cuts)
    return float(
        xlogy(positives, positive_probabilities).sum()
        + xlogy(negatives, negative_probabilities).sum()
    )


def score_and_information(
    parameters: Floats, positives: Floats, negatives: Floats
) -> tuple[Floats, Floats]:
    """Gradient and information of the binormal log-likelihood: observed, or expected if singular.

    The parameters are a, b and the cut points; at a cut point, the fpr is Φ(cut).
    """
    b, cuts = parameters[1], parameters[2:]
    negative_jacobian = np.hstack([np.zeros((len(cuts), 2)), np.eye(len(cuts))])
    positive_jacobian = np.hstack([np.ones((len(cuts), 1)), cuts[:, None], b * np.eye(len(cuts))])
    gradient, observed, expected, _ = _class_information(negatives, cuts, negative_jacobian)
    terms = _class_information(positives, parameters[0] + b * cuts, positive_jacobian)
    gradient, observed = gradient + terms[0], observed + terms[1]
    expected = expected + terms[2]
    observed[1, 2:] -= terms[3]  # the mixed derivative of a + b · cut with respect to b and cut
    observed[2:, 1] -= terms[3]
    try:
        np.linalg.cholesky(observed)
    except np.linalg.LinAlgError:
        return gradient, expected
    return gradient, observed


def _class_information(
    counts: Floats, bounds: Floats, jacobian: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Gradient, observed and expected information of one class, and the derivatives at its bounds.

    The last are those of the log-likelihood with respect to each bound; `jacobian` holds the
    derivatives of the bounds with respect to the parameters.
    """
    probabilities, density = np.maximum(_interval_probabilities(bounds), 1e-300), _density(bounds)
    probability_derivatives = np.diff(np.pad(density[:, None] * jacobian, ((1, 1), (0, 0))), axis=0)
    bound_derivatives = -np.diff(counts / probabilities) * density
    root = probability_derivatives * (np.sqrt(counts) / probabilities)[:, None]
    expected_root = probability_derivatives * np.sqrt(counts.sum() / probabilities)[:, None]
    observed = root.T @ root + jacobian.T @ ((bound_derivatives * bounds)[:, None] * jacobian)
    expected = expected_root.T @ expected_root
    return jacobian.T @ bound_derivatives, observed, expected, bound_derivatives


def _interval_probabilities(bounds: Floats) -> Floats:
    """Normal probabilities between adjacent bounds, accurate in both tails."""
    from scipy.special import ndtr

    lower = np.concatenate([[-np.inf], bounds])
    upper = np.concatenate([bounds, [np.inf]])
    is_reflected = lower > 0  # reflect the upper tail, where the distribution function is near 1
    lower, upper = np.where(is_reflected, -upper, lower), np.where(is_reflected, -lower, upper)
    return np.asarray(ndtr(upper) - ndtr(lower))


def _density(z: Any) -> Any:
    return np.exp(-(z**2) / 2) / sqrt(2 * np.pi)


def _finite_normal_cdf(z: float) -> float:
    """Φ(z); NaN unless z is finite."""
    from scipy.special import ndtr

    return float(ndtr(z)) if isfinite(z) else nan
