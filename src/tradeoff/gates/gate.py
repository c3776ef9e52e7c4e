"""May a candidate replace a baseline? gate() reads both, compares and judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tradeoff.comparison.comparison import Comparison
from tradeoff.errors import InputError
from tradeoff.gates import claim
from tradeoff.gates.claim import Gate, Outcome
from tradeoff.results import Result, view_of
from tradeoff.sources.columns import Columns
from tradeoff.sources.join import joined
from tradeoff.sources.policy import Missing, RowPolicy, WeightMeans
from tradeoff.sources.read import read
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.question import applying, is_summary


def gate(  # noqa: PLR0913 - two models, their rows, and the claim
    baseline: Any,
    candidate: Any,
    *,
    actual: Any,
    score: Any = None,
    candidate_score: Any = None,
    on: str | None = None,
    metric: str | Sequence[str] = "auc",
    at: tuple[str, float] | None = None,
    margin: float | None = None,
    superior: bool = False,
    costs: Any = None,
    prevalence: float | None = None,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    positive: Any = None,
    weight: Any = None,
    weight_means: WeightMeans | None = None,
    cluster: Any = None,
    missing: Missing = "error",
    lower_is_positive: bool = False,
    digits: int | None = None,
) -> Gates:
    """Hold a candidate against a baseline on the rows that both scored.

    Args:
        baseline: The table of the old model (a dataframe, or the path of a file); without `score`,
            its scores themselves.
        candidate: The table of the new model, or its scores.
        actual: The column of the actual class, or the classes themselves.
        score: The column of the scores.
        candidate_score: The candidate's column, where it is called otherwise.
        on: The column of ids by which two tables are joined; without it row by row.
        metric: Any summary or metric, or "cost" with `costs`; several are judged one by one.
        at: Where a metric is looked at: ("threshold", 0.5), or another metric's value.
        margin: How much worse the candidate may be, 0.01 if not said; with `superior`, how much
            better it must be, 0 if not said.
        superior: Ask for better, not only for not worse.
        costs: What outcomes cost.
        prevalence: The share of positives where the model will be used.
        level: Confidence level of the intervals.
        replicates: Number of bootstrap resamples.
        seed: Same seed, same resamples.
        positive: The positive class, as for `evaluate`, like all that follow.
        weight: What each row counts.
        weight_means: What a weight says.
        cluster: The patient, user or machine that each row comes from.
        missing: What to do with rows without a score.
        lower_is_positive: Lower scores mean positive.
        digits: Round scores to so many decimals first.

    Example:
        >>> old, new = [1, 2, 6, 5, 4, 3], [1, 2, 3, 4, 5, 6]
        >>> gate(old, new, actual=[0, 0, 1, 0, 1, 1], margin=0.5)
        Gates(pass: candidate against baseline in auc)
    """
    if score is None and (on is not None or candidate_score is not None):
        raise InputError("Rows are joined by ids in two tables: name their columns, score=… too.")
    confidence = Confidence(level, None, replicates, seed)
    reading: dict[str, Any] = {
        "weight": weight,
        "cluster": cluster,
        "positive": positive,
        "weight_means": weight_means,
        "missing": missing,
        "lower_is_positive": lower_is_positive,
        "digits": digits,
    }
    if score is None:
        found = _compared(actual, baseline, candidate, confidence, **reading)
    else:
        named = {"actual": actual, "score": score, "candidate_score": candidate_score, "on": on}
        found = joined_comparison(baseline, candidate, named, confidence, **reading)
    asked = {"at": at, "costs": costs, "prevalence": prevalence}
    metrics = [metric] if isinstance(metric, str) else list(metric)
    return judged(found, metrics, margin=margin, superior=superior, asked=asked)


def joined_comparison(
    baseline: Any, candidate: Any, named: dict[str, Any], confidence: Confidence, **options: Any
) -> Comparison:
    """The models of two tables, compared on the rows that both have."""
    held = {name: options.pop(name, None) for name in ("weight", "cluster")}
    found = joined(baseline, candidate, **named, **held)
    if not len(found.actual):
        raise InputError("The two tables have no rows to compare.")
    own: dict[str, Any] = {"weight": found.weight, "cluster": found.cluster}
    comparison = _compared(
        found.actual, found.baseline, found.candidate, confidence, **own, **options
    )
    paired = comparison.paired
    return replace(comparison, paired=replace(paired, notes=(*found.notes, *paired.notes)))


def _compared(  # noqa: PLR0913 - two models and their rows
    actual: Any,
    baseline: Any,
    candidate: Any,
    confidence: Confidence,
    *,
    weight: Any = None,
    cluster: Any = None,
    **policy: Any,
) -> Comparison:
    scores = {"baseline": baseline, "candidate": candidate}
    columns = Columns(actual, scores, weight, cluster=cluster)
    return Comparison(read(None, columns, RowPolicy(**policy)).paired, confidence)


def judged(
    comparison: Comparison,
    metrics: Sequence[str],
    *,
    margin: float | None,
    superior: bool,
    asked: dict[str, Any],
) -> Gates:
    """The second model held against the first, metric by metric."""
    if asked.get("at") is not None and all(map(is_summary, metrics)):
        raise InputError("A point (at) is for a metric: name one, as in metric='tpr'.")
    if asked.get("costs") is not None and "cost" not in metrics:
        raise InputError("Costs are judged by metric='cost': name it too.")
    baseline, candidate = comparison.models
    allowed = (0.0 if superior else 0.01) if margin is None else margin
    return Gates(
        comparison,
        tuple(
            claim.gate(
                comparison,
                candidate,
                baseline,
                metric,
                margin=allowed,
                superior=superior,
                **applying(metric, asked),
            )
            for metric in dict.fromkeys(metrics)
        ),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Gates(Result, views="tradeoff.gates.views"):
    """The verdict over all metrics, and each by itself."""

    comparison: Comparison
    gates: tuple[Gate, ...]

    @property
    def verdict(self) -> Outcome:
        """The worst of all: "pass", "inconclusive" or "fail"."""
        return claim.worst(one.verdict for one in self.gates)

    def columns(self) -> dict[str, list[Any]]:
        """One line a metric."""
        keys = ("metric", "verdict", "claim", "gain", "low", "high", "detectable", "needed")
        return {key: [getattr(one, key) for one in self.gates] for key in keys}

    def to_junit(self) -> str:
        """JUnit's XML, for servers that run tests."""
        return str(view_of(self, "junit")(self))

    def __repr__(self) -> str:
        """One line: the verdict, who against whom, in what."""
        first = self.gates[0]
        metrics = ", ".join(one.metric for one in self.gates)
        return f"Gates({self.verdict}: {first.candidate} against {first.baseline} in {metrics})"
