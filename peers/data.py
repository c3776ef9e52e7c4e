"""Data made to be awkward: ties, weights, a handful of rows, rare classes, empty classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

import tradeoff as to

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20_260
THRESHOLD = 0.5
SIZES = (2, 3, 5, 9, 24, 120, 400)
PREVALENCES = (0.04, 0.3, 0.5, 0.92)
KINDS = ("probabilities", "one decimal", "five levels", "certain", "weak")
WEIGHTS = ("", "whole weights", "real weights")


@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows of two classes, 1 and 0, with the probability that a model gives to 1."""

    name: str
    actual: np.ndarray
    score: np.ndarray
    weight: np.ndarray | None = None

    @cached_property
    def ranking(self) -> to.Ranking:
        return to.evaluate(actual=self.actual, score=self.score, weight=self.weight).ranking

    @cached_property
    def matrix(self) -> to.ConfusionMatrix:
        return self.ranking.at(THRESHOLD)

    @property
    def predicted(self) -> np.ndarray:
        return (self.score >= THRESHOLD).astype(int)

    @property
    def has_weightless_class(self) -> bool:
        """Whether all rows of a class weigh 0."""
        if self.weight is None:
            return False
        weights = np.bincount(self.actual, self.weight, minlength=2)
        return bool((weights == 0).any())

    def __str__(self) -> str:
        weight = "" if self.weight is None else f", weight={self.weight[:12].tolist()}"
        return (
            f"{self.name} (actual={self.actual[:12].tolist()}, "
            f"score={np.round(self.score[:12], 6).tolist()}{weight})"
        )


@cache
def scored_rows() -> tuple[ScoredRows, ...]:
    """Every size with every prevalence and kind of score; weights in turn."""
    found = []
    for place, (size, prevalence, kind) in enumerate(product(SIZES, PREVALENCES, KINDS)):
        rng = np.random.default_rng([SEED, place])
        actual = _classes(rng, size, prevalence)
        weights = WEIGHTS[place % len(WEIGHTS)]
        name = ", ".join(
            filter(None, (f"{size} rows", f"{prevalence:.0%} positive", kind, weights))
        )
        found.append(
            ScoredRows(name, actual, _scores(rng, actual, kind), _weights(rng, size, weights))
        )
    return (*found, *_one_class_or_score())


def unweighted_rows() -> Iterator[ScoredRows]:
    """All of them, for programs that know no weights."""
    return (ScoredRows(rows.name, rows.actual, rows.score) for rows in scored_rows())


def _one_class_or_score() -> Iterator[ScoredRows]:
    """Where most numbers are undefined."""
    rng = np.random.default_rng([SEED, 1])
    for value, size in product((0, 1), (1, 2, 7)):
        yield ScoredRows(f"{size} rows, all {value}", np.full(size, value), rng.random(size))
    actual = _classes(rng, 12, 0.4)
    yield ScoredRows("one score", actual, np.full(12, 0.25))
    yield ScoredRows("one score, all predicted positive", actual, np.full(12, 0.75))
    yield ScoredRows("perfect", actual, np.where(actual, 0.75, 0.25) + rng.random(12) / 8)
    yield ScoredRows("inverted", actual, np.where(actual, 0.25, 0.75) + rng.random(12) / 8)
    half = rng.random(12).round(1)
    yield ScoredRows("positives without weight", actual, half, np.where(actual, 0.0, 1.5))
    yield ScoredRows("negatives without weight", actual, half, np.where(actual, 2, 0))


def _classes(rng: np.random.Generator, size: int, prevalence: float) -> np.ndarray:
    """Classes at random, each with one row at least."""
    actual = (rng.random(size) < prevalence).astype(int)
    actual[rng.permutation(size)[:2]] = [0, 1]
    return actual


