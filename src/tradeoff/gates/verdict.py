"""Verdict of a gate in one metric: is the candidate non-inferior or superior to the baseline?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

import numpy as np

from tradeoff.comparison.comparison import Comparison
from tradeoff.comparison.difference import Difference
from tradeoff.comparison.questions import AUC, model_questions
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.errors import InputError, require_number
from tradeoff.formatting import format_number, format_screen_number, printable
from tradeoff.results import ByValue
from tradeoff.stats.normal import critical_value
from tradeoff.thresholds.operating_threshold import Thresholds
from tradeoff.uncertainty.question import Question
from tradeoff.wording import ROWS, Wording

Outcome = Literal["pass", "inconclusive", "fail"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""Verdicts of a gate, from best to worst."""

POWER = 0.8
"""Power for which the detectable difference and the rows needed are computed."""

RULE_OF_THREE = "rule of three"
MIN_CLUSTERS = 10
"""Number of clusters below which an interval is unreliable."""


@dataclass(frozen=True, eq=False)
class Gate(ByValue):
    """Verdict of a gate: a candidate (first model) against a baseline (second) in one metric.

    The claim is that the candidate's gain is at least −margin (it is not worse by more than the
    margin), or with `superior` that the gain exceeds the margin. The verdict is "pass" if the
    whole confidence interval for the gain satisfies the claim, "fail" if none of it does, and
    "inconclusive" otherwise.

    `detectable` is how far the true gain must be from the limit of the claim to be detected with
    80% power: (z of the level + z of the power) · standard error. `needed` is the number of rows
    needed for a conclusive verdict if the models are truly equal (`assumed_alike`), or otherwise if
    they truly differ as observed; it is NaN unless the verdict is inconclusive.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("new", "old", "auc", 0.80, 0.79, low=-0.005, high=0.025)
        >>> verdict_on_difference(d, margin=0.01, rows=500)
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
    wording: Wording = field(default=ROWS, compare=False)

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
    def label(self) -> str:
        """The metric as it was requested, otherwise its usual label."""
        return self.difference.metric_label

    @property
    def edge(self) -> float:
        """Gain at the limit of the verdict's claim."""
        return self.margin if self.superior else 0.0 - self.margin

    @property
    def gain(self) -> float:
        """How much better the candidate is; negative if it is worse."""
        return self.difference.gain

    @property
    def low(self) -> float:
        """Lower limit of the confidence interval for the gain."""
        return _gain_interval(self.difference)[0]

    @property
    def high(self) -> float:
        """Upper limit of the confidence interval for the gain."""
        return _gain_interval(self.difference)[1]

    @property
    def claim(self) -> str:
        """The claim of the verdict in words."""
        if self.superior:
            return "better" if self.margin == 0 else f"better by more than {self.margin:g}"
        return "not worse" if self.margin == 0 else f"not worse by more than {self.margin:g}"

    @property
    def sentence(self) -> str:
        """The verdict as a sentence, with the rows needed if it is inconclusive."""
        return " ".join(filter(None, [_describe_verdict(self), _describe_power(self)]))

    @property
    def explanation(self) -> str:
        """Why the verdict is inconclusive, and how many rows are needed; empty otherwise."""
        difference = self.difference
        if not difference.is_defined:
            reason = difference.reason or "one of the models has no value"
            return f"The difference is undefined: {reason}."
        if math.isnan(difference.low):
            reason = (difference.note or "unknown").removeprefix("no interval: ")
            return f"There is no confidence interval: {reason}."
        return _describe_power(self)

    def __repr__(self) -> str:
        """One line: candidate, baseline, metric and verdict."""
        pair = f"{self.candidate} against {self.baseline} in {self.metric}"
        return f"Gate({pair}: {self.verdict})"


