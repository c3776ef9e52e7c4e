"""Results as JSON and CSV; undefined values are null or empty cells."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tradeoff.core.confusion import ConfusionMatrix


def format_json(document: Any) -> str:
    """Document as strict JSON text, with numbers at full precision."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def format_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV text at full precision; infinities are `inf`, undefined values are empty."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_csv_cell(value) for value in row] for row in rows)
    return buffer.getvalue().rstrip("\n")


def confusion_document(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Confusion matrix as a JSON object of its six counts."""
    return {f.name: json_value(getattr(matrix, f.name)) for f in fields(matrix)[:6]}


def json_value(value: Any) -> Any:
    """Value for JSON: NumPy scalars as Python numbers, infinities and NaN as null."""
    scalar = value.item() if isinstance(value, np.generic) else value
    return json_number(scalar) if isinstance(scalar, float) else scalar


def json_number(value: float) -> float | None:
    """Finite number for JSON; infinities and NaN are null."""
    return value if math.isfinite(value) else None


def json_threshold(value: float) -> float | str:
    """Threshold for JSON; infinities, which JSON lacks, become "inf" and "-inf"."""
    return value if math.isfinite(value) else f"{value}"


def _csv_cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value
