"""What a user may ask about certainty: how sure, by which method, with how many draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from tradeoff.analysis.intervals.areas import METHODS as AREAS
from tradeoff.analysis.intervals.normal import demand_level
from tradeoff.analysis.intervals.proportions import METHODS as SHARES
from tradeoff.errors import InputError, UnknownName, did_you_mean, listed

Progress = Callable[[int, int], None]
"""Told how many draws are done, of how many."""

BOOTSTRAPS = {
    "bootstrap": "percentiles of rows drawn again",
    "bca": "percentiles of rows drawn again, corrected for bias and skew",
}
METHODS = (*SHARES, *AREAS, *BOOTSTRAPS)
"""All names of methods. One that does not fit a measure leaves it to its usual one."""


@dataclass(frozen=True)
class Confidence:
    """How sure intervals shall be, and how they are found.

    Without a `method` each number has the one that suits it. Where rows are drawn again,
    `replicates` says how often, `seed` makes the answer repeatable on any number of cores, and
    `stratified` keeps the number of rows of each class.
    """

    level: float = 0.95
    method: str | None = None
    replicates: int = 1000
    seed: int = 0
    stratified: bool = True
    progress: Progress | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        demand_level(self.level)
        if isinstance(self.method, str):
            usual = self.method.casefold().replace("_", "-").replace(" ", "-")
            object.__setattr__(self, "method", usual)
        if self.method is not None and self.method not in METHODS:
            raise UnknownName(
                f"No method is called {self.method!r}.{did_you_mean(str(self.method), METHODS)} "
                f"There are {listed(METHODS)}."
            )
        if not hasattr(self.replicates, "__index__") or self.replicates < 2:
            raise InputError(f"Rows are drawn 2 times or more, not {self.replicates}.")
        if not hasattr(self.seed, "__index__") or self.seed < 0:
            raise InputError(f"A seed is a whole number from 0 on, not {self.seed}.")

    @property
    def for_shares(self) -> str:
        """The method for shares of rows."""
        return self.method if self.method in SHARES else "wilson"

    @property
    def for_areas(self) -> str:
        """The method for areas under the ROC curve."""
        return self.method if self.method in AREAS else "logit"

    @property
    def draws(self) -> bool:
        """Whether rows shall be drawn again even where a formula would do."""
        return self.method in BOOTSTRAPS


def parted(asked: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said about intervals, and what about the number itself."""
    own = {f.name for f in fields(Confidence)}
    choices = {key: value for key, value in asked.items() if key in own}
    return choices, {key: value for key, value in asked.items() if key not in own}
