"""Options for reading rows: memory, bins, bad lines, progress."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tradeoff.core.bins import MIN_BINS
from tradeoff.errors import InputError

DEFAULT_THRESHOLDS = 1_000_000
"""Thresholds that a ranking keeps by default."""
GIGABYTE = 1 << 30
MINIMUM_MEMORY = 400 << 20
LIBRARY_MEMORY = 170 << 20
"""Approximate memory of Python, NumPy, SciPy and DuckDB before any row is read."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": GIGABYTE, "T": 1 << 40}
BadRows = Literal["stop", "skip"]


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading rows: memory, bins, bad lines, progress.

    Args:
        memory: Memory limit in bytes, or as text such as "2GB"; None: one gigabyte.
        bins: Maximum number of thresholds of a ranking.
        exact: Read all rows a second time for an exact AUC, whatever `bins` lost.
        bad_rows: What to do with lines that cannot be read.
        progress: Called with the rows read and the total, if known.
        hold: Keep all rows in memory.
        batch: Maximum rows per batch; None: as DuckDB returns them.
        waiting: Rows buffered by a ranking before they are sorted.
        cells_from: Folds and segments are counted in cells if they may buffer this many rows: a
            grid of cells takes some megabytes.
        probe: Rows of a lazy frame from which the density of scores is estimated.
        groups: Maximum number of groups fetched from a lazy frame.
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
        """Reject invalid options."""
        if self.bad_rows not in {"stop", "skip"}:
            raise InputError(f"`bad_rows` is 'stop' or 'skip', not {self.bad_rows!r}.")
        if self.bins is not None and self.bins < MIN_BINS:
            raise InputError(f"A ranking needs at least {MIN_BINS} bins, not {self.bins}.")
        if self.memory is not None and self.bytes < MINIMUM_MEMORY:
            raise InputError(
                f"memory={self.memory!r} is too little: at least {MINIMUM_MEMORY >> 20}MB are "
                "needed, whatever the source."
            )

    @property
    def bytes(self) -> int:
        """Memory limit in bytes."""
        return GIGABYTE if self.memory is None else _parse_memory(self.memory)

    @property
    def share(self) -> int:
        """A third of the memory left after the libraries: for DuckDB, for rows, and in reserve."""
        return (self.bytes - LIBRARY_MEMORY) // 3

    @property
    def most(self) -> int:
        """Maximum number of thresholds of a ranking."""
        return DEFAULT_THRESHOLDS if self.bins is None else self.bins

    @property
    def skips_bad_rows(self) -> bool:
        """Whether lines that cannot be parsed are skipped."""
        return self.bad_rows == "skip"

    @property
    def needs_batches(self) -> bool:
        """Whether the options require rows to be read in batches."""
        return self.memory is not None or self.bins is not None or self.exact or self.skips_bad_rows


def _parse_memory(memory: int | str) -> int:
    """Parse an amount of memory such as 2GB.

    Example:
        >>> _parse_memory("1.5GB"), _parse_memory("500 MiB"), _parse_memory(1000)
        (1610612736, 524288000, 1000)
    """
    if isinstance(memory, int):
        return memory
    amount = re.fullmatch(r"\s*([0-9.]+)\s*([KMGT]?)i?B?\s*", str(memory), re.IGNORECASE)
    if not amount or amount[1].count(".") > 1 or amount[1] == ".":
        raise InputError(f"Write an amount of memory as 2GB or 500MB, not {memory!r}.")
    return int(float(amount[1]) * UNITS[amount[2].upper()])
