"""Cross-validations as text and JSON: evaluation and comparison of out-of-fold scores."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tradeoff.crossval.cross_validation import CrossValidation
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.evaluation.prediction_views import predictions_section
from tradeoff.evaluation.views import evaluation_sections
from tradeoff.render.sections import Section
from tradeoff.results import shows

MAX_LISTED_ROWS = 30
"""Up to this number of rows, predictions are listed by default."""


@shows(CrossValidation, "sections")
def cross_validation_sections(
    cross_validation: CrossValidation, *, predictions: bool | None = None
) -> list[Section]:
    """Text sections of a cross-validation: evaluation, comparison of AUCs, predictions."""
    evaluation = _evaluation(cross_validation)
    sections = []
    lines = [f"Warning: {warning}." for warning in cross_validation.warnings]
    lines += [f"Note: {note}." for note in cross_validation.notes]
    if lines:
        sections.append(Section(lines=tuple(lines)))
    sections += evaluation_sections(evaluation, comparison=cross_validation.compared)
    if predictions is None:
        predictions = len(cross_validation.places) <= MAX_LISTED_ROWS
    if predictions:
        sections += [
            predictions_section(
                rows.scores,
                rows.labels.positive_rows,
                rows.indices,
                evaluation.rankings[name],
                evaluation.operating_thresholds[name].value,
            )
            for name, rows in cross_validation.scored.rows.items()
        ]
    return sections


@shows(CrossValidation, "document")
def cross_validation_document(cross_validation: CrossValidation) -> dict[str, Any]:
    """JSON document of a cross-validation: its evaluation, notes and comparison of models."""
    document = _evaluation(cross_validation).to_dict()
    document["notes"] = [
        *document.get("notes", []),
        *cross_validation.warnings,
        *cross_validation.notes,
    ]
    if cross_validation.compared is not None:
        document["comparison"] = cross_validation.compared.to_dict()
    return document


def _evaluation(cross_validation: CrossValidation) -> Evaluation:
    return replace(
        cross_validation.evaluation,
        confidence=cross_validation.confidence,
        threshold=cross_validation.threshold,
    )
