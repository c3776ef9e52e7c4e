"""How often intervals hold the truth, and how often tests cry wolf: simulated on known populations.

`python tests/simulations/coverage.py --write` makes docs/explanation/coverage.md; the tests beside
it run a smaller version.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tradeoff.analysis.comparing.comparison import Comparison
from tradeoff.analysis.intervals.areas import METHODS, area_interval
from tradeoff.analysis.intervals.confidence import Confidence
from tradeoff.analysis.intervals.metrics import OWN_CLASS, sure_metrics
from tradeoff.analysis.intervals.summaries import sure_summaries
from tradeoff.analysis.registry import METRICS, SUMMARIES
from tradeoff.evaluation import Evaluation  # noqa: F401 - registers all measures
from tradeoff.ranking.paired import PairedRanking
from tradeoff.ranking.ranking import Ranking

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "coverage.md"
SIZES = ((100, 0.15), (100, 0.25), (100, 0.5), (300, 0.05), (300, 0.2), (1000, 0.05), (1000, 0.5))
"""Rows and prevalence, with at least 15 rows in each class."""
AREAS = (0.6, 0.75, 0.9, 0.97)
POPULATIONS = ("normal", "skewed", "few values")
MEASURES = ("accuracy", "true_positive_rate", "precision", "f_measure", "matthews_correlation",
            "youden_j", "lift", "odds_ratio", "balanced_accuracy")  # fmt: skip
DRAWN = (
    "average_precision",
    "brier",
    "log_loss",
    "ks",
    "h_measure",
    "auc_hull",
    "expected_calibration_error",
)


def draw(population, area, positives, negatives, random):
    """Scores of positive and of negative rows whose true area is known."""
    if population == "skewed":
        ratio = area / (1 - area)
        return random.exponential(ratio, positives), random.exponential(1.0, negatives)
    apart = _quantile(area) * np.sqrt(2)
    sides = random.normal(apart, 1, positives), random.normal(0, 1, negatives)
    return tuple(np.round(side) for side in sides) if population == "few values" else sides


def ranked(up, down):
    scores = np.concatenate([up, down])
    return Ranking.of(scores, np.arange(len(scores)) < len(up))


def true_area(population, area):
    """Rounded scores have an area of their own."""
    if population != "few values":
        return area
    from scipy.special import ndtr

    apart = _quantile(area) * np.sqrt(2)
    values = np.arange(-12, 24)
    up, down = (
        ndtr(values + 0.5 - middle) - ndtr(values - 0.5 - middle) for middle in (apart, 0.0)
    )
    below = np.concatenate([[0.0], np.cumsum(down)[:-1]])
    return float((up * (below + down / 2)).sum())


def area_coverage(population, rows, prevalence, area, method="logit", runs=2000, seed=1):
    """The share of 95 % intervals for the area that hold it."""
    random = np.random.default_rng([seed, rows, round(1000 * prevalence), round(1000 * area)])
    positives = round(rows * prevalence)
    truth = true_area(population, area)
    held = 0
    for _ in range(runs):
        found = area_interval(
            ranked(*draw(population, area, positives, rows - positives, random)), method=method
        )
        held += found.low <= truth <= found.high
    return held / runs


def metric_coverage(rows, prevalence, area, runs=1000, seed=1, names=MEASURES):
    """The share of 95 % intervals for metrics at a fixed threshold that hold their true values.

    For shares of rows of both classes the classes are as frequent as they happen to be; for all
    others, whose intervals take class totals as given, they are always the same.
    """
    from scipy.special import ndtr

    random = np.random.default_rng([seed, rows, round(1000 * prevalence), round(1000 * area)])
    positives = round(rows * prevalence)
    negatives = rows - positives
    apart = _quantile(area) * np.sqrt(2)
    threshold = apart / 2 + 0.5
    tpr, fpr = ndtr(apart - threshold), ndtr(-threshold)
    measures = [METRICS[name] for name in names]
    truth = _matrix(tpr * positives, positives, fpr * negatives, negatives)
    held = np.zeros(len(measures))
    for run in range(runs):
        drawn = random.binomial(rows, prevalence)
        matrices = [
            _matrix(random.binomial(own, tpr), own, random.binomial(rows - own, fpr), rows - own)
            for own in (positives, drawn)
        ]
        fixed, free = (sure_metrics(measures, m, Confidence(seed=run)) for m in matrices)
        for at, measure in enumerate(measures):
            found = free if measure.trials and measure.trials not in OWN_CLASS else fixed
            own, true = found[measure.name], float(measure(truth))
            # An undefined estimate claims nothing; it counts as not holding.
            held[at] += own.has_interval and own.low <= true <= own.high
    return dict(zip(names, held / runs, strict=True))


def summary_coverage(rows, prevalence, area, runs=200, replicates=300, seed=1, names=DRAWN):
    """The same for summaries, whose rows are drawn again. Scores are honest probabilities."""
    random = np.random.default_rng([seed, rows, round(1000 * prevalence), round(1000 * area)])
    measures = [SUMMARIES[name] for name in names]

    def ranking(size):
        own = round(size * prevalence)
        up, down = draw("normal", area, own, size - own, random)
        apart = _quantile(area) * np.sqrt(2)
        odds = np.log(prevalence / (1 - prevalence)) - apart**2 / 2
        return ranked(*(1 / (1 + np.exp(-(odds + apart * side))) for side in (up, down)))

    large = ranking(1_000_000)
    truth = {m.name: m.estimate(large).value for m in measures}
    truth["expected_calibration_error"] = 0.0
    held = dict.fromkeys(names, 0)
    for run in range(runs):
        asked = Confidence(replicates=replicates, seed=run)
        for name, own in sure_summaries(measures, ranking(rows), asked).items():
            held[name] += own.low <= truth[name] <= own.high
    return {name: count / runs for name, count in held.items()}


def delong_size(rows, prevalence, area, runs=2000, seed=1, correlation=0.5):
    """How often DeLong's test finds a difference (p < 0.05) between equally good models."""
    random = np.random.default_rng([seed, rows, round(1000 * prevalence), round(1000 * area)])
    positives = round(rows * prevalence)
    apart = _quantile(area) * np.sqrt(2)
    actual = np.arange(rows) < positives
    cried = 0
    for _ in range(runs):
        shared = random.normal(size=rows)
        scores = {
            name: np.sqrt(correlation) * shared
            + np.sqrt(1 - correlation) * random.normal(size=rows)
            + apart * actual
            for name in ("first", "second")
        }
        found = Comparison(PairedRanking(scores, actual)).difference("first", "second")
        cried += found.p_value < 0.05
    return cried / runs


