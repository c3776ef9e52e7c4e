"""Registry of confidence interval methods that users select by name, and validation of levels.

The formulas are in other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar, get_args

from tradeoff.errors import InputError, require_number, require_unique_name

Scope = Literal["shares", "areas", "all"]
"""What a method is for: proportions of rows, AUCs, or any measure."""
SCOPE_LABELS: dict[Scope, str] = {"shares": "proportions", "areas": "AUCs", "all": "any measure"}
Function = TypeVar("Function")


@dataclass(frozen=True)
class IntervalMethod:
    """A confidence interval method: its name, scope, label in output, and function."""

    name: str
    scope: Scope
    label: str
    function: Any
    aliases: tuple[str, ...] = ()


INTERVAL_METHODS: dict[str, IntervalMethod] = {}
"""Methods by name, registered by `@interval_method`; the first for a scope is its default."""


def interval_method(
    name: str, *, of: Scope, label: str, aliases: tuple[str, ...] = ()
) -> Callable[[Function], Function]:
    """Register a function as an interval method for proportions, AUCs or any measure."""

    def register(function: Function) -> Function:
        require_unique_name(name, INTERVAL_METHODS, "methods")
        INTERVAL_METHODS[name] = IntervalMethod(name, of, label, function, aliases)
        default_method.cache_clear()
        methods_by_name.cache_clear()
        return function

    return register


@cache
def default_method(scope: Scope) -> IntervalMethod:
    """Default interval method for a scope."""
    return next(method for method in INTERVAL_METHODS.values() if method.scope == scope)


@cache
def methods_by_name(*scopes: Scope) -> Mapping[str, IntervalMethod]:
    """Interval methods for some or all scopes by name, then by alias."""
    names: dict[str, IntervalMethod] = {}
    for scope in scopes or get_args(Scope):
        in_scope = [method for method in INTERVAL_METHODS.values() if method.scope == scope]
        names |= {method.name: method for method in in_scope}
        names |= {alias: method for method in in_scope for alias in method.aliases}
    return names


def describe_methods() -> str:
    """All interval methods in one line, by scope, for help texts."""
    descriptions = []
    for scope, label in SCOPE_LABELS.items():
        names = [m.name for m in INTERVAL_METHODS.values() if m.scope == scope]
        descriptions.append(f"{', '.join(names)} ({label})")
    return "; ".join(descriptions)


def require_level(level: float) -> float:
    """Require a confidence level strictly between 0 and 1, as every interval method does.

    Example:
        >>> require_level(95)
        Traceback (most recent call last):
        tradeoff.errors.InputError: A level must be between 0 and 1, not 95 (95% is 0.95).
    """
    if not 0 < require_number(level, "A level") < 1:
        percent = f" ({level:g}% is {level / 100:g})" if 1 < level < 100 else ""
        raise InputError(f"A level must be between 0 and 1, not {level:g}{percent}.")
    return float(level)
