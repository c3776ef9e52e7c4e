"""Gates as text, JSON documents and JUnit XML."""

from __future__ import annotations

import math
from typing import Any

from tradeoff.checks.views import notes_and_warnings, notes_section
from tradeoff.comparison.views import difference_document
from tradeoff.formatting import format_count, format_level, format_rows, printable
from tradeoff.gates.gate import Gates
from tradeoff.gates.verdict import OUTCOMES, POWER, Gate
from tradeoff.render.estimates import format_signed_interval, format_significant
from tradeoff.render.json_csv import json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows

SCHEMA = "tradeoff/gate/1"
VERDICT_LABELS = {"pass": "PASS", "inconclusive": "INCONCLUSIVE", "fail": "FAIL"}
SUITE_NAME = "tradeoff gate"
MAX_XML_TEXT_LENGTH = 1000
"""Maximum length of a name or message in an XML file."""


@shows(Gates, "sections")
def gate_sections(gates: Gates) -> list[Section]:
    """Text sections of a gate: the verdict first, then the metrics and notes.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_sections(gates)[0].lines[0].partition(":")[0]
        'INCONCLUSIVE  candidate may be worse than baseline by more than 0.01'
    """
    comparison, first = gates.comparison, gates.gates[0]
    paired = comparison.paired
    positives = format_count(next(iter(comparison.rankings.values())).positives)
    rows = f"{format_rows(paired.rows)} scored by both, {positives} positive"
    label = f"{format_level(first.difference.level)} CI"
    lines = [f"{rows} ({printable(paired.positive)}). In parentheses: {label}."]
    sections = [Section(lines=(_headline(gates), *lines, *map(_values_line, gates.gates[:1])))]
    if len(gates.gates) > 1:
        sections = [Section(lines=(_headline(gates), *lines)), _metrics_section(gates)]
    explanations = [
        f"{_metric_label(gate)}: {explanation}" if len(gates.gates) > 1 else explanation
        for gate in gates.gates
        if (explanation := gate.explanation)
    ]
    if explanations:
        sections.append(Section(lines=tuple(explanations)))
    return [*sections, *notes_section(gate_notes(gates))]


def _headline(gates: Gates) -> str:
    """First line of a gate: the verdict and the difference behind it."""
    first, verdict = gates.gates[0], VERDICT_LABELS[gates.verdict]
    candidate, baseline = printable(first.candidate), printable(first.baseline)
    if len(gates.gates) > 1:
        verdicts = [gate.verdict for gate in gates.gates]
        counts = [f"{verdicts.count(v)} {v}" for v in OUTCOMES if v in verdicts]
        models = f"{candidate} against {baseline} in {len(verdicts)} metrics"
        return f"{verdict}  {models}: {', '.join(counts)}."
    result = _format_difference(first)
    margin = "" if first.margin == 0 else f" by more than {first.margin:g}"
    conclusion = {
        ("pass", False): f"is not worse than {baseline}{margin}",
        ("pass", True): f"is better than {baseline}{margin}",
        ("fail", False): f"is worse than {baseline}{margin}",
        ("fail", True): f"is not better than {baseline}{margin}",
        ("inconclusive", False): f"may be worse than {baseline}{margin}",
        ("inconclusive", True): f"may not be better than {baseline}{margin}",
    }[first.verdict, first.superior]
    return f"{verdict}  {candidate} {conclusion}: {_metric_label(first)} {result}."


def _values_line(gate: Gate) -> str:
    """Values of both models, and the method."""
    difference = gate.difference
    direction = " Lower is better." if difference.better == "lower" else ""
    method = f" Method: {difference.method}." if difference.method else ""
    return (
        f"{_metric_label(gate)}: {printable(gate.candidate)} "
        f"{format_significant(difference.first_value)}, {printable(gate.baseline)} "
        f"{format_significant(difference.second_value)}.{direction}{method}"
    )


def _metrics_section(gates: Gates) -> Section:
    """Table of the metrics of a gate."""
    first = gates.gates[0]
    names = printable(first.candidate), printable(first.baseline)
    header = ("metric", "verdict", *names, "difference", "must be")
    methods = dict.fromkeys(g.difference.method for g in gates.gates if g.difference.method)
    lines = [f"Difference: {names[0]} − {names[1]}."]
    lines += [f"Methods: {'; '.join(methods)}."] if methods else []
    return Section("", tuple(lines), (header, *map(_metric_row, gates.gates)), left=2)


