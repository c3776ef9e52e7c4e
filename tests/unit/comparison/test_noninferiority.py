"""Verdicts on margins: their p-values are printed so that they agree with the claim."""

import pytest

from tradeoff.comparison.difference import Difference
from tradeoff.comparison.noninferiority import equivalence_verdict, noninferiority_verdict

DIFFERENCE = Difference("a", "b", "auc", 0.80, 0.81, standard_error=0.01, level=0.95)


def test_noninferiority_is_worked_by_hand():
    verdict = noninferiority_verdict(DIFFERENCE, 0.03)

    # z = (−0.01 + 0.03) / 0.01 = 2
    assert verdict.p_value == pytest.approx(0.02275, abs=1e-5)
    assert verdict.shown
    assert repr(verdict).endswith("shown, p = 0.02)")


def test_equivalence_needs_both_sides():
    verdict = equivalence_verdict(DIFFERENCE, 0.02)

    # The nearer margin decides: z = (0.02 − 0.01) / 0.01 = 1
    assert verdict.p_value == pytest.approx(0.15866, abs=1e-5)
    assert not verdict.shown
