"""Numbers that sum up a whole ranking. Each is one decorated function."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.estimate import Estimate
from tradeoff.analysis.hull import hull_places
from tradeoff.analysis.registry import Undefined, summary
from tradeoff.errors import InputError
from tradeoff.text import count

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.area import Ties
    from tradeoff.ranking.ranking import Ranking

SHARE = (0.0, 1.0)


@summary(
    formula="P(score of a positive > score of a negative) + P(equal) / 2",
    family="ranking",
    range=SHARE,
    better="higher",
    aliases=("area_under_roc", "c_statistic", "concordance", "roc_auc"),
    sentence="a random {positive} row ranks above a random {negative} row {share} of the time",
    others="Never flipped to exceed 1/2, as pROC does by default. Never from bins, as in Spark, "
    "H2O and TFMA.",
    source="Hanley & McNeil 1982, doi:10.1148/radiology.143.1.7063747",
)
def auc(ranking: Ranking) -> float:
    return _share_of_pairs(ranking, "half")


@summary(
    formula="P(score of a positive >= score of a negative)",
    family="ranking",
    range=SHARE,
    better="higher",
    sentence="with every tie won, the area under the ROC curve would be {value}",
    others="RapidMiner's optimistic area.",
)
def auc_optimistic(ranking: Ranking) -> float:
    return _share_of_pairs(ranking, "won")


@summary(
    formula="P(score of a positive > score of a negative)",
    family="ranking",
    range=SHARE,
    better="higher",
    sentence="with every tie lost, the area under the ROC curve would be {value}",
    others="RapidMiner's pessimistic area.",
)
def auc_pessimistic(ranking: Ranking) -> float:
    return _share_of_pairs(ranking, "lost")


@summary(
    formula="2 * auc - 1",
    family="ranking",
    range=(-1.0, 1.0),
    better="higher",
    aliases=("accuracy_ratio", "somers_d"),
    sentence="the Gini coefficient of the ranking is {value}",
    others="Not the Gini impurity of decision trees.",
)
def gini(ranking: Ranking) -> float:
    return 2 * auc(ranking) - 1


@summary(
    formula="max over thresholds of tpr - fpr",
    family="ranking",
    range=SHARE,
    better="higher",
    aliases=("kolmogorov_smirnov",),
    sentence="the classes are farthest apart where tpr exceeds fpr by {value}",
    others="The two-sample test takes the largest absolute difference: the same number only when "
    "the curve lies above the diagonal there.",
)
def ks(ranking: Ranking) -> float:
    _demand_both(ranking)
    tpr, fpr = _rates(ranking)
    return float((tpr - fpr).max())


@summary(
    formula="area under the ROC curve between low and high",
    family="partial area",
    range=SHARE,
    better="higher",
    sentence="the raw area under the curve for {along} from {low} to {high} is {value}",
    others="ROCR's fpr.stop and torchmetrics' wish; scikit-learn only has the McClish form.",
)
def partial_auc(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> float:
    return _partial(ranking, low, high, along)[0]


@summary(
    formula="partial_auc / (high - low)",
    family="partial area",
    range=SHARE,
    better="higher",
    sentence="the curve fills {share} of the box for {along} from {low} to {high}",
)
def partial_auc_share(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> float:
    return _partial(ranking, low, high, along)[0] / (high - low)


@summary(
    formula="(1 + (partial_auc - min) / (max - min)) / 2, min under the diagonal, max the box",
    family="partial area",
    range=(-np.inf, 1.0),
    better="higher",
    sentence="the partial area for {along} from {low} to {high}, 1/2 being chance, is {value}",
    others="scikit-learn's max_fpr. Below the diagonal pROC says NA; here the number is given.",
    source="McClish 1989, doi:10.1177/0272989X8900900307",
)
def partial_auc_mcclish(
    ranking: Ranking, *, low: float = 0.0, high: float = 0.1, along: str = "fpr"
) -> Estimate:
    area, chance = _partial(ranking, low, high, along)
    value = (1 + (area - chance) / (high - low - chance)) / 2
    note = "the curve lies below the diagonal here" if area < chance else None
    return Estimate("partial_auc_mcclish", value, note=note)


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
)
def pr_area(ranking: Ranking) -> float:
    found, seen = _positive_counts(ranking)
    gained, taken = np.diff(found), np.diff(seen)
    steps = gained > 0
    gained, taken, seen, found = gained[steps], taken[steps], seen[:-1][steps], found[:-1][steps]
    # Along a step, precision is x / (x / slope + c) with c = seen - found / slope.
    slope = gained / taken
    offset = seen - found / slope
    with np.errstate(divide="ignore"):
        growth = np.where(seen > 0, np.log1p(taken / seen), 0.0)
    return float((gained * slope - offset * slope**2 * growth).sum() / ranking.positives)


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
    formula="mean of (score - class)**2, class being 1 or 0",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("brier_score", "mean_squared_error"),
    sentence="the mean squared error of the probabilities is {value}",
    source="Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
)
def brier(ranking: Ranking) -> float:
    p, positives, negatives = _probabilities(ranking)
    return float((positives * (1 - p) ** 2 + negatives * p**2).sum() / _total(ranking))


@summary(
    formula="sqrt(brier)",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("rmse",),
    sentence="the root mean squared error of the probabilities is {value}",
    others="Weka's is over the probabilities of both classes: the same number for two classes.",
)
def root_mean_squared_error(ranking: Ranking) -> float:
    return float(np.sqrt(brier(ranking)))


@summary(
    formula="1 - brier / (prevalence * (1 - prevalence))",
    family="probabilities",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("d2_brier",),
    sentence="compared with always saying the prevalence, {share} of the Brier score is saved",
)
def brier_skill_score(ranking: Ranking) -> float:
    _demand_both(ranking)
    prevalence = ranking.positives / _total(ranking)
    return float(1 - brier(ranking) / (prevalence * (1 - prevalence)))


@summary(
    formula="mean of -log(probability given to the actual class)",
    family="probabilities",
    range=(0.0, np.inf),
    better="lower",
    aliases=("mean_cross_entropy", "logarithmic_loss", "mxe"),
    sentence="the mean logarithmic penalty of the probabilities is {value} nats",
    others="Probabilities are kept 2.2e-16 away from 0 and 1, as in scikit-learn for float64; the "
    "output says how many actual classes had less. scikit-learn clips float32 at 1.2e-7.",
)
def log_loss(ranking: Ranking) -> Estimate:
    p, positives, negatives = _probabilities(ranking)
    tiny = np.finfo(np.float64).eps
    kept = np.clip(p, tiny, 1 - tiny)
    losses = positives * -np.log(kept) + negatives * -np.log1p(-kept)
    surprised = np.where(p < tiny, positives, 0) + np.where(p > 1 - tiny, negatives, 0)
    note = f"clipped: {count(surprised.sum())} actual classes were given probability 0"
    value = float(losses.sum() / _total(ranking))
    return Estimate("log_loss", value, note=note if surprised.any() else None)


@summary(
    formula="1 - log_loss / log_loss of always saying the prevalence",
    family="probabilities",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("d2_log_loss",),
    sentence="compared with always saying the prevalence, {share} of the log loss is saved",
)
def log_loss_skill_score(ranking: Ranking) -> Estimate:
    _demand_both(ranking)
    share = ranking.positives / _total(ranking)
    trivial = -share * np.log(share) - (1 - share) * np.log1p(-share)
    own = log_loss(ranking)
    return replace(own, value=float(1 - own.value / trivial))


@summary(
    formula="1 - expected cost / expected cost of the better trivial choice, cost share of a "
    "false alarm ~ Beta(1 + prevalence, 2 - prevalence)",
    family="ranking",
    range=SHARE,
    better="higher",
    aliases=("h",),
    sentence="over the usual range of costs, {share} of the cost of not looking is saved",
    others="Hand's first proposal was Beta(2, 2), which does not follow the prevalence; R's "
    "hmeasure takes another Beta by default.",
    source="Hand & Anagnostopoulos 2014, A better Beta for the H measure of classification "
    "performance, Pattern Recognition Letters 40",
)
def h_measure(ranking: Ranking) -> float:
    _demand_both(ranking)
    tpr, fpr = (rate[hull_places(ranking)] for rate in _rates(ranking))
    share = float(ranking.positives / _total(ranking))
    # Vertex i is cheapest for costs between the indifference points of its two edges.
    rise, run = share * np.diff(tpr), (1 - share) * np.diff(fpr)
    limits = np.concatenate([[1.0], rise / (rise + run), [0.0]])
    cost = _expected_cost(tpr, fpr, limits, share)
    corners = np.array([0.0, 1.0])
    trivial = _expected_cost(corners, corners, np.array([1.0, share, 0.0]), share)
    return float(np.clip(1 - cost / trivial, 0.0, 1.0))


def surely_worse_than_chance(ranking: Ranking) -> bool:
    """Whether the area lies so far below 1/2 that chance would hardly explain it."""
    if not (ranking.positives and ranking.negatives):
        return False
    positives, negatives = float(ranking.positives), float(ranking.negatives)
    # The standard error of the Mann-Whitney statistic when scores say nothing.
    error = np.sqrt((positives + negatives + 1) / (12 * positives * negatives))
    return bool(auc(ranking) + 1.96 * error < 0.5)


def _expected_cost(
    tpr: NDArray[Any], fpr: NDArray[Any], limits: NDArray[Any], share: float
) -> float:
    """Cost c of a false alarm and 1 - c of a miss, averaged over c, each point where it is best."""
    from scipy.special import betainc

    a, b = 1 + share, 2 - share
    alarms = -np.diff(betainc(a + 1, b, limits)) * a / (a + b)
    misses = -np.diff(betainc(a, b + 1, limits)) * b / (a + b)
    return float((alarms * (1 - share) * fpr + misses * share * (1 - tpr)).sum())


def _demand_both(ranking: Ranking) -> None:
    if not ranking.rows:
        raise Undefined("there are no rows")
    if not ranking.positives:
        raise Undefined(f"no ranked row is {ranking.positive}; both classes are needed")
    if not ranking.negatives:
        raise Undefined(f"every ranked row is {ranking.positive}; both classes are needed")


def _share_of_pairs(ranking: Ranking, ties: Ties) -> float:
    _demand_both(ranking)
    # Python's integers divide exactly at any size; weights are floats and may stray past 1.
    pairs = 2 * ranking.positives.item() * ranking.negatives.item()
    return float(min(max(ranking.twice_pairs_won(ties=ties) / pairs, 0.0), 1.0))


def _rates(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any]]:
    return (
        ranking.true_positives / ranking.positives,
        ranking.false_positives / ranking.negatives,
    )


def _partial(ranking: Ranking, low: float, high: float, along: str) -> tuple[float, float]:
    """The area between two rates, and the area under the diagonal there."""
    if not 0 <= low < high <= 1 or along not in {"fpr", "tpr"}:
        raise InputError(
            f"A partial area needs 0 <= low < high <= 1 along fpr or tpr, not low={low:g}, "
            f"high={high:g} along {along}."
        )
    _demand_both(ranking)
    tpr, fpr = _rates(ranking)
    x, y = (fpr, tpr) if along == "fpr" else (tpr, 1 - fpr)
    first, last = int(np.searchsorted(x, low, "right")), int(np.searchsorted(x, high, "left"))
    # On a vertical step the height does not matter to the area, only that it is on the curve.
    ends = [
        np.interp(at, x[place - 1 : place + 1], y[place - 1 : place + 1])
        for at, place in ((low, first), (high, last))
    ]
    xs = np.concatenate([[low], x[first:last], [high]])
    ys = np.concatenate([ends[:1], y[first:last], ends[1:]])
    under = (high**2 - low**2) / 2
    chance = under if along == "fpr" else high - low - under
    return float(np.trapezoid(ys, xs)), chance


def _positive_counts(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Positives found and rows taken at each threshold, as floats: sums cannot overflow."""
    if not ranking.positives:
        raise Undefined(f"no ranked row is {ranking.positive}" if ranking.rows else "no rows")
    found = ranking.true_positives.astype(np.float64)
    return found, found + ranking.false_positives


def _probabilities(ranking: Ranking) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Each distinct probability of the positive class, with its rows of both classes."""
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    scores = ranking.thresholds[1:]
    low, high = sorted((scores[0], scores[-1]))
    if low < 0 or high > 1:
        counts = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
        outside = count(counts[(scores < 0) | (scores > 1)].sum())
        raise Undefined(
            f"{outside} of {count(counts.sum())} rows score outside 0 to 1 (from {low:g} to "
            f"{high:g}), so scores are not probabilities"
        )
    p = 1 - scores if ranking.lower_is_positive else scores
    return p, np.diff(ranking.true_positives), np.diff(ranking.false_positives)


def _total(ranking: Ranking) -> Any:
    return ranking.positives + ranking.negatives
