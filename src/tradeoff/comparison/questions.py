"""Questions that a comparison asks of each model: a metric, and where it is evaluated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tradeoff.core.costs import AnyCosts
from tradeoff.core.paired import PairedRanking
from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list
from tradeoff.measures.registry import METRICS, Measure, is_summary
from tradeoff.thresholds.operating_threshold import (
    Thresholds,
    require_thresholds,
    thresholds_by_model,
)
from tradeoff.uncertainty.question import THRESHOLD, Question, build_question

AUC = "auc"
METHODS = ("delong", "bootstrap", "permutation")
"""Comparison methods; by default DeLong for the AUC and the bootstrap for everything else."""


def model_questions(  # noqa: PLR0913, PLR0917 - models, metric, point, method
    paired: PairedRanking,
    models: Sequence[str],
    metric: str | Measure,
    at: tuple[str, Thresholds] | None,
    method: str | None,
    costs: AnyCosts | None,
    prevalence: float | None,
    parameters: Mapping[str, Any],
) -> list[Question]:
    """The question that a comparison in one metric asks of each of `models`.

    Models have the same question unless they have thresholds of their own.
    """
    if method not in {None, *METHODS}:
        raise UnknownName(
            f"Unknown comparison method {method!r}.{did_you_mean(str(method), METHODS)} "
            f"Available methods: {format_list(METHODS)}."
        )

    def question_at(point: Any) -> Question:
        question = build_question(
            metric, at=point, costs=costs, prevalence=prevalence, **parameters
        ).with_wording(paired.wording)
        if method == "delong" and question.name != AUC:
            raise InputError(f"DeLong's test compares AUCs, not {question.label}.")
        return question

    name = metric if isinstance(metric, str) else metric.name
    if is_summary(name) or (at is not None and at[0] != THRESHOLD):
        return [question_at(at)] * len(models)
    if name != "cost":
        METRICS.find(name.partition("(")[0])  # an unknown name is reported first
    subject = name if isinstance(metric, str) else metric.label
    thresholds = given_thresholds(paired, models, None if at is None else at[1], subject)
    questions = [question_at((THRESHOLD, thresholds[model])) for model in models]
    if len(set(thresholds.values())) == 1:
        return questions[:1] * len(models)
    values = ", ".join(f"{model} {value:g}" for model, value in thresholds.items())
    name, label = (
        f"{text.partition(' at threshold ')[0]} at thresholds {values}"
        for text in (questions[0].name, questions[0].label)
    )
    return [replace(question, name=name, label=label) for question in questions]


def given_thresholds(
    paired: PairedRanking,
    models: Sequence[str],
    threshold: Thresholds | None,
    subject: str,
) -> dict[str, float]:
    """Thresholds for the questions of a comparison: as given, else 0.5 for probabilities.

    Args:
        paired: All models that thresholds may name, which are ranked only if they are needed.
        models: The models that need a threshold.
        threshold: A threshold for all models, or thresholds by model.
        subject: What needs a threshold; for the message.
    """
    by_model = thresholds_by_model(threshold, paired.models)
    return require_thresholds(
        {name: paired.rankings[name] for name in models},
        {name: by_model[name] for name in models if name in by_model},
        subject,
    )
