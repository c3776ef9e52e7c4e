"""A ROC curve drawn with characters: braille dots, or plain ASCII where those cannot be shown."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tradeoff.ranking.ranking import Ranking

# Bits of the eight dots of a braille character, by row and column.
DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
BRAILLE = 0x2800


def roc_chart(
    ranking: Ranking, *, width: int = 44, height: int = 18, ascii_only: bool = False
) -> str:
    """The ROC curve over the diagonal of chance; a sentence when there is no curve."""
    if not (ranking.positives and ranking.negatives):
        return "No ROC curve: it needs rows of both classes."
    fpr = ranking.false_positives / ranking.negatives
    tpr = ranking.true_positives / ranking.positives
    rows = (_ascii if ascii_only else _braille)(fpr, tpr, width, height)
    labels = {0: "1", (height - 1) // 2: "½", height - 1: "0"}
    if ascii_only:
        labels[(height - 1) // 2] = ""
    side = "|" if ascii_only else "│"
    floor = "+" + "-" * width if ascii_only else "└" + "─" * width
    lines = [f"{labels.get(at, ''):>3} {side}{row}" for at, row in enumerate(rows)]
    middle = "1/2" if ascii_only else "½"
    ticks = "0" + middle.center(width - 2) + "1"
    return "\n".join(
        [
            f"    true positive rate ({ranking.name})",
            *(line.rstrip() for line in lines),
            f"    {floor}",
            f"     {ticks}",
            f"     {'false positive rate'.center(width)}".rstrip(),
        ]
    )


def _braille(fpr: NDArray[Any], tpr: NDArray[Any], width: int, height: int) -> list[str]:
    dots = np.zeros((4 * height, 2 * width), np.bool_)
    _draw(dots, fpr, tpr)
    for across in range(0, 2 * width, 4):  # the diagonal, dotted
        dots[*_place(dots, across / (2 * width - 1), across / (2 * width - 1))] = True
    cells = dots.reshape(height, 4, width, 2).transpose(0, 2, 1, 3)
    codes = BRAILLE + (cells * DOTS).sum(axis=(2, 3))
    return ["".join(" " if code == BRAILLE else chr(code) for code in row) for row in codes]


def _ascii(fpr: NDArray[Any], tpr: NDArray[Any], width: int, height: int) -> list[str]:
    dots = np.zeros((height, width), np.bool_)
    _draw(dots, fpr, tpr)
    canvas = np.where(dots, "*", " ")
    for across in range(0, width, 2):
        at = _place(dots, across / (width - 1), across / (width - 1))
        canvas[at] = canvas[at] if dots[at] else "."
    return ["".join(row) for row in canvas]


def _draw(dots: NDArray[np.bool_], fpr: NDArray[Any], tpr: NDArray[Any]) -> None:
    """Straight lines between neighbouring points; points in one dot are one point."""
    down, across = dots.shape[0] - 1, dots.shape[1] - 1
    points = np.column_stack([np.rint(fpr * across), np.rint(tpr * down)])
    changes = np.append([True], (np.diff(points, axis=0) != 0).any(axis=1))
    points = points[changes]
    for (x1, y1), (x2, y2) in pairwise(points):
        steps = int(max(x2 - x1, y2 - y1)) + 1
        xs, ys = np.linspace(x1, x2, steps), np.linspace(y1, y2, steps)
        dots[down - np.rint(ys).astype(int), np.rint(xs).astype(int)] = True


def _place(dots: NDArray[np.bool_], x: float, y: float) -> tuple[int, int]:
    down, across = dots.shape[0] - 1, dots.shape[1] - 1
    return round(down - y * down), round(x * across)
