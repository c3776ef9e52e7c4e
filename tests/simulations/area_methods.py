"""Populations whose area under the ROC curve is known, and published intervals for that area.

Rows are drawn at random, so the class totals vary as they do in practice. Many data sets are
computed at once: one line of an array is one data set.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from scipy import integrate, optimize, stats
from scipy.special import expit, logit, ndtr, ndtri

LEVEL = 0.95
Z = float(ndtri((1 + LEVEL) / 2))


# Populations -------------------------------------------------------------------------------------

CUTS = np.array([-1.2, -0.4, 0.4, 1.2])
"""Where a normal score becomes the next of five ratings, around the middle of both classes."""


def _shift(area):
    """How far apart two normal distributions of variance 1 are."""
    return np.sqrt(2) * ndtri(area)


def _t3_area(shift):
    return integrate.quad(
        lambda x: stats.t.cdf(x, 3) * stats.t.pdf(x - shift, 3), -np.inf, np.inf, limit=400
    )[0]


def _beta_area(a):
    return integrate.quad(lambda x: stats.beta.sf(x, a, 2) * stats.beta.pdf(x, 1, 4), 0, 1)[0]


def rating_shares(shift):
    """The shares of five ratings among positives and among negatives, lowest first."""
    edges = np.concatenate([[-np.inf], CUTS + shift / 2, [np.inf]])
    return np.diff(ndtr(edges - shift)), np.diff(ndtr(edges))


def _rating_area(shift):
    positive, negative = rating_shares(shift)
    return float(positive @ (np.cumsum(negative) - negative / 2))


@functools.cache
def solved(true_area, area, most):
    """The parameter of a population that has the area."""
    return optimize.brentq(lambda x: true_area(x) - area, 0.01, most, xtol=1e-12)


def _normal(area, random, shape):
    return random.standard_normal(shape) + _shift(area), random.standard_normal(shape)


def _t3(area, random, shape):
    shift = solved(_t3_area, area, 30)
    return random.standard_t(3, shape) + shift, random.standard_t(3, shape)


def _unequal(area, random, shape):
    positive = 2 * random.standard_normal(shape) + np.sqrt(5) * ndtri(area)
    return positive, random.standard_normal(shape)


def _beta(area, random, shape):
    return random.beta(solved(_beta_area, area, 200), 2, shape), random.beta(1, 4, shape)


def _ratings(area, random, shape):
    shift = solved(_rating_area, area, 20)
    positive, negative = _normal(float(ndtr(shift / np.sqrt(2))), random, shape)
    return tuple(np.digitize(side, CUTS + shift / 2) for side in (positive, negative))


def _contaminated(area, random, shape):
    # With 10% the area cannot be above 0.95.
    share = 0.1 if area < 0.95 else 0.05
    shift = _shift((area - share / 2) / (1 - share))
    moved = shift * (random.random(shape) >= share)
    return random.standard_normal(shape) + moved, random.standard_normal(shape)


POPULATIONS = {
    "normal": (_normal, "both classes normal with equal spread"),
    "t3": (_t3, "both classes Student's t with three degrees of freedom"),
    "unequal": (_unequal, "both classes normal, positives with twice the spread"),
    "beta": (_beta, "negatives Beta(1, 4), positives Beta(a, 2)"),
    "ratings": (_ratings, "normal scores in five ratings, tied otherwise"),
    "contaminated": (
        _contaminated,
        "normal scores, but 10% of the positives (5% for an area of 0.95) are like negatives",
    ),
}


# Data sets ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sets:
    """Data sets, one a line: scores in rising order, and which are positive."""

    scores: np.ndarray
    positive: np.ndarray

    @functools.cached_property
    def m(self):
        """Positive rows of each set."""
        return self.positive.sum(axis=1).astype(float)

    @functools.cached_property
    def n(self):
        """Negative rows of each set."""
        return self.positive.shape[1] - self.m

    @functools.cached_property
    def placements(self):
        """For each row the share of the other class that it beats, or loses to; ties half."""
        up = np.cumsum(self.positive, axis=1)
        down = np.cumsum(~self.positive, axis=1)
        first, last = _ties(self.scores)

        def middle(counts):
            padded = np.concatenate([np.zeros((len(counts), 1), counts.dtype), counts], axis=1)
            below = np.take_along_axis(padded, first, axis=1)
            return (below + np.take_along_axis(counts, last, axis=1)) / 2

        beaten = middle(down) / self.n[:, None]
        lost = 1 - middle(up) / self.m[:, None]
        return np.where(self.positive, beaten, lost)

    @functools.cached_property
    def area(self):
        """The area of each set; exactly 0 or 1 where every pair is lost or won."""
        mean = np.where(self.positive, self.placements, 0).sum(axis=1) / self.m
        return np.where(np.abs(mean - np.round(mean)) < 1e-12, np.round(mean), mean)

    @functools.cached_property
    def variances(self):
        """The variances of the placements of positives and of negatives (DeLong)."""
        squares = (self.placements - self.area[:, None]) ** 2
        of_positives = np.where(self.positive, squares, 0).sum(axis=1) / (self.m - 1)
        return of_positives, np.where(self.positive, 0, squares).sum(axis=1) / (self.n - 1)

    @property
    def delong(self):
        """DeLong's variance of the area."""
        of_positives, of_negatives = self.variances
        return of_positives / self.m + of_negatives / self.n

    def __getitem__(self, lines):
        """Some of the sets."""
        return Sets(self.scores[lines], self.positive[lines])


