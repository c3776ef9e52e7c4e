"""Scoring rules for probabilities: Brier score, log loss and their skill scores."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.formatting import format_count
from tradeoff.measures.estimate import ConfidenceInterval, Estimate, Subject, missing_interval
from tradeoff.measures.probabilities import scores_as_probabilities
from tradeoff.measures.registry import summary
from tradeoff.measures.summaries.areas import UNIT_RANGE, require_ranked_classes

Numbers = NDArray[np.float64]


CLIPPING_MARGIN = float(np.finfo(np.float64).eps)
"""Distance from 0 and 1 to which probabilities are clipped, where logarithms are infinite."""


def _squared_errors(ranking: Ranking) -> tuple[Numbers, Numbers]:
    """Squared errors of a positive and of a negative row at each score."""
    p = scores_as_probabilities(ranking).values
    return (1 - p) ** 2, p**2


def _log_losses(ranking: Ranking) -> tuple[Numbers, Numbers]:
    """Log losses of a positive and of a negative row at each score."""
    p = np.clip(scores_as_probabilities(ranking).values, CLIPPING_MARGIN, 1 - CLIPPING_MARGIN)
    return -np.log(p), -np.log1p(-p)


def _mean_interval(
    subject: Subject, losses: tuple[Numbers, Numbers], value: float
) -> ConfidenceInterval:
    return ConfidenceInterval(*subject.mean_interval(value, *losses), "mean over rows, Hall")


def _brier_interval(subject: Subject) -> ConfidenceInterval:
    return _mean_interval(subject, _squared_errors(subject.ranking), subject.value)


def _log_loss_interval(subject: Subject) -> ConfidenceInterval:
    return _mean_interval(subject, _log_losses(subject.ranking), subject.value)


def _root_mean_squared_error_interval(subject: Subject) -> ConfidenceInterval:
    squared_interval = _mean_interval(subject, _squared_errors(subject.ranking), subject.value**2)
    low, high = (
        math.sqrt(max(limit, 0.0)) for limit in (squared_interval.low, squared_interval.high)
    )
    return squared_interval._replace(low=low, high=high)


def _brier_skill_interval(subject: Subject) -> ConfidenceInterval:
    p = subject.prevalence
    return _skill_interval(subject, _squared_errors(subject.ranking), p * (1 - p), 1 - 2 * p)


def _log_loss_skill_interval(subject: Subject) -> ConfidenceInterval:
    p = subject.prevalence
    entropy = -p * math.log(p) - (1 - p) * math.log1p(-p)
    slope = math.log((1 - p) / p)
    return _skill_interval(subject, _log_losses(subject.ranking), entropy, slope)


def _skill_interval(
    subject: Subject, losses: tuple[Numbers, Numbers], reference: float, slope: float
) -> ConfidenceInterval:
    """Interval for a skill score, 1 - loss / loss of predicting the prevalence, on the log scale.

    `reference` is the loss of predicting the prevalence and `slope` its derivative with
    respect to the prevalence.
    """
    prevalence, ratio = subject.prevalence, 1 - subject.value
    if not ratio > 0:
        return missing_interval("no interval: the loss is 0")
    positive_losses, negative_losses = losses
    loss = ratio * reference
    low, high = subject.mean_interval(
        math.log(ratio),
        positive_losses / loss - slope / reference * (1 - prevalence),
        negative_losses / loss + slope / reference * prevalence,
    )
    return ConfidenceInterval(
        1 - math.exp(high), 1 - math.exp(low), "ratio of means over rows, log, Hall"
    )


@summary(
    usual_label="Brier score",
    formula="mean of (score - class)**2, with classes 1 and 0",
    family="probabilities",
    range=UNIT_RANGE,
    better="lower",
    aliases=("brier_score", "brier_score_loss", "mean_squared_error"),
    sentence="the mean squared error of the probabilities is {value}",
    source="Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
    mean_over_rows=True,
    interval=_brier_interval,
    headline={"tables": 6, "models": 4, "tracking": 3, "opening": 3},
)
def brier(ranking: Ranking) -> float:
    p, positives, negatives = scores_as_probabilities(ranking)
    return float((positives * (1 - p) ** 2 + negatives * p**2).sum() / _ranked_total(ranking))


@summary(
    formula="sqrt(brier)",
    family="probabilities",
    range=UNIT_RANGE,
    better="lower",
    aliases=("rmse",),
    sentence="the root mean squared error of the probabilities is {value}",
    others="Weka's covers the probabilities of both classes: the same value for two classes.",
    interval=_root_mean_squared_error_interval,
)
def root_mean_squared_error(ranking: Ranking) -> float:
    return float(np.sqrt(brier(ranking)))


@summary(
    usual_label="Brier skill score",
    formula="1 - brier / (prevalence * (1 - prevalence))",
    family="probabilities",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("d2_brier", "bss"),
    sentence="compared with always predicting the prevalence, the Brier score is reduced by "
    "{share}",
    interval=_brier_skill_interval,
)
def brier_skill_score(ranking: Ranking) -> float:
    require_ranked_classes(ranking)
    positives, negatives = ranking.positives, ranking.negatives
    prevalence = positives / _ranked_total(ranking)
    # Computed like the Brier score, so that predicting the prevalence has a skill of exactly 0.
    uncertainty = (positives * (1 - prevalence) ** 2 + negatives * prevalence**2) / _ranked_total(
        ranking
    )
    return float(1 - brier(ranking) / uncertainty)


@summary(
    formula="mean of -log(predicted probability of the actual class)",
    family="probabilities",
    range=(0.0, np.inf),
    better="lower",
    aliases=(
        "mean_cross_entropy",
        "logarithmic_loss",
        "mxe",
        "binary_cross_entropy",
        "logistic_loss",
    ),
    sentence="the mean negative log-likelihood per row is {value} nats",
    others="Probabilities are clipped to 2.2e-16 from 0 and 1, as in scikit-learn for float64, and "
    "the output reports how many. scikit-learn clips float32 at 1.2e-7.",
    mean_over_rows=True,
    interval=_log_loss_interval,
    headline={"tables": 7, "models": 5, "tracking": 4},
)
def log_loss(ranking: Ranking) -> Estimate:
    p, positives, negatives = scores_as_probabilities(ranking)
    clipped = np.clip(p, CLIPPING_MARGIN, 1 - CLIPPING_MARGIN)
    losses = positives * -np.log(clipped) + negatives * -np.log1p(-clipped)
    impossible_rows = np.where(p < CLIPPING_MARGIN, positives, 0) + np.where(
        p > 1 - CLIPPING_MARGIN, negatives, 0
    )
    clause = "row has" if impossible_rows.sum() == 1 else "rows have"
    count = format_count(impossible_rows.sum())
    note = f"clipped: {count} {clause} probability 0 for the actual class"
    value = float(losses.sum() / _ranked_total(ranking))
    return Estimate("log_loss", value, note=note if impossible_rows.any() else None)


@summary(
    formula="1 - log_loss / log_loss of always predicting the prevalence",
    family="probabilities",
    range=(-np.inf, 1.0),
    better="higher",
    aliases=("d2_log_loss",),
    sentence="compared with always predicting the prevalence, the log loss is reduced by {share}",
    interval=_log_loss_skill_interval,
)
def log_loss_skill_score(ranking: Ranking) -> Estimate:
    require_ranked_classes(ranking)
    p = ranking.positives / _ranked_total(ranking)
    entropy = -p * np.log(p) - (1 - p) * np.log1p(-p)
    loss = log_loss(ranking)
    return replace(loss, value=float(1 - loss.value / entropy))


def _ranked_total(ranking: Ranking) -> Any:
    return ranking.positives + ranking.negatives
