"""Labels of charts can be read and cover no line; colours and scales tell what they should."""

from itertools import pairwise

import numpy as np
import pytest

import tradeoff as to
from browser.conftest import ask, frame
from browser.reports import churn

pytestmark = pytest.mark.browser

WIDTHS = [320, 390, 1024, 1440]
TEXT_SIZES = """() => {
    const texts = [...document.querySelectorAll("figure.chart :is(svg text, .legend, .about)")];
    const widthOf = (svg) => svg.getBoundingClientRect().width;
    const scaleOf = (svg) => (svg ? widthOf(svg) / svg.viewBox.baseVal.width : 1);
    const shown = texts.filter((text) => text.textContent && text.getBoundingClientRect().width);
    const sizeOf = (text) => parseFloat(getComputedStyle(text).fontSize);
    return shown.map((text) => sizeOf(text) * scaleOf(text.closest(".stage > svg")));
}"""
COVERED = """() => [...document.querySelectorAll("figure.chart")].flatMap((figure) => {
    const picture = figure.querySelector(".stage > svg");
    const origin = picture.getBoundingClientRect();
    const plot = picture.querySelector("clipPath rect").getBBox();
    const isInPlot = ({ x, y }) => x >= plot.x && x <= plot.x + plot.width
        && y >= plot.y && y <= plot.y + plot.height;
    const labels = [...picture.querySelectorAll(".direct")];
    const lines = [...picture.querySelectorAll(".line")]
        .filter((line) => !line.closest(".texts") && !line.closest(".moving"));
    return lines.flatMap((line) => {
        const steps = Math.ceil(line.getTotalLength() / 2) + 1;
        const points = Array.from({ length: steps }, (_, step) => line.getPointAtLength(2 * step));
        const isIn = ({ x, y }, box) => origin.left + x > box.left + 1
            && origin.left + x < box.right - 1
            && origin.top + y > box.top + 3 && origin.top + y < box.bottom - 3;
        return labels.filter((label) => {
            const box = label.getBoundingClientRect();
            return points.some((point) => isInPlot(point) && isIn(point, box));
        }).map((label) => `${figure.id}: ${label.textContent} covers ${line.className.baseVal}`);
    });
})"""
OVERLAPPING = """() => [...document.querySelectorAll(".stage > svg")].flatMap((picture) => {
    const { id } = picture.closest("figure");
    const frame = picture.closest("figure").getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")]
        .filter((text) => text.textContent && getComputedStyle(text).visibility !== "hidden")
        .map((text) => [text.textContent, text.getBoundingClientRect()]);
    const cut = texts.filter(([, box]) => box.left < frame.left - 1 || box.right > frame.right + 1);
    const isOver = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top + 3 < b.bottom - 3 && b.top + 3 < a.bottom - 3;
    const pairs = texts.flatMap(([first, a], index) => texts.slice(index + 1)
        .filter(([, b]) => isOver(a, b)).map(([second]) => `${id}: ${first} / ${second}`));
    return [...cut.map(([text]) => `${id}: ${text} is cut`), ...pairs];
})"""


def models(count, rows=400):
    """Models from good to poor, on the same rows."""
    random = np.random.default_rng(7)
    strength = random.normal(size=rows)
    actual = random.random(rows) < 1 / (1 + np.exp(1 - 1.5 * strength))
    scores = {
        f"model {number}": np.round(
            1 / (1 + np.exp(-strength - random.normal(size=rows) * (0.2 + 0.3 * number))), 3
        )
        for number in range(count)
    }
    return to.evaluate(actual=actual, score=scores)


def rare():
    """One positive in a thousand."""
    random = np.random.default_rng(11)
    logit = 1.6 * random.normal(size=60_000) - 8
    score = np.round(1 / (1 + np.exp(-logit - 0.4 * random.normal(size=60_000))), 6)
    actual = random.random(60_000) < 1 / (1 + np.exp(-logit))
    return to.evaluate(actual=actual, score={"fraud": score}, costs=to.Costs(fp=1, fn=40))


EVALUATIONS = {"eight": lambda: models(8), "twelve": lambda: models(12), "rare": rare}


@pytest.fixture(scope="module")
def written(tmp_path_factory, report):
    folder = tmp_path_factory.mktemp("labels")

    def path_of(name):
        if name not in EVALUATIONS:
            return report(name)
        path = folder / f"{name}.html"
        if not path.exists():
            EVALUATIONS[name]().report(path)
        return path

    return path_of


@pytest.mark.parametrize("name", ["churn", "eight", "twelve", "bleeding", "rare"])
def test_labels_cover_no_line_and_no_other_label_at_any_width(opened, written, name):
    page = opened(written(name)).page
    page.locator("#tab-charts").click()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        frame(page)
        frame(page)
        assert ask(page, COVERED, None) == [], width
        assert ask(page, OVERLAPPING, None) == [], width
        assert min(ask(page, TEXT_SIZES, None)) >= 11.99, width


def test_charts_are_drawn_to_their_width_in_pixels(opened, written):
    page = opened(written("churn")).page
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        frame(page)
        frame(page)
        scales = page.evaluate(
            """() => [...document.querySelectorAll(":is(#where, #main-charts) .stage > svg")]
                .map((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"""
        )
        assert len(scales) == 4
        assert scales == pytest.approx([1] * 4, abs=0.01), width
        large, *small = page.evaluate(
            """() => [...document.querySelectorAll("#where .stage, #main-charts .stage")]
                .map((stage) => stage.clientHeight)"""
        )
        assert large > max(small) or width < 400