def _scores(rng: np.random.Generator, actual: np.ndarray, kind: str) -> np.ndarray:
    logits = rng.normal(1.2 * actual - 0.6, 1.3)
    chances = 1 / (1 + np.exp(-logits))
    if kind == "one decimal":
        return chances.round(1)
    if kind == "five levels":
        return np.digitize(chances, [0.2, 0.4, 0.6, 0.8]) / 4
    if kind == "certain":
        return np.where(rng.random(len(actual)) < 0.5, chances.round(), chances)
    if kind == "weak":
        return rng.random(len(actual))
    return chances


def _weights(rng: np.random.Generator, size: int, kind: str) -> np.ndarray | None:
    if kind == "whole weights":
        return rng.integers(0, 5, size) + (np.arange(size) < 2)
    return rng.exponential(1.0, size) + 0.01 if kind == "real weights" else None


@dataclass(frozen=True, eq=False)
class ClassifiedRows:
    """Rows of any number of classes, numbered from 0, with the class that a model predicts."""

    name: str
    actual: np.ndarray
    predicted: np.ndarray
    classes: int
    weight: np.ndarray | None = None

    @cached_property
    def counts(self) -> np.ndarray:
        cells = self.actual * self.classes + self.predicted
        if self.weight is None:
            counted = np.bincount(cells, minlength=self.classes**2)
        else:
            counted = np.bincount(cells, self.weight, minlength=self.classes**2)
        return counted.reshape(self.classes, self.classes)

    @cached_property
    def matrix(self) -> to.ClassMatrix:
        return to.ClassMatrix(self.counts, tuple(map(str, range(self.classes))))

    def __str__(self) -> str:
        return f"{self.name} (counts={self.counts.tolist()})"


@cache
def classified_rows() -> tuple[ClassifiedRows, ...]:
    """Two to six classes, a row to hundreds; some never occur or are never predicted."""
    found = []
    for place, (classes, size, skill) in enumerate(
        product((2, 3, 4, 6), (1, 4, 10, 40, 300), (0.0, 0.6, 0.95, 1.0))
    ):
        rng = np.random.default_rng([SEED, 2, place])
        shares = rng.dirichlet(np.full(classes, 0.7))
        actual = rng.choice(classes, size, p=shares)
        guess = rng.choice(classes, size, p=rng.permutation(shares))
        predicted = np.where(rng.random(size) < skill, actual, guess)
        name = f"{size} rows of {classes} classes, {skill:.0%} right"
        found.append(ClassifiedRows(name, actual, predicted, classes))
    return tuple(found)


@cache
def weighted_classified_rows() -> tuple[ClassifiedRows, ...]:
    """The same rows, each with a real weight."""
    rng = np.random.default_rng([SEED, 3])
    return tuple(
        ClassifiedRows(
            f"{rows.name}, weighted",
            rows.actual,
            rows.predicted,
            rows.classes,
            rng.exponential(1.0, len(rows.actual)) + 0.01,
        )
        for rows in classified_rows()
    )


@dataclass(frozen=True, eq=False)
class ClassScoredRows:
    """Rows of several classes with a probability for each of them."""

    name: str
    actual: np.ndarray
    chances: np.ndarray

    @cached_property
    def judged(self) -> to.MultiClass:
        columns = {str(k): column for k, column in enumerate(self.chances.T)}
        return to.evaluate_classes(actual=self.actual.astype(str), score=columns)

    def __str__(self) -> str:
        return self.name


@cache
def class_scored_rows() -> tuple[ClassScoredRows, ...]:
    """Three to five classes; every class has a row. Every second set has ties."""
    found = []
    for place, (classes, size) in enumerate(product((3, 4, 5), (6, 12, 40, 200))):
        rng = np.random.default_rng([SEED, 4, place])
        actual = rng.integers(0, classes, size)
        actual[:classes] = np.arange(classes)
        logits = rng.normal(size=(size, classes)) + np.eye(classes)[actual]
        whole = rng.multinomial(8, _softmax(logits)) / 8 if place % 2 else _softmax(logits)
        found.append(ClassScoredRows(f"{size} rows, scores for {classes} classes", actual, whole))
    return tuple(found)


def _softmax(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True)


