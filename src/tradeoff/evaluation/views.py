"""Views of an evaluation: text sections, JSON document and the table of all measures."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.checks import ranking_findings
from tradeoff.checks.notes import notes_section, ranking_notes, threshold_notes
from tradeoff.checks.views import finding_document, warnings_section
from tradeoff.core.costs import expenses
from tradeoff.core.ranked_models import rankings_at_prevalence
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.formatting import (
    format_count,
    format_level,
    format_number,
    format_p_relation,
    format_percent,
    format_screen_number,
    printable,
)
from tradeoff.measures.curves.average import folds_with_both_classes
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure, find_measures
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.render.estimate_documents import estimate_document, estimates_document
from tradeoff.render.estimate_text import (
    CLINICAL_DIGITS,
    MIN_SIGNIFICANT_DIGITS,
    format_estimate,
    format_signed_interval,
    format_significant,
    note_sentence,
)
from tradeoff.render.json_csv import confusion_document, json_threshold, json_value
from tradeoff.render.sections import Section
from tradeoff.results import shows
from tradeoff.thresholds.decision import Decision, best_threshold
from tradeoff.thresholds.operating_threshold import OperatingThreshold, threshold_sentences
from tradeoff.thresholds.views import chosen_threshold_text
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import cost_estimate, metric_estimates, summary_estimates
from tradeoff.views.costs import expenses_document, expenses_section
from tradeoff.views.diagnostic import diagnostic_table_section, result_labels
from tradeoff.views.matrices import matrix_table_section
from tradeoff.views.measures import measures_section, sampling_document
from tradeoff.wording import Wording

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison


def _folds_section(evaluation: Evaluation, name: str) -> Section:
    """Text section of a model by fold, with the mean and standard deviation over folds."""
    threshold = evaluation.operating_thresholds[name].value
    folds = rankings_at_prevalence(evaluation.folds[name], evaluation.prevalence)
    confidence = _part_confidence(evaluation)
    table_rows = [
        _part_row(fold, ranking, threshold, confidence) for fold, ranking in folds.items()
    ]
    remarks = _interval_remarks(evaluation)
    try:
        usable_folds, left_out = folds_with_both_classes(folds)
    except InputError as error:
        return Section(
            f"{name} by fold", (str(error),), (_part_header("fold", evaluation), *table_rows)
        )
    for statistic_name, statistic in (("mean", np.mean), ("SD", _standard_deviation)):
        values = [_part_values(ranking, threshold) for ranking in usable_folds.values()]
        table_rows.append(
            (
                statistic_name,
                "",
                "",
                *(
                    format_screen_number(_statistic_without_nan(column, statistic), 3)
                    for column in zip(*values, strict=True)
                ),
            )
        )
    for fold, reason in left_out.items():
        remarks.append(f"Fold {fold} is excluded from the mean: {reason}.")
    return Section(
        f"{name} by fold", tuple(remarks), (_part_header("fold", evaluation), *table_rows)
    )


def _segments_section(evaluation: Evaluation, name: str) -> Section:
    """Text section of a model by segment, each at its own prevalence."""
    segments = evaluation.segments[name]
    confidence = _part_confidence(evaluation)
    threshold = evaluation.operating_thresholds[name].value
    table_rows = [
        _part_row(segment, ranking, threshold, confidence) for segment, ranking in segments.items()
    ]
    empty_segments = [segment for segment, ranking in segments.items() if not ranking.rows]
    units = evaluation.wording.units
    remarks = [f"Segment {segment} has no {units}." for segment in empty_segments]
    remarks += _interval_remarks(evaluation)
    if evaluation.prevalence is not None:
        remarks.append("Each segment is shown at its own prevalence.")
    return Section(
        f"{name} by segment", tuple(remarks), (_part_header("segment", evaluation), *table_rows)
    )


def _part_confidence(evaluation: Evaluation) -> Confidence | None:
    """Confidence settings for folds and segments; None with clusters, known for all rows only."""
    return None if evaluation.clusters else evaluation.confidence


def _interval_remarks(evaluation: Evaluation) -> list[str]:
    """Reason why folds and segments have no intervals, if they have none."""
    if evaluation.clusters:
        units = evaluation.wording.units
        return [f"No intervals: clusters are known only for the {units} as a whole."]
    return []


def _parts_document(
    parts: Mapping[str, Ranking],
    evaluation: Evaluation,
    threshold: float,
    measures: Sequence[Measure],
    prevalence: float | None = None,
) -> list[dict[str, Any]]:
    """JSON documents of folds or segments: AUC and metrics of each."""
    document = []
    confidence = _part_confidence(evaluation)
    for part, ranking in rankings_at_prevalence(parts, prevalence).items():
        matrix = parts[part].at(threshold)
        auc = summary_estimates([SUMMARIES["auc"]], ranking, confidence)["auc"]
        document.append(
            {
                "name": part,
                "rows": ranking.rows,
                "positives": json_value(matrix.positives),
                "negatives": json_value(matrix.negatives),
                "auc": estimate_document(auc),
                "metrics": estimates_document(
                    metric_estimates(measures, ranking, threshold, confidence)
                ),
            }
        )
    return document


def _part_metrics(metrics: Sequence[Measure]) -> Sequence[Measure]:
    """Metrics of each fold or segment in JSON: those requested, else the headline metrics."""
    by_name = {measure.name: measure for measure in metrics}
    if len(by_name) < len(METRICS):
        return metrics
    return [by_name[measure.name] for measure in METRICS.headlines("parts")]


def _part_header(kind: str, evaluation: Evaluation) -> tuple[str, ...]:
    return (
        kind,
        evaluation.wording.units,
        "positive",
        "AUC",
        *(measure.label for measure in METRICS.headlines("parts")),
    )


def _part_values(ranking: Ranking, threshold: float) -> list[float]:
    matrix = ranking.at(threshold)
    auc = SUMMARIES["auc"].estimate(ranking).value
    return [auc, *(float(measure(matrix)) for measure in METRICS.headlines("parts"))]


def _part_row(
    part: str, ranking: Ranking, threshold: float, confidence: Confidence | None
) -> tuple[str, ...]:
    matrix = ranking.at(threshold)
    positive = format_percent(float(matrix.positives / matrix.rows)) if matrix.rows else "undefined"
    estimates = summary_estimates([SUMMARIES["auc"]], ranking, confidence)
    estimates |= metric_estimates(METRICS.headlines("parts"), ranking, threshold, confidence)
    return (part, format_count(ranking.rows), positive, *map(format_estimate, estimates.values()))


def _statistic_without_nan(column: tuple[float, ...], statistic: Any) -> float:
    defined = [value for value in column if not math.isnan(value)]
    return float(statistic(defined)) if defined else math.nan


def _standard_deviation(values: list[float]) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan


EVALUATION_SCHEMA = "tradeoff/evaluation/1"
MAX_COMPARED_MODELS = 10
MAX_SUMMARY_COLUMNS = 5
"""Maximum number of summaries in one row; more are listed one below the other."""


@shows(Evaluation, "document")
def evaluation_document(
    evaluation: Evaluation, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general"
) -> dict[str, Any]:
    """JSON document of an evaluation: all or the requested summaries and metrics of each model.

    Each is labelled with the name under which it was requested, else that of the vocabulary.
    """
    metrics, summaries = _listed_measures(metric, vocabulary)
    first = next(iter(evaluation.rankings.values()))
    matrix = first.at_place(0)
    prevalence = evaluation.prevalence
    findings = ranking_findings(evaluation.models)
    return {
        "schema": EVALUATION_SCHEMA,
        **({} if prevalence is None else {"prevalence": prevalence}),
        "positive": first.positive,
        "negative": first.negative,
        "rows": first.rows,
        "positives": json_value(matrix.positives),
        "negatives": json_value(matrix.negatives),
        **sampling_document(evaluation.confidence),
        "findings": [finding_document(finding) for finding in findings],
        "models": [_model_document(evaluation, name, metrics, summaries) for name in evaluation],
    }


@shows(Evaluation, "columns")
def evaluation_columns(
    evaluation: Evaluation, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general"
) -> dict[str, list[Any]]:
    """Table of an evaluation: one row per model, part (all, fold, segment) and measure."""
    measures = _listed_measures(metric, vocabulary)
    prevalence = evaluation.prevalence
    table_rows: list[list[Any]] = []
    for name, ranking in evaluation.rankings.items():
        threshold = evaluation.operating_thresholds[name].value
        folds = rankings_at_prevalence(evaluation.folds.get(name, {}), prevalence)
        parts = {"": ranking.at_prevalence(prevalence)}
        parts |= {f"fold {fold}": rows for fold, rows in folds.items()}
        segments = evaluation.segments.get(name, {})
        parts |= {f"segment {segment}": rows for segment, rows in segments.items()}
        for part, part_ranking in parts.items():
            table_rows += [
                [name, part, *row]
                for row in _measure_rows(evaluation, name, part_ranking, *measures, whole=not part)
                # The expected cost is among the rows for costs.
                if metric or not (evaluation.costs and row[1] == "expected_cost")
            ]
        if name in evaluation.costs and not metric:
            costs = expenses(ranking, evaluation.costs[name], threshold, prevalence)
            table_rows += [
                [name, "", "costs", key, threshold, amount, *[None] * 5, key.replace("_", " ")]
                for key, amount in expenses_document(costs).items()
                if not isinstance(amount, dict)
            ]
    interval = ["low", "high", "level", "method"]
    header = ["model", "part", "kind", "measure", "threshold", "value", *interval, "note", "label"]
    columns = map(list, zip(*table_rows, strict=True)) if table_rows else ([] for _ in header)
    return dict(zip(header, columns, strict=True))


def model_columns(
    evaluation: Evaluation, *, metric: Sequence[str] = (), vocabulary: Vocabulary = "general"
) -> dict[str, list[Any]]:
    """Table of an evaluation with one row per model and a column per measure.

    The limits of an interval are in columns of their own: recall, recall_low, recall_high.
    """
    metrics, summaries = _shown_measures(evaluation, False, metric, vocabulary)
    summary_values = _summary_estimates(evaluation, summaries)
    metric_values = _metric_estimates(evaluation, metrics)
    columns: dict[str, list[Any]] = {name: [] for name in ("model", "rows", "positives")}
    for name, ranking in evaluation.rankings.items():
        columns["model"].append(name)
        columns["rows"].append(ranking.rows)
        columns["positives"].append(ranking.positives + ranking.rejected_positives)
    for measures, values in ((summaries, summary_values), (metrics, metric_values)):
        if measures is metrics and metrics:
            columns["threshold"] = [
                evaluation.operating_thresholds[name].value for name in evaluation.rankings
            ]
        for measure in measures:
            estimates = [model[measure.name] for model in values.values()]
            title = _column_title(measure, is_requested=bool(metric))
            columns[title] = [estimate.value for estimate in estimates]
            if any(estimate.has_interval for estimate in estimates):
                columns[f"{title}_low"] = [estimate.low for estimate in estimates]
                columns[f"{title}_high"] = [estimate.high for estimate in estimates]
    return columns


def _column_title(measure: Measure, *, is_requested: bool) -> str:
    """Column of a measure: the name it was requested by, or its label as an identifier.

    Example:
        >>> recall = METRICS["true_positive_rate"].in_vocabulary("general")
        >>> _column_title(recall, is_requested=False)
        'recall'
    """
    if is_requested and measure.spelling:
        return measure.spelling
    label = measure.label.partition(" (")[0].replace("'s", "").replace("−", "-")
    return re.sub(r"[^\w+-]+", "_", label).lower()


def _listed_measures(
    names: Sequence[str], vocabulary: Vocabulary
) -> tuple[list[Measure], list[Measure]]:
    """The metrics and the summaries to list: those requested by name, or all."""
    measures = find_measures(names) if names else [*METRICS.values(), *SUMMARIES.values()]
    labelled = [measure.in_vocabulary(vocabulary) for measure in measures]
    # A measure that was requested under two names has one entry, under the first.
    by_name = {measure.name: measure for measure in reversed(labelled)}
    unique = [by_name[name] for name in dict.fromkeys(measure.name for measure in labelled)]
    metrics = [measure for measure in unique if measure.kind == "metric"]
    return metrics, [measure for measure in unique if measure.kind == "summary"]


def _measure_rows(  # noqa: PLR0913 - a part of a model, and its measures
    evaluation: Evaluation,
    model: str,
    ranking: Ranking,
    metrics: Sequence[Measure],
    summaries: Sequence[Measure],
    *,
    whole: bool,
) -> list[list[Any]]:
    """Rows of the table; folds and segments have only intervals that need no resampling."""
    table_rows: list[list[Any]] = []
    threshold = evaluation.operating_thresholds[model].value
    confidence = evaluation.confidence if whole else _part_confidence(evaluation)
    clusters = evaluation.clusters.get(ranking.name)
    with_intervals = summaries if whole else [m for m in summaries if m.name in {"auc", "gini"}]
    summary_values = summary_estimates(summaries, ranking, None)
    summary_values |= summary_estimates(with_intervals, ranking, confidence, clusters)
    metric_values = metric_estimates(metrics, ranking, threshold, confidence, clusters)
    for kind, kind_threshold, estimates in (
        ("summary", None, summary_values),
        ("metric", threshold, metric_values),
    ):
        for name, e in estimates.items():
            interval = [e.low, e.high, e.level, e.method] if e.has_interval else [None] * 4
            note = e.reason or e.note
            table_rows.append([kind, name, kind_threshold, e.value, *interval, note, e.label])
    return table_rows


def _model_document(
    evaluation: Evaluation, name: str, metrics: Sequence[Measure], summaries: Sequence[Measure]
) -> dict[str, Any]:
    ranking, clusters = evaluation.rankings[name], evaluation.clusters.get(name)
    operating_threshold = evaluation.operating_thresholds[name]
    threshold, prevalence = operating_threshold.value, evaluation.prevalence
    confidence = evaluation.confidence
    reweighted = ranking.at_prevalence(prevalence)
    summary_values = summary_estimates(summaries, reweighted, confidence, clusters)
    metric_values = metric_estimates(metrics, reweighted, threshold, confidence, clusters)
    document: dict[str, Any] = {
        "name": ranking.name,
        "exact": ranking.exact,
        "rows": ranking.rows,
        "distinct_scores": ranking.distinct,
        "notes": list(ranking.notes),
        "summaries": estimates_document(summary_values),
        "at": {
            "threshold": json_threshold(threshold),
            "reason": operating_threshold.reason,
            "provisional": operating_threshold.is_provisional,
            "rule": f"score {'<=' if ranking.lower_is_positive else '>='} threshold",
            "confusion": confusion_document(ranking.at(threshold)),
            "metrics": estimates_document(metric_values),
        },
    }
    part_metrics = _part_metrics(metrics)
    if name in evaluation.folds:
        document["folds"] = _parts_document(
            evaluation.folds[name], evaluation, threshold, part_metrics, prevalence
        )
    if name in evaluation.segments:  # each at its own prevalence
        document["segments"] = _parts_document(
            evaluation.segments[name], evaluation, threshold, part_metrics
        )
    if name in evaluation.costs:
        costs = evaluation.costs[name]
        document["expenses"] = expenses_document(expenses(ranking, costs, threshold, prevalence))
        labels = {measure.name: measure.label for measure in metrics}
        if "expected_cost" in labels:
            cost = cost_estimate(ranking, costs, threshold, confidence, prevalence)
            cost = replace(cost, label=labels["expected_cost"])
            document["at"]["metrics"]["expected_cost"] = estimate_document(cost)
    return document


@shows(Evaluation, "sections")
def evaluation_sections(  # noqa: PLR0913 - one parameter per option of the command
    evaluation: Evaluation,
    *,
    everything: bool = False,
    metric: Sequence[str] = (),
    vocabulary: Vocabulary = "general",
    methods: bool = False,
    comparison: Comparison | None = None,
) -> list[Section]:
    """Text of an evaluation: rows, AUC of each model, confusion matrices and metrics.

    Args:
        evaluation: The evaluation.
        everything: Show all metrics and summaries.
        metric: Metrics and summaries to show, under the names given here; by default those of the
            vocabulary.
        vocabulary: Which metrics to show, and which names to use for them.
        methods: Add the method of each interval.
        comparison: Comparison of the models on the same rows, to say which AUC is higher.
    """
    models = list(evaluation.rankings.values())
    metrics, summaries = _shown_measures(evaluation, everything, metric, vocabulary)
    return [
        _rows_section(models[0], evaluation),
        *_threshold_section(evaluation, metrics),
        *warnings_section(ranking_findings(evaluation.models)),
        *_summaries_sections(evaluation, summaries, is_named=bool(metric)),
        *(_comparison_section(comparison) if SUMMARIES["auc"] in summaries else ()),
        *_metrics_sections(evaluation, metrics, vocabulary),
        *(_folds_section(evaluation, name) for name in evaluation.folds),
        *(_segments_section(evaluation, name) for name in evaluation.segments),
        *_costs_sections(evaluation),
        *(_methods_section(evaluation, metrics, summaries) if methods else ()),
        *notes_section([*ranking_notes(models), *_threshold_notes(evaluation)]),
    ]


def _comparison_section(comparison: Comparison | None) -> list[Section]:
    """DeLong's test of whether the model with the highest AUC is better than the next one."""
    if comparison is None or not 1 < len(comparison.models) <= MAX_COMPARED_MODELS:
        return []
    differences = comparison.differences()
    if not all(difference.is_defined for difference in differences):
        return []
    areas = {
        name: area
        for difference in differences
        for name, area in (
            (difference.first, difference.first_value),
            (difference.second, difference.second_value),
        )
    }
    best, second = sorted(areas, key=lambda name: -areas[name])[:2]
    (difference,) = (d for d in differences if {d.first, d.second} == {best, second})
    sign = 1 if difference.first == best else -1
    limits = sorted(sign * limit for limit in (difference.low, difference.high))
    adjusted = f", {difference.adjusted_by}" if len(differences) > 1 else ""
    p = difference.adjusted if adjusted else difference.p_value
    if math.isnan(p):
        return []
    result = (
        f"AUC {format_signed_interval(sign * difference.value, *limits)}, "
        f"p {format_p_relation(p, difference.significance)} "
        f"({difference.method}, same {comparison.paired.wording.units}{adjusted})."
    )
    first, other = printable(best), printable(second)
    if p < 1 - difference.level:
        than_next = f" than {other}, the next best" if len(areas) > 2 else ""
        return [Section(lines=(f"{first} is better{than_next}: {result}",))]
    level = format_level(difference.level)
    return [Section(lines=(f"{first} − {other}: {result} Inconclusive at {level}.",))]


