"""Shell completion: scripts, commands, options, columns of the file that was typed, metrics."""

import os
import shutil
import subprocess
import sys

import pytest
from command_line import output, run_process

from tradeoff.cli.completion import SHELLS

UGLY = 'y,score a,it\'s,"$(touch hacked)","a,b","tab\there",p\n1,0.9,1,2,3,4,0\n0,0.1,1,2,3,4,1\n'


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "ugly table.csv"
    path.write_text(UGLY)
    return path


def complete(*words, script="bash"):
    """Values that the program offers for the last word."""
    variables = {
        "COMP_WORDS": " ".join(["tradeoff", *(word.replace(" ", "\\ ") for word in words)]),
        "COMP_CWORD": words[-1] if script == "fish" else str(len(words)),
        "_TRADEOFF_COMPLETE": f"{script}_complete",
    }
    code, out, err = run_process(**variables)
    assert (code, err) == (0, "")
    return [line for line in out.splitlines() if line]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_asks_the_program(shell):
    script = output("completion", shell)

    assert f"_TRADEOFF_COMPLETE={shell}_complete" in script


def test_commands_are_completed_and_any_other_word_is_a_file():
    assert complete("ev") == ["plain,evaluate"]
    assert complete("rows.c") == ["file,rows.c"]


def test_options_and_choices_are_completed():
    assert complete("evaluate", "x.csv", "--act") == ["plain,--actual"]
    assert complete("evaluate", "x.csv", "--missing", "re") == ["plain,reject"]


def test_paths_are_left_to_the_shell():
    assert complete("evaluate", "sco") == ["file,sco"]
    assert complete("gate", "--baseline", "sco") == ["file,sco"]


def test_columns_are_those_of_the_file_and_quoted_for_bash(table):
    assert complete("evaluate", str(table), "--score", "") == [
        "plain,y",
        "plain,'score a'",
        """plain,'it'"'"'s'""",
        "plain,'$(touch hacked)'",
        "plain,a,b",
        "plain,p",
    ]


def test_columns_of_files_named_by_options_are_completed(table):
    assert complete("gate", "--baseline", str(table), "--on", "sc") == ["plain,'score a'"]


def test_the_last_of_several_columns_is_completed(table):
    assert complete("evaluate", str(table), "--score", "p,y") == ["plain,p,y"]


@pytest.mark.parametrize("name", ["none.csv", "bad.parquet"])
def test_a_file_that_cannot_be_read_offers_nothing(tmp_path, name):
    (tmp_path / "bad.parquet").write_text("not Parquet")

    assert complete("evaluate", str(tmp_path / name), "--score", "") == []


def test_metrics_are_completed_by_name_and_alias():
    assert "plain,precision" in complete("evaluate", "x.csv", "--metric", "prec")


def test_other_shells_get_descriptions():
    assert complete("ev", script="zsh")[:2] == ["plain", "evaluate"]
    (line,) = complete("ev", script="fish")
    assert line.startswith("plain,evaluate\tEvaluate models")


def test_fish_keeps_a_column_name_with_a_comma_whole():
    assert 'string split --max 1 ","' in output("completion", "fish")


@pytest.mark.skipif(shutil.which("bash") is None, reason="runs the script in bash")
def test_bash_inserts_names_from_data_as_text(table, tmp_path):
    program = tmp_path / "tradeoff"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tradeoff "$@"\n')
    program.chmod(0o755)
    typed_path = str(table).replace(" ", "\\ ")
    script = f"""
    eval "$(tradeoff completion bash)"
    COMP_WORDS=(tradeoff evaluate "{typed_path}" --score "")
    COMP_CWORD=4
    _tradeoff_completion tradeoff
    eval "set -- ${{COMPREPLY[*]}}"
    printf '<%s>' "$@"
    """
    done = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        check=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )

    assert done.stdout == "<y><score a><it's><$(touch hacked)><a,b><p>"
    assert not (tmp_path / "hacked").exists()
