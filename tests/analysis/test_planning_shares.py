"""Planning: shares of rows, what plans say, and what they refuse."""

import math
import re
from math import comb

import numpy as np
import pytest
from golden.reference import document
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from tradeoff.errors import InputError, UnknownName
from tradeoff.power import Pilot, Plan, plan_auc, plan_auc_difference, plan_share
from tradeoff.power.plan import decimals, percent
from tradeoff.power.shares import exact_test


def pilot():
    """What pROC found in the aSAH rows: ndka is the first, s100b the second."""
    first, second = (document(f"proc_{name}_summary.json") for name in ("ndka", "s100b"))
    return Pilot(
        first["delong_variance"],
        second["delong_variance"],
        document("proc_test_paired_s100b_ndka.json")["delong_covariance"],
        positives=41,
        negatives=72,
    )


# Shares


def test_the_half_width_of_a_share_by_hand():
    # Wilson at a half: z / (2 √(n + z²)).
    z = -ndtri(0.025)
    plan = plan_share(share=0.5, class_rows=96)

    assert plan.values["half_width"] == pytest.approx(z / (2 * math.sqrt(96 + z**2)), rel=1e-12)
    assert plan.solved == "half_width"


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys", "agresti-coull"])
@pytest.mark.parametrize(("share", "half"), [(0.9, 0.05), (0.5, 0.1), (1.0, 0.03), (0.0, 0.2)])
def test_no_fewer_rows_are_as_precise(method, share, half):
    plan = plan_share(share=share, half_width=half, method=method, level=0.9)

    def width(rows):
        return plan_share(share=share, class_rows=rows, method=method, level=0.9).values[
            "half_width"
        ]

    assert plan.positives == int(plan.positives)
    assert width(plan.positives) == plan.values["half_width"] <= half
    assert plan.positives == 1 or width(plan.positives - 1) > half


def test_a_prevalence_tells_all_rows():
    sensitivity = plan_share(share=0.9, half_width=0.05, prevalence=0.2)
    specificity = plan_share(share=0.9, half_width=0.05, prevalence=0.2, of="negative")
    accuracy = plan_share(share=0.9, half_width=0.05, of="all")

    assert sensitivity.rows == pytest.approx(141 / 0.2)
    assert (sensitivity.positives, sensitivity.negatives) == pytest.approx((141, 564))
    assert specificity.negatives == pytest.approx(141)
    assert specificity.rows == pytest.approx(141 / 0.8)
    assert (accuracy.positives, accuracy.negatives, accuracy.rows) == (None, None, 141)
    assert "about 177 rows at a prevalence of 20 %" in str(specificity)


def exactly(rows, share, least):
    """P(hits >= least) by adding up."""
    return sum(comb(rows, k) * share**k * (1 - share) ** (rows - k) for k in range(least, rows + 1))


def by_counting(rows, share, above, significance):
    least = next(c for c in range(rows + 2) if exactly(rows, above, c) <= significance)
    return least, exactly(rows, share, least)


@pytest.mark.parametrize(("share", "above"), [(0.9, 0.8), (0.6, 0.3), (1.0, 0.9), (0.05, 0.001)])
def test_the_exact_test_is_what_counting_says(share, above):
    rows = np.arange(1, 80, dtype=float)
    hits, power = exact_test(rows, share, above, 0.05)
    counted = [by_counting(int(n), share, above, 0.05) for n in rows]

    assert hits.tolist() == [least for least, _ in counted]
    assert power.tolist() == pytest.approx([sure for _, sure in counted], rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("share", "above", "power"), [(0.9, 0.8, 0.9), (0.8, 0.5, 0.8), (1.0, 0.9, 0.95)]
)
def test_the_fewest_rows_that_show_a_share(share, above, power):
    plan = plan_share(share=share, above=above, power=power, significance=0.025)
    rows = int(plan.positives)

    assert plan.power == pytest.approx(by_counting(rows, share, above, 0.025)[1], rel=1e-9)
    assert plan.power >= power
    assert all(by_counting(n, share, above, 0.025)[1] < power for n in range(1, rows))