def _shown_measures(
    evaluation: Evaluation, everything: bool, names: Sequence[str], vocabulary: Vocabulary
) -> tuple[list[Measure], list[Measure]]:
    """The metrics and the summaries to show."""
    if names:
        measures = find_measures(names)
        metrics = [measure for measure in measures if measure.kind == "metric"]
        return metrics, [measure for measure in measures if measure.kind == "summary"]
    if everything:
        metrics = [measure.in_vocabulary(vocabulary) for measure in METRICS.values()]
        summaries = [measure.in_vocabulary(vocabulary) for measure in SUMMARIES.values()]
    else:
        metrics = vocabulary_metrics(vocabulary)
        summaries = [m.in_vocabulary(vocabulary) for m in SUMMARIES.headlines("opening")]
    if evaluation.prevalence is not None and not everything:  # stated in the heading
        metrics = [measure for measure in metrics if measure.name != "prevalence"]
    if evaluation.costs:  # the expected cost is in the section on costs
        metrics = [measure for measure in metrics if not measure.takes_costs]
    return metrics, summaries


def _summary_estimates(
    evaluation: Evaluation, summaries: Sequence[Measure]
) -> dict[str, dict[str, Estimate]]:
    """Estimates of the summaries, by model."""
    return {
        name: summary_estimates(
            summaries,
            ranking.at_prevalence(evaluation.prevalence),
            evaluation.confidence,
            evaluation.clusters.get(name),
        )
        for name, ranking in evaluation.rankings.items()
    }


