"""On every chart the threshold can be dragged, and stands where its values are."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame, swipe
from browser.reports import EVALUATIONS, churn, lower, probabilities
from tradeoff import formatting

pytestmark = pytest.mark.browser

ON_SCORES = ["scores", "cost", "metrics", "calibration"]
CHARTS = [*ON_SCORES, "roc", "precisionRecall", "gains", "lift", "decisionMap", "folds"]
PHONE = {"width": 390, "height": 844}

CHART = """(name) => {
    const figure = document.getElementById(`chart-${name}`);
    const numbers = (node, ...names) => names.map((key) => Number(node.getAttribute(key)));
    const ticks = (anchor) => [...figure.querySelectorAll(`.grid text[text-anchor=${anchor}]`)]
        .filter((node) => !node.classList.contains("label"))
        .map((node) => [node.textContent, ...numbers(node, "x", "y")]);
    const handle = (key) => {
        const node = figure.querySelector(`.handle.${key}`);
        const [x, y] = numbers(node.querySelector(".grip"), "cx", "cy");
        const [now] = numbers(node, "aria-valuenow");
        const isShown = node.getAttribute("visibility") !== "hidden";
        return { x, y, now, isShown, text: node.getAttribute("aria-valuetext") };
    };
    const dots = [...figure.querySelectorAll(".dot")]
        .map((dot) => [dot.classList[1], numbers(dot, "cx", "cy")]);
    return {
        x: ticks("middle"), y: ticks("end"), dots: Object.fromEntries(dots),
        upper: handle("upper"), lower: handle("lower"),
    };
}"""
UNITS = {"%": 0.01, "k": 1e3, "M": 1e6}


def opened_charts(page):
    """Show the charts that are behind a tab."""
    page.locator("#tab-charts").click()
    frame(page)
    return page


class Axis:
    """An axis as a reader reads it: pixels of values, from the texts of its ticks."""

    def __init__(self, ticks, places):
        self.values = [number(text) for text in ticks]
        self.places = places

    def pixel(self, value):
        (first, *_, last), (start, *_, end) = self.values, self.places
        return start + (value - first) / (last - first) * (end - start)

    def value(self, pixel):
        (first, *_, last), (start, *_, end) = self.values, self.places
        return first + (pixel - start) / (end - start) * (last - first)


def number(text):
    """A tick as a number."""
    factor = UNITS.get(text[-1], 1)
    return float(text.rstrip("%kM").replace("−", "-")) * factor


class Drawn:
    """A chart as it is drawn."""

    def __init__(self, page, name):
        frame(page)
        self.__dict__ = ask(page, CHART, name)
        self.x_axis = Axis([text for text, _, _ in self.x], [x for _, x, _ in self.x])
        # Texts stand four pixels below the lines of their values.
        self.y_axis = Axis([text for text, _, _ in self.y], [y - 4 for _, _, y in self.y])


def index_of(page):
    frame(page)
    return page.evaluate("() => tradeoff.view().selection.upper")


def move(page, index):
    page.evaluate(f"() => tradeoff.moveThreshold('upper', {index})")
    frame(page)


def rates(ranking, index=slice(None)):
    """Rates of the library by the names of axes."""
    names = {"recall": "tpr", "fpr": "fpr", "precision": "precision", "depth": "depth"}
    names |= {"lift": "lift", "specificity": "specificity"}
    matrices = ranking.matrices(index) if isinstance(index, slice) else ranking.at_place(index)
    with np.errstate(all="ignore"):
        return {name: to.METRICS[metric](matrices) for name, metric in names.items()}


AXES = {
    "roc": ("fpr", "recall"),
    "folds": ("fpr", "recall"),
    "precisionRecall": ("recall", "precision"),
    "gains": ("depth", "recall"),
    "lift": ("depth", "lift"),
}


@pytest.fixture(scope="module")
def moving(opened, report):
    """A report with every kind of chart; tests leave the threshold where they moved it."""
    return opened_charts(opened(report("probabilities")).page)


@pytest.mark.parametrize("chart", CHARTS)
@pytest.mark.parametrize("index", [7, 40, 88])
def test_a_handle_stands_at_the_values_of_its_threshold(moving, chart, index):
    ranking = probabilities().ranking
    move(moving, index)
    drawn = Drawn(moving, chart)
    values = {name: float(value) for name, value in rates(ranking, index).items()}
    threshold = float(ranking.thresholds[index])
    x, y = drawn.upper["x"], drawn.upper["y"]

    if chart in ON_SCORES:
        assert x == pytest.approx(drawn.x_axis.pixel(threshold), abs=0.11)
    if chart in AXES:
        across, up = AXES[chart]
        assert x == pytest.approx(drawn.x_axis.pixel(values[across]), abs=0.11)
        height = drawn.dots["own"][1] if "own" in drawn.dots else y
        assert height == pytest.approx(drawn.y_axis.pixel(values[up]), abs=0.11)
    if chart == "metrics":
        for name in ("recall", "specificity", "precision"):
            place = [drawn.x_axis.pixel(threshold), drawn.y_axis.pixel(values[name])]
            assert drawn.dots[name] == pytest.approx(place, abs=0.11), name
    if chart == "cost":
        cost = float(to.METRICS["error_rate"](ranking.at_place(index)))  # both errors cost 1
        assert y == pytest.approx(drawn.y_axis.pixel(cost), abs=0.11)
    assert drawn.upper["now"] == (len(ranking) - 1 - index if chart in ON_SCORES else index)
    recall = formatting.format_percent(values["recall"])
    assert drawn.upper["text"].startswith(f"{threshold:g}: recall {recall}, ")
    assert not drawn.lower["isShown"]


def pointer_distances(drawn, chart, ranking, x, y):
    """How far each threshold is from a pointer: the nearest is chosen."""
    values = rates(ranking)
    value = drawn.x_axis.value(x)
    if chart in ON_SCORES:
        return np.abs(np.arange(len(ranking)) - ranking.index(value))
    if chart == "decisionMap":
        return (1 - values["recall"]) * value + values["fpr"] * (1 - value)
    across, up = AXES[chart]
    horizontal = drawn.x_axis.pixel(values[across]) - x
    if across == "depth":
        return np.abs(horizontal)
    return np.hypot(horizontal, drawn.y_axis.pixel(values[up]) - y)


@pytest.mark.parametrize("chart", CHARTS)
def test_the_threshold_is_dragged_on_every_chart(moving, chart):
    page, ranking = moving, probabilities().ranking
    picture = page.locator(f"#chart-{chart} .stage > svg")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    indices = []
    for across, down in ((0.25, 0.3), (0.8, 0.4), (0.62, 0.7)):
        x, y = across * box["width"], down * box["height"]
        page.mouse.move(box["x"] + x, box["y"] + y, steps=3)
        index = index_of(page)
        distances = pointer_distances(Drawn(page, chart), chart, ranking, x, y)
        assert distances[index] <= np.nanmin(distances) + 0.3
        indices.append(index)
    page.mouse.up()
    page.mouse.move(box["x"] + 60, box["y"] + 100)

    assert len(set(indices)) > 1
    assert index_of(page) == indices[-1]


def test_a_handle_held_by_its_edge_does_not_jump(moving):
    page = moving
    move(page, 40)
    page.locator("#chart-roc .stage").scroll_into_view_if_needed()
    grip = page.locator("#chart-roc .handle.upper .grip").bounding_box()
    page.mouse.move(grip["x"] + grip["width"] - 3, grip["y"] + grip["height"] / 2)
    page.mouse.down()
    pressed = index_of(page)
    page.mouse.up()

    assert pressed == 40


def test_a_threshold_dragged_beyond_a_chart_stays_at_its_end(moving):
    page = moving
    picture = page.locator("#chart-gains .stage > svg")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] - 300, middle)
    left = index_of(page)
    page.mouse.move(box["x"] + 2 * box["width"], middle)
    right = index_of(page)
    page.mouse.up()

    assert (left, right) == (0, len(probabilities().ranking) - 1)


def test_other_mouse_buttons_do_not_move_the_threshold(moving):
    page = moving
    before = index_of(page)
    box = page.locator("#chart-roc .stage > svg").bounding_box()
    page.mouse.click(box["x"] + 150, box["y"] + 100, button="right")

    assert index_of(page) == before


@pytest.mark.parametrize("chart", CHARTS)
def test_arrow_keys_move_a_focused_handle(moving, chart):
    page, last = moving, len(probabilities().ranking) - 1
    far = math.floor(last / 20 + 0.5)
    sign = -1 if chart in ON_SCORES else 1
    move(page, 40)
    page.locator(f"#chart-{chart} .handle.upper").focus()
    place = 40
    steps = {"ArrowRight": 1, "ArrowUp": 1, "ArrowLeft": -1, "ArrowDown": -1}
    for key, step in (steps | {"PageUp": far, "PageDown": -far, "ArrowRight": 1}).items():
        page.keyboard.press(key)
        place += sign * step
        assert index_of(page) == place, key
    ends = {}
    for key in ("Home", "ArrowLeft", "End", "ArrowRight"):
        page.keyboard.press(key)
        ends[key] = index_of(page)

    first, final = (0, last) if sign > 0 else (last, 0)
    assert ends == {"Home": first, "ArrowLeft": first, "End": final, "ArrowRight": final}
    assert page.evaluate("() => document.activeElement.closest('figure').id") == f"chart-{chart}"


def test_every_key_pressed_within_one_frame_counts(moving):
    page = moving
    move(page, 40)
    page.evaluate(
        """() => [1, 2, 3].forEach(() => document.querySelector("#chart-roc .handle.upper")
            .dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" })))"""
    )

    assert index_of(page) == 43


