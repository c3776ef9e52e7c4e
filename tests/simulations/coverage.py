"""How often intervals hold the truth: every default interval, on rows drawn at random.

`python tests/simulations/coverage.py` measures them and keeps the numbers in coverage.json beside
this file, those of the version that took class totals as given being in coverage_before.json;
docs/generate.py makes docs/explanation/coverage.md of both. The tests beside it repeat a part.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))  # run as a script
from simulations.populations import POPULATIONS, SIZES, three_classes

import tradeoff as to
from tradeoff.calibration.reliability import reliability as reliability_diagram
from tradeoff.comparison.comparison import Comparison
from tradeoff.core.paired import PairedRanking
from tradeoff.multiclass.multiclass import MultiClass
from tradeoff.segments import by_segment
from tradeoff.uncertainty.confidence import DEFAULT_CONFIDENCE, Confidence
from tradeoff.uncertainty.estimates import (
    average_estimates,
    matrix_estimates,
    metric_estimates,
    question_estimate,
    summary_estimates,
)
from tradeoff.uncertainty.question import build_question

KEPT = Path(__file__).with_name("coverage.json")
READINGS = (
    ("lift", ("predicted_positive_rate", 0.1)),
    ("lift", ("predicted_positive_rate", 0.3)),
    ("true_positive_rate", ("predicted_positive_rate", 0.2)),
    ("true_positive_rate", ("false_positive_rate", 0.1)),
    ("false_positive_rate", ("true_positive_rate", 0.9)),
    ("precision", ("true_positive_rate", 0.1)),
    ("precision", ("true_positive_rate", 0.5)),
    ("precision", ("true_positive_rate", 0.8)),
)
"""Numbers whose threshold the rows choose."""
SCORE_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Where the line of a reliability diagram is looked at."""
ODDS = 0.2
"""The probability at which net benefit is taken."""
CHOICES = {
    "lowest cost": (
        {"costs": to.Costs(fp=1, fn=5)},
        lambda population, tpr, fpr: (
            population.prevalence * 5 * (1 - tpr) + (1 - population.prevalence) * fpr
        ),
    ),
    "highest Youden's J": ({"by": "youden"}, lambda _, tpr, fpr: tpr - fpr),
}
"""Criteria by which models choose, and what a threshold is worth in the population."""
ENOUGH = 15
"""Rows that must be expected in a number's own denominators."""


def thresholds(population):
    """At the prevalence, and where as many rows are predicted positive as are."""
    return {
        "at the prevalence": population.prevalence,
        "as many as are positive": population.threshold_for(population.prevalence),
    }


@cache
def measures():
    parameters = {"net_benefit": {"at": ODDS}, "expected_cost": {"cost_fn": 5.0}}
    return tuple(m.with_parameters(**parameters.get(name, {})) for name, m in to.METRICS.items())


def holds(estimate, truth):
    """Whether an interval holds the true value, but for rounding; None where there is none."""
    if not estimate.has_interval:
        return None
    slack = 1e-9 * max(abs(truth), 1e-3)
    return estimate.low - slack <= truth <= estimate.high + slack


class Tally:
    """How many intervals there were of each kind, and how many held the truth."""

    def __init__(self):
        self.counts = defaultdict(lambda: [0, 0])

    def add(self, key, covered):
        if covered is not None:
            self.counts[key][0] += 1
            self.counts[key][1] += bool(covered)

    def shares(self, least=0.5, sets=1):
        """Shares by kind, of those that mostly had an interval."""
        frequent = {key: counts for key, counts in self.counts.items() if counts[0] >= least * sets}
        return {key: covered / total for key, (total, covered) in frequent.items()}


def expected(measure, matrix):
    """The fewest rows to expect in the denominators of a metric."""
    if measure.trials:
        return float(getattr(matrix, measure.trials))
    classes = [float(matrix.positives), float(matrix.negatives)]
    if not measure.depends_on_prevalence:
        return min(classes)
    return min(*classes, float(matrix.predicted_positives), float(matrix.predicted_negatives))


def at_thresholds(population, sets, seed=1, confidence=DEFAULT_CONFIDENCE):
    """Coverage of all metrics at two thresholds, by metric and threshold."""
    random = np.random.default_rng([seed, *_key(population)])
    chosen = thresholds(population)
    matrices = {place: population.true_matrix(at) for place, at in chosen.items()}
    truths = {
        place: {m.name: float(m(matrix)) for m in measures()} for place, matrix in matrices.items()
    }
    tally = Tally()
    for _ in range(sets):
        ranking = population.ranking(random)
        for place, at in chosen.items():
            for name, estimate in metric_estimates(measures(), ranking, at, confidence).items():
                tally.add((name, place), holds(estimate, truths[place][name]))
    return tally.shares(sets=sets)


