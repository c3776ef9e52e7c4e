"""What came of the comparisons, as a table and as the page of the documentation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from peers.judging import Verdicts

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "peers.md"
OPENING = """\
# Held against other programs

Written by `make peers-page`. `make peers` asks each program and this one about the same data, and
compares what they say: random rows with ties, with weights, a handful of rows, rare classes, empty
classes, certain and constant scores. *Same* are numbers that agree (to nine digits; torchmetrics
counts in single precision, and agrees to five) or that neither program has. A *convention* is a
difference that is meant: it is listed below, and [conventions](../explanation/conventions.md)
states it. Anything else would be *wrong*.

scikit-learn's own tests are those that it ships, run with our numbers in place of its own: tests
are counted, not numbers, and those alone that ask for a number that we have."""


@dataclass(frozen=True)
class Outcome:
    """What came of comparing with one program; without a version it was not there."""

    name: str
    version: str | None
    verdicts: Verdicts
    remark: str

    def trouble(self) -> Iterator[str]:
        """What must be looked at: numbers that are wrong, conventions that nothing needed."""
        for number in self.verdicts.examples():
            yield f"wrong, {self.name}: {number}"
        if self.version is not None:
            for convention in self.verdicts.unused:
                yield f"never needed, {self.name}: {convention.difference}"


def table(outcomes: list[Outcome]) -> list[str]:
    """One line a program."""
    lines = [
        "| program | version | tried | same | convention | wrong |",
        "|:--|:--|--:|--:|--:|--:|",
    ]
    for outcome in outcomes:
        found = outcome.verdicts
        if outcome.version is None:
            lines.append(f"| {outcome.name} | not installed | | | | |")
            continue
        counts = (found.tried, found.same, found.explained.total(), len(found.wrong))
        cells = " | ".join(f"{count:,}" for count in counts)
        lines.append(f"| {outcome.name} | {outcome.version} | {cells} |")
    return lines


def page(outcomes: list[Outcome]) -> str:
    """The table, and what each program means to do differently."""
    parts = [OPENING, "\n".join(table(outcomes))]
    for outcome in outcomes:
        explained = outcome.verdicts.explained
        parts.append(f"## {outcome.name}")
        parts.append(_quantities(outcome.verdicts))
        if explained:
            lines = ["| there | in the numbers of | times |", "|:--|:--|--:|"]
            for convention in outcome.verdicts.conventions:
                names = ", ".join(f"`{name}`" for name in sorted(convention.quantities))
                lines.append(f"| {convention.difference} | {names} | {explained[convention]:,} |")
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _quantities(verdicts: Verdicts) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(verdicts.quantities))
    return f"{len(verdicts.quantities)} quantities: {names}."
