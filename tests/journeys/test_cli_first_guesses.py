"""What people type first: it works, or the answer names what to type instead."""

import csv
import json
import shlex

import numpy as np
import pytest
from command_line import SAH, document, output, refusal, run

import tradeoff as to

FILE = SAH[0]
TWO = [*SAH, "--score", "ndka"]


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["threshold", *SAH, "--youden"], "Did you mean '--by youden'?"),
        (["threshold", *SAH, "--metric", "f1"], "Did you mean '--by'?"),
        (["segments", *SAH, "--by", "gender"], "Did you mean '--segment'?"),
        (["plot", *SAH, "--curve", "pr"], "Did you mean '--chart'?"),
        (["gains", *SAH, "--profit", "30"], "Did you mean '--value'?"),
        (["evaluate", *SAH, "--ci", "0.9"], "Did you mean '--level'?"),
        (["evaluate", *SAH, "--marker", "ndka"], "Did you mean '--score'?"),
        (["evaluate", *SAH, "--cutoff", "0.2"], "'--threshold'"),
        (["gate", *TWO, "--min-auc", "0.8"], "Did you mean '--at-least auc=…'?"),
        (["threshold", *SAH, "--by", "recall"], "give a target, such as 0.9"),
        (["compare", *TWO, "--cost-fn", "5"], "Costs are used only by --metric cost"),
    ],
)
def test_a_first_guess_is_answered_with_what_to_type(arguments, answer):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert answer in err.replace("\n", " ")


def test_commands_to_copy_are_never_wrapped(tmp_path):
    path = tmp_path / ("a_long_name_of_a_file_" * 4 + ".csv")
    to.datasets.load("mailing").save(path)
    screen = output("look", path, COLUMNS="60")
    commands = screen.partition("Next:\n")[2].splitlines()

    assert all(line.startswith("  tradeoff ") and str(path) in line for line in commands)
    first_lines = output("evaluate", path, COLUMNS="60").partition("\n\n")[0].splitlines()
    assert first_lines[-1] == f"  tradeoff evaluate {path} --actual responded --score score"


def test_the_extension_of_the_gates_file_is_its_format(tmp_path):
    run("gate", *TWO, "--output", tmp_path / "gate.json")
    run("gate", *TWO, "--output", tmp_path / "gate.txt")
    run("gate", *TWO, "--output", tmp_path / "csv.json", "--format", "csv")

    assert json.loads((tmp_path / "gate.json").read_text())["schema"] == "tradeoff/gate/1"
    assert (tmp_path / "gate.txt").read_text().startswith("INCONCLUSIVE")
    assert "," in (tmp_path / "csv.json").read_text().splitlines()[0]


@pytest.mark.parametrize(
    ("command", "typed", "meant"),
    [
        ("evaluate", "--target poor --prob s100b", "--actual poor --score s100b"),
        ("evaluate", "--target poor", "--actual poor"),
        ("evaluate", "-target poor", "--actual poor"),
        ("segments", "--target poor", "--actual poor"),
        ("evaluate", "--label poor", "--actual poor"),
        ("evaluate", "--y poor --pred s100b", "--actual poor --score s100b"),
        ("evaluate", "--truth poor --model s100b", "--actual poor --score s100b"),
        ("evaluate", "--class poor", "--actual poor"),
        ("evaluate", "--outcome poor", "--actual poor"),
        ("evaluate", "--y_true poor --y_score s100b", "--actual poor --score s100b"),
        ("evaluate", "--Actual=poor --cost_fp 5", "--actual poor --cost-fp 5"),
        ("evaluate", "--models s100b,ndka --pos 1", "--score s100b,ndka --positive 1"),
        ("compare", "--score s100b --score2 ndka", "--score s100b --score ndka"),
        ("evaluate", "-t 0.2 -f json", "--threshold 0.2 --format json"),
        ("evaluate", "--json", "--format json"),
        ("evaluate", "--f1", "--metric f1"),
        ("threshold", "--f1", "--by f1"),
        ("threshold", "--min-recall 0.9", "--by recall --target 0.9"),
        ("threshold", "--sensitivity 0.9", "--by sensitivity --target 0.9"),
        ("threshold", "--optimize f1", "--by f1"),
        ("gate", "--max-brier 0.2", "--at-most brier=0.2"),
        ("gate", "--auc=0.8", "--at-least auc=0.8"),
        ("rows", "--fn", "--outcome fn"),
        ("plot", "--type pr", "--chart pr"),
        ("plot", "--roc", "--chart roc"),
        ("curve", "--chart pr", "--curve pr"),
        ("gains", "--deciles 5", "--groups 5"),
        ("evaluate", "--file", ""),
    ],
)
def test_an_unknown_option_is_answered_with_the_corrected_command(command, typed, meant):
    message = refusal(command, FILE, *typed.split())

    assert shlex.split(message.partition("In full: ")[2]) == [
        *("tradeoff", command, FILE),
        *meant.split(),
    ]


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("--threshold 0,5", "'0,5' has a decimal comma: write --threshold 0.5."),
        ("--threshold high", "'high' is not a number."),
        ("--threshold 50%", "'s100b' is from 0.03 to 2.07"),
        ("--prevalence 10", "'10' is more than 1: write --prevalence 0.1, or --prevalence 10%."),
        ("--level 95", "'95' is more than 1: write --level 0.95, or --level 95%."),
        ("--cost-fp 1€", "'1€' names a currency: write --cost-fp 1."),
        ("--cost-fp 1,000,000", "'1,000,000' separates thousands: write --cost-fp 1000000."),
        ("--value 1,000", "may be either of two numbers: write --value 1000 or --value 1.000."),
        ("--replicates 1,000", "'1,000' separates thousands: write --replicates 1000."),
        ("--replicates 1.5", "'1.5' is not a whole number."),
        ("--at s100b=20%", "'20%' is a percentage: write --at s100b=0.2."),
        ("--by tpr --target 90%", "'90%' is a percentage: write --target 0.9."),
        ("--costs 1,5", "Did you mean '--cost-fp' and '--cost-fn'?"),
    ],
)
def test_numbers_in_another_notation_are_answered_with_the_number(typed, answer):
    assert answer in refusal("evaluate", *SAH, *typed.split())


