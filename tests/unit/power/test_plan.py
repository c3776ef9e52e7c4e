"""The wording of plans, and parameters that are refused."""

import re

import pytest
from golden.reference import document

from tradeoff.errors import InputError, UnknownName
from tradeoff.power import Pilot, Plan, plan_auc, plan_auc_difference, plan_share
from tradeoff.power.plan import format_planned_auc, format_power


def pilot():
    """Variances in pROC's aSAH data: ndka is the first model, s100b the second."""
    first, second = (document(f"proc_{name}_summary.json") for name in ("ndka", "s100b"))
    return Pilot(
        first["delong_variance"],
        second["delong_variance"],
        document("proc_test_paired_s100b_ndka.json")["delong_covariance"],
        positives=41,
        negatives=72,
    )


POWER = "with a power of"
LEVEL = "(two-sided significance level 5%)"


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        (
            plan_auc(auc=0.8, positives=41, negatives=72),
            (
                "With 41 positive and 72 negative rows, an AUC of 0.80 is distinguished from "
                f"chance {POWER} 99.995% {LEVEL}."
            ),
        ),
        (
            plan_auc(auc=0.8, power=0.9, ratio=72 / 41),
            (
                f"To distinguish an AUC of 0.80 from chance {POWER} 90% {LEVEL}, 14 positive and "
                "24 negative rows are needed."
            ),
        ),
        (
            plan_auc(positives=41, negatives=72, power=0.9),
            (
                "With 41 positive and 72 negative rows, the smallest AUC that is distinguished "
                f"from chance {POWER} 90% {LEVEL} is 0.6771."
            ),
        ),
        (
            plan_auc(auc=0.7, positives=20, power=0.9, significance=None),
            (
                "With 20 positive and 20 negative rows, an AUC of 0.70 is distinguished from "
                f"chance {POWER} 90% at a two-sided significance level of 30.7%."
            ),
        ),
        (
            plan_share(share=0.9, class_rows=50),
            (
                "With 50 positive rows, a proportion of 90% is estimated to within ±8.51 "
                "percentage points (half-width of the 95% Wilson interval)."
            ),
        ),
        (
            plan_share(share=0.9, above=0.8, power=0.8),
            (
                f"To show that a proportion of 90% exceeds 80% {POWER} 80% (exact one-sided test, "
                "significance level 5%), 82 positive rows are needed. The test rejects with at "
                "least 72 hits among 82 rows."
            ),
        ),
    ],
)
def test_a_plan_prints_as_a_sentence(plan, text):
    assert isinstance(plan, Plan)
    assert str(plan) == text


def test_percentages_and_decimals_keep_their_significant_digits():
    assert [format_power(x) for x in (0.0, 1.0, 0.999, 0.0004, 0.5)] == [
        "0%", "100%", "99.9%", "0.04%", "50%",
    ]  # fmt: skip
    assert [format_planned_auc(x) for x in (0.5, 0.75, 0.12345, 0.999)] == [
        "0.50",
        "0.75",
        "0.1235",
        "0.999",
    ]


CHANCE, TWO_AREAS = {"auc": 0.8, "positives": 40}, {"first": 0.7, "second": 0.8, "positives": 40}


