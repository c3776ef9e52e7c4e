"""The line follows mouse, keyboard and typing, on every chart, and everything follows the line."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame
from browser.reports import EVALUATIONS, lower, probabilities
from tradeoff import formatting

pytestmark = pytest.mark.browser

CHARTS = ["roc", "precisionRecall", "scores", "gains", "lift", "cost"]
CHARTS += ["calibration", "decisionMap", "folds"]
LEFT, TOP, RIGHT, FLOOR = 58, 10, 380, 258  # of the plot, in a chart's own 400 times 300 units
WIDE, TALL = RIGHT - LEFT, FLOOR - TOP

STATE = """() => {
    const state = tradeoff.state();
    const selection = state.selections[state.active];
    const text = (id) => document.getElementById(id).textContent;
    const handles = [...document.querySelectorAll("figure.chart")].map((figure) => {
        const handle = figure.querySelector(".handle.upper");
        const grip = handle.querySelector(".grip");
        return [figure.id.slice(6), {
            x: Number(grip.getAttribute("cx")), y: Number(grip.getAttribute("cy")),
            now: Number(handle.getAttribute("aria-valuenow")),
            valueText: handle.getAttribute("aria-valuetext"),
        }];
    });
    return {
        place: selection.upper, lower: selection.lower,
        typed: document.getElementById("upper-typed").value,
        slider: Number(document.getElementById("upper-slider").value),
        headline: text("headline"), status: text("status"),
        shown: [...document.querySelectorAll("#matrix .count")].map((node) => node.textContent),
        recall: document.querySelector("#main-metrics td").textContent,
        found: document.querySelector("#models tr.active").cells[7].textContent,
        handles: Object.fromEntries(handles),
    };
}"""


def state(page):
    frame(page)
    return ask(page, STATE, None)


def handle_positions(ranking, place):
    """Where the handles of some charts must be, in a chart's own units."""
    matrix = ranking.at_place(place)
    names = ("tpr", "fpr", "precision", "depth")
    with np.errstate(all="ignore"):
        tpr, fpr, precision, depth = (float(to.METRICS[name](matrix)) for name in names)
    points = {"roc": (fpr, tpr), "gains": (depth, tpr), "folds": (fpr, tpr)}
    if place:  # where nothing is called positive there is no precision
        points["precisionRecall"] = (tpr, precision)
    x_positions = {name: LEFT + WIDE * x for name, (x, _) in points.items()}
    y_positions = {name: FLOOR - TALL * y for name, (_, y) in points.items()}
    x_positions |= dict.fromkeys(("lift", "cost"), LEFT + WIDE * depth)
    if place:
        x_positions["calibration"] = LEFT + WIDE * float(ranking.thresholds[place])
    return x_positions, y_positions


def check_everything_follows(page_state, ranking):
    """All of the page tells of one and the same threshold."""
    place = page_state["place"]
    matrix = ranking.at_place(place)
    threshold = formatting.format_threshold(float(ranking.thresholds[place])) if place else "none"
    counts = [matrix.true_positives, matrix.false_negatives]
    counts += [matrix.false_positives, matrix.true_negatives]
    share = formatting.format_percent(float(to.METRICS["tpr"](matrix)))

    assert page_state["lower"] == place
    assert page_state["typed"] == threshold
    assert page_state["slider"] == len(ranking) - 1 - place
    assert page_state["shown"] == [formatting.format_count(count) for count in counts]
    assert (
        f"{formatting.format_count(counts[0])} of {formatting.format_count(matrix.positives)} "
        in page_state["headline"]
    )
    assert page_state["recall"] == formatting.format_number(float(to.METRICS["tpr"](matrix)))
    assert page_state["found"] == share
    x_positions, y_positions = handle_positions(ranking, place)
    for name, handle in page_state["handles"].items():
        rises = name not in {"scores", "calibration"}
        assert handle["now"] == (place if rises else len(ranking) - 1 - place)
        assert handle["valueText"].startswith(f"{threshold}: recall {share}, ")
        if name in x_positions:
            assert handle["x"] == pytest.approx(x_positions[name], abs=0.01), name
        if name in y_positions:
            assert handle["y"] == pytest.approx(y_positions[name], abs=0.01), name


def pointer_distances(page, chart, ranking, x, y):
    """How well each place answers a pointer at x and y of a chart: the least is the best."""
    matrix = ranking.confusion
    with np.errstate(all="ignore"):
        tpr, fpr, precision, depth = (
            to.METRICS[name](matrix) for name in ("tpr", "fpr", "precision", "depth")
        )
    pixels = {"roc": (fpr, tpr), "folds": (fpr, tpr), "precisionRecall": (tpr, precision)}
    if chart in pixels:
        x_rate, y_rate = pixels[chart]
        return np.hypot(LEFT + WIDE * x_rate - x, FLOOR - TALL * y_rate - y)
    if chart in {"gains", "lift", "cost"}:
        return np.abs(LEFT + WIDE * depth - x)
    share = (x - LEFT) / WIDE
    if chart == "decisionMap":
        return (1 - tpr) * share + fpr * (1 - share)
    low, high = 0, 1
    if chart == "scores":
        edges = page.evaluate("() => tradeoff.view().ranking.model.scores.edges")
        room = 0.03 * (edges[-1] - edges[0])
        low, high = edges[0] - room, edges[-1] + room
    return np.abs(np.arange(len(ranking)) - ranking.index(low + share * (high - low)))


