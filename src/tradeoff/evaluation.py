"""The façade: what a user asks for, put together from sources and analysis. Computes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis import curves
from tradeoff.analysis.registry import METRICS, SUMMARIES
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.ranking import kernel
from tradeoff.ranking.area import twice_pairs_won
from tradeoff.sources.arrays import Missing, ScoredRows, scored_rows

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from tradeoff.analysis.curves import Curve
    from tradeoff.analysis.estimate import Estimate
    from tradeoff.analysis.registry import Settled
    from tradeoff.ranking.confusion import ConfusionMatrix
    from tradeoff.ranking.ranking import Ranking

__all__ = [
    "METRICS",
    "SUMMARIES",
    "Evaluation",
    "auc",
    "evaluate",
    "read_rows",
]

DEFAULT_THRESHOLD = 0.5


@dataclass(frozen=True)
class Evaluation:
    """One or more models, each with its ranking of the same rows.

    With a single model its numbers are asked of the evaluation itself; with several, choose one
    first: `e["naive_bayes"].auc`.
    """

    rankings: Mapping[str, Ranking]

    @property
    def ranking(self) -> Ranking:
        """The ranking of the only model."""
        if len(self.rankings) != 1:
            names = list(self.rankings)
            raise InputError(
                f"This evaluation holds {len(names)} models, {listed(names)}: choose one, for "
                f"example e[{names[0]!r}]."
            )
        return next(iter(self.rankings.values()))

    @property
    def auc(self) -> Estimate:
        """The area under the ROC curve."""
        return self.summary("auc")

    def at(self, threshold: float = DEFAULT_THRESHOLD) -> ConfusionMatrix:
        """The confusion matrix at a threshold."""
        return self.ranking.at(threshold)

    def metric(
        self,
        name: str,
        threshold: float = DEFAULT_THRESHOLD,
        *,
        undefined: Settled = nan,
        **parameters: Any,
    ) -> Estimate:
        """One metric at a threshold, under any of its names.

        Where it is undefined the estimate says why; `undefined` puts 0, 1 or "scikit-learn" (what
        that library says) in its place, and the estimate's note tells.
        """
        measure = METRICS.find(name)
        if parameters:
            measure = measure.with_parameters(**parameters)
        return measure.estimate(self.at(threshold), undefined=undefined)

    def summary(self, name: str, **parameters: Any) -> Estimate:
        """One summary of the whole ranking, under any of its names."""
        measure = SUMMARIES.find(name)
        if parameters:
            measure = measure.with_parameters(**parameters)
        return measure.estimate(self.ranking)

    def curve(
        self, name: str | None = None, *, x: str | None = None, y: str | None = None
    ) -> Curve:
        """A named curve, or any metric `y` over any metric `x`."""
        if name is not None and x is None and y is None:
            return curves.named_curve(self.ranking, name)
        if name is None and x is not None and y is not None:
            return curves.curve(self.ranking, x=x, y=y)
        raise InputError('Name a curve, as in curve("roc"), or both metrics: curve(x=…, y=…).')

    def to_dict(self, threshold: float = DEFAULT_THRESHOLD) -> dict[str, Any]:
        """Everything at one threshold, ready for JSON (undefined numbers are None)."""
        from tradeoff.presentation.documents import evaluation_document

        return evaluation_document(self.rankings, threshold)

    def __getitem__(self, name: str) -> Evaluation:
        """The evaluation of one model."""
        if name not in self.rankings:
            raise UnknownName(
                f"No model is called {name!r}.{did_you_mean(name, self.rankings)} "
                f"There are {listed(self.rankings)}."
            )
        return Evaluation({name: self.rankings[name]})

    def __iter__(self) -> Iterator[str]:
        """The names of the models."""
        return iter(self.rankings)

    def __len__(self) -> int:
        """How many models there are."""
        return len(self.rankings)

    def __repr__(self) -> str:
        """One line: the models and their areas."""
        areas = (f"{name}: {self[name].auc!r}" for name in self)
        return f"Evaluation({'; '.join(areas)})"

    def __str__(self) -> str:
        """The evaluation as a person reads it."""
        from tradeoff.presentation.sections import as_text
        from tradeoff.presentation.tables import evaluation_sections

        return as_text(evaluation_sections(self.rankings, DEFAULT_THRESHOLD))


def evaluate(  # noqa: PLR0913 - each is a choice about rows that only the caller can make
    data: Any = None,
    *,
    actual: Any,
    score: Any,
    positive: Any = None,
    weight: Any = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
) -> Evaluation:
    """Evaluate the scores of one or more models.

    Args:
        data: A dataframe of any library or the path of a CSV, Parquet or JSON file; then `actual`,
            `score` and `weight` name its columns. Without it they are the values themselves.
        actual: The class of each row.
        score: How strongly the model holds each row to be positive. Several columns (a list of
            names, or a mapping from names to values) are several models.
        positive: The positive class; needed unless classes are 0/1, -1/1 or booleans.
        weight: What each row counts; 0 leaves it out.
        missing: What to do with rows without a score: "error", "drop", "reject" (undecided) or
            "negative" (ranked last).
        lower_is_positive: Low scores speak for the positive class.
        digits: Round scores to so many decimals first, which ties nearly equal ones.

    Example:
        >>> e = evaluate(actual=["yes", "no", "yes"], score=[0.9, 0.4, 0.3], positive="yes")
        >>> e
        Evaluation(score: Estimate(auc = 0.5000))
        >>> e.at(0.5)
        ConfusionMatrix(1 of 2 'yes' found, 0 of 1 'no' called 'yes')
    """
    rows = read_rows(
        data,
        actual=actual,
        score=score,
        positive=positive,
        weight=weight,
        missing=missing,
        lower_is_positive=lower_is_positive,
        digits=digits,
    )
    return Evaluation({name: model.ranking() for name, model in rows.items()})


def read_rows(
    data: Any = None, *, actual: Any, score: Any, weight: Any = None, **options: Any
) -> dict[str, ScoredRows]:
    """The checked rows of each model, before they are ranked."""
    if data is None:
        models = score if isinstance(score, Mapping) else {_name_of(score): score}
        return {
            str(name): scored_rows(actual, values, weight=weight, name=str(name), **options)
            for name, values in models.items()
        }
    names = list(score) if isinstance(score, list | tuple) else [score]
    if not names:
        raise InputError("Name at least one column of scores.")
    columns = _columns(data, [actual, *names, *([] if weight is None else [weight])])
    return {
        name: scored_rows(
            columns[actual],
            columns[name],
            weight=None if weight is None else columns[weight],
            name=name,
            actual_name=actual,
            weight_name=weight or "weight",
            **options,
        )
        for name in names
    }


def auc(
    actual: Any, score: Any, *, positive: Any = None, weight: Any = None, **options: Any
) -> float:
    """The area under the ROC curve, ties counting half; NaN when only one class is there.

    Example:
        >>> auc([0, 1, 1, 0, 1, 0], [0.1, 0.4, 0.4, 0.4, 0.8, 0.9])
        0.5555555555555556
    """
    rows = scored_rows(actual, score, positive=positive, weight=weight, **options)
    positives = rows.labels.positive_rows
    if weight is not None or len(positives) > kernel.FEW:
        return float(SUMMARIES["auc"](rows.ranking()))
    found = int(np.count_nonzero(positives))
    pairs = 2 * found * (len(positives) - found)
    if not pairs:
        return nan
    scores = -rows.scores if rows.lower_is_positive else rows.scores
    return twice_pairs_won(scores, positives) / pairs


def _name_of(values: Any) -> str:
    """A pandas or polars series brings its own name."""
    name = getattr(values, "name", None)
    return name if isinstance(name, str) and name else "score"


def _columns(data: str | os.PathLike[str] | Any, names: list[str]) -> dict[str, Any]:
    if isinstance(data, str) or hasattr(data, "__fspath__"):
        from tradeoff.sources.files import file_columns

        return file_columns(data, names)
    from tradeoff.sources.frames import frame_columns

    return frame_columns(data, names)
