"""What a user may ask of intervals (level, method, resamples, sampling), and their ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, fields
from typing import Any, Literal, NamedTuple, get_args

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.stats.normal import demand_level
from tradeoff.stats.proportions import METHODS as SHARES
from tradeoff.uncertainty.auc import DEFAULT
from tradeoff.uncertainty.auc import METHODS as AREAS

Progress = Callable[[int, int], None]
"""Told how many resamples are done, of how many."""

Sampling = Literal["random", "by class"]
"""Rows drawn at random, whose class totals are random too, or so many rows of each class."""

BOOTSTRAPS = {
    "bootstrap": "percentiles of bootstrap resamples",
    "bca": "percentiles of bootstrap resamples, corrected for bias and skew",
}
METHODS = (*SHARES, *AREAS, *BOOTSTRAPS)
"""All names of methods. One that does not fit a measure leaves it to its usual one."""


@dataclass(frozen=True)
class Confidence:
    """The level of intervals, and how they are found.

    Without a `method` each number has the one that suits it. `sampling` says how the rows came
    about: "random" rows, whose class totals would be others in another sample, or so many rows
    taken "by class", as in a case–control study. Bootstrap resamples are drawn in the same way, as
    many as `replicates`; `seed` makes them repeatable on any number of cores. `stratified=True` is
    another way to say "by class".
    """

    level: float = 0.95
    method: str | None = None
    replicates: int = 1000
    seed: int = 0
    sampling: Sampling = "random"
    progress: Progress | None = None
    stratified: InitVar[bool | None] = None

    def __post_init__(self, stratified: bool | None) -> None:
        """Refuse what cannot be asked."""
        demand_level(self.level)
        if isinstance(self.method, str):
            object.__setattr__(self, "method", _folded(self.method).replace(" ", "-"))
        if self.method is not None and self.method not in METHODS:
            raise UnknownName(
                f"No method is called {self.method!r}.{did_you_mean(str(self.method), METHODS)} "
                f"There are {listed(METHODS)}."
            )
        if not hasattr(self.replicates, "__index__") or self.replicates < 2:
            raise InputError(f"replicates must be at least 2, not {self.replicates}.")
        if not hasattr(self.seed, "__index__") or self.seed < 0:
            raise InputError(f"A seed is a whole number from 0 on, not {self.seed}.")
        if stratified is not None:
            object.__setattr__(self, "sampling", "by class" if stratified else "random")
        elif isinstance(self.sampling, str):
            object.__setattr__(self, "sampling", _folded(self.sampling))
        if self.sampling not in get_args(Sampling):
            raise UnknownName(
                f"No sampling is called {self.sampling!r}. There are {listed(get_args(Sampling))}."
            )

    @property
    def by_class(self) -> bool:
        """Whether the class totals were fixed when the rows were taken."""
        return self.sampling == "by class"

    @property
    def for_shares(self) -> str:
        """The method for shares of rows."""
        return self.method if self.method in SHARES else "wilson"

    @property
    def for_areas(self) -> str:
        """The method for areas under the ROC curve."""
        return self.method if self.method in AREAS else DEFAULT

    @property
    def draws(self) -> bool:
        """Whether to take bootstrap resamples even where a formula would do."""
        return self.method in BOOTSTRAPS


class Spread(NamedTuple):
    """The ends of an interval, how it was found, and what to know about it."""

    low: float
    high: float
    method: str
    note: str | None = None


def parted(asked: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said about intervals, and what about the number itself."""
    own = {"stratified", *(f.name for f in fields(Confidence))}
    choices = {key: value for key, value in asked.items() if key in own}
    return choices, {key: value for key, value in asked.items() if key not in own}


def _folded(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ")
