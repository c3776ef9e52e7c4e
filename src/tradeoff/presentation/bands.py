"""Bands of rejection for readers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.core.costs import expenses_of_band
from tradeoff.measures.registry import METRICS
from tradeoff.presentation.notes import notes_section, remarks
from tradeoff.presentation.wording import (
    CHOSEN_ON,
    at_prevalence,
    checked_value,
    draws_document,
    pair,
    stretch,
    to_type,
    written,
)
from tradeoff.render.sections import Section
from tradeoff.render.values import confusion_document, estimates_document, finite
from tradeoff.text import count, number, plain, share
from tradeoff.views.measures import INTERVALS, expenses_section, matrix_measures, table_section

if TYPE_CHECKING:
    from tradeoff.analysis.honesty import BandCheck
    from tradeoff.analysis.rejection import Band, BandDecision
    from tradeoff.uncertainty.estimates import Intervals

BAND = "tradeoff/band/1"


def band_sections(
    decision: BandDecision,
    checked: BandCheck | str | None = None,
    intervals: Intervals = INTERVALS,
) -> list[Section]:
    """A band as a person reads it; `checked` may be the reason why there is no check."""
    ranking = decision.ranking
    matrix = decision.confusion
    decided = f"{count(matrix.decided)} of {count(matrix.rows)} rows"
    facts: list[tuple[str, str, str]] = [
        ("chosen by", "", at_prevalence(decision.criterion, decision.prevalence)),
        (decision.criterion.partition("(")[0], number(decision.value), CHOSEN_ON),
        *checked_value(checked),
        ("decided", share(decision.coverage), f"{decided}, {count(matrix.rejected)} are rejected"),
    ]
    facts += _ends(decision)
    facts += _checked_ends(checked)
    if decision.calibrated is not None:
        facts.append(("if calibrated", *_calibrated_band(decision.calibrated)))
    heading = f"{ranking.name}: {_band_rule(decision)}"
    notes = tuple(f"Note: {note}." for note in decision.notes)
    chosen = [METRICS[m] for m in BAND_METRICS]
    return [
        Section(heading, notes, (("", "", ""), *facts), left=2, prose_last=True),
        table_section(matrix.table()),
        matrix_measures("Over all rows, and over decided rows alone", chosen, matrix, intervals),
        *_spent_on_band(decision),
        *notes_section(remarks([ranking])),
    ]


BAND_METRICS = (
    "accuracy",
    "error_rate",
    "rejection_rate",
    "accepted_accuracy",
    "accepted_error_rate",
    "true_positive_rate",
    "false_positive_rate",
    "precision",
    "negative_predictive_value",
)


def band_document(
    decision: BandDecision,
    checked: BandCheck | str | None = None,
    intervals: Intervals = INTERVALS,
) -> dict[str, Any]:
    """A band as other programs read it."""
    ranking = decision.ranking
    calibrated = decision.calibrated
    document: dict[str, Any] = {
        "schema": BAND,
        "model": ranking.name,
        "positive": ranking.positive,
        "criterion": decision.criterion,
        "value": finite(decision.value),
        "lower": finite(decision.band.lower),
        "upper": finite(decision.band.upper),
        "rule": "positive: score <= upper, negative: score > lower"
        if ranking.lower_is_positive
        else "positive: score >= upper, negative: score < lower",
        "lower_decides_identically": pair(decision.lower_decides_identically),
        "upper_decides_identically": pair(decision.upper_decides_identically),
        "suggestion": [finite(end) for end in decision.suggestion],
        "calibrated": None if calibrated is None else [finite(end) for end in calibrated],
        "coverage": decision.coverage,
        "prevalence": decision.prevalence,
        "confusion": confusion_document(decision.confusion),
        "metrics": estimates_document(
            intervals.of_matrix([METRICS[m] for m in BAND_METRICS], decision.confusion)
        ),
        "notes": [*decision.notes, *remarks([ranking])],
    }
    if isinstance(checked, str):
        document["honest"] = {"value": None, "reason": checked}
    elif checked is not None:
        ends = {"lower": pair(checked.lower), "upper": pair(checked.upper)}
        document["honest"] = {**draws_document(checked), **ends}
    return document


def _band_rule(decision: BandDecision) -> str:
    low = decision.ranking.lower_is_positive
    lower, upper = (to_type(end) for end in decision.suggestion)
    if decision.upper_place == decision.lower_place:
        return f"reject nothing; {plain(decision.ranking.positive)} {_side(low)} {upper}"
    none_sure, none_out = _open_ends(decision)
    if none_sure and none_out:
        return "reject every row"
    if none_sure:
        return f"reject scores {_side(low)} {lower}"
    if none_out:
        return f"reject scores {'above' if low else 'below'} {upper}"
    if low:
        return f"reject scores above {upper} up to {lower}"
    return f"reject scores from {lower} to below {upper}"


def _side(low: bool) -> str:
    """The words for the positive side of a line, the line included."""
    return "up to" if low else "from"


def _open_ends(decision: BandDecision) -> tuple[bool, bool]:
    """Whether nothing is called positive, and whether nothing is called negative."""
    return decision.upper_place == 0, decision.lower_place == decision.ranking.distinct


def _ends(decision: BandDecision) -> list[tuple[str, str, str]]:
    none_sure, none_out = _open_ends(decision)
    ranking, band = decision.ranking, decision.band
    low = ranking.lower_is_positive
    positive, negative = plain(ranking.positive), plain(ranking.negative)
    upper = stretch(decision.upper_decides_identically)
    lower = stretch(decision.lower_decides_identically)
    sure = f"{positive} {_side(low)}", written(band.upper), f"any {upper} decides alike"
    out = (
        f"{negative} {'above' if low else 'below'}",
        written(band.lower),
        f"any {lower} decides alike",
    )
    if none_sure:
        sure = sure[0], "none", f"nothing is called {positive}"
    if none_out:
        out = out[0], "none", f"nothing is called {negative}"
    return [sure, out]


def _calibrated_band(band: Band) -> tuple[str, str]:
    if band.lower == band.upper:
        return written(band.upper), "no rejection would pay if scores were true probabilities"
    text = f"{written(band.lower)} to {written(band.upper)}"
    return text, "would be the band if scores were true probabilities (Chow)"


def _checked_ends(checked: BandCheck | str | None) -> list[tuple[str, str, str]]:
    if checked is None or isinstance(checked, str) or math.isnan(checked.standard_error):
        return []
    lower, upper = (
        " to ".join(map(written, sorted(end))) for end in (checked.lower, checked.upper)
    )
    sentence = f"{checked.level:.0%} of the draws choose an end in this range"
    return [("lower end again", lower, sentence), ("upper end again", upper, sentence)]


def _spent_on_band(decision: BandDecision) -> list[Section]:
    if decision.criterion != "expected_cost":
        return []
    places = decision.upper_place, decision.lower_place
    own = decision.search.costs
    spent = expenses_of_band(decision.ranking, own, places, decision.prevalence)
    return [expenses_section(spent, decision.ranking, "with this band")]
