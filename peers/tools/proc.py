"""pROC, in R: areas, DeLong's variances, intervals and tests, coordinates, planning."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

import tradeoff as to
from peers.data import class_scored_rows, plans, two_models, unweighted_rows
from peers.judging import Convention, undefined_here
from peers.quantities import area_of_classes, delong_interval, delong_variance, summary
from peers.tools import r
from tradeoff.power import Pilot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from peers.data import PlannedArea, ScoredRows, TwoModels
    from peers.judging import Verdicts

NAME = "pROC"
PRECISION = 1e-9
COORDINATES = {
    "specificity": "true_negative_rate",
    "sensitivity": "true_positive_rate",
    "accuracy": "accuracy",
    "npv": "negative_predictive_value",
    "ppv": "precision",
    "fdr": "false_discovery_rate",
    "fpr": "false_positive_rate",
    "fnr": "false_negative_rate",
}
COUNTS = {
    "tp": "true_positives",
    "fn": "false_negatives",
    "fp": "false_positives",
    "tn": "true_negatives",
}
POWERS = (0.8, 0.9)
CONVENTIONS = (
    Convention(
        "NA where the curve lies below the diagonal",
        "pROC returns NA below the diagonal",
        frozenset({"partial_auc_mcclish"}),
        lambda number: number.theirs_is_undefined and number.ours < 0.5 + 1e-12,
    ),
    Convention(
        "an interval of no width where every row has the same score",
        "If every row has the same score, the AUC has no interval; pROC and MLstatkit",
        frozenset({"DeLong interval"}),
        undefined_here(0.5),
    ),
    Convention(
        "a significance above 1",
        "A plan whose significance level would be above 1 is an error; pROC returns that number.",
        frozenset({"significance of one area"}),
        lambda number: number.ours_is_undefined and number.theirs > 1,
    ),
    Convention(
        "rows planned from a pilot in which an area does not vary",
        "is an error; pROC returns that number. So is a pilot in which an AUC has no variance.",
        frozenset(f"rows for power {power}" for power in POWERS),
        lambda number: (
            number.ours_is_undefined and min(np.diag(number.data.comparison.areas.covariance)) == 0
        ),
    ),
)


def version() -> str:
    """As installed."""
    return r.package_version("pROC")


def compare(verdicts: Verdicts) -> None:
    """All sets are handed to one R."""
    answers = r.ask("proc.R", dict(_tables()))
    for rows in unweighted_rows():
        _scored(verdicts, rows, answers[rows.name])
    for pair in two_models():
        _pair(verdicts, pair, answers[pair.name])
    for plan in plans():
        _plan(verdicts, plan, answers[plan.name])
    for classes in class_scored_rows():
        ours = area_of_classes("hand_till", classes.judged)
        verdicts.compare("auc, hand_till", classes, ours, answers[classes.name]["auc, hand_till"])


def _tables() -> Iterator[tuple[str, list[list[object]]]]:
    yield (
        "scored",
        [
            ["data", "actual", "score"],
            *(
                [rows.name, actual, repr(score)]
                for rows in unweighted_rows()
                for actual, score in zip(rows.actual.tolist(), rows.score.tolist(), strict=True)
            ),
        ],
    )
    yield (
        "pairs",
        [
            ["data", "actual", "first", "second"],
            *(
                [pair.name, *line]
                for pair in two_models()
                for line in zip(
                    pair.actual.tolist(), pair.first.tolist(), pair.second.tolist(), strict=True
                )
            ),
        ],
    )
    yield (
        "plans",
        [
            ["data", "auc", "positives", "negatives", "power", "significance"],
            *([p.name, p.auc, p.positives, p.negatives, p.power, p.significance] for p in plans()),
        ],
    )
    widest = max(rows.chances.shape[1] for rows in class_scored_rows())
    yield (
        "classes",
        [
            ["data", "actual", *(f"class {k}" for k in range(widest))],
            *(
                [rows.name, actual, *line, *["NA"] * (widest - len(line))]
                for rows in class_scored_rows()
                for actual, line in zip(rows.actual.tolist(), rows.chances.tolist(), strict=True)
            ),
        ],
    )


def _scored(verdicts: Verdicts, rows: ScoredRows, told: dict[str, np.ndarray]) -> None:
    ranking = rows.ranking
    verdicts.compare("auc", rows, summary("auc", ranking), told["auc"])
    if math.isnan(told["auc"][0]):
        return
    verdicts.compare("DeLong variance", rows, delong_variance(ranking), told["DeLong variance"])
    for level in (0.9, 0.95):
        theirs = np.broadcast_to(told[f"DeLong interval {level}"], 2)
        verdicts.compare("DeLong interval", rows, delong_interval(ranking, level), theirs)
    _partial_areas(verdicts, rows, told)
    _coordinates(verdicts, rows, told)
    evaluation = to.Evaluation({"model": ranking})
    for ours, theirs, choices in (
        ("coords best youden", "best youden", {}),
        ("coords best closest.topleft", "best closest.topleft", {}),
        ("coords best youden", "costly youden", {"relative_cost": 3.0, "prevalence": 0.2}),
        (
            "coords best closest.topleft",
            "costly closest.topleft",
            {"relative_cost": 3.0, "prevalence": 0.2},
        ),
    ):
        found = to.compat(evaluation, f"pROC:{ours}", direction="<", **choices)
        verdicts.compare(f"to.compat {ours}", rows, found.value, told[theirs][0])
    turned = to.compat(evaluation, "pROC:auc").value
    verdicts.compare("to.compat auc, direction auto", rows, turned, told["auto auc"])


def _partial_areas(verdicts: Verdicts, rows: ScoredRows, told: dict[str, np.ndarray]) -> None:
    for name in ("partial_auc", "partial_auc_mcclish"):
        for first, second in ((1, 0.9), (1, 0.7), (0.8, 0.3)):
            for focus, low, high, along in (
                ("specificity", 1 - first, 1 - second, "fpr"),
                ("sensitivity", second, first, "tpr"),
            ):
                measure = to.SUMMARIES[name].with_parameters(low=low, high=high, along=along)
                theirs = told[f"{name} {focus} {first} {second}"]
                verdicts.compare(name, rows, measure(rows.ranking), theirs)


def _coordinates(verdicts: Verdicts, rows: ScoredRows, told: dict[str, np.ndarray]) -> None:
    """At every threshold; pROC's rise."""
    matrices = rows.ranking.confusion
    for theirs, ours in COUNTS.items():
        counts = np.asarray(getattr(matrices, ours))[::-1]
        verdicts.compare(f"coords {theirs}", rows, counts, told[f"coords {theirs}"])
    for theirs, ours in COORDINATES.items():
        values = to.METRICS[ours](matrices)[::-1]
        verdicts.compare(f"coords {ours}", rows, values, told[f"coords {theirs}"])
    youden = to.METRICS["youden_j"](matrices)[::-1]
    verdicts.compare("coords youden_j", rows, youden, told["coords youden"] - 1)
    distance = to.METRICS["plain_distance_to_perfect"](matrices)[::-1]
    verdicts.compare("coords distance", rows, distance, np.sqrt(told["coords closest.topleft"]))
    curve = to.compat_curve(to.Evaluation({"m": rows.ranking}), "pROC:coords all", direction="<")
    verdicts.compare("coords threshold", rows, curve["threshold"], told["coords threshold"])


