"""Rows that break a rule: counted, with the first of them."""

import numpy as np
import pytest

from tradeoff.errors import InputError
from tradeoff.sources.row_messages import MAX_WEIGHT, Fault, require_valid_weights


def test_a_fault_counts_rows_over_batches_and_keeps_the_first_numbers():
    fault = Fault()
    fault.add(np.array([False, True, True]))
    fault.add(np.array([True, True]), start=3)

    assert (fault.rows, fault.first_rows) == (4, [2, 3, 4])
    assert fault.location == " (first: rows 2, 3 and 4)"


def test_groups_of_rows_are_counted_by_their_sizes_without_numbers():
    fault = Fault().add(np.array([True, False, True]), sizes=np.array([5, 7, 11]))

    assert (fault.rows, fault.location) == (16, "")


def test_weights_are_reported_in_the_order_of_their_faults():
    faults = {f"above {MAX_WEIGHT:g}": Fault(1, [2]), "negative": Fault(2, [1, 4])}
    with pytest.raises(InputError, match=r"negative \(first: rows 1 and 4\)"):
        require_valid_weights(faults, 9)
