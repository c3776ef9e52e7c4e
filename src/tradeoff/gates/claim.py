"""May a candidate replace a baseline? The interval of their difference, held against a margin."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from tradeoff.comparison.comparison import AREA, Comparison
from tradeoff.comparison.difference import Difference
from tradeoff.core.costs import AnyCosts, Costs
from tradeoff.errors import InputError, as_number
from tradeoff.results import ByValue
from tradeoff.stats.normal import quantile
from tradeoff.text import count, number, plain
from tradeoff.uncertainty.question import Question, ask

Outcome = Literal["pass", "inconclusive", "fail"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
"""What a gate can say, from the best to the worst."""

POWER = 0.8
"""How often rows shall show what is there: four times in five."""

RULE = "rule of three"
FEW = 10
"""Fewer rows of a class (or clusters) than this are too few for an interval to be trusted."""


@dataclass(frozen=True, eq=False)
class Gate(ByValue):
    """Whether a candidate (the difference's first model) holds against a baseline (its second).

    The claim is that the candidate's gain is at least −margin (not worse by more than the margin),
    or with `superior` that it is above the margin. The verdict is "pass" where the whole interval
    of the gain agrees with the claim, "fail" where none of it does, and "inconclusive" otherwise.

    `detectable` is how far from the edge of the claim the true gain must lie for these rows to
    show it four times in five: (z of the level + z of the power) · standard error. `needed` is how
    many such rows would settle it, if in truth the two models are alike (`assumed_alike`) or else
    as far apart as they seem here; it is NaN unless the verdict is inconclusive.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("new", "old", "auc", 0.80, 0.79, low=-0.005, high=0.025)
        >>> judged(d, margin=0.01, rows=500)
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
        """The model that wants to pass."""
        return self.difference.first

    @property
    def baseline(self) -> str:
        """The model that it is held against."""
        return self.difference.second

    @property
    def metric(self) -> str:
        """What the two are compared in."""
        return self.difference.metric

    @property
    def edge(self) -> float:
        """The gain from which on the claim holds."""
        return self.margin if self.superior else 0.0 - self.margin

    @property
    def gain(self) -> float:
        """How much better the candidate is; below 0 it is worse."""
        return self.difference.gain

    @property
    def low(self) -> float:
        """The lower end of the interval of the gain: how much better the candidate is at least."""
        return _gains(self.difference)[0]

    @property
    def high(self) -> float:
        """The upper end of the interval of the gain."""
        return _gains(self.difference)[1]

    @property
    def claim(self) -> str:
        """What the candidate has to show."""
        if self.superior:
            return "better" if self.margin == 0 else f"better by more than {self.margin:g}"
        return "not worse" if self.margin == 0 else f"not worse by more than {self.margin:g}"

    @property
    def sentence(self) -> str:
        """The verdict in a sentence or two."""
        return " ".join(filter(None, [_found(self), _wanted(self)]))

    def __repr__(self) -> str:
        """One line: who, against whom, in what, and the verdict."""
        pair = f"{self.candidate} against {self.baseline} in {self.metric}"
        return f"Gate({pair}: {self.verdict})"


def gate(  # noqa: PLR0913 - two models, a metric, and the claim
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
    """Hold a candidate against a baseline on the rows that both scored.

    Args:
        comparison: Both models on the same rows.
        candidate: The model that wants to pass.
        baseline: The model that it is held against.
        metric: Any summary or metric, or "cost" with `costs`.
        margin: How much worse the candidate may be, in the metric's own unit; with `superior`, how
            much better it must be.
        superior: Ask for better, not only for not worse.
        at: Where a metric is looked at, as for `Comparison.difference`, like all that follow.
        method: How the difference is found.
        costs: What outcomes cost, for "cost".
        prevalence: The share of positives where the models will be used.
        level: Confidence level of the interval.
        replicates: Number of bootstrap resamples.
        seed: Same seed, same resamples.

    Example:
        >>> import tradeoff as to
        >>> c = to.compare(
        ...     actual=[0, 0, 1, 0, 1, 1], score={"a": [1, 2, 3, 4, 5, 6], "b": [2, 1, 6, 5, 4, 3]}
        ... )
        >>> gate(c, "a", "b", margin=0.05)
        Gate(a against b in auc: inconclusive)
        >>> gate(c, "a", "b", margin=0.5).verdict
        'pass'
    """
    _demand_margin(margin)
    if candidate == baseline:
        raise InputError(f"{candidate!r} is held against itself: name two models.")
    found = comparison.difference(
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
    if found.value == 0 and found.standard_error == 0:
        question = ask(metric, at=at, costs=costs, prevalence=prevalence)
        found = _never_apart(found, comparison, question, costs)
    judgement = judged(found, margin, rows=comparison.paired.rows, superior=superior)
    if found.method == RULE and judgement.verdict == "inconclusive" and not superior and margin:
        # What the rule leaves open shrinks as rows grow.
        needed = float(math.ceil(judgement.rows * found.high / margin))
        judgement = replace(judgement, needed=needed, assumed_alike=True)
    return replace(judgement, notes=_few(comparison))


def judged(
    difference: Difference, margin: float = 0.01, *, rows: int, superior: bool = False
) -> Gate:
    """The verdict on a difference, candidate minus baseline, that is known already.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> d = Difference("new", "old", "auc", 0.70, 0.79, low=-0.12, high=-0.06)
        >>> judged(d, margin=0.01, rows=500).verdict
        'fail'
    """
    margin = _demand_margin(margin)
    if difference.better is None:
        raise InputError(
            f"{difference.metric} is neither better high nor low: no model can pass or fail in it."
        )
    verdict = _verdict(*_gains(difference), margin, superior=superior)
    known = Gate(difference, margin, verdict, rows, superior)
    error = difference.standard_error
    if not error > 0:
        return known
    detectable = (quantile(difference.level) + quantile(2 * POWER - 1)) * error
    return _with_rows(replace(known, detectable=detectable))


def _gains(difference: Difference) -> tuple[float, float]:
    """The ends of the interval of how much better the first model is, lower end first.

    Example:
        >>> from tradeoff.comparison.difference import Difference
        >>> _gains(Difference("a", "b", "brier", 0.2, 0.1, low=0.05, high=0.15, better="lower"))
        (-0.15, -0.05)
    """
    if difference.better == "lower":
        return 0.0 - difference.high, 0.0 - difference.low
    return difference.low, difference.high


def worst(verdicts: Iterable[Outcome]) -> Outcome:
    """The verdict over several metrics: one that fails fails all, then one that is unsure.

    Example:
        >>> worst(["pass", "fail", "inconclusive"])
        'fail'
    """
    found = list(verdicts)
    if not found:
        raise InputError("A gate needs a metric to judge by.")
    return max(found, key=OUTCOMES.index)


def _verdict(low: float, high: float, margin: float, *, superior: bool) -> Outcome:
    """The claim is gain ≥ −margin, or gain > margin: all of the interval in it, none, or some.

    Without an interval all comparisons are with NaN, hence false.
    """
    inside, outside = (
        (low > margin, high <= margin) if superior else (low >= -margin, high < -margin)
    )
    return "pass" if inside else "fail" if outside else "inconclusive"


def _with_rows(known: Gate) -> Gate:
    """How many rows would settle it: standard errors fall with the root of the rows."""
    if known.verdict != "inconclusive":
        return known
    # A candidate that is as good as the baseline lies a margin away from the edge. Where these
    # rows would have shown that already, the two are probably not alike: then go by what is seen.
    alike = not known.superior and 0 < known.margin < known.detectable
    away = known.margin if alike else abs(known.difference.gain - known.edge)
    if not away > 0:
        return known
    needed = math.ceil(known.rows * (known.detectable / away) ** 2)
    return replace(known, needed=float(needed), assumed_alike=alike)


def _never_apart(
    found: Difference, comparison: Comparison, question: Question, costs: AnyCosts | None
) -> Difference:
    """The interval of two models that no row tells apart.

    Models with the same scores (or, where no threshold matters, the same order) stay alike on any
    rows. Where only the outcomes agree, the share of rows on which they would not is below
    1 − (1 − level)^(1/n) (the rule of three: Hanley & Lippman-Hand 1983,
    doi:10.1001/jama.1983.03330370053031), and a row changes the metric by its range at most.
    """
    ours, theirs = (comparison.paired.scores[name] for name in (found.first, found.second))
    if question.threshold is None:
        ours, theirs = (np.unique(own, return_inverse=True)[1] for own in (ours, theirs))
    if np.array_equal(ours, theirs):
        what = "scores" if question.threshold is not None else "order of rows"
        return replace(found, low=0.0, high=0.0, note=f"both models have the same {what}")
    units = _units(comparison)
    reach = _span(question, costs) * (1 - (1 - found.level) ** (1 / units))
    if not math.isfinite(reach):
        return found
    told = f"no row tells the two apart: the interval is what {count(math.floor(units))} rows allow"
    return replace(found, low=-reach, high=reach, method=RULE, note=told)


def _span(question: Question, costs: AnyCosts | None) -> float:
    """From the least to the most that the number can be."""
    if question.measure is None and isinstance(costs, Costs):
        paid = [costs.found, costs.missed, costs.alarm, costs.passed]
        return max(paid) - min(paid)
    return question.high - question.low


def _units(comparison: Comparison) -> float:
    """How many independent pieces of evidence there are: rows of the rarer class, or clusters."""
    fewest = min(min(own.effective_rows) for own in comparison.rankings.values())
    clusters = comparison.paired.clusters
    return fewest if clusters is None else min(fewest, float(len(np.unique(clusters))))


def _few(comparison: Comparison) -> tuple[str, ...]:
    clusters = comparison.paired.clusters
    size = FEW if clusters is None else len(np.unique(clusters))
    if size >= FEW:
        return ()
    return (f"the shared rows come from {size} clusters: too few for an interval",)


def _found(one: Gate) -> str:
    """What was seen, and what that means for the claim."""
    known = one.difference
    ours, theirs = plain(one.candidate), plain(one.baseline)
    if not known.is_defined:
        why = known.reason or "one of the models has no value"
        return f"Inconclusive: {one.metric} has no difference here: {why}."
    values = (
        f"{one.metric} is {number(known.first_value)} for {ours}, {number(known.second_value)} "
        f"for {theirs}{', lower is better' if known.better == 'lower' else ''}"
    )
    if math.isnan(known.low):
        why = (known.note or "it has no interval").removeprefix("no interval: ")
        return f"Inconclusive: {values}, but how sure that is cannot be told: {why}."
    ends = f"{100 * known.level:.10g} % interval {number(known.low)} to {number(known.high)}"
    seen = f"{values}: a difference of {number(known.value)} ({ends})"
    if one.verdict == "pass":
        return f"Pass: {seen}. {ours} is {one.claim}."
    if one.verdict == "fail":
        not_so = "not " if one.superior else ""
        return f"Fail: {seen}. {ours} is {not_so}{one.claim.removeprefix('not ')}."
    return f"Inconclusive: {seen}. The rows leave open whether {ours} is {one.claim}."


def _wanted(one: Gate) -> str:
    """What an open question needs."""
    parts = []
    if one.verdict == "inconclusive" and not math.isnan(one.detectable):
        parts.append(
            f"With {count(one.rows)} rows, the true difference must lie {number(one.detectable)} "
            f"from the margin to be told from it in {100 * POWER:g} % of cases."
        )
    if not math.isnan(one.needed):
        truth = "the two are alike" if one.assumed_alike else "they are as far apart as here"
        parts.append(f"If in truth {truth}, about {count(one.needed)} rows would settle it.")
    return " ".join(parts)


def _demand_margin(margin: float) -> float:
    margin = as_number(margin, "A margin")
    if not 0 <= margin < math.inf:
        raise InputError(f"A margin is 0 or more, in the metric's own unit, not {margin:g}.")
    return margin
