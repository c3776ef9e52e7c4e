"""Claim of a gate: the candidate is not worse (or is better) than the baseline by a margin."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from tradeoff.comparison.comparison import AREA, Comparison
from tradeoff.comparison.difference import Difference
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.errors import InputError, require_number
from tradeoff.results import ByValue
from tradeoff.stats.normal import critical_value
from tradeoff.text import format_count, format_number, printable
from tradeoff.uncertainty.question import Question, build_question

Outcome = Literal["pass", "inconclusive", "fail"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""Verdicts of a gate, from best to worst."""

POWER = 0.8
"""Power for which the detectable difference and the needed rows are computed."""

RULE = "rule of three"
FEW = 10
"""Fewer clusters than this are too few for a reliable interval."""


@dataclass(frozen=True, eq=False)
class Gate(ByValue):
    """Verdict of a gate: a candidate (first model) against a baseline (second) in one metric.

    The claim is that the candidate's gain is at least −margin (not worse by more than the margin),
    or with `superior` that it is above the margin. The verdict is "pass" where the whole interval
    of the gain agrees with the claim, "fail" where none of it does, and "inconclusive" otherwise.

    `detectable` is how far from the limit of the claim the true gain must be to be detected with
    80% power: (z of the level + z of the power) · standard error. `needed` is the number of rows
    for a conclusive verdict, if the models are truly equal (`assumed_alike`) or else truly differ
    as observed; it is NaN unless the verdict is inconclusive.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("new", "old", "auc", 0.80, 0.79, low=-0.005, high=0.025)
        >>> gate_verdict(d, margin=0.01, rows=500)
        Gate(new against old in auc: pass)
    """

    difference: Difference
    margin: float
    verdict: Outcome
    rows: int
    superior: bool = False
    detectable: float = math.nan
    needed: float = math.nan
    assumed_alike: bool = False
    notes: tuple[str, ...] = ()

    @property
    def candidate(self) -> str:
        """Name of the candidate model."""
        return self.difference.first

    @property
    def baseline(self) -> str:
        """Name of the baseline model."""
        return self.difference.second

    @property
    def metric(self) -> str:
        """Metric in which the models are compared."""
        return self.difference.metric

    @property
    def edge(self) -> float:
        """Smallest gain for which the claim holds."""
        return self.margin if self.superior else 0.0 - self.margin

    @property
    def gain(self) -> float:
        """How much better the candidate is; negative if it is worse."""
        return self.difference.gain

    @property
    def low(self) -> float:
        """Lower limit of the confidence interval of the gain."""
        return _gain_interval(self.difference)[0]

    @property
    def high(self) -> float:
        """Upper limit of the confidence interval of the gain."""
        return _gain_interval(self.difference)[1]

    @property
    def claim(self) -> str:
        """The claim in words."""
        if self.superior:
            return "better" if self.margin == 0 else f"better by more than {self.margin:g}"
        return "not worse" if self.margin == 0 else f"not worse by more than {self.margin:g}"

    @property
    def sentence(self) -> str:
        """The verdict in a sentence, with the power if it is inconclusive."""
        return " ".join(filter(None, [_verdict_sentence(self), _power_sentence(self)]))

    @property
    def explanation(self) -> str:
        """Why an inconclusive gate is so, and how many rows are needed; empty otherwise."""
        difference = self.difference
        if not difference.is_defined:
            return f"It is undefined: {difference.reason or 'one of the models has no value'}."
        if math.isnan(difference.low):
            reason = (difference.note or "unknown").removeprefix("no interval: ")
            return f"There is no confidence interval: {reason}."
        return _power_sentence(self)

    def __repr__(self) -> str:
        """One line: candidate, baseline, metric and verdict."""
        pair = f"{self.candidate} against {self.baseline} in {self.metric}"
        return f"Gate({pair}: {self.verdict})"


