"""`tradeoff validate`: what it prints, and how it ends."""

import csv
import io
import json
from importlib import resources

import numpy as np
import pytest
from click.testing import CliRunner
from golden.reference import document as golden_document
from golden.reference import table

from tradeoff.cli import main
from tradeoff.validation import certified, studies
from tradeoff.validation.agreement import RecomputedValue, printed_decimals
from tradeoff.validation.studies import bundled_columns
from tradeoff.validation.views import shortfalls


def run(*arguments):
    """In this process, where a number can be made wrong."""
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_all_published_numbers_agree():
    code, out, err = run("validate")

    assert (code, err) == (0, "")
    assert "all three AUCs equal: p              0.2817   0.281678     yes" in out
    assert "published values agree to their last digit.\n" in out
    assert " no\n" not in out


def test_each_number_has_its_source():
    document = json.loads(run("validate", "--format", "json")[1])
    titles = [study["title"] for study in document["studies"]]

    assert titles[:4] == [
        "DeLong, DeLong & Clarke-Pearson 1988",
        "Hanley & McNeil 1982",
        "Fawcett 2006",
        "Davis & Goadrich 2006",
    ]
    assert {"Weka 3.6.14", "pROC 1.18.0", "Ten rows, worked by hand"} <= set(titles)
    assert all(study["source"].endswith(".") for study in document["studies"])
    assert (document["differ"], document["not_run"]) == (0, 0)
    assert document["agree"] == sum(len(study["numbers"]) for study in document["studies"])


def test_a_number_that_differs_is_shown_with_exit_code_1(monkeypatch):
    monkeypatch.setattr(studies, "hanley_mcneil_variance", lambda *_: 0.04**2)

    code, out, _ = run("validate")

    assert code == 1
    assert "its standard error      0.032   0.04000      no" in out
    assert "; 1 differ." in out


def test_without_scikit_learn_the_weka_study_is_skipped_with_a_note(monkeypatch):
    monkeypatch.setattr(studies, "find_spec", lambda _: None)

    code, out, _ = run("validate")

    assert code == 0
    assert "not run: needs tradeoff[train]" in out
    assert "3 were not run." in out


def test_csv_has_a_line_for_each_number():
    lines = list(csv.DictReader(io.StringIO(run("validate", "--format", "csv")[1])))
    document = json.loads(run("validate", "--format", "json")[1])

    assert len(lines) == document["agree"]
    assert lines[0]["number"] == "AUC of albumin"
    assert (lines[0]["published"], lines[0]["agrees"]) == ("0.7366", "yes")
    assert float(lines[0]["computed"]) == pytest.approx(0.7365591397849462, rel=1e-14)


def test_markdown_has_a_table_for_each_study():
    _, out, _ = run("validate", "--format", "markdown")

    assert "| AUC of albumin | 0.7366 | 0.736559 | yes |" in out


def test_certified_numbers_pass_with_exit_code_0_and_list_shortfalls_of_other_tools():
    code, out, _ = run("validate", "--certified")

    assert code == 0
    assert "tradeoff\n  374 of 374 values have 14 or more correct digits.\n" in out
    assert "Where tools fall short" in out


def test_a_wrong_digit_of_tradeoff_is_exit_code_1(monkeypatch):
    quantities = {**certified.OUR_QUANTITIES, "auc": lambda _: 0.68 + 1e-13}
    monkeypatch.setattr(certified, "OUR_QUANTITIES", quantities)

    code, out, _ = run("validate", "--certified")

    assert code == 1
    assert "tradeoff, ten-rows: auc is correct to only 12.8 digits." in out


def test_certified_numbers_as_csv():
    lines = list(csv.DictReader(io.StringIO(run("validate", "--certified", "--format", "csv")[1])))
    ours = [line for line in lines if line["tool"] == "tradeoff"]

    assert len(ours) == 374
    assert ours[0] == {
        "set": "ten-rows",
        "quantity": "auc",
        "exact": "17/25",
        "tool": "tradeoff",
        "value": "0.68",
        "digits": "16.0",
        "right": "yes",
        "told": "",
    }


def test_without_numbers_there_are_no_shortfalls():
    assert shortfalls([]) == []


def test_the_bundled_patients_are_those_of_the_golden_numbers():
    ours, golden = (
        bundled_columns("asah.csv", ["poor", "s100b", "ndka"]),
        table("proc_aSAH_data.csv"),
    )

    for name, column in ours.items():
        np.testing.assert_array_equal(column, golden[name])


def test_published_numbers_of_proc_and_weka_are_those_they_printed():
    printed = {
        number.label: number.published
        for study in (studies._proc(), studies._weka())
        for number in study.numbers
    }
    theirs = {}
    for name in ("s100b", "ndka"):
        proc = golden_document(f"proc_{name}_summary.json")
        low, high = proc["delong_ci"]["0.95"]
        theirs[f"auc of {name}"], theirs[f"var of {name}"] = proc["auc"], proc["delong_variance"]
        theirs[f"ci.auc of {name}: from"], theirs[f"ci.auc of {name}: to"] = low, high
    partial = golden_document("proc_s100b_summary.json")["partial_auc"]["spec_1_0.9"]
    for form, value in partial.items():
        theirs[f"auc of s100b, specificity 1 to 0.9, {form}"] = value
    test = golden_document("proc_test_paired_s100b_ndka.json")["delong_two_sided"]
    theirs["roc.test, paired: Z"], theirs["roc.test, paired: p"] = (
        test["statistic"]["Z"],
        test["p_value"],
    )
    theirs["roc.test, paired: from"], theirs["roc.test, paired: to"] = test["conf_int"]
    weka = golden_document("weka_nb_nominal_summary.json")
    theirs["NaiveBayes: auc"] = weka["roc_area_from_curve"]
    theirs["NaiveBayes: root_mean_squared_error"] = weka["root_mean_squared_error"]
    theirs["J48: auc"] = golden_document("weka_j48_summary.json")["weather"]["areas"][0]

    rounded = {
        what: f"{value:.{printed_decimals(printed[what])}f}" for what, value in theirs.items()
    }
    assert rounded == printed


def test_published_rows_are_bundled_with_their_counts():
    # 43 patients, 12 of whom did not benefit; twenty rows; 58 normal and 51 abnormal images.
    patients = bundled_columns("delong1988.csv", ["popind"])["popind"]
    ratings = bundled_columns("hanley_mcneil1982.csv", ["normal", "abnormal"])

    assert (len(patients), int(patients.sum())) == (43, 31)
    assert len(bundled_columns("fawcett2006.csv", ["score"])["score"]) == 20
    assert [int(column.sum()) for column in ratings.values()] == [58, 51]
    assert resources.files("tradeoff.data").joinpath("certified.json").is_file()


def test_a_number_that_was_not_computed_does_not_agree():
    assert RecomputedValue("area", "0.5778", None, "needs tradeoff[train]").agrees is None
    assert RecomputedValue("area", "0.5778", float("nan")).agrees is False
