"""Rows drawn at random from populations whose true numbers are known."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

from tradeoff.core.class_scores import ClassScores
from tradeoff.core.confusion import ConfusionMatrix
from tradeoff.core.ranking import Ranking

FINE = 400_001
"""Points on which the true curve is read."""


@dataclass(frozen=True)
class Population:
    """Both classes normal with equal spread; scores are the true probabilities of being positive.

    The rows of a sample are drawn at random, so its number of positives is random too.
    """

    rows: int
    prevalence: float
    auc: float

    def __str__(self):
        return f"{self.rows:,}, {self.prevalence:.0%}, AUC {self.auc:.2f}"

    @property
    def distance(self):
        """How far apart the classes are, in standard deviations."""
        return self._distance(self.auc)

    @staticmethod
    def _distance(auc):
        return float(np.sqrt(2) * ndtri(auc))

    def probability(self, x):
        odds = np.log(self.prevalence / (1 - self.prevalence)) - self.distance**2 / 2
        return expit(odds + self.distance * x)

    def sample(self, random, rows=None):
        """Actual classes and scores of so many rows, some of either class."""
        while True:
            actual = random.random(rows or self.rows) < self.prevalence
            if 2 <= actual.sum() <= len(actual) - 2:
                x = random.normal(size=len(actual)) + self.distance * actual
                return actual, self.probability(x)

    def pair(self, random, second_auc=None):
        """Actual classes, and the scores of two models that are much alike.

        They are equally good, unless the second one has an AUC of its own.
        """
        actual, _ = self.sample(random)
        shared = random.normal(size=len(actual))
        distances = {"first": self.distance, "second": self._distance(second_auc or self.auc)}
        return actual, {
            name: self.probability(
                np.sqrt(0.5) * (shared + random.normal(size=len(actual))) + distance * actual
            )
            for name, distance in distances.items()
        }

    def true_rates(self, threshold, auc=None):
        """True and false positive rate of the population at a threshold, at any AUC of a model."""
        if threshold > 1:  # no row is predicted positive
            return 0.0, 0.0
        x = (logit(threshold) - logit(self.probability(0.0))) / self.distance
        return float(ndtr(self._distance(auc or self.auc) - x)), float(ndtr(-x))

    def ranking(self, random):
        actual, score = self.sample(random)
        return Ranking.of(score, actual)

    @property
    def grid(self):
        """Positions of thresholds from high to low, with the true rates at each."""
        x = np.linspace(self.distance + 6, -6, FINE)
        return x, ndtr(self.distance - x), ndtr(-x)

    def true_matrix(self, threshold):
        """The matrix of the whole population at a threshold, as large as a sample."""
        x, tpr, fpr = self.grid
        at = np.interp(-threshold, -self.probability(x), np.arange(FINE))
        tpr, fpr = (float(np.interp(at, np.arange(FINE), rate)) for rate in (tpr, fpr))
        positives = self.rows * self.prevalence
        negatives = self.rows - positives
        return ConfusionMatrix(
            positives * tpr, positives * (1 - tpr), negatives * fpr, negatives * (1 - fpr)
        )

    def threshold_for(self, predicted):
        """The threshold at which this share of all rows is predicted positive."""
        x, tpr, fpr = self.grid
        share = self.prevalence * tpr + (1 - self.prevalence) * fpr
        return float(self.probability(np.interp(predicted, share, x)))

    @cache  # noqa: B019 - populations are few
    def true_ranking(self):
        """The population itself as a ranking: a fine grid, weighted by its densities."""
        x, tpr, fpr = self.grid
        scale = 10**12
        counts = [
            np.round(scale * share * rate).astype(np.int64)
            for share, rate in ((self.prevalence, tpr), (1 - self.prevalence, fpr))
        ]
        from tradeoff.core.sort import Tally

        middle = (x[1:] + x[:-1]) / 2
        thresholds = np.concatenate([[np.inf], self.probability(middle)])
        keep = np.concatenate([[True], (np.diff(counts[0]) > 0) | (np.diff(counts[1]) > 0)])
        tally = Tally(thresholds[keep], *(side[keep] - side[0] for side in counts))
        return Ranking(tally, int(tally.true_positives[-1] + tally.false_positives[-1]))


POPULATIONS = [
    Population(rows, prevalence, auc)
    for rows in (100, 300, 1000)
    for prevalence in (0.05, 0.1, 0.3)
    for auc in (0.7, 0.85)
]
SIZES = [Population(rows, 0.3, 0.85) for rows in (100, 300, 1000)]
"""For what has classes of its own."""


def three_classes(rows, random):
    """Scores of three classes, of which half, three and two tenths of rows are."""
    codes = random.choice(3, rows, p=[0.5, 0.3, 0.2])
    scores = random.normal(size=(3, rows))
    scores[codes, np.arange(rows)] += 1.2
    return ClassScores(tuple(scores), codes, ("a", "b", "c"))