def _metric_estimates(
    evaluation: Evaluation, metrics: Sequence[Measure]
) -> dict[str, dict[str, Estimate]]:
    """Estimates of the metrics at the threshold, by model."""
    return {
        name: metric_estimates(
            metrics,
            ranking.at_prevalence(evaluation.prevalence),
            evaluation.operating_thresholds[name].value,
            evaluation.confidence,
            evaluation.clusters.get(name),
        )
        for name, ranking in evaluation.rankings.items()
    }


def _summaries_sections(
    evaluation: Evaluation, summaries: Sequence[Measure], *, is_named: bool = False
) -> list[Section]:
    """Table of summaries with one row per model, or one row per summary if there are many.

    A summary that is undefined is left out, with the reason if it was named.
    """
    if not summaries:
        return []
    estimates = _summary_estimates(evaluation, summaries)
    if len(summaries) > MAX_SUMMARY_COLUMNS:
        heading = f"Over all thresholds{_prevalence_text(evaluation)}"
        return [measures_section(heading, summaries, evaluation.rankings, estimates)]
    defined = [
        measure
        for measure in summaries
        if any(model[measure.name].is_defined for model in estimates.values())
    ]
    table = [("", *(measure.label for measure in defined))]
    table += [
        (name, *(format_estimate(model[measure.name]) for measure in defined))
        for name, model in estimates.items()
    ]
    lines = [
        f"{measure.label}: undefined, {model[measure.name].reason}."
        for measure in summaries
        for model in list(estimates.values())[:1]
        if measure not in defined and (is_named or measure.name == "auc")
    ]
    notes = {
        note_sentence(measure.label, note)
        for measure in defined
        for model in estimates.values()
        if (note := model[measure.name].note)
    }
    return [Section(lines=(*lines, *sorted(notes)), table=tuple(table) if defined else ())]


