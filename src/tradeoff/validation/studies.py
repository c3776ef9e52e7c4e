"""Published values recomputed from their data: papers, other programs and the tutorial.

A study is a decorated function that yields published and recomputed values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from importlib import resources
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.entry_points import compare, evaluate
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.curves import named_curve
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.sources.confusion_matrices import (
    confusion_matrix,
    map_rule,
    matrix_of_counts,
    ranking_of_ratings,
)
from tradeoff.sources.read_columns import read_file_columns
from tradeoff.stats.paired_labels import paired_difference_interval
from tradeoff.stats.proportions import newcombe_interval, proportion_interval
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.auc import hanley_mcneil_variance, placement_variances
from tradeoff.validation.agreement import RecomputedValue, Study, Validation

StudyFunction = Callable[[], Iterator[RecomputedValue]]

STUDIES: list[Callable[[], Study]] = []
"""All studies, in display order."""


def _register_study(title: str, source: str) -> Callable[[StudyFunction], Callable[[], Study]]:
    """Register a study: a function that yields published and recomputed values."""

    def register(numbers: StudyFunction) -> Callable[[], Study]:
        def recompute() -> Study:
            return Study(title, source, tuple(numbers()))

        STUDIES.append(recompute)
        return recompute

    return register


def bundled_columns(name: str, columns: list[str]) -> dict[str, NDArray[Any]]:
    """Columns of a data file that is bundled for a published study."""
    with resources.as_file(resources.files("tradeoff.data").joinpath(name)) as path:
        return dict(read_file_columns(path, columns))


@_register_study(
    "DeLong, DeLong & Clarke-Pearson 1988",
    "Biometrics 44, doi:10.2307/2531595: three tests on 43 patients with ovarian cancer. Rows and "
    "numbers as in the SAS/STAT example “Comparing Receiver Operating Characteristic Curves”.",
)
def _delong_1988() -> Iterator[RecomputedValue]:
    """Published values of DeLong et al. 1988: three AUCs on the same rows, and contrasts."""
    rows = bundled_columns("delong1988.csv", ["alb", "tp", "totscore", "popind"])
    scores = {"albumin": rows["alb"], "K-G": 10 - rows["totscore"], "total protein": rows["tp"]}
    comparison = compare(actual=rows["popind"], score=scores)
    areas = dict(zip(comparison.models, comparison.areas.values, strict=True))
    yield RecomputedValue("AUC of albumin", "0.7366", float(areas["albumin"]))
    yield RecomputedValue("AUC of the K-G score", "0.7258", float(areas["K-G"]))
    yield RecomputedValue("AUC of total protein", "0.6478", float(areas["total protein"]))
    yield RecomputedValue("all three AUCs equal: p", "0.2817", comparison.equality_test().p_value)
    for name, value, low, high in (
        ("albumin", "0.0108", "-0.1761", "0.1976"),
        ("total protein", "-0.0780", "-0.2830", "0.1271"),
    ):
        difference = comparison.difference(name, "K-G")
        yield RecomputedValue(f"{name} − K-G", value, difference.value)
        yield RecomputedValue(f"{name} − K-G: 95% CI from", low, difference.low)
        yield RecomputedValue(f"{name} − K-G: 95% CI to", high, difference.high)


@_register_study(
    "Hanley & McNeil 1982",
    "Radiology 143, doi:10.1148/radiology.143.1.7063747: 58 normal and 51 abnormal images in five "
    "ratings. The standard error is by the paper's own formula.",
)
def _hanley_mcneil_1982() -> Iterator[RecomputedValue]:
    """Published values of Hanley & McNeil 1982: AUC from ratings and its standard error."""
    counts = bundled_columns("hanley_mcneil1982.csv", ["normal", "abnormal"])
    ranking = ranking_of_ratings(counts["abnormal"].tolist(), counts["normal"].tolist())
    area = float(SUMMARIES["auc"](ranking))
    variance = hanley_mcneil_variance(area, float(ranking.positives), float(ranking.negatives))
    yield RecomputedValue("AUC", "0.893", area)
    yield RecomputedValue("its standard error", "0.032", math.sqrt(variance))


@_register_study(
    "Fawcett 2006",
    "Pattern Recognition Letters 27, doi:10.1016/j.patrec.2005.10.010, figure 3: twenty rows.",
)
def _fawcett_2006() -> Iterator[RecomputedValue]:
    """Published values of Fawcett 2006: the threshold with the highest accuracy."""
    rows = bundled_columns("fawcett2006.csv", ["score", "class"])
    ranking = evaluate(actual=rows["class"], score=rows["score"], positive="p").ranking
    decision = best_threshold(ranking, "accuracy")
    matrix = decision.confusion
    yield RecomputedValue("highest accuracy", "0.70", decision.value)
    yield RecomputedValue("its threshold", "0.54", decision.threshold)
    yield RecomputedValue("false positive rate there", "0.1", float(METRICS["fpr"](matrix)))
    yield RecomputedValue("true positive rate there", "0.5", float(METRICS["tpr"](matrix)))


@_register_study(
    "Davis & Goadrich 2006",
    "Proceedings of the 23rd ICML, doi:10.1145/1143844.1143874, table 1: precision between two "
    "points, of 20 positives and 2,000 negatives.",
)
def _davis_goadrich_2006() -> Iterator[RecomputedValue]:
    """Published values of Davis & Goadrich 2006: interpolated precision."""
    # A has 5 true and 5 false positives, B 10 and 30; the rest lies below both.
    curve = named_curve(ranking_of_ratings([10, 5, 5], [1970, 25, 5]), "precision_recall")
    printed_values = ("0.500", "0.375", "0.318", "0.286", "0.265", "0.250")
    for true_positives, precision in zip(range(5, 11), printed_values, strict=True):
        recall = true_positives / 20
        yield RecomputedValue(f"precision at recall {recall:.2f}", precision, curve.y_at(recall))


@_register_study(
    "Newcombe 1998: single proportions",
    "Statistics in Medicine 17:857–872, table I: 95% intervals of four proportions, by Wilson's "
    "score method and by Clopper and Pearson's.",
)
def _newcombe_1998() -> Iterator[RecomputedValue]:
    """Published values of Newcombe 1998: confidence intervals for proportions."""
    for method, printed_values in (
        ("wilson", ("0.2553 0.3662", "0.0624 0.1605", "0.0000 0.1611", "0.0061 0.1718")),
        ("clopper-pearson", ("0.2527 0.3676", "0.0578 0.1617", "0.0000 0.1684", "0.0009 0.1776")),
    ):
        proportions = ((81, 263), (15, 148), (0, 20), (1, 29))
        for (successes, trials), limits in zip(proportions, printed_values, strict=True):
            interval = proportion_interval(successes, trials, method=method)
            low, high = (float(limit) for limit in interval)
            label = f"{successes} of {trials}, {method}"
            yield RecomputedValue(f"{label}: from", limits.split()[0], low)
            yield RecomputedValue(f"{label}: to", limits.split()[1], high)


@_register_study(
    "Newcombe 1998: differences",
    "Independent proportions: Statistics in Medicine 17:873–890, table II, method 10, contrasts "
    "(a) and (b). Proportions of the same rows: 17:2635–2650, table III, method 10.",
)
def _newcombe_1998_differences() -> Iterator[RecomputedValue]:
    """Published values of Newcombe 1998: intervals of differences between proportions."""
    intervals: dict[str, tuple[str, Iterable[Any]]] = {
        "56 of 70 − 48 of 80": ("0.0524 0.3339", newcombe_interval(56, 70, 48, 80)),
        "9 of 10 − 3 of 10": ("0.1705 0.8090", newcombe_interval(9, 10, 3, 10)),
    }
    for cells, limits in (
        ((36, 12, 2, 0), "0.0569 0.3404"),
        ((20, 12, 2, 16), "0.0562 0.3292"),
        ((27, 0, 0, 27), "-0.0351 0.0351"),
    ):
        label = f"paired, {', '.join(map(str, cells))}"
        intervals[label] = limits, paired_difference_interval(*cells)
    for label, (limits, interval) in intervals.items():
        low, high = map(float, interval)
        yield RecomputedValue(f"{label}: from", limits.split()[0], low)
        yield RecomputedValue(f"{label}: to", limits.split()[1], high)


@_register_study(
    "Feinstein & Cicchetti 1990",
    "Journal of Clinical Epidemiology 43, doi:10.1016/0895-4356(90)90158-L: two tables of equal "
    "agreement and unequal kappa.",
)
def _feinstein_cicchetti_1990() -> Iterator[RecomputedValue]:
    """Published values of Feinstein & Cicchetti 1990: kappa and prevalence."""
    for table, kappa in (("40 9; 6 45", "0.70"), ("80 10; 5 5", "0.32")):
        matrix = matrix_of_counts(table)
        yield RecomputedValue(f"agreement in {table}", "0.85", float(METRICS["accuracy"](matrix)))
        yield RecomputedValue(f"kappa in {table}", kappa, float(METRICS["kappa"](matrix)))


@_register_study(
    "Finley's tornado forecasts of 1884",
    "The counts of Murphy 1996, The Finley affair, Weather and Forecasting 11; the scores as on "
    "the forecast verification pages of the Australian Bureau of Meteorology.",
)
def _finley_1884() -> Iterator[RecomputedValue]:
    """Published scores of Finley's tornado forecasts of 1884."""
    # 28 tornadoes were forecast, 23 were not; on 72 of the other 2,752 days one was forecast.
    matrix = matrix_of_counts("28 23; 72 2680", ["tornado", "none"])
    for label, name, published in (
        ("accuracy", "accuracy", "0.966"),
        ("accuracy of never forecasting a tornado", "no_information_rate", "0.982"),
        ("false alarm ratio", "false_discovery_rate", "0.72"),
        ("critical success index", "critical_success_index", "0.23"),
        ("Peirce's skill score", "youden_j", "0.52"),
    ):
        yield RecomputedValue(label, published, float(METRICS[name](matrix)))


