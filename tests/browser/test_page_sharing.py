"""Sharing: a link restores the page, charts and tables can be downloaded, and a summary printed."""

import csv
import io
import re
from xml.etree import ElementTree as ET

import pytest
from PIL import Image

from browser.conftest import Opened, ask, copied, frame, open_everything, rest
from browser.reports import bleeding, churn

pytestmark = pytest.mark.browser

INVISIBLE = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
EVERYTHING = """() => {
    const { active, band, pin, goal, prevalence, population, review, costs, unit, currency, layout,
        scale, selections } = tradeoff.state();
    const lines = selections.map(({ upper, lower }) => [upper, band ? lower : upper]);
    return { active, band, goal, prevalence, population, review, costs, unit, currency, layout,
        scale, lines, pin: pin && { model: pin.model, upper: pin.upper, lower: pin.lower },
        tiles: [...document.querySelectorAll(".tile")].map((tile) => tile.textContent),
        rule: document.getElementById("answer-rule").textContent };
}"""


def everything(page):
    frame(page)
    return ask(page, EVERYTHING, None)


def fragment(page):
    rest(page)
    return page.evaluate("() => location.hash")


def test_the_link_restores_every_models_threshold_the_pin_the_goal_and_the_costs(visit):
    page = visit("bleeding")
    open_everything(page)
    page.fill("#upper-typed", "0.31")
    page.keyboard.press("Enter")
    page.click("#pin")
    page.select_option("#model", label="ndka")
    page.fill("#upper-typed", "12.5")
    page.keyboard.press("Enter")
    page.select_option("#goal", "precision")
    page.fill("#goal-value", "70")
    page.keyboard.press("Enter")
    page.select_option("#model", label="wfns")
    page.fill("#upper-typed", "3")
    page.keyboard.press("Enter")
    for field, value in {
        "fn": "7",
        "prevalence": "12",
        "population": "900",
        "currency": "€",
    }.items():
        page.fill(f"#{field}", value)
    page.locator("input[value=flagged]").check(force=True)
    before = everything(page)
    restored = visit("bleeding", fragment(page))

    assert everything(restored) == before
    assert before["pin"]["model"] == 0
    assert before["goal"] == {"name": "precision", "value": 0.7}
    assert [upper for upper, _ in before["lines"]] == [
        bleeding()["s100b"].ranking.index(0.31),
        before["lines"][1][0],
        bleeding()["wfns"].ranking.index(3),
    ]


def test_the_link_restores_the_bands_of_all_models(visit):
    page = visit("bleeding", "#threshold=0.5&lower=0.2")
    page.select_option("#model", label="ndka")
    page.fill("#upper-typed", "14")
    page.keyboard.press("Enter")
    page.fill("#lower-typed", "9")
    page.keyboard.press("Enter")
    page.fill("#review", "30")
    before = everything(page)

    assert everything(visit("bleeding", fragment(page))) == before
    assert before["lines"][0] == [bleeding()["s100b"].ranking.index(t) for t in (0.5, 0.2)]
    assert before["band"]
    assert before["review"] == 30


def test_an_initial_pin_can_be_taken_off_in_a_link(visit):
    page = visit("churn")
    page.click("#pin")
    address = fragment(page)

    assert address == "#pin=off"
    assert everything(visit("churn", address))["pin"] is None


@pytest.mark.parametrize(
    "address",
    [
        "#pin=abc&pin-model=nobody&goal=best&target=x&scale=volume&at=nobody=3&at==&below=2",
        "#goal=tpr&target=7&at=s100b",
        "#goal=__proto__&pin-model=constructor&zoom=up",
    ],
)
def test_what_a_link_cannot_mean_is_ignored(visit, address):
    usual = everything(visit("bleeding"))

    assert everything(visit("bleeding", address)) == usual


# ---- menus and the clipboard


def test_a_copied_link_opens_the_same_page(visit):
    page = visit("churn", "#threshold=0.3&at=boosting=0.1")
    link = copied(page, "copy-link")
    before = everything(page)

    assert link.startswith("file:")
    assert everything(visit("churn", "#" + link.partition("#")[2])) == before


def test_a_file_says_that_it_must_be_sent_along(visit):
    page = visit("churn")
    page.click("#share")

    assert "send the file along" in page.locator("#link-about").inner_text()
    page.keyboard.press("Escape")
    assert page.locator("#share-menu").is_hidden()
    assert page.evaluate("() => document.activeElement.id") == "share"


def test_a_menu_closes_when_something_else_is_used(visit):
    page = visit("churn")
    page.click("#share")
    page.click("#download")
    assert page.locator("#share-menu").is_hidden()
    assert page.locator("#download-menu").is_visible()
    page.mouse.click(300, 300)

    assert page.locator("#download-menu").is_hidden()
    assert page.get_attribute("#download", "aria-expanded") == "false"


def test_a_page_without_an_address_says_so(chromium):
    window = Opened(chromium)
    window.page.set_content(f"<!doctype html>{churn().page()._repr_html_()}")
    inside = window.page.frames[1]
    inside.wait_for_selector("html[data-ready]", state="attached")
    inside.click("#share")
    about = inside.locator("#link-about").inner_text()
    disabled = inside.locator("#copy-link").is_disabled()
    window.context.close()

    assert disabled
    assert about.startswith("This page has no address of its own")
    assert window.troubles == []


