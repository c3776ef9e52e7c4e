"""Ranked models: all that views, charts and the report take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.core.ranking import Ranking


@dataclass(frozen=True)
class RankedModels:
    """The ranking of each model, and by model those of each fold and segment."""

    rankings: Mapping[str, Ranking]
    folds: Mapping[str, Mapping[str, Ranking]] = field(default_factory=dict)
    segments: Mapping[str, Mapping[str, Ranking]] = field(default_factory=dict)
