"""Rows gone through once more, so that areas are exact although rankings keep bins."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tradeoff.core.external_sort import SCORE, Pieces
from tradeoff.files import passing_folder
from tradeoff.sources.scanning import Scan

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.core.models import RankedModels
    from tradeoff.sources.piles import Rows
    from tradeoff.sources.ranked import Choices, Columns, Effort
    from tradeoff.sources.relations import Source

BYTES_PER_ROW = 40
"""What sorting a piece takes."""


class PiecesOfModels:
    """The rows of a second passage, for each model whose ranking is not exact."""

    def __init__(self, pieces: Mapping[str, Pieces]) -> None:
        self.pieces = pieces

    def add(self, model: str, rows: Rows, parts: Mapping[tuple[str, str], Any]) -> None:  # noqa: ARG002 - as piles do
        """Take the rows that are ranked."""
        if rows.absent is not None:
            rows = rows.among(~rows.absent)
        self.pieces[model].add(rows.scores, rows.positive)


def recounted(  # noqa: PLR0913 - what a passage is told, and what the first has found
    ranked: RankedModels,
    source: Source,
    columns: Columns,
    choices: Choices,
    effort: Effort,
    *,
    as_texts: bool = False,
) -> RankedModels:
    """The rankings with pairs by every score, where bins had lost some."""
    binned = {name: one for name, one in ranked.rankings.items() if not one.exact}
    binned = {name: one for name, one in binned.items() if one.positives and one.negatives}
    if not binned:
        return ranked
    with ExitStack() as stack:
        pieces = {name: _pieces(one, effort, len(binned), stack) for name, one in binned.items()}
        columns = columns._replace(scores=list(binned), fold=None, segment=None)
        scan = Scan(columns, choices, effort, as_texts=as_texts)
        scan.run(source, PiecesOfModels(pieces))
        found = {name: binned[name].with_pairs(own.pairs()) for name, own in pieces.items()}
    return replace(ranked, rankings={**ranked.rankings, **found})


def _pieces(ranking: Any, effort: Effort, models: int, stack: ExitStack) -> Pieces:
    """Pieces that fit into memory, or wait on disk until the end."""
    room = effort.share // 2 // models
    rows = int(ranking.total)
    folder = None
    if 2 * SCORE * rows > room:
        folder = stack.enter_context(passing_folder())
    return Pieces(ranking, max(room // BYTES_PER_ROW, 1000), folder)
