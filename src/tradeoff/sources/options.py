"""Options for reading rows: memory limit, number of bins, bad lines, progress."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from tradeoff.core.bins import MIN_BINS
from tradeoff.errors import InputError

DEFAULT_MAX_THRESHOLDS = 1_000_000
"""Default maximum number of thresholds in a ranking."""
GIGABYTE = 1 << 30
MIN_MEMORY = 400 << 20
LIBRARY_MEMORY = 170 << 20
"""Approximate memory of Python, NumPy, SciPy and DuckDB before any row is read."""
BYTES_PER_UNIT = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": GIGABYTE, "T": 1 << 40}
BadRows = Literal["stop", "skip"]


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading rows: memory limit, number of bins, bad lines, progress.

    Args:
        memory: Memory limit in bytes, or as a string such as "2GB"; None: one gigabyte.
        bins: Maximum number of thresholds in a ranking.
        exact: Read all rows a second time, for an exact AUC despite binning.
        bad_rows: What to do with lines that cannot be parsed: "stop" or "skip".
        progress: Called with the number of rows read so far, and the total if known.
        in_memory: Keep all rows in memory.
        max_batch_rows: Maximum number of rows per batch; None: as DuckDB returns them.
        max_buffered_rows: Maximum number of rows that a ranking buffers before sorting them.
        min_rows_for_cells: Folds and segments are counted in cells only if they may buffer this
            many rows, as a grid of cells takes several megabytes.
        probe_rows: Number of rows of a lazy frame from which the density of scores is estimated.
        max_groups: Maximum number of groups fetched from a lazy frame.
    """

    memory: int | str | None = None
    bins: int | None = None
    exact: bool = False
    bad_rows: BadRows = "stop"
    progress: Callable[[int, int | None], None] | None = None
    in_memory: bool = False
    max_batch_rows: int | None = None
    max_buffered_rows: int = 1 << 20
    min_rows_for_cells: int = 1 << 17
    probe_rows: int = 100_000
    max_groups: int = 8_000_000

    def __post_init__(self) -> None:
        """Reject invalid options."""
        if self.bad_rows not in {"stop", "skip"}:
            raise InputError(f"`bad_rows` must be 'stop' or 'skip', not {self.bad_rows!r}.")
        if self.bins is not None and self.bins < MIN_BINS:
            raise InputError(f"A ranking needs at least {MIN_BINS} bins, not {self.bins}.")
        if self.memory is not None and self.memory_bytes < MIN_MEMORY:
            raise InputError(
                f"memory={self.memory!r} is too little: any source needs at least "
                f"{MIN_MEMORY >> 20}MB."
            )

    @property
    def memory_bytes(self) -> int:
        """Memory limit in bytes."""
        return GIGABYTE if self.memory is None else _parse_memory(self.memory)

    @property
    def memory_budget(self) -> int:
        """Memory for DuckDB, and as much for rows: a third each of what libraries leave free.

        The remaining third is a reserve.
        """
        return (self.memory_bytes - LIBRARY_MEMORY) // 3

    @property
    def max_thresholds(self) -> int:
        """Maximum number of thresholds in a ranking."""
        return DEFAULT_MAX_THRESHOLDS if self.bins is None else self.bins

    @property
    def skips_bad_rows(self) -> bool:
        """Whether lines that cannot be parsed are skipped."""
        return self.bad_rows == "skip"

    @property
    def needs_batches(self) -> bool:
        """Whether the options require rows to be read in batches."""
        return self.memory is not None or self.bins is not None or self.exact or self.skips_bad_rows


def _parse_memory(memory: int | str) -> int:
    """Parse an amount of memory such as 2GB into bytes.

    Example:
        >>> _parse_memory("1.5GB"), _parse_memory("500 MiB"), _parse_memory(1000)
        (1610612736, 524288000, 1000)
    """
    if isinstance(memory, int):
        return memory
    amount = re.fullmatch(r"\s*([0-9.]+)\s*([KMGT]?)i?B?\s*", str(memory), re.IGNORECASE)
    if not amount or amount[1].count(".") > 1 or amount[1] == ".":
        raise InputError(f"Write an amount of memory as 2GB or 500MB, not {memory!r}.")
    return int(float(amount[1]) * BYTES_PER_UNIT[amount[2].upper()])
