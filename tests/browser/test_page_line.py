"""The line: a slider on three scales, by mouse, finger and keyboard, always in view."""

import pytest

from browser.conftest import ask, frame, swipe
from browser.reports import bleeding, churn, lower, probabilities

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LINE = """() => {
    const box = (node) => node.getBoundingClientRect();
    const rail = box(document.querySelector("#line .track"));
    const at = (selector) => {
        const node = document.querySelector(selector);
        const { left, width } = box(node);
        return node.hidden ? null : (left + width / 2 - rail.left) / rail.width;
    };
    const { selections, active } = tradeoff.state();
    return {
        ...selections[active], upperAt: at("#upper-slider"), lowerAt: at("#lower-slider"),
        ghostAt: at("#line .ghost"), pinnedAt: at("#line .pinned"),
        ticks: [...document.querySelectorAll("#line .ticks span")].map((tick) =>
            [tick.textContent, parseFloat(tick.style.left) / 100]),
        text: document.querySelector("#upper-slider").getAttribute("aria-valuetext"),
        now: Number(document.querySelector("#upper-slider").getAttribute("aria-valuenow")),
    };
}"""


def line(page):
    frame(page)
    return ask(page, LINE, None)


def tick_position(ticks, value):
    """Where a value is on the scale, from two of its ticks."""
    numbers = [float(text.rstrip("%").replace("−", "-").replace("k", "e3")) for text, _ in ticks]
    (first, last), (start, end) = (numbers[0], numbers[-1]), (ticks[0][1], ticks[-1][1])
    return start + (value - first) / (last - first) * (end - start)


@pytest.mark.parametrize("scale", ["score", "recall", "flagged"])
def test_on_every_scale_the_handle_stands_at_its_value(visit, scale):
    page = visit("probabilities", f"#threshold=0.7&scale={scale}")
    matrix = probabilities().ranking.at(0.7)
    value = {
        "score": 0.7,
        "recall": 100 * float(matrix.true_positives) / float(matrix.positives),
        "flagged": float(matrix.true_positives + matrix.false_positives),
    }[scale]
    shown = line(page)

    assert shown["upperAt"] == pytest.approx(tick_position(shown["ticks"], value), abs=0.003)
    assert page.locator(f"input[value={scale}]").is_checked()
    assert len(shown["ticks"]) >= 4


@pytest.mark.parametrize("scale", ["score", "recall", "flagged"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.83])
def test_a_click_moves_the_threshold_to_the_nearest_value(visit, scale, share):
    page = visit("probabilities", f"#scale={scale}")
    box = page.locator("#line .track").bounding_box()
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    shown = line(page)
    ranking = probabilities().ranking

    assert shown["upperAt"] == pytest.approx(share, abs=0.02)
    if scale == "recall":
        recalls = ranking.true_positives / ranking.positives
        assert abs(recalls[shown["upper"]] - share) == pytest.approx(abs(recalls - share).min())


def test_the_handle_is_dragged_from_end_to_end(visit):
    page = visit("probabilities")
    handle = page.locator("#upper-slider").bounding_box()
    box = page.locator("#line .track").bounding_box()
    middle = handle["y"] + handle["height"] / 2
    page.mouse.move(handle["x"] + handle["width"] / 2, middle)
    page.mouse.down()
    places = []
    for x in (0.8, 0.2, -0.1, 1.2):
        page.mouse.move(box["x"] + x * box["width"], middle, steps=2)
        places.append(line(page)["upper"])
    page.mouse.up()

    last = len(probabilities().ranking) - 1
    assert places[0] < places[1] < places[2] == last
    assert places[3] == 0
    assert page.input_value("#upper-typed") == "none"


@pytest.mark.parametrize("name", ["probabilities", "lower"])
@pytest.mark.parametrize("scale", ["score", "flagged"])
def test_keys_move_the_handle_in_the_direction_of_its_scale(visit, name, scale):
    page = visit(name, f"#scale={scale}")
    ranking = {"probabilities": probabilities, "lower": lower}[name]().ranking
    last = len(ranking) - 1
    rises = scale == "flagged" or name == "lower"
    page.evaluate("() => tradeoff.moveThreshold('upper', 30)")
    frame(page)
    page.locator("#upper-slider").focus()
    place, far, sign = 30, max(1, round(last / 20)), 1 if rises else -1
    for key, step in {"ArrowRight": 1, "ArrowUp": 1, "ArrowLeft": -1, "PageUp": far}.items():
        before = line(page)["upperAt"]
        page.keyboard.press(key)
        place += sign * step
        shown = line(page)
        assert shown["upper"] == place, key
        assert (shown["upperAt"] > before) == (step > 0)
    page.keyboard.press("Home")
    start = line(page)
    page.keyboard.press("End")
    end = line(page)

    assert (start["upper"], end["upper"]) == ((0, last) if rises else (last, 0))
    assert (start["now"], end["now"]) == (0, last)
    assert start["upperAt"] < end["upperAt"]