@pytest.mark.parametrize(
    ("plan", "parameters", "message"),
    [
        (plan_auc, {"auc": 0.8}, "positives, auc, power and significance: two are missing"),
        (plan_auc, {}, "three are missing"),
        (plan_auc, {**CHANCE, "power": 0.9}, "none is missing"),
        (plan_auc, {"auc": 0.4, "power": 0.9}, "between 0.5 and 1, not 0.4"),
        (plan_auc, {"auc": 80, "power": 0.9}, "80% is 0.8"),
        (plan_auc, {"auc": "0.8", "power": 0.9}, "must be a number, not '0.8'"),
        (plan_auc, {"auc": 0.8, "power": 1}, "The power must be between 0 and 1"),
        (plan_auc, {**CHANCE, "significance": 0}, "The significance level must be between"),
        (plan_auc, {"auc": 0.8, "positives": 0}, "Positives must be more than 0"),
        (plan_auc, {**CHANCE, "negatives": -3}, "Negatives must be more than 0"),
        (plan_auc, {**CHANCE, "ratio": 2, "prevalence": 0.1}, "Give only one of negatives, ratio"),
        (plan_auc, {"auc": 0.8, "power": 0.9, "negatives": 5}, "not the negatives"),
        (plan_auc, {**CHANCE, "prevalence": 1.5}, "A prevalence must be between"),
        (plan_auc, {"auc": 0.8, "power": 0.02}, "A power of 2% must exceed"),
        (plan_auc, {"positives": 1, "power": 0.99}, "With so few rows, no AUC"),
        (plan_auc, {"auc": 0.6, "positives": 2, "power": 0.99, "significance": None},
         "No significance level gives"),
        (plan_auc_difference, {"first": 0.7, "second": 0.8}, "positives, second, power and"),
        (plan_auc_difference, {"first": 0.7, "second": 0.7, "positives": 9}, "Equal AUCs"),
        (plan_auc_difference, {"first": 7, "second": 0.7, "positives": 9}, "The first AUC"),
        (plan_auc_difference, {**TWO_AREAS, "correlation": 1}, "between -1 and 1"),
        (plan_auc_difference, {**TWO_AREAS, "correlation": 0.5, "paired": False}, "different rows"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": pilot(), "paired": False}, "different rows"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": pilot(), "correlation": 0.1}, "not both"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": pilot(), "ratio": 3}, "apply to 1.756"),
        (plan_auc_difference, {**TWO_AREAS, "pilot": Pilot(0.001, 0.004, 0.0015, 9, 9)},
         "name the other model first"),
        (plan_auc_difference,
         {"first": 0.6, "second": 0.7, "power": 0.06, "pilot": Pilot(0.001, 0.02, 0.0, 9, 9)},
         "require more power"),
        (plan_auc_difference, {"first": 0.8, "second": 0.7, "positives": 9, "margin": 0.05},
         "worse than 0.8 by the margin"),
        (plan_auc_difference, {"first": 0.8, "positives": 9, "power": 0.9, "margin": 0.05},
         "give the expected AUC"),
        (plan_share, {"share": 0.9}, "class_rows and half_width: two are missing"),
        (plan_share, {"share": 0.9, "half_width": 0.1, "class_rows": 5}, "none is missing"),
        (plan_share, {"share": 0.9, "power": 0.8}, "give the proportion to exceed"),
        (plan_share, {"share": 0.9, "above": 0.8}, "class_rows and power: two are missing"),
        (plan_share, {"share": 0.9, "above": 0.8, "half_width": 0.1}, "not for both"),
        (plan_share, {"share": 0.7, "above": 0.8, "power": 0.8}, "above the one to exceed (0.8)"),
        (plan_share, {"share": 90, "half_width": 0.1}, "from 0 to 1"),
        (plan_share, {"share": 0.9, "half_width": 5}, "between 0 and 0.5"),
        (plan_share, {"share": 0.5, "half_width": 1e-9}, "than can be collected"),
        (plan_share, {"share": 0.9, "above": 0.8, "class_rows": 9.5}, "whole number of rows"),
        (plan_share, {"share": 0.5000001, "above": 0.5, "power": 0.9}, "too close"),
        (plan_share, {"share": 0.9, "half_width": 0.1, "level": 95}, "95% is 0.95"),
        (plan_share, {"share": 0.9, "class_rows": 0}, "Positive rows must be more than 0"),
    ],
)  # fmt: skip
def test_invalid_parameters_are_refused_with_a_message(plan, parameters, message):
    with pytest.raises(InputError, match=re.escape(message)):
        plan(**parameters)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [({"of": "positives"}, "Did you mean 'positive'"), ({"method": "wald"}, "No interval")],
)
def test_unknown_classes_and_methods_are_refused(parameters, message):
    with pytest.raises(UnknownName, match=message):
        plan_share(share=0.9, half_width=0.05, **parameters)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ((0.0, 0.001, 0.0, 9, 9), "above 0"),
        ((0.001, 0.001, 0.002, 9, 9), "cannot exceed"),
        ((0.001, 0.001, 0.0, 0, 9), "Positives of the pilot"),
    ],
)
def test_an_impossible_pilot_is_refused(fields, message):
    with pytest.raises(InputError, match=message):
        Pilot(*fields)
