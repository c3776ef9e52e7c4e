"""JSON document of the HTML report: counts at thresholds, estimates, metrics and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.checks import ranking_findings
from tradeoff.checks.notes import ranking_notes
from tradeoff.core.costs import Costs
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking, require_prevalence
from tradeoff.errors import InputError, format_list
from tradeoff.formatting import (
    format_count,
    format_level,
    format_p_value,
    format_percent,
    format_threshold,
    printable,
)
from tradeoff.measures.registry import METRICS, SUMMARIES, Measure, find_measures
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.render.json_csv import json_number
from tradeoff.report.chart_texts import chart_texts
from tradeoff.report.checklist import Study, checklist_document
from tradeoff.report.guidelines import GuidelineName
from tradeoff.report.models import (
    MAX_SHOWN_SEGMENTS,
    label_point_document,
    model_document,
    opening_threshold,
)
from tradeoff.report.page_formulas import metric_catalogue
from tradeoff.report.recommendation import recommendation_document
from tradeoff.report.static_summary import SummaryContent, static_summary
from tradeoff.report.stops import CHART_PIXELS, MAX_UNTHINNED_STOPS
from tradeoff.threads import map_in_threads
from tradeoff.thresholds.decision import Decision
from tradeoff.thresholds.operating_threshold import (
    CONVENTIONAL_THRESHOLD,
    Goal,
    OperatingThreshold,
    Thresholds,
    operating_thresholds,
    threshold_sentences,
)
from tradeoff.thresholds.views import decisions_table_document
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.wording import ROWS, Wording

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.comparison.difference import Difference
    from tradeoff.render.chart import Chart
    from tradeoff.thresholds.decision import Decisions

SCHEMA = "tradeoff/report/2"
MAX_SHOWN_DIFFERENCES = 60


def report_document(  # noqa: PLR0913 - one parameter per option
    models: RankedModels,
    *,
    confidence: Confidence | None = DEFAULT_CONFIDENCE,
    prevalence: float | None = None,
    threshold: Thresholds | None = None,
    goal: Goal | None = None,
    decisions: Decisions | None = None,
    title: str | None = None,
    comparison: Comparison | None = None,
    metric: Sequence[str] = (),
    vocabulary: Vocabulary = "general",
    wording: Wording = ROWS,
    label_chart: Chart | None = None,
    checklist: GuidelineName | None = None,
) -> dict[str, Any]:
    """JSON document of the HTML report on one or more models.

    Args:
        models: The rankings and, by model, folds, segments and costs.
        confidence: Confidence level and method of intervals; None for no intervals.
        prevalence: Initial prevalence of the page.
        threshold: Threshold selected when the page opens, or one by model; by default the operating
            threshold of each model.
        goal: Goal by which thresholds are chosen by default.
        decisions: The best threshold of each model for its costs or the goal.
        title: Title of the page.
        comparison: Differences between the models.
        metric: Metrics and summaries to show first, labelled with these names.
        vocabulary: Which metrics to show first otherwise, and which names to use.
        wording: The user's words for rows and amounts.
        label_chart: The models' points in ROC space, if their scores are predicted labels, 1 or 0,
            so that no threshold can move.
        checklist: Reporting guideline whose items are filled in.
    """
    if not models.rankings:
        raise InputError("A report needs at least one model.")
    if prevalence is not None:
        require_prevalence(prevalence)
    rankings = list(models.rankings.values())
    first = rankings[0]
    opening_thresholds = operating_thresholds(
        models.rankings,
        threshold=threshold,
        costs=models.costs,
        goal=goal,
        prevalence=prevalence,
    )
    common_threshold = _common_threshold(opening_thresholds)
    thresholds = tuple(dict.fromkeys([common_threshold, CONVENTIONAL_THRESHOLD]))

    metrics, summaries = _first_measures(metric, vocabulary)
    labels_only = label_chart is not None
    if labels_only and not metric:
        summaries = [SUMMARIES["auc"]]
    chosen = _decisions_by_model(decisions)

    def document_for(name: str) -> dict[str, Any]:
        decision = chosen.get(name)
        stops = thresholds if decision is None else (*thresholds, decision.threshold)
        return {
            **model_document(
                models.of(name), stops, opening_thresholds[name], confidence, summaries
            ),
            **(label_point_document(models.rankings[name], confidence) if labels_only else {}),
            "recommendation": None if decision is None else recommendation_document(decision),
        }

    model_documents = map_in_threads(document_for, list(models.rankings))
    names = list(models.rankings)
    best = names.index(decisions.best.ranking.name) if decisions is not None else 0
    document = {
        "schema": SCHEMA,
        "title": title or _title(rankings),
        "lead": _lead_sentence(first, wording),
        "opening": {
            **_opening(opening_thresholds, names[best], wording, labels_only=labels_only),
            "goal": _goal(goal),
        },
        "best": best,
        "labels_only": labels_only,
        "threshold_about": ""
        if labels_only
        else " ".join(threshold_sentences(opening_thresholds, wording.units)),
        "positive": first.positive,
        "negative": first.negative,
        "lower_is_positive": first.lower_is_positive,
        "threshold": common_threshold,
        "prevalence": prevalence,
        "costs": _costs(models),
        **metric_catalogue(confidence, metrics),
        "labels": _labels([*metrics, *summaries], vocabulary),
        "charts": chart_texts(first, metrics or METRICS.headlines("page"), label_chart),
        "models": model_documents,
        "decisions": None
        if decisions is None or len(decisions) < 2
        else decisions_table_document(decisions),
        "comparison": _comparison(comparison, wording),
        "warnings": _warnings(models, labels_only=labels_only),
        **_unit_words(rankings, wording),
        "currency": wording.currency,
        "models_about": "" if labels_only else _models_note(models, opening_thresholds, comparison),
        "metrics_about": _metrics_note(models, confidence),
        "segments_about": _segments_note(models),
        "how": _method_sentences(rankings, confidence, wording, labels_only=labels_only),
        "checklist": checklist_document(
            checklist,
            Study(models, opening_thresholds, confidence, comparison, wording, not labels_only),
        ),
    }
    opening = opening_thresholds[names[best]]
    threshold_to_open = opening_threshold(rankings[best], opening)
    content = SummaryContent(
        document,
        models.rankings,
        names[best],
        threshold_to_open,
        opening.text if threshold_to_open == opening.value else format_threshold(threshold_to_open),
        decisions,
        prevalence,
        confidence,
        vocabulary,
        wording,
        label_chart,
    )
    return document | {"static": static_summary(content)}


NO_THRESHOLD = (
    "The predicted classes are known, but no scores: there is no threshold to choose, the ROC "
    "curve is a single point joined to the corners, and the AUC is that of this point."
)
OPENING_REASONS = {
    "given": "given",
    "cost": "costs",
    "goal": "goal",
    "convention": "probability",
    "youden": "youden",
    "arbitrary": "youden",
}
"""Why the page opens at a threshold, by the reason for that threshold."""


def _opening(
    thresholds: Mapping[str, OperatingThreshold],
    model: str,
    wording: Wording,
    *,
    labels_only: bool,
) -> dict[str, str]:
    """Why the page opens where it does, for the model that it opens with."""
    threshold = thresholds[model]
    if labels_only:
        return {"reason": "given", "sentence": NO_THRESHOLD}
    sentences = threshold_sentences({model: threshold}, wording.units)
    return {
        "reason": OPENING_REASONS[threshold.reason],
        "sentence": " ".join(sentences) or f"Threshold: {threshold.text}, as given.",
    }


def _goal(goal: Goal | None) -> dict[str, Any] | None:
    """The goal by the name of its metric or criterion, with its target; None without one."""
    if goal is None:
        return None
    name = METRICS.find(goal.by).name if METRICS.knows(goal.by) else goal.by
    return {"name": name, "value": goal.target}


def _decisions_by_model(decisions: Decisions | None) -> dict[str, Decision]:
    """The chosen thresholds by model; none if there are no decisions."""
    return {d.ranking.name: d for d in decisions or () if isinstance(d, Decision)}


def _first_measures(
    names: Sequence[str], vocabulary: Vocabulary
) -> tuple[list[Measure], list[Measure]]:
    """Metrics (empty for the page's default) and summaries that the page shows first."""
    measures = find_measures(names)
    metrics = [measure for measure in measures if measure.kind == "metric"]
    summaries = [measure for measure in measures if measure.kind == "summary"]
    if not metrics and vocabulary != "general":
        metrics = vocabulary_metrics(vocabulary)
    return metrics, summaries or SUMMARIES.headlines("models")


def _labels(first_measures: Sequence[Measure], vocabulary: Vocabulary) -> dict[str, str]:
    """Labels of measures, by name, where they are not just the name with spaces."""
    measures = [*SUMMARIES.headlines("models"), *first_measures]
    labels = METRICS.labels_in(vocabulary) | {m.name: m.label_in(vocabulary) for m in measures}
    return {name: label for name, label in labels.items() if label != name.replace("_", " ")}


def _title(models: list[Ranking]) -> str:
    names = ", ".join(printable(ranking.name, 40) for ranking in models[:3])
    more = f" and {len(models) - 3} more" if len(models) > 3 else ""
    return f"Who is “{printable(models[0].positive, 40)}”? {names}{more}"


def _unit_words(rankings: Sequence[Ranking], wording: Wording) -> dict[str, str]:
    """Plural and singular of the unit of counts: the user's words, or those of sums of weights."""
    is_counted = all(ranking.is_counted for ranking in rankings)
    if is_counted or wording.units != ROWS.units:
        return {"unit": wording.units, "singular": wording.unit}
    return {"unit": "units of weight", "singular": "unit of weight"}


def _rule_sentence(first: Ranking, wording: Wording) -> str:
    """The decision rule: which scores are predicted positive."""
    side = "at or below" if first.lower_is_positive else "at or above"
    article = "An" if wording.unit[0].lower() in "aeio" else "A"
    positive = printable(first.positive)
    return (
        f"{article} {wording.unit} is predicted “{positive}” if its score is {side} the threshold."
    )


def _lead_sentence(first: Ranking, wording: Wording) -> str:
    positives = first.positives + first.rejected_positives
    negatives = first.negatives + first.rejected_negatives
    weight = "" if first.is_counted else f" of weight {format_count(first.total)}"
    return (
        f"{wording.count(first.rows)}{weight}: {format_count(positives)} "
        f"“{printable(first.positive)}” and "
        f"{format_count(negatives)} “{printable(first.negative)}”."
    )


def _costs(models: RankedModels) -> dict[str, float]:
    """Initial costs of the page: those given, if they are the same for all rows."""
    costs = next((models.costs[name] for name in models.rankings if name in models.costs), None)
    costs = costs if isinstance(costs, Costs) else Costs()
    undecided = costs.undecided
    return {
        "fp": costs.alarm,
        "fn": costs.missed,
        "tp": costs.found,
        "tn": costs.passed,
        "rp": undecided[0],
        "rn": undecided[1],
        "fixed": costs.fixed,
    }


def _comparison(comparison: Comparison | None, wording: Wording) -> dict[str, Any] | None:
    if comparison is None or len(comparison.models) < 2:
        return None
    differences = comparison.differences()
    shown_differences = differences
    sentences = list(
        dict.fromkeys(
            f"Method: {difference.method}." for difference in differences if difference.method
        )
    )
    if len(differences) > MAX_SHOWN_DIFFERENCES:
        best = max(
            comparison.models,
            key=lambda name: _value_or_minus_infinity(comparison.area(name).value),
        )
        shown_differences = [
            difference
            for difference in differences
            if best in {difference.first, difference.second}
        ]
        sentences.append(
            f"Of {len(differences):,} pairs, those with the model of largest AUC are shown."
        )
    sentences.append("p-values are adjusted by Holm's method.")
    level = format_level(comparison.confidence.level)
    return {
        "title": (
            f"Differences in AUC on {wording.count(comparison.paired.rows)} scored by all models"
        ),
        "about": f"Intervals: {level} CI. {' '.join(sentences)}",
        "differences": [_difference(difference) for difference in shown_differences],
    }


def _difference(difference: Difference) -> dict[str, Any]:
    has_probability = not np.isnan(difference.first_better)
    return {
        "first": difference.first,
        "second": difference.second,
        "value": json_number(difference.value),
        "low": json_number(difference.low),
        "high": json_number(difference.high),
        "p": format_p_value(difference.p_value, difference.significance),
        "adjusted": format_p_value(difference.adjusted, difference.significance),
        "better": format_percent(difference.first_better) if has_probability else None,
    }


def _value_or_minus_infinity(value: float) -> float:
    return -np.inf if np.isnan(value) else value


CLASS_CHECKS = {"no_rows", "one_class", "few_rows_of_a_class"}
"""Checks that apply to predicted labels, too."""


def _warnings(models: RankedModels, *, labels_only: bool) -> list[str]:
    """Problems in the rows, each with advice, then notes from the sources."""
    findings = [
        finding
        for finding in ranking_findings(models)
        if finding.is_serious and (finding.name in CLASS_CHECKS or not labels_only)
    ]
    warnings = [f"{finding.sentence} {finding.advice}" for finding in findings]
    notes = ranking_notes(list(models.rankings.values()))
    warnings += [f"{_capitalized(note, models.rankings)}." for note in notes]
    if any(not isinstance(costs, Costs) for costs in models.costs.values()):
        warnings.append("Costs differ between rows: the page opens with costs of 1 instead.")
    return warnings


def _capitalized(note: str, names: Iterable[str]) -> str:
    """A note that begins with a capital letter, unless it begins with the name of a model."""
    is_name = any(note.startswith((f"{name}:", f"{name} ")) for name in names)
    return note if is_name else f"{note[0].upper()}{note[1:]}"


def _common_threshold(thresholds: Mapping[str, OperatingThreshold]) -> float:
    """Threshold given for all models, else the conventional one; others are with their models."""
    values = {threshold.value for threshold in thresholds.values()}
    is_given = all(threshold.reason == "given" for threshold in thresholds.values())
    if is_given and len(values) == 1 and all(map(math.isfinite, values)):
        return values.pop()
    return CONVENTIONAL_THRESHOLD


def _models_note(
    models: RankedModels,
    thresholds: Mapping[str, OperatingThreshold],
    comparison: Comparison | None,
) -> str:
    sentences = ["Each model has its own threshold; select the model to move it."]
    rankings = models.rankings
    youden_models = [
        printable(name)
        for name, threshold in thresholds.items()
        if opening_threshold(rankings[name], threshold) != threshold.value
    ]
    if youden_models:
        sentences.append(
            f"{format_list(youden_models)} open{'' if len(youden_models) > 1 else 's'} at the "
            "threshold of Youden's J: the requested one would predict the same class for every row."
        )
    sentences.append("Summaries at another prevalence have no intervals.")
    if len(rankings) > 1 and comparison is None:
        sentences.append("Intervals for differences need the rows, which are not in this page.")
    return " ".join(sentences)


def _metrics_note(models: RankedModels, confidence: Confidence | None) -> str:
    level = format_level(confidence.level) if confidence else "95%"
    note = f"Intervals: {level} CI. Point to an interval to see its method."
    if models.clusters:
        note += (
            " Rows are treated as independent; `tradeoff evaluate --cluster` resamples clusters."
        )
    return note


def _segments_note(models: RankedModels) -> str:
    sentences = ["Segments are shown at their own prevalence and at the same threshold."]
    sizes = [len(segments) for segments in models.segments.values()]
    if sizes and max(sizes) > MAX_SHOWN_SEGMENTS:
        sentences.append(f"The {MAX_SHOWN_SEGMENTS} largest of {max(sizes):,} are shown.")
    return " ".join(sentences)


def _method_sentences(
    models: list[Ranking], confidence: Confidence | None, wording: Wording, *, labels_only: bool
) -> list[str]:
    first = models[0]
    sentences = [f"tradeoff {version('tradeoff')}; nothing on this page comes from a network."]
    if labels_only:
        sentences.append(NO_THRESHOLD)
    else:
        is_exact = all(ranking.exact for ranking in models)
        sentences += [
            _rule_sentence(first, wording),
            "All values are exact."
            if is_exact
            else "Scores were counted in bins: values are known only to within the bins' edges.",
            _stops_sentence(models),
        ]
    sentences.append("Undefined values are shown as undefined, never as 0.")
    if confidence is not None:
        totals = ", with class totals treated as fixed" if confidence.by_class else ""
        sentences.append(
            f"Intervals: {format_level(confidence.level)} CI{totals}; bootstrap with "
            f"{confidence.replicates:,} resamples, seed {confidence.seed}."
        )
    return sentences


def _stops_sentence(models: list[Ranking]) -> str:
    if all(ranking.distinct <= MAX_UNTHINNED_STOPS for ranking in models):
        if all(ranking.exact for ranking in models):
            return "The slider stops at every distinct score."
        return "The slider stops at every score, or at the edges of bins of scores."
    return (
        f"Of more than {MAX_UNTHINNED_STOPS:,} thresholds, the slider stops at those that keep "
        f"every chart accurate to half a pixel at a width of {CHART_PIXELS} pixels, at all that "
        "can have the lowest cost, and at those that usual goals choose (such as a recall of 90% "
        "or the 500 highest scores). Another goal leads to the nearest stop that reaches it."
    )
