"""Where to put the line, and how sure one may be of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix, counts_of
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import InputError, as_number
from tradeoff.measures.curves.bounds import only_between_bins
from tradeoff.results import Result
from tradeoff.text import count
from tradeoff.thresholds.criteria import (
    SLACK,
    Criterion,
    criterion_of,
)
from tradeoff.thresholds.identical import Interval, identical, rounded, runs
from tradeoff.thresholds.out_of_sample import (
    OutOfSample,
    bagged,
    threshold_out_of_sample,
)
from tradeoff.uncertainty.confidence import USUAL, Confidence, Progress

if TYPE_CHECKING:
    from tradeoff.thresholds.reject_band import BandDecision


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Result, views="tradeoff.thresholds.views", charts="tradeoff.thresholds.chart"):
    """A threshold, why it was chosen, and what follows from it.

    `ties` are other thresholds that are as good. `check()` tells what the choice is worth on rows
    that it was not made on; `out_of_sample` keeps that to be shown, or the reason why there is no
    such estimate. `tolerance` says how much worse thresholds may be that are listed, too.
    """

    ranking: Ranking
    criterion: Criterion
    place: int
    ties: tuple[float, ...] = ()
    prevalence: float | None = None
    costs: AnyCosts | None = None
    notes: tuple[str, ...] = field(default=())
    confidence: Confidence | None = USUAL
    out_of_sample: OutOfSample | str | None = None
    tolerance: float | None = None

    @property
    def threshold(self) -> float:
        """Rows that score at least this are called positive; inf: none are."""
        return float(self.ranking.thresholds[self.place])

    @property
    def decides_identically(self) -> Interval:
        """All thresholds that call the same rows positive."""
        return identical(self.ranking, self.place)

    @property
    def suggestion(self) -> float:
        """A round threshold that calls the same rows positive."""
        return rounded(self.ranking, self.decides_identically)

    @property
    def confusion(self) -> ConfusionMatrix:
        """The matrix at this threshold, as counted."""
        return self.ranking.at_place(self.place)

    @property
    def value(self) -> float:
        """What the criterion is at this threshold (at the prevalence, if one was given)."""
        seen = self.ranking.at_prevalence(self.prevalence)
        return float(self.criterion.worth(seen, self.place))

    @property
    def at_best(self) -> float | None:
        """What the criterion could be at most, were every score a threshold; None: not known.

        For exact rankings it is the value. Where scores are in bins, a threshold inside one may be
        better than all between them, but never better than this.
        """
        if self.ranking.exact:
            return self.value if self.criterion.meets is None else None
        if not self.criterion.is_bounded:
            return None
        cases = (self.ranking.worst_case, self.ranking.best_case)
        values = [self.criterion.values(case.at_prevalence(self.prevalence)) for case in cases]
        # Where a bin at an end holds one class alone, its best order may be 0/0 and tell nothing.
        if np.isnan(values[1][1:-1]).any():
            return None
        best = np.nanmax if self.criterion.better == "higher" else np.nanmin
        return float(best(np.concatenate(values)))

    @property
    def calibrated_threshold(self) -> float | None:
        """The best threshold for these costs if scores were true probabilities, on their scale."""
        if not isinstance(self.costs, Costs):
            return None
        best = self.costs.calibrated_threshold
        return 1 - best if self.ranking.lower_is_positive else best

    def columns(self) -> dict[str, list[Any]]:
        """The decision in one line."""
        low, high, *_ = self.decides_identically
        facts = {
            "criterion": self.criterion.about,
            "value": self.value,
            "threshold": self.threshold,
        }
        facts |= {"low": low, "high": high, **counts_of(self.confusion)}
        return {"model": [self.ranking.name], **{key: [fact] for key, fact in facts.items()}}

    def within(self, tolerance: float) -> tuple[Interval, ...]:
        """The thresholds at which the criterion is not worse than here by more than `tolerance`."""
        if not tolerance >= 0:
            raise InputError(f"A tolerance is 0 or more, not {tolerance:g}.")
        seen = self.ranking.at_prevalence(self.prevalence)
        values = self.criterion.values(seen)
        slack = tolerance + SLACK * max(abs(self.value), 1.0)
        if self.criterion.meets is not None:  # a target must still be met
            good = (np.abs(values - self.value) <= slack) & self.criterion.meets(seen)
        elif self.criterion.better == "higher":
            good = values >= self.value - slack
        else:
            good = values <= self.value + slack
        return runs(self.ranking, good)

    def check(
        self,
        *,
        replicates: int | None = None,
        seed: int = 0,
        level: float = 0.95,
        progress: Progress | None = None,
    ) -> OutOfSample:
        """What choosing a threshold like this is worth on other rows, by out-of-bag bootstrap."""
        how = bagged(self.ranking, level, replicates, seed, progress)
        return threshold_out_of_sample(self, *how)

    def __repr__(self) -> str:
        """One line: the threshold and what it brings."""
        sign = "<=" if self.ranking.lower_is_positive else ">="
        value = f"{self.criterion.about} = {self.value:.4g}"
        return f"Decision(score {sign} {self.threshold:g}: {value})"


@dataclass(frozen=True, eq=False)
class Decisions(Result, views="tradeoff.thresholds.views"):
    """The decision for each model: thresholds, or bands of scores to leave undecided."""

    decisions: tuple[Decision | BandDecision, ...]

    def columns(self) -> dict[str, list[Any]]:
        """One line a model."""
        tables = [decision.columns() for decision in self.decisions]
        return {key: [table[key][0] for table in tables] for key in tables[0]}


def best_threshold(
    ranking: Ranking,
    by: str | None = None,
    *,
    target: float | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    **parameters: Any,
) -> Decision:
    """The best threshold.

    Args:
        ranking: The scored rows.
        by: One of `CRITERIA`, or any metric. Without it, by cost if costs are given, else by
            Youden.
        target: What the metric must reach ("tpr", "precision", …), the share of rows ("depth") or
            the number of rows ("capacity").
        costs: What outcomes cost, for "cost".
        prevalence: The share of positives where the threshold will be used; the rows' own if not
            given.
        parameters: Of the metric, such as beta or weight.
    """
    if not ranking.distinct:
        raise InputError("There are no scored rows to choose a threshold for.")
    if target is not None:
        target = as_number(target, "A target")
    way = by or ("youden" if costs is None else "cost")
    criterion = criterion_of(way, target, costs, parameters)
    places = criterion.places(ranking.at_prevalence(prevalence))
    ties = tuple(float(t) for t in ranking.thresholds[places[1:]])
    notes = _capacity_notes(ranking, int(places[0]), target) if way == "capacity" else ()
    if not places[0] and np.isinf(ranking.thresholds[1]):
        notes = (*notes, "the highest score is infinite, so no threshold calls nothing positive")
    if not (ranking.exact or criterion.is_bounded):
        notes = (*notes, only_between_bins(ranking))
    return Decision(ranking, criterion, int(places[0]), ties, prevalence, costs, notes)


def _capacity_notes(ranking: Ranking, place: int, rows: float | None) -> tuple[str, ...]:
    """A tie that does not fit altogether must be told."""
    called = ranking.at_place(place).predicted_positives
    if rows is None or called == rows or place + 1 == len(ranking):
        return ()
    more = ranking.at_place(place + 1).predicted_positives
    if more - called == 1:
        return ()
    told = (
        f"{count(called)} rows fit; with the next score, which {count(more - called)} rows share, "
        f"they would be {count(more)}"
    )
    return (told,)
