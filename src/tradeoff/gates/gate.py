"""Gate: may a candidate replace a baseline, and does it meet requirements?

The verdict is pass, fail or inconclusive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

from tradeoff.comparison.comparison import Comparison
from tradeoff.core.ranked_models import RankedModels
from tradeoff.errors import InputError, suggest_arguments
from tradeoff.gates.requirement import (
    GateConditions,
    Requirement,
    TestOn,
    verdicts_on_requirements,
)
from tradeoff.gates.verdict import Gate, Outcome, verdict_on_models, worst_verdict
from tradeoff.results import Result, find_view
from tradeoff.sources.columns import Columns
from tradeoff.sources.files import is_file_or_query
from tradeoff.sources.join import BASELINE, CANDIDATE, join_tables
from tradeoff.sources.read import read
from tradeoff.sources.row_policy import Missing, RowPolicy, WeightMeans
from tradeoff.thresholds.operating_threshold import Thresholds
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.wording import Wording

if TYPE_CHECKING:
    from tradeoff.core.paired import PairedRanking
    from tradeoff.core.ranking import Ranking


@suggest_arguments
def gate(  # noqa: PLR0913 - two models, their rows and the claim
    baseline: Any,
    candidate: Any,
    *,
    actual: Any,
    score: Any = None,
    candidate_score: Any = None,
    on: str | None = None,
    metric: str | Sequence[str] | None = None,
    at: tuple[str, Thresholds] | None = None,
    margin: float | None = None,
    superior: bool = False,
    at_least: Mapping[str, float] | None = None,
    at_most: Mapping[str, float] | None = None,
    test_on: TestOn = "interval",
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
    unit: str = "rows",
    currency: str = "",
) -> Gates:
    """Gate of a candidate model, with or without a baseline: pass, fail or inconclusive.

    Args:
        baseline: Table of the baseline (a dataframe or the path of a file); its scores themselves
            if `score` is not given. None to test only `at_least` and `at_most`.
        candidate: Table of the candidate, or its scores.
        actual: Column of the actual class, or the classes themselves.
        score: Column of the scores.
        candidate_score: Column of the candidate's scores, if it has another name.
        on: ID column on which the two tables are joined; without it, they are matched row by row.
        metric: Any summary or metric, or "cost" with `costs`, in which the candidate is compared
            with the baseline; several are tested one by one (default "auc").
        at: Operating point at which a metric is evaluated: ("threshold", 0.5), or the value of
            another metric, ("fpr", 0.1). By default 0.5 for probabilities; other scores need one.
        margin: How much worse the candidate may be (default 0.01); with `superior`, how much better
            it must be (default 0).
        superior: Require superiority, not just non-inferiority.
        at_least: Lower limits for the candidate by metric, such as {"auc": 0.8}.
        at_most: Upper limits for the candidate by metric, such as {"brier": 0.1}.
        test_on: Whether limits are tested on the whole confidence "interval" or on the "value".
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
        unit: Plural noun for what the rows represent in text, such as "customers".
        currency: Currency of costs in text, such as "EUR" or "$".

    Example:
        >>> old, new = [1, 2, 6, 5, 4, 3], [1, 2, 3, 4, 5, 6]
        >>> gate(old, new, actual=[0, 0, 1, 0, 1, 1], margin=0.5)
        Gates(pass: candidate against baseline in auc)
        >>> gate(None, new, actual=[0, 0, 1, 0, 1, 1], at_least={"auc": 0.5}, test_on="value")
        Gates(pass: candidate: auc at least 0.5)
    """
    if score is None and (on is not None or candidate_score is not None):
        raise InputError("`on` and `candidate_score` are columns of tables: give `score` too.")
    confidence = Confidence(level, None, replicates, seed)
    policy = RowPolicy(
        positive, weight_means, missing, lower_is_positive, digits, Wording(unit, currency)
    )
    conditions = GateConditions(at_least or {}, at_most or {}, test_on, at, costs, prevalence)
    metrics = [metric] if isinstance(metric, str) else list(metric or ())
    if baseline is None:
        _require_no_comparison(metrics, margin=margin, superior=superior, on=on)
        data, scores = (None, {CANDIDATE: candidate})
        if score is not None:
            data, scores = candidate, score if candidate_score is None else candidate_score
        models = read(data, Columns(actual, scores, weight, cluster=cluster), policy).models
        return gate_model(models, conditions, confidence)
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
    gates = gate_comparison(
        comparison, metrics or ["auc"], conditions, margin=margin, superior=superior
    )
    if score is None:
        return gates
    columns = (score, score if candidate_score is None else candidate_score)
    return replace(gates, origins=model_origins((baseline, candidate), columns))


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
    notes = map(policy.wording.rephrase, tables.notes)
    return replace(comparison, paired=replace(paired, notes=(*notes, *paired.notes)))


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
    scores = {BASELINE: baseline, CANDIDATE: candidate}
    columns = Columns(actual, scores, weight, cluster=cluster)
    return Comparison(read(None, columns, policy).paired, confidence)


def gate_comparison(
    comparison: Comparison,
    metrics: Sequence[str],
    conditions: GateConditions,
    *,
    margin: float | None = None,
    superior: bool = False,
) -> Gates:
    """Gate of the second model of a comparison (candidate) against the first (baseline).

    The limits of the conditions are requirements of the candidate, on the rows that both scored.
    """
    conditions.require_use(
        [*metrics, *(metric for _, metric, _ in conditions.limits)],
        point_example="metric='tpr'",
        cost_example="Costs are used only by metric='cost': name it too.",
    )
    baseline, candidate = comparison.models
    default_margin = 0.0 if superior else 0.01
    gates = [
        verdict_on_models(
            comparison,
            candidate,
            baseline,
            metric,
            margin=default_margin if margin is None else margin,
            superior=superior,
            **conditions.question_options(metric, conditions.at),
        )
        for metric in dict.fromkeys(metrics)
    ]
    paired = comparison.paired
    clusters = None if paired.clusters is None else paired.select_models(candidate)
    requirements = verdicts_on_requirements(
        candidate, comparison.rankings[candidate], conditions, comparison.confidence, clusters
    )
    return Gates(comparison, tuple(gates), requirements)


def gate_model(models: RankedModels, conditions: GateConditions, confidence: Confidence) -> Gates:
    """Gate of a single model without a baseline: does it meet the requirements?"""
    if not conditions.limits:
        raise InputError(
            "Without a baseline, a gate needs requirements, as in at_least={'auc': 0.8}."
        )
    conditions.require_use(
        [metric for _, metric, _ in conditions.limits],
        point_example="at_least={'recall': 0.8}",
        cost_example="Costs are used only by a limit of the cost: at_most={'cost': 3}.",
    )
    (name,) = models.rankings
    requirements = verdicts_on_requirements(
        name, models.rankings[name], conditions, confidence, models.clusters.get(name)
    )
    return Gates(None, (), requirements, models.rankings[name])


def _require_no_comparison(
    metrics: Sequence[str], *, margin: float | None, superior: bool, on: str | None
) -> None:
    """Require that no option is about a baseline, if there is none."""
    if metrics or margin is not None or superior or on is not None:
        raise InputError(
            "Without a baseline there is nothing to compare: leave out `metric`, `margin`, "
            "`superior` and `on`, or name a baseline."
        )


def model_origins(tables: Sequence[Any], score_columns: Sequence[str]) -> tuple[ModelOrigin, ...]:
    """Origin of a gate's baseline and candidate, whose scores are columns of two tables."""
    return tuple(
        ModelOrigin(role, column, str(table) if is_file_or_query(table) else None)
        for role, table, column in zip((BASELINE, CANDIDATE), tables, score_columns, strict=True)
    )