@pytest.fixture(scope="module")
def moving(opened, report):
    """A report with every kind of chart; tests leave the line where they moved it."""
    return opened(report("probabilities")).page


@pytest.mark.parametrize("chart", CHARTS)
def test_the_threshold_can_be_dragged_on_every_chart(moving, chart):
    page, ranking = moving, probabilities().ranking
    picture = page.locator(f"#chart-{chart} svg")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    handle = state(page)["handles"][chart]

    def at(x, y):
        return box["x"] + x / 400 * box["width"], box["y"] + y / 300 * box["height"]

    page.mouse.move(*at(handle["x"], handle["y"]))
    page.mouse.down()
    places = []
    for x, y in ((120, 60), (300, 90), (260.5, 200)):
        page.mouse.move(*at(x, y), steps=3)
        page_state = state(page)
        distances = pointer_distances(page, chart, ranking, x, y)
        assert distances[page_state["place"]] <= np.nanmin(distances) + 1e-6
        check_everything_follows(page_state, ranking)
        places.append(page_state["place"])
    page.mouse.up()
    page.mouse.move(*at(60, 250))

    assert len(set(places)) > 1
    assert state(page)["place"] == places[-1]


def test_a_threshold_dragged_beyond_a_chart_stays_at_its_end(moving):
    page = moving
    page.locator("#chart-gains svg").scroll_into_view_if_needed()
    box = page.locator("#chart-gains svg").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] - 400, middle)
    left = state(page)["place"]
    page.mouse.move(box["x"] + 2 * box["width"], middle)
    right = state(page)["place"]
    page.mouse.up()

    assert (left, right) == (0, len(probabilities().ranking) - 1)


def test_other_mouse_buttons_do_not_move_the_threshold(moving):
    page = moving
    before = state(page)["place"]
    box = page.locator("#chart-roc svg").bounding_box()
    page.mouse.click(box["x"] + 150, box["y"] + 100, button="right")

    assert state(page)["place"] == before


@pytest.mark.parametrize("chart", CHARTS)
def test_arrow_keys_move_a_focused_handle(moving, chart):
    page, ranking = moving, probabilities().ranking
    last = len(ranking) - 1
    far = math.floor(last / 20 + 0.5)
    sign = -1 if chart in {"scores", "calibration"} else 1
    page.evaluate("() => tradeoff.moveThreshold('upper', 40)")
    frame(page)
    page.locator(f"#chart-{chart} .handle.upper").focus()
    place = 40
    steps = {"ArrowRight": 1, "ArrowUp": 1, "ArrowLeft": -1, "ArrowDown": -1}
    for key, step in (steps | {"PageUp": far, "PageDown": -far, "ArrowRight": 1}).items():
        page.keyboard.press(key)
        place += sign * step
        assert state(page)["place"] == place, key
    check_everything_follows(state(page), ranking)
    ends = {}
    for key in ("Home", "End"):
        page.keyboard.press(key)
        ends[key] = state(page)["place"]
    page.keyboard.press("a")

    assert ends == ({"Home": 0, "End": last} if sign > 0 else {"Home": last, "End": 0})
    assert page.evaluate("() => document.activeElement.closest('figure').id") == f"chart-{chart}"


def test_keys_do_not_move_past_the_first_threshold(moving):
    page = moving
    page.locator("#chart-roc .handle.upper").focus()
    for key in ("Home", "ArrowLeft", "PageDown"):
        page.keyboard.press(key)
        assert state(page)["place"] == 0
    page_state = state(page)
    assert page_state["typed"] == "none"
    assert page_state["headline"].startswith("Never predict ")


def test_every_key_pressed_within_one_frame_counts(moving):
    page = moving
    page.evaluate("() => tradeoff.moveThreshold('upper', 40)")
    frame(page)
    page.evaluate(
        """() => [1, 2, 3].forEach(() => document.querySelector("#chart-roc .handle.upper")
            .dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" })))"""
    )

    assert state(page)["place"] == 43


def test_arrow_keys_move_the_slider_and_right_means_a_higher_threshold(moving):
    page, ranking = moving, probabilities().ranking
    page.evaluate("() => tradeoff.moveThreshold('upper', 40)")
    frame(page)
    slider = page.locator("#upper-slider")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page_state = state(page)
    check_everything_follows(page_state, ranking)
    page.keyboard.press("Home")
    lowest = state(page)
    page.keyboard.press("End")

    assert page_state["place"] == 39
    assert lowest["place"] == len(ranking) - 1
    assert state(page)["place"] == 0
    assert slider.get_attribute("aria-valuetext").startswith("none: recall 0%, ")


