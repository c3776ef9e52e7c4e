"""Deciles, profits, and whom to contact."""

import csv
import math

import numpy as np
import pytest
from command_line import GOLDEN

import tradeoff as to
from tradeoff.core.costs import matrix_expenses
from tradeoff.errors import InputError

ACTUAL = [1, 1, 0, 1, 0, 0, 1, 0, 0, 0]
SCORES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05]
CAMPAIGN = to.Costs(contact=2, value=5)


def campaign(costs=CAMPAIGN, actual=ACTUAL, scores=SCORES, **options):
    return to.evaluate(actual, scores).gains(costs=costs, check=False, **options)


@pytest.mark.parametrize("name", ["rocr_simple", "syn_a1_probabilities", "syn_a7_imbalanced"])
def test_deciles_equal_the_decile_tables_of_another_program(name):
    # Rows are counted as that program counts them; its order inside ties is that of the file, so
    # only groups whose borders cut through no tie are compared.
    with (GOLDEN / f"kds_{name}_decile_table.csv").open() as file:
        table = list(csv.DictReader(file))
    with (GOLDEN / f"{name}_data.csv").open() as file:
        rows = list(csv.DictReader(file))
    label, score = [n for n in rows[0] if n.startswith(("label", "pred", "score"))][::-1][:2]
    if not {row[label] for row in rows} <= {"0", "1"}:
        label, score = score, label

    columns = to.evaluate(
        [int(row[label]) for row in rows], [float(row[score]) for row in rows]
    ).gains().columns()  # fmt: skip

    untied = columns["tied_rows"] == 0
    assert untied.sum() >= 3 or name == "syn_a7_imbalanced"
    assert columns["rows"].tolist() == [float(row["cnt_cust"]) for row in table]
    for ours, theirs, unit in (
        ("positives", "cnt_resp", 1),
        ("response_rate", "resp_rate", 100),
    ):
        expected = np.array([float(row[theirs]) for row in table]) / unit
        assert columns[ours][untied] == pytest.approx(expected[untied], abs=1e-9)


def test_profit_is_value_of_responders_minus_cost_of_contacts():
    # By hand: the first four hold three responders, 3 * 5 - 4 * 2 = 7; the first two 2 * 5 - 4 = 6.
    gains = campaign()

    assert (gains.threshold, gains.profit) == (0.6, 7)
    assert (gains.profit_of_everybody, gains.profit_of_nobody) == (0, 0)
    assert gains.contacted.predicted_positives == 4
    assert gains.columns()["cumulative_profit"].tolist() == [3, 6, 4, 7, 5, 3, 6, 4, 2, 0]


def test_a_fixed_cost_is_paid_once_and_may_make_nobody_best():
    with_fixed = campaign(to.Costs(contact=2, value=5, fixed=3))
    too_dear = campaign(to.Costs(contact=2, value=5, fixed=8))

    assert (with_fixed.profit, with_fixed.profit_of_everybody) == (4, -3)
    assert with_fixed.columns()["cumulative_profit"][0] == 0
    assert with_fixed.columns()["profit"].sum() == with_fixed.profit_of_everybody
    assert (too_dear.threshold, too_dear.profit) == (math.inf, 0)
    assert str(too_dear).startswith("Contact nobody: no number of contacts earns anything")


def test_inside_a_tie_counts_and_profits_are_expected_ones_and_the_list_is_not_cut():
    # Four rows share a score: each holds half a responder.
    gains = campaign(scores=[0.9, 0.5, 0.5, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05])

    columns = gains.columns()
    assert columns["positives"].tolist()[:5] == [1, 0.5, 0.5, 0.5, 0.5]
    assert columns["cumulative_profit"].tolist()[:5] == [3, 3.5, 4, 4.5, 5]
    assert gains.contacted.predicted_positives == 7
    assert "Deciles 2, 3, 4 and 5 cut through rows with equal scores" in str(gains)


def test_every_profit_equals_brute_force_over_random_orders_of_ties():
    rng = np.random.default_rng(7)
    actual, scores = rng.random(40) < 0.3, rng.integers(0, 6, 40)
    columns = campaign(actual=actual, scores=scores, groups=40).columns()

    profits = []
    for _ in range(3000):
        order = np.lexsort((rng.random(40), -scores))
        profits.append(np.cumsum(5 * actual[order] - 2))
    assert columns["cumulative_profit"] == pytest.approx(np.mean(profits, 0), abs=0.35)


