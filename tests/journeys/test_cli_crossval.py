"""`tradeoff crossval`: from a file to scores, verdicts and a report."""

import json

import pytest
from command_line import output, run

ROWS = """outlook,humidity,play
""" + "\n".join(f"{o},{h},{p}" for o, h, p in [("sunny", 80, "no"), ("rainy", 70, "yes")] * 9)


@pytest.fixture
def weather(tmp_path):
    path = tmp_path / "weather.csv"
    path.write_text(ROWS)
    return [str(path), "--actual", "play", "--positive", "yes", "--folds", "3", "--jobs", "1"]


def test_cross_validation_on_the_command_line(weather, tmp_path):
    code, out, err = run(
        *("crossval", *weather, "--model", "logistic", "--model", "tree"),
        *("--save", tmp_path / "scores.parquet", "--report", tmp_path / "r.html"),
    )

    assert code == 0
    assert "logistic by fold" in out
    assert "logistic − tree: AUC" in out
    assert "order of score" in out  # few rows are listed unasked
    assert "saved the scores of 18 rows" in err
    assert (tmp_path / "r.html").exists()
    comparison = output(
        "evaluate",
        tmp_path / "scores.parquet",
        "--actual",
        "play",
        "--score",
        "logistic",
        "--positive",
        "yes",
        "--format",
        "json",
    )
    assert json.loads(comparison)["models"][0]["summaries"]["auc"]["value"] == 1.0


def test_cross_validation_as_json_and_csv(weather):
    document = json.loads(output("crossval", *weather, "--model", "tree", "--format", "json"))
    table = output("crossval", *weather, "--model", "tree", "--format", "csv").splitlines()

    assert document["schema"] == "tradeoff/evaluation/1"
    assert table[0] == "row,fold,play,tree"
    assert len(table) == 19


def test_an_unknown_model_is_an_error_message(weather):
    code, out, err = run("crossval", *weather, "--model", "forrest")

    assert (code, out) == (2, "")
    assert "Did you mean 'forest'" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("model", "pairs_won", "matrix"),
    [("weka-naive-bayes", 26, [[7, 2], [4, 1]]), ("weka-j48", 28.5, [[5, 4], [3, 2]])],
)
def test_the_weather_data_give_wekas_numbers_from_the_raw_rows(model, pairs_won, matrix):
    from importlib import resources

    bundled = resources.files("tradeoff.data").joinpath("weather.arff")
    document = json.loads(
        output(
            *("crossval", bundled, "--actual", "play", "--positive", "yes", "--jobs", "1"),
            *("--model", model, "--way", "weka", "--seed", "1", "--format", "json"),
        )
    )
    (evaluated,) = document["models"]
    counts = evaluated["at"]["confusion"]

    assert evaluated["summaries"]["auc"]["value"] == pytest.approx(pairs_won / 45, abs=1e-12)
    assert [counts[k] for k in ("true_positives", "false_negatives")] == matrix[0]
    assert [counts[k] for k in ("false_positives", "true_negatives")] == matrix[1]
