"""Ranked models: all that views, charts and the report take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from tradeoff.core.ranking import Ranking, each_at_prevalence

if TYPE_CHECKING:
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking

Groups = Mapping[str, Mapping[str, "Ranking"]]
"""Rankings by model, and then by fold or segment."""


@dataclass(frozen=True)
class RankedModels:
    """The ranking of each model, and what else is known of it.

    By model: the rankings of each fold and segment, what its outcomes cost, and the rows of
    clusters where rows come in clusters.
    """

    rankings: Mapping[str, Ranking]
    folds: Groups = field(default_factory=dict)
    segments: Groups = field(default_factory=dict)
    costs: Mapping[str, AnyCosts] = field(default_factory=dict)
    clusters: Mapping[str, PairedRanking] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """A model is called what its key says."""
        if any(ranking.name != name for name, ranking in self.rankings.items()):
            named = {name: ranking.named(name) for name, ranking in self.rankings.items()}
            object.__setattr__(self, "rankings", named)

    def of(self, name: str) -> RankedModels:
        """One model alone."""
        parts: dict[str, Any] = {part.name: getattr(self, part.name) for part in fields(self)}
        return RankedModels(
            **{
                part: {name: by_model[name]} if name in by_model else {}
                for part, by_model in parts.items()
            }
        )

    @property
    def with_lost_pairs(self) -> dict[str, Ranking]:
        """The rankings of both classes whose bins have lost the order of some rows."""
        return {
            name: ranking
            for name, ranking in self.rankings.items()
            if not ranking.exact and ranking.positives and ranking.negatives
        }

    def at_prevalence(self, prevalence: float | None) -> RankedModels:
        """The models as they would be where positives are this share of all rows."""
        if prevalence is None:
            return self
        return replace(
            self,
            rankings={name: r.at_prevalence(prevalence) for name, r in self.rankings.items()},
            folds=_each_at_prevalence(self.folds, prevalence),
            segments=_each_at_prevalence(self.segments, prevalence),
            clusters={name: rows.at_prevalence(prevalence) for name, rows in self.clusters.items()},
        )


def _each_at_prevalence(groups: Groups, prevalence: float) -> Groups:
    return {model: each_at_prevalence(parts, prevalence) for model, parts in groups.items()}
