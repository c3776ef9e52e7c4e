"""The check command."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from command_line import GOLDEN

from tradeoff.cli import main
from tradeoff.cli.program import COMMANDS


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setitem(COMMANDS, "check", ("check", "Check rows for problems."))

    def run_check(*arguments):
        result = CliRunner().invoke(main, ["check", *map(str, arguments)])
        return result.exit_code, result.output

    return run_check


@pytest.fixture
def csv_file(tmp_path):
    def write(name="rows.csv", *, seed=0, size=300, **changed):
        random = np.random.default_rng(seed)
        score = random.beta(1, 1.5, size).round(6)
        columns = {
            "row": [f"r{seed}-{row}" for row in range(size)],
            "actual": np.where(random.random(size) < score, "yes", "no").tolist(),
            "score": score.tolist(),
            "fold": (np.arange(size) % 5).tolist(),
            "segment": np.where(random.random(size) < 0.5, "a", "b").tolist(),
            "weight": [1] * size,
        }
        for key, change in changed.items():
            columns[key] = change(columns[key])
        lines = [",".join(columns), *(",".join(map(str, r)) for r in zip(*columns.values()))]  # noqa: B905
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n")
        return path

    return write


COLUMNS = ("--actual", "actual", "--score", "score", "--positive", "yes")
ALL_COLUMNS = (
    *COLUMNS,
    "--id",
    "row",
    "--fold",
    "fold",
    "--segment",
    "segment",
    "--weight",
    "weight",
)


def names(output):
    return {finding["name"]: finding["level"] for finding in json.loads(output)["findings"]}


def test_good_rows_end_with_0(run, csv_file):
    code, out = run(csv_file(), *ALL_COLUMNS, "--against", csv_file("other.csv", seed=1))
    assert code == 0
    assert out.startswith("300 rows: no problems found.\nChecked for: rows without a class, ")


def test_every_finding_says_what_is_wrong_where_and_the_remedy(run, csv_file):
    path = csv_file(score=lambda values: [1 - value for value in values])
    code, out = run(path, *COLUMNS)
    assert code == 1
    assert "Warning: reversed scores (score)" in out
    assert "score ranks worse than chance: its AUC is" in out
    assert "What to do: Check whether it is the score of class 'no'" in out


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_every_format_ends_with_1_when_there_is_a_warning(run, csv_file, form):
    path = csv_file(score=lambda values: [int(value > 0.5) for value in values])
    code, out = run(path, *COLUMNS, "--format", form)
    assert code == 1
    assert "two values, 0 and 1" in out
    if form == "json":
        assert names(out) == {"hard_labels": "warning"}


def test_missing_scores_are_errors_unless_a_policy_is_named(run, csv_file):
    path = csv_file(score=lambda values: ["", "", *values[2:]])
    code, out = run(path, *COLUMNS, "--format", "json")
    assert (code, names(out)) == (1, {"missing_scores": "error"})
    for missing in ("drop", "reject", "negative"):
        code, out = run(path, *COLUMNS, "--missing", missing, "--format", "json")
        assert (code, names(out)) == (0, {"missing_scores": "note"})


def test_several_problems_are_reported_together(run, csv_file):
    path = csv_file(
        actual=lambda values: ["", *values[1:]],
        weight=lambda values: [-1, *values[1:]],
        row=lambda values: [values[0], *values[:-1]],
    )
    code, out = run(path, *ALL_COLUMNS, "--format", "json")
    assert code == 1
    levels = names(out)
    assert set(levels) == {"missing_classes", "wrong_weights", "duplicate_ids"}
    assert levels["missing_classes"] == levels["wrong_weights"] == "error"


def test_rows_without_a_class_are_counted_separately_among_missing_scores(run, csv_file):
    path = csv_file(actual=lambda v: ["", *v[1:]], score=lambda v: ["", *v[1:]])
    _, out = run(path, *COLUMNS)
    proportions = "100% of rows without a class, 0% of class 'no', 0% of class 'yes'"
    assert f"1 of 300 rows has no score in score ({proportions})." in " ".join(out.split())


def test_weights_of_0_alone_are_an_error_not_a_crash(run, csv_file):
    code, out = run(csv_file(weight=lambda v: [0] * len(v)), *ALL_COLUMNS, "--format", "json")
    assert code == 1
    assert names(out)["wrong_weights"] == "error"


def test_two_files_are_compared(run, csv_file):
    first = csv_file()
    other = csv_file(
        "other.csv",
        seed=1,
        actual=lambda values: ["maybe", *["yes"] * 200, *values[201:]],
        row=lambda values: ["r0-5", *values[1:]],
    )
    code, out = run(first, *COLUMNS, "--id", "row", "--against", other, "--format", "json")
    assert code == 1
    assert set(names(out)) == {"shared_ids", "unseen_classes", "prevalence_of_files"}
    (drift,) = (f for f in json.loads(out)["findings"] if f["name"] == "prevalence_of_files")
    assert "in rows.csv, " in drift["sentence"] or "in other.csv" in drift["sentence"]


def test_predicted_classes_that_no_row_has_are_reported_not_refused(run, csv_file):
    path = csv_file(score=lambda values: ["yes" if v > 0.5 else "nope" for v in values])
    code, out = run(path, *COLUMNS, "--format", "json")
    assert (code, names(out)) == (1, {"unseen_predictions": "error"})


def test_a_bad_column_does_not_hide_findings_of_another(run, csv_file):
    path = csv_file(
        segment=lambda values: ["yes" if v == "a" else "nope" for v in values],
        score=lambda values: [1 - v for v in values],
    )
    code, out = run(path, *COLUMNS, "--score", "segment", "--format", "json")
    assert code == 1
    assert names(out) == {"unseen_predictions": "error", "wrong_class": "warning"}


def test_a_missing_fold_among_other_problems_is_reported_with_them(run, csv_file):
    first = csv_file(fold=lambda values: ["", *values[1:]])
    code, out = run(first, *ALL_COLUMNS)
    assert code == 2
    assert "without a fold" in out
    both = csv_file(fold=lambda v: ["", *v[1:]], weight=lambda v: [*v[:-1], -1])
    code, out = run(both, *ALL_COLUMNS, "--format", "json")
    assert code == 1
    assert set(names(out)) == {"wrong_weights", "not_ranked"}


def test_predicted_classes_are_hard_labels(run, csv_file):
    path = csv_file(score=lambda values: ["yes" if v > 0.5 else "no" for v in values])
    code, out = run(path, *COLUMNS, "--format", "json")
    assert (code, names(out)) == (1, {"hard_labels": "warning"})


def test_a_fold_without_positives_is_reported(run, csv_file):
    path = csv_file(actual=lambda values: ["no" if i % 5 == 2 else v for i, v in enumerate(values)])
    code, out = run(path, *ALL_COLUMNS, "--format", "json")
    assert code == 1
    assert names(out)["one_class_folds"] == "warning"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--actual", "actual", "--score", "nothing"), "There is no column 'nothing'"),
        (("--actual", "actual", "--score", "score"), "say which one is positive"),
        (("--actual", "actual"), "Which one is positive?"),
        ((*COLUMNS, "--weight", "segment"), "Weights must be numbers"),
        ((*COLUMNS, "--against", "nowhere.csv"), "There is no file 'nowhere.csv'"),
    ],
)
def test_invalid_use_is_an_error_message_and_exit_code_2(run, csv_file, arguments, message):
    code, out = run(csv_file(), *arguments)
    assert code == 2
    assert message in out


def test_patients_of_a_published_study_pass_with_a_note(run):
    path = GOLDEN / "proc_aSAH_data.csv"
    options = ("--actual", "poor", "--score", "s100b", "--segment", "gender", "--format", "json")
    code, out = run(path, *options)
    assert (code, names(out)) == (0, {"outside_probabilities": "note"})


def test_an_empty_table_is_an_error(run, file):
    code, out = run(file("actual,score\n"), "--actual", "actual", "--score", "score")
    assert code == 1
    assert "There are no rows." in out
