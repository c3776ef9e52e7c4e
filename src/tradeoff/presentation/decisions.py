"""Decisions for readers: where the line is, why, and how sure one may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.core.costs import expenses
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
from tradeoff.text import number, plain
from tradeoff.views.measures import (
    HEADLINE_METRICS,
    INTERVALS,
    expenses_document,
    expenses_section,
    matrix_measures,
    table_section,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.analysis.decisions import Decision
    from tradeoff.analysis.honesty import Check
    from tradeoff.analysis.identical import Interval
    from tradeoff.core.ranking import Ranking
    from tradeoff.uncertainty.estimates import Intervals

DECISION = "tradeoff/decision/1"
DECISIONS = "tradeoff/decisions/1"
MOST_INTERVALS = 6


def decision_sections(
    decision: Decision,
    checked: Check | str | None = None,
    tolerance: float | None = None,
    intervals: Intervals = INTERVALS,
) -> list[Section]:
    """A threshold as a person reads it; `checked` may be the reason why there is no check."""
    ranking = decision.ranking
    facts = [
        ("chosen by", "", at_prevalence(decision.criterion.name, decision.prevalence)),
        _value(decision),
        *_at_best(decision),
        *checked_value(checked),
        ("threshold", written(decision.threshold), _identical(ranking, decision)),
        *_ties(decision),
        *_checked_thresholds(checked),
        *_tolerated(decision, tolerance),
        *_calibrated(decision),
    ]
    heading = f"{ranking.name}: {_rule(decision)}"
    notes = [f"Note: {note}." for note in decision.notes]
    return [
        Section(heading, tuple(notes), (("", "", ""), *facts), left=2, prose_last=True),
        table_section(decision.confusion.table()),
        matrix_measures(
            at_prevalence("At this threshold", decision.prevalence),
            [METRICS[m] for m in HEADLINE_METRICS],
            ranking.at_prevalence(decision.prevalence).at_place(decision.place),
            intervals,
        ),
        *_spent(decision),
        *notes_section(remarks([ranking])),
    ]


def decision_document(
    decision: Decision,
    checked: Check | str | None = None,
    tolerance: float | None = None,
    intervals: Intervals = INTERVALS,
) -> dict[str, Any]:
    """A threshold as other programs read it; a threshold of null calls nothing positive."""
    ranking = decision.ranking
    document: dict[str, Any] = {
        "schema": DECISION,
        "model": ranking.name,
        "positive": ranking.positive,
        "criterion": decision.criterion.name,
        "measure": decision.criterion.about,
        "value": finite(decision.value),
        "threshold": finite(decision.threshold),
        "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
        "decides_identically": pair(decision.decides_identically),
        "suggestion": finite(decision.suggestion),
        "ties": [finite(t) for t in decision.ties],
        "prevalence": decision.prevalence,
        "confusion": confusion_document(decision.confusion),
        "metrics": estimates_document(
            intervals.of_matrix(
                METRICS.values(),
                ranking.at_prevalence(decision.prevalence).at_place(decision.place),
            )
        ),
        "notes": [*decision.notes, *remarks([ranking])],
    }
    if not ranking.exact and decision.at_best is not None:
        document["at_best"] = finite(decision.at_best)
    if tolerance is not None:
        runs = [pair(run) for run in decision.within(tolerance)]
        document["within"] = {"tolerance": tolerance, "thresholds": runs}
    if isinstance(checked, str):
        document["honest"] = {"value": None, "reason": checked}
    elif checked is not None:
        document["honest"] = _check_document(checked)
    if decision.costs is not None:
        spent = expenses(ranking, decision.costs, decision.threshold, decision.prevalence)
        document["expenses"] = expenses_document(spent)
    if decision.calibrated_threshold is not None:
        document["calibrated_threshold"] = decision.calibrated_threshold
    return document


def _rule(decision: Decision) -> str:
    ranking = decision.ranking
    positive = plain(ranking.positive)
    if decision.place == 0:
        return f"call nothing {positive}"
    sign = "≤" if ranking.lower_is_positive else "≥"
    return f"{positive} when the score is {sign} {to_type(decision.suggestion)}"


def _value(decision: Decision) -> tuple[str, str, str]:
    return decision.criterion.about, number(decision.value), CHOSEN_ON


def _at_best(decision: Decision) -> list[tuple[str, str, str]]:
    if decision.ranking.exact or decision.at_best is None:
        return []
    worse = "more" if decision.criterion.better == "higher" else "less"
    sentence = f"no threshold has {worse}, not even inside a bin of scores"
    return [("at best", number(decision.at_best), sentence)]


def _identical(ranking: Ranking, decision: Decision) -> str:
    if decision.place == 0:
        best = "at or below" if ranking.lower_is_positive else "above"
        return f"no row is called {plain(ranking.positive)}: the line is {best} every score"
    simple = to_type(decision.suggestion)
    low, high = decision.decides_identically
    if not ranking.exact and math.nextafter(high, low) == low:
        return f"{simple}, the end of a bin of scores: any other may decide otherwise"
    same = f"any {stretch(decision.decides_identically)} decides the same"
    return same if simple == written(decision.threshold) else f"{same}, so {simple} does"


def _ties(decision: Decision) -> list[tuple[str, str, str]]:
    if not decision.ties:
        return []
    shown = ", ".join(written(t) for t in decision.ties[:MOST_INTERVALS])
    more = len(decision.ties) - MOST_INTERVALS
    text = f"{shown} and {more:,} more" if more > 0 else shown
    return [("as good", "", f"{text} (with more false positives)")]


def _checked_thresholds(checked: Check | str | None) -> list[tuple[str, str, str]]:
    if checked is None or isinstance(checked, str) or math.isnan(checked.standard_error):
        return []
    low, high = sorted(checked.thresholds)
    if math.isnan(low):
        return []
    ends = f"{written(low)} to {written(high)}"
    error = number(checked.standard_error)
    within = _listed_intervals(checked.within)
    return [
        (
            "chosen again",
            ends,
            f"{checked.level:.0%} of the draws choose a threshold in this range",
        ),
        ("within one error", f"± {error}", f"thresholds {within} are worse by no more than that"),
        ("simplest of these", written(checked.suggestion), "may decide otherwise for some rows"),
    ]


def _tolerated(decision: Decision, tolerance: float | None) -> list[tuple[str, str, str]]:
    if tolerance is None:
        return []
    runs = _listed_intervals(decision.within(tolerance))
    return [("tolerated", f"± {number(tolerance)}", f"thresholds {runs}")]


def _listed_intervals(runs: Sequence[Interval]) -> str:
    shown = "; ".join(stretch(run) for run in runs[:MOST_INTERVALS])
    more = len(runs) - MOST_INTERVALS
    return f"{shown}; and {more:,} further ranges" if more > 0 else shown


def _calibrated(decision: Decision) -> list[tuple[str, str, str]]:
    if decision.calibrated_threshold is None:
        return []
    sentence = "would be best for these costs if scores were true probabilities"
    return [("if calibrated", written(decision.calibrated_threshold), sentence)]


def _spent(decision: Decision) -> list[Section]:
    if decision.costs is None:
        return []
    spent = expenses(decision.ranking, decision.costs, decision.threshold, decision.prevalence)
    return [expenses_section(spent, decision.ranking)]


def _check_document(checked: Check) -> dict[str, Any]:
    return {
        **draws_document(checked),
        "threshold_low": finite(checked.thresholds.low),
        "threshold_high": finite(checked.thresholds.high),
        "within_one_standard_error": [pair(run) for run in checked.within],
        "suggestion": finite(checked.suggestion),
    }
