"""Classifiers of several classes for readers."""

from __future__ import annotations

from typing import Any

from tradeoff.measures.estimate import Estimate
from tradeoff.multiclass.multiclass import AREAS, MultiClass
from tradeoff.render.sections import Section
from tradeoff.render.values import brief, estimate_document, interval, plain_number
from tradeoff.results import shows
from tradeoff.text import count, number, plain, rows
from tradeoff.views.matrices import matrix_sections

CLASSES = "tradeoff/classes/1"
MEANINGS = {
    "hand_till": "the mean over pairs of classes, however frequent they are",
    "macro": "the mean over classes, each against the rest",
    "weighted": "the same, classes weighing as they are frequent",
    "micro": "all decisions pooled: scores of different classes are compared",
}
MOST_PAIRS = 20


@shows(MultiClass, "sections")
def classes_sections(judged: MultiClass) -> list[Section]:
    """The areas, each class against the rest, the pairs, and the matrix."""
    head = f"{100 * judged.confidence.level:g} % interval"
    areas = {name: judged.area(name) for name in AREAS}
    own = judged.class_areas()
    totals = dict(zip(judged.classes, judged.rows.counts.tolist(), strict=True))
    return [
        Section(lines=(f"{rows(judged.rows.rows)} of {len(judged.classes)} classes.",)),
        Section(
            "Areas under ROC curves, all classes",
            table=(
                ("", "area", head, ""),
                *((n, number(e.value), interval(e), _said(n, e)) for n, e in areas.items()),
            ),
            prose_last=True,
        ),
        Section(
            "Each class against the rest",
            tuple(
                f"{name}: {e.reason or e.note}." for name, e in own.items() if e.reason or e.note
            ),
            (
                ("", "rows", "area", head),
                *(
                    (plain(name), count(totals[name]), number(e.value), interval(e))
                    for name, e in own.items()
                ),
            ),
        ),
        _pairs(judged),
        *matrix_sections(judged.matrix, confidence=judged.confidence),
        *_notes(judged),
    ]


@shows(MultiClass, "document")
def classes_document(judged: MultiClass) -> dict[str, Any]:
    """The same for other programs."""
    return {
        "schema": CLASSES,
        "classes": list(judged.classes),
        "rows": judged.rows.rows,
        "areas": {name: estimate_document(judged.area(name)) for name in AREAS},
        "by_class": {n: estimate_document(e) for n, e in judged.class_areas().items()},
        "pairs": [
            {
                "first": pair.first,
                "second": pair.second,
                "separability": estimate_document(pair.separability),
                "first_called_second": plain_number(pair.first_called_second),
                "second_called_first": plain_number(pair.second_called_first),
                "confused": estimate_document(pair.confused),
            }
            for pair in judged.pair_areas()
        ],
        "cells": [
            {**cell._asdict(), "count": plain_number(cell.count)} for cell in judged.matrix.cells()
        ],
        "notes": list(judged.notes),
    }


def _said(name: str, estimate: Estimate) -> str:
    told = estimate.reason or estimate.note
    return f"{MEANINGS[name]} ({told})" if told else MEANINGS[name]


def _pairs(judged: MultiClass) -> Section:
    found = judged.pair_areas()
    lines = [
        (
            f"{plain(pair.first)} and {plain(pair.second)}",
            brief(pair.separability),
            count(pair.first_called_second),
            count(pair.second_called_first),
            brief(pair.confused),
        )
        for pair in found[:MOST_PAIRS]
    ]
    more = len(found) - MOST_PAIRS
    said = (f"Shown are {MOST_PAIRS} of {len(found):,} pairs; JSON has all.",) if more > 0 else ()
    head = ("", "separability", "first called second", "second called first", "share confused")
    return Section("Pairs of classes, most confusable first", said, (head, *lines))


def _notes(judged: MultiClass) -> list[Section]:
    if not judged.notes:
        return []
    return [Section("Notes", tuple(f"- {note}." for note in judged.notes))]
