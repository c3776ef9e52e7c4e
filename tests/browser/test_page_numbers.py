"""Wherever the line is put, a report shows the numbers of the library."""

import re

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame, rest
from browser.reports import CELLS, EVALUATIONS, as_costs, bleeding, bleeding_compared, cells
from tradeoff import formatting
from tradeoff.calibration.reliability import reliability
from tradeoff.formatting import format_p_value
from tradeoff.measures.estimate import Estimate
from tradeoff.render.estimate_text import format_estimate, format_interval
from tradeoff.uncertainty.confidence import Confidence
from tradeoff.uncertainty.metric_intervals import metrics_with_intervals

pytestmark = pytest.mark.browser

SINGLE = ["nominal", "probabilities", "weighted", "lower", "thinned", "infinite"]
MODELS = [("bleeding", name) for name in ("s100b", "ndka", "wfns")] + [(n, None) for n in SINGLE]
SEGMENT_METRICS = ("true_positive_rate", "false_positive_rate", "precision", "accuracy")

WALK = """({ active, step }) => {
    tradeoff.state().active = active;
    tradeoff.show(true);
    const { last, thresholds } = tradeoff.rankings[active];
    const seen = [];
    for (let place = 0; place <= last; place += step) {
        tradeoff.moveThreshold("upper", place);
        tradeoff.show(false);
        const { matrix } = tradeoff.view();
        seen.push({
            place, matrix, threshold: thresholds[place],
            values: tradeoff.catalogue.values(matrix),
            shown: [...document.querySelectorAll("#matrix .count")].map((n) => n.textContent),
            percent: [...document.querySelectorAll("#matrix .percent")].map((n) => n.textContent),
            money: document.querySelector("#costs").textContent,
        });
    }
    return seen;
}"""
WALK_BANDS = """(pairs) => pairs.map(([upper, lower]) => {
    tradeoff.moveThreshold("upper", 0);
    tradeoff.moveThreshold("lower", lower);
    tradeoff.moveThreshold("upper", upper);
    tradeoff.show(false);
    const { matrix } = tradeoff.view();
    return {
        place: upper, matrix, values: tradeoff.catalogue.values(matrix),
        shown: [...document.querySelectorAll("#matrix .count")].map((n) => n.textContent),
        money: document.querySelector("#costs").textContent,
    };
})"""


def ranking_of(name, model=None):
    evaluation = EVALUATIONS[name]()
    return (evaluation[model] if model else evaluation).ranking


def amounts(counts):
    """Counts as the matrix shows them."""
    order = ["tp", "fn", "rp", "fp", "tn", "rn"]
    if not counts["rp"] + counts["rn"]:
        order = ["tp", "fn", "fp", "tn"]
    return [
        formatting.format_count(round(counts[key], 2 if counts[key] < 10 else 1)) for key in order
    ]


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
    stops = ask(page, WALK, {"active": active, "step": 25 if name == "thinned" else 1})
    matrices = [
        ranking.at(stop["threshold"]) if stop["place"] else ranking.at_place(0) for stop in stops
    ]
    expected = [cells(matrix) for matrix in matrices]

    assert len(stops) == (len(ranking) if name != "thinned" else len(stops)) > 4
    check(stops, expected)
    for stop, matrix, counts in zip(stops, matrices, expected, strict=True):
        effective = stop["matrix"].get("scale", 1.0) * float(matrix.decided)
        assert effective == pytest.approx(float(matrix.effective_decided))
        assert stop["shown"] == amounts(counts)
        assert stop["percent"][0] == formatting.format_percent(
            counts["tp"] / float(matrix.positives)
        )
        cost = formatting.format_amount(float(to.Costs().total(matrix)))
        assert stop["money"].startswith(f"These decisions cost {cost} for ")


