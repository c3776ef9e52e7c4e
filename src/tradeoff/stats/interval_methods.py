"""The table of ways to find an interval that a user may ask for by name. No formula stands here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args

from tradeoff.errors import require_new

Scope = Literal["shares", "areas", "all"]
"""What a method is for: shares of rows, areas under ROC curves, or any number."""
Function = TypeVar("Function")


@dataclass(frozen=True)
class IntervalMethod:
    """A way to find intervals: what users call it, what it is for, and what output calls it."""

    name: str
    scope: Scope
    label: str
    function: Any
    aliases: tuple[str, ...] = ()


INTERVAL_METHODS: dict[str, IntervalMethod] = {}
"""Methods by name. `@interval_method` enters one; the first of its scope is the usual one."""


def interval_method(
    name: str, *, of: Scope, label: str, aliases: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Enter a function as a way to find intervals of shares, areas or all numbers."""

    def enter(function: Function) -> Function:
        require_new(name, INTERVAL_METHODS, "methods")
        INTERVAL_METHODS[name] = IntervalMethod(name, of, label, function, aliases)
        usual_method.cache_clear()
        methods_by_name.cache_clear()
        return function

    return enter


@cache
def usual_method(scope: Scope) -> IntervalMethod:
    """The method where none, or none of this scope, is asked for."""
    return next(method for method in INTERVAL_METHODS.values() if method.scope == scope)


@cache
def methods_by_name(*scopes: Scope) -> Mapping[str, IntervalMethod]:
    """Methods of some scopes, or of all, by every name that is accepted; aliases last of each."""
    names: dict[str, IntervalMethod] = {}
    for scope in scopes or get_args(Scope):
        own = [method for method in INTERVAL_METHODS.values() if method.scope == scope]
        names |= {method.name: method for method in own}
        names |= {alias: method for method in own for alias in method.aliases}
    return names


def methods_in_words() -> str:
    """All methods in a line, by what they are for."""
    words = []
    for scope in get_args(Scope):
        names = [m.name for m in INTERVAL_METHODS.values() if m.scope == scope]
        words.append(f"{', '.join(names)} ({scope})")
    return "; ".join(words)
