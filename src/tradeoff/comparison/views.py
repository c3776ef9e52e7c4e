"""Comparisons as text, JSON documents, CSV and charts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tradeoff.checks import ranking_findings
from tradeoff.checks.notes import notes_section, ranking_notes
from tradeoff.checks.views import finding_document, warnings_section
from tradeoff.comparison.comparison import Comparison, ComparisonSummary
from tradeoff.comparison.difference import HOLM, SIMULTANEOUS, Difference
from tradeoff.comparison.noninferiority import Verdict
from tradeoff.core.costs import AnyCosts
from tradeoff.core.ranked_models import RankedModels
from tradeoff.errors import InputError
from tradeoff.formatting import (
    format_count,
    format_level,
    format_p_relation,
    format_p_value,
    printable,
    with_minus_signs,
)
from tradeoff.measures.estimate import Estimate
from tradeoff.render.chart import Chart, Intervals, Line, Scale
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import (
    format_signed_interval,
    format_significant,
    format_value_interval,
)
from tradeoff.render.json_csv import format_csv, json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.stats.normal import critical_value
from tradeoff.stats.significance import Test
from tradeoff.uncertainty.confidence import Sampling
from tradeoff.views.hypothesis_tests import hypothesis_test_document
from tradeoff.views.scales import padded_range
from tradeoff.wording import ROWS, Wording

SCHEMA = "tradeoff/comparison/1"
MAX_NAME_LENGTH = 24
POWER = 0.8
"""Power for which the rows needed are computed."""
MIN_PROBABILITY = 0.001
"""Probabilities closer to 0 or 1 than this are shown as below or above a bound."""
MAX_ROWS_NEEDED = 1e12
"""If more rows than this are needed, the number is not shown."""


def differences_chart(differences: Sequence[Difference]) -> Chart:
    """Forest plot of differences between models with their confidence intervals.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> chart = differences_chart([Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18)])
        >>> chart.y.names
        ('a − b',)
    """
    if not differences:
        raise InputError("A chart of differences needs at least one difference.")
    first = differences[0]
    names = tuple(
        f"{printable(d.first, MAX_NAME_LENGTH)} − {printable(d.second, MAX_NAME_LENGTH)}"
        for d in differences
    )
    intervals = Intervals(
        np.array([d.value for d in differences]),
        np.array([d.low for d in differences]),
        np.array([d.high for d in differences]),
        texts=tuple(format_signed_interval(d.value, d.low, d.high) for d in differences),
    )
    metric = first.metric_label
    directions = {"higher": "the first model is better", "lower": "the second model is better"}
    direction = directions.get(first.better or "", "")
    x_scale = _forest_scale(f"Difference in {metric}", intervals, reference=0.0)
    height = np.array([-0.5, len(names) - 0.5])
    layers = (Line(np.zeros(2), height, "chance", ""), intervals)
    caption = f"{format_level(first.level)} CI{f'; right of 0 {direction}' if direction else ''}."
    y_scale = Scale("", 0, len(names), "names", names)
    return Chart(f"Differences in {metric}", x_scale, y_scale, layers, caption)


def estimates_chart(estimates: Mapping[str, Estimate], label: str) -> Chart:
    """Forest plot that compares an estimate between models, with confidence intervals.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> chart = estimates_chart({"m": Estimate("auc", 0.8, low=0.7, high=0.9)}, "AUC")
        >>> chart.x.label, chart.y.names
        ('AUC', ('m',))
    """
    if not estimates:
        raise InputError("A chart of models needs at least one model.")
    names = tuple(printable(name, 32) for name in estimates)
    intervals = Intervals(
        np.array([e.value for e in estimates.values()]),
        np.array([e.low for e in estimates.values()]),
        np.array([e.high for e in estimates.values()]),
        texts=tuple(format_value_interval(e.value, e.low, e.high) for e in estimates.values()),
    )
    level = next((e.level for e in estimates.values() if e.has_interval and e.level), None)
    caption = "" if level is None else f"With {format_level(level)} CI."
    reasons = [f"{printable(n, 32)}: {e.reason}." for n, e in estimates.items() if not e.is_defined]
    caption = " ".join(filter(None, [caption, *reasons[:3]]))
    y_scale = Scale("", 0, len(names), "names", names)
    return Chart(
        f"{label} of each model", _forest_scale(label, intervals), y_scale, (intervals,), caption
    )


def _forest_scale(label: str, intervals: Intervals, reference: float | None = None) -> Scale:
    """Value axis of a forest plot, padded on either side."""
    columns = (intervals.values, intervals.low, intervals.high)
    limits = np.concatenate([column[np.isfinite(column)] for column in columns])
    low, high = (float(limits.min()), float(limits.max())) if len(limits) else (0.0, 1.0)
    if reference is not None:
        low, high = min(low, reference), max(high, reference)
    low, high = padded_range(low, high)
    return Scale(label, low, high if math.isfinite(high) else 1.0)


@shows(Comparison, "sections")
def comparison_sections(comparison: Comparison) -> list[Section]:
    """Text sections of a comparison: the AUCs and their differences."""
    return summary_sections(comparison.summary())


@shows(Comparison, "document")
def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """JSON document of a comparison."""
    return summary_document(comparison.summary())


@shows(Comparison, "chart")
def comparison_chart(  # noqa: PLR0913 - as Comparison.differences
    comparison: Comparison,
    metric: str = "auc",
    *,
    at: tuple[str, float] | None = None,
    method: str | None = None,
    simultaneous: bool = False,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    level: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    sampling: Sampling | None = None,
    **parameters: Any,
) -> Chart:
    """Forest plot of the differences between models in one metric."""
    differences = comparison.differences(
        metric,
        at=at,
        method=method,
        simultaneous=simultaneous,
        costs=costs,
        prevalence=prevalence,
        level=level,
        replicates=replicates,
        seed=seed,
        sampling=sampling,
        **parameters,
    )
    return differences_chart(differences)


@shows(ComparisonSummary, "chart")
def summary_chart(summary: ComparisonSummary) -> Chart:
    """Forest plot of the differences in the first metric of a comparison summary."""
    metric = summary.differences[0].metric if summary.differences else ""
    return differences_chart([d for d in summary.differences if d.metric == metric])


@shows(ComparisonSummary, "sections")
def summary_sections(summary: ComparisonSummary) -> list[Section]:
    """Text sections of a comparison summary: rows, values by model, differences, tests."""
    comparison = summary.compared
    if comparison is None:
        return differences_sections(summary.differences)
    paired = comparison.paired
    positives = format_count(
        paired.positive_rows.sum() if paired.weights is None else _positive_weight(comparison)
    )
    scored_by = "both models" if len(comparison.models) == 2 else "all models"
    label = f"{format_level(comparison.confidence.level)} CI"
    rows = (
        f"{paired.wording.count(paired.rows)} scored by {scored_by}, {positives} positive "
        f"({printable(paired.positive)}). In parentheses: {label}."
    )
    models = list(comparison.rankings.values())
    return [
        Section(lines=(rows, *(f"Note: {note}." for note in paired.notes))),
        *warnings_section(ranking_findings(RankedModels(comparison.rankings))),
        _values_section(comparison, summary.differences),
        *differences_sections(summary.differences, paired.rows, paired.wording),
        *([_tests_section(summary.tests)] if summary.tests else []),
        *([margins_section(summary.verdicts)] if summary.verdicts else []),
        *notes_section([note for note in ranking_notes(models) if note not in paired.notes]),
    ]


def _values_section(comparison: Comparison, differences: Sequence[Difference]) -> Section:
    """Table of metrics by model, with a confidence interval for the AUC."""
    labels = {d.metric: with_minus_signs(d.metric_label) for d in reversed(differences)}
    metrics = list(dict.fromkeys(difference.metric for difference in differences))
    header = ("", *(labels[metric] for metric in metrics))
    table = [header]
    notes: dict[str, list[str]] = {}
    for name in comparison.models:
        cells = []
        for metric in metrics:
            if metric == "auc":
                auc = comparison.area(name)
                cells.append(format_value_interval(auc.value, auc.low, auc.high))
                if auc.note:
                    notes.setdefault(auc.note, []).append(printable(name))
            else:
                cells.append(format_significant(_model_value(differences, metric, name)))
        table.append((name, *cells))
    lines = tuple(f"{', '.join(names)}: {note}." for note, names in notes.items())
    return Section("", lines, tuple(table))


def _model_value(differences: Sequence[Difference], metric: str, name: str) -> float:
    """Value of one model in a metric, taken from one of its differences."""
    for difference in differences:
        if difference.metric == metric and name in {difference.first, difference.second}:
            is_first = difference.first == name
            return difference.first_value if is_first else difference.second_value
    return math.nan


@shows(Difference, "sections")
def difference_sections(difference: Difference) -> list[Section]:
    """Text section of one difference between models."""
    return differences_sections([difference])


@shows(Difference, "chart")
def difference_chart(difference: Difference) -> Chart:
    """Forest plot of one difference between models."""
    return differences_chart([difference])


def differences_sections(
    differences: Sequence[Difference], rows: int | None = None, wording: Wording = ROWS
) -> list[Section]:
    """Text sections of a comparison by metric: a sentence for one pair, a table for several.

    If the number of rows is given, an inconclusive single pair states how many rows are needed.
    """
    sections = []
    for metric in dict.fromkeys(difference.metric for difference in differences):
        metric_differences = [
            difference for difference in differences if difference.metric == metric
        ]
        if len(metric_differences) == 1:
            sections.append(_difference_section(metric_differences[0], rows, wording))
        else:
            sections.append(_differences_table(metric_differences, wording))
    return sections


def _difference_section(difference: Difference, rows: int | None, wording: Wording) -> Section:
    """Sentence on one difference, with the conclusion and the rows needed."""
    pair = f"{printable(difference.first)} − {printable(difference.second)}"
    label = with_minus_signs(difference.metric_label)
    if not difference.is_defined:
        return Section(lines=(f"{pair}: {label} is undefined: {difference.reason}.",))
    result = format_signed_interval(difference.value, difference.low, difference.high)
    if rows is None:
        values = difference.first_value, difference.second_value
        result = f"{' − '.join(map(format_significant, values))} = {result}"
    p = ""
    if not math.isnan(difference.p_value):
        p = f", p {format_p_relation(difference.p_value, difference.significance)}"
    method = f" ({wording.rephrase(difference.method)})" if difference.method else ""
    conclusion = _conclusion(difference, difference.p_value)
    level = f"{100 * difference.level:.10g}%"
    endings = {"": "", "inconclusive": f" Inconclusive at {level}."}
    ending = endings.get(conclusion, f" {conclusion.capitalize()}, significant at {level}.")
    if conclusion.endswith(" better"):
        ending = f" {conclusion.removesuffix(' better')} is better, significant at {level}."
    lines = [f"{pair}: {label} {result}{p}{method}.{ending}"]
    if difference.better == "lower":
        lines.append("Lower is better.")
    if difference.note:
        lines.append(f"Note: {difference.note}.")
    rows_needed = _rows_needed(difference, rows)
    if conclusion == "inconclusive" and rows_needed is not None:
        lines.append(
            f"About {wording.count(rows_needed)} like these would be needed to detect such a "
            f"difference with {100 * POWER:g}% power."
        )
    return Section(lines=tuple(lines))


def _conclusion(difference: Difference, p: float) -> str:
    """Conclusion at the confidence level, such as "a better" or "inconclusive"."""
    if math.isnan(p):
        return ""
    if not p < 1 - difference.level:
        return "inconclusive"
    if difference.better is None:
        return "different"
    better = difference.first if difference.gain > 0 else difference.second
    return f"{printable(better)} better"


def _rows_needed(difference: Difference, rows: int | None) -> int | None:
    """Rows needed to detect the observed difference with `POWER`, to two digits."""
    standard_error = difference.standard_error
    if rows is None or not (standard_error > 0 and difference.value):
        return None
    z = critical_value(difference.level) + critical_value(2 * POWER - 1)
    rows_needed = rows * (z * standard_error / difference.value) ** 2
    if not rows_needed < MAX_ROWS_NEEDED:
        return None
    return int(float(f"{rows_needed:.1e}"))


def _differences_table(differences: Sequence[Difference], wording: Wording) -> Section:
    """Table of the differences between several pairs of models in one metric."""
    first = differences[0]
    header = ("", "difference", "p", f"p ({first.adjusted_by})", "P(first better)", "conclusion")
    table = [header]
    for difference in differences:
        probability = difference.first_better
        table.append(
            (
                f"{printable(difference.first)} − {printable(difference.second)}",
                format_signed_interval(difference.value, difference.low, difference.high),
                format_p_value(difference.p_value, difference.significance),
                format_p_value(difference.adjusted, difference.significance),
                _format_probability(probability),
                _conclusion(difference, difference.adjusted),
            )
        )
    lines = ["Lower is better."] if first.better == "lower" else []
    methods = dict.fromkeys(difference.method for difference in differences)
    lines += [f"Method: {wording.rephrase(method)}." for method in methods if method]
    lines += [
        f"{difference.first} − {difference.second}: {difference.reason or difference.note}."
        for difference in differences
        if difference.reason or difference.note
    ]
    heading = f"Differences in {with_minus_signs(first.metric_label)}"
    return Section(heading, tuple(lines), tuple(table))


def _format_probability(probability: float) -> str:
    if math.isnan(probability):
        return ""
    if probability < MIN_PROBABILITY:
        return f"< {100 * MIN_PROBABILITY:g}%"
    if probability > 1 - MIN_PROBABILITY:
        return f"> {100 - 100 * MIN_PROBABILITY:g}%"
    return f"{100 * probability:.1f}%"


def _tests_section(tests: Sequence[Test]) -> Section:
    """Table of tests: null hypothesis, statistic, p-value and method."""
    header = ("null hypothesis", "statistic", "p", "")
    rows = [
        (
            test.name,
            format_significant(test.statistic),
            format_p_value(test.p_value),
            test.reason or "; ".join(filter(None, [test.method, test.note])),
        )
        for test in tests
    ]
    return Section("Tests", (), (header, *rows), prose_last=True)


def margins_section(verdicts: Sequence[Verdict]) -> Section:
    """Text section of non-inferiority and equivalence tests, one line each."""
    significance = f"{verdicts[0].significance:.4g}"
    lines = [
        f"{'Shown' if verdict.shown else 'Not shown'}: {verdict.claim} "
        f"(p {format_p_relation(verdict.p_value, verdict.significance)})."
        for verdict in verdicts
    ]
    explanation = f"A claim is shown if its one-sided p-value is below {significance}."
    return Section("Non-inferiority and equivalence", (explanation, *lines))


@shows(ComparisonSummary, "document")
def summary_document(summary: ComparisonSummary) -> dict[str, Any]:
    """JSON document of a comparison summary."""
    comparison = summary.compared
    differences = [difference_document(difference) for difference in summary.differences]
    if comparison is None:
        return {
            "schema": SCHEMA,
            "models": [{"name": name} for name in summary.segments],
            "by": summary.by,
            "differences": differences,
        }
    paired = comparison.paired
    positives = int(paired.positive_rows.sum())
    models = list(comparison.rankings.values())
    findings = ranking_findings(RankedModels(comparison.rankings))
    return {
        "schema": SCHEMA,
        "positive": paired.positive,
        "negative": paired.negative,
        "rows": paired.rows,
        "positives": positives,
        "negatives": paired.rows - positives,
        "sampling": comparison.confidence.sampling,
        "models": [
            {"name": name, "auc": estimate_document(comparison.area(name))}
            for name in comparison.models
        ],
        "differences": differences,
        "tests": [hypothesis_test_document(test) for test in summary.tests],
        "margins": [verdict_document(verdict) for verdict in summary.verdicts],
        "notes": list(dict.fromkeys([*paired.notes, *ranking_notes(models)])),
        "findings": [finding_document(finding) for finding in findings],
    }


@shows(ComparisonSummary, "csv")
def summary_csv(summary: ComparisonSummary) -> str:
    """CSV of a comparison: one row per difference, with the keys of the JSON document."""
    return differences_csv(summary.differences)


def differences_csv(differences: Sequence[Difference]) -> str:
    """CSV of differences between models, with the keys of the JSON document."""
    documents = [difference_document(difference) for difference in differences]
    header = list(dict.fromkeys(key for document in documents for key in document))
    return format_csv(header, ([document.get(key) for key in header] for document in documents))


@shows(Difference, "document")
def difference_document(difference: Difference) -> dict[str, Any]:
    """JSON document of a difference; undefined values are null, with a reason."""
    adjusted = json_number(difference.adjusted)
    document: dict[str, Any] = {
        "first": difference.first,
        "second": difference.second,
        "metric": difference.metric,
        "label": difference.metric_label,
        "value": json_number(difference.value),
        "low": json_number(difference.low),
        "high": json_number(difference.high),
        "level": difference.level,
        "statistic": json_number(difference.statistic),
        "p_value": json_number(difference.p_value),
        "p_value_holm": adjusted if difference.adjusted_by == HOLM else None,
        "first_better": json_number(difference.first_better),
        "method": difference.method,
        "first_value": json_number(difference.first_value),
        "second_value": json_number(difference.second_value),
        "standard_error": json_number(difference.standard_error),
    }
    reason = difference.reason
    if math.isinf(difference.value):
        reason = "infinite" if difference.value > 0 else "minus infinite"
    optional_values = {
        "p_value_simultaneous": adjusted if difference.adjusted_by == SIMULTANEOUS else None,
        "degrees": difference.degrees,
        "reason": reason,
        "note": difference.note,
    }
    return document | {key: v for key, v in optional_values.items() if v is not None}


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """JSON document of a non-inferiority or equivalence test."""
    return {
        "claim": verdict.claim,
        "margin": verdict.margin,
        "p_value": json_number(verdict.p_value),
        "shown": verdict.shown,
    }


def _positive_weight(comparison: Comparison) -> float:
    return float(next(iter(comparison.rankings.values())).positives)
