"""Findings of all checks of rows and rankings, worst first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tradeoff.checks.registry import CHECKS, LEVELS, Finding, Subject

if TYPE_CHECKING:
    from tradeoff.checks.rows import RawRows, RawScores
    from tradeoff.core.ranked_models import RankedModels
    from tradeoff.core.ranking import Ranking


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
