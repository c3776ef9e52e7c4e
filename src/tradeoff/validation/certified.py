"""The certified data sets: exact numbers, and how many digits of them we and others have.

Every number is a fraction, computed from its definition by looking at every pair of rows
(tests/certified/certify.py), so it owes nothing to the code that it certifies.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.api import evaluate
from tradeoff.core.costs import Costs
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.sources.policy import WeightMeans
from tradeoff.uncertainty.auc import placements
from tradeoff.validation.agreement import Certification, CertifiedNumber, Points, judged

Value = float | tuple[tuple[float, float], ...] | str
"""A number, the points of a hull, or why a tool refuses; NaN: the tool says "undefined"."""

OURS = "tradeoff"


@dataclass(frozen=True)
class CertifiedSet:
    """Rows, and the exact numbers of the quantities that are certified for them.

    Scores and weights are texts that are parsed exactly; `weights_are` is "frequency",
    "importance" or None. A number is None where it is undefined.
    """

    name: str
    title: str
    score: tuple[str, ...]
    positive: tuple[int, ...]
    weight: tuple[str, ...] | None
    weights_are: WeightMeans | None
    certified: Mapping[str, Fraction | Points | None]

    @property
    def scores(self) -> NDArray[np.float64]:
        """The scores as doubles."""
        return np.array([float(text) for text in self.score])

    @property
    def classes(self) -> NDArray[np.int64]:
        """1 for a positive row, 0 for a negative one."""
        return np.array(self.positive, np.int64)

    @property
    def weights(self) -> NDArray[Any] | None:
        """Frequencies as integers, importances as doubles."""
        if self.weight is None:
            return None
        exact = [Fraction(text) for text in self.weight]
        kind = int if self.weights_are == "frequency" else float
        return np.array([kind(weight) for weight in exact])


def certified_sets() -> tuple[CertifiedSet, ...]:
    """All certified data sets."""
    return tuple(_set(stored) for stored in _stored()["sets"])


def definitions() -> dict[str, str]:
    """What each certified quantity means."""
    return dict(_stored()["definitions"])


def _stored() -> dict[str, Any]:
    file = resources.files("tradeoff.data").joinpath("certified.json")
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document


def _set(stored: dict[str, Any]) -> CertifiedSet:
    certified, undefined = stored["certified"], stored["undefined"]
    return CertifiedSet(
        name=stored["name"],
        title=stored["title"],
        score=tuple(stored["score"]),
        positive=tuple(stored["positive"]),
        weight=None if stored["weight"] is None else tuple(stored["weight"]),
        weights_are=stored["weights_are"],
        certified={
            quantity: None if quantity in undefined else _exact(value)
            for quantity, value in certified.items()
        },
    )


def _exact(value: Any) -> Fraction | Points:
    if isinstance(value, str):
        return Fraction(value)
    return tuple((Fraction(x), Fraction(y)) for x, y in value)


def certified_numbers(
    tools: Mapping[str, Mapping[tuple[str, str], Value]],
    data_sets: Sequence[CertifiedSet] | None = None,
) -> list[CertifiedNumber]:
    """Every certified number, with what each tool makes of it.

    `tools` has the answers of each tool by data set and quantity; what a tool does not compute is
    not there.
    """
    numbers = []
    for data_set in certified_sets() if data_sets is None else data_sets:
        for quantity, exact in data_set.certified.items():
            place = (data_set.name, quantity)
            results = {
                tool: judged(exact, answers[place])
                for tool, answers in tools.items()
                if place in answers
            }
            numbers.append(CertifiedNumber(data_set.name, quantity, exact, results))
    return numbers


def certify(tools: Callable[[Sequence[CertifiedSet]], Mapping[str, Any]]) -> Certification:
    """The certified data sets, with the answers of tools that take them."""
    data_sets = certified_sets()
    numbers = certified_numbers(tools(data_sets), data_sets)
    titles = {data_set.name: data_set.title for data_set in data_sets}
    return Certification(tuple(numbers), titles)


def our_answers(data_sets: Iterable[CertifiedSet]) -> dict[tuple[str, str], Value]:
    """What tradeoff computes for each certified number."""
    answers: dict[tuple[str, str], Value] = {}
    for data_set in data_sets:
        evaluation = evaluate(
            actual=data_set.classes,
            score=data_set.scores,
            positive=1,
            weight=data_set.weights,
            weight_means=data_set.weights_are,
        )
        for quantity in data_set.certified:
            answers[data_set.name, quantity] = OUR_QUANTITIES[quantity](evaluation)
    return answers


def _summary(name: str, **parameters: Any) -> Callable[[Evaluation], float]:
    return lambda evaluation: evaluation.summary(name, **parameters, level=None).value


def _delong_variance(evaluation: Evaluation) -> float:
    ranking = evaluation.ranking
    has_both = ranking.positives and ranking.negatives
    return placements(ranking).variance if has_both else math.nan


def _hull(evaluation: Evaluation) -> Value:
    ranking = evaluation.ranking
    if not (ranking.positives and ranking.negatives):
        return math.nan
    return tuple((vertex.fpr, vertex.tpr) for vertex in evaluation.hull().vertices)


def _best_cost(false_positive: float, false_negative: float) -> Callable[[Evaluation], float]:
    return lambda evaluation: evaluation.best(costs=Costs(false_positive, false_negative)).value


OUR_QUANTITIES: dict[str, Callable[[Evaluation], Value]] = {
    "auc": _summary("auc"),
    "delong_variance": _delong_variance,
    "average_precision": _summary("average_precision"),
    "brier": _summary("brier"),
    "hull": _hull,
    "hull_area": _summary("auc_hull"),
    "partial_auc_1/8": _summary("partial_auc", low=0.0, high=1 / 8),
    "partial_auc_1/2": _summary("partial_auc", low=0.0, high=1 / 2),
    "mcclish_1/8": _summary("partial_auc_mcclish", low=0.0, high=1 / 8),
    "mcclish_1/2": _summary("partial_auc_mcclish", low=0.0, high=1 / 2),
    "best_cost_1_1": _best_cost(1, 1),
    "best_cost_1_4": _best_cost(1, 4),
    "best_cost_4_1": _best_cost(4, 1),
}
"""How tradeoff is asked for each quantity."""