def _ties(scores):
    """The first and the last place of each row's group of equal scores."""
    places = np.arange(scores.shape[1])
    starts = np.concatenate(
        [np.ones((len(scores), 1), bool), scores[:, 1:] != scores[:, :-1]], axis=1
    )
    ends = np.concatenate([starts[:, 1:], np.ones((len(scores), 1), bool)], axis=1)
    first = np.maximum.accumulate(np.where(starts, places, 0), axis=1)
    last = np.where(ends, places, scores.shape[1])[:, ::-1]
    return first, np.minimum.accumulate(last, axis=1)[:, ::-1]


def sample_sets(population, rows, prevalence, area, sets, seed=1):
    """Data sets of rows drawn at random; those with fewer than two rows of a class are left out."""
    place = list(POPULATIONS).index(population)
    random = np.random.default_rng(
        [seed, place, rows, round(1000 * prevalence), round(1000 * area)]
    )
    positive = random.random((sets, rows)) < prevalence
    scores = np.where(positive, *POPULATIONS[population][0](area, random, positive.shape))
    order = np.argsort(scores, axis=1)
    complete = Sets(*(np.take_along_axis(array, order, axis=1) for array in (scores, positive)))
    return complete[np.minimum(complete.m, complete.n) >= 2]


# Methods -----------------------------------------------------------------------------------------


def delong_plain(sets):
    """DeLong, DeLong & Clarke-Pearson 1988: symmetric, cut at 0 and 1."""
    half = Z * np.sqrt(sets.delong)
    return np.maximum(sets.area - half, 0), np.minimum(sets.area + half, 1)


def delong_logit(sets):
    """DeLong's variance on the logit scale (Pepe 2003, section 5.2)."""
    return _perfect(sets, *_on_logits(sets.area, sets.delong))


def exact_variance(sets):
    """The variance of a Mann-Whitney statistic, DeLong's variances put into its exact formula."""
    of_positives, of_negatives = sets.variances
    sums = (sets.n - 1) * of_positives + (sets.m - 1) * of_negatives
    return (sums + sets.area * (1 - sets.area)) / (sets.m * sets.n)


def perme_manevski(sets):
    """Pohar Perme & Manevski 2019 on the logit scale; perfect sets by an exact-type bound."""
    return _perfect(sets, *_on_logits(sets.area, exact_variance(sets)))


def perme_manevski_shift(sets):
    """The same as published: where every pair is won, one class is moved (auRoc, DL.corr)."""
    low, high = _on_logits(sets.area, exact_variance(sets))
    for line in np.flatnonzero((sets.area == 0) | (sets.area == 1)):
        negative, positive = (
            sets.scores[line][side] for side in (~sets.positive[line], sets.positive[line])
        )
        if sets.area[line] == 1:
            low[line], high[line] = shifted(negative, positive), 1.0
        else:
            low[line], high[line] = 0.0, 1 - shifted(positive, negative)
    return low, high


def shifted(lower, upper, alpha=1 - LEVEL):
    """The area once the upper class is moved down until few resamples would still be perfect."""
    moves = np.unique(np.subtract.outer(upper, lower))
    lower = np.sort(lower)
    size = np.arange(1, len(lower) + 1) / len(lower)
    largest = size ** len(lower) - (size - 1 / len(lower)) ** len(lower)

    def perfect(move):
        above = np.array([(upper - move > edge).mean() for edge in lower])
        return largest @ above ** len(upper)

    first, last = 0, len(moves) - 1
    while first < last:
        middle = (first + last) // 2
        first, last = (first, middle) if perfect(moves[middle]) <= alpha else (middle + 1, last)
    apart = np.subtract.outer(upper, lower) - moves[first]
    return float((apart > 0).mean() + (apart == 0).mean() / 2)


