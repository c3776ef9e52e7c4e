"""Rows by the value of a column: folds of a cross-validation, or segments of a population."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.errors import InputError
from tradeoff.sources.arrays import demand_equal_lengths
from tradeoff.sources.columns import as_column
from tradeoff.sources.labels import class_name, first_rows, missing_rows
from tradeoff.text import rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.ranking.ranking import Ranking
    from tradeoff.sources.arrays import ScoredRows

NO_VALUE = "(no value)"
Rankings = dict[str, "Ranking"]


def folds(
    models: Mapping[str, ScoredRows], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """The rankings of each model by fold; a row without a fold is an error."""
    values = _column(column, actual, name)
    absent = missing_rows(values)
    if absent.any():
        raise InputError(
            f"{rows(int(absent.sum()))} without a fold in {name!r} (first: {first_rows(absent)}): "
            "each row belongs to the fold that it was tested in."
        )
    return _by_value(models, values)


def segments(
    models: Mapping[str, ScoredRows], column: Any, actual: Any, name: str
) -> dict[str, Rankings]:
    """The rankings of each model by segment; rows without one are a segment of their own."""
    values = _column(column, actual, name)
    absent = missing_rows(values)
    if absent.any():
        named = np.array([class_name(value) for value in values], dtype=object)
        named[absent] = NO_VALUE
        values = named
    return _by_value(models, values)


def _column(column: Any, actual: Any, name: str) -> Any:
    values = as_column(column, name)
    demand_equal_lengths(as_column(actual, "actual"), values, "actual", name)
    return values


def _by_value(models: Mapping[str, ScoredRows], values: Any) -> dict[str, Rankings]:
    if values.dtype.kind == "O":
        values = np.array([class_name(value) for value in values], dtype=np.str_)
    found, code = np.unique(values, return_inverse=True)
    names = [class_name(value) for value in found]
    return {
        model: {group: checked.among(code == place).ranking() for place, group in enumerate(names)}
        for model, checked in models.items()
    }
