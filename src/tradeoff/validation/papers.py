"""Numbers that papers print together with the rows or counts behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tradeoff.api import compare, evaluate
from tradeoff.measures.curves import named_curve
from tradeoff.measures.registry import METRICS, SUMMARIES
from tradeoff.sources.matrices import matrix_of_counts, ranking_of_ratings
from tradeoff.stats.proportions import proportion
from tradeoff.thresholds.decision import best_threshold
from tradeoff.uncertainty.auc import hanley_mcneil
from tradeoff.validation.agreement import Recomputed
from tradeoff.validation.studies import bundled, study


@study(
    "DeLong, DeLong & Clarke-Pearson 1988",
    "Biometrics 44, doi:10.2307/2531595: three tests on 43 patients with ovarian cancer. Rows and "
    "numbers as in the SAS/STAT example “Comparing Receiver Operating Characteristic Curves”.",
)
def delong_1988() -> Iterator[Recomputed]:
    """Three areas on the same rows, and their contrasts."""
    rows = bundled("delong1988.csv", ["alb", "tp", "totscore", "popind"])
    scores = {"albumin": rows["alb"], "K-G": 10 - rows["totscore"], "total protein": rows["tp"]}
    comparison = compare(actual=rows["popind"], score=scores)
    areas = dict(zip(comparison.models, comparison.areas.values, strict=True))
    yield Recomputed("area of albumin", "0.7366", float(areas["albumin"]))
    yield Recomputed("area of the K-G score", "0.7258", float(areas["K-G"]))
    yield Recomputed("area of total protein", "0.6478", float(areas["total protein"]))
    yield Recomputed("all three areas equal: p", "0.2817", comparison.equal().p_value)
    for name, value, low, high in (
        ("albumin", "0.0108", "-0.1761", "0.1976"),
        ("total protein", "-0.0780", "-0.2830", "0.1271"),
    ):
        difference = comparison.difference(name, "K-G")
        yield Recomputed(f"{name} − K-G", value, difference.value)
        yield Recomputed(f"{name} − K-G: 95 % from", low, difference.low)
        yield Recomputed(f"{name} − K-G: 95 % to", high, difference.high)


@study(
    "Hanley & McNeil 1982",
    "Radiology 143, doi:10.1148/radiology.143.1.7063747: 58 normal and 51 abnormal images in five "
    "ratings. The standard error is by the paper's own formula.",
)
def hanley_mcneil_1982() -> Iterator[Recomputed]:
    """An area from ratings."""
    counts = bundled("hanley_mcneil1982.csv", ["normal", "abnormal"])
    ranking = ranking_of_ratings(counts["abnormal"].tolist(), counts["normal"].tolist())
    area = float(SUMMARIES["auc"](ranking))
    variance = hanley_mcneil(area, float(ranking.positives), float(ranking.negatives))
    yield Recomputed("area", "0.893", area)
    yield Recomputed("its standard error", "0.032", math.sqrt(variance))


@study(
    "Fawcett 2006",
    "Pattern Recognition Letters 27, doi:10.1016/j.patrec.2005.10.010, figure 3: twenty rows.",
)
def fawcett_2006() -> Iterator[Recomputed]:
    """The threshold of the highest accuracy."""
    rows = bundled("fawcett2006.csv", ["score", "class"])
    ranking = evaluate(actual=rows["class"], score=rows["score"], positive="p").ranking
    decision = best_threshold(ranking, "accuracy")
    matrix = decision.confusion
    yield Recomputed("highest accuracy", "0.70", decision.value)
    yield Recomputed("its threshold", "0.54", decision.threshold)
    yield Recomputed("false positive rate there", "0.1", float(METRICS["fpr"](matrix)))
    yield Recomputed("true positive rate there", "0.5", float(METRICS["tpr"](matrix)))


@study(
    "Davis & Goadrich 2006",
    "Proceedings of the 23rd ICML, doi:10.1145/1143844.1143874, table 1: precision between two "
    "points, of 20 positives and 2,000 negatives.",
)
def davis_goadrich_2006() -> Iterator[Recomputed]:
    """Precision runs along a hyperbola between two points."""
    # A finds 5 positives with 5 false alarms, B 10 with 30; the rest lies below both.
    curve = named_curve(ranking_of_ratings([10, 5, 5], [1970, 25, 5]), "precision_recall")
    printed = ("0.500", "0.375", "0.318", "0.286", "0.265", "0.250")
    for hits, precision in zip(range(5, 11), printed, strict=True):
        recall = hits / 20
        yield Recomputed(f"precision at recall {recall:.2f}", precision, curve.y_at(recall))


@study(
    "Newcombe 1998",
    "Statistics in Medicine 17:857–872, table I: 95 % intervals of four proportions, by Wilson's "
    "score method and by Clopper and Pearson's.",
)
def newcombe_1998() -> Iterator[Recomputed]:
    """Intervals of shares."""
    for method, printed in (
        ("wilson", ("0.2553 0.3662", "0.0624 0.1605", "0.0000 0.1611", "0.0061 0.1718")),
        ("clopper-pearson", ("0.2527 0.3676", "0.0578 0.1617", "0.0000 0.1684", "0.0009 0.1776")),
    ):
        shares = ((81, 263), (15, 148), (0, 20), (1, 29))
        for (hits, trials), limits in zip(shares, printed, strict=True):
            low, high = (float(end) for end in proportion(hits, trials, method=method))
            what = f"{hits} of {trials}, {method}"
            yield Recomputed(f"{what}: from", limits.split()[0], low)
            yield Recomputed(f"{what}: to", limits.split()[1], high)


@study(
    "Feinstein & Cicchetti 1990",
    "Journal of Clinical Epidemiology 43, doi:10.1016/0895-4356(90)90158-L: two tables of equal "
    "agreement and unequal kappa.",
)
def feinstein_cicchetti_1990() -> Iterator[Recomputed]:
    """Kappa depends on the prevalence."""
    for table, kappa in (("40 9; 6 45", "0.70"), ("80 10; 5 5", "0.32")):
        matrix = matrix_of_counts(table)
        yield Recomputed(f"agreement in {table}", "0.85", float(METRICS["accuracy"](matrix)))
        yield Recomputed(f"kappa in {table}", kappa, float(METRICS["kappa"](matrix)))


@study(
    "Finley's tornado forecasts of 1884",
    "The counts of Murphy 1996, The Finley affair, Weather and Forecasting 11; the scores as the "
    "pages on forecast verification of the Australian Bureau of Meteorology give them.",
)
def finley_1884() -> Iterator[Recomputed]:
    """Accuracy deceives where positives are rare."""
    # 28 tornados were forecast, 23 were not; of 2,752 other days 72 had a forecast of one.
    matrix = matrix_of_counts("28 23; 72 2680", ["tornado", "none"])
    for what, name, printed in (
        ("accuracy", "accuracy", "0.966"),
        ("accuracy of never forecasting one", "no_information_rate", "0.982"),
        ("false alarm ratio", "false_discovery_rate", "0.72"),
        ("critical success index", "critical_success_index", "0.23"),
        ("Peirce's skill score", "youden_j", "0.52"),
    ):
        yield Recomputed(what, printed, float(METRICS[name](matrix)))


STUDIES = (
    delong_1988,
    hanley_mcneil_1982,
    fawcett_2006,
    davis_goadrich_2006,
    newcombe_1998,
    feinstein_cicchetti_1990,
    finley_1884,
)
