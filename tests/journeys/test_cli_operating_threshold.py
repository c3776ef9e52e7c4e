"""The command line never evaluates at 0.5 by accident, and takes a threshold for each model."""

import json

import jsonschema
import numpy as np
import pytest
from command_line import GOLDEN, SAH, WEATHER, output, run

from tradeoff.schemas import json_schema

MARKERS = [*SAH, "--score", "ndka"]
COSTS = ["--cost-fp", "1", "--cost-fn", "3"]


def errors(*arguments):
    """Messages of a command that refuses its input, without line breaks."""
    code, _, messages = run(*arguments)
    assert code == 2
    return " ".join(messages.split())


@pytest.fixture(scope="module")
def percent_file(tmp_path_factory):
    """Predicted percentages with a column of regions."""
    random = np.random.default_rng(0)
    churned = random.random(300) < 0.2
    percent = 100 / (1 + np.exp(1.5 - random.normal(size=300) - 2 * churned))
    path = tmp_path_factory.mktemp("percent") / "churn.csv"
    lines = [
        f"{'yes' if c else 'no'},{p:.2f},{'north' if i % 2 else 'south'}"
        for i, (c, p) in enumerate(zip(churned, percent, strict=True))
    ]
    path.write_text("\n".join(["churned,risk,region", *lines]))
    return [str(path), "--actual", "churned", "--positive", "yes", "--score", "risk"]


def test_probabilities_keep_one_half_and_the_screen_says_so():
    text = output("evaluate", *WEATHER)

    assert text.splitlines()[2] == (
        "Threshold: 0.5, the conventional one for probabilities; name costs or a goal for a better "
        "one."
    )
    assert "score ≥ 0.5" in text


def test_markers_are_shown_at_a_provisional_threshold():
    text = " ".join(output("evaluate", *MARKERS).split())

    assert (
        "Provisional thresholds: s100b 0.22, ndka 11.09, where Youden's J is highest on these "
        "rows, as the scores are not probabilities; name costs, a goal or a threshold."
    ) in text
    assert "s100b: predict 1 if score ≥ 0.22" in text
    assert "Metrics at these thresholds" in text


def test_percentages_are_not_cut_at_one_half_percent(percent_file):
    document = json.loads(output("evaluate", *percent_file, "--format", "json"))
    at = document["models"][0]["at"]

    assert at["provisional"]
    assert at["threshold"] > 10
    checked = output("check", *percent_file)
    assert "The scores in risk look like percentages: they lie between 0 and 100" in checked


@pytest.mark.parametrize("command", ["evaluate", "segments"])
def test_segments_are_shown_at_the_threshold_of_all_rows(command, percent_file):
    text = output(command, *percent_file, "--segment", "region")
    tpr = json.loads(output("evaluate", *percent_file, "--format", "json"))
    tpr = tpr["models"][0]["at"]["threshold"]

    assert f"Provisional threshold: {tpr:g}" in text


def test_with_costs_the_threshold_is_the_best_for_them():
    document = json.loads(output("evaluate", *MARKERS, *COSTS, "--format", "json"))
    best = json.loads(output("threshold", *MARKERS, *COSTS, "--no-check", "--format", "json"))

    at = [model["at"] for model in document["models"]]
    assert [a["threshold"] for a in at] == [d["threshold"] for d in best["decisions"]]
    assert {a["reason"] for a in at} == {"cost"}
    assert "where the cost is lowest on these rows" in output("evaluate", *MARKERS, *COSTS)


def test_a_goal_chooses_the_threshold():
    text = output("evaluate", *MARKERS, "--by", "tpr", "--target", "0.9")

    assert "Thresholds: s100b 0.08, ndka 7.42, the best on these rows by tpr ≥ 0.9." in text
    assert "name it, as in --by tpr" in errors("evaluate", *MARKERS, "--target", "0.9")
    both = errors("evaluate", *MARKERS, "--by", "tpr", "--target", "0.9", "--threshold", "1")
    assert "Give a threshold or --by, not both." in both


def test_where_predicting_nobody_is_cheapest_the_screen_says_so(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("y,p\n0,.9\n0,.8\n1,.7\n0,.3\n1,.2\n0,.95\n")
    text = output("evaluate", path, "--actual", "y", "--score", "p", "--cost-fp", "100")

    assert "Threshold: beyond all scores, where the cost is lowest on these rows." in text
    assert "p: predict 0 for every row" in text


def test_each_model_takes_its_own_threshold():
    at = ["--at", "s100b=0.205", "--at", "ndka=12"]
    text = output("evaluate", *MARKERS, *at)
    compared = json.loads(
        output("compare", *MARKERS, *at, "--metric", "recall", "--format", "json")
    )
    document = json.loads(output("evaluate", *MARKERS, *at, "--format", "json"))
    (difference,) = compared["differences"]

    assert "Thresholds: s100b 0.205, ndka 12, as given." in text
    recalls = [m["at"]["metrics"]["true_positive_rate"]["value"] for m in document["models"]]
    assert [difference["first_value"], difference["second_value"]] == recalls
    assert difference["value"] == pytest.approx(recalls[0] - recalls[1])
    assert difference["metric"] == "true_positive_rate at thresholds s100b 0.205, ndka 12"
    tested = output("compare", *MARKERS, *at, "--metric", "recall", "--test", "mcnemar")
    assert "McNemar" in tested


def test_models_without_a_threshold_of_their_own_have_the_common_one():
    common = output("evaluate", *MARKERS, "--threshold", "0.3", "--at", "ndka=12")

    assert "Thresholds: s100b 0.3, ndka 12, as given." in common
    assert "s100b 0.3" in output("evaluate", *MARKERS, "--at", "threshold=0.3", "--at", "ndka=12")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", *MARKERS, "--at", "nkda=3"], "Did you mean 'ndka'?"),
        (["evaluate", *MARKERS, "--at", "ndka"], "Write a point as MODEL=0.3"),
        (
            ["evaluate", *MARKERS, "--at", "ndka=3", "--at", "ndka=4"],
            "--at was given twice for 'ndka' (3 and 4)",
        ),
        (
            ["compare", *MARKERS, "--metric", "tpr", "--at", "fpr=0.1", "--at", "ndka=4"],
            "'fpr' is not a model",
        ),
        (["threshold", *MARKERS, "--details", "nkda", "--no-check"], "Did you mean 'ndka'?"),
    ],
)
def test_a_slip_in_a_threshold_is_explained(arguments, message):
    assert message in errors(*arguments)


