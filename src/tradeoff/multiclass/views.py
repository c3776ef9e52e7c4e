"""Text sections and JSON documents of multiclass evaluations."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.formatting import format_count, format_level, printable
from tradeoff.measures.estimate import Estimate
from tradeoff.multiclass.multiclass import AREA_NAMES, MultiClass
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import format_estimate
from tradeoff.render.json_csv import json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.views.matrices import matrix_sections

CLASSES_SCHEMA = "tradeoff/classes/1"
AREA_MEANINGS = {
    "hand_till": "mean over pairs of classes, independent of prevalence",
    "macro": "mean over classes, one-vs-rest",
    "weighted": "mean over classes, one-vs-rest, weighted by prevalence",
    "micro": "all one-vs-rest decisions pooled",
}
AREA_LABELS = {"hand_till": "Hand–Till"}
MAX_PAIRS = 20


@shows(MultiClass, "sections")
def classes_sections(result: MultiClass) -> list[Section]:
    """Text sections of a multiclass evaluation: AUCs, confusable pairs and the confusion matrix."""
    areas = {name: result.area(name) for name in AREA_NAMES}
    by_class = result.class_areas()
    totals = dict(zip(result.classes, result.rows.counts.tolist(), strict=True))
    return [
        Section(lines=tuple(_summary_lines(result, areas["hand_till"]))),
        Section(
            "AUC of all classes",
            table=(
                ("", "AUC", ""),
                *(
                    (AREA_LABELS.get(name, name), format_estimate(area), _area_meaning(name, area))
                    for name, area in areas.items()
                ),
            ),
            prose_last=True,
        ),
        Section(
            "AUC of each class (one-vs-rest)",
            table=(
                ("", result.rows.wording.units, "AUC", ""),
                *(
                    (
                        printable(name),
                        format_count(totals[name]),
                        format_estimate(area),
                        area.reason or area.note or "",
                    )
                    for name, area in by_class.items()
                ),
            ),
            prose_last=True,
        ),
        _pairs_section(result),
        *matrix_sections(result.matrix, confidence=result.confidence, wording=result.rows.wording)[
            1:
        ],
        *_notes_section(result),
    ]


def _summary_lines(result: MultiClass, hand_till: Estimate) -> list[str]:
    wording = result.rows.wording
    rows = f"{wording.count(result.rows.rows)} of {len(result.classes)} classes"
    if math.isnan(hand_till.value):
        return [f"{rows}. No AUC: {hand_till.reason}."]
    level = f" In parentheses: {format_level(hand_till.level)} CI." if hand_till.level else ""
    lines = [f"{rows}: Hand–Till AUC {format_estimate(hand_till)}.{level}"]
    pair = result.pair_areas()[0]
    confused = wording.count(pair.first_called_second + pair.second_called_first)
    lines.append(
        f"Hardest to separate: {printable(pair.first)} and {printable(pair.second)} "
        f"({confused} confused)."
    )
    return lines


@shows(MultiClass, "document")
def classes_document(result: MultiClass) -> dict[str, Any]:
    """JSON document of a multiclass evaluation."""
    return {
        "schema": CLASSES_SCHEMA,
        "classes": list(result.classes),
        "rows": result.rows.rows,
        "areas": {name: estimate_document(result.area(name)) for name in AREA_NAMES},
        "by_class": {name: estimate_document(area) for name, area in result.class_areas().items()},
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "separability": estimate_document(pair.separability),
                "first_called_second": json_value(pair.first_called_second),
                "second_called_first": json_value(pair.second_called_first),
                "confused": estimate_document(pair.confused),
            }
            for pair in result.pair_areas()
        ],
        "cells": [
            {**cell._asdict(), "count": json_value(cell.count)} for cell in result.matrix.cells()
        ],
        "notes": list(result.notes),
    }


def _area_meaning(name: str, area: Estimate) -> str:
    note = area.reason or area.note
    return f"{AREA_MEANINGS[name]} ({note})" if note else AREA_MEANINGS[name]


def _pairs_section(result: MultiClass) -> Section:
    pairs = result.pair_areas()
    rows = [
        (
            f"{printable(pair.first)} and {printable(pair.second)}",
            format_estimate(pair.separability),
            format_count(pair.first_called_second),
            format_count(pair.second_called_first),
            format_estimate(pair.confused),
        )
        for pair in pairs[:MAX_PAIRS]
    ]
    lines: tuple[str, ...] = ()
    if len(pairs) > MAX_PAIRS:
        lines = (f"{MAX_PAIRS} of {len(pairs):,} pairs shown; JSON gives all.",)
    header = ("", "separability", "first as second", "second as first", "proportion confused")
    return Section("Pairs of classes, most confusable first", lines, (header, *rows))


def _notes_section(result: MultiClass) -> list[Section]:
    if not result.notes:
        return []
    return [Section("Notes", tuple(f"- {note}." for note in result.notes))]
