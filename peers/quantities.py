"""Our side: every quantity under its name here, whichever program it is compared with."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import tradeoff as to
from tradeoff.stats.proportions import proportion_interval
from tradeoff.uncertainty.auc import placement_variances

if TYPE_CHECKING:
    from tradeoff import ClassMatrix, ConfusionMatrix, MultiClass, Ranking

Ends = tuple[float, float]


def metric(name: str, matrix: ConfusionMatrix | ClassMatrix) -> float:
    """A metric of a confusion matrix, NaN where it is undefined."""
    return float(to.METRICS.find(name)(matrix))


def summary(name: str, ranking: Ranking) -> float:
    """A summary of a ranking, NaN where it is undefined."""
    return float(to.SUMMARIES.find(name)(ranking))


def by_class(name: str, matrix: ClassMatrix) -> list[float]:
    """A metric of each class against the rest."""
    return [metric(name, matrix.one_against_rest(own)) for own in matrix.classes]


def average(name: str, matrix: ClassMatrix, how: Any) -> float:
    """A metric averaged over the classes."""
    return to.average(matrix, name, how).value


def area_of_classes(name: Any, judged: MultiClass) -> float:
    """An area for all classes together, without its interval."""
    return judged._area(name, seed=0).value  # noqa: SLF001 - the micro interval draws rows


def delong_variance(ranking: Ranking) -> float:
    """DeLong's variance of the area; it needs two rows of each class."""
    variances = placement_variances(ranking)
    is_defined = min(variances.positives, variances.negatives) >= 2
    return variances.variance if is_defined else math.nan


def delong_interval(ranking: Ranking, level: float = 0.95) -> Ends:
    """DeLong's interval, symmetric around the area."""
    found = to.Evaluation({"model": ranking}).summary("auc", method="delong", level=level)
    return found.low, found.high


def share_interval(hits: float, trials: float, method: str, level: float = 0.95) -> Ends:
    """An interval of a share, by any of its published methods."""
    low, high = proportion_interval(hits, trials, level, method)
    return float(low), float(high)
