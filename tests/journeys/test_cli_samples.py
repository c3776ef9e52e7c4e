"""`compare` on two files with different rows: --then and --now, or two files and one score."""

import json

import numpy as np
import pytest
from command_line import output, run


@pytest.fixture
def months(tmp_path):
    for seed, name in enumerate(["jan", "feb", "mar"]):
        random = np.random.default_rng(seed)
        churned = random.random(200) < 0.3
        score = (0.5 * random.random(200) + 0.3 * churned).round(3)
        rows = [
            f"{'yes' if y else 'no'};{p};{1 - p:.3f}" for y, p in zip(churned, score, strict=True)
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(["churned;p;q", *rows]) + "\n")
    (tmp_path / "renamed.csv").write_text("churned,score\nyes,0.3\nno,0.1\n")
    return tmp_path


COLUMNS = ["--actual", "churned", "--positive", "yes", "--score", "p"]


def test_two_files_and_one_score_are_then_and_now(months):
    jan, feb = months / "jan.csv", months / "feb.csv"
    text = output("compare", "--then", jan, "--now", feb, *COLUMNS)

    assert text.startswith("Independent samples: then and now, each with rows of its own.")
    assert "now − then: AUC" in text
    assert "(DeLong, unpaired)" in text
    assert output("compare", jan, feb, *COLUMNS) == text


def test_two_files_and_two_scores_are_one_source(months):
    text = output("compare", months / "jan.csv", months / "feb.csv", *COLUMNS, "--score", "q")

    assert text.startswith("400 rows scored by both models")


def test_several_scores_are_compared_between_named_files(months):
    files = ["--then", months / "jan.csv", "--now", months / "feb.csv"]
    document = json.loads(
        output("compare", *files, *COLUMNS, "--score", "q", "--format", "json", "--margin", "0.1")
    )

    assert document["schema"] == "tradeoff/samples/1"
    assert [d["first"] for d in document["differences"]] == ["p now", "q now"]
    assert [s["file"] for s in document["samples"]] == [str(f) for f in files[1::2] for _ in "pq"]
    assert len(document["margins"]) == 4


RENAMED = (
    "In now (renamed.csv): There is no column 'p'. The columns are 'churned' and 'score'. "
    "then (jan.csv) has it: both need the same columns."
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--then", "jan.csv"], "--then and --now go together"),
        (["--then", "jan.csv", "--now", "feb.csv", "mar.csv"], "instead of FILE"),
        (["jan.csv", "feb.csv", "mar.csv"], "as in --then jan.csv --now feb.csv"),
        (["--then", "jan.csv", "--now", "feb.csv", "--by", "q"], "--by compares segments of one"),
        (["--then", "jan.csv", "--now", "feb.csv", "--test", "equal"], "but not with"),
        (["--then", "jan.csv", "--now", "jan.csv"], "is given twice"),
        (
            ["--then", "jan.csv", "--now", "renamed.csv"],
            RENAMED,
        ),
        (["--then", "jan.csv", "--now", "none.csv"], "In now (none.csv): There is no file"),
    ],
)
def test_files_that_cannot_be_compared_are_named(months, arguments, message):
    words = [months / word if word.endswith(".csv") else word for word in arguments]
    code, out, err = run("compare", *words, *COLUMNS)

    assert (code, out) == (2, "")
    assert message in err.replace(f"{months}/", "")


def test_file_options_and_lists_of_scores_hold_for_both_files(tmp_path):
    for name in ("old", "new"):
        rows = [f"{i % 2};0,{i}{i % 3};0,{9 - i}" for i in range(1, 9)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["y;p;q", *rows]) + "\n")
    files = ["--then", tmp_path / "old.csv", "--now", tmp_path / "new.csv"]
    options = ["--delimiter", ";", "--decimal", ",", "--actual", "y", "--score", "p,q"]

    assert "q now − q then" in output("compare", *files, *options)
