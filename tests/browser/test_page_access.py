"""A report can be read and moved by everybody: judged by axe, and by the keyboard alone."""

from itertools import pairwise
from pathlib import Path

import axe_playwright_python
import pytest

from browser.conftest import ask, frame

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
OPEN = "() => document.querySelectorAll('details').forEach((one) => { one.open = true })"
SEVERE = """(rules) => axe.run(document, { resultTypes: ["violations"],
    ...(rules ? { runOnly: rules } : {}) }).then((found) =>
    found.violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => node.html.slice(0, 120)
            + " " + (node.any[0]?.message ?? "")).join(" | ")}`))"""
BAND = "#threshold=0.6&lower=0.4"
VIEWS = {
    "segments and a comparison": ("bleeding", "#threshold=0.2", {}),
    "the dark": ("bleeding", "#threshold=0.2", {"color_scheme": "dark"}),
    "a band and folds": ("probabilities", BAND, {}),
    "a band and folds in the dark": ("probabilities", BAND, {"color_scheme": "dark"}),
    "all metrics": ("nominal", "#layout=predicted", {}),
    "a phone": ("weighted", "", {"viewport": {"width": 360, "height": 740}}),
}


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(opened, report, view):
    name, fragment, choices = VIEWS[view]
    page = opened(report(name), fragment, **choices).page
    page.evaluate(
        "() => document.querySelectorAll('details').forEach((one) => { one.open = true })"
    )
    page.fill("#upper-typed", "nonsense")
    page.keyboard.press("Enter")
    page.evaluate(AXE)

    dark = "color_scheme" in choices  # only colours differ
    assert page.evaluate(SEVERE, ["color-contrast"] if dark else None) == []


@pytest.fixture(scope="module")
def page(opened, report):
    page = opened(report("probabilities"), "#threshold=0.6&lower=0.4").page
    page.evaluate(
        "() => document.querySelectorAll('details').forEach((one) => { one.open = true })"
    )
    frame(page)
    return page


def test_tab_reaches_every_control_in_reading_order(page):
    controls = page.evaluate(
        """() => {
            const able = "a[href], button, input, select, textarea, summary, [tabindex='0']";
            const all = [...document.querySelectorAll(able)].filter((node) =>
                node.checkVisibility({ visibilityProperty: true }));
            all.forEach((node, at) => { node.dataset.order = at; });
            return all.length;
        }"""
    )
    reached = []
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    for _ in range(controls):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.dataset.order ?? null"))

    assert controls > 60
    assert [int(at) for at in reached if at is not None] == list(range(controls))


def test_keyboard_focus_is_visible(page):
    unseen = []
    for selector in (
        "#upper-slider",
        "#upper-typed",
        "#band",
        "#lowest-cost",
        "#layout",
        "#prevalence",
        "#models button.name",
        "summary",
        ".scroll",
    ):
        page.locator(selector).first.focus()
        page.keyboard.press("Shift")  # the keyboard is what is used
        wide = page.evaluate(
            """() => { const style = getComputedStyle(document.activeElement);
                return style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth); }"""
        )
        if wide < 2:
            unseen.append(selector)
    page.locator("#chart-roc .handle.upper").focus()
    page.keyboard.press("Shift")
    grips = page.evaluate(
        """() => [".handle.upper", ".handle.lower"].map((name) => parseFloat(getComputedStyle(
            document.querySelector(`#chart-roc ${name} .grip`)).strokeWidth))"""
    )

    assert unseen == []
    assert grips[0] > grips[1] + 2


def test_threshold_handles_announce_their_position_and_rates(page):
    handles = ask(
        page,
        """() => [...document.querySelectorAll(".handle")].map((handle) => ({
            role: handle.getAttribute("role"), label: handle.getAttribute("aria-label"),
            valueText: handle.getAttribute("aria-valuetext"),
            least: Number(handle.getAttribute("aria-valuemin")),
            now: Number(handle.getAttribute("aria-valuenow")),
            most: Number(handle.getAttribute("aria-valuemax")),
        }))""",
        None,
    )

    assert len(handles) == 18
    for handle in handles:
        assert handle["role"] == "slider"
        assert handle["least"] <= handle["now"] <= handle["most"]
        lower = handle["label"].startswith("Lower threshold on ")
        assert handle["valueText"].startswith("0.4: " if lower else "0.6: ")
        assert ", false positive rate " in handle["valueText"]
    assert len({handle["label"] for handle in handles}) == 18


def test_errors_are_announced_to_screen_readers(page):
    status = page.locator("#status")
    page.fill("#prevalence", "100")
    frame(page)

    assert status.get_attribute("role") == "status"
    assert status.text_content() == "The share must be between 0 and 100%."
    assert page.locator("#prevalence").get_attribute("aria-invalid") == "true"
    page.fill("#prevalence", "40")
    frame(page)
    assert page.locator("#prevalence").get_attribute("aria-invalid") != "true"


def test_a_skip_link_leads_to_the_main_content(opened, report):
    page = opened(report("nominal")).page
    page.keyboard.press("Tab")
    link = page.locator("a.skip")
    assert link.bounding_box()["x"] >= 0
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    inside = page.evaluate("() => document.querySelector('main').contains(document.activeElement)")
    assert inside


def test_the_page_has_one_heading_and_no_level_is_skipped(page):
    levels = page.locator("h1, h2, h3, h4").evaluate_all(
        "(nodes) => nodes.filter((n) => n.checkVisibility()).map((n) => Number(n.tagName[1]))"
    )

    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
