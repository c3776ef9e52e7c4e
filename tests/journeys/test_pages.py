"""Every example and every command of README and docs prints what the page shows."""

import doctest
import os
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import command_line
import pytest
from command_line import run

import tradeoff as to

ROOT = Path(__file__).parents[2]
WRITTEN = [
    ROOT / "README.md",
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        # The examples of the reference are those of the code, which run there.
        if page.parent.name != "reference"
    ),
]
EXAMPLES = [page for page in WRITTEN if ">>> " in page.read_text()]
CONSOLES = [page for page in WRITTEN if "\n$ tradeoff " in page.read_text()]
WRONG_INPUT = 2
UPDATE = bool(os.environ.get("UPDATE_SNAPSHOTS"))
"""Pages get the new output, as snapshots do; the change must then be read."""


def name(page):
    return str(page.relative_to(ROOT))


def blocks(page, kind):
    """The fenced blocks of one kind: what follows the kind on its line, and the lines inside."""
    return re.findall(rf"^```{kind}(.*)\n((?:.*\n)*?)```$", page.read_text(), re.MULTILINE)


def shown_commands(page):
    """Each `$ tradeoff …` of a page with the output that the page shows below it."""
    text = "".join(lines for _, lines in blocks(page, "console"))
    return dict(re.findall(r"^\$ tradeoff (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE))


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    """An empty folder outside the checkout: examples need nothing but the package."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command_line, "SCRATCH", SimpleNamespace(name=str(tmp_path)))
    return tmp_path


def prepare_files(page, folder):
    """Write the files that a reader of a page has: blocks with a title, and example data.

    Pages of the tutorial build on each other.
    """
    pages = WRITTEN if page.parent.name == "tutorial" else [page]
    for earlier_page in pages:
        for title, lines in blocks(earlier_page, r"\w+ title="):
            (folder / title.strip('"')).write_text(lines)
    for data, path in re.findall(r"tradeoff datasets (\w+) -o ([\w.]+)", page.read_text()):
        to.datasets.load(data).save(folder / path)


def printed(command, expected):
    """What a command prints; as the page shows it, if they differ only in lines left out (...)."""
    code, out, err = run(*shlex.split(command))
    parts = (re.escape(part) for part in re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE))
    alike = re.fullmatch(r"(?:.*\n)+?".join(parts), err + out)
    return expected if alike and code != WRONG_INPUT else err + out


def update_commands(page):
    """Replace the output below each command; as many lines are left out (...) as before."""
    text = page.read_text()
    for command, expected in shown_commands(page).items():
        output = printed(command, expected)
        if output != expected and "...\n" in expected:
            start, end = expected.split("...\n")[0], expected.split("...\n")[-1]
            lines = output.splitlines(keepends=True)
            first, last = start.count("\n"), end.count("\n")
            output = "".join([*lines[:first], "...\n", *lines[len(lines) - last :]])
        text = text.replace(f"$ tradeoff {command}\n{expected}", f"$ tradeoff {command}\n{output}")
    page.write_text(text)


class Recorder(doctest.DocTestRunner):
    """Remembers what examples print that is not what they claim."""

    def __init__(self):
        super().__init__(verbose=False)
        self.outputs = {}

    def report_failure(self, out, test, example, got):  # noqa: ARG002 - doctest's signature
        self.outputs[example.lineno] = (example, got)


def update_examples(page):
    """Replace the claimed output of each example of Python by what it prints."""
    lines = page.read_text().splitlines(keepends=True)
    test = doctest.DocTestParser().get_doctest(page.read_text(), {}, str(page), str(page), 0)
    recorder = Recorder()
    recorder.run(test)
    for line, (example, got) in sorted(recorder.outputs.items(), reverse=True):
        start = line + example.source.count("\n")
        blank = [
            "<BLANKLINE>\n" if text == "\n" else text for text in got.splitlines(keepends=True)
        ]
        lines[start : start + example.want.count("\n")] = blank
    page.write_text("".join(lines))


@pytest.mark.parametrize("page", EXAMPLES, ids=name)
@pytest.mark.usefixtures("empty_folder")
def test_examples_print_what_they_claim(page, monkeypatch):
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    if UPDATE:
        update_examples(page)
    result = doctest.testfile(str(page), module_relative=False)

    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", CONSOLES, ids=name)
def test_commands_print_what_is_shown(page, empty_folder):
    prepare_files(page, empty_folder)
    if UPDATE:
        update_commands(page)
    expected = shown_commands(page)

    assert expected
    assert {command: printed(command, lines) for command, lines in expected.items()} == expected


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_pages_use_only_data_that_every_installation_has(page):
    shown = "".join(lines for _, lines in [*blocks(page, "console"), *blocks(page, "python")])

    assert not re.findall(r"tests/golden\S*|src/tradeoff/data\S*", shown)