@shows(Gates, "document")
def gate_document(gates: Gates) -> dict[str, Any]:
    """JSON document of a gate.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_document(gates)["verdict"]
        'inconclusive'
    """
    paired, first = gates.comparison.paired, gates.gates[0]
    positives = int(paired.positive_rows.sum())
    return {
        "schema": SCHEMA,
        "verdict": gates.verdict,
        "candidate": first.candidate,
        "baseline": first.baseline,
        "positive": paired.positive,
        "negative": paired.negative,
        "rows": paired.rows,
        "positives": positives,
        "negatives": paired.rows - positives,
        "gates": [_gate_document(gate) for gate in gates.gates],
        "notes": gate_notes(gates),
    }


@shows(Gates, "junit")
def gate_junit(gates: Gates) -> str:
    """JUnit XML of a gate: one test case per metric.

    A metric that fails is a failure. An inconclusive one is an error: the claim has not been shown,
    and a server that reads only this file must not treat it as passed.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_junit(gates).count("<testcase ")
        1
    """
    from xml.etree import ElementTree as ET

    verdicts = [gate.verdict for gate in gates.gates]
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count("fail")),
        "errors": str(verdicts.count("inconclusive")),
        "skipped": "0",
    }
    root = ET.Element("testsuites", {"name": SUITE_NAME, **counts})
    suite = ET.SubElement(root, "testsuite", {"name": SUITE_NAME, **counts})
    notes = gate_notes(gates)
    for gate in gates.gates:
        pair = f"{printable(gate.candidate)} against {printable(gate.baseline)}"
        name = f"{printable(gate.metric, MAX_XML_TEXT_LENGTH)}: {gate.claim}"
        case = ET.SubElement(suite, "testcase", {"classname": pair, "name": name})
        message = printable(gate.sentence, MAX_XML_TEXT_LENGTH)
        element = {"fail": "failure", "inconclusive": "error"}.get(gate.verdict)
        if element is not None:
            attributes = {"type": gate.verdict, "message": message}
            ET.SubElement(case, element, attributes).text = message
        lines = [
            *([] if element else [message]),
            *(printable(f"Note: {note}.", MAX_XML_TEXT_LENGTH) for note in notes),
        ]
        if lines:
            ET.SubElement(case, "system-out").text = "\n".join(lines)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}'


def gate_notes(gates: Gates) -> list[str]:
    """Notes of a gate on rows, scores and metrics, without duplicates.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_notes(gates)[0]
        'Only 2 rows belong to class 1, so rates and AUCs will be very imprecise'
    """
    notes = [
        *gates.comparison.paired.notes,
        *(note for gate in gates.gates for note in gate.notes),
        *(f"{gate.label}: {note}" for gate in gates.gates if (note := _interval_note(gate))),
        *notes_and_warnings(list(gates.comparison.rankings.values())),
    ]
    return list(dict.fromkeys(notes))


def _interval_note(gate: Gate) -> str | None:
    """Note on the interval; a gate without an interval gives the reason in its verdict."""
    return None if math.isnan(gate.difference.low) else gate.difference.note


def _metric_row(gate: Gate) -> tuple[str, ...]:
    difference = gate.difference
    return (
        _metric_label(gate),
        gate.verdict,
        format_significant(difference.first_value),
        format_significant(difference.second_value),
        _format_difference(gate),
        _required_difference(gate),
    )


def _format_difference(gate: Gate) -> str:
    """Difference with its interval, in enough digits to justify the verdict."""
    difference, limit = gate.difference, _claim_limit(gate)
    return format_signed_interval(difference.value, difference.low, difference.high, limit)


def _claim_limit(gate: Gate) -> float:
    """Difference (candidate minus baseline) at the limit of the claim."""
    return 0.0 - gate.edge if gate.difference.better == "lower" else gate.edge


def _metric_label(gate: Gate) -> str:
    return printable(gate.label)


def _required_difference(gate: Gate) -> str:
    """Bound on the whole interval for candidate minus baseline, such as "at least −0.01"."""
    if gate.difference.better == "lower":
        relation = "below" if gate.superior else "at most"
    else:
        relation = "above" if gate.superior else "at least"
    return f"{relation} {_claim_limit(gate):g}".replace("-", "−")


def _gate_document(gate: Gate) -> dict[str, Any]:
    return {
        "metric": gate.metric,
        "label": gate.label,
        "verdict": gate.verdict,
        "claim": gate.claim,
        "margin": gate.margin,
        "superior": gate.superior,
        "better": gate.difference.better,
        "gain": json_number(gate.difference.gain),
        "gain_low": json_number(gate.low),
        "gain_high": json_number(gate.high),
        "detectable": json_number(gate.detectable),
        "power": POWER,
        "rows_needed": None if math.isnan(gate.needed) else int(gate.needed),
        "assumed_alike": gate.assumed_alike,
        "difference": difference_document(gate.difference),
        "sentence": gate.sentence,
        "notes": list(gate.notes),
    }
