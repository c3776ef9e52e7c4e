"""A confusion matrix: counts in aligned columns, or one shade a cell where classes are many."""

from __future__ import annotations

import math
from itertools import chain, repeat, zip_longest
from typing import TYPE_CHECKING

import numpy as np

from tradeoff.text import padded, share, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.presentation.charts.chart import Cells, Chart
    from tradeoff.presentation.terminal.writing import Style

_BLOCKS = 3
_FEW = 12
_DARKER = (0.0, 0.1, 0.25, 0.5, 0.75)


class Table:
    """A table while it is written: its names cut to size, its texts, the room for columns."""

    def __init__(self, chart: Chart, cells: Cells, style: Style, width: int) -> None:
        rows, columns = cells.shares.shape
        self.style, self.width, self.shares = style, width, cells.shares
        self.across = style.shown(chart.x.label)
        self.corner = style.cut(style.shown(chart.y.label), width // 3)
        self.heads = [style.shown(name) for name in _filled(chart.x.names, columns)]
        most = max(width // 4, 6)
        self.names = [style.cut(style.shown(name), most) for name in _filled(chart.y.names, rows)]
        self.margin = max(map(width_of, [self.corner, *self.names]))
        self.room = width - self.margin - 3
        told = any("%" in text for row in cells.texts for text in row) or max(rows, columns) > _FEW
        self.texts = [
            [self._parts(text, math.nan if told else float(part)) for text, part in pair]
            for pair in (
                zip(row, shares, strict=True)
                for row, shares in zip(cells.texts, cells.shares, strict=True)
            )
        ]
        self.needed = max(width_of(part) for row in self.texts for cell in row for part in cell)
        self.bar, self.rule, self.cross = ("|", "-", "+") if style.ascii_only else ("│", "─", "┼")

    def lines(self) -> list[str]:
        """The table; one that is too wide goes on below, a far too wide one becomes shades."""
        columns = len(self.heads)
        fit = self.room // (max(self.needed, 3) + 3)
        if fit < 1 or columns > fit * _BLOCKS:
            return self._shades()
        lines: list[str] = []
        for start in range(0, columns, fit):
            lines += [""] if lines else []
            lines += self._block(slice(start, start + fit))
        return lines

    def _block(self, columns: slice) -> list[str]:
        shown = self.heads[columns]
        most = max(self.room // len(shown) - 3, self.needed)
        shown = [self.style.cut(name, most) for name in shown]
        wide = max(self.needed, *map(width_of, shown))
        lines = [" " * (self.margin + 3) + self.style.cut(self.across, self.room)]
        lines.append(self._line(self.corner, shown, wide))
        rule = self.rule * (self.margin + 1) + self.cross
        lines.append(rule + self.rule * (len(shown) * (wide + 2) - 1))
        for name, row in zip(self.names, self.texts, strict=True):
            parts = zip_longest(*row[columns], fillvalue="")
            firsts = chain([name], repeat(""))
            lines += [self._line(first, part, wide) for part, first in zip(parts, firsts)]  # noqa: B905
        return lines

    def _line(self, first: str, cells: Sequence[str], wide: int) -> str:
        inside = "  ".join(padded(cell, wide, flush_left=False) for cell in cells)
        return f"{padded(first, self.margin)} {self.bar} {inside}".rstrip()

    def _parts(self, text: str, part: float) -> list[str]:
        """What stands in a cell, line by line, and its share if it is not told otherwise."""
        parts = [self.style.shown(line, 24) for line in text.splitlines() or [""]]
        return parts if math.isnan(part) else [*parts, share(part)]

    def _shades(self) -> list[str]:
        """One character a cell, the darker the larger its share."""
        tones = " .:+*#" if self.style.ascii_only else " ·░▒▓█"
        darkness = np.searchsorted(_DARKER, np.nan_to_num(self.shares))
        margin = max(map(width_of, self.names))
        room = self.width - margin - 3
        lines: list[str] = []
        columns = len(self.heads)
        for start in range(0, columns, room):
            end = min(start + room, columns)
            head = f"{self.across}: {start + 1:,} to {end:,}, in the order of the lines"
            lines += ["", *self.style.wrapped(head, self.width)][not lines :]
            for name, row in zip(self.names, darkness[:, start:end], strict=True):
                tinted = "".join(tones[tone] for tone in row)
                lines.append(f"{padded(name, margin)} {self.bar} {tinted}".rstrip())
        steps = [f"{t} above {100 * d:g} %" for t, d in zip(tones[1:], _DARKER, strict=True)]
        return [*lines, "", *self.style.wrapped(", ".join(steps), self.width)]


def _filled(names: Sequence[str], places: int) -> list[str]:
    return [*names, *([""] * places)][:places]
