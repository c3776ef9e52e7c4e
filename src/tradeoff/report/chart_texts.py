"""Titles, captions and axis labels of the page's charts: those of the charts of all renderers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.errors import InputError
from tradeoff.hulls.hull import hull
from tradeoff.hulls.views import decision_map_chart
from tradeoff.measures.curves import curve_of_metrics, named_curve
from tradeoff.uncertainty.bootstrap import coarsen_ranking
from tradeoff.views.chart_labels import rows_caption
from tradeoff.views.curve_chart import curve_chart
from tradeoff.views.score_chart import scores_chart

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.registry import Measure
    from tradeoff.render.chart import Chart, Scale

CURVE_CHARTS = (
    "roc", "precision_recall", "precision_recall_gain", "gains", "lift", "expected_cost", "profit",
    "net_benefit", "ks", "det", "cost", "calibration",
)  # fmt: skip
"""Curves whose charts the page can show, by name."""
MAX_THRESHOLDS = 64
"""Texts do not depend on the rows, so a coarse ranking suffices."""


def chart_texts(
    ranking: Ranking, metrics: Sequence[Measure] = (), label_chart: Chart | None = None
) -> dict[str, Any]:
    """Title, caption and axes of each chart that a ranking can have, by name.

    `metrics` are those of the chart "metrics", over the threshold. Predicted labels have a single
    chart: their points in ROC space.
    """
    if label_chart is not None:
        return {"roc": _texts(label_chart, "")}
    coarse = coarsen_ranking(ranking, MAX_THRESHOLDS)
    charts: dict[str, Callable[[], Chart]] = {
        name: lambda name=name: curve_chart({ranking.name: named_curve(coarse, name)})  # type: ignore[misc]
        for name in CURVE_CHARTS
    }
    charts["scores"] = lambda: scores_chart(coarse)
    charts["decision_map"] = lambda: decision_map_chart(
        hull({ranking.name: coarse}), {ranking.name: coarse}
    )
    if metrics:
        names = [measure.name for measure in metrics]
        charts["metrics"] = lambda: curve_chart(
            {ranking.name: curve_of_metrics(coarse, x="threshold", y=names)}
        )
    texts = {}
    for name, make in charts.items():
        try:
            texts[name] = _texts(make(), rows_caption(coarse))
        except InputError:  # rows of one class only, or scores that are not probabilities
            continue
    return texts


def _texts(chart: Chart, rows_sentence: str) -> dict[str, Any]:
    """Texts of a chart; the number of rows is left out, as the page says it once."""
    caption = chart.caption.replace(rows_sentence, "").strip() if rows_sentence else chart.caption
    return {
        "title": chart.title,
        "caption": caption,
        "x": _axis(chart.x),
        "y": _axis(chart.y),
    }


def _axis(scale: Scale) -> dict[str, str]:
    return {"label": scale.label, "kind": scale.kind}
