"""Registry of the interval methods that users select by name. No formula is here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args

from tradeoff.errors import require_unique_name

Scope = Literal["shares", "areas", "all"]
"""What a method is for: proportions of rows, areas under ROC curves, or any measure."""
Function = TypeVar("Function")


@dataclass(frozen=True)
class IntervalMethod:
    """Interval method: its name, its scope, its label in output, and its function."""

    name: str
    scope: Scope
    label: str
    function: Any
    aliases: tuple[str, ...] = ()


INTERVAL_METHODS: dict[str, IntervalMethod] = {}
"""Methods by name. `@interval_method` registers one; the first of its scope is the default."""


def interval_method(
    name: str, *, of: Scope, label: str, aliases: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Register a function as an interval method for proportions, AUCs or any measure."""

    def enter(function: Function) -> Function:
        require_unique_name(name, INTERVAL_METHODS, "methods")
        INTERVAL_METHODS[name] = IntervalMethod(name, of, label, function, aliases)
        default_method.cache_clear()
        methods_by_name.cache_clear()
        return function

    return enter


@cache
def default_method(scope: Scope) -> IntervalMethod:
    """Default interval method of a scope."""
    return next(method for method in INTERVAL_METHODS.values() if method.scope == scope)


@cache
def methods_by_name(*scopes: Scope) -> Mapping[str, IntervalMethod]:
    """Interval methods of some or all scopes, by name and alias; aliases come last."""
    names: dict[str, IntervalMethod] = {}
    for scope in scopes or get_args(Scope):
        in_scope = [method for method in INTERVAL_METHODS.values() if method.scope == scope]
        names |= {method.name: method for method in in_scope}
        names |= {alias: method for method in in_scope for alias in method.aliases}
    return names


def describe_methods() -> str:
    """All interval methods in one line, by scope, for help texts."""
    words = []
    for scope in get_args(Scope):
        names = [m.name for m in INTERVAL_METHODS.values() if m.scope == scope]
        words.append(f"{', '.join(names)} ({scope})")
    return "; ".join(words)
