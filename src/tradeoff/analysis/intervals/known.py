"""Metrics whose intervals have formulas of their own: ratios, differences of rates, kappa."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.analysis.comparing.kappa import kappa_interval
from tradeoff.analysis.comparing.labels import newcombe
from tradeoff.analysis.intervals.percentiles import Spread
from tradeoff.analysis.intervals.ratios import likelihood_ratio, odds_ratio, predictive_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from tradeoff.ranking.confusion import ConfusionMatrix


def _classes(m: ConfusionMatrix) -> tuple[float, float, float, float]:
    """Found, positives, alarms, negatives: as many rows as the weights say as much as."""
    positives, negatives = float(m.positives), float(m.negatives)
    found, alarms = float(m.true_positives), float(m.false_positives)
    if m.squares is None:
        return found, positives, alarms, negatives
    rows = [
        total**2 / float(squared)
        for total, squared in (
            (positives, m.squares.positives),
            (negatives, m.squares.negatives),
        )
    ]
    # Rounding must not make hits more than trials.
    hits = min(found * rows[0] / positives, rows[0]), min(alarms * rows[1] / negatives, rows[1])
    return hits[0], rows[0], hits[1], rows[1]


def _odds(m: ConfusionMatrix, level: float, scale: Callable[[float], float]) -> Spread | None:
    """A rising function of the odds ratio."""
    if m.rejected:
        return None
    found, positives, alarms, negatives = _classes(m)
    odds = odds_ratio(found, positives - found, alarms, negatives - alarms, level)
    return Spread(scale(float(odds.low)), scale(float(odds.high)), str(odds.method))


def _odds_ratio(m: ConfusionMatrix, level: float) -> Spread | None:
    return _odds(m, level, float)


def _log_odds_ratio(m: ConfusionMatrix, level: float) -> Spread | None:
    return _odds(m, level, _log)


def _discriminant_power(m: ConfusionMatrix, level: float) -> Spread | None:
    return _odds(m, level, lambda odds: math.sqrt(3) / math.pi * _log(odds))


def _yules_q(m: ConfusionMatrix, level: float) -> Spread | None:
    return _odds(m, level, _from_odds)


def _yules_y(m: ConfusionMatrix, level: float) -> Spread | None:
    return _odds(m, level, lambda odds: _from_odds(math.sqrt(odds)))


def _log(odds: float) -> float:
    return math.log(odds) if odds > 0 else -math.inf


def _from_odds(odds: float) -> float:
    return 1 - 2 / (1 + odds)


def _positive_likelihood(m: ConfusionMatrix, level: float) -> Spread:
    found = likelihood_ratio(*_classes(m), level)
    return Spread(float(found.low), float(found.high), str(found.method))


def _negative_likelihood(m: ConfusionMatrix, level: float) -> Spread | None:
    if m.rejected:
        return None
    found, positives, alarms, negatives = _classes(m)
    ratio = likelihood_ratio(positives - found, positives, negatives - alarms, negatives, level)
    return Spread(float(ratio.low), float(ratio.high), str(ratio.method))


def _youden(m: ConfusionMatrix, level: float) -> Spread | None:
    low, high = (float(end) for end in newcombe(*_classes(m), level)[-2:])
    return Spread(low, high, "Newcombe")


def _balanced_accuracy(m: ConfusionMatrix, level: float) -> Spread | None:
    found = None if m.rejected else _youden(m, level)
    return found and found._replace(low=(1 + found.low) / 2, high=(1 + found.high) / 2)


def _balanced_error_rate(m: ConfusionMatrix, level: float) -> Spread | None:
    found = _balanced_accuracy(m, level)
    return found and found._replace(low=1 - found.high, high=1 - found.low)


def _kappa(m: Any, level: float) -> Spread | None:
    if getattr(m, "squares", None) is not None:
        return None
    _, _, low, high = kappa_interval(m.counts, level)
    return None if math.isnan(low) else Spread(low, high, "Fleiss–Cohen–Everitt")


def _predictive(
    m: ConfusionMatrix, level: float, which: Literal["positive", "negative"]
) -> Spread | None:
    """Where classes are weighed; else these are plain shares."""
    if m.squares is None or m.rejected or not (m.positives and m.negatives):
        return None
    prevalence = float(m.positives / m.rows)
    found = predictive_value(*_classes(m), prevalence, level, which)
    return Spread(float(found.low), float(found.high), f"Mercaldo, {found.method}")


def _precision(m: ConfusionMatrix, level: float) -> Spread | None:
    return _predictive(m, level, "positive")


def _negative_predictive_value(m: ConfusionMatrix, level: float) -> Spread | None:
    return _predictive(m, level, "negative")


def _false_discovery_rate(m: ConfusionMatrix, level: float) -> Spread | None:
    return _turned(_precision(m, level))


def _false_omission_rate(m: ConfusionMatrix, level: float) -> Spread | None:
    return _turned(_negative_predictive_value(m, level))


def _turned(found: Spread | None) -> Spread | None:
    return found and found._replace(low=1 - found.high, high=1 - found.low)


KNOWN: dict[str, Callable[[Any, float], Spread | None]] = {
    "odds_ratio": _odds_ratio,
    "log_odds_ratio": _log_odds_ratio,
    "discriminant_power": _discriminant_power,
    "yules_q": _yules_q,
    "yules_y": _yules_y,
    "positive_likelihood_ratio": _positive_likelihood,
    "negative_likelihood_ratio": _negative_likelihood,
    "youden_j": _youden,
    "balanced_accuracy": _balanced_accuracy,
    "balanced_error_rate": _balanced_error_rate,
    "cohens_kappa": _kappa,
    "precision": _precision,
    "negative_predictive_value": _negative_predictive_value,
    "false_discovery_rate": _false_discovery_rate,
    "false_omission_rate": _false_omission_rate,
}
"""Metrics by name; None where the formula does not hold for this matrix."""

OF_ANY_CLASSES = frozenset({"cohens_kappa"})
