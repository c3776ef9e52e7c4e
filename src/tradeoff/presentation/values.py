"""Single values as other programs read them: plain numbers, undefined ones null with a reason."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tradeoff.analysis.estimate import Estimate
    from tradeoff.analysis.registry import Measure
    from tradeoff.ranking.confusion import ConfusionMatrix


def as_json(document: Any) -> str:
    """Strict JSON, numbers at full precision."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)


def as_csv(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """CSV with full precision; infinities are spelled inf, undefined cells stay empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue().rstrip("\n")


def estimates_document(measures: Iterable[Measure], subject: Any) -> dict[str, dict[str, Any]]:
    """Measures of one subject, by name."""
    return {measure.name: estimate_document(measure.estimate(subject)) for measure in measures}


def estimate_document(estimate: Estimate) -> dict[str, Any]:
    """A value, or null and the reason why there is none."""
    if not estimate.is_defined:
        return {"value": None, "reason": estimate.reason}
    if math.isinf(estimate.value):
        return {"value": None, "reason": "infinite" if estimate.value > 0 else "minus infinite"}
    note = {"note": estimate.note} if estimate.note else {}
    return {"value": estimate.value, **note}


def confusion_document(matrix: ConfusionMatrix) -> dict[str, Any]:
    """The six counts by name."""
    return {f.name: plain_number(getattr(matrix, f.name)) for f in fields(matrix)[:6]}


def plain_number(value: Any) -> Any:
    """A NumPy number as Python's own; what JSON cannot hold as null."""
    number = value.item() if isinstance(value, np.generic) else value
    return finite(number) if isinstance(number, float) else number


def finite(value: float) -> float | None:
    """A number that JSON can hold, else null."""
    return value if math.isfinite(value) else None


def spelled(value: float) -> float | str:
    """A threshold: JSON has no infinities, so they are spelled out."""
    return value if math.isfinite(value) else f"{value}"


def _cell(value: Any) -> Any:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return value
