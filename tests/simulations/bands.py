"""How often bands hold the true curve: simulated on normal scores, whose curves are known.

Rows are drawn at random, so that the number of positives differs from set to set. A pointwise band
is looked at where x is .05 to .9, a simultaneous one along the whole curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.special import ndtr, ndtri

from tradeoff.core.ranking import Ranking
from tradeoff.evaluation.evaluation import Evaluation  # noqa: F401 - registers all measures
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.curve_bands import curve_band

CURVES = {"roc": "ROC", "precision_recall": "precision–recall", "gains": "gains"}
ROWS = (100, 300, 1000)
PREVALENCES = (0.05, 0.1, 0.3)
AREAS = (0.7, 0.85)
X = np.array([0.05, 0.1, 0.3, 0.5, 0.7, 0.9])
ENOUGH = 15
"""Rows that must be expected in the denominators of both axes."""
RANDOM_ROWS = Confidence(sampling="random")


@dataclass(frozen=True)
class Population:
    """Normal scores of both classes, as far apart as the area asks for."""

    prevalence: float
    area: float

    @property
    def apart(self):
        return ndtri(self.area) * np.sqrt(2)

    def ranking(self, rows, random):
        positive = random.random(rows) < self.prevalence
        return Ranking.of(random.normal(size=rows) + self.apart * positive, positive)

    def height(self, name, x):
        """The true curve at x."""
        x = np.asarray(x, float)
        if name == "roc":
            return ndtr(self.apart + ndtri(x))
        if name == "precision_recall":
            fpr = ndtr(ndtri(np.maximum(x, 1e-12)) - self.apart)
            return 1 / (1 + (1 - self.prevalence) * fpr / (self.prevalence * np.maximum(x, 1e-12)))
        thresholds = np.linspace(10, -10, 20001)
        tpr, fpr = ndtr(self.apart - thresholds), ndtr(-thresholds)
        return np.interp(x, self.prevalence * tpr + (1 - self.prevalence) * fpr, tpr)

    def expected_rows(self, name, rows, x):
        """The rows in the smaller of the denominators of both axes."""
        positives = np.full(len(x), rows * self.prevalence)
        if name != "precision_recall":
            return positives
        return np.minimum(positives, positives * x / self.height(name, x))


def pointwise_coverage(name, rows, population, sets, seed=1):
    """The share of sets whose band holds the true height, at each of `X`."""
    truth = population.height(name, X)
    covered, trials = np.zeros(len(X)), 0
    for ranking in _samples(rows, population, sets, seed):
        band = curve_band(ranking, {"name": name}, RANDOM_ROWS, x=X)
        covered += (band.low <= truth) & (truth <= band.high)
        trials += 1
    return covered / trials


def simultaneous_coverage(name, rows, population, sets, seed=1):
    """The share of sets whose band holds the whole true curve, as it is drawn: by straight lines.

    Looked at are all points of the band, and three places between any two of them.
    """
    covered, trials = 0, 0
    for ranking in _samples(rows, population, sets, seed):
        band = curve_band(ranking, {"name": name}, RANDOM_ROWS, kind="simultaneous")
        between = (band.x[:-1] + np.diff(band.x) * share for share in (0.25, 0.5, 0.75))
        x = np.sort(np.concatenate([band.x, *between]))
        low, high = (np.interp(x, band.x, ends) for ends in (band.low, band.high))
        truth = population.height(name, x)
        covered += ((low <= truth + 1e-9) & (truth <= high + 1e-9)).all()
        trials += 1
    return covered / trials


def _samples(rows, population, sets, seed):
    """Rankings of random rows; without rows of both classes there is no band."""
    key = [seed, rows, round(1000 * population.prevalence), round(1000 * population.area)]
    random = np.random.default_rng(key)
    for _ in range(sets):
        ranking = population.ranking(rows, random)
        if ranking.positives and ranking.negatives:
            yield ranking


def cells():
    return [
        (name, rows, Population(prevalence, area))
        for name in CURVES
        for rows in ROWS
        for prevalence in PREVALENCES
        for area in AREAS
    ]


def cell_line(name, rows, population, sets):
    """One line of the table."""
    enough = population.expected_rows(name, rows, X) >= ENOUGH
    points = pointwise_coverage(name, rows, population, sets)
    whole = simultaneous_coverage(name, rows, population, sets)
    written = [_share(c, e) for c, e in zip([*points, whole], [*enough, enough.all()], strict=True)]
    where = f"{CURVES[name]}, {rows:,}, {population.prevalence:.0%}, {population.area}"
    return f"| {where} | {' | '.join(written)} |"


def _share(coverage, enough):
    text = f"{100 * coverage:.1f}"
    text = text if coverage >= 0.93 or not enough else f"**{text}**"
    return text if enough else f"({text})"


def band_table(sets=1000, mapped=map):
    """The table of docs/explanation/coverage.md as lines of Markdown; `mapped` may use cores."""
    head = ["curve, rows, positive, AUC", *(f"x = {x:g}" for x in X), "whole curve"]
    lines = mapped(partial(_line, sets), cells())
    return [f"| {' | '.join(head)} |", f"| :-- |{' --: |' * (len(X) + 1)}", *lines]


def _line(sets, cell):
    return cell_line(*cell, sets)


if __name__ == "__main__":
    import sys
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor() as pool:
        print("\n".join(band_table(int(sys.argv[1]) if sys.argv[1:] else 1000, pool.map)))
