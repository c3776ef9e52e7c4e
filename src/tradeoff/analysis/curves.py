"""Curves: any metric against any metric along a ranking, one point a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.registry import METRICS, Measure
from tradeoff.errors import UnknownName, did_you_mean, listed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking

CURVES: dict[str, tuple[str, str]] = {
    "roc": ("false_positive_rate", "true_positive_rate"),
}
"""Named curves: what is drawn to the right, and what upwards."""


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """One metric over another at every threshold, from "none predicted positive" on."""

    name: str
    ranking: Ranking
    x_metric: Measure
    y_metric: Measure

    @property
    def x(self) -> NDArray[Any]:
        """The metric along the horizontal axis; NaN where it is undefined."""
        values: NDArray[Any] = self.x_metric(self.ranking.confusion)
        return values

    @property
    def y(self) -> NDArray[Any]:
        """The metric along the vertical axis; NaN where it is undefined."""
        values: NDArray[Any] = self.y_metric(self.ranking.confusion)
        return values

    def columns(self) -> dict[str, NDArray[Any]]:
        """The curve as a table: thresholds, the four counts, both metrics."""
        counts = self.ranking.confusion
        rejected = {}
        if np.any(counts.rejected):  # without them the rates could not be checked
            for name in ("rejected_positives", "rejected_negatives"):
                rejected[name] = np.full(len(self), getattr(counts, name))
        return {
            "threshold": self.ranking.thresholds,
            "true_positives": counts.true_positives,
            "false_positives": counts.false_positives,
            "false_negatives": counts.false_negatives,
            "true_negatives": counts.true_negatives,
            **rejected,
            self.x_metric.name: self.x,
            self.y_metric.name: self.y,
        }

    def __len__(self) -> int:
        """How many points there are."""
        return len(self.ranking.thresholds)

    def __repr__(self) -> str:
        """One line: what is drawn over what."""
        axes = f"{self.y_metric.name} over {self.x_metric.name}"
        named = f"{self.name}, " if self.name in CURVES else ""
        return f"Curve({named}{axes}, of {self.ranking.name}, {len(self):,} points)"


def named_curve(ranking: Ranking, name: str) -> Curve:
    """A curve by its usual name."""
    if name not in CURVES:
        raise UnknownName(
            f"No curve is called {name!r}.{did_you_mean(name, CURVES)} Named curves: "
            f"{listed(CURVES)}; any two metrics make a curve too."
        )
    x, y = CURVES[name]
    return Curve(name, ranking, METRICS[x], METRICS[y])


def curve(ranking: Ranking, *, x: str, y: str) -> Curve:
    """Any metric against any other."""
    across, up = METRICS.find(x), METRICS.find(y)
    return Curve(f"{up.name} over {across.name}", ranking, across, up)
