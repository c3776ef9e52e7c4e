"""Predicted labels on the command line: evaluate, classes, compare and report."""

import csv
import io
import json

import pytest
from command_line import run

ROWS = [
    *[("yes", "yes", "yes", "cat", "cat", "cat")] * 6,
    *[("yes", "no", "yes", "dog", "dog", "cat")] * 3,
    *[("no", "yes", "no", "fox", "cat", "fox")] * 2,
    *[("no", "no", "no", "dog", "dog", "dog")] * 9,
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("labels") / "called rows.csv"
    lines = ["y,my rule,other,kind,k,l", *(",".join(row) for row in ROWS)]
    file.write_text("\n".join(lines) + "\n")
    return file


def output(*arguments):
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    return out


def error(*arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    return " ".join(err.split())


YES = ["--actual", "y", "--positive", "yes"]


def test_two_classes_give_matrix_metrics_and_roc_point_in_words_that_fit_labels(path):
    out = output("evaluate", path, *YES, "--predicted", "my rule")

    assert out.splitlines()[0] == "20 rows, 9 positive (yes, 45.0%). In parentheses: 95% CI."
    assert "  actual yes              6             3" in out
    assert "recall (sensitivity)  0.667 (0.354–0.879)  6 of 9 actual yes" in out
    assert "my rule  0.182 (0.051–0.477)   0.667 (0.354–0.879)" in out
    assert "AUC" not in out


def test_clinical_words_give_a_table_with_totals(path):
    out = output("evaluate", path, *YES, "--predicted", "my rule", "--vocabulary", "clinical")

    assert "  my rule yes           6          2      8" in out
    assert "sensitivity  0.67 (0.35–0.88)" in out


def test_json_csv_and_a_picture(path):
    arguments = ("evaluate", path, *YES, "--predicted", "my rule")
    document = json.loads(output(*arguments, "--format", "json"))
    rows = list(csv.DictReader(io.StringIO(output(*arguments, "--format", "csv"))))

    assert document["models"][0]["metrics"]["true_positive_rate"]["value"] == pytest.approx(2 / 3)
    assert {row["measure"] for row in rows} >= {"accuracy", "precision"}
    assert "ROC plane" in output(*arguments, "--chart")


def test_columns_of_labels_are_compared_by_mcnemars_test(path):
    out = output("compare", path, *YES, "--predicted", "my rule", "--predicted", "other")

    assert "20 rows with predictions of both models, 9 positive (yes)" in out
    assert "my rule − other: accuracy −0.25" in out
    assert "p = 0.03 (Newcombe, paired; McNemar, mid-p)" in " ".join(out.split())


def test_more_classes_are_answered_by_the_command_for_them(path):
    message = error("evaluate", path, "--actual", "kind", "--predicted", "k")

    assert f"tradeoff classes '{path}' --actual kind --predicted k" in message
    out = output("classes", path, "--actual", "kind", "--predicted", "k", "--predicted", "l")
    assert "k: 20 rows of 3 classes, 18 predicted correctly (90.0%)" in out
    assert "l: 20 rows of 3 classes, 17 predicted correctly (85.0%)" in out
    assert "actual fox" in out
    out = output("compare", path, "--actual", "kind", "--predicted", "k", "--predicted", "l")
    assert "k − l: accuracy +0.05" in out
    one = output("evaluate", path, "--actual", "kind", "--positive", "cat", "--predicted", "k")
    assert "6 positive (cat, 30.0%)" in one


def test_a_report_of_labels_says_that_its_curve_is_a_point(path, tmp_path):
    page = tmp_path / "page.html"
    output("report", path, *YES, "--predicted", "my rule", "--output", page)

    assert "the AUC is that of this point" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", *YES, "--predicted", "k", "--score", "p"], "a label has none"),
        (
            ["evaluate", *YES, "--predicted", "my rule", "--threshold", "0.3"],
            "--threshold does not",
        ),
        (["evaluate", *YES, "--predicted", "my rule", "--fold", "k"], "--fold does not apply"),
        (["evaluate", "--predicted", "my rule"], "Which one is positive? Add --positive"),
        (["evaluate", *YES, "--predicted", "rule"], "The columns are 'y', 'my rule'"),
        (["evaluate", *YES, "--score", "k", "--rejected", "?"], "--rejected goes with --predicted"),
        (["evaluate", *YES, "--predicted", "k"], "which 'y' does not"),
        (["compare", *YES, "--predicted", "my rule"], "two or more models"),
        (["compare", *YES, "--predicted", "k", "--margin", "0.1"], "--margin does not apply"),
        (["classes", "--actual", "kind"], "no columns of numbers are named after these classes"),
    ],
)
def test_what_does_not_go_with_labels_is_answered(path, arguments, message):
    command, *options = arguments

    assert message in error(command, path, *options)


@pytest.mark.parametrize("command", ["evaluate", "compare", "report"])
def test_the_class_of_predictions_is_inferred(command, path, tmp_path):
    arguments = ["--positive", "yes", "--predicted", "my rule"]
    arguments += ["--predicted", "other"] if command == "compare" else []
    arguments += ["-o", tmp_path / "page.html"] if command == "report" else []
    out = output(command, path, *arguments)
    first, rest = out.split("\n\n", 1)

    assert first.startswith("Taken: class y (yes is positive), predicted class")
    assert first.endswith(" --actual y")
    assert rest == output(command, path, *arguments, "--actual", "y")


def test_the_class_of_predictions_of_more_classes_is_inferred(path):
    out = output("classes", path, "--predicted", "k", "--predicted", "l")

    assert out.startswith("Taken: class kind, predicted classes k and l. In full:\n  tradeoff cla")
    assert "k: 20 rows of 3 classes, 18 predicted correctly (90.0%)" in out


def test_unclear_predictions_are_answered_with_a_command(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("ill,smoker,yhat\n" + "1,0,1\n0,1,1\n0,0,0\n" * 5)
    message = error("evaluate", path, "--predicted", "yhat")

    assert "Several columns may hold the actual class of 'yhat': 'ill' and 'smoker'." in message
    assert message.endswith(f"tradeoff evaluate {path} --predicted yhat --actual ill")


def test_look_and_evaluate_suggest_predictions_where_there_are_no_scores(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("id,ill,yhat\n" + "".join(f"{i * 7},{i % 2},{i % 3 % 2}\n" for i in range(9)))
    command = f"tradeoff evaluate {path} --actual ill --predicted yhat"

    assert "yhat  number  0 6, 1 3" in output(path)
    assert command in output(path)
    assert error("evaluate", path).endswith(f"Edit and run: {command}")
    assert "3 of 4 actual 1" not in output(*command.split()[1:])
    assert "threshold" in error("threshold", path)
    assert "--predicted" not in error("threshold", path)


def test_rows_without_a_class_can_be_left_out(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("ill,yhat\n" + "1,1\n0,1\n,0\n0,\n" * 5)

    named = ["--actual", "ill", "--predicted", "yhat"]

    assert "no class in 'ill'" in error("evaluate", path, *named)
    command = output(path).splitlines()[-2].split()
    assert command[-2:] == ["--missing", "drop"]
    out = output(*command[1:])
    assert "5 rows without a class: left out" in out
    assert "5 rows without a prediction of yhat: left out" in out
