"""Gates as text, JSON documents and JUnit XML."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from tradeoff.checks.notes import notes_and_warnings, notes_section
from tradeoff.comparison.views import difference_document
from tradeoff.formatting import (
    format_count,
    format_level,
    printable,
    with_minus_sign,
    with_minus_signs,
)
from tradeoff.gates.gate import Gates
from tradeoff.gates.requirement import Requirement
from tradeoff.gates.verdict import OUTCOMES, POWER, Gate
from tradeoff.render.estimate_documents import estimate_document
from tradeoff.render.estimate_text import (
    format_signed_interval,
    format_significant,
    format_value_interval,
)
from tradeoff.render.json_csv import json_number
from tradeoff.render.sections import Section
from tradeoff.results import shows

SCHEMA = "tradeoff/gate/1"
VERDICT_LABELS = {"pass": "PASS", "inconclusive": "INCONCLUSIVE", "fail": "FAIL"}
SUITE_NAME = "tradeoff gate"
MIN_DIGITS, MAX_DIGITS = 3, 9
"""Significant digits of values: as many as show on which side of a limit they lie."""
MAX_PATH_LENGTH = 200
"""Maximum length of the path of a file on screen."""
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
    parts = gates.parts
    lines = [_headline(gates), _rows_line(gates)]
    if len(parts) == 1:
        lines += [*map(_values_line, gates.gates), *map(_basis_line, gates.requirements)]
        tables = []
    else:
        tables = [_metrics_section(gates)] if gates.gates else []
        tables += [_requirements_section(gates)] if gates.requirements else []
    lines += _origin_lines(gates)
    explanations = [
        f"{_metric_label(part)}: {explanation}" if len(parts) > 1 else explanation
        for part in parts
        if (explanation := part.explanation)
    ]
    sections = [Section(lines=tuple(lines)), *tables]
    if explanations:
        sections.append(Section(lines=tuple(explanations)))
    return [*sections, *notes_section(gate_notes(gates))]


def _rows_line(gates: Gates) -> str:
    """Number of rows and positives, and the confidence level."""
    ranking = next(iter(gates.rankings.values()))
    positives = f"{format_count(ranking.positives)} positive ({printable(ranking.positive)})"
    scored = "" if gates.paired is None else " scored by both"
    size = ranking.rows if gates.paired is None else gates.paired.rows
    rows = ranking.wording.count(size)
    levels = [gate.difference.level for gate in gates.gates]
    levels += [r.estimate.level for r in gates.requirements if r.estimate.level is not None]
    label = f" In parentheses: {format_level(levels[0])} CI." if levels else ""
    return f"{rows}{scored}, {positives}.{label}"


def _origin_lines(gates: Gates) -> list[str]:
    """Columns and files of models with tables of their own."""
    return [
        f"{origin.role}: {printable(origin.name)}"
        + ("." if origin.file is None else f" in {printable(origin.file, MAX_PATH_LENGTH)}.")
        for origin in gates.origins
    ]


def _headline(gates: Gates) -> str:
    """First line of a gate: the verdict and the difference behind it."""
    verdict = VERDICT_LABELS[gates.verdict]
    parts = gates.parts
    candidate, baseline = printable(gates.candidate), printable(gates.baseline or "")
    if len(parts) > 1:
        verdicts = [part.verdict for part in parts]
        counts = [f"{verdicts.count(v)} {v}" for v in OUTCOMES if v in verdicts]
        tested = []
        if gates.gates:
            count = len(gates.gates)
            metrics = f"{count} metrics" if count > 1 else _metric_label(gates.gates[0])
            tested.append(f"against {baseline} in {metrics}")
        if gates.requirements:
            count = len(gates.requirements)
            tested.append(f"against {count} {'requirement' if count == 1 else 'requirements'}")
        return f"{verdict}  {candidate} {' and '.join(tested)}: {', '.join(counts)}."
    if not gates.gates:
        (requirement,) = gates.requirements
        label, value = _metric_label(requirement), _format_value(requirement)
        return f"{verdict}  {candidate}: {label} {value} {requirement.conclusion}."
    first = gates.gates[0]
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
    method = gate.wording.rephrase(f" Method: {difference.method}.") if difference.method else ""
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
    lines += [gates.parts[0].wording.rephrase(f"Methods: {'; '.join(methods)}.")] if methods else []
    return Section("", tuple(lines), (header, *map(_metric_row, gates.gates)), left=2)


def _basis_line(requirement: Requirement) -> str:
    """Basis on which a requirement is tested, and the method of its interval."""
    if requirement.test_on == "value":
        return "Tested on the value alone, whatever its uncertainty."
    side = "lower" if requirement.relation == "at least" else "upper"
    method = requirement.estimate.method
    method = requirement.wording.rephrase(f" Method: {method}.") if method else ""
    return f"Tested on the {side} confidence limit.{method}"


def _requirements_section(gates: Gates) -> Section:
    """Table of the requirements of a gate."""
    if gates.requirements[0].test_on == "value":
        basis = "Tested on the values alone, whatever their uncertainty."
    else:
        basis = "Tested on confidence limits: the whole interval must meet the requirement."
    header = ("requirement", "verdict", printable(gates.candidate), "must be")
    rows = [
        (_metric_label(r), r.verdict, _format_value(r), with_minus_signs(r.claim))
        for r in gates.requirements
    ]
    return Section("", (basis,), (header, *rows), left=2)


def _format_value(requirement: Requirement) -> str:
    """Value with its interval, with enough digits to show on which side of the limit it lies."""
    estimate = requirement.estimate
    by_value = requirement.test_on == "value"
    is_floor = requirement.relation == "at least"
    decisive = estimate.value if by_value else estimate.low if is_floor else estimate.high
    if not math.isfinite(decisive):
        return format_value_interval(estimate.value, estimate.low, estimate.high)
    limit = requirement.limit
    for digits in range(MIN_DIGITS, MAX_DIGITS):
        rounded = float(f"{decisive:.{digits}g}")
        if (rounded > limit) == (decisive > limit) and (rounded < limit) == (decisive < limit):
            break
    if digits == MIN_DIGITS:
        return format_value_interval(estimate.value, estimate.low, estimate.high)
    value, low, high = (
        format_significant(number, digits)
        for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low}–{high})" if estimate.has_interval else value


@shows(Gates, "document")
def gate_document(gates: Gates) -> dict[str, Any]:
    """JSON document of a gate.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_document(gates)["verdict"]
        'inconclusive'
    """
    ranking, paired = next(iter(gates.rankings.values())), gates.paired
    rows = ranking.rows if paired is None else paired.rows
    positives = ranking.positives if paired is None else paired.positive_rows.sum()
    return {
        "schema": SCHEMA,
        "verdict": gates.verdict,
        "candidate": gates.candidate,
        "baseline": gates.baseline,
        "models": _models_document(gates),
        "positive": ranking.positive,
        "negative": ranking.negative,
        "rows": rows,
        "positives": int(positives),
        "negatives": int(rows - positives),
        "gates": [_gate_document(gate) for gate in gates.gates],
        "requirements": [_requirement_document(r) for r in gates.requirements],
        "notes": gate_notes(gates),
    }


def _models_document(gates: Gates) -> list[dict[str, Any]]:
    """Role and name of each model, and its file if it has its own."""
    if gates.origins:
        return [asdict(origin) for origin in gates.origins]
    names = {"baseline": gates.baseline, "candidate": gates.candidate}
    return [
        {"role": role, "name": name, "file": None}
        for role, name in names.items()
        if name is not None
    ]


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

    parts = gates.parts
    verdicts = [part.verdict for part in parts]
    counts = {
        "tests": str(len(verdicts)),
        "failures": str(verdicts.count("fail")),
        "errors": str(verdicts.count("inconclusive")),
        "skipped": "0",
    }
    root = ET.Element("testsuites", {"name": SUITE_NAME, **counts})
    suite = ET.SubElement(root, "testsuite", {"name": SUITE_NAME, **counts})
    notes = gate_notes(gates)
    for part in parts:
        models = printable(gates.candidate)
        if isinstance(part, Gate):
            models += f" against {printable(part.baseline)}"
        name = f"{printable(part.metric, MAX_XML_TEXT_LENGTH)}: {part.claim}"
        case = ET.SubElement(suite, "testcase", {"classname": models, "name": name})
        message = printable(part.sentence, MAX_XML_TEXT_LENGTH)
        element = {"fail": "failure", "inconclusive": "error"}.get(part.verdict)
        if element is not None:
            attributes = {"type": part.verdict, "message": message}
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
        *([] if gates.paired is None else gates.paired.notes),
        *(note for gate in gates.gates for note in gate.notes),
        *(f"{gate.label}: {note}" for gate in gates.gates if (note := _interval_note(gate))),
        *(f"{r.label}: {r.estimate.note}" for r in gates.requirements if _has_interval_note(r)),
        *notes_and_warnings(list(gates.rankings.values())),
    ]
    return list(dict.fromkeys(notes))


def _interval_note(gate: Gate) -> str | None:
    """Note on the interval; a gate without an interval gives the reason in its verdict."""
    return None if math.isnan(gate.difference.low) else gate.difference.note


def _has_interval_note(requirement: Requirement) -> bool:
    """Whether there is a note that the explanation does not already give."""
    return requirement.estimate.note is not None and requirement.estimate.has_interval


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


def _metric_label(part: Gate | Requirement) -> str:
    return with_minus_signs(printable(part.label))


def _required_difference(gate: Gate) -> str:
    """Bound on the whole interval for candidate minus baseline, such as "at least −0.01"."""
    if gate.difference.better == "lower":
        relation = "below" if gate.superior else "at most"
    else:
        relation = "above" if gate.superior else "at least"
    return f"{relation} {with_minus_sign(f'{_claim_limit(gate):g}')}"


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


def _requirement_document(requirement: Requirement) -> dict[str, Any]:
    return {
        "metric": requirement.metric,
        "label": requirement.label,
        "model": requirement.model,
        "verdict": requirement.verdict,
        "relation": requirement.relation,
        "limit": requirement.limit,
        "test_on": requirement.test_on,
        "estimate": estimate_document(requirement.estimate),
        "power": POWER,
        "rows_needed": None if math.isnan(requirement.needed) else int(requirement.needed),
        "sentence": requirement.sentence,
    }
