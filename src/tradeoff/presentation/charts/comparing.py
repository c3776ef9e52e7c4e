"""Forest plots: differences between models, and the models' own areas, with their intervals."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.errors import InputError
from tradeoff.render.chart import Chart, Line, Ranges, Scale
from tradeoff.render.values import percent_of
from tradeoff.text import plain
from tradeoff.views.scales import padded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tradeoff.analysis.comparing.difference import Difference
    from tradeoff.measures.estimate import Estimate

LONGEST = 24


def differences_chart(differences: Sequence[Difference]) -> Chart:
    """Differences of models with their intervals, one a line, around no difference.

    Example:
        >>> from tradeoff.analysis.comparing.difference import Difference
        >>> chart = differences_chart([Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18)])
        >>> chart.y.names
        ('a − b',)
    """
    if not differences:
        raise InputError("A chart of differences needs at least one difference.")
    first = differences[0]
    names = tuple(f"{plain(d.first, LONGEST)} − {plain(d.second, LONGEST)}" for d in differences)
    ranges = Ranges(
        np.array([d.value for d in differences]),
        np.array([d.low for d in differences]),
        np.array([d.high for d in differences]),
    )
    metric = first.metric.replace("_", " ")
    metric = metric.upper() if metric == "auc" else metric
    better = {"higher": "the first model is better", "lower": "the second model is better"}
    told = better.get(first.better or "", "")
    across = _scale(f"difference in {metric}", ranges, around=0.0)
    height = np.array([-0.5, len(names) - 0.5])
    layers = (Line(np.zeros(2), height, "chance", ""), ranges)
    caption = f"{percent_of(first.level)} intervals{f'; right of 0 {told}' if told else ''}."
    up = Scale("", 0, len(names), "names", names)
    return Chart(f"Differences in {metric}", across, up, layers, caption)


def estimates_chart(estimates: Mapping[str, Estimate], called: str) -> Chart:
    """One number of each model with its interval, one a line.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> chart = estimates_chart({"m": Estimate("auc", 0.8, low=0.7, high=0.9)}, "AUC")
        >>> chart.x.label, chart.y.names
        ('AUC', ('m',))
    """
    if not estimates:
        raise InputError("A chart of models needs at least one model.")
    names = tuple(plain(name, 32) for name in estimates)
    found = list(estimates.values())
    ranges = Ranges(
        np.array([e.value for e in found]),
        np.array([e.low for e in found]),
        np.array([e.high for e in found]),
    )
    level = next((e.level for e in found if e.has_interval and e.level), None)
    caption = "" if level is None else f"With {percent_of(level)} intervals."
    missing = [f"{plain(n, 32)}: {e.reason}." for n, e in estimates.items() if not e.is_defined]
    up = Scale("", 0, len(names), "names", names)
    across = _scale(called, ranges)
    text = " ".join(filter(None, [caption, *missing[:3]]))
    return Chart(f"{called} of each model", across, up, (ranges,), text)


def _scale(label: str, ranges: Ranges, around: float | None = None) -> Scale:
    known = np.concatenate([c[np.isfinite(c)] for c in (ranges.value, ranges.low, ranges.high)])
    ends = [float(known.min()), float(known.max())] if len(known) else [0.0, 1.0]
    if around is not None:
        ends = [min(ends[0], around), max(ends[1], around)]
    low, high = padded(*ends)
    return Scale(label, low, high if math.isfinite(high) else 1.0)