@pytest.mark.parametrize(
    ("name", "prevalence", "population"),
    [("bleeding", 2, 100_000), ("nominal", 90, 1000), ("weighted", 12.5, 500), ("lower", 50, 64)],
)
def test_matrix_and_costs_follow_a_typed_prevalence_and_population(
    visit, name, prevalence, population
):
    page = visit(name)
    page.fill("#prevalence", str(prevalence))
    page.fill("#population", str(population))
    page.fill("#fn", "7.5")
    page.fill("#tp", "-2")
    frame(page)
    stops = ask(page, WALK, {"active": 0, "step": 1})
    ranking = ranking_of(name, next(iter(EVALUATIONS[name]())))
    ranking = ranking.at_prevalence(prevalence / 100)
    matrices = [ranking.at_place(place) for place in range(len(ranking))]
    factor = population / float(matrices[0].rows)

    check(stops, [cells(matrix, factor) for matrix in matrices])
    costs = as_costs(fn=7.5, tp=-2)
    for stop, matrix in zip(stops, matrices, strict=True):
        total = round(float(costs.total(matrix)) * factor, 9)
        cost = f"{'bring' if total < 0 else 'cost'} {formatting.format_amount(abs(total))}"
        assert stop["money"].startswith(f"These decisions {cost} for {population:,} ")


@pytest.mark.parametrize("name", ["bleeding", "weighted", "lower"])
def test_rows_between_two_thresholds_are_undecided(visit, name):
    page = visit(name)
    page.check("#band")
    page.fill("#rp", "0.25")
    page.fill("#rn", "0.5")
    frame(page)
    ranking = ranking_of(name, next(iter(EVALUATIONS[name]())))
    places = range(0, len(ranking), 7)
    pairs = [(upper, lower) for upper in places for lower in places if upper < lower]
    stops = ask(page, WALK_BANDS, pairs)
    matrices = [ranking.banded(upper, lower) for upper, lower in pairs]

    check(stops, [cells(matrix) for matrix in matrices])
    costs = as_costs(rp=0.25, rn=0.5)
    for stop, matrix in zip(stops, matrices, strict=True):
        assert stop["shown"] == amounts(cells(matrix))
        assert f"cost {formatting.format_amount(float(costs.total(matrix)))} for" in stop["money"]


@pytest.mark.parametrize("name", ["nominal", "probabilities", "bleeding", "weighted"])
@pytest.mark.parametrize("prevalence", [0.01, 0.7])
def test_summaries_follow_the_prevalence(visit, name, prevalence):
    page = visit(name, f"#prevalence={prevalence}")
    evaluation = EVALUATIONS[name]()
    heads = page.locator("#models thead th").all_text_contents()
    table = page.locator("#models tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    models = ask(
        page,
        """(prevalence) => tradeoff.rankings.map((ranking) => {
            const all = !ranking.undecidedPositives && !ranking.undecidedNegatives;
            const mixed = ranking.model.summaries.filter((one) => all && one.means);
            const found = mixed.map(({ name, means: [positive, negative] }) =>
                [name, prevalence * positive + (1 - prevalence) * negative]);
            found.push(["average_precision", Rankings.averagePrecision(ranking, prevalence)]);
            return Object.fromEntries(found);
        })""",
        prevalence,
    )

    for model, row, page_values in zip(evaluation, table, models, strict=True):
        ranking = evaluation[model].ranking.at_prevalence(prevalence)
        names = ["average_precision", "brier", "log_loss"]
        estimates = {n: to.SUMMARIES[n].estimate(ranking) for n in names}
        cells = dict(zip(heads, row, strict=True))
        for summary, estimate in estimates.items():
            column = to.SUMMARIES[summary].label
            if column in heads:  # what no model has is left out
                written = (
                    formatting.format_number(estimate.value) if estimate.is_defined else "undefined"
                )
                assert cells[column] == written
            else:
                assert not estimate.is_defined
        for summary, value in page_values.items():
            assert value == pytest.approx(estimates[summary].value, rel=1e-9)


def test_charts_follow_the_prevalence(visit):
    page = visit("probabilities", "#prevalence=0.1&population=5000&fn=4")
    ranking = ranking_of("probabilities").at_prevalence(0.1)
    chart_points = ask(
        page,
        """(names) => names.map((name) => {
            const view = tradeoff.view();
            const chart = Charts.ALL[name](view);
            const places = Array.from(view.ranking.thresholds, (_, place) => place);
            return places.map((place) => chart.position(view.ranking, place));
        })""",
        ["roc", "precisionRecall", "gains", "lift", "cost"],
    )
    matrix = ranking.confusion
    with np.errstate(all="ignore"):
        tpr, fpr, precision, depth, lift = (
            to.METRICS[name](matrix) for name in ("tpr", "fpr", "precision", "depth", "lift")
        )
    cost = as_costs(fn=4).totals(ranking) * 5000 / float(ranking.total)
    expected = [(fpr, tpr), (tpr, precision), (depth, tpr), (depth, lift), (depth, cost)]

    for points, (x, y) in zip(chart_points, expected, strict=True):
        np.testing.assert_allclose(points, np.column_stack([x, y]), rtol=1e-9, atol=1e-12)