def _matrix(found, positives, alarms, negatives):
    from tradeoff.ranking.confusion import ConfusionMatrix

    return ConfusionMatrix(found, positives - found, alarms, negatives - alarms)


def _quantile(area):
    from scipy.special import ndtri

    return float(ndtri(area))


OPENING = """\
# How often intervals hold the truth

Made by `make coverage`: populations with known answers, {runs:,} sets of rows each (fewer where
said). A 95 % interval should hold the true value in 95 of 100 sets; 92 to 98 is good, and what
lies outside is set in bold. The tests repeat a part of this on every change."""


def page(runs):
    parts = [OPENING.format(runs=runs), _areas(runs), _other_methods(runs), _metrics(runs // 2)]
    return "\n\n".join([*parts, _summaries(), _sizes(runs)]) + "\n"


def _areas(runs):
    lines = []
    for population in POPULATIONS:
        lines.append(f"### Scores: {population}\n")
        lines.append(_head("rows, positive", [f"AUC {area}" for area in AREAS]))
        for rows, prevalence in SIZES:
            cells = [area_coverage(population, rows, prevalence, a, runs=runs) for a in AREAS]
            lines.append(_line(f"{rows:,}, {prevalence:.0%}", cells))
        lines.append("")
    return """\
## Areas under the ROC curve, the default

DeLong's variance on the logit scale, steadied. *Normal*: both classes normal with equal spread.
*Skewed*: exponential scores, of which a few positives rank at the bottom; what few rows have not
shown, no interval can know. *Few values*: normal scores rounded to whole numbers.

""" + "\n".join(lines).rstrip()


def _other_methods(runs):
    lines = [_head("method", [f"{rows:,}, {p:.0%}, AUC {a}" for rows, p, a in HARD])]
    for method, (said, _) in METHODS.items():
        cells = [area_coverage("normal", r, p, a, method, runs=runs) for r, p, a in HARD]
        lines.append(_line(f"`{method}`: {said}", cells))
    return "## Areas, other methods by name\n\nNormal scores.\n\n" + "\n".join(lines)


HARD = (
    (100, 0.15, 0.75),
    (100, 0.15, 0.97),
    (300, 0.05, 0.9),
    (1000, 0.05, 0.97),
    (1000, 0.5, 0.9),
)
SOME = ((100, 0.15, 0.9), (100, 0.5, 0.75), (300, 0.05, 0.9), (1000, 0.2, 0.9))


def _metrics(runs):
    found = {(rows, p, a): metric_coverage(rows, p, a, runs=runs) for rows, p, a in SOME}
    lines = [_head("metric", [f"{rows:,}, {p:.0%}, AUC {a}" for rows, p, a in SOME])]
    for name in MEASURES:
        lines.append(_line(name, [own[name] for own in found.values()]))
    return f"""\
## Metrics at a threshold, the defaults

Shares by Wilson, ratios by their logarithm, the Youden index by Newcombe, the others by Jeffreys'
prior; {runs:,} sets of rows. An undefined metric counts as not held. Accuracy and precision are of
rows whose classes are as frequent as they happen to be, all others of fixed numbers of both.

""" + "\n".join(lines)


def _summaries():
    found = {(rows, p, a): summary_coverage(rows, p, a) for rows, p, a in SOME}
    lines = [_head("summary", [f"{rows:,}, {p:.0%}, AUC {a}" for rows, p, a in SOME])]
    for name in DRAWN:
        lines.append(_line(name, [own[name] for own in found.values()]))
    return """\
## Summaries by drawing rows again, the default

The bias-corrected bootstrap, 300 draws, 200 sets of rows: the shares are known to about 3 points.
Numbers that chance can only make larger (the largest distance between two curves, any distance from
the diagonal) are larger in the rows than in truth, and larger still in rows drawn from them; the
intervals take that bias off, but not all of it. Honest probabilities have a calibration error of 0.

""" + "\n".join(lines)


def _sizes(runs):
    lines = [_head("rows, positive", [f"AUC {area}" for area in AREAS])]
    for rows, prevalence in SIZES:
        cells = [delong_size(rows, prevalence, a, runs=runs) for a in AREAS]
        shown = [f"**{c:.1%}**" if not 0.03 <= c <= 0.07 else f"{c:.1%}" for c in cells]
        lines.append(f"| {rows:,}, {prevalence:.0%} | " + " | ".join(shown) + " |")
    return """\
## DeLong's test of two models that are equally good

How often p is below 5 %, for scores of both models correlated by 0.5 in each class. It should be
5 %; 3 to 7 is good. Where both models are nearly perfect on few rows, it finds too little.

""" + "\n".join(lines)


def _head(first, others):
    return f"| {first} | {' | '.join(others)} |\n| :-- |{' --: |' * len(others)}"


def _line(name, cells):
    shown = [f"{100 * c:.1f}" if 0.92 <= c <= 0.98 else f"**{100 * c:.1f}**" for c in cells]
    return f"| {name} | {' | '.join(shown)} |"


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text(page(4000))
    else:
        print(page(400))
