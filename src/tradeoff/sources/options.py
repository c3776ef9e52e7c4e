"""How rows are read: memory, bins, bad lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tradeoff.core.bins import FEWEST_BINS
from tradeoff.errors import InputError

BUDGET = 1_000_000
"""How many thresholds a ranking keeps unless more are asked for."""
GIGABYTE = 1 << 30
LEAST = 400 << 20
LIBRARIES = 170 << 20
"""Python, NumPy, SciPy and DuckDB take about this before any row is read."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": GIGABYTE, "T": 1 << 40}
BadRows = Literal["stop", "skip"]


@dataclass(frozen=True)
class ReadOptions:
    """How rows are read.

    Args:
        memory: So many bytes may be used, or "2GB"; None: a gigabyte.
        bins: How many thresholds are kept.
        exact: Go through all rows once more, so that the area is exact whatever `bins` lost.
        bad_rows: What to do with lines that cannot be read.
        progress: Is told how many rows are done, of how many, where that is known.
        hold: Rows themselves are wanted, whatever they take.
        batch: How many rows a batch has at most; None: as many as DuckDB gives.
        waiting: How many rows of a ranking wait until there are enough to be worth the work.
        cells_from: Folds and segments are counted in cells where so many rows may wait: a grid
            takes some megabytes, whatever it counts.
        probe: How many rows of a lazy frame are looked at to learn where scores crowd.
        groups: More groups of a lazy frame than these are not fetched.
    """

    memory: int | str | None = None
    bins: int | None = None
    exact: bool = False
    bad_rows: BadRows = "stop"
    progress: Callable[[int, int | None], None] | None = None
    hold: bool = False
    batch: int | None = None
    waiting: int = 1 << 20
    cells_from: int = 1 << 17
    probe: int = 100_000
    groups: int = 8_000_000

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.bad_rows not in {"stop", "skip"}:
            raise InputError(f"`bad_rows` is 'stop' or 'skip', not {self.bad_rows!r}.")
        if self.bins is not None and self.bins < FEWEST_BINS:
            raise InputError(f"A ranking has {FEWEST_BINS} bins or more, not {self.bins}.")
        if self.memory is not None and self.bytes < LEAST:
            raise InputError(
                f"A memory of {self.memory} is too little: {LEAST >> 20}MB are needed, whatever "
                "is read."
            )

    @property
    def bytes(self) -> int:
        """The memory that may be used."""
        return GIGABYTE if self.memory is None else _bytes_of(self.memory)

    @property
    def share(self) -> int:
        """A third of what is left when libraries are loaded: for DuckDB, for rows, and to spare."""
        return (self.bytes - LIBRARIES) // 3

    @property
    def most(self) -> int:
        """How many thresholds may be kept."""
        return BUDGET if self.bins is None else self.bins

    @property
    def skips(self) -> bool:
        """Whether lines that cannot be read are left out."""
        return self.bad_rows == "skip"

    @property
    def is_asked_for(self) -> bool:
        """Whether the caller wants rows to be read in batches."""
        return self.memory is not None or self.bins is not None or self.exact or self.skips


def _bytes_of(memory: int | str) -> int:
    """An amount of memory as people write it.

    Example:
        >>> _bytes_of("1.5GB"), _bytes_of("500 MiB"), _bytes_of(1000)
        (1610612736, 524288000, 1000)
    """
    if isinstance(memory, int):
        return memory
    amount = re.fullmatch(r"\s*([0-9.]+)\s*([KMGT]?)i?B?\s*", str(memory), re.IGNORECASE)
    if not amount or amount[1].count(".") > 1 or amount[1] == ".":
        raise InputError(f"An amount of memory is written like 2GB or 500MB, not {memory!r}.")
    return int(float(amount[1]) * UNITS[amount[2].upper()])