def test_calibration_follows_the_prevalence(visit):
    page = visit("probabilities", "#prevalence=0.1")
    line = ask(page, "() => Charts.ALL.calibration(tradeoff.view()).layers.at(-1).points", None)
    right = reliability(ranking_of("probabilities").at_prevalence(0.1), bands=None)

    np.testing.assert_allclose(line, np.column_stack([right.scores, right.fitted]), atol=2e-6)


def table_of(page, selector):
    return page.locator(f"{selector} tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent))"
    )


@pytest.mark.parametrize(
    ("name", "model", "threshold"),
    [("bleeding", "s100b", 0.2), ("bleeding", "wfns", 3), ("weighted", "weighted", 0.61)],
)
def test_segments_are_counted_at_the_threshold(visit, name, model, threshold):
    page = visit(name, f"#model={model}&threshold={threshold}")
    evaluation = EVALUATIONS[name]()
    rows = {row[0]: row[1:] for row in table_of(page, "#segments")}
    measures = [to.METRICS[metric] for metric in SEGMENT_METRICS]

    assert set(rows) == set(evaluation.segments[model])
    for segment, ranking in evaluation.segments[model].items():
        matrix = ranking.at(threshold)
        estimates = metrics_with_intervals(measures, matrix, Confidence())
        share = formatting.format_percent(float(matrix.positives) / float(matrix.rows))
        assert rows[segment][:2] == [formatting.format_count(ranking.rows), share]
        for written, estimate in zip(rows[segment][3:], estimates.values(), strict=True):
            is_bootstrap = "resamples" in (estimate.method or "")  # by chance, another interval
            assert (written.split()[0] if is_bootstrap else written) == (
                formatting.format_number(estimate.value)
                if is_bootstrap
                else format_estimate(estimate)
            )


def test_segments_follow_a_reject_band(visit):
    page = visit("bleeding", "#threshold=0.5&lower=0.2")
    ranking = bleeding().segments["s100b"]["Female"]
    female = next(row for row in table_of(page, "#segments") if row[0] == "Female")
    matrix = ranking.banded(ranking.index(0.5), ranking.index(0.2))
    estimates = metrics_with_intervals([to.METRICS["precision"]], matrix, Confidence())

    assert female[6] == format_estimate(estimates["precision"])


def test_differences_between_models_are_those_of_the_comparison(visit):
    rows = table_of(visit("bleeding"), "#differences")
    expected = [
        [
            difference.first,
            difference.second,
            formatting.format_number(difference.value),
            format_interval(
                Estimate("auc", difference.value, low=difference.low, high=difference.high)
            ),
            format_p_value(difference.p_value, difference.significance),
            format_p_value(difference.adjusted, difference.significance),
            formatting.format_percent(difference.first_better),
        ]
        for difference in bleeding_compared().differences()
    ]

    assert rows == expected


def test_the_expected_cost_metric_uses_the_typed_costs(visit):
    page = visit("bleeding", "#threshold=0.2&fn=5&fp=2&tn=-1")
    page.evaluate(
        "() => document.querySelectorAll('details').forEach((one) => { one.open = true })"
    )
    costs = as_costs(fn=5, fp=2, tn=-1)
    right = formatting.format_number(
        bleeding()["s100b"].metric("expected_cost", 0.2, level=None, costs=costs).value
    )
    row = page.locator("table.metrics tr", has_text=re.compile("^expected cost"))

    rest(page)
    assert row.locator("td").first.text_content() == right


def test_intervals_are_updated_while_the_threshold_moves(visit):
    page = visit("bleeding")
    ends = page.locator("table.metrics tr", has_text=re.compile("^F1")).locator("td").nth(1)
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
    assert ends.text_content() == moving
