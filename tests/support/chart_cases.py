"""Evaluations that tests of charts share."""

import numpy as np
from golden.reference import DATA

import tradeoff as to

ACTUAL = np.array([0, 1, 0, 1, 1, 0, 1, 0, 0, 1], bool)
SCORE = np.array([0.1, 0.4, 0.35, 0.8, 0.35, 0.2, 0.9, 0.9, 0.3, 0.7])


def ten_rows():
    return to.evaluate(actual=ACTUAL, score=SCORE)


def three_markers():
    path = DATA / "proc_aSAH_data.csv"
    models = ["s100b", "ndka", "wfns"]
    return to.evaluate(path, actual="outcome", score=models, positive="Poor")