def test_percentages_of_proportions_and_of_probabilities_are_read(tmp_path):
    path = tmp_path / "churn.csv"
    to.datasets.load("churn").save(path)
    columns = [path, "--actual", "churned", "--positive", "yes", "--score", "logistic"]
    percent = document("evaluate", *columns, "--threshold", "20%", "--prevalence", "10%")
    decimal = document("evaluate", *columns, "--threshold", "0.2", "--prevalence", "0.1")

    assert percent == decimal
    assert output("evaluate", *SAH, "--level", "90%") == output("evaluate", *SAH, "--level", "0.9")
    assert output("evaluate", *SAH, "--threshold", "\u22121") == output(
        "evaluate", *SAH, "--threshold", "-1"
    )
    message = refusal("evaluate", *columns[:-1], "months", "--threshold", "50%")
    assert message.endswith("Give a threshold on this scale, such as --threshold 50.")


@pytest.mark.parametrize(
    ("listed", "repeated"),
    [
        (["evaluate", *SAH, "--metric", "auc,f1"], ["--metric", "auc", "--metric", "f1"]),
        (["compare", *TWO, "--metric", "auc,ks"], ["--metric", "auc", "--metric", "ks"]),
        (["compare", *TWO, "--test", "equal,venkatraman"], ["--test", "equal", "--test"]),
        (["gate", *TWO, "--metric", "auc,ks"], ["--metric", "auc", "--metric", "ks"]),
        (["rows", *SAH, "--outcome", "fn", "--id", "age,gender"], ["--id", "age", "--id"]),
        (["threshold", *TWO, "--details", "s100b,ndka"], ["--details", "s100b", "--details"]),
    ],
)
def test_a_list_separated_by_commas_is_the_option_repeated(listed, repeated):
    repeated = [*listed[:-2], *repeated]
    if repeated[-1].startswith("--"):
        repeated.append(listed[-1].split(",")[1])

    assert run(*listed) == run(*repeated)


def test_two_columns_of_a_pilot_study_are_separated_by_a_comma():
    pilot = ["power", "--pilot", FILE, "--actual", "poor"]

    listed = output(*pilot, "--score", "s100b,ndka")
    assert listed == output(*pilot, "--score", "s100b", "--score", "ndka")
    assert "159 positive and 278 negative rows scored by both models" in listed


def test_baseline_and_candidate_of_one_file_are_its_columns():
    columns = [FILE, "--actual", "poor"]
    expected = run("gate", *TWO)

    assert run("gate", *columns, "--baseline", "s100b", "--candidate", "ndka") == expected
    assert run("gate", *columns, "--score", "s100b", "--candidate", "ndka") == expected
    assert run("gate", *columns, "--baseline", "s100b", "--score", "ndka") == expected
    assert "There is no column 'ndk'. Did you mean 'ndka'?" in refusal(
        "gate", *columns, "--baseline", "s100b", "--candidate", "ndk"
    )
    message = refusal("gate", FILE, "--baseline", "s100b", "--candidate", "ndka")
    assert message.endswith(
        f"Edit and run: tradeoff gate {FILE} --baseline s100b --candidate ndka --actual outcome "
        "--positive Poor"
    )


