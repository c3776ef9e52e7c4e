"""Numbers that other programs print for rows that anybody can have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.util import find_spec

from tradeoff.api import compare, evaluate
from tradeoff.evaluation.evaluation import Evaluation
from tradeoff.uncertainty.auc import placements
from tradeoff.validation.agreement import Recomputed
from tradeoff.validation.studies import bundled, study

NEEDS_TRAINING = "needs tradeoff[train]"


@study(
    "Weka 3.6.14",
    "Ten-fold cross-validation with seed 1 on the fourteen days of the bundled weather.arff, which "
    "`tradeoff crossval --way weka` repeats from the raw rows.",
)
def weka() -> Iterator[Recomputed]:
    """What Weka prints for models that it trains."""
    printed = {"auc": "0.5778", "root_mean_squared_error": "0.4916"}
    yield from _trained("NaiveBayes", "weka-naive-bayes", printed)
    yield from _trained("J48", "weka-j48", {"auc": "0.6333"})


def _trained(classifier: str, model: str, printed: Mapping[str, str]) -> Iterator[Recomputed]:
    """Summaries of a cross-validated model, or why there are none."""
    tested = None if find_spec("sklearn") is None else _cross_validated(model)
    for name, published in printed.items():
        what = f"{classifier}: {name}"
        if tested is None:
            yield Recomputed(what, published, None, NEEDS_TRAINING)
        else:
            yield Recomputed(what, published, tested.summary(name, level=None).value)


def _cross_validated(model: str) -> Evaluation:
    from tradeoff.crossval.cross_validation import cross_validate

    weather = resources.files("tradeoff.data").joinpath("weather.arff")
    with resources.as_file(weather) as path:
        return cross_validate(
            path, target="play", positive="yes", models=[model], way="weka", jobs=1
        ).evaluation


@study(
    "pROC 1.18.0",
    "R 4.2.2, on the 113 patients of its data set aSAH (Turck et al. 2010, "
    "doi:10.1007/s00134-009-1641-y), to ten decimals.",
)
def proc() -> Iterator[Recomputed]:
    """Areas, DeLong's intervals and paired test, partial areas."""
    rows = bundled("asah.csv", ["poor", "s100b", "ndka"])
    markers = {name: evaluate(actual=rows["poor"], score=rows[name]) for name in ("s100b", "ndka")}
    printed = {
        "s100b": ("0.7313685637", "0.0026686825", "0.6301182118", "0.8326189156"),
        "ndka": ("0.6119579946", "0.0031908105", "0.5012449993", "0.7226709899"),
    }
    for name, (area, variance, low, high) in printed.items():
        marker = markers[name]
        estimate = marker.summary("auc", method="delong", level=0.95)
        yield Recomputed(f"auc of {name}", area, estimate.value)
        yield Recomputed(f"var of {name}", variance, placements(marker.ranking).variance)
        yield Recomputed(f"ci.auc of {name}: from", low, estimate.low)
        yield Recomputed(f"ci.auc of {name}: to", high, estimate.high)
    for form, name, printed_area in (
        ("raw", "partial_auc", "0.0327574526"),
        ("corrected", "partial_auc_mcclish", "0.6460918557"),
    ):
        partial = markers["s100b"].summary(name, low=0.0, high=0.1, level=None)
        what = f"auc of s100b, specificity 1 to 0.9, {form}"
        yield Recomputed(what, printed_area, partial.value)
    both = {name: rows[name] for name in markers}
    difference = compare(actual=rows["poor"], score=both).difference("s100b", "ndka")
    yield Recomputed("roc.test, paired: Z", "1.3907700257", difference.statistic)
    yield Recomputed("roc.test, paired: p", "0.1642951752", difference.p_value)
    yield Recomputed("roc.test, paired: from", "-0.0488706064", difference.low)
    yield Recomputed("roc.test, paired: to", "0.2876917446", difference.high)


STUDIES = (weka, proc)
