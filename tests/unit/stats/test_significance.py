"""Results of significance tests, and adjusted p-values: by hand, and their properties."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradeoff.errors import InputError
from tradeoff.stats.paired_labels import mcnemar_test
from tradeoff.stats.significance import Test as Outcome
from tradeoff.stats.significance import holm_adjusted

P_VALUES = st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=12)


def test_a_test_prints_as_one_line():
    assert repr(mcnemar_test(5, 15, "exact")) == "Test(McNemar: 5 against 15, p = 0.04)"
    undefined = Outcome.undefined("McNemar", "exact", "there are no rows")
    assert repr(undefined) == "Test(McNemar is undefined: there are no rows)"
    assert not undefined.is_defined
    assert math.isnan(undefined.statistic)
    assert mcnemar_test(5, 15).is_defined


def test_adjusted_p_values_by_hand():
    given_values = [0.02, math.nan, 0.01, 0.04]

    assert holm_adjusted(given_values).tolist() == pytest.approx(
        [0.04, math.nan, 0.03, 0.04], nan_ok=True
    )


@given(P_VALUES)
def test_adjustment_keeps_the_order_and_never_lowers_a_p_value(p_values):
    p = np.array(p_values)
    adjusted, is_defined = holm_adjusted(p), ~np.isnan(p)

    assert np.array_equal(np.isnan(adjusted), ~is_defined)
    assert (adjusted[is_defined] >= p[is_defined] * (1 - 1e-12)).all()
    assert (adjusted[is_defined] <= 1).all()
    assert (np.diff(adjusted[is_defined][np.argsort(p[is_defined])]) >= 0).all()
    # Bonferroni-adjusted p-values are never smaller.
    assert (adjusted[is_defined] <= p[is_defined] * is_defined.sum() * (1 + 1e-12)).all()


@pytest.mark.parametrize("p_value", [1.5, -0.1])
def test_a_p_value_outside_0_to_1_is_refused(p_value):
    with pytest.raises(InputError, match=f"between 0 and 1, not {p_value}"):
        holm_adjusted([0.5, p_value])