@pytest.fixture(name="churn")
def _churn(tmp_path):
    path = tmp_path / "churn.csv"
    to.datasets.load("churn").save(path)
    return path


@pytest.mark.parametrize(
    ("typed", "problem", "meant"),
    [
        (
            "evaluate FILE churned logistic",
            "'churned' and 'logistic' are columns, not files",
            "evaluate FILE --actual churned --score logistic",
        ),
        (
            "evaluate FILE --actual churned logistic",
            "'logistic' is a column, not a file",
            "evaluate FILE --actual churned --score logistic",
        ),
        (
            "compare FILE --actual churned --score logistic boosting",
            "separated by commas",
            "compare FILE --actual churned --score logistic,boosting",
        ),
        (
            "compare FILE --actual churned --score logistic, boosting",
            "separated by commas",
            "compare FILE --actual churned --score logistic,boosting",
        ),
        ("cutoffs FILE --at 0.1 0.2 0.3", "separated by commas", "cutoffs FILE --at 0.1,0.2,0.3"),
        ("plot FILE roc", "'roc' is not a file", "plot FILE --chart roc"),
        ("report FILE r.html", "'r.html' is not a file", "report FILE --output r.html"),
        ("datasets churn c.csv", "'c.csv' is not a file", "datasets churn --output c.csv"),
        ("FILE evaluate", "'evaluate' is not an argument of look", "evaluate FILE"),
        ("metrics recall", "'recall' is not an argument of metrics", "explain recall"),
        ("crossval FILE churned", "'churned' is a column", "crossval FILE --actual churned"),
    ],
)
def test_a_word_that_is_no_file_is_answered_with_what_it_was_meant_to_be(
    churn, typed, problem, meant
):
    message = refusal(*typed.replace("FILE", str(churn)).split())

    assert problem in message
    command = message.partition("In full: tradeoff ")[2]
    assert shlex.split(command) == meant.replace("FILE", str(churn)).split()


def test_a_misspelt_file_among_several_is_a_missing_file(churn):
    assert "There is no file 'nosuch.csv'" in refusal("evaluate", churn, "nosuch.csv")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("segments FILE", "--actual churned --positive yes --score logistic --segment region"),
        ("segments FILE --segment", None),
        ("crossval FILE", "--actual churned --positive yes"),
        ("rank FILE", "--actual churned --positive yes --score logistic --output churn.ranking"),
        ("gate FILE", "--actual churned --positive yes --score logistic,boosting"),
        ("calibration FILE --actual churned --positive yes", "--score logistic"),
    ],
)
def test_a_missing_option_is_answered_with_a_command_to_edit(churn, typed, meant):
    typed = typed.replace("FILE", str(churn))
    message = refusal(*typed.split())

    command = message.partition("Edit and run: ")[2]
    assert command == (f"tradeoff {typed} {meant}" if meant else "")


def test_the_suggested_commands_for_missing_options_run(churn):
    for name in ("segments", "calibration", "gate"):
        message = refusal(name, churn)
        code, _, err = run(*shlex.split(message.partition("Edit and run: ")[2])[1:])
        assert (code != 2, err) == (True, "")


def test_the_classes_of_several_scores_are_inferred_and_named(tmp_path):
    path = tmp_path / "triage.csv"
    to.datasets.load("triage").save(path)

    expected = "--actual actual --score home=p_home --score icu=p_icu --score ward=p_ward"
    for typed in (["classes", path], ["classes", path, "--actual", "actual"]):
        _, out, _ = run(*typed)
        command = out.partition("In full:\n  tradeoff ")[2].partition("\n")[0]
        assert command == f"classes {path} {expected}"
        assert run(*shlex.split(command))[0] == 0


def test_predicted_classes_of_several_classes_are_a_list_as_well(tmp_path):
    path = tmp_path / "animals.csv"
    path.write_text("kind,first,second\n" + "cat,cat,dog\ndog,dog,dog\nfox,cat,fox\n" * 9)

    code, out, err = run("classes", path, "--actual", "kind", "--predicted", "first,second")

    assert (code, err) == (0, "")
    assert "18 predicted correctly" in out


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("roc scores.csv", "plot scores.csv"),
        ("optimize scores.csv --by f1", "threshold scores.csv --by f1"),
        ("train scores.csv", "crossval scores.csv"),
        ("delong scores.csv", "compare scores.csv"),
        ("version", "--version"),
        ("help roc", "plot --help"),
    ],
)
def test_an_unknown_command_is_answered_with_the_right_one(typed, meant):
    assert refusal(*typed.split()).endswith(f"In full: tradeoff {meant}")


