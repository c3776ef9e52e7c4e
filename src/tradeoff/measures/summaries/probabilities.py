"""Scores judged as probabilities."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.measures.estimate import Estimate
from tradeoff.measures.probabilities import probabilities
from tradeoff.measures.registry import summary
from tradeoff.measures.summaries.areas import SHARE, demand_both
from tradeoff.text import count

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking


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
    p, positives, negatives = probabilities(ranking)
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
    demand_both(ranking)
    positives, negatives = ranking.positives, ranking.negatives
    prevalence = positives / _total(ranking)
    # Written as the Brier score is, so that always saying the prevalence has a skill of 0 exactly.
    uncertainty = (positives * (1 - prevalence) ** 2 + negatives * prevalence**2) / _total(ranking)
    return float(1 - brier(ranking) / uncertainty)


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
    p, positives, negatives = probabilities(ranking)
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
    demand_both(ranking)
    share = ranking.positives / _total(ranking)
    trivial = -share * np.log(share) - (1 - share) * np.log1p(-share)
    own = log_loss(ranking)
    return replace(own, value=float(1 - own.value / trivial))


def _total(ranking: Ranking) -> Any:
    return ranking.positives + ranking.negatives
