"""The table of named charts. A new one is one function with `@charted`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tradeoff.uncertainty.confidence import Confidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.render.chart import Chart

Maker = Callable[..., "Chart"]


@dataclass(frozen=True)
class Asked:
    """Whose chart is wanted: models, their folds, costs and clusters, and how sure it shall be."""

    rankings: Mapping[str, Ranking]
    folds: Mapping[str, Mapping[str, Ranking]] = field(default_factory=dict)
    costs: Mapping[str, AnyCosts] = field(default_factory=dict)
    clusters: Mapping[str, PairedRanking] = field(default_factory=dict)
    confidence: Confidence | None = field(default_factory=Confidence)

    @property
    def first(self) -> Ranking:
        """The first model's ranking."""
        return next(iter(self.rankings.values()))


@dataclass(frozen=True)
class ChartKind:
    """A named chart: how to make it, and a sentence on what it shows."""

    name: str
    sentence: str
    make: Maker

    @property
    def wishes(self) -> tuple[str, ...]:
        """What can be chosen about it."""
        return tuple(list(inspect.signature(self.make).parameters)[1:])


CHARTS: dict[str, ChartKind] = {}
"""Named charts beside those of the named curves. `@charted` enters one."""


def charted(sentence: str) -> Callable[[Maker], Maker]:
    """Enter a function of `Asked` as a chart under its own name."""

    def enter(make: Maker) -> Maker:
        CHARTS[make.__name__] = ChartKind(make.__name__, sentence, make)
        return make

    return enter
