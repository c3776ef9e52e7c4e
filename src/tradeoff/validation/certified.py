"""Certified data sets with exact values, and the answers of tradeoff and other tools.

Every value is a fraction, computed from its definition over all pairs of rows
(tests/golden/certified/certify.py), independently of the code that it certifies.
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

from tradeoff.core.costs import Costs
from tradeoff.entry_points import evaluate
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.sources.row_policy import WeightMeans
from tradeoff.uncertainty.auc import placement_variances
from tradeoff.validation.agreement import Certification, CertifiedNumber, Points, assess_answer

Value = float | tuple[tuple[float, float], ...] | str
"""A value, the points of a hull, or a tool's error message; NaN: the tool answers "undefined"."""

OURS = "tradeoff"


@dataclass(frozen=True)
class CertifiedSet:
    """Certified data set: its rows, and the exact values of the certified quantities.

    Scores and weights are strings that are parsed exactly; `weight_type` is "frequency",
    "importance" or None. A value is None if it is undefined.
    """

    name: str
    title: str
    score: tuple[str, ...]
    positive: tuple[int, ...]
    weight: tuple[str, ...] | None
    weight_type: WeightMeans | None
    certified: Mapping[str, Fraction | Points | None]

    @property
    def scores(self) -> NDArray[np.float64]:
        """Scores as doubles."""
        return np.array([float(text) for text in self.score])

    @property
    def classes(self) -> NDArray[np.int64]:
        """Classes: 1 for a positive row, 0 for a negative one."""
        return np.array(self.positive, np.int64)

    @property
    def weights(self) -> NDArray[Any] | None:
        """Frequency weights as integers, importance weights as doubles."""
        if self.weight is None:
            return None
        exact_weights = [Fraction(text) for text in self.weight]
        convert = int if self.weight_type == "frequency" else float
        return np.array([convert(weight) for weight in exact_weights])


def certified_sets() -> tuple[CertifiedSet, ...]:
    """All certified data sets, read from the bundled file."""
    return tuple(_parse_set(fields) for fields in _read_document()["sets"])


def certified_definitions() -> dict[str, str]:
    """Definition of each certified quantity, in words."""
    return dict(_read_document()["definitions"])


def _read_document() -> dict[str, Any]:
    file = resources.files("tradeoff.data").joinpath("certified.json")
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document


def _parse_set(fields: dict[str, Any]) -> CertifiedSet:
    certified, undefined = fields["certified"], fields["undefined"]
    return CertifiedSet(
        name=fields["name"],
        title=fields["title"],
        score=tuple(fields["score"]),
        positive=tuple(fields["positive"]),
        weight=None if fields["weight"] is None else tuple(fields["weight"]),
        weight_type=fields["weights_are"],
        certified={
            quantity: None if quantity in undefined else _parse_exact(value)
            for quantity, value in certified.items()
        },
    )


def _parse_exact(value: Any) -> Fraction | Points:
    if isinstance(value, str):
        return Fraction(value)
    return tuple((Fraction(x), Fraction(y)) for x, y in value)


def certified_numbers(
    tools: Mapping[str, Mapping[tuple[str, str], Value]],
    data_sets: Sequence[CertifiedSet] | None = None,
) -> list[CertifiedNumber]:
    """All certified values, each with the answers of the tools.

    `tools` maps each tool to its answers by data set and quantity, if it computes them.
    """
    numbers = []
    for data_set in certified_sets() if data_sets is None else data_sets:
        for quantity, exact in data_set.certified.items():
            key = (data_set.name, quantity)
            results = {
                tool: assess_answer(exact, answers[key])
                for tool, answers in tools.items()
                if key in answers
            }
            numbers.append(CertifiedNumber(data_set.name, quantity, exact, results))
    return numbers


def certify(tools: Callable[[Sequence[CertifiedSet]], Mapping[str, Any]]) -> Certification:
    """Certify tools: compare their answers with the exact values of all certified data sets."""
    data_sets = certified_sets()
    numbers = certified_numbers(tools(data_sets), data_sets)
    titles = {data_set.name: data_set.title for data_set in data_sets}
    return Certification(tuple(numbers), titles)


def our_answers(data_sets: Iterable[CertifiedSet]) -> dict[tuple[str, str], Value]:
    """Answers of tradeoff for the certified data sets."""
    answers: dict[tuple[str, str], Value] = {}
    for data_set in data_sets:
        evaluation = evaluate(
            actual=data_set.classes,
            score=data_set.scores,
            positive=1,
            weight=data_set.weights,
            weight_means=data_set.weight_type,
        )
        for quantity in data_set.certified:
            answers[data_set.name, quantity] = OUR_QUANTITIES[quantity](evaluation)
    return answers


