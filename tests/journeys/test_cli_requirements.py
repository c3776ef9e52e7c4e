"""The gate's limits on the command line: --at-least and --at-most, with or without a baseline."""

import pytest
from command_line import SAH, run


@pytest.mark.parametrize(
    ("options", "exit_code", "first_line"),
    [
        (["--at-least", "auc=0.6"], 0, "PASS  s100b: AUC 0.731 (0.619–0.820) is at least 0.6."),
        (["--at-least", "auc=0.7"], 3, "INCONCLUSIVE  s100b: AUC 0.731 (0.619–0.820) may be below"),
        (["--at-least", "auc=0.9"], 1, "FAIL  s100b: AUC 0.731 (0.619–0.820) is below 0.9."),
        (
            [
                *("--at-least", "auc=0.7", "--test-on", "value"),
                *("--at-least", "recall=0.9", "--at", "threshold=0.3"),
            ],
            1,
            "FAIL  s100b against 2 requirements: 1 pass, 1 fail.",
        ),
        (
            ["--score", "wfns", "--at-least", "auc=0.5", "--margin", "0.5"],
            0,
            "PASS  wfns against s100b in AUC and against 1 requirement: 2 pass.",
        ),
    ],
)
def test_limits_are_tested_with_or_without_a_baseline(options, exit_code, first_line):
    code, out, err = run("gate", *SAH, *options)

    assert (code, err) == (exit_code, "")
    assert out.startswith(first_line)
    assert f"Exit code {exit_code}." in out


def test_a_limit_at_a_threshold_needs_one_unless_scores_are_probabilities():
    code, _, err = run("gate", *SAH, "--at-least", "recall=0.3")

    assert code == 2
    assert "recall needs a threshold: s100b from 0.03 to 2.07 is not a probability" in err
    assert run("gate", *SAH, "--at-least", "recall=0.1", "--at", "s100b=0.2")[0] == 0


def test_a_saved_ranking_or_a_candidate_file_may_be_tested_alone(tmp_path):
    ranking = tmp_path / "s100b.ranking"
    assert run("rank", *SAH, "-o", ranking)[0] == 0
    assert run("gate", ranking, "--at-least", "auc=0.6")[0] == 0

    columns = ["--actual", "poor", "--score", "s100b"]
    assert run("gate", "--candidate", SAH[0], *columns, "--at-least", "auc=0.6")[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--at-least", "auc"], "Write a limit as auc=0.8 or brier=0.1, not 'auc'."),
        (["--at-least", "auc=0.7", "--at-least", "auc=0.8"], "--at-least names auc twice"),
        (["--at-least", "brier=0.1"], "Did you mean --at-most brier=0.1?"),
        (["--at-least", "auc=0.7", "--margin", "0.1"], "name it first, as in --score a,b"),
        (["--at-least", "auc=0.7", "--on", "id"], "--on joins two files"),
    ],
)
def test_a_mistaken_limit_is_one_sentence_and_exit_code_2(options, message):
    code, out, err = run("gate", *SAH, *options)

    assert (code, out) == (2, "")
    assert message in err


def test_two_scores_of_one_file_may_be_separated_by_a_comma():
    together = run("gate", *SAH[:-1], "s100b,ndka")

    assert together == run("gate", *SAH, "--score", "ndka")
    assert together[0] == 3
