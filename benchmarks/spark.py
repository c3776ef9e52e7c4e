"""Spark: certified areas against BinaryClassificationEvaluator, on one table in one session.

Both read the same Parquet files, all scores distinct, and take turns; the ratio of medians counts.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from measuring import summary_table, write
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.sql import SparkSession

import tradeoff as to

FILES = 4


def make(folder, size):
    """Rows in a few Parquet files, and their exact area."""
    rng = np.random.default_rng(1)
    actual = (rng.random(size) < 0.2).astype(np.int64)
    score = 1 / (1 + np.exp(-rng.normal(size=size) - actual))
    for place in range(FILES):
        part = pa.table({"actual": actual[place::FILES], "score": score[place::FILES]})
        pq.write_table(part, folder / f"{place}.parquet")
    return to.auc(actual, score)


def peer(frame):
    """The area by Spark's own evaluator, which takes doubles."""
    doubles = frame.selectExpr("CAST(actual AS DOUBLE) AS label", "score AS rawPrediction")
    return BinaryClassificationEvaluator(numBins=0).evaluate(doubles)


def bounds(frame):
    """Between what the area must lie, as we find it."""
    ranking = to.evaluate(frame, actual="actual", score="score").ranking
    pairs = 2 * int(ranking.positives) * int(ranking.negatives)
    return [case.twice_pairs_won() / pairs for case in (ranking.worst_case, ranking.best_case)]


def lap(run, *given):
    start = time.perf_counter()
    run(*given)
    return time.perf_counter() - start


def measured(frame, rounds, peer_rounds):
    """Seconds of each, taken in turns after a first run that warms Java up."""
    bounds(frame)
    times = {"tradeoff": [], "evaluator": []}
    for turn in range(rounds):
        times["tradeoff"].append(lap(bounds, frame))
        if turn < peer_rounds:
            times["evaluator"].append(lap(peer, frame))
    return {name: median(laps) for name, laps in times.items()}


def started(folder):
    """A session with the memory that the evaluator needs."""
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", "8g")
        .config("spark.sql.warehouse.dir", (folder / "warehouse").as_uri())
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    return session


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="keep the table in the docs")
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--peer-rounds", type=int, default=2)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        session = started(Path(name))
        rows = Path(name) / "rows"
        rows.mkdir()
        exact = make(rows, given.rows)
        frame = session.read.parquet(str(rows))
        lowest, highest = bounds(frame)
        times = measured(frame, given.rounds, given.peer_rounds)
        session.stop()
    print(json.dumps({name: round(seconds, 2) for name, seconds in times.items()}))
    claims = [
        (
            f"BinaryClassificationEvaluator over ours, {given.rows:,} rows",
            times["evaluator"] / times["tradeoff"],
            "≥ 10",
        ),
        ("the area is certain to ± millionths", 1e6 * (highest - lowest) / 2, "≤ 1"),
        ("the exact area lies within (1: yes)", float(lowest <= exact <= highest), "1"),
    ]
    text = "\n\n".join(
        [
            summary_table(claims),
            f"pyspark {version('pyspark')} in local[2]; Python {platform.python_version()}.",
        ]
    )
    print(text)
    if given.write:
        write("spark", text)


if __name__ == "__main__":
    main()
