"""Comparisons for readers: text, documents and charts of who is better."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tradeoff.checks import findings_of
from tradeoff.checks.views import (
    finding_document,
    notes_of,
    notes_section,
    warnings_section,
)
from tradeoff.comparison.comparison import Comparison, ComparisonSummary
from tradeoff.comparison.difference import HOLM, TOGETHER, Difference, Verdict
from tradeoff.core.models import RankedModels
from tradeoff.errors import InputError
from tradeoff.measures.estimate import Estimate
from tradeoff.render.chart import Chart, Line, Ranges, Scale
from tradeoff.render.sections import Section
from tradeoff.render.values import as_csv, estimate_document, finite, interval, percent_of
from tradeoff.results import shows
from tradeoff.stats.significance import Test
from tradeoff.text import count, number, plain, rows, share
from tradeoff.views.scales import padded
from tradeoff.views.significance import document_of_test, p_value

# Forest plots: differences between models, and the models' own areas, with their intervals.


LONGEST = 24


def differences_chart(differences: Sequence[Difference]) -> Chart:
    """Differences of models with their intervals, one a line, around no difference.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> chart = differences_chart([Difference("a", "b", "auc", 0.8, 0.7, low=0.02, high=0.18)])
        >>> chart.y.names
        ('a − b',)
    """
    if not differences:
        raise InputError("A chart of differences needs at least one difference.")
    first = differences[0]
    names = tuple(f"{plain(d.first, LONGEST)} − {plain(d.second, LONGEST)}" for d in differences)
    ranges = Ranges(
        np.array([d.value for d in differences]),
        np.array([d.low for d in differences]),
        np.array([d.high for d in differences]),
    )
    metric = first.metric.replace("_", " ")
    metric = metric.upper() if metric == "auc" else metric
    better = {"higher": "the first model is better", "lower": "the second model is better"}
    told = better.get(first.better or "", "")
    across = _scale(f"difference in {metric}", ranges, around=0.0)
    height = np.array([-0.5, len(names) - 0.5])
    layers = (Line(np.zeros(2), height, "chance", ""), ranges)
    caption = f"{percent_of(first.level)} intervals{f'; right of 0 {told}' if told else ''}."
    up = Scale("", 0, len(names), "names", names)
    return Chart(f"Differences in {metric}", across, up, layers, caption)


def estimates_chart(estimates: Mapping[str, Estimate], called: str) -> Chart:
    """One number of each model with its interval, one a line.

    Example:
        >>> from tradeoff.measures.estimate import Estimate
        >>> chart = estimates_chart({"m": Estimate("auc", 0.8, low=0.7, high=0.9)}, "AUC")
        >>> chart.x.label, chart.y.names
        ('AUC', ('m',))
    """
    if not estimates:
        raise InputError("A chart of models needs at least one model.")
    names = tuple(plain(name, 32) for name in estimates)
    found = list(estimates.values())
    ranges = Ranges(
        np.array([e.value for e in found]),
        np.array([e.low for e in found]),
        np.array([e.high for e in found]),
    )
    level = next((e.level for e in found if e.has_interval and e.level), None)
    caption = "" if level is None else f"With {percent_of(level)} intervals."
    missing = [f"{plain(n, 32)}: {e.reason}." for n, e in estimates.items() if not e.is_defined]
    up = Scale("", 0, len(names), "names", names)
    across = _scale(called, ranges)
    text = " ".join(filter(None, [caption, *missing[:3]]))
    return Chart(f"{called} of each model", across, up, (ranges,), text)


def _scale(label: str, ranges: Ranges, around: float | None = None) -> Scale:
    known = np.concatenate([c[np.isfinite(c)] for c in (ranges.value, ranges.low, ranges.high)])
    ends = [float(known.min()), float(known.max())] if len(known) else [0.0, 1.0]
    if around is not None:
        ends = [min(ends[0], around), max(ends[1], around)]
    low, high = padded(*ends)
    return Scale(label, low, high if math.isfinite(high) else 1.0)


COMPARISON = "tradeoff/comparison/1"


@shows(Comparison, "sections")
def comparison_sections(comparison: Comparison) -> list[Section]:
    """The models' areas and how they differ."""
    return summary_sections(comparison.summary())


