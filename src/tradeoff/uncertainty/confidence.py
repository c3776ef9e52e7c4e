"""Settings for confidence intervals: level, method, sampling design and bootstrap resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from types import EllipsisType
from typing import Any, Literal, get_args

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.stats import proportions  # noqa: F401 - registers the methods for proportions
from tradeoff.stats.interval_methods import (
    IntervalMethod,
    Scope,
    default_method,
    interval_method,
    methods_by_name,
    require_level,
)
from tradeoff.uncertainty import auc  # noqa: F401 - registers the methods for AUCs

ProgressCallback = Callable[[int, int], None]
"""Called with the number of resamples done so far and their total number."""

Sampling = Literal["random", "by class"]
"""A random sample, whose class totals are random too, or a fixed number of rows of each class."""

# Percentiles of bootstrap replicates, plain or corrected for bias and skewness: see `bootstrap`.
interval_method("bootstrap", of="all", label="percentile bootstrap")(None)
interval_method("bca", of="all", label="BCa bootstrap")(None)


@dataclass(frozen=True)
class Confidence:
    """Level and method of confidence intervals.

    Without a `method`, each estimate uses the one that suits it. `sampling` is how the rows were
    sampled: "random", so that class totals vary between samples, or a fixed number "by class", as
    in a case–control study. The bootstrap resamples in the same way, `replicates` times; `seed`
    makes its resamples reproducible on any number of cores.
    """

    level: float = 0.95
    method: str | None = None
    replicates: int = 1000
    seed: int = 0
    sampling: Sampling = "random"
    progress: ProgressCallback | None = None

    def __post_init__(self) -> None:
        """Validate the fields."""
        require_level(self.level)
        if isinstance(self.method, str):
            object.__setattr__(self, "method", _normalise_name(self.method).replace(" ", "-"))
        methods = tuple(methods_by_name())  # a tuple: a caller may pass an unhashable method
        if self.method is not None and self.method not in methods:
            raise UnknownName(
                f"There is no interval method {self.method!r}."
                f"{did_you_mean(str(self.method), methods)} "
                f"Available methods: {format_list(methods, len(methods))}."
            )
        if not hasattr(self.replicates, "__index__") or self.replicates < 2:
            raise InputError(f"replicates must be at least 2, not {self.replicates}.")
        if not hasattr(self.seed, "__index__") or self.seed < 0:
            raise InputError(f"seed must be a non-negative integer, not {self.seed}.")
        if isinstance(self.sampling, str):
            object.__setattr__(self, "sampling", _normalise_name(self.sampling))
        if self.sampling not in get_args(Sampling):
            raise UnknownName(
                f"There is no sampling {self.sampling!r}: it is either "
                f"{' or '.join(map(repr, get_args(Sampling)))}."
            )

    @cached_property
    def by_class(self) -> bool:
        """Whether the sampling design fixed the class totals."""
        return self.sampling == "by class"

    def method_for(self, scope: Scope) -> IntervalMethod:
        """Method for proportions or for AUCs: `method` if it is one of them, else the default."""
        return methods_by_name(scope).get(self.method or "") or default_method(scope)

    @cached_property
    def is_bootstrap(self) -> bool:
        """Whether to bootstrap even where a formula exists."""
        return self.method in methods_by_name("all")


def _normalise_name(name: str) -> str:
    return name.casefold().replace("_", " ").replace("-", " ")


DEFAULT_CONFIDENCE = Confidence()
"""95% confidence intervals, each by the default method for its estimate."""


def adjusted_confidence(  # noqa: PLR0913, PLR0917 - the fields of a Confidence
    confidence: Confidence | None,
    level: float | EllipsisType | None = ...,
    method: str | None = None,
    replicates: int | None = None,
    seed: int | None = None,
    sampling: Sampling | None = None,
    progress: ProgressCallback | None = None,
) -> Confidence | None:
    """Confidence settings with some fields replaced; a level of None means no intervals.

    Example:
        >>> adjusted_confidence(DEFAULT_CONFIDENCE, level=0.9).level
        0.9
        >>> adjusted_confidence(DEFAULT_CONFIDENCE, level=None)
    """
    level = (confidence.level if confidence else None) if level is ... else level
    if level is None:
        return None
    settings = {
        "level": level,
        "method": method,
        "replicates": replicates,
        "seed": seed,
        "sampling": sampling,
        "progress": progress,
    }
    changes: dict[str, Any] = {name: value for name, value in settings.items() if value is not None}
    return replace(confidence or DEFAULT_CONFIDENCE, **changes)
