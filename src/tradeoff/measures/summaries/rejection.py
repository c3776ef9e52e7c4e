"""What rejection brings, over all rates of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradeoff.measures.curves.rejection import risk_area
from tradeoff.measures.registry import Undefined, summary
from tradeoff.measures.summaries.areas import SHARE

if TYPE_CHECKING:
    from tradeoff.core.ranking import Ranking
    from tradeoff.measures.estimate import Spread, Subject


def _by_jackknife(subject: Subject) -> Spread:
    return subject.jackknife(log=False)


@summary(
    formula="area under the error rate of decided rows over the share decided, those farthest "
    "from the threshold first",
    family="rejection",
    range=SHARE,
    better="lower",
    aliases=("area_under_risk_coverage",),
    sentence="deciding the most certain rows first, the error rate is {value} on average",
    others="The exact area; many tools take the mean over rows, which is slightly larger.",
    source="Geifman & El-Yaniv 2017, Selective classification for deep neural networks, NIPS 30",
    interval=_by_jackknife,
)
def aurc(ranking: Ranking, *, threshold: float = 0.5) -> float:
    if not ranking.distinct:
        raise Undefined("every row is rejected" if ranking.rows else "there are no rows")
    return risk_area(ranking, threshold)
