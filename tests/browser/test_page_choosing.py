"""Thresholds and bands that are chosen by the goals of a report are those the library chooses."""

import itertools

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame
from browser.reports import EVALUATIONS, as_costs, bleeding, probabilities
from tradeoff.errors import InputError

pytestmark = pytest.mark.browser

NAMES = ["bleeding", "nominal", "probabilities", "weighted", "lower", "thinned"]
COSTS = [
    {},
    {"fn": 5},
    {"fp": 5},
    {"fn": 20, "fp": 0.5},
    {"tp": -3, "tn": -0.5},
    {"fn": 100, "fp": 3, "tp": 3},
]
PREVALENCES = [None, 1, 30, 95]
CASES = list(itertools.product(COSTS, PREVALENCES))
BAND_COSTS = [
    {"rp": 0.2, "rn": 0.2},
    {"fn": 5, "rp": 0.5, "rn": 0.5},
    {"fn": 3, "fp": 2, "rp": 0.9, "rn": 0.1},
    {"fn": 3, "rp": 2, "rn": 2},
    {"tp": -4, "rp": -1, "rn": 0.3},
]

CHOOSE = """(cases) => cases.map(({ fields, goal, value }) => {
    const enter = (id, text, kind) => {
        const input = document.getElementById(id);
        input.value = text;
        input.dispatchEvent(new Event(kind, { bubbles: true }));
        tradeoff.show(true);
    };
    for (const [id, text] of Object.entries(fields)) enter(id, text, "input");
    if (goal === "band") {
        document.getElementById("best-band").click();
        tradeoff.show(false);
    } else enter("goal", goal, "change");
    if (value !== null) enter("goal-value", value, "change");
    const { selection, ranking, matrix, costs } = tradeoff.view();
    return {
        upper: selection.upper, lower: selection.lower,
        status: document.getElementById("status").textContent,
        threshold: ranking.thresholds[selection.upper], below: ranking.thresholds[selection.lower],
        cost: Rankings.totalCost(matrix, costs), rows: tradeoff.view().prior.population,
        money: document.getElementById("costs").textContent,
    };
})"""


def evaluation_of(name):
    evaluation = EVALUATIONS[name]()
    return evaluation[next(iter(evaluation))]


def chosen(page, goal, cases):
    """Where a goal leads after fields are filled in, case by case; "target" is the goal's own."""
    usual = {"fp": 1, "fn": 1, "tp": 0, "tn": 0, "rp": 0, "rn": 0}
    return ask(
        page,
        CHOOSE,
        [
            {
                "fields": usual | {key: text for key, text in case.items() if key != "target"},
                "goal": goal,
                "value": case.get("target"),
            }
            for case in cases
        ],
    )


def typed_prevalence(page, prevalence):
    """The percent to type: that of the rows, as the page shows it, where nothing is asked."""
    in_data = page.evaluate("() => tradeoff.rankings[0].prevalence")
    return float(f"{100 * in_data:.5g}") if prevalence is None else prevalence


@pytest.mark.parametrize("name", NAMES)
def test_the_lowest_cost_threshold_is_the_librarys(visit, name):
    page, evaluation = visit(name), evaluation_of(name)
    cases = [
        costs | {"prevalence": typed_prevalence(page, prevalence)} for costs, prevalence in CASES
    ]
    for state, (costs, prevalence) in zip(chosen(page, "cost", cases), CASES, strict=True):
        target_prevalence = None if prevalence is None else prevalence / 100
        decision = evaluation.best(costs=as_costs(**costs), prevalence=target_prevalence)
        index = evaluation.ranking.index(state["threshold"])  # long thresholds are rounded
        assert index == decision.index, (costs, prevalence)
        assert state["cost"] == pytest.approx(decision.value * state["rows"], rel=1e-9, abs=1e-9)
        assert "No threshold of this model is better." in state["money"]


def test_costs_are_typed_and_the_goal_chosen_by_hand(visit):
    page = visit("bleeding")
    page.fill("#fn", "12")
    page.fill("#prevalence", "8")
    page.select_option("#goal", "cost")
    frame(page)
    right = bleeding()["s100b"].best(costs=to.Costs(false_negative=12), prevalence=0.08)

    assert float(page.input_value("#upper-typed")) == right.threshold


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ({"fn": -1}, "A false negative costs less than a true positive"),
        ({"fp": -1}, "A false positive costs less than a true negative"),
        ({"fn": 0, "fp": 0}, "With these costs all decisions cost the same"),
    ],
)
def test_costs_that_reward_errors_are_refused(visit, costs, sentence):
    page = visit("bleeding")
    with pytest.raises(InputError):
        as_costs(**costs)
    (state,) = chosen(page, "cost", [costs])

    assert state["status"].startswith(sentence)
    assert state["threshold"] == bleeding()["s100b"].operating_threshold  # as it was


