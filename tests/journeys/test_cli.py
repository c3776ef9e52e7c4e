"""The command line, as another program or a person uses it."""

import csv
import json
import subprocess
import sys

import jsonschema
import pytest
from command_line import COSTS, RANGE, SAH, WEATHER, output, run, run_process
from snapshot import matches

from tradeoff.schemas import json_schema

CUSTOMERS = ["--unit", "customers", "--currency", "EUR"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("help.txt", ["--help"]),
        ("help_evaluate.txt", ["evaluate", "--help"]),
        ("demo.txt", ["demo"]),
        ("evaluate.txt", ["evaluate", *WEATHER]),
        ("evaluate.md", ["evaluate", *WEATHER, "--format", "markdown"]),
        ("evaluate_two.txt", ["evaluate", *WEATHER, "--score", "weight"]),
        ("matrix.txt", ["matrix", "7 2 1; 4 1 0", "--classes", "yes,no"]),
        ("matrix_three.txt", ["matrix", "3 0 2; 0 1 1; 0 2 3", "--classes", "a,b,c"]),
        ("explain.txt", ["explain", "precision", *WEATHER]),
        ("explain_undefined.txt", ["explain", "recall", "--matrix", "0 0; 4 1"]),
        ("explain_auc.txt", ["explain", "auc", *WEATHER]),
        ("metrics.txt", ["metrics"]),
        ("help_threshold.txt", ["threshold", "--help"]),
        ("help_curve.txt", ["curve", "--help"]),
        ("threshold.txt", ["threshold", *SAH, "--by", "youden", "--tolerance", "0.05"]),
        ("threshold_cost.txt", ["threshold", *SAH, *COSTS, "--prevalence", "0.1"]),
        ("threshold.md", ["threshold", *SAH, *COSTS, "--format", "markdown", "--no-check"]),
        ("band.txt", ["threshold", *SAH, "--reject", "--gamma", "3"]),
        ("band_capacity.txt", ["threshold", *SAH, "--reject", "--capacity", "20"]),
        ("hull.txt", ["hull", *SAH, "--score", "ndka", "--point", "rule=30 11; 20 52", *RANGE]),
        (
            "evaluate_details.txt",
            [
                "evaluate",
                *SAH,
                "--fold",
                "gender",
                "--segment",
                "wfns",
                *COSTS,
                "--prevalence",
                ".1",
            ],
        ),
        ("gains.txt", ["gains", *SAH, "--cost-contact", "2", "--value", "5"]),
        ("gains_customers.txt", ["gains", *SAH, *CUSTOMERS, "--cost-contact", "2", "--value", "5"]),
        ("rows.txt", ["rows", *SAH, "--threshold", "0.22", "--outcome", "fn", "--nearest", "5"]),
        (
            "matrix_profit.txt",
            ["matrix", "7 2; 4 1", *CUSTOMERS, "--cost-contact", "2", "--value", "5"],
        ),
        ("threshold_customers.txt", ["threshold", *SAH, *CUSTOMERS, *COSTS, "--no-check"]),
        ("evaluate_customers.txt", ["evaluate", *SAH, *CUSTOMERS, *COSTS]),
        ("curve_gains.txt", ["curve", *SAH, "--curve", "gains", "--format", "text"]),
        (
            "curve_average.txt",
            ["curve", *SAH, "--fold", "gender", "--band", "t", "--format", "text"],
        ),
    ],
)
def test_screens_match_their_approved_snapshots(name, arguments):
    assert matches(name, output(*arguments, COLUMNS="100"))


def test_json_follows_the_published_schema():
    document = json.loads(output("evaluate", *WEATHER, "--format", "json"))

    jsonschema.validate(document, json_schema())
    model = document["models"][0]
    assert (document["rows"], document["positives"], document["negatives"]) == (14, 9, 5)
    assert model["summaries"]["auc"]["value"] == pytest.approx(26 / 45)
    assert model["at"]["confusion"]["true_positives"] == 7
    assert model["at"]["metrics"]["true_positive_rate"]["value"] == pytest.approx(7 / 9)


