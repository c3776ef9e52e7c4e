"""Views of points in ROC space: their chart, and what their positions mean."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from tradeoff.formatting import format_screen_number, printable
from tradeoff.hulls.hull import hull as find_hull
from tradeoff.hulls.roc_points import RocPoint, RocPoints
from tradeoff.hulls.views import hull_lines
from tradeoff.measures.curves.registry import curve_kind
from tradeoff.render.chart import Chart, Line, Points, Scale
from tradeoff.render.sections import Section
from tradeoff.results import shows


@shows(RocPoints, "chart")
def roc_points_chart(points: RocPoints, *, hull: bool = False) -> Chart:
    """Chart of points in ROC space, each labelled with its name, and the chance diagonal."""
    diagonal = np.array([0.0, 1.0])
    lines = [Line(diagonal, diagonal, "chance", curve_kind("roc").chance)]
    if hull:
        lines += hull_lines(find_hull(points.rankings))
    below = [name for name, (fpr, tpr) in points.points.items() if _position(fpr, tpr) < 0]
    caption = "Top left is perfect; on the diagonal a classifier guesses."
    if below:
        names = ", ".join(printable(name, 32) for name in below[:5])
        caption += f" Below it, the opposite predictions are better than guessing: {names}."
    return Chart(
        "Points in ROC space",
        Scale("False positive rate", 0.0, 1.0, "share"),
        Scale("True positive rate", 0.0, 1.0, "share"),
        (*lines, *point_layers(points.points)),
        caption,
        square=True,
    )


def point_layers(points: Mapping[str, RocPoint], first_order: int = 0) -> list[Points]:
    """Chart layers of points in ROC space, each labelled with its name."""
    return [
        Points(np.array([fpr]), np.array([tpr]), (printable(name, 32),), "point", order=order)
        for order, (name, (fpr, tpr)) in enumerate(points.items(), first_order)
    ]


@shows(RocPoints, "sections")
def roc_points_sections(points: RocPoints) -> list[Section]:
    """Text of points in ROC space: their rates and what their positions mean."""
    table: list[tuple[str, ...]] = [("", "FPR", "TPR", "Youden's J", "")]
    for name, (fpr, tpr) in points.points.items():
        numbers = (format_screen_number(value, 3) for value in (fpr, tpr, tpr - fpr))
        table.append((name, *numbers, _meaning(fpr, tpr)))
    return [
        Section(
            "Points in ROC space: false and true positive rate", table=tuple(table), prose_last=True
        )
    ]


def _position(fpr: float, tpr: float) -> int:
    """Whether a point is above (1), on (0) or below (-1) the diagonal."""
    return 0 if math.isclose(fpr, tpr, abs_tol=1e-12) else 1 if tpr > fpr else -1


def _meaning(fpr: float, tpr: float) -> str:
    corners = {
        (0.0, 1.0): "perfect",
        (0.0, 0.0): "predicts everything negative",
        (1.0, 1.0): "predicts everything positive",
        (1.0, 0.0): "always wrong; the opposite is perfect",
    }
    if (fpr, tpr) in corners:
        return corners[fpr, tpr]
    position = _position(fpr, tpr)
    if position >= 0:
        return "better than guessing" if position else "guessing"
    return f"worse than guessing; the opposite is at ({1 - fpr:.3g}, {1 - tpr:.3g})"
