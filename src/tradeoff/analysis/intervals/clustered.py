"""How sure numbers are when several rows belong to one patient, user or machine.

Rows of one cluster resemble each other, so there is less to learn from them than from as many
independent ones: whole clusters are drawn again, and areas vary by cluster (Obuchowski).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.analysis.comparing.covariance import areas
from tradeoff.analysis.comparing.drawing import PairedDraws
from tradeoff.analysis.intervals.areas import BOUND, logit_ends, perfect_bound
from tradeoff.analysis.intervals.percentiles import Spread, spread
from tradeoff.analysis.intervals.summaries import OF_THE_AREA, inside, with_spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from tradeoff.analysis.intervals.confidence import Confidence
    from tradeoff.analysis.intervals.drawing import Drawn
    from tradeoff.analysis.questions import Question
    from tradeoff.core.paired import PairedRanking
    from tradeoff.measures.estimate import Estimate


def sure_answers(
    asked: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, Estimate]:
    """Answers for one model, by name, with intervals that respect clusters."""
    (ranking,) = paired.rankings.values()
    found = {name: question.estimate(ranking) for name, question in asked.items()}
    drawn = {}
    for name, question in asked.items():
        if not found[name].is_defined:
            continue
        measure = question.measure
        if measure is not None and measure.no_interval and not confidence.draws:
            note = f"no interval: {measure.no_interval}"
            ends = Spread(math.nan, math.nan, "", note)
            found[name] = with_spread(found[name], ends, confidence.level)
        elif question.name in OF_THE_AREA and not confidence.draws:
            ends = _area(paired, question.name, confidence.level)
            found[name] = with_spread(found[name], ends, confidence.level)
        else:
            drawn[name] = question
    if drawn:
        for name, ends in _spreads(drawn, paired, confidence).items():
            found[name] = with_spread(found[name], ends, confidence.level)
    return found


def _area(paired: PairedRanking, name: str, level: float) -> Spread:
    own = areas(paired)
    area, variance = float(own.values[0]), float(own.covariance[0, 0])
    factor, constant = OF_THE_AREA[name]
    if math.isnan(variance):
        why = "no interval: it needs two clusters with rows of each class"
        return Spread(math.nan, math.nan, "", why)
    if area in {0.0, 1.0}:
        low, high = perfect_bound(area, _fewest_clusters(paired), level)
        method = f"{BOUND} over clusters"
    elif not variance:
        return Spread(math.nan, math.nan, "", "no interval: the area does not vary")
    else:
        low, high = logit_ends(area, variance, level)
        method = "Obuchowski on the logit scale"
    return Spread(factor * low + constant, factor * high + constant, method)


def _fewest_clusters(paired: PairedRanking) -> int:
    """How many clusters have rows of the class that fewer have."""
    clusters = np.asarray(paired.clusters)
    sides = (paired.positive_rows, ~paired.positive_rows)
    return min(len(np.unique(clusters[side])) for side in sides)


def _spreads(
    asked: Mapping[str, Question], paired: PairedRanking, confidence: Confidence
) -> dict[str, Spread]:
    if _fewest_clusters(paired) < 2:
        why = Spread(math.nan, math.nan, "", "no interval: it needs two clusters with each class")
        return dict.fromkeys(asked, why)
    questions = list(asked.values())
    draws = PairedDraws.of(paired, *questions)

    def judge(drawn: Sequence[Drawn]) -> NDArray[Any]:
        return np.array([[q.estimate(own).value for q in questions] for own in drawn[0]])

    values = draws.judged(judge, confidence)
    (ranking,) = paired.rankings.values()
    found = {}
    for at, (name, question) in enumerate(asked.items()):
        exact = question.estimate(ranking).value
        rough = question.estimate(draws.patterns[0]).value
        ends = spread(values[:, at], rough, confidence, shift=exact - rough)
        method = f"cluster bootstrap, {len(values):,} draws, seed {confidence.seed}"
        found[name] = inside(ends._replace(method=method), question)
    return found