def test_where_low_scores_are_positive_the_flagged_side_is_the_left_one(visit):
    page, ranking = visit("lower"), lower().ranking
    move(page, 3)
    drawn = Drawn(page, "scores")
    page.locator("#chart-scores .handle.upper").focus()
    page.keyboard.press("ArrowRight")
    moved = Drawn(page, "scores")
    regions = ask(page, REGIONS, None)

    assert drawn.upper["x"] == pytest.approx(
        drawn.x_axis.pixel(float(ranking.thresholds[3])), abs=0.11
    )
    assert index_of(page) == 4
    assert moved.upper["x"] > drawn.upper["x"]
    assert regions["flagged"] == pytest.approx([0, moved.upper["x"]], abs=0.11)
    assert page.locator("#chart-scores .flag").last.text_content().startswith("← flagged: ")


REGIONS = """() => Object.fromEntries(["flagged", "left", "between"].map((side) => {
    const rect = document.querySelector(`#${side}-scores rect`);
    const [x, width] = [rect.x.baseVal.value, rect.width.baseVal.value];
    return [side, [x, x + width]];
}))"""
LEGEND = """() => Object.fromEntries([...document.querySelectorAll("#chart-scores .legend li")]
    .filter((item) => !item.hidden).map((item) => [item.className, item.textContent]))"""


