"""A student with an exercise sheet: matrices, points, Weka's predictions and three classes."""

import pytest
from command_line import document, output, refusal, run, suggested_arguments
from ugly_files import three_classes

import tradeoff as to


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather predictions.csv"
    output("datasets", "weather_predictions", "-o", path)
    return path


@pytest.mark.parametrize(
    "counts",
    [
        ["[7 2; 4 1]"],
        ["[[7, 2], [4, 1]]"],
        ["7", "2", "4", "1"],
        ["7 2; 4 1"],
        ["--tp", "7", "--fn", "2", "--fp", "4", "--tn", "1"],
    ],
    ids=["MATLAB", "Python", "words", "text", "counts"],
)
def test_a_matrix_is_understood_however_it_is_typed(counts):
    metrics = document("matrix", *counts)["metrics"]

    assert metrics["true_positive_rate"]["value"] == 7 / 9
    assert metrics["false_positive_rate"]["value"] == 4 / 5
    assert metrics["precision"]["value"] == 7 / 11
    out = output("matrix", *counts)
    assert "8 predicted correctly (57.1%)" in out
    assert "  actual positive                   7                   2" in out


@pytest.mark.parametrize(
    ("counts", "answer"),
    [
        (["7", "2", "4"], 'two classes have 4 numbers, three have 9. Write rows as "7 2; 4 1".'),
        (["7 2; 4"], "The table's rows have 2 and 1 numbers, but all rows need the same number."),
        (["7 2; 4 x"], "'x' is not a count. Write a table as \"7 2; 4 1\"."),
        (["--tp", "63", "--fp", "28"], "All four counts are needed: add --fn and --tn."),
    ],
)
def test_a_matrix_that_is_none_is_answered(counts, answer):
    assert answer in refusal("matrix", *counts)


def test_points_in_roc_space_are_drawn_by_one_command():
    points = ["--point", "A=0.28,0.63", "--point", "B=0.77,0.77", "--point", "C=0.88,0.24"]
    out = output("plot", "--chart", "roc", *points)

    assert "Points in ROC space" in out
    for name in "ABC":
        assert f"● {name}" in out or f"{name} ●" in out
    assert "must be between 0 and 1, not (28, 63)" in refusal(
        "plot", "--chart", "roc", "--point", "A=28,63"
    )


@pytest.mark.parametrize("name", ["weather_predictions", "weather_predictions.csv"])
def test_an_example_without_a_file_is_answered_by_the_command_that_writes_it(name, tmp_path):
    command = "tradeoff datasets weather_predictions -o weather_predictions.csv"

    assert f"To write the example data set: {command}" in refusal("evaluate", tmp_path / name)
    assert "Did you mean 'weather'?" in refusal("datasets", "wether")


def test_the_command_that_datasets_suggests_works(tmp_path):
    target = tmp_path / "w.csv"
    out = output("datasets", "weather_predictions", "-o", target)
    arguments = suggested_arguments(out, before="Next:\n  tradeoff ")

    (model,) = document(*arguments)["models"]
    clean = to.evaluate(
        to.datasets["weather_predictions"].path,
        actual="actual",
        score="score_pos",
        positive="yes",
    )
    assert model["summaries"]["auc"]["value"] == clean.auc.value


def test_the_positive_class_is_asked_for_and_not_guessed(weather):
    message = refusal("evaluate", weather)

    assert "'actual' holds 'no' and 'yes'. Which one is positive?" in message
    assert run(*suggested_arguments(message))[0] == 0
    assert "'jes' does not occur in 'actual'. Its classes are 'no' and 'yes'." in refusal(
        "evaluate", weather, "--positive", "jes"
    )


def test_predicted_classes_give_a_matrix_and_as_scores_a_warning(weather):
    yes = [weather, "--actual", "actual", "--positive", "yes"]
    labels = output("evaluate", *yes, "--predicted", "predicted")
    scores = " ".join(output("evaluate", *yes, "--score", "predicted").split())
    data = to.datasets["weather_predictions"]
    pairs = list(zip(data["actual"], data["predicted"], strict=True))

    first_row = next(line.split() for line in labels.splitlines() if "actual yes " in line)
    assert first_row[-2:] == [str(pairs.count(("yes", "yes"))), str(pairs.count(("yes", "no")))]
    assert "They look like predicted classes." in scores


def test_a_threshold_given_twice_is_not_silently_the_last(weather):
    twice = ["--positive", "yes", "--threshold", "0.2", "--threshold", "0.3"]

    assert "--threshold was given twice (0.2 and 0.3); it takes one value." in refusal(
        "evaluate", weather, *twice
    )


def test_three_classes_by_scores_and_by_labels(tmp_path):
    path = three_classes(tmp_path / "triage 2026.csv")
    assert "'where to' holds 3 classes, 'home', 'icu' and 'ward'" in refusal(
        "evaluate", path, "--actual", "where to", "--score", "p (icu)"
    )

    labels = document("classes", path, "--actual", "where to", "--predicted", "nurse says")
    data = to.datasets["triage"]
    pairs = list(zip(data["actual"], data["predicted"], strict=True))
    (model,) = labels["models"]
    for cell in model["cells"]:
        assert cell["count"] == pairs.count((cell["actual"], cell["predicted"]))


def test_a_class_against_the_rest_is_the_model_of_that_class(tmp_path):
    path = three_classes(tmp_path / "triage 2026.csv")
    arguments = [path, "--actual", "where to", "--positive", "icu", "--score", "p (icu)"]
    (model,) = document("evaluate", *arguments)["models"]
    clean = to.evaluate(to.datasets["triage"].path, actual="actual", score="p_icu", positive="icu")

    assert model["summaries"]["auc"]["value"] == clean.auc.value


def test_a_misspelt_metric_is_answered():
    assert "No metric is called 'recal'. Did you mean 'recall'?" in refusal("explain", "recal")
