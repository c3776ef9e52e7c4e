"""A real browser without a network, for what runs in a reader's page."""

import json
import os
import shutil

import pytest

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NONE = (
    "These tests drive Chromium, and none was found. Install it (Debian: apt install chromium), or "
    "say where it is: CHROMIUM=/path/to/chromium."
)
SPELLED = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests."""
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.fail(NONE, pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def context(chromium):
    """A window of its own, offline."""
    context = chromium.new_context(offline=True)
    yield context
    context.close()


@pytest.fixture
def page(context):
    """An empty page; what goes wrong in it goes wrong in the test."""
    page = context.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(error))  # noqa: PLW0108 - it marks what it gets
    yield page
    assert not errors


def ask(page, function, data):
    """What a function of one argument answers in the page, by way of text: one call, any size.

    NaN and infinities, which JSON has not, arrive as numbers.
    """
    answer = page.evaluate(
        f"""(text) => JSON.stringify(({function})(JSON.parse(text)), (key, value) =>
            typeof value === "number" && !Number.isFinite(value) ? `\\u0000${{value}}` : value)""",
        json.dumps(data, allow_nan=False),
    )
    return _read(json.loads(answer))


def _read(value):
    if isinstance(value, dict):
        return {key: _read(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_read(item) for item in value]
    if isinstance(value, str) and value.startswith("\x00"):
        return SPELLED[value[1:]]
    return value


class Opened:
    """A report in a page, and everything that went wrong in it."""

    def __init__(self, chromium, **choices):
        choices = {"offline": True, "viewport": {"width": 1280, "height": 900}} | choices
        self.context = chromium.new_context(**choices)
        self.context.set_default_timeout(10_000)
        self.page = self.context.new_page()
        self.troubles = []
        self.requests = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("dialog", self._refused)
        self.context.on("request", lambda request: self.requests.append(request.url))

    def _heard(self, message):
        if message.type in {"error", "warning"}:
            self.troubles.append(message.text)

    def _refused(self, dialog):
        self.troubles.append(f"a dialog opened: {dialog.message}")
        dialog.dismiss()

    def show(self, path, fragment=""):
        """Open a report anew, and wait until its line rests."""
        if self.page.url.startswith("file:"):
            self.page.goto("about:blank")  # the same address with another fragment is not a visit
        self.page.goto(path.as_uri() + fragment)
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page


@pytest.fixture(scope="module")
def opened(chromium):
    """Opens reports in windows of their own; in the end none may have complained."""
    windows = []

    def open_report(path, fragment="", **choices):
        windows.append(Opened(chromium, **choices))
        windows[-1].show(path, fragment)
        return windows[-1]

    yield open_report
    troubles = [trouble for window in windows for trouble in window.troubles]
    for window in windows:
        window.context.close()
    assert not troubles


def frame(page):
    """Wait until what was asked for is drawn."""
    page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def rest(page):
    """Wait until the line rests, after the next frame."""
    page.evaluate("() => { delete document.documentElement.dataset.ready; tradeoff.show(false); }")
    page.wait_for_selector("html[data-ready]", state="attached")


def swipe(page, start, end, steps=8):
    """Move a finger over the screen, as a hand does."""
    session = page.context.new_cdp_session(page)

    def touch(kind, points):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    touch("touchStart", [start])
    for step in range(1, steps + 1):
        share = step / steps
        touch("touchMove", [[a + share * (b - a) for a, b in zip(start, end, strict=True)]])
        frame(page)
    touch("touchEnd", [])
    session.detach()


def copied(page, button):
    """What a button of the Share menu offers where the clipboard is denied: a text in a dialog."""
    page.evaluate(
        """() => Object.defineProperty(navigator, "clipboard", { configurable: true,
            value: { writeText: () => Promise.reject(new Error("denied")) } })"""
    )
    page.click("#share")
    page.click(f"#{button}")
    page.wait_for_selector("#copied[open]")
    content = page.input_value("#copied-text")
    page.click("#copied button")
    assert not page.locator("#copied").is_visible()
    return content


def open_everything(page):
    """Open all settings that a click would open."""
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    frame(page)


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """The path of a report by its name in reports.py."""
    from browser.reports import written

    folder = tmp_path_factory.mktemp("reports")
    return lambda name: written(folder, name)


@pytest.fixture(scope="module")
def visit(opened, report):
    """Opens a report by its name, always in the same window, as it is when it is first seen."""
    window = []

    def visited(name, fragment=""):
        if not window:
            window.append(opened(report(name), fragment))
        else:
            window[0].show(report(name), fragment)
        return window[0].page

    return visited
