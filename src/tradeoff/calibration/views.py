"""Calibration for readers: text, documents and the reliability diagram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tradeoff.calibration.calibration import Calibration
from tradeoff.calibration.reliability import Reliability
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries.decomposition import Decomposition
from tradeoff.render.chart import Chart, Layer, Line, Points, Ribbon, Scale
from tradeoff.render.sections import Section
from tradeoff.render.values import estimates_document, finite, plain_number
from tradeoff.results import shows
from tradeoff.text import number
from tradeoff.views.curve_chart import model_lines
from tradeoff.views.curves import columns_section
from tradeoff.views.measures import measures_section
from tradeoff.views.scales import about_rows, legend, side
from tradeoff.views.significance import document_of_test, p_value

BAND = ("score", "fitted", "band_low", "band_high")
CALIBRATION = "tradeoff/calibration_report/1"


@shows(Calibration, "sections")
def calibration_sections(found: Calibration) -> list[Section]:
    """The decompositions, the errors, the tests, and the reliability diagram as a table."""
    name, diagram = found.ranking.name, found.diagram
    measures = [SUMMARIES.find(each) for each in found.errors]
    sections = [
        _parts(name, [found.brier, found.log_loss]),
        measures_section("How far off", measures, {name: found.ranking}, {name: found.errors}),
        Section(
            "Are the probabilities right?",
            ("A small p says that they are not.",),
            (
                ("", "statistic", "p", ""),
                *(
                    (t.name, number(t.statistic), p_value(t.p_value), t.reason or t.note or "")
                    for t in found.tests
                ),
            ),
            prose_last=True,
        ),
    ]
    if diagram is not None:
        said = ["Bins by pooling adjacent violators: within each, one corrected probability."]
        sections.append(columns_section("Reliability", said, diagram.columns(), "JSON"))
        if diagram.bands is not None:
            level = f"{100 * (diagram.level or 0):g} %"
            said = [
                f"If the probabilities were right, the line would lie within the {level} band at "
                "each score."
                if diagram.bands == "consistency"
                else f"The {level} band around the line, at each score."
            ]
            named = dict(zip(BAND, diagram.band_columns().values(), strict=True))
            sections.append(columns_section("Band", said, named, "JSON"))
    return sections


@shows(Calibration, "document")
def calibration_document(found: Calibration) -> dict[str, Any]:
    """The same for other programs."""
    diagram = found.diagram
    document: dict[str, Any] = {
        "schema": CALIBRATION,
        "model": found.ranking.name,
        "positive": found.ranking.positive,
        "decompositions": {
            each.score: {
                "value": finite(each.value),
                "miscalibration": finite(each.miscalibration),
                "discrimination": finite(each.discrimination),
                "uncertainty": finite(each.uncertainty),
            }
            for each in (found.brier, found.log_loss)
        },
        "summaries": estimates_document(found.errors),
        "tests": [document_of_test(test) for test in found.tests],
    }
    if diagram is not None:
        document["reliability"] = {
            "bins": _columns(diagram.columns()),
            "band": {
                "kind": diagram.bands,
                "level": diagram.level,
                **_columns(diagram.band_columns()),
            },
        }
    return document


def _parts(name: str, parts: list[Decomposition]) -> Section:
    head = ("", "score", "= miscalibration", "− discrimination", "+ uncertainty")
    lines = [
        (
            each.score,
            number(each.value),
            number(each.miscalibration),
            number(each.discrimination),
            number(each.uncertainty),
        )
        for each in parts
    ]
    said = ("Miscalibration is what a correction that keeps the order could save (CORP).",)
    return Section(f"Calibration of {name}", said, (head, *lines))


def _columns(columns: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: [plain_number(v) for v in values] for name, values in columns.items()}


# Whether scores are honest probabilities: the reliability diagram.


FEW_BINS = 40
BANDS = {
    "consistency": "{} % band if probabilities were right",
    "confidence": "{} % band of the line",
}


@shows(Calibration, "chart")
def calibration_chart(found: Calibration) -> Chart:
    """The reliability diagram."""
    diagram = found.diagram or found.reliability(None)
    return reliability_chart({found.ranking.name: diagram}, found.ranking)


def reliability_chart(found: Mapping[str, Reliability], ranking: Ranking) -> Chart:
    """Reliability diagrams; the band is drawn where there is one model alone.

    Args:
        found: Each model's diagram.
        ranking: Of the first model, for its class names and rows.

    Example:
        >>> from tradeoff import evaluate
        >>> from tradeoff.calibration.reliability import reliability
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