def test_undefined_numbers_are_null_with_a_reason(file):
    path = file("y,p\n1,0.9\n1,0.2\n")
    out = output("evaluate", path, "--actual", "y", "--score", "p", "--format", "json")
    document = json.loads(out)

    jsonschema.validate(document, json_schema())
    model = document["models"][0]
    assert model["summaries"]["auc"] == {
        "label": "AUC",
        "value": None,
        "reason": "every ranked row belongs to class 1; both classes are needed",
    }
    assert model["at"]["metrics"]["false_positive_rate"]["reason"] == "no row is 0"


def test_the_schema_refuses_a_silent_null():
    document = json.loads(output("evaluate", *WEATHER, "--format", "json"))
    del document["models"][0]["at"]["metrics"]["accuracy"]["value"]

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, json_schema())


def test_csv_has_a_line_for_each_measure():
    rows = list(csv.DictReader(output("evaluate", *WEATHER, "--format", "csv").splitlines()))
    values = {row["measure"]: row["value"] for row in rows}

    assert float(values["auc"]) == pytest.approx(26 / 45)
    assert float(values["accuracy"]) == pytest.approx(8 / 14)


def test_the_curve_keeps_every_threshold():
    rows = list(csv.DictReader(output("curve", *WEATHER, "--curve", "roc").splitlines()))

    assert len(rows) == 15
    assert (rows[0]["threshold"], rows[0]["true_positive_rate"]) == ("inf", "0.0")
    assert float(rows[1]["threshold"]) == 0.9264480613897305


def test_any_metric_over_any_other():
    out = output("curve", *WEATHER, "--x", "recall", "--y", "ppv", "--format", "json")
    document = json.loads(out)

    assert (document["x"], document["y"]) == ("true_positive_rate", "precision")
    assert document["columns"]["threshold"][0] is None
    assert document["columns"]["precision"][:2] == [None, 0.0]


def test_the_matrix_in_long_form():
    out = output(
        "matrix", "7 4; 2 1", "--classes", "yes,no", "--rows", "predicted", "--format", "csv"
    )

    assert out.splitlines() == [
        "actual,predicted,count",
        *("yes,yes,7", "yes,no,2", "no,yes,4", "no,no,1"),
    ]


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["7 2; 4 1", "--classes", "yes,no"],
            ["predicted yes predicted no", "actual yes 7 2", "actual no 4 1"],
        ),
        (
            ["1 4; 2 7", "--classes", "no,yes", "--positive", "yes"],
            ["predicted no predicted yes", "actual no 1 4", "actual yes 2 7"],
        ),
        (
            ["7 4; 2 1", "--classes", "yes,no", "--rows", "predicted"],
            ["actual yes actual no", "predicted yes 7 4", "predicted no 2 1"],
        ),
    ],
)
def test_a_matrix_is_printed_in_the_layout_it_came_in(arguments, lines):
    out = output("matrix", *arguments)

    assert [" ".join(line.split()) for line in out.splitlines()[3:6]] == lines
    assert "recall (sensitivity)  0.778" in out


