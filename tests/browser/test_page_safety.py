"""Names from data are text wherever a report shows them, and the page runs and fetches nothing."""

import html
import json
import re

import numpy as np
import pytest
from packed_documents import unpacked
from report_cases import Scripts

import tradeoff as to
from browser.conftest import Opened, frame, rest
from tradeoff.report.packing import pack_text

pytestmark = pytest.mark.browser

NAMES = [
    "</script><img src=x onerror=alert(1)>",
    "{{script}}",
    "${alert(1)}",
    "\"><svg onload=alert(1)>'`",
    "<!--<script>",
    "a\u2028b\u2029c",
    "]]>",
    "__proto__",
    "constructor",
    "&lt;b&gt; &amp; \\u003c",
    "=cmd|' /C calc'!A0",
    "javascript:alert(1)//",
]
POSITIVE = "<img src=x onerror=alert(2)>"
NEGATIVE = "</title></textarea><script>alert(3)</script>"
TITLE = "<script>alert(4)</script></title><img src=y onerror=alert(5)> {{policy}}"


def rows():
    random = np.random.default_rng(5)
    score = random.integers(1, 60, 120) / 60
    actual = np.where(random.random(120) < score, POSITIVE, NEGATIVE).astype(object)
    scores = {name: np.roll(score, at) for at, name in enumerate(NAMES)}
    return {"actual": actual, "score": scores, "positive": POSITIVE}


