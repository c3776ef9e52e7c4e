"""Screens and documents of gains: the answer first, in the user's words."""

import numpy as np
import pytest

import tradeoff as to

ACTUAL = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05]


def headline(gains):
    return str(gains).split("\n\n")[0].replace("\n", " ")


def campaign(**options):
    return to.evaluate(ACTUAL, SCORES, unit="customers", currency="EUR").gains(
        check=False, **options
    )


@pytest.mark.parametrize(
    ("costs", "start"),
    [
        (
            {"contact": 2.25, "value": 5},
            "Contact the best 4 of 10 customers (score ≥ 0.6): this earns EUR 6; contacting",
        ),
        ({"contact": 0.1, "value": 5, "fn": 9, "fp": 0}, "Contact the best 7 of 10 customers"),
        ({"contact": 0.0, "value": 5}, "Contact the best 7 of 10 customers"),
        ({"contact": 2, "value": 5, "fixed": 99}, "Contact nobody: no number of contacts earns"),
    ],
)
def test_the_first_sentence_is_the_answer(costs, start):
    assert headline(campaign(costs=to.Costs(**costs))).startswith(start)


def test_everybody_and_the_cost_of_contacting_nobody():
    gains = to.evaluate([0, 1, 1], [0.1, 0.2, 0.3][::-1]).gains(
        costs=to.Costs(contact=1, value=9, fn=2), check=False
    )

    assert headline(gains).startswith(
        "Contact everybody: all 3 rows: this earns 15; contacting nobody would lose 4."
    )


def test_without_costs_the_first_group_is_compared_with_chance():
    assert headline(campaign(groups=5)) == (
        "The first fifth (2 of 10 customers) holds 50.0% of the 4 responders: 2.50 times as many "
        "as at random."
    )


def test_the_value_on_new_data_is_an_estimate_with_a_footnote():
    rng = np.random.default_rng(1)
    scores = rng.random(200)
    gains = to.evaluate(rng.random(200) < scores, scores).gains(
        costs=to.Costs(contact=2, value=5)
    )  # fmt: skip

    text = " ".join(str(gains).split())
    assert "On new data*, expect to earn " in text
    assert "* out-of-bag bootstrap (200 resamples, seed 0)" in text


def test_many_groups_that_cut_through_ties_are_counted():
    gains = to.evaluate([0, 1] * 20, [0.5, 0.4] * 20).gains(groups=8)

    assert "7 of 8 groups cut through rows with equal scores" in str(gains) or (
        "All groups cut through" in str(gains)
    )


def test_a_single_model_is_shown_as_the_whole():
    gains = campaign(costs=to.Costs(contact=2, value=5))

    assert str(gains.best) == str(gains)
    assert gains.best.to_dict() == gains.to_dict()
    assert gains.to_dict()["models"][0]["profit"]["contacted"] == 7
