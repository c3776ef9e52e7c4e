"""Points in ROC space: classifiers known only by their rates or by a confusion matrix."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.results import Result, find_view, renderer
from tradeoff.sources.confusion_matrices import matrix_of_counts, ranking_of_matrix

if TYPE_CHECKING:
    from tradeoff.results import Chart, ChartStyleName

RocPoint = tuple[float, float]
"""False and true positive rate of a classifier."""


@dataclass(frozen=True, eq=False)
class RocPoints(Result, views="tradeoff.hulls.roc_points_views", picture=True):
    """Points in ROC space, by name: the confusion matrix of each classifier, or its rates.

    A point known by its rates alone has a matrix whose classes have one row each.
    """

    matrices: Mapping[str, ConfusionMatrix]

    @property
    def points(self) -> dict[str, RocPoint]:
        """ROC point of each classifier: its false and true positive rate."""
        return {
            name: (
                float(matrix.false_positives / matrix.negatives),
                float(matrix.true_positives / matrix.positives),
            )
            for name, matrix in self.matrices.items()
        }

    @property
    def rankings(self) -> dict[str, Ranking]:
        """Each point as a ranking whose ROC curve has this point between its corners."""
        return {name: ranking_of_matrix(matrix, name) for name, matrix in self.matrices.items()}

    def columns(self) -> dict[str, list[Any]]:
        """One row per ROC point: its rates and Youden's J, its height above the diagonal."""
        return {
            "name": list(self.points),
            "fpr": [fpr for fpr, _ in self.points.values()],
            "tpr": [tpr for _, tpr in self.points.values()],
            "youden": [tpr - fpr for fpr, tpr in self.points.values()],
        }

    def chart(self, *, hull: bool = False) -> Chart:
        """Chart of the points in ROC space, optionally with their convex hull."""
        chart: Chart = find_view(self, "chart")(self, hull=hull)
        return chart

    def plot(self, *, hull: bool = False, ax: Any = None, style: ChartStyleName = "default") -> Any:
        """Plot the chart with matplotlib, on `ax` if given; `style` is "default" or "paper"."""
        return renderer("matplotlib")(self.chart(hull=hull), ax, style)

    def __repr__(self) -> str:
        """The ROC points on one line."""
        points = (f"{name} ({fpr:.3g}, {tpr:.3g})" for name, (fpr, tpr) in self.points.items())
        return f"RocPoints({', '.join(points)})"


def roc_points(points: Mapping[str, Any]) -> RocPoints:
    """Points in ROC space from rates or confusion matrices.

    Args:
        points: For each name a pair (false positive rate, true positive rate), a confusion matrix,
            or either as text: "0.28, 0.63", "63 37; 28 72".

    Example:
        >>> roc_points({"A": (0.28, 0.63), "D": "76 24; 12 88"})
        RocPoints(A (0.28, 0.63), D (0.12, 0.76))
    """
    if not points:
        raise InputError("Give at least one point.")
    return RocPoints({str(name): _matrix(str(name), point) for name, point in points.items()})


def parse_roc_point(text: str) -> tuple[str, str]:
    """Name and ROC point, for `roc_points`, of text such as A=0.28,0.63 or "D=76 24; 12 88".

    Example:
        >>> parse_roc_point("A=0.28,0.63")
        ('A', '0.28,0.63')
    """
    name, sign, point = text.partition("=")
    if not sign or not name.strip() or not point.strip():
        raise InputError(
            'Write a point as NAME=FPR,TPR (A=0.28,0.63) or as a matrix (A="63 37; 28 72"), '
            f"not {text!r}."
        )
    return name.strip(), point.strip()


def _matrix(name: str, point: Any) -> ConfusionMatrix:
    """Confusion matrix of a point, given as a matrix or as rates."""
    if isinstance(point, str):
        words = re.split(r"[\s,;]+", point.strip(" ()[]"))
        point = [_rate(name, word) for word in words] if len(words) == 2 else point
    if isinstance(point, list | tuple) and len(point) == 2 and not hasattr(point[0], "__len__"):
        fpr, tpr = (float(rate) for rate in point)
        if not (0 <= fpr <= 1 and 0 <= tpr <= 1):
            raise InputError(
                f"The rates of {name} must be between 0 and 1, not ({fpr:g}, {tpr:g}); "
                "they are the false and the true positive rate."
            )
        return ConfusionMatrix(tpr, 1 - tpr, fpr, 1 - fpr)
    matrix = point if isinstance(point, ConfusionMatrix) else matrix_of_counts(point)
    if isinstance(matrix, ClassMatrix):
        raise InputError(f"{name} has {len(matrix.classes)} classes; ROC space has two.")
    if not (matrix.positives and matrix.negatives):
        raise InputError(f"{name} has rows of one class only, so it has no point in ROC space.")
    return matrix


def _rate(name: str, word: str) -> float:
    """Parse a rate, written as a number or in percent."""
    try:
        return float(word[:-1]) / 100 if word.endswith("%") else float(word)
    except ValueError:
        raise InputError(
            f"{word!r} is not a rate: write the point {name} as {name}=0.28,0.63 "
            "(false positive rate, true positive rate)."
        ) from None