NEEDS_TRAINING = "needs tradeoff[train]"


@_register_study(
    "Weka 3.6.14",
    "Ten-fold cross-validation with seed 1 on the fourteen days of the bundled weather.arff, which "
    "`tradeoff crossval --way weka` repeats from the raw rows.",
)
def _weka() -> Iterator[RecomputedValue]:
    """Values that Weka prints for cross-validated models."""
    printed_values = {"auc": "0.5778", "root_mean_squared_error": "0.4916"}
    yield from _crossval_numbers("NaiveBayes", "weka-naive-bayes", printed_values)
    yield from _crossval_numbers("J48", "weka-j48", {"auc": "0.6333"})


def _crossval_numbers(
    classifier: str, model: str, printed_values: Mapping[str, str]
) -> Iterator[RecomputedValue]:
    """Summaries of a cross-validated model; None without scikit-learn."""
    evaluation = None if find_spec("sklearn") is None else _cross_validated(model)
    for name, published in printed_values.items():
        label = f"{classifier}: {name}"
        if evaluation is None:
            yield RecomputedValue(label, published, None, NEEDS_TRAINING)
        else:
            yield RecomputedValue(label, published, evaluation.summary(name, level=None).value)


def _cross_validated(model: str) -> Evaluation:
    from tradeoff.crossval.cross_validation import cross_validate

    weather = resources.files("tradeoff.data").joinpath("weather.arff")
    with resources.as_file(weather) as path:
        return cross_validate(
            path, actual="play", positive="yes", models=[model], way="weka", jobs=1
        ).evaluation