@dataclass(frozen=True, eq=False)
class TwoModels:
    """Rows that two models scored; `other` are rows of their own, for unpaired tests."""

    name: str
    actual: np.ndarray
    first: np.ndarray
    second: np.ndarray

    @cached_property
    def comparison(self) -> to.Comparison:
        return to.compare(actual=self.actual, score={"first": self.first, "second": self.second})

    @cached_property
    def rankings(self) -> tuple[to.Ranking, to.Ranking]:
        found = self.comparison.rankings
        return found["first"], found["second"]

    def __str__(self) -> str:
        return (
            f"{self.name} (actual={self.actual[:12].tolist()}, first={self.first[:12].tolist()}, "
            f"second={self.second[:12].tolist()})"
        )


@cache
def two_models() -> tuple[TwoModels, ...]:
    """Correlated models, with and without ties, few and many rows, rare positives."""
    found = []
    for place, (size, prevalence, digits) in enumerate(
        product((4, 8, 30, 150, 500), (0.1, 0.5), (1, 6))
    ):
        rng = np.random.default_rng([SEED, 5, place])
        actual = _classes(rng, size, prevalence)
        actual[:4] = [0, 1, 0, 1]
        shared = rng.normal(size=size)
        scores = [
            (1 / (1 + np.exp(-(shared + rng.normal(size=size)) / 2 - lift * actual))).round(digits)
            for lift in (1.0, 0.6)
        ]
        name = f"{size} rows, {prevalence:.0%} positive, {digits} decimals"
        found.append(TwoModels(name, actual, *scores))
    return tuple(found)


@cache
def two_by_two() -> tuple[tuple[int, int, int, int], ...]:
    """tp, fn, fp, tn: every pattern of empty cells, then random counts."""
    rng = np.random.default_rng([SEED, 6])
    empty = [tuple(int(c) for c in cells * rng.integers(1, 30, 4)) for cells in _patterns()]
    filled = [
        tuple(int(c) for c in rng.integers(0, high, 4))
        for high in (3, 12, 90, 5000)
        for _ in range(10)
    ]
    return tuple(cells for cells in (*empty, *filled) if any(cells))


def _patterns() -> Iterator[np.ndarray]:
    return (np.array(cells) for cells in product((0, 1), repeat=4))


@dataclass(frozen=True, eq=False)
class CountedClasses:
    """A confusion matrix given as counts."""

    matrix: to.ClassMatrix

    @property
    def actual(self) -> np.ndarray:
        return self.matrix.counts.sum(axis=1)

    @property
    def predicted(self) -> np.ndarray:
        return self.matrix.counts.sum(axis=0)

    def __str__(self) -> str:
        return f"counts={self.matrix.counts.astype(int).tolist()}"


def counted_classes() -> Iterator[CountedClasses]:
    """Two classes with every pattern of empty cells, then two to six classes of random rows."""
    for tp, fn, fp, tn in two_by_two():
        yield CountedClasses(to.ClassMatrix(np.array([[tp, fn], [fp, tn]]), ("0", "1")))
    for rows in classified_rows():
        yield CountedClasses(rows.matrix)


def shares() -> Iterator[tuple[int, int]]:
    """Hits and trials: none, all, and random ones in between."""
    rng = np.random.default_rng([SEED, 9])
    for trials in (1, 2, 5, 10, 37, 200, 5000):
        yield from ((0, trials), (trials, trials))
        yield from ((int(hits), trials) for hits in rng.integers(0, trials + 1, 4))


@dataclass(frozen=True)
class PlannedArea:
    """What a trial of one area is planned with."""

    name: str
    auc: float
    positives: int
    negatives: int
    power: float
    significance: float


def plans() -> Iterator[PlannedArea]:
    """Areas near and far from chance, balanced and not."""
    grid = product((0.55, 0.7, 0.9), ((10, 10), (20, 180), (200, 50)), (0.8, 0.95), (0.01, 0.1))
    for auc, (positives, negatives), power, significance in grid:
        name = f"AUC {auc}, {positives} and {negatives} rows, power {power}, {significance}"
        yield PlannedArea(name, auc, positives, negatives, power, significance)