def verdict_on_models(  # noqa: PLR0913 - two models, a metric, and the claim
    comparison: Comparison,
    candidate: str,
    baseline: str,
    metric: str = AUC,
    *,
    margin: float = 0.01,
    superior: bool = False,
    at: tuple[str, Thresholds] | None = None,
    method: str | None = None,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
    level: float | None = None,
    replicates: int | None = None,
    seed: int | None = None,
) -> Gate:
    """Verdict of a gate on a candidate against a baseline in one metric.

    Args:
        comparison: Comparison of both models on the same rows.
        candidate: Name of the candidate model.
        baseline: Name of the baseline model.
        metric: Any summary or metric, or "cost" with `costs`.
        margin: How much worse the candidate may be, in units of the metric; with `superior`, how
            much better it must be.
        superior: Require superiority, not just non-inferiority.
        at: Operating point at which a metric is evaluated; this and all further parameters are as
            for `Comparison.difference`.
        method: "delong", "bootstrap" or "permutation".
        costs: Costs of the outcomes, for "cost".
        prevalence: Prevalence where the models will be used.
        level: Confidence level of the interval.
        replicates: Number of bootstrap resamples.
        seed: Random seed; the same seed gives the same resamples.

    Example:
        >>> import tradeoff as to
        >>> c = to.compare(
        ...     actual=[0, 0, 1, 0, 1, 1], score={"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}
        ... )
        >>> verdict_on_models(c, "a", "b", margin=0.05)
        Gate(a against b in auc: inconclusive)
        >>> verdict_on_models(c, "a", "b", margin=0.5).verdict
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
        models = (candidate, baseline)
        questions = model_questions(
            comparison.paired, models, metric, at, None, costs, prevalence, {}
        )
        difference = _rule_of_three_interval(difference, comparison, questions, costs)
    gate = verdict_on_difference(difference, margin, rows=comparison.paired.rows, superior=superior)
    uses_rule_of_three = difference.method == RULE_OF_THREE
    if uses_rule_of_three and gate.verdict == "inconclusive" and not superior and margin:
        # This interval shrinks in inverse proportion to the number of rows.
        needed = float(math.ceil(gate.rows * difference.high / margin))
        gate = replace(gate, needed=needed, assumed_alike=True)
    return replace(gate, notes=_cluster_notes(comparison), wording=comparison.paired.wording)


def verdict_on_difference(
    difference: Difference, margin: float = 0.01, *, rows: int, superior: bool = False
) -> Gate:
    """Verdict of a gate on a difference, candidate minus baseline, against a margin.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("new", "old", "auc", 0.70, 0.79, low=-0.12, high=-0.06)
        >>> verdict_on_difference(d, margin=0.01, rows=500).verdict
        'fail'
    """
    margin = _require_margin(margin)
    if difference.better is None:
        raise InputError(
            f"Neither higher nor lower values of {difference.metric_label} are better, so no "
            "model can pass or fail."
        )
    verdict = _verdict(*_gain_interval(difference), margin, superior=superior)
    gate = Gate(difference, margin, verdict, rows, superior)
    standard_error = difference.standard_error
    if not standard_error > 0:
        return gate
    detectable = (critical_value(difference.level) + critical_value(2 * POWER - 1)) * standard_error
    return _with_rows_needed(replace(gate, detectable=detectable))


def _gain_interval(difference: Difference) -> tuple[float, float]:
    """Confidence interval for the gain of the first model over the second.

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
    """The worst verdict of several gates: fail before inconclusive before pass.

    Example:
        >>> worst_verdict(["pass", "fail", "inconclusive"])
        'fail'
    """
    ordered_verdicts = sorted(verdicts, key=OUTCOMES.index)
    if not ordered_verdicts:
        raise InputError("A gate needs at least one metric.")
    return ordered_verdicts[-1]


def _verdict(low: float, high: float, margin: float, *, superior: bool) -> Outcome:
    """Verdict from the interval for the gain: pass if all of it satisfies the claim, fail if none.

    The claim is gain ≥ −margin, or with `superior` gain > margin. Without an interval (NaN), all
    comparisons are false: inconclusive.
    """
    is_satisfied, is_violated = (
        (low > margin, high <= margin) if superior else (low >= -margin, high < -margin)
    )
    return "pass" if is_satisfied else "fail" if is_violated else "inconclusive"


def _with_rows_needed(gate: Gate) -> Gate:
    """Add the number of rows needed for a verdict: standard errors shrink with its square root."""
    if gate.verdict != "inconclusive":
        return gate
    # Equal models are one margin away from the limit of the claim. If these rows would already
    # have shown that, the models are probably not equal: then use the observed difference.
    assumed_alike = not gate.superior and 0 < gate.margin < gate.detectable
    distance = gate.margin if assumed_alike else abs(gate.difference.gain - gate.edge)
    if not distance > 0:
        return gate
    needed = math.ceil(gate.rows * (gate.detectable / distance) ** 2)
    return replace(gate, needed=float(needed), assumed_alike=assumed_alike)