def test_the_recommended_and_the_pinned_threshold_are_on_the_line(visit):
    page = visit("churn")
    shown = line(page)
    best = churn().thresholds().best.threshold
    assert shown["ghostAt"] == pytest.approx(tick_position(shown["ticks"], best), abs=0.004)
    assert shown["pinnedAt"] == pytest.approx(tick_position(shown["ticks"], 0.5), abs=0.004)
    assert page.locator(".ghost-label").inner_text() == f"recommended {best:g}"
    assert page.locator(".pinned-label").inner_text() == "pinned 0.5"
    page.locator("#upper-slider").focus()
    for _ in range(5):
        page.keyboard.press("PageUp")
    moved = line(page)

    assert moved["upperAt"] != shown["upperAt"]
    assert (moved["ghostAt"], moved["pinnedAt"]) == (shown["ghostAt"], shown["pinnedAt"])


def test_a_band_has_two_handles_that_never_cross(visit):
    page = visit("bleeding", "#threshold=0.5&lower=0.2")
    shown = line(page)
    assert shown["lowerAt"] < shown["upperAt"]
    page.locator("#lower-slider").focus()
    page.keyboard.press("End")
    crossed = line(page)

    assert crossed["upper"] == crossed["lower"] == 0
    assert page.get_attribute("#upper-slider", "aria-label") == "Upper threshold"
    assert page.get_attribute("#lower-slider", "aria-label") == "Lower threshold"


def test_tiles_and_line_stay_in_view_while_charts_are_dragged(opened, report):
    page = opened(report("churn"), viewport={"width": 1440, "height": 900}).page
    page.evaluate(
        """() => { const chart = document.getElementById("chart-roc");
            scrollTo(0, scrollY + chart.getBoundingClientRect().top - 400); }"""
    )
    assert page.evaluate("() => scrollY") > 400
    box = page.locator("#chart-roc svg").first.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
    page.mouse.down()
    frame(page)
    for name in ("tiles", "line"):
        place = page.locator(f"#{name}").bounding_box()
        assert place["y"] >= 0
        assert place["y"] + place["height"] < box["y"] + 0.4 * box["height"]
    page.mouse.up()


# ---- touch


@pytest.fixture(scope="module")
def phone(opened, report):
    return opened(report("probabilities"), **PHONE).page


@pytest.mark.parametrize(
    "selector", ["#chart-scores svg", "#chart-roc svg", "#chart-cost svg", "#line .track"]
)
def test_a_swipe_that_begins_on_a_chart_or_the_line_scrolls_and_changes_nothing(phone, selector):
    phone.locator(selector).first.scroll_into_view_if_needed()
    phone.wait_for_timeout(100)
    before, scrolled = line(phone), phone.evaluate("() => scrollY")
    box = phone.locator(selector).first.bounding_box()
    handle = phone.locator("#upper-slider").bounding_box()
    x = box["x"] + 0.75 * box["width"]
    if selector == "#line .track" and abs(x - handle["x"] - 22) < 40:
        x = box["x"] + 0.2 * box["width"]
    y = min(max(box["y"] + 0.6 * box["height"], 60), 700)
    direction = -1 if y > 300 else 1
    swipe(phone, (x, y), (x, y + direction * 160))
    phone.wait_for_timeout(150)
    after = line(phone)

    assert (after["upper"], after["lower"]) == (before["upper"], before["lower"])
    assert phone.evaluate("() => scrollY") != scrolled


def test_a_finger_drags_the_handle_within_44_pixels_of_it(phone):
    phone.evaluate("() => scrollTo(0, 300)")
    before = line(phone)
    box = phone.locator("#upper-slider").bounding_box()
    assert min(box["width"], box["height"]) >= 44
    start = (box["x"] + 6, box["y"] + box["height"] - 6)  # beside the visible handle
    swipe(phone, start, (start[0] + 90, start[1]))
    after = line(phone)

    assert after["upper"] < before["upper"]
    assert after["upperAt"] - before["upperAt"] == pytest.approx(
        (90 - 16) / phone.locator("#line .track").bounding_box()["width"], abs=0.06
    )
    touch = phone.locator("#upper-slider").evaluate("(node) => getComputedStyle(node).touchAction")
    assert touch == "none"


def test_a_tap_on_the_line_moves_the_threshold(phone):
    box = phone.locator("#line .track").bounding_box()
    phone.touchscreen.tap(box["x"] + 0.25 * box["width"], box["y"] + 12)

    assert line(phone)["upperAt"] == pytest.approx(0.25, abs=0.02)


def test_on_a_phone_tiles_and_line_are_in_view_below_the_first_screen(phone):
    phone.evaluate("() => scrollTo(0, 900)")
    frame(phone)
    height = phone.evaluate("() => innerHeight")
    for selector in ("#tiles", "#line .track"):
        box = phone.locator(selector).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] < 0.4 * height


def test_each_model_keeps_its_own_threshold_on_the_line(visit):
    page = visit("bleeding")
    opening = line(page)["upper"]
    page.select_option("#model", label="wfns")
    page.fill("#upper-typed", "3")
    page.keyboard.press("Enter")
    frame(page)
    assert line(page)["upper"] == bleeding()["wfns"].ranking.index(3)
    page.select_option("#model", label="s100b")

    assert line(page)["upper"] == opening
