"""Other tools' numbers beside ours, for the same rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tradeoff.analysis.compat.peers import COMPAT, THRESHOLD

if TYPE_CHECKING:
    from tradeoff.analysis.compat.peers import Peer
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.estimate import Estimate

ROUNDING = 1e-9


@dataclass(frozen=True)
class Likeness:
    """A number of another tool, ours for the same rows (None: there is none), and why they differ.

    Example:
        >>> import numpy as np
        >>> from tradeoff.analysis.compat import likenesses
        >>> from tradeoff.core.ranking import Ranking
        >>> ranking = Ranking.of(np.array([0.1, 0.3, 0.8]), np.array([True, True, False]))
        >>> found = likenesses(ranking, "pROC")[0]
        >>> found.peer.name, found.theirs.value, found.ours.value, found.same
        ('auc', 1.0, 0.0, False)
    """

    peer: Peer
    theirs: Estimate
    ours: Estimate | None

    @property
    def same(self) -> bool | None:
        """Whether both are the same up to rounding, or both undefined; None: ours is missing."""
        if self.ours is None:
            return None
        if not (self.theirs.is_defined and self.ours.is_defined):
            return self.theirs.is_defined == self.ours.is_defined
        theirs, ours = self.theirs.value, self.ours.value
        return math.isclose(theirs, ours, rel_tol=ROUNDING, abs_tol=ROUNDING)


def likenesses(
    ranking: Ranking, tool: str | None = None, *, threshold: float = 0.5
) -> list[Likeness]:
    """All numbers of a tool, or of every tool, beside ours."""
    return [_likeness(peer, ranking, threshold) for peer in COMPAT.of(tool)]


def _likeness(peer: Peer, ranking: Ranking, threshold: float) -> Likeness:
    asked = peer.with_parameters(threshold=threshold) if THRESHOLD in peer.parameters else peer
    return Likeness(asked, asked.theirs(ranking), asked.beside(ranking))
