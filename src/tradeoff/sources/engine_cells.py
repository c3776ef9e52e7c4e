"""Cells of scores in the words of an engine: `ranking.regions` for databases and lazy frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.core.regions import LARGEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.core.regions import Region


def with_cells(frame: Any, regions: Sequence[Region]) -> Any:
    """A Narwhals frame with the `scale` and `cell` of each `score`.

    Infinite scores have cells of their own, as 0 has; missing ones have none.
    """
    import narwhals as nw

    score, size = nw.col("score"), nw.col("score").abs()
    inner = (size > 0.0) & (size <= LARGEST)
    # Floats again, where an engine makes integers; and 1 more, so that each has a sign.
    unit = (size * nw.col("scale")).floor().cast(nw.Float64) + 1.0
    infinite = nw.when(size > 0.0).then(nw.lit(0.5))
    zero = nw.when(size <= 0.0).then(nw.lit(0.0))
    return (
        frame.with_columns(scale=_scale(regions))
        .with_columns(cell=nw.when(inner).then(unit).otherwise(infinite.otherwise(zero)))
        .with_columns(cell=nw.when(score < 0.0).then(-nw.col("cell")).otherwise(nw.col("cell")))
    )


def _scale(regions: Sequence[Region]) -> Any:
    """The scale of a score's region, found by halves: databases look at a few borders only."""
    import narwhals as nw

    if len(regions) == 1:
        return double(regions[0].scale)
    half = len(regions) // 2
    border = min(regions[half].low, LARGEST)  # infinite scores have cells of their own
    below = nw.when(nw.col("score") < border).then(_scale(regions[:half]))
    return below.otherwise(_scale(regions[half:]))


def double(value: float) -> Any:
    """A number as a Narwhals expression: PostgreSQL takes one with a point as a decimal."""
    import narwhals as nw

    return nw.lit(1).cast(nw.Float64) * value
