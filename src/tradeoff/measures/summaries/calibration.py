"""Summaries and tests of calibration."""

from __future__ import annotations

from math import exp, inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.curves.calibration import calibration
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.probabilities import probabilities
from tradeoff.measures.registry import Undefined, summary
from tradeoff.measures.summaries.areas import SHARE, require_ranked_classes
from tradeoff.measures.summaries.decomposition import decompose
from tradeoff.measures.summaries.probabilities import TINY
from tradeoff.stats.logistic import (
    LogisticLine,
    fit_logistic_line,
    fit_logistic_shift,
    logistic_probabilities,
    weighted_moments,
)
from tradeoff.stats.normal import critical_value, two_sided_p_value
from tradeoff.stats.significance import Test
from tradeoff.stats.special import logit
from tradeoff.text import format_count, format_number

ANY = (-np.inf, np.inf)
FEW = 5
"""Bins that expect fewer rows of a class make a chi-squared test rough."""


@summary(
    formula="sum over bins of (rows / all rows) * |mean score - share of positives|",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("ece", "calibration_error"),
    sentence="in {bins} bins, mean probability and share of positives differ by {value} on average",
    others="Bins hold about equally many rows; by=width gives bins of equal width, the usual ECE. "
    "Many tools use the confidence in the predicted class instead. More bins give larger "
    "values, even for perfectly calibrated probabilities.",
    source="Guo, Pleiss, Sun & Weinberger 2017, arXiv:1706.04599",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def expected_calibration_error(ranking: Ranking, *, bins: int = 10, by: str = "rows") -> float:
    groups = _bins(ranking, bins, by)
    return float((groups.weights * np.abs(groups.gaps)).sum())


@summary(
    formula="sqrt of the sum over bins of (rows / all rows) * ((mean score - share)**2 - share * "
    "(1 - share) / (rows - 1)), 0 where that is negative",
    family="probabilities",
    range=SHARE,
    better="lower",
    sentence="corrected for noise, mean probability and share of positives differ by {value}",
    others="Bins hold about equally many rows. Squared differences before the root, so it lies "
    "above the mean difference where bins differ.",
    source="Kumar, Liang & Ma 2019, arXiv:1909.10155",
    no_interval="it is cut off at 0, where its estimate is not normally distributed",
)
def debiased_calibration_error(ranking: Ranking, *, bins: int = 10) -> Estimate:
    groups = _bins(ranking, bins, "rows")
    if ranking.squares is not None:
        raise Undefined("it needs the number of rows, which importance weights do not give")
    if not (groups.rows > 1).all():
        raise Undefined("a bin holds a single row, which cannot tell what chance adds")
    chance = groups.shares * (1 - groups.shares) / (groups.rows - 1)
    squared = float((groups.weights * (groups.gaps**2 - chance)).sum())
    note = f"0, as the squared error without chance came out at {format_number(squared)}"
    value = float(np.sqrt(max(squared, 0.0)))
    return Estimate("debiased_calibration_error", value, note=note if squared < 0 else None)


@summary(
    formula="largest |mean score - share of positives| of a bin",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("maximum_calibration_error", "mce"),
    sentence="in the worst of {bins} bins, mean probability and share of positives differ by "
    "{value}",
    others="Bins hold about equally many rows; by=width gives bins of equal width, of which the "
    "worst is often one with few rows.",
    source="Guo, Pleiss, Sun & Weinberger 2017, arXiv:1706.04599",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def largest_calibration_error(ranking: Ranking, *, bins: int = 10, by: str = "rows") -> float:
    return float(np.abs(_bins(ranking, bins, by).gaps).max())


@summary(
    formula="brier - brier of the best rising correction (pool adjacent violators)",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("corp_miscalibration",),
    sentence="a monotone recalibration would lower the Brier score by {value}",
    others="Part of brier = miscalibration - discrimination + uncertainty; needs no bins to be "
    "chosen.",
    source="Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def miscalibration(ranking: Ranking) -> float:
    probabilities(ranking)
    return decompose(ranking).miscalibration


@summary(
    formula="prevalence * (1 - prevalence) - brier of the best rising correction (pool adjacent "
    "violators)",
    family="probabilities",
    range=SHARE,
    better="higher",
    aliases=("corp_discrimination",),
    sentence="recalibrated, the probabilities would have a Brier score {value} below that of "
    "always predicting the prevalence",
    others="Part of brier = miscalibration - discrimination + uncertainty; at most 1/4.",
    source="Dimitriadis, Gneiting & Jordan 2021, doi:10.1073/pnas.2016191118",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def discrimination(ranking: Ranking) -> float:
    probabilities(ranking)
    return decompose(ranking).discrimination


@summary(
    formula="a in log odds of being positive = a + log odds of the score",
    family="probabilities",
    range=ANY,
    better=None,
    aliases=("citl",),
    sentence="the log odds are {value} too low on average (0 is ideal)",
    others="Scores of 0 and 1 are moved 2.2e-16 inwards, and the output reports how many.",
    source="Cox 1958, doi:10.1093/biomet/45.3-4.562",
    fitted=True,
)
def calibration_in_the_large(ranking: Ranking, level: float = 0.95) -> Estimate:
    """What must be added to the log odds of every row so that as many positives are expected.

    0 is right; above 0, probabilities are too low on the whole. It is the intercept of a logistic
    regression with the slope held at 1 (Cox 1958, doi:10.1093/biomet/45.3-4.562), with Wald's
    interval. Rows whose weights say how much they matter get the sandwich error.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.2, 0.2, 0.2]), np.array([1, 1, 0, 0], bool))
        >>> calibration_in_the_large(ranking)
        1.39 (95% CI -0.57 to 3.35, Wald)
    """
    name, z = "calibration_in_the_large", critical_value(level)
    try:
        groups = _groups(ranking)
    except Undefined as why:
        return Estimate(name, nan, reason=str(why))
    shift = fit_logistic_shift(groups.log_odds, groups.positives, groups.rows)
    weights, variances = _information(groups, shift + groups.log_odds)
    error = sqrt(float(variances.sum())) / float(weights.sum())
    return _wald(name, shift, z * error, level, groups.note)


@summary(
    formula="b in log odds of being positive = a + b * log odds of the score",
    family="probabilities",
    range=ANY,
    better=None,
    sentence="a difference of 1 in predicted log odds is one of {value} in fact (1 is ideal)",
    others="Below 1 the probabilities are too extreme, above 1 not extreme enough. Scores of 0 "
    "and 1 are moved 2.2e-16 inwards, and the output reports how many.",
    source="Cox 1958, doi:10.1093/biomet/45.3-4.562",
    fitted=True,
)
def calibration_slope(ranking: Ranking, level: float = 0.95) -> Estimate:
    """Whether probabilities are spread right: below 1 they are too extreme, above 1 too moderate.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> round(calibration_slope(Ranking.of(scores, actual)).value, 4)
        0.493
    """
    return calibration_line(ranking, level=level)[1]


@summary(
    formula="P / sum of scores",
    family="probabilities",
    range=(0.0, np.inf),
    better=None,
    aliases=("o_e_ratio", "oe_ratio"),
    sentence="for each {positive} row that the probabilities predict, {value} are observed "
    "(1 is ideal)",
    source="Debray et al. 2017, doi:10.1136/bmj.i6460",
    fitted=True,
)
def observed_expected_ratio(ranking: Ranking, level: float = 0.95) -> Estimate:
    """Observed divided by expected positives, the sum of the probabilities (O:E).

    The interval is symmetric for the logarithm, its squared error (1 - share) / positives; what is
    expected counts as fixed (Debray et al. 2017, doi:10.1136/bmj.i6460).

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.5, 0.25, 0.25]), np.array([1, 1, 0], bool))
        >>> observed_expected_ratio(ranking)
        2.00 (95% CI 0.90–4.45, Wald, logarithm)
    """
    name, z = "observed_expected_ratio", critical_value(level)
    try:
        values, positives, negatives = probabilities(ranking)
    except Undefined as why:
        return Estimate(name, nan, reason=str(why))
    observed, rows = float(positives.sum()), float((positives + negatives).sum())
    expected = float((values * (positives + negatives)).sum())
    if not expected:
        return Estimate(name, nan, reason="every probability is 0, so no positives are expected")
    if observed in (0.0, rows):
        only = ranking.positive if observed else ranking.negative
        note = f"no interval: every row is {only!r}"
        return Estimate(name, observed / expected, note=note)
    variance_ranking = ranking if ranking.squares is None else ranking.squares
    share = observed / rows
    squared = (
        float(variance_ranking.positives) * (1 - share) ** 2
        + float(variance_ranking.negatives) * share**2
    )
    reach, ratio = exp(z * sqrt(squared) / observed), observed / expected
    return Estimate(
        name, ratio, low=ratio / reach, high=ratio * reach, level=level, method="Wald, logarithm"
    )


class _Bins(NamedTuple):
    rows: NDArray[Any]
    shares: NDArray[np.float64]
    gaps: NDArray[np.float64]
    weights: NDArray[np.float64]


def _bins(ranking: Ranking, bins: float, by: str) -> _Bins:
    """Bins of the calibration curve, with their distances from the diagonal."""
    if by not in {"rows", "width"}:
        raise InputError(f"Bins are made by 'rows' or 'width', not by {by!r}.")
    if not (bins >= 1 and float(bins).is_integer()):
        raise InputError(f"A number of bins is whole and 1 or more, not {bins:g}.")
    probabilities(ranking)
    columns = calibration(ranking, by="rows" if by == "rows" else "width", bins=int(bins)).columns()
    # Weights that vanish beside the others make bins of nothing.
    rows, scores, shares = (
        columns[name][columns["rows"] > 0] for name in ("rows", "mean_score", "positive_share")
    )
    return _Bins(rows, shares, scores - shares, rows / rows.sum())


class _Groups(NamedTuple):
    """Log odds of scores with their rows; `squares` where rows differ in weight."""

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
    # Where both classes meet in one score at most, every steeper line fits better.
    if x_positives.min() >= x_negatives.max() or x_positives.max() <= x_negatives.min():
        raise Undefined("the scores part both classes, so every steeper slope fits better")
    line = fit_logistic_line(x, positives, groups.rows)
    if line is None:
        raise Undefined("the classes are so nearly parted that no slope was found")
    return line


def _groups(ranking: Ranking) -> _Groups:
    _, positives, negatives = probabilities(ranking)
    require_ranked_classes(ranking)
    sizes = positives + negatives
    if not 0 < positives.sum() / sizes.sum() < 1:
        raise Undefined("one class weighs next to nothing beside the other")
    scores = ranking.thresholds[1:]
    clipped = np.clip(scores, TINY, 1 - TINY)
    # Of a low score that is positive, 1 - score would lose digits; its log odds do not.
    log_odds = -logit(clipped) if ranking.lower_is_positive else logit(clipped)
    clipped_rows = sizes[clipped != scores].sum()
    note = f"{format_count(clipped_rows)} rows score 0 or 1 and are read as 2.2e-16 away from it"
    squares = None if ranking.squares is None else _counts(ranking.squares)
    return _Groups(log_odds, positives, sizes, squares, note if clipped_rows else None)


def _counts(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    return np.diff(ranking.true_positives), np.diff(ranking.false_positives)


def _information(groups: _Groups, odds: NDArray[np.float64]) -> tuple[Any, Any]:
    """Weights of groups, and variances of their positives: empirical where weights differ."""
    p, weights = logistic_probabilities(odds, groups.rows)
    if groups.squares is None:
        return weights, weights
    return weights, groups.squares[0] * (1 - p) ** 2 + groups.squares[1] * p**2


def _line_errors(groups: _Groups, line: LogisticLine) -> tuple[float, ...]:
    """Sandwich standard errors of intercept and slope."""
    x = groups.log_odds
    weights, variances = _information(groups, line.intercept + line.slope * x)
    middle, spread = weighted_moments(x, weights)
    slope = (x - middle) / spread
    intercept = 1 / float(weights.sum()) - middle * slope
    return tuple(sqrt(float((variances * influence**2).sum())) for influence in (intercept, slope))


def _wald(name: str, value: float, reach: float, level: float, note: str | None) -> Estimate:
    return Estimate(name, value, None, note, value - reach, value + reach, level, "Wald")


def calibration_line(ranking: Ranking, *, level: float = 0.95) -> tuple[Estimate, Estimate]:
    """Calibration intercept and slope: logistic regression of the class on the log odds.

    Cox 1958, doi:10.1093/biomet/45.3-4.562. Right probabilities have intercept 0 and slope 1.

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
    except Undefined as why:
        first, second = (Estimate(name, nan, reason=str(why)) for name in names)
        return first, second
    parts = zip(names, line, _line_errors(groups, line), strict=True)
    first, second = (_wald(n, value, z * error, level, groups.note) for n, value, error in parts)
    return first, second


def spiegelhalter(ranking: Ranking) -> Test:
    """Spiegelhalter's test of calibration by the Brier score.

    Spiegelhalter 1986, doi:10.1002/sim.4780050506. The statistic is standard normal if they are
    right; above 0, the score is worse than that. The p-value is two-sided. Weights that say how
    much rows matter may not depend on the class.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> spiegelhalter(Ranking.of(scores, actual))
        Test(Spiegelhalter's z, p = 0.3029)
    """
    name = "Spiegelhalter's z"
    try:
        values, positives, negatives = probabilities(ranking)
    except Undefined as why:
        return Test.undefined(name, "standard normal", str(why))
    rows, lean = positives + negatives, 1 - 2 * values
    # The variance if the probabilities are right. That of the residuals as seen would lean to
    # one side: where a rare class turns up, both the sum and its error are large.
    squares = rows if ranking.squares is None else sum(_counts(ranking.squares))
    variance = float((squares * values * (1 - values) * lean**2).sum())
    if not variance:
        reason = "every probability is 0, 1/2 or 1, where the test sees no difference"
        return Test.undefined(name, "standard normal", reason)
    z = float(((positives - rows * values) * lean).sum()) / sqrt(variance)
    return Test(name, z, two_sided_p_value(z), "standard normal")


def hosmer_lemeshow(ranking: Ranking, *, bins: int = 10, fitted_here: bool = False) -> Test:
    """Hosmer-Lemeshow test of calibration in bins of about equal size.

    Hosmer & Lemeshow 1980, doi:10.1080/03610928008827941. Rows of one score stay together, so
    there may be fewer bins than asked for.

    Args:
        ranking: Its scores are probabilities.
        bins: How many bins.
        fitted_here: Whether the model was fitted on these very rows: degrees of freedom are then
            bins - 2, else bins.

    Example:
        >>> from tradeoff import Ranking
        >>> scores, actual = np.array([0.9, 0.8, 0.4, 0.1]), np.array([1, 0, 1, 0], bool)
        >>> hosmer_lemeshow(Ranking.of(scores, actual), bins=2)
        Test(Hosmer–Lemeshow, p = 0.2741)
    """
    name = "Hosmer–Lemeshow"
    try:
        gaps, variances, few = _bin_gaps(ranking, bins, fewest=1 + 2 * fitted_here)
    except Undefined as why:
        return Test.undefined(name, "chi-squared", str(why))
    from scipy.special import chdtrc

    # A bin of probability 0 or 1 has no variance: a single row against it refutes it.
    with np.errstate(divide="ignore"):
        statistic = float((gaps**2 / variances).sum())
    notes = [f"of {bins} bins, {len(gaps)} hold scores that may be wrong"] * (len(gaps) < bins)
    notes += [f"{few} of {len(gaps)} bins expect fewer than {FEW} rows of a class"] * (few > 0)
    degrees = len(gaps) - 2 * fitted_here
    p_value = 0.0 if statistic == inf else float(chdtrc(degrees, statistic))
    note = "; ".join(notes) or None
    return Test(name, statistic, p_value, "chi-squared", degrees, note=note)


def _bin_gaps(
    ranking: Ranking, bins: int, *, fewest: int
) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Excess positives in each bin, their variance, and the bins with few expected rows."""
    probabilities(ranking)  # demands that scores are some
    if ranking.squares is not None:
        raise Undefined("the test counts rows, and here rows differ in weight")
    columns = calibration(ranking, by="rows", bins=bins).columns()
    # Weights that vanish beside the others make bins of nothing.
    rows, share, positives = (
        columns[name][columns["rows"] > 0] for name in ("rows", "mean_score", "positives")
    )
    expected, variances = rows * share, rows * share * (1 - share)
    gaps = positives - expected
    uncertain = (variances > 0) | (gaps != 0)
    if uncertain.sum() < fewest:
        raise Undefined(f"of {bins} bins only {uncertain.sum()} hold scores that may be wrong")
    few = np.minimum(expected, rows - expected)[uncertain] < FEW
    return gaps[uncertain], variances[uncertain], int(few.sum())