def newcombe_variance(area, m, n):
    """Newcombe 2006, methods 4 and 5: both of Hanley & McNeil's terms count half of all rows."""
    half = (m + n) / 2 - 1
    terms = 1 + half * ((1 - area) / (2 - area) + area / (1 + area))
    return area * (1 - area) * terms / (m * n)


def newcombe(sets):
    """Newcombe 2006, method 5: areas from which the one found is z standard errors away."""
    ends = []
    for edge in (0.0, 1.0):
        outside, inside = np.full_like(sets.area, edge), sets.area.copy()
        for _ in range(50):
            middle = (outside + inside) / 2
            squares = (sets.area - middle) ** 2
            is_covered = squares <= Z**2 * newcombe_variance(middle, sets.m, sets.n)
            inside, outside = (
                np.where(is_covered, middle, inside),
                np.where(is_covered, outside, middle),
            )
        ends.append(inside)
    return tuple(ends)


def shrunk_variance(sets):
    """DeLong's variances, each mixed with that of Hanley & McNeil's model as if on √rows rows."""
    model = sets.area * (1 - sets.area)
    model *= ((1 - sets.area) / (2 - sets.area) + sets.area / (1 + sets.area)) / 2
    total = 0.0
    for variance, rows in zip(sets.variances, (sets.m, sets.n), strict=True):
        more = np.sqrt(rows)
        total += ((rows - 1) * variance + more * model) / (rows - 1 + more) / rows
    return total


def shrunk(sets):
    """What was the default before: published nowhere."""
    return _perfect(sets, *_on_logits(sets.area, shrunk_variance(sets)))


def likelihood_ratio(sets, area):
    """Qin & Zhou 2006: the empirical likelihood of positives' placements, scaled to χ² of 1 degree.

    The scale is the variance of placements around the area over that of as many rows as
    DeLong's variance stands for.
    """
    area = np.broadcast_to(area, sets.area.shape)
    values = np.where(sets.positive, sets.placements, np.nan)
    least, most = np.nanmin(values, axis=1), np.nanmax(values, axis=1)
    inside = (least < area) & (area < most)
    deviations = np.where(inside[:, None], np.nan_to_num(values - area[:, None]), 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = ((1 / sets.m - 1) / (end - area) for end in (most, least))
    low, high = np.where(inside, low, 0.0), np.where(inside, high, 0.0)
    for _ in range(40):
        middle = (low + high) / 2
        rising = (deviations / (1 + middle[:, None] * deviations)).sum(axis=1) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    ratio = 2 * np.log1p(((low + high) / 2)[:, None] * deviations).sum(axis=1)
    scale = (deviations**2).sum(axis=1) / sets.m**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(inside & (sets.delong > 0), scale / sets.delong * ratio, np.inf)


def likelihood(sets):
    """Empirical likelihood: areas that are not too unlikely. None beyond the placements seen."""
    ends = []
    values = np.where(sets.positive, sets.placements, np.nan)
    for edge in (np.nanmin(values, axis=1), np.nanmax(values, axis=1)):
        outside, inside = edge, sets.area.copy()
        for _ in range(25):
            middle = (outside + inside) / 2
            is_covered = likelihood_ratio(sets, middle) <= Z**2
            inside, outside = (
                np.where(is_covered, middle, inside),
                np.where(is_covered, outside, middle),
            )
        ends.append(inside)
    return tuple(ends)


def _on_logits(area, variance):
    with np.errstate(divide="ignore", invalid="ignore"):
        half = Z * np.sqrt(variance) / (area * (1 - area))
        return expit(logit(area) - half), expit(logit(area) + half)


def _perfect(sets, low, high):
    """As sure as one success for each row of the smaller class (Clopper & Pearson 1934)."""
    bound = ((1 - LEVEL) / 2) ** (1 / np.minimum(sets.m, sets.n))
    low = np.where(sets.area == 1, bound, np.where(sets.area == 0, 0.0, low))
    return low, np.where(sets.area == 0, 1 - bound, np.where(sets.area == 1, 1.0, high))


METHODS = {
    "DeLong": delong_plain,
    "DeLong, logit": delong_logit,
    "Pohar Perme–Manevski": perme_manevski,
    "the same, perfect sets moved": perme_manevski_shift,
    "Newcombe, method 5": newcombe,
    "empirical likelihood": likelihood,
    "DeLong, logit, shrunk": shrunk,
}
