"""A threshold and other numbers are typed; what is not a number is refused and changes nothing."""

import math
import re

import pytest

from browser.conftest import ask, frame, open_everything
from browser.reports import probabilities

pytestmark = pytest.mark.browser

STATE = """() => ({
    place: tradeoff.view().selection.upper,
    typed: document.getElementById("upper-typed").value,
    status: document.getElementById("status").textContent,
    shown: [...document.querySelectorAll("#matrix .count")].map((node) => node.textContent),
})"""


def state(page):
    frame(page)
    return ask(page, STATE, None)


@pytest.fixture(scope="module")
def moving(opened, report):
    """A report whose threshold tests leave where they moved it."""
    page = opened(report("probabilities")).page
    open_everything(page)
    return page


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
        ("-2", -2, "−2"),
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
    assert red != page.locator("#unit").evaluate("(node) => getComputedStyle(node).borderColor")
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
    before = state(page)["shown"]
    page.fill(f"#{field}", wrong)
    page_state = state(page)

    assert "wrong" in page.locator(f"#{field}").get_attribute("class")
    assert re.fullmatch(r"[A-Z].*\.", page_state["status"])
    assert page_state["shown"] == before
    page.fill(f"#{field}", right)
    assert state(page)["status"] == ""
    page.evaluate("() => document.getElementById('reset').click()")
