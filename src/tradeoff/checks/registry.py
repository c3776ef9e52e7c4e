"""Registry of the checks of rows and rankings, their findings, and the result of check()."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from tradeoff.errors import require_unique_name
from tradeoff.results import Result
from tradeoff.wording import ROWS, Wording

Level = Literal["error", "warning", "note"]
Subject = Literal["ranking", "folds", "segments", "files", "rows", "scores"]
Problem = tuple[Level, str, str] | None
"""Level, sentence and advice; None if there is no problem."""
LEVELS: tuple[Level, ...] = ("error", "warning", "note")
"""Levels, worst first. Errors make metrics wrong or undefined, warnings make them doubtful."""


@dataclass(frozen=True)
class Finding:
    """A problem that a check found in scored rows: its level, a sentence and advice.

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
    def is_serious(self) -> bool:
        """Whether the finding is a warning or an error rather than a note."""
        return self.level != "note"

    def __repr__(self) -> str:
        """Level, name and sentence on one line."""
        return f"Finding({self.level}, {self.name}: {self.sentence})"


@dataclass(frozen=True)
class CheckKind:
    """Registry entry of a check: its subject, its function and a title for what it looks for."""

    name: str
    subject: Subject
    title: str
    function: Callable[[Any], Problem]

    def run(self, data: Any, where: str = "") -> list[Finding]:
        """The finding of this check, or an empty list."""
        problem = self.function(data)
        return [] if problem is None else [Finding(self.name, *problem, where)]


CHECKS: dict[str, CheckKind] = {}
"""Checks by name. `@check` registers one."""


def check(
    subject: Subject, title: str
) -> Callable[[Callable[[Any], Problem]], Callable[[Any], Problem]]:
    """Register a function as a check of a ranking, folds, segments, files, rows or scores.

    Example:
        >>> from tradeoff.checks import CHECKS
        >>> CHECKS["constant_scores"].title
        'constant scores'
    """

    def register(function: Callable[[Any], Problem]) -> Callable[[Any], Problem]:
        require_unique_name(function.__name__, CHECKS, "checks")
        CHECKS[function.__name__] = CheckKind(function.__name__, subject, title, function)
        return function

    return register


@dataclass(frozen=True, eq=False, repr=False)
class CheckedRows(Result, views="tradeoff.checks.views"):
    """Result of check(): the findings, worst first, and the names of the checks made."""

    rows: int
    findings: tuple[Finding, ...]
    looked_at: tuple[str, ...]
    wording: Wording = field(default=ROWS, compare=False)

    @property
    def worst(self) -> Level | None:
        """The level of the worst finding: "error", "warning" or "note"; None if there are none."""
        return worst_level(self.findings)

    @property
    def trusted(self) -> bool:
        """Whether no finding is worse than a note."""
        return self.worst in {None, "note"}

    def columns(self) -> dict[str, list[Any]]:
        """One row per finding."""
        keys = ("level", "name", "where", "sentence", "advice")
        return {key: [getattr(finding, key) for finding in self.findings] for key in keys}

    def __iter__(self) -> Iterator[Finding]:
        """The findings."""
        return iter(self.findings)

    def __repr__(self) -> str:
        """Number of findings of each level on one line."""
        return f"CheckedRows({self.sections()[0].lines[0].removesuffix('.')})"


def worst_level(findings: Iterable[Finding]) -> Level | None:
    """Level of the worst finding; None if there are no findings.

    Example:
        >>> worst_level([Finding("a", "note", "", ""), Finding("b", "warning", "", "")])
        'warning'
    """
    levels = {finding.level for finding in findings}
    return next((level for level in LEVELS if level in levels), None)
