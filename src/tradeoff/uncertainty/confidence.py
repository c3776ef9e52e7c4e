"""What a user may ask of intervals: their level, method, resamples, and how rows were sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, fields
from typing import Any, Literal, get_args

from tradeoff.errors import InputError, UnknownName, did_you_mean, listed
from tradeoff.stats import proportions  # noqa: F401 - enters the methods of shares
from tradeoff.stats.interval_methods import (
    IntervalMethod,
    Scope,
    interval_method,
    methods_by_name,
    usual_method,
)
from tradeoff.stats.normal import demand_level
from tradeoff.uncertainty import auc  # noqa: F401 - enters the methods of areas

Progress = Callable[[int, int], None]
"""Told how many draws are done, of how many."""

Sampling = Literal["random", "by class"]
"""Rows drawn at random, whose class totals are random too, or so many rows of each class."""

# Percentiles of bootstrap resamples, and those corrected for bias and skew: see `percentiles`.
interval_method("bootstrap", of="all", label="percentile bootstrap")(None)
interval_method("bca", of="all", label="BCa bootstrap")(None)


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
        methods = tuple(methods_by_name())  # a method may be given that has no hash
        if self.method is not None and self.method not in methods:
            raise UnknownName(
                f"No method is called {self.method!r}.{did_you_mean(str(self.method), methods)} "
                f"There are {listed(methods)}."
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

    def method_for(self, scope: Scope) -> IntervalMethod:
        """The method for shares of rows, or for areas: one for other numbers leaves the usual."""
        return methods_by_name(scope).get(self.method or "") or usual_method(scope)

    @property
    def draws(self) -> bool:
        """Whether to take bootstrap resamples even where a formula would do."""
        return self.method in methods_by_name("all")


def parted(asked: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said about intervals, and what about the number itself."""
    own = {"stratified", *(f.name for f in fields(Confidence))}
    choices = {key: value for key, value in asked.items() if key in own}
    return choices, {key: value for key, value in asked.items() if key not in own}


def _folded(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ")
