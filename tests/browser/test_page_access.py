"""A report can be read and moved by everybody: judged by axe, and by the keyboard alone."""

from itertools import pairwise
from pathlib import Path

import axe_playwright_python
import pytest

from browser.conftest import ask, frame, open_everything

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
VIOLATIONS = """([rules, context]) => axe.run(context ?? document, {
    resultTypes: ["violations", "incomplete"], ...(rules ? { runOnly: rules } : {}),
}).then(({ violations, incomplete }) => {
    // Axe leaves text on charts and single characters undecided: their contrast is computed here.
    const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => colour.slice(0, 3).map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, place) => sum + [0.2126, 0.7152, 0.0722][place] * part, 0);
    const behind = (node) => {
        const colour = parse(getComputedStyle(node).backgroundColor);
        if (node.matches(":not(svg, svg *)") && (colour[3] ?? 1) === 1) return colour;
        return behind(node.parentElement);
    };
    const contrast = (node) => {
        const style = getComputedStyle(node);
        const ink = parse(node instanceof SVGElement ? style.fill : style.color);
        const [a, b] = [light(ink), light(behind(node))];
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const isFaint = ({ target }) => contrast(document.querySelector(target[0])) < 4.5;
    const faint = incomplete.filter(({ id }) => id === "color-contrast")
        .map(({ id, nodes }) => ({ id, nodes: nodes.filter(isFaint) }));
    return [...violations, ...faint].filter(({ nodes }) => nodes.length)
        .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => node.html.slice(0, 160)
            + " " + (node.any[0]?.message ?? "")).join(" | ")}`);
})"""
BAND = "#threshold=0.6&lower=0.4"
VIEWS = {
    "segments and a comparison": ("bleeding", "#threshold=0.2", {}),
    "costs and a pin": ("churn", "#threshold=0.2", {}),
    "a band and folds": ("probabilities", BAND, {}),
    "another layout": ("nominal", "#layout=predicted", {}),
    "a phone": ("weighted", "", {"viewport": {"width": 390, "height": 844}}),
}


def violations(page, rules=None):
    """What axe objects to on all tabs, and texts whose contrast it cannot determine."""
    open_everything(page)
    if page.locator("#why").is_visible():
        page.click("#why")
    page.fill("#upper-typed", "nonsense")
    page.keyboard.press("Enter")
    page.evaluate(AXE)
    objections = []
    for tab in page.locator("[role=tab]").all():
        tab.click()
        open_everything(page)
        page.evaluate("() => scrollTo(0, 0)")
        frame(page)
        objections += page.evaluate(VIOLATIONS, [rules, None])
    for menu in ("share", "download"):
        page.click(f"#{menu}")
        objections += page.evaluate(VIOLATIONS, [rules, f"#{menu}-menu"])
        page.keyboard.press("Escape")
    return sorted(set(objections))


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_violation(opened, report, view):
    name, fragment, choices = VIEWS[view]

    assert violations(opened(report(name), fragment, **choices).page) == []


@pytest.mark.parametrize(
    "view", ["segments and a comparison", "costs and a pin", "a band and folds"]
)
def test_contrast_suffices_in_the_dark(opened, report, view):
    name, fragment, choices = VIEWS[view]
    page = opened(report(name), fragment, color_scheme="dark", **choices).page

    assert violations(page, ["color-contrast"]) == []


@pytest.fixture(scope="module")
def page(opened, report):
    page = opened(report("probabilities"), "#threshold=0.6&lower=0.4").page
    open_everything(page)
    return page


def test_tab_reaches_every_control_in_reading_order(page):
    controls = page.evaluate(
        """() => {
            const able = "a[href], button, input, select, textarea, summary, [tabindex='0']";
            const all = [...document.querySelectorAll(able)].filter((node) =>
                node.checkVisibility({ visibilityProperty: true })
                && !node.matches("[type=radio]:not(:checked), [tabindex='-1']"));
            all.forEach((node, at) => { node.dataset.order = at; });
            return all.length;
        }"""
    )
    reached = []
    page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    for _ in range(controls):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("() => document.activeElement.dataset.order ?? null"))

    assert controls > 50
    assert [int(at) for at in reached if at is not None] == list(range(controls))


def test_keyboard_focus_is_visible(page):
    unseen = []
    for selector in (
        "#upper-slider",
        "#lower-slider",
        "#upper-typed",
        "#pin",
        "[name=scale]",
        "#band",
        "#goal",
        "#why",
        "#share",
        "#prevalence",
        "[role=tab]",
        "#chart-roc .handle.upper",
    ):
        page.locator(selector).first.focus()
        before = page.screenshot()
        page.keyboard.press("Shift")  # the keyboard is what is used
        page.evaluate("() => document.activeElement.blur()")
        if page.screenshot() == before:
            unseen.append(selector)

    assert unseen == []


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

    assert len(handles) >= 18
    for handle in handles:
        assert handle["role"] == "slider"
        assert handle["least"] <= handle["now"] <= handle["most"]
        lower = handle["label"].startswith("Lower threshold")
        assert handle["valueText"].startswith("0.4: " if lower else "0.6: ")
        assert ", false positive rate " in handle["valueText"]
    assert len({handle["label"] for handle in handles}) == len(handles)


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


def press_until(page, selector, key="Tab", most=80):
    """Press a key until an element has the focus."""
    for _ in range(most):
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{selector} was not reached with {key}")


def test_the_whole_page_is_used_with_the_keyboard_alone(opened, report):
    page = opened(report("probabilities")).page
    press_until(page, "#ratio")
    page.keyboard.press("Control+A")
    page.keyboard.type("4")
    page.keyboard.press("Enter")  # the question is answered
    frame(page)
    recommended = page.input_value("#upper-typed")
    assert page.input_value("#goal") == "cost"
    press_until(page, "#pin")
    page.keyboard.press("Enter")
    press_until(page, "#upper-slider")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    frame(page)
    assert float(page.input_value("#upper-typed")) > float(recommended)
    assert page.locator("#tile-flagged .change").text_content().startswith("−")
    press_until(page, "[name=scale]")
    page.keyboard.press("ArrowRight")
    frame(page)
    assert page.locator("[value=recall]").is_checked()
    press_until(page, "#band")
    page.keyboard.press("Space")
    press_until(page, "[role=tab]")
    page.keyboard.press("End")
    assert page.locator("#how").is_visible()
    press_until(page, "#use", "Shift+Tab")
    page.keyboard.press("Enter")
    frame(page)
    assert page.input_value("#upper-typed") == recommended
    assert not page.is_checked("#band")
    press_until(page, "#share", "Shift+Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.id") == "copy-link"
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.id") == "share"
