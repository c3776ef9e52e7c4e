"""Feature columns: identifiers are left out, and columns that give the class away are reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.core.concordance import twice_concordant_pairs
from tradeoff.crossval.features import Features
from tradeoff.formatting import printable
from tradeoff.sources.column_summaries import summarize_columns
from tradeoff.sources.role_inference import is_id_column

MIN_AUC_OF_REVEALING_COLUMN = 0.99
"""AUC at which a single column probably restates the class."""
MIN_ROWS_PER_CLASS = 10
"""Minimum number of rows per class: with fewer, a column may separate the classes by chance."""
MAX_LISTED_COLUMNS = 30


def identifier_columns(columns: Mapping[str, NDArray[Any]]) -> list[str]:
    """Columns that are useless as features because they merely number or identify the rows.

    Example:
        >>> identifier_columns({"Unnamed: 0": np.arange(30), "age": np.arange(30) % 7})
        ['Unnamed: 0']
    """
    return [column.name for column in summarize_columns(columns) if is_id_column(column)]


def feature_notes(features: Features, identifiers: Sequence[str]) -> tuple[str, ...]:
    """Notes on the feature columns, and on identifiers that were left out."""
    names = features.names
    plural = "s" if len(names) > 1 else ""
    notes = [f"learned from {len(names):,} column{plural}: {_listed(names)}"]
    if identifiers:
        notes.append(
            f"left out because they only number or identify the rows: {_listed(identifiers)}"
        )
    return tuple(notes)


def revealing_column_warnings(
    features: Features, positive_rows: NDArray[np.bool_], actual: str
) -> tuple[str, ...]:
    """Warnings about feature columns that give the class away, as ones known only afterwards do."""
    return tuple(
        f"{printable(name)} alone predicts {printable(actual)} with an AUC of {auc:.3g}: if it is "
        f"known only afterwards, leave it out (--leave-out {printable(name)})"
        for name, auc in revealing_columns(features, positive_rows).items()
    )


def revealing_columns(features: Features, positive_rows: NDArray[np.bool_]) -> dict[str, float]:
    """Feature columns that nearly determine the class by themselves, with their AUCs.

    A category counts as the proportion of positives among its rows.
    """
    positives = int(positive_rows.sum())
    negatives = len(positive_rows) - positives
    if min(positives, negatives) < MIN_ROWS_PER_CLASS:
        return {}
    aucs = {}
    for index, name in enumerate(features.names):
        column, categories = features.matrix[:, index], features.categories[index]
        values = (
            column
            if categories is None
            else _positive_proportions(column, positive_rows, len(categories))
        )
        auc = 0.5 if values is None else _separation(values, positive_rows)
        if auc >= MIN_AUC_OF_REVEALING_COLUMN:
            aucs[name] = auc
    return aucs


def _positive_proportions(
    codes: NDArray[np.float64], positive_rows: NDArray[np.bool_], count: int
) -> NDArray[np.float64] | None:
    """Proportion of positives of each row's category; None with few rows per category."""
    present = ~np.isnan(codes)
    if 5 * count > present.sum():
        return None
    known = codes[present].astype(np.intp)
    sizes = np.bincount(known, minlength=count)
    shares = np.bincount(known, positive_rows[present], count) / np.maximum(sizes, 1)
    proportions = np.full(len(codes), np.nan)
    proportions[present] = shares[known]
    return proportions


def _separation(values: NDArray[np.float64], positive_rows: NDArray[np.bool_]) -> float:
    """AUC of a column in the better direction, over the rows that have a value."""
    present = ~np.isnan(values)
    values, positive = values[present], positive_rows[present]
    positives = int(positive.sum())
    pairs = positives * (len(positive) - positives)
    if min(positives, len(positive) - positives) < MIN_ROWS_PER_CLASS:
        return 0.5
    auc = twice_concordant_pairs(values, positive) / (2 * pairs)
    return max(auc, 1 - auc)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MAX_LISTED_COLUMNS
    listed = ", ".join(printable(name) for name in names[:MAX_LISTED_COLUMNS])
    return listed + (f" and {more:,} more" if more > 0 else "")
