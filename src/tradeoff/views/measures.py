"""Tables of measures, explanations and costs, as sections that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.formula import filled_in, is_expression, pretty
from tradeoff.measures.registry import Measure
from tradeoff.render.sections import Section
from tradeoff.render.values import (
    brief,
    finite,
    interval,
    percent_of,
    share_of,
)
from tradeoff.text import number
from tradeoff.uncertainty.confidence import USUAL, Confidence
from tradeoff.uncertainty.estimates import (
    matrix_estimates,
    summary_estimates,
)

if TYPE_CHECKING:
    from typing import Any


def matrix_measures(
    heading: str,
    measures: Sequence[Measure],
    matrix: ConfusionMatrix | ClassMatrix,
    confidence: Confidence | None = USUAL,
) -> Section:
    """Metrics of one matrix."""
    return measures_section(
        heading, measures, {"": matrix}, {"": matrix_estimates(measures, matrix, confidence)}
    )


def explanation_sections(
    measure: Measure, subject: ConfusionMatrix | Ranking | None
) -> list[Section]:
    """What a measure means, how it is computed, and how other tools differ."""
    facts = [
        ("formula", pretty(measure.formula)),
        ("also called", ", ".join([*measure.aliases, *measure.presets]) or "nothing else"),
        ("range", f"{measure.low:.4g} to {measure.high:.4g}, {_direction(measure)}"),
        ("undefined when", measure.undefined.replace("{", "").replace("}", "")),
        ("elsewhere", measure.others),
        ("source", measure.source),
    ]
    known = tuple(fact for fact in facts if fact[1])
    sections = [Section(measure.name, table=(("", ""), *known), prose_last=True)]
    if subject is not None:
        sections.append(Section("Here", lines=_worked(measure, subject)))
    return sections


def registry_sections(measures: Iterable[Measure]) -> list[Section]:
    """All measures, by family."""
    families: dict[str, list[tuple[str, ...]]] = {}
    for m in measures:
        names = ", ".join([*m.aliases, *m.presets])
        line = (m.name, f"{pretty(m.formula)}  [{names}]" if names else pretty(m.formula))
        families.setdefault(f"{m.kind}: {m.family}", [("", "")]).append(line)
    return [Section(name, table=tuple(lines), prose_last=True) for name, lines in families.items()]


def measures_section(
    heading: str,
    measures: Sequence[Measure],
    subjects: Mapping[str, Any],
    found: Mapping[str, Mapping[str, Estimate]],
) -> Section:
    """Measures of one subject with a sentence each, of several in columns."""
    if len(subjects) == 1:
        (subject,), (estimates,) = subjects.values(), found.values()
        return _measures_with_sentences(heading, measures, subject, estimates)
    table: list[tuple[str, ...]] = [("", *subjects)]
    notes = []
    for measure in measures:
        own = {name: found[name][measure.name] for name in subjects}
        table.append((measure.name, *(brief(estimate) for estimate in own.values())))
        notes += [f"{measure.name} of {name}: {e.note}." for name, e in own.items() if e.note]
    return Section(heading, (*in_brackets(found.values()), *notes), tuple(table))


def _measures_with_sentences(
    heading: str, measures: Sequence[Measure], subject: Any, found: Mapping[str, Estimate]
) -> Section:
    levels = {e.level for e in found.values() if e.level is not None}
    head = f"{percent_of(max(levels))} interval" if levels else ""
    table = [("", "value", head, "")] if levels else [("", "value", "")]
    for measure in measures:
        estimate = found[measure.name]
        cells = (estimate.written, interval(estimate)) if levels else (estimate.written,)
        table.append((measure.name, *cells, _sentence(measure, estimate, subject)))
    return Section(heading, tuple(_methods(found)), tuple(table), prose_last=True)


def in_brackets(found: Iterable[Mapping[str, Estimate]]) -> tuple[str, ...]:
    """What stands in brackets behind values, if anything does."""
    levels = {e.level for own in found for e in own.values() if e.has_interval}
    return tuple(f"In brackets: {percent_of(level)} intervals." for level in levels if level)


def _methods(found: Mapping[str, Estimate]) -> list[str]:
    """How the intervals were found: shares first, as in the table."""
    used = list(dict.fromkeys(e.method for e in found.values() if e.has_interval and e.method))
    return [f"Intervals: {'; '.join(used)}."] if used else []


def _sentence(measure: Measure, estimate: Estimate, subject: Any) -> str:
    if not estimate.is_defined:
        return f"undefined: {estimate.reason}"
    text = measure.say(subject, estimate.written, share_of(estimate))
    return f"{text} ({estimate.note})" if estimate.note else text


def _worked(measure: Measure, subject: Any) -> tuple[str, ...]:
    is_metric = measure.kind == "metric"
    estimates = matrix_estimates if is_metric else summary_estimates
    estimate = estimates([measure], subject)[measure.name]
    sure = ""
    if estimate.has_interval:
        level = f"{percent_of(estimate.level or 0)} interval {interval(estimate)}"
        sure = f" ({level}; {estimate.method})"
    lines = []
    if isinstance(subject, ConfusionMatrix) and is_expression(measure):
        lines.append(f"{filled_in(measure, subject)} = {number(estimate.value)}{sure}")
    elif estimate.is_defined:
        lines.append(f"{measure.name} = {estimate.written}{sure}")
    return (*lines, f"{_sentence(measure, estimate, subject)}.")


def _direction(measure: Measure) -> str:
    return f"{measure.better} is better" if measure.better else "neither end is better"


def measure_document(measure: Measure) -> dict[str, Any]:
    """What there is to know about a metric or summary."""
    return {
        "name": measure.name,
        "kind": measure.kind,
        "family": measure.family,
        "formula": measure.formula,
        "aliases": [*measure.aliases, *measure.presets],
        "better": measure.better,
        "low": finite(measure.low),
        "high": finite(measure.high),
        "parameters": dict(measure.parameters),
        "sentence": measure.sentence,
        "undefined": measure.undefined or None,
        "other_tools": measure.others or None,
        "source": measure.source or None,
    }


def sampling_document(confidence: Confidence | None) -> dict[str, Any]:
    """How rows were sampled, as far as intervals are concerned."""
    return {} if confidence is None else {"sampling": confidence.sampling}