@_register_study(
    "pROC 1.18.0",
    "R 4.2.2, on the 113 patients of its data set aSAH (Turck et al. 2010, "
    "doi:10.1007/s00134-009-1641-y), to ten decimals.",
)
def _proc() -> Iterator[RecomputedValue]:
    """Values that pROC prints: AUCs, DeLong intervals and paired test, partial AUCs."""
    rows = bundled_columns("asah.csv", ["poor", "s100b", "ndka"])
    markers = {name: evaluate(actual=rows["poor"], score=rows[name]) for name in ("s100b", "ndka")}
    printed_values = {
        "s100b": ("0.7313685637", "0.0026686825", "0.6301182118", "0.8326189156"),
        "ndka": ("0.6119579946", "0.0031908105", "0.5012449993", "0.7226709899"),
    }
    for name, (area, variance, low, high) in printed_values.items():
        marker = markers[name]
        estimate = marker.summary("auc", method="delong", level=0.95)
        yield RecomputedValue(f"auc of {name}", area, estimate.value)
        yield RecomputedValue(
            f"var of {name}", variance, placement_variances(marker.ranking).variance
        )
        yield RecomputedValue(f"ci.auc of {name}: from", low, estimate.low)
        yield RecomputedValue(f"ci.auc of {name}: to", high, estimate.high)
    for variant, name, printed_area in (
        ("raw", "partial_auc", "0.0327574526"),
        ("corrected", "partial_auc_mcclish", "0.6460918557"),
    ):
        partial = markers["s100b"].summary(name, low=0.0, high=0.1, level=None)
        label = f"auc of s100b, specificity 1 to 0.9, {variant}"
        yield RecomputedValue(label, printed_area, partial.value)
    both_scores = {name: rows[name] for name in markers}
    difference = compare(actual=rows["poor"], score=both_scores).difference("s100b", "ndka")
    yield RecomputedValue("roc.test, paired: Z", "1.3907700257", difference.statistic)
    yield RecomputedValue("roc.test, paired: p", "0.1642951752", difference.p_value)
    yield RecomputedValue("roc.test, paired: from", "-0.0488706064", difference.low)
    yield RecomputedValue("roc.test, paired: to", "0.2876917446", difference.high)


