"""Decisions: the best threshold of a ranking by a criterion, its value and confusion matrix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tradeoff.core.confusion import ConfusionMatrix, confusion_counts
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.core.ranking import Ranking
from tradeoff.errors import (
    InputError,
    UnknownName,
    did_you_mean,
    format_list,
    require_number,
    suggest_arguments,
)
from tradeoff.formatting import format_count
from tradeoff.measures.curves.bin_bounds import between_bins_note
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.vocabulary import Vocabulary
from tradeoff.results import Result, find_view, renderer
from tradeoff.thresholds.criteria import (
    SLACK,
    Criterion,
    parse_criterion,
)
from tradeoff.thresholds.identical import (
    Interval,
    identical_thresholds,
    roundest_threshold,
    threshold_intervals,
)
from tradeoff.thresholds.out_of_sample import (
    OutOfSample,
    out_of_sample_plan,
    threshold_out_of_sample,
)
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence, ProgressCallback
from tradeoff.wording import Wording

if TYPE_CHECKING:
    from tradeoff.results import Chart, ChartStyleName
    from tradeoff.thresholds.reject_band import BandDecision


@dataclass(frozen=True, eq=False, repr=False)
class Decision(Result, views="tradeoff.thresholds.views", charts="tradeoff.thresholds.chart"):
    """A chosen threshold, its criterion, and the confusion matrix at that threshold.

    `ties` are other, equally good thresholds. `check()` estimates the value of the criterion out
    of sample; `out_of_sample` holds that estimate for display, or the reason why there is none.
    `tolerance` is how much worse another threshold may be and still be listed; `vocabulary` is the
    terminology of its views.
    """

    ranking: Ranking
    criterion: Criterion
    index: int
    ties: tuple[float, ...] = ()
    prevalence: float | None = None
    costs: AnyCosts | None = None
    notes: tuple[str, ...] = field(default=())
    confidence: Confidence | None = DEFAULT_CONFIDENCE
    out_of_sample: OutOfSample | str | None = None
    tolerance: float | None = None
    vocabulary: Vocabulary = field(default="general", compare=False)

    @property
    def wording(self) -> Wording:
        """The user's words for rows and amounts."""
        return self.ranking.wording

    @property
    def threshold(self) -> float:
        """The chosen threshold: rows with at least this score are positive; inf if none are."""
        return float(self.ranking.thresholds[self.index])

    @property
    def equivalent_thresholds(self) -> Interval:
        """Interval of thresholds that predict the same rows positive."""
        return identical_thresholds(self.ranking, self.index)

    @property
    def suggestion(self) -> float:
        """The roundest threshold that predicts the same rows positive."""
        return roundest_threshold(self.ranking, self.equivalent_thresholds)

    @property
    def confusion(self) -> ConfusionMatrix:
        """Confusion matrix at the chosen threshold."""
        return self.ranking.at_place(self.index)

    @property
    def value(self) -> float:
        """Value of the criterion at the threshold (at `prevalence`, if given)."""
        ranking = self.ranking.at_prevalence(self.prevalence)
        return float(self.criterion.value_at(ranking, self.index))

    @property
    def objective_value(self) -> float:
        """Value by which decisions are compared: that of the criterion, or of its objective."""
        ranking = self.ranking.at_prevalence(self.prevalence)
        return float(self.criterion.objective_at(ranking, self.index))

    @property
    def at_best(self) -> float | None:
        """Bound on the criterion over all thresholds, even inside a score bin; None if unknown.

        For an exact ranking, it is the value itself. With binned scores, a threshold inside a bin
        may be better than those between bins, but never better than this.
        """
        if self.ranking.exact:
            return self.value if self.criterion.meets is None else None
        if not self.criterion.is_bounded:
            return None
        cases = (self.ranking.worst_case, self.ranking.best_case)
        values = [self.criterion.values(case.at_prevalence(self.prevalence)) for case in cases]
        # If the first or last bin has one class only, the metric may be 0/0 there: no bound.
        if np.isnan(values[1][1:-1]).any():
            return None
        best = np.nanmax if self.criterion.better == "higher" else np.nanmin
        return float(best(np.concatenate(values)))

    @property
    def calibrated_threshold(self) -> float | None:
        """Optimal threshold for these costs if the scores were calibrated probabilities."""
        if not isinstance(self.costs, Costs):
            return None
        best = self.costs.calibrated_threshold
        return 1 - best if self.ranking.lower_is_positive else best

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row for the decision."""
        low, high, *_ = self.equivalent_thresholds
        row = {
            "model": self.ranking.name,
            "criterion": self.criterion.measure,
            "value": self.value,
            "threshold": self.threshold,
            "low": low,
            "high": high,
            **confusion_counts(self.confusion),
        }
        return {key: [value] for key, value in row.items()}

    def within(self, tolerance: float) -> tuple[Interval, ...]:
        """Intervals of thresholds at which the criterion is worse by at most `tolerance`."""
        if not tolerance >= 0:
            raise InputError(f"tolerance must be 0 or more, not {tolerance:g}.")
        ranking = self.ranking.at_prevalence(self.prevalence)
        values = self.criterion.values(ranking)
        slack = tolerance + SLACK * max(abs(self.value), 1.0)
        if self.criterion.meets is not None:  # a target must still be met
            is_good_enough = (np.abs(values - self.value) <= slack) & self.criterion.meets(ranking)
        elif self.criterion.better == "higher":
            is_good_enough = values >= self.value - slack
        else:
            is_good_enough = values <= self.value + slack
        return threshold_intervals(self.ranking, is_good_enough)

    def check(
        self,
        *,
        replicates: int | None = None,
        seed: int = 0,
        level: float = 0.95,
        progress: ProgressCallback | None = None,
    ) -> OutOfSample:
        """Out-of-sample value of thresholds chosen in this way, by out-of-bag bootstrap."""
        rows, confidence = out_of_sample_plan(self.ranking, level, replicates, seed, progress)
        return threshold_out_of_sample(self, rows, confidence)

    @suggest_arguments
    def chart(self, *, along: Literal["threshold", "depth"] = "threshold") -> Chart:
        """Chart of the criterion by threshold, or by depth (proportion predicted positive)."""
        chart: Chart = find_view(self, "chart")(self, along=along)
        return chart

    @suggest_arguments
    def plot(
        self,
        *,
        along: Literal["threshold", "depth"] = "threshold",
        ax: Any = None,
        style: ChartStyleName = "default",
    ) -> Any:
        """Plot the chart with matplotlib, on `ax` if given; `style` is "default" or "paper"."""
        return renderer("matplotlib")(self.chart(along=along), ax, style)

    def __repr__(self) -> str:
        """One line: the threshold and the value of the criterion."""
        sign = "<=" if self.ranking.lower_is_positive else ">="
        value = f"{self.criterion.spelling or self.criterion.measure} = {self.value:.4g}"
        subject, expected = "score", expected_value(self)
        if not isnan(expected):
            subject, value = self.ranking.name, f"{value}, {expected:.4g} on new data"
        return f"Decision({subject} {sign} {self.threshold:g}: {value})"


@dataclass(frozen=True, eq=False)
class Decisions(Result, views="tradeoff.thresholds.views"):
    """Decisions for several models: thresholds or reject bands.

    `differences` are those of the other models to the best one, in the objective on new data, or
    the reason why there are none.
    """

    decisions: tuple[Decision | BandDecision, ...]
    differences: Mapping[str, Estimate] | str = field(default_factory=dict)

    @property
    def ranked(self) -> tuple[Decision | BandDecision, ...]:
        """The decisions, the best out of sample first.

        Without out-of-sample estimates, they are ranked by their values on these rows; reject bands
        are in the order in which models were named.
        """
        thresholds = [d for d in self.decisions if isinstance(d, Decision)]
        return tuple(ranked_decisions(thresholds)) if thresholds else self.decisions

    @property
    def best(self) -> Decision:
        """The threshold of the best model."""
        first = self.ranked[0]
        if not isinstance(first, Decision):
            raise InputError("Reject bands of several models are not ranked: choose a model.")
        return first

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per model, the best first.

        Decisions that were checked have their out-of-sample value and difference to the best one.
        """
        tables = [decision.columns() for decision in self.ranked]
        columns = {key: [table[key][0] for table in tables] for key in tables[0]}
        if any(decision.out_of_sample is not None for decision in self.decisions):
            columns["out_of_sample"] = [expected_value(decision) for decision in self.ranked]
        if not isinstance(self.differences, str) and self.differences:
            differences = [self.differences.get(d.ranking.name) for d in self.ranked]
            for key, attribute in (("difference", "value"), ("difference_low", "low")):
                columns[key] = [nan if d is None else getattr(d, attribute) for d in differences]
            columns["difference_high"] = [nan if d is None else d.high for d in differences]
        return columns

    def __getitem__(self, model: str) -> Decision | BandDecision:
        """The decision of one model."""
        by_model = {decision.ranking.name: decision for decision in self.decisions}
        if model not in by_model:
            raise UnknownName(
                f"No model is called {model!r}.{did_you_mean(str(model), by_model)} "
                f"Available models: {format_list(by_model)}."
            )
        return by_model[model]

    def __len__(self) -> int:
        """Number of models."""
        return len(self.decisions)

    def __iter__(self) -> Iterator[Decision | BandDecision]:
        """Iterate over the decisions, the best first."""
        return iter(self.ranked)

    def __repr__(self) -> str:
        """One line: the decisions, the best first."""
        return f"Decisions({'; '.join(map(repr, self.ranked))})"