def denominators(population):
    """The fewest rows to expect in the denominators of each metric, by metric and threshold."""
    matrices = {place: population.true_matrix(at) for place, at in thresholds(population).items()}
    return {
        (m.name, place): expected(m, matrix)
        for place, matrix in matrices.items()
        for m in measures()
    }


def summaries(population, sets, seed=2, confidence=DEFAULT_CONFIDENCE, names=None):
    """Coverage of all summaries."""
    random = np.random.default_rng([seed, *_key(population)])
    measures = [to.SUMMARIES[name] for name in names or to.SUMMARIES]
    whole = population.true_ranking()
    truths = {m.name: m.estimate(whole).value for m in measures}
    tally = Tally()
    for _ in range(sets):
        for name, estimate in summary_estimates(
            measures, population.ranking(random), confidence
        ).items():
            tally.add(name, holds(estimate, truths[name]))
    return tally.shares(sets=sets)


def readings(population, sets, seed=3, confidence=DEFAULT_CONFIDENCE):
    """Coverage of numbers whose threshold the rows choose."""
    random = np.random.default_rng([seed, *_key(population)])
    questions = [build_question(name, at=at) for name, at in READINGS]
    whole = population.true_ranking()
    truths = [question.estimate(whole).value for question in questions]
    tally = Tally()
    for _ in range(sets):
        ranking = population.ranking(random)
        for question, truth in zip(questions, truths, strict=True):
            tally.add(question.name, holds(question_estimate(question, ranking, confidence), truth))
    return tally.shares(sets=sets)


def segments(population, sets, seed=4, confidence=DEFAULT_CONFIDENCE):
    """How often the gaps of three like segments hold together: the true gaps are 0."""
    random = np.random.default_rng([seed, *_key(population)])
    names = ("auc", "true_positive_rate", "precision", "f_measure", "brier")
    tally = Tally()
    for _ in range(sets):
        parts = {name: population.ranking(random) for name in ("first", "second", "third")}
        gaps = by_segment(parts, names, threshold=population.prevalence, confidence=confidence)
        for name, segments in zip(names, gaps, strict=True):
            defined = [gap for gap in segments.gaps if not math.isnan(gap.low)]
            tally.add(name, all(gap.low <= 0 <= gap.high for gap in defined) if defined else None)
    return tally.shares(sets=sets)


def comparisons(population, sets, seed=5, confidence=DEFAULT_CONFIDENCE):
    """Differences of two models on the same rows, equally good and correlated by about 0.5."""
    random = np.random.default_rng([seed, *_key(population)])
    questions = {
        "auc": {},
        "average_precision": {},
        "brier": {},
        "f_measure": {"at": ("threshold", population.prevalence)},
        "precision": {"at": ("threshold", population.prevalence)},
    }
    tally = Tally()
    for _ in range(sets):
        actual, scores = population.pair(random)
        comparison = Comparison(PairedRanking(scores, actual), confidence)
        for name, more in questions.items():
            difference = comparison.difference("first", "second", name, **more)
            has_interval = not math.isnan(difference.low)
            tally.add(name, difference.low <= 0 <= difference.high if has_interval else None)
    return tally.shares(sets=sets)


def choices(population, sets, seed=8, confidence=DEFAULT_CONFIDENCE, draws=1000):
    """Differences between models that choose their thresholds again, on new data.

    The models are equally good, or the AUC of the second is lower by 0.1; their scores have a
    correlation of 0.5. The true difference is the mean, over samples, of what the thresholds that
    the models choose in them are worth in the population.
    """
    random = np.random.default_rng([seed, *_key(population)])
    tally = Tally()
    for pair, second_auc in {"equal": population.auc, "unequal": population.auc - 0.1}.items():
        aucs = {"first": population.auc, "second": second_auc}
        for criterion, (options, value) in CHOICES.items():
            truth = 0.0
            for _ in range(draws if pair == "unequal" else 0):
                chosen = _pair_evaluation(population, random, second_auc, confidence)
                worth = {
                    decision.ranking.name: value(
                        population,
                        *population.true_rates(decision.threshold, aucs[decision.ranking.name]),
                    )
                    for decision in chosen.thresholds(check=False, **options)
                }
                truth += (worth["second"] - worth["first"]) / draws
            for _ in range(sets):
                evaluation = _pair_evaluation(population, random, second_auc, confidence)
                decisions = evaluation.thresholds(replicates=confidence.replicates, **options)
                (name, difference), *_ = decisions.differences.items()
                sign = 1 if name == "second" else -1  # the best model is the reference
                tally.add(f"{criterion}, {pair}", holds(difference, sign * truth))
    return tally.shares(sets=sets)