@pytest.mark.parametrize("index", [5, 40, 200])
def test_scores_are_coloured_by_consequence(visit, index):
    page, ranking = visit("churn"), churn()["logistic"].ranking
    page.select_option("#model", label="logistic")
    move(page, index)
    drawn = Drawn(page, "scores")
    regions, legend = ask(page, REGIONS, None), ask(page, LEGEND, None)
    matrix = ranking.at_place(index)
    count = formatting.format_count

    assert regions["left"] == pytest.approx([0, drawn.upper["x"]], abs=0.11)
    assert regions["flagged"][0] == pytest.approx(drawn.upper["x"], abs=0.11)
    assert regions["between"][0] == pytest.approx(regions["between"][1])
    assert legend["tp"] == f"yes, flagged {count(matrix.true_positives)}"
    assert legend["fn"] == f"yes, missed {count(matrix.false_negatives)}"
    assert legend["fp"] == f"no, flagged {count(matrix.false_positives)}"
    assert legend["tn"] == f"no, left alone {count(matrix.true_negatives)}"
    flagged = count(matrix.predicted_positives)
    assert page.locator("#chart-scores .flag").last.text_content() == f"flagged: {flagged} →"


def test_each_class_has_its_bars_and_each_consequence_a_colour_of_its_own(visit):
    page = visit("churn")
    colours = page.evaluate(
        """() => ["tp", "fn", "fp", "tn"].map((name) =>
            getComputedStyle(document.querySelector(`#chart-scores .bars.${name}`)).fill)"""
    )
    models = page.evaluate(
        """() => [...document.querySelectorAll("#chart-roc .line.model")].map((line) =>
            getComputedStyle(line).stroke)"""
    )
    heights = page.evaluate(
        """() => ["tp", "fn"].map((name) =>
            document.querySelector(`#chart-scores .bars.${name}`).getAttribute("d"))"""
    )

    assert len({*colours, *models}) == 6
    assert heights[0] == heights[1]  # the same bars, shown on either side of the threshold
    histogram = page.evaluate("() => tradeoff.view().ranking.model.scores.positive")
    drawn = Drawn(page, "scores")
    above = [(text, y - 4) for text, _, y in drawn.y if y <= drawn.y[0][2] or text == "0%"]
    upwards = sorted(above, key=lambda tick: -tick[1])[-2:]
    axis = Axis([text for text, _ in upwards], [y for _, y in upwards])
    baseline = axis.pixel(0)
    tops = [float(part) for part in re.findall(r"v(-[\d.]+)H", heights[0])]
    expected = [axis.pixel(share) - baseline for share in histogram if share]
    assert tops == pytest.approx(expected, abs=0.76)


