"""Metrics at every threshold of a ranking, block by block: whole columns would leave the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tradeoff.threads import Span, blocks, each, spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from tradeoff.analysis.registry import Measure
    from tradeoff.core.confusion import ConfusionMatrix


class Path(Protocol):
    """A row of confusion matrices: a ranking, or bands of one."""

    def matrices(self, places: Any) -> ConfusionMatrix:
        """Those at some places (a slice, or an array of them)."""

    def __len__(self) -> int:
        """How many there are."""


def along(path: Path, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
    """Each measure at every point of a path of matrices, NaN where it is undefined."""
    size = len(path)
    values = [np.empty(size) for _ in measures]

    def fill(span: Span) -> None:
        for start, stop in blocks(span):
            matrix = path.matrices(slice(start, stop)).as_floats()  # once for all measures
            for measure, out in zip(measures, values, strict=True):
                out[start:stop] = measure(matrix)

    each(fill, spans(size))
    return values
