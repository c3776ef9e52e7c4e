"""Requirements of a gate: a metric of the candidate must be at least, or at most, some limit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, get_args

from tradeoff.errors import InputError, require_number
from tradeoff.formatting import (
    format_level,
    format_screen_number,
    printable,
    with_minus_sign,
)
from tradeoff.gates.verdict import POWER, Outcome
from tradeoff.measures.estimate import Estimate
from tradeoff.measures.registry import is_summary
from tradeoff.results import ByValue
from tradeoff.stats.normal import critical_value
from tradeoff.thresholds.operating_threshold import Thresholds, require_thresholds
from tradeoff.uncertainty.estimates import question_estimate
from tradeoff.uncertainty.question import (
    THRESHOLD,
    Question,
    build_question,
    question_options,
)
from tradeoff.wording import ROWS, Wording

if TYPE_CHECKING:
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking
    from tradeoff.uncertainty.confidence import Confidence

Relation = Literal["at least", "at most"]
TestOn = Literal["interval", "value"]
"""Basis on which a requirement is tested: the whole confidence interval, or the value alone."""


@dataclass(frozen=True, eq=False)
class Requirement(ByValue):
    """Verdict on one requirement: a metric of a model must be at least, or at most, a limit.

    Tested on the interval, the verdict is "pass" if the whole confidence interval satisfies the
    requirement, "fail" if none of it does, and "inconclusive" otherwise; tested on the value, it is
    "pass" or "fail" by the value alone. An undefined value is inconclusive.

    `needed` is the number of rows needed for a conclusive verdict with 80% power if the true value
    is the observed one; it is NaN unless the verdict is inconclusive.

    Example:
        >>> auc = Estimate("auc", 0.82, low=0.78, high=0.86, level=0.95)
        >>> verdict_on_estimate("new", auc, "at least", 0.8, rows=500)
        Requirement(new: auc at least 0.8: inconclusive)
    """

    model: str
    estimate: Estimate
    relation: Relation
    limit: float
    verdict: Outcome
    rows: int
    test_on: TestOn = "interval"
    needed: float = math.nan
    wording: Wording = field(default=ROWS, compare=False)

    @property
    def metric(self) -> str:
        """The metric of the requirement, by its canonical name."""
        return self.estimate.name

    @property
    def label(self) -> str:
        """The metric of the requirement as it was requested, or its usual label."""
        return self.estimate.label or self.estimate.name

    @property
    def claim(self) -> str:
        """The requirement in words."""
        return f"{self.relation} {self.limit:g}"

    @property
    def conclusion(self) -> str:
        """How the value compares with the required limit, in words."""
        opposite = "below" if self.relation == "at least" else "above"
        limit = with_minus_sign(f"{self.limit:g}")
        return {
            "pass": f"is {self.relation} {limit}",
            "fail": f"is {opposite} {limit}",
            "inconclusive": f"may be {opposite} {limit}",
        }[self.verdict]

    @property
    def explanation(self) -> str:
        """Why the requirement is inconclusive, and how many rows are needed; else empty."""
        estimate = self.estimate
        if not estimate.is_defined:
            return f"It is undefined: {estimate.reason or 'it has no value'}."
        if self.verdict != "inconclusive":
            return ""
        if not estimate.has_interval:
            reason = (estimate.note or "unknown").removeprefix("no interval: ")
            return f"There is no confidence interval: {reason}."
        if math.isnan(self.needed):
            return ""
        return (
            f"If the true value is as observed, about {self.wording.count(self.needed)} are needed "
            f"for a conclusive verdict with {100 * POWER:g}% power."
        )

    @property
    def sentence(self) -> str:
        """The verdict on the requirement as a sentence."""
        estimate = self.estimate
        subject = f"{self.verdict.capitalize()}: {self.label} of {printable(self.model)}"
        if not estimate.is_defined:
            return f"{subject} must be {self.claim}. {self.explanation}"
        interval = ""
        if estimate.has_interval:
            level = format_level(estimate.level or math.nan)
            low, high = map(format_screen_number, (estimate.low, estimate.high))
            interval = f" ({level} CI {low} to {high})"
        value = f"{format_screen_number(estimate.value)}{interval}"
        basis = "" if self.test_on == "interval" else " Tested on the value alone."
        sentence = f"{subject} is {value}, which {self.conclusion}.{basis}"
        return " ".join(filter(None, [sentence, self.explanation]))

    def __repr__(self) -> str:
        """One line: model, metric, requirement and verdict."""
        return f"Requirement({self.model}: {self.metric} {self.claim}: {self.verdict})"


@dataclass(frozen=True)
class GateConditions:
    """Limits of the candidate's metrics, and where and at which costs metrics are evaluated.

    Args:
        at_least: Lower limits by metric.
        at_most: Upper limits by metric.
        test_on: Whether limits are tested on the whole confidence interval or on the value.
        at: Operating point of metrics at a threshold.
        costs: Costs of the outcomes.
        prevalence: Prevalence where the model will be used.
    """

    at_least: Mapping[str, float] = field(default_factory=dict)
    at_most: Mapping[str, float] = field(default_factory=dict)
    test_on: TestOn = "interval"
    at: tuple[str, Thresholds] | None = None
    costs: AnyCosts | None = None
    prevalence: float | None = None

    @property
    def limits(self) -> list[tuple[Relation, str, float]]:
        """The lower limits, then the upper ones: relation, metric and limit."""
        return [
            *(("at least", metric, limit) for metric, limit in self.at_least.items()),
            *(("at most", metric, limit) for metric, limit in self.at_most.items()),
        ]

    def question_options(
        self, metric: str, at: tuple[str, Thresholds] | None = None
    ) -> dict[str, Any]:
        """The conditions that apply to a metric at an operating point."""
        options = {"at": at, "costs": self.costs, "prevalence": self.prevalence}
        return question_options(metric, options)

    def require_use(self, metrics: Sequence[str], *, point_example: str, cost_example: str) -> None:
        """Require that a metric uses the operating point and the costs, if these are given."""
        if self.at is not None and all(map(is_summary, metrics)):
            raise InputError(
                f"`at` is an operating point for a metric: name one, as in {point_example}."
            )
        if self.costs is not None and "cost" not in metrics:
            raise InputError(cost_example)


def verdicts_on_requirements(
    name: str,
    ranking: Ranking,
    conditions: GateConditions,
    confidence: Confidence,
    clusters: PairedRanking | None = None,
) -> tuple[Requirement, ...]:
    """Verdicts on lower and upper limits, by metric, for the ranking of one model."""
    test_on = conditions.test_on
    if test_on not in get_args(TestOn):
        raise InputError(f"`test_on` must be 'interval' or 'value', not {test_on!r}.")
    requirements = []
    for relation, metric, number in conditions.limits:
        point = _operating_point(conditions.at, name, ranking, metric)
        question = build_question(metric, **conditions.question_options(metric, point))
        question = question.with_wording(ranking.wording)
        limit = require_number(number, f"The limit of {metric}")
        _require_sensible_limit(question, metric, relation, limit)
        estimate = replace(
            question_estimate(question, ranking, confidence, clusters),
            name=question.name,
            label=question.label,
        )
        requirements.append(
            replace(
                verdict_on_estimate(
                    name, estimate, relation, limit, rows=ranking.rows, test_on=test_on
                ),
                wording=ranking.wording,
            )
        )
    return tuple(requirements)


def _operating_point(
    at: tuple[str, Thresholds] | None, name: str, ranking: Ranking, metric: str
) -> tuple[str, float] | None:
    """The operating point of a metric: the one given, else 0.5 for probabilities, else an error."""
    point, value = (THRESHOLD, None) if at is None else at
    if isinstance(value, Mapping):
        value = value.get(name)
    if is_summary(metric):
        return None if value is None else (point, value)
    if point == THRESHOLD:
        value = require_thresholds({name: ranking}, value, metric)[name]
    return None if value is None else (point, value)


def verdict_on_estimate(  # noqa: PLR0913 - an estimate and the requirement
    model: str,
    estimate: Estimate,
    relation: Relation,
    limit: float,
    *,
    rows: int,
    test_on: TestOn = "interval",
) -> Requirement:
    """Verdict on one requirement.

    Example:
        >>> brier = Estimate("brier", 0.08, low=0.07, high=0.09, level=0.95)
        >>> verdict_on_estimate("new", brier, "at most", 0.1, rows=500).verdict
        'pass'
    """
    by_value = test_on == "value"
    low, high = (estimate.value,) * 2 if by_value else (estimate.low, estimate.high)
    if relation == "at least":
        is_satisfied, is_violated = low >= limit, high < limit
    else:
        is_satisfied, is_violated = high <= limit, low > limit
    # Comparisons with NaN are false: without a value or an interval, the verdict is open.
    verdict: Outcome = "pass" if is_satisfied else "fail" if is_violated else "inconclusive"
    needed = _rows_needed(estimate, limit, rows) if verdict == "inconclusive" else math.nan
    return Requirement(model, estimate, relation, limit, verdict, rows, test_on, needed)


def _rows_needed(estimate: Estimate, limit: float, rows: int) -> float:
    """Rows at which the observed value would be conclusive; intervals shrink with their root.

    The distance from the limit must be z of the level plus z of the power, in standard errors.
    """
    distance = abs(estimate.value - limit)
    width = estimate.high - estimate.low
    if estimate.level is None or not distance > 0 or not 0 < width < math.inf:
        return math.nan
    z = critical_value(estimate.level)
    standard_error = width / (2 * z)
    detectable = (z + critical_value(2 * POWER - 1)) * standard_error
    return float(max(rows + 1, math.ceil(rows * (detectable / distance) ** 2)))


def _require_sensible_limit(
    question: Question, metric: str, relation: Relation, limit: float
) -> None:
    """Reject limits that every model meets, or none: a typing error must not pass the gate."""
    if not question.low <= limit <= question.high:
        raise InputError(
            f"{question.label} lies between {question.low:g} and {question.high:g}, so {limit:g} "
            "cannot be its limit."
        )
    is_mistaken = {"lower": "at least", "higher": "at most"}.get(question.better or "") == relation
    if is_mistaken:
        remedy = "at_most" if relation == "at least" else "at_least"
        raise InputError(
            f"{str(question.better).capitalize()} values of {question.label} are better, but it is "
            f"required to be {relation} {limit:g}. Did you mean {remedy}={{{metric!r}: {limit:g}}}?"
        )
