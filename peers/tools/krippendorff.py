"""krippendorff: his alpha of two raters, one of whom is the model."""

from __future__ import annotations

import math
from importlib.metadata import version as installed_version
from typing import TYPE_CHECKING

import numpy as np

from peers.data import counted_classes
from peers.judging import Convention, undefined_here
from peers.quantities import metric

if TYPE_CHECKING:
    from peers.judging import Verdicts

NAME = "krippendorff"
PRECISION = 1e-9
CONVENTIONS = (
    Convention(
        "0 for a single row on which both differ",
        "| Krippendorff's alpha of one row | undefined | pycm and krippendorff 0",
        frozenset({"krippendorffs_alpha"}),
        lambda number: number.data.matrix.rows == 1 and undefined_here(0.0)(number),
    ),
)


def version() -> str:
    """As installed."""
    return installed_version("krippendorff")


def compare(verdicts: Verdicts) -> None:
    """Nominal classes."""
    import krippendorff

    for data in counted_classes():
        pairs = np.array(list(np.ndindex(data.matrix.counts.shape)))
        raters = np.repeat(pairs, data.matrix.counts.astype(int).ravel(), axis=0).T
        try:
            theirs = krippendorff.alpha(raters, level_of_measurement="nominal")
        except ValueError:  # a single class in the whole table
            theirs = math.nan
        ours = metric("krippendorffs_alpha", data.matrix)
        verdicts.compare("krippendorffs_alpha", data, ours, theirs)