def _summary(name: str, **parameters: Any) -> Callable[[Evaluation], float]:
    return lambda evaluation: evaluation.summary(name, **parameters, level=None).value


def _delong_variance(evaluation: Evaluation) -> float:
    ranking = evaluation.ranking
    has_both_classes = ranking.positives and ranking.negatives
    return placement_variances(ranking).variance if has_both_classes else math.nan


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
"""Functions that compute each certified quantity with tradeoff."""


MAX_R_ROWS = 1000
"""R's packages do not support weights: rows are repeated by frequency, up to this many."""
R_TIMEOUT = 300
"""Seconds after which R is stopped."""

Answers = dict[tuple[str, str], "Value"]


def installed_tools(data_sets: Sequence[CertifiedSet]) -> dict[str, Answers]:
    """Answers of tradeoff and all installed tools for the certified data, by tool and version."""
    tools = {OURS: our_answers(data_sets)}
    if find_spec("sklearn") is not None:
        tools[f"scikit-learn {version('scikit-learn')}"] = sklearn_answers(data_sets)
    return tools | r_answers(data_sets)


def sklearn_answers(data_sets: Iterable[CertifiedSet]) -> Answers:
    """Answers of scikit-learn for the certified data sets (no variance, no hull)."""
    from sklearn import metrics

    def auc(rows: tuple[Any, Any], weights: Any, **options: Any) -> float:
        return float(metrics.roc_auc_score(*rows, sample_weight=weights, **options))

    quantities: Mapping[str, Callable[[Any, Any], float]] = {
        "auc": auc,
        "average_precision": lambda rows, weights: float(
            metrics.average_precision_score(*rows, sample_weight=weights)
        ),
        "brier": lambda rows, weights: float(
            metrics.brier_score_loss(*rows, sample_weight=weights)
        ),
        "mcclish_1/8": lambda rows, weights: auc(rows, weights, max_fpr=1 / 8),
        "mcclish_1/2": lambda rows, weights: auc(rows, weights, max_fpr=1 / 2),
    }
    answers: Answers = {}
    for data_set in data_sets:
        rows, weights = (data_set.classes, data_set.scores), data_set.weights
        sample_weight = None if weights is None else weights.astype(float)
        for quantity in quantities.keys() & data_set.certified.keys():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it warns if a value is undefined
                try:
                    value: Value = quantities[quantity](rows, sample_weight)
                except ValueError as problem:
                    value = str(problem).splitlines()[0]
            answers[data_set.name, quantity] = value
    return answers


def r_answers(data_sets: Iterable[CertifiedSet]) -> dict[str, Answers]:
    """Answers of R's pROC and ROCR for the certified data sets, if they are installed."""
    program = shutil.which("Rscript")
    if program is None:
        return {}
    tools: dict[str, Answers] = {}
    for tool, name, quantity, value in csv.reader(io.StringIO(_run_r(program, data_sets))):
        answers = tools.setdefault(tool, {})
        answers[name, quantity] = _r_value(value)
    return tools


def _run_r(program: str, data_sets: Iterable[CertifiedSet]) -> str:
    """Output of our R script; empty if R fails."""
    script = resources.files("tradeoff.validation").joinpath("r_tools.R")
    with resources.as_file(script) as path:
        try:
            process = subprocess.run(  # noqa: S603 - R, by its full path, with our script
                [program, "--vanilla", str(path)],
                input="".join(_r_input(data_sets)),
                capture_output=True,
                text=True,
                timeout=R_TIMEOUT,
                check=True,
            )
        except subprocess.SubprocessError:
            return ""
    return process.stdout


def _r_input(data_sets: Iterable[CertifiedSet]) -> Iterable[str]:
    """Lines of data set, class and score; hexadecimal scores are exact in any parser."""
    for data_set in data_sets:
        counts = [Fraction(text) for text in data_set.weight or ["1"] * len(data_set.score)]
        if data_set.weight_type == "importance" or sum(counts) > MAX_R_ROWS:
            continue
        for score, positive, count in zip(
            data_set.scores.tolist(), data_set.positive, counts, strict=True
        ):
            yield f"{data_set.name},{positive},{score.hex()}\n" * int(count)


def _r_value(text: str) -> Value:
    """Parse a value printed by R; points of a hull are "x y", separated by semicolons."""
    if text.startswith("!"):
        return text[1:]
    if ";" in text:
        points = [point.split() for point in text.split(";")]
        return tuple((float(x), float(y)) for x, y in points)
    return float("nan") if text in {"NA", "NaN"} else float(text)
