"""The threshold at which a model is evaluated: as given, or a default with its reason.

A given threshold is used as it is. Without one, costs or a goal choose the best threshold on these
rows. Without these, probabilities keep the conventional 0.5; any other scores have no conventional
threshold, so that of Youden's J is shown and marked as provisional. Results from which something is
concluded (comparisons, gates, tracked metrics) never choose a threshold: `require_thresholds`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from tradeoff.errors import InputError, UnknownName, did_you_mean, format_list, require_number
from tradeoff.formatting import format_threshold, printable
from tradeoff.measures.probabilities import are_probabilities
from tradeoff.render.json_csv import json_threshold

if TYPE_CHECKING:
    from tradeoff.core.costs import AnyCosts
    from tradeoff.core.ranking import Ranking
    from tradeoff.thresholds.decision import Decision

CONVENTIONAL_THRESHOLD = 0.5
"""Threshold of probabilities if nothing else is known: the more likely class is predicted."""

Thresholds = float | Mapping[str, float]
"""A threshold for all models, or one for each of several models by name."""
Reason = Literal["given", "cost", "goal", "convention", "youden", "arbitrary"]


class Goal(NamedTuple):
    """A goal, other than costs, for a default threshold, as in `Evaluation.best`."""

    by: str
    target: float | None = None


def goal_of(by: str | None, target: float | None) -> Goal | None:
    """The goal for a default threshold, from a criterion and its target; None without one."""
    if by is None and target is not None:
        raise InputError("A target is for a criterion: name it, as in by='tpr'.")
    return None if by is None else Goal(by, target)


@dataclass(frozen=True)
class OperatingThreshold:
    """The threshold at which a model is evaluated, and why.

    `reason` is "given"; "cost" or "goal" (the best on these rows); "convention" (0.5 for
    probabilities); "youden" (the best of Youden's J, for other scores); or "arbitrary" (0.5, where
    no threshold can be chosen). `decision` is the choice, if one was made on these rows.

    Example:
        >>> OperatingThreshold(0.5, "convention").is_provisional
        False
    """

    value: float
    reason: Reason
    decision: Decision | None = None

    @property
    def is_provisional(self) -> bool:
        """Whether the threshold is a default that was not requested and follows no convention."""
        return self.reason in {"youden", "arbitrary"}

    @property
    def text(self) -> str:
        """The threshold with as many digits as identical predictions need."""
        if self.decision is None or math.isinf(self.value):
            return format_threshold(self.value)
        from tradeoff.thresholds.views import chosen_threshold_text

        return chosen_threshold_text(self.decision)


def has_probabilities(ranking: Ranking) -> bool:
    """Whether all scores are between 0 and 1, so that 0.5 may be the default threshold.

    Example:
        >>> import tradeoff as to
        >>> [has_probabilities(to.evaluate([0, 1], scores).ranking) for scores in ([0, 1], [2, 7])]
        [True, False]
    """
    if not ranking.distinct:
        return True
    return are_probabilities(*score_range(ranking))


def operating_threshold(
    ranking: Ranking,
    *,
    threshold: float | None = None,
    costs: AnyCosts | None = None,
    goal: Goal | None = None,
    prevalence: float | None = None,
) -> OperatingThreshold:
    """The threshold at which a ranking is evaluated: as given, else the library's default.

    Args:
        ranking: The scored rows.
        threshold: The threshold that was given, if any.
        costs: Costs of the outcomes: the default is then the threshold of lowest cost.
        goal: A goal to choose by instead.
        prevalence: Prevalence where the threshold will be used. It weights the costs or the goal,
            and is no goal itself.

    Example:
        >>> import tradeoff as to
        >>> marker = to.evaluate([0, 0, 1, 1], [3, 8, 12, 40]).ranking
        >>> operating_threshold(marker).value, operating_threshold(marker).reason
        (12.0, 'youden')
        >>> operating_threshold(marker, threshold=10).value
        10.0
    """
    if threshold is not None:
        return OperatingThreshold(require_threshold(threshold), "given")
    if goal is not None:
        chosen = _best(ranking, goal.by, goal.target, None, prevalence)
        return OperatingThreshold(chosen.threshold, "goal", chosen)
    if costs is not None and ranking.distinct:
        chosen = _best(ranking, "cost", None, costs, prevalence)
        return OperatingThreshold(chosen.threshold, "cost", chosen)
    if has_probabilities(ranking):
        return OperatingThreshold(CONVENTIONAL_THRESHOLD, "convention")
    if not (ranking.positives and ranking.negatives):
        return OperatingThreshold(CONVENTIONAL_THRESHOLD, "arbitrary")
    # Youden's J does not depend on the prevalence.
    chosen = _best(ranking, "youden", None, None, None)
    return OperatingThreshold(chosen.threshold, "youden", chosen)


def operating_thresholds(
    rankings: Mapping[str, Ranking],
    *,
    threshold: Thresholds | None = None,
    costs: Mapping[str, AnyCosts] | None = None,
    goal: Goal | None = None,
    prevalence: float | None = None,
) -> dict[str, OperatingThreshold]:
    """The operating threshold of each of several models; see `operating_threshold`.

    Args:
        rankings: The scored rows of each model.
        threshold: A threshold for all models, or thresholds by model; models that are not named
            have their default.
        costs: Costs of the outcomes, by model.
        goal: A goal to choose by instead.
        prevalence: Prevalence where the thresholds will be used.
    """
    given = thresholds_by_model(threshold, rankings)
    return {
        name: operating_threshold(
            ranking,
            threshold=given.get(name),
            costs=(costs or {}).get(name),
            goal=goal,
            prevalence=prevalence,
        )
        for name, ranking in rankings.items()
    }


def require_thresholds(
    rankings: Mapping[str, Ranking],
    threshold: Thresholds | None,
    subject: str,
    *,
    argument: str = 'at=("threshold", {thresholds})',
) -> dict[str, float]:
    """The threshold of each model: the one given, else 0.5 for probabilities, else an error.

    Args:
        rankings: The scored rows of each model.
        threshold: A threshold for all models, or thresholds by model.
        subject: What needs a threshold, such as "recall"; for the message.
        argument: How thresholds are given there; for the message.

    Example:
        >>> import tradeoff as to
        >>> rankings = to.evaluate(actual=[0, 1], score={"a": [0.2, 0.9], "b": [3, 12]}).rankings
        >>> require_thresholds(rankings, {"b": 10}, "recall")
        {'a': 0.5, 'b': 10.0}
    """
    thresholds = thresholds_by_model(threshold, rankings)
    unknown = [
        name
        for name, ranking in rankings.items()
        if name not in thresholds and not has_probabilities(ranking)
    ]
    if unknown:
        raise _missing_threshold(unknown, rankings, subject, argument)
    return {name: thresholds.get(name, CONVENTIONAL_THRESHOLD) for name in rankings}


def _missing_threshold(
    unknown: list[str], rankings: Mapping[str, Ranking], subject: str, argument: str
) -> InputError:
    """Error that scores other than probabilities need a threshold."""
    ranges = {name: score_range(rankings[name]) for name in unknown}
    by_model = f"{{{', '.join(f'{name!r}: …' for name in unknown)}}}"
    choices = [argument.format(thresholds=by_model)]
    if len(unknown) == len(rankings):
        choices.insert(0, argument.format(thresholds="…"))
    return missing_threshold_error(ranges, subject, list(dict.fromkeys(choices)))


def missing_threshold_error(
    ranges: Mapping[str, tuple[float, float]], subject: str, arguments: Sequence[str]
) -> InputError:
    """Error that there is no default threshold, as the scores are not probabilities."""
    texts = [
        f"{printable(name, 40)} from {format_threshold(low)} to {format_threshold(high)}"
        for name, (low, high) in ranges.items()
    ]
    verb = "is not a probability" if len(ranges) == 1 else "are not probabilities"
    return InputError(
        f"{subject} needs a threshold: {' and '.join(texts)} {verb}, so 0.5 would be arbitrary. "
        f"Give {' or '.join(arguments)}; `tradeoff threshold` recommends thresholds."
    )


def score_range(ranking: Ranking) -> tuple[float, float]:
    """Lowest and highest score of a ranking.

    A missing score that counts as negative is ranked last, below all others: it is no score.
    """
    scores = ranking.thresholds[1:]
    scores = scores[:-1] if len(scores) > 1 and np.isinf(scores[-1]) else scores
    low, high = sorted(scores[[0, -1]].tolist())
    return low, high


def thresholds_by_model(threshold: Thresholds | None, models: Iterable[str]) -> dict[str, float]:
    """Given thresholds by model; a single threshold applies to every model.

    Example:
        >>> thresholds_by_model(0.3, ["a", "b"]), thresholds_by_model({"b": 12}, ["a", "b"])
        ({'a': 0.3, 'b': 0.3}, {'b': 12.0})
    """
    models = list(models)
    if threshold is None:
        return {}
    if not isinstance(threshold, Mapping):
        return dict.fromkeys(models, require_threshold(threshold))
    for name in threshold:
        if name not in models:
            raise UnknownName(
                f"A threshold is given for {str(name)!r}, but no model has this name."
                f"{did_you_mean(str(name), models)} Available models: {format_list(models)}."
            )
    return {name: require_threshold(threshold[name], name) for name in models if name in threshold}


def require_threshold(value: Any, model: str = "") -> float:
    """Require a number, possibly infinite, as a threshold; `model` is named in the message."""
    subject = f"The threshold of {printable(model, 40)}" if model else "A threshold"
    threshold = require_number(value, subject)
    if math.isnan(threshold):
        raise InputError(f"{subject} is NaN: give a number.")
    return threshold


def threshold_sentences(
    thresholds: Mapping[str, OperatingThreshold], units: str = "rows"
) -> list[str]:
    """Sentences that say at which thresholds models are evaluated, and why.

    A single threshold that was given needs none: results state it. `units` are what rows are.

    Example:
        >>> threshold_sentences({"p": OperatingThreshold(0.5, "convention")})
        ['Threshold: 0.5, the conventional one for probabilities; name costs or a goal for a \
better one.']
        >>> threshold_sentences({"p": OperatingThreshold(0.3, "given")})
        []
    """
    by_reason: dict[Reason, dict[str, OperatingThreshold]] = {}
    for name, threshold in thresholds.items():
        by_reason.setdefault(threshold.reason, {})[name] = threshold
    values = {threshold.value for threshold in thresholds.values()}
    return [
        _sentence(reason, group, units, is_whole=len(group) == len(thresholds))
        for reason, group in by_reason.items()
        if reason != "given" or len(values) > 1
    ]


def operating_threshold_document(threshold: OperatingThreshold) -> dict[str, Any]:
    """JSON object of an operating threshold: its value, the reason, and whether it is provisional.

    Example:
        >>> operating_threshold_document(OperatingThreshold(0.5, "convention"))
        {'value': 0.5, 'reason': 'convention', 'provisional': False}
    """
    return {
        "value": json_threshold(threshold.value),
        "reason": threshold.reason,
        "provisional": threshold.is_provisional,
    }


def _sentence(
    reason: Reason, group: Mapping[str, OperatingThreshold], units: str, *, is_whole: bool
) -> str:
    """Sentence on the thresholds of models that have them for the same reason."""
    texts = {name: _value_text(threshold) for name, threshold in group.items()}
    plural = "s" if len(group) > 1 else ""
    if len(set(texts.values())) == 1 and is_whole:
        plural, subject = "", next(iter(texts.values()))
    else:
        subject = ", ".join(f"{printable(name, 40)} {text}" for name, text in texts.items())
    heading = "Provisional threshold" if next(iter(group.values())).is_provisional else "Threshold"
    return f"{heading}{plural}: {subject}, {_explanation(reason, group, units)}."


def _value_text(threshold: OperatingThreshold) -> str:
    if math.isinf(threshold.value):
        return "beyond all scores"
    return threshold.text


def _explanation(reason: Reason, group: Mapping[str, OperatingThreshold], units: str) -> str:
    """The reason for the thresholds of models, as a clause."""
    decision = next(iter(group.values())).decision
    if reason == "goal" and decision is not None:
        return f"the best on these {units} by {decision.criterion.label()}"
    return {
        "given": "as given",
        "cost": f"where the cost is lowest on these {units}",
        "goal": f"the best on these {units}",
        "convention": (
            "the conventional one for probabilities; name costs or a goal for a better one"
        ),
        "youden": (
            f"where Youden's J is highest on these {units}, as the scores are not probabilities; "
            "name costs, a goal or a threshold"
        ),
        "arbitrary": f"which is arbitrary: without {units} of both classes, none can be chosen",
    }[reason]


def _best(
    ranking: Ranking,
    by: str,
    target: float | None,
    costs: AnyCosts | None,
    prevalence: float | None,
) -> Decision:
    """The best threshold by a criterion; imported here, as given thresholds do not need it."""
    from tradeoff.thresholds.decision import best_threshold

    return best_threshold(ranking, by, target=target, costs=costs, prevalence=prevalence)
