"""Other tools' numbers beside ours for readers: both, whether they are the same, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tradeoff.compatibility import TOOLS, Likeness, ToolComparison
from tradeoff.render.sections import Section
from tradeoff.render.values import as_csv, estimate_document, plain_number, spelled
from tradeoff.results import shows
from tradeoff.text import count, number, rows, threshold

COMPAT = "tradeoff/compat/1"
SAME = {True: "yes", False: "no", None: ""}


@shows(ToolComparison, "sections")
def compat_sections(comparison: ToolComparison) -> list[Section]:
    """What was compared, and a table for each tool."""
    found, ranking, at = comparison.likenesses, comparison.ranking, comparison.threshold
    judged = [one for one in found if one.same is not None]
    same = sum(one.same is True for one in judged)
    what = f"{rows(ranking.rows)}, {count(ranking.positives)} of them {ranking.positive}"
    said = (
        f"{what}; numbers of one threshold are at {threshold(at)}.",
        f"{same} of {len(judged)} numbers that have one of ours beside them are the same.",
    )
    tables = [_table(tool, [one for one in found if one.peer.tool == tool]) for tool in TOOLS]
    return [Section(f"Other tools on {ranking.name}", said), *(t for t in tables if t.table[1:])]


@shows(ToolComparison, "document")
def compat_document(comparison: ToolComparison) -> dict[str, Any]:
    """The same for other programs."""
    found, ranking, at = comparison.likenesses, comparison.ranking, comparison.threshold
    tools = [tool for tool in TOOLS if any(one.peer.tool == tool for one in found)]
    return {
        "schema": COMPAT,
        "model": ranking.name,
        "rows": ranking.rows,
        "positive": ranking.positive,
        "negative": ranking.negative,
        "positives": plain_number(ranking.positives),
        "negatives": plain_number(ranking.negatives),
        "threshold": spelled(at),
        "tools": [
            {"tool": tool, "numbers": [_number(one) for one in found if one.peer.tool == tool]}
            for tool in tools
        ],
    }


@shows(ToolComparison, "csv")
def compat_csv(comparison: ToolComparison) -> str:
    """One line for each number.

    Example:
        >>> import numpy as np
        >>> from tradeoff.compatibility import compare_tools
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.9, 0.2]), np.array([True, False]))
        >>> compat_csv(compare_tools(ranking, "sklearn")).splitlines()[1]
        'scikit-learn,roc_auc_score,1.0,,auc,,1.0,yes,yes'
    """
    head = ("tool", "name", "value", "reason", "ours", "part", "our_value", "same", "agrees")
    lines = [
        [
            one.peer.tool,
            one.peer.name,
            one.theirs.value,
            one.theirs.reason,
            one.peer.ours,
            one.peer.part,
            one.ours.value if one.ours else None,
            SAME[one.same],
            SAME[one.peer.agrees],
        ]
        for one in comparison.likenesses
    ]
    return as_csv(head, lines)


def _number(one: Likeness) -> dict[str, Any]:
    ours = None
    if one.ours is not None:
        part = {"part": one.peer.part} if one.peer.part else {}
        ours = {"name": one.ours.name, **part, **estimate_document(one.ours)}
    return {
        "name": one.peer.name,
        "parameters": {key: _plain(value) for key, value in one.peer.parameters.items()},
        **estimate_document(one.theirs),
        "ours": ours,
        "same": one.same,
        "agrees": one.peer.agrees,
        "why": one.peer.why,
    }


def _plain(value: Any) -> Any:
    return spelled(value) if isinstance(value, float) else value


def _table(tool: str, found: Sequence[Likeness]) -> Section:
    head = (tool, "our name", "theirs", "ours", "same", "why")
    lines = [
        (
            one.peer.name,
            _called(one),
            number(one.theirs.value),
            number(one.ours.value) if one.ours else "",
            SAME[one.same],
            _why(one),
        )
        for one in found
    ]
    return Section(tool, (), (head, *lines), left=2, prose_last=True)


def _called(one: Likeness) -> str:
    if one.ours is None:
        return "-"
    return f"{one.ours.name} ({one.peer.part})" if one.peer.part else one.ours.name


def _why(one: Likeness) -> str:
    """The convention, behind what happened with these rows."""
    told = one.theirs.reason or one.theirs.note
    return f"{told}. {one.peer.why}" if told else one.peer.why