NINETEEN_ROWS = (
    ".95+ .93+ .93- .88+ .86+ .85+ .82+ .80+ .80- .79+ .77- .76+ .73+ .65- .63+ .58- .56+ .49- .48+"
)


@_register_study(
    "Tutorial: fourteen days",
    "Weka's naive Bayes predictions of the bundled weather_predictions.csv, and the lesson's seven "
    "questions about its matrix.",
)
def _tutorial_weather() -> Iterator[RecomputedValue]:
    """Values in the tutorial for fourteen days: matrix, metrics and AUC."""
    rows = bundled_columns("weather_predictions.csv", ["actual", "score_pos"])
    e = evaluate(actual=rows["actual"], score=rows["score_pos"], positive="yes")
    yield RecomputedValue("matrix at 0.5", "7 2; 4 1", _format_cells(e.at(0.5)))
    answers = {
        "accuracy": "8/14",
        "error_rate": "6/14",
        "precision": "7/11",
        "prevalence": "9/14",
        "true_positive_rate": "7/9",
        "false_positive_rate": "4/5",
        "true_negative_rate": "1/5",
    }
    yield from _metric_values(e.at(0.5), answers)
    yield RecomputedValue("points of the ROC curve", "15", len(e.curve("roc")))
    yield RecomputedValue("auc", "26/45", _summary(e, "auc"))


@_register_study(
    "Tutorial: the matrix",
    "Five ill of 1,000; four matrices of proportions; four points in ROC space; the MAP rule.",
)
def _tutorial_matrices() -> Iterator[RecomputedValue]:
    """Values in the tutorial for confusion matrices."""
    nobody_predicted_ill = ConfusionMatrix(0, 5, 0, 995)
    nobody_metrics = {"accuracy": "0.995", "true_positive_rate": "0", "f_measure": "0"}
    yield from _metric_values(nobody_predicted_ill, nobody_metrics, "nobody predicted ill: ")
    for name, false_positives, distance in (("A", 100, "0.7107"), ("B", 10, "0.7071")):
        matrix = ConfusionMatrix(0, 5, false_positives, 995 - false_positives)
        yield from _metric_values(matrix, {"distance_to_perfect": distance}, f"{name}: ")
    rates = ("accuracy", "true_positive_rate", "true_negative_rate")
    for name, table, expected in (
        ("M1", "0.25 0.25; 0.25 0.25", ("1/2", "1/2", "1/2")),
        ("M2", "0.4 0.1; 0.1 0.4", ("4/5", "4/5", "4/5")),
        ("M3", "0.25 0.5; 0 0.25", ("1/2", "1/3", "1")),
        ("M4", "0.4 0; 0.2 0.4", ("4/5", "1", "2/3")),
    ):
        yield from _metric_values(
            matrix_of_counts(table), dict(zip(rates, expected, strict=True)), f"{name}: "
        )
    for name, table, fpr, tpr in (
        ("A", "63 37; 28 72", "0.28", "0.63"),
        ("B", "77 23; 77 23", "0.77", "0.77"),
        ("C", "24 76; 88 12", "0.88", "0.24"),
        ("D", "76 24; 12 88", "0.12", "0.76"),
    ):
        point = {"false_positive_rate": fpr, "true_positive_rate": tpr}
        yield from _metric_values(matrix_of_counts(table), point, f"point {name}: ")
    rule = map_rule([[10, 30], [40, 20]], ["+", "-"])
    yield RecomputedValue("MAP rule: matrix", "40 10; 20 30", _format_cells(rule.matrix))
    rule_metrics = {
        "accuracy": "7/10",
        "sensitivity": "8/10",
        "specificity": "6/10",
        "balanced_accuracy": "7/10",
        "precision": "2/3",
        "f1": "8/11",
    }
    yield from _metric_values(rule.matrix, rule_metrics, "MAP rule: ")


