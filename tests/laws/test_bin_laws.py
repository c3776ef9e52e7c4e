"""Properties of binned rankings for any scores: exact counts, valid bounds, addition."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import UGLY, columns, scored

import tradeoff as to
from tradeoff.core.merge import merge_rankings
from tradeoff.core.sort_keys import sortable_integers
from tradeoff.measures.curves import any_curve
from tradeoff.thresholds.decision import best_threshold

ROWS = scored(UGLY, max_size=120)
ROUNDING = 1e-12
BOUNDED = [name for name, measure in to.SUMMARIES.items() if measure.is_bounded]


def ranked(rows):
    return to.Ranking.of(rows[0], rows[1])


def counts_at_bins(binned, whole):
    """Counts of the whole ranking at the thresholds of the binned one."""
    places = whole.places(binned.thresholds[1:])
    return whole.true_positives[places].tolist(), whole.false_positives[places].tolist()


@given(st.lists(UGLY, min_size=1, max_size=60))
def test_sortable_integers_have_the_order_of_the_scores(scores):
    distinct = np.unique(np.array(scores) + 0.0)

    assert np.array_equal(np.unique(sortable_integers(distinct)), sortable_integers(distinct))


@given(ROWS, st.integers(4, 40))
@settings(max_examples=100)
def test_counts_at_the_thresholds_of_bins_are_exact(rows, max_bins):
    whole = ranked(rows)
    binned = whole.within(max_bins)

    assert binned.distinct <= max_bins
    counts = (binned.true_positives[1:].tolist(), binned.false_positives[1:].tolist())
    assert counts == counts_at_bins(binned, whole)
    assert (binned.positives, binned.negatives) == (whole.positives, whole.negatives)


@given(ROWS, st.integers(4, 40))
@settings(max_examples=100)
def test_bounds_contain_the_exact_area(rows, max_bins):
    whole = ranked(rows)
    if not (whole.positives and whole.negatives):
        return
    exact = to.SUMMARIES["auc"].estimate(whole)
    estimate = to.SUMMARIES["auc"].estimate(whole.within(max_bins))

    assert abs(estimate.value - exact.value) <= estimate.within + ROUNDING


@pytest.mark.parametrize("name", BOUNDED)
@given(rows=ROWS, max_bins=st.integers(4, 40))
def test_bounds_contain_the_exact_value_of_every_summary_that_has_them(name, rows, max_bins):
    whole = ranked(rows)
    exact = to.SUMMARIES[name].estimate(whole)
    estimate = to.SUMMARIES[name].estimate(whole.within(max_bins))

    assert estimate.is_defined == exact.is_defined
    if exact.is_defined:
        assert abs(estimate.value - exact.value) <= estimate.within + 1e-9


@pytest.mark.parametrize("name", [n for n in to.SUMMARIES if n not in BOUNDED])
def test_summaries_without_bounds_are_undefined_in_bins(name):
    binned = ranked((np.arange(50) / 50, np.arange(50) % 3 == 0)).within(10)

    assert "scores are in " in to.SUMMARIES[name].estimate(binned).reason


@given(ROWS, st.integers(4, 40), st.floats(0, 1))
def test_values_read_off_a_curve_lie_between_the_worst_and_the_best_case(rows, max_bins, at):
    whole = ranked(rows)
    if not (whole.positives and whole.negatives):
        return
    binned = whole.within(max_bins)
    for name in ("roc", "gains"):
        cases = (binned.worst_case, whole, binned.best_case)
        worst, exact, best = (any_curve(case, name).y_at(at) for case in cases)
        assert worst - 1e-9 <= exact <= best + 1e-9


@given(ROWS, st.integers(4, 40), st.integers(1, 9), st.integers(1, 9))
def test_the_cheapest_cost_lies_between_those_of_the_worst_and_the_best_case(
    rows, max_bins, fp, fn
):
    whole = ranked(rows)
    if not (whole.positives and whole.negatives):
        return
    binned = whole.within(max_bins)
    costs = to.Costs(false_positive=fp, false_negative=fn)
    cases = (binned.best_case, whole, binned.worst_case)
    best, exact, worst = (best_threshold(case, costs=costs).value for case in cases)

    assert best - ROUNDING <= exact <= worst + ROUNDING


@given(st.lists(ROWS, min_size=2, max_size=4), st.lists(st.integers(4, 20), min_size=4, max_size=4))
@settings(max_examples=100)
def test_binned_parts_add_up_to_exact_counts_and_bounds(parts, sizes):
    whole = ranked([np.concatenate(column) for column in zip(*parts, strict=True)])
    binned_parts = [
        ranked(rows).within(max_bins) for rows, max_bins in zip(parts, sizes, strict=False)
    ]
    merged = merge_rankings(binned_parts)

    counts = (merged.true_positives[1:].tolist(), merged.false_positives[1:].tolist())
    assert counts == counts_at_bins(merged, whole)
    if whole.positives and whole.negatives:
        estimate = to.SUMMARIES["auc"].estimate(merged)
        assert abs(estimate.value - float(to.SUMMARIES["auc"](whole))) <= estimate.within + ROUNDING


@given(st.lists(ROWS, min_size=1, max_size=5))
def test_exact_parts_add_up_to_the_whole(parts):
    whole = ranked([np.concatenate(column) for column in zip(*parts, strict=True)])

    assert columns(merge_rankings([ranked(rows) for rows in parts])) == columns(whole)


@given(ROWS, st.integers(4, 20), st.integers(4, 20))
def test_bins_of_bins_are_bins(rows, first, second):
    whole = ranked(rows)
    twice = whole.within(max(first, second)).within(min(first, second))

    assert twice.distinct <= min(first, second)
    assert (
        twice.true_positives[1:].tolist(),
        twice.false_positives[1:].tolist(),
    ) == counts_at_bins(twice, whole)


@given(ROWS, st.integers(4, 20))
def test_low_scores_may_be_positive(rows, max_bins):
    scores, positive, _ = rows
    mirrored = to.Ranking.of(-scores, positive, lower_is_positive=True).within(max_bins)
    plain = to.Ranking.of(scores, positive).within(max_bins)

    assert mirrored.true_positives.tolist() == plain.true_positives.tolist()
    assert (-mirrored.thresholds[1:]).tolist() == plain.thresholds[1:].tolist()


@pytest.mark.parametrize("max_bins", [0, 3])
def test_too_few_bins_are_refused(max_bins):
    with pytest.raises(to.TradeoffError, match="at least 4 bins"):
        ranked((np.array([1.0, 2.0]), np.array([True, False]))).within(max_bins)
