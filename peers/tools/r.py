"""Asks R: tables go in as CSV files, numbers come back as lines of data, quantity, place, value."""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from peers.judging import NotInstalled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCRIPTS = Path(__file__).parent
Answers = dict[str, dict[str, np.ndarray]]
"""By data and quantity."""


def package_version(package: str) -> str:
    """The version of an R package."""
    if shutil.which("Rscript") is None:
        raise NotInstalled("R is not installed: apt-get install r-base-core")
    done = subprocess.run(
        ["Rscript", "-e", f'cat(as.character(packageVersion("{package}")))'],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        debian = f"r-cran-{package.lower()}"
        raise NotInstalled(f"R's {package} is not installed: apt-get install {debian}")
    return done.stdout.strip()


def ask(script: str, tables: Mapping[str, Iterable[Iterable[object]]]) -> Answers:
    """Run a script in a folder that holds the tables; it writes `answers.csv` there."""
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in tables.items():
            with (Path(folder) / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(lines)
        subprocess.run(["Rscript", str(SCRIPTS / script)], cwd=folder, check=True)
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        with (Path(folder) / "answers.csv").open(encoding="utf-8", newline="") as file:
            for data, quantity, value in csv.reader(file):
                found[data][quantity].append(_number(value))
    return {
        data: {quantity: np.array(values) for quantity, values in own.items()}
        for data, own in found.items()
    }


def _number(text: str) -> float:
    return float({"Inf": "inf", "-Inf": "-inf", "NA": "nan", "NaN": "nan"}.get(text, text))
