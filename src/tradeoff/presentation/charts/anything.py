"""A chart of whatever the library answers with: a decision, a comparison, a matrix, a curve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.analysis.comparing.comparison import Comparison
from tradeoff.analysis.decisions import Decision
from tradeoff.analysis.rejection import BandDecision
from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.errors import InputError
from tradeoff.measures.curves.average import AverageCurve
from tradeoff.measures.curves.curve import Curve
from tradeoff.presentation.charts.asking import chart_of
from tradeoff.presentation.charts.comparing import differences_chart
from tradeoff.presentation.charts.decisions import band_chart, decision_chart
from tradeoff.views.curve_chart import curve_chart, folds_chart
from tradeoff.views.matrices import matrix_chart

if TYPE_CHECKING:
    from collections.abc import Callable

    from tradeoff.render.chart import Chart


def _average_chart(average: AverageCurve, **wishes: Any) -> Chart:
    model = next(iter(average.folds.values())).ranking.name
    return folds_chart({model: average}, **wishes)


def _comparison_chart(comparison: Comparison, metric: str = "auc", **asked: Any) -> Chart:
    return differences_chart(comparison.differences(metric, **asked))


MAKERS: dict[type, Callable[..., Chart]] = {
    AverageCurve: _average_chart,
    BandDecision: band_chart,
    ClassMatrix: matrix_chart,
    Comparison: _comparison_chart,
    ConfusionMatrix: matrix_chart,
    Curve: lambda curve, **wishes: curve_chart({curve.ranking.name: curve}, **wishes),
    Decision: decision_chart,
}


def chart(subject: Any, *wish: Any, **wishes: Any) -> Chart:
    """What the library answered with, as a chart.

    Args:
        subject: An evaluation, a decision (also of a band), a comparison, a confusion matrix of
            two classes or many, a curve, or an average over folds.
        wish: The name of an evaluation's chart, or of a comparison's metric.
        wishes: What its kind of chart can be asked.

    Example:
        >>> from tradeoff import evaluate
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart(e.best("youden")).title, chart(e.at(0.4)).title
        ("Youden's J by threshold", 'Confusion matrix')
    """
    if hasattr(subject, "rankings") and hasattr(subject, "folds"):
        return chart_of(subject, *wish, **wishes)
    if type(subject) in MAKERS:
        return MAKERS[type(subject)](subject, *wish, **wishes)
    raise InputError(
        f"No chart of a {type(subject).__name__} is known. Ask for one of an evaluation, decision, "
        "comparison, confusion matrix, curve or average."
    )


def plot(subject: Any, *wish: Any, ax: Any = None, **wishes: Any) -> Any:
    """The chart drawn by matplotlib, on `ax` if one is given; the axes are returned."""
    from tradeoff.render.matplotlib import drawn

    return drawn(chart(subject, *wish, **wishes), ax)
