"""What an evaluation may hold beside its rankings, as views see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tradeoff.uncertainty.estimates import Intervals

if TYPE_CHECKING:
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.ranking import Ranking

Groups = Mapping[str, Mapping[str, "Ranking"]]


@dataclass(frozen=True)
class Details:
    """Rankings by fold and segment, costs by model, a prevalence, and how sure to be."""

    folds: Groups = field(default_factory=dict)
    segments: Groups = field(default_factory=dict)
    costs: Mapping[str, AnyCosts] = field(default_factory=dict)
    prevalence: float | None = None
    intervals: Intervals = field(default_factory=Intervals)


NOTHING = Details()
