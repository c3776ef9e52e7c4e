"""Reading the committed results of other programs."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / "data"


def table(name):
    """A CSV file as columns: numbers where every cell is one, texts elsewhere, NaN for empty."""
    with (DATA / name).open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {key: _column([row[key] for row in rows]) for key in rows[0]}


def document(name):
    """A JSON file with its spelled-out numbers read."""
    return json.loads((DATA / name).read_text(), object_hook=_numbers)


def number(value):
    return float(value) if isinstance(value, str) and value in {"nan", "inf", "-inf"} else value


def _numbers(entries):
    return {key: number(value) for key, value in entries.items()}


def _column(cells):
    try:
        return np.array([math.nan if cell == "" else float(cell) for cell in cells])
    except ValueError:
        return np.array(cells, dtype=object)
