"""Evaluations and matrices as sections that people read. Computes no measure itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tradeoff.analysis.decisions import best_threshold
from tradeoff.core.confusion import ClassMatrix, ConfusionMatrix
from tradeoff.core.costs import expenses
from tradeoff.measures.averages import AVERAGES
from tradeoff.measures.formula import filled_in, is_expression, pretty
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure
from tradeoff.presentation.details import NOTHING, Details
from tradeoff.presentation.expenses import expenses_section
from tradeoff.presentation.groups import folds_section, segments_section
from tradeoff.presentation.notes import (
    findings_in,
    line_notes,
    notes_of,
    notes_section,
    warnings_section,
)
from tradeoff.presentation.sections import Section
from tradeoff.presentation.values import brief, interval, percent_of, share_of
from tradeoff.text import count, number, plain, rows, share, threshold, typed
from tradeoff.uncertainty.estimates import Intervals, sure_cost

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from tradeoff.analysis.decisions import Decision
    from tradeoff.core.confusion import Rows
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.estimate import Estimate

INTERVALS = Intervals()
HEADLINE_METRICS = (
    "accuracy",
    "error_rate",
    "true_positive_rate",
    "false_positive_rate",
    "true_negative_rate",
    "precision",
    "negative_predictive_value",
    "prevalence",
    "balanced_accuracy",
    "f_measure",
    "matthews_correlation",
    "youden_j",
    "lift",
)
HEADLINE_SUMMARIES = ("auc", "gini", "ks", "average_precision", "h_measure", "brier", "log_loss")


def evaluation_sections(
    rankings: Mapping[str, Ranking],
    at: float,
    *,
    everything: bool = False,
    details: Details = NOTHING,
) -> list[Section]:
    """The whole evaluation: what was read, the matrices, the metrics, the summaries."""
    models = list(rankings.values())
    matrices = {name: ranking.at(at) for name, ranking in rankings.items()}
    seen = {name: ranking.at_prevalence(details.prevalence) for name, ranking in rankings.items()}
    prior = details.prevalence
    given = "" if prior is None else f", for a prevalence of {share(prior)}"
    headline_metrics = [
        name
        for name in (METRICS if everything else HEADLINE_METRICS)
        if not (details.costs and name == "expected_cost")  # the section on costs has it
    ]
    headline_summaries = SUMMARIES if everything else HEADLINE_SUMMARIES
    sure = details.intervals
    return [
        _opening(models[0], at),
        *_sampling_section(sure),
        *warnings_section(findings_in(rankings, details)),
        *(_matrix_section(name, matrix, models[0], at) for name, matrix in matrices.items()),
        measures_section(
            f"At this threshold{given}",
            measures := [METRICS[m] for m in headline_metrics],
            {name: ranking.at(at) for name, ranking in seen.items()},
            {name: sure.at(measures, ranking, at) for name, ranking in seen.items()},
        ),
        measures_section(
            f"Over all thresholds{given}",
            summaries := [SUMMARIES[s] for s in headline_summaries],
            seen,
            {name: sure.summaries(summaries, ranking) for name, ranking in seen.items()},
        ),
        *(folds_section(name, folds, at, details) for name, folds in details.folds.items()),
        *(segments_section(name, parts, at, details) for name, parts in details.segments.items()),
        *_costs(rankings, at, details),
        *notes_section([*notes_of(models), *line_notes(models, at)]),
    ]


def _sampling_section(intervals: Intervals) -> list[Section]:
    """How rows were sampled, where that is not at random."""
    if intervals.confidence is None or not intervals.confidence.by_class:
        return []
    line = "Intervals take the class totals as given: rows were sampled by class."
    return [Section(lines=(line,))]


def matrix_sections(
    matrix: ConfusionMatrix | ClassMatrix,
    *,
    rows: Rows = "actual",
    positive_first: bool = True,
    everything: bool = False,
    intervals: Intervals = INTERVALS,
) -> list[Section]:
    """A matrix by itself, in the layout it came in, with its metrics."""
    if isinstance(matrix, ConfusionMatrix):
        chosen = [METRICS[m] for m in (METRICS if everything else HEADLINE_METRICS)]
        table = matrix.table(rows, positive_first=positive_first)
        return [
            table_section(table),
            matrix_measures("Metrics", chosen, matrix, intervals),
        ]
    overall = [m for m in METRICS.values() if m.any_classes]
    if not everything:
        overall = [m for m in overall if m.family in {"all rows", "agreement"}]
    per_class = [METRICS[m] for m in HEADLINE_METRICS if not METRICS[m].any_classes]
    return [
        table_section(matrix.table(rows)),
        _classes_section(matrix, per_class, intervals),
        matrix_measures("All classes together", overall, matrix, intervals),
    ]


def matrix_measures(
    heading: str,
    measures: Sequence[Measure],
    matrix: ConfusionMatrix | ClassMatrix,
    intervals: Intervals = INTERVALS,
) -> Section:
    """Metrics of one matrix."""
    return measures_section(
        heading, measures, {"": matrix}, {"": intervals.of_matrix(measures, matrix)}
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


def predictions_section(
    scores: NDArray[Any],
    positive_rows: NDArray[Any],
    places: NDArray[Any] | None,
    ranking: Ranking,
    at: float,
) -> Section:
    """The predictions from the most to the least positive, with what comes of each.

    `places` are the rows' own numbers, where some were left out.
    """
    sign = 1 if ranking.lower_is_positive else -1
    order = (sign * scores).argsort(kind="stable")
    names = {True: ranking.positive, False: ranking.negative}
    table = [("row", "score", "actual", "predicted", "")]
    for row in order.tolist():
        # float(): a float32 must meet the threshold as it is, as in the ranking.
        score = float(scores[row])
        actual, called = bool(positive_rows[row]), sign * score <= sign * at
        verdict = "" if actual == called else "missed" if actual else "false alarm"
        own = str(1 + (row if places is None else int(places[row])))
        table.append((own, threshold(score), names[actual], names[called], verdict))
    return Section("Predictions, most confident first", table=tuple(table), left=0)


def _costs(rankings: Mapping[str, Ranking], at: float, details: Details) -> list[Section]:
    sections = []
    for name, costs in details.costs.items():
        spent = expenses(rankings[name], costs, at, details.prevalence)
        section = expenses_section(spent, rankings[name])
        paid = sure_cost(rankings[name], costs, at, details.intervals, details.prevalence)
        best = best_threshold(rankings[name], costs=costs, prevalence=details.prevalence)
        line = (
            f"The cheapest threshold on these rows is {typed(best.suggestion)}, at "
            f"{number(best.value)} a case{_open(best)}: "
            "`tradeoff threshold` tells how sure that is."
        )
        section = replace(section, lines=(*section.lines, *_sure(paid), line))
        heading = f"{section.heading} of {name}" if len(rankings) > 1 else section.heading
        sections.append(replace(section, heading=heading))
    return sections


def _open(best: Decision) -> str:
    """What thresholds inside bins might cost."""
    if best.ranking.exact or best.at_best is None or best.at_best == best.value:
        return ""
    return f" (none inside a bin costs less than {number(best.at_best)})"


def _sure(paid: Estimate) -> list[str]:
    if not paid.has_interval:
        return []
    level = f"{percent_of(paid.level or 0)} interval {interval(paid)}"
    return [f"A case costs {paid.written} at this threshold ({level})."]


def _opening(ranking: Ranking, at: float) -> Section:
    matrix = ranking.at(at)
    total = rows(ranking.rows)
    if not matrix.rows:
        return Section(lines=("There are no rows.",))
    counted = ranking.is_counted and matrix.rows == ranking.rows
    weighted = "" if counted else " (sums of weights)"
    share_of_positives = share(float(matrix.positives / matrix.rows))
    positive, negative = plain(ranking.positive), plain(ranking.negative)
    found = f"{count(matrix.positives)} of class {positive} ({share_of_positives})"
    others = f"{count(matrix.negatives)} of class {negative}{weighted}"
    return Section(lines=(f"{total}: {found} and {others}. Positive is {positive}.",))


def _matrix_section(name: str, matrix: ConfusionMatrix, ranking: Ranking, at: float) -> Section:
    sign = "≤" if ranking.lower_is_positive else "≥"
    heading = f"{name}: {ranking.positive} when the score is {sign} {threshold(at)}"
    return replace(table_section(matrix.table()), heading=heading)


def table_section(cells: list[list[str]]) -> Section:
    """A confusion matrix in some layout."""
    return Section("Confusion matrix", table=tuple(map(tuple, cells)))


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


def _classes_section(
    matrix: ClassMatrix, measures: Sequence[Measure], intervals: Intervals
) -> Section:
    found = {
        name: intervals.of_matrix(measures, matrix.one_against_rest(name))
        for name in matrix.classes
    }
    averages = {how: intervals.averages(measures, matrix, how) for how in AVERAGES}
    head = ("", *matrix.classes, *AVERAGES)
    lines = [
        (
            measure.name,
            *(brief(found[name][measure.name]) for name in matrix.classes),
            *(brief(averages[how][measure.name]) for how in AVERAGES),
        )
        for measure in measures
    ]
    notes = {name: estimate.note for name, estimate in averages["macro"].items()}
    partial = [f"{name}: {note}." for name, note in notes.items() if note and "averaged" in note]
    if partial:
        partial.insert(0, "Averages leave out classes for which a metric is undefined.")
    said = (*in_brackets(found.values()), *partial)
    return Section("Each class against the rest", said, (head, *lines))


def _sentence(measure: Measure, estimate: Estimate, subject: Any) -> str:
    if not estimate.is_defined:
        return f"undefined: {estimate.reason}"
    text = measure.say(subject, estimate.written, share_of(estimate))
    return f"{text} ({estimate.note})" if estimate.note else text


def _worked(measure: Measure, subject: Any) -> tuple[str, ...]:
    is_metric = measure.kind == "metric"
    find = INTERVALS.of_matrix if is_metric else INTERVALS.summaries
    estimate = find([measure], subject)[measure.name]
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
