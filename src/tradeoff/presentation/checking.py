"""Findings about scored rows for readers: what is the matter, where, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradeoff.analysis.checking.kinds import CHECKS, LEVELS
from tradeoff.render.sections import Section
from tradeoff.text import rows as rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.analysis.checking.kinds import Finding

CHECK = "tradeoff/check/1"


def check_sections(
    found: Sequence[Finding], *, rows: int | None = None, looked_at: Sequence[str] = ()
) -> list[Section]:
    """How many findings there are, and each with what to do about it.

    Example:
        >>> check_sections([], rows=14)[0].lines
        ('14 rows: nothing was found that speaks against using them.',)
    """
    size = "" if rows is None else f"{rows_of(rows)}: "
    said = [f"{size}{_summed(found)}."]
    if looked_at and not found:
        phrases = [CHECKS[name].phrase for name in looked_at if name in CHECKS]
        said.append(f"Looked whether {'; '.join(phrases)}.")
    return [Section("Check of the rows", tuple(said)), *(_section(one) for one in found)]


def check_document(
    found: Sequence[Finding], *, rows: int | None = None, looked_at: Sequence[str] = ()
) -> dict[str, Any]:
    """The same for other programs.

    Example:
        >>> check_document([], rows=14)["findings"]
        []
    """
    return {
        "schema": CHECK,
        "rows": rows,
        "checks": list(looked_at),
        "findings": [finding_document(one) for one in found],
    }


def finding_document(finding: Finding) -> dict[str, Any]:
    """One finding for other programs; `where` is null where it concerns all models.

    Example:
        >>> from tradeoff.analysis.checking import Finding
        >>> finding_document(Finding("no_rows", "error", "There are no rows.", "Look."))["where"]
    """
    return {
        "name": finding.name,
        "level": finding.level,
        "where": finding.where or None,
        "sentence": finding.sentence,
        "advice": finding.advice,
    }


def _section(finding: Finding) -> Section:
    name = finding.name.replace("_", " ")
    where = f" ({finding.where})" if finding.where else ""
    heading = f"{finding.level.capitalize()}: {name}{where}"
    return Section(heading, (finding.sentence, f"What to do: {finding.advice}"))


def _summed(found: Sequence[Finding]) -> str:
    if not found:
        return "nothing was found that speaks against using them"
    sizes = {level: sum(one.level == level for one in found) for level in LEVELS}
    parts = [f"{size} {level}{'' if size == 1 else 's'}" for level, size in sizes.items() if size]
    return ", ".join(parts)
