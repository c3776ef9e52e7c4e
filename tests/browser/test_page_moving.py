"""Everything on the page tells of one and the same threshold, however it was moved."""

import math
import re

import pytest

import tradeoff as to
from browser.conftest import ask, frame, open_everything
from browser.reports import EVALUATIONS, lower, probabilities
from tradeoff import formatting

pytestmark = pytest.mark.browser

STATE = """() => {
    const state = tradeoff.state();
    const selection = state.selections[state.active];
    const text = (id) => document.getElementById(id).textContent;
    const handles = [...document.querySelectorAll("figure.chart .handle.upper, #upper-slider")];
    return {
        place: selection.upper, lower: selection.lower,
        typed: document.getElementById("upper-typed").value,
        headline: text("headline"), rule: text("answer-rule"), status: text("status"),
        shown: [...document.querySelectorAll("#matrix .count")].map((node) => node.textContent),
        tiles: [...document.querySelectorAll(".tile .value")].map((node) => node.textContent),
        texts: handles.map((handle) => handle.getAttribute("aria-valuetext")),
    };
}"""


def state(page):
    frame(page)
    return ask(page, STATE, None)


def check_everything_follows(page_state, ranking):
    """All of the page tells of one and the same threshold."""
    place = page_state["place"]
    matrix = ranking.at_place(place)
    threshold = formatting.format_threshold(float(ranking.thresholds[place])) if place else "none"
    counts = [matrix.true_positives, matrix.false_negatives]
    counts += [matrix.false_positives, matrix.true_negatives]
    rates = [float(to.METRICS[name](matrix)) for name in ("tpr", "fpr", "precision")]
    percents = [
        "undefined" if math.isnan(rate) else formatting.format_percent(rate) for rate in rates
    ]

    assert page_state["lower"] == place
    assert page_state["typed"] == threshold
    assert page_state["shown"] == [formatting.format_count(count) for count in counts]
    assert page_state["tiles"] == [
        *percents,
        formatting.format_count(counts[0] + counts[2]),
        formatting.format_count(counts[1] + counts[2]),
    ]
    assert f" flagged: {counts[0]:,} “" in page_state["headline"]
    assert len(page_state["texts"]) > 4
    for text in page_state["texts"]:
        assert text.startswith(f"{threshold}: recall {percents[0]}, false positive rate ")


@pytest.fixture(scope="module")
def moving(opened, report):
    """A report with every kind of chart; tests leave the threshold where they moved it."""
    return opened(report("probabilities")).page


@pytest.mark.parametrize("place", [0, 1, 17, 60, 93])
def test_everything_follows_a_move(moving, place):
    moving.evaluate("(place) => tradeoff.moveThreshold('upper', place)", place)
    page_state = state(moving)

    assert page_state["place"] == place
    check_everything_follows(page_state, probabilities().ranking)


def test_without_a_goal_the_rule_is_that_of_the_threshold(moving):
    moving.evaluate("() => tradeoff.moveThreshold('upper', 0)")
    assert state(moving)["rule"] == "Flag no rows."
    moving.evaluate("() => tradeoff.moveThreshold('upper', tradeoff.rankings[0].last)")
    assert state(moving)["rule"] == "Flag all rows."
    moving.fill("#upper-typed", "0.3")
    moving.keyboard.press("Enter")
    assert state(moving)["rule"] == "Flag rows with a score of 0.3 or more."


def test_where_low_scores_are_positive_the_rule_says_or_less(visit):
    page = visit("lower", "#goal=number&threshold=1.2")
    page_state = state(page)

    assert page_state["rule"] == "Flag rows with a score of 1.2 or less."
    assert page_state["place"] == lower().ranking.index(1.2)


def test_every_move_within_one_frame_counts(moving):
    moving.evaluate("() => tradeoff.moveThreshold('upper', 40)")
    frame(moving)
    moving.evaluate(
        """() => [1, 2, 3].forEach(() => document.getElementById("upper-slider")
            .dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" })))"""
    )

    assert state(moving)["place"] == 43


@pytest.mark.parametrize(
    ("typed", "threshold", "written"),
    [
        ("0.5", 0.5, "0.5"),
        ("0,5", 0.5, "0.5"),
        (" 0.355 ", 0.355, "0.355"),
        ("3e-1", 0.3, "0.3"),
        ("none", math.inf, "none"),
        ("None", math.inf, "none"),
        ("7", math.inf, "7"),
        ("-2", -2, "-2"),
    ],
)
def test_a_threshold_is_typed(moving, typed, threshold, written):
    page, ranking = moving, probabilities().ranking
    page.fill("#upper-typed", typed)
    page.keyboard.press("Enter")
    page_state = state(page)

    assert page_state["place"] == ranking.index(threshold)
    assert page_state["typed"] == written
    assert page_state["status"] == ""


@pytest.mark.parametrize("typed", ["nonsense", "0.5 or so", "", "1,2,3", "NaN"])
def test_an_invalid_threshold_is_marked_with_an_error_message(moving, typed):
    page = moving
    page.fill("#upper-typed", "0.4")
    page.keyboard.press("Enter")
    before = state(page)
    page.fill("#upper-typed", typed)
    page.keyboard.press("Enter")
    page_state = state(page)
    field = page.locator("#upper-typed")
    red = field.evaluate("(node) => getComputedStyle(node).borderColor")

    assert "wrong" in field.get_attribute("class")
    assert red != page.locator("#fn").evaluate("(node) => getComputedStyle(node).borderColor")
    assert re.fullmatch(r"[A-Z].*\.", page_state["status"])
    assert page_state["shown"] == before["shown"]
    page.fill("#upper-typed", "0.4")
    page.keyboard.press("Enter")
    assert state(page)["status"] == ""
    assert "wrong" not in field.get_attribute("class")


@pytest.mark.parametrize(
    ("field", "wrong", "right"),
    [("prevalence", "100", "20"), ("prevalence", "-1", "20"), ("population", "0", "50")]
    + [(name, "", "1") for name in ("fp", "fn", "tp", "tn", "prevalence", "population")],
)
def test_an_invalid_field_has_an_error_message_and_changes_nothing(moving, field, wrong, right):
    page = moving
    open_everything(page)
    before = state(page)["shown"]
    page.fill(f"#{field}", wrong)
    page_state = state(page)

    assert "wrong" in page.locator(f"#{field}").get_attribute("class")
    assert re.fullmatch(r"[A-Z].*\.", page_state["status"])
    assert page_state["shown"] == before
    page.fill(f"#{field}", right)
    assert state(page)["status"] == ""
    if page.locator("#reset").is_visible():
        page.click("#reset")


def test_each_model_has_its_own_threshold(visit):
    page = visit("bleeding")
    page.locator("#models button", has_text="ndka").click()
    page.fill("#upper-typed", "10")
    page.keyboard.press("Enter")
    frame(page)
    ndka = EVALUATIONS["bleeding"]()["ndka"].ranking.at(10)
    assert state(page)["shown"][0] == formatting.format_count(ndka.true_positives)
    page.select_option("#model", label="wfns")
    wfns = EVALUATIONS["bleeding"]()["wfns"].ranking.at(4)
    assert state(page)["shown"][0] == formatting.format_count(wfns.true_positives)
    page.locator("#models button", has_text="s100b").click()
    assert state(page)["typed"] == "0.22"
    page.locator("#models button", has_text="ndka").click()
    assert state(page)["typed"] == "10"
