"""An evaluation for readers: sections for people, documents with a schema for programs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.checks.views import (
    finding_document,
    findings_in,
    line_notes,
    notes_of,
    notes_section,
    warnings_section,
)
from tradeoff.core.costs import expenses
from tradeoff.core.ranking import each_at_prevalence
from tradeoff.errors import InputError
from tradeoff.measures.curves.average import usable_folds
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.render.sections import Section
from tradeoff.render.values import (
    as_csv,
    brief,
    confusion_document,
    estimate_document,
    estimates_document,
    interval,
    percent_of,
    plain_number,
    spelled,
)
from tradeoff.text import count, number, plain, rows, share, threshold, typed
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.estimates import PLAIN, Intervals, sure_cost
from tradeoff.views.details import NOTHING, Details
from tradeoff.views.measures import (
    expenses_document,
    expenses_section,
    measures_section,
    sampling_document,
    table_section,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from tradeoff.core.confusion import ConfusionMatrix
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.estimate import Estimate
    from tradeoff.thresholds.decision import Decision
    from tradeoff.uncertainty.estimates import Intervals


# Folds and segments for readers: the same numbers, one line a group.


def folds_section(
    name: str, counted: Mapping[str, Ranking], at: float, details: Details = NOTHING
) -> Section:
    """Each fold, their mean and spread, and whether they may be pooled."""
    folds = each_at_prevalence(counted, details.prevalence)
    intervals = details.intervals.for_parts
    lines = [_line(fold, ranking, at, intervals) for fold, ranking in folds.items()]
    said = _said(details)
    try:
        usable, left_out = usable_folds(folds)
    except InputError as problem:
        return Section(f"{name} by fold", (str(problem),), (_head("fold"), *lines))
    for label, statistic in (("mean", np.mean), ("standard deviation", _deviation)):
        values = [_values(ranking, at) for ranking in usable.values()]
        lines.append(
            (
                label,
                "",
                "",
                *(number(_over_known(column, statistic)) for column in zip(*values, strict=True)),
            )
        )
    for fold, why in left_out.items():
        said.append(f"Fold {fold} is left out of the mean: {why}.")
    return Section(f"{name} by fold", tuple(said), (_head("fold"), *lines))


def segments_section(
    name: str, segments: Mapping[str, Ranking], at: float, details: Details = NOTHING
) -> Section:
    """Each segment by itself, as counted: segments have prevalences of their own."""
    intervals = details.intervals.for_parts
    lines = [_line(segment, ranking, at, intervals) for segment, ranking in segments.items()]
    empty = [segment for segment, ranking in segments.items() if not ranking.rows]
    said = [f"Segment {segment} has no rows left." for segment in empty]
    said += _said(details)
    if details.prevalence is not None:
        said.append("Segments are shown as counted: they have prevalences of their own.")
    return Section(f"{name} by segment, as counted", tuple(said), (_head("segment"), *lines))


def _said(details: Details) -> list[str]:
    """What stands in brackets, or why nothing does."""
    if details.intervals.clusters:
        return ["No intervals here: which rows of a part belong together is not kept."]
    asked = details.intervals.confidence
    return [] if asked is None else [f"In brackets: {percent_of(asked.level)} intervals."]


def groups_document(
    groups: Mapping[str, Ranking],
    at: float,
    intervals: Intervals,
    prevalence: float | None = None,
) -> list[dict[str, Any]]:
    """Each group with its areas and metrics, for other programs."""
    document = []
    chosen = METRICS.headlines("parts")
    own = intervals.for_parts
    for group, ranking in each_at_prevalence(groups, prevalence).items():
        matrix = groups[group].at(at)
        document.append(
            {
                "name": group,
                "rows": ranking.rows,
                "positives": plain_number(matrix.positives),
                "negatives": plain_number(matrix.negatives),
                "auc": estimate_document(own.summaries([SUMMARIES["auc"]], ranking)["auc"]),
                "metrics": estimates_document(own.at(chosen, ranking, at)),
            }
        )
    return document


def _head(kind: str) -> tuple[str, ...]:
    return (
        kind,
        "rows",
        "positive",
        "auc",
        *(measure.name for measure in METRICS.headlines("parts")),
    )


def _values(ranking: Ranking, at: float) -> list[float]:
    matrix = ranking.at(at)
    auc = SUMMARIES["auc"].estimate(ranking).value
    return [auc, *(float(measure(matrix)) for measure in METRICS.headlines("parts"))]


def _line(group: str, ranking: Ranking, at: float, intervals: Intervals) -> tuple[str, ...]:
    matrix = ranking.at(at)
    positive = share(float(matrix.positives / matrix.rows)) if matrix.rows else "undefined"
    found = intervals.summaries([SUMMARIES["auc"]], ranking)
    found |= intervals.at(METRICS.headlines("parts"), ranking, at)
    return (group, count(ranking.rows), positive, *map(brief, found.values()))


def _over_known(column: tuple[float, ...], statistic: Any) -> float:
    known = [value for value in column if not math.isnan(value)]
    return float(statistic(known)) if known else math.nan


def _deviation(values: list[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


EVALUATION = "tradeoff/evaluation/1"


def evaluation_document(
    rankings: Mapping[str, Ranking], threshold: float, details: Details = NOTHING
) -> dict[str, Any]:
    """All summaries, and all metrics at one threshold, of each model."""
    first = next(iter(rankings.values()))
    everything = first.at(threshold)
    prior = {} if details.prevalence is None else {"prevalence": details.prevalence}
    return {
        "schema": EVALUATION,
        **prior,
        "positive": first.positive,
        "negative": first.negative,
        "rows": first.rows,
        "positives": plain_number(everything.positives),
        "negatives": plain_number(everything.negatives),
        **sampling_document(details.intervals),
        "findings": [finding_document(one) for one in findings_in(rankings, details)],
        "models": [_model(ranking, threshold, details) for ranking in rankings.values()],
    }


def evaluation_csv(
    rankings: Mapping[str, Ranking], threshold: float, details: Details = NOTHING
) -> str:
    """One line a model, part (all rows, a fold, a segment) and measure."""
    columns = evaluation_columns(rankings, threshold, details)
    return as_csv(list(columns), zip(*columns.values(), strict=True))


def evaluation_columns(
    rankings: Mapping[str, Ranking], threshold: float, details: Details = NOTHING
) -> dict[str, list[Any]]:
    """The same as a table; where there is nothing to say, None."""
    lines: list[list[Any]] = []
    for name, ranking in rankings.items():
        folds = each_at_prevalence(details.folds.get(name, {}), details.prevalence)
        parts = {"": ranking.at_prevalence(details.prevalence)}
        parts |= {f"fold {fold}": own for fold, own in folds.items()}
        parts |= {f"segment {part}": own for part, own in details.segments.get(name, {}).items()}
        for part, own in parts.items():
            lines += [
                [name, part, *line]
                for line in _measure_lines(own, threshold, details.intervals, whole=not part)
                # The lines on costs have the expected cost.
                if not (details.costs and line[1] == "expected_cost")
            ]
        if name in details.costs:
            spent = expenses(ranking, details.costs[name], threshold, details.prevalence)
            paid = expenses_document(spent)
            lines += [
                [name, "", "costs", key, threshold, paid[key], *[None] * 5]
                for key in paid
                if not isinstance(paid[key], dict)
            ]
    interval = ["low", "high", "level", "method"]
    head = ["model", "part", "kind", "measure", "threshold", "value", *interval, "note"]
    return dict(zip(head, map(list, zip(*lines, strict=True)), strict=True))


def _measure_lines(
    ranking: Ranking, threshold: float, intervals: Intervals, *, whole: bool
) -> list[list[Any]]:
    """Parts have intervals for metrics and areas alone: drawing each part again would take long."""
    lines: list[list[Any]] = []
    own = intervals if whole else intervals.for_parts
    sure = SUMMARIES.values() if whole else [SUMMARIES["auc"], SUMMARIES["gini"]]
    summaries = PLAIN.summaries(SUMMARIES.values(), ranking) | own.summaries(sure, ranking)
    found = (
        ("summary", None, summaries),
        ("metric", threshold, own.at(METRICS.values(), ranking, threshold)),
    )
    for kind, at, estimates in found:
        for name, e in estimates.items():
            interval = [e.low, e.high, e.level, e.method] if e.has_interval else [None] * 4
            lines.append([kind, name, at, e.value, *interval, e.reason or e.note])
    return lines


def _model(ranking: Ranking, threshold: float, details: Details) -> dict[str, Any]:
    seen = ranking.at_prevalence(details.prevalence)
    intervals = details.intervals
    document: dict[str, Any] = {
        "name": ranking.name,
        "exact": ranking.exact,
        "rows": ranking.rows,
        "distinct_scores": ranking.distinct,
        "notes": list(ranking.notes),
        "summaries": estimates_document(intervals.summaries(SUMMARIES.values(), seen)),
        "at": {
            "threshold": spelled(threshold),
            "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
            "confusion": confusion_document(ranking.at(threshold)),
            "metrics": estimates_document(intervals.at(METRICS.values(), seen, threshold)),
        },
    }
    name = ranking.name
    if name in details.folds:
        own = details.folds[name]
        document["folds"] = groups_document(own, threshold, intervals, details.prevalence)
    if name in details.segments:  # as counted: segments have prevalences of their own
        own = details.segments[name]
        document["segments"] = groups_document(own, threshold, intervals)
    if name in details.costs:
        spent = expenses(ranking, details.costs[name], threshold, details.prevalence)
        document["expenses"] = expenses_document(spent)
        paid = sure_cost(ranking, details.costs[name], threshold, intervals, details.prevalence)
        document["at"]["metrics"]["expected_cost"] = estimate_document(paid)
    return document


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
    measures = [
        measure
        for measure in (METRICS.values() if everything else METRICS.headlines("tables"))
        if not (details.costs and measure.takes_costs)  # the section on costs has it
    ]
    summaries = list(SUMMARIES.values()) if everything else SUMMARIES.headlines("tables")
    sure = details.intervals
    return [
        _opening(models[0], at),
        *_sampling_section(sure),
        *warnings_section(findings_in(rankings, details)),
        *(_matrix_section(name, matrix, models[0], at) for name, matrix in matrices.items()),
        measures_section(
            f"At this threshold{given}",
            measures,
            {name: ranking.at(at) for name, ranking in seen.items()},
            {name: sure.at(measures, ranking, at) for name, ranking in seen.items()},
        ),
        measures_section(
            f"Over all thresholds{given}",
            summaries,
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
