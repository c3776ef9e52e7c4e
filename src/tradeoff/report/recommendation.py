"""JSON document of the recommended threshold of a model: the answer that the page opens with."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from tradeoff.formatting import format_count
from tradeoff.measures.registry import METRICS
from tradeoff.render.json_csv import json_number, json_threshold
from tradeoff.thresholds.decision import Decision
from tradeoff.thresholds.out_of_sample import METHOD, OutOfSample
from tradeoff.thresholds.views import chosen_threshold_text

if TYPE_CHECKING:
    from tradeoff.thresholds.identical import Interval


def recommendation_document(decision: Decision) -> dict[str, Any]:
    """JSON document of a decision: the threshold, its value on these rows and on new data.

    `equivalent` are the thresholds that decide the same, `as_good` those within one standard error,
    `resampled` the percentile interval of the thresholds chosen on resamples; null if unknown.
    `simplest` is the roundest number that decides the same, `simplest_as_good` of those as good.
    """
    criterion = decision.criterion
    document: dict[str, Any] = {
        "threshold": json_threshold(decision.threshold),
        "text": chosen_threshold_text(decision),
        "rule": _rule(decision),
        "measure": {"name": criterion.measure, "label": _measure_label(decision)},
        "value": json_number(decision.value),
        "equivalent": _limits(decision.equivalent_thresholds),
        "simplest": json_threshold(decision.suggestion),
    }
    out_of_sample = decision.out_of_sample
    if not isinstance(out_of_sample, OutOfSample):
        unknown = dict.fromkeys(
            ("low", "high", "new_data", "objective", "as_good", "simplest_as_good", "resampled")
        )
        return document | unknown | {"about": out_of_sample or ""}
    as_good = _containing(out_of_sample.within, decision.threshold)
    objective = out_of_sample.objective
    return document | {
        "low": json_number(min(out_of_sample.value)),
        "high": json_number(max(out_of_sample.value)),
        "new_data": json_number(out_of_sample.estimate.value),
        "about": (
            f"{METHOD}, {out_of_sample.replicates:,} resamples, seed {out_of_sample.seed}"
            if out_of_sample.estimate.is_defined
            else out_of_sample.estimate.reason
        ),
        "objective": None
        if objective is None
        else {
            "name": objective.name,
            "label": criterion.objective_label(decision.vocabulary),
            "new_data": json_number(objective.value),
        },
        "as_good": None if as_good is None else _limits(as_good),
        "simplest_as_good": json_threshold(out_of_sample.suggestion),
        "resampled": _limits(out_of_sample.thresholds),
    }


def _rule(decision: Decision) -> str:
    """The goal in a few words, such as "lowest cost" or "recall ≥ 90%"."""
    criterion = decision.criterion
    if criterion.measure == "expected_cost":
        return "lowest cost"
    spec = criterion.spec
    if spec is not None and spec.by == "capacity" and spec.target is not None:
        units = decision.wording.unit if spec.target == 1 else decision.wording.units
        return f"at most {format_count(spec.target)} {units} predicted positive"
    label = criterion.measure_label(decision.vocabulary)
    if spec is not None and spec.target is not None:
        is_share = METRICS.knows(criterion.measure) and METRICS.find(criterion.measure).trials
        target = f"{100 * spec.target:g}%" if is_share else f"{spec.target:g}"
        is_upper_limit = spec.by == "depth" or criterion.better == "lower"
        name = "share predicted positive" if spec.by == "depth" else label
        return f"{name} {'≤' if is_upper_limit else '≥'} {target}"
    return f"{'highest' if criterion.better == 'higher' else 'lowest'} {label}"


def _measure_label(decision: Decision) -> str:
    """Label of the criterion's metric; a cost is per row, in the user's word for rows."""
    if decision.criterion.measure == "expected_cost":
        return f"cost per {decision.wording.unit}"
    return decision.criterion.measure_label(decision.vocabulary)


def _containing(intervals: Iterable[Interval], threshold: float) -> Interval | None:
    """The interval that contains a threshold; None if there is none."""
    return next(
        (interval for interval in intervals if min(interval) <= threshold <= max(interval)), None
    )


def _limits(interval: Interval) -> list[Any] | None:
    """Limits in ascending order; None if they are unknown."""
    if any(map(math.isnan, interval)):
        return None
    return [json_threshold(limit) for limit in sorted(interval)]
