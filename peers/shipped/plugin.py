"""A plugin of pytest that puts our numbers in place of scikit-learn's, and notes how tests end.

Where scikit-learn refuses, so does the replacement, and with its words: it is asked first. While
it answers it is left alone, so that nothing of ours is compared with itself.
"""

from __future__ import annotations

import functools
import inspect
import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import sklearn.metrics
import sklearn.metrics._classification
import sklearn.metrics._ranking
import sklearn.metrics.cluster
import sklearn.metrics.cluster._supervised

from peers.shipped.adapters import ADAPTERS, FOLLOWED, NotOurs

if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = os.environ["PEERS_RESULTS"]
MODULES = (
    sklearn.metrics,
    sklearn.metrics._classification,  # noqa: SLF001 - where the functions live
    sklearn.metrics._ranking,  # noqa: SLF001
    sklearn.metrics.cluster,
    sklearn.metrics.cluster._supervised,  # noqa: SLF001
)


@dataclass
class Calls:
    """What the running test has asked of us, and where our answers differ."""

    inside: bool = False
    answered: set[str] = field(default_factory=set)
    different: list[str] = field(default_factory=list)


CALLS = Calls()


def replaced(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    """The function with our number in place of its own."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def answer(*given: Any, **named: Any) -> Any:
        if CALLS.inside:
            return original(*given, **named)
        CALLS.inside = True
        try:
            theirs = original(*given, **named)
            try:
                ours = ADAPTERS[name](_arguments(signature, given, named))
            except NotOurs:
                return theirs
            except Exception as stopped:  # noqa: BLE001 - whatever stops us is our fault
                CALLS.different.append(f"{name}: {type(stopped).__name__} here: {stopped}")
                return theirs
        finally:
            CALLS.inside = False
        CALLS.answered.add(name)
        if not _same(ours, theirs):
            CALLS.different.append(f"{name}: here {ours!r}, there {theirs!r}")
        return _shaped(ours, theirs)

    return answer


def _arguments(
    signature: inspect.Signature, given: tuple[Any, ...], named: dict[str, Any]
) -> dict[str, Any]:
    """By name; a call that scikit-learn takes only for a while yet is left to it."""
    try:
        bound = signature.bind(*given, **named)
    except TypeError:
        raise NotOurs from None
    bound.apply_defaults()
    return dict(bound.arguments)


def _same(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, tuple):
        return len(ours) == len(theirs) and all(map(_same, ours, theirs))
    if theirs is None or ours is None:
        return ours is theirs
    one, other = np.asarray(ours, float), np.asarray(theirs, float)
    return one.shape == other.shape and bool(
        np.allclose(one, other, rtol=1e-9, atol=1e-12, equal_nan=True)
    )


def _shaped(ours: Any, theirs: Any) -> Any:
    """Our numbers as scikit-learn hands them out: of its type."""
    if isinstance(theirs, tuple):
        return tuple(_shaped(one, other) for one, other in zip(ours, theirs, strict=True))
    if theirs is None:
        return None
    if isinstance(theirs, np.ndarray):
        return np.asarray(ours, theirs.dtype)
    return type(theirs)(ours)


def pytest_configure() -> None:
    """Before scikit-learn's tests import its functions."""
    for name in ADAPTERS:
        original = next(vars(module)[name] for module in MODULES if name in vars(module))
        ours = replaced(name, original)
        for module in MODULES:
            if vars(module).get(name) is original:
                setattr(module, name, ours)


def pytest_runtest_setup() -> None:
    """Every test starts with nothing asked."""
    CALLS.answered, CALLS.different = set(), []
    FOLLOWED.clear()


def pytest_runtest_logreport(report: Any) -> None:
    """Note what came of a test in which we answered."""
    if report.when != "call" or not (CALLS.answered or CALLS.different):
        return
    noted = {
        "test": report.nodeid.rpartition("/")[2],
        "outcome": report.outcome,
        "answered": sorted(CALLS.answered),
        "different": CALLS.different[:3],
        "followed": sorted(FOLLOWED),
        "why": report.longreprtext[-300:] if report.failed else "",
    }
    with open(RESULTS, "a", encoding="utf-8") as file:  # noqa: PTH123 - a plugin of few imports
        file.write(json.dumps(noted) + "\n")
