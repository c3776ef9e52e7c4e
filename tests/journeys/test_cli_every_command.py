"""What holds for every command: options are unambiguous, and no input is overwritten."""

import os
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner
from command_line import run

import tradeoff as to
from tradeoff.cli.command import Command, InputPath, OutputPath
from tradeoff.cli.program import COMMANDS, main


def command_of(name):
    return main.get_command(click.Context(main), name)


def options_of(name):
    return [option for option in command_of(name).params if isinstance(option, click.Option)]


READING_NO_FILE = {"demo", "datasets", "matrix", "metrics", "page", "validate"}
SINGLE = [
    (name, option)
    for name in COMMANDS
    for option in options_of(name)
    if not (option.multiple or option.is_flag or option.count)
]
WRITING = [
    (name, option)
    for name in COMMANDS
    for option in options_of(name)
    if isinstance(option.type, OutputPath) and name not in READING_NO_FILE
]
WRITING_FILES = [case for case in WRITING if not case[1].type.folder_suffix]


def named(cases):
    return [f"{name} {option.opts[0]}" for name, option in cases]


def done(*arguments):
    result = CliRunner().invoke(main, [*map(str, arguments)])
    return result.exit_code, result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_path_is_marked_as_read_or_written(name):
    assert isinstance(command_of(name), Command)
    paths = [p for p in command_of(name).params if isinstance(p.type, click.Path)]

    assert all(isinstance(p.type, InputPath | OutputPath) for p in paths)


@pytest.mark.parametrize(("name", "option"), SINGLE, ids=named(SINGLE))
def test_an_option_of_one_value_given_twice_is_an_error(name, option):
    flag = max(option.opts, key=len)

    code, err = done(name, flag, "0.2", option.opts[0], "0.3")

    assert code == 2
    several = " For several, see tradeoff cutoffs." if flag == "--threshold" else ""
    message = f"{flag} was given twice (0.2 and 0.3); it takes one value.{several}"
    assert err == f"tradeoff: {message}\n"


def test_a_threshold_given_three_times_is_an_error_message_and_exit_code_2():
    thresholds = [word for value in "123" for word in ("--threshold", f"0.{value}")]

    assert run("evaluate", "rows.csv", *thresholds) == (
        2,
        "",
        (
            "tradeoff: --threshold was given 3 times (0.1, 0.2 and 0.3); it takes one value. "
            "For several, see tradeoff cutoffs.\n"
        ),
    )


def test_an_option_without_its_optional_value_counts_as_given():
    code, err = done("evaluate", "rows.csv", "--chart", "--chart", "gains")

    assert (code, err) == (
        2,
        "tradeoff: --chart was given twice (roc and gains); it takes one value.\n",
    )


def test_options_of_several_values_and_flags_may_be_repeated(rows):
    columns = ["--actual", "y", "--score", "p", "--score", "q"]

    assert done("evaluate", rows, *columns, "--no-intervals", "--no-intervals")[0] == 0


@pytest.fixture
def rows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(0)
    score = random.random((60, 2)).round(3)
    actual = (random.random(60) < score[:, 0]).astype(int)
    lines = [f"{y},{p},{q}" for y, (p, q) in zip(actual, score.tolist(), strict=True)]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["y,p,q", *lines]) + "\n")
    to.evaluate(str(path), actual="y", score="p").ranking.save("1_p.ranking")
    return path


COLUMNS = ["--actual", "y", "--score", "p"]
TWO_MODELS = [*COLUMNS, "--score", "q"]
READING = {
    "rank": ["rows.csv", *COLUMNS],
    "merge": ["1_p.ranking"],
    "crossval": ["rows.csv", "--actual", "y", "--model", "logistic", "--folds", "2"],
    "calibration": ["rows.csv", *COLUMNS],
    "gate": ["rows.csv", *TWO_MODELS],
    "report": ["rows.csv", *COLUMNS],
    "plot": ["rows.csv", *COLUMNS],
    "hull": ["rows.csv", *TWO_MODELS, "--fpr", "0.2"],
    "gains": ["rows.csv", *COLUMNS, "--top", "5", "--id", "q"],
    "rows": ["rows.csv", *COLUMNS, "--outcome", "fn"],
    "look": ["rows.csv"],
    "evaluate": ["rows.csv", *COLUMNS],
    "compare": ["rows.csv", *TWO_MODELS],
    "check": ["rows.csv", *COLUMNS],
    "segments": ["rows.csv", *COLUMNS, "--segment", "q"],
    "curve": ["rows.csv", *COLUMNS],
    "threshold": ["rows.csv", *COLUMNS],
    "cutoffs": ["rows.csv", *COLUMNS],
    "classes": ["rows.csv", "--actual", "y", "--score", "p"],
    "power": ["--pilot", "rows.csv", *COLUMNS],
    "compat": ["rows.csv", *COLUMNS],
    "explain": ["auc", "rows.csv", *COLUMNS],
}
"""How each command that writes is called; a new one needs a line here."""
OUTPUT = {("plot", "--output"): "picture.png", ("crossval", "--report"): "page.html"}
"""Outputs whose endings matter."""