@shows(Comparison, "document")
def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The same for other programs."""
    return summary_document(comparison.summary())


@shows(Comparison, "chart")
def comparison_chart(comparison: Comparison, metric: str = "auc", **asked: Any) -> Chart:
    """The differences in one metric."""
    return differences_chart(comparison.differences(metric, **asked))


@shows(ComparisonSummary, "chart")
def summary_chart(summary: ComparisonSummary) -> Chart:
    """The differences in the first metric."""
    metric = summary.differences[0].metric if summary.differences else ""
    return differences_chart([one for one in summary.differences if one.metric == metric])


@shows(ComparisonSummary, "sections")
def summary_sections(summary: ComparisonSummary) -> list[Section]:
    """The whole comparison: the rows, each model's area, the differences, the tests."""
    comparison = summary.compared
    if comparison is None:
        return differences_sections(summary.differences)
    paired = comparison.paired
    positives = count(paired.positive_rows.sum() if paired.weights is None else _weight(comparison))
    opening = (
        f"{rows(paired.rows)} scored by every model, {positives} of class {plain(paired.positive)}."
    )
    models = list(comparison.rankings.values())
    has_areas = any(one.metric == "auc" for one in summary.differences)
    return [
        Section(lines=(opening, *(f"Note: {note}." for note in paired.notes))),
        *warnings_section(findings_of(RankedModels(comparison.rankings))),
        *([_areas_section(comparison)] if has_areas else []),
        *differences_sections(summary.differences),
        *([_tests_section(summary.tests)] if summary.tests else []),
        *([_verdicts_section(summary.verdicts)] if summary.verdicts else []),
        *notes_section([note for note in notes_of(models) if note not in paired.notes]),
    ]


def _areas_section(comparison: Comparison) -> Section:
    """Each model's own area."""
    head = ("", "auc", f"{percent_of(comparison.confidence.level)} interval")
    areas = {name: comparison.area(name) for name in comparison.models}
    table = (head, *((name, auc.written, interval(auc)) for name, auc in areas.items()))
    notes: dict[str, list[str]] = {}
    for name, auc in areas.items():
        if auc.note:
            notes.setdefault(auc.note, []).append(plain(name))
    said = tuple(f"{', '.join(names)}: {note}." for note, names in notes.items())
    return Section("Area under the ROC curve", said, table)


@shows(Difference, "sections")
def difference_sections(difference: Difference) -> list[Section]:
    """One difference as a table."""
    return differences_sections([difference])


@shows(Difference, "chart")
def difference_chart(difference: Difference) -> Chart:
    """One difference as a forest plot."""
    return differences_chart([difference])


def differences_sections(found: Sequence[Difference]) -> list[Section]:
    """One table a metric: A - B with its interval, p and P(A better)."""
    return [
        _differences([one for one in found if one.metric == metric])
        for metric in dict.fromkeys(one.metric for one in found)
    ]


def _tests_section(tests: Sequence[Test]) -> Section:
    """Tests that are not about one number's difference."""
    head = ("", "statistic", "p", "")
    lines = [
        (test.name, number(test.statistic), p_value(test.p_value), _how(test)) for test in tests
    ]
    said = ("Each line is a claim; a small p speaks against it.",)
    return Section("Tests", said, (head, *lines), prose_last=True)


def _how(test: Test) -> str:
    return test.reason or "; ".join(filter(None, [test.method, test.note]))


def _verdicts_section(verdicts: Sequence[Verdict]) -> Section:
    """Whether differences stay within a margin."""
    lines = [
        f"{'Shown' if one.shown else 'Not shown'}: {one.claim} (p {_beside(one.p_value)})."
        for one in verdicts
    ]
    level = percent_of(verdicts[0].significance)
    said = f"Shown means: p is below {level}, one-sided."
    return Section("Margins", (said, *lines))


