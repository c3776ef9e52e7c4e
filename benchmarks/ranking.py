"""The whole ranking with its exact AUC against a bare sort and against peers, in one process.

The machine is noisy, so rounds of all contestants are interleaved and only ratios of medians count.
`--write` keeps the table in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import tracemalloc
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
from measuring import keep_memory, summary_table, timed, write

import tradeoff as to

PEERS = ("numpy", "scikit-learn", "scikit-learn-intelex", "polars_ds", "torchmetrics")


def data(case, size):
    """Scores that tell the classes apart somewhat, a fifth of the rows positive."""
    rng = np.random.default_rng(1)
    actual = (rng.random(size) < 0.2).astype(np.int64)
    score = rng.normal(size=size) + actual
    score = 1 / (1 + np.exp(-score)) if case != "float64, both signs" else score
    score = score.astype(np.float32) if case == "float32" else score
    score = score.round(2) if case == "heavy ties" else score
    weight = rng.random(size) if case == "weighted" else None
    return actual, score, weight


def contestants(actual, score, weight):
    """Each as a function without arguments that returns its area (the sort returns nothing)."""
    import polars as pl
    import polars_ds as pds
    import torch
    from sklearn.metrics import roc_auc_score
    from sklearnex.metrics import roc_auc_score as intelex
    from torchmetrics.functional.classification import binary_auroc

    frame = pl.DataFrame({"actual": actual.astype(np.uint32), "score": score})
    target, preds = torch.from_numpy(actual), torch.from_numpy(score)
    query = pds.query_roc_auc("actual", "score")
    runs = {
        "tradeoff": lambda: to.evaluate(actual=actual, score=score, weight=weight).auc.value,
        "np.sort": lambda: np.sort(score) is None,
        "scikit-learn": lambda: roc_auc_score(actual, score, sample_weight=weight),
    }
    if weight is None:  # the others take no weights
        runs |= {
            "scikit-learn-intelex": lambda: intelex(actual, score),
            "polars_ds": lambda: frame.select(query).item(),
            "torchmetrics": lambda: float(binary_auroc(preds, target)),
        }
    return runs


def measured(case, size, rounds):
    actual, score, weight = data(case, size)
    runs = contestants(actual, score, weight)
    areas = {name: run() for name, run in runs.items()}  # also warms everything up
    times = {name: [] for name in runs}
    for turn in range(rounds):
        for name, run in runs.items():
            # Slow peers are run less often than the two that the ratio is about.
            if turn < 2 or name in {"tradeoff", "np.sort"}:
                times[name].append(timed(run))
    tracemalloc.start()
    to.evaluate(actual=actual, score=score, weight=weight)
    peak = tracemalloc.get_traced_memory()[1] / score.nbytes
    tracemalloc.stop()
    exact = {name: abs(area - areas["tradeoff"]) for name, area in areas.items() if area}
    return {name: median(values) for name, values in times.items()}, peak, exact


def few_rows():
    from sklearn.metrics import roc_auc_score

    actual, score, _ = data("float64", 1000)
    result = {}
    for name, run in (
        ("tradeoff", lambda: to.auc(actual, score)),
        ("scikit-learn", lambda: roc_auc_score(actual, score)),
    ):
        laps = [timed(lambda run=run: [run() for _ in range(100)]) / 100 for _ in range(31)]
        result[name] = median(laps)
    return result


def start_up():
    """Seconds until `tradeoff --help` has answered, beside a bare interpreter."""
    program = Path(sys.executable).parent / "tradeoff"
    commands = {"help": [str(program), "--help"], "python": [sys.executable, "-c", "pass"]}
    laps = {
        name: [
            timed(lambda c=command: subprocess.run(c, capture_output=True, check=True))
            for _ in range(15)
        ]
        for name, command in commands.items()
    }
    return {name: median(values) for name, values in laps.items()}


def table(results):
    names = list(results["float64"][0])
    lines = [
        "| 10,000,000 rows | " + " | ".join(names) + " | extra memory |",
        "|" + "---|" * (len(names) + 2),
    ]
    for case, (times, peak, _) in results.items():
        own = times["tradeoff"]
        cells = [
            "1" if n == "tradeoff" else f"{times[n] / own:.2f}" if n in times else "–"
            for n in names
        ]
        lines.append(f"| {case} | {' | '.join(cells)} | {peak:.2f} |")
    return "\n".join(lines)


def main():
    keep_memory()
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="keep the table in the docs")
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--rounds", type=int, default=9)
    given = options.parse_args()
    few, start = few_rows(), start_up()  # first: the peers have not loaded their threads yet
    results = {}
    for case in ("float64", "float64, both signs", "float32", "heavy ties", "weighted"):
        results[case] = measured(case, given.rows, given.rounds)
        print(case, json.dumps({k: round(v, 4) for k, v in results[case][0].items()}), flush=True)
    times, _, exact = results["float64"]
    peers = {
        name: seconds for name, seconds in times.items() if name not in {"tradeoff", "np.sort"}
    }
    fastest = min(peers, key=peers.get)
    own = times["tradeoff"]
    claims = [
        ("ranking and exact AUC over a bare np.sort", own / times["np.sort"], "≤ 1.6"),
        ("scikit-learn's roc_auc_score over ours", times["scikit-learn"] / own, "≥ 20"),
        (f"the fastest peer ({fastest}) over ours", peers[fastest] / own, "≥ 4"),
        ("largest extra memory, in scores", max(p for _, p, _ in results.values()), "≤ 4"),
        ("tradeoff.auc of 1,000 rows, µs", 1e6 * few["tradeoff"], "≤ 60"),
        ("scikit-learn's roc_auc_score of them, µs", 1e6 * few["scikit-learn"], ""),
        ("tradeoff --help, ms", 1e3 * start["help"], "≤ 100"),
        ("a bare interpreter, ms", 1e3 * start["python"], ""),
    ]
    summary = summary_table(claims)
    versions = ", ".join(f"{name} {version(name.replace('_', '-'))}" for name in PEERS)
    text = "\n\n".join(
        [
            summary,
            "Times of the others as multiples of ours; extra memory as a multiple of the scores:",
            table(results),
            f"{versions}; Python {platform.python_version()}.",
        ]
    )
    print(text)
    print("largest difference of areas:", max(exact.values()))
    if given.write:
        write("measured", text)


if __name__ == "__main__":
    main()
