"""How far probabilities are from what happened, in one number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tradeoff.errors import InputError
from tradeoff.measures.curves.calibration import calibration
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.probabilities import probabilities
from tradeoff.measures.registry import Undefined, summary
from tradeoff.measures.summaries import calibration_fits
from tradeoff.measures.summaries.areas import SHARE
from tradeoff.measures.summaries.decomposition import decompose
from tradeoff.text import number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.core.ranking import Ranking

ANY = (-np.inf, np.inf)


@summary(
    formula="sum over bins of (rows / all rows) * |mean score - share of positives|",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("ece",),
    sentence="in {bins} bins, mean probability and share of positives differ by {value} on average",
    others="Bins hold about equally many rows; by=width gives bins of equal width, the usual ECE. "
    "Many tools take the confidence in the predicted class instead. More bins give larger "
    "numbers, even where probabilities are right.",
    source="Guo, Pleiss, Sun & Weinberger 2017, arXiv:1706.04599",
    no_interval="its estimate is biased upwards, and no valid interval is known",
)
def expected_calibration_error(ranking: Ranking, *, bins: int = 10, by: str = "rows") -> float:
    found = _bins(ranking, bins, by)
    return float((found.weights * np.abs(found.gaps)).sum())


@summary(
    formula="sqrt of the sum over bins of (rows / all rows) * ((mean score - share)**2 - share * "
    "(1 - share) / (rows - 1)), 0 where that is negative",
    family="probabilities",
    range=SHARE,
    better="lower",
    sentence="without what chance adds, mean probability and share of positives differ by {value}",
    others="Bins hold about equally many rows. Squared differences before the root, so it lies "
    "above the mean difference where bins differ.",
    source="Kumar, Liang & Ma 2019, arXiv:1909.10155",
    no_interval="it is cut off at 0, where its estimate is not normally distributed",
)
def debiased_calibration_error(ranking: Ranking, *, bins: int = 10) -> Estimate:
    found = _bins(ranking, bins, "rows")
    if ranking.squares is not None:
        raise Undefined("it needs the number of rows, which importance weights do not give")
    if not (found.rows > 1).all():
        raise Undefined("a bin holds a single row, which cannot tell what chance adds")
    chance = found.shares * (1 - found.shares) / (found.rows - 1)
    squared = float((found.weights * (found.gaps**2 - chance)).sum())
    note = f"0, as the squared error without chance came out at {number(squared)}"
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
    sentence="a correction that keeps the order would lower the Brier score by {value}",
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
    sentence="once corrected, the probabilities would have a Brier score {value} below that of "
    "always saying the prevalence",
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
    sentence="the log odds of every row are {value} too low (0 is right)",
    others="Scores of 0 and 1 are kept 2.2e-16 away from them, and the output says how many.",
    source="Cox 1958, doi:10.1093/biomet/45.3-4.562",
)
def calibration_in_the_large(ranking: Ranking) -> Estimate:
    return _value_alone(calibration_fits.calibration_in_the_large(ranking))


@summary(
    formula="b in log odds of being positive = a + b * log odds of the score",
    family="probabilities",
    range=ANY,
    better=None,
    sentence="a difference in log odds of 1 is really one of {value} (1 is right)",
    others="Below 1 the probabilities are too bold, above 1 too timid. Scores of 0 and 1 are kept "
    "2.2e-16 away from them, and the output says how many.",
    source="Cox 1958, doi:10.1093/biomet/45.3-4.562",
)
def calibration_slope(ranking: Ranking) -> Estimate:
    return _value_alone(calibration_fits.calibration_slope(ranking))


@summary(
    formula="P / sum of scores",
    family="probabilities",
    range=(0.0, np.inf),
    better=None,
    aliases=("o_e_ratio",),
    sentence="for each {positive} that the probabilities expect there are {value} (1 is right)",
    source="Debray et al. 2017, doi:10.1136/bmj.i6460",
)
def observed_expected_ratio(ranking: Ranking) -> Estimate:
    return _value_alone(calibration_fits.observed_expected_ratio(ranking))


def _value_alone(found: Estimate) -> Estimate:
    """Intervals are found elsewhere, for any level."""
    return Estimate(found.name, found.value, reason=found.reason, note=found.note)


class _Bins(NamedTuple):
    rows: NDArray[Any]
    shares: NDArray[np.float64]
    gaps: NDArray[np.float64]
    weights: NDArray[np.float64]


def _bins(ranking: Ranking, bins: float, by: str) -> _Bins:
    """The bins of the calibration curve, with the distance of each from the diagonal."""
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