def _metrics_sections(
    evaluation: Evaluation, metrics: Sequence[Measure], vocabulary: Vocabulary
) -> list[Section]:
    """Confusion matrix of each model and its metrics at the threshold."""
    thresholds = evaluation.operating_thresholds
    is_clinical = vocabulary == "clinical"
    matrix_section = _diagnostic_section if is_clinical else _matrix_section
    sections = [
        matrix_section(ranking, thresholds[name]) for name, ranking in evaluation.rankings.items()
    ]
    if not metrics:
        return sections
    matrices = {
        name: ranking.at_prevalence(evaluation.prevalence).at(thresholds[name].value)
        for name, ranking in evaluation.rankings.items()
    }
    estimates = _metric_estimates(evaluation, metrics)
    is_common = len({threshold.value for threshold in thresholds.values()}) == 1
    where = "at this threshold" if is_common else "at these thresholds"
    heading = f"Metrics {where}{_prevalence_text(evaluation)}"
    digits = CLINICAL_DIGITS if is_clinical else MIN_SIGNIFICANT_DIGITS
    return [
        *sections,
        measures_section(heading, metrics, matrices, estimates, evaluation.wording, digits=digits),
    ]


def _methods_section(
    evaluation: Evaluation, metrics: Sequence[Measure], summaries: Sequence[Measure]
) -> list[Section]:
    """Interval method of each measure of the first model."""
    name = next(iter(evaluation.rankings))
    estimates = _summary_estimates(evaluation, summaries)[name]
    estimates |= _metric_estimates(evaluation, metrics)[name]
    table_rows = [
        (measure.label, estimates[measure.name].method or "no interval")
        for measure in (*summaries, *metrics)
        if estimates[measure.name].is_defined
    ]
    return [Section("Interval methods", table=(("", ""), *table_rows), prose_last=True)]