@pytest.mark.parametrize("button", ["copy-text", "copy-csv", "copy-link"])
def test_copied_text_has_no_invisible_characters(visit, button):
    page = visit("churn", "#threshold=0.2&lower=0.1")

    assert INVISIBLE.findall(copied(page, button)) == []


def test_the_page_itself_has_no_invisible_characters(visit):
    page = visit("churn", "#threshold=0.2&lower=0.1")
    for tab in page.locator("[role=tab]").all():
        tab.click()

    text = page.evaluate(
        """(selector) => [...document.querySelectorAll(selector)]
            .map((node) => node.textContent).join(" ")""",
        "h1, h2, h3, p, dd, th, td, li, span, label, button, option",
    )
    assert INVISIBLE.findall(text) == []


# ---- downloads


def downloaded(page, name, encoding="utf-8"):
    page.click("#download")
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    page.keyboard.press("Escape")
    content = download.value.path().read_bytes()
    return download.value.suggested_filename, content.decode(encoding) if encoding else content


@pytest.fixture(scope="module")
def page(opened, report):
    return opened(report("churn"), accept_downloads=True).page


def test_each_chart_is_downloaded_as_svg_with_its_styles(page):
    titles = [
        title.text_content()
        for title in page.locator("#where h3, #main-charts h3, #charts h3").all()
    ]
    assert len(titles) >= 8  # those behind a closed tab, too
    for title in titles:
        name, content = downloaded(page, f"{title} as SVG")
        root = ET.fromstring(content)  # noqa: S314 - our own file
        assert name.endswith(".svg")
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert title in "".join(root.itertext())
        assert "class=" not in content
        assert "var(" not in content
        strokes = {node.get("stroke") for node in root.iter() if node.tag.endswith("path")}
        assert strokes - {None, "none"}
        assert len(content) > 5000  # it is drawn


def test_each_chart_is_downloaded_as_png(opened, report):
    # A page of its own: after many downloads, a browser may ask before it saves one that was drawn.
    page = opened(report("churn"), accept_downloads=True).page
    title = page.locator("#chart-roc h3").inner_text()
    name, content = downloaded(page, f"{title} as PNG", encoding=None)
    picture = Image.open(io.BytesIO(content)).convert("RGB")

    assert name == f"report-{title.lower().replace(' ', '-')}.png" or name.endswith(".png")
    assert min(picture.size) > 600
    assert len(picture.getcolors(1 << 20)) > 5


def test_counts_at_every_threshold_are_downloaded(page):
    _, content = downloaded(page, "Counts at every threshold as CSV")
    rows = list(csv.DictReader(io.StringIO(content)))
    best = churn().thresholds().best.ranking

    assert len(rows) == len(best)
    assert rows[0]["threshold"] == "inf"
    assert [int(row["true_positives"]) for row in rows] == best.true_positives.tolist()
    assert [int(row["true_negatives"]) for row in rows] == [
        int(best.negatives - count) for count in best.false_positives
    ]


def test_tables_are_downloaded_as_they_are_shown(page):
    page.click("#download")
    names = [
        button.get_attribute("aria-label")
        for button in page.locator("#download-menu button").all()
        if button.get_attribute("aria-label").endswith(" as CSV")
    ]
    page.keyboard.press("Escape")
    contents = {name: downloaded(page, name)[1] for name in names}

    assert len(names) >= 4
    for name, content in contents.items():
        rows = list(csv.reader(io.StringIO(content)))
        assert len(rows) > 1, name
        assert len({len(row) for row in rows}) == 1, name


# ---- paper


TO_PRESS = "button:not(th button):not(td button), [role=tab], [type=checkbox], [type=radio]"
PRESSABLE = f"""() => [...document.querySelectorAll("{TO_PRESS}")]
    .filter((node) => node.checkVisibility()).map((node) => node.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("name", ["churn", "bleeding", "nominal"])
def test_the_printed_summary_has_two_pages(visit, name):
    pdf = visit(name).pdf(format="A4", prefer_css_page_size=True)

    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2


def test_on_paper_closed_parts_are_open_and_nothing_is_to_be_pressed(opened, report):
    page = opened(report("bleeding"), "#threshold=0.2", color_scheme="dark").page
    page.emulate_media(media="print")
    frame(page)

    assert ask(page, PRESSABLE, None) == []
    for name in ("models", "segments", "cutoffs", "metrics", "method"):
        assert page.locator(f"#part-{name}").bounding_box()["height"] > 40, name
    words = page.locator("main").inner_text().lower()
    for instruction in ("press", "click", "drag", "select the model", "choose a row", "point to"):
        assert instruction not in words, instruction
    assert page.input_value("#upper-typed") == "0.2"
    assert page.locator("#upper-typed").is_visible()
    colours = page.locator("#matrix td.cell").evaluate_all(
        "(cells) => cells.map((cell) => getComputedStyle(cell).backgroundColor)"
    )
    assert len(set(colours)) == 4  # the matrix is shaded
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
