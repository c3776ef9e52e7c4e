"""Gates for readers: a person, a job summary, another program, a continuous integration server."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tradeoff.checks.views import remarks
from tradeoff.comparison.views import difference_document
from tradeoff.gates.claim import POWER, Gate, worst
from tradeoff.gates.gate import Gates
from tradeoff.render.sections import Section
from tradeoff.render.values import finite, percent_of
from tradeoff.results import shows
from tradeoff.text import count, number, plain, rows

GATE = "tradeoff/gate/1"
WORDS = {"pass": "PASS", "inconclusive": "INCONCLUSIVE", "fail": "FAIL"}
SUITE = "tradeoff gate"
LONGEST = 1000
"""The longest sentence in an XML file."""


@shows(Gates, "sections")
def gate_sections(judged: Gates) -> list[Section]:
    """The verdict over all metrics, one line a metric, and what each says in words.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_sections(gates)[0].heading
        'INCONCLUSIVE: candidate against baseline'
    """
    comparison, gates = judged.comparison, judged.gates
    paired, first = comparison.paired, gates[0]
    models = f"{plain(first.candidate)} against {plain(first.baseline)}"
    positives = count(next(iter(comparison.rankings.values())).positives)
    opening = f"{rows(paired.rows)} scored by both, {positives} of class {plain(paired.positive)}."
    level = f"{percent_of(first.difference.level)} interval"
    head = ("metric", "verdict", "candidate", "baseline", "difference", level, "must be")
    table = (head, *(_line(one) for one in gates))
    notes = gate_notes(judged)
    return [
        Section(
            f"{WORDS[worst(one.verdict for one in gates)]}: {models}",
            (opening, *(f"Note: {note}." for note in notes)),
        ),
        Section("Metrics", tuple(_ways(gates)), table, left=2),
        Section("In words", tuple(f"- {one.sentence}" for one in gates)),
    ]


@shows(Gates, "document")
def gate_document(judged: Gates) -> dict[str, Any]:
    """The same for other programs.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_document(gates)["verdict"]
        'inconclusive'
    """
    comparison, gates = judged.comparison, judged.gates
    paired, first = comparison.paired, gates[0]
    positives = int(paired.positive_rows.sum())
    return {
        "schema": GATE,
        "verdict": worst(one.verdict for one in gates),
        "candidate": first.candidate,
        "baseline": first.baseline,
        "positive": paired.positive,
        "negative": paired.negative,
        "rows": paired.rows,
        "positives": positives,
        "negatives": paired.rows - positives,
        "gates": [_document(one) for one in gates],
        "notes": gate_notes(judged),
    }


@shows(Gates, "junit")
def gate_junit(judged: Gates) -> str:
    """JUnit's XML: one suite, a case a metric.

    A metric that fails is a failure. An inconclusive one is an error: it was not shown to be good
    enough, and a server that only reads this file must not take it for good.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_junit(gates).count("<testcase ")
        1
    """
    from xml.etree import ElementTree as ET

    gates = judged.gates
    verdicts = [one.verdict for one in gates]
    counts = {
        "tests": str(len(gates)),
        "failures": str(verdicts.count("fail")),
        "errors": str(verdicts.count("inconclusive")),
        "skipped": "0",
    }
    root = ET.Element("testsuites", {"name": SUITE, **counts})
    suite = ET.SubElement(root, "testsuite", {"name": SUITE, **counts})
    told = gate_notes(judged)
    for one in gates:
        pair = f"{plain(one.candidate)} against {plain(one.baseline)}"
        name = f"{plain(one.metric, LONGEST)}: {one.claim}"
        case = ET.SubElement(suite, "testcase", {"classname": pair, "name": name})
        said = plain(one.sentence, LONGEST)
        kind = {"fail": "failure", "inconclusive": "error"}.get(one.verdict)
        if kind is not None:
            ET.SubElement(case, kind, {"type": one.verdict, "message": said}).text = said
        lines = [*([] if kind else [said]), *(plain(f"Note: {note}.", LONGEST) for note in told)]
        if lines:
            ET.SubElement(case, "system-out").text = "\n".join(lines)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}'


def gate_notes(judged: Gates) -> list[str]:
    """What is to be told of rows, scores and metrics, each once.

    Example:
        >>> import tradeoff as to
        >>> gates = to.gate([1, 2, 3, 4], [1, 3, 2, 4], actual=[0, 1, 0, 1])
        >>> gate_notes(gates)[0]
        'Only 2 rows are 1: rates and areas will be very unsure'
    """
    comparison, gates = judged.comparison, judged.gates
    found = [
        *comparison.paired.notes,
        *(note for one in gates for note in one.notes),
        *(f"{one.metric}: {note}" for one in gates if (note := _own(one))),
        *remarks(list(comparison.rankings.values())),
    ]
    return list(dict.fromkeys(found))


def _own(one: Gate) -> str | None:
    """A note on the interval; where there is no interval, the sentence tells why."""
    return None if math.isnan(one.difference.low) else one.difference.note


def _line(one: Gate) -> tuple[str, ...]:
    known = one.difference
    ends = "" if math.isnan(known.low) else f"{number(known.low)} to {number(known.high)}"
    return (
        one.metric,
        one.verdict,
        number(known.first_value),
        number(known.second_value),
        number(known.value),
        ends,
        _bound(one),
    )


def _bound(one: Gate) -> str:
    """Where the whole interval of candidate minus baseline has to lie."""
    sign, edge = (
        ("above" if one.superior else "at least", one.edge)
        if one.difference.better != "lower"
        else ("below" if one.superior else "at most", 0.0 - one.edge)
    )
    return f"{sign} {edge:g}"


def _ways(gates: Sequence[Gate]) -> list[str]:
    said = ["The difference is candidate − baseline."]
    ways = dict.fromkeys(one.difference.method for one in gates if one.difference.method)
    return said + [f"By {way}." for way in ways]


def _document(one: Gate) -> dict[str, Any]:
    return {
        "metric": one.metric,
        "verdict": one.verdict,
        "claim": one.claim,
        "margin": one.margin,
        "superior": one.superior,
        "better": one.difference.better,
        "gain": finite(one.difference.gain),
        "gain_low": finite(one.low),
        "gain_high": finite(one.high),
        "detectable": finite(one.detectable),
        "power": POWER,
        "rows_needed": None if math.isnan(one.needed) else int(one.needed),
        "assumed_alike": one.assumed_alike,
        "difference": difference_document(one.difference),
        "sentence": one.sentence,
        "notes": list(one.notes),
    }
