"""The table of checks, and what one finds. Each check is a decorated function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

Level = Literal["error", "warning", "note"]
Subject = Literal["ranking", "folds", "segments", "files", "rows", "scores"]
Told = tuple[Level, str, str] | None
"""How bad it is, what is the matter, and what to do; None where all is well."""
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
"""From bad to harmless. Errors make numbers wrong or impossible, warnings doubtful."""


@dataclass(frozen=True)
class Finding:
    """Something about scored rows that a reader must know before believing their numbers.

    Example:
        >>> Finding("constant_scores", "error", "Every score is 0.5.", "Look at the model.")
        Finding(error, constant_scores: Every score is 0.5.)
    """

    name: str
    level: Level
    sentence: str
    advice: str
    where: str = ""

    @property
    def matters(self) -> bool:
        """Whether it is more than a note."""
        return self.level != "note"

    def __repr__(self) -> str:
        """One line: how bad, and what."""
        return f"Finding({self.level}, {self.name}: {self.sentence})"


@dataclass(frozen=True)
class Check:
    """A named check: what it looks at, and a phrase on what it looks for."""

    name: str
    of: Subject
    phrase: str
    function: Callable[[Any], Told]

    def look(self, subject: Any, where: str = "") -> list[Finding]:
        """What it finds: one finding or none."""
        told = self.function(subject)
        return [] if told is None else [Finding(self.name, *told, where)]


CHECKS: dict[str, Check] = {}
"""Checks by name. `@check` enters one."""


def check(of: Subject, phrase: str) -> Callable[[Callable[[Any], Told]], Callable[[Any], Told]]:
    """Enter a function as a check of a ranking, folds, segments, files, rows or scores.

    Example:
        >>> from tradeoff.analysis.checking import CHECKS
        >>> CHECKS["constant_scores"].phrase
        'every row has the same score'
    """

    def enter(function: Callable[[Any], Told]) -> Callable[[Any], Told]:
        CHECKS[function.__name__] = Check(function.__name__, of, phrase, function)
        return function

    return enter
