"""Every example and every command of README and docs prints what the page shows."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from command_line import SCRATCH, run

ROOT = Path(__file__).parent.parent
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


def name(page):
    return str(page.relative_to(ROOT))


def blocks(page, kind):
    """The fenced blocks of one kind: what follows the kind on its line, and the lines inside."""
    return re.findall(rf"^```{kind}(.*)\n((?:.*\n)*?)```$", page.read_text(), re.MULTILINE)


def shown_commands(page):
    """Each `$ tradeoff …` of a page with the output that the page shows below it."""
    text = "".join(lines for _, lines in blocks(page, "console"))
    return dict(re.findall(r"^\$ tradeoff (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE))


def prepare_files():
    """Blocks with a title are files that a reader saves; the repository's own lie beside them."""
    place = Path(SCRATCH.name)
    if not (place / "tests").exists():
        (place / "tests").symlink_to(ROOT / "tests")
    for page in WRITTEN:
        for title, lines in blocks(page, r"\w+ title="):
            (place / title.strip('"')).write_text(lines)


def printed(command, shown):
    """What a command prints; as the page shows it, if they differ only in lines left out (...)."""
    code, out, err = run(*shlex.split(command))
    parts = (re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE))
    alike = re.fullmatch(r"(?:.*\n)+?".join(parts), err + out)
    return shown if alike and code != WRONG_INPUT else err + out


@pytest.mark.parametrize("page", EXAMPLES, ids=name)
def test_examples_print_what_they_claim(page, monkeypatch):
    monkeypatch.chdir(ROOT)  # examples read bundled files
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    result = doctest.testfile(str(page), module_relative=False)

    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", CONSOLES, ids=name)
def test_commands_print_what_is_shown(page):
    prepare_files()
    shown = shown_commands(page)

    assert shown
    assert {command: printed(command, lines) for command, lines in shown.items()} == shown
