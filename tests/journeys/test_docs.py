"""Documents that are generated, or must mention what exists."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

import tradeoff as to
from tradeoff.cli.program import COMMANDS

ROOT = Path(__file__).parents[2]


def test_generated_pages_are_fresh():
    place = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    generate = importlib.util.module_from_spec(place)
    place.loader.exec_module(generate)

    assert generate.stale() == []


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_is_in_the_readme(command):
    assert f"tradeoff {command}" in (ROOT / "README.md").read_text()


def test_counts_in_the_readme_are_right():
    text = (ROOT / "README.md").read_text()

    assert f"{len(to.METRICS)} metrics and {len(to.SUMMARIES)} summaries" in text
    assert f"{len(to.CURVES)} named curves" in text


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")))
def test_links_between_pages_have_targets(page):
    prose = re.sub(r"```.*?```|`[^`\n]+`", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#]+)\)", prose)

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_dependency_has_its_reason():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = [
        settings["project"]["dependencies"],
        *settings["project"]["optional-dependencies"].values(),
        *settings["dependency-groups"].values(),
    ]
    names = {re.split(r"[<>=]", entry)[0] for group in groups for entry in group}
    reasons = (ROOT / "ARCHITECTURE.md").read_text().casefold().replace("_", "-")

    assert {name for name in names if name.casefold() not in reasons} == set()
