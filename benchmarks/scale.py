"""A hundred million rows in a Parquet file: time and memory, against peers that read or count them.

Every contestant runs in a process of its own, in turn, several times; the medians are compared.
`--write` keeps the tables in docs/benchmarks.md; `--rows` measures with fewer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

import duckdb
import numpy as np
from measuring import summary_table, write

STEP = 1_000_000
MEGABYTE = 1 << 20
AREA = """
    WITH scores AS (
        SELECT score, sum(actual) AS p, count(*) - sum(actual) AS n FROM '{path}' GROUP BY score
    ), ranked AS (
        SELECT p, n, sum(n) OVER (ORDER BY score) - n / 2 AS below FROM scores
    )
    SELECT sum(p * below) / (sum(p) * sum(n)) FROM ranked
"""
CONTESTANTS = {
    "polars": "pl.read_parquet(path, columns=['actual', 'score']).height",
    "polars csv": "pl.read_csv(path, columns=['actual', 'score']).height",
    "duckdb": "duckdb.sql(area.format(path=path)).fetchall()[0][0]",
    "tradeoff": "to.evaluate(path, actual='actual', score='score', **few).auc",
    "tradeoff exact": "to.evaluate(path, actual='actual', score='score', exact=True, **few).auc",
}
PROGRAM = """
import json, re, sys, time
from pathlib import Path
import duckdb, numpy, polars as pl, scipy.special
import tradeoff as to
import tradeoff.entry_points, tradeoff.evaluation.evaluation
area = sys.argv[3]
duckdb.sql("SET enable_progress_bar = false")
def work(path, **few):
    return {work}
work(sys.argv[1], {warm})
start = time.perf_counter()
value = work(sys.argv[2])
seconds = time.perf_counter() - start
peak = int(re.search("VmHWM:(.*)kB", Path("/proc/self/status").read_text())[1]) * 1024
value = [value.value, value.within] if isinstance(value, to.Estimate) else value
print(json.dumps([seconds, peak, value]))
"""


def rows(random, size):
    """Scores of a rare class, as a logistic model gives them: all different."""
    actual = random.random(size) < 0.02
    return actual.astype(np.int8), 1 / (1 + np.exp(3 - random.normal(size=size) - 1.8 * actual))


def parquet(path, size):
    """A file of so many rows, with a column that nobody reads."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(1)
    writer = None
    for start in range(0, size, STEP):
        actual, score = rows(random, min(STEP, size))
        table = pa.table(
            {"id": np.arange(start, start + len(score)), "actual": actual, "score": score}
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()
    return path


def csv(path, parquet_path):
    duckdb.sql(f"COPY (FROM '{parquet_path}') TO '{path}'")
    return path


def warming(path):
    """A file like another, of a few rows: whoever has read it has all modules at hand."""
    few = path.with_name("few" + path.suffix)
    if not few.exists():
        duckdb.sql(f"COPY (FROM '{path}' LIMIT 1000) TO '{few}'")
    return few


def run(who, path):
    """Seconds, peak bytes and the value of one contestant in a process of its own."""
    warm = "bins=100" if who.startswith("tradeoff") else ""
    program = PROGRAM.format(work=CONTESTANTS[who], warm=warm)
    done = subprocess.run(
        [sys.executable, "-c", program, str(warming(path)), str(path), AREA],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    return json.loads(done.stdout.splitlines()[-1])


def contest(path, whos, times):
    """Medians of seconds, the largest memory and the last value of each, run in turn."""
    found = {who: [] for who in whos}
    for _ in range(times):
        for who in whos:
            found[who].append(run(who, path))
    return {
        who: (median(r[0] for r in own), max(r[1] for r in own), own[-1][2])
        for who, own in found.items()
    }


def growth(folder, sizes, times):
    """Seconds a million rows, by the number of rows, over those of the largest."""
    found = {}
    for size in sizes:
        path = parquet(folder / f"{size}.parquet", size)
        found[size] = contest(path, ["tradeoff", "tradeoff exact", "polars"], times)
        path.unlink()
    return found


def growth_table(found, whole, sizes, size):
    lines = []
    for who in ("tradeoff", "tradeoff exact", "polars"):
        largest = whole[who][0] / size
        ratios = [f"{found[own][who][0] / own / largest:.2f}" for own in sizes]
        lines.append(f"| {who} | {' | '.join(ratios)} | 1 |")
    names = " | ".join(f"{own:,} rows" for own in [*sizes, size])
    head = [f"| time a row | {names} |", "|---" * (len(sizes) + 2) + "|"]
    return "\n".join([*head, *lines])


def claims(whole, lines, few):
    """What was measured, and what is wanted of it; the areas must agree."""
    seconds = {who: own[0] for who, own in whole.items()}
    gigabytes = {who: own[1] / 1e9 for who, own in whole.items()}
    (exact, _), (about, within) = whole["tradeoff exact"][2], whole["tradeoff"][2]
    if abs(exact - whole["duckdb"][2]) > 1e-12 or abs(exact - about) > within:
        sys.exit(f"The areas differ: {exact}, {whole['duckdb'][2]}, {about} ± {within}.")
    ours, twice, read = seconds["tradeoff"], seconds["tradeoff exact"], seconds["polars"]
    sql = seconds["duckdb"]
    return [
        ("evaluation over polars reading the two columns", ours / read, "≤ 2.5"),
        ("DuckDB's SQL for the exact area over evaluation", sql / ours, "≥ 3"),
        ("the same over evaluation with the exact area", sql / twice, "≥ 3"),
        ("evaluation with the exact area over polars reading", twice / read, ""),
        ("peak memory, GB", gigabytes["tradeoff"], "≤ 2"),
        ("peak memory with the exact area, GB", gigabytes["tradeoff exact"], "≤ 2"),
        ("peak memory of polars, GB", gigabytes["polars"], ""),
        ("what is certain of the area, ± millionths", 1e6 * within, ""),
        (
            f"CSV of {few:,} rows: evaluation over polars reading it",
            lines["tradeoff"][0] / lines["polars csv"][0],
            "",
        ),
        ("CSV: peak memory, GB", lines["tradeoff"][1] / 1e9, ""),
    ]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    options.add_argument("--rows", type=int, default=100_000_000)
    options.add_argument("--times", type=int, default=5)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        path = parquet(folder / "rows.parquet", asked.rows)
        whole = contest(path, ["polars", "tradeoff", "tradeoff exact"], asked.times)
        whole |= contest(path, ["duckdb"], 1)
        sizes = [asked.rows // 100, asked.rows // 10]
        grown = growth(folder, sizes, asked.times)
        path.unlink()
        small = parquet(folder / "small.parquet", asked.rows // 10)
        lines = contest(csv(folder / "small.csv", small), ["polars csv", "tradeoff"], 3)
    table = summary_table(claims(whole, lines, asked.rows // 10))
    table += "\n\n" + growth_table(grown, whole, sizes, asked.rows)
    print(table)
    if asked.write:
        write("scale", table)


if __name__ == "__main__":
    main()