def test_a_score_with_a_bar_of_its_own_has_the_threshold_at_its_edge(visit):
    page = visit("bleeding")
    page.select_option("#model", label="wfns")
    move(page, 2)  # 4 and 5 are flagged
    drawn = Drawn(page, "scores")

    assert drawn.x_axis.value(drawn.upper["x"]) == pytest.approx(3.5, abs=0.02)


def test_the_recommended_range_and_the_pinned_threshold_are_drawn(visit):
    page = visit("churn")
    model = page.evaluate("() => tradeoff.view().ranking.model")
    low, high = model["recommendation"]["as_good"]
    drawn = Drawn(page, "scores")
    range_box = page.evaluate(
        """() => { const { x, width } = document.querySelector("#chart-scores rect.range");
            return [x.baseVal.value, x.baseVal.value + width.baseVal.value]; }"""
    )
    pinned = page.locator("#chart-scores .mark.pinned")
    ghost = page.locator("#chart-cost .mark.recommended")

    assert range_box == pytest.approx([drawn.x_axis.pixel(low), drawn.x_axis.pixel(high)], abs=0.11)
    assert "as good: " in page.locator("#chart-scores .legend").text_content()
    assert pinned.get_attribute("visibility") == "visible"
    assert pinned.locator("text").text_content() == "pinned: 0.5"
    assert ghost.get_attribute("visibility") == "hidden"  # the threshold is there
    move(page, 100)
    assert ghost.get_attribute("visibility") == "visible"
    path = ghost.locator("path").get_attribute("d")
    expected = Drawn(page, "cost").x_axis.pixel(model["recommendation"]["threshold"])
    assert float(re.match(r"M([\d.]+)", path)[1]) == pytest.approx(expected, abs=0.11)


