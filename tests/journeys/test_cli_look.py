"""A stranger's file and nothing else: what is shown, what is taken, and what is asked."""

import io
import json
import os
import re
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
from command_line import GOLDEN, run

from tradeoff.schemas import json_schema

RANDOM = np.random.default_rng(4)
ROWS = 300
CHURNED = RANDOM.random(ROWS) < 0.25
LOGISTIC = np.round((RANDOM.random(ROWS) * 2 + CHURNED) / 3, 3)
BOOSTING = np.round((RANDOM.random(ROWS) * 3 + CHURNED) / 4, 3)
ASAH = GOLDEN / "proc_aSAH_data.csv"


def write(folder, header, *columns, name="churn.csv"):
    lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    (folder / name).write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    return folder / name


@pytest.fixture
def churn(tmp_path):
    return write(tmp_path, "churned,logistic,boosting", CHURNED.astype(int), LOGISTIC, BOOSTING)


@pytest.fixture
def words(tmp_path):
    labels = np.where(CHURNED, "yes", "no")
    return write(tmp_path, "churned,logistic,boosting", labels, LOGISTIC, BOOSTING)


def test_a_file_is_looked_at(words):
    code, out, err = run(words)

    assert (code, err) == (0, "")
    assert out == run("look", words)[1]
    assert out.splitlines()[0].endswith("churn.csv   300 rows, 3 columns")
    assert "class: say which is positive, e.g. --positive yes" in out
    assert f"tradeoff evaluate {words} --actual churned --positive yes" in " ".join(out.split())


def test_look_succeeds_whatever_the_columns_are(tmp_path):
    assert run(ASAH)[0] == 0
    assert run(write(tmp_path, "a,b", [1, 2, 3], [4, 5, 6]))[0] == 0
    assert run("look", write(tmp_path, "a", ["x"]))[0] == 0


def test_the_json_follows_its_schema(words, churn):
    for path in (words, churn, ASAH):
        code, out, _ = run(path, "--format", "json")
        assert code == 0
        jsonschema.validate(json.loads(out), json_schema("overview"))


@pytest.mark.parametrize("command", ["evaluate", "compare", "check", "threshold", "report", "hull"])
def test_commands_take_the_columns_and_say_so(command, churn, tmp_path):
    more = ["-o", tmp_path / "report.html"] if command == "report" else []
    code, out, err = run(command, churn, *more)

    assert (code, err) == (0, "")
    first, rest = out.split("\n\n", 1)
    assert " ".join(first.split()).startswith(
        "Taken: class churned (1 is positive), scores logistic and boosting. In full: tradeoff "
        f"{command} {churn}"
    )
    assert " ".join(first.split()).endswith("--actual churned --score logistic,boosting")
    named = run(command, churn, *more, "--actual", "churned", "--score", "logistic,boosting")
    assert rest == named[1]


@pytest.mark.parametrize("form", ["json", "csv"])
def test_data_is_not_mixed_with_that_line(form, churn):
    code, out, err = run("evaluate", churn, "--format", form)

    assert code == 0
    assert err.startswith("Taken: ")
    assert (
        out
        == run(
            *("evaluate", churn, "--format", form, "--actual", "churned"),
            *("--score", "logistic", "--score", "boosting"),
        )[1]
    )


def test_the_positive_class_is_asked_for(words):
    code, out, err = run("evaluate", words)

    assert (code, out) == (2, "")
    assert err.startswith(
        "tradeoff: 'churned' holds 'no' and 'yes'. Which one is positive? Add --positive yes or "
        "--positive no.\n"
    )
    assert err.endswith(
        f"Edit and run: tradeoff evaluate {words} --actual churned --positive yes --score "
        "logistic,boosting\n"
    )
    assert run("evaluate", words, "--positive", "yes")[0] == 0


def test_ambiguous_columns_are_listed_with_a_command_to_edit():
    code, _, err = run("evaluate", ASAH, "--threshold", "0.3")

    assert code == 2
    assert "  s100b" in err
    assert f"Edit and run: tradeoff evaluate {ASAH} --threshold 0.3 --actual outcome" in err


