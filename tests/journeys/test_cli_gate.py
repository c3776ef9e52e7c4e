"""The command line's gate: exit codes for pipelines, and what each reader gets."""

import json
from xml.etree import ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import tradeoff as to
from tradeoff.cli import gate, program

ACTUAL = np.array([0, 1] * 60)
NOISE = np.linspace(-1, 1, 120)[np.random.default_rng(5).permutation(120)]
GOOD = (0.5 + 0.2 * (2 * ACTUAL - 1) + 0.25 * NOISE).round(4)
POOR = (0.5 + 0.4 * NOISE[::-1]).round(4)
ROWS = ["--actual", "y", "--score", "p"]


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setitem(program.COMMANDS, "gate", ("gate", "May it replace the old one?"))
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        done = CliRunner().invoke(program.main, ["gate", *map(str, arguments)])
        assert done.exception is None or isinstance(done.exception, SystemExit)
        return done.exit_code, done.stdout, done.stderr

    return call


@pytest.fixture
def files(tmp_path):
    """A good and a poor model with the rows of the second in another order."""
    ids = np.arange(120)
    good = pd.DataFrame({"id": ids, "y": ACTUAL, "p": GOOD})
    poor = pd.DataFrame({"id": ids, "y": ACTUAL, "p": POOR})[::-1]
    good.to_parquet(tmp_path / "good.parquet")
    poor.to_csv(tmp_path / "poor.csv", index=False)
    return tmp_path / "good.parquet", tmp_path / "poor.csv"


def between(old, new):
    return ["--baseline", old, "--candidate", new, "--on", "id", *ROWS]


def test_exit_codes_tell_the_verdict(run, files):
    good, poor = files
    apart = to.auc(ACTUAL, GOOD) - to.auc(ACTUAL, POOR)

    assert run(*between(poor, good))[0] == 0
    assert run(*between(good, poor))[0] == 1
    assert run(*between(good, poor), "--margin", apart)[0] == 3
    assert run(*between(good, poor), "--margin", 0.99)[0] == 0
    assert run(*between(good, good))[0] == 0
    assert run(*between(poor, good), "--superior", "--margin", "0.05")[0] == 0
    assert run(*between(good, good), "--superior")[0] == 1


def test_the_worst_verdict_is_the_exit_code(run, files):
    good, poor = files
    sure = ["--metric", "auc", "--margin", "0.9"]

    assert run(*between(good, poor), *sure)[0] == 0
    code, out, _ = run(*between(good, poor), *sure, "--metric", "lift", "--format", "json")
    verdicts = [metric_gate["verdict"] for metric_gate in json.loads(out)["gates"]]
    assert (code, verdicts) == (3, ["pass", "inconclusive"])
    code, out, _ = run(*between(good, poor), "--metric", "auc", "--metric", "lift")
    assert code == 1


def test_text_says_the_verdict_first_and_why(run, files):
    good, poor = files
    _, out, err = run(*between(good, poor))

    first, second, third, *_ = out.replace("\n−", " −").splitlines()
    assert first.startswith(
        "FAIL  candidate is worse than baseline by more than 0.01: AUC −0.601 ("
    )
    assert second == "120 rows scored by both, 60 positive (1). In parentheses: 95% CI."
    assert third == "AUC: candidate 0.387, baseline 0.988. Method: DeLong."
    assert "\nExit code 1.\n" in out
    assert err == ""


