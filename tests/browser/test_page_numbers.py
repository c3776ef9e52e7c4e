"""Wherever the threshold is put, a report shows the numbers of the library."""

import re

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame, open_everything, rest
from browser.reports import CELLS, EVALUATIONS, as_costs, bleeding, cells
from tradeoff import formatting
from tradeoff.calibration.reliability import reliability
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metrics_with_intervals

pytestmark = pytest.mark.browser

SINGLE = ["nominal", "probabilities", "weighted", "lower", "thinned", "infinite"]
MODELS = [("bleeding", name) for name in ("s100b", "ndka", "wfns")] + [(n, None) for n in SINGLE]

STOP = """() => {
    const { matrix, selection, ranking, costs } = tradeoff.view();
    const texts = (name) => [...document.querySelectorAll(`#matrix .${name}`)].map((n) => n.textContent);
    return {
        place: selection.upper, matrix, threshold: ranking.thresholds[selection.upper],
        values: tradeoff.catalogue.values(matrix),
        shown: texts("count"), percent: texts("percent"),
        cost: Rankings.totalCost(matrix, costs),
    };
}"""  # noqa: E501
WALK = f"""({{ active, step }}) => {{
    tradeoff.state().active = active;
    tradeoff.show(true);
    const stops = [];
    for (let place = 0; place <= tradeoff.rankings[active].last; place += step) {{
        tradeoff.moveThreshold("upper", place);
        tradeoff.show(false);
        stops.push(({STOP})());
    }}
    return stops;
}}"""
WALK_BANDS = f"""(pairs) => pairs.map(([upper, lower]) => {{
    tradeoff.moveThreshold("upper", 0);
    tradeoff.moveThreshold("lower", lower);
    tradeoff.moveThreshold("upper", upper);
    tradeoff.show(false);
    return ({STOP})();
}})"""
ESTIMATES = """(indices) => indices.map(([upper, lower]) => {
    tradeoff.moveThreshold("upper", 0);
    if (tradeoff.view().band) tradeoff.moveThreshold("lower", lower);
    tradeoff.moveThreshold("upper", upper);
    tradeoff.show(false);
    const { matrix, context } = tradeoff.view();
    return tradeoff.catalogue.estimates(matrix, context);
})"""


def ranking_of(name, model=None):
    evaluation = EVALUATIONS[name]()
    return (evaluation[model] if model else evaluation[next(iter(evaluation))]).ranking


def amounts(counts, *, is_counted):
    """Counts as the matrix shows them: whole, or sums of weights with five or six digits."""
    order = ["tp", "fn", "rp", "fp", "tn", "rn"]
    if not counts["rp"] + counts["rn"]:
        order = ["tp", "fn", "fp", "tn"]
    return [size(counts[key], is_counted=is_counted) for key in order]


def size(count, *, is_counted):
    if is_counted:
        whole = int(count + 0.5)
        return "<1" if whole == 0 and count > 1e-9 else formatting.format_count(whole)
    return formatting.format_count(float(f"{count:.{6 if count >= 1e5 else 5}g}"))


def check(stops, expected):
    """Every stop has the cells that are expected, and all metrics of these cells."""
    page_counts = {key: np.array([stop["matrix"][key] for stop in stops]) for key in CELLS}
    library_counts = {key: np.array([matrix[key] for matrix in expected]) for key in CELLS}
    for key in CELLS:
        np.testing.assert_allclose(
            page_counts[key], library_counts[key], rtol=1e-12, atol=1e-9, err_msg=key
        )
    counts = {name: page_counts[key] for key, name in CELLS.items()}
    scale = np.array([stop["matrix"].get("scale", 1.0) for stop in stops])
    squares = None
    if "scale" in stops[0]["matrix"]:
        squares = to.ConfusionMatrix(**{name: column / scale for name, column in counts.items()})
    matrices = to.ConfusionMatrix(**counts, squares=squares)
    for name, measure in to.METRICS.items():
        page_values = np.array([stop["values"][name] for stop in stops])
        with np.errstate(all="ignore"):
            library_values = np.broadcast_to(measure(matrices), page_values.shape)
        np.testing.assert_allclose(
            page_values, library_values, rtol=1e-12, atol=1e-12, err_msg=name
        )


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_at_every_threshold_matrix_metrics_and_costs_are_the_librarys(visit, name, model):
    page = visit(name)
    ranking = ranking_of(name, model)
    active = list(EVALUATIONS[name]()).index(model) if model else 0
    stops = ask(page, WALK, {"active": active, "step": 60 if name == "thinned" else 1})
    matrices = [
        ranking.at(stop["threshold"]) if stop["place"] else ranking.at_place(0) for stop in stops
    ]
    expected = [cells(matrix) for matrix in matrices]

    assert len(stops) == (len(ranking) if name != "thinned" else len(stops)) > 4
    check(stops, expected)
    for stop, matrix, counts in zip(stops, matrices, expected, strict=True):
        effective = stop["matrix"].get("scale", 1.0) * float(matrix.decided)
        assert effective == pytest.approx(float(matrix.effective_decided))
        assert stop["shown"] == amounts(counts, is_counted=ranking.is_counted)
        assert stop["percent"][0] == formatting.format_percent(
            counts["tp"] / float(matrix.positives)
        )
        assert stop["cost"] == pytest.approx(float(to.Costs().total(matrix)))