@_register_study("Tutorial: the line", "Five rows and nineteen rows, ranked.")
def _tutorial_rankings() -> Iterator[RecomputedValue]:
    """Values in the tutorial for rankings: ROC curves with and without ties."""
    five_rows = evaluate(actual=[1, 0, 1, 0, 1], score=[0.44, 0.29, 0.98, 0.69, 0.07])
    path = "(0, 0) (0, 1/3) (1/2, 1/3) (1/2, 2/3) (1, 2/3) (1, 1)"
    yield RecomputedValue("five rows: ROC path", path, _format_path(five_rows.ranking))
    yield RecomputedValue("five rows: matrix at 0.5", "1 2; 1 1", _format_cells(five_rows.at(0.5)))
    yield RecomputedValue("five rows: auc", "1/2", _summary(five_rows, "auc"))
    e = _evaluate_nineteen_rows()
    yield RecomputedValue("nineteen rows: distinct scores", "17", e.ranking.distinct)
    yield RecomputedValue("nineteen rows: matrix at 0.80", "7 6; 2 4", _format_cells(e.at(0.80)))
    yield RecomputedValue("nineteen rows: auc", "49/78", _summary(e, "auc"))
    yield RecomputedValue(
        "nineteen rows: AUC with ties won", "50/78", _summary(e, "auc_optimistic")
    )
    yield RecomputedValue(
        "nineteen rows: AUC with ties lost", "48/78", _summary(e, "auc_pessimistic")
    )
    decision = e.best("youden")
    yield RecomputedValue("nineteen rows: largest Youden's J", "0.2949", decision.value)
    yield RecomputedValue("nineteen rows: its threshold", "0.82", decision.threshold)


@_register_study(
    "Tutorial: lift", "A mail-out to a million people; a response model of 5,000 customers."
)
def _tutorial_lift() -> Iterator[RecomputedValue]:
    """Values in the tutorial on lift: whom to contact first, and how many."""
    for size, responders, factor in ((100_000, 400, "4/1"), (400_000, 800, "2/1")):
        matrix = ConfusionMatrix(
            responders, 1000 - responders, size - responders, 999_000 - size + responders
        )
        yield from _metric_values(matrix, {"lift": factor}, f"{responders} of the best {size:,}: ")
    groups = ranking_of_ratings([200, 400, 400], [599_800, 299_600, 99_600])
    mailing = Evaluation({"mail-out": groups})
    for value, letters in ((50, "0"), (100, "100000"), (300, "400000"), (1000, "1000000")):
        decision = mailing.best(costs=Costs(contact=0.25, true_positive=-value))
        contacted = int(decision.confusion.predicted_positives)
        yield RecomputedValue(f"letters if a response is worth {value}", letters, contacted)
    responders_by_tenth = [10, 20, 30, 40, 60, 80, 110, 150, 200, 300]
    others_by_tenth = [500 - responders for responders in responders_by_tenth]
    model = Evaluation({"model": ranking_of_ratings(responders_by_tenth, others_by_tenth)})
    yield from _metric_values(model.at(9), {"lift": "5/2"}, "best 1,000 customers: ")
    gains = model.curve("gains")
    yield RecomputedValue("responders among the best 25%", "23/40", gains.y_at(0.25))
    yield RecomputedValue("depth that reaches 90% of responders", "3/5", gains.x_at(0.9))
    costs = Costs(contact=1, true_positive=-8)
    profit = -model.best(costs=costs).value * 5000
    yield RecomputedValue("profit of the best campaign", "4220/1", profit)