def test_json_holds_every_number(run, files):
    good, poor = files
    _, out, _ = run(*between(good, poor), "--metric", "brier", "--margin", "0.02")
    assert "Lower is better." in out
    code, out, _ = run(
        *between(good, poor), "--metric", "brier", "--margin", "0.02", "--format", "json"
    )
    document = json.loads(out)
    metric_gate = document["gates"][0]

    assert (code, document["verdict"], document["schema"]) == (1, "fail", "tradeoff/gate/1")
    assert (document["rows"], document["positives"], document["negatives"]) == (120, 60, 60)
    by_hand = ((POOR - ACTUAL) ** 2).mean() - ((GOOD - ACTUAL) ** 2).mean()
    assert metric_gate["difference"]["value"] == pytest.approx(by_hand)
    assert metric_gate["gain"] == pytest.approx(-by_hand)
    assert (metric_gate["gain_low"], metric_gate["gain_high"]) == (
        -metric_gate["difference"]["high"],
        -metric_gate["difference"]["low"],
    )
    assert metric_gate["detectable"] == pytest.approx(
        2.8015852 * metric_gate["difference"]["standard_error"]
    )
    assert (metric_gate["margin"], metric_gate["superior"], metric_gate["rows_needed"]) == (
        0.02,
        False,
        None,
    )


def test_markdown_is_a_table_for_job_summaries(run, files):
    metrics = ["--metric", "auc", "--metric", "brier"]
    _, out, _ = run(*between(*files), *metrics, "--format", "markdown")

    assert out.startswith("FAIL  candidate against baseline in 2 metrics: 2 fail.")
    assert "| AUC | fail |" in out
    assert "at most 0.01" in out


def test_junit_has_a_case_for_each_metric(run, files):
    good, poor = files
    metrics = ["--metric", "auc", "--metric", "brier", "--metric", "lift"]
    code, out, _ = run(*between(good, poor), *metrics, "--margin", "0.2", "--format", "junit")
    root = ET.fromstring(out)  # noqa: S314 - our own words
    suites = root.findall("testsuite")
    cases = suites[0].findall("testcase")
    _, json_text, _ = run(*between(good, poor), *metrics, "--margin", "0.2", "--format", "json")
    verdicts = [metric_gate["verdict"] for metric_gate in json.loads(json_text)["gates"]]

    assert len(suites) == 1
    assert [case.get("name").partition(" ")[0].rstrip(":") for case in cases] == [
        "auc",
        "brier",
        "lift",
    ]
    kinds = {"failure": "fail", "error": "inconclusive", "system-out": "pass"}
    assert [kinds[case[0].tag] for case in cases] == verdicts
    assert suites[0].get("tests") == "3"
    assert suites[0].get("failures") == str(verdicts.count("fail"))
    assert suites[0].get("errors") == str(verdicts.count("inconclusive"))
    assert "fail" in verdicts
    assert code == 1


def test_junit_survives_names_that_are_not_xml(run, tmp_path):
    wild = 'new <&"\x07]]>'
    pd.DataFrame({"y": ACTUAL, "old": GOOD, wild: POOR}).to_parquet(tmp_path / "rows.parquet")
    code, out, _ = run(
        "rows.parquet", "--actual", "y", "--score", "old", "--score", wild, "--format", "junit"
    )
    case = ET.fromstring(out).find("testsuite/testcase")  # noqa: S314 - our own words

    assert code == 1
    assert case.get("classname") == 'new <&"?]]> against old'


def test_one_file_has_the_baseline_first(run, tmp_path):
    pd.DataFrame({"y": ACTUAL, "good": GOOD, "poor": POOR}).to_csv(tmp_path / "both.csv")
    both = ["both.csv", "--actual", "y"]

    assert run(*both, "--score", "good", "--score", "poor")[0] == 1
    assert run(*both, "--score", "poor", "--score", "good")[0] == 0
    assert run(*both, "--score", "poor", "--candidate-score", "good")[0] == 0


def test_the_candidate_may_call_its_score_otherwise(run, files, tmp_path):
    good, poor = files
    pd.read_parquet(good).rename(columns={"p": "q"}).to_parquet(tmp_path / "named.parquet")

    code, _, err = run(*between(poor, "named.parquet"), "--candidate-score", "q")
    assert (code, err) == (0, "")
    code, _, err = run(*between(poor, "named.parquet"))
    assert code == 2
    assert "In the candidate: There is no column 'p'." in err


