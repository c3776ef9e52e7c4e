"""Registry of the checks of rows and rankings, their findings, and the result of check()."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.errors import require_unique_name
from tradeoff.results import Result

if TYPE_CHECKING:
    from tradeoff.checks.rows import RawRows, RawScores
    from tradeoff.core.ranked_models import RankedModels
    from tradeoff.core.ranking import Ranking


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


NO_RANKINGS: Mapping[str, Ranking] = {}


def ranking_findings(
    models: RankedModels,
    *,
    against: Mapping[str, Ranking] = NO_RANKINGS,
    names: tuple[str, str] = ("these rows", "the other rows"),
) -> list[Finding]:
    """Findings of all checks of rankings, their folds and their segments, worst first.

    Args:
        models: The ranking of each model, and those of its folds and segments.
        against: The same models on other rows, for example those of last year.
        names: The names of the two sets of rows.

    Example:
        >>> import tradeoff as to
        >>> e = to.evaluate(actual=[0, 1] * 20, score=[0.5] * 40)
        >>> ranking_findings(e.models)
        [Finding(error, constant_scores: Every row has the same score in score, 0.5, so no row \
is ranked above another.)]
    """
    findings: list[Finding] = []
    for model, ranking in models.rankings.items():
        findings += _run_checks("ranking", ranking, model)
        if models.folds.get(model):
            findings += _run_checks("folds", models.folds[model], model)
        if models.segments.get(model):
            findings += _run_checks("segments", models.segments[model], model)
        if model in against:
            files = dict(zip(names, (ranking, against[model]), strict=True))
            findings += _run_checks("files", files, model)
    return _merge_and_sort(findings)


def row_findings(raw_rows: RawRows, scores: Sequence[RawScores] = ()) -> list[Finding]:
    """Findings of all checks of raw rows and score columns, before ranking, worst first.

    Example:
        >>> import numpy as np
        >>> from tradeoff.checks import RawRows
        >>> row_findings(RawRows(np.array(["a", "b"]), weights=np.zeros(2)))
        [Finding(error, wrong_weights: Every weight is 0, so no row is counted.)]
    """
    findings = _run_checks("rows", raw_rows, "")
    for column in scores:
        findings += _run_checks("scores", column, column.name)
    return _merge_and_sort(findings)


def worst_level(findings: Iterable[Finding]) -> Level | None:
    """Level of the worst finding; None if there are no findings.

    Example:
        >>> worst_level([Finding("a", "note", "", ""), Finding("b", "warning", "", "")])
        'warning'
    """
    levels = {finding.level for finding in findings}
    return next((level for level in LEVELS if level in levels), None)


def _run_checks(subject: Subject, data: Any, where: str) -> list[Finding]:
    checks = [kind for kind in CHECKS.values() if kind.subject == subject]
    return [finding for kind in checks for finding in kind.run(data, where)]


def _merge_and_sort(findings: list[Finding]) -> list[Finding]:
    """Findings, worst first; those that several models share are merged into one."""
    models_by_finding: dict[Finding, list[str]] = {}
    for finding in findings:
        models_by_finding.setdefault(replace(finding, where=""), []).append(finding.where)
    merged = [
        replace(finding, where=", ".join(filter(None, names)))
        for finding, names in models_by_finding.items()
    ]
    return sorted(merged, key=lambda finding: LEVELS.index(finding.level))


@dataclass(frozen=True, eq=False, repr=False)
class CheckedRows(Result, views="tradeoff.checks.views"):
    """Result of check(): the findings, worst first, and the names of the checks made."""

    rows: int
    findings: tuple[Finding, ...]
    looked_at: tuple[str, ...]

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