def test_where_low_scores_are_positive_charts_and_slider_have_the_same_direction(visit):
    page, ranking = visit("lower"), lower().ranking
    page.locator("#upper-slider").focus()
    page.keyboard.press("Home")
    none = state(page)
    page.keyboard.press("ArrowRight")
    first = state(page)
    page.locator("#chart-scores .handle.upper").focus()
    page.keyboard.press("ArrowRight")
    second = state(page)

    assert (none["place"], first["place"], second["place"]) == (0, 1, 2)
    assert none["handles"]["scores"]["x"] < first["handles"]["scores"]["x"]
    assert first["handles"]["scores"]["x"] < second["handles"]["scores"]["x"]
    assert second["headline"].startswith("Predict “\u2068sick\u2069” if “\u2068days\u2069” ≤ ")
    assert second["typed"] == formatting.format_threshold(float(ranking.thresholds[2]))
    box = page.locator("#chart-scores svg").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + 60)
    edges = page.evaluate("() => tradeoff.view().ranking.model.scores.edges")
    room = 0.03 * (edges[-1] - edges[0])
    value = edges[0] - room + (200 - LEFT) / WIDE * (edges[-1] - edges[0] + 2 * room)
    assert state(page)["place"] == ranking.index(value)


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
    page.click("#reset")


def test_both_thresholds_of_a_band_can_be_dragged_and_never_cross(moving):
    page = moving
    page.click("#reset")
    page.check("#band")
    opening = state(page)
    rows = probabilities().ranking.rows
    ranking = probabilities().ranking
    matrix = ranking.banded(opening["place"], opening["lower"])
    page.locator("#chart-gains svg").scroll_into_view_if_needed()
    box = page.locator("#chart-gains svg").bounding_box()
    lower_grip = page.locator("#chart-gains .handle.lower .grip").bounding_box()
    page.mouse.move(lower_grip["x"] + 7, lower_grip["y"] + 7)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.85 * box["width"], box["y"] + 80)
    wide = state(page)
    page.mouse.move(box["x"] + 0.15 * box["width"], box["y"] + 80)
    crossed = state(page)
    page.mouse.up()
    page.locator("#chart-roc .handle.lower").focus()
    page.keyboard.press("End")
    last = state(page)
    page.uncheck("#band")

    assert 0.05 * rows < matrix.rejected <= 0.1 * rows
    assert wide["place"] == opening["place"]
    assert wide["lower"] > opening["lower"]
    assert crossed["place"] == crossed["lower"] < opening["place"]
    assert (last["place"], last["lower"]) == (crossed["place"], len(ranking) - 1)
    assert state(page)["lower"] == crossed["place"]


def test_each_model_has_its_own_threshold(visit):
    page = visit("bleeding")
    page.locator("#models button", has_text="ndka").click()
    page.fill("#upper-typed", "10")
    page.keyboard.press("Enter")
    frame(page)
    ndka = EVALUATIONS["bleeding"]()["ndka"].ranking.at(10)
    page_state = state(page)
    thresholds = page.locator("#models tbody tr").evaluate_all(
        "(rows) => rows.map((row) => row.cells[row.cells.length - 4].textContent)"
    )

    assert page_state["shown"][0] == formatting.format_count(ndka.true_positives)
    assert thresholds == ["0.22", "10", "4"]
    page.select_option("#model", label="wfns")
    wfns = EVALUATIONS["bleeding"]()["wfns"].ranking.at(4)
    assert state(page)["shown"][0] == formatting.format_count(wfns.true_positives)
    page.locator("#legend button", has_text="s100b").click()
    assert state(page)["typed"] == "0.22"


def test_a_curve_registered_for_the_page_is_drawn_and_follows_the_threshold(
    opened, tmp_path, monkeypatch
):
    monkeypatch.setitem(to.CURVES, "det", replace(to.CURVES["det"], on_page=True))
    path = tmp_path / "det.html"
    probabilities().report(path)
    page, ranking = opened(path).page, probabilities().ranking
    figure = page.locator("#chart-det")
    figure.locator(".handle.upper").focus()
    for key in ("Home", "PageUp", "ArrowRight"):
        page.keyboard.press(key)
    place = state(page)["place"]
    point = ask(
        page,
        f"() => Charts.chart('det', tradeoff.view()).position(tradeoff.view().ranking, {place})",
        None,
    )
    expected = [to.METRICS[name](ranking.at_place(place)) for name in ("fpr", "fnr")]

    assert figure.locator("h3").text_content() == to.CURVES["det"].title
    assert point == pytest.approx(expected, abs=1e-5)
    check_everything_follows(state(page), ranking)
    page.fill("#prevalence", "20")
    page.keyboard.press("Tab")
    frame(page)

    assert page.locator("#chart-det").count() == 0  # its points hold for the rows' own prevalence