@pytest.fixture(scope="module")
def evaluation():
    length = range(120)
    segments = np.array([NAMES[at % len(NAMES)] for at in length], object)
    folds = np.array([NAMES[at // 40] for at in length], object)
    return to.evaluate(**rows(), segment=segments, fold=folds)


@pytest.fixture(scope="module")
def path(evaluation, tmp_path_factory):
    path = tmp_path_factory.mktemp("safety") / "report <b>.html"
    evaluation.report(path, title=TITLE, comparison=to.compare(**rows()))
    return path


@pytest.fixture(scope="module")
def window(opened, path):
    return opened(path)


def texts(page, selector):
    return page.locator(selector).all_text_contents()


def test_names_are_shown_as_they_are(window):
    page = window.page
    models = texts(page, "#models button.name")
    segments = texts(page, "#segments tbody th")
    firsts = set(texts(page, "#differences tbody th"))

    assert page.title() == " ".join(TITLE.split())
    assert page.locator("h1").text_content() == TITLE
    assert sorted(models) == sorted(NAMES)  # the best model is first
    assert sorted(segments) == sorted(NAMES)
    assert firsts <= set(NAMES)
    assert texts(page, "#model option") == NAMES
    assert texts(page, "#matrix bdi")[0] == POSITIVE
    assert POSITIVE in page.locator("#headline").text_content()
    page.evaluate(
        "() => document.querySelectorAll('details').forEach((one) => { one.open = true })"
    )
    frame(page)
    assert f"of the rows that are {POSITIVE}, " in page.locator("#metrics").text_content()


def test_names_never_become_html_elements(window):
    page = window.page
    injected = page.evaluate(
        """() => ({
            images: document.querySelectorAll("img").length,
            scripts: [...document.scripts].map((script) => script.type),
            handlers: [...document.querySelectorAll("*")].flatMap((node) =>
                node.getAttributeNames().filter((name) => name.startsWith("on"))),
            drawn: document.querySelectorAll("svg svg, svg script, foreignObject").length,
            links: [...document.links].map((link) => link.getAttribute("href")),
            comments: document.createNodeIterator(document, NodeFilter.SHOW_COMMENT).nextNode(),
            polluted: ({}).polluted ?? null, prototype: Object.keys(Object.prototype),
        })"""
    )

    assert injected == {
        "images": 0,
        "scripts": ["application/json", "application/json", "", ""],  # data, loader, program
        "handlers": [],
        "drawn": 0,
        "links": ["#results"],
        "comments": None,
        "polluted": None,
        "prototype": [],
    }


def test_the_json_document_in_the_page_has_the_names_unchanged(window, evaluation):
    text = window.page.evaluate("() => document.getElementById('document').textContent")
    document = unpacked(json.loads(text))

    assert [model["name"] for model in document["models"]] == list(evaluation.rankings)
    assert (document["positive"], document["negative"]) == (POSITIVE, NEGATIVE)
    assert document["title"] == TITLE
    assert not set("<>&\u2028\u2029") & set(text)


@pytest.mark.parametrize("at", [0, 3, 5, 7, 8, 9])
def test_models_of_any_name_have_a_movable_threshold(window, path, at):
    page = window.page
    page.select_option("#model", str(at))
    frame(page)
    page.fill("#upper-typed", "0.4")
    page.keyboard.press("Enter")
    rest(page)
    fragment = page.evaluate("() => location.hash")
    page.evaluate("() => { location.hash = '#'; }")
    page.wait_for_function("() => tradeoff.view().active === 0")
    rest(page)
    page.evaluate("(hash) => { location.hash = hash; }", fragment)
    page.wait_for_function(f"() => tradeoff.view().active === {at}")

    assert page.locator("#models tr.active").first.text_content().startswith(NAMES[at])
    assert page.url.startswith(path.as_uri())


def test_copied_csv_cannot_become_a_spreadsheet_formula(window):
    page = window.page
    page.select_option("#model", label="=cmd|' /C calc'!A0")
    frame(page)
    copied = page.evaluate("() => Clipboard.csv(tradeoff.view())")

    assert "\nmodel,'=cmd|' /C calc'!A0,,," in copied


def test_the_content_security_policy_blocks_other_scripts(opened, path):
    window = opened(path)
    page = window.page
    ran = page.evaluate(
        """async () => {
            const ran = [];
            globalThis.mark = (what) => ran.push(what);
            const script = document.createElement("script");
            script.textContent = "mark('inline')";
            document.body.append(script);
            const remote = document.createElement("script");
            remote.src = "data:text/javascript,mark('data')";
            document.body.append(remote);
            const image = document.createElement("div");
            image.innerHTML = "<img src='data:image/gif;,' onerror=\\"mark('handler')\\">";
            document.body.append(image);
            const link = document.createElement("a");
            link.href = "javascript:mark('link')";
            document.body.append(link);
            link.click();
            const style = document.createElement("style");
            style.textContent = "body { display: none }";
            document.head.append(style);
            await new Promise((done) => setTimeout(done, 100));
            return [...ran, getComputedStyle(document.body).display];
        }"""
    )
    # In a task of its own: what is evaluated from outside may itself evaluate.
    refused = page.evaluate(
        """() => Promise.all([() => (0, eval)("1"), () => new Function("return 1")()].map((work) =>
            new Promise((done) => setTimeout(() => {
                try { done(work()); } catch (error) { done(error.name); }
            }))))"""
    )
    sent = page.evaluate(
        """async () => {
            const sent = [];
            for (const address of ["https://example.org/", "data:,x"]) {
                await fetch(address).then(() => sent.push(address), () => null);
            }
            return sent;
        }"""
    )

    assert ran == ["block"]
    assert refused == ["EvalError", "EvalError"]
    assert sent == []
    violations = [message for message in window.troubles if "Content Security Policy" in message]
    assert len(violations) >= 6
    window.troubles.clear()  # they were asked for


def test_nothing_but_the_file_is_requested(window, path):
    page = window.page
    page.select_option("#model", "2")
    page.locator("#chart-roc .handle.upper").focus()
    page.keyboard.press("PageUp")
    page.check("#band")
    page.click("#best-band")
    page.select_option("#goal", "cost")
    page.click("#download")
    page.emulate_media(media="print")
    page.emulate_media(media="screen")
    frame(page)
    requested = {url.partition("#")[0] for url in window.requests}

    assert requested - {"data:,"} == {path.as_uri()}


def changed_loader(text):
    return text.replace('"use strict";', '"use strict"; ', 1)


def changed_program(text):
    program = Scripts(text).program()
    packed = json.dumps(pack_text(f"{program}\n"), separators=(",", ":"))
    return re.sub(r'(id="program">)[^<]+', lambda tag: tag[1] + packed, text)


@pytest.mark.parametrize("change", [changed_loader, changed_program])
def test_a_script_with_another_hash_is_blocked(chromium, path, tmp_path, change):
    """Proof that the policy is what allows the scripts."""
    text = path.read_text()
    changed = tmp_path / "changed.html"
    changed.write_text(change(text))
    window = Opened(chromium)
    window.page.goto(changed.as_uri())
    frame(window.page)
    window.page.wait_for_timeout(200)  # until the program is unpacked

    assert changed.read_text() != text
    assert not window.page.evaluate("() => 'tradeoff' in globalThis")
    assert any("Content Security Policy" in message for message in window.troubles)
    window.context.close()


# ---- inside a notebook


@pytest.fixture(scope="module")
def iframe_html(evaluation):
    """What a notebook is given."""
    return evaluation.page()._repr_html_()


@pytest.fixture(scope="module")
def notebook(chromium, iframe_html):
    window = Opened(chromium)
    window.page.set_content(f"<!doctype html><h1>notebook</h1>{iframe_html}")
    inside = window.page.frames[1]
    inside.wait_for_selector("html[data-ready]", state="attached")
    yield window, inside
    window.context.close()
    assert not window.troubles


def test_the_report_works_in_a_notebook_iframe(notebook, evaluation):
    window, inside = notebook
    picture = window.page.frame_locator("iframe").locator("#chart-roc svg").first
    picture.scroll_into_view_if_needed()
    before = inside.locator("#headline").text_content()
    box = picture.bounding_box()
    window.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 90)
    window.page.mouse.down()
    window.page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 90)
    window.page.mouse.up()
    frame(inside)
    threshold = inside.evaluate(
        "() => { const v = tradeoff.view(); return v.ranking.thresholds[v.selection.upper]; }"
    )
    matrix = evaluation[NAMES[0]].at(threshold)

    assert inside.locator("#headline").text_content() != before
    assert texts(inside, "#matrix .count")[0] == str(matrix.true_positives)
    assert sorted(texts(inside, "#models button.name")) == sorted(NAMES)
    inside.wait_for_timeout(150)  # the line rests: the address cannot be written here
    inside.locator("#reset").click()
    inside.locator("a.skip").focus()


def test_the_iframe_cannot_access_the_notebook(notebook):
    window, inside = notebook
    assert window.page.locator("iframe").get_attribute("sandbox") == "allow-scripts"
    assert window.page.locator("iframe").count() == 1
    assert window.page.locator("img").count() == 0
    outside = inside.evaluate(
        "() => { try { return parent.document.title; } catch (error) { return error.name; } }"
    )

    assert outside == "SecurityError"
    assert inside.evaluate("() => document.querySelectorAll('img').length") == 0


def test_copying_in_an_iframe_shows_the_text(notebook):
    _, inside = notebook
    inside.locator("#share").click()
    inside.locator("#copy-text").click()
    inside.wait_for_function(
        """() => document.getElementById("copied").open
            || document.getElementById("status").textContent === "Copied." """
    )
    if inside.evaluate("() => document.getElementById('copied').open"):
        inside.locator("#copied button").click()


def test_the_srcdoc_attribute_has_the_whole_page(iframe_html):
    head, _, rest = iframe_html.partition('srcdoc="')

    assert head.count("<") == 1
    assert rest.count('"') == 1
    assert html.unescape(rest[: rest.index('"')]).endswith("</html>\n")
