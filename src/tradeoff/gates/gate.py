"""Gate: may a candidate model replace a baseline? Pass, fail or inconclusive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tradeoff.comparison.comparison import Comparison
from tradeoff.core.costs import AnyCosts
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.gates.verdict import Gate, Outcome, verdict_on_models, worst_verdict
from tradeoff.measures.registry import is_summary
from tradeoff.results import Result, find_view
from tradeoff.sources.columns import Columns
from tradeoff.sources.join import join_tables
from tradeoff.sources.read import read
from tradeoff.sources.row_rules import Missing, RowPolicy, WeightMeans
from tradeoff.thresholds.default_threshold import Thresholds
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.question import question_options


@suggest_arguments
def gate(  # noqa: PLR0913 - two models, their rows and the claim
    baseline: Any,
    candidate: Any,
    *,
    actual: Any,
    score: Any = None,
    candidate_score: Any = None,
    on: str | None = None,
    metric: str | Sequence[str] = "auc",
    at: tuple[str, Thresholds] | None = None,
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
    """Gate of a candidate model against a baseline: pass, fail or inconclusive.

    Args:
        baseline: Table of the baseline (a dataframe or the path of a file); its scores themselves
            if `score` is not given.
        candidate: Table of the candidate, or its scores.
        actual: Column of the actual class, or the classes themselves.
        score: Column of the scores.
        candidate_score: Column of the candidate's scores, if it has another name.
        on: ID column on which the two tables are joined; without it, they are matched row by row.
        metric: Any summary or metric, or "cost" with `costs`; several are tested one by one.
        at: Operating point at which a metric is evaluated: ("threshold", 0.5), or the value of
            another metric, ("fpr", 0.1). By default 0.5 for probabilities; other scores need one.
        margin: How much worse the candidate may be (default 0.01); with `superior`, how much better
            it must be (default 0).
        superior: Require superiority, not just non-inferiority.
        costs: Costs of the outcomes.
        prevalence: Prevalence where the model will be used.
        level: Confidence level of the intervals.
        replicates: Number of bootstrap resamples.
        seed: Random seed; the same seed gives the same resamples.
        positive: The positive class; this and all further parameters are as for `evaluate`.
        weight: Weight of each row.
        weight_means: Meaning of the weights.
        cluster: The patient, user or machine that each row comes from.
        missing: How rows without a score are handled.
        lower_is_positive: Whether lower scores indicate the positive class.
        digits: Number of decimals to which scores are rounded first.

    Example:
        >>> old, new = [1, 2, 6, 5, 4, 3], [1, 2, 3, 4, 5, 6]
        >>> gate(old, new, actual=[0, 0, 1, 0, 1, 1], margin=0.5)
        Gates(pass: candidate against baseline in auc)
    """
    if score is None and (on is not None or candidate_score is not None):
        raise InputError("`on` and `candidate_score` are columns of tables: give `score` too.")
    confidence = Confidence(level, None, replicates, seed)
    policy = RowPolicy(positive, weight_means, missing, lower_is_positive, digits)
    if score is None:
        comparison = _score_comparison(
            actual, baseline, candidate, weight, cluster, policy, confidence
        )
    else:
        comparison = compare_gate_tables(
            baseline,
            candidate,
            actual=actual,
            score=score,
            candidate_score=candidate_score,
            on=on,
            weight=weight,
            cluster=cluster,
            policy=policy,
            confidence=confidence,
        )
    metrics = [metric] if isinstance(metric, str) else list(metric)
    return gate_comparison(
        comparison,
        metrics,
        at=at,
        margin=margin,
        superior=superior,
        costs=costs,
        prevalence=prevalence,
    )


def compare_gate_tables(  # noqa: PLR0913 - two tables and their columns
    baseline: Any,
    candidate: Any,
    *,
    actual: str,
    score: str,
    candidate_score: str | None = None,
    on: str | None = None,
    weight: str | None = None,
    cluster: str | None = None,
    policy: RowPolicy,
    confidence: Confidence,
) -> Comparison:
    """Comparison of the baseline and the candidate of a gate, from two tables to be joined."""
    tables = join_tables(
        baseline,
        candidate,
        actual=actual,
        score=score,
        candidate_score=candidate_score,
        on=on,
        weight=weight,
        cluster=cluster,
    )
    if not len(tables.actual):
        raise InputError("The two tables have no rows to compare.")
    comparison = _score_comparison(
        tables.actual,
        tables.baseline,
        tables.candidate,
        tables.weight,
        tables.cluster,
        policy,
        confidence,
    )
    paired = comparison.paired
    return replace(comparison, paired=replace(paired, notes=(*tables.notes, *paired.notes)))


def _score_comparison(  # noqa: PLR0913, PLR0917 - two models and their rows
    actual: Any,
    baseline: Any,
    candidate: Any,
    weight: Any,
    cluster: Any,
    policy: RowPolicy,
    confidence: Confidence,
) -> Comparison:
    """Comparison of the scores of a baseline and a candidate."""
    scores = {"baseline": baseline, "candidate": candidate}
    columns = Columns(actual, scores, weight, cluster=cluster)
    return Comparison(read(None, columns, policy).paired, confidence)


def gate_comparison(  # noqa: PLR0913 - metrics and the claim
    comparison: Comparison,
    metrics: Sequence[str],
    *,
    at: tuple[str, Thresholds] | None = None,
    margin: float | None = None,
    superior: bool = False,
    costs: AnyCosts | None = None,
    prevalence: float | None = None,
) -> Gates:
    """Gate of the second model of a comparison (candidate) against the first (baseline)."""
    if at is not None and all(map(is_summary, metrics)):
        raise InputError("`at` is an operating point for a metric: name one, as in metric='tpr'.")
    if costs is not None and "cost" not in metrics:
        raise InputError("Costs are used only by metric='cost': name it too.")
    baseline, candidate = comparison.models
    default_margin = 0.0 if superior else 0.01
    options = {"at": at, "costs": costs, "prevalence": prevalence}
    gates = [
        verdict_on_models(
            comparison,
            candidate,
            baseline,
            metric,
            margin=default_margin if margin is None else margin,
            superior=superior,
            **question_options(metric, options),
        )
        for metric in dict.fromkeys(metrics)
    ]
    return Gates(comparison, tuple(gates))


@dataclass(frozen=True, eq=False, repr=False)
class Gates(Result, views="tradeoff.gates.views"):
    """Gates of a candidate model in several metrics, with the overall verdict."""

    comparison: Comparison
    gates: tuple[Gate, ...]

    @property
    def verdict(self) -> Outcome:
        """The worst verdict: "pass", "inconclusive" or "fail"."""
        return worst_verdict(gate.verdict for gate in self.gates)

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per metric."""
        keys = ("metric", "verdict", "claim", "gain", "low", "high", "detectable", "needed")
        return {key: [getattr(gate, key) for gate in self.gates] for key in keys}

    def to_junit(self) -> str:
        """JUnit XML of the gates, for continuous integration."""
        return str(find_view(self, "junit")(self))

    def __repr__(self) -> str:
        """One line: the verdict, candidate, baseline and metrics."""
        first = self.gates[0]
        metrics = ", ".join(gate.metric for gate in self.gates)
        return f"Gates({self.verdict}: {first.candidate} against {first.baseline} in {metrics})"
