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


BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text()
MEASURED = re.findall(r"^\| ([^|]+) \| ([\d.]+) \| ([^|]*) \|$", BENCHMARKS, re.MULTILINE)
"""What was measured, the value, and what is wanted."""


def test_every_measured_ratio_is_as_wanted():
    limits = {what: re.match(r"([≤≥]?) ?([\d.]*)", wanted).groups() for what, _, wanted in MEASURED}
    values = {what: float(value) for what, value, _ in MEASURED}

    assert len(values) == len(MEASURED) > 40
    for what, (sign, limit) in limits.items():
        if limit:
            wanted = float(limit)
            met = {"≤": values[what] <= wanted, "≥": values[what] >= wanted}
            assert met.get(sign, values[what] == wanted), what


def test_every_table_of_benchmarks_is_written_by_a_script():
    scripts = "".join(path.read_text() for path in (ROOT / "benchmarks").glob("*.py"))
    tables = re.findall(r"<!-- (\w+): start -->", BENCHMARKS)

    assert [name for name in tables if f'write("{name}"' not in scripts] == []
    assert len(tables) == scripts.count('write("') > 5


def test_the_time_of_every_curve_was_measured():
    curves = {what.split()[1] for what, _, _ in MEASURED if what.startswith("curve ")}

    assert curves == set(to.CURVES)


def test_the_ratio_to_sorting_is_the_measured_one_wherever_it_is_stated():
    ((_, ratio, _),) = (row for row in MEASURED if row[0].endswith("over a bare np.sort"))
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    stated = re.findall(
        r"about ([\d.]+)\s+times\s+as\s+long\s+as\s+(?:sorting|a\s+bare\s+`np\.sort`)",
        "".join(page.read_text() for page in pages),
    )

    assert len(stated) == 3
    assert set(stated) == {f"{float(ratio):.1f}"}
