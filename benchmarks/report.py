"""The report on three models of a million rows each: how large, how soon written, how quick to use.

`--write` keeps the table in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np
from measuring import keep_memory, summary_table, timed, write
from playwright.sync_api import sync_playwright

import tradeoff as to

ROWS, MODELS, RUNS = 1_000_000, {"forest": 1.9, "logistic": 1.5, "rules": 1.0}, 7
MOVES = """() => {
  const { state, rankings, show } = tradeoff;
  const { last } = rankings[0];
  return Array.from({ length: 200 }, (_, at) => {
    const place = Math.floor((last * at) / 200);
    const start = performance.now();
    state().lines[0] = { upper: place, lower: place };
    show(false);
    document.body.getBoundingClientRect(); // the browser must lay it out, too
    return performance.now() - start;
  });
}"""
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]


def data():
    rng = np.random.default_rng(1)
    actual = rng.random(ROWS) < 0.1
    return actual, {
        name: 1 / (1 + np.exp(2.2 - rng.normal(size=ROWS) - apart * actual))
        for name, apart in MODELS.items()
    }


def generated(path):
    """Seconds to rank the rows, and to make the report of the rankings, with differences."""
    actual, scores = data()
    ranked = timed(lambda: to.evaluate(actual=actual, score=scores))
    evaluation = to.evaluate(actual=actual, score=scores)
    comparison = to.compare(actual=actual, score=scores)
    made = median(
        timed(lambda: evaluation.report(path, comparison=comparison)) for _ in range(RUNS)
    )
    return ranked, made


def browsed(path):
    """Milliseconds until the page can be used, and of a move of the threshold."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        ready, moves = [], []
        for _ in range(RUNS):
            page = browser.new_page()
            start = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_function("document.documentElement.dataset.took !== undefined")
            ready.append(1000 * (time.perf_counter() - start))
            moves += page.evaluate(MOVES)
            page.close()
        browser.close()
    return median(ready), median(moves), float(np.quantile(moves, 0.95))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--write", action="store_true")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        ranked, made = generated(path)
        size = path.stat().st_size / 1000
        ready, move, slow = browsed(path)
    table = summary_table(
        [
            ("size of the file, kB", size, "≤ 300"),
            ("to rank the rows of all three, s", ranked, ""),
            ("to make the report of the rankings, with differences, s", made, "≤ 2"),
            ("until the page can be used, ms", ready, "≤ 500"),
            ("a move of the threshold, median, ms", move, "≤ 16"),
            ("a move of the threshold, 19 of 20 are quicker, ms", slow, "≤ 16"),
        ]
    )
    print(table)
    if asked.write:
        write("report", table)


if __name__ == "__main__":
    keep_memory()
    main()
