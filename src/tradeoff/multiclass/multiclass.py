"""Evaluation of a multiclass classifier: predicted classes, confusion matrix, areas, pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import UnknownName, did_you_mean, format_list
from tradeoff.measures.estimate import Estimate, estimate_columns
from tradeoff.measures.registry import SUMMARIES
from tradeoff.multiclass.areas import (
    Area,
    OneVsRestAreas,
    PairAreas,
    RowsByClass,
    micro_area,
    one_vs_rest_areas,
    pair_areas,
)
from tradeoff.multiclass.pairs import confusable_pairs
from tradeoff.results import Result
from tradeoff.text import format_rows
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.summaries import summary_with_interval

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores
    from tradeoff.multiclass.pairs import Pair


class PredictedClasses(NamedTuple):
    """Predicted class code of each row, and which rows have tied largest scores."""

    codes: NDArray[np.intp]
    tied: NDArray[np.bool_]


def predicted_classes(rows: ClassScores) -> PredictedClasses:
    """Multiclass prediction: the class with the largest score; the first listed on a tie.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> predicted_classes(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).codes.tolist()
        [0, 0, 1]
    """
    best = rows.scores[0].astype(np.float64)
    codes, tied = np.zeros(rows.rows, np.intp), np.zeros(rows.rows, np.bool_)
    for at, column in enumerate(rows.scores[1:], start=1):
        higher = column > best
        tied = np.where(higher, False, tied | (column == best))
        codes[higher] = at
        best[higher] = column[higher]
    return PredictedClasses(codes, tied)


def class_matrix(rows: ClassScores, predicted: NDArray[np.intp]) -> ClassMatrix:
    """Multiclass confusion matrix of actual and predicted classes.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> rows = ClassScores(scores, np.array([0, 1, 1]), ("a", "b"))
        >>> class_matrix(rows, predicted_classes(rows).codes)
        ClassMatrix(2 classes, 2 of 3 rows right)
    """
    size = len(rows.classes)
    cells = rows.codes * size + predicted
    return ClassMatrix(rows.sum_weights(cells, size * size).reshape(size, size), rows.classes)


def _tie_note(rows: ClassScores, tied: NDArray[np.bool_]) -> str | None:
    """Note on rows whose largest score is tied; None without such rows."""
    if not tied.any():
        return None
    frequencies = rows.weights if rows.is_counted else None
    number = tied.sum() if frequencies is None else frequencies[tied].sum()
    return (
        f"{format_rows(int(number))} with the same largest score for several classes: "
        "the class that is listed first is predicted"
    )


AreaName = Literal["hand_till", "macro", "weighted", "micro"]
AREAS: tuple[AreaName, ...] = get_args(AreaName)


@dataclass(frozen=True, eq=False, repr=False)
class MultiClass(Result, views="tradeoff.multiclass.views"):
    """Evaluation of a multiclass classifier with one score per class and row.

    Example:
        >>> import numpy as np
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[5.0, 4, 2, 3, 1, 0], [1, 3, 3, 4, 0, 2], [0, 0, 2, 1, 5, 4]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 1, 2, 2]), ("a", "b", "c"))
        >>> result = MultiClass(rows)
        >>> result
        MultiClass(3 classes, 6 rows: AUC 0.979 (95% CI 0.735–0.999, DeLong components, logit))
        >>> result.class_areas()["b"]
        0.938 (95% CI 0.271–0.998, Pohar Perme–Manevski on the logit scale)
        >>> result.pair_areas()[0]
        Pair('a' and 'b': separability 0.9375, 0 confused)
        >>> result.rankings["c"]
        Ranking(score of c: 6 rows, 2 'c' and 4 'not c', 5 distinct scores)
    """

    rows: ClassScores
    confidence: Confidence = DEFAULT_CONFIDENCE

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that have scores, in their original order."""
        return self.rows.classes

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes from the source, and on ties of the largest scores."""
        tied = _tie_note(self.rows, self._predicted.tied)
        return self.rows.notes if tied is None else (*self.rows.notes, tied)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """One-vs-rest ranking of each class by its score (class-reference ROC curve)."""
        return {name: self.rows.ranking(name) for name in self.classes}

    @cached_property
    def matrix(self) -> ClassMatrix:
        """Confusion matrix when the class with the largest score is predicted."""
        return class_matrix(self.rows, self._predicted.codes)

    def area(
        self, name: AreaName = "hand_till", level: float | None = None, seed: int | None = None
    ) -> Estimate:
        """Multiclass AUC with its confidence interval.

        Args:
            name: "hand_till" is the mean over pairs of classes and does not depend on their
                prevalence; "macro" the mean over classes, one-vs-rest; "weighted" the same
                weighted by prevalence; "micro" pools all one-vs-rest decisions, so that scores of
                different classes are compared with each other.
            level: Confidence level; by default that of `confidence`, like the seed.
            seed: For "micro", whose standard error is from bootstrap resamples.
        """
        if name not in AREAS:
            raise UnknownName(
                f"There is no multiclass area {name!r}.{did_you_mean(str(name), AREAS)} "
                f"There are {format_list(AREAS)}."
            )
        seed = self.confidence.seed if seed is None else seed
        return self._area(name, seed).estimate(f"{name}_auc", level or self.confidence.level)

    def class_areas(self, level: float | None = None) -> dict[str, Estimate]:
        """One-vs-rest AUC of each class."""
        confidence = Confidence(level or self.confidence.level)
        return {
            name: summary_with_interval(SUMMARIES["auc"], ranking, confidence)
            for name, ranking in self.rankings.items()
        }

    def pair_areas(self, level: float | None = None) -> list[Pair]:
        """AUC of each pair of classes, most confusable first."""
        return confusable_pairs(
            self._groups, self._pairs[0], self.matrix, level or self.confidence.level
        )

    def columns(self) -> dict[str, list[Any]]:
        """One row per class: its one-vs-rest AUC."""
        return estimate_columns(self.class_areas(), "class")

    def __repr__(self) -> str:
        """Classes, rows and Hand–Till AUC on one line."""
        size = f"{len(self.classes)} classes, {format_rows(self.rows.rows)}"
        return f"MultiClass({size}: AUC {self.area()})"

    def _area(self, name: AreaName, seed: int) -> Area:
        if name == "micro":
            return micro_area(self.rows, seed=seed)
        if name == "hand_till":
            return self._pairs[1]
        return self._one_vs_rest.macro if name == "macro" else self._one_vs_rest.weighted

    @cached_property
    def _groups(self) -> RowsByClass:
        return RowsByClass.of(self.rows)

    @cached_property
    def _predicted(self) -> PredictedClasses:
        return predicted_classes(self.rows)

    @cached_property
    def _one_vs_rest(self) -> OneVsRestAreas:
        return one_vs_rest_areas(self._groups)

    @cached_property
    def _pairs(self) -> tuple[tuple[PairAreas, ...], Area]:
        return pair_areas(self._groups)
