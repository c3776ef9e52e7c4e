"""Texts of the page's charts are those of the charts that other renderers draw."""

import numpy as np
from report_cases import report_of

import tradeoff as to


def test_texts_of_charts_are_those_of_the_charts():
    random = np.random.default_rng(9)
    actual = random.random(200) < 0.4
    e = to.evaluate(
        actual=np.where(actual, "ill", "well"), positive="ill", score=random.random(200)
    )
    texts = report_of(e)["charts"]

    for name in ("roc", "precision_recall", "gains", "lift", "scores", "net_benefit", "det"):
        chart = e.chart(name)
        assert texts[name]["title"] == chart.title
        assert texts[name]["x"] == {"label": chart.x.label, "kind": chart.x.kind}
        assert texts[name]["y"]["label"] == chart.y.label
        assert chart.caption.startswith(texts[name]["caption"])


def test_scores_that_are_not_probabilities_have_no_reliability_diagram():
    texts = report_of(to.evaluate(actual=[0, 1, 1], score=[3, 12, 20]))["charts"]

    assert "scores" in texts
    assert "calibration" not in texts
