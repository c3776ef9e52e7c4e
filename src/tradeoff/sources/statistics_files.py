"""Files of statistics programs (Stata, SPSS, SAS), read by pyreadstat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tradeoff.errors import InputError, extra_required
from tradeoff.files.missing_files import missing_file
from tradeoff.sources.columns import column_array

READERS = {
    "dta": "read_dta",
    "sav": "read_sav",
    "zsav": "read_sav",
    "por": "read_por",
    "sas7bdat": "read_sas7bdat",
    "xpt": "read_xport",
}
"""Function of pyreadstat for each extension."""


def read_statistics_file(path: str) -> dict[str, NDArray[Any]]:
    """Read the columns of a Stata, SPSS or SAS file.

    A column of which every value has a label, such as 0 "alive" and 1 "dead", holds the labels,
    unless these values are 0 and 1: their meaning is known.
    """
    if not Path(path).exists():
        raise missing_file(path)
    with extra_required(f"Reading {path}"):
        import pyreadstat
    reader = getattr(pyreadstat, READERS[Path(path).suffix.lstrip(".").lower()])
    try:
        columns, description = reader(path, output_format="dict")
    except (pyreadstat.ReadstatError, OSError, UnicodeError) as error:
        raise InputError(f"{path} cannot be read: {str(error).rstrip('.')}.") from error
    value_labels = description.variable_value_labels
    return {
        str(name): _labelled(_values_array(values, str(name)), value_labels.get(name, {}))
        for name, values in columns.items()
    }


def _values_array(values: Any, name: str) -> NDArray[Any]:
    """Array of a column: whole numbers as integers, empty text as missing."""
    array = column_array(values, name)
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.round(array)).all():
        return array.astype(np.int64) if (np.abs(array) < 2**53).all() else array
    if array.dtype.kind not in "OU":
        return array
    present = [value for value in array if value is not None]
    if present and all(isinstance(value, int | float) for value in present):
        return np.array([np.nan if value is None else float(value) for value in array])
    texts = np.empty(len(array), dtype=object)
    texts[:] = [None if value is None or value == "" else str(value) for value in array]
    return texts


def _labelled(values: NDArray[Any], labels: Mapping[Any, str]) -> NDArray[Any]:
    """Values replaced by their labels, if all have one and are not 0 and 1.

    Example:
        >>> _labelled(np.array([1, 2, 1]), {1: "good", 2: "poor"}).tolist()
        ['good', 'poor', 'good']
        >>> _labelled(np.array([1, 0, 1]), {0: "good", 1: "poor"}).tolist()
        [1, 0, 1]
    """
    if values.dtype.kind not in "if" or not labels:
        return values
    present: Sequence[Any] = np.unique(values[~np.isnan(values)]).tolist()
    if set(present) <= {0, 1} or not set(present) <= set(labels):
        return values
    texts = np.empty(len(values), dtype=object)
    texts[:] = [None if np.isnan(value) else labels[value] for value in values.tolist()]
    return texts