def _rule_of_three_interval(
    difference: Difference,
    comparison: Comparison,
    questions: Sequence[Question],
    costs: AnyCosts | None,
) -> Difference:
    """Rule-of-three interval for the difference between models that agree on every row.

    Models with the same scores (or, where no threshold matters, the same order) are equal on any
    rows. Where only the outcomes agree, the proportion of rows on which they differ is below
    1 − (1 − level)^(1/n) (the rule of three: Hanley & Lippman-Hand 1983,
    doi:10.1001/jama.1983.03330370053031), and a row changes the metric by at most its range.
    """
    question, wording = questions[0], comparison.paired.wording
    scores = [comparison.paired.scores[name] for name in (difference.first, difference.second)]
    have_one_threshold = len({question.threshold for question in questions}) == 1
    if question.threshold is None:
        scores = [np.unique(values, return_inverse=True)[1] for values in scores]
    if have_one_threshold and np.array_equal(scores[0], scores[1]):
        note = f"both models rank the {wording.units} in the same order"
        if question.threshold is not None:
            note = "both models have the same scores"
        return replace(difference, low=0.0, high=0.0, note=note)
    units = _effective_units(comparison)
    half_width = _metric_range(question, costs) * (1 - (1 - difference.level) ** (1 / units))
    if not math.isfinite(half_width):
        return difference
    note = (
        f"the models agree on every {wording.unit}: interval by the rule of three for "
        f"{wording.count(math.floor(units))}"
    )
    return replace(difference, low=-half_width, high=half_width, method=RULE_OF_THREE, note=note)


def _metric_range(question: Question, costs: AnyCosts | None) -> float:
    """Largest difference between two values of the metric, or between two costs of a row."""
    if question.measure is None and isinstance(costs, Costs):
        outcome_costs = [costs.found, costs.missed, costs.alarm, costs.passed]
        return max(outcome_costs) - min(outcome_costs)
    return question.high - question.low


def _effective_units(comparison: Comparison) -> float:
    """Number of independent units: rows of the smaller class, or clusters if there are fewer."""
    rows = min(min(ranking.effective_rows) for ranking in comparison.rankings.values())
    clusters = comparison.paired.clusters
    return rows if clusters is None else min(rows, float(len(np.unique(clusters))))


def _cluster_notes(comparison: Comparison) -> tuple[str, ...]:
    """A note if there are too few clusters for a reliable interval."""
    clusters = comparison.paired.clusters
    cluster_count = MIN_CLUSTERS if clusters is None else len(np.unique(clusters))
    if cluster_count >= MIN_CLUSTERS:
        return ()
    source = f"the shared {comparison.paired.wording.units} come from only {cluster_count} clusters"
    return (f"{source}: too few for a reliable interval",)


def _describe_verdict(gate: Gate) -> str:
    """The verdict in a sentence, with the values of both models and their difference."""
    difference = gate.difference
    candidate, baseline = printable(gate.candidate), printable(gate.baseline)
    if not difference.is_defined:
        reason = difference.reason or "one of the models has no value"
        return f"Inconclusive: the difference in {gate.label} is undefined: {reason}."
    values = (
        f"{gate.label} is {format_screen_number(difference.first_value)} for {candidate} and "
        f"{format_screen_number(difference.second_value)} for {baseline}"
        f"{' (lower is better)' if difference.better == 'lower' else ''}"
    )
    if math.isnan(difference.low):
        reason = (difference.note or "it has no interval").removeprefix("no interval: ")
        return f"Inconclusive: {values}, but there is no confidence interval: {reason}."
    level = f"{100 * difference.level:.10g}% CI"
    interval = f"{format_screen_number(difference.low)} to {format_screen_number(difference.high)}"
    result = (
        f"{values}, a difference of {format_screen_number(difference.value)} ({level} {interval})"
    )
    if gate.verdict == "pass":
        return f"Pass: {result}. {candidate} is {gate.claim}."
    if gate.verdict == "fail":
        negation = "not " if gate.superior else ""
        return f"Fail: {result}. {candidate} is {negation}{gate.claim.removeprefix('not ')}."
    return f"Inconclusive: {result}. It remains open whether {candidate} is {gate.claim}."


def _describe_power(gate: Gate) -> str:
    """Sentences on the detectable difference and the rows needed for a verdict."""
    sentences = []
    power = f"{100 * POWER:g}% power"
    if gate.verdict == "inconclusive" and not math.isnan(gate.detectable):
        sentences.append(
            f"With {gate.wording.count(gate.rows)} and {power}, the smallest detectable distance "
            f"from the margin is {format_number(gate.detectable)}."
        )
    if not math.isnan(gate.needed):
        assumption = "are equal" if gate.assumed_alike else "differ as observed"
        sentences.append(
            f"If the models truly {assumption}, about {gate.wording.count(gate.needed)} are needed "
            "for a conclusive verdict."
        )
    return " ".join(sentences)


def _require_margin(margin: float) -> float:
    margin = require_number(margin, "The margin")
    if not 0 <= margin < math.inf:
        raise InputError(f"margin must be 0 or more, in units of the metric, not {margin:g}.")
    return margin