@pytest.mark.parametrize(
    ("name", "prevalence", "population"),
    [("bleeding", 2, 100_000), ("nominal", 90, 1000), ("weighted", 12.5, 500), ("lower", 50, 64)],
)
def test_matrix_and_costs_follow_a_typed_prevalence_and_population(
    visit, name, prevalence, population
):
    page = visit(name)
    open_everything(page)
    for field, value in {"prevalence": prevalence, "population": population}.items():
        page.fill(f"#{field}", str(value))
    page.fill("#fn", "7.5")
    page.fill("#tp", "-2")
    frame(page)
    stops = ask(page, WALK, {"active": 0, "step": 1})
    ranking = ranking_of(name).at_prevalence(prevalence / 100)
    matrices = [ranking.at_place(place) for place in range(len(ranking))]
    factor = population / float(matrices[0].rows)

    check(stops, [cells(matrix, factor) for matrix in matrices])
    costs = as_costs(fn=7.5, tp=-2)
    for stop, matrix in zip(stops, matrices, strict=True):
        assert stop["cost"] == pytest.approx(float(costs.total(matrix)) * factor)


@pytest.mark.parametrize("name", ["bleeding", "weighted", "lower"])
def test_rows_between_two_thresholds_are_undecided(visit, name):
    page = visit(name)
    open_everything(page)
    page.check("#band")
    page.fill("#rp", "0.25")
    page.fill("#rn", "0.5")
    frame(page)
    ranking = ranking_of(name)
    places = range(0, len(ranking), 7)
    pairs = [(upper, lower) for upper in places for lower in places if upper < lower]
    stops = ask(page, WALK_BANDS, pairs)
    matrices = [ranking.banded(upper, lower) for upper, lower in pairs]

    check(stops, [cells(matrix) for matrix in matrices])
    costs = as_costs(rp=0.25, rn=0.5)
    for stop, matrix in zip(stops, matrices, strict=True):
        assert stop["shown"] == amounts(cells(matrix), is_counted=ranking.is_counted)
        assert stop["cost"] == pytest.approx(float(costs.total(matrix)))


# Intervals


def assert_equal_estimates(page_estimates, library_estimates, place):
    for name, estimate in library_estimates.items():
        shown = page_estimates[name]
        limits = (shown["value"], shown["low"], shown["high"])
        expected = (estimate.value, estimate.low, estimate.high)
        assert limits == pytest.approx(expected, rel=1e-8, abs=1e-10, nan_ok=True), (place, name)


@pytest.mark.parametrize("prevalence", [None, 0.04])
@pytest.mark.parametrize("name", ["bleeding", "churn", "probabilities", "weighted", "lower"])
def test_every_interval_at_a_threshold_is_the_librarys(visit, name, prevalence):
    page = visit(name, "" if prevalence is None else f"#prevalence={prevalence}")
    page.evaluate("() => { tradeoff.state().active = 0; tradeoff.show(true); }")
    ranking = ranking_of(name).at_prevalence(prevalence)
    places = [int(place) for place in np.linspace(0, len(ranking) - 1, 9)]
    answers = ask(page, ESTIMATES, [(place, place) for place in places])

    for place, answer in zip(places, answers, strict=True):
        matrix = ranking.at_place(place)
        right = metrics_with_intervals(to.METRICS.values(), matrix, Confidence())
        # The page knows the costs that are typed.
        costs = EVALUATIONS[name]().costs.get(ranking.name, to.Costs())
        del right["expected_cost"]
        value = float(costs.total(matrix)) / float(matrix.rows)
        assert answer["expected_cost"]["value"] == pytest.approx(value)
        assert_equal_estimates(answer, right, place)


def test_every_interval_of_a_reject_band_is_the_librarys(visit):
    page = visit("probabilities", "#threshold=0.6&lower=0.3")
    ranking = ranking_of("probabilities")
    places = range(0, len(ranking), 12)
    pairs = [(upper, lower) for upper in places for lower in places if upper < lower]
    answers = ask(page, ESTIMATES, pairs)

    for (upper, lower), answer in zip(pairs, answers, strict=True):
        matrix = ranking.banded(upper, lower)
        right = metrics_with_intervals(to.METRICS.values(), matrix, Confidence())
        del right["expected_cost"]
        assert_equal_estimates(answer, right, (upper, lower))


def test_intervals_are_those_of_single_metrics_too(visit):
    """Such as `tradeoff evaluate --metric lift`, which once was bootstrapped."""
    page = visit("bleeding", "#model=s100b&threshold=0.2")
    (answer,) = ask(page, ESTIMATES, [[bleeding()["s100b"].ranking.index(0.2)] * 2])
    right = {name: bleeding()["s100b"].metric(name, 0.2) for name in ("lift", "precision", "f1")}

    for name, estimate in right.items():
        shown = answer[to.METRICS.find(name).name]
        assert (shown["low"], shown["high"]) == pytest.approx((estimate.low, estimate.high))


