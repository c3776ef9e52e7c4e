"""Thresholds and bands that a report's buttons choose are those the library chooses."""

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

PRESS = """(cases) => cases.map(({ fields, button }) => {
    for (const [id, value] of Object.entries(fields)) {
        const input = document.getElementById(id);
        input.value = value;
        input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    tradeoff.show(true);
    document.getElementById(button).click();
    tradeoff.show(false);
    const { line, ranking, matrix, costs } = tradeoff.view();
    return {
        place: line.upper, lower: line.lower, said: document.getElementById("said").textContent,
        threshold: ranking.thresholds[line.upper], below: ranking.thresholds[line.lower],
        cost: Rankings.total(matrix, costs), rows: tradeoff.view().prior.population,
        money: document.getElementById("money").textContent,
    };
})"""


def evaluation_of(name):
    evaluation = EVALUATIONS[name]()
    return evaluation[next(iter(evaluation))]


def pressed(page, button, cases):
    """What pressing a button after filling in fields leads to, case by case, in one call."""
    usual = {"fp": 1, "fn": 1, "tp": 0, "tn": 0, "rp": 0, "rn": 0}
    return ask(page, PRESS, [{"fields": usual | case, "button": button} for case in cases])


def typed_prevalence(page, prevalence):
    """The percent to type: the rows' own where nothing is asked."""
    own = page.evaluate("() => tradeoff.rankings[0].prevalence")
    return float(f"{100 * own:.12g}") if prevalence is None else prevalence


@pytest.mark.parametrize("name", NAMES)
def test_the_cheapest_threshold_is_the_librarys(visit, name):
    page, evaluation = visit(name), evaluation_of(name)
    cases = [
        costs | {"prevalence": typed_prevalence(page, prevalence)} for costs, prevalence in CASES
    ]
    for seen, (costs, prevalence) in zip(pressed(page, "cheapest", cases), CASES, strict=True):
        share = None if prevalence is None else prevalence / 100
        right = evaluation.best(costs=as_costs(**costs), prevalence=share)
        assert seen["threshold"] == right.threshold, (costs, prevalence)
        assert seen["cost"] == pytest.approx(right.value * seen["rows"], rel=1e-9, abs=1e-9)
        assert "No threshold of this model is better." in seen["money"]


def test_costs_are_typed_and_the_button_pressed_by_hand(visit):
    page = visit("bleeding")
    page.fill("#fn", "12")
    page.fill("#prevalence", "8")
    page.click("#cheapest")
    frame(page)
    right = bleeding()["s100b"].best(costs=to.Costs(false_negative=12), prevalence=0.08)

    assert float(page.input_value("#upper-typed")) == right.threshold


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        ({"fn": -1}, "Missing a positive is cheaper than finding it"),
        ({"fp": -1}, "A false alarm is cheaper than a negative rightly passed"),
        ({"fn": 0, "fp": 0}, "With these costs no decision matters"),
    ],
)
def test_costs_that_make_mistakes_cheap_are_refused(visit, costs, sentence):
    page = visit("bleeding")
    with pytest.raises(InputError):
        as_costs(**costs)
    (seen,) = pressed(page, "cheapest", [costs])

    assert seen["said"].startswith(sentence)
    assert seen["threshold"] == page.evaluate(
        "() => tradeoff.rankings[0].thresholds[tradeoff.rankings[0].placeOf(0.5)]"
    )


@pytest.mark.parametrize("name", NAMES)
def test_youdens_threshold_is_the_librarys_whatever_the_prevalence(visit, name):
    page = visit(name)
    seen = pressed(page, "youden", [{}, {"prevalence": 3}])
    right = evaluation_of(name).best("youden").threshold
    if name == "thinned":  # among the stops, or as good as the best
        worth = evaluation_of(name).metric("youden_j", seen[0]["threshold"], level=None).value
        assert worth == pytest.approx(evaluation_of(name).best("youden").value, abs=1e-12)
    else:
        assert [one["threshold"] for one in seen] == [right, right]


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "lower"])
@pytest.mark.parametrize("by", ["tpr", "fpr"])
def test_thresholds_that_reach_a_rate_are_the_librarys(visit, name, by):
    percents = [0, 1, 10, 33.3, 50, 66.7, 90, 97.5, 100]
    seen = pressed(visit(name), f"by-{by}", [{by: percent} for percent in percents])
    right = [evaluation_of(name).best(by, target=percent / 100) for percent in percents]

    assert [one["threshold"] for one in seen] == [one.threshold for one in right]