@_register_study(
    "Tutorial: rejecting", "A rule that errs ten times in a hundred, always between 5 and 7."
)
def _tutorial_rejecting() -> Iterator[RecomputedValue]:
    """Values in the tutorial on the reject option."""
    x = np.repeat([2, 6, 9], [40, 20, 40])
    actual = np.array(["-"] * 40 + ["+", "-"] * 10 + ["+"] * 40)
    predicted = np.where(x > 5, "+", "-")
    all_decided_matrix = confusion_matrix(actual, predicted, positive="+")
    rejection_matrix = confusion_matrix(
        actual, np.where(x == 6, "?", predicted), positive="+", rejected="?"
    )
    all_decided_metrics = {"accuracy": "9/10", "error_rate": "1/10", "rejection_rate": "0"}
    yield from _metric_values(all_decided_matrix, all_decided_metrics, "all decided: ")
    rejection_metrics = {
        "accuracy": "8/10",
        "error_rate": "0",
        "rejection_rate": "2/10",
        "accepted_accuracy": "1",
    }
    yield from _metric_values(rejection_matrix, rejection_metrics, "doubtful rejected: ")


@_register_study(
    "Tutorial: costs",
    "A false negative costs 5, a false positive 1; the marker s100b of pROC's 113 patients.",
)
def _tutorial_costs() -> Iterator[RecomputedValue]:
    """Values in the tutorial on costs: the threshold with the lowest cost."""
    rows = bundled_columns("asah.csv", ["poor", "s100b"])
    e = evaluate(actual=rows["poor"], score=rows["s100b"])
    decision = e.best(costs=Costs(false_positive=1, false_negative=5))
    yield RecomputedValue("threshold of lowest cost", "0.07", decision.threshold)
    yield RecomputedValue("its expected cost", "67/113", decision.value)
    yield RecomputedValue("its matrix", "40 1; 62 10", _format_cells(decision.confusion))
    rare_evaluation = e.at_prevalence(0.02)
    precision = rare_evaluation.metric("precision", threshold=0.2, level=None).value
    yield RecomputedValue("precision at 0.2, prevalence 2%", "0.0624", precision)
    vertices = "(0, 0) (0, 12/41) (7/36, 26/41) (31/36, 40/41) (1, 1)"
    yield RecomputedValue(
        "vertices of the hull", vertices, _format_path(e.ranking, e.ranking.hull_places)
    )


@_register_study("Ten rows, worked by hand", "docs/explanation/ten-rows.md.")
def _ten_rows() -> Iterator[RecomputedValue]:
    """Values of ten rows worked by hand: matrix, AUC and average precision."""
    actual = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    e = evaluate(actual=actual, score=[0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.4, 0.3, 0.1])
    yield RecomputedValue("matrix at 0.5", "4 1; 3 2", _format_cells(e.at(0.5)))
    answers = {
        "accuracy": "6/10",
        "true_positive_rate": "4/5",
        "false_positive_rate": "3/5",
        "precision": "4/7",
        "negative_predictive_value": "2/3",
        "lift": "8/7",
        "f_measure": "2/3",
        "matthews_correlation": "0.2182",
    }
    yield from _metric_values(e.at(0.5), answers)
    yield RecomputedValue("auc", "17/25", _summary(e, "auc"))
    # The mean of 1, 2/3, 3/4, 4/7 and 5/9.
    yield RecomputedValue("average_precision", "893/1260", _summary(e, "average_precision"))


def _evaluate_nineteen_rows() -> Evaluation:
    rows = NINETEEN_ROWS.split()
    scores = [float(row[:-1]) for row in rows]
    return evaluate(actual=[row[-1] for row in rows], score=scores, positive="+")


def _metric_values(
    matrix: Any, printed_values: Mapping[str, str], prefix: str = ""
) -> Iterator[RecomputedValue]:
    for name, value in printed_values.items():
        yield RecomputedValue(f"{prefix}{name}", value, float(METRICS[name](matrix)))


def _summary(evaluation: Evaluation, name: str) -> float:
    return evaluation.summary(name, level=None).value


def _format_cells(matrix: Any) -> str:
    """Format a confusion matrix: rows are actual classes, the positive one first."""
    return "; ".join(" ".join(f"{count:g}" for count in row) for row in matrix.counts.tolist())


def _format_path(ranking: Ranking, indices: Iterable[int] | None = None) -> str:
    """Format operating points as fractions, starting at (0, 0)."""
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    tp, fp = ranking.true_positives.tolist(), ranking.false_positives.tolist()
    indices = range(len(tp)) if indices is None else indices
    points = ((Fraction(fp[i], negatives), Fraction(tp[i], positives)) for i in indices)
    return " ".join(f"({fpr}, {tpr})" for fpr, tpr in points)


def recomputed_studies() -> Validation:
    """Validation that recomputes the published values of all studies."""
    return Validation(tuple(recompute() for recompute in STUDIES))