def test_options_at_and_costs_apply_only_to_their_metrics(run, files):
    good, poor = files
    code, out, _ = run(
        *between(poor, good),
        *("--metric", "auc", "--metric", "tpr", "--at", "fpr=0.1", "--format", "json"),
    )
    assert [metric_gate["metric"] for metric_gate in json.loads(out)["gates"]] == [
        "auc",
        "true_positive_rate where fpr = 0.1",
    ]
    assert code == 0
    code, out, _ = run(
        *between(poor, good),
        *("--metric", "cost", "--cost-fn", "5", "--at", "threshold=0.5", "--format", "json"),
    )
    metric_gate = json.loads(out)["gates"][0]
    spent = [
        (5 * ((s < 0.5) & (ACTUAL == 1)) + ((s >= 0.5) & (ACTUAL == 0))).mean()
        for s in (GOOD, POOR)
    ]
    assert code == 0
    assert metric_gate["better"] == "lower"
    assert metric_gate["difference"]["value"] == pytest.approx(spent[0] - spent[1])


def test_the_output_goes_to_a_file_and_the_verdict_to_the_terminal(run, files, tmp_path):
    good, poor = files
    code, out, _ = run(*between(good, poor), "--format", "junit", "--output", "gate.xml")
    written = ET.parse(tmp_path / "gate.xml").getroot()  # noqa: S314 - our own words

    assert code == 1
    assert written.find("testsuite/testcase/failure").get("message") in out
    assert out.endswith("Wrote gate.xml.\n")
    code, _, err = run(*between(good, poor), "--output", "no/such/folder.xml")
    assert code == 2
    assert "cannot be written" in err


def test_few_shared_rows_are_a_warning_in_every_format(run, files, tmp_path):
    good, poor = files
    pd.read_csv(poor)[:8].to_csv(tmp_path / "few.csv", index=False)
    arguments = between(good, tmp_path / "few.csv")

    for form in ("text", "markdown", "json", "junit"):
        _, out, _ = run(*arguments, "--format", form)
        message = " ".join(out.split())
        assert (
            "8 rows are in both; 112 of the baseline and 0 of the candidate are left out" in message
        )
        assert "Only 4 rows belong to class 1, so rates and AUCs will be very imprecise" in message


def test_rows_without_ids_are_paired_in_order_with_a_note(run, files, tmp_path):
    good, poor = files
    pd.read_csv(poor)[::-1].to_csv(tmp_path / "ordered.csv", index=False)
    arguments = ["--baseline", good, *ROWS]

    code, out, _ = run(*arguments, "--candidate", "ordered.csv")
    assert code == 1
    assert "no ID column was named" in out
    code, _, err = run(*arguments, "--candidate", poor)
    assert code == 2
    assert "name an ID column" in err


def test_clusters_and_weights_come_from_the_baseline(run, files, tmp_path):
    good, poor = files
    pd.read_parquet(good).assign(w=2, who=np.arange(120) // 4).to_parquet(tmp_path / "more.parquet")
    arguments = [*between("more.parquet", poor), "--weight", "w", "--cluster", "who"]

    code, out, err = run(*arguments, "--format", "json")
    assert (code, err) == (1, "")
    assert json.loads(out)["gates"][0]["difference"]["method"] == "Obuchowski"
    assert "120 positive (1)" in run(*arguments)[1]


def test_ids_that_occur_twice_are_wrong_input(run, files, tmp_path):
    good, poor = files
    rows = pd.read_csv(poor)
    pd.concat([rows, rows[:2]]).to_csv(tmp_path / "twice.csv", index=False)
    code, out, err = run(*between(good, "twice.csv"))

    assert (code, out) == (2, "")
    assert "2 IDs occur more than once in 'id' of the candidate, 118, 119" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name a FILE with both models"),
        (["--actual", "y"], "Name a FILE with both models"),
        (ROWS, "Name a FILE with both models"),
        ([*ROWS, "--baseline", "good.parquet"], "Name a FILE with both models"),
        (["poor.csv", *ROWS], "--score a,b, the baseline first"),
        (["poor.csv", *ROWS, "--score", "p"], "--score a,b"),
        (["poor.csv", *ROWS, "--score", "p", "--on", "id"], "--on is for two files"),
        ([*between("poor.csv", "good.parquet"), "--at", "fpr=0.1"], "--metric tpr"),
        ([*between("poor.csv", "good.parquet"), "--cost-fn", "5"], "--metric cost"),
        (
            [*between("poor.csv", "good.parquet"), "--metric", "cost"],
            "Give the costs of the outcomes",
        ),
        ([*between("poor.csv", "good.parquet"), "--metric", "aux"], "No metric is called 'aux'"),
        ([*between("poor.csv", "good.parquet"), "--margin", "-1"], "--margin"),
        ([*between("poor.csv", "none.csv")], "There is no file 'none.csv'."),
        (
            [*between("poor.csv", "good.parquet"), "--score", "p", "--score", "p"],
            "Two models need two score columns",
        ),
    ],
)
@pytest.mark.usefixtures("files")
def test_invalid_input_is_an_error_message_and_exit_code_2(run, arguments, message):
    code, out, err = run(*arguments)

    assert (code, out) == (2, "")
    assert message in err


