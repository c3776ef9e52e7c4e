"""Labels for charts: axes, legend entries, thresholds, class names and a caption on the rows."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_count,
    format_level,
    format_percent,
    printable,
    with_minus_sign,
)
from tradeoff.measures.curves.registry import QUANTITIES, curve_kind
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.probabilities import CALIBRATED
from tradeoff.measures.registry import METRICS
from tradeoff.measures.vocabulary import capitalized
from tradeoff.render.estimate_text import format_value_interval

MAX_MODEL_NAME_LENGTH = 32
MAX_CLASS_NAME_LENGTH = 24
GENERIC_CLASS_NAMES = frozenset({"positive", "1", "True", "true", "1.0"})


def axis_label(name: str, ranking: Ranking, curve: str = "", spelling: str = "") -> str:
    """Axis label of a metric or another quantity in a chart, with the user's class names.

    A metric requested under another name (`spelling`) is labelled with that name.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> ranking = Ranking.of(np.array([1.0]), np.array([True]), positive="yes", negative="no")
        >>> axis_label("true_positive_rate", ranking)
        "True positive rate (recall of 'yes')"
        >>> axis_label("matthews_correlation", ranking)
        'Matthews correlation'
        >>> axis_label("true_positive_rate", ranking, spelling="sensitivity")
        'Sensitivity'
    """
    if spelling:
        return capitalized(spelling.replace("_", " "))
    positive, negative = chart_class_labels(ranking)
    template = curve_kind(curve).axes.get(name) or _axis_label_template(name)
    if not template:
        return name.replace("_", " ").capitalize()
    is_named = ranking.positive not in GENERIC_CLASS_NAMES
    label, _, details = template.partition("|")
    return (f"{label} ({details})" if details and is_named else label).format(
        positive=positive,
        negative=negative,
        one=_positive_class_label(ranking),
        rows=ranking.wording.units,
        row=ranking.wording.unit,
        of=f" of {positive}" if is_named else "",
    )


def chart_class_labels(ranking: Ranking) -> tuple[str, str]:
    """Labels of the positive and negative class in charts: quoted unless the name is generic."""
    if ranking.positive in GENERIC_CLASS_NAMES:
        return "positives", "negatives"
    return _quoted(ranking.positive), _quoted(ranking.negative)


def _axis_label_template(name: str) -> str:
    if name in QUANTITIES:
        return QUANTITIES[name].label
    return METRICS.find(name).axis if METRICS.knows(name) else ""


def model_label(name: str, area: Estimate | None = None, area_name: str = "AUC") -> str:
    """Label of a model in a chart, with the area under its curve and its interval.

    What the numbers are is said once, by `areas_title`.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> model_label("naive_bayes", Estimate("auc", 0.8217, low=0.7556, high=0.88, level=0.95))
        'naive_bayes 0.822 (0.756–0.880)'
        >>> model_label("naive_bayes", Estimate("auc", math.nan, reason="no row is yes"))
        'naive_bayes (no AUC)'
    """
    model = printable(name, MAX_MODEL_NAME_LENGTH)
    if area is None:
        return model
    if not area.is_defined:
        return f"{model} (no {area_name})"
    low, high = (area.low, area.high) if area.has_interval else (math.nan, math.nan)
    return f"{model} {format_value_interval(area.value, low, high)}"


def areas_title(areas: Iterable[Estimate | None], area_name: str) -> str:
    """Title of a legend whose labels hold areas: their name, and the level of their intervals.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> areas_title([Estimate("auc", 0.82, low=0.76, high=0.88, level=0.95)], "AUC")
        'AUC (95% CI)'
    """
    defined = [area for area in areas if area is not None and area.is_defined]
    if not defined or not area_name:
        return ""
    name = area_name[0].upper() + area_name[1:]
    level = next((area.level for area in defined if area.has_interval and area.level), None)
    return name if level is None else f"{name} ({format_level(level)} CI)"


def threshold_label(ranking: Ranking, threshold: float, criterion: str = "") -> str:
    """Label of a threshold in a chart, such as "≥ 0.5", with the criterion that chose it.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> threshold_label(Ranking.of(np.array([1.0]), np.array([True])), 0.2054, "youden")
        'youden: ≥ 0.205'
    """
    sign = "≤" if ranking.lower_is_positive else "≥"
    prefix = f"{printable(criterion)}: " if criterion else ""
    if threshold == (-math.inf if sign == "≤" else math.inf):
        return f"{prefix}none"
    return f"{prefix}{sign} {with_minus_sign(f'{threshold:.3g}')}"


def calibration_sentences(rankings: Iterable[Ranking]) -> list[str]:
    """Caption sentences of a chart on the calibration by which scores became probabilities."""
    notes = dict.fromkeys(note for ranking in rankings for note in ranking.notes)
    return [f"Note: {note}." for note in notes if CALIBRATED in note]


def rows_caption(ranking: Ranking) -> str:
    """Caption of a chart: the number of rows and of positives.

    Example:
        >>> import numpy as np
        >>> from tradeoff import Ranking
        >>> rows_caption(Ranking.of(np.array([1.0, 2.0]), np.array([True, False]), positive="yes"))
        "2 rows, 1 of them 'yes'."
    """
    positives = ranking.positives + ranking.rejected_positives
    class_name = (
        "positive" if ranking.positive in GENERIC_CLASS_NAMES else _quoted(ranking.positive)
    )
    if ranking.is_counted:
        rows = ranking.wording.count(ranking.total)
        return f"{rows}, {format_count(positives)} of them {class_name}."
    total = float(ranking.total)
    percent = (
        f", {format_percent(float(positives) / total)} of the weight {class_name}" if total else ""
    )
    return f"{ranking.wording.count(ranking.rows)}{percent}."


def _quoted(name: str) -> str:
    return f"'{printable(name, MAX_CLASS_NAME_LENGTH)}'"


def _positive_class_label(ranking: Ranking) -> str:
    return "positive" if ranking.positive in GENERIC_CLASS_NAMES else _quoted(ranking.positive)
