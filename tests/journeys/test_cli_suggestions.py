"""What stands below a result: every suggestion runs as it is copied, and adds something."""

import shlex
from pathlib import Path

import pytest
from command_line import SAH, output, run

import tradeoff as to

COLUMN = "gender"
TWO = [*SAH, "--score", "ndka"]
COSTS = ["--cost-fp", "1", "--cost-fn", "5"]
CHURN = ["churn.csv", "--actual", "churned", "--positive", "yes"]
LABELS = ["triage.csv", "--actual", "actual", "--positive", "icu", "--predicted", "predicted"]
SCREENS = [
    ["evaluate", *SAH],
    ["evaluate", *TWO, "--vocabulary", "clinical"],
    ["evaluate", *CHURN, "--score", "logistic,boosting", "--vocabulary", "clinical"],
    ["evaluate", *LABELS],
    ["evaluate", *SAH, "--methods", "--prevalence", "0.1"],
    ["threshold", *SAH],
    ["threshold", *TWO],
    ["threshold", *TWO, *COSTS],
    ["threshold", *TWO, "--details", "s100b"],
    ["threshold", *SAH, "--by", "tpr", "--target", "0.9"],
    ["threshold", *SAH, "--tolerance", "0.1", "--value", "3"],
    ["threshold", *SAH, "--reject", "--coverage", "0.9"],
    ["threshold", *SAH, "--reject", "--capacity", "10", *COSTS],
    ["threshold", *SAH, "--reject", "--gamma", "3"],
    ["gains", *SAH],
    ["gains", *SAH, "--top", "10"],
    ["gains", *SAH, "--cost-contact", "1", "--value", "5"],
    ["gains", *SAH, "--cost-contact", "1", "--value", "5", "--top", "10"],
    ["gains", *TWO, "--cost-contact", "1", "--value", "5"],
    ["gate", *TWO],
    ["gate", *TWO, "--at", "threshold=0.2", "--metric", "tpr", "--at-most", "fpr=0.9"],
    ["gate", *TWO, "--superior", "--at-least", "auc=0.5"],
    ["gate", *SAH, "--at-least", "auc=0.7"],
    ["gate", *SAH, "--at-least", "auc=0.7", "--test-on", "value"],
    ["compare", *TWO],
    ["compare", *TWO, "--metric", "ks", "--margin", "0.1"],
    ["compare", *SAH, "--by", "gender"],
    ["compare", "--then", "june.csv", "--now", "july.csv", *SAH[1:]],
    ["compare", "--then", "june.csv", "--now", "july.csv", *SAH[1:], "--prevalence", "0.3"],
    ["cutoffs", *SAH],
    ["cutoffs", *TWO, "--at", "0.1,0.2", "--out-of-bag"],
    ["cutoffs", *SAH, "--all", "--cluster", "gender"],
    ["calibration", *CHURN, "--score", "logistic"],
    ["calibration", *CHURN, "--score", "logistic", "--details"],
    ["rows", *SAH, "--threshold", "0.22", "--outcome", "fn"],
    ["rows", *SAH, "--threshold", "0.22", "--outcome", "tn", "--id", "age"],
    ["rows", *SAH, "--threshold", "0.22", "--outcome", "tn", "--nearest", "5"],
    ["segments", *SAH, "--segment", "gender"],
    ["segments", *SAH, "--segment", "gender", "--metric", "auc", "--threshold", "0.2"],
    ["segments", *SAH, "--segment", "gender", "--all"],
    ["hull", *TWO],
    ["hull", *TWO, *COSTS, "--details"],
    ["check", *SAH],
    ["check", *SAH, "--id", "age"],
    ["matrix", "7 2; 4 1"],
    ["matrix", "50 3 2; 4 60 1; 0 5 40", "--all", "--level", "0.9"],
    ["matrix", "--tp", "7", "--fp", "4", "--fn", "2", "--tn", "1"],
    ["power", "--auc", "0.85", "--power", "0.9"],
    ["power", "--auc", "0.85", "--positives", "50"],
    ["power", "--auc", "0.8", "--second", "0.85", "--power", "0.9"],
    ["power", "--auc", "0.8", "--second", "0.8", "--margin", "0.05", "--positives", "50"],
    ["power", "--auc", "0.8", "--difference", "--power", "0.9", "--positives", "50"],
    ["power", "--share", "0.7", "--half-width", "0.1"],
    ["power", "--share", "0.7", "--above", "0.5", "--power", "0.9"],
    ["power", "--share", "0.7", "--class-rows", "50"],
    ["power", "--pilot", *TWO],
    ["power", "--pilot", *TWO, "--power", "0.9"],
    ["power", "--pilot", *TWO, "--positives", "90"],
    ["look", SAH[0], "--actual", "poor", "--score", "s100b"],
    ["datasets"],
]


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.setattr("command_line.SCRATCH", type("Folder", (), {"name": str(tmp_path)}))
    for name in ("churn", "triage"):
        to.datasets.load(name).save(tmp_path / f"{name}.csv")
    header, *rows = Path(SAH[0]).read_text().splitlines()
    for start, name in enumerate(("june.csv", "july.csv")):
        (tmp_path / name).write_text("\n".join([header, *rows[start::2]]))


