"""Ranked models: rankings by model, fold and segment, with costs and clusters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from tradeoff.core.ranking import Ranking
from tradeoff.wording import ROWS, Wording

if TYPE_CHECKING:
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking

GroupedRankings = Mapping[str, Mapping[str, "Ranking"]]
"""Rankings by model, and then by fold or segment."""


@dataclass(frozen=True)
class RankedModels:
    """Rankings of several models, with their folds, segments, costs, clusters and rows.

    Each field maps the name of a model to its ranking, the rankings of its folds or segments, the
    costs of its outcomes, its rows with their clusters if rows are clustered, or its checked rows.
    Rows are kept if there are several models and the rows are in memory: models with their own
    thresholds can then be compared on the rows that they share.
    """

    rankings: Mapping[str, Ranking]
    folds: GroupedRankings = field(default_factory=dict)
    segments: GroupedRankings = field(default_factory=dict)
    costs: Mapping[str, AnyCosts] = field(default_factory=dict)
    clusters: Mapping[str, PairedRanking] = field(default_factory=dict)
    rows: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Name each ranking after its key."""
        if any(ranking.name != name for name, ranking in self.rankings.items()):
            named = {name: ranking.named(name) for name, ranking in self.rankings.items()}
            object.__setattr__(self, "rankings", named)

    def of(self, name: str) -> RankedModels:
        """One of the models, with its folds, segments, costs and clusters."""
        parts: dict[str, Any] = {part.name: getattr(self, part.name) for part in fields(self)}
        return RankedModels(
            **{
                part: {name: by_model[name]} if name in by_model else {}
                for part, by_model in parts.items()
            }
        )

    @property
    def wording(self) -> Wording:
        """The user's words for rows and amounts."""
        return next((ranking.wording for ranking in self.rankings.values()), ROWS)

    def with_wording(self, wording: Wording) -> RankedModels:
        """Ranked models whose text uses the user's words for rows and amounts."""
        if wording == self.wording:
            return self
        return replace(
            self,
            rankings={name: replace(r, wording=wording) for name, r in self.rankings.items()},
            folds=_groups_with_wording(self.folds, wording),
            segments=_groups_with_wording(self.segments, wording),
            clusters={name: replace(rows, wording=wording) for name, rows in self.clusters.items()},
        )

    @property
    def with_lost_pairs(self) -> dict[str, Ranking]:
        """Rankings of rows of both classes in which bins hide the order of some pairs."""
        return {
            name: ranking
            for name, ranking in self.rankings.items()
            if not ranking.exact and ranking.positives and ranking.negatives
        }

    def with_note(self, note: str) -> RankedModels:
        """Ranked models with a further note on each ranking of all rows."""
        return replace(
            self,
            rankings={
                name: replace(ranking, notes=(*ranking.notes, note))
                for name, ranking in self.rankings.items()
            },
        )

    def at_prevalence(self, prevalence: float | None) -> RankedModels:
        """Ranked models reweighted to another prevalence."""
        if prevalence is None:
            return self
        return replace(
            self,
            rankings={name: r.at_prevalence(prevalence) for name, r in self.rankings.items()},
            folds=_groups_at_prevalence(self.folds, prevalence),
            segments=_groups_at_prevalence(self.segments, prevalence),
            clusters={name: rows.at_prevalence(prevalence) for name, rows in self.clusters.items()},
        )


def rankings_at_prevalence(
    rankings: Mapping[str, Ranking], prevalence: float | None
) -> dict[str, Ranking]:
    """Reweight rankings to a prevalence; those with a single class are left unchanged."""
    return {
        name: ranking.at_prevalence(prevalence)
        if ranking.positives and ranking.negatives
        else ranking
        for name, ranking in rankings.items()
    }


def _groups_at_prevalence(groups: GroupedRankings, prevalence: float) -> GroupedRankings:
    return {model: rankings_at_prevalence(parts, prevalence) for model, parts in groups.items()}


def _groups_with_wording(groups: GroupedRankings, wording: Wording) -> GroupedRankings:
    return {
        model: {name: replace(ranking, wording=wording) for name, ranking in parts.items()}
        for model, parts in groups.items()
    }
