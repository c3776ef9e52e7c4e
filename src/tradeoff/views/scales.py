"""The two sides of a chart: what they measure in words, how far they reach, and legends."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.ranking import Ranking
from tradeoff.measures.curves.registry import QUANTITIES, Quantity, kind_of
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, Measure
from tradeoff.render.chart import Kind, Scale
from tradeoff.text import count, plain

LONGEST_NAME = 32
LONGEST_CLASS = 24
UNNAMED = frozenset({"positive", "1", "True", "true", "1.0"})


def side(name: str, ranking: Ranking, curve: str = "") -> str:
    """What one side of a chart measures, in words and in the user's class names.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([1.0]), np.array([True]), positive="yes", negative="no")
        >>> side("true_positive_rate", ranking)
        "share of 'yes' found (true positive rate)"
        >>> side("matthews_correlation", ranking)
        'matthews correlation'
    """
    positive, negative = classes(ranking)
    words = kind_of(curve).axes.get(name) or _axis(name)
    if not words:
        return name.replace("_", " ")
    of = "" if ranking.positive in UNNAMED else f" of {positive}"
    return words.format(positive=positive, negative=negative, one=_one(ranking), of=of)


def classes(ranking: Ranking) -> tuple[str, str]:
    """The two classes as axes name them: quoted if they have names of their own."""
    if ranking.positive in UNNAMED:
        return "positives", "negatives"
    return _quoted(ranking.positive), _quoted(ranking.negative)


def _axis(name: str) -> str:
    if name in QUANTITIES:
        return QUANTITIES[name].words
    return METRICS.find(name).axis if METRICS.knows(name) else ""


def _scale_kind(name: str) -> Kind:
    """Shares of rows are read in percent, all else as it is."""
    return "share" if _is_share(name) else "plain"


def _is_share(name: str) -> bool:
    if name in QUANTITIES:
        return QUANTITIES[name].is_share
    return METRICS.knows(name) and bool(METRICS.find(name).trials)


def limits(name: str) -> tuple[float, float]:
    """What a quantity can be; infinite where it has no bounds.

    Example:
        >>> limits("precision"), limits("lift"), limits("probability_cost")
        ((0.0, 1.0), (0.0, inf), (0.0, 1.0))
    """
    subject = _subject(name)
    return (-math.inf, math.inf) if subject is None else (subject.low, subject.high)


def _subject(name: str) -> Quantity | Measure | None:
    if name in QUANTITIES:
        return QUANTITIES[name]
    return METRICS.find(name) if METRICS.knows(name) else None


def legend(name: str, area: Estimate | None = None, called: str = "AUC") -> str:
    """A model in a legend, with its area.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> legend("naive_bayes", Estimate("auc", 0.8217, low=0.7555, high=0.88, level=0.95))
        'naive_bayes (AUC 0.82, 0.76–0.88)'
        >>> legend("naive_bayes", Estimate("auc", math.nan, reason="no row is yes"))
        'naive_bayes (no AUC)'
    """
    shown = plain(name, LONGEST_NAME)
    if area is None:
        return shown
    if not area.is_defined:
        return f"{shown} (no {called})"
    ends = f", {area.low:.2f}–{area.high:.2f}" if area.has_interval else ""
    return f"{shown} ({called} {area.value:.2f}{ends})"


def rule(ranking: Ranking, threshold: float, way: str = "") -> str:
    """A threshold as a label says it.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> rule(Ranking.of(np.array([1.0]), np.array([True])), 0.2054, "youden")
        'youden: ≥ 0.205'
    """
    sign = "≤" if ranking.lower_is_positive else "≥"
    told = f"{plain(way)}: " if way else ""
    at = "none" if threshold == (-math.inf if sign == "≤" else math.inf) else f"{threshold:.3g}"
    return f"{told}{at}" if at == "none" else f"{told}{sign} {at}"


def about_rows(ranking: Ranking) -> str:
    """A sentence on how many rows there are.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> about_rows(Ranking.of(np.array([1.0, 2.0]), np.array([True, False]), positive="yes"))
        "2 rows, 1 of them 'yes'."
    """
    positives = ranking.positives + ranking.rejected_positives
    named = "positive" if ranking.positive in UNNAMED else _quoted(ranking.positive)
    if ranking.is_counted:
        return f"{count(ranking.total)} rows, {count(positives)} of them {named}."
    total = float(ranking.total)
    share = f", {100 * float(positives) / total:.3g} % of the weight {named}" if total else ""
    return f"{count(ranking.rows)} rows{share}."


def _quoted(name: str) -> str:
    return f"'{plain(name, LONGEST_CLASS)}'"


def _one(ranking: Ranking) -> str:
    return "positive" if ranking.positive in UNNAMED else _quoted(ranking.positive)


# From where to where the sides of a chart run, also for skewed, tied and infinite scores.


LARGEST = 1e300
"""Finite scores beyond this are drawn here: the width of a scale must be a number, too."""
RARE = 0.01
"""Scores rarer than this at an end do not decide how wide a scale is."""
SKEWED = 20.0
"""Scores whose highest is so many times the middle one are spaced by logarithm."""
FAR = 3.0
SMALLEST_SHARE = 1e-5


def score_scale(rankings: Iterable[Ranking], label: str = "score") -> Scale:
    """The scale of scores: 0 to 1 for probabilities, else what holds nearly all rows.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> scale = score_scale([ranking])
        >>> scale.low, scale.high, scale.kind
        (0.0, 1.0, 'plain')
    """
    parts = [_weighed(ranking) for ranking in rankings]
    values, rows = (np.concatenate(column) for column in zip(*parts, strict=True))
    if not len(values):
        return Scale(label, 0.0, 1.0)
    order = np.argsort(values, kind="stable")
    values, share = values[order], np.cumsum(rows[order])
    share = share / share[-1]
    first, last = float(values[0]), float(values[-1])
    if first >= 0 and last <= 1 and not (last < 0.2 and first > 0):
        return Scale(label, 0.0, 1.0)
    if first == last:
        reach = abs(first) / 2 or 0.5
        return Scale(label, first - reach, first + reach)
    low, middle, high = (
        float(values[np.searchsorted(share, at)]) for at in (RARE, 0.5, 1 - RARE - 1e-12)
    )
    if first > 0 and last > SKEWED * middle:
        return Scale(label, first, last, "log")
    if high > low and last - first > FAR * (high - low):
        first, last = low, high
    low, high = padded(first, last)
    return Scale(label, 0.0 if first >= 0 > low else low, high)


def metric_scale(
    name: str, values: Iterable[NDArray[np.float64]], ranking: Ranking, curve: str = ""
) -> Scale:
    """The scale of a metric: what it can be, or what it is where it has no bounds.

    Example:
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([0.2, 0.9]), np.array([False, True]))
        >>> metric_scale("lift", [np.array([np.nan, 2.0, 1.0])], ranking).high
        2.05
    """
    label, kind = side(name, ranking, curve), _scale_kind(name)
    low, high = limits(name)
    found = [one[np.isfinite(one)] for one in values]
    known = np.concatenate([[], *found])
    least, most = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
    subject = _subject(name)
    if subject is not None and subject.zoomed and len(known):
        rises = isinstance(subject, Measure) and subject.better == "higher"
        ends = (max(math.floor(10 * (least - 0.02)) / 10, 0.0), 1.0)
        return Scale(label, *(ends if rises else (0.0, min(1.1 * most, 1.0) or 1.0)), kind)
    if math.isfinite(low) and math.isfinite(high):
        start = 0.0 if least >= 0 else math.floor(10 * (least - 0.02)) / 10
        return Scale(label, max(start, min(low, least)), high, kind)
    below, above = padded(least, most)
    start = 0.0 if least >= 0 and (low == 0 or least <= 0.3 * most) else below
    return Scale(label, start, min(above, high), kind)


def error_scale(name: str, ranking: Ranking) -> Scale:
    """A rate by normal quantiles: from half a row to nearly all."""
    rows = float(ranking.negatives if name == "false_positive_rate" else ranking.positives)
    least = min(max(0.5 / rows if rows else 0.01, SMALLEST_SHARE), 0.01)
    return Scale(side(name, ranking), least, 0.99, "normal")


def spaced(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Values as far apart as a scale of this kind shows them.

    Example:
        >>> spaced(np.array([1.0, 100.0]), "log").tolist()
        [0.0, 2.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        if kind == "log":
            return np.log10(values)
        if kind == "normal":
            from scipy.special import ndtri

            return np.asarray(ndtri(values))
    return values


def padded(low: float, high: float, share: float = 0.05) -> tuple[float, float]:
    """A little more room than the values take; some room also where they are all equal.

    Example:
        >>> padded(0, 2)
        (-0.1, 2.1)
    """
    reach = (high - low) * share or abs(high) * share or share
    return low - reach, high + reach


def _weighed(ranking: Ranking) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The finite scores, none too large to be drawn, and the rows of each."""
    scores = ranking.thresholds[1:]
    rows = np.diff(ranking.true_positives) + np.diff(ranking.false_positives)
    known = np.isfinite(scores) & (rows > 0)
    return np.clip(scores[known], -LARGEST, LARGEST), rows[known].astype(np.float64)