@dataclass(frozen=True)
class ModelOrigin:
    """Where the scores of a gate's model come from: its column, and its file if it has its own."""

    role: str
    name: str
    file: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Gates(Result, views="tradeoff.gates.views"):
    """Gates of a candidate against a baseline, and its requirements, with the overall verdict.

    Without a baseline, `comparison` is None, and `ranking` is that of the candidate. `origins` name
    the columns and files of models that come from tables of their own.
    """

    comparison: Comparison | None
    gates: tuple[Gate, ...]
    requirements: tuple[Requirement, ...] = ()
    ranking: Ranking | None = None
    origins: tuple[ModelOrigin, ...] = ()

    @property
    def parts(self) -> tuple[Gate | Requirement, ...]:
        """Comparisons with the baseline, then requirements."""
        return (*self.gates, *self.requirements)

    @property
    def verdict(self) -> Outcome:
        """The worst verdict: "pass", "inconclusive" or "fail"."""
        return worst_verdict(part.verdict for part in self.parts)

    @property
    def candidate(self) -> str:
        """Name of the candidate in the gate."""
        return self.gates[0].candidate if self.gates else self.requirements[0].model

    @property
    def baseline(self) -> str | None:
        """Name of the baseline in the gate, if there is one."""
        return self.gates[0].baseline if self.gates else None

    @property
    def paired(self) -> PairedRanking | None:
        """Rows that both models of the gate scored; None without a baseline."""
        return None if self.comparison is None else self.comparison.paired

    @property
    def rankings(self) -> dict[str, Ranking]:
        """Ranking of each model in the gate."""
        if self.comparison is not None:
            return dict(self.comparison.rankings)
        return {} if self.ranking is None else {self.candidate: self.ranking}

    def columns(self) -> dict[str, list[Any]]:
        """Table with one row per metric, and per requirement."""
        keys = ("metric", "verdict", "claim", "gain", "low", "high", "detectable", "needed")
        table = {key: [getattr(gate, key) for gate in self.gates] for key in keys}
        if not self.requirements:
            return table
        for key in keys:
            is_shared = key in {"metric", "verdict", "claim", "needed"}
            table[key] += [getattr(r, key) if is_shared else nan for r in self.requirements]
        no_values = [nan] * len(self.gates)
        table["value"] = [*no_values, *(r.estimate.value for r in self.requirements)]
        table["value_low"] = [*no_values, *(r.estimate.low for r in self.requirements)]
        table["value_high"] = [*no_values, *(r.estimate.high for r in self.requirements)]
        return table

    def to_junit(self) -> str:
        """JUnit XML of the gates, for continuous integration."""
        return str(find_view(self, "junit")(self))

    def __repr__(self) -> str:
        """One line: the verdict, candidate, baseline and metrics, and requirements."""
        parts = []
        if self.gates:
            metrics = ", ".join(gate.metric for gate in self.gates)
            parts.append(f"{self.candidate} against {self.baseline} in {metrics}")
        if self.requirements:
            claims = ", ".join(f"{part.metric} {part.claim}" for part in self.requirements)
            parts.append(claims if self.gates else f"{self.candidate}: {claims}")
        return f"Gates({self.verdict}: {'; '.join(parts)})"