def _pair(verdicts: Verdicts, pair: TwoModels, told: dict[str, np.ndarray]) -> None:
    found = pair.comparison.difference("first", "second")
    ours = {
        "paired DeLong z": found.statistic,
        "paired DeLong p": found.p_value,
        "paired DeLong interval": [found.low, found.high],
        "paired DeLong p greater": 1 - found.first_better,
        "paired DeLong p less": found.first_better,
        "covariance of areas": pair.comparison.areas.covariance[0, 1],
    }
    apart = to.difference(*pair.rankings)
    ours |= {
        "unpaired DeLong D": apart.statistic,
        "unpaired DeLong df": math.nan if apart.degrees is None else apart.degrees,
        "unpaired DeLong p": apart.p_value,
    }
    ours |= {f"rows for power {power}": _planned(pair, power) for power in POWERS}
    for quantity, value in ours.items():
        if quantity in told:
            verdicts.compare(quantity, pair, value, told[quantity])


def _planned(pair: TwoModels, power: float) -> float:
    """Positive rows to tell both areas apart, planned from the pair."""
    areas = pair.comparison.areas
    try:
        pilot = Pilot(
            areas.covariance[0, 0],
            areas.covariance[1, 1],
            areas.covariance[0, 1],
            positives=int(pair.actual.sum()),
            negatives=int((1 - pair.actual).sum()),
        )
        plan = to.plan_auc_difference(
            first=areas.values[0], second=areas.values[1], power=power, pilot=pilot
        )
    except to.TradeoffError:
        return math.nan
    return plan.positives


def _plan(verdicts: Verdicts, plan: PlannedArea, told: dict[str, np.ndarray]) -> None:
    sizes = {"positives": plan.positives, "negatives": plan.negatives}
    power = to.plan_auc(auc=plan.auc, significance=plan.significance, **sizes).power
    verdicts.compare("power of one area", plan, power, told["power of one area"])
    ratio = plan.negatives / plan.positives
    needed = to.plan_auc(
        auc=plan.auc, power=plan.power, ratio=ratio, significance=plan.significance
    )
    verdicts.compare(
        "positives for one area", plan, needed.positives, told["positives for one area"]
    )
    try:
        level = to.plan_auc(auc=plan.auc, power=plan.power, significance=None, **sizes).significance
    except to.TradeoffError:  # no significance is lax enough
        level = math.nan
    verdicts.compare("significance of one area", plan, level, told["significance of one area"])
