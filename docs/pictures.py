"""Draw the pictures of the documentation: `python docs/pictures.py`.

The data are simulated with a fixed seed, so that the pictures are the same everywhere.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import tradeoff as to
from tradeoff.comparison.views import differences_chart
from tradeoff.evaluation.charts import evaluation_chart
from tradeoff.render.matplotlib.figures import save_charts

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart

HERE = Path(__file__).parent / "pictures"
DPI = 80
MAX_BYTES = 60_000
"""Maximum size of a picture in bytes, as every clone contains the pictures."""


def customers(rows: int = 1200) -> dict[str, object]:
    """Customers who bought or did not, scored by two models, in six folds."""
    random = np.random.default_rng(7)
    bought = random.random(rows) < 0.25
    taste = random.normal(size=rows) + 1.4 * bought
    models = {
        "forest": 1 / (1 + np.exp(-(1.6 * taste - 2.2 + random.normal(0, 0.5, rows)))),
        "naive_bayes": 1 / (1 + np.exp(-(2.4 * taste - 3.4 + random.normal(0, 1.9, rows)))),
    }
    return {
        "actual": np.where(bought, "bought", "did not"),
        "score": models,
        "positive": "bought",
        "fold": np.arange(rows) % 6,
    }


def charts() -> dict[str, Chart]:
    """The pictures by file name."""
    data = customers()
    both = to.evaluate(**data)
    one = both["forest"]
    costs = to.Costs(false_negative=4)
    comparison = to.compare(**{k: v for k, v in data.items() if k != "fold"})
    return {
        "roc": evaluation_chart(both, "roc", by="youden"),
        "roc_hull": evaluation_chart(both, "hull", costs=costs),
        "folds": evaluation_chart(one, "folds"),
        "gains": evaluation_chart(both, "gains"),
        "scores": evaluation_chart(one, "scores", by="cost", costs=costs),
        "calibration": evaluation_chart(both["naive_bayes"], "calibration"),
        "decision": evaluation_chart(one, "decision", costs=costs),
        "matrix": evaluation_chart(one, "matrix", by="cost", costs=costs),
        "decision_map": evaluation_chart(both, "decision_map"),
        "differences": differences_chart(comparison.differences()),
    }


def reports() -> None:
    """Screenshots of the report, light and dark, as a reader first sees it."""
    from playwright.sync_api import sync_playwright

    data = customers()
    comparison = to.compare(**{k: v for k, v in data.items() if k != "fold"})
    costs = to.Costs(false_negative=4)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        to.evaluate(**data, costs=costs, unit="customers").report(
            path, comparison=comparison, title="Who will buy?"
        )
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for name, height, scheme in (("report", 1400, "light"), ("report_dark", 1060, "dark")):
            size = {"width": 1280, "height": height}
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            if scheme == "dark":
                page.check("#band")
                page.wait_for_timeout(300)
            page.screenshot(path=HERE / f"{name}.png")
        browser.close()


def main() -> None:
    """Draw all pictures and print their sizes."""
    HERE.mkdir(exist_ok=True)
    reports()
    for name, chart in charts().items():
        save_charts(chart, HERE / f"{name}.png", dpi=DPI)
    both = to.evaluate(**customers())
    save_charts(both.chart("precision_recall"), HERE / "paper.png", dpi=1.5 * DPI, style="paper")
    for path in sorted(HERE.glob("*.png")):
        size, max_size = path.stat().st_size, MAX_BYTES * (4 if "report" in path.name else 1)
        print(f"{path.name}: {size:,} bytes")
        if size > max_size:
            raise SystemExit(f"{path.name} is larger than {max_size:,} bytes.")


if __name__ == "__main__":
    main()
