"""An evaluation for readers: sections for people, documents with a schema for programs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.checks import findings_of
from tradeoff.checks.views import (
    finding_document,
    line_notes,
    notes_of,
    notes_section,
    warnings_section,
)
from tradeoff.core.costs import expenses
from tradeoff.core.ranking import Ranking, each_at_prevalence
from tradeoff.errors import InputError
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.curves.average import usable_folds
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.render.sections import Section
from tradeoff.render.values import (
    brief,
    confusion_document,
    estimate_document,
    estimates_document,
    interval,
    percent_of,
    plain_number,
    spelled,
)
from tradeoff.results import shows
from tradeoff.text import count, number, plain, rows, share, threshold, typed
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import cost_estimate, metric_estimates, summary_estimates
from tradeoff.views.costs import expenses_document, expenses_section
from tradeoff.views.matrices import table_section
from tradeoff.views.measures import (
    measures_section,
    sampling_document,
)

if TYPE_CHECKING:
    from typing import Any


# Folds and segments for readers: the same numbers, one line a group.


def _folds_section(evaluation: Evaluation, name: str) -> Section:
    """Each fold, their mean and spread, and whether they may be pooled."""
    at = evaluation.threshold
    folds = each_at_prevalence(evaluation.folds[name], evaluation.prevalence)
    confidence = _confidence_of_parts(evaluation)
    lines = [_line(fold, ranking, at, confidence) for fold, ranking in folds.items()]
    remarks = _about_brackets(evaluation)
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
        remarks.append(f"Fold {fold} is left out of the mean: {why}.")
    return Section(f"{name} by fold", tuple(remarks), (_head("fold"), *lines))


def _segments_section(evaluation: Evaluation, name: str) -> Section:
    """Each segment by itself, as counted: segments have prevalences of their own."""
    segments = evaluation.segments[name]
    confidence = _confidence_of_parts(evaluation)
    lines = [
        _line(segment, ranking, evaluation.threshold, confidence)
        for segment, ranking in segments.items()
    ]
    empty = [segment for segment, ranking in segments.items() if not ranking.rows]
    remarks = [f"Segment {segment} has no rows left." for segment in empty]
    remarks += _about_brackets(evaluation)
    if evaluation.prevalence is not None:
        remarks.append("Segments are shown as counted: they have prevalences of their own.")
    return Section(f"{name} by segment, as counted", tuple(remarks), (_head("segment"), *lines))


def _confidence_of_parts(evaluation: Evaluation) -> Confidence | None:
    """Folds and segments have no intervals where rows come in clusters: theirs are not kept."""
    return None if evaluation.clusters else evaluation.confidence


def _about_brackets(evaluation: Evaluation) -> list[str]:
    """What stands in brackets, or why nothing does."""
    if evaluation.clusters:
        return ["No intervals here: which rows of a part belong together is not kept."]
    confidence = evaluation.confidence
    if confidence is None:
        return []
    return [f"In brackets: {percent_of(confidence.level)} intervals."]


def _parts_document(
    parts: Mapping[str, Ranking], evaluation: Evaluation, prevalence: float | None = None
) -> list[dict[str, Any]]:
    """Each fold or segment with its area and metrics, for other programs."""
    document = []
    at, confidence = evaluation.threshold, _confidence_of_parts(evaluation)
    measures = METRICS.headlines("parts")
    for part, ranking in each_at_prevalence(parts, prevalence).items():
        matrix = parts[part].at(at)
        auc = summary_estimates([SUMMARIES["auc"]], ranking, confidence)["auc"]
        document.append(
            {
                "name": part,
                "rows": ranking.rows,
                "positives": plain_number(matrix.positives),
                "negatives": plain_number(matrix.negatives),
                "auc": estimate_document(auc),
                "metrics": estimates_document(metric_estimates(measures, ranking, at, confidence)),
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


def _line(part: str, ranking: Ranking, at: float, confidence: Confidence | None) -> tuple[str, ...]:
    matrix = ranking.at(at)
    positive = share(float(matrix.positives / matrix.rows)) if matrix.rows else "undefined"
    estimates = summary_estimates([SUMMARIES["auc"]], ranking, confidence)
    estimates |= metric_estimates(METRICS.headlines("parts"), ranking, at, confidence)
    return (part, count(ranking.rows), positive, *map(brief, estimates.values()))


def _over_known(column: tuple[float, ...], statistic: Any) -> float:
    known = [value for value in column if not math.isnan(value)]
    return float(statistic(known)) if known else math.nan


def _deviation(values: list[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


EVALUATION = "tradeoff/evaluation/1"


@shows(Evaluation, "document")
def evaluation_document(evaluation: Evaluation) -> dict[str, Any]:
    """All summaries, and all metrics at one threshold, of each model."""
    first = next(iter(evaluation.rankings.values()))
    everything = first.at(evaluation.threshold)
    prevalence = evaluation.prevalence
    findings = findings_of(evaluation.models)
    return {
        "schema": EVALUATION,
        **({} if prevalence is None else {"prevalence": prevalence}),
        "positive": first.positive,
        "negative": first.negative,
        "rows": first.rows,
        "positives": plain_number(everything.positives),
        "negatives": plain_number(everything.negatives),
        **sampling_document(evaluation.confidence),
        "findings": [finding_document(finding) for finding in findings],
        "models": [_model(evaluation, name) for name in evaluation],
    }


@shows(Evaluation, "columns")
def evaluation_columns(evaluation: Evaluation) -> dict[str, list[Any]]:
    """One line a model, part (all rows, a fold, a segment) and measure; None: nothing to say."""
    threshold, prevalence = evaluation.threshold, evaluation.prevalence
    lines: list[list[Any]] = []
    for name, ranking in evaluation.rankings.items():
        folds = each_at_prevalence(evaluation.folds.get(name, {}), prevalence)
        parts = {"": ranking.at_prevalence(prevalence)}
        parts |= {f"fold {fold}": tested for fold, tested in folds.items()}
        segments = evaluation.segments.get(name, {})
        parts |= {f"segment {segment}": counted for segment, counted in segments.items()}
        for part, in_part in parts.items():
            lines += [
                [name, part, *line]
                for line in _measure_lines(evaluation, in_part, whole=not part)
                # The lines on costs have the expected cost.
                if not (evaluation.costs and line[1] == "expected_cost")
            ]
        if name in evaluation.costs:
            spent = expenses(ranking, evaluation.costs[name], threshold, prevalence)
            paid = expenses_document(spent)
            lines += [
                [name, "", "costs", key, threshold, paid[key], *[None] * 5]
                for key in paid
                if not isinstance(paid[key], dict)
            ]
    interval = ["low", "high", "level", "method"]
    head = ["model", "part", "kind", "measure", "threshold", "value", *interval, "note"]
    return dict(zip(head, map(list, zip(*lines, strict=True)), strict=True))


def _measure_lines(evaluation: Evaluation, ranking: Ranking, *, whole: bool) -> list[list[Any]]:
    """Parts have intervals for metrics and areas alone: resampling each part would take long."""
    lines: list[list[Any]] = []
    at = evaluation.threshold
    confidence = evaluation.confidence if whole else _confidence_of_parts(evaluation)
    clusters = evaluation.clusters.get(ranking.name)
    sure = SUMMARIES.values() if whole else [SUMMARIES["auc"], SUMMARIES["gini"]]
    summaries = summary_estimates(SUMMARIES.values(), ranking, None)
    summaries |= summary_estimates(sure, ranking, confidence, clusters)
    metrics = metric_estimates(METRICS.values(), ranking, at, confidence, clusters)
    for kind, place, estimates in (("summary", None, summaries), ("metric", at, metrics)):
        for name, e in estimates.items():
            interval = [e.low, e.high, e.level, e.method] if e.has_interval else [None] * 4
            lines.append([kind, name, place, e.value, *interval, e.reason or e.note])
    return lines


def _model(evaluation: Evaluation, name: str) -> dict[str, Any]:
    ranking, clusters = evaluation.rankings[name], evaluation.clusters.get(name)
    threshold, prevalence = evaluation.threshold, evaluation.prevalence
    confidence = evaluation.confidence
    weighed = ranking.at_prevalence(prevalence)
    summaries = summary_estimates(SUMMARIES.values(), weighed, confidence, clusters)
    metrics = metric_estimates(METRICS.values(), weighed, threshold, confidence, clusters)
    document: dict[str, Any] = {
        "name": ranking.name,
        "exact": ranking.exact,
        "rows": ranking.rows,
        "distinct_scores": ranking.distinct,
        "notes": list(ranking.notes),
        "summaries": estimates_document(summaries),
        "at": {
            "threshold": spelled(threshold),
            "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
            "confusion": confusion_document(ranking.at(threshold)),
            "metrics": estimates_document(metrics),
        },
    }
    if name in evaluation.folds:
        document["folds"] = _parts_document(evaluation.folds[name], evaluation, prevalence)
    if name in evaluation.segments:  # as counted: segments have prevalences of their own
        document["segments"] = _parts_document(evaluation.segments[name], evaluation)
    if name in evaluation.costs:
        costs = evaluation.costs[name]
        document["expenses"] = expenses_document(expenses(ranking, costs, threshold, prevalence))
        cost = cost_estimate(ranking, costs, threshold, confidence, prevalence)
        document["at"]["metrics"]["expected_cost"] = estimate_document(cost)
    return document


@shows(Evaluation, "sections")
def evaluation_sections(evaluation: Evaluation, *, everything: bool = False) -> list[Section]:
    """The whole evaluation: what was read, the matrices, the metrics, the summaries."""
    at, prevalence = evaluation.threshold, evaluation.prevalence
    confidence, clusters = evaluation.confidence, evaluation.clusters
    models = list(evaluation.rankings.values())
    weighed = {name: r.at_prevalence(prevalence) for name, r in evaluation.rankings.items()}
    about_prevalence = "" if prevalence is None else f", for a prevalence of {share(prevalence)}"
    has_costs = bool(evaluation.costs)
    metrics = [
        measure
        for measure in (METRICS.values() if everything else METRICS.headlines("tables"))
        if not (has_costs and measure.takes_costs)  # the section on costs has it
    ]
    summaries = list(SUMMARIES.values()) if everything else SUMMARIES.headlines("tables")
    return [
        _opening(models[0], at),
        *_sampling_section(confidence),
        *warnings_section(findings_of(evaluation.models)),
        *(_matrix_section(ranking, at) for ranking in models),
        measures_section(
            f"At this threshold{about_prevalence}",
            metrics,
            {name: ranking.at(at) for name, ranking in weighed.items()},
            {
                name: metric_estimates(metrics, ranking, at, confidence, clusters.get(name))
                for name, ranking in weighed.items()
            },
        ),
        measures_section(
            f"Over all thresholds{about_prevalence}",
            summaries,
            weighed,
            {
                name: summary_estimates(summaries, ranking, confidence, clusters.get(name))
                for name, ranking in weighed.items()
            },
        ),
        *(_folds_section(evaluation, name) for name in evaluation.folds),
        *(_segments_section(evaluation, name) for name in evaluation.segments),
        *_costs_sections(evaluation),
        *notes_section([*notes_of(models), *line_notes(models, at)]),
    ]


def _sampling_section(confidence: Confidence | None) -> list[Section]:
    """How rows were sampled, where that is not at random."""
    if confidence is None or not confidence.by_class:
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


def _costs_sections(evaluation: Evaluation) -> list[Section]:
    sections = []
    at, prevalence = evaluation.threshold, evaluation.prevalence
    for name, costs in evaluation.costs.items():
        ranking = evaluation.rankings[name]
        section = expenses_section(expenses(ranking, costs, at, prevalence), ranking)
        cost = cost_estimate(ranking, costs, at, evaluation.confidence, prevalence)
        best = best_threshold(ranking, costs=costs, prevalence=prevalence)
        line = (
            f"The cheapest threshold on these rows is {typed(best.suggestion)}, at "
            f"{number(best.value)} a case{_open(best)}: "
            "`tradeoff threshold` tells how sure that is."
        )
        section = replace(section, lines=(*section.lines, *_cost_line(cost), line))
        heading = f"{section.heading} of {name}" if len(evaluation) > 1 else section.heading
        sections.append(replace(section, heading=heading))
    return sections


def _open(best: Decision) -> str:
    """What thresholds inside bins might cost."""
    if best.ranking.exact or best.at_best is None or best.at_best == best.value:
        return ""
    return f" (none inside a bin costs less than {number(best.at_best)})"


def _cost_line(cost: Estimate) -> list[str]:
    if not cost.has_interval:
        return []
    level = f"{percent_of(cost.level or 0)} interval {interval(cost)}"
    return [f"A case costs {cost.written} at this threshold ({level})."]


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


def _matrix_section(ranking: Ranking, at: float) -> Section:
    sign = "≤" if ranking.lower_is_positive else "≥"
    heading = f"{ranking.name}: {ranking.positive} when the score is {sign} {threshold(at)}"
    return replace(table_section(ranking.at(at).table()), heading=heading)
