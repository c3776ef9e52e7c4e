"""The page's table of a checklist: every item, names as text, buttons that copy it."""

import json

import pytest

from browser.conftest import ask
from browser.reports import bleeding
from tradeoff.report.page import LOADER, SCRIPTS, page_file

pytestmark = pytest.mark.browser

SCRIPT = "\n".join(map(page_file, [LOADER, *SCRIPTS[: SCRIPTS.index("checklist.js") + 1]]))
EVIL = "<img src=x onerror=alert(1)>"
SHOW = """(report) => {
    const copied = [];
    const onCopy = (text, format) => copied.push([format, text]);
    const section = Checklist.section(report, { onCopy });
    if (!section) return null;
    document.body.replaceChildren(section);
    section.querySelectorAll(".copy button").forEach((button) => button.click());
    const cells = (row) => [...row.children].map((cell) => cell.textContent);
    return {
        rows: [...section.querySelectorAll("tbody tr")].map(cells),
        lines: section.querySelector("tbody tr:last-child td:last-child div").children.length,
        filled: section.querySelectorAll("tr.filled").length,
        about: [...section.querySelectorAll(".about")].map((node) => node.textContent),
        images: section.querySelectorAll("img").length,
        copied,
    };
}"""


@pytest.fixture
def page(page):
    """An empty page with the scripts of the report."""
    page.set_content(f"<!doctype html><script>{SCRIPT}</script>")
    return page


def test_every_item_is_a_row_with_its_status(page):
    checklist = bleeding()._page_document(checklist="stard-ai")["checklist"]
    shown = ask(page, SHOW, {"checklist": checklist})
    filled = [item for item in checklist["items"] if item["status"] == "filled in"]

    expected = [
        [item["number"], item["topic"] + item["status"], item["text"].replace("\n", "")]
        for item in checklist["items"]
    ]
    assert shown["rows"] == expected
    assert shown["filled"] == len(filled) > 3
    assert shown["about"][0].startswith(f"{len(filled)} of 48 items are filled in from the data")
    assert shown["about"][1] == checklist["source"]


def test_names_are_text_and_each_fact_has_a_line(page):
    item = {"number": "1", "topic": EVIL, "status": "filled in", "text": f"{EVIL}: a\nb\nc"}
    shown = ask(page, SHOW, {"checklist": {"title": EVIL, "source": EVIL, "items": [item]}})

    assert shown["rows"] == [["1", f"{EVIL}filled in", f"{EVIL}: abc"]]
    assert (shown["lines"], shown["images"]) == (3, 0)
    formats = dict(shown["copied"])
    assert formats["CSV"].splitlines() == [
        "item,topic,status,text",
        f"1,{EVIL},filled in,{EVIL}: a b c",
    ]
    assert "\\<img" in formats["Markdown"]
    assert "(filled in)" in formats["Markdown"]


def test_a_report_without_a_checklist_has_no_section(page):
    assert ask(page, SHOW, json.loads('{"checklist": null}')) is None