def test_frequencies_count_like_repeated_rows():
    weights = [2, 1, 3, 1, 1, 2, 1, 1, 4, 4]
    weighted = to.evaluate(ACTUAL, SCORES, weight=weights).gains(costs=CAMPAIGN, check=False)
    repeated = campaign(actual=np.repeat(ACTUAL, weights), scores=np.repeat(SCORES, weights))

    assert weighted.profit == repeated.profit
    assert weighted.threshold == repeated.threshold
    for name, values in repeated.columns().items():
        if name != "model":
            assert weighted.columns()[name] == pytest.approx(values)


@pytest.mark.parametrize(("top", "contacts"), [(3, 3), (3.9, 3), (0.25, 2), (10, 10)])
def test_a_number_or_proportion_limits_the_contacts(top, contacts):
    assert campaign(top=top).contacted.predicted_positives == contacts


def test_a_limit_never_cuts_through_a_tie():
    gains = campaign(scores=[0.9, 0.5, 0.5, 0.5, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05], top=3)

    assert gains.contacted.predicted_positives == 1
    assert "1 row fits within the capacity; the next score is shared by 4 rows" in str(gains)
    assert "The most profitable number is 7: it would earn 6" in str(gains)


def test_low_scores_may_be_the_best():
    lower = to.evaluate(ACTUAL, [-s for s in SCORES], lower_is_positive=True)

    gains = lower.gains(costs=CAMPAIGN, check=False)

    assert (gains.threshold, gains.profit) == (-0.6, 7)
    assert "score ≤ −0.6" in str(gains)


def test_counts_alone_give_the_profit_of_the_contacted_everybody_and_nobody():
    # 30 * 5 - 100 * 2 = -50; everybody: 100 * 5 - 1000 * 2.
    outlay = matrix_expenses(to.ConfusionMatrix(30, 70, 70, 830), CAMPAIGN)

    assert (-outlay.total, -outlay.all_positive, -outlay.all_negative) == (-50, -1500, 0)


def test_costs_of_rows_with_rejected_cases_agree_with_those_of_a_ranking():
    evaluation = to.evaluate([1, 1, 0, 1, 0, 0], [0.9, None, 0.7, 0.2, 0.1, None], missing="reject")
    costs = to.Costs(fp=1, fn=3, rejected=0.5)

    from_rows = evaluation.expenses(0.5, costs=costs)
    from_counts = matrix_expenses(evaluation.at(0.5), costs)

    assert from_counts == pytest.approx(from_rows)


def test_the_most_profitable_of_several_models_comes_first():
    e = to.evaluate(score={"poor": SCORES[::-1], "good": SCORES}, actual=ACTUAL)

    gains = e.gains(costs=CAMPAIGN)

    assert gains.best.ranking.name == "good"
    text = str(gains)
    assert text.index("\ngood") < text.index("\npoor")


def test_the_expected_profit_on_new_data_is_below_that_on_the_rows_it_was_chosen_on():
    rng = np.random.default_rng(3)
    actual, scores = rng.random(300) < 0.4, rng.random(300)  # scores without any information

    gains = to.evaluate(actual, scores).gains(costs=to.Costs(contact=2, value=5))

    assert gains.best.expected_profit_per_row * 300 < gains.profit


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups": 0}, "whole number of 1 or more"),
        ({"groups": 11}, "can be divided into 1 to 10 bins"),
        ({"top": 0}, "a number of rows"),
    ],
)
def test_impossible_groups_and_numbers_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        campaign(**options)


def test_without_a_positive_row_there_is_no_response():
    with pytest.raises(InputError, match="No row is '1'"):
        to.evaluate([0, 0, 0], [0.1, 0.2, 0.3]).gains()


def test_a_value_below_the_cost_of_a_contact_is_refused_in_plain_words():
    with pytest.raises(InputError, match="A contact costs 5 and a true positive is worth 4"):
        to.Costs(contact=5, value=4)
    with pytest.raises(InputError, match="give only one of them"):
        to.Costs(contact=5, value=40, tp=-40)


def test_a_profit_needs_costs():
    gains = to.evaluate(ACTUAL, SCORES).gains()

    with pytest.raises(InputError, match="A profit needs the cost of a contact"):
        assert gains.profit_of_everybody
    with pytest.raises(InputError, match="A threshold for contacts needs costs"):
        assert gains.threshold
    assert "profit" not in str(gains)
