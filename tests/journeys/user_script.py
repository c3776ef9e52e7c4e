"""A user's script that calls every public function; `make test` checks its types strictly."""

import tempfile
from pathlib import Path

import numpy as np
import polars as pl

import tradeoff as to

rng = np.random.default_rng(0)
y = rng.integers(0, 2, 200)
scores = {
    name: np.clip(0.3 * y + share * rng.random(200), 0, 1)
    for name, share in (("new", 0.6), ("old", 0.7))
}
table = {"y": y.tolist(), "fold": [1, 2] * 100, "segment": ["a", "b", "c", "d"] * 50}
costs = to.Costs(fp=1, fn=5)


def evaluate() -> float:
    """One model: metrics, curves, thresholds and charts."""
    e: to.Evaluation = to.evaluate(
        y, scores["new"], fold=table["fold"], segment=table["segment"], costs=costs
    )
    auc: to.Estimate = e.auc
    assert float(auc) > 0.5 and round(auc, 1) <= 1 and auc > 0.5 and f"{auc:.3f}"  # noqa: PT018
    matrix: to.ConfusionMatrix = e.at(0.5)
    recall: float = e.metric("recall", threshold=0.4, level=0.9).value
    f2 = (
        e.metric("f_measure", beta=2),
        e.summary("partial_auc", high=0.2),
        e.estimate("lift", at=("depth", 0.1)),
    )
    curve: to.Curve = e.curve("dca", standardized=True)
    decision: to.Decision = e.best(costs=costs)
    gains: to.Gains = e.gains(groups=5, costs=to.Costs(contact=1, value=3), check=False)
    earned: float = gains.profit
    misses: to.OutcomeRows = to.outcome_rows(y, scores["new"], outcome="fn", nearest=3)
    errors: to.OutcomeRows = to.class_rows(actual=y, predicted=y, unit="customers")
    assert earned == gains.best.profit
    assert len(misses) <= 3
    assert not len(errors)
    band: to.BandDecision = e.best_band(gamma=2)
    calibration: to.Calibration = e.calibration(bins=5)
    segments: list[to.BySegment] = to.by_segment(e, ["auc", "recall"])
    hull: to.Hull = to.hull([e, matrix])
    points: to.RocPoints = to.roc_points({"rule": (0.28, 0.63), "e": matrix})
    asah: to.DataSet = to.datasets.load("asah")
    assert len(points.points) + len(asah["poor"]) == 115
    average: to.AverageCurve = e.average("roc")
    pieces = [matrix, curve, decision, band, calibration, hull, average, e.smooth(), *segments, *f2]
    apart: to.ComparisonSummary = to.compare_segments(e.segments["score"])
    return recall + len([*pieces, apart]) + to.auc(y, scores["new"])


def compare() -> bool:
    """Two models: differences, folds, tools, checks and the gate."""
    c: to.Comparison = to.compare(y, scores)
    rankings = to.evaluate(y, scores).rankings
    e = to.evaluate(y, scores, threshold={"new": 0.4, "old": 0.3})
    used: to.OperatingThreshold = e.operating_thresholds["new"]
    ranked: to.Decisions = e.thresholds(costs=costs)
    best: to.Decision = ranked.best
    own = c.difference("new", "old", "recall", at=("threshold", {"new": 0.4, "old": 0.3}))
    assert (used.reason, len(ranked), best.threshold <= 1, own.is_defined) == (
        "given",
        2,
        True,
        True,
    )
    differences: list[to.Difference] = c.differences("brier")
    other: to.Difference = to.difference(rankings["new"], rankings["old"])
    folds = [0.8, 0.82, 0.81, 0.79, 0.8], [0.75, 0.8, 0.78, 0.79, 0.77]
    tests = (
        to.corrected_t(*folds),
        to.bayesian_rope(*folds, 0.01),
        to.five_by_two([folds[0][:2]] * 5, [folds[1][:2]] * 5),
    )
    tools: to.ToolComparison = to.compare_tools(rankings["new"], "scikit-learn")
    theirs: to.Estimate = to.compat(rankings["new"], "sklearn:roc_auc_score")
    points = to.compat_curve(rankings["new"], "sklearn:roc_curve")
    checked: to.CheckedRows = to.check(y, scores["new"])
    overview: to.Overview = to.look(pl.DataFrame({"y": y, "p": scores["new"]}), positive=1)
    tables = [pl.DataFrame({"y": y, "p": scores[name]}) for name in ("old", "new")]
    gate: to.Gates = to.gate(*tables, actual="y", score="p", margin=0.05, at_least={"auc": 0.5})
    months = {"then": tables[0], "now": tables[1]}
    samples: to.SampleComparison = to.compare_samples(months, "p", actual="y")
    results = (
        differences,
        other,
        tests,
        tools,
        theirs,
        points,
        checked,
        gate,
        samples,
        overview.rows,
    )
    return all(map(bool, results))


def others() -> int:
    """Several classes, counts, plans, scikit-learn and files."""
    m: to.MultiClass = to.evaluate_classes(
        ["a", "b", "a"], {"a": [0.7, 0.2, 0.6], "b": [0.3, 0.8, 0.4]}
    )
    labels: to.LabelEvaluation = to.evaluate_labels(y, {"a": y, "b": scores["new"] > 0.5})
    compared: to.LabelComparison = labels.compare()
    counts = to.matrix_of_counts([[3, 1, 0], [0, 2, 1], [1, 0, 4]], ["a", "b", "c"])
    predicted = to.confusion_matrix(y, scores["new"] > 0.5)
    assert isinstance(counts, to.ClassMatrix) and isinstance(predicted, to.ConfusionMatrix)  # noqa: PT018
    macro: to.Estimate = to.average(counts, "recall", "macro")
    by_class: dict[str, to.Estimate] = to.by_class(counts, "f1")
    rankings = to.ranking_of_matrix(predicted), to.ranking_of_ratings([3, 2, 9], [9, 4, 1])
    rule = to.map_rule([[0.3, 0.2], [0.1, 0.4]], ["a", "b"])
    plans: list[to.Plan] = [
        to.plan_auc(auc=0.8, power=0.9, prevalence=0.2),
        to.plan_auc_difference(first=0.8, second=0.7, power=0.8, ratio=1),
        to.plan_share(share=0.8, half_width=0.05),
    ]
    scorers = [to.scorer("f_measure", beta=2), *to.scorers("auc", "brier").values()]
    display: to.RocCurveDisplay = to.RocCurveDisplay.from_predictions(
        y, scores["new"], threshold=0.5
    )
    to.page(Path(tempfile.mkdtemp(), "judge.html"))
    results = [m, labels, compared, macro, by_class, rankings, rule, *plans, *scorers]
    return len([*results, display.plot()])


def learn(data: Path) -> str:
    """From a table to a tracked cross-validation."""
    v: to.CrossValidation = to.cross_validate(data, actual="play", positive="yes", folds=2, jobs=1)
    return to.log_to_mlflow(v, report=False)


if __name__ == "__main__":
    print(evaluate(), compare(), others())  # noqa: T201