def test_many_rows_are_found_from_near_the_normal_approximation():
    plan = plan_share(share=0.52, above=0.5, power=0.9)
    rows = np.arange(1, plan.positives)

    assert plan.positives > 5000
    assert (exact_test(rows, 0.52, 0.5, 0.05)[1] < 0.9).all()


def test_too_few_rows_show_nothing_and_the_plan_says_so():
    plan = plan_share(share=0.9, above=0.8, class_rows=3)

    assert plan.power == 0
    assert "not even hits alone show it" in str(plan)


@given(share=st.floats(0.02, 0.98), rows=st.integers(1, 400))
def test_more_rows_are_more_precise(share, rows):
    widths = [plan_share(share=share, class_rows=n).values["half_width"] for n in (rows, 2 * rows)]

    assert widths[1] < widths[0] <= 0.5


# What is said


POWER = "with a power of"
FIVE = "(two-sided significance 5 %)"


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (
            plan_auc(auc=0.8, positives=41, negatives=72),
            (
                f"With 41 positive and 72 negative rows an AUC of 0.80 is told from chance {POWER} "
                f"99.995 % {FIVE}."
            ),
        ),
        (
            plan_auc(auc=0.8, power=0.9, ratio=72 / 41),
            (
                f"To tell an AUC of 0.80 from chance {POWER} 90 % {FIVE}, 14 positive and 24 "
                "negative rows are needed."
            ),
        ),
        (
            plan_auc(positives=41, negatives=72, power=0.9),
            (
                "With 41 positive and 72 negative rows the smallest AUC that is told from chance "
                f"{POWER} 90 % {FIVE} is 0.6771."
            ),
        ),
        (
            plan_auc(auc=0.7, positives=20, power=0.9, significance=None),
            (
                f"With 20 positive and 20 negative rows an AUC of 0.70 is told from chance {POWER} "
                "90 % at a two-sided significance of 30.7 %."
            ),
        ),
        (
            plan_share(share=0.9, class_rows=50),
            (
                "With 50 positive rows, a share of 90 % is known within 8.51 percentage points "
                "(half the width of the 95 % interval by wilson)."
            ),
        ),
        (
            plan_share(share=0.9, above=0.8, power=0.8),
            (
                f"To show that a share of 90 % exceeds 80 % {POWER} 80 % (exact one-sided test, "
                "significance 5 %), 82 positive rows are needed. It is shown by 72 hits or more "
                "among 82."
            ),
        ),
    ],
)
def test_a_plan_reads_as_plain_text(plan, text):
    assert isinstance(plan, Plan)
    assert str(plan) == text


def test_numbers_in_sentences_keep_what_matters():
    assert [percent(x) for x in (0.0, 1.0, 0.999, 0.0004, 0.5)] == [
        "0 %", "100 %", "99.9 %", "0.04 %", "50 %",
    ]  # fmt: skip
    assert [decimals(x) for x in (0.5, 0.75, 0.12345, 0.999)] == ["0.50", "0.75", "0.1235", "0.999"]


CHANCE, TWO_AREAS = {"auc": 0.8, "positives": 40}, {"first": 0.7, "second": 0.8, "positives": 40}


