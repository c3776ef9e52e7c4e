"""Text sections and JSON documents of decisions and reject bands."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from typing import Any

from tradeoff.checks.notes import notes_and_warnings, notes_section
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import AnyCosts, band_expenses, expenses
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_count,
    format_digits,
    format_exact_threshold,
    format_level,
    format_percent,
    format_threshold,
    format_threshold_pair,
    printable,
    with_minus_sign,
)
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS
from tradeoff.measures.vocabulary import name_label
from tradeoff.render.estimate_documents import estimate_document, estimates_document
from tradeoff.render.estimate_text import (
    format_signed_interval,
    format_significant,
    format_value_interval,
)
from tradeoff.render.json_csv import confusion_document, json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.thresholds.decision import Decision, Decisions, expected_value
from tradeoff.thresholds.identical import Interval
from tradeoff.thresholds.operating_threshold import CONVENTIONAL_THRESHOLD, has_probabilities
from tradeoff.thresholds.out_of_sample import METHOD, OutOfSample
from tradeoff.thresholds.reject_band import BandDecision, RejectBand
from tradeoff.uncertainty.estimates import matrix_estimates
from tradeoff.views.costs import expenses_document, expenses_section
from tradeoff.views.matrices import matrix_metrics_section, matrix_table_section
from tradeoff.wording import Wording

BAND_SCHEMA = "tradeoff/band/1"
DECISION_SCHEMA = "tradeoff/decision/1"
DECISIONS_SCHEMA = "tradeoff/decisions/1"
MAX_LISTED_TIES = 6
MAX_LISTED_RANGES = 3
NO_THRESHOLD = "none"
NEW_DATA_HEADER = "new data*"
RATES = ("recall", "precision")
"""Metrics of each decision in the table of decisions."""
PERCENTILE_METHOD = "percentile bootstrap"


@shows(Decision, "sections")
def decision_sections(decision: Decision) -> list[Section]:
    """Text sections of a decision: the threshold and its value first, then details."""
    return [
        *summary_sections([decision]),
        *_detail_sections(decision),
        *notes_section(notes_and_warnings([decision.ranking])),
    ]


def _detail_sections(decision: Decision) -> list[Section]:
    """Confusion matrix, metrics and costs at the chosen threshold."""
    ranking = decision.ranking
    return [
        matrix_table_section(decision.confusion.table()),
        matrix_metrics_section(
            _with_prevalence("At this threshold", decision.prevalence),
            METRICS.headlines("tables"),
            ranking.at_prevalence(decision.prevalence).at_place(decision.index),
            decision.confidence,
            decision.vocabulary,
            decision.wording,
        ),
        *_costs_section(decision),
    ]


@shows(Decisions, "sections")
def decisions_sections(decisions: Decisions, *, details: Sequence[str] = ()) -> list[Section]:
    """Text sections of decisions for several models: one table, the best first.

    Args:
        decisions: The decisions.
        details: Models whose confusion matrix, metrics and similar thresholds are added.
    """
    if len(decisions.decisions) == 1:
        return decisions.decisions[0].sections()
    ranked = [d for d in decisions.ranked if isinstance(d, Decision)]
    if len(ranked) < len(decisions.decisions):
        chosen = [decisions[name] for name in details] or decisions.decisions
        return [section for decision in chosen for section in decision.sections()]
    return [
        *summary_sections(ranked, decisions.differences, details),
        *(
            replace(
                section, heading=f"{printable(name)}: {section.heading or _describe_rule(decision)}"
            )
            for name in details
            if isinstance(decision := decisions[name], Decision)
            for section in _detail_sections(decision)
        ),
        *notes_section(notes_and_warnings([decision.ranking for decision in ranked])),
    ]


def summary_sections(
    decisions: Sequence[Decision],
    differences: Mapping[str, Estimate] | str = "",
    details: Sequence[str] = (),
) -> list[Section]:
    """Headline, table and explanations of decisions by the same criterion, the best first.

    Only the best decision and those of `details` are explained.
    """
    best = decisions[0]
    table = _decisions_table(decisions, {} if isinstance(differences, str) else differences)
    sections = [
        Section(lines=(_headline(best), *_describe_trivial_rule(best))),
        Section(lines=_value_lines(decisions), table=table),
    ]
    for decision in decisions:
        if decision is not best and decision.ranking.name not in details:
            continue
        lines = _explanations(decision)
        if len(decisions) > 1:
            lines = [f"{printable(decision.ranking.name)}: {line}" for line in lines]
        sections.append(Section(lines=tuple(lines)))
    footnotes = [*map(_footnote, decisions), *map(_interval_footnote, decisions)]
    footnotes.append(_difference_footnote(differences))
    footnotes = list(dict.fromkeys(filter(None, footnotes)))
    return [*sections, *([Section(lines=tuple(footnotes))] if footnotes else [])]


def decisions_table_document(decisions: Decisions) -> dict[str, Any]:
    """The table of decisions of several models as texts, with its title and notes, for pages."""
    ranked = [decision for decision in decisions.ranked if isinstance(decision, Decision)]
    differences = decisions.differences
    header, *rows = _decisions_table(ranked, {} if isinstance(differences, str) else differences)
    footnotes = [*map(_footnote, ranked), _difference_footnote(differences)]
    return {
        "title": _headline(ranked[0]),
        "columns": list(header[1:]),
        "rows": [list(row) for row in rows],
        "about": " ".join([f"{_value_lines(ranked)[0]}.", *dict.fromkeys(filter(None, footnotes))]),
    }


def _difference_footnote(differences: Mapping[str, Estimate] | str) -> str:
    """Footnote on how differences between models were estimated, or why they were not."""
    if isinstance(differences, str):
        return f"Differences between models are not shown: {differences}." if differences else ""
    notes = [difference.note for difference in differences.values() if difference.note]
    if notes:
        return f"Differences have {notes[0]}."
    if not differences:
        return ""
    return "Differences are on new data: paired bootstrap in which each model chooses again."


def _headline(decision: Decision) -> str:
    """First line of a decision: criterion, rule and expected value on new data."""
    criterion, expected = decision.criterion, expected_value(decision)
    if criterion.measure == "expected_cost":
        objective = "Lowest cost"
    elif criterion.meets is not None or criterion.name != criterion.measure:
        objective = decision.wording.rephrase(criterion.label(decision.vocabulary))
    else:
        extreme = "Highest" if criterion.better == "higher" else "Lowest"
        objective = f"{extreme} {criterion.measure_label(decision.vocabulary)}"
    objective = _with_prevalence(_capitalized(objective), decision.prevalence)
    is_cost, wording = criterion.measure == "expected_cost", decision.wording
    expectation = ""
    if not math.isnan(expected):
        label = criterion.measure_label(decision.vocabulary).removeprefix("expected ")
        value = format_significant(expected)
        value = f"{wording.money(value)} per {wording.unit}" if is_cost else value
        expectation = f" Expected {label} on new data: {value}."
    return f"{objective}: {_describe_rule(decision)}.{expectation}"


def _describe_trivial_rule(decision: Decision) -> list[str]:
    """Sentence on predicting one class for every row, if that costs no more."""
    expected = expected_value(decision)
    if decision.costs is None or math.isnan(expected):
        return []
    ranking = decision.ranking
    incurred_costs = expenses(ranking, decision.costs, decision.threshold, decision.prevalence)
    if not incurred_costs.rows or expected < incurred_costs.trivial / incurred_costs.rows:
        return []
    is_positive = incurred_costs.all_positive < incurred_costs.all_negative
    if decision.index == 0 and not is_positive:  # the headline already says so
        return []
    name = printable(ranking.positive if is_positive else ranking.negative)
    wording = decision.wording
    cost = wording.money(format_significant(incurred_costs.trivial / incurred_costs.rows))
    return [
        f"Predicting {name} for every {wording.unit} costs {cost}: no more than this threshold."
    ]


def _describe_rule(decision: Decision) -> str:
    """Decision rule in words: which class to predict for which scores."""
    ranking = decision.ranking
    positive = printable(ranking.positive)
    if decision.index == 0:
        every_row = f"every {decision.wording.unit}"
        return f"predict {printable(ranking.negative)} for {every_row} ({printable(ranking.name)})"
    sign = "≤" if ranking.lower_is_positive else "≥"
    threshold = chosen_threshold_text(decision)
    return f"predict {positive} where {printable(ranking.name)} {sign} {threshold}"


def chosen_threshold_text(decision: Decision) -> str:
    """The chosen threshold as text: six digits, or as many as identical predictions need."""
    return _format_within(decision.threshold, decision.equivalent_thresholds)


def _format_within(threshold: float, interval: Interval) -> str:
    """A threshold with the fewest digits, at least six, that keep it in its interval."""
    if math.isinf(threshold):
        return _threshold_text(threshold)
    towards_low = ROUND_FLOOR if interval.low < interval.high else ROUND_CEILING
    limits = sorted(interval)
    for digits in range(6, 17):
        for rounding in (ROUND_HALF_EVEN, towards_low):
            rounded = float(Context(digits, rounding).create_decimal(repr(float(threshold))))
            if limits[0] <= rounded <= limits[1] and rounded != interval.low:
                return with_minus_sign(format_digits(rounded, digits))
    return format_exact_threshold(threshold)


def _value_estimate(decision: Decision | BandDecision) -> Estimate:
    """Value of the criterion on these rows, with the interval that the metric has elsewhere.

    A cost has the percentile interval of the bootstrap, if there was one.
    """
    if isinstance(decision, Decision):
        metric, name = decision.criterion.metric, decision.criterion.measure
        matrix = decision.ranking.at_prevalence(decision.prevalence).at_place(decision.index)
    else:
        metric, name = METRICS.get(decision.criterion), decision.criterion
        matrix = decision.confusion
    if metric is not None:
        (estimate,) = matrix_estimates([metric], matrix, decision.confidence).values()
        return estimate
    estimate, out_of_sample = Estimate(name, decision.value), decision.out_of_sample
    if not isinstance(out_of_sample, OutOfSample) or math.isnan(out_of_sample.value.low):
        return estimate
    low, high = sorted(out_of_sample.value)
    return replace(
        estimate, low=low, high=high, level=out_of_sample.level, method=PERCENTILE_METHOD
    )


def _interval_footnote(decision: Decision | BandDecision) -> str:
    """Footnote on the method of the interval on these rows; empty if there is none."""
    estimate = _value_estimate(decision)
    return f"CI on these data: {estimate.method}." if estimate.has_interval else ""


def _value_lines(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """Lines above the decision table: the criterion, and what is in parentheses."""
    label = _capitalized(decisions[0].criterion.measure_label(decisions[0].vocabulary))
    if decisions[0].criterion.measure == "expected_cost":
        wording = decisions[0].wording
        label = f"{label} per {wording.unit}{f', {wording.currency}' if wording.currency else ''}"
    for estimate in map(_value_estimate, decisions):
        if estimate.has_interval and estimate.level is not None:
            return (f"{label} ({format_level(estimate.level)} CI)",)
    return (label,)


def _decisions_table(
    decisions: Sequence[Decision], differences: Mapping[str, Estimate]
) -> tuple[tuple[str, ...], ...]:
    """Table of decisions: threshold, value on new data and on these data, and predictions.

    Of several models, the best is first; others have their difference to it on new data.
    """
    first = decisions[0]
    positive = printable(first.ranking.positive)
    has_estimate = any(d.out_of_sample is not None for d in decisions)
    new_data_header = (NEW_DATA_HEADER,) if has_estimate else ()
    headers = [_rate_header(name, first) for name in RATES]
    objective_header: tuple[str, ...] = ()
    subject = "difference"
    if first.criterion.objective is not None and has_estimate and len(decisions) > 1:
        label = first.criterion.objective_label(first.vocabulary).partition(" (")[0]
        objective_header, subject = (f"{label}*",), f"{label}, difference"
    difference_header = (f"{subject} to {printable(first.ranking.name)}",) if differences else ()
    table: list[tuple[str, ...]] = [
        (
            "",
            "threshold",
            *new_data_header,
            "these data",
            *objective_header,
            *difference_header,
            f"predicted {positive}",
            *headers,
        )
    ]
    for decision in decisions:
        reweighted_matrix = decision.ranking.at_prevalence(decision.prevalence).at_place(
            decision.index
        )
        expected_cells = (format_significant(expected_value(decision)),) if has_estimate else ()
        objective = format_significant(expected_value(decision, objective=True))
        difference = differences.get(decision.ranking.name)
        difference_text = (
            ""
            if difference is None
            else format_signed_interval(difference.value, difference.low, difference.high)
        )
        estimate = _value_estimate(decision)
        table.append(
            (
                decision.ranking.name,
                chosen_threshold_text(decision),
                *expected_cells,
                format_value_interval(decision.value, estimate.low, estimate.high),
                *(objective for _ in objective_header),
                *(difference_text for _ in difference_header),
                *_prediction_cells(decision, reweighted_matrix),
            )
        )
    if first.costs is not None and len(decisions) > 1:
        table += _reference_rows(
            first, first.costs, width=len(table[0]), column=2 + len(new_data_header)
        )
    return tuple(table)


def _rate_header(name: str, decision: Decision) -> str:
    """Column header of a rate: as it was requested, else its label without a synonym."""
    criterion, measure = decision.criterion, METRICS[name]
    if criterion.spelling and criterion.measure == measure.name:
        return criterion.spelling
    return measure.label_in(decision.vocabulary).partition(" (")[0]


def _prediction_cells(decision: Decision, matrix: ConfusionMatrix) -> list[str]:
    """Rows predicted positive, and rates; only their proportion if the matrix is reweighted."""
    predicted = _format_proportion(float(matrix.predicted_positives) / float(matrix.rows))
    if decision.prevalence is None:
        predicted = f"{format_count(matrix.predicted_positives)} ({predicted})"
    return [predicted, *(_format_proportion(float(METRICS[name](matrix))) for name in RATES)]


def _reference_rows(
    decision: Decision, costs: AnyCosts, width: int, column: int
) -> list[tuple[str, ...]]:
    """Rows with the cost per row of predicting the same class for every row."""
    positive, negative = printable(decision.ranking.positive), printable(decision.ranking.negative)
    incurred_costs = expenses(decision.ranking, costs, decision.threshold, decision.prevalence)
    if not incurred_costs.rows:
        return []
    ranking = decision.ranking.at_prevalence(decision.prevalence)
    positives, negatives = ranking.positives, ranking.negatives
    rules = {
        f"predict all {positive}": (
            incurred_costs.all_positive,
            ConfusionMatrix(positives, 0, negatives, 0),
        )
    }
    if has_probabilities(decision.ranking):
        conventional_costs = expenses(
            decision.ranking, costs, CONVENTIONAL_THRESHOLD, decision.prevalence
        )
        name = f"{printable(decision.ranking.name)} at {CONVENTIONAL_THRESHOLD}"
        rules[name] = (conventional_costs.total, ranking.at(CONVENTIONAL_THRESHOLD))
    rules[f"predict all {negative}"] = (
        incurred_costs.all_negative,
        ConfusionMatrix(0, positives, 0, negatives),
    )
    rows = []
    for name, (total, matrix) in rules.items():
        cells = [""] * width
        cells[0], cells[column] = name, format_significant(total / incurred_costs.rows)
        predictions = _prediction_cells(decision, matrix)
        cells[-len(predictions) :] = predictions
        rows.append(tuple(cells))
    return rows


def _explanations(decision: Decision) -> list[str]:
    """Sentences on thresholds that are equally good or nearly as good."""
    return [
        *(f"Note: {note}." for note in decision.notes),
        *_describe_bound(decision),
        *_describe_identical_thresholds(decision),
        *_describe_ties(decision),
        *_describe_variability(decision),
        *_describe_tolerance(decision),
        *_describe_calibrated_threshold(decision),
    ]


def _describe_bound(decision: Decision) -> list[str]:
    if decision.ranking.exact or decision.at_best is None:
        return []
    relation = "above" if decision.criterion.better == "higher" else "below"
    bound = format_significant(decision.at_best)
    return [f"No threshold, not even inside a score bin, has a value {relation} {bound}."]


def _describe_identical_thresholds(decision: Decision) -> list[str]:
    ranking = decision.ranking
    if decision.index == 0:
        relation = "below" if ranking.lower_is_positive else "above"
        return [f"Every threshold {relation} all scores gives identical predictions."]
    low, high = decision.equivalent_thresholds
    if not ranking.exact and math.nextafter(high, low) == low:
        return [
            "The threshold is the edge of a score bin: any other may give different predictions."
        ]
    interval = decision.equivalent_thresholds
    sentence = f"Thresholds {_format_interval(interval, 'and ')} give identical predictions"
    suggestion = _exact_threshold_text(decision.suggestion)
    if suggestion != chosen_threshold_text(decision):
        sentence += f"; {suggestion} is the roundest of them"
    return [f"{sentence}."]


def _describe_ties(decision: Decision) -> list[str]:
    if not decision.ties:
        return []
    thresholds = ", ".join(map(_threshold_text, decision.ties[:MAX_LISTED_TIES]))
    unlisted_count = len(decision.ties) - MAX_LISTED_TIES
    thresholds = f"{thresholds} and {unlisted_count:,} more" if unlisted_count > 0 else thresholds
    return [f"Equally good, with more false positives: {thresholds}."]


def _describe_variability(decision: Decision) -> list[str]:
    """Thresholds within one standard error, and the range of those chosen on resamples."""
    out_of_sample = decision.out_of_sample
    if not isinstance(out_of_sample, OutOfSample) or math.isnan(out_of_sample.standard_error):
        return []
    low, high = sorted(out_of_sample.thresholds)
    if math.isnan(low):
        return []
    sentences = []
    if out_of_sample.standard_error > 0:
        sentences.append(_describe_near_optimal(decision, out_of_sample))
    sentences.append(
        f"In the central {100 * out_of_sample.level:.10g}% of bootstrap resamples, the chosen "
        f"threshold ranged from {_format_limit(low, decision)} to "
        f"{_format_limit(high, decision)}."
    )
    return sentences


def _describe_near_optimal(decision: Decision, out_of_sample: OutOfSample) -> str:
    """The thresholds within one standard error of the best, and the roundest of them."""
    standard_error = f"one standard error ({format_significant(out_of_sample.standard_error)})"
    comparison = f"are at most {standard_error} worse than the best"
    if decision.criterion.measure == "expected_cost":
        comparison = f"cost at most {standard_error} more than the best"
    if any(map(_is_unbounded, out_of_sample.within)):
        units = decision.wording.units
        return f"All thresholds {comparison}: the choice hardly matters on these {units}."
    sentence = f"Thresholds {_format_intervals(out_of_sample.within, decision)} {comparison}"
    suggestion = out_of_sample.suggestion
    if math.isfinite(suggestion) and suggestion != decision.threshold and decision.index:
        scope = "of them"
        if len(out_of_sample.within) > 1:
            scope = f"in the range that contains {chosen_threshold_text(decision)}"
        sentence += f"; {_exact_threshold_text(suggestion)} is the roundest {scope}"
    return f"{sentence}."


def _is_unbounded(interval: Interval) -> bool:
    """Whether an interval contains every threshold."""
    return all(map(math.isinf, interval)) and interval.low != interval.high


def _describe_tolerance(decision: Decision) -> list[str]:
    tolerance = decision.tolerance
    if tolerance is None:
        return []
    within = decision.within(tolerance)
    if any(map(_is_unbounded, within)):
        return [f"All thresholds are at most {tolerance:g} worse than the chosen one."]
    intervals = _format_intervals(within, decision)
    return [f"Thresholds {intervals} are at most {tolerance:g} worse than the chosen one."]


def _describe_calibrated_threshold(decision: Decision) -> list[str]:
    threshold, ranking = decision.calibrated_threshold, decision.ranking
    if threshold is None or not ranking.distinct:
        return []
    low, high = sorted(ranking.thresholds[[1, -1]])
    if low < 0 or high > 1:  # the scores are not probabilities
        return []
    optimum = format_significant(threshold)
    return [
        f"If the scores were calibrated probabilities, the optimal threshold would be {optimum}."
    ]


def _footnote(decision: Decision | BandDecision) -> str:
    """Footnote on "new data": how the value was estimated, or why it was not."""
    out_of_sample = decision.out_of_sample
    if out_of_sample is None:
        return ""
    if isinstance(out_of_sample, str):
        return f"* not estimated: {out_of_sample}"
    resamples = f"{out_of_sample.replicates:,} resamples, seed {out_of_sample.seed}"
    if out_of_sample.failed:
        resamples += f", {out_of_sample.failed:,} without a result"
    reason = out_of_sample.estimate.reason
    meaning = reason or f"evaluated on {decision.wording.units} that were not used for the choice"
    return f"* {METHOD} ({resamples}): {meaning}."


def _costs_section(decision: Decision) -> list[Section]:
    if decision.costs is None:
        return []
    incurred_costs = expenses(
        decision.ranking, decision.costs, decision.threshold, decision.prevalence
    )
    return [expenses_section(incurred_costs, decision.ranking, wording=decision.wording)]


@shows(BandDecision, "sections")
def band_sections(decision: BandDecision) -> list[Section]:
    """Text sections of a reject band: the rule and its value first, then details."""
    ranking, matrix = decision.ranking, decision.confusion
    expected, estimate = expected_value(decision), _value_estimate(decision)
    label = ""
    if estimate.has_interval and estimate.level is not None:
        label = f" ({format_level(estimate.level)} CI in parentheses)"
    criterion_label = name_label(decision.criterion, decision.vocabulary)
    criterion = _with_prevalence(criterion_label, decision.prevalence)
    value = format_value_interval(decision.value, estimate.low, estimate.high)
    expectation = "" if math.isnan(expected) else f", {format_significant(expected)} on new data*"
    rejected = f"{format_count(matrix.rejected)} rejected"
    decided = (
        f"{format_count(matrix.decided)} of {decision.wording.count(matrix.rows)} decided, "
        f"{rejected}"
    )
    lines = [
        f"Lowest {criterion}: {value} on these data{expectation}{label}.",
        f"Coverage {_format_proportion(decision.coverage)}: {decided}.",
        *(f"Note: {note}." for note in decision.notes),
        *_describe_band_thresholds(decision),
    ]
    if decision.calibrated is not None:
        lines.append(_describe_calibrated_band(decision.calibrated, decision.wording))
    footnotes = tuple(filter(None, (_footnote(decision), _interval_footnote(decision))))
    return [
        Section(lines=(f"{printable(ranking.name)}: {_describe_band_rule(decision)}.", *lines)),
        *([Section(lines=footnotes)] if footnotes else []),
        matrix_table_section(matrix.table()),
        matrix_metrics_section(
            f"All {decision.wording.units}, and decided {decision.wording.units} only",
            METRICS.headlines("band"),
            matrix,
            decision.confidence,
            decision.vocabulary,
            decision.wording,
        ),
        *_band_costs_section(decision),
        *notes_section(notes_and_warnings([ranking])),
    ]


def _describe_band_rule(decision: BandDecision) -> str:
    """Decision rule of a reject band in words: which scores to reject."""
    is_mirrored = decision.ranking.lower_is_positive
    positive = printable(decision.ranking.positive)
    lower = _format_within(decision.band.lower, decision.equivalent_lower_thresholds)
    upper = _format_within(decision.band.upper, decision.equivalent_upper_thresholds)
    if decision.upper_index == decision.lower_index:
        rule = f"predict {positive} {_positive_side(is_mirrored)} {upper}"
        return f"reject no {decision.wording.unit}, {rule}"
    has_no_positives, has_no_negatives = _empty_sides(decision)
    if has_no_positives and has_no_negatives:
        return f"reject every {decision.wording.unit}"
    if has_no_positives:
        return f"reject scores {_positive_side(is_mirrored)} {lower}"
    if has_no_negatives:
        return f"reject scores {'above' if is_mirrored else 'below'} {upper}"
    if is_mirrored:
        return f"reject scores above {upper} up to {lower}"
    return f"reject scores from {lower} to below {upper}"


def _positive_side(is_mirrored: bool) -> str:
    """On which side of a threshold scores are predicted positive: "from" or "up to"."""
    return "up to" if is_mirrored else "from"


def _empty_sides(decision: BandDecision) -> tuple[bool, bool]:
    """Whether no row is predicted positive, and whether no row is predicted negative."""
    return decision.upper_index == 0, decision.lower_index == decision.ranking.distinct


def _describe_band_thresholds(decision: BandDecision) -> list[str]:
    """Sentences on both thresholds of a reject band."""
    ranking, out_of_sample = decision.ranking, decision.out_of_sample
    has_no_positives, has_no_negatives = _empty_sides(decision)
    is_mirrored = ranking.lower_is_positive
    sides = (
        (
            printable(ranking.positive),
            "at or below" if is_mirrored else "at or above",
            decision.band.upper,
            decision.equivalent_upper_thresholds,
            has_no_positives,
            "upper",
        ),
        (
            printable(ranking.negative),
            "above" if is_mirrored else "below",
            decision.band.lower,
            decision.equivalent_lower_thresholds,
            has_no_negatives,
            "lower",
        ),
    )
    sentences = []
    for name, side, threshold, interval, is_empty, attribute in sides:
        sentence = f"Predict {name} {side} {_threshold_text(threshold)}"
        if is_empty:
            sentence = f"No {decision.wording.unit} is predicted {name}"
        else:
            thresholds = _format_interval(interval, "and ")
            sentence += f"; thresholds {thresholds} give identical predictions"
        if isinstance(out_of_sample, OutOfSample) and not math.isnan(out_of_sample.standard_error):
            low, high = map(_threshold_text, sorted(getattr(out_of_sample, attribute)))
            sentence += (
                f". In the central {100 * out_of_sample.level:.10g}% of bootstrap resamples, this "
                f"threshold ranged from {low} to {high}"
            )
        sentences.append(f"{sentence}.")
    return sentences


def _describe_calibrated_band(band: RejectBand, wording: Wording) -> str:
    if band.lower == band.upper:
        threshold = f"{band.upper:.3g}"
        return (
            "If the scores were calibrated probabilities, it would be best to reject no "
            f"{wording.unit} (threshold {threshold})."
        )
    limits = f"{band.lower:.3g} to {band.upper:.3g}"
    return (
        "If the scores were calibrated probabilities, the optimal band would be "
        f"{limits} (Chow's rule)."
    )


def _band_costs_section(decision: BandDecision) -> list[Section]:
    if decision.criterion != "expected_cost":
        return []
    indices = decision.upper_index, decision.lower_index
    incurred_costs = band_expenses(
        decision.ranking, decision.search.costs, indices, decision.prevalence
    )
    return [expenses_section(incurred_costs, decision.ranking, "with this band", decision.wording)]


@shows(Decision, "document")
def decision_document(
    decision: Decision,
) -> dict[str, Any]:
    """JSON document of a decision; its threshold is null if no row is predicted positive."""
    ranking, out_of_sample = decision.ranking, decision.out_of_sample
    tolerance = decision.tolerance
    document: dict[str, Any] = {
        "schema": DECISION_SCHEMA,
        "model": ranking.name,
        "positive": ranking.positive,
        "criterion": decision.criterion.name,
        "measure": decision.criterion.measure,
        "label": decision.criterion.measure_label(decision.vocabulary),
        "value": json_number(decision.value),
        "threshold": json_number(decision.threshold),
        "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
        "decides_identically": _interval_document(decision.equivalent_thresholds),
        "suggestion": json_number(decision.suggestion),
        "ties": [json_number(t) for t in decision.ties],
        "prevalence": decision.prevalence,
        "confusion": confusion_document(decision.confusion),
        "metrics": estimates_document(
            matrix_estimates(
                [measure.in_vocabulary(decision.vocabulary) for measure in METRICS.values()],
                ranking.at_prevalence(decision.prevalence).at_place(decision.index),
                decision.confidence,
            )
        ),
        "notes": [*decision.notes, *notes_and_warnings([ranking])],
    }
    if not ranking.exact and decision.at_best is not None:
        document["at_best"] = json_number(decision.at_best)
    if tolerance is not None:
        intervals = [_interval_document(interval) for interval in decision.within(tolerance)]
        document["within"] = {"tolerance": tolerance, "thresholds": intervals}
    if isinstance(out_of_sample, str):
        document["honest"] = {"value": None, "reason": out_of_sample}
    elif out_of_sample is not None:
        document["honest"] = _out_of_sample_document(out_of_sample)
    if decision.costs is not None:
        incurred_costs = expenses(ranking, decision.costs, decision.threshold, decision.prevalence)
        document["expenses"] = expenses_document(incurred_costs)
    if decision.calibrated_threshold is not None:
        document["calibrated_threshold"] = decision.calibrated_threshold
    return document


@shows(BandDecision, "document")
def band_document(
    decision: BandDecision,
) -> dict[str, Any]:
    """JSON document of a reject band."""
    ranking, out_of_sample = decision.ranking, decision.out_of_sample
    chow_band = decision.calibrated
    document: dict[str, Any] = {
        "schema": BAND_SCHEMA,
        "model": ranking.name,
        "positive": ranking.positive,
        "criterion": decision.criterion,
        "value": json_number(decision.value),
        "lower": json_number(decision.band.lower),
        "upper": json_number(decision.band.upper),
        "rule": "positive: score <= upper, negative: score > lower"
        if ranking.lower_is_positive
        else "positive: score >= upper, negative: score < lower",
        "lower_decides_identically": _interval_document(decision.equivalent_lower_thresholds),
        "upper_decides_identically": _interval_document(decision.equivalent_upper_thresholds),
        "suggestion": [json_number(limit) for limit in decision.suggestion],
        "calibrated": None if chow_band is None else [json_number(limit) for limit in chow_band],
        "coverage": decision.coverage,
        "prevalence": decision.prevalence,
        "confusion": confusion_document(decision.confusion),
        "metrics": estimates_document(
            matrix_estimates(
                [m.in_vocabulary(decision.vocabulary) for m in METRICS.headlines("band")],
                decision.confusion,
                decision.confidence,
            )
        ),
        "notes": [*decision.notes, *notes_and_warnings([ranking])],
    }
    if isinstance(out_of_sample, str):
        document["honest"] = {"value": None, "reason": out_of_sample}
    elif out_of_sample is not None:
        ranges = {
            "lower": _interval_document(out_of_sample.lower),
            "upper": _interval_document(out_of_sample.upper),
        }
        document["honest"] = {**_out_of_sample_fields(out_of_sample), **ranges}
    return document


@shows(Decisions, "document")
def decisions_document(decisions: Decisions) -> dict[str, Any]:
    """JSON document of decisions: that of a single decision, or a list of several."""
    documents = [decision.to_dict() for decision in decisions.decisions]
    if len(documents) == 1:
        return documents[0]
    document: dict[str, Any] = {"schema": DECISIONS_SCHEMA, "decisions": documents}
    if isinstance(decisions.decisions[0], Decision):
        document["ranked"] = [decision.ranking.name for decision in decisions.ranked]
    if isinstance(decisions.differences, str):
        document["differences"] = {"reason": decisions.differences}
    elif decisions.differences:
        best = decisions.best
        document["differences"] = {
            "to": best.ranking.name,
            "measure": best.criterion.objective_name,
            "models": estimates_document(dict(decisions.differences)),
        }
    return document


def _out_of_sample_document(out_of_sample: OutOfSample) -> dict[str, Any]:
    """JSON document of the out-of-sample estimate of a threshold."""
    return {
        **_out_of_sample_fields(out_of_sample),
        **(
            {}
            if out_of_sample.objective is None
            else {
                "objective": {"measure": out_of_sample.objective.name}
                | estimate_document(out_of_sample.objective)
            }
        ),
        "threshold_low": json_number(out_of_sample.thresholds.low),
        "threshold_high": json_number(out_of_sample.thresholds.high),
        "within_one_standard_error": [_interval_document(i) for i in out_of_sample.within],
        "suggestion": json_number(out_of_sample.suggestion),
    }


def _out_of_sample_fields(out_of_sample: OutOfSample) -> dict[str, Any]:
    """JSON fields common to the out-of-sample estimates of thresholds and reject bands."""
    return {
        **estimate_document(out_of_sample.estimate),
        "value_low": json_number(min(out_of_sample.value)),
        "value_high": json_number(max(out_of_sample.value)),
        "standard_error": json_number(out_of_sample.standard_error),
        "level": out_of_sample.level,
        "method": METHOD,
        "replicates": out_of_sample.replicates,
        "failed": out_of_sample.failed,
        "seed": out_of_sample.seed,
    }


def _interval_document(interval: Interval) -> list[float | None]:
    """Limits of an interval in JSON; null on an unbounded side."""
    return [json_number(limit) for limit in interval]


def _capitalized(text: str) -> str:
    """The text with its first letter capitalized."""
    return text[:1].upper() + text[1:]


def _with_prevalence(text: str, prevalence: float | None) -> str:
    return (
        text
        if prevalence is None
        else f"{text} at a prevalence of {_format_proportion(prevalence)}"
    )


def _format_proportion(proportion: float) -> str:
    return "undefined" if math.isnan(proportion) else format_percent(proportion)


def _threshold_text(value: float) -> str:
    return NO_THRESHOLD if value == math.inf else format_threshold(value)


def _exact_threshold_text(value: float) -> str:
    """Threshold with enough digits to reproduce the predictions when typed in."""
    return NO_THRESHOLD if value == math.inf else format_exact_threshold(value)


def _format_limit(threshold: float, decision: Decision) -> str:
    """Limit of a range of thresholds; if it is infinite, the class predicted for every row."""
    if math.isinf(threshold):
        name = _class_beyond(threshold, decision.ranking)
        return f"predicting {name} for every {decision.wording.unit}"
    return format_threshold(threshold)


def _class_beyond(threshold: float, ranking: Ranking) -> str:
    """The class that an infinite threshold predicts for every row."""
    is_positive = (threshold > 0) == ranking.lower_is_positive
    return printable(ranking.positive if is_positive else ranking.negative)


def _format_interval(interval: Interval, conjunction: str = "") -> str:
    """Interval of thresholds in words, with an optional conjunction between its limits."""
    low, high = interval
    if math.isinf(low):
        return f"{'from' if low > 0 else 'up to'} {_threshold_text(high)}"
    if math.isinf(high):
        return f"{'above' if high > 0 else 'below'} {_threshold_text(low)}"
    below, above = format_threshold_pair(low, high)
    if low > high:
        return f"from {above} to below {below}"
    return f"above {below} {conjunction}up to {above}"


def _format_intervals(intervals: Sequence[Interval], decision: Decision) -> str:
    """The intervals closest to the chosen threshold in words, lowest first.

    An interval that extends beyond all scores ends where every row gets the same prediction.
    """
    by_distance = sorted(intervals, key=lambda interval: _distance(interval, decision.threshold))
    nearest_intervals = sorted(by_distance[:MAX_LISTED_RANGES], key=min)
    texts = [
        _format_interval(interval) + _describe_unbounded_side(interval, decision)
        for interval in nearest_intervals
    ]
    unlisted_count = len(intervals) - len(nearest_intervals)
    if unlisted_count > 0:
        texts.append(f"{unlisted_count:,} more range{'' if unlisted_count == 1 else 's'}")
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def _distance(interval: Interval, threshold: float) -> float:
    """How far a threshold is from an interval; 0 inside."""
    low, high = sorted(interval)
    if low <= threshold <= high:
        return 0.0
    return min(abs(low - threshold), abs(high - threshold))


def _describe_unbounded_side(interval: Interval, decision: Decision) -> str:
    """In parentheses, the class predicted for every row on the unbounded side of an interval."""
    infinite_limits = [limit for limit in interval if math.isinf(limit)]
    if not infinite_limits:
        return ""
    name = _class_beyond(infinite_limits[0], decision.ranking)
    return f" (or predict {name} for every {decision.wording.unit})"
