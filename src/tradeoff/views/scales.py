"""Scales of charts: axis labels, limits and spacing; legend entries and threshold labels."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.registry import QUANTITIES, Quantity, curve_kind
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.render.chart import Kind, Scale
from tradeoff.text import format_count, printable

MAX_NAME = 32
MAX_CLASS = 24
DEFAULT_CLASSES = frozenset({"positive", "1", "True", "true", "1.0"})


def axis_label(name: str, ranking: Ranking, curve: str = "") -> str:
    """Axis label of a metric or other quantity, with the user's class names.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([1.0]), np.array([True]), positive="yes", negative="no")
        >>> axis_label("true_positive_rate", ranking)
        "True positive rate (recall of 'yes')"
        >>> axis_label("matthews_correlation", ranking)
        'Matthews correlation'
    """
    positive, negative = class_labels(ranking)
    words = curve_kind(curve).axes.get(name) or _axis_words(name)
    if not words:
        return name.replace("_", " ").capitalize()
    is_named = ranking.positive not in DEFAULT_CLASSES
    label, _, details = words.partition("|")
    return (f"{label} ({details})" if details and is_named else label).format(
        positive=positive,
        negative=negative,
        one=_positive_label(ranking),
        of=f" of {positive}" if is_named else "",
    )


def class_labels(ranking: Ranking) -> tuple[str, str]:
    """Labels of the positive and negative class in charts: quoted if they have names."""
    if ranking.positive in DEFAULT_CLASSES:
        return "positives", "negatives"
    return _quote(ranking.positive), _quote(ranking.negative)


def _axis_words(name: str) -> str:
    if name in QUANTITIES:
        return QUANTITIES[name].label
    return METRICS.find(name).axis if METRICS.knows(name) else ""


def _scale_kind(name: str) -> Kind:
    """Kind of scale of a quantity: in percent for shares of rows, else plain."""
    return "share" if _is_share(name) else "plain"


def _is_share(name: str) -> bool:
    if name in QUANTITIES:
        return QUANTITIES[name].is_share
    return METRICS.knows(name) and bool(METRICS.find(name).trials)


def quantity_range(name: str) -> tuple[float, float]:
    """Range of a metric or other quantity of a curve; infinite where unbounded.

    Example:
        >>> [quantity_range(name) for name in ("precision", "lift", "probability_cost")]
        [(0.0, 1.0), (0.0, inf), (0.0, 1.0)]
    """
    subject = _quantity(name)
    return (-math.inf, math.inf) if subject is None else (subject.low, subject.high)


def _quantity(name: str) -> Quantity | Measure | None:
    if name in QUANTITIES:
        return QUANTITIES[name]
    return METRICS.find(name) if METRICS.knows(name) else None


def legend_text(name: str, area: Estimate | None = None, area_name: str = "AUC") -> str:
    """Legend entry of a model, with the area under its curve.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> legend_text("naive_bayes", Estimate("auc", 0.8217, low=0.7555, high=0.88, level=0.95))
        'naive_bayes (AUC 0.82, 0.76–0.88)'
        >>> legend_text("naive_bayes", Estimate("auc", math.nan, reason="no row is yes"))
        'naive_bayes (no AUC)'
    """
    model = printable(name, MAX_NAME)
    if area is None:
        return model
    if not area.is_defined:
        return f"{model} (no {area_name})"
    interval = f", {area.low:.2f}–{area.high:.2f}" if area.has_interval else ""
    return f"{model} ({area_name} {area.value:.2f}{interval})"


def format_rule(ranking: Ranking, threshold: float, criterion: str = "") -> str:
    """Threshold as the label of a point, such as "≥ 0.5", with the criterion that chose it.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> format_rule(Ranking.of(np.array([1.0]), np.array([True])), 0.2054, "youden")
        'youden: ≥ 0.205'
    """
    sign = "≤" if ranking.lower_is_positive else "≥"
    prefix = f"{printable(criterion)}: " if criterion else ""
    value = "none" if threshold == (-math.inf if sign == "≤" else math.inf) else f"{threshold:.3g}"
    return f"{prefix}{value}" if value == "none" else f"{prefix}{sign} {value}"


def rows_sentence(ranking: Ranking) -> str:
    """Sentence on the number of rows and positives, for the caption of a chart.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> rows_sentence(Ranking.of(np.array([1.0, 2.0]), np.array([True, False]), positive="yes"))
        "2 rows, 1 of them 'yes'."
    """
    positives = ranking.positives + ranking.rejected_positives
    class_name = "positive" if ranking.positive in DEFAULT_CLASSES else _quote(ranking.positive)
    if ranking.is_counted:
        return (
            f"{format_count(ranking.total)} rows, {format_count(positives)} of them {class_name}."
        )
    total = float(ranking.total)
    share = f", {100 * float(positives) / total:.3g}% of the weight {class_name}" if total else ""
    return f"{format_count(ranking.rows)} rows{share}."


def _quote(name: str) -> str:
    return f"'{printable(name, MAX_CLASS)}'"


def _positive_label(ranking: Ranking) -> str:
    return "positive" if ranking.positive in DEFAULT_CLASSES else _quote(ranking.positive)


MAX_SCORE = 1e300
"""Larger finite scores are drawn here, so that the width of a scale does not overflow."""
TAIL = 0.01
"""Share of rows in each tail that a scale may leave out."""
LOG_RATIO = 20.0
"""Scores whose maximum exceeds their median by this factor get a logarithmic scale."""
OUTLIER_RATIO = 3.0
MIN_RATE = 1e-5


def score_scale(rankings: Iterable[Ranking], label: str = "score") -> Scale:
    """Scale of scores: 0 to 1 for probabilities, else the range of nearly all rows.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> scale = score_scale([ranking])
        >>> scale.low, scale.high, scale.kind
        (0.0, 1.0, 'plain')
    """
    score_weights = [_score_weights(ranking) for ranking in rankings]
    values, rows = (np.concatenate(column) for column in zip(*score_weights, strict=True))
    if not len(values):
        return Scale(label, 0.0, 1.0)
    order = np.argsort(values, kind="stable")
    values, share = values[order], np.cumsum(rows[order])
    share = share / share[-1]
    first, last = float(values[0]), float(values[-1])
    if first >= 0 and last <= 1 and not (last < 0.2 and first > 0):
        return Scale(label, 0.0, 1.0)
    if first == last:
        margin = abs(first) / 2 or 0.5
        return Scale(label, first - margin, first + margin)
    low, middle, high = (
        float(values[np.searchsorted(share, quantile)])
        for quantile in (TAIL, 0.5, 1 - TAIL - 1e-12)
    )
    if first > 0 and last > LOG_RATIO * middle:
        return Scale(label, first, last, "log")
    if high > low and last - first > OUTLIER_RATIO * (high - low):
        first, last = low, high
    low, high = padded_range(first, last)
    return Scale(label, 0.0 if first >= 0 > low else low, high)


def metric_scale(
    name: str, values: Iterable[NDArray[np.float64]], ranking: Ranking, curve: str = ""
) -> Scale:
    """Scale of a metric: its range, or that of its values where it is unbounded.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> metric_scale("lift", [np.array([np.nan, 2.0, 1.0])], ranking).high
        2.05
    """
    label, kind = axis_label(name, ranking, curve), _scale_kind(name)
    low, high = quantity_range(name)
    finite_values = [column[np.isfinite(column)] for column in values]
    defined = np.concatenate([[], *finite_values])
    minimum, maximum = (float(defined.min()), float(defined.max())) if len(defined) else (0.0, 1.0)
    subject = _quantity(name)
    if subject is not None and subject.zoomed and len(defined):
        higher_is_better = isinstance(subject, Measure) and subject.better == "higher"
        bounds = (max(math.floor(10 * (minimum - 0.02)) / 10, 0.0), 1.0)
        return Scale(
            label,
            *(bounds if higher_is_better else (0.0, min(1.1 * maximum, 1.0) or 1.0)),
            kind,
        )
    if math.isfinite(low) and math.isfinite(high):
        start = 0.0 if minimum >= 0 else math.floor(10 * (minimum - 0.02)) / 10
        return Scale(label, max(start, min(low, minimum)), high, kind)
    lower, upper = padded_range(minimum, maximum)
    start = 0.0 if minimum >= 0 and (low == 0 or minimum <= 0.3 * maximum) else lower
    return Scale(label, start, min(upper, high), kind)


def error_scale(name: str, ranking: Ranking) -> Scale:
    """Normal quantile scale of an error rate: from half a row to 99%."""
    rows = float(ranking.negatives if name == "false_positive_rate" else ranking.positives)
    minimum = min(max(0.5 / rows if rows else 0.01, MIN_RATE), 0.01)
    return Scale(axis_label(name, ranking), minimum, 0.99, "normal")


def transform_values(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Values transformed by the kind of a scale (logarithm, normal quantile).

    Example:
        >>> transform_values(np.array([1.0, 100.0]), "log").tolist()
        [0.0, 2.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "log":
            return np.log10(values)
        if kind == "normal":
            from scipy.special import ndtri

            return np.asarray(ndtri(values))
    return values


def padded_range(low: float, high: float, share: float = 0.05) -> tuple[float, float]:
    """Range with a margin on both sides, also where all values are equal.

    Example:
        >>> padded_range(0, 2)
        (-0.1, 2.1)
    """
    margin = (high - low) * share or abs(high) * share or share
    return low - margin, high + margin


def _score_weights(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Finite scores, clipped to what can be drawn, and the rows of each."""
    scores = ranking.thresholds[1:]
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    is_drawn = np.isfinite(scores) & (rows > 0)
    return np.clip(scores[is_drawn], -MAX_SCORE, MAX_SCORE), rows[is_drawn].astype(np.float64)