def _prevalence_text(evaluation: Evaluation) -> str:
    if evaluation.prevalence is None:
        return ""
    return f", at a prevalence of {format_percent(evaluation.prevalence)}"


def _costs_sections(evaluation: Evaluation) -> list[Section]:
    sections = []
    prevalence = evaluation.prevalence
    for name, costs in evaluation.costs.items():
        ranking = evaluation.rankings[name]
        threshold = evaluation.operating_thresholds[name].value
        incurred_costs = expenses(ranking, costs, threshold, prevalence)
        section = expenses_section(incurred_costs, ranking, wording=evaluation.wording)
        cost = cost_estimate(ranking, costs, threshold, evaluation.confidence, prevalence)
        best = best_threshold(ranking, costs=costs, prevalence=prevalence)
        wording = evaluation.wording
        amount = wording.money(format_significant(best.value))
        lowest = f"{amount} per {wording.unit}{_bin_note(best)}"
        line = (
            f"Lowest cost on these {wording.units}: {lowest}, at threshold "
            f"{chosen_threshold_text(best)}. `tradeoff threshold` estimates it out of "
            "sample."
        )
        section = replace(section, lines=(*section.lines, *_cost_line(cost, wording), line))
        heading = f"{section.heading} of {name}" if len(evaluation) > 1 else section.heading
        sections.append(replace(section, heading=heading))
    return sections


