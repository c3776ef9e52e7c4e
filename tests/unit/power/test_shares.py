"""Sample size and power for proportions, against brute force."""

import math
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from tradeoff.power import plan_share
from tradeoff.power.shares import exact_binomial_power


def test_the_half_width_of_a_proportion_worked_by_hand():
    # Wilson's interval for a proportion of one half: z / (2 √(n + z²)).
    z = -ndtri(0.025)
    plan = plan_share(share=0.5, class_rows=96)

    assert plan.values["half_width"] == pytest.approx(z / (2 * math.sqrt(96 + z**2)), rel=1e-12)
    assert plan.solved == "half_width"


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "jeffreys", "agresti-coull"])
@pytest.mark.parametrize(("share", "half"), [(0.9, 0.05), (0.5, 0.1), (1.0, 0.03), (0.0, 0.2)])
def test_the_planned_rows_are_the_fewest_with_the_half_width(method, share, half):
    plan = plan_share(share=share, half_width=half, method=method, level=0.9)

    def width(rows):
        return plan_share(share=share, class_rows=rows, method=method, level=0.9).values[
            "half_width"
        ]

    assert plan.positives == int(plan.positives)
    assert width(plan.positives) == plan.values["half_width"] <= half
    assert plan.positives == 1 or width(plan.positives - 1) > half


def test_a_prevalence_gives_the_total_number_of_rows():
    sensitivity = plan_share(share=0.9, half_width=0.05, prevalence=0.2)
    specificity = plan_share(share=0.9, half_width=0.05, prevalence=0.2, of="negative")
    accuracy = plan_share(share=0.9, half_width=0.05, of="all")

    assert sensitivity.rows == pytest.approx(141 / 0.2)
    assert (sensitivity.positives, sensitivity.negatives) == pytest.approx((141, 564))
    assert specificity.negatives == pytest.approx(141)
    assert specificity.rows == pytest.approx(141 / 0.8)
    assert (accuracy.positives, accuracy.negatives, accuracy.rows) == (None, None, 141)
    assert "about 177 rows at a prevalence of 20%" in str(specificity)


def binomial_tail(rows, share, successes):
    """P(X >= successes), summed term by term."""
    return sum(
        comb(rows, k) * share**k * (1 - share) ** (rows - k) for k in range(successes, rows + 1)
    )


def brute_force_test(rows, share, above, significance):
    critical = next(c for c in range(rows + 2) if binomial_tail(rows, above, c) <= significance)
    return critical, binomial_tail(rows, share, critical)


@pytest.mark.parametrize(("share", "above"), [(0.9, 0.8), (0.6, 0.3), (1.0, 0.9), (0.05, 0.001)])
def test_the_exact_binomial_test_agrees_with_brute_force(share, above):
    rows = np.arange(1, 80, dtype=float)
    hits, power = exact_binomial_power(rows, share, above, 0.05)
    expected = [brute_force_test(int(n), share, above, 0.05) for n in rows]

    assert hits.tolist() == [critical for critical, _ in expected]
    assert power.tolist() == pytest.approx(
        [expected_power for _, expected_power in expected], rel=1e-9, abs=1e-14
    )


@pytest.mark.parametrize(
    ("share", "above", "power"), [(0.9, 0.8, 0.9), (0.8, 0.5, 0.8), (1.0, 0.9, 0.95)]
)
def test_the_planned_rows_are_the_fewest_with_the_power(share, above, power):
    plan = plan_share(share=share, above=above, power=power, significance=0.025)
    rows = int(plan.positives)

    assert plan.power == pytest.approx(brute_force_test(rows, share, above, 0.025)[1], rel=1e-9)
    assert plan.power >= power
    assert all(brute_force_test(n, share, above, 0.025)[1] < power for n in range(1, rows))


def test_thousands_of_planned_rows_are_still_the_fewest():
    plan = plan_share(share=0.52, above=0.5, power=0.9)
    rows = np.arange(1, plan.positives)

    assert plan.positives > 5000
    assert (exact_binomial_power(rows, 0.52, 0.5, 0.05)[1] < 0.9).all()


def test_too_few_rows_have_no_power_and_the_plan_says_so():
    plan = plan_share(share=0.9, above=0.8, class_rows=3)

    assert plan.power == 0
    assert "cannot reject even if all are hits" in str(plan)


@given(share=st.floats(0.02, 0.98), rows=st.integers(1, 400))
def test_more_rows_are_more_precise(share, rows):
    widths = [plan_share(share=share, class_rows=n).values["half_width"] for n in (rows, 2 * rows)]

    assert widths[1] < widths[0] <= 0.5