@pytest.mark.parametrize(
    ("plan", "asked", "told"),
    [
        (plan_auc, {"auc": 0.8}, "positives, auc, power and significance: two are missing"),
        (plan_auc, {}, "three are missing"),
        (plan_auc, {**CHANCE, "power": 0.9}, "none is missing"),
        (plan_auc, {"auc": 0.4, "power": 0.9}, "between 0.5 and 1, not at 0.4"),
        (plan_auc, {"auc": 80, "power": 0.9}, "80 % is 0.8"),
        (plan_auc, {"auc": "0.8", "power": 0.9}, "is a number, not '0.8'"),
        (plan_auc, {"auc": 0.8, "power": 1}, "A power lies between 0 and 1"),
        (plan_auc, {**CHANCE, "significance": 0}, "A significance lies between"),
        (plan_auc, {"auc": 0.8, "positives": 0}, "Positives are more than 0"),
        (plan_auc, {**CHANCE, "negatives": -3}, "Negatives are more than 0"),
        (plan_auc, {**CHANCE, "ratio": 2, "prevalence": 0.1}, "Give one of negatives, ratio"),
        (plan_auc, {"auc": 0.8, "power": 0.9, "negatives": 5}, "not the negatives"),
        (plan_auc, {**CHANCE, "prevalence": 1.5}, "A prevalence lies between"),
        (plan_auc, {"auc": 0.8, "power": 0.02}, "A power of 2 % is not more than"),
        (plan_auc, {"positives": 1, "power": 0.99}, "With so few rows no AUC"),
        (plan_auc, {"auc": 0.6, "positives": 2, "power": 0.99, "significance": None},
         "At no significance"),
        (plan_auc_difference, {"first": 0.7, "second": 0.8}, "positives, second, power and"),
        (plan_auc_difference, {"first": 0.7, "second": 0.7, "positives": 9}, "Equal areas"),
        (plan_auc_difference, {"first": 7, "second": 0.7, "positives": 9}, "The first AUC"),
        (plan_auc_difference, {**TWO_AREAS, "correlation": 1}, "between -1 and 1"),
        (plan_auc_difference, {**TWO_AREAS, "correlation": 0.5, "paired": False}, "different rows"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": pilot(), "paired": False}, "different rows"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": pilot(), "correlation": 0.1}, "not both"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": pilot(), "ratio": 3}, "hold for 1.756"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": Pilot(0.001, 0.004, 0.0015, 9, 9)},
         "name the other model first"),
        (plan_auc_difference,
         {"first": 0.6, "second": 0.7, "power": 0.06, "pilot": Pilot(0.001, 0.02, 0.0, 9, 9)},
         "ask for more power"),
        (plan_auc_difference, {"first": 0.8, "second": 0.7, "positives": 9, "margin": 0.05},
         "worse than 0.8 by the margin"),
        (plan_auc_difference, {"first": 0.8, "positives": 9, "power": 0.9, "margin": 0.05},
         "give the second AUC"),
        (plan_share, {"share": 0.9}, "class_rows and half_width: two are missing"),
        (plan_share, {"share": 0.9, "half_width": 0.1, "class_rows": 5}, "none is missing"),
        (plan_share, {"share": 0.9, "power": 0.8}, "which share is to be exceeded"),
        (plan_share, {"share": 0.9, "above": 0.8}, "class_rows and power: two are missing"),
        (plan_share, {"share": 0.9, "above": 0.8, "half_width": 0.1}, "not for both"),
        (plan_share, {"share": 0.7, "above": 0.8, "power": 0.8}, "does not exceed 0.8"),
        (plan_share, {"share": 90, "half_width": 0.1}, "from 0 to 1"),
        (plan_share, {"share": 0.9, "half_width": 5}, "between 0 and 0.5"),
        (plan_share, {"share": 0.5, "half_width": 1e-9}, "than can be collected"),
        (plan_share, {"share": 0.9, "above": 0.8, "class_rows": 9.5}, "whole rows"),
        (plan_share, {"share": 0.5000001, "above": 0.5, "power": 0.9}, "too close"),
        (plan_share, {"share": 0.9, "half_width": 0.1, "level": 95}, "95 % is 0.95"),
        (plan_share, {"share": 0.9, "class_rows": 0}, "Positive rows are more than 0"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(plan, asked, told):
    with pytest.raises(InputError, match=re.escape(told)):
        plan(**asked)


@pytest.mark.parametrize(
    ("asked", "told"),
    [({"of": "positives"}, "Did you mean 'positive'"), ({"method": "wald"}, "No interval")],
)
def test_unknown_words_of_a_share_are_said(asked, told):
    with pytest.raises(UnknownName, match=told):
        plan_share(share=0.9, half_width=0.05, **asked)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ((0.0, 0.001, 0.0, 9, 9), "more than 0"),
        ((0.001, 0.001, 0.002, 9, 9), "cannot exceed"),
        ((0.001, 0.001, 0.0, 0, 9), "Positives of the pilot"),
    ],
)
def test_a_pilot_that_no_rows_can_give_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        Pilot(*given)
