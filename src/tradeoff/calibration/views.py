"""Text sections and JSON documents of calibration, and the chart of the reliability diagram."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, nan
from typing import Any

import numpy as np

from tradeoff.calibration.calibration import Calibration
from tradeoff.calibration.reliability import Reliability
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.formatting import (
    format_count,
    format_number,
    format_p_relation,
    format_p_value,
    printable,
)
from tradeoff.measures.curves.calibration import calibration as calibration_curve
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.summaries.decomposition import Decomposition
from tradeoff.render.chart import Chart, Layer, Line, Points, Ribbon, Scale
from tradeoff.render.estimate_documents import estimates_document
from tradeoff.render.estimate_text import (
    format_estimate,
    format_significant,
    format_value_interval,
    interval_legend,
)
from tradeoff.render.json_csv import json_number, json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.stats.proportions import wilson_interval
from tradeoff.views.chart_labels import axis_label, model_label, rows_caption
from tradeoff.views.curve_chart import model_lines, named_models_sentences
from tradeoff.views.curves import columns_section
from tradeoff.views.hypothesis_tests import hypothesis_test_document
from tradeoff.views.measures import measures_section

BAND_COLUMNS = ("score", "fitted", "band_low", "band_high")
BIN_COLUMNS = ("low", "high", "rows", "positives", "mean_score")
MEASURE_MEANINGS = {
    "calibration_slope": "1 if calibrated; below 1, probabilities are too extreme",
    "calibration_in_the_large": "0 if calibrated; below 0, probabilities are too high on average",
    "observed_expected_ratio": "1 if calibrated; below 1, probabilities are too high on average",
    "expected_calibration_error": "mean gap over the bins below; biased upwards, so without a CI",
}
"""Measures that are always shown, with their interpretation."""
CALIBRATION_SCHEMA = "tradeoff/calibration_report/1"


@shows(Calibration, "sections")
def calibration_sections(result: Calibration, *, details: bool = False) -> list[Section]:
    """Text sections of a calibration: the verdict, the main measures and a table of bins.

    Args:
        result: The calibration.
        details: Add all calibration errors, tests and decompositions, the reliability diagram and
            its band.
    """
    sections = [
        Section("", tuple(_summary_lines(result))),
        _measures_section(result),
        _bins_section(result),
    ]
    return [*sections, *_details_sections(result)] if details else sections


def _summary_lines(result: Calibration) -> list[str]:
    """Whether the model is calibrated, by the tests, and what recalibration could gain."""
    brier = result.brier
    return [
        f"{_describe_calibration(result)}.",
        (
            f"Recalibration could lower its Brier score of {format_number(brier.value, 3)} by at "
            f"most {format_number(brier.miscalibration, 3)}."
        ),
    ]


def _describe_calibration(result: Calibration) -> str:
    name = printable(result.ranking.name)
    p_values = {test.name: test.p_value for test in result.tests if not isnan(test.p_value)}
    if not p_values:
        return f"Calibration of {name}: no test applies"
    significance = 1 - result.level
    is_rejected = [p < significance for p in p_values.values()]
    tests = ", ".join(
        f"{test} p {format_p_relation(p, significance)}" for test, p in p_values.items()
    )
    if all(is_rejected):
        return f"{name} is miscalibrated ({tests})"
    if any(is_rejected):
        return f"{name} may be miscalibrated: the tests disagree ({tests})"
    return f"{name}: no significant miscalibration ({tests})"


def _measures_section(result: Calibration) -> Section:
    """The slope, the intercept, O/E and the expected calibration error, one per line."""
    table = [("", "", "")]
    for name, meaning in MEASURE_MEANINGS.items():
        estimate = result.errors[name]
        text = estimate.reason if not estimate.is_defined else meaning
        table.append((SUMMARIES[name].label, format_estimate(estimate), text or ""))
    lines = interval_legend([{name: result.errors[name] for name in MEASURE_MEANINGS}])
    return Section("", lines, tuple(table), prose_last=True)


def _bins_section(result: Calibration) -> Section:
    """Predicted and observed probabilities in bins of about equal size."""
    ranking = result.ranking
    columns = calibration_curve(ranking, bins=result.bins).columns()
    cells = zip(*(columns[name].tolist() for name in BIN_COLUMNS), strict=True)
    observed = f"{printable(ranking.positive)} observed"
    table = [("probabilities", ranking.wording.units, "mean predicted", observed)]
    for low, high, rows, positives, mean in cells:
        if not rows:  # all weights are negligible
            continue
        low_limit, high_limit = nan, nan
        if ranking.is_counted:
            low_limit, high_limit = map(float, wilson_interval(positives, rows, result.level))
        table.append(
            (
                f"{format_significant(low)}–{format_significant(high)}",
                format_count(rows),
                format_significant(mean),
                format_value_interval(positives / rows, low_limit, high_limit),
            )
        )
    return Section("", ("Bins of about equal size:",), tuple(table))


def _details_sections(result: Calibration) -> list[Section]:
    """All errors, tests and decompositions, and the reliability diagram if there is one."""
    name, diagram = result.ranking.name, result.diagram
    measures = [SUMMARIES[summary] for summary in result.errors]
    tests = tuple(
        (
            test.name,
            format_significant(test.statistic),
            format_p_value(test.p_value, 1 - result.level),
            test.reason or test.note or "",
        )
        for test in result.tests
    )
    sections = [
        measures_section(
            "Calibration errors",
            measures,
            {name: result.ranking},
            {name: result.errors},
        ),
        Section(
            "Tests of calibration",
            ("A small p-value means that the probabilities are miscalibrated.",),
            (("", "statistic", "p", ""), *tests),
            prose_last=True,
        ),
        _decomposition_section([result.brier, result.log_loss]),
    ]
    if diagram is None:
        return sections
    lines = ["Bins by isotonic regression (pool adjacent violators)."]
    columns = {
        name if name != "rows" else result.ranking.wording.units: values
        for name, values in diagram.columns().items()
    }
    sections.append(columns_section("Reliability diagram", lines, columns, "JSON"))
    if diagram.bands is not None:
        level = f"{100 * (diagram.level or 0):g}%"
        lines = [
            f"{level} consistency band: where the curve would lie if the probabilities were "
            "calibrated (pointwise)."
            if diagram.bands == "consistency"
            else f"{level} confidence band of the curve (pointwise)."
        ]
        columns = dict(zip(BAND_COLUMNS, diagram.band_columns().values(), strict=True))
        sections.append(columns_section("Band", lines, columns, "JSON"))
    return sections


@shows(Calibration, "document")
def calibration_document(result: Calibration) -> dict[str, Any]:
    """JSON document of a calibration."""
    diagram = result.diagram
    document: dict[str, Any] = {
        "schema": CALIBRATION_SCHEMA,
        "model": result.ranking.name,
        "positive": result.ranking.positive,
        "decompositions": {
            decomposition.score: {
                "value": json_number(decomposition.value),
                "miscalibration": json_number(decomposition.miscalibration),
                "discrimination": json_number(decomposition.discrimination),
                "uncertainty": json_number(decomposition.uncertainty),
            }
            for decomposition in (result.brier, result.log_loss)
        },
        "summaries": estimates_document(result.errors),
        "tests": [hypothesis_test_document(test) for test in result.tests],
    }
    if diagram is not None:
        document["reliability"] = {
            "bins": _json_columns(diagram.columns()),
            "band": {
                "kind": diagram.bands,
                "level": diagram.level,
                **_json_columns(diagram.band_columns()),
            },
        }
    return document


def _decomposition_section(decompositions: list[Decomposition]) -> Section:
    header = ("", "score", "= miscalibration", "− discrimination", "+ uncertainty")
    rows = [
        (
            SUMMARIES[decomposition.score].label,
            format_number(decomposition.value),
            format_number(decomposition.miscalibration),
            format_number(decomposition.discrimination),
            format_number(decomposition.uncertainty),
        )
        for decomposition in decompositions
    ]
    lines = ("Miscalibration is the loss that isotonic recalibration would remove (CORP).",)
    return Section("Decomposition", lines, (header, *rows))


def _json_columns(columns: dict[str, Any]) -> dict[str, list[Any]]:
    return {name: [json_value(v) for v in values] for name, values in columns.items()}


MAX_MARKED_BINS = 40
BAND_LABELS = {
    "consistency": "{}% consistency band",
    "confidence": "{}% confidence band",
}


@shows(Calibration, "chart")
def calibration_chart(result: Calibration) -> Chart:
    """Chart of a calibration: the reliability diagram."""
    diagram = result.diagram or result.reliability(None)
    return reliability_chart({result.ranking.name: diagram}, result.ranking)


def reliability_chart(diagrams: Mapping[str, Reliability], ranking: Ranking) -> Chart:
    """Chart of one reliability diagram per model; a band is drawn if there is only one.

    Args:
        diagrams: The diagram of each model.
        ranking: The ranking of the first model, for its class names and rows.

    Example:
        >>> from tradeoff import evaluate
        >>> from tradeoff.calibration.reliability import reliability
        >>> e = evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8])
        >>> chart = reliability_chart({"m": reliability(e.ranking)}, e.ranking)
        >>> [layer.label for layer in chart.layers][:2]
        ['perfect calibration', '95% consistency band']
    """
    if not diagrams:
        raise InputError("A reliability diagram needs at least one model.")
    limits = np.array([0.0, 1.0])
    layers: list[Layer] = [Line(limits, limits, "ideal", "perfect calibration")]
    first = next(iter(diagrams.values()))
    if len(diagrams) == 1 and first.bands is not None:
        band_label = BAND_LABELS[first.bands].format(f"{100 * (first.level or 0):g}")
        layers.append(Ribbon(first.scores, first.band_low, first.band_high, label=band_label))
    layers += model_lines(
        [(model_label(name), [_reliability_line(diagram)]) for name, diagram in diagrams.items()]
    )
    if len(diagrams) == 1 and len(first.rows) <= MAX_MARKED_BINS:
        labels = ("",) * len(first.rows)
        layers.append(Points(first.mean_score, first.positive_share, labels, "model"))
    x_scale = Scale(axis_label("mean_score", ranking), 0.0, 1.0, "share")
    y_scale = Scale(axis_label("positive_share", ranking), 0.0, 1.0, "share")
    sentences = ["Below the diagonal, probabilities are too high."]
    sentences += named_models_sentences(len(diagrams))
    caption = " ".join([*sentences, rows_caption(ranking)])
    return Chart("Reliability diagram", x_scale, y_scale, tuple(layers), caption, square=True)


def _reliability_line(diagram: Reliability) -> Line:
    """Line of a reliability diagram: constant over each bin, linear between bins."""
    x = np.column_stack([diagram.low, diagram.high]).ravel()
    return Line(x, np.repeat(diagram.positive_share, 2))
