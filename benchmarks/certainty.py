"""Intervals, bands and comparisons against what people use for them, as ratios in one run.

`--write` keeps the table in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import warnings
from statistics import median

import numpy as np
from measuring import keep_memory, summary_table, timed, write

import tradeoff as to

MODELS, ROWS = 10, 1_000_000
MEMORY = f"""
import tracemalloc
import numpy as np
from tradeoff.uncertainty.auc import areas
from tradeoff.core.paired import PairedRanking
rng = np.random.default_rng(1)
actual = rng.random({ROWS}) < 0.2
tracemalloc.start()
scores = {{f"m{{i}}": rng.normal(size={ROWS}) + actual for i in range({MODELS})}}
areas(PairedRanking(scores, actual))
print(tracemalloc.get_traced_memory()[1] / ({MODELS} * {ROWS} * 8))
"""


def data(size, models=1, seed=1):
    rng = np.random.default_rng(seed)
    actual = (rng.random(size) < 0.2).astype(np.int64)
    shared = rng.normal(size=size)
    return actual, [
        1 / (1 + np.exp(-(shared + rng.normal(size=size)) / 2 - actual)) for _ in range(models)
    ]


def bootstrap(size, replicates, sampled=20):
    """A loop over roc_auc_score (a part of it, multiplied) against the area and the band."""
    from sklearn.metrics import roc_auc_score

    actual, (score,) = data(size)
    rng = np.random.default_rng(0)

    def loop():
        for _ in range(sampled):
            rows = rng.integers(0, size, size)
            roc_auc_score(actual[rows], score[rows])

    def ours():
        e = to.evaluate(actual=actual, score=score)
        e.summary("auc", method="bootstrap", replicates=replicates)
        e.band("roc", replicates=replicates, at=np.linspace(0, 1, 101))

    return timed(loop) * replicates / sampled / timed(ours)


def paired(size):
    from MLstatkit import Delong_test

    actual, (first, second) = data(size, 2)

    def theirs():
        return Delong_test(actual, first, second)

    def ours():
        c = to.compare(actual=actual, score={"a": first, "b": second})
        return c.difference("a", "b")

    if not np.isclose(abs(theirs()[0]), abs(ours().statistic), atol=1e-6):
        raise SystemExit("MLstatkit and tradeoff do not agree")
    return timed(theirs) / timed(ours)


def interval(size):
    from confidenceinterval import roc_auc_score

    actual, (score,) = data(size)

    def theirs():
        return roc_auc_score(actual, score, confidence_level=0.95)

    def ours():
        return to.evaluate(actual=actual, score=score).auc

    return timed(theirs) / timed(ours)


def memory():
    """The peak of the covariance of ten models, over the bytes of their scores."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def main():
    keep_memory()
    warnings.simplefilter("ignore")
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="keep the table in the docs")
    options.add_argument("--rounds", type=int, default=3)
    rounds = range(options.parse_args().rounds)
    claims = [
        (
            "a loop of 2,000 roc_auc_score over 2,000 replicates of area and band, 100,000 rows",
            median(bootstrap(100_000, 2000) for _ in rounds),
            "≥ 30, aim 100",
        ),
        (
            "MLstatkit over paired DeLong, 2 models, 1,000,000 rows",
            median(paired(ROWS) for _ in rounds),
            "≥ 20",
        ),
        (
            "confidenceinterval over evaluate and the area's interval, 1,000,000 rows",
            median(interval(ROWS) for _ in rounds),
            "≥ 20",
        ),
        ("peak memory of the covariance of 10 models over their scores", memory(), "≤ 3"),
    ]
    table = summary_table(claims)
    print(table)
    if options.parse_args().write:
        write("certainty", table)


if __name__ == "__main__":
    main()
