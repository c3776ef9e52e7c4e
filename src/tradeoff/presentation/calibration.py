"""How honest probabilities are, for readers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.measures.registry import SUMMARIES
from tradeoff.presentation.comparisons import document_of_test, p_value
from tradeoff.render.sections import Section
from tradeoff.render.values import estimates_document, finite, plain_number
from tradeoff.text import number
from tradeoff.views.curves import columns_section
from tradeoff.views.measures import measures_section

if TYPE_CHECKING:
    from tradeoff.analysis.calibration.reliability import Reliability
    from tradeoff.analysis.calibration.whole import Calibration
    from tradeoff.measures.summaries.decomposition import Decomposition

BAND = ("score", "fitted", "band_low", "band_high")
CALIBRATION = "tradeoff/calibration_report/1"


def calibration_sections(found: Calibration, diagram: Reliability | None = None) -> list[Section]:
    """The decompositions, the errors, the tests, and the reliability diagram as a table."""
    name = found.ranking.name
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


def calibration_document(found: Calibration, diagram: Reliability | None = None) -> dict[str, Any]:
    """The same for other programs."""
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