@pytest.mark.parametrize(("name", "option"), WRITING_FILES, ids=named(WRITING_FILES))
@pytest.mark.parametrize("link", [None, "symbolic", "hard"])
def test_no_command_overwrites_what_it_reads(rows, name, option, link):
    arguments = list(READING[name])
    path = output = next(word for word in arguments if "." in word)
    if link:
        output = OUTPUT.get((name, option.opts[0]), "linked.csv")
        (os.symlink if link == "symbolic" else os.link)(path, output)
    before = (rows.parent / path).read_bytes()

    code, err = done(name, *arguments, option.opts[0], output)

    flag = max(option.opts, key=len)
    same = f"the same file as {path}, which is " if link else ""
    refusal = f"{output} is {same}among the inputs and would be overwritten"
    assert (code, err) == (2, f"tradeoff: {refusal}: name another file for {flag}.\n")
    assert (rows.parent / path).read_bytes() == before


@pytest.mark.parametrize(
    "source",
    [
        ["*.csv", *COLUMNS],
        [".", *COLUMNS],
        ["part.csv", "rows.csv", *COLUMNS],
        ["--query", "SELECT * FROM 'rows.csv'", *COLUMNS],
        ["--query", 'FROM "rows.csv"', *COLUMNS],
        ["--query", "FROM rows.csv", *COLUMNS],
        ["--query", "FROM read_csv(['part.csv', 'r*.csv'])", *COLUMNS],
    ],
)
def test_patterns_folders_lists_and_queries_name_inputs_too(rows, source):
    (rows.parent / "part.csv").write_bytes(rows.read_bytes())
    before = rows.read_bytes()

    code, err = done("rank", *source, "-o", rows)

    assert code == 2
    assert "among the inputs and would be overwritten" in err
    assert rows.read_bytes() == before


@pytest.mark.parametrize("flag", ["--baseline", "--candidate"])
def test_a_gate_overwrites_neither_of_its_files(rows, flag):
    other = rows.parent / "other.csv"
    other.write_bytes(rows.read_bytes())
    files = {"--baseline": rows, "--candidate": other}
    arguments = [word for pair in files.items() for word in pair]

    code, err = done("gate", *arguments, *COLUMNS, "--output", files[flag])

    assert code == 2
    assert f"{files[flag]} is among the inputs" in err


@pytest.mark.usefixtures("rows")
def test_merging_twice_does_not_count_the_first_result():
    to.Ranking.load("1_p.ranking").save("2_p.ranking")
    parts = ["1_p.ranking", "2_p.ranking"]
    assert done("merge", *parts, "-o", "merged.ranking") == (0, "")

    code, err = done("merge", *parts, "merged.ranking", "-o", "merged.ranking")

    assert code == 2
    assert "merged.ranking is among the inputs" in err
    assert to.Ranking.load("merged.ranking").rows == 120


def test_one_option_writes_a_folder():
    folders = [case for case in WRITING if case not in WRITING_FILES]

    assert named(folders) == ["report --save-rankings"]


def test_a_folder_of_rankings_is_not_written_over_the_rankings_that_are_read(rows):
    before = (rows.parent / "1_p.ranking").read_bytes()

    code, err = done("report", "--ranking", "1_p.ranking", "--save-rankings", ".")

    assert code == 2
    assert "1_p.ranking is among the inputs" in err
    assert "--save-rankings" in err
    assert (rows.parent / "1_p.ranking").read_bytes() == before
    assert not (rows.parent / "report.html").exists()


@pytest.mark.usefixtures("rows")
def test_two_outputs_are_two_files():
    code, err = done("crossval", *READING["crossval"], "--save", "out.csv", "--report", "./out.csv")

    assert (code, err) == (
        2,
        "tradeoff: --save and --report both name out.csv: give each its own file.\n",
    )


def test_an_output_that_was_written_before_is_replaced(rows):
    for _ in range(2):
        assert done("rank", rows, *COLUMNS, "-o", "again.ranking") == (0, "")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_two_examples_and_headings(name):
    _, text, _ = run(name, "--help")

    assert text.count(f"tradeoff {name}") >= 3  # its usage, and two examples
    assert "\nOptions:" not in text
    assert "Output:" in text


def test_an_unknown_command_suggests_a_near_one():
    code, out, err = run("thresold")

    assert (code, out) == (2, "")
    assert "No such command or file 'thresold'. Did you mean 'threshold'?" in err


FORMATS = {
    name: option.type.choices
    for name in COMMANDS
    for option in options_of(name)
    if option.name == "output_format"
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_table_can_be_had_for_web_pages_word_papers_and_spreadsheets(name):
    formats = set(FORMATS[name])
    without_rows = {"explain", "metrics"}  # definitions

    assert {"text", "markdown", "html", "latex"} <= formats
    assert name in without_rows or {"json", "csv"} <= formats


SAH = Path(to.__file__).parent / "data/asah.csv"
SAH_OPTIONS = ["--actual", "poor", "--score", "s100b"]


@pytest.mark.parametrize("command", ["evaluate", "threshold", "curve", "check", "hull"])
def test_html_and_latex_hold_the_same_cells_as_markdown(command):
    texts = {}
    for form in ("markdown", "html", "latex"):
        code, out, _ = run(command, str(SAH), *SAH_OPTIONS, "--format", form)
        assert code == 0
        texts[form] = out

    rows = [line for line in texts["markdown"].splitlines() if line.startswith("| ")]
    rules = [line for line in rows if set(line) <= set("|:- ")]
    assert texts["html"].startswith('<meta charset="utf-8">\n<')
    assert texts["html"].count("<table") == texts["latex"].count("\\toprule") > 0 or not rows
    body_rows = len(rows) - len(rules)
    assert texts["html"].count("<tr>") == texts["latex"].count(" \\\\\n")
    assert texts["html"].count("<tr>") <= body_rows