def _bin_note(best: Decision) -> str:
    """Note on the lower bound of the cost at thresholds inside bins."""
    if best.ranking.exact or best.at_best is None or best.at_best == best.value:
        return ""
    return f" (at least {format_number(best.at_best)} inside bins)"


def _cost_line(cost: Estimate, wording: Wording) -> list[str]:
    if not cost.has_interval:
        return []
    amount = wording.money(format_estimate(cost))
    return [f"Cost per {wording.unit} at this threshold: {amount}."]


def _rows_section(ranking: Ranking, evaluation: Evaluation) -> Section:
    """Number of rows in each class, and the meaning of the parentheses."""
    matrix = ranking.at_place(0)
    if not matrix.rows:
        return Section(lines=(f"There are no {evaluation.wording.units}.",))
    is_unweighted = ranking.is_counted and matrix.rows == ranking.rows
    weighted = "" if is_unweighted else " (sums of weights)"
    positive = printable(ranking.positive)
    share = format_percent(float(matrix.positives / matrix.rows))
    classes = f"{format_count(matrix.positives)} positive ({positive}, {share}){weighted}"
    lines = [f"{evaluation.wording.count(ranking.rows)}, {classes}."]
    confidence = evaluation.confidence
    if confidence is not None:
        lines[0] += f" In parentheses: {format_level(confidence.level)} CI."
        if confidence.by_class:
            units = evaluation.wording.units.capitalize()
            lines.append(
                f"{units} were sampled by class: intervals treat the class totals as fixed."
            )
    return Section(lines=tuple(lines))


