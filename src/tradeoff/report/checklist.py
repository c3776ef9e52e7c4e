"""Checklists of reporting guidelines, filled in from the data of a report.

An item is filled in if the data answer it. Otherwise the author must state something: the item then
says what, after what the data say about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tradeoff.checks import ranking_findings
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranked_models import RankedModels
from tradeoff.core.ranking import Ranking
from tradeoff.formatting import (
    format_count,
    format_level,
    format_p_relation,
    format_percent,
    format_threshold,
    printable,
)
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import SUMMARIES
from tradeoff.measures.vocabulary_measures import vocabulary_metrics
from tradeoff.render.estimate_text import format_signed_interval, format_value_interval
from tradeoff.report.guidelines import FactName, GuidelineItem, GuidelineName, find_guideline
from tradeoff.thresholds.operating_threshold import OperatingThreshold, has_probabilities
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.estimates import matrix_estimates, metric_estimates, summary_estimates
from tradeoff.wording import ROWS, Wording

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison

Status = Literal["filled in", "you must state"]
FILLED_IN: Status = "filled in"
TO_STATE: Status = "you must state"
MAX_MODELS, MAX_SEGMENTS, MAX_DIFFERENCES = 8, 12, 10
"""Numbers of models, of segments of each model, and of differences that an item lists."""
MAX_NAME_LENGTH = 40
ACCURACY_METRICS = vocabulary_metrics("clinical")[:6]
"""Sensitivity, specificity, predictive values and likelihood ratios."""
CALIBRATION_LABELS = {
    "observed_expected_ratio": "observed/expected ratio",
    "calibration_slope": "calibration slope",
    "calibration_in_the_large": "calibration in the large",
    "brier": "Brier score",
}
"""Summaries of calibration and their labels."""


@dataclass(frozen=True)
class ChecklistItem:
    """Item of a checklist: whether the data fill it in, and its text, one fact per line."""

    number: str
    topic: str
    status: Status
    text: str


@dataclass(frozen=True)
class Study:
    """What a report knows: its models, their thresholds, differences and the user's words.

    Without `has_thresholds`, the predictions are classes, and no threshold is reported.
    """

    models: RankedModels
    thresholds: Mapping[str, OperatingThreshold]
    confidence: Confidence | None
    comparison: Comparison | None = None
    wording: Wording = ROWS
    has_thresholds: bool = True

    @property
    def listed_rankings(self) -> list[Ranking]:
        """Rankings of the models that items list."""
        return list(self.models.rankings.values())[:MAX_MODELS]

    def rule(self, ranking: Ranking) -> str:
        """A model and when it predicts the positive class."""
        if not self.has_thresholds:
            return _name(ranking)
        sign = "≤" if ranking.lower_is_positive else "≥"
        return f"{_name(ranking)} {sign} {self.thresholds[ranking.name].text}"

    def matrix(self, ranking: Ranking) -> ConfusionMatrix:
        """Confusion matrix of a model at its threshold."""
        return ranking.at(self.thresholds[ranking.name].value)

    def and_more(self) -> list[str]:
        """Line that counts the models that are not listed."""
        count = len(self.models.rankings) - MAX_MODELS
        return [f"And {count:,} more models: see the table of models."] if count > 0 else []


class Facts(NamedTuple):
    """What the data say about an item, and whether that answers it."""

    lines: list[str]
    is_complete: bool = True


def checklist_document(name: GuidelineName | None, study: Study) -> dict[str, Any] | None:
    """JSON document of a checklist for the report; None without a guideline."""
    if name is None:
        return None
    guideline = find_guideline(name)
    items = [asdict(item) for item in checklist_items(name, study)]
    return {"title": guideline.title, "source": guideline.source, "items": items}


def checklist_items(name: GuidelineName, study: Study) -> list[ChecklistItem]:
    """Items of a reporting guideline, filled in from a study where the data answer them.

    Example:
        >>> import tradeoff as to
        >>> from tradeoff.thresholds.operating_threshold import operating_thresholds
        >>> models = to.evaluate(actual=[0, 1, 0, 1], score=[0.1, 0.4, 0.35, 0.8]).models
        >>> study = Study(models, operating_thresholds(models.rankings), None)
        >>> items = {item.number: item for item in checklist_items("stard-ai", study)}
        >>> items["30"].text
        'score ≥ 0.5: 1 true positive, 0 false positives, 1 false negative, 2 true negatives.'
        >>> items["38"].status
        'you must state'
    """
    facts = _CachedFacts(study)
    return [_fill_in(item, facts) for item in find_guideline(name).items]


class _CachedFacts(dict[FactName, Facts]):
    """Facts about a study, each computed once: several items share some."""

    def __init__(self, study: Study) -> None:
        super().__init__()
        self.study = study

    def __missing__(self, name: FactName) -> Facts:
        facts = self[name] = FACTS[name](self.study)
        return facts


def _fill_in(item: GuidelineItem, facts: Mapping[FactName, Facts]) -> ChecklistItem:
    found = [facts[name] for name in item.facts]
    lines = [line for fact in found for line in fact.lines]
    is_answered = lines and not item.partly and all(fact.is_complete for fact in found)
    if not is_answered:
        lines = [*lines, item.advice]
    status = FILLED_IN if is_answered else TO_STATE
    return ChecklistItem(item.number, item.topic, status, "\n".join(lines))


# Facts


def _software(_: Study) -> Facts:
    return Facts([f"Evaluated with tradeoff {version('tradeoff')}."])


def _rows(study: Study) -> Facts:
    """Numbers of rows of each class, once if they are the same for all models."""
    texts = {ranking.name: _class_counts(ranking, study) for ranking in study.listed_rankings}
    if len(set(texts.values())) == 1:
        return Facts([f"{next(iter(texts.values()))}."])
    lines = [f"{printable(name, MAX_NAME_LENGTH)}: {text}." for name, text in texts.items()]
    return Facts([*lines, *study.and_more()])


def _class_counts(ranking: Ranking, study: Study) -> str:
    positives = ranking.positives + ranking.rejected_positives
    negatives = ranking.negatives + ranking.rejected_negatives
    weight = "" if ranking.is_counted else f" of weight {format_count(ranking.total)}"
    return (
        f"{study.wording.count(ranking.rows)}{weight}: {format_count(positives)} "
        f"{_quoted(ranking.positive)} and {format_count(negatives)} {_quoted(ranking.negative)}"
    )


def _prevalence(study: Study) -> Facts:
    lines = []
    for ranking in study.listed_rankings:
        positives = float(ranking.positives + ranking.rejected_positives)
        if total := float(ranking.total):
            share = format_percent(positives / total)
            lines.append(f"{share} of the {study.wording.units} are {_quoted(ranking.positive)}.")
    return Facts(list(dict.fromkeys(lines)))


def _outputs(study: Study) -> Facts:
    """Whether each model returns probabilities, other scores or classes."""
    if not study.has_thresholds:
        return Facts(["The models return classes."])
    lines = []
    for ranking in study.listed_rankings:
        scores = ranking.thresholds[1:]
        if not len(scores):
            continue
        low, high = format_threshold(float(scores.min())), format_threshold(float(scores.max()))
        kind = "probabilities" if has_probabilities(ranking) else "scores"
        lines.append(f"{_name(ranking)} returns {kind} from {low} to {high}.")
    return Facts([*lines, *study.and_more()])


def _threshold(study: Study) -> Facts:
    """The threshold of each model and how it was chosen; of a given one, only the author knows."""
    if not study.has_thresholds:
        return Facts(["The models return classes: there is no threshold."])
    lines = [
        f"{study.rule(ranking)}: {_reason(study.thresholds[ranking.name], study)}."
        for ranking in study.listed_rankings
    ]
    is_known = all(threshold.reason != "given" for threshold in study.thresholds.values())
    return Facts([*lines, *study.and_more()], is_known)


def _reason(threshold: OperatingThreshold, study: Study) -> str:
    """How a threshold was chosen, and whether these data chose it."""
    units = study.wording.units
    if threshold.reason == "given":
        return "the threshold was given"
    if threshold.reason == "convention":
        return "the conventional threshold of probabilities, not chosen on these data"
    if threshold.decision is None:
        return f"arbitrary, as no threshold can be chosen without {units} of both classes"
    criterion = threshold.decision.criterion.label()
    choice = (
        f"where the cost is lowest on these {units}"
        if threshold.reason == "cost"
        else f"the best on these {units} by {criterion}"
    )
    return f"{choice}, so it is exploratory, not prespecified"


def _measures(study: Study) -> Facts:
    """What is measured and why, and the plots of the page."""
    lines = ["Sensitivity, specificity and predictive values: decisions at the threshold."]
    if study.has_thresholds:
        lines.insert(0, "AUC: how well the scores rank. Plots: ROC and precision–recall curves.")
        if any(map(has_probabilities, study.listed_rankings)):
            lines.append(
                "Observed/expected ratio, calibration slope and Brier score: whether the "
                "probabilities are right. Plot: reliability diagram."
            )
            lines.append("Net benefit: clinical utility. Plot: decision curve.")
    return Facts(lines)


def _methods(study: Study) -> Facts:
    """Methods of the confidence intervals and of the comparison, and the software."""
    if study.confidence is None:
        return Facts(_software(study).lines, is_complete=False)
    methods: dict[str, dict[str, None]] = {}
    for ranking in study.listed_rankings:
        for estimate in (*_auc(study, ranking), *_metrics(study, ranking)):
            if estimate.method:
                methods.setdefault(estimate.method, {})[estimate.label] = None
    intervals = "; ".join(f"{', '.join(names)}: {method}" for method, names in methods.items())
    lines = [f"{format_level(study.confidence.level)} confidence intervals. {intervals}."]
    if differences := _listed_differences(study):
        named = dict.fromkeys(d.method for d in differences if d.method)
        lines.append(f"Differences in AUC: {', '.join(named)}; p-values adjusted by Holm's method.")
    return Facts([*lines, *_software(study).lines])


def _auc(study: Study, ranking: Ranking) -> list[Estimate]:
    """The AUC of a model; nothing if it returns classes."""
    if not study.has_thresholds:
        return []
    clusters = study.models.clusters.get(ranking.name)
    return [*summary_estimates([SUMMARIES["auc"]], ranking, study.confidence, clusters).values()]


def _metrics(study: Study, ranking: Ranking) -> list[Estimate]:
    """Metrics of accuracy of a model at its threshold."""
    threshold = study.thresholds[ranking.name].value
    clusters = study.models.clusters.get(ranking.name)
    estimates = metric_estimates(ACCURACY_METRICS, ranking, threshold, study.confidence, clusters)
    return [*estimates.values()]


def _indeterminate(study: Study) -> Facts:
    """Results without a score, left out and counted as wrong."""
    lines, unresolved = [], []
    for ranking in study.listed_rankings:
        matrix = study.matrix(ranking)
        if not matrix.rejected:
            unresolved += [
                f"{_name(ranking)}: {note}; --missing reject counts them both ways."
                for note in ranking.notes
                if "without a score" in note
            ]
            continue
        rejected = (matrix.rejected_positives, matrix.rejected_negatives)
        lines += [
            (
                f"{study.rule(ranking)}: {study.wording.count(float(matrix.rejected))} without a "
                f"result ({format_count(rejected[0])} {_quoted(ranking.positive)}, "
                f"{format_count(rejected[1])} {_quoted(ranking.negative)})."
            ),
            f"Left out: {_accuracy_text(matrix.accepted, study)}.",
            f"Counted as wrong: {_accuracy_text(_with_rejected_as_wrong(matrix), study)}.",
        ]
    if lines or unresolved:
        return Facts([*lines, *unresolved], is_complete=not unresolved)
    return Facts([f"Every {study.wording.unit} has a positive or a negative result."])


def _with_rejected_as_wrong(matrix: ConfusionMatrix) -> ConfusionMatrix:
    squares = matrix.squares
    return replace(
        matrix,
        false_negatives=matrix.false_negatives + matrix.rejected_positives,
        false_positives=matrix.false_positives + matrix.rejected_negatives,
        rejected_positives=0,
        rejected_negatives=0,
        squares=None if squares is None else _with_rejected_as_wrong(squares),
    )


def _accuracy_text(matrix: ConfusionMatrix, study: Study) -> str:
    """Sensitivity and specificity of a matrix with confidence intervals."""
    estimates = matrix_estimates(ACCURACY_METRICS[:2], matrix, study.confidence)
    return _estimates_text(estimates.values())


def _missing(study: Study) -> Facts:
    """How rows without a score or a class were treated, by the notes of the sources."""
    lines = []
    for ranking in study.listed_rankings:
        notes = [note for note in ranking.notes if "without a" in note]
        lines += [f"{_name(ranking)}: {note}." for note in notes]
        if ranking.rejected_positives + ranking.rejected_negatives and not notes:
            count = format_count(ranking.rejected_positives + ranking.rejected_negatives)
            lines.append(f"{_name(ranking)}: {count} without a score, counted as rejected.")
    if not lines:
        lines = [f"All {study.wording.units} that were read have a class and a score."]
    return Facts([*lines, *study.and_more()])


def _groups(study: Study) -> Facts:
    """Names of the segments that are compared."""
    names = dict.fromkeys(name for by_name in study.models.segments.values() for name in by_name)
    if not names:
        return Facts([])
    listed = ", ".join(printable(name, MAX_NAME_LENGTH) for name in list(names)[:MAX_SEGMENTS])
    more = f" and {len(names) - MAX_SEGMENTS:,} more" if len(names) > MAX_SEGMENTS else ""
    return Facts([f"Accuracy is reported for {len(names):,} segments: {listed}{more}."])


def _subgroups(study: Study) -> Facts:
    """AUC, sensitivity and specificity of the largest segments of each model."""
    lines = []
    for ranking in study.listed_rankings:
        segments = study.models.segments.get(ranking.name) or {}
        largest = sorted(segments.items(), key=lambda item: -item[1].rows)
        for name, segment in largest[:MAX_SEGMENTS]:
            auc = summary_estimates([SUMMARIES["auc"]], segment, study.confidence)
            threshold = study.thresholds[ranking.name].value
            rates = metric_estimates(ACCURACY_METRICS[:2], segment, threshold, study.confidence)
            estimates = _estimates_text([*auc.values(), *rates.values()])
            rows = study.wording.count(segment.rows)
            label = printable(name, MAX_NAME_LENGTH)
            lines.append(f"{study.rule(ranking)}, {label} ({rows}): {estimates}.")
        if len(largest) > MAX_SEGMENTS:
            lines.append(f"And {len(largest) - MAX_SEGMENTS:,} more segments of {_name(ranking)}.")
    return Facts(lines)


def _folds(study: Study) -> Facts:
    """Range and mean of the AUC over folds."""
    lines = []
    for ranking in study.listed_rankings:
        folds = study.models.folds.get(ranking.name) or {}
        aucs = [SUMMARIES["auc"].estimate(fold) for fold in folds.values()]
        values = [estimate.value for estimate in aucs if estimate.is_defined]
        if values:
            mean = sum(values) / len(values)
            lines.append(
                f"{_name(ranking)} over {len(values)} folds: AUC from {min(values):.3f} to "
                f"{max(values):.3f}, mean {mean:.3f}."
            )
    return Facts(lines)


def _flow(study: Study) -> Facts:
    """Rows by result of the test and by class."""
    lines = []
    for ranking in study.listed_rankings:
        m = study.matrix(ranking)
        parts = [
            (
                f"{format_count(m.true_positives + m.false_positives)} have a positive result "
                f"({format_count(m.true_positives)} {_quoted(ranking.positive)}, "
                f"{format_count(m.false_positives)} {_quoted(ranking.negative)})"
            ),
            (
                f"{format_count(m.false_negatives + m.true_negatives)} a negative one "
                f"({format_count(m.false_negatives)} {_quoted(ranking.positive)}, "
                f"{format_count(m.true_negatives)} {_quoted(ranking.negative)})"
            ),
        ]
        if m.rejected:
            parts.append(f"{format_count(m.rejected)} none")
        rows = study.wording.count(ranking.rows)
        lines.append(f"{study.rule(ranking)}: of {rows}, {', '.join(parts)}.")
    return Facts([*lines, *study.and_more()])


def _matrices(study: Study) -> Facts:
    lines = []
    for ranking in study.listed_rankings:
        matrix = study.matrix(ranking)
        counts = {
            "true positive": matrix.true_positives,
            "false positive": matrix.false_positives,
            "false negative": matrix.false_negatives,
            "true negative": matrix.true_negatives,
        }
        if matrix.rejected:
            counts[f"{_quoted(ranking.positive)} without a result"] = matrix.rejected_positives
            counts[f"{_quoted(ranking.negative)} without a result"] = matrix.rejected_negatives
        texts = [_count_of(name, count) for name, count in counts.items()]
        lines.append(f"{study.rule(ranking)}: {', '.join(texts)}.")
    return Facts([*lines, *study.and_more()])


def _count_of(name: str, count: float) -> str:
    is_plural = count != 1 and name.endswith("tive")
    return f"{format_count(count)} {name}{'s' if is_plural else ''}"


def _accuracy(study: Study) -> Facts:
    """The metrics of each model at its threshold, and its AUC."""
    lines = []
    for ranking in study.listed_rankings:
        estimates = _estimates_text([*_metrics(study, ranking), *_auc(study, ranking)])
        lines.append(f"{study.rule(ranking)}: {estimates}.")
    if any(
        ranking.rejected_positives or ranking.rejected_negatives
        for ranking in study.listed_rankings
    ):
        lines.append("Missing results count as wrong in sensitivity and specificity.")
    lines += study.and_more()
    if study.confidence is None:
        return Facts(lines, is_complete=False)
    return Facts([f"In parentheses: {format_level(study.confidence.level)} CI.", *lines])


def _calibration(study: Study) -> Facts:
    """Calibration of each model whose scores are probabilities."""
    measures = [SUMMARIES[name] for name in CALIBRATION_LABELS]
    lines = []
    for ranking in study.listed_rankings:
        if not (study.has_thresholds and has_probabilities(ranking)):
            lines.append(f"{_name(ranking)}: no calibration, as it returns no probabilities.")
            continue
        clusters = study.models.clusters.get(ranking.name)
        estimates = summary_estimates(measures, ranking, study.confidence, clusters)
        texts = [_estimate_text(estimates[n], label) for n, label in CALIBRATION_LABELS.items()]
        lines.append(f"{_name(ranking)}: {', '.join(texts)}.")
    return Facts(lines)


def _differences(study: Study) -> Facts:
    lines = [
        f"{printable(d.first, MAX_NAME_LENGTH)} − {printable(d.second, MAX_NAME_LENGTH)}: AUC "
        f"{format_signed_interval(d.value, d.low, d.high)}, adjusted p "
        f"{format_p_relation(d.adjusted, d.significance)}."
        for d in _listed_differences(study)
    ]
    return Facts(lines)


def _listed_differences(study: Study) -> Sequence[Any]:
    if study.comparison is None or len(study.comparison.models) < 2:
        return []
    return study.comparison.differences()[:MAX_DIFFERENCES]


def _warnings(study: Study) -> Facts:
    findings = [finding for finding in ranking_findings(study.models) if finding.is_serious]
    return Facts([finding.sentence for finding in findings])


FACTS: dict[FactName, Callable[[Study], Facts]] = {
    "software": _software,
    "rows": _rows,
    "prevalence": _prevalence,
    "outputs": _outputs,
    "threshold": _threshold,
    "measures": _measures,
    "methods": _methods,
    "indeterminate": _indeterminate,
    "missing": _missing,
    "groups": _groups,
    "subgroups": _subgroups,
    "folds": _folds,
    "flow": _flow,
    "matrices": _matrices,
    "accuracy": _accuracy,
    "calibration": _calibration,
    "differences": _differences,
    "warnings": _warnings,
}
"""What the data say, by name."""


def _estimates_text(estimates: Iterable[Estimate]) -> str:
    """Estimates with their intervals, or why they are undefined."""
    return ", ".join(_estimate_text(estimate, estimate.label) for estimate in estimates)


def _estimate_text(estimate: Estimate, label: str) -> str:
    if not estimate.is_defined:
        return f"{label} undefined ({estimate.reason})"
    return f"{label} {format_value_interval(estimate.value, estimate.low, estimate.high)}"


def _name(ranking: Ranking) -> str:
    return printable(ranking.name, MAX_NAME_LENGTH)


def _quoted(class_name: str) -> str:
    return f"“{printable(class_name, MAX_NAME_LENGTH)}”"
