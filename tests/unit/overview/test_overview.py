"""look(): a table's columns, their likely roles, its problems, and commands that work."""

import shlex

import numpy as np
import pandas as pd
import pytest
from command_line import run

import tradeoff as to
from tradeoff.overview.overview import source_arguments

RANDOM = np.random.default_rng(5)
ROWS = 200
ILL = RANDOM.random(ROWS) < 0.3
FRAME = pd.DataFrame(
    {
        "Unnamed: 0": range(ROWS),
        "ill": np.where(ILL, "yes", "no"),
        "p_a": np.round((RANDOM.random(ROWS) * 2 + ILL) / 3, 3),
        "p,b": np.round(RANDOM.random(ROWS), 3),
    }
)


def looked_at(frame, folder, **roles):
    frame.to_csv(folder / "my rows.csv", index=False)
    return to.look(folder / "my rows.csv", **roles)


def test_an_overview_is_a_table_of_columns():
    frame = to.look(FRAME).to_pandas()

    assert frame["column"].tolist() == list(FRAME)
    assert frame["role"].tolist() == ["index", "class", "probability", "probability?"]
    assert frame["distinct"].tolist()[:2] == [ROWS, 2]


def test_the_command_names_an_example_of_the_positive_class(tmp_path):
    overview = looked_at(FRAME, tmp_path)

    assert not overview.is_evaluable
    assert "--positive yes" in overview.commands[0]  # the rarer one, to be edited


@pytest.mark.parametrize("positive", ["yes", "no"])
def test_commands_run_as_they_are_printed(positive, tmp_path):
    overview = looked_at(FRAME, tmp_path, positive=positive, score=["p_a", "p,b"])
    program, *arguments = shlex.split(overview.commands[0])

    assert (program, overview.is_evaluable) == ("tradeoff", True)
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert "p,b" in out


def test_problems_are_named(tmp_path):
    frame = FRAME.rename(columns={"p,b": "p_b"})
    frame.loc[3, "p_b"] = np.nan
    text = repr(looked_at(frame, tmp_path))

    assert "1 of 200 rows has no score in p_b" in text
    assert "No problems found" not in text


def test_reversed_scores_are_a_problem_only_if_the_positive_class_is_known(tmp_path):
    frame = FRAME[["ill", "p_a"]].assign(p_a=1 - FRAME.p_a)

    assert "worse than chance" not in repr(looked_at(frame, tmp_path))
    assert "worse than chance" in repr(looked_at(frame, tmp_path, positive="yes"))


def test_how_the_file_was_read_is_said(tmp_path):
    (tmp_path / "rows.csv").write_bytes("y;p é;q\n1;0,5;5%\n0;0,25;7%\n1;0,3;1%\n".encode("cp1252"))

    assert to.look(tmp_path / "rows.csv").notes == (
        "text encoding cp1252",
        "columns separated by ';'",
        "decimal commas in 'p é'",
        "percentages in 'q' as proportions",
    )


def test_three_classes_are_shown_their_command(tmp_path):
    kinds = RANDOM.choice(["cat", "dog", "fox"], ROWS)
    frame = pd.DataFrame({"kind": kinds} | {f"p_{k}": RANDOM.random(ROWS) for k in set(kinds)})
    (command,) = looked_at(frame, tmp_path).commands

    assert "--actual kind --score cat=p_cat --score dog=p_dog --score fox=p_fox" in command
    assert run(*shlex.split(command)[1:])[0] == 0


def test_a_table_without_scores_is_cross_validated():
    frame = FRAME[["ill"]].assign(age=RANDOM.normal(50, 9, ROWS), income=RANDOM.normal(9, 1, ROWS))

    assert to.look(frame).commands[0] == "tradeoff crossval FILE --actual ill --positive yes"


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        ("a.csv", ("a.csv",)),
        (to.File("a.xlsx", sheet="One"), ("a.xlsx", "--sheet", "One")),
        (to.Query("FROM t", "a.db"), ("--query", "FROM t", "a.db")),
        (FRAME, ("FILE",)),
    ],
)
def test_commands_name_the_source_as_it_was_given(source, arguments):
    assert source_arguments(source) == arguments


def test_names_from_the_data_are_text():
    frame = pd.DataFrame({"y\x1b[31m": [0, 1, 0], "<b>p</b>": [0.1, 0.2, 0.3]})

    assert "\x1b" not in repr(to.look(frame))
    assert "<b>" not in to.look(frame).to_markdown()
    assert "<b>" not in to.look(frame)._repr_html_()
