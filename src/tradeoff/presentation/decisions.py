"""Decisions for readers: where the line is, why, and how sure one may be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tradeoff.analysis.expenses import expenses, expenses_of_band
from tradeoff.analysis.honesty import METHOD
from tradeoff.analysis.registry import METRICS
from tradeoff.presentation.expenses import expenses_document, expenses_section
from tradeoff.presentation.sections import Section
from tradeoff.presentation.tables import (
    HEADLINE_METRICS,
    measures_section,
    notes_section,
    remarks,
    table_section,
)
from tradeoff.presentation.values import confusion_document, estimate_document, finite
from tradeoff.text import count, number, plain, share, threshold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.analysis.decisions import Decision
    from tradeoff.analysis.honesty import BandCheck, Check
    from tradeoff.analysis.identical import Interval
    from tradeoff.analysis.rejection import Band, BandDecision
    from tradeoff.ranking.ranking import Ranking

DECISION = "tradeoff/decision/1"
DECISIONS = "tradeoff/decisions/1"
BAND = "tradeoff/band/1"
MOST_INTERVALS = 6
CHOSEN_ON = "on the rows that it was chosen on"


def decision_sections(
    decision: Decision, checked: Check | str | None = None, tolerance: float | None = None
) -> list[Section]:
    """A threshold as a person reads it; `checked` may be the reason why there is no check."""
    ranking = decision.ranking
    facts = [
        ("chosen by", "", _at_prevalence(decision.criterion.name, decision.prevalence)),
        _value(decision),
        *_checked_value(checked),
        ("threshold", _written(decision.threshold), _identical(ranking, decision)),
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
        measures_section(
            _at_prevalence("At this threshold", decision.prevalence),
            [METRICS[m] for m in HEADLINE_METRICS],
            {"": ranking.at_prevalence(decision.prevalence).at_place(decision.place)},
        ),
        *_spent(decision),
        *notes_section([ranking]),
    ]


def decision_document(
    decision: Decision, checked: Check | str | None = None, tolerance: float | None = None
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
        "decides_identically": _pair(decision.decides_identically),
        "suggestion": finite(decision.suggestion),
        "ties": [finite(t) for t in decision.ties],
        "prevalence": decision.prevalence,
        "confusion": confusion_document(decision.confusion),
        "notes": [*decision.notes, *remarks([ranking])],
    }
    if tolerance is not None:
        runs = [_pair(run) for run in decision.within(tolerance)]
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


def band_sections(decision: BandDecision, checked: BandCheck | str | None = None) -> list[Section]:
    """A band as a person reads it; `checked` may be the reason why there is no check."""
    ranking = decision.ranking
    matrix = decision.confusion
    decided = f"{count(matrix.decided)} of {count(matrix.rows)} rows"
    facts: list[tuple[str, str, str]] = [
        ("chosen by", "", _at_prevalence(decision.criterion, decision.prevalence)),
        (decision.criterion.partition("(")[0], number(decision.value), CHOSEN_ON),
        *_checked_value(checked),
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
        measures_section("Over all rows, and over decided rows alone", chosen, {"": matrix}),
        *_spent_on_band(decision),
        *notes_section([ranking]),
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


def band_document(decision: BandDecision, checked: BandCheck | str | None = None) -> dict[str, Any]:
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
        "lower_decides_identically": _pair(decision.lower_decides_identically),
        "upper_decides_identically": _pair(decision.upper_decides_identically),
        "suggestion": [finite(end) for end in decision.suggestion],
        "calibrated": None if calibrated is None else [finite(end) for end in calibrated],
        "coverage": decision.coverage,
        "prevalence": decision.prevalence,
        "confusion": confusion_document(decision.confusion),
        "metrics": {
            name: estimate_document(METRICS[name].estimate(decision.confusion))
            for name in BAND_METRICS
        },
        "notes": [*decision.notes, *remarks([ranking])],
    }
    if isinstance(checked, str):
        document["honest"] = {"value": None, "reason": checked}
    elif checked is not None:
        ends = {"lower": _pair(checked.lower), "upper": _pair(checked.upper)}
        document["honest"] = {**_draws_document(checked), **ends}
    return document


def _rule(decision: Decision) -> str:
    ranking = decision.ranking
    positive = plain(ranking.positive)
    if decision.place == 0:
        return f"call nothing {positive}"
    sign = "≤" if ranking.lower_is_positive else "≥"
    return f"{positive} when the score is {sign} {_written(decision.suggestion)}"


def _band_rule(decision: BandDecision) -> str:
    low = decision.ranking.lower_is_positive
    lower, upper = (_written(end) for end in decision.suggestion)
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
    upper = _interval(decision.upper_decides_identically)
    lower = _interval(decision.lower_decides_identically)
    sure = f"{positive} {_side(low)}", _written(band.upper), f"any {upper} decides alike"
    out = (
        f"{negative} {'above' if low else 'below'}",
        _written(band.lower),
        f"any {lower} decides alike",
    )
    if none_sure:
        sure = sure[0], "none", f"nothing is called {positive}"
    if none_out:
        out = out[0], "none", f"nothing is called {negative}"
    return [sure, out]


def _calibrated_band(band: Band) -> tuple[str, str]:
    if band.lower == band.upper:
        return _written(band.upper), "no rejection would pay if scores were true probabilities"
    text = f"{_written(band.lower)} to {_written(band.upper)}"
    return text, "would be the band if scores were true probabilities (Chow)"


def _at_prevalence(criterion: str, prevalence: float | None) -> str:
    return (
        criterion if prevalence is None else f"{criterion} at a prevalence of {share(prevalence)}"
    )


def _value(decision: Decision) -> tuple[str, str, str]:
    return decision.criterion.about, number(decision.value), CHOSEN_ON


def _checked_value(checked: Check | BandCheck | str | None) -> list[tuple[str, str, str]]:
    if checked is None:
        return []
    if isinstance(checked, str):
        return [("honest value", "undefined", checked)]
    drawn = f"{checked.replicates} draws, seed {checked.seed}"
    failed = f"; {checked.failed} without a choice" if checked.failed else ""
    sentence = f"on rows that a choice did not see (out-of-bag bootstrap, {drawn}{failed})"
    return [("honest value", number(checked.honest.value), checked.honest.reason or sentence)]


def _identical(ranking: Ranking, decision: Decision) -> str:
    if decision.place == 0:
        best = "at or below" if ranking.lower_is_positive else "above"
        return f"no row is called {plain(ranking.positive)}: the line is {best} every score"
    simple = _written(decision.suggestion)
    same = f"any {_interval(decision.decides_identically)} decides the same"
    return same if simple == _written(decision.threshold) else f"{same}, so {simple} does"


def _interval(interval: Interval) -> str:
    low, high = interval
    if math.isinf(low):
        return f"{'from' if low > 0 else 'up to'} {_written(high)}"
    if math.isinf(high):
        return f"{'above' if high > 0 else 'below'} {_written(low)}"
    if low > high:
        return f"from {_written(high)} to below {_written(low)}"
    return f"above {_written(low)} up to {_written(high)}"


def _ties(decision: Decision) -> list[tuple[str, str, str]]:
    if not decision.ties:
        return []
    shown = ", ".join(_written(t) for t in decision.ties[:MOST_INTERVALS])
    more = len(decision.ties) - MOST_INTERVALS
    text = f"{shown} and {more:,} more" if more > 0 else shown
    return [("as good", "", f"{text} (with more false positives)")]


def _checked_thresholds(checked: Check | str | None) -> list[tuple[str, str, str]]:
    if checked is None or isinstance(checked, str) or math.isnan(checked.standard_error):
        return []
    low, high = sorted(checked.thresholds)
    ends = f"{_written(low)} to {_written(high)}"
    error = number(checked.standard_error)
    within = _listed_intervals(checked.within)
    return [
        (
            "chosen again",
            ends,
            f"{checked.level:.0%} of the draws choose a threshold in this range",
        ),
        ("within one error", f"± {error}", f"thresholds {within} are worse by no more than that"),
        ("simplest of these", _written(checked.suggestion), "may decide otherwise for some rows"),
    ]


def _checked_ends(checked: BandCheck | str | None) -> list[tuple[str, str, str]]:
    if checked is None or isinstance(checked, str) or math.isnan(checked.standard_error):
        return []
    lower, upper = (
        " to ".join(map(_written, sorted(end))) for end in (checked.lower, checked.upper)
    )
    sentence = f"{checked.level:.0%} of the draws choose an end in this range"
    return [("lower end again", lower, sentence), ("upper end again", upper, sentence)]


def _tolerated(decision: Decision, tolerance: float | None) -> list[tuple[str, str, str]]:
    if tolerance is None:
        return []
    runs = _listed_intervals(decision.within(tolerance))
    return [("tolerated", f"± {number(tolerance)}", f"thresholds {runs}")]


def _listed_intervals(runs: Sequence[Interval]) -> str:
    shown = "; ".join(_interval(run) for run in runs[:MOST_INTERVALS])
    more = len(runs) - MOST_INTERVALS
    return f"{shown}; and {more:,} further ranges" if more > 0 else shown


def _calibrated(decision: Decision) -> list[tuple[str, str, str]]:
    if decision.calibrated_threshold is None:
        return []
    sentence = "would be best for these costs if scores were true probabilities"
    return [("if calibrated", _written(decision.calibrated_threshold), sentence)]


def _spent(decision: Decision) -> list[Section]:
    if decision.costs is None:
        return []
    spent = expenses(decision.ranking, decision.costs, decision.threshold, decision.prevalence)
    return [expenses_section(spent, decision.ranking)]


def _spent_on_band(decision: BandDecision) -> list[Section]:
    if decision.criterion != "expected_cost":
        return []
    places = decision.upper_place, decision.lower_place
    own = decision.search.costs
    spent = expenses_of_band(decision.ranking, own, places, decision.prevalence)
    return [expenses_section(spent, decision.ranking, "with this band")]


def _check_document(checked: Check) -> dict[str, Any]:
    return {
        **_draws_document(checked),
        "threshold_low": finite(checked.thresholds.low),
        "threshold_high": finite(checked.thresholds.high),
        "within_one_standard_error": [_pair(run) for run in checked.within],
        "suggestion": finite(checked.suggestion),
    }


def _draws_document(checked: Check | BandCheck) -> dict[str, Any]:
    return {
        **estimate_document(checked.honest),
        "standard_error": finite(checked.standard_error),
        "level": checked.level,
        "method": METHOD,
        "replicates": checked.replicates,
        "failed": checked.failed,
        "seed": checked.seed,
    }


def _pair(interval: Interval) -> list[float | None]:
    return [finite(end) for end in interval]


def _written(value: float) -> str:
    return "none" if value == math.inf else threshold(value)