def test_the_lowest_cost_is_marked_with_its_value(visit):
    page = visit("churn")
    best = churn()["boosting" if page.input_value("#model") == "0" else "logistic"]
    decision = best.best(costs=to.Costs(fp=5, fn=60))
    total = formatting.format_count(round(float(decision.value) * 1500))
    marked = page.locator("#chart-cost .best")
    drawn = Drawn(page, "cost")

    assert f"lowest: EUR {total}" in page.locator("#chart-cost").text_content()
    assert float(marked.get_attribute("cx")) == pytest.approx(
        drawn.x_axis.pixel(decision.threshold), abs=0.11
    )
    assert float(marked.get_attribute("cy")) == pytest.approx(
        drawn.y_axis.pixel(float(decision.value) * 1500), abs=0.11
    )


def test_costs_by_share_flagged_are_the_librarys_at_any_prevalence(visit):
    page = visit("probabilities", "#prevalence=0.1&population=5000&fn=4")
    ranking = probabilities().ranking.at_prevalence(0.1)
    points = ask(
        page,
        """() => {
            const { xs, ys } = Charts.chart("profit", tradeoff.view()).points;
            return [[...xs], [...ys]];
        }""",
        None,
    )
    costs = to.Costs(fp=1, fn=4).totals(ranking) / float(ranking.total)  # per row
    shares = to.METRICS["depth"](ranking.confusion)

    np.testing.assert_allclose(points, [shares, costs], rtol=1e-9, atol=1e-12)


def test_in_a_band_both_handles_of_the_cost_chart_stand_at_its_cost(visit):
    page = visit("churn", "#lower=0.05&threshold=0.2&rp=1&rn=1")
    total = page.evaluate("() => Rankings.totalCost(tradeoff.view().matrix, tradeoff.view().costs)")
    drawn = Drawn(page, "cost")
    for handle in (drawn.upper, drawn.lower):
        assert handle["isShown"]
        assert handle["y"] == pytest.approx(drawn.y_axis.pixel(total), abs=0.11)
    figure = formatting.format_count(round(total))
    assert figure in page.locator("#tiles").text_content()
    lines = page.evaluate(
        """() => [...document.querySelectorAll("#chart-cost .limit[transform]")].map((line) => {
            const shift = Number(line.getAttribute("transform").match(/ (-?[\\d.]+)\\)/)[1]);
            const points = Array.from({ length: 4001 }, (_, step) =>
                line.getPointAtLength((step / 4000) * line.getTotalLength()));
            return points.map(({ x, y }) => [x, y + shift]);
        })"""
    )
    for line in lines:  # each passes through the handle of its threshold
        distances = [
            min(math.hypot(x - handle["x"], y - handle["y"]) for x, y in line)
            for handle in (drawn.upper, drawn.lower)
        ]
        assert min(distances) < 1.5


