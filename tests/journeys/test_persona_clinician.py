"""A clinician with a workbook: how good is the marker, at which cut-off, and is that enough?"""

import pytest
from command_line import document, output, refusal, suggested_arguments
from ugly_files import thousands_or_decimals, workbook

import tradeoff as to

CLEAN = to.evaluate(to.datasets["asah"].path, actual="poor", score=["s100b", "ndka"])
MARKER, OTHER = "S100 b", "NDKA (ng/ml)"


@pytest.fixture
def study(tmp_path):
    return workbook(tmp_path / "aSAH study.xlsx")


@pytest.fixture
def patients(study):
    """The sheet, the outcome, and one marker."""
    return [study, "--sheet", "Patients 2010", "--positive", "Yes", "--score", MARKER]


@pytest.fixture
def named(patients):
    """The same for commands that do not look for the outcome."""
    return [*patients, "--actual", "Poor outcome"]


def test_the_sheet_is_found_and_the_outcome_recognized(study):
    assert "has no sheet 'Patients'. Its sheets are 'Read me' and 'Patients 2010'." in refusal(
        "look", study, "--sheet", "Patients"
    )
    text = " ".join(output(study, "--sheet", "Patients 2010").split())
    assert "113 rows, 5 columns" in text
    assert "row index without a name, left out" in text
    assert "class: say which is positive, e.g. --positive Yes" in text


def test_the_marker_is_asked_for_with_a_command_that_works(study):
    sheet = [study, "--sheet", "Patients 2010", "--positive", "Yes"]
    message = refusal("evaluate", *sheet)
    arguments = suggested_arguments(message)

    assert arguments[-2:] == ["--score", OTHER]
    (model,) = document(*arguments)["models"]
    assert model["summaries"]["auc"]["value"] == CLEAN["ndka"].auc.value


def test_the_table_for_the_paper_is_in_clinical_words(patients):
    out = output(
        *("evaluate", *patients, "--vocabulary", "clinical", "--threshold", "0.205"),
        *("--unit", "patients", "--actual", "Poor outcome"),
    )
    confusion = CLEAN["s100b"].at(0.205)

    assert out.startswith("113 patients, 41 positive (Yes, 36.3%). In parentheses: 95% CI.")
    assert f"S100 b ≥ 0.205 {int(confusion.true_positives):>11}" in out
    assert "sensitivity  0.63 (0.48–0.76)     26 of 41 actual Yes" in out
    assert "PPV          0.65 (0.50–0.78)     26 of 40 predicted Yes" in out
    assert "LR+" in out
    assert "prevalence   0.36 (0.28–0.45)     41 of 113 patients" in out


def test_cutoffs_are_those_of_the_clean_file(patients):
    (model,) = document("cutoffs", *patients, "--at", "0.2,0.5")["models"]
    (clean,) = CLEAN["s100b"].cutoffs([0.2, 0.5]).to_dict()["models"]

    assert model["cutoffs"] == clean["cutoffs"]


def test_two_markers_are_compared_and_the_next_study_is_planned(named):
    two = [*named, "--score", OTHER]
    (difference,) = document("compare", *two)["differences"]
    plan = document("power", "--pilot", *two)

    assert difference["value"] == pytest.approx(
        CLEAN["s100b"].auc.value - CLEAN["ndka"].auc.value, rel=1e-12
    )
    assert "p = 0.16 (DeLong). Inconclusive at 95%." in output("compare", *two)
    assert plan["values"]["first"] == pytest.approx(CLEAN["s100b"].auc.value, abs=1e-12)
    assert plan["rows"] == pytest.approx(436, abs=1)  # as pROC's power.roc.test says


def test_a_decision_curve_of_a_marker_names_the_calibration_that_it_needs(patients):
    chart = ["plot", *patients, "--actual", "Poor outcome", "--chart", "decision_curve"]

    assert "Calibrate a marker first: --calibrate logistic" in refusal(*chart)
    assert "Net benefit" in output(*chart, "--calibrate", "logistic")


@pytest.mark.parametrize(
    ("command", "metric"),
    [("compare", ["--metric", "recall"]), ("gate", ["--metric", "recall"])],
)
def test_a_marker_has_no_threshold_that_nobody_chose(named, command, metric):
    message = refusal(command, *named, "--score", OTHER, *metric)

    assert "so 0.5 would be arbitrary." in message
    assert "--at threshold=…" in message
    for name in (MARKER, OTHER):
        assert f"--at '{name}'=…" in message
    assert "`tradeoff threshold` recommends thresholds." in message


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--threshold", "0.2", "--threshold", "0.3"], "--threshold was given twice (0.2 and 0.3)"),
        (["--treshold", "0.2"], "No such option '--treshold'. Did you mean '--threshold'?"),
        (["--actual", "Poor_outcome"], "Did you mean 'Poor outcome'?"),
        (["--vocabulary", "medical"], "'medical' is not one of 'general', 'ml', 'clinical'"),
        (["--decimal", ","], "is for CSV files, and"),
    ],
)
def test_slips_are_answered(patients, arguments, answer):
    assert answer in refusal("evaluate", *patients, *arguments)


def test_a_study_without_a_file_has_no_sheet():
    assert "--sheet say how FILE is written" in refusal("power", "--auc", "0.8", "--sheet", "A")


def test_columns_with_decimal_commas_and_points_are_each_read_as_written(tmp_path):
    path = thousands_or_decimals(tmp_path / "export.csv")
    arguments = [path, "--actual", "poor", "--score", "marker"]
    text = " ".join(output(path).split())
    (model,) = document("evaluate", *arguments)["models"]

    assert "decimal commas in 'marker'." in text
    assert "marker number 1.03 to 3.07" in text
    assert "age number 18.5 to 81.5" in text
    assert model["summaries"]["auc"]["value"] == CLEAN["s100b"].auc.value


def test_decimal_commas_and_points_in_one_column_are_refused(tmp_path):
    path = tmp_path / "mixed.csv"
    lines = ["poor;marker", *(f"{row % 2};0,{row}" for row in range(10, 40)), "1;1.234"]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")

    columns = ["--actual", "poor", "--score", "marker"]
    assert "(decimal comma): read the file with --decimal ," in refusal("evaluate", path, *columns)
    message = refusal("evaluate", path, *columns, "--decimal", ",")
    assert "1.234" in message
    assert "marker" in message
