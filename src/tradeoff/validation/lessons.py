"""The numbers of the tutorial and of the ten rows, each of which can be worked by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from tradeoff.api import evaluate
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.costs import Costs
from tradeoff.core.ranking import Ranking
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.measures.registry import METRICS
from tradeoff.sources.matrices import (
    confusion_matrix,
    map_rule,
    matrix_of_counts,
    ranking_of_ratings,
)
from tradeoff.validation.agreement import Recomputed
from tradeoff.validation.studies import bundled, study

NINETEEN = (
    ".95+ .93+ .93- .88+ .86+ .85+ .82+ .80+ .80- .79+ .77- .76+ .73+ .65- .63+ .58- .56+ .49- .48+"
)


@study(
    "Tutorial: fourteen days",
    "Weka's naive Bayes predictions of the bundled weather_predictions.csv, and the lesson's seven "
    "questions about its matrix.",
)
def weather() -> Iterator[Recomputed]:
    """From scores to a matrix to an area."""
    rows = bundled("weather_predictions.csv", ["actual", "score_pos"])
    e = evaluate(actual=rows["actual"], score=rows["score_pos"], positive="yes")
    yield Recomputed("matrix at 0.5", "7 2; 4 1", _cells(e.at(0.5)))
    answers = {
        "accuracy": "8/14",
        "error_rate": "6/14",
        "precision": "7/11",
        "prevalence": "9/14",
        "true_positive_rate": "7/9",
        "false_positive_rate": "4/5",
        "true_negative_rate": "1/5",
    }
    yield from _metrics(e.at(0.5), answers)
    yield Recomputed("points of the ROC curve", "15", len(e.curve("roc")))
    yield Recomputed("auc", "26/45", _summary(e, "auc"))


@study(
    "Tutorial: the matrix",
    "Five ill of 1,000; four matrices of shares; four points of ROC space; the MAP rule.",
)
def matrices() -> Iterator[Recomputed]:
    """Matrices that accuracy cannot tell apart."""
    nobody = ConfusionMatrix(0, 5, 0, 995)
    missed = {"accuracy": "0.995", "true_positive_rate": "0", "f_measure": "0"}
    yield from _metrics(nobody, missed, "nobody called ill: ")
    for name, alarms, distance in (("A", 100, "0.7107"), ("B", 10, "0.7071")):
        matrix = ConfusionMatrix(0, 5, alarms, 995 - alarms)
        yield from _metrics(matrix, {"distance_to_perfect": distance}, f"{name}: ")
    rates = ("accuracy", "true_positive_rate", "true_negative_rate")
    for name, table, expected in (
        ("M1", "0.25 0.25; 0.25 0.25", ("1/2", "1/2", "1/2")),
        ("M2", "0.4 0.1; 0.1 0.4", ("4/5", "4/5", "4/5")),
        ("M3", "0.25 0.5; 0 0.25", ("1/2", "1/3", "1")),
        ("M4", "0.4 0; 0.2 0.4", ("4/5", "1", "2/3")),
    ):
        yield from _metrics(
            matrix_of_counts(table), dict(zip(rates, expected, strict=True)), f"{name}: "
        )
    for name, table, fpr, tpr in (
        ("A", "63 37; 28 72", "0.28", "0.63"),
        ("B", "77 23; 77 23", "0.77", "0.77"),
        ("C", "24 76; 88 12", "0.88", "0.24"),
        ("D", "76 24; 12 88", "0.12", "0.76"),
    ):
        point = {"false_positive_rate": fpr, "true_positive_rate": tpr}
        yield from _metrics(matrix_of_counts(table), point, f"point {name}: ")
    rule = map_rule([[10, 30], [40, 20]], ["+", "-"])
    yield Recomputed("MAP rule: matrix", "40 10; 20 30", _cells(rule.matrix))
    chosen = {
        "accuracy": "7/10",
        "sensitivity": "8/10",
        "specificity": "6/10",
        "balanced_accuracy": "7/10",
        "precision": "2/3",
        "f1": "8/11",
    }
    yield from _metrics(rule.matrix, chosen, "MAP rule: ")


@study("Tutorial: the line", "Five rows and nineteen rows, ranked.")
def rankings() -> Iterator[Recomputed]:
    """Walks through ROC space, with and without ties."""
    five = evaluate(actual=[1, 0, 1, 0, 1], score=[0.44, 0.29, 0.98, 0.69, 0.07])
    path = "(0, 0) (0, 1/3) (1/2, 1/3) (1/2, 2/3) (1, 2/3) (1, 1)"
    yield Recomputed("five rows: ROC path", path, _path(five.ranking))
    yield Recomputed("five rows: matrix at 0.5", "1 2; 1 1", _cells(five.at(0.5)))
    yield Recomputed("five rows: auc", "1/2", _summary(five, "auc"))
    e = _nineteen()
    yield Recomputed("nineteen rows: distinct scores", "17", e.ranking.distinct)
    yield Recomputed("nineteen rows: matrix at 0.80", "7 6; 2 4", _cells(e.at(0.80)))
    yield Recomputed("nineteen rows: auc", "49/78", _summary(e, "auc"))
    yield Recomputed("nineteen rows: ties won", "50/78", _summary(e, "auc_optimistic"))
    yield Recomputed("nineteen rows: ties lost", "48/78", _summary(e, "auc_pessimistic"))
    decision = e.best("youden")
    yield Recomputed("nineteen rows: largest Youden's J", "0.2949", decision.value)
    yield Recomputed("nineteen rows: its threshold", "0.82", decision.threshold)


@study("Tutorial: lift", "A mail-out to a million people; a response model of 5,000 customers.")
def lift() -> Iterator[Recomputed]:
    """Whom to contact first, and how many."""
    for size, responders, factor in ((100_000, 400, "4/1"), (400_000, 800, "2/1")):
        matrix = ConfusionMatrix(
            responders, 1000 - responders, size - responders, 999_000 - size + responders
        )
        yield from _metrics(matrix, {"lift": factor}, f"{responders} of the best {size:,}: ")
    groups = ranking_of_ratings([200, 400, 400], [599_800, 299_600, 99_600])
    mail = Evaluation({"mail-out": groups})
    for worth, letters in ((50, "0"), (100, "100000"), (300, "400000"), (1000, "1000000")):
        decision = mail.best(costs=Costs(contact=0.25, true_positive=-worth))
        contacted = int(decision.confusion.predicted_positives)
        yield Recomputed(f"letters, a response being worth {worth}", letters, contacted)
    responders_by_tenth = [10, 20, 30, 40, 60, 80, 110, 150, 200, 300]
    others_by_tenth = [500 - responders for responders in responders_by_tenth]
    model = Evaluation({"model": ranking_of_ratings(responders_by_tenth, others_by_tenth)})
    yield from _metrics(model.at(9), {"lift": "5/2"}, "best 1,000 customers: ")
    gains = model.curve("gains")
    yield Recomputed("responders among the best 25 %", "23/40", gains.y_at(0.25))
    yield Recomputed("depth that holds 90 % of responders", "3/5", gains.x_at(0.9))
    costs = Costs(contact=1, true_positive=-8)
    earned = -model.best(costs=costs).value * 5000
    yield Recomputed("profit of the best campaign", "4220/1", earned)


@study("Tutorial: rejecting", "A rule that errs ten times in a hundred, always between 5 and 7.")
def rejecting() -> Iterator[Recomputed]:
    """Rejecting the doubtful region leaves no errors."""
    x = np.repeat([2, 6, 9], [40, 20, 40])
    actual = np.array(["-"] * 40 + ["+", "-"] * 10 + ["+"] * 40)
    called = np.where(x > 5, "+", "-")
    decided = confusion_matrix(actual, called, positive="+")
    careful = confusion_matrix(actual, np.where(x == 6, "?", called), positive="+", rejected="?")
    everything = {"accuracy": "9/10", "error_rate": "1/10", "rejection_rate": "0"}
    yield from _metrics(decided, everything, "all decided: ")
    left = {
        "accuracy": "8/10",
        "error_rate": "0",
        "rejection_rate": "2/10",
        "accepted_accuracy": "1",
    }
    yield from _metrics(careful, left, "doubtful rejected: ")


@study(
    "Tutorial: costs",
    "A miss costs 5, a false alarm 1; the marker s100b of pROC's 113 patients.",
)
def costs() -> Iterator[Recomputed]:
    """The cheapest threshold, and what it costs."""
    rows = bundled("asah.csv", ["poor", "s100b"])
    e = evaluate(actual=rows["poor"], score=rows["s100b"])
    decision = e.best(costs=Costs(false_positive=1, false_negative=5))
    yield Recomputed("cheapest threshold", "0.07", decision.threshold)
    yield Recomputed("its expected cost", "67/113", decision.value)
    yield Recomputed("its matrix", "40 1; 62 10", _cells(decision.confusion))
    rare = e.at_prevalence(0.02)
    precision = rare.metric("precision", threshold=0.2, level=None).value
    yield Recomputed("precision at 0.2, prevalence 2 %", "0.0624", precision)
    corners = "(0, 0) (0, 12/41) (7/36, 26/41) (31/36, 40/41) (1, 1)"
    yield Recomputed("vertices of the hull", corners, _path(e.ranking, e.ranking.hull_places))


@study("Ten rows, worked by hand", "docs/explanation/ten-rows.md.")
def ten_rows() -> Iterator[Recomputed]:
    """One matrix, one area, one average precision."""
    actual = [1, 1, 0, 1, 0, 1, 0, 0, 1, 0]
    e = evaluate(actual=actual, score=[0.9, 0.8, 0.8, 0.7, 0.6, 0.5, 0.5, 0.4, 0.3, 0.1])
    yield Recomputed("matrix at 0.5", "4 1; 3 2", _cells(e.at(0.5)))
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
    yield from _metrics(e.at(0.5), answers)
    yield Recomputed("auc", "17/25", _summary(e, "auc"))
    # The mean of 1, 2/3, 3/4, 4/7 and 5/9.
    yield Recomputed("average_precision", "893/1260", _summary(e, "average_precision"))


def _nineteen() -> Evaluation:
    rows = NINETEEN.split()
    scores = [float(row[:-1]) for row in rows]
    return evaluate(actual=[row[-1] for row in rows], score=scores, positive="+")


def _metrics(matrix: Any, printed: Mapping[str, str], before: str = "") -> Iterator[Recomputed]:
    for name, value in printed.items():
        yield Recomputed(f"{before}{name}", value, float(METRICS[name](matrix)))


def _summary(evaluation: Evaluation, name: str) -> float:
    return evaluation.summary(name, level=None).value


def _cells(matrix: Any) -> str:
    """A matrix as it is typed: rows are actual classes, the positive one first."""
    return "; ".join(" ".join(f"{count:g}" for count in row) for row in matrix.counts.tolist())


def _path(ranking: Ranking, places: Iterable[int] | None = None) -> str:
    """Operating points as fractions, from nothing called positive on."""
    positives, negatives = int(ranking.positives), int(ranking.negatives)
    found, alarms = ranking.true_positives.tolist(), ranking.false_positives.tolist()
    wanted = range(len(found)) if places is None else places
    points = ((Fraction(alarms[i], negatives), Fraction(found[i], positives)) for i in wanted)
    return " ".join(f"({fpr}, {tpr})" for fpr, tpr in points)


STUDIES = (weather, matrices, rankings, lift, rejecting, costs, ten_rows)
