"""The certified data sets: exact numbers, and how many digits of them we and others have.

Every number is a fraction, computed from its definition by looking at every pair of rows
(tests/certified/certify.py), so it owes nothing to the code that it certifies.
"""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from importlib.metadata import version
from importlib.util import find_spec
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


MOST_ROWS = 1000
"""R's packages take no weights: rows that were seen more than once are repeated, up to so many."""
PATIENCE = 300
"""Seconds that R may take."""

Answers = dict[tuple[str, str], "Value"]


def installed_tools(data_sets: Sequence[CertifiedSet]) -> dict[str, Answers]:
    """The answers of tradeoff and of every other tool that is installed, by tool and version."""
    tools = {OURS: our_answers(data_sets)}
    if find_spec("sklearn") is not None:
        tools[f"scikit-learn {version('scikit-learn')}"] = sklearn_answers(data_sets)
    return tools | r_answers(data_sets)


def sklearn_answers(data_sets: Iterable[CertifiedSet]) -> Answers:
    """What scikit-learn computes; it has neither a variance nor a hull."""
    from sklearn import metrics

    def area(rows: tuple[Any, Any], weights: Any, **more: Any) -> float:
        return float(metrics.roc_auc_score(*rows, sample_weight=weights, **more))

    quantities: Mapping[str, Callable[[Any, Any], float]] = {
        "auc": area,
        "average_precision": lambda rows, weights: float(
            metrics.average_precision_score(*rows, sample_weight=weights)
        ),
        "brier": lambda rows, weights: float(
            metrics.brier_score_loss(*rows, sample_weight=weights)
        ),
        "mcclish_1/8": lambda rows, weights: area(rows, weights, max_fpr=1 / 8),
        "mcclish_1/2": lambda rows, weights: area(rows, weights, max_fpr=1 / 2),
    }
    answers: Answers = {}
    for data_set in data_sets:
        rows, weights = (data_set.classes, data_set.scores), data_set.weights
        floats = None if weights is None else weights.astype(float)
        for quantity in quantities.keys() & data_set.certified.keys():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns where it says that a number is undefined
                try:
                    value: Value = quantities[quantity](rows, floats)
                except ValueError as problem:
                    value = str(problem).splitlines()[0]
            answers[data_set.name, quantity] = value
    return answers


def r_answers(data_sets: Iterable[CertifiedSet]) -> dict[str, Answers]:
    """What pROC and ROCR compute, where R has them."""
    program = shutil.which("Rscript")
    if program is None:
        return {}
    tools: dict[str, Answers] = {}
    for tool, name, quantity, value in csv.reader(io.StringIO(_asked(program, data_sets))):
        answers = tools.setdefault(tool, {})
        answers[name, quantity] = _r_value(value)
    return tools


def _asked(program: str, data_sets: Iterable[CertifiedSet]) -> str:
    """What our script prints in R; nothing if R itself fails."""
    script = resources.files("tradeoff.validation").joinpath("peers.R")
    with resources.as_file(script) as path:
        try:
            done = subprocess.run(  # noqa: S603 - R, by its full path, on a script of our own
                [program, "--vanilla", str(path)],
                input="".join(_lines(data_sets)),
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=True,
            )
        except subprocess.SubprocessError:
            return ""
    return done.stdout


def _lines(data_sets: Iterable[CertifiedSet]) -> Iterable[str]:
    """One line a row: data set, class, score. Hexadecimal digits are exact in any parser."""
    for data_set in data_sets:
        counts = [Fraction(text) for text in data_set.weight or ["1"] * len(data_set.score)]
        if data_set.weights_are == "importance" or sum(counts) > MOST_ROWS:
            continue
        for score, positive, count in zip(
            data_set.scores.tolist(), data_set.positive, counts, strict=True
        ):
            yield f"{data_set.name},{positive},{score.hex()}\n" * int(count)


def _r_value(text: str) -> Value:
    """R writes the points of a hull as x y, one behind the other, with a semicolon between."""
    if text.startswith("!"):
        return text[1:]
    if ";" in text:
        points = [point.split() for point in text.split(";")]
        return tuple((float(x), float(y)) for x, y in points)
    return float("nan") if text in {"NA", "NaN"} else float(text)