def _pair_evaluation(population, random, second_auc, confidence):
    actual, scores = population.pair(random, second_auc)
    return to.evaluate(actual=actual, score=scores, replicates=confidence.replicates)


def classes(population, sets, seed=6, confidence=DEFAULT_CONFIDENCE):
    """Averages over three classes, and areas of all classes together."""
    random = np.random.default_rng([seed, population.rows])
    measures = [to.METRICS[name] for name in ("true_positive_rate", "precision", "f_measure")]
    truths = _class_numbers(three_classes(1_000_000, random), measures, None, areas=False)
    whole = three_classes(200_000, random)
    truths |= {f"{n}_auc": MultiClass(whole).area(n).value for n in ("hand_till", "macro", "micro")}
    tally = Tally()
    for _ in range(sets):
        rows = three_classes(population.rows, random)
        for name, estimate in _class_numbers(rows, measures, confidence).items():
            tally.add(name, holds(estimate, getattr(truths[name], "value", truths[name])))
    return tally.shares(sets=sets)


def reliability(population, sets, seed=7, confidence=DEFAULT_CONFIDENCE):
    """How often the line of a reliability diagram lies in its band; the scores are right."""
    del confidence  # a band has as many resamples as it has by default: with 200 it is too narrow
    random = np.random.default_rng([seed, *_key(population)])
    tally = Tally()
    for _ in range(sets):
        diagram = reliability_diagram(population.ranking(random))
        covered = (diagram.band_low <= diagram.fitted) & (diagram.fitted <= diagram.band_high)
        for share in SCORE_QUANTILES:
            tally.add(f"at quantile {share} of the scores", covered[int(share * len(covered))])
    return tally.shares(sets=sets)


def _class_numbers(rows, measures, confidence, *, areas=True):
    evaluation = MultiClass(rows)
    numbers = {
        f"{how} {name}": estimate
        for how in ("macro", "weighted", "micro")
        for name, estimate in average_estimates(
            measures, evaluation.matrix, how, confidence
        ).items()
    }
    overall = [to.METRICS[name] for name in ("accuracy", "cohens_kappa", "matthews_correlation")]
    numbers |= matrix_estimates(overall, evaluation.matrix, confidence)
    if areas:
        numbers |= {f"{n}_auc": evaluation.area(n) for n in ("hand_till", "macro", "micro")}
    return numbers


def _key(population):
    return population.rows, round(1000 * population.prevalence), round(1000 * population.auc)


def _measured(job):
    kind, population, sets, replicates = job
    confidence = Confidence(replicates=replicates)
    shares = KINDS[kind](population, sets, confidence=confidence)
    return {"/".join(key) if isinstance(key, tuple) else key: v for key, v in shares.items()}


KINDS = {
    "metrics": at_thresholds,
    "summaries": summaries,
    "readings": readings,
    "segments": segments,
    "comparisons": comparisons,
    "choices": choices,
    "classes": classes,
    "reliability": reliability,
}


def measured(sets, replicates=200, kinds=tuple(KINDS)):
    """All coverages, by kind and population, over two cores."""
    jobs = [
        (kind, population, sets, replicates)
        for kind in kinds
        for population in (SIZES if kind == "classes" else POPULATIONS)
    ]
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(_measured, jobs))
    document = {kind: {"sets": sets} for kind in kinds}
    for (kind, population, *_), shares in zip(jobs, results, strict=True):
        document[kind][str(population)] = {name: round(share, 4) for name, share in shares.items()}
    return document


def error(share, sets):
    """The Monte Carlo standard error of a coverage."""
    return math.sqrt(share * (1 - share) / sets)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--replicates", type=int, default=200)
    parser.add_argument("--output", type=Path, default=KEPT)
    arguments = parser.parse_args()
    results = measured(arguments.sets, arguments.replicates, arguments.kinds)
    previous = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    arguments.output.write_text(json.dumps(previous | results, separators=(",", ":")) + "\n")
