"""Evaluation of a multiclass classifier: predicted classes, confusion matrix, AUCs and pairs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import UnknownName, did_you_mean, format_list
from tradeoff.formatting import format_rows
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
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.summary_intervals import summary_with_interval

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores
    from tradeoff.multiclass.pairs import Pair


class PredictedClasses(NamedTuple):
    """Predicted class code of each row, and a mask of the rows whose largest score is tied."""

    codes: NDArray[np.intp]
    is_tied: NDArray[np.bool_]


def predicted_classes(rows: ClassScores) -> PredictedClasses:
    """Multiclass predictions: the class with the largest score or, among ties, the first listed.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> predicted_classes(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).codes.tolist()
        [0, 0, 1]
    """
    largest_scores = rows.scores[0].astype(np.float64)
    codes, is_tied = np.zeros(rows.rows, np.intp), np.zeros(rows.rows, np.bool_)
    for code, column in enumerate(rows.scores[1:], start=1):
        is_larger = column > largest_scores
        is_tied = np.where(is_larger, False, is_tied | (column == largest_scores))
        codes[is_larger] = code
        largest_scores[is_larger] = column[is_larger]
    return PredictedClasses(codes, is_tied)


def class_matrix(rows: ClassScores, predicted_codes: NDArray[np.intp]) -> ClassMatrix:
    """Multiclass confusion matrix of actual and predicted classes.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> rows = ClassScores(scores, np.array([0, 1, 1]), ("a", "b"))
        >>> class_matrix(rows, predicted_classes(rows).codes)
        ClassMatrix(2 classes, 2 of 3 rows correct)
    """
    size = len(rows.classes)
    cell_codes = rows.codes * size + predicted_codes
    return ClassMatrix(rows.sum_weights(cell_codes, size * size).reshape(size, size), rows.classes)


def _tie_note(rows: ClassScores, is_tied: NDArray[np.bool_]) -> str | None:
    """Note on rows whose largest score is tied; None if there are no such rows."""
    if not is_tied.any():
        return None
    frequencies = rows.weights if rows.is_counted else None
    count = int(is_tied.sum() if frequencies is None else frequencies[is_tied].sum())
    return (
        f"{rows.wording.count(count)} {'has' if count == 1 else 'have'} the same largest score for "
        "several classes: the class listed first is predicted"
    )


AreaName = Literal["hand_till", "macro", "weighted", "micro"]
AREA_NAMES: tuple[AreaName, ...] = get_args(AreaName)


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
        """Notes of the source, and a note on rows whose largest score is tied."""
        tie_note = _tie_note(self.rows, self._predictions.is_tied)
        return self.rows.notes if tie_note is None else (*self.rows.notes, tie_note)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """One-vs-rest ranking of each class by its score (class-reference ROC curve)."""
        return {name: self.rows.ranking(name) for name in self.classes}

    @cached_property
    def matrix(self) -> ClassMatrix:
        """Confusion matrix when the class with the largest score is predicted."""
        return class_matrix(self.rows, self._predictions.codes)

    def area(
        self, name: AreaName = "hand_till", level: float | None = None, seed: int | None = None
    ) -> Estimate:
        """Multiclass AUC with its confidence interval.

        Args:
            name: "hand_till" is the mean over pairs of classes and does not depend on their
                prevalence; "macro" is the mean over classes, one-vs-rest; "weighted" is the same,
                weighted by prevalence; "micro" pools all one-vs-rest decisions, so that scores of
                different classes are compared with each other.
            level: Confidence level; by default, like the seed, that of `confidence`.
            seed: Seed for "micro", whose standard error comes from bootstrap resamples.
        """
        if name not in AREA_NAMES:
            raise UnknownName(
                f"There is no multiclass AUC {name!r}.{did_you_mean(str(name), AREA_NAMES)} "
                f"The available ones are {format_list(AREA_NAMES)}."
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
        """AUCs of each pair of classes, most confusable first."""
        return confusable_pairs(
            self._groups, self._pairwise_areas[0], self.matrix, level or self.confidence.level
        )

    def columns(self) -> dict[str, list[Any]]:
        """One row per class: its one-vs-rest AUC."""
        return estimate_columns(self.class_areas(), "class")

    def __repr__(self) -> str:
        """One line: the numbers of classes and rows, and the Hand–Till AUC."""
        size = f"{len(self.classes)} classes, {format_rows(self.rows.rows)}"
        return f"MultiClass({size}: AUC {self.area()})"

    def _area(self, name: AreaName, seed: int) -> Area:
        if name == "micro":
            return micro_area(self.rows, seed=seed)
        if name == "hand_till":
            return self._pairwise_areas[1]
        return self._one_vs_rest.macro if name == "macro" else self._one_vs_rest.weighted

    @cached_property
    def _groups(self) -> RowsByClass:
        return RowsByClass.of(self.rows)

    @cached_property
    def _predictions(self) -> PredictedClasses:
        return predicted_classes(self.rows)

    @cached_property
    def _one_vs_rest(self) -> OneVsRestAreas:
        return one_vs_rest_areas(self._groups)

    @cached_property
    def _pairwise_areas(self) -> tuple[tuple[PairAreas, ...], Area]:
        return pair_areas(self._groups)
