"""Sections and documents of cross-validations: evaluations of out-of-fold scores, differences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tradeoff.comparison.views import differences_sections
from tradeoff.crossval.cross_validation import CrossValidation
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.evaluation.views import predictions_section
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.uncertainty.curve_bands import CurveEstimate
from tradeoff.views.curves import curve_estimate_sections

FEW_ROWS = 30
"""Up to this many predictions are listed by default."""
CURVE_LINES = 15
"""Number of points of a curve that are shown; `tradeoff curve` on saved scores has all."""


@shows(CrossValidation, "sections")
def cross_validation_sections(
    crossed: CrossValidation, *, predictions: bool | None = None
) -> list[Section]:
    """Sections of a cross-validation: the evaluation, ROC curves, differences, predictions."""
    evaluation = _evaluation(crossed)
    sections = []
    if crossed.notes:
        sections.append(Section(lines=tuple(f"Note: {note}." for note in crossed.notes)))
    sections += evaluation.sections()
    for name in evaluation:
        curve = CurveEstimate(evaluation[name].curve("roc"), evaluation[name].auc)
        sections += curve_estimate_sections(
            curve, max_rows=CURVE_LINES, full_table_in="`tradeoff curve`"
        )
    if crossed.compared is not None:
        sections += differences_sections(crossed.compared.differences())
    few = len(crossed.places) <= FEW_ROWS
    if few if predictions is None else predictions:
        sections += [
            predictions_section(
                rows.scores,
                rows.labels.positive_rows,
                rows.indices,
                evaluation.rankings[name],
                crossed.threshold,
            )
            for name, rows in crossed.scored.rows.items()
        ]
    return sections


@shows(CrossValidation, "document")
def cross_validation_document(crossed: CrossValidation) -> dict[str, Any]:
    """Document of a cross-validation: its evaluation, notes and the comparison of the models."""
    document = _evaluation(crossed).to_dict()
    document["notes"] = [*document.get("notes", []), *crossed.notes]
    if crossed.compared is not None:
        document["comparison"] = crossed.compared.to_dict()
    return document


def _evaluation(crossed: CrossValidation) -> Evaluation:
    return replace(crossed.evaluation, confidence=crossed.confidence, threshold=crossed.threshold)
