"""A data scientist with exports of two churn models: which is better, and where to put the line?"""

import pytest
from command_line import document, output, refusal, run, suggested_arguments
from ugly_files import (
    CLASS,
    decimal_commas_between_commas,
    german_export,
    logits,
    three_classes,
    unicode_text,
)

import tradeoff as to

CHURN = to.evaluate(
    to.datasets["churn"].path,
    actual="churned",
    score=["logistic", "boosting"],
    positive="yes",
)
"""The same rows, read from the clean file by Python."""


@pytest.fixture
def export(tmp_path):
    return german_export(tmp_path / "kündigungen märz.csv")


def aucs(*arguments):
    models = document("evaluate", *arguments)["models"]
    return [model["summaries"]["auc"]["value"] for model in models]


def test_a_german_export_is_understood_without_an_option(export):
    out = output(export)
    text = " ".join(out.split())

    assert "row index without a name, left out" in text
    assert "class: say which is positive, e.g. --positive Ja Modell A number" in text
    assert (
        "Read with text encoding cp1252, columns separated by ';', decimal commas in 'Modell A', "
        "'Modell B'."
    ) in text
    first_command = next(line for line in out.splitlines() if line.startswith("  tradeoff "))
    assert first_command.startswith("  tradeoff evaluate '")


def test_the_first_guess_is_answered_by_a_command_that_works(export):
    message = refusal("evaluate", export)

    assert message.startswith(f"tradeoff: {CLASS!r} holds 'Ja' and 'Nein'. Which one is positive?")
    assert aucs(*suggested_arguments(message)[1:]) == [
        CHURN["logistic"].auc.value,
        CHURN["boosting"].auc.value,
    ]


def test_the_models_are_compared_and_the_better_one_gets_its_threshold(export):
    arguments = [export, "--positive", "Ja"]
    (difference,) = document("compare", *arguments)["differences"]
    decision = document("threshold", *arguments, "--score", "Modell A", "--cost-fn", "5")
    best = to.evaluate(
        to.datasets["churn"].path,
        actual="churned",
        score="logistic",
        positive="yes",
        costs=to.Costs(fp=1, fn=5),
    ).best()

    expected = CHURN["logistic"].auc.value - CHURN["boosting"].auc.value
    assert (difference["first"], difference["second"]) == ("Modell A", "Modell B")
    assert difference["value"] == pytest.approx(expected, rel=1e-12)
    assert "Modell A is better, significant at 95%." in " ".join(
        run("compare", *arguments)[1].split()
    )
    assert (decision["threshold"], decision["value"]) == (best.threshold, best.value)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (
            ["--actual", "Gekundigt im Marz", "--positive", "Ja"],
            "There is no column 'Gekundigt im Marz'. Did you mean 'Gekündigt im März'?",
        ),
        (
            ["--positive", "Yes"],
            "'Yes' does not occur in 'Gekündigt im März'. Its classes are 'Ja' and 'Nein'.",
        ),
        (
            ["--positive", "Ja", "--threshold", "0.2", "--threshold", "0.3"],
            "--threshold was given twice (0.2 and 0.3); it takes one value.",
        ),
        (
            ["--positive", "Ja", "--encoding", "utf-8"],
            "is not encoded in UTF-8: name its encoding, for example --encoding",
        ),
        (
            ["--positive", "Ja", "--score", "Model A"],
            "There is no column 'Model A'. Did you mean 'Modell A'",
        ),
    ],
    ids=["misspelt class column", "class of another language", "twice", "encoding", "score"],
)
def test_wrong_guesses_are_answered(export, arguments, answer):
    assert answer in refusal("evaluate", export, *arguments)


@pytest.mark.parametrize("command", [[], ["evaluate"], ["compare"], ["report"], ["threshold"]])
def test_a_misspelt_file_is_answered_by_the_file_of_the_folder(export, command):
    typo = str(export).replace("märz", "marz")

    assert f"Did you mean {str(export)!r}?" in refusal(*command, typo)


def test_decimal_commas_between_commas_are_not_guessed_but_asked_for(tmp_path):
    path = decimal_commas_between_commas(tmp_path / "commas.csv")
    answer = "look like '0,02' (decimal comma): read the file with --decimal ,"

    assert answer in " ".join(output(path).split())
    assert answer in refusal("evaluate", path, "--positive", "Yes")
    assert answer in refusal("evaluate", path, "--positive", "Yes", "--score", "logistic")
    assert aucs(path, "--positive", "Yes", "--decimal", ",") == [CHURN["logistic"].auc.value]


def test_unicode_text_of_a_spreadsheet_is_read(tmp_path):
    path = unicode_text(tmp_path / "churn.txt")

    assert "Read with text encoding utf-16." in output(path)
    assert aucs(path, "--positive", "Yes") == [
        CHURN["logistic"].auc.value,
        CHURN["boosting"].auc.value,
    ]


def test_log_odds_are_ranked_and_get_a_provisional_threshold(tmp_path):
    path = logits(tmp_path / "logits.csv")
    message = refusal("evaluate", path, "--positive", "Yes")
    arguments = suggested_arguments(message)

    assert arguments[-2:] == ["--score", "network output"]
    (auc,) = aucs(*arguments[1:])
    assert auc == CHURN["boosting"].auc.value  # log odds keep the order
    text = " ".join(output(*arguments).split())
    assert "Provisional threshold: " in text
    assert "as the scores are not probabilities" in text
    assert "Brier" not in text


def test_three_classes_are_evaluated_by_the_command_that_is_suggested(tmp_path):
    path = three_classes(tmp_path / "triage.csv")
    arguments = suggested_arguments(refusal("evaluate", path))
    clean = to.evaluate_classes(
        to.datasets["triage"].path,
        actual="actual",
        score={"home": "p_home", "ward": "p_ward", "icu": "p_icu"},
    )

    assert arguments[0] == "classes"
    assert "home=p (home)" in arguments
    assert document(*arguments)["areas"] == clean.to_dict()["areas"]
    assert "tradeoff classes" in output(path)