def _beside(p: float) -> str:
    shown = p_value(p)
    return shown if shown.startswith("<") else f"= {shown}"


@shows(ComparisonSummary, "document")
def summary_document(summary: ComparisonSummary) -> dict[str, Any]:
    """The same for other programs."""
    comparison = summary.compared
    differences = [difference_document(one) for one in summary.differences]
    if comparison is None:
        return {
            "schema": COMPARISON,
            "models": [{"name": name} for name in summary.segments],
            "by": summary.by,
            "differences": differences,
        }
    paired = comparison.paired
    positives = int(paired.positive_rows.sum())
    models = list(comparison.rankings.values())
    findings = findings_of(RankedModels(comparison.rankings))
    return {
        "schema": COMPARISON,
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
        "tests": [document_of_test(test) for test in summary.tests],
        "margins": [_verdict_document(one) for one in summary.verdicts],
        "notes": list(dict.fromkeys([*paired.notes, *notes_of(models)])),
        "findings": [finding_document(finding) for finding in findings],
    }


@shows(ComparisonSummary, "csv")
def summary_csv(summary: ComparisonSummary) -> str:
    """One line a difference, with the names of the document."""
    documents = [difference_document(one) for one in summary.differences]
    head = list(dict.fromkeys(key for document in documents for key in document))
    return as_csv(head, ([document.get(key) for key in head] for document in documents))


@shows(Difference, "document")
def difference_document(one: Difference) -> dict[str, Any]:
    """One difference; undefined numbers are null, with a reason."""
    document: dict[str, Any] = {
        "first": one.first,
        "second": one.second,
        "metric": one.metric,
        "value": finite(one.value),
        "low": finite(one.low),
        "high": finite(one.high),
        "level": one.level,
        "statistic": finite(one.statistic),
        "p_value": finite(one.p_value),
        "p_value_holm": finite(one.adjusted) if one.adjusted_by == HOLM else None,
        "first_better": finite(one.first_better),
        "method": one.method,
        "first_value": finite(one.first_value),
        "second_value": finite(one.second_value),
        "standard_error": finite(one.standard_error),
    }
    reason = one.reason
    if math.isinf(one.value):
        reason = "infinite" if one.value > 0 else "minus infinite"
    together = finite(one.adjusted) if one.adjusted_by == TOGETHER else None
    extra = {
        "p_value_simultaneous": together,
        "degrees": one.degrees,
        "reason": reason,
        "note": one.note,
    }
    return document | {key: value for key, value in extra.items() if value is not None}


def _differences(found: Sequence[Difference]) -> Section:
    several = len(found) > 1
    level = f"{percent_of(found[0].level)} interval"
    beside = (f"p ({found[0].adjusted_by})",) if several else ()
    head = (
        "first − second",
        "first",
        "second",
        "difference",
        level,
        "p",
        *beside,
        "P(first better)",
    )
    lines = []
    for one in found:
        adjusted = (p_value(one.adjusted),) if several else ()
        better = "" if math.isnan(one.first_better) else share(one.first_better)
        ends = "" if math.isnan(one.low) else f"{number(one.low)} to {number(one.high)}"
        lines.append(
            (
                f"{plain(one.first)} − {plain(one.second)}",
                number(one.first_value),
                number(one.second_value),
                number(one.value),
                ends,
                p_value(one.p_value),
                *adjusted,
                better,
            )
        )
    said = ["Lower is better: below 0, the first is better."] if found[0].better == "lower" else []
    said += list(dict.fromkeys(f"By {one.method}." for one in found if one.method))
    said += [
        f"{one.first} − {one.second}: {one.reason or one.note}."
        for one in found
        if one.reason or one.note
    ]
    return Section(f"Differences in {found[0].metric}", tuple(said), (head, *lines))


def _verdict_document(one: Verdict) -> dict[str, Any]:
    return {
        "claim": one.claim,
        "margin": one.margin,
        "p_value": finite(one.p_value),
        "shown": one.shown,
    }


def _weight(comparison: Comparison) -> float:
    return float(next(iter(comparison.rankings.values())).positives)
