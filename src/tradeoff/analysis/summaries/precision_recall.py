"""What precision and recall sum up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.analysis.curves.areas import ratio_area
from tradeoff.analysis.registry import Undefined, summary
from tradeoff.analysis.summaries.areas import SHARE, demand_both

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking


@summary(
    formula="sum over thresholds of (recall gained) * precision",
    family="precision and recall",
    range=SHARE,
    better="higher",
    aliases=("ap",),
    in_sklearn=0.0,
    sentence="the average precision over the {positive} rows, best first, is {value}",
    others="Not the trapezoid, which is too optimistic: that is `pr_trapezoid`.",
    source="Davis & Goadrich 2006, doi:10.1145/1143844.1143874",
)
def average_precision(ranking: Ranking) -> float:
    found, seen = _positive_counts(ranking)
    area = (np.diff(found) * found[1:] / seen[1:]).sum() / found[-1]
    return float(min(area, 1.0))  # sums of real weights may stray past 1


@summary(
    formula="area under precision over recall, interpolated along the expected counts",
    family="precision and recall",
    range=SHARE,
    better="higher",
    aliases=("auprc", "aucpr"),
    sentence="the area under the precision-recall curve is {value}",
    others="The hyperbola between two points is integrated exactly, as PRROC and precrec do.",
    source="Davis & Goadrich 2006, doi:10.1145/1143844.1143874; Keilwagen, Grosse & Grau 2014, "
    "doi:10.1371/journal.pone.0092209",
    by_dominance=True,
)
def pr_area(ranking: Ranking) -> float:
    found, seen = _positive_counts(ranking)
    return ratio_area(found, seen, found / found[-1])


@summary(
    formula="trapezoids under (recall, precision), from the added point (0, 1)",
    family="precision and recall",
    range=SHARE,
    better="higher",
    sentence="scikit-learn's auc(recall, precision) is {value}",
    others="A compatibility value: no classifier reaches the straight lines between precisions. "
    "ROCR starts differently where the highest score is a negative row's.",
)
def pr_trapezoid(ranking: Ranking) -> float:
    found, seen = _positive_counts(ranking)
    recall = found / found[-1]
    precision = np.concatenate([[1.0], found[1:] / seen[1:]])
    return float(np.trapezoid(precision, recall))


@summary(
    formula="area under precision gain over recall gain, from recall gain 0 on",
    family="precision and recall",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("auprg",),
    sentence="the area under the precision-recall-gain curve is {value}",
    source="Flach & Kull 2015, Precision-Recall-Gain curves: PR analysis done right, NIPS 28",
)
def pr_gain_area(ranking: Ranking) -> float:
    demand_both(ranking)
    found, seen = _positive_counts(ranking)
    alarms = seen - found
    share = found[-1] / seen[-1]
    odds = share / (1 - share)
    # Recall gain is 0 where this share of the positives is found; gains run straight from there.
    first = share * found[-1]
    inside = found > first
    ups = np.concatenate([[first], found[inside]])
    overs = np.concatenate([[np.interp(first, found, alarms)], alarms[inside]])
    return float(np.trapezoid(1 - odds * overs / ups, 1 - odds * (found[-1] - ups) / ups))


@summary(
    formula="precision where it equals recall: as many rows are taken as are positive",
    family="precision and recall",
    range=SHARE,
    better="higher",
    aliases=("prbe", "r_precision"),
    sentence="taking as many rows as are {positive}, {share} of them are",
    others="Inside a tie the expected value. ROCR's prbe is the nearest cutoff's.",
    by_dominance=True,
)
def break_even(ranking: Ranking) -> float:
    found, seen = _positive_counts(ranking)
    return float(np.interp(found[-1], seen, found) / found[-1])


def _positive_counts(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positives found and rows taken at each threshold, as floats: sums cannot overflow."""
    if not ranking.positives:
        raise Undefined(f"no ranked row is {ranking.positive}" if ranking.rows else "no rows")
    found = ranking.true_positives.astype(np.float64)
    return found, found + ranking.false_positives
