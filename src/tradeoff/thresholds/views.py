"""Decisions and reject bands for readers: where the line is, why, and how sure one may be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tradeoff.checks.views import notes_section, remarks
from tradeoff.core.costs import expenses, expenses_of_band
from tradeoff.core.ranking import Ranking
from tradeoff.measures.registry import METRICS
from tradeoff.render.sections import Section
from tradeoff.render.values import confusion_document, estimate_document, estimates_document, finite
from tradeoff.results import shows
from tradeoff.text import count, number, plain, share, threshold, told_apart, typed
from tradeoff.thresholds.decision import Decision, Decisions
from tradeoff.thresholds.identical import Interval
from tradeoff.thresholds.out_of_sample import METHOD, OutOfSample
from tradeoff.thresholds.reject_band import Band, BandDecision
from tradeoff.uncertainty.estimates import matrix_estimates
from tradeoff.views.costs import expenses_document, expenses_section
from tradeoff.views.matrices import table_section
from tradeoff.views.measures import (
    matrix_measures,
)

# Words and documents that thresholds and bands share.


CHOSEN_ON = "on the rows that it was chosen on"


def at_prevalence(criterion: str, prevalence: float | None) -> str:
    """What was asked, with the prevalence if one was given."""
    return (
        criterion if prevalence is None else f"{criterion} at a prevalence of {share(prevalence)}"
    )


def _checked_value(checked: OutOfSample | str | None) -> list[tuple[str, str, str]]:
    """What a choice is worth on rows that it did not see."""
    if checked is None:
        return []
    if isinstance(checked, str):
        return [("honest value", "undefined", checked)]
    drawn = f"{checked.replicates} draws, seed {checked.seed}"
    failed = f"; {checked.failed} without a choice" if checked.failed else ""
    sentence = f"on rows that a choice did not see (out-of-bag bootstrap, {drawn}{failed})"
    honest = ("honest value", number(checked.estimate.value), checked.estimate.reason or sentence)
    low, high = sorted(checked.value)
    if math.isnan(low):
        return [honest]
    ends = f"{number(low)} to {number(high)}"
    level = f"{100 * checked.level:g} % interval"
    return [("interval", ends, f"{level} of the value at this choice, by the same draws"), honest]


def _stretch(interval: Interval) -> str:
    """A range of thresholds in words."""
    low, high = interval
    if math.isinf(low):
        return f"{'from' if low > 0 else 'up to'} {written(high)}"
    if math.isinf(high):
        return f"{'above' if high > 0 else 'below'} {written(low)}"
    below, above = told_apart(low, high)
    return f"from {above} to below {below}" if low > high else f"above {below} up to {above}"


def _draws_document(checked: OutOfSample) -> dict[str, Any]:
    """What an out-of-bag check found, for other programs."""
    return {
        **estimate_document(checked.estimate),
        "value_low": finite(min(checked.value)),
        "value_high": finite(max(checked.value)),
        "standard_error": finite(checked.standard_error),
        "level": checked.level,
        "method": METHOD,
        "replicates": checked.replicates,
        "failed": checked.failed,
        "seed": checked.seed,
    }


def pair(interval: Interval) -> list[float | None]:
    """The ends of a range; null where it is open."""
    return [finite(end) for end in interval]


def written(value: float) -> str:
    """A threshold, or that there is none."""
    return "none" if value == math.inf else threshold(value)


def _to_type(value: float) -> str:
    """A threshold that decides the same when it is typed, or that there is none."""
    return "none" if value == math.inf else typed(value)


# Bands of rejection for readers.


BAND = "tradeoff/band/1"


@shows(BandDecision, "sections")
def band_sections(
    decision: BandDecision,
) -> list[Section]:
    """A band as a person reads it."""
    ranking, checked = decision.ranking, decision.out_of_sample
    matrix = decision.confusion
    decided = f"{count(matrix.decided)} of {count(matrix.rows)} rows"
    facts: list[tuple[str, str, str]] = [
        ("chosen by", "", at_prevalence(decision.criterion, decision.prevalence)),
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
    chosen = METRICS.headlines("band")
    return [
        Section(heading, notes, (("", "", ""), *facts), left=2, prose_last=True),
        table_section(matrix.table()),
        matrix_measures(
            "Over all rows, and over decided rows alone", chosen, matrix, decision.confidence
        ),
        *_spent_on_band(decision),
        *notes_section(remarks([ranking])),
    ]


@shows(BandDecision, "document")
def band_document(
    decision: BandDecision,
) -> dict[str, Any]:
    """A band as other programs read it."""
    ranking, checked = decision.ranking, decision.out_of_sample
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
            matrix_estimates(METRICS.headlines("band"), decision.confusion, decision.confidence)
        ),
        "notes": [*decision.notes, *remarks([ranking])],
    }
    if isinstance(checked, str):
        document["honest"] = {"value": None, "reason": checked}
    elif checked is not None:
        ends = {"lower": pair(checked.lower), "upper": pair(checked.upper)}
        document["honest"] = {**_draws_document(checked), **ends}
    return document


def _band_rule(decision: BandDecision) -> str:
    low = decision.ranking.lower_is_positive
    lower, upper = (_to_type(end) for end in decision.suggestion)
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
    upper = _stretch(decision.upper_decides_identically)
    lower = _stretch(decision.lower_decides_identically)
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


def _checked_ends(checked: OutOfSample | str | None) -> list[tuple[str, str, str]]:
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


DECISION = "tradeoff/decision/1"
DECISIONS = "tradeoff/decisions/1"
MOST_INTERVALS = 6


@shows(Decision, "sections")
def decision_sections(
    decision: Decision,
) -> list[Section]:
    """A threshold as a person reads it."""
    ranking, checked = decision.ranking, decision.out_of_sample
    facts = [
        ("chosen by", "", at_prevalence(decision.criterion.name, decision.prevalence)),
        _value(decision),
        *_at_best(decision),
        *_checked_value(checked),
        ("threshold", written(decision.threshold), _identical(ranking, decision)),
        *_ties(decision),
        *_checked_thresholds(checked),
        *_tolerated(decision),
        *_calibrated(decision),
    ]
    heading = f"{ranking.name}: {_rule(decision)}"
    notes = [f"Note: {note}." for note in decision.notes]
    return [
        Section(heading, tuple(notes), (("", "", ""), *facts), left=2, prose_last=True),
        table_section(decision.confusion.table()),
        matrix_measures(
            at_prevalence("At this threshold", decision.prevalence),
            METRICS.headlines("tables"),
            ranking.at_prevalence(decision.prevalence).at_place(decision.place),
            decision.confidence,
        ),
        *_spent(decision),
        *notes_section(remarks([ranking])),
    ]


@shows(Decision, "document")
def decision_document(
    decision: Decision,
) -> dict[str, Any]:
    """A threshold as other programs read it; a threshold of null calls nothing positive."""
    ranking, checked, tolerance = decision.ranking, decision.out_of_sample, decision.tolerance
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
            matrix_estimates(
                METRICS.values(),
                ranking.at_prevalence(decision.prevalence).at_place(decision.place),
                decision.confidence,
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
    return f"{positive} when the score is {sign} {_to_type(decision.suggestion)}"


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
    simple = _to_type(decision.suggestion)
    low, high = decision.decides_identically
    if not ranking.exact and math.nextafter(high, low) == low:
        return f"{simple}, the end of a bin of scores: any other may decide otherwise"
    same = f"any {_stretch(decision.decides_identically)} decides the same"
    return same if simple == written(decision.threshold) else f"{same}, so {simple} does"


def _ties(decision: Decision) -> list[tuple[str, str, str]]:
    if not decision.ties:
        return []
    shown = ", ".join(written(t) for t in decision.ties[:MOST_INTERVALS])
    more = len(decision.ties) - MOST_INTERVALS
    text = f"{shown} and {more:,} more" if more > 0 else shown
    return [("as good", "", f"{text} (with more false positives)")]


def _checked_thresholds(checked: OutOfSample | str | None) -> list[tuple[str, str, str]]:
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


def _tolerated(decision: Decision) -> list[tuple[str, str, str]]:
    tolerance = decision.tolerance
    if tolerance is None:
        return []
    runs = _listed_intervals(decision.within(tolerance))
    return [("tolerated", f"± {number(tolerance)}", f"thresholds {runs}")]


def _listed_intervals(runs: Sequence[Interval]) -> str:
    shown = "; ".join(_stretch(run) for run in runs[:MOST_INTERVALS])
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


def _check_document(checked: OutOfSample) -> dict[str, Any]:
    return {
        **_draws_document(checked),
        "threshold_low": finite(checked.thresholds.low),
        "threshold_high": finite(checked.thresholds.high),
        "within_one_standard_error": [pair(run) for run in checked.within],
        "suggestion": finite(checked.suggestion),
    }


@shows(Decisions, "sections")
def decisions_sections(chosen: Decisions) -> list[Section]:
    """The decisions one after the other."""
    return [section for decision in chosen.decisions for section in decision.sections()]


@shows(Decisions, "document")
def decisions_document(chosen: Decisions) -> dict[str, Any]:
    """One decision by itself, several as a list."""
    documents = [decision.to_dict() for decision in chosen.decisions]
    return documents[0] if len(documents) == 1 else {"schema": DECISIONS, "decisions": documents}
