"""Whether scores are honest probabilities: the reliability diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tradeoff.errors import InputError
from tradeoff.render.chart import Chart, Line, Points, Ribbon, Scale
from tradeoff.views.curve_chart import model_lines
from tradeoff.views.scales import about_rows, legend, side

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.analysis.calibration.reliability import Reliability
    from tradeoff.core.ranking import Ranking
    from tradeoff.render.chart import Layer

FEW_BINS = 40
BANDS = {
    "consistency": "{} % band if probabilities were right",
    "confidence": "{} % band of the line",
}


def reliability_chart(found: Mapping[str, Reliability], ranking: Ranking) -> Chart:
    """Reliability diagrams; the band is drawn where there is one model alone.

    Args:
        found: Each model's diagram.
        ranking: Of the first model, for its class names and rows.

    Example:
        >>> from tradeoff import evaluate
        >>> from tradeoff.analysis.calibration.reliability import reliability
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = reliability_chart({"m": reliability(e.ranking)}, e.ranking)
        >>> [layer.label for layer in chart.layers][:2]
        ['honest probabilities', '95 % band if probabilities were right']
    """
    if not found:
        raise InputError("A reliability diagram needs at least one model.")
    ends = np.array([0.0, 1.0])
    layers: list[Layer] = [Line(ends, ends, "ideal", "honest probabilities")]
    first = next(iter(found.values()))
    if len(found) == 1 and first.bands is not None:
        label = BANDS[first.bands].format(f"{100 * (first.level or 0):g}")
        layers.append(Ribbon(first.scores, first.band_low, first.band_high, label=label))
    layers += model_lines([(legend(name), [_line(one)]) for name, one in found.items()])
    if len(found) == 1 and len(first.rows) <= FEW_BINS:
        texts = ("",) * len(first.rows)
        layers.append(Points(first.mean_score, first.positive_share, texts, "model"))
    across = Scale(side("mean_score", ranking), 0.0, 1.0, "share")
    up = Scale(side("positive_share", ranking), 0.0, 1.0, "share")
    caption = f"Below the diagonal, probabilities are too high. {about_rows(ranking)}"
    return Chart("Reliability diagram", across, up, tuple(layers), caption, square=True)


def _line(found: Reliability) -> Line:
    """Level over each bin, straight from its end to the begin of the next."""
    x = np.column_stack([found.low, found.high]).ravel()
    return Line(x, np.repeat(found.positive_share, 2))