def test_help_works_as_a_command():
    assert output("help") == output("--help")
    assert output("help", "evaluate") == output("evaluate", "--help")
    assert output("-V") == output("--version")


def test_an_option_of_evaluate_that_follows_a_file_names_the_command():
    message = refusal(FILE, "--threshold", "0.3")

    assert message.endswith(f"To evaluate: tradeoff evaluate {FILE} --threshold 0.3")


@pytest.mark.parametrize("arguments", [["evaluate"], ["threshold", "--no-check"], ["cutoffs"]])
def test_a_result_is_written_in_the_format_of_the_extension(tmp_path, arguments):
    command, *options = [arguments[0], *SAH, *arguments[1:]]
    formats = {"txt": "text", "md": "markdown", "tex": "latex", "json": "json", "csv": "csv"}
    for extension, name in formats.items():
        path = tmp_path / f"result.{extension}"
        assert output(command, *options, "-o", path).split() == ["Wrote", f"{path}."]
        printed = output(command, *options, "--format", name).rpartition("\n\n")
        written = path.read_text(encoding="utf-8").rstrip("\n")
        assert written == (printed[0] if name == "text" else "".join(printed))


def test_a_page_of_a_result_names_its_encoding(tmp_path):
    path = tmp_path / "result.html"
    output("cutoffs", *SAH, "-o", path)
    printed = output("cutoffs", *SAH, "--format", "html")

    assert printed.startswith('<meta charset="utf-8">\n')
    assert path.read_text(encoding="utf-8").rstrip("\n") == (
        f"<!DOCTYPE html>\n<title>tradeoff cutoffs</title>\n{printed}"
    )


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("a.xlsx", "a.xlsx should end in .txt, .md, .html, .htm, .tex, .json or .csv. Excel opens"),
        ("a.png", "For a chart, use tradeoff plot."),
        ("a.xml", "should end in"),
        ("no/folder.txt", "cannot be written"),
    ],
)
def test_a_result_is_not_written_to_other_files(tmp_path, name, answer):
    assert answer in refusal("evaluate", *SAH, "-o", tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_chart_is_written_below_the_result(tmp_path):
    path = tmp_path / "result.txt"
    output("evaluate", *SAH, "--chart", "-o", path, FORCE_COLOR="1", NO_COLOR="")

    text = path.read_text(encoding="utf-8")
    assert text.startswith("113 rows")
    assert "False positive rate" in text
    assert "\x1b" not in text


def test_commands_that_print_a_query_or_a_script_name_the_redirection():
    message = refusal("completion", "bash", "-o", "script.sh")

    assert message.endswith(
        "tradeoff completion prints its result: add > FILE to write it to a file."
    )


@pytest.fixture(name="transformed")
def _transformed(tmp_path):
    """A file with the log-odds and the percentages of a model's probabilities."""
    churn = to.datasets.load("churn").columns()
    p = np.clip(churn["logistic"], 0.0005, 0.9995)
    path = tmp_path / "transformed.csv"
    rows = zip(churn["churned"], np.log(p / (1 - p)), 100 * p, churn["logistic"], strict=True)
    lines = [f"{actual},{logit:.9g},{percent:.9g},{x}" for actual, logit, percent, x in rows]
    path.write_text("\n".join(["churned,logit,percent,p", *lines]) + "\n")
    return [path, "--actual", "churned", "--positive", "yes"]


@pytest.mark.parametrize("score", ["logit", "percent"])
def test_scores_that_are_not_probabilities_have_commands_for_their_calibration(transformed, score):
    code, out, err = run("calibration", *transformed, "--score", score)
    assert (code, out) == (2, "")
    assert "not a probability, so there is no calibration to assess." in err

    first, second = (
        shlex.split(line.partition(": tradeoff ")[2])
        for line in err.splitlines()
        if ": trade" in line
    )
    (slope,) = (row["value"] for row in rows_of(*first) if row["measure"] == "calibration_slope")
    (expected,) = (
        row["value"]
        for row in rows_of("calibration", *transformed, "--score", "p")
        if row["measure"] == "calibration_slope"
    )
    assert float(slope) == pytest.approx(float(expected), rel=1e-3)
    code, out, err = run(*second)
    assert (code, err.partition(":")[0]) == (0, "Saved to map.json")
    assert run(*shlex.split(out.rpartition("\n  tradeoff ")[2]))[0] == 0


def rows_of(*arguments):
    return list(csv.DictReader(output(*arguments, "--format", "csv").splitlines()))


def test_a_metric_that_was_asked_for_is_never_left_out_in_silence(transformed):
    screen = " ".join(
        output("evaluate", *transformed, "--score", "logit", "--metric", "brier").split()
    )

    assert "brier: undefined, 1,887 of 2,000 rows have scores outside 0 to 1" in screen


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--actual", "poor", FILE], "Options follow a command: tradeoff evaluate --actual poor"),
        (["-v"], "Did you mean '--version'?"),
        (["list"], "Did you mean '--help'?"),
        (["evaluate", "--hlep"], "Did you mean '--help'?"),
        (["evaluate", *SAH, "--plot"], f"In full: tradeoff evaluate {FILE} --actual poor"),
        (["gains", *SAH, "--plot"], "For a chart: tradeoff plot"),
        (["evaluate", *SAH, "--confusion-matrix"], "The confusion matrix is always shown."),
        (["compare", *TWO, "--paired"], "are always compared as pairs."),
        (["compare", *TWO, "--test", "delong"], "'delong' is a choice of --method. In full:"),
        (["compare", *TWO, "--threshold", "0.3"], "--at threshold=0.3"),
        (["compare", *SAH], "as in --score s100b,OTHER, or, for one model, groups of rows: --by"),
        (["gate", *TWO, "--threshold", "auc=0.8"], "--at-least auc=0.8"),
        (["gate", *TWO, "--at-least", "auc>=0,8"], "write --at-least auc=0.8."),
        (["gate", *TWO, "--at-least", "auc<0.8"], "Write a limit as auc=0.8"),
        (["cutoffs", *SAH, "--at", "10%,20%"], "such as --at 0.1,0.2, not"),
        (["cutoffs", *SAH, "--ppv", "0.9"], "--out-of-bag --by ppv --target 0.9"),
        (["gains", *SAH, "--top", "10", "%"], "--top 10%"),
        (["gains", *SAH, "--top", "0.1"], "'0.1' is a proportion: write --top 10%."),
        (["threshold", *SAH, "--by", "recall>=0.9"], "--by recall --target 0.9"),
        (["threshold", *SAH, "--by", "cost"], "as in --cost-fp 1 --cost-fn 5."),
        (["threshold", *SAH, "--top", "9"], "--by capacity --target 9"),
        (["segments", *SAH, "--segment", "gender,wfns"], "Name one column: 'gender' or 'wfns'."),
        (["explain", FILE], "Name a metric first: tradeoff explain recall"),
        (["explain"], "For example: tradeoff explain mcc"),
        (["explain", "auc", "--matrix", "7 2; 4 1"], "auc needs scores, not a matrix"),
        (["metrics", "--search", "recall"], "tradeoff explain recall"),
        (["crossval", FILE, "--actual", "poor", "--model", "xgboost"], "Did you mean 'boosting'?"),
        (["merge", FILE, "-o", "x.ranking"], "`tradeoff rank` writes one."),
        (["evaluate", FILE, "--query", "SELECT 1"], f"as in FROM '{FILE}'."),
        (["evaluate", "--actual", "y", "--score", "p"], "A dash (-) reads standard input."),
        (["power", "0.8"], "Got unexpected arguments: 0.8."),
        (["power", "--auc", "0.8"], "add --power 0.9 or --positives 100."),
        (["power", "--auc", "0.8", "--difference"], "add --power 0.9 and --positives 100."),
        (["power", "--auc", "0.8", "--margin", "0.1"], "--margin is for two AUCs: add --second"),
        (["power", "--auc", "80", "--power", "0.9"], "write --auc 0.8, or --auc 80%."),
    ],
)
def test_further_guesses_are_answered_with_what_to_type(arguments, answer):
    assert answer in refusal(*arguments)


def test_four_named_counts_are_a_matrix():
    expected = output("matrix", "7 2; 4 1").rpartition("\n\n")[0]

    assert output("matrix", "tp=7", "fp=4", "fn=2", "TN=1").rpartition("\n\n")[0] == expected


def test_suggested_commands_hold_no_terminal_codes(tmp_path):
    path = tmp_path / "codes.csv"
    path.write_text("y\x1b[31m,p\n1,0.9\n0,0.2\n1,0.3\n0,0.4\n")

    for arguments in (["gate", path], ["evaluate", path, "y\x1b[31m", "p"], ["classes", path]):
        code, out, err = run(*arguments)
        assert (code, "\x1b" in out + err) == (2, False)
        assert "tradeoff " in err


def test_an_unknown_letter_among_short_options_is_an_unknown_option():
    assert "No such option" in refusal("evaluate", FILE, "-hz")
