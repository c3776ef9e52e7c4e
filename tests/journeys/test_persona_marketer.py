"""A marketer with a mailing list of percentages: whom to contact, and what does it earn?"""

import csv
from itertools import groupby
from operator import itemgetter

import pytest
from command_line import document, output, refusal, suggested_arguments
from ugly_files import percent_signs

import tradeoff as to

MAILING = to.datasets["mailing"]
CAMPAIGN = ["--cost-contact", "1", "--value", "20"]
WORDS = ["--unit", "customers", "--currency", "EUR"]


@pytest.fixture
def mailing(tmp_path):
    return percent_signs(tmp_path / "mailing list.csv")


@pytest.fixture(scope="module")
def best_customers():
    """The highest profit of contacting all customers above a score, and their ids, by hand."""
    rows = zip(MAILING["score"], MAILING["responded"], MAILING["customer"], strict=True)
    profits, customers, profit = [], [], 0
    for _, tied_rows in groupby(sorted(rows, reverse=True), key=itemgetter(0)):
        for _, answer, customer in tied_rows:
            profit += 20 * answer - 1
            customers.append(f"{customer:06d}")
        profits.append((profit, len(customers)))
    highest, count = max(profits)
    return highest, set(customers[:count])


def test_percent_signs_and_ids_with_zeros_are_understood(mailing):
    text = " ".join(output(mailing).split())

    assert "customer no text 000001, 000002, 000003 …, all distinct id?" in text
    assert "decimal commas in 'model score', percentages in 'model score' as proportions." in text
    assert "model score number 0.0007 to 0.687, 1,047 distinct probability" in text


def test_the_first_guess_is_answered_by_a_command_that_works(mailing):
    message = refusal("gains", mailing)

    assert "Which one is positive? Add --positive Yes or --positive No." in message
    arguments = suggested_arguments(message)
    (model,) = document(*arguments)["models"]
    (clean,) = (
        to.evaluate(MAILING.path, actual="responded", score="score").gains().to_dict()["models"]
    )
    assert model["groups"] == clean["groups"]


def test_the_headline_and_the_list_are_those_counted_by_hand(mailing, best_customers, tmp_path):
    profit, customers = best_customers
    target = tmp_path / "mail these.csv"
    out = output(
        *("gains", mailing, "--positive", "Yes", *CAMPAIGN, *WORDS),
        *("--select", target, "--id", "customer no"),
    )
    headline = " ".join(out.partition("\n\n")[2].split())

    assert headline.startswith(f"Contact the best {len(customers)} of 3,000 customers")
    assert f"this earns EUR {profit}; contacting everybody would lose EUR 100." in headline
    with target.open(encoding="utf-8", newline="") as file:
        assert {row["customer no"] for row in csv.DictReader(file)} == customers


def test_counts_alone_give_the_same_profit(mailing, best_customers):
    profit, customers = best_customers
    matrix = document("gains", mailing, "--positive", "Yes", *CAMPAIGN)["models"][0]["contact"]
    responders = matrix["positives"]
    counts = [
        *("--tp", responders, "--fp", matrix["rows"] - responders),
        *("--fn", 145 - responders, "--tn", 3000 - 145 - (matrix["rows"] - responders)),
    ]
    text = " ".join(output("matrix", *counts, *CAMPAIGN, *WORDS).split())

    assert f"Contacting the {len(customers)} customers predicted positive: this earns EUR" in text
    assert f"this earns EUR {profit}; contacting everybody would lose EUR 100" in text


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["--positive", "yes"], "'yes' does not occur in 'took offer'. Did you mean 'Yes'?"),
        (["--positive", "Yes", "--actual", "took offr"], "Did you mean 'took offer'?"),
        (
            ["--positive", "Yes", *CAMPAIGN, "--select", "ids.csv"],
            "--select needs the column that identifies a row: --id COLUMN.",
        ),
        (
            ["--positive", "Yes", *CAMPAIGN, "--select", "ids.csv", "--id", "customer"],
            "Did you mean 'customer no'?",
        ),
        (
            ["--positive", "Yes", "--value", "20", "--value", "30"],
            "--value was given twice (20 and 30); it takes one value.",
        ),
    ],
    ids=["case of the class", "misspelt column", "no id", "misspelt id", "twice"],
)
def test_slips_are_answered(mailing, arguments, answer):
    assert answer in refusal("gains", mailing, *arguments)


@pytest.mark.parametrize("word", ["lift", "deciles", "profit", "gain"])
def test_words_of_the_trade_lead_to_the_command(mailing, word):
    assert f"No such command or file {word!r}. Did you mean 'gains'?" in refusal(word, mailing)