# Summaries and charts


@pytest.mark.parametrize("name", ["nominal", "probabilities", "bleeding", "weighted"])
@pytest.mark.parametrize("prevalence", [0.01, 0.7])
def test_summaries_follow_the_prevalence(visit, name, prevalence):
    page = visit(name, f"#prevalence={prevalence}")
    evaluation = EVALUATIONS[name]()
    models = ask(
        page,
        """(prevalence) => tradeoff.rankings.map((ranking) => {
            const all = !ranking.undecidedPositives && !ranking.undecidedNegatives;
            const mixed = ranking.model.summaries.filter((one) => all && one.means);
            const values = mixed.map(({ name, means: [positive, negative] }) =>
                [name, prevalence * positive + (1 - prevalence) * negative]);
            values.push(["average_precision", Rankings.averagePrecision(ranking, prevalence)]);
            return Object.fromEntries(values);
        })""",
        prevalence,
    )

    for model, page_values in zip(evaluation, models, strict=True):
        ranking = evaluation[model].ranking.at_prevalence(prevalence)
        for summary, value in page_values.items():
            right = to.SUMMARIES[summary].estimate(ranking).value
            assert value == pytest.approx(right, rel=1e-9)


def test_charts_follow_the_prevalence(visit):
    page = visit("probabilities", "#prevalence=0.1&population=5000&fn=4")
    ranking = ranking_of("probabilities").at_prevalence(0.1)
    chart_points = ask(
        page,
        """(names) => names.map((name) => {
            const view = tradeoff.view();
            const { xs, ys } = Charts.ALL[name](view).points;
            const at = (column, index) => (column.get ? column.get(index) : column[index]);
            const indices = [...view.ranking.thresholds.keys()];
            return indices.map((index) => [at(xs, index), at(ys, index)]);
        })""",
        ["roc", "precisionRecall", "gains", "lift"],
    )
    matrix = ranking.confusion
    with np.errstate(all="ignore"):
        tpr, fpr, precision, depth, lift = (
            to.METRICS[name](matrix) for name in ("tpr", "fpr", "precision", "depth", "lift")
        )
    expected = [(fpr, tpr), (tpr, precision), (depth, tpr), (depth, lift)]

    for points, (x, y) in zip(chart_points, expected, strict=True):
        np.testing.assert_allclose(points, np.column_stack([x, y]), rtol=1e-9, atol=1e-12)


def test_the_cost_at_every_threshold_follows_the_prevalence(visit):
    page = visit("probabilities", "#prevalence=0.1&population=5000&fn=4")
    ranking = ranking_of("probabilities").at_prevalence(0.1)
    costs = ask(
        page,
        """() => {
            const { ranking, costs, prior } = tradeoff.view();
            return [...Rankings.totalCosts(ranking, costs, prior)];
        }""",
        None,
    )

    right = as_costs(fn=4).totals(ranking) * 5000 / float(ranking.total)
    np.testing.assert_allclose(costs, right, rtol=1e-9, atol=1e-12)


def test_calibration_follows_the_prevalence(visit):
    page = visit("probabilities", "#prevalence=0.1")
    line = ask(
        page,
        """() => {
            const { xs, ys } = Charts.ALL.calibration(tradeoff.view()).layers.at(-1);
            return xs.map((x, index) => [x, ys[index]]);
        }""",
        None,
    )
    right = reliability(ranking_of("probabilities").at_prevalence(0.1), bands=None)

    np.testing.assert_allclose(line, np.column_stack([right.scores, right.fitted]), atol=2e-6)


# Metrics


def all_metrics(page):
    page.locator("#tab-metrics").click()
    open_everything(page)
    return page


def test_the_expected_cost_metric_uses_the_typed_costs(visit):
    page = all_metrics(visit("bleeding", "#threshold=0.2&fn=5&fp=2&tn=-1"))
    costs = as_costs(fn=5, fp=2, tn=-1)
    right = formatting.format_number(
        bleeding()["s100b"].metric("expected_cost", 0.2, level=None, costs=costs).value
    )
    row = page.locator("table.metrics tr", has_text=re.compile("^expected cost"))

    rest(page)
    assert row.locator("td").first.text_content() == right


def test_intervals_are_updated_while_the_threshold_moves(visit):
    page = all_metrics(visit("bleeding"))
    limits = page.locator("table.metrics tr", has_text=re.compile("^F1")).locator("td").nth(1)
    moving = page.evaluate(
        """() => {
            tradeoff.moveThreshold("upper", 20);
            tradeoff.show(false);
            const rows = [...document.querySelectorAll("table.metrics tbody tr")];
            return rows.find((row) => row.textContent.startsWith("F1")).cells[2].textContent;
        }"""
    )
    rest(page)

    assert re.fullmatch(r"0\.\d{4} to 0\.\d{4}", moving)
    assert limits.first.text_content() == moving
