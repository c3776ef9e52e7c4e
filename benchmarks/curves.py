"""Curves, hulls, decisions and averages as multiples of the time of building their ranking.

`--write` keeps the table in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
from statistics import median

import numpy as np
from measuring import keep_memory, summary_table, timed, write

import tradeoff as to
from tradeoff.core.convex_hull import hull_indices
from tradeoff.measures.curves.average import average_curve

COSTS = to.Costs(false_positive=1, false_negative=5, rejected=0.3)


def data(size, seed=1):
    rng = np.random.default_rng(seed)
    actual = (rng.random(size) < 0.2).astype(np.int64)
    return actual, 1 / (1 + np.exp(-rng.normal(size=size) - actual))


def asked(evaluation):
    """Each question that an existing ranking answers, with the most that it may take."""
    ranking = evaluation.ranking
    curves = {
        f"curve {name}": (lambda n=name: evaluation.curve(n), 1.0) for name in sorted(to.CURVES)
    }
    return {
        **curves,
        "ROC hull": (lambda: hull_indices(*ranking.tally[1:]), 2.0),
        "best threshold by cost": (lambda: evaluation.best(costs=COSTS).threshold, 0.5),
        "best band by cost": (lambda: evaluation.best_band(costs=COSTS).band, 3.0),
        "best band by capacity": (lambda: evaluation.best_band(capacity=10_000).band, 3.0),
    }


def ratios(size, rounds):
    actual, score = data(size)
    evaluation = to.evaluate(actual=actual, score=score)
    questions = asked(evaluation)
    # Both sides of a ratio are taken in the same breath: the machine's pace changes.
    laps = {name: [] for name in questions}
    for _ in range(rounds):
        for name, (run, _) in questions.items():
            built = timed(lambda: to.evaluate(actual=actual, score=score))
            laps[name].append(timed(run) / built)
    return {name: (median(laps[name]), limit) for name, (_, limit) in questions.items()}


def averages(folds, size, rounds):
    """The vertical average of folds against the usual recipe on a grid of 100 points."""
    from sklearn.metrics import roc_curve

    parts = [data(size, seed) for seed in range(folds)]
    grid = np.linspace(0, 1, 100)

    def recipe():
        heights = []
        for actual, score in parts:
            fpr, tpr, _ = roc_curve(actual, score)
            heights.append(np.interp(grid, fpr, tpr))
        return np.mean(heights, axis=0)

    def ours():
        rankings = {
            str(i): to.evaluate(actual=actual, score=score).ranking
            for i, (actual, score) in enumerate(parts)
        }
        return average_curve(rankings, "roc")

    exact = ours()
    mean = np.mean([to.auc(actual, score) for actual, score in parts])
    laps = [timed(ours) / timed(recipe) for _ in range(rounds)]
    grid_area = np.trapezoid(recipe(), grid)
    own_area = np.trapezoid(exact.y, exact.x)
    return median(laps), abs(own_area - mean), abs(grid_area - mean)


def main():
    keep_memory()
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="keep the table in the docs")
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=7)
    given = options.parse_args()
    found = ratios(given.rows, given.rounds)
    claims = [(f"{name} over building", v, f"≤ {most:g}") for name, (v, most) in found.items()]
    ratio, error, grid_error = averages(100, 10_000, given.rounds)
    claims.append(("vertical average of 100 folds of 10,000 rows over the recipe", ratio, "≤ 1"))
    table = summary_table(claims)
    note = (
        f"The area of our average misses the mean fold AUC by {error:.0e}, that of the recipe's "
        f"100-point grid by {grid_error:.0e}."
    )
    print(table, note, sep="\n\n")
    if given.write:
        write("curves", f"{table}\n\n{note}")


if __name__ == "__main__":
    main()
