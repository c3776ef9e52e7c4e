"""Project files agree: git hooks, workflows, versions."""

import re
import tomllib
from pathlib import Path

import pytest

import tradeoff as to

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def commands(path):
    """What a hook or a step of a workflow runs."""
    return re.findall(r"^\s*(?:- run|entry): (.+)$", path.read_text(), re.MULTILINE)


@pytest.mark.parametrize(
    "path",
    [ROOT / ".pre-commit-config.yaml", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))],
    ids=lambda path: path.name,
)
def test_hooks_and_workflows_run_what_a_developer_runs(path):
    targets = {f"make {target}" for target in TARGETS}

    assert commands(path)
    assert set(commands(path)) <= targets | {".ci/run"}


def test_the_hooks_together_are_make_test():
    assert commands(ROOT / ".pre-commit-config.yaml") == ["make lint", "make test"]
    assert re.search(r"^test: lint\b", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_the_version_is_written_once():
    places = [
        path.relative_to(ROOT).as_posix()
        for path in [*ROOT.glob("*.toml"), *ROOT.glob("*.cff"), *ROOT.glob("src/**/*.py")]
        if re.search(
            rf"version[_\"']*\s*[=:]\s*[\"']?{re.escape(to.__version__)}", path.read_text()
        )
    ]

    assert places == ["src/tradeoff/__init__.py"]


def test_the_matrix_tests_every_python_that_is_declared():
    declared = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    (tested,) = re.findall(r"versions=\((3[\d. ]+)\)", (ROOT / ".ci" / "matrix").read_text())
    workflow = (ROOT / ".github" / "workflows" / "matrix.yml").read_text()

    assert tested.split() == declared
    assert PROJECT["requires-python"] == f">={declared[0]}"
    assert sorted(re.findall(r"^\s+(3\.\d+)$", workflow, re.MULTILINE)) == declared
