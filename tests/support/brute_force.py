"""Areas and their variances by looking at every pair of rows: slow, plain, and independent."""

import math
from fractions import Fraction

import numpy as np

from tradeoff.core.ranking import Ranking
from tradeoff.core.sort import Tally


def pairs_won(scores, positive):
    """One line a positive row, one column a negative row: 1 won, ½ tied, 0 lost."""
    up, down = scores[positive], scores[~positive]
    return np.array([[1.0 if u > d else 0.5 if u == d else 0.0 for d in down] for u in up])


def delong(models, positive):
    """The areas of several models and their covariance, unweighted."""
    won = [pairs_won(scores, positive) for scores in models]
    values = np.array([wins.mean() for wins in won])
    up = np.atleast_2d(np.cov([wins.mean(axis=1) for wins in won]))
    down = np.atleast_2d(np.cov([wins.mean(axis=0) for wins in won]))
    return values, up / positive.sum() + down / (~positive).sum()


def obuchowski(models, positive, clusters):
    """The same for rows in clusters, from the sums of Obuchowski 1997 as they are printed."""
    won = [pairs_won(scores, positive) for scores in models]
    values = [wins.mean() for wins in won]
    rows, others = int(positive.sum()), int((~positive).sum())
    names = np.unique(clusters)
    size = len(names)
    covariance = np.zeros((len(models), len(models)))
    for r in range(len(models)):
        for s in range(len(models)):
            up = down = between = 0.0
            for name in names:
                positives, negatives = clusters[positive] == name, clusters[~positive] == name
                x = [
                    won[m].mean(axis=1)[positives].sum() - positives.sum() * values[m]
                    for m in (r, s)
                ]
                y = [
                    won[m].mean(axis=0)[negatives].sum() - negatives.sum() * values[m]
                    for m in (r, s)
                ]
                up += x[0] * x[1]
                down += y[0] * y[1]
                between += x[0] * y[1] + x[1] * y[0]
            cluster_counts = [len(np.unique(clusters[side])) for side in (positive, ~positive)]
            covariance[r, s] = (
                up * cluster_counts[0] / (cluster_counts[0] - 1) / rows**2
                + down * cluster_counts[1] / (cluster_counts[1] - 1) / others**2
                + between * size / (size - 1) / (rows * others)
            )
    return np.array(values), covariance


def risk_coverage_area(rows, threshold=Fraction(1, 2)):
    """The area under the risk–coverage curve from exact scores, in groups of equal distance.

    Inside a group that brings the decided rows from d to e and the wrong ones from w to v, a share
    of the group is decided: the risk is (w + s (x - d)) / x with s = (v - w) / (e - d).
    """
    distances = sorted({abs(score - threshold) for score, _ in rows}, reverse=True)
    area, decided, wrong = 0.0, 0, 0
    for distance in distances:
        group = [row for row in rows if abs(row[0] - threshold) == distance]
        slope = sum((score >= threshold) != positive for score, positive in group) / len(group)
        area += slope * len(group)
        if decided:
            area += (wrong - slope * decided) * math.log((decided + len(group)) / decided)
        decided, wrong = decided + len(group), wrong + slope * len(group)
    return area / len(rows)


def exact_delong(up, down):
    """The area and its variance as fractions, from counts by score, the highest score first."""
    up, down = [[int(count) for count in side] for side in (up, down)]
    positives, negatives = sum(up), sum(down)
    below, above = negatives, 0
    of_positives, of_negatives = [], []
    for hits, alarms in zip(up, down, strict=True):
        below -= alarms
        of_positives.append(Fraction(2 * below + alarms, 2 * negatives))
        of_negatives.append(Fraction(2 * above + hits, 2 * positives))
        above += hits
    area = sum(n * p for n, p in zip(up, of_positives, strict=True)) / positives
    spread = [
        sum(n * (p - area) ** 2 for n, p in zip(counts, placed, strict=True)) / (rows - 1) / rows
        for counts, placed, rows in (
            (up, of_positives, positives),
            (down, of_negatives, negatives),
        )
    ]
    return area, sum(spread)


def ranking_of_counts(up, down, kind=np.int64):
    """The ranking with these counts by score, the highest score first."""
    thresholds = np.concatenate([[np.inf], np.arange(len(up), 0, -1.0)])
    sides = [np.concatenate([[0], np.cumsum(side)]).astype(kind) for side in (up, down)]
    return Ranking(Tally(thresholds, *sides), int(sum(up)) + int(sum(down)))


def two_models(rows=120, prevalence=0.4, seed=1, digits=2):
    """Classes and the scores of two fair models, between 0 and 1 and with ties."""
    random = np.random.default_rng(seed)
    actual = random.random(rows) < prevalence
    scores = {}
    for name, noise in (("a", 1.2), ("b", 1.6)):
        logit = actual - 0.5 + random.normal(0, noise, rows)
        scores[name] = np.round(1 / (1 + np.exp(-logit)), digits)
    return actual, scores