@pytest.mark.parametrize(
    "command",
    [
        ["compare", *MARKERS, "--metric", "recall"],
        ["compare", *MARKERS, "--test", "mcnemar"],
        ["gate", *MARKERS, "--metric", "recall"],
        ["compare", *MARKERS, "--metric", "cost", *COSTS],
    ],
)
def test_conclusions_ask_for_a_threshold_where_one_half_is_arbitrary(command):
    message = errors(*command)

    assert "needs a threshold" in message
    assert "s100b from 0.03 to 2.07" in message
    assert "Give --at threshold=… or --at" in message
    assert run(*command, "--at", "s100b=0.2", "--at", "ndka=11")[0] in {0, 1, 3}


def test_segments_are_compared_at_a_common_threshold():
    command = ["compare", *SAH, "--by", "gender", "--metric", "recall"]

    assert "Give --at threshold=…; `tradeoff threshold` recommends" in errors(*command)
    assert output(*command, "--at", "s100b=0.2") == output(*command, "--at", "threshold=0.2")


def test_the_best_model_is_first_with_differences_to_it():
    reordered = [*SAH[:-1], "ndka", "--score", "s100b"]
    text = output("threshold", *reordered, *COSTS)
    header, *rows = [
        line for line in text.splitlines() if line.startswith(("  ", "s100b ", "ndka "))
    ]

    assert header.split()[:2] == ["threshold", "new"]
    assert "difference to s100b" in header
    assert [row.split()[0] for row in rows[:2]] == ["s100b", "ndka"]
    assert "ndka: Thresholds" not in text
    assert "--details" in text
    document = json.loads(output("threshold", *reordered, *COSTS, "--format", "json"))
    jsonschema.validate(document, json_schema("decisions"))
    assert document["ranked"] == ["s100b", "ndka"]
    assert document["differences"]["to"] == "s100b"
    assert [d["model"] for d in document["decisions"]] == ["ndka", "s100b"]  # as they were named


def test_details_of_a_model_are_shown_on_request():
    text = output("threshold", *MARKERS, "--details", "ndka")

    assert "ndka: Thresholds" in text
    assert "ndka: Confusion matrix" in text
    assert "s100b: Confusion matrix" not in text


def test_wekas_prediction_is_recognised_as_that_of_the_predicted_class(tmp_path):
    path = tmp_path / "weka.csv"
    lines = (GOLDEN / "weka_nb_breastcancer_predictions.csv").read_text().splitlines()[1:]
    rows = [line.split(",") for line in lines]
    table = [
        f"{number},{actual},{predicted},{max(float(p), 1 - float(p))}"
        for number, actual, predicted, p, _ in rows
    ]
    path.write_text("\n".join(["inst#,actual,predicted,prediction", *table]))
    columns = [path, "--actual", "actual", "--positive", "recurrence-events"]
    code, text, _ = run("check", *columns, "--score", "prediction")
    text = " ".join(text.split())
    remedy = text.partition("Use ")[2].partition(" in a query")[0]
    query = f"SELECT *, {remedy} AS p FROM '{path}'"  # noqa: S608 - as a user would
    form = ["--metric", "auc", "--format", "csv"]
    corrected = output("evaluate", "--query", query, *columns[1:], "--score", "p", *form)

    assert code == 1
    assert "prediction seems to be the probability of the predicted class" in text
    probabilities = [GOLDEN / "weka_nb_breastcancer_predictions.csv", *columns[1:]]
    exported = output("evaluate", *probabilities, "--score", "score_pos", *form)
    assert corrected == exported.replace("score_pos", "p")


def test_a_probability_beside_predicted_classes_is_not_mistaken():
    assert "probability of the predicted class" not in run("check", *WEATHER)[1]


def test_rows_of_an_outcome_ask_for_a_threshold_too():
    message = errors("rows", *SAH, "--outcome", "fn")

    assert "s100b from 0.03 to 2.07 is not a probability" in message
    assert "Give --threshold …; `tradeoff threshold` recommends" in message
    assert run("rows", *WEATHER, "--outcome", "fn")[0] == 0
