"""Everything a page holds, as one JSON document: what was counted, measured, and must be told."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from tradeoff.checks import findings_of
from tradeoff.checks.views import notes_of
from tradeoff.core.costs import Costs
from tradeoff.core.models import RankedModels
from tradeoff.core.ranking import Ranking, demand_prevalence
from tradeoff.errors import InputError, listed
from tradeoff.render.values import finite, percent_of
from tradeoff.report.formulas import catalogue
from tradeoff.report.models import MOST_SEGMENTS, model_document
from tradeoff.report.stops import FEW, PIXELS
from tradeoff.text import count, plain, rows, share
from tradeoff.threads import each
from tradeoff.uncertainty.confidence import USUAL, Confidence
from tradeoff.views.significance import p_value

if TYPE_CHECKING:
    from tradeoff.comparison.comparison import Comparison
    from tradeoff.comparison.difference import Difference

SCHEMA = "tradeoff/report/1"
MOST_DIFFERENCES = 60
HALF = 0.5


def report(  # noqa: PLR0913 - what, and how it opens
    models: RankedModels,
    *,
    confidence: Confidence | None = USUAL,
    prevalence: float | None = None,
    threshold: float = HALF,
    title: str | None = None,
    comparison: Comparison | None = None,
) -> dict[str, Any]:
    """The document of a report on one or more models.

    Args:
        models: The rankings, and by model folds, segments and costs.
        confidence: How sure to be; None: without intervals.
        prevalence: The share of positives that the page opens with.
        threshold: Where the line is when the page opens.
        title: What stands on top.
        comparison: Differences between the models.
    """
    if not models.rankings:
        raise InputError("A report needs at least one model.")
    if prevalence is not None:
        demand_prevalence(prevalence)
    rankings = list(models.rankings.values())
    first = rankings[0]
    chosen = tuple(dict.fromkeys([float(threshold), HALF]))

    def described(name: str) -> dict[str, Any]:
        return model_document(models.of(name), chosen, confidence)

    described_models = each(described, list(models.rankings))
    return {
        "schema": SCHEMA,
        "title": title or _title(rankings),
        "lead": _lead(first),
        "positive": first.positive,
        "negative": first.negative,
        "lower_is_positive": first.lower_is_positive,
        "threshold": float(threshold),
        "prevalence": prevalence,
        "costs": _costs(models),
        **catalogue(confidence),
        "models": described_models,
        "comparison": _comparison(comparison),
        "warnings": _warnings(models),
        "unit": "rows" if all(r.is_counted for r in rankings) else "units of weight",
        "models_about": _models_about(described_models, comparison),
        "metrics_about": _metrics_about(models, confidence),
        "segments_about": _segments_about(models),
        "how": _how(rankings, confidence),
    }


def _title(models: list[Ranking]) -> str:
    names = ", ".join(plain(ranking.name, 40) for ranking in models[:3])
    more = f" and {len(models) - 3} more" if len(models) > 3 else ""
    return f"Who is “{plain(models[0].positive, 40)}”? {names}{more}"


def _lead(first: Ranking) -> str:
    positives = first.positives + first.rejected_positives
    negatives = first.negatives + first.rejected_negatives
    weight = "" if first.is_counted else f" of weight {count(first.total)}"
    return (
        f"{rows(first.rows)}{weight}: {count(positives)} “{plain(first.positive)}” and "
        f"{count(negatives)} “{plain(first.negative)}”."
    )


def _costs(models: RankedModels) -> dict[str, float]:
    """The costs that the page opens with: those that were given, where they are one for all."""
    costs = next((models.costs[name] for name in models.rankings if name in models.costs), None)
    costs = costs if isinstance(costs, Costs) else Costs()
    undecided = costs.undecided
    return {
        "fp": costs.alarm,
        "fn": costs.missed,
        "tp": costs.found,
        "tn": costs.passed,
        "rp": undecided[0],
        "rn": undecided[1],
        "fixed": costs.fixed,
    }


def _comparison(comparison: Comparison | None) -> dict[str, Any] | None:
    if comparison is None or len(comparison.models) < 2:
        return None
    found = comparison.differences()
    shown = found
    told = list(dict.fromkeys(f"By {one.method}." for one in found if one.method))
    if len(found) > MOST_DIFFERENCES:
        best = max(comparison.models, key=lambda name: _known(comparison.area(name).value))
        shown = [one for one in found if best in {one.first, one.second}]
        told.append(f"Of {len(found):,} pairs, those with the largest area are shown.")
    told.append("Adjusted for reading them together: Holm.")
    level = percent_of(comparison.confidence.level)
    return {
        "title": f"Differences in auc, on {rows(comparison.paired.rows)} that all models scored",
        "about": f"Intervals are {level}. {' '.join(told)}",
        "differences": [_difference(one) for one in shown],
    }


def _difference(one: Difference) -> dict[str, Any]:
    known = not np.isnan(one.first_better)
    return {
        "first": one.first,
        "second": one.second,
        "value": finite(one.value),
        "low": finite(one.low),
        "high": finite(one.high),
        "p": p_value(one.p_value),
        "adjusted": p_value(one.adjusted),
        "better": share(one.first_better) if known else None,
    }


def _known(value: float) -> float:
    return -np.inf if np.isnan(value) else value


def _warnings(models: RankedModels) -> list[str]:
    """What was found wrong with the rows, with what to do; then what sources noted."""
    findings = [finding for finding in findings_of(models) if finding.matters]
    warnings = [f"{finding.sentence} {finding.advice}" for finding in findings]
    notes = notes_of(list(models.rankings.values()))
    warnings += [f"{note[0].upper()}{note[1:]}." for note in notes]
    if any(not isinstance(costs, Costs) for costs in models.costs.values()):
        warnings.append("Costs differ from row to row: the page begins with costs of 1 instead.")
    return warnings


def _models_about(models: list[dict[str, Any]], comparison: Comparison | None) -> str:
    told = ["Each model has its own threshold; press its name to move it."]
    moved = [plain(m["name"]) for m in models if m["opening"] is not None]
    if moved:
        told.append(
            f"{listed(moved)} begin{'' if len(moved) > 1 else 's'} at Youden's threshold: the one "
            "asked for would call all rows alike."
        )
    told.append("At another share of positives than the rows' own, summaries have no intervals.")
    if len(models) > 1 and comparison is None:
        told.append("Differences with intervals need the rows themselves: this page has counts.")
    return " ".join(told)


def _metrics_about(models: RankedModels, confidence: Confidence | None) -> str:
    level = percent_of(confidence.level) if confidence else "95 %"
    about = f"Intervals are {level}. Point at one to see its method."
    if models.clusters:
        about += " Here rows count as independent: `tradeoff evaluate --cluster` goes by cluster."
    return about


def _segments_about(models: RankedModels) -> str:
    told = ["Segments are shown as counted, at the same threshold."]
    sizes = [len(segments) for segments in models.segments.values()]
    if sizes and max(sizes) > MOST_SEGMENTS:
        told.append(f"The {MOST_SEGMENTS} largest of {max(sizes):,} are shown.")
    return " ".join(told)


def _how(models: list[Ranking], confidence: Confidence | None) -> list[str]:
    first = models[0]
    sign = "or less" if first.lower_is_positive else "or more"
    told = [
        f"tradeoff {version('tradeoff')}; nothing on this page comes from a network.",
        f"A row is called “{plain(first.positive)}” when its score is the threshold {sign}.",
        "Every number at a stop of the line is exact."
        if all(ranking.exact for ranking in models)
        else "Scores were counted in bins: numbers are certain to the bins' edges only.",
        _stops_told(models),
        "Undefined numbers are said to be so; they are never set to 0.",
    ]
    if confidence is not None:
        totals = ", with the class totals as given" if confidence.by_class else ""
        told.append(
            f"Intervals at {percent_of(confidence.level)}{totals}; bootstrap resamples: "
            f"{confidence.replicates:,}, seed {confidence.seed}."
        )
    return told


def _stops_told(models: list[Ranking]) -> str:
    if all(ranking.distinct <= FEW for ranking in models):
        return "The line stops at every threshold that decides differently."
    return (
        f"Of more than {FEW:,} thresholds the line stops at those that keep every chart to within "
        f"half a pixel at a width of {PIXELS}, and at all that can be cheapest. A threshold that "
        "reaches a wanted rate is then the nearest one kept."
    )