STROKES = """() => [...document.querySelectorAll("#chart-roc .stage .line.model")].map((line) => {
    const { stroke, strokeDasharray } = getComputedStyle(line);
    return [stroke, strokeDasharray, line.classList.contains("other")];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_eight_models_have_eight_colours_that_are_no_classs(opened, written, scheme):
    page = opened(written("eight"), color_scheme=scheme).page
    strokes = ask(page, STROKES, None)
    consequences = page.evaluate(
        """() => ["tp", "fn", "fp", "tn"].map((name) =>
            getComputedStyle(document.querySelector(`.bars.${name}`)).fill)"""
    )
    card = page.evaluate("() => getComputedStyle(document.querySelector('.card')).backgroundColor")
    colours = [colour for colour, _, _ in strokes]

    assert len({*colours, *consequences}) == 12
    assert len({dash for _, dash, _ in strokes}) == 8
    assert min(contrast(colour, card) for colour in colours) >= 4.5  # also as text
    assert min(contrast(colour, card) for colour in consequences) >= 3


def contrast(first, second):
    """Contrast of two colours (WCAG)."""

    def luminance(colour):
        parts = np.array([float(part) for part in colour[4:-1].split(",")]) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)


def test_of_many_models_those_searched_for_are_in_colour(opened, written):
    page = opened(written("twelve")).page
    frame(page)
    before = ask(page, STROKES, None)
    page.locator("#tab-models").click()
    page.fill("#models .search", "model 1")
    frame(page)
    frame(page)
    rows = page.locator("#models button.name").all_text_contents()
    coloured = page.evaluate(
        """() => [...document.querySelectorAll("#models button.name")]
            .filter((name) => !name.querySelector("path").classList.contains("other"))
            .map((name) => name.textContent)"""
    )
    labels = page.locator("#chart-roc").text_content()

    assert sum(is_other for _, _, is_other in before) == 4
    assert len({colour for colour, _, is_other in before if not is_other}) == 8
    assert sorted(rows) == ["model 1", "model 10", "model 11"]
    assert sorted(coloured) == sorted(rows)
    assert "model 11" in labels


def test_a_model_without_a_label_beside_its_line_is_in_the_key(opened, written):
    page = opened(written("eight"), viewport={"width": 390, "height": 900}).page
    frame(page)
    for chart in ("roc", "cost"):
        text = page.locator(f"#chart-{chart}").text_content()
        assert [n for n in range(8) if f"model {n}" not in text] == []


# Rare positives

LIMITS = """(name) => {
    const { x, y } = Charts.chart(name, tradeoff.view());
    return { x: [x.low, x.high, x.kind], y: [y.low, y.high] };
}"""


def test_axes_are_zoomed_to_the_threshold_of_rare_positives(opened, written):
    page, ranking = opened(written("rare")).page, rare().ranking
    zoomed = {name: ask(page, LIMITS, name) for name in ("scores", "roc", "gains", "cost")}
    index = page.evaluate("() => tradeoff.view().selection.upper")
    threshold = float(ranking.thresholds[index])
    fpr = float(to.METRICS["fpr"](ranking.at_place(index)))
    page.uncheck("#zoom")
    frame(page)
    full = {name: ask(page, LIMITS, name) for name in zoomed}

    assert full["scores"]["x"][:2] == pytest.approx([-0.015, 1.015])
    assert full["roc"] == {"x": [0, 1, "share"], "y": [0, 1]}
    assert zoomed["scores"]["x"][2] == zoomed["cost"]["x"][2] == "log"
    assert zoomed["scores"]["x"][0] < threshold < zoomed["scores"]["x"][1]
    assert fpr < zoomed["roc"]["x"][1] < 0.1
    assert zoomed["gains"]["x"][1] < 0.1


def test_bars_of_a_zoomed_chart_are_shares_of_all_rows_of_a_class(opened, written):
    page, ranking = opened(written("rare")).page, rare().ranking
    bars = ask(
        page,
        """() => {
        const { edges, positive, negative } = Charts.chart("scores", tradeoff.view()).bars;
        return { edges, positive: [...positive], negative: [...negative] };
    }""",
        None,
    )
    scores = ranking.thresholds[1:]
    rows = {
        "positive": np.diff(ranking.true_positives) / ranking.positives,
        "negative": np.diff(ranking.false_positives) / ranking.negatives,
    }
    caption = page.locator("#chart-scores .about").text_content()

    for name, shares in rows.items():
        expected, _ = np.histogram(scores, bars["edges"], weights=shares)
        assert bars[name] == pytest.approx(expected.tolist(), abs=1e-9)
    hidden = int(
        (
            (scores < bars["edges"][0])
            * (rows["positive"] * ranking.positives + rows["negative"] * ranking.negatives)
        )
        .sum()
        .round()
    )
    assert f"{hidden:,} rows are not shown" in caption


def test_ticks_of_a_zoomed_axis_are_round_and_do_not_repeat(opened, written):
    page = opened(written("rare")).page
    frame(page)
    ticks = page.evaluate(
        """() => [...document.querySelectorAll(":is(#where, #main-charts) figure")].map((figure) =>
            [...figure.querySelectorAll(".grid text:not(.label)[text-anchor=middle]")]
                .map((node) => node.textContent))"""
    )

    for texts in ticks:
        assert 2 <= len(texts) == len(set(texts))
        assert max(map(len, texts)) <= 7


def test_a_page_without_rare_positives_has_no_zoom(visit):
    page = visit("churn")

    assert page.locator("#zoom-field").is_hidden()
    assert ask(page, LIMITS, "roc")["x"] == [0, 1, "share"]
    assert all(a < b for a, b in pairwise(ask(page, LIMITS, "scores")["x"][:2]))
    assert churn()["logistic"].ranking.positives > 0