def gate_models(  # noqa: PLR0913 - two models, a metric, and the claim
    comparison: Comparison,
    candidate: str,
    baseline: str,
    metric: str = AREA,
    *,
    margin: float = 0.01,
    superior: bool = False,
    at: tuple[str, float] | None = None,
    method: str | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    level: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
) -> Gate:
    """Gate of a candidate against a baseline in one metric, from their comparison.

    Args:
        comparison: Comparison of both models on the same rows.
        candidate: Name of the candidate model.
        baseline: Name of the baseline model.
        metric: Any summary or metric, or "cost" with `costs`.
        margin: How much worse the candidate may be, in units of the metric; with `superior`, how
            much better it must be.
        superior: Require that the candidate is better, not only that it is not worse.
        at: Where a metric is evaluated, as for `Comparison.difference`, like all that follow.
        method: "delong", "bootstrap" or "permutation".
        costs: Costs of the outcomes, for "cost".
        prevalence: Share of positives where the models will be used.
        level: Confidence level of the interval.
        replicates: Number of bootstrap resamples.
        seed: Same seed, same resamples.

    Example:
        >>> import tradeoff as to
        >>> c = to.compare(
        ...     actual=[0, 0, 1, 0, 1, 1], score={"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}
        ... )
        >>> gate_models(c, "a", "b", margin=0.05)
        Gate(a against b in auc: inconclusive)
        >>> gate_models(c, "a", "b", margin=0.5).verdict
        'pass'
    """
    _require_margin(margin)
    if candidate == baseline:
        raise InputError(f"{candidate!r} is compared with itself: name two models.")
    difference = comparison.difference(
        candidate,
        baseline,
        metric,
        at=at,
        method=method,
        costs=costs,
        prevalence=prevalence,
        level=level,
        replicates=replicates,
        seed=seed,
    )
    if difference.value == 0 and difference.standard_error == 0:
        question = build_question(metric, at=at, costs=costs, prevalence=prevalence)
        difference = _rule_of_three_interval(difference, comparison, question, costs)
    gate = gate_verdict(difference, margin, rows=comparison.paired.rows, superior=superior)
    if difference.method == RULE and gate.verdict == "inconclusive" and not superior and margin:
        # The interval of the rule of three shrinks in proportion to the rows.
        needed = float(math.ceil(gate.rows * difference.high / margin))
        gate = replace(gate, needed=needed, assumed_alike=True)
    return replace(gate, notes=_cluster_notes(comparison))


def gate_verdict(
    difference: Difference, margin: float = 0.01, *, rows: int, superior: bool = False
) -> Gate:
    """Gate verdict on a difference, candidate minus baseline, against a margin.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("new", "old", "auc", 0.70, 0.79, low=-0.12, high=-0.06)
        >>> gate_verdict(d, margin=0.01, rows=500).verdict
        'fail'
    """
    margin = _require_margin(margin)
    if difference.better is None:
        raise InputError(
            f"{difference.metric} is neither better high nor better low: no model can pass or fail."
        )
    verdict = _verdict(*_gain_interval(difference), margin, superior=superior)
    gate = Gate(difference, margin, verdict, rows, superior)
    error = difference.standard_error
    if not error > 0:
        return gate
    detectable = (critical_value(difference.level) + critical_value(2 * POWER - 1)) * error
    return _with_rows_needed(replace(gate, detectable=detectable))


def _gain_interval(difference: Difference) -> tuple[float, float]:
    """Confidence interval of the gain of the first model over the second.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("a", "b", "brier", 0.2, 0.1, low=0.05, high=0.15, better="lower")
        >>> _gain_interval(d)
        (-0.15, -0.05)
    """
    if difference.better == "lower":
        return 0.0 - difference.high, 0.0 - difference.low
    return difference.low, difference.high


def worst_verdict(verdicts: Iterable[Outcome]) -> Outcome:
    """The worst verdict of several gates: fail, then inconclusive, then pass.

    Example:
        >>> worst_verdict(["pass", "fail", "inconclusive"])
        'fail'
    """
    ordered = sorted(verdicts, key=OUTCOMES.index)
    if not ordered:
        raise InputError("A gate needs at least one metric.")
    return ordered[-1]


def _verdict(low: float, high: float, margin: float, *, superior: bool) -> Outcome:
    """Verdict from the interval of the gain: all of it, none or some agrees with the claim.

    The claim is gain ≥ −margin, or with `superior` gain > margin. Without an interval (NaN) all
    comparisons are false: inconclusive.
    """
    inside, outside = (
        (low > margin, high <= margin) if superior else (low >= -margin, high < -margin)
    )
    return "pass" if inside else "fail" if outside else "inconclusive"


def _with_rows_needed(gate: Gate) -> Gate:
    """A gate with the rows needed for a verdict: standard errors fall with their square root."""
    if gate.verdict != "inconclusive":
        return gate
    # Equal models are a margin away from the limit of the claim. If these rows would have shown
    # that already, the models are probably not equal: then use the observed difference.
    alike = not gate.superior and 0 < gate.margin < gate.detectable
    distance = gate.margin if alike else abs(gate.difference.gain - gate.edge)
    if not distance > 0:
        return gate
    needed = math.ceil(gate.rows * (gate.detectable / distance) ** 2)
    return replace(gate, needed=float(needed), assumed_alike=alike)