@pytest.mark.parametrize("by", ["tpr", "fpr"])
def test_of_many_thresholds_the_nearest_stop_that_keeps_a_rate_is_chosen(visit, by):
    percents = [5, 50, 90]
    seen = pressed(visit("thinned"), f"by-{by}", [{by: percent} for percent in percents])
    for one, percent in zip(seen, percents, strict=True):
        reached = evaluation_of("thinned").metric(by, one["threshold"], level=None).value
        off = reached - percent / 100
        assert 0 <= (off if by == "tpr" else -off) < 0.01


def test_a_rate_that_no_threshold_reaches_is_told(visit):
    (seen,) = pressed(visit("weighted"), "by-tpr", [{"tpr": 100}])
    with pytest.raises(InputError):
        evaluation_of("weighted").best("tpr", target=1.0)

    assert seen["said"].endswith(".")


@pytest.mark.parametrize(("button", "field"), [("by-tpr", "tpr"), ("by-fpr", "fpr")])
def test_what_is_no_percent_is_told_and_moves_nothing(visit, button, field):
    page = visit("bleeding")
    before = page.input_value("#upper-typed")
    for seen in pressed(page, button, [{field: typed} for typed in ("", "-1", "100.5")]):
        assert seen["said"] == "Give a number of percent from 0 to 100."
    assert page.input_value("#upper-typed") == before


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "weighted", "lower"])
def test_as_many_as_can_be_taken_care_of(visit, name):
    page = visit(name)
    sizes = [0, 1, 7, 40, 10_000]
    seen = pressed(page, "by-capacity", [{"capacity": size} for size in sizes])
    right = [evaluation_of(name).best("capacity", target=size) for size in sizes]

    assert [one["threshold"] for one in seen] == [one.threshold for one in right]
    (none,) = pressed(page, "by-capacity", [{"capacity": ""}])
    assert none["said"] == "Say how many can be taken care of."


def test_a_capacity_is_of_the_population(visit):
    cases = [{"prevalence": 5, "population": 2000, "capacity": size} for size in (10, 300, 1500)]
    seen = pressed(visit("probabilities"), "by-capacity", cases)
    there = probabilities().at_prevalence(0.05)
    rows = float(there.ranking.total)
    for one, case in zip(seen, cases, strict=True):
        right = there.best("capacity", target=case["capacity"] / 2000 * rows)
        assert one["threshold"] == right.threshold


def test_the_default_is_a_half(visit):
    page = visit("bleeding", "#threshold=0.11")
    page.click("#half")
    frame(page)

    assert page.input_value("#upper-typed") == "0.5"
    assert page.evaluate("() => tradeoff.view().line.upper") == bleeding()["s100b"].ranking.index(
        0.5
    )


def unique_band(ranking, costs, prevalence, limit):
    """The ends of the one cheapest band by trying all of them, None if several are as cheap."""
    bills = costs.bills(ranking.at_prevalence(prevalence))
    taken = ranking.true_positives + ranking.false_positives
    upper, lower = np.triu_indices(len(ranking))
    paid = bills.called_positive[upper] - bills.called_negative[lower]
    paid += bills.rejected[lower] - bills.rejected[upper]
    paid[taken[lower] - taken[upper] > (np.inf if limit is None else limit) + 1e-9] = np.inf
    best = np.flatnonzero(paid <= paid.min() + 1e-9)
    return (int(upper[best[0]]), int(lower[best[0]])) if len(best) == 1 else None


