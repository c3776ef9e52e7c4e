"""Summaries and tests of calibration: calibration error, slope, intercept, O:E, tests."""

from __future__ import annotations

from math import exp, inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import format_number
from tradeoff.measures.curves.calibration import calibration
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.probabilities import scores_as_probabilities
from tradeoff.measures.registry import Undefined, summary
from tradeoff.measures.summaries.areas import UNIT_RANGE, require_ranked_classes
from tradeoff.measures.summaries.decomposition import decompose
from tradeoff.measures.summaries.probabilities import CLIPPING_MARGIN
from tradeoff.stats.logistic import (
    LogisticLine,
    fit_logistic_line,
    fit_logistic_shift,
    logistic_probabilities,
    weighted_moments,
)
from tradeoff.stats.normal import critical_value
from tradeoff.stats.significance import Test, two_sided_p_value
from tradeoff.stats.special import logit

REAL_LINE = (-np.inf, np.inf)
MIN_EXPECTED_ROWS = 5
"""With smaller expected counts in a bin, the chi-squared approximation is rough."""


@summary(
    formula="sum over bins of (rows / all rows) * |mean score - proportion of positives|",
    family="probabilities",
    range=UNIT_RANGE,
    better="lower",
    aliases=("ece", "calibration_error"),
    sentence="in {bins} bins, mean probability and proportion of positives differ by {value} on "
    "average",
    others="Bins hold about equal numbers of rows; by=width gives bins of equal width, the usual "
    "ECE. Many tools use the confidence in the predicted class instead. More bins give larger "
    "values, even for perfectly calibrated probabilities.",
    source="Guo, Pleiss, Sun & Weinberger 2017, arXiv:1706.04599",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def expected_calibration_error(ranking: Ranking, *, bins: int = 10, by: str = "rows") -> float:
    groups = _bins(ranking, bins, by)
    return float((groups.weights * np.abs(groups.gaps)).sum())


@summary(
    formula="sqrt of the sum over bins of (rows / all rows) * ((mean score - p)**2 - p * (1 - p) / "
    "(rows - 1)), p: proportion of positives; 0 if the sum is negative",
    family="probabilities",
    range=UNIT_RANGE,
    better="lower",
    sentence="corrected for sampling noise, mean probability and proportion of positives differ by "
    "{value}",
    others="Bins hold about equal numbers of rows. A root mean square, so larger than the mean "
    "difference if bins differ.",
    source="Kumar, Liang & Ma 2019, arXiv:1909.10155",
    no_interval="it is truncated at 0, where its estimate is not normally distributed",
)
def debiased_calibration_error(ranking: Ranking, *, bins: int = 10) -> Estimate:
    groups = _bins(ranking, bins, "rows")
    if ranking.squares is not None:
        raise Undefined("it needs numbers of rows, which importance weights do not give")
    if not (groups.rows > 1).all():
        raise Undefined("a bin holds a single row, which does not allow a noise correction")
    noise = groups.proportions * (1 - groups.proportions) / (groups.rows - 1)
    squared = float((groups.weights * (groups.gaps**2 - noise)).sum())
    note = f"set to 0, as the squared error after noise correction is {format_number(squared)}"
    value = float(np.sqrt(max(squared, 0.0)))
    return Estimate("debiased_calibration_error", value, note=note if squared < 0 else None)


@summary(
    usual_label="maximum calibration error",
    formula="largest |mean score - proportion of positives| of a bin",
    family="probabilities",
    range=UNIT_RANGE,
    better="lower",
    aliases=("maximum_calibration_error", "mce"),
    sentence="in the worst of {bins} bins, mean probability and proportion of positives differ by "
    "{value}",
    others="Bins hold about equal numbers of rows; with by=width (bins of equal width) the worst "
    "bin is often one with few rows.",
    source="Guo, Pleiss, Sun & Weinberger 2017, arXiv:1706.04599",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def largest_calibration_error(ranking: Ranking, *, bins: int = 10, by: str = "rows") -> float:
    return float(np.abs(_bins(ranking, bins, by).gaps).max())


@summary(
    formula="brier - Brier score after isotonic recalibration (PAV)",
    family="probabilities",
    range=UNIT_RANGE,
    better="lower",
    aliases=("corp_miscalibration",),
    sentence="isotonic recalibration would lower the Brier score by {value}",
    others="CORP decomposition: brier = miscalibration - discrimination + uncertainty; needs no "
    "choice of bins.",
    source="Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def miscalibration(ranking: Ranking) -> float:
    scores_as_probabilities(ranking)
    return decompose(ranking).miscalibration


@summary(
    formula="prevalence * (1 - prevalence) - Brier score after isotonic recalibration (PAV)",
    family="probabilities",
    range=UNIT_RANGE,
    better="higher",
    aliases=("corp_discrimination",),
    sentence="after isotonic recalibration, the Brier score would be {value} below that of always "
    "predicting the prevalence",
    others="CORP decomposition: brier = miscalibration - discrimination + uncertainty; at most "
    "1/4.",
    source="Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def discrimination(ranking: Ranking) -> float:
    scores_as_probabilities(ranking)
    return decompose(ranking).discrimination


@summary(
    usual_label="calibration-in-the-large",
    formula="a in logit P(positive) = a + logit(score)",
    family="probabilities",
    range=REAL_LINE,
    better=None,
    aliases=("citl",),
    sentence="the predicted log odds are {value} too low on average (0 is ideal)",
    others="Scores of 0 and 1 are clipped to 2.2e-16 from that end, and the output reports how "
    "many.",
    source="Cox 1958, doi:10.1093/biomet/45.3-4.562",
    returns_interval=True,
)
def calibration_in_the_large(ranking: Ranking, level: float = 0.95) -> Estimate:
    """Calibration in the large: the shift in log odds that gives the observed positives.

    0 is ideal; above 0, probabilities are too low on average. It is the intercept of a logistic
    regression with a fixed slope of 1 (Cox 1958, doi:10.1093/biomet/45.3-4.562), with a Wald
    interval. With importance weights the standard error is the sandwich estimate.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.2, 0.2, 0.2]), np.array([1, 1, 0, 0], bool))
        >>> calibration_in_the_large(ranking)
        1.39 (95% CI -0.57 to 3.35, Wald)
    """
    name, z = "calibration_in_the_large", critical_value(level)
    try:
        groups = _groups(ranking)
    except Undefined as reason:
        return Estimate(name, nan, reason=str(reason))
    shift = fit_logistic_shift(groups.log_odds, groups.positives, groups.rows)
    weights, variances = _weights_and_variances(groups, shift + groups.log_odds)
    standard_error = sqrt(float(variances.sum())) / float(weights.sum())
    return _wald_estimate(name, shift, z * standard_error, level, groups.note)


@summary(
    formula="b in logit P(positive) = a + b * logit(score)",
    family="probabilities",
    range=REAL_LINE,
    better=None,
    sentence="a difference of 1 in predicted log odds corresponds to {value} in observed log odds "
    "(1 is ideal)",
    others="Below 1 the probabilities are too extreme, above 1 not extreme enough. Scores of 0 "
    "and 1 are clipped to 2.2e-16 from that end, and the output reports how many.",
    source="Cox 1958, doi:10.1093/biomet/45.3-4.562",
    returns_interval=True,
)
def calibration_slope(ranking: Ranking, level: float = 0.95) -> Estimate:
    """Calibration slope: below 1 probabilities are too extreme, above 1 too moderate.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> round(calibration_slope(Ranking.of(scores, actual)).value, 4)
        0.493
    """
    return calibration_line(ranking, level=level)[1]


@summary(
    usual_label="observed/expected ratio",
    formula="P / sum of scores",
    family="probabilities",
    range=(0.0, np.inf),
    better=None,
    aliases=("o_e_ratio", "oe_ratio"),
    sentence="for each {positive} row that the probabilities predict, {value} are observed "
    "(1 is ideal)",
    source="Debray et al. 2017, doi:10.1136/bmj.i6460",
    returns_interval=True,
)
def observed_expected_ratio(ranking: Ranking, level: float = 0.95) -> Estimate:
    """Ratio of the observed number of positives to the expected one, the sum of probabilities.

    The interval is symmetric on the log scale, with variance (1 - prevalence) / positives; the
    expected number is treated as fixed (Debray et al. 2017, doi:10.1136/bmj.i6460).

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.5, 0.25, 0.25]), np.array([1, 1, 0], bool))
        >>> observed_expected_ratio(ranking)
        2.00 (95% CI 0.90–4.45, Wald, logarithm)
    """
    name, z = "observed_expected_ratio", critical_value(level)
    try:
        values, positives, negatives = scores_as_probabilities(ranking)
    except Undefined as reason:
        return Estimate(name, nan, reason=str(reason))
    observed, rows = float(positives.sum()), float((positives + negatives).sum())
    expected = float((values * (positives + negatives)).sum())
    if not expected:
        return Estimate(name, nan, reason="every probability is 0, so no positives are expected")
    if observed in (0.0, rows):
        only_class_name = ranking.positive if observed else ranking.negative
        note = f"no interval: every row belongs to class {only_class_name!r}"
        return Estimate(name, observed / expected, note=note)
    variance_ranking = ranking if ranking.squares is None else ranking.squares
    prevalence = observed / rows
    variance = (
        float(variance_ranking.positives) * (1 - prevalence) ** 2
        + float(variance_ranking.negatives) * prevalence**2
    )
    factor, ratio = exp(z * sqrt(variance) / observed), observed / expected
    return Estimate(
        name, ratio, low=ratio / factor, high=ratio * factor, level=level, method="Wald, logarithm"
    )


class _Bins(NamedTuple):
    """Bins: rows, proportions of positives, mean scores minus these, and relative weights."""

    rows: NDArray[Any]
    proportions: NDArray[np.float64]
    gaps: NDArray[np.float64]
    weights: NDArray[np.float64]


def _bins(ranking: Ranking, bins: float, by: str) -> _Bins:
    """Bins of the calibration curve, with their vertical distances from the diagonal."""
    if by not in {"rows", "width"}:
        raise InputError(f"`by` must be 'rows' or 'width', not {by!r}.")
    if not (bins >= 1 and float(bins).is_integer()):
        raise InputError(f"The number of bins must be a whole number, 1 or more, not {bins:g}.")
    scores_as_probabilities(ranking)
    columns = calibration(ranking, by="rows" if by == "rows" else "width", bins=int(bins)).columns()
    # Negligible weights can make bins with a total of 0.
    rows, scores, proportions = (
        columns[name][columns["rows"] > 0] for name in ("rows", "mean_score", "positive_share")
    )
    return _Bins(rows, proportions, scores - proportions, rows / rows.sum())


class _Groups(NamedTuple):
    """Distinct log odds with their rows; `squares` are sums of squared importance weights."""

    log_odds: NDArray[np.float64]
    positives: NDArray[Any]
    rows: NDArray[Any]
    squares: tuple[NDArray[Any], NDArray[Any]] | None
    note: str | None


def _logistic_line(groups: _Groups) -> LogisticLine:
    x, positives, negatives = groups.log_odds, groups.positives, groups.rows - groups.positives
    if x.min() == x.max():
        raise Undefined("every row has the same score, so there is no slope")
    x_positives, x_negatives = x[positives > 0], x[negatives > 0]
    # If the classes overlap in at most one score, every steeper line fits better.
    if x_positives.min() >= x_negatives.max() or x_positives.max() <= x_negatives.min():
        raise Undefined("the scores separate the classes, so every steeper slope fits better")
    line = fit_logistic_line(x, positives, groups.rows)
    if line is None:
        raise Undefined("the classes are so nearly separated that the fit did not converge")
    return line


def _groups(ranking: Ranking) -> _Groups:
    _, positives, negatives = scores_as_probabilities(ranking)
    require_ranked_classes(ranking)
    sizes = positives + negatives
    if not 0 < positives.sum() / sizes.sum() < 1:
        raise Undefined("the weight of one class is negligible")
    scores = ranking.thresholds[1:]
    clipped = np.clip(scores, CLIPPING_MARGIN, 1 - CLIPPING_MARGIN)
    # If low scores are positive, 1 - score would lose digits; the negated log odds do not.
    log_odds = -logit(clipped) if ranking.lower_is_positive else logit(clipped)
    clipped_rows = sizes[clipped != scores].sum()
    clause = (
        "has a score of exactly 0 or 1 and is"
        if clipped_rows == 1
        else "have scores of exactly 0 or 1 and are"
    )
    clipped_text = ranking.wording.count(clipped_rows)
    note = f"{clipped_text} {clause} clipped to 2.2e-16 from that end"
    squares = None if ranking.squares is None else _class_counts(ranking.squares)
    return _Groups(log_odds, positives, sizes, squares, note if clipped_rows else None)


def _class_counts(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    return np.diff(ranking.true_positives), np.diff(ranking.false_positives)


def _weights_and_variances(groups: _Groups, log_odds: NDArray[np.float64]) -> tuple[Any, Any]:
    """Weights of groups, and variances of their positives (empirical if rows are weighted)."""
    p, weights = logistic_probabilities(log_odds, groups.rows)
    if groups.squares is None:
        return weights, weights
    return weights, groups.squares[0] * (1 - p) ** 2 + groups.squares[1] * p**2


def _line_standard_errors(groups: _Groups, line: LogisticLine) -> tuple[float, ...]:
    """Sandwich standard errors of intercept and slope."""
    x = groups.log_odds
    weights, variances = _weights_and_variances(groups, line.intercept + line.slope * x)
    mean, sum_of_squares = weighted_moments(x, weights)
    slope_influence = (x - mean) / sum_of_squares
    intercept_influence = 1 / float(weights.sum()) - mean * slope_influence
    return tuple(
        sqrt(float((variances * influence**2).sum()))
        for influence in (intercept_influence, slope_influence)
    )


def _wald_estimate(
    name: str, value: float, half_width: float, level: float, note: str | None
) -> Estimate:
    low, high = value - half_width, value + half_width
    return Estimate(name, value, None, note, low, high, level, "Wald")


def calibration_line(ranking: Ranking, *, level: float = 0.95) -> tuple[Estimate, Estimate]:
    """Calibration intercept and slope: logistic regression of the class on the log odds.

    Cox 1958, doi:10.1093/biomet/45.3-4.562. Calibrated probabilities have intercept 0 and slope 1.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> intercept, slope = calibration_line(Ranking.of(scores, actual))
        >>> round(intercept.value, 4), round(slope.value, 4)
        (-0.1348, 0.493)
    """
    names, z = ("calibration_intercept", "calibration_slope"), critical_value(level)
    try:
        groups = _groups(ranking)
        line = _logistic_line(groups)
    except Undefined as reason:
        first, second = (Estimate(name, nan, reason=str(reason)) for name in names)
        return first, second
    parts = zip(names, line, _line_standard_errors(groups, line), strict=True)
    first, second = (
        _wald_estimate(name, value, z * standard_error, level, groups.note)
        for name, value, standard_error in parts
    )
    return first, second


def spiegelhalter(ranking: Ranking) -> Test:
    """Spiegelhalter's z-test of calibration, based on the Brier score.

    Spiegelhalter 1986, doi:10.1002/sim.4780050506. The statistic is standard normal for calibrated
    probabilities; above 0, the Brier score is worse than expected. The p-value is two-sided.
    Importance weights must not depend on the class.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> spiegelhalter(Ranking.of(scores, actual))
        Test(Spiegelhalter's z, p = 0.30)
    """
    name = "Spiegelhalter's z"
    try:
        values, positives, negatives = scores_as_probabilities(ranking)
    except Undefined as reason:
        return Test.undefined(name, "standard normal", str(reason))
    rows, slope = positives + negatives, 1 - 2 * values
    # The variance under the null hypothesis. That of the observed residuals would skew the test:
    # if a rare class occurs, both the sum and its standard error are large.
    squares = rows if ranking.squares is None else sum(_class_counts(ranking.squares))
    null_variance = float((squares * values * (1 - values) * slope**2).sum())
    if not null_variance:
        explanation = "every probability is 0, 1/2 or 1, where the test has no power"
        return Test.undefined(name, "standard normal", explanation)
    z = float(((positives - rows * values) * slope).sum()) / sqrt(null_variance)
    return Test(name, z, two_sided_p_value(z), "standard normal")


def hosmer_lemeshow(ranking: Ranking, *, bins: int = 10, fitted_here: bool = False) -> Test:
    """Hosmer-Lemeshow test of calibration in bins of about equal size.

    Hosmer & Lemeshow 1980, doi:10.1080/03610928008827941. Tied rows stay together, so there may be
    fewer bins than requested.

    Args:
        ranking: Ranking whose scores are probabilities.
        bins: Number of bins.
        fitted_here: Whether the model was fitted on these rows: there are then bins - 2 degrees of
            freedom, else bins.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> hosmer_lemeshow(Ranking.of(scores, actual), bins=2)
        Test(Hosmer–Lemeshow, p = 0.27)
    """
    name = "Hosmer–Lemeshow"
    try:
        gaps, variances, small_bins = _bin_gaps(ranking, bins, min_bins=1 + 2 * fitted_here)
    except Undefined as reason:
        return Test.undefined(name, "chi-squared", str(reason))
    from scipy.special import chdtrc

    # A bin with probability 0 or 1 has no variance: one contrary row refutes it.
    with np.errstate(divide="ignore"):
        statistic = float((gaps**2 / variances).sum())
    notes = [f"{len(gaps)} of {bins} bins can be tested"] * (len(gaps) < bins)
    if small_bins:
        verb = "has" if small_bins == 1 else "have"
        notes.append(
            f"{small_bins} of {len(gaps)} bins {verb} an expected count below {MIN_EXPECTED_ROWS}"
        )
    degrees_of_freedom = len(gaps) - 2 * fitted_here
    p_value = 0.0 if statistic == inf else float(chdtrc(degrees_of_freedom, statistic))
    note = "; ".join(notes) or None
    return Test(name, statistic, p_value, "chi-squared", degrees_of_freedom, note=note)


def _bin_gaps(
    ranking: Ranking, bins: int, *, min_bins: int
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Excess of positives in each bin, variances, and the number of bins with small counts."""
    scores_as_probabilities(ranking)  # raises unless scores are probabilities
    if ranking.squares is not None:
        raise Undefined("the test needs numbers of rows, which importance weights do not give")
    columns = calibration(ranking, by="rows", bins=bins).columns()
    # Negligible weights can make bins with a total of 0.
    rows, mean_scores, positives = (
        columns[name][columns["rows"] > 0] for name in ("rows", "mean_score", "positives")
    )
    expected = rows * mean_scores
    variances = expected * (1 - mean_scores)
    gaps = positives - expected
    # A bin with probability 0 or 1 and no contrary row cannot be tested.
    is_testable = (variances > 0) | (gaps != 0)
    if is_testable.sum() < min_bins:
        raise Undefined(f"only {is_testable.sum()} of {bins} bins can be tested")
    is_small = np.minimum(expected, rows - expected)[is_testable] < MIN_EXPECTED_ROWS
    return gaps[is_testable], variances[is_testable], int(is_small.sum())
