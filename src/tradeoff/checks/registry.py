"""All checks of rows and rankings, and what each finding is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from tradeoff.errors import require_new
from tradeoff.results import Result

if TYPE_CHECKING:
    from tradeoff.checks.rows import GivenRows, GivenScores
    from tradeoff.core.models import RankedModels
    from tradeoff.core.ranking import Ranking


# The table of checks, and what one finds. Each check is a decorated function.


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
class CheckKind:
    """A named check: what it looks at, and a phrase on what it looks for."""

    name: str
    of: Subject
    phrase: str
    function: Callable[[Any], Told]

    def look(self, subject: Any, where: str = "") -> list[Finding]:
        """What it finds: one finding or none."""
        told = self.function(subject)
        return [] if told is None else [Finding(self.name, *told, where)]


CHECKS: dict[str, CheckKind] = {}
"""Checks by name. `@check` enters one."""


def check(of: Subject, phrase: str) -> Callable[[Callable[[Any], Told]], Callable[[Any], Told]]:
    """Enter a function as a check of a ranking, folds, segments, files, rows or scores.

    Example:
        >>> from tradeoff.checks import CHECKS
        >>> CHECKS["constant_scores"].phrase
        'every row has the same score'
    """

    def enter(function: Callable[[Any], Told]) -> Callable[[Any], Told]:
        require_new(function.__name__, CHECKS, "checks")
        CHECKS[function.__name__] = CheckKind(function.__name__, of, phrase, function)
        return function

    return enter


NONE: Mapping[str, Any] = {}


def findings_of(
    models: RankedModels,
    *,
    against: Mapping[str, Ranking] = NONE,
    names: tuple[str, str] = ("these rows", "the other rows"),
) -> list[Finding]:
    """What ranked models, their folds and segments show to be wrong, the worst first.

    Args:
        models: The ranking of each model, of its folds and its segments.
        against: The same models on other rows, for example those of last year.
        names: What the two sets of rows are called.

    Example:
        >>> import tradeoff as to
        >>> e = to.evaluate(actual=[0, 1] * 20, score=[0.5] * 40)
        >>> findings_of(e.models)
        [Finding(error, constant_scores: Every row has the same score in score, 0.5: it ranks \
nothing.)]
    """
    found: list[Finding] = []
    for model, ranking in models.rankings.items():
        found += _look("ranking", ranking, model)
        if models.folds.get(model):
            found += _look("folds", models.folds[model], model)
        if models.segments.get(model):
            found += _look("segments", models.segments[model], model)
        if model in against:
            found += _look("files", dict(zip(names, (ranking, against[model]), strict=True)), model)
    return _sorted(found)


def findings_of_rows(given: GivenRows, scores: Sequence[GivenScores] = ()) -> list[Finding]:
    """What rows show to be wrong before they are ranked, the worst first.

    Example:
        >>> import numpy as np
        >>> from tradeoff.checks import GivenRows
        >>> findings_of_rows(GivenRows(np.array(["a", "b"]), weights=np.zeros(2)))
        [Finding(error, wrong_weights: Every weight is 0, so no row counts.)]
    """
    found = _look("rows", given, "")
    for column in scores:
        found += _look("scores", column, column.name)
    return _sorted(found)


def worst_level(found: Iterable[Finding]) -> Level | None:
    """How bad the worst finding is; None where there is none.

    Example:
        >>> worst_level([Finding("a", "note", "", ""), Finding("b", "warning", "", "")])
        'warning'
    """
    levels = {one.level for one in found}
    return next((level for level in LEVELS if level in levels), None)


def _look(of: Subject, subject: Any, where: str) -> list[Finding]:
    own = [one for one in CHECKS.values() if one.of == of]
    return [finding for one in own for finding in one.look(subject, where)]


def _sorted(found: list[Finding]) -> list[Finding]:
    """The worst first; what is the same for several models is said once."""
    once: dict[Finding, list[str]] = {}
    for one in found:
        once.setdefault(replace(one, where=""), []).append(one.where)
    merged = [replace(one, where=", ".join(filter(None, at))) for one, at in once.items()]
    return sorted(merged, key=lambda one: LEVELS.index(one.level))


@dataclass(frozen=True, eq=False, repr=False)
class CheckedRows(Result, views="tradeoff.checks.views"):
    """What was found, the worst first, and which checks had something to look at."""

    rows: int
    findings: tuple[Finding, ...]
    looked_at: tuple[str, ...]

    @property
    def worst(self) -> Level | None:
        """The level of the worst finding: "error", "warning" or "note"; None without any."""
        return worst_level(self.findings)

    @property
    def trusted(self) -> bool:
        """Whether there is nothing worse than a note."""
        return self.worst in {None, "note"}

    def columns(self) -> dict[str, list[Any]]:
        """One line a finding."""
        keys = ("level", "name", "where", "sentence", "advice")
        return {key: [getattr(one, key) for one in self.findings] for key in keys}

    def __iter__(self) -> Iterator[Finding]:
        """The findings."""
        return iter(self.findings)

    def __repr__(self) -> str:
        """One line: how many of each level."""
        return f"CheckedRows({self.sections()[0].lines[0].removesuffix('.')})"
