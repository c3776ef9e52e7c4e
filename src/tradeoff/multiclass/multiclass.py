"""The façade: what can be asked of a classifier of many classes. Computes nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.confusion import ClassMatrix
from tradeoff.core.ranking import Ranking
from tradeoff.errors import UnknownName, did_you_mean, listed
from tradeoff.measures.estimate import Estimate, estimate_columns
from tradeoff.measures.registry import SUMMARIES
from tradeoff.multiclass.areas import (
    Area,
    Groups,
    PairAreas,
    RestAreas,
    micro_area,
    pair_areas,
    rest_areas,
)
from tradeoff.multiclass.pairs import confusable_pairs
from tradeoff.results import Result
from tradeoff.text import rows as number_of_rows
from tradeoff.uncertainty.confidence import USUAL, Confidence
from tradeoff.uncertainty.summaries import sure_summary

if TYPE_CHECKING:
    from tradeoff.core.class_scores import ClassScores
    from tradeoff.multiclass.pairs import Pair


# The class with the largest score is the one that is predicted.


class Largest(NamedTuple):
    """The place of each row's predicted class, and which rows several classes had a claim to."""

    codes: NDArray[np.intp]
    tied: NDArray[np.bool_]


def largest(rows: ClassScores) -> Largest:
    """Predict the class with the largest score; on a tie, the one that is listed first.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> largest(ClassScores(scores, np.array([0, 0, 1]), ("a", "b"))).codes.tolist()
        [0, 0, 1]
    """
    best = rows.scores[0].astype(np.float64)
    codes, tied = np.zeros(rows.rows, np.intp), np.zeros(rows.rows, np.bool_)
    for at, column in enumerate(rows.scores[1:], start=1):
        higher = column > best
        tied = np.where(higher, False, tied | (column == best))
        codes[higher] = at
        best[higher] = column[higher]
    return Largest(codes, tied)


def class_matrix(rows: ClassScores, predicted: NDArray[np.intp]) -> ClassMatrix:
    """Count the predicted classes against the actual ones.

    Example:
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([0.9, 0.4, 0.1]), np.array([0.1, 0.4, 0.8])
        >>> rows = ClassScores(scores, np.array([0, 1, 1]), ("a", "b"))
        >>> class_matrix(rows, largest(rows).codes)
        ClassMatrix(2 classes, 2 of 3 rows right)
    """
    size = len(rows.classes)
    cells = rows.codes * size + predicted
    return ClassMatrix(rows.added_up(cells, size * size).reshape(size, size), rows.classes)


def _tie_note(rows: ClassScores, tied: NDArray[np.bool_]) -> str | None:
    """How many rows have no single largest score; nothing where every row has one."""
    if not tied.any():
        return None
    seen = rows.weights if rows.is_counted else None
    number = tied.sum() if seen is None else seen[tied].sum()
    return (
        f"{number_of_rows(int(number))} with the same largest score for several classes: "
        "the class that is listed first is predicted"
    )


AreaName = Literal["hand_till", "macro", "weighted", "micro"]
AREAS: tuple[AreaName, ...] = get_args(AreaName)


@dataclass(frozen=True, eq=False, repr=False)
class MultiClass(Result, views="tradeoff.multiclass.views"):
    """A classifier of any number of classes, judged by one score for each class and row.

    Example:
        >>> import numpy as np
        >>> from tradeoff.core.class_scores import ClassScores
        >>> scores = np.array([[5.0, 4, 2, 3, 1, 0], [1, 3, 3, 4, 0, 2], [0, 0, 2, 1, 5, 4]])
        >>> rows = ClassScores(tuple(scores), np.array([0, 0, 1, 1, 2, 2]), ("a", "b", "c"))
        >>> judged = MultiClass(rows)
        >>> judged
        MultiClass(3 classes, 6 rows: Estimate(hand_till_auc = 0.9792, 95 % from 0.7348 to 0.9987))
        >>> judged.class_areas()["b"]
        Estimate(auc = 0.9375, 95 % from 0.2714 to 0.9983)
        >>> judged.pair_areas()[0]
        Pair('a' and 'b': separability 0.9375, 0 confused)
        >>> judged.rankings["c"]
        Ranking(score of c: 6 rows, 2 'c' and 4 'not c', 5 distinct scores)
    """

    rows: ClassScores
    confidence: Confidence = USUAL

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that have scores, in the order in which they were given."""
        return self.rows.classes

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader must know: notes from the source, and ties of the largest scores."""
        tied = _tie_note(self.rows, self._largest.tied)
        return self.rows.notes if tied is None else (*self.rows.notes, tied)

    @cached_property
    def rankings(self) -> dict[str, Ranking]:
        """Each class against the rest, ranked by its own score (its class-reference ROC curve)."""
        return {name: self.rows.ranking(name) for name in self.classes}

    @cached_property
    def matrix(self) -> ClassMatrix:
        """Actual classes against predicted ones: the class with the largest score."""
        return class_matrix(self.rows, self._largest.codes)

    def area(
        self, name: AreaName = "hand_till", level: float | None = None, seed: int | None = None
    ) -> Estimate:
        """One area under the ROC curve for all classes together.

        Args:
            name: "hand_till" is the mean over pairs of classes and does not depend on how frequent
                they are; "macro" the mean over classes, each against the rest; "weighted" the same
                weighed by prevalence; "micro" pools all decisions, so that scores of different
                classes are compared with each other.
            level: Confidence level; that of `confidence` if not said, like the seed.
            seed: For "micro", whose standard error is that of bootstrap resamples.
        """
        if name not in AREAS:
            raise UnknownName(
                f"No area of many classes is called {name!r}.{did_you_mean(str(name), AREAS)} "
                f"There are {listed(AREAS)}."
            )
        seed = self.confidence.seed if seed is None else seed
        return self._area(name, seed).estimate(f"{name}_auc", level or self.confidence.level)

    def class_areas(self, level: float | None = None) -> dict[str, Estimate]:
        """The area of each class against the rest: that of its ranking."""
        confidence = Confidence(level or self.confidence.level)
        return {
            name: sure_summary(SUMMARIES["auc"], ranking, confidence)
            for name, ranking in self.rankings.items()
        }

    def pair_areas(self, level: float | None = None) -> list[Pair]:
        """How well each pair of classes is told apart, most confusable first."""
        return confusable_pairs(
            self._groups, self._pairs[0], self.matrix, level or self.confidence.level
        )

    def columns(self) -> dict[str, list[Any]]:
        """One line a class: its area against the rest."""
        return estimate_columns(self.class_areas(), "class")

    def __repr__(self) -> str:
        """One line: how many classes and rows, and how well the classes are told apart."""
        size = f"{len(self.classes)} classes, {number_of_rows(self.rows.rows)}"
        return f"MultiClass({size}: {self.area()})"

    def _area(self, name: AreaName, seed: int) -> Area:
        if name == "micro":
            return micro_area(self.rows, seed=seed)
        if name == "hand_till":
            return self._pairs[1]
        return self._against_rest.macro if name == "macro" else self._against_rest.weighted

    @cached_property
    def _groups(self) -> Groups:
        return Groups.of(self.rows)

    @cached_property
    def _largest(self) -> Largest:
        return largest(self.rows)

    @cached_property
    def _against_rest(self) -> RestAreas:
        return rest_areas(self._groups)

    @cached_property
    def _pairs(self) -> tuple[tuple[PairAreas, ...], Area]:
        return pair_areas(self._groups)