@pytest.mark.parametrize("name", NAMES)
def test_youdens_threshold_is_the_librarys_at_any_prevalence(visit, name):
    page = visit(name)
    states = chosen(page, "youden", [{}, {"prevalence": 3}])
    threshold = evaluation_of(name).best("youden").threshold
    if name == "thinned":  # among the stops, or as good as the best
        youden_j = evaluation_of(name).metric("youden_j", states[0]["threshold"], level=None).value
        assert youden_j == pytest.approx(evaluation_of(name).best("youden").value, abs=1e-12)
    else:
        assert [state["threshold"] for state in states] == [threshold, threshold]


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "lower"])
@pytest.mark.parametrize("by", ["tpr", "fpr"])
def test_thresholds_that_reach_a_rate_are_the_librarys(visit, name, by):
    percents = [0, 1, 10, 33.3, 50, 66.7, 90, 97.5, 100]
    states = chosen(visit(name), by, [{"target": percent} for percent in percents])
    decisions = [evaluation_of(name).best(by, target=percent / 100) for percent in percents]

    assert [choice["threshold"] for choice in states] == [choice.threshold for choice in decisions]


@pytest.mark.parametrize("by", ["tpr", "fpr"])
def test_on_a_thinned_page_the_nearest_threshold_that_meets_a_rate_is_chosen(visit, by):
    percents = [5, 50, 90]
    states = chosen(visit("thinned"), by, [{"target": percent} for percent in percents])
    for state, percent in zip(states, percents, strict=True):
        rate = evaluation_of("thinned").metric(by, state["threshold"], level=None).value
        excess = rate - percent / 100
        assert 0 <= (excess if by == "tpr" else -excess) < 0.01


def test_an_unreachable_rate_is_an_error_message(visit):
    (state,) = chosen(visit("weighted"), "tpr", [{"target": 100}])
    with pytest.raises(InputError):
        evaluation_of("weighted").best("tpr", target=1.0)

    assert state["status"].endswith(".")


@pytest.mark.parametrize("goal", ["tpr", "fpr", "precision"])
def test_an_invalid_percentage_is_an_error_message_and_changes_nothing(visit, goal):
    page = visit("bleeding")
    chosen(page, goal, [{}])
    before = page.input_value("#upper-typed")
    for state in chosen(page, goal, [{"target": typed} for typed in ("", "-1", "100.5", "x")]):
        assert state["status"] == "Enter a percentage from 0 to 100."
        assert page.get_attribute("#goal-value", "aria-invalid") == "true"
    assert page.input_value("#upper-typed") == before


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "weighted", "lower"])
def test_thresholds_that_reach_a_precision_are_the_librarys(visit, name):
    percents = [0, 20, 50, 66.7, 80]
    states = chosen(visit(name), "precision", [{"target": percent} for percent in percents])
    for state, percent in zip(states, percents, strict=True):
        try:
            decision = evaluation_of(name).best("precision", target=percent / 100)
        except InputError:
            assert state["status"].startswith("No threshold has a precision of ")
        else:
            assert state["threshold"] == decision.threshold


def test_a_threshold_of_ones_own_is_a_goal_too(visit):
    page = visit("bleeding")
    (state,) = chosen(page, "number", [{"target": "0,35"}])

    assert state["upper"] == bleeding()["s100b"].ranking.index(0.35)
    assert page.input_value("#upper-typed") == "0.35"
    assert page.locator("#use").is_hidden()


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "weighted", "lower"])
def test_the_threshold_for_a_capacity_is_the_librarys(visit, name):
    page = visit(name)
    sizes = [0, 1, 7, 40, 10_000]
    states = chosen(page, "capacity", [{"target": size} for size in sizes])
    decisions = [evaluation_of(name).best("capacity", target=size) for size in sizes]

    assert [choice["threshold"] for choice in states] == [choice.threshold for choice in decisions]
    (none,) = chosen(page, "capacity", [{"target": ""}])
    assert none["status"] == "Enter the number of cases that you can handle."


def test_a_capacity_counts_cases_of_the_population(visit):
    cases = [{"prevalence": 5, "population": 2000, "target": size} for size in (10, 300, 1500)]
    states = chosen(visit("probabilities"), "capacity", cases)
    adjusted = probabilities().at_prevalence(0.05)
    rows = float(adjusted.ranking.total)
    for state, case in zip(states, cases, strict=True):
        decision = adjusted.best("capacity", target=case["target"] / 2000 * rows)
        assert state["threshold"] == decision.threshold