def test_three_classes_get_their_command(tmp_path):
    kinds = np.resize(["cat", "dog", "fox"], ROWS)
    path = write(tmp_path, "kind,p_cat,p_dog,p_fox", kinds, LOGISTIC, BOOSTING, LOGISTIC)
    code, _, err = run("evaluate", path)

    assert code == 2
    assert err.endswith(
        f"Edit and run: tradeoff classes {path} --actual kind --score cat=p_cat --score dog=p_dog "
        "--score fox=p_fox\n"
    )


@pytest.fixture
def kinds(tmp_path):
    names = np.resize(["cat", "dog", "fox"], ROWS)
    return write(tmp_path, "kind,p_cat,p_dog,p_fox", names, LOGISTIC, BOOSTING, LOGISTIC)


def test_scores_of_three_classes_are_taken(kinds):
    code, out, err = run("classes", kinds)
    first, rest = out.split("\n\n", 1)
    named = ["--actual", "kind", "--score", "cat=p_cat", "--score", "dog=p_dog"]

    assert (code, err) == (0, "")
    assert first == (
        "Taken: class kind, scores p_cat, p_dog and p_fox. In full:\n"
        f"  tradeoff classes {kinds} {' '.join(named)} --score fox=p_fox"
    )
    assert rest == run("classes", kinds, *named, "--score", "fox=p_fox")[1]
    assert run("classes", kinds, "--actual", "kind")[1].endswith(rest)


def test_an_unclear_score_of_three_has_a_place_in_the_command(tmp_path):
    names = np.resize(["cat", "dog", "fox"], ROWS)
    path = write(tmp_path, "kind,p_cat,p_dog,x", names, LOGISTIC, BOOSTING, LOGISTIC)
    code, out, err = run("classes", path)

    assert (code, out) == (2, "")
    assert "'fox' of 'kind' has no column of scores, such as 'p_cat' for 'cat'." in err
    assert re.search(r"  kind +text +cat 100, dog 100, fox 100 +class\n", err)
    assert err.endswith("--actual kind --score cat=p_cat --score dog=p_dog --score fox=COLUMN\n")


def test_two_classes_with_one_score_get_their_command(words):
    assert run("classes", words)[2].endswith(
        f"Edit and run: tradeoff evaluate {words} --actual churned --positive yes --score "
        "logistic,boosting\n"
    )


def test_predictions_of_three_classes_get_their_command(tmp_path):
    names = np.resize(["cat", "dog", "fox"], ROWS)
    path = write(tmp_path, "kind,predicted", names, names[::-1])
    command = f"tradeoff classes {path} --actual kind --predicted predicted"

    assert run(path)[1].endswith(
        f"More than two classes: class kind, predicted class predicted.\n\nNext:\n  {command}\n"
    )
    assert run("classes", path)[2].endswith(f"Edit and run: {command}\n")
    assert run("evaluate", path)[2].endswith(f"Edit and run: {command}\n")


@pytest.mark.parametrize("gap", ["churned", "logistic"])
def test_suggested_commands_work_despite_missing_values(gap, churn):
    header, *rows = churn.read_text().splitlines()
    place = header.split(",").index(gap)
    cells = rows[7].split(",")
    rows[7] = ",".join([*cells[:place], "", *cells[place + 1 :]])
    churn.write_text("\n".join([header, *rows]) + "\n")
    commands = run(churn)[1].partition("Next:\n")[2].splitlines()
    evaluation = commands[0].split()

    assert all("--missing drop" in command for command in commands)
    assert run(*evaluation[1:])[0] == 0
    assert run(*evaluation[1:-2])[0] == 2


def test_what_was_typed_is_not_repeated_in_the_command(words):
    for typed in (["--actual", "churned"], ["--actual=churned"]):
        assert len(re.findall("--actual.churned", run("evaluate", words, *typed)[2])) == 1


@pytest.mark.parametrize("score", ["logistic,boosting", "*o*ting,logis*", "l*,b*"])
def test_several_scores_in_one_option(score, churn):
    code, out, _ = run("compare", churn, "--actual", "churned", "--score", score)

    assert code == 0
    assert "logistic" in out
    assert "boosting" in out


def test_a_name_with_a_comma_is_a_name(tmp_path):
    path = write(tmp_path, 'y,"a,b",a', CHURNED.astype(int), LOGISTIC, BOOSTING)
    code, out, _ = run("evaluate", path, "--actual", "y", "--score", "a,b")

    assert code == 0
    assert "a,b: predict 1" in out


