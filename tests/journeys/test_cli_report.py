"""`tradeoff report`: from rows, from saved rankings, and what it says when it cannot."""

import pytest
from command_line import GOLDEN, SAH, output, run
from report_cases import Scripts

from tradeoff.core.ranking import Ranking


def document_of(path):
    return Scripts(path.read_text(encoding="utf-8")).document()


def test_rows_become_one_file_with_differences(tmp_path):
    path = tmp_path / "r.html"
    text = output("report", *SAH, "--score", "ndka", "--positive", "1", "--output", path)
    document = document_of(path)

    sentence = f"Wrote {path}: open it in a browser and move the threshold."
    assert " ".join(text.split()) == sentence
    assert [model["name"] for model in document["models"]] == ["s100b", "ndka"]
    assert document["comparison"]["differences"][0]["value"] == pytest.approx(0.1194, abs=1e-4)


def test_options_preset_the_page(tmp_path):
    path = tmp_path / "r.html"
    output(
        *("report", *SAH, "--output", path, "--title", "Outcome", "--threshold", "0.2"),
        *("--prevalence", "0.05", "--cost-fn", "7", "--level", "0.9", "--segment", "gender"),
    )
    document = document_of(path)

    assert (document["title"], document["threshold"], document["prevalence"]) == (
        "Outcome",
        0.2,
        0.05,
    )
    assert (document["costs"]["fn"], document["level"]) == (7, 0.9)
    assert [s["name"] for s in document["models"][0]["segments"]] == ["Female", "Male"]


def test_saved_rankings_make_the_same_page_without_rows(tmp_path):
    rows = [*SAH, "--score", "ndka"]
    output("report", *rows, "--output", tmp_path / "a.html", "--save-rankings", tmp_path / "kept")
    saved = sorted((tmp_path / "kept").iterdir())
    output("report", "--ranking", saved[0], "--ranking", saved[1], "--output", tmp_path / "b.html")
    first, second = (document_of(tmp_path / name) for name in ("a.html", "b.html"))

    assert [path.name for path in saved] == ["1_s100b.ranking", "2_ndka.ranking"]
    assert first["models"] == second["models"]
    assert second["comparison"] is None  # that takes rows


def test_a_name_from_data_never_leaves_the_folder(tmp_path):
    data = tmp_path / "rows.csv"
    data.write_text('actual,"../../x y"\n1,0.5\n0,0.2\n')
    output(
        *("report", data, "--actual", "actual", "--score", "../../x y"),
        *("--output", tmp_path / "r.html", "--save-rankings", tmp_path / "kept"),
    )

    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["1__x_y.ranking"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report"], "Name a FILE, --actual and --score, or saved rankings."),
        (["report", *SAH, "--ranking", "x"], "Give rows or saved rankings, not both."),
        (["report", "--ranking", "nowhere"], "nowhere cannot be read: No such file or directory."),
        (["report", *SAH, "--output", "/nowhere/r.html"], "cannot be written: No such file"),
        (["report", *SAH, "--output", str(GOLDEN)], "is a directory: name a file."),
        (["report", *SAH, "--score", "ndk"], "Did you mean 'ndka'?"),
    ],
)
def test_invalid_use_is_an_error_message(arguments, message):
    code, out, err = run(*arguments)

    assert code == 2
    assert message in err
    assert "Traceback" not in err
    assert out == ""


def test_saved_rankings_may_be_the_input_files(tmp_path):
    rows = [*SAH, "--score", "ndka", "--save-rankings", tmp_path]
    output("report", *rows, "--output", tmp_path / "a.html")
    saved = sorted(tmp_path.glob("*.ranking"))
    output("report", *saved, "--output", tmp_path / "b.html")
    output("report", saved[0], "--output", tmp_path / "c.html")
    models = [document_of(tmp_path / name)["models"] for name in ("a.html", "b.html", "c.html")]

    assert models[0] == models[1]
    assert models[2] == models[0][:1]


def test_models_whose_rows_are_not_in_memory_are_not_compared(tmp_path):
    arguments = [*SAH, "--score", "ndka", "--memory", "400MB", "--output", tmp_path / "a.html"]
    code, _, err = run("report", *arguments)

    assert code == 0
    assert "differences between models are left out because they need all rows in memory" in err
    assert document_of(tmp_path / "a.html")["comparison"] is None


def test_rankings_of_different_classes_are_refused(tmp_path):
    output("report", *SAH, "--output", tmp_path / "a.html", "--save-rankings", tmp_path)
    other = Ranking.load(tmp_path / "1_s100b.ranking")
    for name in ("s100b", "b"):
        changed = type(other)(other.tally, other.rows, positive="ill", negative="0", name=name)
        changed.save(tmp_path / name)
    _, _, same = run(
        "report", "--ranking", tmp_path / "1_s100b.ranking", "--ranking", tmp_path / "s100b"
    )
    _, _, mixed = run(
        "report", "--ranking", tmp_path / "1_s100b.ranking", "--ranking", tmp_path / "b"
    )

    assert "Two of these rankings have the same name" in same
    assert "These rankings have different classes" in mixed


def test_the_page_without_data_needs_no_file(tmp_path):
    path = tmp_path / "judge.html"
    text = output("page", "-o", path)
    assert (
        " ".join(text.split()) == f"Wrote {path}: open it in a browser and drop a CSV file on it."
    )
    assert document_of(path)["empty"]


def test_the_page_without_data_is_an_html_file():
    code, _, err = run("page", "-o", "judge.csv")
    assert code == 2
    assert "A report is an HTML page: judge.csv should end in .html, not .csv." in " ".join(
        err.split()
    )


@pytest.mark.parametrize("name", ["stard-ai", "tripod-ai"])
def test_a_checklist_is_filled_in_from_the_data(tmp_path, name):
    path = tmp_path / "r.html"
    output("report", *SAH, "--threshold", "0.2", "--checklist", name, "--output", path)
    items = {item["number"]: item for item in document_of(path)["checklist"]["items"]}

    expected = {
        "stard-ai": ("30", "s100b ≥ 0.2: 26 true positives, 14 false positives"),
        "tripod-ai": ("23a", "AUC 0.731 (0.619–0.820)"),
    }
    number, text = expected[name]
    assert text in items[number]["text"]
    assert items[number]["status"] == "filled in"


def test_predicted_labels_have_a_checklist(tmp_path):
    rows, path = tmp_path / "labels.csv", tmp_path / "r.html"
    rows.write_text("actual,rule\nyes,yes\nno,yes\nno,no\n")
    labels = ("--actual", "actual", "--positive", "yes", "--predicted", "rule")
    output("report", rows, *labels, "--checklist", "stard-ai", "--output", path)
    items = {item["number"]: item for item in document_of(path)["checklist"]["items"]}

    assert items["15c"]["text"] == "The models return classes: there is no threshold."
    assert items["30"]["text"].startswith("rule: 1 true positive, 1 false positive, 0 false neg")
