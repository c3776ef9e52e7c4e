"""What a clinician asks of the command line: STARD tables, cut-offs, decision curves and power."""

import csv
import io
import json

import pytest
from command_line import SAH, run
from snapshot import matches


def output(*arguments, **environment):
    code, out, err = run(*arguments, **environment)
    assert (code, err) == (0, "")
    return out


def error(*arguments):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    return err


TWO = [*SAH, "--score", "ndka"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (
            "evaluate_clinical.txt",
            ["evaluate", *SAH, "--threshold", "0.22", "--vocabulary", "clinical"],
        ),
        ("cutoffs.txt", ["cutoffs", *SAH, "--out-of-bag", "--replicates", "200"]),
        ("cutoffs.tex", ["cutoffs", *SAH, "--at", "0.1,0.22", "--format", "latex"]),
    ],
)
def test_screens_match_their_approved_snapshots(name, arguments):
    assert matches(name, output(*arguments))


def test_the_clinical_table_has_totals_and_two_digits():
    lines = output("evaluate", *SAH, "--threshold", "0.22", "--vocabulary", "clinical").splitlines()

    assert "  total               41        72    113" in lines
    assert "  sensitivity  0.63 (0.48–0.76)     26 of 41 actual 1" in lines
    assert sum("95% CI" in line for line in lines) == 1


def test_a_clinical_value_below_1_is_never_printed_as_1(tmp_path):
    rows = tmp_path / "rows.csv"
    rows.write_text("y,p\n" + "1,0.9\n" * 499 + "1,0.1\n" + "0,0.1\n" * 40 + "0,0.8\n")
    arguments = ("evaluate", rows, "--actual", "y", "--score", "p", "--vocabulary", "clinical")

    assert "sensitivity  0.998 (0.989–1.000)" in output(*arguments)


def test_a_prevalence_of_another_population_is_in_the_heading_alone():
    out = output("evaluate", *SAH, "--vocabulary", "clinical", "--prevalence", "0.1")

    assert "Metrics at this threshold, at a prevalence of 10.0%" in out
    assert "  prevalence " not in out


def test_cutoffs_may_be_given_in_one_option_or_several():
    once, twice = (
        output("cutoffs", *SAH, *options)
        for options in (["--at", "0.1,0.2"], ["--at", "0.1", "--at", "0.2"])
    )

    assert once == twice
    assert once.splitlines()[3].startswith("0.1         34  44   7  28  0.83 (0.69–0.91)")


def test_csv_has_the_limits_of_every_interval():
    rows = list(csv.DictReader(io.StringIO(output("cutoffs", *SAH, "--all", "--format", "csv"))))

    assert len(rows) == 50
    assert {"true_positive_rate_low", "negative_likelihood_ratio_high"} <= set(rows[0])
    assert float(rows[0]["true_positive_rate_low"]) == pytest.approx(0.9143324298)


def test_json_gives_the_cutoff_chosen_on_resamples():
    arguments = (
        "cutoffs",
        *SAH,
        "--out-of-bag",
        "--by",
        "sensitivity",
        "--target",
        "0.9",
        "--metric",
    )
    document = json.loads(output(*arguments, "specificity", "--format", "json"))
    out_of_bag = document["models"][0]["out_of_bag"]

    assert out_of_bag["criterion"] == "sensitivity ≥ 0.9"
    assert list(out_of_bag["metrics"]) == ["true_negative_rate"]


def test_bad_cutoffs_are_answered_in_one_sentence():
    assert "Write cut-offs as numbers, such as --at 0.1,0.2, not '0.1;0.2'." in error(
        "cutoffs", *SAH, "--at", "0.1;0.2"
    )
    assert "Give --at or --all, not both." in error("cutoffs", *SAH, "--at", "1", "--all")
    assert "choose the cut-off of --out-of-bag: add it." in error("cutoffs", *SAH, "--by", "mcc")


@pytest.mark.parametrize("columns", ["60", "80", "100"])
def test_cutoffs_fit_the_screen(columns):
    lines = output("cutoffs", *TWO, "--out-of-bag", "--replicates", "20", COLUMNS=columns)

    assert max(map(len, lines.splitlines())) <= int(columns)


PILOT = ["power", "--pilot", *TWO]


def test_a_pilot_study_gives_the_rows_that_proc_asks_for():
    out = " ".join(output(*PILOT).split())

    assert "with a power of 80%" in out
    assert "159 positive and 278 negative rows scored by both models are needed" in out
    assert "their correlation of −0.26 are those of the pilot study" in out


def test_a_pilot_study_gives_the_power_of_the_rows_at_hand():
    document = json.loads(output(*PILOT, "--positives", "41", "--format", "json"))

    assert document["power"] == pytest.approx(0.30906243063217)


def test_a_pilot_of_one_marker_is_tested_against_chance():
    document = json.loads(output("power", "--pilot", *SAH, "--power", "0.9", "--format", "json"))

    assert document["what"] == "one AUC against chance"
    assert document["values"]["ratio"] == pytest.approx(72 / 41)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["power", "--actual", "y", "--auc", "0.8"], "--actual: only with --pilot FILE."),
        ([*PILOT, "--correlation", "0.5"], "the pilot study determines them"),
        ([*PILOT, "--score", "wfns"], "give --score once or twice"),
        (["power", "--pilot", *SAH, "--second", "0.8"], "give --score twice"),
        (["power", "--pilot", SAH[0], "--actual", "poor"], "Edit and run: tradeoff power --pilot"),
    ],
)
def test_what_does_not_go_with_a_pilot_is_answered(arguments, message):
    assert message in " ".join(error(*arguments).split())


def test_a_marker_has_a_decision_curve_and_the_screen_says_by_which_calibration():
    arguments = ("curve", *SAH, "--curve", "decision_curve", "--calibrate")
    logistic, isotonic = (
        output(*arguments, how, "--format", "text") for how in ("logistic", "isotonic")
    )
    chart = output("plot", *SAH, "--chart", "decision_curve", "--calibrate", "logistic")

    formula = "s100b calibrated by logistic regression on these rows: p = 1 / (1 + exp(1.759 − 4.9"
    assert formula in " ".join(logistic.split())
    assert formula in " ".join(chart.split())
    assert "calibrated by isotonic regression on these rows (8 knots)" in isotonic
    json_notes = json.loads(output(*arguments, "logistic", "--format", "json"))["notes"]
    assert json_notes[0].startswith("s100b calibrated by logistic regression")


def test_a_marker_without_calibration_is_told_how_to_get_a_decision_curve():
    assert "--calibrate logistic" in error("curve", *SAH, "--curve", "decision_curve")
    assert "applies to curves" in error(
        "plot", *TWO, "--chart", "differences", "--calibrate", "logistic"
    )
