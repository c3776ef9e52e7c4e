"""Exit codes: 0, verdicts, input, internal errors, interruptions, pipes and full disks."""

import errno
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from unittest import mock

import pytest
from command_line import SAH, WEATHER, output, run

from tradeoff.cli.exit_codes import EXIT_CODES
from tradeoff.cli.program import ISSUES_URL
from tradeoff.errors import EXTRAS

ROOT = Path(__file__).parents[2]
TWO_MODELS = [*SAH, "--score", "ndka"]


def run_failing_with(error, *arguments, **environment):
    """Run `validate`, which fails inside with an error."""
    with mock.patch("tradeoff.validation.studies.recomputed_studies", side_effect=error):
        return run("validate", *arguments, **environment)


def test_the_help_of_the_program_lists_all_exit_codes():
    lines = output("--help").partition("Exit codes:\n")[2].splitlines()
    codes = [int(first) for line in lines if (first := line.split()[0]).isdigit()]

    assert codes == list(EXIT_CODES) == [0, 1, 2, 3, 70, 130]


def test_the_help_of_the_gate_explains_its_exit_codes():
    assert "0 pass, 1 fail, 3 inconclusive" in " ".join(output("gate", "--help").split())


@pytest.mark.parametrize(
    ("arguments", "exit_code"),
    [
        (["evaluate", *WEATHER], 0),
        (["gate", *TWO_MODELS, "--margin", "0.5"], 0),
        (["gate", *TWO_MODELS], 3),
        (["gate", *TWO_MODELS, "--superior", "--margin", "0.1"], 1),
        (["compare", *TWO_MODELS, "--margin", "0.01"], 0),
        (["check", *WEATHER], 1),
        (["gate", *SAH], 2),
        (["no-such-command"], 2),
    ],
)
def test_only_verdicts_exit_with_1_or_3(arguments, exit_code):
    assert run(*arguments)[0] == exit_code


def test_an_internal_error_is_one_sentence_with_where_to_report_it():
    code, out, err = run_failing_with(KeyError("nowhere"))

    assert (code, out) == (70, "")
    assert err == (
        "tradeoff: internal error (KeyError: 'nowhere'). TRADEOFF_DEBUG=1 shows where; please "
        f"report it with that output at {ISSUES_URL}\n"
    )


def test_an_internal_error_shows_its_traceback_on_request():
    code, _, err = run_failing_with(KeyError("nowhere"), TRADEOFF_DEBUG="1")

    assert code == 70
    assert err.startswith("Traceback")
    assert err.count("KeyError: 'nowhere'") == 2


def test_the_reason_of_an_internal_error_cannot_control_the_terminal():
    _, _, err = run_failing_with(ValueError("\x1b[31m\nred"))

    assert "\x1b" not in err
    assert err.count("\n") == 1


def test_issues_are_reported_where_the_package_says():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["urls"]["Issues"] == ISSUES_URL


def test_running_out_of_memory_names_the_options_that_need_less():
    with mock.patch("tradeoff.sources.read.read", side_effect=MemoryError):
        code, _, err = run("evaluate", *WEATHER)
    assert code == 2
    assert err.startswith("tradeoff: evaluate ran out of memory: --memory 1GB reads the rows in")

    code, _, err = run_failing_with(MemoryError())
    assert (code, err) == (
        2,
        "tradeoff: validate ran out of memory: evaluate fewer rows at a time.\n",
    )


def test_ctrl_c_exits_with_130():
    assert run_failing_with(KeyboardInterrupt())[0] == 130


def test_an_error_of_the_system_names_the_file():
    denied = PermissionError(errno.EACCES, "Permission denied", "rows.csv")
    assert run_failing_with(denied) == (2, "", "tradeoff: rows.csv: Permission denied.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_not_success():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tradeoff", "metrics"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            text=True,
        )
    assert (done.returncode, done.stderr) == (2, "tradeoff: No space left on device.\n")


@pytest.mark.parametrize(("arguments", "exit_code"), [(["metrics"], 0), (["gate", *TWO_MODELS], 3)])
def test_a_closed_pipe_changes_no_verdict(arguments, exit_code):
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        [sys.executable, "-m", "tradeoff", *arguments],
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
        text=True,
    )
    os.close(write_end)

    assert (done.returncode, done.stderr) == (exit_code, "")


WITHOUT_EXTRAS = {
    "crossval": ("sklearn", ["crossval", *SAH[:3], "--model", "logistic"]),
    "plot": ("matplotlib", ["plot", *SAH, "--output", "roc.png"]),
    "spark": ("pyspark", ["evaluate", *SAH, "--engine", "spark"]),
}


BLOCK_IMPORTS = """
import sys

class Blocker:
    def find_spec(self, name, *_):
        if name == {module!r}:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Blocker())
from tradeoff.cli import main
main(prog_name="tradeoff")
"""


@pytest.mark.parametrize(("module", "arguments"), WITHOUT_EXTRAS.values(), ids=WITHOUT_EXTRAS)
def test_a_missing_extra_is_one_sentence(module, arguments, tmp_path):
    script = BLOCK_IMPORTS.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        check=False,
        text=True,
        cwd=tmp_path,
    )
    title, extra = EXTRAS[module]

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f'needs {title}: pip install "tradeoff[{extra}]".\n')
    assert done.stderr.count("\n") == 1
