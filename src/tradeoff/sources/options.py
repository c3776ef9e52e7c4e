"""What a caller chooses about rows, and how they are read: memory, bins, bad lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from tradeoff.core.bins import FEWEST_BINS
from tradeoff.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tradeoff.core.ranking import Ranking
    from tradeoff.sources.policy import Missing, WeightMeans

BUDGET = 1_000_000
"""How many thresholds a ranking keeps unless more are asked for."""
GIGABYTE = 1 << 30
LEAST = 400 << 20
LIBRARIES = 170 << 20
"""Python, NumPy, SciPy and DuckDB take about this before any row is read."""
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": GIGABYTE, "T": 1 << 40}
NO_WEIGHTS = "`exact` counts pairs of rows, and cannot weigh them: leave `weight` out."
BadRows = Literal["stop", "skip"]


class Columns(NamedTuple):
    """Which column plays which part."""

    actual: str
    scores: Sequence[str]
    weight: str | None = None
    fold: str | None = None
    segment: str | None = None

    @property
    def are_named(self) -> bool:
        """Whether these can be names of columns."""
        return bool(self.scores) and all(isinstance(name, str) for name in self.names)

    @property
    def names(self) -> list[str]:
        """All columns that are read."""
        others = (self.weight, self.fold, self.segment)
        return [self.actual, *self.scores, *(name for name in others if name is not None)]


@dataclass(frozen=True)
class Choices:
    """What the caller chose about rows, as in `tradeoff.evaluate`."""

    positive: Any = None
    weight_means: WeightMeans | None = None
    missing: Missing = "error"
    lower_is_positive: bool = False
    digits: int | None = None


@dataclass(frozen=True)
class Effort:
    """How rows are gone through.

    Args:
        memory: So many bytes may be used, or "2GB"; None: a gigabyte.
        bins: How many thresholds are kept.
        exact: Go through all rows once more, so that the area is exact whatever `bins` lost.
        bad_rows: What to do with lines that cannot be read.
        progress: Is told how many rows are done, of how many, where that is known.
    """

    memory: int | str | None = None
    bins: int | None = None
    exact: bool = False
    bad_rows: BadRows = "stop"
    progress: Callable[[int, int | None], None] | None = None
    hold: bool = False
    """Rows themselves are wanted, whatever they take."""

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
        return GIGABYTE if self.memory is None else bytes_of(self.memory)

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
        """Whether the caller wants rows to be gone through in batches."""
        said = (self.memory is not None, self.bins is not None, self.exact)
        return any(said) or self.skips


def demand_counted(ranking: Ranking) -> None:
    """Pairs of rows are counted, and cannot be weighed."""
    if not ranking.is_counted:
        raise InputError(NO_WEIGHTS)


def bytes_of(memory: int | str) -> int:
    """An amount of memory as people write it.

    Example:
        >>> bytes_of("1.5GB"), bytes_of("500 MiB"), bytes_of(1000)
        (1610612736, 524288000, 1000)
    """
    if isinstance(memory, int):
        return memory
    found = re.fullmatch(r"\s*([0-9.]+)\s*([KMGT]?)i?B?\s*", str(memory), re.IGNORECASE)
    if not found or found[1].count(".") > 1 or found[1] == ".":
        raise InputError(f"An amount of memory is written like 2GB or 500MB, not {memory!r}.")
    return int(float(found[1]) * UNITS[found[2].upper()])
