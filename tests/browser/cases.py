"""Matrices of all kinds for what a page computes: every threshold of committed data, and ends."""

from dataclasses import replace

import numpy as np
from golden.reference import table

import tradeoff as to
from tradeoff.report.page_formulas import metric_catalogue

CELLS = {
    "tp": "true_positives",
    "fn": "false_negatives",
    "fp": "false_positives",
    "tn": "true_negatives",
    "rp": "rejected_positives",
    "rn": "rejected_negatives",
}


def nominal():
    rows = table("weka_nb_nominal_predictions.csv")
    return to.evaluate(actual=rows["actual"], score=rows["score_pos"], positive="yes").ranking


def nominal_weighted(weight_means):
    rows = table("weka_nb_nominal_weighted_predictions.csv")
    return to.evaluate(
        actual=rows["actual"],
        score=rows["score_pos"],
        positive="yes",
        weight=rows["weight"],
        weight_means=weight_means,
    ).ranking


def bleeding():
    rows = table("proc_aSAH_data.csv")
    return to.evaluate(actual=rows["outcome"], score=rows["s100b"], positive="Poor").ranking


def weighted():
    rows = table("syn_a1_probabilities_data.csv")
    first = slice(0, 60)
    return to.evaluate(
        actual=rows["label"][first], score=rows["score"][first], weight=rows["weight"][first]
    ).ranking


def rejecting():
    """Some rows have no score and stay undecided."""
    rows = table("proc_aSAH_data.csv")
    score = np.where(np.arange(len(rows["wfns"])) % 9 == 0, np.nan, rows["wfns"])
    return to.evaluate(
        actual=rows["outcome"], score=score, positive="Poor", missing="reject"
    ).ranking


def everywhere(ranking):
    return [ranking.at_place(place) for place in range(len(ranking))]


def bands(ranking):
    places = range(0, len(ranking), 8)
    return [ranking.banded(up, low) for up in places for low in places if up < low]


CASES = {
    "nominal": lambda: everywhere(nominal()),
    "rows seen several times": lambda: everywhere(nominal_weighted("frequency")),
    "rows that matter more": lambda: everywhere(nominal_weighted("importance")),
    "bleeding": lambda: everywhere(bleeding()),
    "real weights": lambda: everywhere(weighted()),
    "another prevalence": lambda: everywhere(bleeding().at_prevalence(0.03)),
    "real weights at another prevalence": lambda: everywhere(weighted().at_prevalence(0.8)),
    "rows without a score": lambda: everywhere(rejecting()),
    "a rejection band": lambda: bands(bleeding()),
    "a band with weights": lambda: bands(weighted()),
    "a band at another prevalence": lambda: bands(bleeding().at_prevalence(0.5)),
    "perfect": lambda: everywhere(to.evaluate(actual=[1, 1, 0, 0], score=[4, 3, 2, 1]).ranking),
    "one class": lambda: everywhere(
        replace(to.evaluate(actual=[1, 1, 1], score=[3, 2, 2], positive=1).ranking, negative="0")
    ),
    "dust of weights": lambda: [
        to.ConfusionMatrix(3.3, 4e-16, 1.2, 2.2, squares=to.ConfusionMatrix(2, 0, 1, 1)),
        to.ConfusionMatrix(3.3, 1.1, 4e-16, 2.2, squares=to.ConfusionMatrix(2, 1, 0, 1)),
    ],
    "no rows": lambda: [to.ConfusionMatrix(0, 0, 0, 0), to.ConfusionMatrix(0, 0, 0, 0, 2, 1)],
    "proportions": lambda: [to.ConfusionMatrix(0.2, 0.1, 0.3, 0.4)],
}


def page_input(matrix, *, factor=1.0, **changed):
    """A matrix as a page has it, and all it must know about the rows."""
    cells = {short: count * factor for short, count in _cells(matrix).items()}
    if matrix.squares is not None and matrix.decided:
        cells["scale"] = float(matrix.effective_decided / matrix.decided) / factor
    about = {key: value for key, value in metric_catalogue().items() if key != "metrics"}
    squares = matrix.squares
    about |= {
        "positive": matrix.positive,
        "negative": matrix.negative,
        "real": _cells(matrix),
        "squares": None if squares is None else _cells(squares),
        "fixed": matrix.prevalence_known,
    }
    return {"matrix": cells, "about": about | changed}


def _cells(matrix):
    return {short: float(getattr(matrix, long)) for short, long in CELLS.items()}
