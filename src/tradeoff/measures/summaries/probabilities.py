"""Scoring rules of probabilities: Brier score, log loss and their skill scores."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, Subject, missing_interval
from tradeoff.measures.probabilities import probabilities
from tradeoff.measures.registry import summary
from tradeoff.measures.summaries.areas import SHARE, require_ranked_classes
from tradeoff.text import format_count

Numbers = NDArray[np.float64]


TINY = float(np.finfo(np.float64).eps)
"""How far probabilities are kept from 0 and 1, where logarithms are infinite."""


def _squared_errors(ranking: Ranking) -> tuple[Numbers, Numbers]:
    """Squared errors of a positive and a negative row of each score."""
    p = probabilities(ranking).values
    return (1 - p) ** 2, p**2


def _log_losses(ranking: Ranking) -> tuple[Numbers, Numbers]:
    p = np.clip(probabilities(ranking).values, TINY, 1 - TINY)
    return -np.log(p), -np.log1p(-p)


def _mean(subject: Subject, losses: tuple[Numbers, Numbers], value: float) -> ConfidenceInterval:
    return ConfidenceInterval(*subject.mean_interval(value, *losses), "mean over rows, Hall")


def _mean_square(subject: Subject) -> ConfidenceInterval:
    return _mean(subject, _squared_errors(subject.ranking), subject.value)


def _mean_log(subject: Subject) -> ConfidenceInterval:
    return _mean(subject, _log_losses(subject.ranking), subject.value)


def _root_mean_square(subject: Subject) -> ConfidenceInterval:
    ends = _mean(subject, _squared_errors(subject.ranking), subject.value**2)
    low, high = (math.sqrt(max(end, 0.0)) for end in (ends.low, ends.high))
    return ends._replace(low=low, high=high)


def _skill_by_squares(subject: Subject) -> ConfidenceInterval:
    share = subject.prevalence
    return _skill(subject, _squared_errors(subject.ranking), share * (1 - share), 1 - 2 * share)


def _skill_by_logs(subject: Subject) -> ConfidenceInterval:
    share = subject.prevalence
    entropy = -share * math.log(share) - (1 - share) * math.log1p(-share)
    slope = math.log((1 - share) / share)
    return _skill(subject, _log_losses(subject.ranking), entropy, slope)


def _skill(
    subject: Subject, losses: tuple[Numbers, Numbers], reference: float, slope: float
) -> ConfidenceInterval:
    """Interval of a skill score, 1 - loss / loss of the prevalence, on a log scale.

    `reference` is that loss and `slope` its slope by the prevalence.
    """
    share, ratio = subject.prevalence, 1 - subject.value
    if not ratio > 0:
        return missing_interval("no interval: the loss is 0")
    of_positives, of_negatives = losses
    loss = ratio * reference
    low, high = subject.mean_interval(
        math.log(ratio),
        of_positives / loss - slope / reference * (1 - share),
        of_negatives / loss + slope / reference * share,
    )
    return ConfidenceInterval(
        1 - math.exp(high), 1 - math.exp(low), "ratio of means over rows, log, Hall"
    )


@summary(
    formula="mean of (score - class)**2, class being 1 or 0",
    family="probabilities",
    range=SHARE,
    better="lower",
    aliases=("brier_score", "mean_squared_error"),
    sentence="the mean squared error of the probabilities is {value}",
    source="Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    mean_over_rows=True,
    interval=_mean_square,
    headline={"tables": 6, "models": 4, "tracking": 3, "opening": 3},
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
    interval=_root_mean_square,
)
def root_mean_squared_error(ranking: Ranking) -> float:
    return float(np.sqrt(brier(ranking)))


@summary(
    formula="1 - brier / (prevalence * (1 - prevalence))",
    family="probabilities",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("d2_brier", "bss"),
    sentence="compared with always predicting the prevalence, the Brier score is reduced by "
    "{share}",
    interval=_skill_by_squares,
)
def brier_skill_score(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
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
    aliases=("mean_cross_entropy", "logarithmic_loss", "mxe", "logloss"),
    sentence="the mean logarithmic penalty of the probabilities is {value} nats",
    others="Probabilities are kept 2.2e-16 away from 0 and 1, as in scikit-learn for float64; the "
    "output reports for how many rows. scikit-learn clips float32 at 1.2e-7.",
    mean_over_rows=True,
    interval=_mean_log,
    headline={"tables": 7, "models": 5, "tracking": 4},
)
def log_loss(ranking: Ranking) -> Estimate:
    p, positives, negatives = probabilities(ranking)
    clipped = np.clip(p, TINY, 1 - TINY)
    losses = positives * -np.log(clipped) + negatives * -np.log1p(-clipped)
    surprised = np.where(p < TINY, positives, 0) + np.where(p > 1 - TINY, negatives, 0)
    note = f"clipped: {format_count(surprised.sum())} actual classes were given probability 0"
    value = float(losses.sum() / _total(ranking))
    return Estimate("log_loss", value, note=note if surprised.any() else None)


@summary(
    formula="1 - log_loss / log_loss of always saying the prevalence",
    family="probabilities",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("d2_log_loss",),
    sentence="compared with always predicting the prevalence, the log loss is reduced by {share}",
    interval=_skill_by_logs,
)
def log_loss_skill_score(ranking: Ranking) -> Estimate:
    require_ranked_classes(ranking)
    share = ranking.positives / _total(ranking)
    trivial = -share * np.log(share) - (1 - share) * np.log1p(-share)
    loss = log_loss(ranking)
    return replace(loss, value=float(1 - loss.value / trivial))


def _total(ranking: Ranking) -> Any:
    return ranking.positives + ranking.negatives
