"""May a candidate replace a baseline? gate() reads both, compares and judges."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tradeoff.comparison.comparison import Comparison
from tradeoff.errors import InputError
from tradeoff.gates import claim
from tradeoff.gates.views import gate_document, gate_junit, gate_sections
from tradeoff.results import Tabular
from tradeoff.sources.columns import Columns
from tradeoff.sources.join import joined
from tradeoff.sources.policy import RowPolicy
from tradeoff.sources.read import read
from tradeoff.uncertainty.confidence import Confidence, parted
from tradeoff.uncertainty.question import applying, is_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradeoff.gates.claim import Gate, Outcome
    from tradeoff.render.sections import Section


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
    **options: Any,
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
        options: `level`, `replicates`, `seed`; `positive`, `weight`, `cluster` and the like, as for
            `evaluate`.

    Example:
        >>> old, new = [1, 2, 6, 5, 4, 3], [1, 2, 3, 4, 5, 6]
        >>> gate(old, new, actual=[0, 0, 1, 0, 1, 1], margin=0.5)
        Gates(pass: candidate against baseline in auc)
    """
    if score is None and (on is not None or candidate_score is not None):
        raise InputError("Rows are joined by ids in two tables: name their columns, score=… too.")
    choices, reading = parted(options)
    confidence = Confidence(**choices)
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
class Gates(Tabular):
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

    def sections(self) -> list[Section]:
        """The verdict as a person reads it."""
        return gate_sections(self.comparison, self.gates)

    def to_dict(self) -> dict[str, Any]:
        """The verdict, ready for JSON."""
        return gate_document(self.comparison, self.gates)

    def to_junit(self) -> str:
        """JUnit's XML, for servers that run tests."""
        return gate_junit(self.comparison, self.gates)

    def to_markdown(self) -> str:
        """Markdown, for the summary of a job."""
        from tradeoff.render.sections import as_markdown

        return as_markdown(self.sections())

    def __repr__(self) -> str:
        """One line: the verdict, who against whom, in what."""
        first = self.gates[0]
        metrics = ", ".join(one.metric for one in self.gates)
        return f"Gates({self.verdict}: {first.candidate} against {first.baseline} in {metrics})"

    def __str__(self) -> str:
        """The verdict as text."""
        from tradeoff.render.sections import as_text

        return as_text(self.sections())