def test_the_map_rule_on_the_command_line():
    arguments = ["matrix", "10 30; 40 20", "--classes", "+,-", "--joint", "--format", "json"]
    code, out, err = run(*arguments)

    assert code == 0
    assert "-, +" in err
    assert json.loads(out)["cells"][0]["count"] == 40


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_all_measures_are_listed(form):
    out = output("metrics", "--format", form)

    assert "matthews" in out
    assert "average" in out


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("y,p\n1,0.9\n0,\n", [], "1 of 2 scores in `p` is missing (first: row 2)"),
        ("y,p\n", [], "has no rows"),
        ("", [], "is empty"),
        ("y,p\na,0.9\nb,0.1\n", [], "say which one is positive, for example --positive b"),
        ("y,p\na,0.9\nb,0.1\nc,0.3\n", [], "holds 3 classes"),
        ("y,q\n1,0.9\n0,0.1\n", [], "There is no column 'p'"),
        ("y,p\n1,high\n0,0.1\n", [], "'high' in row 1 is not a number"),
        ("y,p,w\n1,0.9,-1\n0,0.1,1\n", ["--weight", "w"], "weights is negative"),
        ("y,p\n1,0.9\n0,0.1\n", ["--weight", "weigth"], "There is no column 'weigth'"),
    ],
)
def test_invalid_input_is_an_error_message_and_exit_code_2(file, text, options, message):
    code, out, err = run("evaluate", file(text), "--actual", "y", "--score", "p", *options)

    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain", "percision"], "Did you mean 'precision'?"),
        (["evaluate", "none.csv", "--actual", "y", "--score", "p"], "There is no file"),
        (["curve", *WEATHER, "--curve", "rock"], "Did you mean 'roc'?"),
        (["curve", *WEATHER, "--score", "weight"], "give --score once"),
        (["matrix", "7 2; 4"], "rows have 2 and 1 numbers"),
        (["explain", "recall", WEATHER[0]], "Which one is positive?"),
        (["threshold", *SAH, "--cost-fn", "-1"], "if an error costs less than a correct decision"),
        (["threshold", *SAH, "--prevalence", "1"], "prevalence must be between 0 and 1"),
        (["threshold", *SAH, "--by", "distance", "--weight-of-misses", "2"], "between 0 and 1"),
        (["threshold", *SAH, "--by", "lift", "--target", "3"], "The closest value is 2.7561"),
        (["threshold", *SAH, "--reject", "--gamma", "-1"], "gamma"),
        (["threshold", *SAH, "--gamma", "1"], "add --reject"),
        (["threshold", *SAH, "--by", "yuden"], "Did you mean 'youden'?"),
        (["threshold", *SAH, "--by", "cost"], "--by cost needs costs"),
        (["threshold", *SAH, "--cost-fn", "amuont"], "no column 'amuont'"),
        (["evaluate", *SAH, "--fold", "fold"], "There is no column 'fold'"),
        (["evaluate", *SAH, "--segment", "gendr"], "Did you mean 'gender'?"),
        (["curve", *SAH, "--average", "vertical"], "need --fold"),
        (["curve", *SAH, "--curve", "brier"], "not probabilities"),
        (["curve", *SAH, "--curve", "roc", "--bins", "3"], "takes no parameters: leave out"),
        (["hull", *SAH, "--point", "rule"], "Write a point as"),
        (["hull", *SAH, "--save", "x.json"], "--fpr or --tpr"),
    ],
)
def test_bad_arguments_exit_with_2(arguments, message):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_predicted_classes_as_scores_have_a_note(file):
    path = file("y,p\nyes,yes\nno,yes\nno,no\n")
    out = output("evaluate", path, "--actual", "y", "--score", "p", "--positive", "yes")

    assert "p holds predicted classes, treated as 1 for yes and 0 otherwise" in out


def test_missing_scores_can_be_rejected(file):
    path = file("y,p\n1,0.9\n0,\n0,0.2\n")
    out = output("evaluate", path, "--actual", "y", "--score", "p", "--missing", "reject")

    assert "rejected" in out
    assert "1 row without a score: counted as rejected" in out


def test_ascii_where_braille_cannot_be_shown():
    out = output("evaluate", *WEATHER, "--chart", run=run_process, PYTHONIOENCODING="ascii:replace")

    assert out.splitlines()[-3].strip().startswith("+--")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "ascii"])
def test_a_terminal_without_unicode_gets_plain_characters(encoding):
    out = output("evaluate", *WEATHER, run=run_process, PYTHONIOENCODING=encoding)

    assert "if score >= 0.5" in out
    assert f"(0.453{'–' if encoding == 'cp1252' else '-'}0.937)" in out  # cp1252 has that dash


def test_names_from_data_are_escaped(file):
    path = file('y,p\n"<b>\x1b[31mevil|",0.9\nno,0.1\n')
    arguments = ("evaluate", path, "--actual", "y", "--score", "p", "--positive", "no")

    assert "\x1b" not in output(*arguments)
    markdown = output(*arguments, "--format", "markdown")
    assert "<b>" not in markdown
    assert "&lt;b>" in markdown


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m tradeoff metrics | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False, text=True)

    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "ends"),
    [(["demo"], 0), (["explain", "percision"], 2), (["evaluate", "--no-such-option"], 2)],
)
def test_a_subprocess_prints_and_exits_as_the_in_process_runner(arguments, ends):
    assert run_process(*arguments) == run(*arguments)
    assert run(*arguments)[0] == ends
