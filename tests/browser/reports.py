"""Evaluations whose reports are opened in a browser, each made and written once."""

from functools import cache

import numpy as np
from golden.reference import table

import tradeoff as to
from browser.cases import CELLS

REPORT_COSTS = {"fp": "false_positive", "fn": "false_negative", "tp": "true_positive"} | {
    "tn": "true_negative",
    "rp": "rejected_positive",
    "rn": "rejected_negative",
}


def _bleeding_rows():
    rows = table("proc_aSAH_data.csv")
    return rows, {name: rows[name] for name in ("s100b", "ndka", "wfns")}


@cache
def bleeding():
    """Three models of 113 patients, with segments."""
    rows, scores = _bleeding_rows()
    return to.evaluate(actual=rows["poor"], score=scores, positive=1, segment=rows["gender"])


@cache
def bleeding_compared():
    """The same models on their shared rows."""
    rows, scores = _bleeding_rows()
    return to.compare(actual=rows["poor"], score=scores, positive=1)


@cache
def nominal():
    """Fourteen days of weather, with probabilities."""
    rows = table("weka_nb_nominal_predictions.csv")
    return to.evaluate(actual=rows["actual"], score=rows["score_pos"], positive="yes")


@cache
def probabilities():
    """Probabilities of 300 rows, many of them tied, with folds."""
    random = np.random.default_rng(1)
    score = random.integers(1, 100, 300) / 100
    return to.evaluate(
        actual=random.random(300) < score**1.5,
        score={"probability": score},
        fold=random.integers(0, 5, 300),
    )


@cache
def weighted():
    """Real weights, rows without a score, segments."""
    random = np.random.default_rng(2)
    score = np.round(random.random(240), 2)
    return to.evaluate(
        actual=random.random(240) < score,
        score={"weighted": np.where(random.random(240) < 0.1, np.nan, score)},
        weight=random.uniform(0.5, 3, 240),
        segment=np.array(["north", "south"], object)[random.integers(0, 2, 240)],
        missing="reject",
    )


@cache
def lower():
    """Low scores speak for the positive class."""
    random = np.random.default_rng(3)
    score = random.integers(0, 60, 150) / 10
    sick = random.random(150) < 1 / (1 + np.exp(score - 2))
    return to.evaluate(
        actual=np.where(sick, "sick", "well"),
        positive="sick",
        score={"days": score},
        lower_is_positive=True,
    )


@cache
def thinned():
    """Of 60,000 thresholds the page keeps some."""
    random = np.random.default_rng(4)
    score = random.normal(size=60_000)
    rare = random.random(60_000) < 1 / (1 + np.exp(3 - score))
    return to.evaluate(actual=rare, score={"many": score})


@cache
def infinite():
    """Scores at both ends of the numbers."""
    return to.evaluate(actual=[1, 0, 1, 0, 1], score={"ends": [np.inf, -np.inf, 3.0, 2.0, 1.0]})


@cache
def churn():
    """Two models of 1,500 customers, with costs, a unit and a currency."""
    random = np.random.default_rng(5)
    strength = random.normal(size=1500)
    churned = random.random(1500) < 1 / (1 + np.exp(1.75 - 1.35 * strength))

    def model(noise):
        logit = 1.3 * strength + noise * random.normal(size=1500) - 1.8
        return np.round(1 / (1 + np.exp(-logit)), 3)

    return to.evaluate(
        actual=np.where(churned, "yes", "no"),
        positive="yes",
        score={"boosting": model(1.6), "logistic": model(0.4)},
        costs=to.Costs(fp=5, fn=60),
        unit="customers",
        currency="EUR",
    )


@cache
def many():
    """Probabilities of more rows than the page has thresholds."""
    random = np.random.default_rng(6)
    score = random.random(30_000)
    return to.evaluate(actual=random.random(30_000) < score, score={"many": score})


EVALUATIONS = {
    "churn": churn,
    "many": many,
    "bleeding": bleeding,
    "nominal": nominal,
    "probabilities": probabilities,
    "weighted": weighted,
    "lower": lower,
    "thinned": thinned,
    "infinite": infinite,
}


def written(folder, name):
    """The report of an evaluation, written once."""
    path = folder / f"{name}.html"
    if not path.exists():
        choices = {"comparison": bleeding_compared()} if name == "bleeding" else {}
        EVALUATIONS[name]().report(path, **choices)
    return path


def cells(matrix, factor=1.0):
    """A matrix as the page calls its cells."""
    return {key: float(getattr(matrix, name)) * factor for key, name in CELLS.items()}


def as_costs(**amounts):
    """Costs of the library from those of the page's fields."""
    return to.Costs(**{REPORT_COSTS[name]: value for name, value in amounts.items()})