def _rule_of_three_interval(
    difference: Difference, comparison: Comparison, question: Question, costs: AnyCosts | None
) -> Difference:
    """Rule-of-three interval of two models that agree on every row.

    Models with the same scores (or, where no threshold matters, the same order) are equal on any
    rows. Where only the outcomes agree, the share of rows on which they differ is below
    1 − (1 − level)^(1/n) (the rule of three: Hanley & Lippman-Hand 1983,
    doi:10.1001/jama.1983.03330370053031), and a row changes the metric by at most its range.
    """
    scores = [comparison.paired.scores[name] for name in (difference.first, difference.second)]
    if question.threshold is None:
        scores = [np.unique(values, return_inverse=True)[1] for values in scores]
    if np.array_equal(scores[0], scores[1]):
        noun = "scores" if question.threshold is not None else "order of rows"
        return replace(difference, low=0.0, high=0.0, note=f"both models have the same {noun}")
    units = _effective_units(comparison)
    reach = _metric_range(question, costs) * (1 - (1 - difference.level) ** (1 / units))
    if not math.isfinite(reach):
        return difference
    note = (
        f"the models agree on every row: interval by the rule of three for "
        f"{format_count(math.floor(units))} rows"
    )
    return replace(difference, low=-reach, high=reach, method=RULE, note=note)


def _metric_range(question: Question, costs: AnyCosts | None) -> float:
    """Range of the values that the metric or the cost of a row can have."""
    if question.measure is None and isinstance(costs, Costs):
        outcome_costs = [costs.found, costs.missed, costs.alarm, costs.passed]
        return max(outcome_costs) - min(outcome_costs)
    return question.high - question.low


def _effective_units(comparison: Comparison) -> float:
    """Number of independent units: rows of the rarer class, or clusters."""
    fewest = min(min(ranking.effective_rows) for ranking in comparison.rankings.values())
    clusters = comparison.paired.clusters
    return fewest if clusters is None else min(fewest, float(len(np.unique(clusters))))


def _cluster_notes(comparison: Comparison) -> tuple[str, ...]:
    """Note on too few clusters."""
    clusters = comparison.paired.clusters
    size = FEW if clusters is None else len(np.unique(clusters))
    if size >= FEW:
        return ()
    return (f"the shared rows come from only {size} clusters: too few for a reliable interval",)


def _verdict_sentence(gate: Gate) -> str:
    """Sentence with the values of both models, their difference, and the verdict."""
    difference = gate.difference
    candidate, baseline = printable(gate.candidate), printable(gate.baseline)
    if not difference.is_defined:
        reason = difference.reason or "one of the models has no value"
        return f"Inconclusive: the difference in {gate.metric} is undefined: {reason}."
    values = (
        f"{gate.metric} is {format_number(difference.first_value)} for {candidate} and "
        f"{format_number(difference.second_value)} for {baseline}"
        f"{' (lower is better)' if difference.better == 'lower' else ''}"
    )
    if math.isnan(difference.low):
        reason = (difference.note or "it has no interval").removeprefix("no interval: ")
        return f"Inconclusive: {values}, but there is no confidence interval: {reason}."
    level = f"{100 * difference.level:.10g}% CI"
    interval = f"{format_number(difference.low)} to {format_number(difference.high)}"
    result = f"{values}, a difference of {format_number(difference.value)} ({level} {interval})"
    if gate.verdict == "pass":
        return f"Pass: {result}. {candidate} is {gate.claim}."
    if gate.verdict == "fail":
        negation = "not " if gate.superior else ""
        return f"Fail: {result}. {candidate} is {negation}{gate.claim.removeprefix('not ')}."
    return f"Inconclusive: {result}. It remains open whether {candidate} is {gate.claim}."


def _power_sentence(gate: Gate) -> str:
    """Sentence with the detectable difference and the rows needed for a verdict."""
    parts = []
    power = f"{100 * POWER:g}% power"
    if gate.verdict == "inconclusive" and not math.isnan(gate.detectable):
        parts.append(
            f"With {format_count(gate.rows)} rows and {power}, the detectable distance from the "
            f"margin is {format_number(gate.detectable)}."
        )
    if not math.isnan(gate.needed):
        truth = "are equal" if gate.assumed_alike else "differ as observed"
        parts.append(
            f"If the models truly {truth}, about {format_count(gate.needed)} rows are needed."
        )
    return " ".join(parts)


def _require_margin(margin: float) -> float:
    margin = require_number(margin, "A margin")
    if not 0 <= margin < math.inf:
        raise InputError(f"margin must be 0 or more, in units of the metric, not {margin:g}.")
    return margin