def suggestions(screen):
    """Suggested commands and options in the last paragraph of a screen, in words of a shell."""
    for line in screen.rpartition("\n\n")[2].splitlines():
        purpose, sign, command = line.partition("tradeoff ")
        if sign and purpose == "  ":
            yield shlex.split(f"tradeoff {command}")
            continue
        for item in line.removesuffix(" ·").split(" · "):
            purpose, sign, words = item.partition(": ")
            if sign and words.startswith("-"):
                yield shlex.split(words)


def filled(words):
    """Words with a column and a file in the place of their names."""
    return [{"COLUMN": COLUMN, "FILE": SAH[0]}.get(word, word) for word in words]


@pytest.mark.parametrize("arguments", SCREENS, ids=" ".join)
def test_each_suggestion_runs_and_repeats_no_option(arguments):
    fast = ["--no-check"] if arguments[0] in {"threshold", "gains"} else []
    code, screen, _ = run(*arguments, *fast)
    assert code != 2

    for words in suggestions(screen):
        if words[0] == "tradeoff":
            again = filled(words[1:])
            assert again != arguments
        else:
            flags = [word for word in words if word.startswith("-")]
            assert not set(flags) & set(arguments)
            again = [*arguments, *fast, *filled(words)]
        if "COLUMN" in words and "--baseline" in words:
            again = [*arguments, "--baseline", "ndka"]
        code, out, err = run(*again)
        assert code != 2, (again, err)
        assert out != screen


@pytest.mark.parametrize(
    ("arguments", "footer"),
    [
        (
            ["threshold", *TWO, "--by", "f1"],
            "Details of a model: --details s100b",
        ),
        (
            ["gate", *TWO, "--margin", "0.02", "--superior", "--metric", "auc"],
            "Limits: --at-least auc=0.8",
        ),
        (
            ["gains", *SAH, "--top", "9", "--cost-contact", "1", "--value", "9"],
            "Write them to a file: --select contacts.csv --id COLUMN",
        ),
        (
            ["cutoffs", *SAH, "--all", "--out-of-bag", "--prevalence", "0.1"],
            "For Word: -o cutoffs.html",
        ),
        (
            ["check", *SAH, "--id", "age", "--against", SAH[0]],
            f"Next:\n  tradeoff evaluate {SAH[0]} --actual poor --score s100b",
        ),
    ],
)
def test_options_that_were_typed_are_not_suggested(arguments, footer):
    _, screen, _ = run(*arguments)

    assert screen.rstrip().rpartition("\n\n")[2] == footer


def test_a_suggested_command_is_for_the_same_rows():
    columns = ["--missing", "drop", "--digits", "3", "--lower-is-positive", "--weight", "wfns"]
    screen = output("evaluate", *TWO, *columns, "--vocabulary", "clinical")

    file = SAH[0]
    rows = f"{file} --actual poor --score s100b,ndka"
    options = "--missing drop --digits 3 --lower-is-positive --weight wfns"
    chart = "--chart decision_curve --calibrate logistic"
    assert screen.splitlines()[-4:] == [
        "Cut-off table:",
        f"  tradeoff cutoffs {rows} {options}",
        "Decision curve:",
        f"  tradeoff plot {rows} {options} {chart}",
    ]


def test_a_result_in_a_file_has_no_suggestions(tmp_path):
    screen = output("evaluate", *SAH, "-o", tmp_path / "e.txt")

    assert screen.split() == f"Wrote {tmp_path / 'e.txt'}.".split()
    assert "--metric" not in (tmp_path / "e.txt").read_text()