def test_every_verdict_has_an_exit_code_of_its_own_and_none_is_that_of_wrong_input():
    assert gate.EXIT_CODES == {"pass": 0, "fail": 1, "inconclusive": 3}


def test_columns_of_two_files_are_inferred(run, files):
    good, poor = files
    code, out, err = run("--baseline", poor, "--candidate", good)
    first, rest = out.split("\n\n", 1)

    assert (code, err) == (0, "")
    assert first == (
        "Taken: class y (1 is positive), score p, rows joined on id. In full:\n"
        f"  tradeoff gate --baseline {poor} --candidate {good} --actual y --score p --on id"
    )
    assert rest == run(*between(poor, good))[1]


def test_the_ids_of_named_columns_must_be_named(run, files):
    good, poor = files
    code, _, err = run("--baseline", good, "--candidate", poor, *ROWS)

    assert code == 2
    assert "If not, name an ID column." in err


def test_the_baseline_is_inferred_from_its_name_alone(run):
    rows = pd.DataFrame({"y": ACTUAL, "p_new": GOOD, "p_old": POOR})
    rows.to_csv("named.csv", index=False)
    rows.rename(columns={"p_new": "p_a", "p_old": "p_b"}).to_csv("rows.csv", index=False)

    code, out, _ = run("named.csv")
    assert code == 0
    assert out.startswith(
        "Taken: class y (1 is positive), baseline p_old, candidate p_new. In full:\n"
        "  tradeoff gate named.csv --actual y --score p_old --score p_new\n"
    )
    code, out, err = run("rows.csv")
    assert (code, out) == (2, "")
    assert "'p_a' and 'p_b' may be scores: name two of them, that of the baseline first." in err
    assert err.endswith("Edit and run: tradeoff gate rows.csv --actual y --score p_a,p_b\n")
    assert run("rows.csv", "--score", "p_b,p_a")[0] == 0


def test_limits_need_only_one_model(run):
    pd.DataFrame({"y": ACTUAL, "p": GOOD}).to_csv("rows.csv", index=False)
    limit = ["--at-least", "auc=0.8"]

    assert run("rows.csv", *limit)[0] == 0
    assert run("--candidate", "rows.csv", *limit)[0] == 0
    code, _, err = run("rows.csv")
    assert code == 2
    assert err.endswith(
        "Edit and run: tradeoff gate rows.csv --actual y --score p --at-least auc=0.8\n"
    )


def test_the_positive_class_of_words_is_asked_for_with_the_id(run, files):
    good, poor = files
    for path, read in ((good, pd.read_parquet), (poor, pd.read_csv)):
        rows = read(path).assign(y=lambda rows: rows["y"].map({0: "no", 1: "yes"}))
        rows.to_csv(path.with_suffix(".csv"), index=False)
    code, _, err = run("--baseline", poor, "--candidate", "good.csv")

    assert code == 2
    assert "'y' holds 'no' and 'yes'. Which one is positive?" in err
    assert err.endswith("--candidate good.csv --actual y --positive yes --score p --on id\n")