def ranked_decisions(decisions: Sequence[Decision]) -> list[Decision]:
    """Decisions by one criterion, the best first: out of sample if all have an estimate."""
    values = [expected_value(decision, objective=True) for decision in decisions]
    if any(map(isnan, values)):
        values = [decision.objective_value for decision in decisions]
    sign = -1 if decisions[0].criterion.objective_better == "higher" else 1
    order = sorted(range(len(values)), key=lambda i: (isnan(values[i]), sign * values[i]))
    return [decisions[index] for index in order]


def expected_value(decision: Decision | BandDecision, *, objective: bool = False) -> float:
    """Out-of-sample estimate of the criterion, or of its objective; NaN if there is none."""
    out_of_sample = decision.out_of_sample
    if not isinstance(out_of_sample, OutOfSample):
        return nan
    return out_of_sample.expected if objective else out_of_sample.estimate.value


def best_threshold(
    ranking: Ranking,
    by: str | None = None,
    *,
    target: float | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    **parameters: Any,
) -> Decision:
    """The decision of a ranking: its best threshold by a criterion.

    Args:
        ranking: The scored rows.
        by: A criterion of `CRITERIA`, or any metric. Default: cost if costs are given, else Youden.
        target: Value that the metric must reach ("tpr", "precision", …), the proportion of rows
            ("depth") or the number of rows ("capacity").
        costs: Costs of the outcomes, for "cost".
        prevalence: Prevalence where the threshold will be used; defaults to that in the rows.
        parameters: Parameters of the metric, such as beta or weight.
    """
    if not ranking.distinct:
        raise InputError("There are no scored rows to choose a threshold for.")
    if target is not None:
        target = require_number(target, "A target")
    by = by or ("youden" if costs is None else "cost")
    criterion = parse_criterion(by, target, costs, parameters)
    indices = criterion.best_indices(ranking.at_prevalence(prevalence))
    ties = tuple(float(t) for t in ranking.thresholds[indices[1:]])
    wording = ranking.wording
    notes = _capacity_notes(ranking, int(indices[0]), target) if by == "capacity" else ()
    if not indices[0] and np.isinf(ranking.thresholds[1]):
        notes = (
            *notes,
            f"the highest score is infinite: no threshold predicts all {wording.units} negative",
        )
    if not (ranking.exact or criterion.is_bounded):
        notes = (*notes, between_bins_note(ranking))
    return Decision(ranking, criterion, int(indices[0]), ties, prevalence, costs, notes)


def _capacity_notes(ranking: Ranking, index: int, capacity: float | None) -> tuple[str, ...]:
    """Note on tied rows that are left out because they would exceed the capacity."""
    rows = ranking.at_place(index).predicted_positives
    if capacity is None or rows == capacity or index + 1 == len(ranking):
        return ()
    rows_with_next = ranking.at_place(index + 1).predicted_positives
    if rows_with_next - rows == 1:
        return ()
    wording, verb = ranking.wording, "fits" if rows == 1 else "fit"
    note = (
        f"{wording.count(rows)} {verb} within the capacity; the next score is shared by "
        f"{wording.count(rows_with_next - rows)}, which would raise the total to "
        f"{format_count(rows_with_next)}"
    )
    return (note,)