def _threshold_section(evaluation: Evaluation, metrics: Sequence[Measure]) -> list[Section]:
    """The thresholds at which models are evaluated and why, unless all were given."""
    if not metrics or not any(ranking.rows for ranking in evaluation.rankings.values()):
        return []
    sentences = threshold_sentences(evaluation.operating_thresholds, evaluation.wording.units)
    return [Section(lines=tuple(sentences))] if sentences else []


def _threshold_notes(evaluation: Evaluation) -> list[str]:
    """Notes on the thresholds: inside a bin, or a given 0.5 for scores outside 0 to 1."""
    return [
        note
        for name, threshold in evaluation.operating_thresholds.items()
        for note in threshold_notes([evaluation.rankings[name]], threshold.value)
    ]


def _diagnostic_section(ranking: Ranking, threshold: OperatingThreshold) -> Section:
    """The 2 × 2 table with totals, as in reports of diagnostic studies."""
    results = result_labels(ranking, threshold.value)
    section = diagnostic_table_section(ranking.at(threshold.value), results)
    return replace(section, heading=f"{results[0]} against the actual class")


def _matrix_section(ranking: Ranking, threshold: OperatingThreshold) -> Section:
    sign = "≤" if ranking.lower_is_positive else "≥"
    heading = f"{ranking.name}: predict {ranking.positive} if score {sign} {threshold.text}"
    if math.isinf(threshold.value):
        is_positive = (threshold.value > 0) == ranking.lower_is_positive
        predicted = ranking.positive if is_positive else ranking.negative
        heading = f"{ranking.name}: predict {predicted} for every {ranking.wording.unit}"
    matrix = ranking.at(threshold.value)
    return replace(matrix_table_section(matrix.table()), heading=heading)