def unique_band(ranking, costs, prevalence, limit):
    """The ends of the one cheapest band by trying all of them, None if several are as cheap."""
    bills = costs.bills(ranking.at_prevalence(prevalence))
    flagged = ranking.true_positives + ranking.false_positives
    upper, lower = np.triu_indices(len(ranking))
    band_costs = bills.predicted_positive[upper] - bills.predicted_negative[lower]
    band_costs += bills.rejected[lower] - bills.rejected[upper]
    band_costs[flagged[lower] - flagged[upper] > (np.inf if limit is None else limit) + 1e-9] = (
        np.inf
    )
    best = np.flatnonzero(band_costs <= band_costs.min() + 1e-9)
    return (int(upper[best[0]]), int(lower[best[0]])) if len(best) == 1 else None


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "weighted", "lower"])
def test_the_lowest_cost_reject_band_is_the_librarys(visit, name):
    page, evaluation = visit(name), evaluation_of(name)
    page.check("#band")
    frame(page)
    scenarios = [(costs, prevalence, None) for costs in BAND_COSTS for prevalence in (None, 5)] + [
        (costs, None, capacity) for costs in BAND_COSTS[:3] for capacity in (0, 3, 20)
    ]
    cases = [
        costs
        | {"prevalence": typed_prevalence(page, prevalence)}
        | {"review": "" if capacity is None else capacity}
        for costs, prevalence, capacity in scenarios
    ]
    unique_bands = 0
    for state, (costs, percent, capacity) in zip(
        chosen(page, "band", cases), scenarios, strict=True
    ):
        target_prevalence = None if percent is None else percent / 100
        library_costs = as_costs(**costs)
        band = evaluation.best_band(
            costs=library_costs, prevalence=target_prevalence, capacity=capacity
        )
        scenario = (costs, percent, capacity, band)
        assert state["cost"] / state["rows"] == pytest.approx(band.value, rel=1e-9, abs=1e-9), (
            scenario
        )
        unique = unique_band(evaluation.ranking, library_costs, target_prevalence, capacity)
        if unique is not None:
            unique_bands += 1
            assert (
                (state["upper"], state["lower"]) == unique == (band.upper_index, band.lower_index)
            )
    assert unique_bands > 3


def test_a_worthwhile_reject_band_is_called_better_than_any_threshold(visit):
    page = visit("bleeding")
    page.check("#band")
    frame(page)
    (state,) = chosen(page, "band", [{"fn": 5, "rp": 0.3, "rn": 0.3}])

    assert "better than any single threshold." in state["money"]


def test_a_reject_band_requires_a_cost_of_undecided_cases(visit):
    page = visit("bleeding")
    page.check("#band")
    frame(page)
    before = page.locator("#headline").text_content()
    page.click("#best-band")
    frame(page)

    assert "Enter what an undecided case costs" in page.locator("#status").text_content()
    assert page.locator("#headline").text_content() == before


def test_an_upper_threshold_pushed_by_the_lower_one_is_shown_at_its_new_value(visit):
    page = visit("bleeding", "#threshold=0.3")
    page.check("#band")
    page.fill("#lower-typed", "0.8")
    page.keyboard.press("Enter")
    frame(page)
    ranking = bleeding()["s100b"].ranking
    upper = float(page.input_value("#upper-typed"))

    assert upper == ranking.thresholds[ranking.index(0.8)] >= 0.8
    true_positives = ranking.at(upper).true_positives
    assert f" flagged: {true_positives} “1”" in page.locator("#headline").text_content()


def test_a_goal_moves_only_the_upper_threshold_of_a_band(visit):
    page = visit("bleeding", "#threshold=0.3&lower=0.1")
    page.select_option("#goal", "cost")
    page.select_option("#goal", "youden")
    frame(page)

    assert float(page.input_value("#upper-typed")) == bleeding()["s100b"].best("youden").threshold
    assert page.input_value("#lower-typed") == "0.1"


def test_thresholds_of_the_same_cost_are_listed(visit):
    page = visit("bleeding")
    page.select_option("#goal", "cost")
    frame(page)
    best = bleeding()["s100b"].best(costs=to.Costs())

    assert best.ties
    assert f"Same cost: {best.ties[0]:g}" in page.locator("#status").text_content()


def test_scores_that_are_not_probabilities_open_at_youdens_threshold(visit):
    page = visit("bleeding")
    e = bleeding()
    thresholds = page.evaluate(
        "() => tradeoff.state().selections.map(({ upper }, model) =>"
        " tradeoff.rankings[model].thresholds[upper])"
    )

    assert thresholds == [e[model].best("youden").threshold for model in e]
    assert "where Youden's J is highest" in page.locator("#answer-text").text_content()