def test_a_band_is_shaded_on_every_chart(visit):
    page = opened_charts(visit("probabilities", "#lower=0.3&threshold=0.6"))
    frame(page)
    shaded = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("figure.chart")].map((figure) => {
            const rect = figure.querySelector("rect.undecided");
            const [x, width] = ["x", "width"].map((name) => Number(rect.getAttribute(name)));
            return [figure.id.slice(6), [rect.getAttribute("visibility"), x, x + width]];
        }))"""
    )
    regions = ask(page, REGIONS, None)

    for chart, (visibility, start, end) in shaded.items():
        drawn = Drawn(page, chart)
        if chart == "decisionMap":  # its x axis is no quantity of a threshold
            assert page.locator(f"#chart-{chart} .line.iso").count() == 2
            continue
        ends = sorted([drawn.upper["x"], drawn.lower["x"]])
        assert visibility == "visible", chart
        assert [start, end] == pytest.approx(ends, abs=1.01), chart
    assert regions["between"] == pytest.approx(shaded["scores"][1:], abs=0.11)


def test_both_thresholds_of_a_band_are_dragged_and_never_cross(visit):
    page = visit("probabilities", "#lower=0.3&threshold=0.6")
    last = len(probabilities().ranking) - 1
    selection = (
        "() => { const { upper, lower } = tradeoff.view().selection; return [upper, lower]; }"
    )
    start = page.evaluate(selection)
    page.locator("#chart-scores .stage").scroll_into_view_if_needed()
    box = page.locator("#chart-scores .stage > svg").bounding_box()
    grip = page.locator("#chart-scores .handle.lower .grip").bounding_box()
    page.mouse.move(grip["x"] + 7, grip["y"] + 7)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 80, steps=3)
    frame(page)
    wide = page.evaluate(selection)
    page.mouse.move(box["x"] + 0.85 * box["width"], box["y"] + 80, steps=3)
    frame(page)
    crossed = page.evaluate(selection)
    page.mouse.up()
    page.locator("#chart-roc .handle.lower").focus()
    page.keyboard.press("End")
    frame(page)

    assert wide[0] == start[0]
    assert wide[1] > start[1]
    assert crossed[0] == crossed[1] < start[0]
    assert page.evaluate(selection) == [crossed[0], last]


def test_a_bubble_tells_the_values_and_the_cost_at_the_pointer(visit):
    page, evaluation = visit("churn"), churn()
    name = page.locator("#model option:checked").text_content()
    ranking = evaluation[name].ranking
    picture = page.locator("#chart-roc .stage > svg")
    picture.scroll_into_view_if_needed()
    box = picture.bounding_box()
    page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.3 * box["height"])
    frame(page)
    frame(page)
    bubble = page.locator("#chart-roc .bubble")
    text = bubble.inner_text()
    threshold = float(re.search(r"≥ ([\d.]+)", text)[1])
    matrix = ranking.at(threshold)
    total = 5 * matrix.false_positives + 60 * matrix.false_negatives

    assert bubble.is_visible()
    assert name in text
    assert formatting.format_percent(float(to.METRICS["tpr"](matrix))) in text
    assert formatting.format_percent(float(to.METRICS["fpr"](matrix))) in text
    assert f"EUR {formatting.format_count(total)}" in text
    assert index_of(page) != ranking.index(threshold)  # nothing moved
    page.mouse.move(5, 5)
    assert not bubble.is_visible()


def test_a_finger_drags_only_the_handle(opened, report):
    page = opened(report("churn"), viewport=PHONE, has_touch=True, is_mobile=True).page
    picture = page.locator("#chart-scores .stage > svg")
    picture.evaluate("(node) => node.scrollIntoView({ block: 'end' })")
    box = picture.bounding_box()
    before = index_of(page)
    page.touchscreen.tap(box["x"] + 0.7 * box["width"], box["y"] + 0.6 * box["height"])
    tapped = index_of(page)
    target = page.locator("#chart-scores .handle.upper .target").bounding_box()
    middle = [target["x"] + target["width"] / 2, target["y"] + target["height"] / 2]
    swipe(page, [middle[0] + 15, middle[1] + 12], [middle[0] + 135, middle[1] + 12])
    frame(page)

    assert tapped == before
    assert min(target["width"], target["height"]) >= 44
    assert index_of(page) != before
    moved = page.locator("#chart-scores .handle.upper .target").bounding_box()
    # It does not jump to the finger, and the page does not scroll away under it.
    assert moved["x"] - target["x"] == pytest.approx(120, abs=6)
    assert moved["y"] == pytest.approx(target["y"], abs=20)
    assert not page.locator("#chart-scores .bubble").is_visible()


def test_a_curve_registered_for_the_page_is_drawn_and_follows_the_threshold(
    opened, tmp_path, monkeypatch
):
    monkeypatch.setitem(to.CURVES, "det", replace(to.CURVES["det"], on_page=True))
    path = tmp_path / "det.html"
    probabilities().report(path)
    page, ranking = opened_charts(opened(path).page), probabilities().ranking
    figure = page.locator("#chart-det")
    figure.locator(".handle.upper").focus()
    for key in ("Home", "PageUp", "ArrowRight"):
        page.keyboard.press(key)
    index = index_of(page)
    point = ask(
        page,
        f"""() => {{ const {{ points }} = Charts.chart("det", tradeoff.view());
            return [points.xs[{index}], points.ys[{index}]]; }}""",
        None,
    )
    expected = [to.METRICS[name](ranking.at_place(index)) for name in ("fpr", "fnr")]

    assert figure.locator("h3").text_content() == to.CURVES["det"].title
    assert point == pytest.approx(expected, abs=1e-5)
    page.fill("#prevalence", "20")
    page.keyboard.press("Tab")
    frame(page)

    assert page.locator("#chart-det").count() == 0  # its points hold for the rows' own prevalence


@pytest.mark.parametrize("name", ["many", "churn"])
def test_lines_keep_their_shape_with_few_vertices(visit, name):
    page = visit(name)
    frame(page)
    lines = page.evaluate(
        """() => [...document.querySelectorAll("figure.chart path.line")].map((path) =>
            (path.getAttribute("d").match(/[ML]/g) ?? []).length)"""
    )
    drawn = Drawn(page, "roc")
    vertices = page.evaluate(
        """() => [...document.querySelector("#chart-roc .line.active").getAttribute("d")
            .matchAll(/[ML](-?[\\d.]+) (-?[\\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])"""
    )
    selected = page.evaluate("() => tradeoff.view().ranking.name")
    ranking = EVALUATIONS[name]()[selected].ranking
    values = rates(ranking)
    truth = np.column_stack(
        [drawn.x_axis.pixel(values["fpr"]), drawn.y_axis.pixel(values["recall"])]
    )

    assert max(lines) <= 800
    assert np.max(distances_to_line(truth, np.array(vertices))) < 1.2


def distances_to_line(points, vertices):
    """Distance of each point from a line through vertices."""
    start, step = vertices[:-1], np.diff(vertices, axis=0)
    length = np.maximum((step**2).sum(axis=1), 1e-12)
    nearest = np.full(len(points), np.inf)
    for first, change, size in zip(start, step, length, strict=True):
        offset = points - first
        share = np.clip(offset @ change / size, 0, 1)
        np.minimum(nearest, np.hypot(*(offset - share[:, None] * change).T), out=nearest)
    return nearest


def test_predicted_labels_are_points_with_crosses_that_cannot_be_dragged(opened, tmp_path):
    random = np.random.default_rng(0)
    actual = np.where(random.random(80) < 0.4, "ill", "well")
    wrong = np.where(actual == "ill", "well", "ill")
    labels = {"rule": np.where(random.random(80) < 0.8, actual, wrong), "coin": wrong[::-1]}
    evaluation = to.evaluate_labels(actual, labels, positive="ill")
    path = tmp_path / "labels.html"
    evaluation.report(path)
    page = opened(path).page
    drawn = Drawn(page, "roc")
    crosses = page.evaluate(
        """() => [...document.querySelectorAll("#chart-roc .cross")].map((cross) =>
            cross.getAttribute("d").match(/-?[\\d.]+/g).map(Number))"""
    )
    picture = page.locator("#chart-roc .stage > svg")
    box = picture.bounding_box()
    page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])

    for name, (left, _, right, _, bottom, top) in zip(labels, crosses, strict=True):
        fpr, tpr = (evaluation[name].metric(metric) for metric in ("fpr", "tpr"))
        across = [drawn.x_axis.pixel(limit) for limit in (fpr.low, fpr.high)]
        up = [drawn.y_axis.pixel(limit) for limit in (tpr.low, tpr.high)]
        assert [left, right] == pytest.approx(across, abs=0.11)
        assert [bottom, top] == pytest.approx(up, abs=0.11)
    assert page.locator("#chart-roc .direct").all_text_contents() == list(labels)
    assert index_of(page) == 1
    assert page.locator("#chart-roc .handle.upper").get_attribute("visibility") == "hidden"
    assert page.locator("figure.chart").count() == 1
