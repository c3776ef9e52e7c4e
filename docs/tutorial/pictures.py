"""Draw the pictures of the tutorial: `python docs/tutorial/pictures.py`.

The rows are those of the pages, so the pictures are the same everywhere.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import tradeoff as to
from tradeoff.comparison.views import differences_chart
from tradeoff.evaluation.charts import evaluation_chart
from tradeoff.render.matplotlib.figures import save_charts

if TYPE_CHECKING:
    from tradeoff.render.chart import Chart

HERE = Path(__file__).parent / "pictures"
PATIENTS = Path(__file__).parents[2] / "tests" / "golden" / "data" / "proc_aSAH_data.csv"
DPI = 80
MAX_BYTES = 80_000
"""Maximum size of a picture in bytes, as every clone contains the pictures."""
SIZES = {"profit": (7.2, 4.6)}
"""Sizes in inches of pictures whose text needs more room than usual."""
NINETEEN = (
    *(".95+", ".93+", ".93-", ".88+", ".86+", ".85+", ".82+", ".80+", ".80-", ".79+"),
    *(".77-", ".76+", ".73+", ".65-", ".63+", ".58-", ".56+", ".49-", ".48+"),
)
RESPONDERS = (300, 200, 150, 110, 80, 60, 40, 30, 20, 10)
"""Responders among the 500 customers in each decile, highest scores first."""
FOUR = {"A": (0.28, 0.63), "B": (0.77, 0.77), "C": (0.88, 0.24), "D": (0.12, 0.76)}
"""False and true positive rate of each classifier."""


def weather() -> to.Evaluation:
    """The fourteen days, as Weka's naive Bayes scored them."""
    path = files("tradeoff.data") / "weather_predictions.csv"
    evaluation = to.evaluate(path, actual="actual", score="score_pos", positive="yes")
    return to.Evaluation({"naive Bayes": evaluation.ranking})


def five() -> to.Evaluation:
    """Five rows, to be worked through by hand."""
    scores = {"five rows": [0.44, 0.29, 0.98, 0.69, 0.07]}
    return to.evaluate(actual=[1, 0, 1, 0, 1], score=scores)


def nineteen() -> to.Evaluation:
    """Nineteen ranked predictions with two tied pairs."""
    scores = {"nineteen rows": [float(row[:-1]) for row in NINETEEN]}
    return to.evaluate(actual=[row[-1] for row in NINETEEN], score=scores, positive="+")


def letters() -> to.Evaluation:
    """The response model, with counts by decile."""
    return to.evaluate(
        actual=["responds", "does not"] * 10,
        score={"response model": [s for s in range(10, 0, -1) for _ in range(2)]},
        weight=[count for responders in RESPONDERS for count in (responders, 500 - responders)],
        positive="responds",
    )


def charts() -> dict[str, Chart]:
    """The pictures by file name."""
    rows, campaign = nineteen(), to.Costs(contact=1, true_positive=-8)
    patients = {"actual": "poor", "positive": 1}
    markers = to.evaluate(PATIENTS, score=["s100b", "ndka"], **patients)
    comparison = to.compare(PATIENTS, score=["s100b", "ndka", "wfns"], **patients)
    cross_validation = to.cross_validate(
        PATIENTS,
        actual="poor",
        models=["logistic"],
        folds=5,
        leave_out=["outcome", "gos6"],
        jobs=1,
    )
    return {
        "weather-roc": evaluation_chart(weather(), "roc", threshold=0.5),
        "five-roc": evaluation_chart(five(), "roc", threshold=0.5),
        "nineteen-roc": evaluation_chart(rows, "roc", threshold=0.8),
        "nineteen-scores": evaluation_chart(rows, "scores", threshold=0.8, bins=10),
        "nineteen-band": evaluation_chart(
            rows, "scores", undecided=rows.best_band(gamma=2).band, bins=10
        ),
        "gains": evaluation_chart(letters(), "gains"),
        "profit": evaluation_chart(letters(), "profit", costs=campaign, threshold=6),
        "cost-by-threshold": evaluation_chart(
            markers["s100b"], "decision", costs=to.Costs(false_negative=5)
        ),
        "hull": evaluation_chart(markers, "hull", costs=to.Costs(false_negative=2)),
        "differences": differences_chart(comparison.differences()),
        "folds": evaluation_chart(cross_validation.evaluation, "folds"),
    }


def four_points(path: Path) -> None:
    """Four classifiers as points in ROC space, and an arrow from C to its opposite, D."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 4.4), layout="constrained")
    ax = figure.subplots()
    ax.plot([0, 1], [0, 1], "--", color="0.5", linewidth=1)
    ax.text(0.6, 0.55, "guessing", rotation=45, ha="center", va="center", color="0.35")
    arrow_style = {
        "arrowstyle": "->",
        "connectionstyle": "arc3,rad=-0.35",
        "shrinkA": 7,
        "shrinkB": 7,
    }
    ax.annotate("", FOUR["D"], FOUR["C"], arrowprops={**arrow_style, "color": "0.35"})
    ax.text(0.55, 0.16, "the opposite of C", ha="center", color="0.35")
    for name, (fpr, tpr) in FOUR.items():
        ax.plot(fpr, tpr, "o", color="C0", markersize=9)
        ax.annotate(name, (fpr, tpr), (9, -12), textcoords="offset points", fontsize=13)
    for x, y, label in ((0.0, 1.0, "perfect"), (1.0, 0.0, "always wrong")):
        side = "left" if x == 0 else "right"
        ax.annotate(label, (x, y), (0, 4), textcoords="offset points", ha=side, color="0.35")
    ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.06), aspect="equal")
    ax.set(xlabel="false positive rate", ylabel="true positive rate")
    figure.savefig(path, dpi=DPI, metadata={"Software": None})


def main() -> None:
    """Draw all pictures and print their sizes."""
    HERE.mkdir(exist_ok=True)
    for name, chart in charts().items():
        save_charts(chart, HERE / f"{name}.png", size=SIZES.get(name), dpi=DPI)
    four_points(HERE / "four-points.png")
    for path in sorted(HERE.glob("*.png")):
        size = path.stat().st_size
        print(f"{path.name}: {size:,} bytes")
        if size > MAX_BYTES:
            raise SystemExit(f"{path.name} is larger than {MAX_BYTES:,} bytes.")


if __name__ == "__main__":
    main()
