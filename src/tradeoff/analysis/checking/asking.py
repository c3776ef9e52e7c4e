"""All checks at once, the worst findings first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from tradeoff.analysis.checking.kinds import CHECKS, LEVELS, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tradeoff.analysis.checking.kinds import Level, Subject
    from tradeoff.analysis.checking.rows import GivenRows, GivenScores
    from tradeoff.ranking.ranking import Ranking


class Evaluated(Protocol):
    """What has rankings by model, and by fold and segment if there are any."""

    @property
    def rankings(self) -> Mapping[str, Ranking]:
        """The ranking of each model."""

    @property
    def folds(self) -> Mapping[str, Mapping[str, Ranking]]:
        """Rankings by model and fold."""

    @property
    def segments(self) -> Mapping[str, Mapping[str, Ranking]]:
        """Rankings by model and segment."""


def findings_of(
    evaluation: Evaluated, *, against: Evaluated | None = None, names: tuple[str, str] = ("", "")
) -> list[Finding]:
    """What an evaluation's rankings, folds and segments show to be wrong, the worst first.

    Args:
        evaluation: Ranked models.
        against: The same models on other rows, for example those of last year.
        names: What the two sets of rows are called.

    Example:
        >>> import tradeoff as to
        >>> e = to.evaluate(actual=[0, 1] * 20, score=[0.5] * 40)
        >>> findings_of(e)
        [Finding(error, constant_scores: Every row has the same score in score, 0.5: it ranks \
nothing.)]
    """
    found: list[Finding] = []
    for model, ranking in evaluation.rankings.items():
        found += _look("ranking", ranking, model)
        for kind, parts in (("folds", evaluation.folds), ("segments", evaluation.segments)):
            if parts.get(model):
                found += _look("folds" if kind == "folds" else "segments", parts[model], model)
        if against is not None and model in against.rankings:
            first, second = names[0] or "these rows", names[1] or "the other rows"
            both = {first: ranking, second: against.rankings[model]}
            found += _look("files", both, model)
    return _sorted(found)


def findings_of_rows(given: GivenRows, scores: Sequence[GivenScores] = ()) -> list[Finding]:
    """What rows show to be wrong before they are ranked, the worst first.

    Example:
        >>> import numpy as np
        >>> from tradeoff.analysis.checking import GivenRows
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
