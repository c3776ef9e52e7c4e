"""What other tools make of the certified data sets, where they are installed."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from tradeoff.validation.certified import OURS, CertifiedSet, Value, our_answers

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