@pytest.mark.parametrize("name", ["bleeding", "nominal", "probabilities", "weighted", "lower"])
def test_the_cheapest_band_is_the_librarys(visit, name):
    page, evaluation = visit(name), evaluation_of(name)
    page.check("#band")
    frame(page)
    asked = [(costs, prevalence, None) for costs in BAND_COSTS for prevalence in (None, 5)] + [
        (costs, None, capacity) for costs in BAND_COSTS[:3] for capacity in (0, 3, 20)
    ]
    cases = [
        costs
        | {"prevalence": typed_prevalence(page, prevalence)}
        | {"capacity": "" if capacity is None else capacity}
        for costs, prevalence, capacity in asked
    ]
    told = 0
    for seen, (costs, percent, capacity) in zip(
        pressed(page, "cheapest", cases), asked, strict=True
    ):
        share = None if percent is None else percent / 100
        own = as_costs(**costs)
        right = evaluation.best_band(costs=own, prevalence=share, capacity=capacity)
        about = (costs, percent, capacity, right)
        assert seen["cost"] / seen["rows"] == pytest.approx(right.value, rel=1e-9, abs=1e-9), about
        only = unique_band(evaluation.ranking, own, share, capacity)
        if only is not None:
            told += 1
            assert (seen["place"], seen["lower"]) == only == (right.upper_place, right.lower_place)
    assert told > 3


def test_a_band_that_pays_is_told_to_be_cheaper_than_any_threshold(visit):
    page = visit("bleeding")
    page.check("#band")
    frame(page)
    (seen,) = pressed(page, "cheapest", [{"fn": 5, "rp": 0.3, "rn": 0.3}])

    assert "better than any single threshold." in seen["money"]


def test_a_band_for_nothing_is_not_chosen_but_told(visit):
    page = visit("bleeding")
    page.check("#band")
    frame(page)
    before = page.locator("#headline").text_content()
    page.click("#cheapest")
    frame(page)

    assert "Say what leaving one undecided costs" in page.locator("#said").text_content()
    assert page.locator("#headline").text_content() == before


def test_an_end_that_is_pushed_along_is_no_longer_where_it_was_asked(visit):
    page = visit("bleeding", "#threshold=0.3")
    page.check("#band")
    page.fill("#lower-typed", "0.8")
    page.keyboard.press("Enter")
    frame(page)
    ranking = bleeding()["s100b"].ranking
    shown = float(page.input_value("#upper-typed"))

    assert shown == ranking.thresholds[ranking.index(0.8)] >= 0.8
    found = ranking.at(shown).true_positives
    assert f"with a score of {shown:g} or more called" in page.locator("#headline").text_content()
    assert f"{found} of 41" in page.locator("#headline").text_content()


def test_a_button_moves_the_upper_end_of_a_band_alone(visit):
    page = visit("bleeding", "#threshold=0.3&lower=0.1")
    page.click("#youden")
    frame(page)

    assert float(page.input_value("#upper-typed")) == bleeding()["s100b"].best("youden").threshold
    assert page.input_value("#lower-typed") == "0.1"


def test_thresholds_that_are_as_cheap_are_told(visit):
    page = visit("bleeding")
    page.click("#cheapest")
    frame(page)
    best = bleeding()["s100b"].best(costs=to.Costs())

    assert best.ties
    assert f"As cheap: {best.ties[0]:g}" in page.locator("#said").text_content()


def test_scores_that_one_half_does_not_part_begin_at_youdens_threshold(visit):
    page = visit("bleeding")
    e = bleeding()
    cells = page.locator("#models tbody tr").evaluate_all(
        "(rows) => rows.map((row) => row.cells[row.cells.length - 4].textContent)"
    )

    assert cells == ["0.5", *(f"{e[m].best('youden').threshold:g}" for m in ("ndka", "wfns"))]
    assert "begin at Youden's threshold" in page.locator("#models-about").text_content()