def test_an_unknown_column_suggests_one(churn):
    code, _, err = run("evaluate", churn, "--actual", "churned", "--score", "logistic,bosting")

    assert code == 2
    assert "There is no column 'bosting'. Did you mean 'boosting'?" in err


def test_the_gate_does_not_guess_which_model_is_the_baseline(churn):
    assert run("gate", churn)[0] == 2


def test_a_repeated_option_names_both_values(churn):
    code, _, err = run("evaluate", churn, "--threshold", "0.2", "--threshold", "0.3")

    assert code == 2
    assert err.startswith(
        "tradeoff: --threshold was given twice (0.2 and 0.3); it takes one value."
    )


def test_a_word_that_is_neither_suggests_commands_then_files(churn):
    assert "Did you mean 'threshold'?" in run("thresold")[2]
    code, _, err = run(churn.parent / "chrun.csv")
    assert code == 2
    assert f"No such command or file '{churn.parent / 'chrun.csv'}'. Did you mean '{churn}'?" in err


def test_the_name_of_a_command_wins(tmp_path):
    from command_line import SCRATCH

    path = os.path.join(SCRATCH.name, "metrics")  # noqa: PTH118
    write(tmp_path, "a", [1]).rename(path)
    try:
        assert "accuracy" in run("metrics")[1]
    finally:
        os.unlink(path)  # noqa: PTH108


def test_standard_input(churn, monkeypatch):
    content = churn.read_bytes()

    def typed(*arguments):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        return run(*arguments)

    assert typed("-")[1].startswith("standard input   300 rows, 3 columns")
    assert "tradeoff evaluate - --actual churned" in typed("-")[1]
    assert "0.8" in typed("evaluate", "-")[1]
    code, _, err = typed("evaluate", "-", "--actual", "churned", "--score", "p")
    assert (code, "There is no column 'p'" in err) == (2, True)


def test_a_european_file(tmp_path):
    rows = "".join(
        f"{i};{'ja' if y else 'nein'};{100 * p:.1f} %\n".replace(".", ",")
        for i, (y, p) in enumerate(zip(CHURNED, LOGISTIC, strict=True))
    )
    path = tmp_path / "kunden.csv"
    path.write_bytes(f";Kündigung;Wahrscheinlichkeit\n{rows}".encode("utf-16"))
    code, out, _ = run("evaluate", path, "--positive", "ja")

    assert code == 0
    assert "score Wahrscheinlichkeit" in out
    assert "Kündigung" in out
    assert "row index without a name, left out" in " ".join(run(path)[1].split())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--decimal", ","], "`decimal` is for CSV files"),
        (["--sheet", "Two"], "`sheet` is for spreadsheets"),
        (["--encoding", "utf-8x"], "There is no text encoding 'utf-8x'"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, message, tmp_path):
    path = tmp_path / "rows.json"
    path.write_text('[{"y": 1, "p": 0.5}]')
    code, _, err = run("evaluate", path, *options)

    assert code == 2
    assert message in err


def test_a_decimal_comma_names_its_option(tmp_path):
    cells = [f'"{p}"'.replace(".", ",") for p in LOGISTIC]
    path = write(tmp_path, "churned,p", CHURNED.astype(int), cells)
    code, _, err = run("evaluate", path, "--actual", "churned", "--score", "p")

    assert code == 2
    assert "(decimal comma): read the file with --decimal ," in err
    assert run("evaluate", path, "--decimal", ",")[0] == 0


@pytest.mark.parametrize("columns", ["60", "80"])
def test_the_screen_fits(columns, words):
    lines = run(words, COLUMNS=columns)[1].splitlines()

    assert max(len(line) for line in lines if "churn.csv" not in line) <= int(columns)


def test_crossval_names_columns_that_give_the_class_away():
    code, out, _ = run(
        *("crossval", ASAH, "--actual", "outcome", "--positive", "Poor", "--model", "logistic"),
        *("--folds", "3", "--jobs", "1"),
    )

    assert code == 0
    text = " ".join(out.split())
    assert text.startswith("Warning: gos6 alone predicts outcome with an AUC of 1: if it is known")
    assert "Note: learned from 7 columns: gos6, poor, gender, age, wfns, s100b, ndka." in text
