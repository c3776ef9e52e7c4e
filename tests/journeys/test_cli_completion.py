"""Shell completion: scripts, commands, options, columns of the file that was typed, metrics."""

import shlex

import pytest
from command_line import output, run_process
from shell_session import ShellSession, is_installed

from tradeoff.cli.shells import SHELLS

UGLY = """\
y,score a,it's,"$(touch hacked)","a,b","tab\there",x:y,p
1,0.9,1,2,3,4,5,0
0,0.1,1,2,3,4,5,1
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "ugly table.csv"
    path.write_text(UGLY)
    return path


def complete(*words, script="bash"):
    """Values that the program offers for the last word."""
    line = " ".join(["tradeoff", *(word.replace(" ", "\\ ") for word in words)])
    variables = {"COMP_LINE": line, "_TRADEOFF_COMPLETE": f"{script}_complete"}
    code, out, err = run_process(**variables)
    assert (code, err) == (0, "")
    return [line for line in out.splitlines() if line]


@pytest.mark.parametrize("shell", SHELLS)
def test_every_shell_has_a_script_that_asks_the_program(shell):
    script = output("completion", shell)

    assert f"_TRADEOFF_COMPLETE={shell}_complete" in script


def test_commands_are_completed_and_any_other_word_is_a_file():
    assert complete("ev") == ["plain,evaluate"]
    assert complete("rows.c") == ["file"]


def test_options_and_choices_are_completed():
    assert complete("evaluate", "x.csv", "--act") == ["plain,--actual"]
    assert complete("evaluate", "x.csv", "--missing", "re") == ["plain,reject"]


def test_paths_are_left_to_the_shell():
    assert complete("evaluate", "sco") == ["file"]
    assert complete("gate", "--baseline", "sco") == ["file"]


def test_columns_are_those_of_the_file_and_quoted_for_bash(table):
    assert complete("evaluate", str(table), "--score", "") == [
        "plain,y",
        "plain,'score a'",
        """plain,'it'"'"'s'""",
        "plain,'$(touch hacked)'",
        "plain,a,b",
        "plain,x:y",
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


TYPED = {
    "tradeoff evalu": ["evaluate"],
    "tradeoff evaluate ug": ["evaluate", "ugly table.csv"],
    "tradeoff gate --baseline=ug": ["gate", "--baseline=ugly table.csv"],
    "tradeoff evaluate ~/ug": ["evaluate", "~/ugly table.csv"],
    "tradeoff evaluate --no-inter": ["evaluate", "--no-intervals"],
    "tradeoff evaluate x.csv --missing rej": ["evaluate", "x.csv", "--missing", "reject"],
    "tradeoff evaluate x.csv --metric=matthews_correl": [
        *("evaluate", "x.csv", "--metric=matthews_correlation"),
    ],
}
"""What is typed before Tab, and the words of the completed line."""
TYPED |= {
    f"tradeoff evaluate ugly\\ table.csv --score{typed}": [
        *("evaluate", "ugly table.csv", *completed),
    ]
    for typed, completed in {
        " sc": ["--score", "score a"],
        "=sc": ["--score=score a"],
        " it": ["--score", "it's"],
        " \\$": ["--score", "$(touch hacked)"],
        " 'sc": ["--score", "score a"],
        ' "sc': ["--score", "score a"],
        " x:": ["--score", "x:y"],
        " p,sc": ["--score", "p,score a"],
        " x:y,sc": ["--score", "x:y,score a"],
    }.items()
}


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes_in_a_real_shell(shell, tmp_path):
    if not is_installed(shell):
        pytest.skip(f"{shell} is not installed")
    session = ShellSession(shell, tmp_path, output("completion", shell))
    try:
        completed = {typed: session.complete(typed) for typed in TYPED}
    finally:
        session.close()

    assert {typed: shlex.split(line)[1:] for typed, line in completed.items()} == TYPED
    assert not (tmp_path / "hacked").exists()
