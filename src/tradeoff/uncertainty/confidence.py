"""What a user may ask of intervals (level, method, resamples, sampling), and their ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from types import EllipsisType
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
"""Told how many resamples are done, of how many."""

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
    many as `replicates`; `seed` makes them repeatable on any number of cores.
    """

    level: float = 0.95
    method: str | None = None
    replicates: int = 1000
    seed: int = 0
    sampling: Sampling = "random"
    progress: Progress | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be asked."""
        demand_level(self.level)
        if isinstance(self.method, str):
            object.__setattr__(self, "method", _folded(self.method).replace(" ", "-"))
        methods = tuple(methods_by_name())  # a method may be given that has no hash
        if self.method is not None and self.method not in methods:
            raise UnknownName(
                f"No method is called {self.method!r}.{did_you_mean(str(self.method), methods)} "
                f"There are {listed(methods, len(methods))}."
            )
        if not hasattr(self.replicates, "__index__") or self.replicates < 2:
            raise InputError(f"replicates must be at least 2, not {self.replicates}.")
        if not hasattr(self.seed, "__index__") or self.seed < 0:
            raise InputError(f"A seed is a whole number from 0 on, not {self.seed}.")
        if isinstance(self.sampling, str):
            object.__setattr__(self, "sampling", _folded(self.sampling))
        if self.sampling not in get_args(Sampling):
            raise UnknownName(
                f"No sampling is called {self.sampling!r}. There are {listed(get_args(Sampling))}."
            )

    @cached_property
    def by_class(self) -> bool:
        """Whether the class totals were fixed when the rows were taken."""
        return self.sampling == "by class"

    def method_for(self, scope: Scope) -> IntervalMethod:
        """The method for shares of rows, or for areas: one for other numbers leaves the usual."""
        return methods_by_name(scope).get(self.method or "") or usual_method(scope)

    @cached_property
    def draws(self) -> bool:
        """Whether to take bootstrap resamples even where a formula would do."""
        return self.method in methods_by_name("all")


def _folded(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ")


USUAL = Confidence()
"""95 % intervals, each by the method that suits its number."""


def adjusted(  # noqa: PLR0913, PLR0917 - the fields of a Confidence
    confidence: Confidence | None,
    level: float | EllipsisType | None = ...,
    method: str | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    sampling: Sampling | None = None,
    progress: Progress | None = None,
) -> Confidence | None:
    """The same with other choices; those left out stay. A level of None: no intervals.

    Example:
        >>> adjusted(USUAL, level=0.9).level, adjusted(USUAL, level=None)
        (0.9, None)
    """
    level = (confidence.level if confidence else None) if level is ... else level
    if level is None:
        return None
    choices = {
        "level": level,
        "method": method,
        "replicates": replicates,
        "seed": seed,
        "sampling": sampling,
        "progress": progress,
    }
    chosen: dict[str, Any] = {name: value for name, value in choices.items() if value is not None}
    return replace(confidence or USUAL, **chosen)
